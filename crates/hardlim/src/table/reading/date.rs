//! One date, as it is written.

use chrono::{Month, NaiveDate, Weekday};

use super::DateOrder;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Date {
    Known {
        year: i32,
        month: u32,
        day: u32,
    },
    /// Two numbers before the year: day and month in some order. With points between them, the
    /// day is first.
    Open {
        first: u32,
        second: u32,
        year: i32,
        points: bool,
    },
    Month {
        year: i32,
        month: u32,
    },
}

impl Date {
    pub(super) fn is_month(&self) -> bool {
        matches!(self, Self::Month { .. })
    }

    /// Days since 1970-01-01, those of a month at its first; `None` if there is no such day.
    pub(super) fn day(self, order: DateOrder) -> Option<i64> {
        let (year, month, day) = match (self, order) {
            (Self::Month { year, month }, _) => (year, month, 1),
            (Self::Known { year, month, day }, _) => (year, month, day),
            (Self::Open { first, second, year, .. }, DateOrder::DayFirst) => (year, second, first),
            (Self::Open { points: true, .. }, DateOrder::MonthFirst) => return None,
            (Self::Open { first, second, year, .. }, DateOrder::MonthFirst) => {
                (year, first, second)
            }
        };
        Some(i64::from(NaiveDate::from_ymd_opt(year, month, day)?.to_epoch_days()))
    }

    /// A date: three numbers, or two numbers and the name of a month; the day of the week may stand
    /// before them.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is_sign = |c: char| matches!(c, ' ' | ',' | '.' | '/' | '-');
        let (first, rest) = text.split_at(text.find(is_sign)?);
        if first.parse::<Weekday>().is_ok() {
            return Self::of(rest.trim_start_matches(is_sign));
        }
        let words: Vec<&str> = text.split(is_sign).filter(|word| !word.is_empty()).collect();
        if let [first, second] = words[..] {
            return Self::of_month(text, first, second);
        }
        let [first, second, third] = words[..] else { return None };
        let named = month(first).map(|month| (month, second));
        if let Some((month, day)) = named.or_else(|| Some((month(second)?, first))) {
            let ordinal =
                ["st", "nd", "rd", "th"].into_iter().find_map(|end| day.strip_suffix(end));
            let (year, day) = (year(third)?, number(ordinal.unwrap_or(day), 2)?);
            return Some(Self::Known { year, month, day });
        }
        let mut signs = text.matches(is_sign);
        let (sign, other, more) = (signs.next()?, signs.next()?, signs.next());
        if sign != other || more.is_some() || !["-", "/", "."].contains(&sign) {
            return None;
        }
        if first.len() == 4 {
            let (month, day) = (number(second, 2)?, number(third, 2)?);
            return Some(Self::Known { year: year(first)?, month, day });
        }
        let (first, second, year) = (number(first, 2)?, number(second, 2)?, year(third)?);
        Some(Self::Open { first, second, year, points: sign == "." })
    }

    /// A month: `2024-05`, `2024/05` or `05/2024`.
    fn of_month(text: &str, first: &str, second: &str) -> Option<Self> {
        let (one, other, two_digits) = match first.len() {
            4 => (first, second, second.len() == 2),
            _ => (second, first, text.contains('/')),
        };
        let plain = text.len() == first.len() + 1 + second.len() && text.contains(['-', '/']);
        let (year, month) = (year(one).filter(|_| one.len() == 4)?, number(other, 2)?);
        // Other numbers in these places are rather parts of a code.
        let usual = (1800..2200).contains(&year) && (1..=12).contains(&month);
        (plain && two_digits && usual).then_some(Self::Month { year, month })
    }
}

fn number(text: &str, most: usize) -> Option<u32> {
    let digits = text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// Four digits, or two: 70 to 99 are of the last century.
fn year(text: &str) -> Option<i32> {
    let year = i32::try_from(number(text, 4)?).ok()?;
    match text.len() {
        4 => Some(year),
        2 => Some(year + if year >= 70 { 1900 } else { 2000 }),
        _ => None,
    }
}

/// The name of a month, or its first three letters.
fn month(word: &str) -> Option<u32> {
    let word = if word.eq_ignore_ascii_case("sept") { "sep" } else { word };
    word.parse::<Month>().ok().map(|month| month.number_from_month())
}
