//! What was decided about the columns, one sentence for each decision.
//!
//! Options are marked as in errors (see [`crate::spelling`]), so that the command line and Python
//! spell them in their own way.

use super::judge::Reason;
use super::levels::Places;
use super::remark::Remark;
use super::{Coding, ColumnCoding, Kind, Reading};
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
        let several = |is_one: fn(&Reading) -> bool| -> Vec<&ColumnCoding> {
            self.columns().iter().filter(|coding| is_one(&coding.reading)).collect()
        };
        let written = several(|reading| matches!(reading, Reading::Written { .. }));
        notes.extend(shared(&written, "are read as numbers as people write them", written_note));
        let times = several(|reading| matches!(reading, Reading::Time { .. }));
        let mut dates: Vec<&ColumnCoding> = times.clone();
        dates.dedup_by_key(|coding| coding.column.position);
        let of_date = |date: &ColumnCoding| {
            let parts = times.iter().filter(|time| time.column == date.column);
            time_note(date, &parts.copied().collect::<Vec<_>>())
        };
        notes.extend(shared(&dates, "are read as dates or times", of_date));
        let folded: Vec<&ColumnCoding> = (self.columns().iter())
            .filter(|coding| coding.folded.is_some() && coding.reading.is_first())
            .collect();
        let words = "have labels that differ by case only: they are one";
        notes.extend(shared(&folded, words, folded_note));
        let other = several(|reading| matches!(reading, Reading::Other { .. }));
        let words = "have more labels than the most frequent ones: the rest is \"other\"";
        notes.extend(shared(&other, words, other_note));
        let missing = several(|reading| matches!(reading, Reading::Missing { .. }));
        let words = "have missing values: they get the mean, and a feature tells where \
                     (`missing=error` refuses them)";
        notes.extend(shared(&missing, words, |coding| self.missing_note(coding)));
        notes.extend(self.steps_note());
        notes.extend(self.target_notes());
        notes
    }

    fn left_out_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let same = |a: &Reason, b: &Reason| std::mem::discriminant(a) == std::mem::discriminant(b);
        for (k, out) in self.left_out().iter().enumerate() {
            let alike = || self.left_out().iter().filter(|other| same(&other.reason, &out.reason));
            let (name, count) = (&out.column.name, alike().count());
            if count < MANY {
                let keep = if out.reason == Reason::Empty { String::new() } else { keep(name) };
                notes.push(format!(
                    "column {:?} is left out: {}{keep}",
                    clip(name),
                    out.reason.words()
                ));
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
                let keep = match out.reason {
                    Reason::Empty => "",
                    _ => "; `keep` brings columns back",
                };
                notes.push(format!("{count} columns are left out: {why} ({names}){keep}"));
            }
        }
        notes
    }

    /// Which numbers are rounded, with the coarsest first.
    fn steps_note(&self) -> Option<String> {
        let bits = self.bits()?;
        let steps = self.columns().iter().filter_map(|coding| coding.steps);
        let rounded: Vec<&ColumnCoding> =
            self.columns().iter().filter(|coding| coding.steps.is_some()).collect();
        let option = format!("`bits={bits}`");
        let most = steps.map(|steps| steps.bits).max()?;
        let named: Vec<String> = (rounded.iter().take(NAMED))
            .filter_map(|coding| {
                let steps = coding.steps?;
                let (low, high) = steps.range();
                let name = coding.names().remove(0);
                Some(format!("{:?} in steps of {} from {low} to {high}", clip(&name), steps.step()))
            })
            .collect();
        let more = if rounded.len() > NAMED { ", …" } else { "" };
        let numbers = counted(rounded.len(), "number");
        let width = counted(most as usize, "bit");
        Some(format!(
            "{option}: {numbers} of at most {width}, rounded before training: {}{more}",
            named.join(", ")
        ))
    }

    fn missing_note(&self, coding: &ColumnCoding) -> String {
        let Reading::Missing { rows } = coding.reading else { return String::new() };
        let (name, values) = (clip(&coding.column.name), counted(rows, "missing value"));
        let first = self.columns().iter().find(|other| other.column == coding.column);
        let they = if rows == 1 { "it" } else { "they" };
        let how = match first.map(|first| (&first.kind, &first.reading)) {
            Some((Kind::Number { fill: Some(mean) }, Reading::Plain | Reading::Written { .. })) => {
                let get = if rows == 1 { "gets" } else { "get" };
                format!("{they} {get} the mean {}, and a feature tells where", rounded(*mean))
            }
            Some((Kind::Category { .. }, _)) if rows == 1 => "it is a level of its own".into(),
            Some((Kind::Category { .. }, _)) => "they are a level of their own".into(),
            _ => format!("{they} get the mean, and a feature tells where"),
        };
        let them = if rows == 1 { "it" } else { "them" };
        format!("column {name:?} has {values}: {how} (`missing=error` refuses {them})")
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

/// A sentence for each column; one for all if there are many.
fn shared(
    codings: &[&ColumnCoding],
    words: &str,
    sentence: impl Fn(&ColumnCoding) -> String,
) -> Vec<String> {
    if codings.len() < MANY {
        return codings.iter().map(|coding| sentence(coding)).collect();
    }
    let names = listed(codings.iter().map(|coding| coding.column.name.as_str()));
    vec![format!("{} columns ({names}) {words}", codings.len())]
}

/// The first names of a list.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.take(NAMED).map(|name| format!("{:?}", clip(name))).collect();
    format!("{}, …", names.join(", "))
}

/// How a column is brought back.
fn keep(name: &str) -> String {
    format!(" ({} brings it back)", marked("keep", name))
}

/// The mark of an option for a column, with its name if that needs no quotes behind a flag.
fn marked(option: &str, name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        format!("`{option}={name}`")
    } else {
        format!("`{option}`")
    }
}

fn written_note(coding: &ColumnCoding) -> String {
    let Reading::Written { notation, example, open } = &coding.reading else {
        return String::new();
    };
    format!("column {:?} {}", clip(&coding.column.name), written_words(notation, example, *open))
}

fn written_words(notation: &Notation, example: &str, open: bool) -> String {
    let value = notation.number(example).map_or(String::new(), |value| value.to_string());
    let open = if open { ", as no other number of the table shows otherwise" } else { "" };
    let words = match notation.words() {
        words if words.is_empty() => String::new(),
        words => format!(" with {words}"),
    };
    format!("is read as numbers{words}: {example:?} is {value}{open}")
}

fn folded_note(coding: &ColumnCoding) -> String {
    let (Some(other), Kind::Category { levels, .. }) = (&coding.folded, &coding.kind) else {
        return String::new();
    };
    let name = &coding.column.name;
    format!("column {:?}: {}", clip(name), folded_words(other, levels, name))
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

fn time_note(date: &ColumnCoding, parts: &[&ColumnCoding]) -> String {
    let Reading::Time { clock, open, .. } = date.reading else { return String::new() };
    let part = |coding: &&ColumnCoding| match coding.reading {
        Reading::Time { part: TimePart::Days, .. } => "days since 1970-01-01",
        Reading::Time { part: TimePart::Weekday, .. } => "day of the week",
        _ => "hour of the day",
    };
    let parts: Vec<&str> = parts.iter().map(part).collect();
    let what = match clock {
        Clock::Time => "times",
        Clock::Month => "months",
        Clock::Date { .. } => "dates",
    };
    let order = match (open, clock) {
        (true, Clock::Date { order: DateOrder::DayFirst }) => {
            "; the day is taken to come first, as no number is above 12"
        }
        (true, Clock::Date { order: DateOrder::MonthFirst }) => {
            "; the month is taken to come first, as no number is above 12"
        }
        _ => "",
    };
    let name = clip(&date.column.name);
    format!("column {name:?} is read as {what}: {}{order}", parts.join(", "))
}

fn other_note(coding: &ColumnCoding) -> String {
    let Reading::Other { levels, labels, rows } = &coding.reading else { return String::new() };
    let (name, other) = (clip(&coding.column.name), coding.other_name());
    let (frequent, rows) = (levels.len(), counted(*rows, "row"));
    format!(
        "column {name:?} has {labels} labels: all but the {frequent} most frequent are {other:?} ({rows})"
    )
}

/// A number of things.
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
