//! Several classes, one network for each.
//!
//! For every class `c` there is a problem of its own, that class against the rest:
//! `min L_c(f_c(X)) + β Σ|aⱼ|`, with `+1` for the samples of the class and `−1` for all others, and one
//! `β` for all. Each has its network and its certificate, and objectives and bounds add up. The answer
//! for a sample is the class of the largest output, the first among equals.

use super::cell::{Grid, LayerChange, Rechoice};
use super::model::{Check, Model};
use super::score::largest;
use crate::certificate::Certificate;
use crate::data::{Coding, Dataset, Features, Table};
use crate::error::Error;
use crate::loss::LossKind;

/// One model for each of several classes, that class against the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    coding: Coding,
    models: Vec<Model>,
}

impl Classifier {
    /// The classifier of these models, in the order of the classes.
    ///
    /// # Errors
    /// When there is not one model for each class, or they are not about the same problem.
    pub fn new(coding: Coding, models: Vec<Model>) -> Result<Self, Error> {
        let expected = coding.target().classes().map_or(0, <[String]>::len);
        if models.len() != expected || expected < 3 {
            let (what, found) = ("models, one for each class", models.len());
            return Err(Error::Length { what, expected: expected.max(3), found });
        }
        let shared = |m: &Model| (m.split, m.loss, m.beta, m.bias, m.constraints);
        for (class, model) in models.iter().enumerate() {
            if shared(model) != shared(&models[0]) || model.coding != coding.against_rest(class) {
                let reason = format!("the model of class {class} is about another problem");
                return Err(Error::Damaged { what: "classifier", reason });
            }
        }
        Ok(Self { coding, models })
    }

    /// How a table becomes features and classes.
    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    /// The labels of the classes, in order.
    pub fn classes(&self) -> &[String] {
        self.coding.target().classes().expect("a classifier has classes")
    }

    /// The models, one for each class.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// How many output weights are not zero, in all networks.
    pub fn neurons(&self) -> usize {
        self.models.iter().map(|model| model.network.neurons()).sum()
    }

    /// What is proven about all networks together, over the scope of their recipes.
    pub fn certificate(&self) -> Certificate {
        self.sum(|model| model.certificate)
    }

    /// What is proven about all networks together, over all networks of any width and depth.
    pub fn global(&self) -> Certificate {
        self.sum(|model| model.global)
    }

    fn sum(&self, certificate: impl Fn(&Model) -> Certificate) -> Certificate {
        let parts: Vec<Certificate> = self.models.iter().map(certificate).collect();
        Certificate::sum(&parts).expect("a classifier has models")
    }

    /// `f_c(x)` for every row of a table, with or without the target column, and every class.
    ///
    /// # Errors
    /// When the table lacks a feature or holds a value that has no coding.
    pub fn outputs(&self, table: &Table) -> Result<Vec<Vec<f64>>, Error> {
        Ok(self.outputs_of(&self.coding.features(table)?))
    }

    /// `f_c(x)` for every row of a matrix and every class.
    pub fn outputs_of(&self, features: &Features) -> Vec<Vec<f64>> {
        let outputs: Vec<Vec<f64>> =
            self.models.iter().map(|m| m.network.output_merged(features.clone())).collect();
        let of_row = |i: usize| outputs.iter().map(|output| output[i]).collect();
        (0..features.rows()).map(of_row).collect()
    }

    /// The class that outputs stand for.
    pub fn answer(&self, outputs: &[f64]) -> &str {
        &self.classes()[largest(outputs)]
    }

    /// The probabilities that the outputs of a sample stand for, where the loss gives them a meaning:
    /// with the logistic loss `1/(1 + exp(−u_c))`, divided by their sum.
    pub fn probabilities(&self, outputs: &[f64]) -> Option<Vec<f64>> {
        let LossKind::Logistic = self.models[0].loss else { return None };
        // The same up to a factor, the largest being at least ½: no sum vanishes.
        let most = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(0.0);
        let share = |u: f64| 1.0 / (most.exp() + (most - u).exp());
        let sum: f64 = outputs.iter().map(|&u| share(u)).sum();
        Some(outputs.iter().map(|&u| share(u) / sum).collect())
    }

    /// The samples of the table that the models were trained on, one set for each class.
    ///
    /// # Errors
    /// When the table does not fit the coding.
    pub fn training_data(&self, table: &Table) -> Result<Vec<Dataset>, Error> {
        match &self.models[0].split {
            None => self.coding.datasets(table),
            Some(split) => {
                let target = self.coding.target().column();
                let (kept, _) = split.parts(table, self.coding.locate(table, target)?);
                self.coding.datasets(&table.select(&kept))
            }
        }
    }

    /// The same classifier with other weights inside the cells, and what changed in each layer of
    /// each class. Where inputs are in fixed point, they have the same width for every class.
    ///
    /// # Errors
    /// As for [`Model::rechoose`], or when there is not one set for each class.
    pub fn rechoose(
        &self,
        data: &[Dataset],
        rechoice: &Rechoice<'_>,
    ) -> Result<(Self, Vec<Vec<LayerChange>>), Error> {
        self.check_sets(data)?;
        let mut rechoice = *rechoice;
        loop {
            let pairs = self.models.iter().zip(data);
            let (models, changes): (Vec<Model>, Vec<_>) = pairs
                .map(|(model, data)| model.rechoose(data, &rechoice))
                .collect::<Result<Vec<_>, Error>>()?
                .into_iter()
                .unzip();
            let bits = || models.iter().filter_map(|m| m.network.grid()).map(Grid::bits);
            if bits().max() == bits().min() {
                return Ok((Self::new(self.coding.clone(), models)?, changes));
            }
            rechoice.input_bits = bits().max();
        }
    }

    /// Checks the certificate of every class again, with so many bytes for a dictionary.
    ///
    /// # Errors
    /// As for [`Model::certify_within`], or when there is not one set for each class.
    pub fn certify_within(&self, data: &[Dataset], memory: u64) -> Result<Vec<Check>, Error> {
        self.check_sets(data)?;
        self.models.iter().zip(data).map(|(m, data)| m.certify_within(data, memory)).collect()
    }

    fn check_sets(&self, data: &[Dataset]) -> Result<(), Error> {
        let (expected, found) = (self.models.len(), data.len());
        match expected == found {
            true => Ok(()),
            false => Err(Error::Length { what: "data sets", expected, found }),
        }
    }
}
