//! What training starts from: a [`Dataset`] with its coding, and the targets of all samples.

use std::borrow::Cow;

use super::{Dataset, Features, Split};
use crate::error::Error;
use crate::table::coding::{ColumnRef, LeftOut, Reason};
use crate::table::{Coding, CodingOptions, Table, TargetCoding};

/// A training set, the coding for the tables of its model, and the target and weight of every
/// sample.
#[derive(Debug, Clone)]
pub struct TrainingSet {
    coding: Coding,
    data: Dataset,
    y: Vec<f64>,
    counts: Option<Vec<f64>>,
    weights: Option<Vec<f64>>,
    split: Option<Split>,
}

impl TrainingSet {
    /// The training set of a table.
    pub fn of_table(table: &Table, options: &CodingOptions) -> Result<Self, Error> {
        Self::of_coding(Coding::fit(table, options)?, table)
    }

    /// The training set of a table with this coding.
    pub fn of_coding(coding: Coding, table: &Table) -> Result<Self, Error> {
        let (data, y) = (coding.dataset(table)?, coding.targets(table)?);
        let (counts, weights) = (coding.weights(table)?, coding.sample_weights(table)?);
        Ok(Self { coding, data, y, counts, weights, split: None })
    }

    /// The training set of one part of a table, and `X` and `y` of the other part.
    pub fn split_off(
        table: &Table,
        options: &CodingOptions,
        split: Split,
    ) -> Result<(Self, (Features, Vec<f64>)), Error> {
        let (kept, aside) = split.parts(table, options.target_position(table)?);
        if kept.is_empty() || aside.is_empty() {
            let (value, rows) = (split.fraction, table.rows());
            let problem =
                format!("`holdout={value}`: one of the two parts of {rows} rows would be empty");
            return Err(Error::Option { option: "holdout", problem });
        }
        let set = Self::of_table(&table.select(&kept), options)?;
        let aside = table.select(&aside);
        let features = set.coding.features(&aside);
        let held_out = features.and_then(|x| Ok((x, set.coding.targets(&aside)?)));
        let held_out = held_out.map_err(|error| Error::HeldOut(Box::new(error)))?;
        Ok((Self { split: Some(split), ..set }, held_out))
    }

    /// The training set of encoded rows, given `y` (see [`Coding::targets`]) and the weight of each
    /// sample, one by default.
    pub fn new(
        coding: Coding,
        x: Features,
        y: Vec<f64>,
        counts: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        let weights = coding.training_weights(&y, counts.clone());
        let data = coding.grouped(coding.rounded(x), &y, weights.as_deref())?;
        Ok(Self { coding, data, y, counts, weights, split: None })
    }

    /// The same samples without a column, and the features that are left.
    pub(crate) fn without(&self, column: &ColumnRef) -> Result<(Self, Vec<u32>), Error> {
        let (coding, features) = self.coding.without(column);
        let x = self.features().columns(&features);
        let data = coding.grouped(x, &self.y, self.weights())?;
        Ok((Self { coding, data, ..self.clone() }, features))
    }

    /// The same samples as the model with this coding reads them: without the columns that did not
    /// help it, and rounded to its steps.
    pub fn read_by(&self, coding: &Coding) -> Result<Cow<'_, Self>, Error> {
        let useless = coding.left_out().iter().filter(|out| out.reason == Reason::NoHelp);
        let mut set = Cow::Borrowed(self);
        for LeftOut { column, .. } in useless {
            if set.coding.columns().iter().any(|coding| coding.column == *column) {
                set = Cow::Owned(set.without(column)?.0);
            }
        }
        let steps = |coding: &Coding| coding.columns().iter().any(|column| column.steps.is_some());
        let alike = coding.dimension() == set.coding.dimension();
        if alike && steps(coding) && !steps(&set.coding) {
            let x = coding.rounded(set.features());
            let data = set.coding.grouped(x, &set.y, set.weights())?;
            set = Cow::Owned(Self { data, ..set.into_owned() });
        }
        Ok(set)
    }

    /// The same samples with numbers rounded to steps of at most `bits` bits.
    pub fn with_bits(&self, bits: u32) -> Result<Self, Error> {
        let x = self.features();
        let coding = self.coding.clone().with_bits(&x, bits)?;
        let set = Self::new(coding, x, self.y.clone(), self.counts.clone())?;
        Ok(Self { split: self.split, ..set })
    }

    /// The coding of the columns.
    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    /// The training set itself.
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// `y` of every sample (see [`Coding::targets`]).
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// The weight of every sample; one by default.
    pub fn counts(&self) -> Option<&[f64]> {
        self.counts.as_deref()
    }

    /// The weight of every sample in training; one by default. It differs from [`Self::counts`] if
    /// classes are balanced.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// How the samples were selected from their table, if some were held out.
    pub fn split(&self) -> Option<Split> {
        self.split
    }

    /// `X`, one row for each sample.
    pub fn features(&self) -> Features {
        let rows: Vec<usize> = self.data.row_of().iter().map(|&g| g as usize).collect();
        self.data.features().select(&rows)
    }

    /// Whether the target is a class.
    pub fn classifies(&self) -> bool {
        self.coding.target().classes().is_some()
    }

    /// Refuses a target of several classes, for tasks that need a single network.
    pub fn only(&self, what: &'static str) -> Result<&Dataset, Error> {
        match self.coding.target() {
            TargetCoding::Several { column, classes } => Err(Error::SeveralClasses {
                target: column.name.clone(),
                classes: classes.len(),
                what,
            }),
            _ => Ok(&self.data),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ReadOptions;

    fn table(text: &str) -> Table {
        Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
    }

    #[test]
    fn samples_are_what_the_table_has() {
        let table = table("a,w,y\n1,2,u\n1,1,v\n3,4,u\n5,1,v\n");
        let options = CodingOptions {
            weight_column: Some("w".into()),
            balanced: true,
            ..CodingOptions::default()
        };
        let set = TrainingSet::of_table(&table, &options).unwrap();
        assert_eq!(set.y(), [-1.0, 1.0, -1.0, 1.0]);
        assert_eq!(set.counts().unwrap(), [2.0, 1.0, 4.0, 1.0]);
        assert_eq!(set.weights(), set.coding().sample_weights(&table).unwrap().as_deref());
        assert_eq!((set.data().samples(), set.data().distinct()), (4, 3));
        assert_eq!(set.features(), set.coding().features(&table).unwrap());
        assert!(set.classifies() && set.split().is_none() && set.only("a path follows").is_ok());
    }

    #[test]
    fn several_classes_have_several_networks() {
        let table = table("a,y\n1,u\n2,v\n3,w\n4,u\n");
        let set = TrainingSet::of_table(&table, &CodingOptions::default()).unwrap();
        assert_eq!((set.data().parts().len(), set.y().len()), (3, 4));
        let error = set.only("a path follows").unwrap_err().to_string();
        let expected = "the target \"y\" has 3 classes, but a path follows one network: use a \
                        target \
                        with two values, such as one class and the rest";
        assert_eq!(error, expected);
    }

    #[test]
    fn a_part_is_held_out_unless_it_would_be_empty() {
        let rows: String = (0..20).map(|i| format!("{i},{}\n", i % 2)).collect();
        let (table, options) = (table(&format!("a,y\n{rows}")), CodingOptions::default());
        let split =
            |fraction| TrainingSet::split_off(&table, &options, Split { fraction, seed: 1 });
        let (set, aside) = split(0.2).unwrap();
        assert_eq!((set.y().len(), aside.1.len(), aside.0.rows()), (16, 4, 4));
        assert_eq!(set.split().map(|split| split.fraction), Some(0.2));
        let error = split(0.01).unwrap_err().to_string();
        assert_eq!(error, "`holdout=0.01`: one of the two parts of 20 rows would be empty");
    }
}
