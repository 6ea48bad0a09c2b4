//! Fewer neurons that answer nearly the same.
//!
//! The large network is the teacher: the few neurons of the small one are found by a squared Lasso program
//! whose targets are the large one's outputs, along its path down to the strength at which too many
//! neurons would be in use. If that strength alone brings in too many, the largest of them are kept. If
//! neurons pay for their inputs, they do so here. Those that are left are fitted to the outputs again, nearly
//! without a penalty.

use std::iter;
use std::ops::ControlFlow;

use super::{Chooser, solver};
use crate::arrangement::Dictionary;
use crate::data::{Dataset, Targets};
use crate::error::Error;
use crate::loss::LossKind;
use crate::program::{Beta, Constraints, LassoProgram};
use crate::solver::{ActiveSet, Solution};

/// The strengths of the path: how many, and the factor between two.
const PATH: (usize, f64) = (60, 0.855);
/// The strength of the last fit, as a part of the largest.
const LAST: f64 = 1e-5;

impl Chooser<'_> {
    /// Amplitudes of these neurons, all but `most` of them zero, and the output bias.
    pub(super) fn shrink(
        &self,
        data: &Dataset,
        neurons: &Dictionary,
        amplitudes: &[f64],
        offset: f64,
        most: usize,
    ) -> Result<(Vec<f64>, f64), Error> {
        let patterns = &neurons.patterns;
        let mut outputs = patterns.combine(amplitudes.iter().copied().enumerate());
        outputs.iter_mut().for_each(|u| *u += offset);
        let weights: Vec<f64> = data.targets().iter().map(|atoms| atoms.weight()).collect();
        let rows: Vec<u32> = (0..data.distinct() as u32).collect();
        let targets = Targets::grouped(data.distinct(), &rows, &outputs, Some(&weights))?;
        let constraints = Constraints { intercept: true, ..self.trainer.constraints };
        let one = Beta::new(1.0).expect("one is positive");
        let program = LassoProgram::new(patterns, &targets, LossKind::Squared, one)?;
        let costs = self.costs(neurons);
        let program = program.with_constraints(constraints).with_costs(costs.as_deref())?;
        let largest = program.beta_max();
        if largest == 0.0 || most == 0 {
            return Ok((vec![0.0; amplitudes.len()], offset));
        }
        let (count, step) = PATH;
        let strengths = iter::successors(Some(largest), |beta| Some(beta * step)).take(count);
        let betas = strengths.map(Beta::new).collect::<Result<Vec<_>, _>>()?;
        let solver = ActiveSet { slack: 1e-6, ..solver(1e-4, self.trainer.budget) };
        let used = |solution: &Solution| -> Vec<usize> {
            let size = solution.coefficients.len();
            (0..size).filter(|&j| solution.coefficients[j] != 0.0).collect()
        };
        let mut last: Option<Solution> = None;
        solver.path(&program, betas, |solution| {
            let count = used(&solution).len();
            if count <= most || last.as_ref().is_none_or(|last| used(last).is_empty()) {
                last = Some(solution);
            }
            if count > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let Some(solution) = last else { return Ok((vec![0.0; amplitudes.len()], offset)) };
        let mut kept = used(&solution);
        let size = |j: &usize| solution.coefficients[*j].abs();
        kept.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
        kept.truncate(most);
        kept.sort_unstable();
        let few = patterns.select(&kept);
        let few_costs: Option<Vec<f64>> =
            costs.as_ref().map(|c| kept.iter().map(|&j| c[j]).collect());
        let program = program.over(&few)?.with_beta(Beta::new(LAST * largest)?);
        let program = program.with_costs(few_costs.as_deref())?;
        let start: Vec<f64> = kept.iter().map(|&j| solution.coefficients[j]).collect();
        let fitted = solver.solve_from(&program, &start, solution.offset);
        let mut small = vec![0.0; amplitudes.len()];
        kept.iter().zip(&fitted.coefficients).for_each(|(&j, a)| small[j] = *a);
        Ok((small, fitted.offset))
    }
}
