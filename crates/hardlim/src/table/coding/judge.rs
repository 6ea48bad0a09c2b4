//! Which columns nothing can be learnt from: they are left out, unless the user keeps them.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};

use super::column::ColumnRef;
use super::form::Form;
use crate::table::fields::{Field, Fields, merged};
use crate::table::names::clip;
use crate::table::{Column, Table};

/// The fewest rows in which a column can look like an identifier. In fewer rows all values of an
/// ordinary column may be different.
const FEWEST: usize = 20;

/// Words that only identifiers have.
const IDENTIFIERS: &str = "id uid uuid guid identifier key nr";
/// Words of identifiers that also have other meanings.
const COUNTERS: &str = "index idx no row rownames";
/// What people measure, and sort rows by.
const MEASURES: &str = "age alter amount date datum day decade depth distance dose duration \
                        frequency \
                        height hour jahr length level minute monat month period price quarter rank \
                        score second size speed step stunde tag temperature time week weight width \
                        woche year";

/// A column of the training table that is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftOut {
    pub(crate) column: ColumnRef,
    pub(crate) reason: Reason,
}

impl LeftOut {
    /// Whether the column has whole numbers that are all different.
    pub(super) fn is_sequence(&self, table: &Table) -> bool {
        let numbers = matches!(table.columns()[self.column.position].fields, Fields::Numbers(_));
        numbers && matches!(self.reason, Reason::Identifier { .. })
    }

    /// Why no column is left; nothing to add if none was left out.
    pub(super) fn why_nothing_is_left(all: &[Self]) -> String {
        let Some(first) = all.first() else { return String::new() };
        let (name, words) = (clip(&first.column.name), first.reason.words());
        let more = if all.len() > 1 { ", and others" } else { "" };
        format!("; {name:?} is left out, as {words}{more} (`keep` brings columns back)")
    }
}

/// Why nothing can be learnt from a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Reason {
    Empty,
    Constant(String),
    Copy(String),
    Target,
    /// It looks like an identifier: it has `distinct` different values in `rows` rows.
    Identifier {
        distinct: usize,
        rows: usize,
    },
    NoHelp,
}

impl Reason {
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Empty => "it has no values".into(),
            Self::Constant(value) => format!("it is always {:?}", clip(value)),
            Self::Copy(of) => format!("it is a copy of {:?}", clip(of)),
            Self::Target => "it is a copy of the target".into(),
            Self::Identifier { distinct, rows } => {
                format!("it looks like an identifier: {distinct} of {rows} values are different")
            }
            Self::NoHelp => "networks without it predict rows held out as well".into(),
        }
    }
}

/// Columns that are kept, by the hash of their fields, and whether they are labels.
pub(super) type Kept = HashMap<u64, Vec<(usize, bool)>>;

/// Why column `j` should be left out, beside this target and those kept before, if it should.
pub(super) fn reason(
    kept: &mut Kept,
    (table, target): (&Table, usize),
    j: usize,
    form: &Form,
    categorical: bool,
) -> Option<Reason> {
    let columns = table.columns();
    let fields = &columns[j].fields;
    if let Form::Unusable(_) = form {
        return None;
    }
    let of_labels = || identifier(&columns[j], form).filter(|_| !categorical);
    if let Some(reason) = constant(fields).or_else(of_labels) {
        return Some(reason);
    }
    // In few rows an input may well be equal to the target.
    if fields.len() >= FEWEST && *fields == columns[target].fields {
        return Some(Reason::Target);
    }
    let alike = kept.entry(hash(fields)).or_default();
    let equal = |(other, labels): &&(usize, bool)| {
        *labels == categorical && columns[*other].fields == *fields
    };
    if let Some((other, _)) = alike.iter().find(equal) {
        return Some(Reason::Copy(columns[*other].name.clone()));
    }
    alike.push((j, categorical));
    None
}

fn constant(fields: &Fields) -> Option<Reason> {
    let mut values = fields.iter();
    let first = values.next()?;
    if !values.all(|field| field == first) {
        return None;
    }
    Some(first.label().map_or(Reason::Empty, |value| Reason::Constant(value.into_owned())))
}

/// Text of which most values occur once; or whole numbers that are nearly all different under the
/// name of an identifier, or all different, close together and counting the rows under a name that
/// is not one of a measure. Others may be ranks.
fn identifier(column: &Column, form: &Form) -> Option<Reason> {
    let fields = &column.fields;
    let rows = fields.len() - fields.missing().count();
    let found = |distinct| Some(Reason::Identifier { distinct, rows });
    match (form, fields) {
        _ if rows < FEWEST => None,
        (Form::Numbers, Fields::Numbers(numbers)) => {
            let values = numbers.iter().copied().filter(|v| !v.is_nan()).collect::<Vec<_>>();
            number_of_row(&column.name, &values)
        }
        (Form::Written(found), _) if !all_merged(fields) => {
            let value = |field| match field {
                Field::Number(v) => Some(v),
                Field::Text(text) => found.notation.number(text),
                Field::Missing => None,
            };
            number_of_row(&column.name, &fields.iter().filter_map(value).collect::<Vec<_>>())
        }
        (Form::Labels, Fields::Text(_)) => {
            let distinct = fields.texts().count();
            if 2 * distinct > rows { found(distinct) } else { None }
        }
        (Form::Mixed | Form::Written(_) | Form::Labels, Fields::Mixed(..) | Fields::Text(_)) => {
            let is_text = |field: &Field<'_>| matches!(field, Field::Text(_));
            let texts = fields.iter().filter(is_text).count();
            let large = all_merged(fields);
            let mut seen = HashSet::new();
            let labels = fields.iter().filter_map(Field::label);
            let distinct = labels.filter(|label| seen.insert(label.clone())).count();
            let unclear = matches!(form, Form::Mixed) && 2 * texts > rows && 2 * distinct > rows;
            if unclear || large && distinct == rows { found(distinct) } else { None }
        }
        _ => None,
    }
}

/// Whether all texts are whole numbers that are too large to be told apart as doubles.
fn all_merged(fields: &Fields) -> bool {
    fields.texts().all(|text| merged(text).is_some())
}

/// Whether whole numbers stand for the rows that they are in.
fn number_of_row(name: &str, values: &[f64]) -> Option<Reason> {
    if !values.iter().all(|v| v.fract() == 0.0 && v.abs() < 1e15) {
        return None;
    }
    let (least, most) = (values.iter())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(*v), m.max(*v)));
    let (rows, named) = (values.len(), has_word(name, IDENTIFIERS));
    // Ordinary measurements that fill their range have some value twice.
    let dense = most - least + 1.0 <= 2.5 * rows as f64;
    // A measure by which the rows are sorted does not count them.
    let counts = || has_word(name, COUNTERS) || !has_word(name, MEASURES) && counts_rows(values);
    if !(named || dense && counts()) {
        return None;
    }
    let distinct = values.iter().map(|v| v.to_bits()).collect::<HashSet<_>>().len();
    let differ = if named { 20 * distinct >= 19 * rows } else { distinct == rows };
    differ.then_some(Reason::Identifier { distinct, rows })
}

/// Whether numbers rise from row to row, or fall, but for a few.
fn counts_rows(values: &[f64]) -> bool {
    let all = values.len() - 1;
    let rising = values.windows(2).filter(|pair| pair[0] < pair[1]).count();
    20 * rising.max(all - rising) >= 19 * all
}

/// Whether a word of a name is one of these, or the plural of one: `customer_id`, `PassengerId`,
/// `Nr.`.
fn has_word(name: &str, words: &str) -> bool {
    let mut spaced = String::new();
    let mut lower = false;
    for c in name.chars() {
        if lower && c.is_uppercase() {
            spaced.push(' ');
        }
        lower = c.is_lowercase();
        spaced.extend(c.to_lowercase());
    }
    let one =
        |word: &str| words.split(' ').any(|one| one == word || Some(one) == word.strip_suffix('s'));
    spaced.split(|c: char| !c.is_alphanumeric()).any(one)
}

fn hash(fields: &Fields) -> u64 {
    let mut hasher = DefaultHasher::new();
    for field in fields.iter() {
        match field {
            Field::Missing => 0u8.hash(&mut hasher),
            Field::Number(v) => v.to_bits().hash(&mut hasher),
            Field::Text(text) => text.hash(&mut hasher),
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::reading::notation::Commas;

    fn column(texts: impl IntoIterator<Item = String>) -> Fields {
        let mut fields = Fields::default();
        texts.into_iter().for_each(|text| fields.push(Field::parse(&text)));
        fields
    }

    fn is_identifier(texts: impl IntoIterator<Item = String>) -> bool {
        is_identifier_named("a", texts)
    }

    fn is_identifier_named(name: &str, texts: impl IntoIterator<Item = String>) -> bool {
        let columns = vec![Column { name: name.into(), fields: column(texts) }];
        let table = Table::new("t", columns).unwrap();
        identifier(&table.columns()[0], &Form::of(&table, 0, false, Commas::Unknown)).is_some()
    }

    #[test]
    fn identifiers_are_told_from_measurements() {
        let all = |of: fn(usize) -> String| is_identifier((0..100).map(of));
        assert!(all(|i| i.to_string()) && all(|i| (1000 - i).to_string()));
        // Two numbers at the wrong place, and one that is missing.
        let swapped = |i| match i {
            40 => "77".to_owned(),
            77 => "40".to_owned(),
            50 => String::new(),
            i => i.to_string(),
        };
        assert!(is_identifier((0..100).map(swapped)));
        assert!(all(|i| format!("C{i:05}")) && all(|i| format!("name {}", i % 60)));
        assert!(all(|i| format!("90071992547409{:02}", i)) && all(|i| (2 * i).to_string()));
        // Pay, age, a year, decimals, a category; and few rows.
        assert!(!all(|i| (1200 + i * i % 3571).to_string()) && !all(|i| (18 + i % 60).to_string()));
        assert!(!all(|i| (1990 + i % 30).to_string()) && !all(|i| (i as f64 + 0.5).to_string()));
        assert!(!all(|i| format!("city {}", i % 20)));
        assert!(!is_identifier((0..19).map(|i| i.to_string())));
        // A rank is not, in whatever order the rows are; the numbers of shuffled customers are.
        let shuffled = || (0..100).map(|i| (1 + i * 37 % 100).to_string());
        for name in ["rank", "width", "a", "idea", "Number", "video"] {
            assert!(!is_identifier_named(name, shuffled()), "{name}");
        }
        for name in ["id", "ID", "customer_id", "PassengerId", "Kunden-Nr.", "row", "index"] {
            assert!(is_identifier_named(name, shuffled()), "{name}");
        }
        // Numbers far from each other are, under the name of an identifier; two may be equal.
        let sparse = || (0..200).map(|i| (100_000 + i.max(1) * 7919 % 900_001).to_string());
        for (name, expected) in [("customer_id", true), ("KundenID", true), ("pay", false)] {
            assert_eq!(is_identifier_named(name, sparse()), expected, "{name}");
        }
        for name in ["row", "no", "index", "idx", "price index"] {
            assert!(!is_identifier_named(name, sparse()), "{name}");
        }
        assert!(!is_identifier_named("customer_id", (0..200).map(|i| (i * i % 97).to_string())));
        assert!(
            all(|i| format!("{}A", 1000 + i)) && !all(|i| format!("{} km", 1000 + i * i % 3571))
        );
        // What rows are sorted by is no identifier, if its name says so.
        for name in ["year", "Year", "age", "Age (years)", "time_s", "dayOfYear", "Jahr", "weeks"] {
            assert!(!is_identifier_named(name, (1900..2000).map(|i| i.to_string())), "{name}");
        }
        for name in ["day_id", "a", "line", "page"] {
            assert!(is_identifier_named(name, (1900..2000).map(|i| i.to_string())), "{name}");
        }
        // Mostly numbers, with some words among them: an error will name the words.
        assert!(!all(|i| if i < 3 { format!("odd{i}") } else { (i * 17).to_string() }));
        assert!(all(|i| if i < 30 { i.to_string() } else { format!("A{i}") }));
    }
}
