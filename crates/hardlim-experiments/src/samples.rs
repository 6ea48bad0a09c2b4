//! Rows with their targets, and the one training run that every experiment makes of them.

use hardlim::Error;
use hardlim::certificate::Scope;
use hardlim::data::builtin::Size;
use hardlim::data::{
    Cells, Coding, CodingOptions, Dataset, Features, ReadOptions, Table, TrainingSet,
};
use hardlim::model::Model;
use hardlim::network::Network;
use hardlim::network::score::accuracy;
use hardlim::train::{Request, Trained};

use crate::Context;

/// Features and targets, `±1` for classes; and how many rows at the end are for testing, where the set
/// comes in two parts.
#[derive(Debug, Clone)]
pub(crate) struct Samples {
    pub(crate) x: Features,
    pub(crate) y: Vec<f64>,
    pub(crate) test: Option<usize>,
}

impl Samples {
    /// A table, its last column the target.
    pub(crate) fn of(table: &Table) -> Result<Self, Error> {
        let coding = Coding::fit(table, &CodingOptions::default())?;
        Ok(Self { x: coding.features(table)?, y: coding.targets(table)?, test: None })
    }

    /// A built-in table; generated ones have this size.
    pub(crate) fn builtin(name: &str, size: Size) -> Result<Self, Error> {
        Self::of(&Table::open(name, &ReadOptions { size, ..ReadOptions::default() })?)
    }

    /// Gaussian points labelled by a teacher: so many to train on, and others to test on.
    pub(crate) fn teacher(
        name: &str,
        (n, d): (usize, usize),
        test: usize,
        seed: u64,
    ) -> Result<(Self, Self), Error> {
        let all = Self::builtin(name, Size { rows: n + test, features: d, seed })?;
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

    /// A coding for features that are numbers as they are. It is what models read tables by, and depends
    /// on their columns alone.
    fn coding(&self) -> Result<Coding, Error> {
        let column = || Cells::Numbers(vec![0.0, 1.0]);
        let columns = (0..=self.x.dimension()).map(|_| column()).collect();
        Coding::fit(&Table::unnamed("numbers", columns)?, &CodingOptions::default())
    }

    /// Trains, and says how many seconds it took.
    pub(crate) fn train(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<(Trained, f64), Error> {
        let (set, watch) = (self.training_set()?, context.watch());
        let trained = request.check(&set)?.train(&set, &watch)?;
        Ok((trained, watch.start.elapsed().as_secs_f64()))
    }

    /// What training starts from.
    pub(crate) fn training_set(&self) -> Result<TrainingSet, Error> {
        TrainingSet::new(self.coding()?, self.x.clone(), self.y.clone(), None)
    }

    /// The share of classes that a network answers.
    pub(crate) fn accuracy(&self, network: &Network) -> f64 {
        accuracy(&network.output(&self.x), &self.y)
    }

    /// How many rows there are of either class, the fewer first.
    pub(crate) fn classes(&self) -> (usize, usize) {
        let positive = self.y.iter().filter(|y| **y > 0.0).count();
        let negative = self.y.len() - positive;
        (positive.min(negative), positive.max(negative))
    }
}

/// The optimum of every network with ±1 targets, squared loss, no row of both classes and
/// `β ≤ min(n₊, n₋)`: `2β − (β²/2)(1/n₊ + 1/n₋)`.
pub(crate) fn closed_form(beta: f64, (fewer, more): (usize, usize)) -> f64 {
    2.0 * beta - 0.5 * beta * beta * (1.0 / fewer as f64 + 1.0 / more as f64)
}

/// The best bound that is proven: over the networks of the certificate's class, or over all.
pub(crate) fn lower_bound(model: &Model) -> f64 {
    let (certificate, global) = (model.certificate(), model.global());
    match certificate.scope() {
        Scope::Global => certificate.lower_bound().max(global.lower_bound()),
        Scope::Dictionary => global.lower_bound(),
    }
}
