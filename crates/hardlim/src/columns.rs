//! Columns of text that line up, whatever is in them.
//!
//! Names come from the user's table and may have any length. The width of Rust's own padding is a
//! 16-bit number, and a larger one panics: what depends on the data is padded here.

/// The longest name that a table shows in full, in characters.
const LONGEST: usize = 60;

/// A name on one line, short enough for a table; `…` stands for what is left out.
pub fn cut(name: &str) -> String {
    let line = |c: char| if c.is_control() { ' ' } else { c };
    match name.char_indices().nth(LONGEST) {
        None => name.chars().map(line).collect(),
        Some(_) => name.chars().take(LONGEST - 1).map(line).chain(['…']).collect(),
    }
}

/// The names as a table shows them.
pub fn cut_all(names: &[String]) -> Vec<String> {
    names.iter().map(|name| cut(name)).collect()
}

/// The width of a column with these cells, at least so many characters.
pub fn width<'a>(cells: impl IntoIterator<Item = &'a String>, least: usize) -> usize {
    cells.into_iter().map(|cell| cell.chars().count()).fold(least, usize::max)
}

/// The text, and spaces behind it up to that width.
pub fn left(text: &str, width: usize) -> String {
    text.to_owned() + &spaces(text, width)
}

/// The text, and spaces before it up to that width.
pub fn right(text: &str, width: usize) -> String {
    spaces(text, width) + text
}

fn spaces(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_line_up() {
        let names = cut_all(&["a".into(), "é".repeat(70_000), "two\nlines".into()]);
        let width = width(&names, 8);
        assert_eq!(width, LONGEST);
        for name in &names {
            for text in [left(name, width), right(name, width)] {
                assert_eq!(text.chars().count(), width);
                assert!(!text.contains('\n'));
            }
        }
        assert!(names[1].ends_with("é…"));
        assert_eq!(cut(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
        assert_eq!(super::width(&["a".to_owned()], 8), 8);
    }

    #[test]
    fn padding_is_that_of_the_standard_library_and_has_no_limit() {
        for text in ["", "a", "größe", "a name", "longer than that"] {
            for width in [6, 9] {
                assert_eq!(left(text, width), format!("{text:<width$}"));
                assert_eq!(right(text, width), format!("{text:>width$}"));
            }
        }
        assert_eq!((left("a", 70_000).len(), right("a", 70_000).len()), (70_000, 70_000));
    }
}
