//! The fields of a column: numbers, text, or both, and which of them are missing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The largest magnitude of a feature. Together with [`SMALLEST`] and the bounds on weights, it
/// makes every product of a feature and a weight a normal number, and also the rounding error of
/// that product. So the sign of `x̃·w` can be decided exactly (see [`crate::pattern::threshold`]).
pub(crate) const LARGEST: f64 = 1e60;
/// The smallest magnitude of a feature that is not zero.
pub(crate) const SMALLEST: f64 = 1e-60;

/// What a number must be, if `v` is out of range.
pub(crate) fn out_of_range(v: f64) -> Option<&'static str> {
    if !v.is_finite() {
        Some("expected a finite number")
    } else if v.abs() > LARGEST {
        Some("expected a magnitude of at most 1e60")
    } else if v != 0.0 && v.abs() < SMALLEST {
        Some("expected zero or a magnitude of at least 1e-60")
    } else {
        None
    }
}

/// The texts that mean a missing value. `NaN` does too, in upper or lower case.
const MISSING: [&str; 8] = ["", "?", "NA", "N/A", "n/a", "null", "NULL", "<NA>"];

/// One field of a table: what one cell of it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a> {
    /// No value: an empty field, `?`, `NA`, `N/A`, `null` or `NaN`.
    Missing,
    /// A number, finite or infinite, never NaN.
    Number(f64),
    /// Any other text, without the spaces around it.
    Text(&'a str),
}

impl<'a> Field<'a> {
    /// Reads a field. A number that becomes another one as a double stays text: `1e-400` would be
    /// zero, and `2⁵³ + 1` would be `2⁵³`.
    pub fn parse(text: &'a str) -> Self {
        let text = text.trim();
        match text.parse() {
            Ok(v) if becomes(text, v) => Self::Text(text),
            Ok(v) => Self::number(v),
            Err(_) if MISSING.contains(&text) => Self::Missing,
            Err(_) => Self::Text(text),
        }
    }

    /// A number; NaN is a missing value. `-0.0` becomes `0.0`.
    pub fn number(v: f64) -> Self {
        if v.is_nan() { Self::Missing } else { Self::Number(v + 0.0) }
    }

    /// The field as a label. A number is written in its shortest form, so that `1`, `1.0` and the
    /// integer 1 of a Parquet file are one label.
    pub fn label(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Missing => None,
            Self::Number(v) if v == 0.0 || (1e-5..1e16).contains(&v.abs()) => {
                Some(v.to_string().into())
            }
            Self::Number(v) => Some(format!("{v:e}").into()),
            Self::Text(text) => Some(text.into()),
        }
    }
}

/// The double that a number merges with when it is read: zero for `1e-400`, or `2⁵³` for `2⁵³ + 1`.
/// `None` if the text is not a number, or if neither happens: it is not read as zero, nor as a
/// different whole number.
pub(crate) fn merged(text: &str) -> Option<f64> {
    let v = text.parse().ok()?;
    becomes(text, v).then_some(v + 0.0)
}

/// Whether a number is read as zero but is not zero, or as a different whole number.
fn becomes(text: &str, v: f64) -> bool {
    /// From here on some whole numbers are not doubles.
    const GAPS: f64 = (1u64 << 53) as f64;
    if v == 0.0 {
        let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
        return mantissa.contains(|c: char| c.is_ascii_digit() && c != '0');
    }
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches('0');
    v.abs() >= GAPS
        && v.is_finite()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && format!("{:.0}", v.abs()) != digits // all its digits, not the shortest form
}

/// The fields of one column.
#[derive(Debug, Clone)]
pub enum Fields {
    /// Only numbers; NaN is a missing value.
    Numbers(Vec<f64>),
    /// Only text.
    Text(Words),
    /// Numbers and text: each field is at most one of the two.
    Mixed(Vec<f64>, Words),
    /// Fields that cannot be used: the name of their type, and how many there are.
    Unusable(String, usize),
}

impl Default for Fields {
    fn default() -> Self {
        Self::Numbers(Vec::new())
    }
}

impl Fields {
    /// The number of fields.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Text(words) | Self::Mixed(_, words) => words.codes.len(),
            Self::Unusable(_, rows) => *rows,
        }
    }

    /// About how many bytes the fields take.
    pub(crate) fn bytes(&self) -> u64 {
        /// The bytes of a text besides its letters: two references, their counts and an index
        /// entry.
        const TEXT: usize = 72;
        let words = |words: &Words| {
            let texts: usize = words.levels.iter().map(|text| text.len() + TEXT).sum();
            4 * words.codes.len() + texts
        };
        let bytes = match self {
            Self::Numbers(numbers) => 8 * numbers.len(),
            Self::Text(text) => words(text),
            Self::Mixed(numbers, text) => 8 * numbers.len() + words(text),
            Self::Unusable(..) => 0,
        };
        bytes as u64
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Field `i`.
    pub fn get(&self, i: usize) -> Field<'_> {
        let (numbers, words) = match self {
            Self::Numbers(numbers) => (Some(numbers), None),
            Self::Text(words) => (None, Some(words)),
            Self::Mixed(numbers, words) => (Some(numbers), Some(words)),
            Self::Unusable(_, rows) => {
                assert!(i < *rows, "cell {i} of {rows}");
                return Field::Missing;
            }
        };
        match words.and_then(|words| words.get(i)) {
            Some(text) => Field::Text(text),
            None => numbers.map_or(Field::Missing, |numbers| Field::number(numbers[i])),
        }
    }

    pub(crate) fn without_rows(&self) -> Self {
        match self {
            Self::Unusable(kind, _) => Self::Unusable(kind.clone(), 0),
            _ => Self::default(),
        }
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = Field<'_>> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// The rows that have no value, if the column can be used.
    pub(crate) fn missing(&self) -> impl Iterator<Item = usize> {
        let rows = if let Self::Unusable(..) = self { 0 } else { self.len() };
        (0..rows).filter(|&i| self.get(i) == Field::Missing)
    }

    /// The different texts, in the order of their first rows.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let words = match self {
            Self::Text(words) | Self::Mixed(_, words) => Some(words),
            Self::Numbers(_) | Self::Unusable(..) => None,
        };
        words.into_iter().flat_map(|words| words.levels.iter().map(AsRef::as_ref))
    }

    /// The first field whose number merges with another one as a double.
    pub(crate) fn first_merged(&self) -> Option<usize> {
        let (Self::Text(words) | Self::Mixed(_, words)) = self else { return None };
        // Looks at each distinct text once: there are far fewer of them than fields.
        words.levels.iter().find(|text| merged(text).is_some())?;
        (0..words.codes.len()).find(|&i| words.get(i).is_some_and(|text| merged(text).is_some()))
    }

    /// Adds a field. The column becomes [`Fields::Mixed`] when it has to.
    pub fn push(&mut self, field: Field<'_>) {
        let rows = self.len();
        match (&mut *self, field) {
            (Self::Unusable(_, rows), _) => *rows += 1,
            (Self::Numbers(numbers), Field::Text(_)) if numbers.iter().all(|v| v.is_nan()) => {
                *self = Self::Text(Words::missing(rows));
            }
            (Self::Numbers(numbers), Field::Text(_)) => {
                *self = Self::Mixed(std::mem::take(numbers), Words::missing(rows));
            }
            (Self::Text(words), Field::Number(_)) => {
                *self = Self::Mixed(vec![f64::NAN; rows], std::mem::take(words));
            }
            _ => {}
        }
        if let Self::Numbers(numbers) | Self::Mixed(numbers, _) = self {
            numbers.push(if let Field::Number(v) = field { v } else { f64::NAN });
        }
        if let Self::Text(words) | Self::Mixed(_, words) = self {
            words.push(if let Field::Text(text) = field { Some(text) } else { None });
        }
    }
}

/// Two columns are equal when all their fields are equal.
impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unusable(one, n), Self::Unusable(other, m)) => (one, n) == (other, m),
            (Self::Unusable(..), _) | (_, Self::Unusable(..)) => false,
            _ => self.len() == other.len() && self.iter().eq(other.iter()),
        }
    }
}

impl<'a> FromIterator<Field<'a>> for Fields {
    fn from_iter<I: IntoIterator<Item = Field<'a>>>(fields: I) -> Self {
        let mut column = Self::default();
        fields.into_iter().for_each(|field| column.push(field));
        column
    }
}

/// Text fields; each distinct text is stored once.
#[derive(Debug, Clone, Default)]
pub struct Words {
    levels: Vec<Arc<str>>,
    index: HashMap<Arc<str>, u32>,
    codes: Vec<u32>,
}

/// The code of a field that holds no text.
const NO_TEXT: u32 = u32::MAX;

impl Words {
    fn missing(rows: usize) -> Self {
        Self { codes: vec![NO_TEXT; rows], ..Self::default() }
    }

    fn push(&mut self, text: Option<&str>) {
        let code = text.map_or(NO_TEXT, |text| match self.index.get(text) {
            Some(&code) => code,
            None => {
                let code = self.levels.len() as u32; // a table has fewer than 2³² rows
                let text: Arc<str> = text.into();
                self.levels.push(Arc::clone(&text));
                self.index.insert(text, code);
                code
            }
        });
        self.codes.push(code);
    }

    /// The text of field `i`, if it holds text.
    pub fn get(&self, i: usize) -> Option<&str> {
        match self.codes[i] {
            NO_TEXT => None,
            code => Some(&self.levels[code as usize]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_are_numbers_text_or_missing() {
        for text in ["", "  ", "?", "NA", "N/A", "null", "NaN", "nan", "-nan", " NA "] {
            assert_eq!(Field::parse(text), Field::Missing, "{text:?}");
        }
        for (text, value) in [("1", 1.0), (" -2.5e3 ", -2500.0), (".5", 0.5), ("+7", 7.0)] {
            assert_eq!(Field::parse(text), Field::Number(value), "{text:?}");
        }
        assert_eq!(Field::parse("inf"), Field::Number(f64::INFINITY));
        assert_eq!(Field::parse("1e999"), Field::Number(f64::INFINITY));
        assert!(matches!(Field::parse("-0"), Field::Number(v) if v.is_sign_positive()));
        for text in ["wide", "1,5", "0x10", "1_000", "none", "--1"] {
            assert_eq!(Field::parse(text), Field::Text(text));
        }
    }

    #[test]
    fn numbers_that_become_others_stay_text() {
        for (text, becomes) in [
            ("1e-400", 0.0),
            ("-0.000e-1", 0.0),
            ("-2.5E-330", 0.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("-0009007199254740993", -9_007_199_254_740_992.0),
            ("+123456789012345678901", 123_456_789_012_345_680_000.0),
        ] {
            let zero = text == "-0.000e-1";
            assert_eq!(merged(text), (!zero).then_some(becomes), "{text}");
            let expected = if zero { Field::Number(0.0) } else { Field::Text(text) };
            assert_eq!(Field::parse(text), expected);
        }
        let all = "0|-0.0|0e-400|5e-324|9007199254740992|9007199254740994|\
                9007199254740993.5|100000000000000000000|1e300|0.1|1e999|word|NaN";
        for text in all.split('|') {
            assert_eq!(merged(text), None, "{text}");
        }
        let column = |texts: &[&'static str]| -> Fields {
            texts.iter().map(|text| Field::parse(text)).collect()
        };
        assert_eq!(column(&["1", "1e-400"]).first_merged(), Some(1));
        assert_eq!(column(&["a", "", "1e-400"]).first_merged(), Some(2));
        assert_eq!(column(&["a", "1"]).first_merged(), None);
    }

    #[test]
    fn equal_numbers_have_one_label() {
        let label = |text| Field::parse(text).label().unwrap().into_owned();
        assert_eq!((label("1"), label("1.0"), label("1e0")), ("1".into(), "1".into(), "1".into()));
        assert_eq!((label("-0"), label("1e300")), ("0".into(), "1e300".into()));
        assert_eq!(Field::Missing.label(), None);
    }

    #[test]
    fn a_column_becomes_what_its_cells_are() {
        let column = |texts: &[&'static str]| texts.iter().map(|t| Field::parse(t)).collect();
        assert!(matches!(column(&["", "?"]), Fields::Numbers(_)));
        assert!(matches!(column(&["", "1"]), Fields::Numbers(_)));
        assert!(matches!(column(&["", "a"]), Fields::Text(_)));
        assert!(matches!(column(&["a", "1"]), Fields::Mixed(..)));
        assert!(matches!(column(&["1", "a", ""]), Fields::Mixed(..)));
    }

    proptest! {
        #[test]
        fn what_is_pushed_is_what_is_read(texts in prop::collection::vec("[ab1?.]{0,2}", 0..20)) {
            let fields: Fields = texts.iter().map(|t| Field::parse(t)).collect();
            prop_assert_eq!(fields.len(), texts.len());
            for (i, text) in texts.iter().enumerate() {
                prop_assert_eq!(fields.get(i), Field::parse(text));
            }
        }

        #[test]
        fn the_label_of_a_number_reads_as_that_number(v in any::<f64>()) {
            let field = Field::number(v);
            let label = field.label();
            prop_assert_eq!(Field::parse(label.as_deref().unwrap_or("")), field);
        }
    }
}
