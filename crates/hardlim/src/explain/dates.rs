//! Rules about parts of dates and times, in the words of a calendar.

use super::rule::Rule;
use super::text::{name, relation};
use crate::table::Coding;
use crate::table::coding::{ColumnCoding, Reading};
use crate::table::reading::TimePart;
use crate::table::reading::time::date_text;

/// The days of a week, as they are numbered from 1 on.
const WEEK: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The same rule; a bound on a part of a date or a time is also told in words.
pub(super) fn told(rule: Rule, coding: &Coding) -> Rule {
    let Rule::Threshold { column, at_least, value, .. } = rule else { return rule };
    let part = |c: &ColumnCoding| match &c.reading {
        Reading::Time { part, .. } if c.names()[0] == column => {
            Some((*part, c.column.name.clone()))
        }
        _ => None,
    };
    let words = coding.columns().iter().find_map(part).map(|(part, whole)| match part {
        TimePart::Days => {
            let hour = |c: &ColumnCoding| {
                let hours = matches!(&c.reading, Reading::Time { part: TimePart::Hour, .. });
                hours && c.column.name == whole
            };
            let bound = if coding.columns().iter().any(hour) {
                moment(value, at_least)
            } else {
                date_text(if at_least { value.ceil() } else { value.floor() } as i64)
            };
            format!("{} {} {bound}", name(&whole), relation(at_least))
        }
        TimePart::Weekday => weekdays(&name(&column), at_least, value),
        TimePart::Hour => {
            let bound = time_of_day(seconds(value * 3600.0, at_least));
            format!("{} {} {bound}", name(&column), relation(at_least))
        }
    });
    Rule::Threshold { column, at_least, value, words }
}

/// Whole seconds on the side of a bound where the rule holds. What is a thousandth from a whole
/// second is that second.
fn seconds(value: f64, at_least: bool) -> i64 {
    let near = value.round();
    if (value - near).abs() < 1e-3 {
        return near as i64;
    }
    if at_least { value.ceil() as i64 } else { value.floor() as i64 }
}

/// A number of days since 1970-01-01, with its time of day unless it is midnight.
fn moment(days: f64, at_least: bool) -> String {
    let total = seconds(days * 86_400.0, at_least);
    let (day, rest) = (total.div_euclid(86_400), total.rem_euclid(86_400));
    let date = date_text(day);
    if rest == 0 && at_least { date } else { format!("{date} {}", time_of_day(rest)) }
}

/// Seconds since midnight as `9:30` or `9:30:15`.
fn time_of_day(seconds: i64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if rest == 0 {
        format!("{hours}:{minutes:02}")
    } else {
        format!("{hours}:{minutes:02}:{rest:02}")
    }
}

/// The days of the week on one side of a bound, or all but those of the other side if they are
/// fewer.
fn weekdays(column: &str, at_least: bool, value: f64) -> String {
    let holds = |day: usize| if at_least { day as f64 >= value } else { day as f64 <= value };
    let side = |wanted: bool| -> Vec<&str> {
        (1..=7).filter(|&day| holds(day) == wanted).map(|day| WEEK[day - 1]).collect()
    };
    let (inside, outside) = (side(true), side(false));
    match (inside.len(), outside.len()) {
        (0, _) => "never".into(),
        (_, 0) => "always".into(),
        (1, _) => format!("{column} = {}", inside[0]),
        (_, 1) => format!("{column} ≠ {}", outside[0]),
        (2 | 3, _) => format!("{column} in {{{}}}", inside.join(", ")),
        _ => format!("{column} not in {{{}}}", outside.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::rule::threshold;
    use crate::table::{CodingOptions, ReadOptions, Table};

    /// The words of `feature ≥ value` and `feature ≤ value` in a table of dates.
    fn words(dates: [&str; 4], feature: &str, value: f64) -> [String; 2] {
        let rows = |i: usize| format!("{},{},{}\n", dates[i % 4], i * i % 7, i % 2);
        let text = "when,a,y\n".to_owned() + &(0..40).map(rows).collect::<String>();
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
        let names = coding.feature_names();
        assert!(names.iter().any(|name| name == feature), "{names:?}");
        [1.0, -1.0].map(|w| told(threshold(feature, w, -w * value), &coding).to_string())
    }

    #[test]
    fn bounds_are_dates_times_and_days_of_the_week() {
        let days = ["2022-02-27", "2022-02-28", "2022-03-01", "2022-03-05"];
        let hours =
            ["2022-02-27 09:00", "2022-02-28 12:30", "2022-03-01 18:00", "2022-03-02 07:15"];
        let early = "{Monday, Tuesday, Wednesday}";
        for (dates, feature, value, least, most) in [
            (days, "when.days", 19_051.5, "when ≥ 2022-03-01", "when ≤ 2022-02-28"),
            (hours, "when.days", 19_051.5, "when ≥ 2022-02-28 12:00", "when ≤ 2022-02-28 12:00"),
            (hours, "when.hour", 9.755, "when.hour ≥ 9:45:18", "when.hour ≤ 9:45:18"),
            (hours, "when.hour", 9.5, "when.hour ≥ 9:30", "when.hour ≤ 9:30"),
            (days, "when.weekday", 6.5, "when.weekday = Sunday", "when.weekday ≠ Sunday"),
            (days, "when.weekday", 0.5, "always", "never"),
            (days, "a", 2.5, "a ≥ 2.5", "a ≤ 2.5"),
        ] {
            assert_eq!(words(dates, feature, value), [least, most]);
        }
        let [least, most] = words(days, "when.weekday", 5.5);
        assert_eq!(least, "when.weekday in {Saturday, Sunday}");
        assert_eq!(most, "when.weekday not in {Saturday, Sunday}");
        let [least, most] = words(days, "when.weekday", 3.5);
        assert_eq!(least, format!("when.weekday not in {early}"));
        assert_eq!(most, format!("when.weekday in {early}"));
    }
}
