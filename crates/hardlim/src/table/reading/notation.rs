//! Numbers as people write them: decimal commas, thousands separators, per cent, currencies, units,
//! and negative amounts in parentheses.

use serde::{Deserialize, Serialize};

use super::bare::Bare;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Point {
    /// `1.5`.
    Dot,
    /// `1,5`.
    Comma,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notation {
    pub(crate) point: Point,
    /// What separates groups of three digits: `.`, `,`, a space or `'`.
    pub(crate) thousands: Option<char>,
    /// Whether every number has a per cent sign.
    pub(crate) percent: bool,
    pub(crate) currency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<String>,
}

/// A column of numbers, and what is not certain about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub(crate) notation: Notation,
    /// Whether the same column could be read with the comma, or the point, in its other meaning.
    pub(crate) ambiguous: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Clash {
    Currencies(String, String),
    /// Per cent signs in some cells only, as in this one.
    Percent(String),
}

/// What a table shows about its commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commas {
    /// Nothing: commas that could be either stand between thousands.
    Unknown,
    /// They may be decimal, as semicolons stand between cells.
    Likely,
    /// Some are decimal.
    Decimal,
}

/// The ways to write a number, the simplest first.
const WAYS: [(Point, Option<char>); 8] = [
    (Point::Dot, None),
    (Point::Comma, None),
    (Point::Dot, Some(',')),
    (Point::Comma, Some('.')),
    (Point::Dot, Some(' ')),
    (Point::Comma, Some(' ')),
    (Point::Dot, Some('\'')),
    (Point::Comma, Some('\'')),
];

/// The number that these digits and separators mean.
fn value(digits: &str, point: Point, thousands: Option<char>) -> Option<f64> {
    let (whole, decimals) = match digits.split_once(if point == Point::Comma { ',' } else { '.' }) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (digits, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.is_some_and(|decimals| decimals.is_empty() || !all_digits(decimals)) {
        return None;
    }
    let separates = |c: char| match thousands {
        Some(' ') => matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'),
        Some('\'') => matches!(c, '\'' | '’'),
        sign => Some(c) == sign,
    };
    let groups: Vec<&str> = whole.split(separates).collect();
    let (first, others) = groups.split_first()?;
    let grouped = !others.is_empty();
    if !groups.iter().all(|group| all_digits(group))
        || (first.is_empty() && (grouped || decimals.is_none()))
        || (grouped && (first.len() > 3 || first.starts_with('0')))
        || others.iter().any(|group| group.len() != 3)
    {
        return None;
    }
    let plain = format!("{}.{}", groups.concat(), decimals.unwrap_or("0"));
    plain.parse().ok()
}

/// Whether a plain number may also be whole, with a point between its thousands: `1.234`.
pub(crate) fn may_be_grouped(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+']).as_bytes();
    let point = digits.len().wrapping_sub(4);
    (1..=3).contains(&point)
        && digits[0] != b'0'
        && digits
            .iter()
            .enumerate()
            .all(|(k, byte)| if k == point { *byte == b'.' } else { byte.is_ascii_digit() })
}

impl Notation {
    pub(crate) fn number(&self, text: &str) -> Option<f64> {
        let bare = Bare::of(text)?;
        if bare.percent != self.percent
            || bare.unit != self.unit.as_deref()
            || bare.currency.is_some_and(|sign| Some(sign) != self.currency.as_deref())
        {
            return None;
        }
        let value = value(bare.digits, self.point, self.thousands)?;
        Some(if bare.negative { -value } else { value } + 0.0)
    }

    /// What is special about the numbers, in words.
    pub(crate) fn words(&self) -> String {
        let mut words = Vec::new();
        if self.point == Point::Comma {
            words.push("decimal commas".to_owned());
        }
        let signs = self.thousands.map(|sign| match sign {
            ' ' => "spaces",
            ',' => "commas",
            '.' => "points",
            _ => "apostrophes",
        });
        words.extend(signs.map(|signs| format!("{signs} between thousands")));
        words.extend(self.percent.then(|| "per cent signs".into()));
        words.extend(self.currency.as_ref().map(|currency| format!("the currency {currency}")));
        words.extend(self.unit.as_ref().map(|unit| format!("the unit {unit}")));
        words.join(", ")
    }

    /// Numbers, and what is special about them.
    pub(crate) fn described(&self) -> String {
        let words = self.words();
        if words.is_empty() { "numbers".into() } else { format!("numbers with {words}") }
    }

    /// Finds out how numbers are written. `texts` are the fields that are no plain numbers; plain
    /// ones may have `decimals`, and some of those may be `grouped` as in `1.234`. `None` if a
    /// text is not a number, if units differ, or no notation fits all.
    pub(crate) fn find<'a>(
        texts: impl Iterator<Item = &'a str>,
        plain: Plain,
        commas: Commas,
    ) -> Option<Result<Written, Clash>> {
        let mut ways = (0..WAYS.len()).collect::<Vec<_>>();
        let (mut unit, mut currency, mut clash) = (None, None::<&'static str>, None);
        // A cell with a per cent sign, and whether there is one without.
        let (mut percent, mut without) = (None::<&str>, plain.any);
        for text in texts {
            let bare = Bare::of(text)?;
            ways.retain(|&w| value(bare.digits, WAYS[w].0, WAYS[w].1).is_some());
            if ways.is_empty() || *unit.get_or_insert(bare.unit) != bare.unit {
                return None;
            }
            if bare.percent {
                percent = percent.or(Some(text))
            } else {
                without = true
            }
            match (currency, bare.currency) {
                (Some(one), Some(other)) if one != other => {
                    clash = clash.or(Some(Clash::Currencies(one.into(), other.into())));
                }
                (None, Some(_)) => currency = bare.currency,
                _ => {}
            }
        }
        let unit = unit?;
        if unit.is_some() && plain.any {
            return None; // a number without the unit could mean anything
        }
        if let Some(text) = percent.filter(|_| without) {
            clash = clash.or(Some(Clash::Percent(text.into())));
        }
        if plain.decimals {
            ways.retain(|&w| WAYS[w].0 == Point::Dot);
        } else if plain.grouped {
            ways.retain(|&w| WAYS[w].0 == Point::Dot || WAYS[w].1 == Some('.'));
        }
        let fits = |point, thousands| ways.iter().any(|&w| WAYS[w] == (point, thousands));
        let comma_is_open = fits(Point::Comma, None) && fits(Point::Dot, Some(','));
        let point_is_open = fits(Point::Dot, None) && fits(Point::Comma, Some('.'));
        let chosen = match (comma_is_open, point_is_open) {
            // Without any separator all ways agree.
            (true, true) => *ways.first()?,
            (true, false) if commas == Commas::Unknown => 2,
            (false, true) if commas == Commas::Decimal => 3,
            _ => *ways.first()?,
        };
        if let Some(clash) = clash {
            return Some(Err(clash));
        }
        let (point, thousands) = WAYS[chosen];
        let (currency, unit) = (currency.map(str::to_owned), unit.map(str::to_owned));
        let notation = Self { point, thousands, percent: percent.is_some(), currency, unit };
        Some(Ok(Written { notation, ambiguous: comma_is_open != point_is_open }))
    }

    /// Points between thousands, in a table whose decimals follow commas.
    pub(crate) fn with_points() -> Self {
        let (point, thousands) = (Point::Comma, Some('.'));
        Self { point, thousands, percent: false, currency: None, unit: None }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Plain {
    pub(crate) any: bool,
    /// Some have decimals, and their points cannot separate thousands.
    pub(crate) decimals: bool,
    pub(crate) grouped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], plain: Plain) -> Option<Written> {
        Notation::find(texts.iter().copied(), plain, Commas::Unknown).map(|found| found.unwrap())
    }

    fn values(texts: &[&str]) -> Vec<f64> {
        let found = found(texts, Plain::default()).unwrap();
        texts.iter().map(|text| found.notation.number(text).unwrap()).collect()
    }

    #[test]
    fn the_whole_column_decides() {
        assert_eq!(values(&["1200,50", "7,5"]), [1200.5, 7.5]);
        assert_eq!(values(&["1,234.5", "1,234"]), [1234.5, 1234.0]);
        assert_eq!(values(&["1.234,5", "1.234.567"]), [1234.5, 1_234_567.0]);
        assert_eq!(values(&["1 234", "12\u{a0}345,5"]), [1234.0, 12345.5]);
        assert_eq!(values(&["1'234.5", "7"]), [1234.5, 7.0]);
        assert_eq!(values(&["1,234", "0,500"]), [1.234, 0.5]);
        assert_eq!(values(&["5%", "-2.5 %"]), [5.0, -2.5]);
        assert_eq!(values(&["$1,200.50", "-$3", "$ 4"]), [1200.5, -3.0, 4.0]);
        assert_eq!(values(&["1.200,50 €", "3,5€"]), [1200.5, 3.5]);
        assert_eq!(values(&["+7,5", "−7,5", ",5"]), [7.5, -7.5, 0.5]);
        assert_eq!(values(&["1,022.84 km", "7 km"]), [1022.84, 7.0]);
        assert_eq!(values(&["32k", "-5k"]), [32.0, -5.0]);
        assert_eq!(values(&["21,5°C", "7 °C"]), [21.5, 7.0]);
        assert_eq!(values(&["($12.00)", "$7.50", "(3) "]), [-12.0, 7.5, -3.0]);
    }

    #[test]
    fn what_is_open_is_said_and_settled_by_the_other_columns() {
        let texts = ["1,234", "5,678"];
        let settled = |commas| Notation::find(texts.into_iter(), Plain::default(), commas);
        let found = settled(Commas::Unknown).unwrap().unwrap();
        assert!(found.ambiguous && found.notation.number("1,234") == Some(1234.0));
        for commas in [Commas::Likely, Commas::Decimal] {
            let found = settled(commas).unwrap().unwrap();
            assert!(found.ambiguous && found.notation.number("1,234") == Some(1.234));
        }
        let points = |commas| {
            let found = Notation::find(["$1.234"].into_iter(), Plain::default(), commas);
            found.unwrap().unwrap().notation.number("1.234")
        };
        assert_eq!(points(Commas::Likely), Some(1.234));
        assert_eq!(points(Commas::Decimal), Some(1234.0));
        assert!(!self::found(&["1,234", "1,5"], Plain::default()).unwrap().ambiguous);
        assert!(!self::found(&["5%", "6%"], Plain::default()).unwrap().ambiguous);
    }

    #[test]
    fn plain_numbers_take_part() {
        let plain = |decimals, grouped| Plain { any: true, decimals, grouped };
        let thousands = found(&["1.234.567"], plain(false, true)).unwrap().notation;
        assert_eq!(thousands.number("1.234"), Some(1234.0));
        assert!(found(&["1.234.567"], plain(true, false)).is_none());
        assert!(found(&["1,5"], plain(true, false)).is_none());
        assert!(found(&["1,5"], plain(false, false)).is_some());
        let percent = Notation::find(["5%"].into_iter(), plain(false, false), Commas::Unknown);
        assert_eq!(percent, Some(Err(Clash::Percent("5%".into()))));
        assert!(found(&["5 km"], plain(false, false)).is_none());
        assert!(found(&["$5"], plain(true, false)).is_some());
    }

    #[test]
    fn what_is_no_number_stays_text() {
        let all = "|wide|1,2,3|12.34.56|0171 123 456|1 23|1.2.3|--1|5%%|$5%|1e5,|€|A1|1-2|\
                01.02.2024|12:30|1,|kr|$€5|1,23,456|(5|-(5)|5 km km|$5 km|5% km|5 /|\
                5 kilometres an hour|12A4";
        for text in all.split('|') {
            assert_eq!(found(&[text], Plain::default()), None, "{text:?}");
        }
        let clash = |texts: [&'static str; 2]| {
            Notation::find(texts.into_iter(), Plain::default(), Commas::Unknown)
                .unwrap()
                .unwrap_err()
        };
        assert_eq!(clash(["$5", "€6"]), Clash::Currencies("$".into(), "€".into()));
        assert_eq!(clash(["0,46", "8%"]), Clash::Percent("8%".into()));
    }

    #[test]
    fn a_unit_belongs_to_every_number() {
        assert_eq!(found(&["5 km", "7 m"], Plain::default()), None);
        assert_eq!(found(&["5 km", "7,5"], Plain::default()), None);
        let notation = found(&["5 km", "7 km"], Plain::default()).unwrap().notation;
        assert_eq!(
            (notation.number("8.5km"), notation.number("8"), notation.number("8 m")),
            (Some(8.5), None, None)
        );
        assert_eq!(notation.words(), "the unit km");
    }

    #[test]
    fn numbers_between_points_may_be_thousands() {
        for (text, expected) in [
            ("1.234", true),
            ("-12.500", true),
            ("0.125", false),
            ("1.23", false),
            ("1234.567", false),
            ("12", false),
        ] {
            assert_eq!(may_be_grouped(text), expected, "{text}");
        }
    }
}
