//! What a column holds, from all its fields: numbers, dates, or labels; and how it becomes features.

use std::collections::HashMap;

use super::column::{
    ColumnCoding, ColumnRef, FREQUENT, Kind, number, odd_one_out, refuse_merged, sorted_labels,
};
use super::options::Missing;
use super::reading::Reading;
use crate::data::fault::Fault;
use crate::data::features::SMALLEST;
use crate::data::fields::{Field, Fields};
use crate::data::names::clip;
use crate::data::reading::notation::{Found, Plain, TwoCurrencies};
use crate::data::reading::{Clock, Notation, Point, TimePart};
use crate::data::table::Table;
use crate::error::Error;

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    /// Plain numbers.
    Numbers,
    /// Numbers as people write them.
    Written(Found),
    /// Amounts in two currencies.
    TwoCurrencies(TwoCurrencies),
    /// Dates or times; the order of day and month may be open.
    Time(Clock, bool),
    /// Labels.
    Labels,
    /// Numbers and text.
    Mixed,
    /// Fields of a type that cannot be used.
    Unusable(String),
}

impl Form {
    /// The form of column `j`. `commas` says that other columns have decimal commas.
    pub(super) fn of(table: &Table, j: usize, categorical: bool, commas: bool) -> Self {
        let fields = &table.columns()[j].fields;
        match fields {
            Fields::Unusable(kind, _) => return Self::Unusable(kind.clone()),
            _ if categorical => return Self::Labels,
            Fields::Numbers(_) => return Self::Numbers,
            Fields::Text(_) | Fields::Mixed(..) => {}
        }
        let grouped = table.grouped(j);
        let mut plain = Plain {
            any: false,
            decimals: grouped.is_some_and(|grouped| grouped.has_decimals()),
            grouped: grouped.is_some_and(|grouped| grouped.any()),
        };
        if let Fields::Mixed(numbers, _) = fields {
            plain.any = true;
            // Numbers that were not spelled out in a text file have a decimal point.
            plain.decimals |= !plain.grouped && numbers.iter().any(|v| v.fract().abs() > 0.0);
        }
        match Notation::find(fields.texts(), plain, commas) {
            Some(Ok(found)) => return Self::Written(found),
            Some(Err(two)) => return Self::TwoCurrencies(two),
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

/// Whether a column of the table has decimal commas for certain.
pub(super) fn has_commas(table: &Table) -> bool {
    (0..table.columns().len()).any(|j| match Form::of(table, j, false, false) {
        Form::Written(found) => {
            !found.ambiguous && found.notation.point == Point::Comma && {
                // A comma must occur: without any separator all notations agree.
                table.columns()[j].fields.texts().any(|text| text.contains(','))
            }
        }
        _ => false,
    })
}

/// The codings of column `j`, whose form is known.
pub(super) fn codings(
    table: &Table,
    j: usize,
    form: &Form,
    missing: Missing,
) -> Result<Vec<ColumnCoding>, Error> {
    let fields = &table.columns()[j].fields;
    let column = || ColumnRef { name: table.columns()[j].name.clone(), position: j };
    let coding = |kind, reading| ColumnCoding { column: column(), kind, reading };
    let bare = Kind::Number { fill: None };
    let mut codings = match form {
        Form::Unusable(kind) => return Err(table.column_error(j, Fault::Unusable(kind.clone()))),
        Form::TwoCurrencies(TwoCurrencies(one, other)) => {
            let fault = Fault::TwoCurrencies { one: one.clone(), other: other.clone() };
            return Err(table.column_error(j, fault));
        }
        Form::Mixed => {
            refuse_merged(table, j, false)?;
            return Err(odd_one_out(table, j));
        }
        _ if fields.iter().all(|field| field == Field::Missing) => {
            return Err(table.column_error(j, Fault::NoValues));
        }
        Form::Numbers => vec![coding(bare, Reading::Plain)],
        Form::Written(Found { notation, ambiguous }) => {
            refuse_merged(table, j, false)?;
            let separated = |text: &&str| text.contains([',', '.', ' ', '\'', '’', '\u{a0}']);
            let mut texts = fields.texts();
            let first = fields.texts().next().unwrap_or_default();
            let example = clip(texts.find(separated).unwrap_or(first)).into_owned();
            let reading =
                Reading::Written { notation: notation.clone(), example, open: *ambiguous };
            vec![coding(bare, reading)]
        }
        Form::Time(clock, open) => {
            let of =
                |part| coding(bare.clone(), Reading::Time { clock: *clock, part, open: *open });
            let [days, weekday, hour] = TimePart::ALL.map(of);
            let varying = varies(&hour, table, j)?.then(|| hour.clone());
            match (clock, varying) {
                (Clock::Time, _) => vec![hour],
                // With a time of day the days have a fraction; they stay out if the date never changes.
                (Clock::Date { .. }, Some(hour)) if !moves(&days, table, j)? => vec![hour],
                (Clock::Date { .. }, hour) => {
                    let weekday = varies(&weekday, table, j)?.then_some(weekday);
                    [days].into_iter().chain(weekday).chain(hour).collect()
                }
            }
        }
        Form::Labels => {
            labels(table, j).into_iter().map(|(kind, reading)| coding(kind, reading)).collect()
        }
    };
    if missing == Missing::Mean {
        let rows = fields.iter().filter(|field| *field == Field::Missing).count();
        for coding in &mut codings {
            coding.kind = filled(coding, table, j, rows)?;
        }
        if rows > 0 {
            codings.push(coding(Kind::Number { fill: None }, Reading::Missing { rows }));
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

/// Whether the feature of a column has different values.
fn varies(coding: &ColumnCoding, table: &Table, j: usize) -> Result<bool, Error> {
    let mut first = None;
    for i in 0..table.rows() {
        if let Some(v) = coding.value(table, i, j)?
            && *first.get_or_insert(v) != v
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the days of a column are different, whatever the time of day.
fn moves(days: &ColumnCoding, table: &Table, j: usize) -> Result<bool, Error> {
    let mut first = None;
    for i in 0..table.rows() {
        if let Some(v) = days.value(table, i, j)?
            && *first.get_or_insert(v.floor()) != v.floor()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The mean of the values that are not missing; zero if there are none.
fn mean(coding: &ColumnCoding, table: &Table, j: usize) -> Result<f64, Error> {
    if matches!(coding.reading, Reading::Missing { .. } | Reading::Other { .. }) {
        return Ok(0.0);
    }
    let (mut sum, mut count) = (0.0, 0usize);
    for i in 0..table.rows() {
        let value = match coding.reading {
            Reading::Plain => number(table, i, j)?,
            _ => coding.value(table, i, j)?,
        };
        if let Some(v) = value {
            sum += v;
            count += 1;
        }
    }
    let mean = if count == 0 { 0.0 } else { sum / count as f64 };
    Ok(if mean.abs() < SMALLEST { 0.0 } else { mean })
}

/// The kind with what replaces missing values. Labels with `missing` rows have a feature for them,
/// so that nothing replaces them.
fn filled(coding: &ColumnCoding, table: &Table, j: usize, missing: usize) -> Result<Kind, Error> {
    Ok(match &coding.kind {
        Kind::Number { .. } if matches!(coding.reading, Reading::Other { .. }) => {
            coding.kind.clone()
        }
        Kind::Number { .. } => Kind::Number { fill: Some(mean(coding, table, j)?) },
        Kind::Category { levels, .. } if missing > 0 => {
            Kind::Category { levels: levels.clone(), fill: None }
        }
        Kind::Category { levels, .. } => {
            let counts = counts(table, j);
            let most = levels.iter().rev().max_by_key(|level| counts[level.as_str()]);
            Kind::Category { levels: levels.clone(), fill: most.cloned() }
        }
    })
}

/// How often each label of column `j` occurs.
pub(super) fn counts(table: &Table, j: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::<String, usize>::new();
    for label in table.columns()[j].fields.iter().filter_map(Field::label) {
        match counts.get_mut(label.as_ref()) {
            Some(count) => *count += 1,
            None => drop(counts.insert(label.into_owned(), 1)),
        }
    }
    counts
}

/// The labels of column `j`: the most frequent ones, and one feature for all others.
fn labels(table: &Table, j: usize) -> Vec<(Kind, Reading)> {
    let counts = counts(table, j);
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
