//! Errors, as Python exceptions.

use hardlim::Error;
use hardlim::train::spelled;
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};

pyo3::create_exception!(
    hardlim,
    HardlimError,
    PyValueError,
    "An error of hardlim, with the numbers that explain it."
);

/// The exception with the same text, options spelled as parameters: `OSError` for files that cannot
/// be read or written, otherwise `HardlimError`, a `ValueError`.
pub(crate) fn to_py(error: impl Into<Error>) -> PyErr {
    to_py_of(&[])(error.into())
}

/// The same for a function that has names of its own for some options, each given after the
/// library's.
pub(crate) fn to_py_of(own: &[(&str, &str)]) -> impl Fn(Error) -> PyErr {
    let spell = move |option: &str, value: Option<&str>| {
        let known = own.iter().find(|(name, _)| *name == option);
        parameter(known.map_or(option, |(_, own)| own), value)
    };
    move |error| match &error {
        Error::Read { path, reason } | Error::Write { path, reason } => {
            // Python picks the kind of OSError (FileNotFoundError, …) by its number.
            match reason.raw_os_error() {
                Some(number) => {
                    PyOSError::new_err((number, reason.to_string(), path.display().to_string()))
                }
                None => PyOSError::new_err(error.to_string()),
            }
        }
        _ => HardlimError::new_err(spelled(&error.to_string(), spell)),
    }
}

/// Notes, with options spelled as parameters.
pub(crate) fn spelled_notes(notes: &[String]) -> Vec<String> {
    notes.iter().map(|note| spelled(note, parameter)).collect()
}

/// How an option of the library is written here.
pub(crate) fn parameter(option: &str, value: Option<&str>) -> String {
    let name = match (option, value) {
        ("seed", _) => "random_state",
        // What the command line asks for is said by types here.
        ("task", Some("classify")) => return "ThresholdClassifier".into(),
        ("task", Some("regress")) => return "ThresholdRegressor".into(),
        ("categorical", _) => return "astype('category')".into(),
        ("all", _) => return "rules=None".into(),
        ("ignore", _) => return "X.drop(...)".into(),
        _ => option,
    };
    match value {
        None => name.into(),
        Some("true") => format!("{name}=True"),
        Some("false") => format!("{name}=False"),
        Some(value) if value.parse::<f64>().is_ok() => format!("{name}={value}"),
        Some(value) => format!("{name}='{value}'"),
    }
}
