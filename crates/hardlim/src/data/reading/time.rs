//! Dates and times of day, in the spellings that tables have.
//!
//! A date is its number of days since 1970-01-01, in the calendar of today. A time of day adds a
//! fraction. What cannot be told from one field (`03/04/2024`) is told from all: the column has one
//! order of day and month.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// The order of day, month and year, where the month is a number and the year comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// `31.12.2024`.
    DayFirst,
    /// `12/31/2024`.
    MonthFirst,
}

/// How the dates of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    /// Dates, with or without a time of day.
    Date {
        /// The order of day and month.
        order: DateOrder,
    },
    /// Times of day alone.
    Time,
}

/// The number that a date or a time becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimePart {
    /// Days since 1970-01-01.
    Days,
    /// The day of the week: 1 is Monday, 7 is Sunday.
    Weekday,
    /// The hour of the day, with a fraction: from 0 to 24.
    Hour,
}

impl TimePart {
    /// All of them, in the order of their features.
    pub(crate) const ALL: [Self; 3] = [Self::Days, Self::Weekday, Self::Hour];

    /// Its name behind the name of a column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Days => "days",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
        }
    }
}

/// A date with a time of day, or one of the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moment {
    /// Days since 1970-01-01, if there is a date.
    pub(crate) day: Option<i64>,
    /// Seconds since midnight, if there is a time of day.
    pub(crate) seconds: Option<f64>,
}

impl Moment {
    /// One of its parts.
    pub(crate) fn part(self, part: TimePart) -> f64 {
        let (day, seconds) = (self.day.unwrap_or(0), self.seconds.unwrap_or(0.0));
        match part {
            TimePart::Days => day as f64 + seconds / 86_400.0,
            TimePart::Weekday => (day + 3).rem_euclid(7) as f64 + 1.0, // 1970-01-01 was a Thursday
            TimePart::Hour => seconds / 3600.0,
        }
    }
}

impl Clock {
    /// The moment that a text means.
    pub(crate) fn moment(self, text: &str) -> Option<Moment> {
        let read = Read::of(text)?;
        match self {
            Self::Time => {
                (read.date.is_none()).then_some(Moment { day: None, seconds: read.seconds })
            }
            Self::Date { order } => {
                let day = Some(read.date?.day(order)?);
                Some(Moment { day, seconds: read.seconds })
            }
        }
    }

    /// Finds out how the dates of a column are written; and whether the order of day and month is
    /// open, as no day is above 12. `None` if a text is neither a date nor a time.
    pub(crate) fn find<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(Self, bool)> {
        let (mut dates, mut times, mut numeric) = (false, false, false);
        let (mut day_first, mut month_first) = (true, true);
        let (mut firsts, mut seconds) = (HashSet::new(), HashSet::new());
        for text in texts {
            let read = Read::of(text)?;
            match read.date {
                None => times = true,
                Some(date) => {
                    dates = true;
                    day_first &= date.day(DateOrder::DayFirst).is_some();
                    month_first &= date.day(DateOrder::MonthFirst).is_some();
                    if let Date::Open { first, second, .. } = date {
                        numeric = true;
                        firsts.insert(first);
                        seconds.insert(second);
                    }
                }
            }
            if dates && (times || !day_first && !month_first) {
                return None;
            }
        }
        match (dates, times) {
            (false, true) => Some((Self::Time, false)),
            (true, false) => {
                // Dates of every month fall on few days: the number that varies less is the day.
                let order = match (day_first, month_first) {
                    (true, true) if seconds.len() < firsts.len() => DateOrder::MonthFirst,
                    (true, _) => DateOrder::DayFirst,
                    (false, _) => DateOrder::MonthFirst,
                };
                Some((Self::Date { order }, numeric && day_first && month_first))
            }
            _ => None,
        }
    }
}

/// A date as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Date {
    /// Day, month and year are known.
    Known { year: i64, month: u32, day: u32 },
    /// Two numbers before the year: day and month in some order. With points between them, the
    /// day is first.
    Open { first: u32, second: u32, year: i64, points: bool },
}

impl Date {
    /// Days since 1970-01-01; `None` if there is no such day.
    fn day(self, order: DateOrder) -> Option<i64> {
        let (year, month, day) = match (self, order) {
            (Self::Known { year, month, day }, _) => (year, month, day),
            (Self::Open { first, second, year, .. }, DateOrder::DayFirst) => (year, second, first),
            (Self::Open { points: true, .. }, DateOrder::MonthFirst) => return None,
            (Self::Open { first, second, year, .. }, DateOrder::MonthFirst) => {
                (year, first, second)
            }
        };
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            _ => return None,
        };
        ((1..=length).contains(&day)).then(|| days_of(year, month, day))
    }
}

/// Days since 1970-01-01, by the eras of 400 years (Hinnant, `days_from_civil`).
fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year =
        (153 * (i64::from(month) + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a number of days since 1970-01-01, as `2024-12-31`.
pub(crate) fn date_text(days: i64) -> String {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * m + 2) / 5 + 1, if m < 10 { m + 3 } else { m - 9 });
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + i64::from(month <= 2))
}

/// What one text says.
struct Read {
    date: Option<Date>,
    seconds: Option<f64>,
}

impl Read {
    fn of(text: &str) -> Option<Self> {
        if text.len() > 48 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut at = Scan(text.trim());
        let start = Scan(at.0);
        if let Some(seconds) = at.time().filter(|_| at.0.is_empty()) {
            return Some(Self { date: None, seconds: Some(seconds) });
        }
        at = start;
        let date = Some(at.date()?);
        if at.0.is_empty() {
            return Some(Self { date, seconds: None });
        }
        let spaced = at.one_of(&[',']) | at.spaces();
        if !(at.one_of(&['T', 't']) || spaced) {
            return None;
        }
        at.spaces();
        let seconds = Some(at.time()?);
        at.0.is_empty().then_some(Self { date, seconds })
    }
}

/// What is left of a text.
struct Scan<'a>(&'a str);

impl<'a> Scan<'a> {
    /// Digits, at most this many.
    fn digits(&mut self, most: usize) -> Option<&'a str> {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = (&self.0[..end], &self.0[end..]);
        if !(1..=most).contains(&end) {
            return None;
        }
        self.0 = rest;
        Some(digits)
    }

    fn letters(&mut self) -> &'a str {
        let end = self.0.find(|c: char| !c.is_alphabetic()).unwrap_or(self.0.len());
        let (letters, rest) = self.0.split_at(end);
        self.0 = rest;
        letters
    }

    fn one_of(&mut self, signs: &[char]) -> bool {
        match self.0.strip_prefix(signs) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn spaces(&mut self) -> bool {
        let rest = self.0.trim_start();
        let some = rest.len() < self.0.len();
        self.0 = rest;
        some
    }

    /// A date: three numbers, or two numbers and the name of a month.
    fn date(&mut self) -> Option<Date> {
        if self.0.starts_with(char::is_alphabetic) {
            let mut word = self.letters();
            if WEEKDAYS.iter().any(|day| begins(word, day)) {
                self.one_of(&['.']);
                self.one_of(&[',']);
                self.spaces();
                if !self.0.starts_with(char::is_alphabetic) {
                    return self.date_of_digits();
                }
                word = self.letters();
            }
            let month = month(word)?;
            self.one_of(&['.']);
            if !(self.spaces() || self.one_of(&['-'])) {
                return None;
            }
            let day = self.digits(2)?.parse().ok()?;
            self.ordinal();
            if !(self.one_of(&[',']) | self.spaces() || self.one_of(&['-'])) {
                return None;
            }
            self.spaces();
            let year = self.year()?;
            return Some(Date::Known { year, month, day });
        }
        self.date_of_digits()
    }

    fn date_of_digits(&mut self) -> Option<Date> {
        let first = self.digits(4)?;
        let mut named = Scan(self.0);
        named.ordinal();
        named.one_of(&['.']);
        let _ = named.spaces() || named.one_of(&['-', '/']);
        if first.len() <= 2 && named.0.starts_with(char::is_alphabetic) {
            let month = month(named.letters())?;
            named.one_of(&['.', ',']);
            if !(named.spaces() || named.one_of(&['-', '/'])) {
                return None;
            }
            let year = named.year()?;
            self.0 = named.0;
            return Some(Date::Known { year, month, day: first.parse().ok()? });
        }
        let sign = self.0.chars().next().filter(|sign| ['-', '/', '.'].contains(sign))?;
        self.one_of(&[sign]);
        let second: u32 = self.digits(2)?.parse().ok()?;
        if !self.one_of(&[sign]) {
            return None;
        }
        if first.len() == 4 {
            let day = self.digits(2)?.parse().ok()?;
            return Some(Date::Known { year: first.parse().ok()?, month: second, day });
        }
        let first = (first.len() <= 2).then(|| first.parse().ok())??;
        let year = self.year()?;
        Some(Date::Open { first, second, year, points: sign == '.' })
    }

    /// Four digits, or two: 70 to 99 are of the last century.
    fn year(&mut self) -> Option<i64> {
        let digits = self.digits(4)?;
        let year: i64 = digits.parse().ok()?;
        match digits.len() {
            4 => Some(year),
            2 => Some(year + if year >= 70 { 1900 } else { 2000 }),
            _ => None,
        }
    }

    /// The letters of `1st`, `2nd`, `3rd` and `4th`.
    fn ordinal(&mut self) {
        let mut ahead = Scan(self.0);
        if ["st", "nd", "rd", "th"].contains(&ahead.letters()) {
            self.0 = ahead.0;
        }
    }

    /// A time of day, in seconds. A time zone may follow: it belongs to the spelling and is not
    /// added.
    fn time(&mut self) -> Option<f64> {
        let mut hours: u32 = self.digits(2)?.parse().ok()?;
        if !self.one_of(&[':']) {
            return None;
        }
        let minutes: u32 = self.digits(2).filter(|digits| digits.len() == 2)?.parse().ok()?;
        let mut seconds = 0.0;
        if self.one_of(&[':']) {
            seconds = self.digits(2)?.parse().ok()?;
            if self.one_of(&['.', ',']) {
                let fraction = self.digits(12)?;
                seconds += format!("0.{fraction}").parse::<f64>().ok()?;
            }
        }
        let mut ahead = Scan(self.0);
        ahead.spaces();
        let half = ahead.letters().to_ascii_lowercase();
        if half == "am" || half == "pm" {
            if !(1..=12).contains(&hours) {
                return None;
            }
            hours = hours % 12 + if half == "pm" { 12 } else { 0 };
            self.0 = ahead.0;
        }
        self.zone()?;
        let whole = hours < 24 || hours == 24 && minutes == 0 && seconds == 0.0;
        (whole && minutes < 60 && seconds < 61.0)
            .then(|| f64::from(hours * 3600 + minutes * 60) + seconds)
    }

    fn zone(&mut self) -> Option<()> {
        let mut ahead = Scan(self.0);
        ahead.spaces();
        if ["Z", "z", "UTC", "GMT"].contains(&ahead.letters()) {
            self.0 = ahead.0;
        } else if self.one_of(&['+', '-']) {
            let digits = self.digits(4)?;
            if digits.len() == 2 && self.one_of(&[':']) {
                self.digits(2)?;
            }
        }
        Some(())
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Whether a word is a name, or its first three letters or more.
fn begins(word: &str, name: &str) -> bool {
    word.len() >= 3 && name.starts_with(&word.to_ascii_lowercase())
}

fn month(word: &str) -> Option<u32> {
    let month = MONTHS.iter().position(|name| {
        begins(word, name) || word.eq_ignore_ascii_case("sept") && *name == "september"
    });
    month.map(|month| month as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<String> {
        let (clock, _) = Clock::find([text].into_iter())?;
        clock.moment(text)?.day.map(date_text)
    }

    #[test]
    fn many_spellings_are_one_day() {
        for text in [
            "2024-12-31",
            "2024/12/31",
            "2024.12.31",
            "31.12.2024",
            "31/12/2024",
            "12/31/2024",
            "31-12-2024",
            "31.12.24",
            "31 Dec 2024",
            "31-Dec-2024",
            "31. December 2024",
            "31st December 2024",
            "Dec 31, 2024",
            "December 31 2024",
            "Tue, 31 Dec 2024",
            "Tuesday, December 31, 2024",
            "2024-12-31T23:59:59.5Z",
            "2024-12-31 23:59",
            "31.12.2024 23:59:00",
            "12/31/2024 11:59 PM",
            "2024-12-31T23:59:59+01:00",
            "2024-12-31, 23:59 UTC",
        ] {
            assert_eq!(day(text).as_deref(), Some("2024-12-31"), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "wide",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "32.01.2024",
            "13/13/2024",
            "2024-12",
            "31.12.",
            "12.13.2024",
            "1.2.3",
            "2024-12-31T",
            "2024-12-31 noon",
            "25:00",
            "12:60",
            "13:00 pm",
            "Foo 31, 2024",
            "10.0.0.1",
            "2024-12/31",
            "100/100/2024",
            "555-12-1234",
            "A-12-2024",
            "2024-12-31 12:00 and more",
        ] {
            assert!(Clock::find([text].into_iter()).is_none(), "{text:?}");
        }
    }

    #[test]
    fn the_column_decides_which_number_is_the_month() {
        let order = |texts: &[&str]| match Clock::find(texts.iter().copied()) {
            Some((Clock::Date { order }, open)) => Some((order, open)),
            _ => None,
        };
        assert_eq!(order(&["03/04/2024", "13/04/2024"]), Some((DateOrder::DayFirst, false)));
        assert_eq!(order(&["03/04/2024", "04/13/2024"]), Some((DateOrder::MonthFirst, false)));
        assert_eq!(order(&["13/04/2024", "04/13/2024"]), None);
        assert_eq!(order(&["01/02/2024", "01/03/2024"]), Some((DateOrder::DayFirst, true)));
        assert_eq!(order(&["02/01/2024", "03/01/2024"]), Some((DateOrder::MonthFirst, true)));
        assert_eq!(order(&["02.01.2024", "03.01.2024"]), Some((DateOrder::DayFirst, false)));
        assert_eq!(order(&["2024-01-02", "2024-01-03"]), Some((DateOrder::DayFirst, false)));
        assert_eq!(order(&["2024-01-02", "12:30"]), None);
    }

    #[test]
    fn parts_are_days_weekdays_and_hours() {
        let (clock, _) = Clock::find(["2024-12-31T18:00"].into_iter()).unwrap();
        let moment = clock.moment("2024-12-31T18:00").unwrap();
        assert_eq!(TimePart::ALL.map(|part| moment.part(part)), [20_088.75, 2.0, 18.0]);
        let (clock, _) = Clock::find(["9:30", "9:30 pm"].into_iter()).unwrap();
        assert_eq!(clock, Clock::Time);
        assert_eq!(clock.moment("9:30 pm").unwrap().part(TimePart::Hour), 21.5);
        assert_eq!(clock.moment("2024-12-31"), None);
    }

    #[test]
    fn days_and_dates_are_inverse() {
        for days in (-800_000..800_000).step_by(37) {
            let text = date_text(days);
            if !text.starts_with('-') && text.len() == 10 {
                let (clock, _) = Clock::find([text.as_str()].into_iter()).unwrap();
                assert_eq!(clock.moment(&text).unwrap().day, Some(days), "{text}");
            }
        }
    }
}
