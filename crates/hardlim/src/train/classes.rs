//! Several classes: one problem for each class against the rest, on the same rows.
//!
//! All problems have the same `β`; a ratio refers to the largest `β_max` among them. Sampled
//! patterns are drawn once for all classes. A class that generates its patterns starts from those
//! of the classes before it.

use super::listed::Listed;
use super::{Method, Strength, Trainer};
use crate::arrangement::Subnetwork;
use crate::data::Dataset;
use crate::error::Error;
use crate::network::Cell;
use crate::pricing::Priced;

/// What the problems of several classes share: each adds to it and starts from it.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) sample: Option<Listed>,
    /// The patterns that earlier networks used.
    pub(super) patterns: Vec<Priced>,
    /// The rules of two conditions that they used.
    pub(super) rules: Vec<Priced<Subnetwork>>,
}

impl Shared {
    /// The dictionary of a trainer. A sample of neurons is the same for all problems, so it is
    /// drawn once.
    pub(super) fn listed(
        &mut self,
        trainer: &Trainer<'_>,
        data: &Dataset,
    ) -> Result<&Listed, Error> {
        let known = trainer.method != Method::Enumerate && trainer.widths.is_empty();
        if !known || self.sample.is_none() {
            self.sample = Some(trainer.listed(data)?);
        }
        Ok(self.sample.as_ref().expect("listed above"))
    }

    /// Keeps the patterns of a network for the next one.
    pub(super) fn keep(&mut self, cells: &[Cell]) {
        let known = cells.iter().filter_map(|cell| {
            let (pattern, hyperplane) = (cell.pattern.clone(), cell.witness.clone()?);
            // The price of a pattern depends on the dual point of the next problem, which is not
            // known yet.
            Some(Priced { hyperplane, pattern, value: 0.0 })
        });
        self.patterns.extend(known);
    }
}

impl<'a> Trainer<'a> {
    /// The same trainer with `β` itself instead of a ratio of the largest `β_max`.
    pub(super) fn with_one_strength(
        &self,
        problems: &[Dataset],
        shared: &mut Shared,
    ) -> Result<Trainer<'a>, Error> {
        let Strength::Ratio(_) = self.strength else { return Ok(*self) };
        let beta = self.strength.beta(self.largest_beta_max(problems, shared)?)?;
        Ok(Trainer { strength: Strength::Beta(beta), ..*self })
    }

    /// The largest `β_max` among several problems on the same rows.
    pub(super) fn largest_beta_max(
        &self,
        problems: &[Dataset],
        shared: &mut Shared,
    ) -> Result<f64, Error> {
        problems.iter().try_fold(0.0, |most, data| Ok(f64::max(most, self.beta_max(data, shared)?)))
    }

    fn beta_max(&self, data: &Dataset, shared: &mut Shared) -> Result<f64, Error> {
        match self.method {
            Method::Complete => Ok(self.beta_max_complete(data)),
            Method::Generate if self.widths.is_empty() || self.has_two_conditions() => {
                self.beta_max_generated(data)
            }
            Method::Generate => self.beta_max_subnetworks(data),
            _ => self.beta_max_listed(data, shared.listed(self, data)?),
        }
    }
}
