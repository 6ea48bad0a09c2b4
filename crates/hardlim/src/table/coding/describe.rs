//! What a table would be read as, column by column, before any training.

use std::collections::HashMap;

use super::column::ColumnCoding;
use super::form::{self, Form};
use super::{Coding, CodingOptions, Missing, Reading, TargetCoding};
use crate::table::fields::Fields;
use crate::table::reading::notation::Clash;
use crate::table::reading::time::date_text;
use crate::table::reading::{Clock, TimePart};
use crate::table::{Column, Table, TableError};

/// How many of the most frequent values are listed.
const SHOWN: usize = 3;

/// A table as it would be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// The columns from left to right.
    pub columns: Vec<ColumnDescription>,
    /// The number of rows.
    pub rows: usize,
    /// The number of features; none if the table cannot be used.
    pub features: Option<usize>,
    /// What the target is taken as.
    pub target: Option<String>,
    /// One sentence for each decision.
    pub notes: Vec<String>,
    /// Why the table cannot be used, if it cannot.
    pub problem: Option<String>,
}

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// What it is for: `feature`, `target`, `weight`, `ignored` or `left out`.
    pub role: &'static str,
    /// What it is read as.
    pub read_as: String,
    /// The number of different values.
    pub distinct: usize,
    /// The number of missing values.
    pub missing: usize,
    /// The least and the largest value of numbers and dates, as text.
    pub range: Option<[String; 2]>,
    /// The most frequent labels, with their counts.
    pub frequent: Vec<(String, usize)>,
    /// Why it is left out, or cannot be read.
    pub why: Option<String>,
    /// The names of its features.
    pub features: Vec<String>,
}

impl Description {
    /// Describes a table, as these options would read it. Without a target every column is a
    /// feature.
    pub fn of(
        table: &Table,
        options: &CodingOptions,
        has_target: bool,
    ) -> Result<Self, TableError> {
        if !has_target {
            return Self::of_features(table, options);
        }
        let ignored = table.find_all(&options.ignore)?;
        let categorical = table.find_all(&options.categorical)?;
        let weight = table.find_all(&options.weight_column)?;
        let target = options.target_position(table)?;
        let coding = Coding::fit(table, options);
        let commas = form::commas(table);
        let describe = |j: usize| {
            let role = match j {
                _ if ignored.contains(&j) => "ignored",
                _ if weight.contains(&j) => "weight",
                _ if j == target => "target",
                _ => "feature",
            };
            let form = Form::of(table, j, categorical.contains(&j), commas);
            let mut found = described(table, j, &form, role);
            if let (Ok(coding), "feature") = (&coding, role) {
                if let Some(out) = coding.left_out().iter().find(|out| out.column.position == j) {
                    (found.role, found.why) = ("left out", Some(out.reason.words()));
                }
                let codings = coding.columns().iter().filter(|c| c.column.position == j);
                found.features = codings.flat_map(ColumnCoding::names).collect();
            }
            found
        };
        let columns = (0..table.columns().len()).map(describe).collect();
        let mut notes: Vec<String> = table.notes();
        notes.extend(coding.as_ref().map(Coding::notes).unwrap_or_default());
        Ok(Self {
            columns,
            rows: table.rows(),
            features: coding.as_ref().ok().map(Coding::dimension),
            target: coding.as_ref().ok().map(|coding| target_words(coding.target())),
            notes,
            problem: coding.err().map(|error| error.to_string()),
        })
    }

    /// Describes a table whose columns are all features, beside a target that is made up.
    fn of_features(table: &Table, options: &CodingOptions) -> Result<Self, TableError> {
        let mut name = "target".to_owned();
        while table.position(&name).is_some() {
            name.push('_');
        }
        let values = (0..table.rows()).map(|i| (i % 2) as f64).collect();
        let target = Column { name: name.clone(), fields: Fields::Numbers(values) };
        let table = table.with_column(target)?;
        let options = CodingOptions { target: Some(name), ..options.clone() };
        let mut found = Self::of(&table, &options, true)?;
        found.columns.pop();
        Ok(Self { target: None, ..found })
    }
}

/// What can be said about column `j` alone.
fn described(table: &Table, j: usize, form: &Form, role: &'static str) -> ColumnDescription {
    let column = &table.columns()[j];
    let fields = &column.fields;
    let missing = fields.missing().count();
    let counts: HashMap<String, usize> = form::level_counts(table, j, form).0;
    let mut found = ColumnDescription {
        name: column.name.clone(),
        role,
        read_as: words(form),
        distinct: counts.len(),
        missing,
        range: None,
        frequent: Vec::new(),
        why: None,
        features: Vec::new(),
    };
    if counts.is_empty() {
        if missing > 0 {
            found.read_as = "nothing".into();
        }
        return found;
    }
    match form {
        Form::Labels | Form::Given | Form::Mixed | Form::Unusable(_) | Form::Clash(_) => {
            let mut ranked: Vec<(String, usize)> = counts.into_iter().collect();
            ranked.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
            ranked.truncate(SHOWN);
            found.frequent = ranked;
        }
        Form::Numbers | Form::Written(_) | Form::Time(..) => {
            found.range = range(table, j, form);
        }
    }
    if role == "feature" {
        let problem = form::codings(table, j, form, Missing::Mean).err();
        found.why = problem.map(|error| error.to_string());
    }
    found
}

fn words(form: &Form) -> String {
    match form {
        Form::Numbers => "numbers".into(),
        Form::Written(found) => found.notation.described(),
        Form::Clash(Clash::Currencies(one, other)) => format!("amounts in {one} and {other}"),
        Form::Clash(Clash::Percent(_)) => "numbers and per cent".into(),
        Form::Time(Clock::Month, _) => "months".into(),
        Form::Time(Clock::Time, _) => "times of day".into(),
        Form::Time(Clock::Date { .. }, _) => "dates".into(),
        Form::Labels | Form::Given => "labels".into(),
        Form::Mixed => "numbers and text".into(),
        Form::Unusable(kind) => kind.clone(),
    }
}

/// The least and the largest value of column `j`; none if it cannot be read.
fn range(table: &Table, j: usize, form: &Form) -> Option<[String; 2]> {
    let codings = form::codings(table, j, form, Missing::Mean).ok()?;
    let first = codings.first()?;
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..table.rows() {
        if let Some(v) = first.value(table, i, j).ok()? {
            (least, most) = (least.min(v), most.max(v));
        }
    }
    let text = |v: f64| match &first.reading {
        Reading::Time { part: TimePart::Days, .. } => date_text(v.floor() as i64),
        Reading::Time { part: TimePart::Hour, .. } => {
            let minutes = (60.0 * v).floor() as i64;
            format!("{:02}:{:02}", minutes / 60, minutes % 60)
        }
        _ => super::notes::rounded(v),
    };
    (least <= most).then(|| [text(least), text(most)])
}

fn target_words(target: &TargetCoding) -> String {
    match target {
        TargetCoding::Number { .. } => "a number".into(),
        _ => {
            let classes = target.classes().unwrap_or_default();
            let names: Vec<&str> = classes.iter().take(8).map(String::as_str).collect();
            let more = if classes.len() > 8 { ", …" } else { "" };
            format!("{} classes: {}{more}", classes.len(), names.join(", "))
        }
    }
}
