//! Dates and times of day, in the spellings that tables have.
//!
//! A date is its number of days since 1970-01-01, in the calendar of today. A time of day adds a
//! fraction. What cannot be told from one field (`03/04/2024`) is told from all: the column has one
//! order of day and month.

use std::collections::HashSet;

use chrono::{NaiveDate, NaiveTime, Timelike as _};
use serde::{Deserialize, Serialize};

use super::date::Date;

/// The order of day, month and year, where the month is a number and the year comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DateOrder {
    /// `31.12.2024`.
    DayFirst,
    /// `12/31/2024`.
    MonthFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Clock {
    /// Dates, with or without a time of day.
    Date { order: DateOrder },
    /// Months, as `2024-05`: the first of each.
    Month,
    /// Times of day alone.
    Time,
}

/// The number that a date or a time becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TimePart {
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
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Days => "days",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
        }
    }

    /// What it is, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Days => "days since 1970-01-01, with the time of day as a fraction",
            Self::Weekday => "day of the week, from 1 for Monday to 7 for Sunday",
            Self::Hour => "hour of the day, with a fraction",
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
    pub(crate) fn moment(self, text: &str) -> Option<Moment> {
        let read = Read::of(text)?;
        match self {
            Self::Time => {
                (read.date.is_none()).then_some(Moment { day: None, seconds: read.seconds })
            }
            Self::Month => {
                let date = read.date.filter(|date| date.is_month() && read.seconds.is_none())?;
                Some(Moment { day: date.day(DateOrder::DayFirst), seconds: None })
            }
            Self::Date { order } => {
                let date = read.date.filter(|date| !date.is_month())?;
                Some(Moment { day: Some(date.day(order)?), seconds: read.seconds })
            }
        }
    }

    /// Finds out how the dates of a column are written; and whether the order of day and month is
    /// open, as no day is above 12. `None` if a text is neither a date nor a time.
    pub(crate) fn find<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(Self, bool)> {
        let (mut dates, mut months, mut times, mut numeric) = (false, false, false, false);
        let (mut day_first, mut month_first) = (true, true);
        let (mut firsts, mut seconds) = (HashSet::new(), HashSet::new());
        for text in texts {
            let read = Read::of(text)?;
            match read.date {
                None => times = true,
                Some(date) if date.is_month() => {
                    (date.day(DateOrder::DayFirst).is_some() && read.seconds.is_none())
                        .then_some(())?;
                    months = true;
                }
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
            if dates && (times || months || !day_first && !month_first) || months && times {
                return None;
            }
        }
        match (dates, months, times) {
            (false, false, true) => Some((Self::Time, false)),
            (false, true, false) => Some((Self::Month, false)),
            (true, false, false) => {
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

/// Two dates of a column of which one has the day first and the other the month; `None` unless all
/// are dates.
pub(crate) fn two_orders<'a>(texts: impl Iterator<Item = &'a str>) -> Option<[&'a str; 2]> {
    let (mut day_first, mut month_first) = (None, None);
    for text in texts {
        let date = Read::of(text)?.date?;
        let fits = |order| date.day(order).is_some();
        match (fits(DateOrder::DayFirst), fits(DateOrder::MonthFirst)) {
            (true, false) => day_first = day_first.or(Some(text)),
            (false, true) => month_first = month_first.or(Some(text)),
            (true, true) => {}
            (false, false) => return None,
        }
    }
    Some([day_first?, month_first?])
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
        let all = "2024-12-31|2024/12/31|2024.12.31|31.12.2024|31/12/2024|12/31/2024|\
                31-12-2024|31.12.24|31 Dec 2024|31-Dec-2024|31. December 2024|\
                31st December 2024|Dec 31, 2024|December 31 2024|Tue, 31 Dec 2024|\
                Tuesday, December 31, 2024|2024-12-31T23:59:59.5Z|2024-12-31 23:59|\
                31.12.2024 23:59:00|12/31/2024 11:59 PM|2024-12-31T23:59:59+01:00|\
                2024-12-31, 23:59 UTC|2024-12-31 23:59:59,25-0500|2024-12-31t09:15Z|\
                31/Dec/24|TUE 31-dec-2024 24:00";
        for text in all.split('|') {
            assert_eq!(day(text).as_deref(), Some("2024-12-31"), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        let all = "|wide|2024|2024-13-01|2023-02-29|32.01.2024|13/13/2024|2024-13|2024-5|\
                4211-07|12-2024|2024-12 12:00|2024-12-|31.12.|12.13.2024|1.2.3|\
                2024-12-31T|2024-12-31 noon|25:00|12:60|13:00 pm|Foo 31, 2024|10.0.0.1|\
                2024-12/31|100/100/2024|555-12-1234|A-12-2024|2024-12-31 12:00 and more|\
                2024-12-3112:00|1:5|2024-12-31 12:00+1|MAR 1203|Tue, 2024|Tue|\
                31--12-2024|1.2.345";
        for text in all.split('|') {
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
        let both = ["03/04/2024", "13/04/2024", "04/13/2024"];
        assert_eq!(two_orders(both.into_iter()), Some(["13/04/2024", "04/13/2024"]));
        assert_eq!(two_orders(both[..2].iter().copied()), None);
        assert_eq!(two_orders(both.into_iter().chain(["soon"])), None);
    }

    #[test]
    fn months_are_their_first_days() {
        for text in ["2024-05", "2024/05", "05/2024", "5/2024"] {
            assert_eq!(day(text).as_deref(), Some("2024-05-01"), "{text}");
        }
        let find = |texts: [&'static str; 2]| Clock::find(texts.into_iter());
        assert_eq!(find(["2024-05", "2024-12"]), Some((Clock::Month, false)));
        // A season, and a mixture.
        assert_eq!(find(["2011-12", "2012-13"]), None);
        assert_eq!(find(["2024-05", "2024-05-02"]), None);
        assert_eq!(find(["2024-05", "12:30"]), None);
        assert_eq!(Clock::Month.moment("2024-05-02"), None);
        let order = DateOrder::DayFirst;
        assert_eq!(Clock::Date { order }.moment("2024-05"), None);
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
