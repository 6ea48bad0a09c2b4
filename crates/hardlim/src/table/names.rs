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

/// Whether a character controls a terminal, or changes the direction of the text around it.
fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}');
    turns || c.is_control()
}

/// The text with hidden characters escaped, `\n` or `\u{202e}`: it stays on one line, and nothing
/// in a user's table moves a cursor or turns text around. Every door shows names through it.
pub fn plain(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c).then(|| c.escape_default().to_string()))
}

/// The same for text of several lines, with tabs.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    let hidden = |c| is_hidden(c) && !matches!(c, '\n' | '\t');
    escaped(text, |c| hidden(c).then(|| c.escape_default().to_string()))
}

/// JSON with hidden characters as JSON escapes them, `\u202e`: it reads back as the same.
pub fn plain_json(json: &str) -> Cow<'_, str> {
    escaped(json, |c| is_hidden(c).then(|| format!("\\u{:04x}", u32::from(c))))
}

fn escaped(text: &str, escape: impl Fn(char) -> Option<String>) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return text.into();
    }
    text.chars().map(|c| escape(c).unwrap_or_else(|| c.into())).collect::<String>().into()
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
    let name = plain(name);
    match name.char_indices().nth(LONGEST) {
        None => name.into(),
        Some(_) => name.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

/// The names as a table shows them.
pub fn cut_all(names: &[String]) -> Vec<String> {
    names.iter().map(|name| cut(name)).collect()
}

/// The width of a column with these cells, at least `least` characters.
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
        assert_eq!(plain("a\nb"), "a\\nb");
        assert_eq!(plain("é\u{1b}[2J\u{202e}"), "é\\u{1b}[2J\\u{202e}");
        assert_eq!(plain_lines("a\u{9b}\n\tb"), "a\\u{9b}\n\tb");
        let json = serde_json::json!({ "\u{202e}é\u{7f}": "\n\u{1b}" });
        let text = json.to_string();
        assert_eq!(plain_json(&text), r#"{"\u202eé\u007f":"\n\u001b"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&plain_json(&text)).unwrap(), json);
    }

    #[test]
    fn names_of_any_length_line_up() {
        let names = cut_all(&["a".into(), "é".repeat(70_000), "two\nlines".into()]);
        let width = width(&names, 8);
        assert_eq!(width, LONGEST);
        assert!(names.iter().all(|name| right(name, width).chars().count() == width));
        assert!(names.iter().all(|name| !name.contains('\n')));
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
