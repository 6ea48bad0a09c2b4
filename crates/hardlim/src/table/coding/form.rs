//! What a column holds, from all its fields: numbers, dates, or labels; and how it becomes
//! features.

use std::collections::HashMap;

use super::column::{
    ColumnCoding, ColumnRef, FREQUENT, Kind, odd_one_out, refuse_merged, sorted_labels,
};
use super::levels::joined;
use super::options::Missing;
use super::reading::Reading;
use crate::table::error::Fault;
use crate::table::fields::{Field, Fields};
use crate::table::names::clip;
use crate::table::reading::notation::{Clash, Commas, Plain, Written};
use crate::table::reading::{Clock, Notation, Point, TimePart};
use crate::table::{SMALLEST, Table, TableError, out_of_range};

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Numbers,
    /// Numbers as people write them.
    Written(Written),
    /// Numbers that do not mean the same thing.
    Clash(Clash),
    /// Dates or times; the order of day and month may be open.
    Time(Clock, bool),
    Labels,
    /// Labels as they are written, because the user says so.
    Given,
    Mixed,
    Unusable(String),
}

impl Form {
    /// The form of column `j`. `commas` is what other columns show.
    pub(super) fn of(table: &Table, j: usize, categorical: bool, commas: Commas) -> Self {
        let fields = &table.columns()[j].fields;
        let grouped = table.grouped(j);
        let mut plain = Plain {
            any: false,
            decimals: grouped.is_some_and(|grouped| grouped.decimals),
            grouped: grouped.is_some_and(|grouped| grouped.first().is_some()),
        };
        match fields {
            Fields::Unusable(kind, _) => return Self::Unusable(kind.clone()),
            _ if categorical => return Self::Given,
            Fields::Numbers(_) if commas == Commas::Decimal && plain.grouped && !plain.decimals => {
                return Self::Written(Written {
                    notation: Notation::with_points(),
                    ambiguous: true,
                });
            }
            Fields::Numbers(_) => return Self::Numbers,
            Fields::Text(_) | Fields::Mixed(..) => {}
        }
        if let Fields::Mixed(numbers, _) = fields {
            plain.any = true;
            // Numbers that were not spelled out in a text file have a decimal point.
            plain.decimals |= !plain.grouped && numbers.iter().any(|v| v.fract().abs() > 0.0);
        }
        match Notation::find(fields.texts(), plain, commas) {
            Some(Ok(found)) => return Self::Written(found),
            Some(Err(clash)) => return Self::Clash(clash),
            None => {}
        }
        if matches!(fields, Fields::Mixed(..)) {
            return Self::Mixed;
        }
        match Clock::find(fields.texts()) {
            Some((clock, open)) => Self::Time(clock, open),
            None => Self::Labels,
        }
    }
}

/// What the columns of a table show about its commas, where they are certain.
pub(super) fn commas(table: &Table) -> Commas {
    let mut points = false;
    for (j, column) in table.columns().iter().enumerate() {
        points |= table.grouped(j).is_some_and(|grouped| grouped.decimals);
        let Form::Written(found) = Form::of(table, j, false, Commas::Unknown) else { continue };
        // The sign must occur: without any separator all notations agree.
        let has = |sign| !found.ambiguous && column.fields.texts().any(|text| text.contains(sign));
        match found.notation.point {
            Point::Comma if has(',') => return Commas::Decimal,
            Point::Dot => points |= has('.') || has(','),
            Point::Comma => {}
        }
    }
    if table.spelling.semicolons && !points { Commas::Likely } else { Commas::Unknown }
}

/// One of the numbers of column `j`, as it is written: one with a separator if there is one.
pub(super) fn example(table: &Table, j: usize) -> String {
    let fields = &table.columns()[j].fields;
    if let (Fields::Numbers(numbers), Some(i)) = (fields, table.grouped(j).and_then(|g| g.first()))
    {
        return format!("{:.3}", numbers[i]);
    }
    let separated = |text: &&str| text.contains([',', '.', ' ', '\'', '’', '\u{a0}']);
    let negative = |text: &&str| text.contains('(');
    let text = (fields.texts().find(negative)).or_else(|| fields.texts().find(separated));
    clip(text.or_else(|| fields.texts().next()).unwrap_or_default()).into_owned()
}

/// The codings of column `j`, whose form is known.
pub(super) fn codings(
    table: &Table,
    j: usize,
    form: &Form,
    missing: Missing,
) -> Result<Vec<ColumnCoding>, TableError> {
    let fields = &table.columns()[j].fields;
    let column = || ColumnRef::of(table, j);
    let coding =
        |kind, reading| ColumnCoding { column: column(), kind, reading, folded: None, steps: None };
    let bare = Kind::Number { fill: None };
    let mut codings = match form {
        Form::Unusable(kind) => return Err(table.column_error(j, Fault::Unusable(kind.clone()))),
        Form::Clash(clash) => return Err(clash_error(table, j, clash)),
        Form::Mixed => {
            refuse_merged(table, j, false)?;
            return Err(odd_one_out(table, j));
        }
        _ if fields.iter().all(|field| field == Field::Missing) => {
            return Err(table.column_error(j, Fault::NoValues));
        }
        Form::Numbers => vec![coding(bare, Reading::Plain)],
        Form::Written(Written { notation, ambiguous }) => {
            refuse_merged(table, j, false)?;
            let (notation, example) = (notation.clone(), example(table, j));
            let reading = Reading::Written { notation, example, open: *ambiguous };
            vec![coding(bare, reading)]
        }
        Form::Time(clock, open) => {
            let of =
                |part| coding(bare.clone(), Reading::Time { clock: *clock, part, open: *open });
            let [days, weekday, hour] = TimePart::ALL.map(of);
            let hour = (*clock == Clock::Time || differs(&hour, table, j, |v| v)?).then_some(hour);
            match clock {
                Clock::Time => hour.into_iter().collect(),
                Clock::Month => vec![days],
                // With a time of day the days have a fraction; they stay out if the date never
                // changes.
                Clock::Date { .. } if hour.is_some() && !differs(&days, table, j, f64::floor)? => {
                    hour.into_iter().collect()
                }
                Clock::Date { .. } => {
                    let weekday = differs(&weekday, table, j, |v| v)?.then_some(weekday);
                    [days].into_iter().chain(weekday).chain(hour).collect()
                }
            }
        }
        Form::Labels | Form::Given => {
            let (counts, folded) = level_counts(table, j, form);
            let coding =
                |(kind, reading)| ColumnCoding { folded: folded.clone(), ..coding(kind, reading) };
            labels(&counts).into_iter().map(coding).collect()
        }
    };
    if missing != Missing::Error {
        let rows = fields.missing().count();
        let apart = missing == Missing::Apart && rows > 0;
        for coding in &mut codings {
            coding.kind = filled(coding, table, j, form, (rows, apart))?;
        }
        if rows > 0 {
            let tells = coding(Kind::Number { fill: None }, Reading::Missing { rows });
            let numbers = matches!(codings[0].kind, Kind::Number { .. });
            codings.insert(if apart && numbers { 0 } else { codings.len() }, tells);
        }
    } else {
        for coding in &codings {
            if let Kind::Number { .. } = coding.kind {
                mean(coding, table, j)?; // every number is within range
            }
        }
    }
    Ok(codings)
}

fn clash_error(table: &Table, j: usize, clash: &Clash) -> TableError {
    match clash {
        Clash::Currencies(one, other) => {
            let fault = Fault::TwoCurrencies { one: one.clone(), other: other.clone() };
            table.column_error(j, fault)
        }
        Clash::Percent(text) => {
            let fields = &table.columns()[j].fields;
            let i = fields.iter().position(|field| field == Field::Text(text)).unwrap_or(0);
            table.field_error(i, j, Fault::SomePercent { got: text.clone() })
        }
    }
}

/// Whether a function of the feature of a column has different values.
fn differs(
    coding: &ColumnCoding,
    table: &Table,
    j: usize,
    of: impl Fn(f64) -> f64,
) -> Result<bool, TableError> {
    let mut first = None;
    for i in 0..table.rows() {
        if let Some(v) = coding.value(table, i, j)?.map(&of)
            && *first.get_or_insert(v) != v
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The mean of the values that are not missing; zero if there are none.
fn mean(coding: &ColumnCoding, table: &Table, j: usize) -> Result<f64, TableError> {
    if !coding.reading.is_first() {
        return Ok(0.0);
    }
    let (mut sum, mut count) = (0.0, 0usize);
    for i in 0..table.rows() {
        if let Some(v) = coding.value(table, i, j)? {
            sum += v;
            count += 1;
        }
    }
    let mean = if count == 0 { 0.0 } else { sum / count as f64 };
    Ok(if mean.abs() < SMALLEST { 0.0 } else { mean })
}

/// A number below all values that are not missing, by half of their range or more: a multiple of a
/// power of two, and whole if all of them are. The mean if there is none.
fn below(coding: &ColumnCoding, table: &Table, j: usize) -> Result<f64, TableError> {
    let mean = mean(coding, table, j)?;
    let (mut least, mut most, mut whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
    for i in 0..table.rows() {
        if let Some(v) = coding.value(table, i, j)? {
            (least, most, whole) = (least.min(v), most.max(v), whole && v.fract() == 0.0);
        }
    }
    let half = 2f64.powi((0.5 * (most - least)).max(SMALLEST).log2().ceil() as i32);
    let mut step = if whole { half.max(1.0) } else { half };
    loop {
        let below = (least / step).floor() * step - step;
        if below < least && out_of_range(below).is_none() {
            return Ok(below + 0.0);
        }
        step *= 2.0;
        if !step.is_finite() {
            return Ok(mean);
        }
    }
}

/// The kind with what replaces missing values: the mean, or a number apart. Labels with `missing`
/// rows have a feature for them, so that nothing replaces them.
fn filled(
    coding: &ColumnCoding,
    table: &Table,
    j: usize,
    form: &Form,
    (missing, apart): (usize, bool),
) -> Result<Kind, TableError> {
    Ok(match coding.kind.clone() {
        Kind::Number { .. } if coding.reading.is_first() => {
            let fill = if apart { below } else { mean };
            Kind::Number { fill: Some(fill(coding, table, j)?) }
        }
        Kind::Category { levels, .. } if missing == 0 => {
            let (counts, _) = level_counts(table, j, form);
            let fill = levels.iter().rev().max_by_key(|level| counts[level.as_str()]).cloned();
            Kind::Category { levels, fill }
        }
        kind => kind,
    })
}

/// How often each label of column `j` occurs. Those that differ by case only are one, unless the
/// user gave the column; then one of their spellings comes second.
pub(super) fn level_counts(
    table: &Table,
    j: usize,
    form: &Form,
) -> (HashMap<String, usize>, Option<String>) {
    let mut counts = HashMap::<String, usize>::new();
    for label in table.columns()[j].fields.iter().filter_map(Field::label) {
        match counts.get_mut(label.as_ref()) {
            Some(count) => *count += 1,
            None => drop(counts.insert(label.into_owned(), 1)),
        }
    }
    if *form == Form::Labels { joined(counts) } else { (counts, None) }
}

/// The features of labels: the most frequent ones, and one feature for all others.
fn labels(counts: &HashMap<String, usize>) -> Vec<(Kind, Reading)> {
    let all = sorted_labels(counts.keys().cloned());
    if all.len() <= FREQUENT {
        return vec![(Kind::Category { levels: all, fill: None }, Reading::Plain)];
    }
    let labels = all.len();
    let mut ranked: Vec<&String> = all.iter().collect();
    ranked.sort_by_key(|label| std::cmp::Reverse(counts[*label])); // stable: the first of equals
    let levels = sorted_labels(ranked[..FREQUENT].iter().map(|label| (*label).clone()));
    let rows = ranked[FREQUENT..].iter().map(|label| counts[*label]).sum();
    let other = Reading::Other { levels: levels.clone(), labels, rows };
    vec![
        (Kind::Category { levels, fill: None }, Reading::Plain),
        (Kind::Number { fill: None }, other),
    ]
}
