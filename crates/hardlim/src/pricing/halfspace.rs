//! The halfspace of largest weighted agreement, `max_w Σ zᵢ 1{x̃ᵢ·w ≥ 0}`, with a proof.
//!
//! Rows with `zᵢ > 0` should be in the halfspace, rows with `zᵢ < 0` outside. The loss is the
//! weight of the rows on the wrong side: `Σz₊ − dᵀz`. With labels as signs it is the number of
//! errors.

use super::groups::on_grid;
use super::sweep::Sweep;
use super::tuning::LARGEST_RANK;
use super::{BestPatterns, LocalSearch, Priced, Prover, parts, price_all};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Dataset, Features, Scaling};
use crate::error::Error;
use crate::exact::double::Double;
use crate::exact::sum::round_to_grid;

/// What every distinct row weighs: positive if it should be in the halfspace, negative if outside.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedWeights {
    /// `z`, the sum over equal rows, on a grid that makes all its sums exact.
    sums: Vec<f64>,
    /// The weight that equal rows of different signs leave on the wrong side of every halfspace.
    conflict: f64,
    /// By how much rounding may have moved the weight of the rows on the wrong side.
    rounding: f64,
}

impl SignedWeights {
    /// The targets times their sample weights.
    pub fn of(data: &Dataset) -> Self {
        let (mut sums, mut conflict) = (Vec::new(), Double::default());
        for atoms in data.targets().iter() {
            let (mut above, mut below) = (Double::default(), Double::default());
            for (y, s) in atoms.iter() {
                let weight = Double::product(y, s);
                let side = if weight.high > 0.0 { &mut above } else { &mut below };
                *side = side.plus(weight);
            }
            sums.push(above.plus(below));
            let smaller = if above.high < -below.high { above } else { below.scaled(-1.0) };
            conflict = conflict.plus(smaller);
        }
        Self::rounded(&sums, conflict)
    }

    /// One weight for each row, if all rows are distinct. They are rounded towards zero to a grid,
    /// by less than `2⁻⁵¹` of their sum.
    pub fn of_rows(z: &[f64]) -> Self {
        let sums: Vec<Double> = z.iter().map(|&z| Double::from(z)).collect();
        Self::rounded(&sums, Double::default())
    }

    fn rounded(exact: &[Double], conflict: Double) -> Self {
        let mut sums: Vec<f64> = exact.iter().map(|z| z.high).collect();
        round_to_grid(&mut sums);
        let lost = |(exact, grid): (&Double, &f64)| (exact.high - grid).abs() + exact.low.abs();
        let lost = exact.iter().zip(&sums).map(lost).sum::<f64>() + conflict.low.abs();
        let mut weights = Self { sums, conflict: conflict.high, rounding: 0.0 };
        let wanted = Double::sum(parts(&weights.sums).0, weights.conflict);
        if lost > 0.0 || wanted.low != 0.0 {
            // The sums of rounding errors, of doubles of twice the precision and of the bounds are
            // rounded, too.
            weights.rounding = 1.01 * lost + 8.0 * f64::EPSILON * weights.size();
        }
        weights
    }

    /// `Σz₊` over all rows, before equal ones are merged.
    fn wanted(&self) -> f64 {
        parts(&self.sums).0 + self.conflict
    }

    /// Whether no weight was rounded.
    pub fn is_exact(&self) -> bool {
        self.rounding == 0.0
    }

    /// `Σ|z|` over all rows.
    pub fn size(&self) -> f64 {
        let (above, below) = parts(&self.sums);
        above + below + 2.0 * self.conflict
    }
}

/// A search for one halfspace.
#[derive(Debug, Clone, Copy)]
pub struct HalfspaceSearch {
    /// The most columns that the halfspace may read, if that is limited.
    pub max_inputs: Option<usize>,
    /// The relative gap of the loss at which to stop. Zero asks for the optimum.
    pub gap: f64,
    /// The nodes of the search for a bound if the rank is large.
    pub effort: u64,
    /// The seed of the local search.
    pub seed: u64,
}

/// A halfspace, and what is proven about all others.
#[derive(Debug, Clone)]
pub struct BestHalfspace {
    /// The weights, the rows that are in the halfspace, and the sum of their `z`.
    pub best: Priced,
    /// No halfspace has a larger sum, rounded up.
    pub upper_bound: f64,
    /// What the rows weigh.
    pub weights: SignedWeights,
    /// By how much another sum may be larger, but for the rounding of the weights.
    gap: f64,
}

impl BestHalfspace {
    /// `Σz₊ − dᵀz`: the weight of the rows on the wrong side.
    pub fn loss(&self) -> f64 {
        self.weights.wanted() - self.best.value
    }

    /// `Σ|z|` less the loss: the weight of the rows on the right side.
    pub fn agreement(&self) -> f64 {
        self.weights.size() - self.loss()
    }

    /// No halfspace has a smaller loss, rounded down.
    pub fn lower_bound(&self) -> f64 {
        self.loss() - self.gap - self.weights.rounding
    }

    /// Whether no loss is smaller by more than this part of it, but for the rounding of the
    /// weights.
    pub fn is_within(&self, gap: f64) -> bool {
        self.gap <= gap * self.loss()
    }

    /// The gap as a part of the loss, but for the rounding of the weights; zero if the halfspace is
    /// optimal.
    pub fn relative_gap(&self) -> f64 {
        if self.gap > 0.0 { self.gap / self.loss().max(self.gap) } else { 0.0 }
    }
}

impl HalfspaceSearch {
    /// The best halfspace of the rows, which are distinct. If `stop` returns true, it is the best
    /// so far.
    ///
    /// # Errors
    /// If `max_inputs` is a number for which there is no proof.
    ///
    /// # Panics
    /// When there is not one weight for each row, or the gap is negative.
    pub fn find(
        &self,
        arrangement: Arrangement<'_>,
        weights: SignedWeights,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<BestHalfspace, Error> {
        let features = arrangement.features();
        assert_eq!(weights.sums.len(), features.rows(), "one number for each row");
        assert!(self.gap >= 0.0, "a gap of zero or more");
        let z = &weights.sums;
        let columns = features.dimension();
        let few = self.max_inputs.is_some_and(|most| most < columns);
        let prover =
            if few { Some(Prover::new(arrangement, self.max_inputs, self.effort)?) } else { None };
        let mut found = self.first(arrangement, z, prover.as_ref(), stop);
        let highest = |found: &[Priced]| {
            let best = found.iter().fold(&found[0], |b, p| if p.value > b.value { p } else { b });
            best.clone()
        };
        let best = highest(&found);
        // The best sum that would not do. Sums on the grid of z are exact.
        let floor = best.value + on_grid(self.gap * (weights.wanted() - best.value), z);
        let sweep = if few { None } else { Sweep::new(arrangement, LARGEST_RANK) };
        let upper_bound = match sweep {
            Some(sweep) => {
                let (more, upper_bound) = sweep.most(z, floor, stop);
                found.extend(more);
                upper_bound
            }
            None => {
                let prover = match prover {
                    Some(prover) => prover,
                    None => Prover::new(arrangement, None, self.effort)?,
                };
                let answer = if floor < 0.0 {
                    self.lifted(arrangement, z, floor, stop)?
                } else {
                    prover.price(z, &found, floor, 64, stop)
                };
                found.extend(answer.found);
                answer.above
            }
        };
        let best = highest(&found);
        let gap = upper_bound.min(parts(z).0).max(best.value) - best.value;
        let upper_bound = best.value + gap + weights.rounding;
        Ok(BestHalfspace { best, upper_bound, weights, gap })
    }

    /// The proof where all sums may be negative, as without a bias. Proofs know only how far sums
    /// are from zero, so a row of zeros, which is in every halfspace, lifts them above it.
    fn lifted(
        &self,
        arrangement: Arrangement<'_>,
        z: &[f64],
        floor: f64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<BestPatterns, Error> {
        let (features, (_, lift)) = (arrangement.features(), parts(z));
        let zeros = vec![0.0; features.dimension()];
        let values = [features.values(), &zeros].concat();
        let more = Features::new(features.rows() + 1, features.dimension(), values)?;
        let lifted = [z, &[lift]].concat();
        let prover =
            Prover::new(Arrangement::of(&more).without_bias(), self.max_inputs, self.effort)?;
        let answer = prover.price(&lifted, &[], floor + lift, 64, stop);
        let planes = answer.found.into_iter().map(|priced| priced.hyperplane).collect();
        let found = price_all(&arrangement, z, planes);
        Ok(BestPatterns { found, above: answer.above - lift, ..answer })
    }

    /// The halfspaces to start from: all rows, no row if there is a bias, and those of line
    /// searches.
    fn first(
        &self,
        arrangement: Arrangement<'_>,
        z: &[f64],
        few: Option<&Prover<'_>>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Priced> {
        let features = arrangement.features();
        let mut planes = vec![Hyperplane::constant(features.dimension(), 0.0)];
        if arrangement.has_bias() {
            planes.push(Hyperplane::constant(features.dimension(), -1.0));
        }
        let mut found = price_all(&arrangement, z, planes);
        let local = LocalSearch::default();
        found.extend(match few {
            Some(prover) => prover.sketch(z, local.keep, self.seed, stop).0,
            None => {
                let ones = vec![1.0; features.rows()];
                let scaling = Scaling::fit(features, &ones, arrangement.has_bias());
                local.search(&arrangement, &scaling, z, &[], self.seed, stop).0
            }
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::{all_patterns, are_what_they_say, extremes, small_problem};
    use super::*;
    use proptest::prelude::{Just, ProptestConfig, any, prop_assert, prop_oneof, proptest};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn the_best_halfspace_of_small_tables_is_that_of_the_twin(
            (features, z) in small_problem(8, 1usize..5, 2), bias in any::<bool>(),
            gap in prop_oneof![Just(0.0), 0.0f64..0.5], early in any::<bool>(),
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let (high, _) = extremes(&all_patterns(&arrangement), &z);
            let search = HalfspaceSearch { max_inputs: None, gap, effort: 1000, seed: 0 };
            let weights = SignedWeights::of_rows(&z);
            let found = search.find(arrangement, weights, &|| early).unwrap();
            prop_assert!(found.best.value <= high && high <= found.upper_bound);
            are_what_they_say(&arrangement, &z, std::slice::from_ref(&found.best));
            if !early {
                prop_assert!(found.is_within(gap), "{:?}", found);
                prop_assert!(gap > 0.0 || found.best.value == high);
            }
        }
    }

    #[test]
    fn halfspaces_of_few_inputs_read_few_inputs() {
        let rows = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]];
        let features = crate::data::Features::new(4, 3, rows.concat()).unwrap();
        let z = [1.0, -1.0, -1.0, 1.0];
        let find = |max_inputs| {
            let search = HalfspaceSearch { max_inputs, gap: 0.0, effort: 1000, seed: 0 };
            let weights = SignedWeights::of_rows(&z);
            search.find(Arrangement::of(&features), weights, &|| false).unwrap()
        };
        for (inputs, value) in [(Some(1), 2.0), (Some(2), 2.0), (None, 2.0)] {
            let found = find(inputs);
            assert_eq!((found.best.value, found.upper_bound), (value, value));
            assert!(inputs.is_none_or(|most| found.best.hyperplane.reads() <= most));
        }
    }
}
