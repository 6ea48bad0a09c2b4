//! Names as people type and read them.

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
}
