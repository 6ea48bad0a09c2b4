//! Dates and times of day, in the spellings that tables have.
//!
//! A date is its number of days since 1970-01-01, in the calendar of today. A time of day adds a
//! fraction. What cannot be told from one field (`03/04/2024`) is told from all: the column has one
//! order of day and month.

use std::collections::HashSet;

use chrono::{Month, NaiveDate, NaiveTime, Timelike as _, Weekday};
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
    Known { year: i32, month: u32, day: u32 },
    /// Two numbers before the year: day and month in some order. With points between them, the
    /// day is first.
    Open { first: u32, second: u32, year: i32, points: bool },
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
        Some(i64::from(NaiveDate::from_ymd_opt(year, month, day)?.to_epoch_days()))
    }
}

/// The date of a number of days since 1970-01-01, as `2024-12-31`.
pub(crate) fn date_text(days: i64) -> String {
    let date = i32::try_from(days).ok().and_then(NaiveDate::from_epoch_days);
    date.map_or_else(|| format!("day {days}"), |date| date.to_string())
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
        let text = text.trim();
        let hours = match text.find(':') {
            Some(colon) => text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len(),
            None => text.len(),
        };
        let (date, time) = text.split_at(hours);
        let seconds = if time.is_empty() { None } else { Some(seconds(time)?) };
        if date.is_empty() {
            return Some(Self { date: None, seconds });
        }
        let between = |c: char| c == ' ' || c == ',' || c.eq_ignore_ascii_case(&'t');
        let date = if time.is_empty() { date } else { date.trim_end_matches(between) };
        (date.len() < hours || time.is_empty()).then_some(())?;
        Some(Self { date: Some(Date::of(date)?), seconds })
    }
}

impl Date {
    /// A date: three numbers, or two numbers and the name of a month; the day of the week may stand
    /// before them.
    fn of(text: &str) -> Option<Self> {
        let is_sign = |c: char| matches!(c, ' ' | ',' | '.' | '/' | '-');
        let (first, rest) = text.split_at(text.find(is_sign)?);
        if first.parse::<Weekday>().is_ok() {
            return Self::of(rest.trim_start_matches(is_sign));
        }
        let words: Vec<&str> = text.split(is_sign).filter(|word| !word.is_empty()).collect();
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
}

/// Digits, at most this many.
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

/// A time of day, in seconds. A time zone may follow: it belongs to the spelling and is not added.
fn seconds(text: &str) -> Option<f64> {
    let text = without_zone(text).replace(',', ".");
    let (_, minutes) = text.split_once(':')?;
    if !minutes.bytes().take(2).all(|byte| byte.is_ascii_digit()) || minutes.len() < 2 {
        return None; // a ratio such as 1:5
    }
    if ["24:00", "24:00:00"].contains(&text.as_str()) {
        return Some(86_400.0);
    }
    let time = ["%H:%M", "%H:%M:%S%.f", "%I:%M %p", "%I:%M:%S%.f %p"]
        .into_iter()
        .find_map(|format| NaiveTime::parse_from_str(&text, format).ok())?;
    Some(f64::from(time.num_seconds_from_midnight()) + f64::from(time.nanosecond()) / 1e9)
}

/// A time without `Z`, `UTC`, `GMT`, `+01:00`, `-0500` or `+01`.
fn without_zone(time: &str) -> &str {
    if let Some(rest) = ["Z", "z", "UTC", "GMT"].into_iter().find_map(|z| time.strip_suffix(z)) {
        return without_zone(rest.trim_end());
    }
    match time.rfind(['+', '-']) {
        Some(at) if [2, 4].contains(&time[at + 1..].replacen(':', "", 1).len()) => {
            let digits = time[at + 1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
            if digits { time[..at].trim_end() } else { time }
        }
        _ => time,
    }
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
            "2024-12-31 23:59:59,25-0500",
            "2024-12-31t09:15Z",
            "31/Dec/24",
            "TUE 31-dec-2024 24:00",
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
            "2024-12-3112:00",
            "1:5",
            "2024-12-31 12:00+1",
            "MAR 1203",
            "Tue, 2024",
            "Tue",
            "31--12-2024",
            "1.2.345",
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
        for (text, hour) in [("24:00", 24.0), ("12:30am", 0.5), ("7:00:18,0 UTC", 7.005)] {
            assert_eq!(clock.moment(text).unwrap().part(TimePart::Hour), hour, "{text}");
        }
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
