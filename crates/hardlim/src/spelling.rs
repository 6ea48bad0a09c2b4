//! How an error names an option: `` `max_inputs` ``, or with a value `` `method=sample` ``. The
//! command line and Python replace each mark by their own spelling, with [`crate::train::spelled`].

/// The mark of an option in a text, with the value that it has or should have.
pub(crate) fn mark(option: &str, value: Option<&str>) -> String {
    match value {
        None => format!("`{option}`"),
        Some(value) => format!("`{option}={value}`"),
    }
}
