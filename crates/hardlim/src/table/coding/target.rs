//! The target: two classes, several, or a number.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::column::{ColumnRef, LEVELS, number, odd_one_out, refuse_merged, sorted_labels};
use super::form::{self, Form};
use super::levels::Places;
use super::options::Task;
use super::reading::written;
use crate::table::error::Fault;
use crate::table::fields::{Field, Fields};
use crate::table::reading::notation::{Commas, Written};
use crate::table::{Table, TableError};

/// The most values that a text target may have to be taken for classes by default. A column with
/// more values is more likely a name or an identifier.
pub(crate) const FEW_CLASSES: usize = 20;

/// How the target becomes `y`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TargetCoding {
    /// Two classes.
    Classes {
        /// The column.
        column: ColumnRef,
        /// The labels of −1 and of +1. Unless the user chose it, the label of +1 is the larger one:
        /// by value when both are numbers, by code point otherwise.
        classes: [String; 2],
    },
    /// Three classes or more; `y` is the index of the class, from 0.
    Several {
        /// The column.
        column: ColumnRef,
        /// The labels in order: by value when all are numbers, by code point otherwise.
        classes: Vec<String>,
    },
    /// One of several classes against the rest: `y` is +1 for it and −1 for every other.
    Against {
        /// The column.
        column: ColumnRef,
        /// The labels of all classes, in order.
        classes: Vec<String>,
        /// The index of the class.
        class: usize,
    },
    /// A number; it is `y`.
    Number {
        /// The column.
        column: ColumnRef,
    },
}

impl TargetCoding {
    /// The column of the training table.
    pub fn column(&self) -> &ColumnRef {
        match self {
            Self::Classes { column, .. }
            | Self::Several { column, .. }
            | Self::Against { column, .. }
            | Self::Number { column } => column,
        }
    }

    /// The labels, if there are classes. With two classes, the label of −1 comes first.
    pub fn classes(&self) -> Option<&[String]> {
        match self {
            Self::Classes { classes, .. } => Some(classes),
            Self::Several { classes, .. } | Self::Against { classes, .. } => Some(classes),
            Self::Number { .. } => None,
        }
    }

    /// The labels of a negative output and of an output of at least zero, if outputs have such
    /// labels.
    pub fn answers(&self) -> Option<[String; 2]> {
        match self {
            Self::Classes { classes, .. } => Some(classes.clone()),
            Self::Against { classes, class, .. } => {
                let class = &classes[*class];
                Some([format!("not {class}"), class.clone()])
            }
            Self::Several { .. } | Self::Number { .. } => None,
        }
    }

    /// Classes in order, two or more.
    pub(super) fn of_classes(column: ColumnRef, classes: Vec<String>) -> Self {
        match <[String; 2]>::try_from(classes) {
            Ok(classes) => Self::Classes { column, classes },
            Err(classes) => Self::Several { column, classes },
        }
    }

    /// The label of +1, if the user chose it against the order of the classes.
    pub(crate) fn chosen(&self) -> Option<&str> {
        match self {
            Self::Classes { classes, .. } if sorted_labels(classes.clone()) != *classes => {
                Some(&classes[1])
            }
            _ => None,
        }
    }

    /// The same, where the class with this label is +1. The case of letters may have no meaning.
    pub(super) fn with_positive(self, label: &str, any_case: bool) -> Result<Self, Fault> {
        let found = match self {
            Self::Classes { column, mut classes } => {
                let places = Places::new(&classes, any_case);
                let written = Field::parse(label).label().and_then(|label| places.get(&label));
                let Some(place) = places.get(label).or(written) else {
                    let (got, classes) = (label.to_owned(), classes.to_vec());
                    return Err(Fault::NoSuchClass { got, classes });
                };
                if place == 0 {
                    classes.reverse();
                }
                return Ok(Self::Classes { column, classes });
            }
            Self::Number { .. } => "is a number".to_owned(),
            Self::Several { classes, .. } | Self::Against { classes, .. } => {
                format!("has {} classes", classes.len())
            }
        };
        Err(Fault::NotTwoClasses { found })
    }

    /// One of several classes against the rest.
    pub(super) fn against_rest(&self, class: usize) -> Self {
        let Self::Several { column, classes } = self else { panic!("there are several classes") };
        assert!(class < classes.len(), "class {class} of {}", classes.len());
        Self::Against { column: column.clone(), classes: classes.clone(), class }
    }

    /// Finds out what the target in column `j` of a table is, and how its numbers are written if
    /// they are not plain.
    pub(super) fn read(
        table: &Table,
        j: usize,
        categorical: bool,
        task: Task,
        commas: Commas,
    ) -> Result<(Self, Option<Written>), TableError> {
        let fields = &table.columns()[j].fields;
        // Few numbers with one unit may be classes, as `1A`, `2A` and `3A`.
        let are_numbers = |found: &Written| match found.notation.unit {
            None => has_three_values(fields),
            Some(_) => fields.texts().nth(FEW_CLASSES).is_some(),
        };
        if task != Task::Classify
            && let Form::Written(found) = Form::of(table, j, categorical, commas)
            && (task == Task::Regress || are_numbers(&found))
        {
            refuse_merged(table, j, false)?;
            let column = ColumnRef::of(table, j);
            for i in 0..table.rows() {
                let value = written(table, i, j, &found.notation)?;
                let missing = Fault::MissingValue { what: "target" };
                value.ok_or_else(|| table.field_error(i, j, missing))?;
            }
            return Ok((Self::Number { column }, Some(found)));
        }
        Ok((Self::fit(table, j, categorical, task)?, None))
    }

    /// Finds out what the target in column `j` of a table is.
    pub(super) fn fit(
        table: &Table,
        j: usize,
        categorical: bool,
        task: Task,
    ) -> Result<Self, TableError> {
        refuse_merged(table, j, categorical)?;
        let fields = &table.columns()[j].fields;
        let column = ColumnRef::of(table, j);
        let regress = match fields {
            Fields::Unusable(kind, _) => {
                return Err(table.column_error(j, Fault::Unusable(kind.clone())));
            }
            Fields::Mixed(..) if !categorical => return Err(odd_one_out(table, j)),
            Fields::Numbers(_) if !categorical => {
                Self::Number { column: column.clone() }.encode(table, j, false)?;
                task == Task::Regress || (task == Task::Auto && has_three_values(fields))
            }
            _ => task == Task::Regress,
        };
        let target = if regress {
            Self::Number { column }
        } else {
            Self::of_classes(column, classes(table, j, categorical, task)?)
        };
        target.encode(table, j, !categorical)?;
        Ok(target)
    }

    /// `y` from column `j` of a table, where the case of letters may have no meaning.
    pub(super) fn encode(
        &self,
        table: &Table,
        j: usize,
        any_case: bool,
    ) -> Result<Vec<f64>, TableError> {
        let missing = |i| table.field_error(i, j, Fault::MissingValue { what: "target" });
        if let Fields::Unusable(kind, _) = &table.columns()[j].fields {
            return Err(table.column_error(j, Fault::Unusable(kind.clone())));
        }
        let Some(classes) = self.classes() else {
            let value = |i: usize| number(table, i, j)?.ok_or_else(|| missing(i));
            return (0..table.rows()).map(value).collect();
        };
        let places = Places::new(classes, any_case);
        let value = |i: usize| {
            let label = table.field(i, j).label().ok_or_else(|| missing(i))?;
            match places.get(&label) {
                Some(k) => Ok(self.value_of(k)),
                None => {
                    let got = label.into_owned();
                    let fault = Fault::UnknownClass { got, classes: classes.to_vec() };
                    Err(table.field_error(i, j, fault))
                }
            }
        };
        (0..table.rows()).map(value).collect()
    }

    /// `y` for a sample of class `k`.
    pub(crate) fn value_of(&self, k: usize) -> f64 {
        let of = |positive: bool| if positive { 1.0 } else { -1.0 };
        match self {
            Self::Classes { .. } => of(k == 1),
            Self::Against { class, .. } => of(k == *class),
            Self::Several { .. } | Self::Number { .. } => k as f64,
        }
    }
}

fn has_three_values(fields: &Fields) -> bool {
    let first = fields.get(0);
    let mut others = fields.iter().filter(|&field| field != first);
    others.next().is_some_and(|second| others.any(|field| field != second))
}

/// The number of values of a target, if there are three to ten whole numbers and far more rows.
pub(super) fn few_whole_values(numbers: &[f64]) -> Option<usize> {
    /// The most whole numbers that may be meant as classes.
    const FEW: usize = 10;
    /// How many rows there are for each of them, at least.
    const ROWS: usize = 5;
    let mut values = HashSet::new();
    for v in numbers {
        values.insert(v.to_bits());
        if v.fract() != 0.0 || values.len() > FEW {
            return None;
        }
    }
    let found = values.len();
    (found >= 3 && found * ROWS <= numbers.len()).then_some(found)
}

fn classes(
    table: &Table,
    j: usize,
    categorical: bool,
    task: Task,
) -> Result<Vec<String>, TableError> {
    let fields = &table.columns()[j].fields;
    let form = if categorical { Form::Given } else { Form::Labels };
    let labels = form::level_counts(table, j, &form).0;
    let limit = if task == Task::Classify { LEVELS } else { FEW_CLASSES };
    let fault = match labels.len() {
        0 => return Err(table.column_error(j, Fault::NoValues)),
        1 => Fault::OneClass { value: labels.into_keys().next().unwrap_or_default() },
        found if found > limit => Fault::ManyClasses { found, limit },
        found => {
            let broken = |field: Field<'_>| matches!(field, Field::Number(v) if v.fract() != 0.0);
            // Many values that are not whole numbers are measurements, not classes.
            if let Some(i) = fields.iter().position(broken).filter(|_| found > 2 && !categorical) {
                let got = fields.get(i).label().unwrap_or_default().into_owned();
                return Err(table.field_error(i, j, Fault::BrokenClass { got, found }));
            }
            return Ok(sorted_labels(labels.into_keys()));
        }
    };
    Err(table.column_error(j, fault))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn fit(fields: &[&str], task: Task) -> Result<TargetCoding, TableError> {
        let fields = fields.iter().map(|text| Field::parse(text)).collect();
        let table = Table::new("t", vec![Column { name: "y".into(), fields }]).unwrap();
        TargetCoding::fit(&table, 0, false, task)
    }

    fn classes_of(fields: &[&str]) -> Vec<String> {
        fit(fields, Task::Auto).unwrap().classes().unwrap().to_vec()
    }

    fn error(fields: &[&str], task: Task) -> String {
        let error = fit(fields, task).unwrap_err().to_string();
        error.strip_prefix("cannot read t: ").unwrap().to_owned()
    }

    #[test]
    fn the_larger_label_is_plus_one() {
        assert_eq!(classes_of(&["yes", "no", "no"]), ["no", "yes"]);
        assert_eq!(classes_of(&["1", "0", "1.0"]), ["0", "1"]);
        assert_eq!(classes_of(&["10", "9"]), ["9", "10"]);
    }

    #[test]
    fn either_of_two_classes_can_be_plus_one() {
        let turned = |label: &str| {
            let target = fit(&["No", "yes", "no"], Task::Auto).unwrap();
            target.with_positive(label, true).map(|target| target.classes().unwrap().join(" "))
        };
        assert_eq!(turned("no").unwrap(), "yes No");
        assert_eq!(turned("yes").unwrap(), "No yes");
        let unknown = turned("maybe").unwrap_err().to_string();
        assert_eq!(unknown, r#"`positive` is no class: expected "No" or "yes", got "maybe""#);
        let numbers = fit(&["1", "0"], Task::Auto).unwrap().with_positive("0.0", false).unwrap();
        assert_eq!(numbers.classes().unwrap(), ["1", "0"]);
        let of = |fields: &[&str]| fit(fields, Task::Auto).unwrap().with_positive("a", false);
        let several = of(&["a", "b", "c"]).unwrap_err().to_string();
        assert_eq!(several, "`positive` chooses between two classes, and the target has 3 classes");
        assert!(of(&["1", "2", "3"]).unwrap_err().to_string().ends_with("is a number"));
    }

    #[test]
    fn three_numbers_are_a_number_and_two_are_classes() {
        let number = |fields: &[&str], task| fit(fields, task).unwrap().classes().is_none();
        assert!(number(&["1", "2", "3"], Task::Auto));
        assert!(!number(&["1", "2", "2"], Task::Auto));
        assert!(number(&["1", "2", "2"], Task::Regress));
        assert!(number(&["1", "1"], Task::Regress));
    }

    #[test]
    fn several_classes_are_numbered_in_order_and_one_is_set_against_the_rest() {
        let fit = |fields: &[&str], task| {
            let fields = fields.iter().map(|text| Field::parse(text)).collect();
            let table = Table::new("t", vec![Column { name: "y".into(), fields }]).unwrap();
            let target = TargetCoding::fit(&table, 0, false, task).unwrap();
            let y = target.encode(&table, 0, true).unwrap();
            (table, target, y)
        };
        let (table, target, y) = fit(&["b", "c", "a", "b"], Task::Auto);
        assert_eq!(
            (target.classes().unwrap().join(","), y),
            ("a,b,c".into(), vec![1., 2., 0., 1.])
        );
        let one = target.against_rest(1);
        assert_eq!(one.encode(&table, 0, true).unwrap(), [1.0, -1.0, -1.0, 1.0]);
        assert_eq!(one.answers().unwrap(), ["not b", "b"]);
        assert!(target.answers().is_none());
        let (_, target, y) = fit(&["10", "9", "-1", "9.0"], Task::Classify);
        assert_eq!(target.classes().unwrap(), ["-1", "9", "10"]);
        assert_eq!(y, [2.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn what_is_not_a_target_is_refused() {
        let (auto, classify, regress) = (Task::Auto, Task::Classify, Task::Regress);
        let one = r#"column "y": the target is always "1": expected two classes, found one"#;
        assert_eq!(error(&["1", "1.0"], auto), one);
        let broken = r#"row 2, column "y": 2.5 is one of 3 values and not a whole number"#;
        assert!(error(&["1", "2.5", "3"], classify).starts_with(broken));
        let names: Vec<String> = (0..1001).map(|k| format!("n{k}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let many = r#"column "y": found 21 classes, more than the 20"#;
        assert!(error(&names[..21], auto).starts_with(many));
        assert_eq!(fit(&names[..21], classify).unwrap().classes().unwrap().len(), 21);
        assert!(error(&names, classify).contains("found 1001 classes, more than the 1000"));
        let text = r#"row 1, column "y": expected a number, got "a""#;
        assert_eq!(error(&["a", "b"], regress), text);
        let missing = r#"row 2, column "y": the target is missing"#;
        for fields in [["1", "", "2"], ["a", "?", "b"], ["", "", ""]] {
            let found = error(&fields, auto);
            assert!(found == missing || fields[0].is_empty() && found.ends_with("is missing"));
        }
        let range = r#"row 2, column "y": inf is out of range: expected a finite number"#;
        assert_eq!(error(&["1", "inf"], auto), range);
    }
}
