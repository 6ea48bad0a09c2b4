//! Gap-safe screening: columns that no optimum uses.
//!
//! If every row loss has a curvature of at most `M_g`, the dual objective is strongly concave: the
//! best dual point `z*` has `Σ (z*_g − z_g)²/M_g ≤ 2·gap` for any feasible `z`. By the
//! Cauchy–Schwarz inequality `|dᵀz*| ≤ |dᵀz| + √(2·gap·Σ_{g∈d} M_g)`. A column for which this is
//! below `β` (below `cβ`, if its cost is `c`) has the coefficient zero in every optimum. (Ndiaye,
//! Fercoq, Gramfort, Salmon: Gap safe screening rules for sparsity enforcing penalties, JMLR 18,
//! 2017.)
//!
//! Columns that are ruled out are no longer priced. At the end, the certificate still prices every
//! column once.

use super::charge::Charge;
use crate::certificate::Problem;
use crate::loss::Loss;
use crate::pattern::PatternMatrix;

/// The rounding error that the sum of a correlation and a radius may have, relative to `β`.
const SLACK: f64 = 1e-9;

#[derive(Debug)]
pub(crate) struct Screening<'a> {
    /// `M`, one number for each row; `None` for losses with kinks.
    curvature: Option<Vec<f64>>,
    /// `Σ_{g∈d} M_g` for every column, computed when it is first needed.
    mass: Vec<f64>,
    charge: Charge<'a>,
    in_play: Vec<usize>,
    columns: usize,
}

impl<'a> Screening<'a> {
    pub(crate) fn new<L: Loss>(
        patterns: &PatternMatrix,
        charge: Charge<'a>,
        problem: &Problem<'_, L>,
    ) -> Self {
        let Problem { targets, loss, .. } = *problem;
        let curvature = loss
            .curvature_bound()
            .map(|bound| targets.iter().map(|atoms| bound * atoms.weight()).collect());
        Self {
            curvature,
            mass: Vec::new(),
            charge,
            in_play: (0..patterns.patterns()).collect(),
            columns: patterns.patterns(),
        }
    }

    /// `dᵀz` for every column in play, zero for the others.
    pub(crate) fn correlations(&self, patterns: &PatternMatrix, z: &[f64]) -> Vec<f64> {
        let some = patterns.correlations_of(&self.in_play, z);
        if !self.has_ruled_out() {
            return some;
        }
        let mut all = vec![0.0; self.columns];
        self.in_play.iter().zip(some).for_each(|(&j, c)| all[j] = c);
        all
    }

    pub(crate) fn has_ruled_out(&self) -> bool {
        self.in_play.len() < self.columns
    }

    pub(crate) fn end(&mut self) {
        self.curvature = None;
        self.in_play = (0..self.columns).collect();
    }

    /// Rules out the columns that no optimum uses, given the correlations `dᵀz`, a feasible `θz`
    /// and its gap. Columns in use stay.
    pub(crate) fn rule_out(
        &mut self,
        patterns: &PatternMatrix,
        correlations: &[f64],
        theta: f64,
        gap: f64,
        used: impl Fn(usize) -> bool,
    ) {
        let Some(curvature) = &self.curvature else { return };
        if self.mass.is_empty() {
            self.mass = patterns.correlations(curvature);
        }
        let limit = |j: usize| (1.0 - SLACK) * self.charge.of(j);
        let radius = |j: usize| (1.0 + SLACK) * (2.0 * gap.max(0.0) * self.mass[j]).sqrt();
        let reached = |j: usize| self.charge.signs(j).price(theta * correlations[j]) + radius(j);
        self.in_play.retain(|&j| used(j) || reached(j) >= limit(j));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Targets;
    use crate::loss::{self, LossKind};
    use crate::pattern::Pattern;
    use crate::program::{Beta, Constraints, LassoProgram};
    use crate::solver::ActiveSet;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// How many columns are ruled out by a point that is a fraction of the way to the optimum. It
    /// checks that the optimum uses none of them.
    fn ruled_out(loss: LossKind, constraints: Constraints, part: f64, seed: u64) -> usize {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (rows, columns) = (30, 50);
        let drawn: Vec<Pattern> =
            (0..columns).map(|_| Pattern::from_fn(rows, |_| rng.random())).collect();
        let mut patterns = PatternMatrix::from_patterns(rows, &drawn);
        let y: Vec<f64> = (0..rows).map(|_| if rng.random() { 1.0 } else { -1.0 }).collect();
        let weights: Vec<f64> = (0..rows).map(|_| rng.random_range(0.5..2.0)).collect();
        let groups: Vec<u32> = (0..rows as u32).collect();
        let targets = Targets::grouped(rows, &groups, &y, Some(&weights)).unwrap();
        let program = LassoProgram::new(&patterns, &targets, loss, Beta::new(1.0).unwrap());
        let program = program.unwrap().with_constraints(constraints);
        let beta = Beta::new(f64::max(0.3 * program.beta_max(), 0.1)).unwrap();
        let program = program.with_beta(beta);
        let solver = ActiveSet { tolerance: 1e-12, ..ActiveSet::default() };
        let optimum = solver.solve(&program);
        let mut w: Vec<f64> = optimum.coefficients.iter().map(|w| part * w).collect();
        if constraints.intercept {
            w.push(part * optimum.offset);
            patterns.push(&Pattern::from_fn(rows, |_| true));
        }
        let problem = Problem { targets: &targets, loss: &loss, beta, constraints };
        let output = patterns.combine(w.iter().copied().enumerate());
        let point = problem.dual_point(loss::gradient(&loss, &targets, &output));
        let place = point.best(&loss, &targets, beta, point.price(&patterns, constraints, None));
        let objective = problem.objective(&output, w.iter().take(columns).copied());
        let non_negative = constraints.non_negative;
        let charge = Charge { non_negative, ..Charge::plain(beta.get()) };
        let mut screening = Screening::new(&patterns, charge, &problem);
        let correlations = patterns.correlations(point.values());
        let gap = objective - place.value;
        let bias = |j: usize| constraints.intercept && j == columns;
        screening.rule_out(&patterns, &correlations, place.theta, gap, bias);
        let out: Vec<usize> = (0..columns).filter(|j| !screening.in_play.contains(j)).collect();
        for &j in &out {
            assert_eq!(optimum.coefficients[j], 0.0, "column {j} is in use");
            let price = constraints.price(patterns.correlations_of(&[j], optimum.dual.values())[0]);
            assert!(price < beta.get(), "column {j} prices {price}");
        }
        out.len()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn no_optimum_uses_what_is_ruled_out(
            part in prop::sample::select(&[0.0, 0.5, 0.9, 0.99, 0.999, 1.0][..]),
            intercept: bool,
            non_negative: bool,
            seed: u64,
        ) {
            for loss in LossKind::all().into_iter().filter(|loss| loss.is_smooth()) {
                let out = ruled_out(loss, Constraints { intercept, non_negative }, part, seed);
                // At the optimum only columns at their limit stay.
                prop_assert!(part < 1.0 || out > 10, "{loss} leaves {out}");
            }
        }
    }

    #[test]
    fn losses_with_kinks_rule_nothing_out() {
        assert_eq!(ruled_out("hinge".parse().unwrap(), Constraints::default(), 1.0, 1), 0);
    }
}
