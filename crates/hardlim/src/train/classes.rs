//! Several classes: one problem for each class against the rest, on the same rows.
//!
//! All problems have the same `β`; a ratio refers to the largest `β_max` among them. Sampled patterns are
//! drawn once for all classes. A class that generates its patterns starts from those of the classes
//! before it.

use super::{Method, Strength, Trainer};
use crate::arrangement::Dictionary;
use crate::data::Dataset;
use crate::error::Error;
use crate::network::Cell;
use crate::network::recipe::Recipe;
use crate::pricing::Priced;
use crate::solver::Budget;

/// What problems on the same rows share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    sample: Option<(Recipe, Dictionary)>,
    patterns: Vec<Priced>,
}

impl Shared {
    /// Only these patterns.
    pub(super) fn starting_from(patterns: Vec<Priced>) -> Self {
        Self { sample: None, patterns }
    }

    /// The sample of patterns; it is drawn the first time.
    pub(super) fn drawn(
        &mut self,
        draw: impl FnOnce() -> Result<(Recipe, Dictionary), Error>,
    ) -> Result<(&Recipe, &Dictionary), Error> {
        if self.sample.is_none() {
            self.sample = Some(draw()?);
        }
        let (recipe, dictionary) = self.sample.as_ref().expect("drawn above");
        Ok((recipe, dictionary))
    }

    /// The patterns that earlier networks used.
    pub(super) fn patterns(&self) -> &[Priced] {
        &self.patterns
    }

    /// Keeps the patterns of a network for the next one.
    pub(super) fn keep(&mut self, cells: &[Cell]) {
        let known = cells.iter().filter_map(|cell| {
            let (pattern, hyperplane) = (cell.pattern.clone(), cell.witness.clone()?);
            // The price of a pattern depends on the dual point of the next problem, which is not known yet.
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
            Method::Sample | Method::Generate if !self.widths.is_empty() => {
                self.beta_max_deep(data)
            }
            Method::Complete => Ok(self.beta_max_complete(data)),
            Method::Generate => self.beta_max_generated(data),
            Method::Enumerate => self.beta_max_enumerated(data),
            _ => {
                let (_, dictionary) = shared.drawn(|| self.draw(data))?;
                let costs = dictionary.costs(self.input_cost);
                let program = self.lasso(&dictionary.patterns, data)?;
                Ok(program.with_costs(costs.as_deref())?.beta_max())
            }
        }
    }

    /// The same trainer with its share of the remaining time; `waiting` is the number of problems left.
    pub(super) fn share_of(&self, waiting: usize) -> Trainer<'a> {
        let deadline = self.budget.deadline.map(|(end, limit)| {
            let now = self.budget.now();
            (now + end.saturating_duration_since(now) / waiting.max(1) as u32, limit)
        });
        Trainer { budget: Budget { deadline, ..self.budget }, ..*self }
    }
}
