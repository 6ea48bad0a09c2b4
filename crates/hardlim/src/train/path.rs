//! Whole paths: the optimum for a decreasing sequence of strengths, on one dictionary.

use std::ops::ControlFlow;

use super::Trainer;
use crate::arrangement::evaluate;
use crate::data::{Dataset, Features};
use crate::error::Error;
use crate::loss::Loss as _;
use crate::program::Beta;
use crate::solver::Solution;

/// One strength on the path.
#[derive(Debug, Clone)]
pub struct PathPoint {
    /// `β`.
    pub beta: f64,
    /// `β / β_max`.
    pub ratio: f64,
    /// Coefficients, dual point and certificate.
    pub solution: Solution,
    /// `f(x)` on the training rows, distinct ones.
    pub output: Vec<f64>,
    /// `f(x)` on the rows held out.
    pub held_out: Vec<f64>,
}

/// `count` parts of one that fall by a constant factor, from one down to `least`.
pub fn geometric(least: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|k| least.powf(k as f64 / last)).collect()
}

impl Trainer<'_> {
    /// The optima at `β = ratio · β_max` for each ratio, on one sampled dictionary, each searched
    /// from the one before. `visit` sees them one by one, and may end the path.
    ///
    /// # Errors
    /// When the dictionary would not fit, or no pattern lowers the loss.
    pub fn path(
        &self,
        data: &Dataset,
        held_out: Option<&Features>,
        ratios: &[f64],
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.loss.check_targets(data.targets())?;
        let (_, dictionary) = self.draw(data)?;
        let program = self.lasso(&dictionary, data)?;
        let beta_max = program.beta_max();
        if beta_max == 0.0 {
            return Err(Error::NothingToFit);
        }
        let aside = held_out.map(|features| evaluate(features, &dictionary.witnesses));
        let betas =
            ratios.iter().map(|r| Beta::new(r * beta_max)).collect::<Result<Vec<_>, _>>()?;
        let mut ratios = ratios.iter();
        self.solver().path(&program, betas, |solution| {
            let ratio = *ratios.next().expect("one ratio for each strength");
            let combine = |patterns: &crate::pattern::PatternMatrix| {
                let nonzero = solution.coefficients.iter().copied().enumerate();
                let mut output = patterns.combine(nonzero.filter(|(_, a)| *a != 0.0));
                output.iter_mut().for_each(|u| *u += solution.offset);
                output
            };
            let (output, held_out) =
                (combine(&dictionary.patterns), aside.as_ref().map_or(Vec::new(), combine));
            let beta = ratio * beta_max;
            visit(PathPoint { beta, ratio, solution, output, held_out })
        });
        Ok(())
    }
}
