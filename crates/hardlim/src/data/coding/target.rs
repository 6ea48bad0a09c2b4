//! The target: two classes or a number.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::column::{ColumnRef, number, odd_one_out, sorted_labels};
use super::options::Task;
use crate::data::cells::{Cell, Cells};
use crate::data::problem::Problem;
use crate::data::table::Table;
use crate::error::Error;

/// How the target becomes `y`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TargetCoding {
    /// Two classes.
    Classes {
        /// The column.
        column: ColumnRef,
        /// The label of −1 and the label of +1: the larger one, by value when both are numbers,
        /// by code point otherwise.
        classes: [String; 2],
    },
    /// A number, which is `y`.
    Number {
        /// The column.
        column: ColumnRef,
    },
}

impl TargetCoding {
    /// The column of the training table.
    pub fn column(&self) -> &ColumnRef {
        match self {
            Self::Classes { column, .. } | Self::Number { column } => column,
        }
    }

    /// The labels of −1 and +1, where there are classes.
    pub fn classes(&self) -> Option<&[String; 2]> {
        match self {
            Self::Classes { classes, .. } => Some(classes),
            Self::Number { .. } => None,
        }
    }

    /// What the target in column `j` of a table is.
    pub(super) fn fit(
        table: &Table,
        j: usize,
        categorical: bool,
        task: Task,
    ) -> Result<Self, Error> {
        let cells = &table.columns()[j].cells;
        let column = ColumnRef { name: table.columns()[j].name.clone(), position: j };
        let regress = match cells {
            Cells::Unusable(kind, _) => {
                return Err(table.column_error(j, Problem::Unusable(kind.clone())));
            }
            Cells::Mixed(..) if !categorical => return Err(odd_one_out(table, j)),
            Cells::Numbers(_) if !categorical => {
                Self::Number { column: column.clone() }.encode(table, j)?;
                task == Task::Regress || (task == Task::Auto && has_three_values(cells))
            }
            _ => task == Task::Regress,
        };
        let target = match regress {
            true => Self::Number { column },
            false => Self::Classes { column, classes: classes(table, j)? },
        };
        target.encode(table, j)?;
        Ok(target)
    }

    /// `y`, from column `j` of a table.
    pub(super) fn encode(&self, table: &Table, j: usize) -> Result<Vec<f64>, Error> {
        let missing = |i| table.cell_error(i, j, Problem::MissingValue { what: "target" });
        if let Cells::Unusable(kind, _) = &table.columns()[j].cells {
            return Err(table.column_error(j, Problem::Unusable(kind.clone())));
        }
        let value = |i: usize| match self {
            Self::Number { .. } => number(table, i, j)?.ok_or_else(|| missing(i)),
            Self::Classes { classes, .. } => {
                let label = table.cell(i, j).label().ok_or_else(|| missing(i))?;
                match classes.iter().position(|class| *class == label) {
                    Some(0) => Ok(-1.0),
                    Some(_) => Ok(1.0),
                    None => {
                        let got = label.into_owned();
                        let problem = Problem::UnknownClass { got, classes: classes.clone() };
                        Err(table.cell_error(i, j, problem))
                    }
                }
            }
        };
        (0..table.rows()).map(value).collect()
    }
}

fn has_three_values(cells: &Cells) -> bool {
    let first = cells.get(0);
    let mut others = cells.iter().filter(|&cell| cell != first);
    others.next().is_some_and(|second| others.any(|cell| cell != second))
}

/// The two labels of column `j`.
fn classes(table: &Table, j: usize) -> Result<[String; 2], Error> {
    let labels: BTreeSet<_> = table.columns()[j].cells.iter().filter_map(Cell::label).collect();
    let problem = match labels.len() {
        0 => return Err(table.column_error(j, Problem::NoValues)),
        1 => Problem::OneClass { value: labels.into_iter().next().unwrap_or_default().into() },
        2 => {
            let labels = sorted_labels(labels.into_iter().map(Into::into));
            return Ok(labels.try_into().expect("two labels"));
        }
        found => Problem::ManyClasses { found },
    };
    Err(table.column_error(j, problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn fit(cells: &[&str], task: Task) -> Result<TargetCoding, Error> {
        let cells = cells.iter().map(|text| Cell::parse(text)).collect();
        let table = Table::new("t", vec![Column { name: "y".into(), cells }]).unwrap();
        TargetCoding::fit(&table, 0, false, task)
    }

    fn classes_of(cells: &[&str]) -> [String; 2] {
        fit(cells, Task::Auto).unwrap().classes().unwrap().clone()
    }

    fn error(cells: &[&str], task: Task) -> String {
        let error = fit(cells, task).unwrap_err().to_string();
        error.strip_prefix("cannot read t: ").unwrap().to_owned()
    }

    #[test]
    fn the_larger_label_is_plus_one() {
        assert_eq!(classes_of(&["yes", "no", "no"]), ["no", "yes"]);
        assert_eq!(classes_of(&["1", "0", "1.0"]), ["0", "1"]);
        assert_eq!(classes_of(&["10", "9"]), ["9", "10"]);
    }

    #[test]
    fn three_numbers_are_a_number_and_two_are_classes() {
        let number = |cells: &[&str], task| fit(cells, task).unwrap().classes().is_none();
        assert!(number(&["1", "2", "3"], Task::Auto));
        assert!(!number(&["1", "2", "2"], Task::Auto));
        assert!(number(&["1", "2", "2"], Task::Regress));
        assert!(number(&["1", "1"], Task::Regress));
    }

    #[test]
    fn what_is_not_a_target_is_refused() {
        let (auto, classify, regress) = (Task::Auto, Task::Classify, Task::Regress);
        let one = r#"column "y": the target is always "1": expected two classes, found one"#;
        assert_eq!(error(&["1", "1.0"], auto), one);
        let many = r#"column "y": expected two classes, found 3"#;
        assert_eq!(error(&["a", "b", "c"], auto), many);
        assert_eq!(error(&["1", "2", "3"], classify), many);
        let text = r#"row 1, column "y": expected a number, got "a""#;
        assert_eq!(error(&["a", "b"], regress), text);
        let missing = r#"row 2, column "y": the target is missing"#;
        for cells in [["1", "", "2"], ["a", "?", "b"], ["", "", ""]] {
            let found = error(&cells, auto);
            assert!(found == missing || cells[0].is_empty() && found.ends_with("is missing"));
        }
        let range = r#"row 2, column "y": inf is out of range: expected a finite number"#;
        assert_eq!(error(&["1", "inf"], auto), range);
    }
}
