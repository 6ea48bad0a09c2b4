//! Names as people type and read them, and columns of text that line up whatever is in them.
//!
//! Names come from the user's table and may have any length. The width of Rust's own padding is a
//! 16-bit number, and a larger one panics: what depends on the data is padded here.

use std::borrow::Cow;

/// The longest piece of a user's text that an error quotes, in characters.
const QUOTED: usize = 60;

/// The start of a text, short enough to quote.
pub(crate) fn clip(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// The text with its control characters escaped, so that it stays on one line.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return text.into();
    }
    let escaped = text.chars().flat_map(|c| {
        let (control, plain) = if c.is_control() { (Some(c), None) } else { (None, Some(c)) };
        control.into_iter().flat_map(char::escape_default).chain(plain)
    });
    escaped.collect::<String>().into()
}

/// The candidate most similar to `name`, if it is close enough to be a typing error.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = name.to_lowercase();
    let length = name.chars().count();
    candidates
        .into_iter()
        .filter(|c| c.chars().count().abs_diff(length) <= 3)
        .map(|c| (strsim::damerau_levenshtein(&name, &c.to_lowercase()), c))
        .filter(|&(distance, c)| {
            let longer = length.max(c.chars().count());
            distance < longer && distance <= longer.div_ceil(3).min(3)
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, c)| c)
}

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
    fn a_slip_of_the_hand_is_recognised() {
        let names = ["titanic", "tic-tac-toe", "line"];
        assert_eq!(nearest("titnic", names), Some("titanic"));
        assert_eq!(nearest("Line", names), Some("line"));
        assert_eq!(nearest("tictactoe", names), Some("tic-tac-toe"));
        assert_eq!(nearest("iris", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("a", ["b"]), None);
    }

    #[test]
    fn quotes_are_short_and_stay_on_one_line() {
        assert_eq!(clip("short"), "short");
        assert_eq!(clip(&"é".repeat(100)).chars().count(), QUOTED + 1);
        assert_eq!(one_line("a\nb"), "a\\nb");
        assert_eq!(one_line("é"), "é");
    }

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
