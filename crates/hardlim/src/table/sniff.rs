//! Finds out what a text file does not say: which character separates its fields, and whether its
//! first row names the columns.

use std::collections::HashSet;

use csv::StringRecord;

use super::fields::{Field, merged};

/// The separators to look for. If two fit equally well the earlier one wins, because commas also
/// occur in numbers, and bars in text.
const DELIMITERS: [u8; 4] = *b"\t;,|";

/// The separator for which the most lines have the same count as the first line.
pub(crate) fn delimiter(head: &[u8]) -> u8 {
    let lines = counts(head);
    let agreeing = |k: usize| lines.iter().filter(|line| line[k] == lines[0][k]).count();
    (0..DELIMITERS.len())
        .filter(|&k| lines.first().is_some_and(|first| first[k] > 0))
        .rev() // `max_by_key` returns the last of equals
        .max_by_key(|&k| agreeing(k))
        .map_or(b',', |k| DELIMITERS[k])
}

/// The count of each separator in each line. Quoted separators and the last line, which may be cut
/// off, do not count.
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

/// Whether the first of these rows names the columns. It does in each of these cases:
/// - It has text and no number, and there is a number below it.
/// - It has text above numbers, and its numbers can be names. They can if they are the numbers of
///   their columns; or if there are at least three and they only rise or only fall; or if each is
///   outside the range of the numbers below it.
/// - Its text does not occur again below, and its numbers can be names for both of the last two
///   reasons.
/// - Everything is text, and no name occurs twice or again below itself.
///
/// A name may be spelled like a missing value if another name is text above numbers.
pub(crate) fn has_header(rows: &[StringRecord]) -> bool {
    let Some((first, below)) = rows.split_first() else { return false };
    let first: Vec<Name<'_>> = first.iter().map(Name::of).collect();
    let columns = || first.iter().enumerate();
    let fields = |j: usize| below.iter().filter_map(move |row| row.get(j)).map(Name::of);
    let number_below = |j: usize| fields(j).any(|field| matches!(field, Name::Number(_)));
    if !first.iter().any(|name| matches!(name, Name::Text(_))) {
        return false;
    }
    let named_number = columns().any(|(j, n)| matches!(n, Name::Text(_)) && number_below(j));
    if first.iter().any(|name| matches!(name, Name::Missing)) && !named_number {
        return false;
    }
    let numbers: Vec<(usize, f64)> = columns()
        .filter_map(|(j, name)| if let Name::Number(v) = name { Some((j, *v)) } else { None })
        .collect();
    if !numbers.is_empty() {
        let counts = |from: usize| numbers.iter().all(|(j, v)| *v == (j + from) as f64);
        let rises = |sign: f64| numbers.windows(2).all(|pair| sign * (pair[1].1 - pair[0].1) > 0.0);
        let ordered = numbers.len() >= 3 && (rises(1.0) || rises(-1.0));
        let strange = below.len() >= 2 && numbers.iter().all(|&(j, v)| outside(v, fields(j)));
        if named_number {
            return counts(0) || counts(1) || ordered || strange;
        }
        let again = |(j, name): (usize, &Name<'_>)| {
            matches!(name, Name::Text(_)) && fields(j).any(|field| field == *name)
        };
        return ordered && strange && !columns().any(again);
    }
    if (0..first.len()).any(number_below) {
        return true;
    }
    let mut seen = HashSet::new();
    columns().all(|(j, name)| match name {
        Name::Text(text) => seen.insert(*text) && !fields(j).any(|field| field == *name),
        _ => false,
    })
}

/// Whether `v` is smaller or larger than all numbers among these fields; false if there are none.
fn outside<'a>(v: f64, fields: impl Iterator<Item = Name<'a>>) -> bool {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for field in fields {
        if let Name::Number(x) = field {
            (least, most) = (least.min(x), most.max(x));
        }
    }
    least <= most && !(least..=most).contains(&v)
}

/// A field that may be the name of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Name<'a> {
    /// An empty field.
    None,
    /// A text that means a missing value in other rows.
    Missing,
    Number(f64),
    Text(&'a str),
}

impl<'a> Name<'a> {
    fn of(text: &'a str) -> Self {
        match Field::parse(text) {
            Field::Missing if text.trim().is_empty() => Self::None,
            Field::Missing => Self::Missing,
            Field::Number(v) => Self::Number(v),
            Field::Text(text) => merged(text).map_or(Self::Text(text), Self::Number),
        }
    }
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
            // Wavelengths, and a label that is a number or text.
            ("400,410,420,label\n0.1,0.2,0.3,1\n", true),
            ("400,410,420,label\n0.1,0.2,0.3,yes\n0.3,0.2,0.1,no\n", true),
            ("4000.5,3998.5,3996.5,y\n0.1,0.2,0.3,1\n", true),
            ("400,410,label\n0.1,0.2,1\n0.3,0.1,0\n", true),
            ("2001,2002,2003,growth\n1500,2500,1990,1\n2700,1800,2700,0\n", true),
            ("5.1,3.5,1.4,setosa\n4.9,3.0,1.4,other\n7,4,6,other\n", false),
            ("5,3,1,a\n0.1,0.2,0.3,b\n0.1,0.3,0.2,a\n", false),
            // Names that mean a missing value in other rows.
            ("a,NULL,label\n1,2,yes\n", true),
            ("NA,x\n1,2\n", true),
            ("red,NA,yes\nblue,5,no\n", false),
            ("a,NULL\nb,c\n", false),
            // A number too large to be exact as a double is not a name.
            ("9007199254740993,4\n5,6\n", false),
        ] {
            let rows: Vec<StringRecord> =
                text.lines().map(|line| line.split(',').collect()).collect();
            assert_eq!(has_header(&rows), expected, "{text:?}");
        }
        assert!(!has_header(&[]));
    }
}
