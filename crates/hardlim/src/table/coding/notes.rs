//! What was decided about the columns, one sentence for each decision.
//!
//! Options are marked as in errors, so that the command line and Python spell them in their own
//! way.

use super::judge::Reason;
use super::levels::Places;
use super::remark::Remark;
use super::{Coding, ColumnCoding, Kind, Missing, Reading, Steps};
use crate::spelling::mark;
use crate::table::names::clip;
use crate::table::reading::{Clock, DateOrder, Notation, TimePart};

/// From here on, columns with the same decision share a sentence.
const MANY: usize = 6;
/// How many of them it names.
const NAMED: usize = 3;

impl Coding {
    /// What was decided about the columns of the training table: what is left out, how fields are
    /// read, and what happens with missing values. There is one sentence for each decision.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.left_out_notes();
        notes.extend(self.0.remarks.iter().filter_map(Remark::note));
        notes.extend(self.shared("are read as numbers as people write them", |coding| {
            matches!(coding.reading, Reading::Written { .. })
        }));
        notes.extend(self.shared("are read as dates or times", |coding| {
            matches!(coding.reading, Reading::Time { .. })
        }));
        notes.extend(self.shared("have labels that differ by case only: they are one", |coding| {
            coding.folded.is_some() && coding.reading.is_first()
        }));
        let words = "have more labels than the most frequent ones: the rest is \"other\"";
        notes.extend(self.shared(words, |coding| matches!(coding.reading, Reading::Other { .. })));
        let words = match self.missing() {
            Missing::Apart => {
                "have missing values: they count as a number below all others, and a feature tells \
                 where (`missing=error` refuses them)"
            }
            _ => {
                "have missing values: they get the mean, and a feature tells where \
                 (`missing=error` refuses them)"
            }
        };
        notes
            .extend(self.shared(words, |coding| matches!(coding.reading, Reading::Missing { .. })));
        notes.extend(self.steps_note());
        notes.extend(self.target_notes());
        notes
    }

    /// A sentence for each of these columns; one for all if there are many.
    fn shared(&self, words: &str, is_one: impl Fn(&ColumnCoding) -> bool) -> Vec<String> {
        let mut codings: Vec<&ColumnCoding> = self.columns().iter().filter(|c| is_one(c)).collect();
        codings.dedup_by_key(|coding| coding.column.position); // a date has several codings
        if codings.len() < MANY {
            return codings.into_iter().map(|coding| self.note(coding)).collect();
        }
        let names = listed(codings.iter().map(|coding| coding.column.name.as_str()));
        vec![format!("{} columns ({names}) {words}", codings.len())]
    }

    fn note(&self, coding: &ColumnCoding) -> String {
        let column = format!("column {:?}", clip(&coding.column.name));
        let of_column = self.columns().iter().filter(|other| other.column == coding.column);
        match (&coding.reading, &coding.kind) {
            (Reading::Written { notation, example, open }, _) => {
                format!("{column} {}", written_words(notation, example, *open))
            }
            (Reading::Time { clock, open, .. }, _) => {
                let parts = of_column.filter_map(|coding| match coding.reading {
                    Reading::Time { part: TimePart::Days, .. } => Some("days since 1970-01-01"),
                    Reading::Time { part: TimePart::Weekday, .. } => Some("day of the week"),
                    Reading::Time { part: TimePart::Hour, .. } => Some("hour of the day"),
                    _ => None,
                });
                let (what, first) = match clock {
                    Clock::Time => ("times", ""),
                    Clock::Month => ("months", ""),
                    Clock::Date { order: DateOrder::DayFirst } => ("dates", "day"),
                    Clock::Date { order: DateOrder::MonthFirst } => ("dates", "month"),
                };
                let parts = parts.collect::<Vec<_>>().join(", ");
                let order =
                    format!("; the {first} is taken to come first, as no number is above 12");
                let order = if *open { order.as_str() } else { "" };
                format!("{column} is read as {what}: {parts}{order}")
            }
            (Reading::Missing { rows }, _) => {
                let one = *rows == 1;
                let (they, them) = if one { ("it", "it") } else { ("they", "them") };
                let mut others = of_column.filter(|other| other.reading.is_first());
                let apart = self.missing() == Missing::Apart;
                let how = match others.next().map(|first| (&first.kind, &first.reading)) {
                    Some((
                        Kind::Number { fill: Some(fill) },
                        Reading::Plain | Reading::Written { .. },
                    )) if apart => {
                        let (count, fill) = (if one { "counts" } else { "count" }, rounded(*fill));
                        format!(
                            "{they} {count} as {fill}, below all others, and a feature tells where"
                        )
                    }
                    Some((
                        Kind::Number { fill: Some(mean) },
                        Reading::Plain | Reading::Written { .. },
                    )) => {
                        let (get, mean) = (if one { "gets" } else { "get" }, rounded(*mean));
                        format!("{they} {get} the mean {mean}, and a feature tells where")
                    }
                    Some((Kind::Category { .. }, _)) => {
                        let (are, their) = if one { ("is", "its") } else { ("are", "their") };
                        format!("{they} {are} a level of {their} own")
                    }
                    _ if apart => {
                        format!(
                            "{they} count as earlier than all others, and a feature tells where"
                        )
                    }
                    _ => format!("{they} get the mean, and a feature tells where"),
                };
                let values = counted(*rows, "missing value");
                format!("{column} has {values}: {how} (`missing=error` refuses {them})")
            }
            (Reading::Other { levels, labels, rows }, _) => {
                let (other, rows) = (coding.other_name(), counted(*rows, "row"));
                let frequent = levels.len();
                format!(
                    "{column} has {labels} labels: all but the {frequent} most frequent are \
                     {other:?} \
                     ({rows})"
                )
            }
            (Reading::Plain, Kind::Category { levels, .. }) => {
                let other = coding.folded.as_deref().unwrap_or_default();
                format!("{column}: {}", folded_words(other, levels, &coding.column.name))
            }
            (Reading::Plain, Kind::Number { .. }) => format!("{column} is read as numbers"),
        }
    }

    fn left_out_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let same = |a: &Reason, b: &Reason| std::mem::discriminant(a) == std::mem::discriminant(b);
        for (k, out) in self.left_out().iter().enumerate() {
            let alike = || self.left_out().iter().filter(|other| same(&other.reason, &out.reason));
            let (name, count) = (&out.column.name, alike().count());
            let empty = out.reason == Reason::Empty;
            if count < MANY {
                let keep = format!(" ({} brings it back)", marked("keep", name));
                let keep = if empty { "" } else { &keep };
                let why = out.reason.words();
                notes.push(format!("column {:?} is left out: {why}{keep}", clip(name)));
            } else if !self.left_out()[..k].iter().any(|other| same(&other.reason, &out.reason)) {
                let names = listed(alike().map(|other| other.column.name.as_str()));
                let why = match out.reason {
                    Reason::Empty => "they have no values",
                    Reason::Constant(_) => "they always have the same value",
                    Reason::Copy(_) => "they are copies of other columns",
                    Reason::Target => "they are copies of the target",
                    Reason::Identifier { .. } => "they look like identifiers",
                    Reason::NoHelp => "networks without them predict rows held out as well",
                };
                let keep = if empty { "" } else { "; `keep` brings columns back" };
                notes.push(format!("{count} columns are left out: {why} ({names}){keep}"));
            }
        }
        notes
    }

    /// Which numbers are rounded, the first of them by name.
    fn steps_note(&self) -> Option<String> {
        let bits = self.bits()?;
        let rounded: Vec<(&ColumnCoding, Steps)> =
            self.columns().iter().filter_map(|coding| Some((coding, coding.steps?))).collect();
        let most = rounded.iter().map(|(_, steps)| steps.bits).max()?;
        let named = rounded.iter().take(NAMED).map(|(coding, steps)| {
            let (low, high) = steps.range();
            let name = coding.names().remove(0);
            format!("{:?} in steps of {} from {low} to {high}", clip(&name), steps.step())
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if rounded.len() > NAMED { ", …" } else { "" };
        let (numbers, width) = (counted(rounded.len(), "number"), counted(most as usize, "bit"));
        Some(format!(
            "`bits={bits}`: {numbers} of at most {width}, rounded before training: {named}{more}"
        ))
    }

    fn target_notes(&self) -> Vec<String> {
        let name = clip(&self.target().column().name);
        let mut notes = Vec::new();
        for remark in &self.0.remarks {
            if let (Remark::Target { example, open }, Some(notation)) =
                (remark, &self.0.target_notation)
            {
                notes.push(format!("target {name:?} {}", written_words(notation, example, *open)));
            }
        }
        if let (Some(other), Some(classes)) = (&self.0.target_folded, self.target().classes()) {
            notes.push(format!("target {name:?}: {}", folded_words(other, classes, &name)));
        }
        if let Some(values) = self.few_values() {
            notes.push(format!(
                "target {name:?} has only {values} different whole numbers and is taken as a \
                 number; are they classes? `task=classify` takes them so"
            ));
        }
        notes
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.take(NAMED).map(|name| format!("{:?}", clip(name))).collect();
    format!("{}, …", names.join(", "))
}

/// The mark of an option for a column, with its name if that needs no quotes behind a flag.
fn marked(option: &str, name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let plain = !name.is_empty() && name.chars().all(plain);
    mark(option, plain.then_some(name))
}

fn written_words(notation: &Notation, example: &str, open: bool) -> String {
    let value = notation.number(example).map_or(String::new(), |value| value.to_string());
    let open = if open { ", as no other number of the table shows otherwise" } else { "" };
    format!("is read as {}: {example:?} is {value}{open}", notation.described())
}

/// How labels that differ by case only are read, by an example.
fn folded_words(other: &str, levels: &[String], name: &str) -> String {
    let level = Places::new(levels, true).get(other).map_or("other", |k| &levels[k]);
    let apart = marked("categorical", name);
    format!(
        "labels that differ by case only are one: {:?} is read as {:?} ({apart} keeps them apart)",
        clip(other),
        clip(level)
    )
}

pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A number to about four digits.
pub(super) fn rounded(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        return format!("{x:.3e}");
    }
    let magnitude = if size == 0.0 { 0 } else { size.log10().floor() as i32 };
    let text = format!("{x:.*}", (3 - magnitude).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}
