//! Checks a stored coding before it is used.

use std::collections::HashSet;

use super::column::sorted_labels;
use super::{Coding, ColumnCoding, ColumnRef, Kind, LEVELS, Reading, Stored, TargetCoding};
use crate::table::{COLUMNS, out_of_range};

impl TryFrom<Stored> for Coding {
    type Error = String;

    fn try_from(parts: Stored) -> Result<Self, String> {
        parts.checked().map_err(|reason| format!("damaged coding of columns: {reason}"))
    }
}

impl Stored {
    /// The coding, or what is wrong with it.
    pub(super) fn checked(self) -> Result<Coding, String> {
        reason(&self).map_or(Ok(Coding(self)), Err)
    }
}

/// What is wrong with the coding, if anything is.
fn reason(parts: &Stored) -> Option<String> {
    let Stored { width, features, target, weight, ignored, balanced, left_out, .. } = parts;
    // Codings of one column stand one after the other.
    let again = |j: usize| j > 0 && features[j].column == features[j - 1].column;
    let columns = || {
        let features = (0..features.len()).filter(|j| !again(*j)).map(|j| &features[j].column);
        let left_out = left_out.iter().map(|left_out| &left_out.column);
        features.chain([target.column()]).chain(weight).chain(ignored).chain(left_out)
    };
    if *width > COLUMNS {
        return Some(format!("{width} columns, more than the {COLUMNS} allowed"));
    }
    if features.is_empty() {
        return Some("no features".into());
    }
    if *balanced && target.classes().is_none() {
        return Some("balanced classes without classes".into());
    }
    if columns().count() != *width {
        return Some(format!("expected {width} columns, found {}", columns().count()));
    }
    let (mut names, mut positions) = (HashSet::new(), HashSet::new());
    for ColumnRef { name, position } in columns() {
        if !names.insert(name) || !positions.insert(position) {
            return Some(format!("column {name:?} at position {position} occurs twice"));
        }
        if position >= width {
            return Some(format!("column {name:?} is at position {position} of {width}"));
        }
    }
    if let Some(reason) = target_reason(target) {
        return Some(reason);
    }
    let told = |j: usize| matches!(features[j].reading, Reading::Missing { .. });
    let twice = |j: &usize| again(*j) && features[*j].reading.is_plain() && !told(*j - 1);
    if let Some(j) = (0..features.len()).find(twice) {
        return Some(format!("column {:?} occurs twice", features[j].column.name));
    }
    features.iter().find_map(|coding| {
        let ColumnCoding { column, kind, reading, steps, .. } = coding;
        let misplaced = steps.filter(|_| !coding.is_rounded() || parts.bits.is_none());
        let reason = kind_reason(kind)
            .or_else(|| reading_reason(kind, reading))
            .or_else(|| steps.and_then(|steps| steps.reason()))
            .or_else(|| misplaced.map(|_| "steps that have no meaning"));
        reason.map(|reason| format!("column {:?} has {reason}", column.name))
    })
}

fn target_reason(target: &TargetCoding) -> Option<String> {
    let classes = target.classes()?;
    let several = !matches!(target, TargetCoding::Classes { .. });
    if several && !(3..=LEVELS).contains(&classes.len()) {
        return Some(format!("expected 3 to {LEVELS} classes, found {}", classes.len()));
    }
    // Of two classes, the user may choose which is +1.
    let in_order = match classes {
        [one, other] => one != other,
        classes => in_order(classes),
    };
    if !in_order {
        return Some(format!("the classes {classes:?} are out of order"));
    }
    match target {
        TargetCoding::Against { class, .. } if *class >= classes.len() => {
            Some(format!("class {class} of {}", classes.len()))
        }
        _ => None,
    }
}

fn kind_reason(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Number { fill } => fill.and_then(out_of_range).map(|_| "a fill that is out of range"),
        Kind::Category { levels, .. } if levels.is_empty() => Some("no levels"),
        Kind::Category { levels, .. } if levels.len() > LEVELS => Some("too many levels"),
        Kind::Category { levels, .. } if !in_order(levels) => Some("levels out of order"),
        Kind::Category { levels, fill } => {
            let unknown = fill.as_ref().is_some_and(|fill| !levels.contains(fill));
            unknown.then_some("a fill that is no level")
        }
    }
}

fn reading_reason(kind: &Kind, reading: &Reading) -> Option<&'static str> {
    match (kind, reading) {
        (_, Reading::Plain) => None,
        (Kind::Category { .. }, _) => Some("labels that are read as numbers"),
        (Kind::Number { fill }, Reading::Missing { .. } | Reading::Other { .. }) => {
            fill.map(|_| "a fill that has no meaning")
        }
        _ => None,
    }
}

/// Whether labels are distinct and sorted.
fn in_order(labels: &[String]) -> bool {
    let distinct = labels.iter().collect::<HashSet<_>>().len() == labels.len();
    distinct && sorted_labels(labels.iter().cloned()) == labels
}
