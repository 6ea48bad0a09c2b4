//! What a report is about: a model, and the rows that it is looked at on.

use hardlim::Error;
use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::model::Model;
use hardlim::table::Table;
use hardlim::train::Importance;

/// A model with rows and what is known of both.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The name of the model.
    pub title: &'a str,
    /// The model.
    pub model: &'a Model,
    /// The name of the data.
    pub source: &'a str,
    /// `X`.
    pub features: Features,
    /// `y`, if the rows have targets.
    pub targets: Option<Vec<f64>>,
    /// The numbers of the rows that people see.
    pub numbers: Vec<u64>,
    /// The rows that were held out of training, if the data are the training data.
    pub held_out: Vec<usize>,
    /// How many rows the model was trained on, if that is known.
    pub training_rows: Option<usize>,
    /// What checking the certificate found.
    pub check: Option<&'a Check>,
    /// What is lost without each input, if it was proven.
    pub lost: Option<&'a Importance>,
    /// What was decided about the columns, one sentence each.
    pub notes: Vec<String>,
    /// The commands that make the model and the report again.
    pub commands: Vec<String>,
}

impl<'a> Subject<'a> {
    /// A model on the rows of a table, with or without targets.
    ///
    /// # Errors
    /// When the table has no row, or does not match the coding of the model.
    pub fn of_table(
        title: &'a str,
        model: &'a Model,
        table: &'a Table,
        check: Option<&'a Check>,
    ) -> Result<Self, Error> {
        let coding = model.coding();
        let targets = if coding.has_target(table) { Some(coding.targets(table)?) } else { None };
        let same = check.is_some_and(|check| check.parts().is_some());
        let held_out = match model.split().filter(|_| same) {
            Some(_) => model.new_rows(table),
            None => Vec::new(),
        };
        let file = table.source().rsplit(['/', '\\']).next().unwrap_or(table.source());
        Ok(Self {
            training_rows: targets.as_ref().and_then(|_| model.training_rows(table)),
            numbers: (0..table.rows()).map(|i| table.row_number(i)).collect(),
            held_out,
            ..Self::of_rows(title, model, file, coding.features(table)?, targets, check)?
        })
    }

    /// A model on encoded rows, which are numbered from 1.
    ///
    /// # Errors
    /// When there is no row.
    pub fn of_rows(
        title: &'a str,
        model: &'a Model,
        source: &'a str,
        features: Features,
        targets: Option<Vec<f64>>,
        check: Option<&'a Check>,
    ) -> Result<Self, Error> {
        let rows = features.rows();
        if rows == 0 {
            return Err(Error::NoSamples);
        }
        let same = check.is_some_and(|check| check.parts().is_some());
        Ok(Self {
            title,
            model,
            source,
            features,
            targets,
            numbers: (1..=rows as u64).collect(),
            held_out: Vec::new(),
            training_rows: same.then_some(rows),
            check,
            lost: None,
            notes: Vec::new(),
            commands: Vec::new(),
        })
    }

    /// The rows that predictions are scored on: those held out of training, otherwise all.
    pub(crate) fn scored(&self) -> Vec<usize> {
        match &self.held_out[..] {
            [] => (0..self.features.rows()).collect(),
            rows => rows.to_vec(),
        }
    }
}
