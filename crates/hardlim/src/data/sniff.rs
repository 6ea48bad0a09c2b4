//! What a text file does not say: which character separates its cells, and whether its first row
//! names the columns.

use std::collections::HashSet;

use csv::StringRecord;

use super::cells::Cell;

/// The separators we look for. Where two fit equally well the earlier one wins: commas are also
/// found in numbers, bars in text.
const DELIMITERS: [u8; 4] = *b"\t;,|";

/// The separator of which the most lines have as many as the first line does.
pub(crate) fn delimiter(head: &[u8]) -> u8 {
    let lines = counts(head);
    let agreeing = |k: usize| lines.iter().filter(|line| line[k] == lines[0][k]).count();
    (0..DELIMITERS.len())
        .filter(|&k| lines.first().is_some_and(|first| first[k] > 0))
        .rev() // `max_by_key` returns the last of equals
        .max_by_key(|&k| agreeing(k))
        .map_or(b',', |k| DELIMITERS[k])
}

/// How many of each separator the lines have, quoted ones and the last, cut-off line left out.
fn counts(head: &[u8]) -> Vec<[usize; 4]> {
    let (mut lines, mut line) = (Vec::new(), [0; 4]);
    let (mut quoted, mut blank) = (false, true);
    for &byte in head {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => {
                if !blank {
                    lines.push(line);
                }
                (line, blank) = ([0; 4], true);
                continue;
            }
            _ if !quoted => {
                if let Some(k) = DELIMITERS.iter().position(|&d| d == byte) {
                    line[k] += 1;
                }
            }
            _ => {}
        }
        blank &= byte == b' ';
    }
    if lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Whether the first of these rows names the columns. It does when
/// - it has text and no number, and there is a number below it;
/// - it has text and the numbers of the columns, and there is a number below some text;
/// - everything is text, and no name occurs twice or again below itself.
pub(crate) fn has_header(rows: &[StringRecord]) -> bool {
    let Some((first, below)) = rows.split_first() else { return false };
    let is_number = |text: &str| matches!(Cell::parse(text), Cell::Number(_));
    let is_text = |text: &str| matches!(Cell::parse(text), Cell::Text(_));
    let counts_columns = |from: usize| {
        let number = |(j, text): (usize, &str)| match Cell::parse(text) {
            Cell::Number(v) => v == (j + from) as f64,
            Cell::Text(_) => true,
            Cell::Missing => text.trim().is_empty(),
        };
        first.iter().enumerate().all(number)
    };
    if !first.iter().any(is_text) || !(counts_columns(0) || counts_columns(1)) {
        return false;
    }
    if first.iter().any(is_number) {
        let number_below = |j: usize| below.iter().any(|row| row.get(j).is_some_and(is_number));
        return first.iter().enumerate().any(|(j, text)| is_text(text) && number_below(j));
    }
    if below.iter().any(|row| row.iter().any(is_number)) {
        return true;
    }
    let mut seen = HashSet::new();
    first.iter().enumerate().all(|(j, text)| {
        let again = below.iter().any(|row| row.get(j).is_some_and(|t| t.trim() == text.trim()));
        is_text(text) && seen.insert(text.trim()) && !again
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_the_one_every_line_has() {
        for (text, expected) in [
            ("a,b,c\n1,2,3\n", b','),
            ("a\tb c,d\n1\t2\n", b'\t'),
            ("1,5;2,5;3\n2,5;3,5;4\n", b';'),
            ("a|b\n1|2\n", b'|'),
            ("\"x;y;z\",2\n\"a;b\",3\n", b','),
            ("note, with a comma;b\nplain;2\nplain;3\n", b';'),
            ("alone\n1\n2\n", b','),
            ("", b','),
            ("a;b", b';'),
        ] {
            assert_eq!(delimiter(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn a_header_is_told_from_data() {
        for (text, expected) in [
            ("a,b\n1,2\n", true),
            ("1,2\n3,4\n", false),
            ("a,b,label\n1,2,yes\n", true),
            ("5.1,3.5,setosa\n4.9,3.0,setosa\n", false),
            ("class,sex,survived\nfirst,male,yes\ncrew,male,no\n", true),
            ("x,x,o,positive\no,x,o,negative\n", false),
            ("a,b,yes\nc,d,yes\n", false),
            ("0,1,y\n5.1,3.5,1\n", true),
            ("1,2,y\n5.1,3.5,1\n", true),
            ("0,1,red\n5.1,3.5,blue\n", false),
            ("3.5,1.5,oops\n5.1,3.5,1\n", false),
            ("red,?,yes\nblue,5,no\n", false),
            (",a,b\n0,1,2\n", true),
            ("a,b\n", true),
            ("1,2\n", false),
            ("?,?\n1,2\n", false),
        ] {
            let rows: Vec<StringRecord> =
                text.lines().map(|line| line.split(',').collect()).collect();
            assert_eq!(has_header(&rows), expected, "{text:?}");
        }
        assert!(!has_header(&[]));
    }
}
