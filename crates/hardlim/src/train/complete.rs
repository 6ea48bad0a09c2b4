//! Training by the complete program, for data on which every dichotomy is a pattern.

use super::{Proposal, Trainer, Units};
use crate::certificate::{Bound, Price};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::Loss as _;
use crate::network::Cell;
use crate::network::recipe::Recipe;
use crate::program::{Beta, CompleteProgram};
use crate::solver::StopReason;

impl Trainer<'_> {
    /// `β_max` over all dichotomies.
    pub(super) fn beta_max_complete(&self, data: &Dataset) -> f64 {
        let one = Beta::new(1.0).expect("one is positive");
        let program = CompleteProgram::new(data.targets(), self.loss, one);
        program.with_constraints(self.constraints).beta_max()
    }

    pub(super) fn propose_complete(&self, data: &Dataset) -> Result<Proposal, Error> {
        let program = |beta| {
            CompleteProgram::new(data.targets(), self.loss, beta).with_constraints(self.constraints)
        };
        let beta_max = self.beta_max_complete(data);
        let beta = self.strength.beta(beta_max)?;
        let solution = program(beta).solve();
        let dual = self.problem(data, beta).dual_point(program(beta).dual(&solution));
        let (cells, amplitudes): (Vec<_>, Vec<_>) = (solution.level_sets().into_iter())
            .map(|(pattern, a)| (Cell { pattern, witness: None }, a))
            .unzip();
        Ok(Proposal {
            patterns: cells.len(),
            proof: None,
            units: Units::Cells(cells),
            amplitudes,
            offset: solution.offset,
            price: Price { value: dual.complete_price(self.constraints), bound: Bound::Complete },
            dual,
            recipe: Recipe::Complete,
            beta,
            beta_max,
            beta_max_exact: !self.constraints.intercept || self.loss.is_smooth(),
            stop: StopReason::GapReached,
        })
    }
}
