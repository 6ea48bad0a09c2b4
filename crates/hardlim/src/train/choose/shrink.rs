//! Fewer neurons that answer nearly the same.
//!
//! The large network is the teacher. A squared Lasso program whose targets are the large one's outputs gives the
//! neurons: its path ends at the strength at which too many would be in use. Or it gives some more than are asked
//! for, and of these the one without which least squares loses least goes, again and again ([`Elimination`]). If
//! neurons pay for their inputs, they do so here. Those that are left are fitted to the outputs again, nearly
//! without a penalty. Or they are exchanged for better ones ([`Exchange`]): for the outputs, or for the targets themselves.
//! Cross-validation decides between these ways ([`Way`]), because none is best on all data.

use std::iter;
use std::ops::ControlFlow;

use super::eliminate::Elimination;
use super::exchange::{Exchange, Few, Source};
use super::{Chooser, solver};
use crate::arrangement::Dictionary;
use crate::data::{Dataset, Targets};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::network::Network;
use crate::pattern::{PatternMatrix, Weighting};
use crate::pricing::Prover;
use crate::program::{Beta, Constraints, LassoProgram};
use crate::solver::{ActiveSet, Solution};

/// The strengths of the path: how many, and the factor between two.
const PATH: (usize, f64) = (60, 0.855);
/// How many times the neurons that are asked for the path brings in.
const MORE: usize = 4;
/// The strength of the last fit, as a part of the largest.
const LAST: f64 = 1e-5;
/// The strength of exchanges, as a part of the largest: outputs stay finite even if no row is wrong.
const EXCHANGED: f64 = 1e-3;

/// How few neurons are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By elimination.
    Elimination,
    /// By elimination. Rows count as much as the logistic loss is curved there, so most near the boundary.
    AtTheBoundary,
    /// Along the path alone.
    Path,
    /// By elimination, then exchanged for the outputs of the large network.
    ForOutputs,
    /// By elimination, then exchanged for the targets.
    ForTargets,
}

impl Way {
    /// The ways for a loss, the usual one first. Exchanges need a smooth loss, and know no cost of inputs.
    pub(super) fn all(loss: LossKind, input_cost: f64) -> &'static [Self] {
        match loss {
            LossKind::Logistic if input_cost == 0.0 => &[
                Self::Elimination,
                Self::AtTheBoundary,
                Self::Path,
                Self::ForOutputs,
                Self::ForTargets,
            ],
            LossKind::Logistic => &[Self::Elimination, Self::AtTheBoundary, Self::Path],
            loss if loss.is_smooth() && input_cost == 0.0 => {
                &[Self::Elimination, Self::Path, Self::ForOutputs, Self::ForTargets]
            }
            _ => &[Self::Elimination, Self::Path],
        }
    }

    fn exchanges(self) -> bool {
        matches!(self, Self::ForOutputs | Self::ForTargets)
    }
}

impl Chooser<'_> {
    /// All ways to choose few neurons.
    pub(super) fn ways(&self) -> &'static [Way] {
        Way::all(self.trainer.loss, self.trainer.input_cost)
    }

    /// A network of at most so many neurons, these or others in scope of the prover.
    ///
    /// # Errors
    /// When a program cannot be posed.
    pub(super) fn thinned(
        &self,
        network: Network,
        data: &Dataset,
        most: Option<usize>,
        prover: &Prover<'_>,
    ) -> Result<Network, Error> {
        let Some(most) = most else { return Ok(network) };
        let neurons = network.layers()[0].neurons.iter();
        let dictionary = Dictionary {
            patterns: network.patterns(data.features()),
            witnesses: neurons.map(|neuron| neuron.hyperplane(data.dimension())).collect(),
        };
        let (amplitudes, offset) = (network.amplitudes().to_vec(), network.offset());
        let all = Few { dictionary, columns: (0..amplitudes.len()).collect(), amplitudes, offset };
        self.few(data, all, None, most, Some(prover))?.network(data.dimension())
    }

    /// So many neurons that answer like all of these, and may be others in scope of the prover.
    pub(super) fn few(
        &self,
        data: &Dataset,
        all: Few,
        costs: Option<&[f64]>,
        most: usize,
        prover: Option<&Prover<'_>>,
    ) -> Result<Few, Error> {
        let output_bits = self.predictions.output_bits;
        let fits = all.columns.len() <= most;
        if fits && output_bits.is_none() {
            return Ok(all);
        }
        let outputs = all.output(&all.amplitudes);
        let Few { dictionary, mut columns, mut amplitudes, mut offset } = all;
        if !fits {
            let (patterns, given) = (&dictionary.patterns, &amplitudes);
            (amplitudes, offset) = self.shrink(data, patterns, costs, given, offset, most)?;
            columns.retain(|&j| amplitudes[j] != 0.0);
            amplitudes.retain(|a| *a != 0.0);
        }
        let few = Few { dictionary, columns, amplitudes, offset };
        if output_bits.is_none() && !self.way.exchanges() {
            return Ok(few);
        }
        let taught;
        let (loss, targets) = match self.way {
            Way::ForTargets => (self.trainer.loss, data.targets()),
            _ => {
                taught = self.taught(data, &outputs)?;
                (taught.0, &taught.1)
            }
        };
        let one = Beta::new(1.0).expect("one is positive");
        let constraints = Constraints { intercept: true, ..self.trainer.constraints };
        let program = LassoProgram::new(&few.dictionary.patterns, targets, loss, one)?;
        let largest = program.with_constraints(constraints).beta_max();
        let work = self.path_work();
        let source = match prover.filter(|prover| prover.first_cost() <= work) {
            _ if !self.way.exchanges() => Source::Nothing,
            Some(prover) => Source::All(prover),
            None => Source::AtHand,
        };
        let beta = Beta::new((EXCHANGED * largest).max(f64::MIN_POSITIVE))?;
        let budget = self.trainer.budget.uncounted();
        let exchange =
            Exchange { loss, targets, beta, constraints, output_bits, source, work, budget };
        exchange.run(few)
    }

    /// What a network learns from these outputs of another: probabilities of classes, or numbers.
    fn taught(&self, data: &Dataset, outputs: &[f64]) -> Result<(LossKind, Targets), Error> {
        let (n, counts) = (data.distinct(), data.targets().iter().map(|atoms| atoms.weight()));
        let rows = 0..n as u32;
        if self.trainer.loss != LossKind::Logistic {
            let (rows, counts): (Vec<u32>, Vec<f64>) = (rows.collect(), counts.collect());
            return Ok((LossKind::Squared, Targets::grouped(n, &rows, outputs, Some(&counts))?));
        }
        let share = |y: f64| move |(count, u): (f64, &f64)| count / (1.0 + (-y * u).exp());
        let shares = |y: f64| counts.clone().zip(outputs).map(share(y));
        let weights: Vec<f64> = shares(1.0).chain(shares(-1.0)).collect();
        let y = [vec![1.0; n], vec![-1.0; n]].concat();
        let rows: Vec<u32> = rows.clone().chain(rows).collect();
        Ok((LossKind::Logistic, Targets::grouped(n, &rows, &y, Some(&weights))?))
    }

    /// Amplitudes of these neurons, all but `most` of them zero, and the output bias.
    fn shrink(
        &self,
        data: &Dataset,
        patterns: &PatternMatrix,
        costs: Option<&[f64]>,
        amplitudes: &[f64],
        offset: f64,
        most: usize,
    ) -> Result<(Vec<f64>, f64), Error> {
        let mut outputs = patterns.combine(amplitudes.iter().copied().enumerate());
        outputs.iter_mut().for_each(|u| *u += offset);
        let curvature = |u: f64| match self.way {
            Way::AtTheBoundary => 1.0 / (2.0 + u.exp() + (-u).exp()),
            _ => 1.0,
        };
        let weights: Vec<f64> = (data.targets().iter().zip(&outputs))
            .map(|(atoms, &u)| atoms.weight() * curvature(u))
            .collect();
        let rows: Vec<u32> = (0..data.distinct() as u32).collect();
        let targets = Targets::grouped(data.distinct(), &rows, &outputs, Some(&weights))?;
        let constraints = Constraints { intercept: true, ..self.trainer.constraints };
        let one = Beta::new(1.0).expect("one is positive");
        let program = LassoProgram::new(patterns, &targets, LossKind::Squared, one)?;
        let program = program.with_constraints(constraints).with_costs(costs)?;
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
        let more = if self.way == Way::Path { most } else { MORE * most };
        let mut last: Option<Solution> = None;
        solver.path(&program, betas, |solution| {
            let enough = used(&solution).len() > more;
            // The first neurons may come all at once. Then the largest are kept.
            let none = last.as_ref().is_none_or(|last| used(last).is_empty());
            if !enough || none || self.way != Way::Path {
                last = Some(solution);
            }
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let Some(solution) = last.filter(|solution| !used(solution).is_empty()) else {
            // The time was up before the first neuron.
            return Ok((with_the_largest(amplitudes, most), offset));
        };
        let mut kept = used(&solution);
        let size = |j: &usize| solution.coefficients[*j].abs();
        kept.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
        kept.truncate(more);
        kept.sort_unstable();
        let kept = fewest(patterns, &weights, &outputs, costs, &kept, most);
        let few = patterns.select(&kept);
        let few_costs: Option<Vec<f64>> = costs.map(|c| kept.iter().map(|&j| c[j]).collect());
        let program = program.over(&few)?.with_beta(Beta::new(LAST * largest)?);
        let program = program.with_costs(few_costs.as_deref())?;
        let start: Vec<f64> = kept.iter().map(|&j| solution.coefficients[j]).collect();
        let fitted = solver.solve_from(&program, &start, solution.offset);
        let mut small = vec![0.0; amplitudes.len()];
        kept.iter().zip(&fitted.coefficients).for_each(|(&j, a)| small[j] = *a);
        Ok((small, fitted.offset))
    }
}

/// These output weights, all but so many of the largest zero.
fn with_the_largest(amplitudes: &[f64], most: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..amplitudes.len()).collect();
    let size = |j: &usize| amplitudes[*j].abs();
    order.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
    let mut few = vec![0.0; amplitudes.len()];
    order.iter().take(most).for_each(|&j| few[j] = amplitudes[j]);
    few
}

/// So many of these columns that fit the outputs best together with a constant, by elimination.
fn fewest(
    patterns: &PatternMatrix,
    weights: &[f64],
    outputs: &[f64],
    costs: Option<&[f64]>,
    columns: &[usize],
    most: usize,
) -> Vec<usize> {
    let weighted: Vec<f64> = weights.iter().zip(outputs).map(|(s, u)| s * u).collect();
    let gram = patterns.weighted_gram_symmetric(columns, &Weighting::new(weights));
    let counts = patterns.correlations_of(columns, weights);
    let mut right = patterns.correlations_of(columns, &weighted);
    right.push(weighted.iter().sum());
    let row = |i: usize| (0..columns.len()).map(|j| gram[(i, j)]).chain([counts[i]]).collect();
    let mut rows: Vec<Vec<f64>> = (0..columns.len()).map(row).collect();
    rows.push(counts.iter().copied().chain([weights.iter().sum()]).collect());
    // The constant is free, so it stays.
    let cost = |&j: &usize| costs.map_or(1.0, |costs| costs[j]);
    let costs: Vec<f64> = columns.iter().map(cost).chain([f64::MIN_POSITIVE]).collect();
    let left = Elimination::new(rows, &right, costs).keep(most + 1);
    left.into_iter().filter(|&k| k < columns.len()).map(|k| columns[k]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_output_weights_are_kept_and_the_first_of_equal_ones() {
        assert_eq!(with_the_largest(&[1.0, -3.0, 0.5, -1.0], 2), [1.0, -3.0, 0.0, 0.0]);
        assert_eq!(with_the_largest(&[1.0], 3), [1.0]);
        assert!(with_the_largest(&[], 3).is_empty());
    }
}
