//! Rows that are features already, for callers that did not read a table.

use std::collections::HashSet;

use super::column::sorted_labels;
use super::{Coding, ColumnCoding, ColumnRef, Kind, Reading, Stored, TargetCoding, balance};
use crate::table::TableError;
use crate::table::error::Fault;
use crate::table::fields::Field;

impl TargetCoding {
    /// A target with these classes, two or more in any order; without labels, a number. Of two, the
    /// `positive` one is +1, or else the larger.
    ///
    /// # Errors
    /// When there is one class, too many classes, or the same class twice; when the positive class
    /// is none of two.
    pub fn of_labels(
        column: ColumnRef,
        labels: Option<&[String]>,
        positive: Option<&str>,
    ) -> Result<Self, TableError> {
        let fault = |fault: Fault| fault.at("y", None, Some(&column.name));
        let target = match labels {
            None => Self::Number { column: column.clone() },
            Some([value]) => return Err(fault(Fault::OneClass { value: value.clone() })),
            Some(labels) => Self::of_classes(column.clone(), sorted_labels(written(labels))),
        };
        match positive {
            Some(label) => target.with_positive(label, false).map_err(fault),
            None => Ok(target),
        }
    }

    /// The value of `y` for each of these labels.
    pub fn values_of(&self, labels: &[String]) -> Vec<f64> {
        let classes = self.classes().unwrap_or_default();
        let place = |label: &String| classes.iter().position(|class| class == label);
        let places = written(labels);
        places.iter().map(|label| place(label).map_or(f64::NAN, |k| self.value_of(k))).collect()
    }
}

/// Labels as a table would write them ([`Field::label`]); unchanged if that makes two of them
/// equal.
fn written(labels: &[String]) -> Vec<String> {
    let read = |label: &String| Field::parse(label).label().map_or(label.clone(), Into::into);
    let tidy: Vec<String> = labels.iter().map(read).collect();
    let distinct = tidy.iter().collect::<HashSet<_>>().len() == tidy.len();
    if distinct { tidy } else { labels.to_vec() }
}

impl Coding {
    /// The coding of a table of numbers. Every column is a feature under its name, except the last
    /// one, which is the target.
    ///
    /// # Errors
    /// When two columns have the same name, when there is no feature, or when the target is not the
    /// column after the features.
    pub fn of_numbers(
        names: Vec<String>,
        target: TargetCoding,
        balanced: bool,
    ) -> Result<Self, TableError> {
        let mut seen = HashSet::from([target.column().name.as_str()]);
        if let Some(name) = names.iter().find(|name| !seen.insert(name)) {
            return Err(Fault::DuplicateName.at("X", None, Some(name)));
        }
        let column = |(position, name)| ColumnCoding {
            column: ColumnRef { name, position },
            kind: Kind::Number { fill: None },
            reading: Reading::Plain,
            folded: None,
            steps: None,
        };
        let width = names.len() + 1;
        let features = names.into_iter().enumerate().map(column).collect();
        Stored { width, features, balanced, ..Stored::of_target(target) }
            .checked()
            .map_err(|reason| Fault::Other(reason).at("X", None, None))
    }

    /// The same coding of numbers, with these numbers in the place of missing values.
    pub(crate) fn with_fills(mut self, fills: impl Iterator<Item = f64>) -> Self {
        for (coding, fill) in self.0.features.iter_mut().zip(fills) {
            coding.kind = Kind::Number { fill: Some(fill) };
        }
        self
    }

    /// The training weights of samples, given `y` (see [`Coding::targets`]) and their own weights,
    /// one by default. If classes are balanced, the weights are scaled so that all classes have the
    /// same total.
    pub fn training_weights(&self, y: &[f64], weights: Option<Vec<f64>>) -> Option<Vec<f64>> {
        if !self.0.balanced {
            return weights;
        }
        let mut weights = weights.unwrap_or_else(|| vec![1.0; y.len()]);
        balance(y, &mut weights);
        Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, TrainingSet};
    use crate::table::{CodingOptions, Missing, ReadOptions, Table, Task};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn numbers_are_coded_as_those_of_a_table() {
        for (text, labels) in [
            ("a,b,y\n1,2,u\n3,4,v\n5,6,w\n1,2,v\n", Some(["v", "w", "u"].as_slice())),
            ("a,b,y\n1,2,10\n3,4,9\n5,6,9.0\n1,2,9\n", Some(["9.0", "10"].as_slice())),
            ("a,b,y\n1,2,0.5\n3,4,9\n5,6,-3\n1,2,9\n", None),
        ] {
            let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
            let balanced = labels.is_some();
            let task = if balanced { Task::Classify } else { Task::Regress };
            let options = CodingOptions { balanced, task, ..CodingOptions::default() };
            let read = Coding::fit(&table, &options).unwrap();
            let strict = CodingOptions { missing: Missing::Error, ..options };
            let column = read.target().column().clone();
            let labels = labels.map(names);
            let target = TargetCoding::of_labels(column, labels.as_deref(), None).unwrap();
            let coding = Coding::of_numbers(names(&["a", "b"]), target, balanced).unwrap();
            assert_eq!(coding, Coding::fit(&table, &strict).unwrap());
            let (x, y) = (read.features(&table).unwrap(), read.targets(&table).unwrap());
            assert_eq!(coding.clone().filling(&x), read);
            let made = TrainingSet::new(coding, x, y, None).unwrap();
            let expected = read.dataset(&table).unwrap();
            let prints = |data: &Dataset| -> Vec<_> {
                data.parts().iter().map(Dataset::fingerprint).collect()
            };
            assert_eq!(prints(made.data()), prints(&expected));
        }
    }

    #[test]
    fn every_label_has_its_value() {
        let column = || ColumnRef { name: "y".into(), position: 1 };
        let of = |labels: &[&str]| TargetCoding::of_labels(column(), Some(&names(labels)), None);
        let two = of(&["10", "9"]).unwrap();
        assert_eq!(two.values_of(&names(&["10", "9"])), [1.0, -1.0]);
        let three = of(&["b", "c", "a"]).unwrap();
        assert_eq!(three.values_of(&names(&["b", "c", "a"])), [1.0, 2.0, 0.0]);
        let alike = of(&["1", "1.0"]).unwrap();
        assert_eq!(alike.classes().unwrap(), ["1", "1.0"]);
        assert!(of(&["1"]).unwrap_err().to_string().contains("expected two classes, found one"));
    }

    #[test]
    fn names_are_distinct_and_there_are_features() {
        let target =
            || TargetCoding::Number { column: ColumnRef { name: "y".into(), position: 2 } };
        let error = |names| Coding::of_numbers(names, target(), false).unwrap_err().to_string();
        let twice = r#"cannot read X: column "a": two columns have this name"#;
        assert_eq!(error(names(&["a", "a"])), twice);
        assert!(error(names(&["a", "y"])).contains("\"y\": two columns"));
        assert!(Coding::of_numbers(Vec::new(), target(), false).is_err());
    }
}
