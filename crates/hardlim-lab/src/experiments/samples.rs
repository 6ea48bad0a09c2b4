//! Rows with their targets, and the training run that all experiments share.

use hardlim::Error;
use hardlim::certificate::Scope;
use hardlim::data::{Dataset, Features, TrainingSet};
use hardlim::explain::score::accuracy;
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::network::Network;
use hardlim::program::Beta;
use hardlim::table::builtin::TableSize;
use hardlim::table::{Coding, CodingOptions, Fields, Missing, ReadOptions, Table};
use hardlim::train::{Request, Trained};
use serde_json::{Value, json};

use crate::baseline::{self, Baseline, Visit};
use crate::experiments::Context;

/// Features and targets, `±1` for classes. If the set has a separate test part, it is at the end.
#[derive(Debug, Clone)]
pub(crate) struct Samples {
    pub(crate) x: Features,
    pub(crate) y: Vec<f64>,
    pub(crate) test: Option<usize>,
}

impl Samples {
    /// The samples of a table; the last column is the target.
    pub(crate) fn of(table: &Table) -> Result<Self, Error> {
        let options = CodingOptions { keep_all: true, ..CodingOptions::default() };
        let coding = Coding::fit(table, &options)?;
        Ok(Self { x: coding.features(table)?, y: coding.targets(table)?, test: None })
    }

    /// A built-in table; generated tables have this size.
    pub(crate) fn builtin(name: &str, size: TableSize) -> Result<Self, Error> {
        Self::of(&Table::open(name, &ReadOptions { size, ..ReadOptions::default() })?)
    }

    /// Gaussian points with the labels of a teacher: a training set and a test set.
    pub(crate) fn teacher(
        name: &str,
        (n, d): (usize, usize),
        test: usize,
        seed: u64,
    ) -> Result<(Self, Self), Error> {
        let all = Self::builtin(name, TableSize { rows: n + test, features: d, seed })?;
        Ok((
            all.select(&(0..n).collect::<Vec<_>>()),
            all.select(&(n..n + test).collect::<Vec<_>>()),
        ))
    }

    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        let y = rows.iter().map(|&i| self.y[i]).collect();
        Self { x: self.x.select(rows), y, test: None }
    }

    pub(crate) fn dataset(&self) -> Result<Dataset, Error> {
        Dataset::new(self.x.clone(), &self.y, None)
    }

    /// A coding that uses all features as numbers. It depends on the columns alone.
    fn coding(&self) -> Result<Coding, Error> {
        let column = || Fields::Numbers(vec![0.0, 1.0]);
        let columns = (0..=self.x.dimension()).map(|_| column()).collect();
        let missing = Missing::Error;
        let options = CodingOptions { keep_all: true, missing, ..CodingOptions::default() };
        Ok(Coding::fit(&Table::unnamed("numbers", columns)?, &options)?)
    }

    /// Trains a network. The record has what all experiments want to know about it.
    pub(crate) fn train(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<(Network, Value), Error> {
        let set = TrainingSet::new(self.coding()?, self.x.clone(), self.y.clone(), None)?;
        let watch = context.watch();
        let Trained { model, patterns, .. } = request.check(&set)?.train(&set, &watch)?;
        let (seconds, network) = (watch.start.elapsed(), model.first().network());
        let record = json!({
            "beta": model.beta().get(), "objective": model.certificate().objective(),
            "lower_bound": lower_bound(&model), "neurons": network.neurons(),
            "patterns": patterns, "train_seconds": seconds.as_secs_f64(),
        });
        Ok((network.clone(), record))
    }

    /// Trains a network by surrogate gradients, with the squared loss.
    pub(crate) fn descend(
        &self,
        baseline: &Baseline,
        beta: f64,
        context: &Context<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(baseline::Trained, Value), Error> {
        let (data, beta, loss) = (self.dataset()?, Beta::new(beta)?, LossKind::Squared);
        let found = baseline.train(&data, loss, beta, &context.budget, visit)?;
        let record = json!({
            "objective": found.rescaled, "raw": found.raw, "neurons": found.network.neurons(),
            "train_seconds": found.epochs.last().map_or(0.0, |epoch| epoch.seconds),
        });
        Ok((found, record))
    }

    pub(crate) fn accuracy(&self, network: &Network) -> f64 {
        accuracy(&network.output(&self.x), &self.y)
    }

    /// The number of rows of each class, the smaller number first.
    pub(crate) fn classes(&self) -> (usize, usize) {
        let positive = self.y.iter().filter(|y| **y > 0.0).count();
        let negative = self.y.len() - positive;
        (positive.min(negative), positive.max(negative))
    }
}

/// The optimum over all networks, `2β − (β²/2)(1/n₊ + 1/n₋)`, for targets ±1, the squared loss, no
/// row in both classes, and `β ≤ min(n₊, n₋)`.
pub(crate) fn closed_form(beta: f64, (fewer, more): (usize, usize)) -> f64 {
    2.0 * beta - 0.5 * beta * beta * (1.0 / fewer as f64 + 1.0 / more as f64)
}

pub(crate) fn score(record: &mut Value, network: &Network, train: &Samples, test: &Samples) {
    record["train_accuracy"] = json!(train.accuracy(network));
    record["test_accuracy"] = json!(test.accuracy(network));
}

/// The better lower bound of both certificates.
fn lower_bound(model: &Model) -> f64 {
    let (certificate, global) = (model.certificate(), model.global());
    match certificate.scope() {
        Scope::Global => certificate.lower_bound().max(global.lower_bound()),
        Scope::Dictionary => global.lower_bound(),
    }
}
