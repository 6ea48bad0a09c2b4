//! The best lower bound that blocks of rows can prove.
//!
//! For blocks `b` of the rows, `max_d |dᵀz| ≤ Σ_b max_d |dᵀz_b|`, where every maximum on the right
//! is over the patterns of one block. The best dual point for this bound comes from a relaxed
//! training problem, in which every block has its own network and only the strength is shared:
//!
//! ```text
//! max over Σ_b β_b = β of  Σ_b p_b(β_b),        p_b(β_b) = min_w L_b(D_b w) + β_b‖w‖₁,
//! ```
//!
//! where `D_b` holds all patterns of block `b`. `p_b` is concave with the derivative `‖w_b‖₁`, so
//! at the best shares all networks have the same norm, or no share at all. Each `p_b` is computed
//! by generating patterns, which are priced by a local search first and then by a tree that proves
//! its bound.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::tuning::{
    BLOCK_LOOK, BLOCK_NEAR, BLOCK_NODE, BLOCK_PROOFS, BLOCK_SEARCH, BLOCK_SKETCHES, BLOCK_TOLERANCE,
};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::certificate::{DualPoint, Problem};
use crate::data::{Features, Scaling, Targets};
use crate::loss::Loss;
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::{Blocks, Branch, Priced};
use crate::program::{Beta, Constraints, LassoProgram};
use crate::solver::{ActiveSet, Budget, climb};

pub(super) struct Relaxation<'a, L> {
    pub(super) arrangement: Arrangement<'a>,
    pub(super) blocks: &'a Blocks,
    /// How many nodes the tree of a block may have.
    pub(super) nodes: usize,
    pub(super) problem: &'a Problem<'a, L>,
    pub(super) budget: &'a Budget<'a>,
}

impl<L: Loss> Relaxation<'_, L> {
    /// A dual point whose lower bound is close to the best one for these blocks, as far as the time
    /// allows; `None` if the time did not suffice for any block. `visit` gets the bound after every
    /// round of proofs, and may end the search. [`crate::pricing::Prover`] then proves the bound of
    /// the result.
    pub(super) fn solve(&self, mut visit: impl FnMut(f64) -> ControlFlow<()>) -> Option<DualPoint> {
        let problem = self.problem;
        let beta = problem.beta.get();
        let mut blocks: Vec<Block<'_>> =
            self.blocks.iter().map(|(rows, x)| Block::new(rows, x, problem.targets)).collect();
        let rows = problem.targets.rows().max(1) as f64;
        blocks.iter_mut().for_each(|b| b.share = beta * b.rows.len() as f64 / rows);
        for round in 0..BLOCK_SKETCHES + BLOCK_PROOFS {
            let prove = round >= BLOCK_SKETCHES;
            blocks.par_iter_mut().filter(|b| b.share > 0.0).for_each(|b| b.improve(self, prove));
            let settled = prove && blocks.iter().all(|b| b.settled);
            if prove {
                let (point, price) = together(&blocks, problem);
                if visit(problem.lower_bound(&point, price)).is_break() {
                    break;
                }
            }
            if settled || self.budget.spent().is_some() {
                break;
            }
            share_out(&mut blocks, beta);
        }
        let some = blocks.iter().any(|b| b.proven.is_some());
        some.then(|| together(&blocks, problem).0)
    }
}

/// The dual points of all blocks, side by side, and an upper bound on their price, up to rounding.
/// If a strength moved after the last proof, its dual point is rescaled.
fn together<L: Loss>(blocks: &[Block<'_>], problem: &Problem<'_, L>) -> (DualPoint, f64) {
    let mut z = vec![0.0; problem.targets.rows()];
    let mut sum = 0.0;
    for block in blocks {
        let Some((point, price)) = &block.proven else { continue };
        // A longer gradient proves no more, and may leave the domain of L*.
        let scale = if *price > block.share { block.share / price } else { 1.0 };
        block.rows.iter().zip(point.values()).for_each(|(&i, p)| z[i as usize] = scale * p);
        sum += scale * price;
    }
    (problem.dual_point(z), sum * (1.0 + 1e-9))
}

#[derive(Debug)]
struct Block<'a> {
    rows: &'a [u32],
    features: &'a Features,
    targets: Targets,
    patterns: PatternMatrix,
    seen: HashSet<Pattern>,
    coefficients: Vec<f64>,
    offset: f64,
    /// The patterns with the largest prices, where the next search starts.
    near: Vec<Priced>,
    /// `β_b`.
    share: f64,
    /// `‖w‖₁` there, and the strength and the norm before.
    norm: f64,
    before: Option<(f64, f64)>,
    /// The dual point with the best bound at the current share, and an upper bound on its price
    /// over the patterns of the block.
    proven: Option<(DualPoint, f64)>,
    /// Whether the last proof left nothing to gain.
    settled: bool,
}

impl<'a> Block<'a> {
    fn new(rows: &'a [u32], features: &'a Features, targets: &Targets) -> Self {
        Self {
            rows,
            features,
            targets: targets.select(rows),
            patterns: PatternMatrix::new(rows.len()),
            seen: HashSet::new(),
            coefficients: Vec::new(),
            offset: 0.0,
            near: Vec::new(),
            share: 0.0,
            norm: 0.0,
            before: None,
            proven: None,
            settled: false,
        }
    }

    /// Generates patterns until the local search finds no useful one, then tries the tree.
    fn improve<L: Loss>(&mut self, task: &Relaxation<'_, L>, prove: bool) {
        let (constraints, budget) = (task.problem.constraints, task.budget);
        let Ok(beta) = Beta::new(self.share) else { return };
        let arrangement = Arrangement::with_bias(self.features, task.arrangement.has_bias());
        let bias = arrangement.has_bias();
        let scaling = Scaling::fit(self.features, &vec![1.0; self.rows.len()], bias);
        let enough = self.share * (1.0 + BLOCK_TOLERANCE);
        for seed in 0.. {
            if budget.spent().is_some() {
                return;
            }
            let z = self.solve(task, beta);
            let from: Vec<Hyperplane> = self.near.iter().map(|p| p.hyperplane.clone()).collect();
            let found =
                climb(BLOCK_SEARCH, &arrangement, &scaling, z.values(), &from, seed, budget);
            self.near = found.iter().take(BLOCK_NEAR).cloned().collect();
            let spent = budget.spent().is_some();
            if self.admit(&found, constraints, enough) && !spent {
                continue;
            }
            if !prove || spent {
                return;
            }
            let branch = Branch::new(arrangement).expect("a block has few rows");
            let stop = || budget.spent().is_some();
            // A short search first: as long as it finds patterns, a proof would be useless.
            let look = branch.price(z.values(), &found, enough, BLOCK_LOOK.min(task.nodes), &stop);
            budget.count(BLOCK_LOOK.min(task.nodes) * BLOCK_NODE);
            if self.admit(&look.found, constraints, enough) {
                continue;
            }
            let answer = branch.price(z.values(), &found, enough, task.nodes, &stop);
            budget.count(task.nodes * BLOCK_NODE);
            let sides = (answer.above, answer.below);
            let price = if constraints.non_negative { sides.1 } else { sides.0.max(sides.1) };
            self.keep_better(task, beta, z, price);
            self.settled = !self.admit(&answer.found, constraints, enough);
            return;
        }
    }

    /// The dual point of the optimum over the patterns so far, with the length that has the best
    /// bound: a point may be too short where the loss has a kink, and patterns that violate the
    /// constraint stay below it there.
    fn solve<L: Loss>(&mut self, task: &Relaxation<'_, L>, beta: Beta) -> DualPoint {
        let Problem { loss, constraints, .. } = *task.problem;
        let program = LassoProgram::new(&self.patterns, &self.targets, loss, beta)
            .expect("a row for each target")
            .with_constraints(constraints);
        let solver = ActiveSet {
            tolerance: 1e-8,
            budget: Budget { progress: None, ..*task.budget },
            ..ActiveSet::default()
        };
        let solution = solver.solve_from(&program, &self.coefficients, self.offset);
        self.coefficients = solution.coefficients;
        self.offset = solution.offset;
        self.norm = self.coefficients.iter().map(|w| w.abs()).sum();
        let z = solution.dual;
        let price = z.price(&self.patterns, constraints, None);
        let theta = z.best(loss, &self.targets, beta, price).theta;
        if theta <= 1.0 + BLOCK_TOLERANCE {
            return z;
        }
        DualPoint::new(z.values().iter().map(|z| theta * z).collect())
    }

    /// Adds new patterns whose price is above `enough`. Returns whether there were any.
    fn admit(&mut self, found: &[Priced], constraints: Constraints, enough: f64) -> bool {
        let before = self.coefficients.len();
        for priced in found.iter().filter(|p| constraints.price(p.value) > enough) {
            if self.seen.insert(priced.pattern.clone()) {
                self.patterns.push(&priced.pattern);
                self.coefficients.push(0.0);
            }
        }
        self.coefficients.len() > before
    }

    /// Keeps the dual point with the better bound at the current share.
    fn keep_better<L: Loss>(
        &mut self,
        task: &Relaxation<'_, L>,
        beta: Beta,
        z: DualPoint,
        price: f64,
    ) {
        let loss = task.problem.loss;
        let bound = |z: &DualPoint, price: f64| z.lower_bound(loss, &self.targets, beta, price);
        let old = self.proven.as_ref().map(|(z, price)| bound(z, *price));
        if old.is_none_or(|old| bound(&z, price) > old) {
            self.proven = Some((z, price));
        }
    }
}

/// Moves strength to the blocks with large norms. We assume `‖w‖₁ ∝ β_b^−γ` near the current share,
/// with the exponent of the last move. Shares change by a factor of at most two.
fn share_out(blocks: &mut [Block<'_>], beta: f64) {
    let exponent = |b: &Block<'_>| match b.before {
        Some((share, norm)) if norm > 0.0 && b.norm > 0.0 && share != b.share => {
            let slope = (b.norm / norm).ln() / (b.share / share).ln();
            (-slope).clamp(0.05, 2.0)
        }
        _ => 0.5,
    };
    let next = |norm: f64| -> Vec<f64> {
        let share =
            |b: &Block<'_>| b.share * (b.norm / norm).powf(1.0 / exponent(b)).clamp(0.5, 2.0);
        blocks.iter().map(share).collect()
    };
    // The common norm at which the shares add up to β: they fall as it grows.
    let most = blocks.iter().map(|b| b.norm).fold(0.0, f64::max);
    let (mut low, mut high) = (most * 1e-3, most * 1e3);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if next(middle).iter().sum::<f64>() > beta { low = middle } else { high = middle }
    }
    let shares = next(high);
    let total: f64 = shares.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return;
    }
    for (block, share) in blocks.iter_mut().zip(shares) {
        block.before = Some((block.share, block.norm));
        block.share = share * (beta / total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::LossKind;
    use crate::pricing::Prover;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn no_network_is_below_what_the_blocks_prove(
            (x, y) in (2usize..9, 1usize..3).prop_flat_map(|(n, d)| (
                prop::collection::vec(prop::collection::vec(-2i32..3, d), n),
                prop::collection::vec(any::<bool>(), n),
            )),
            beta in 0.05f64..2.0, size in 1usize..9, loss in 0..LossKind::all().len(),
            (bias, non_negative) in (any::<bool>(), any::<bool>()), intercept in any::<bool>(),
        ) {
            let (rows, dimension) = (x.len(), x[0].len());
            let values = x.concat().into_iter().map(f64::from).collect();
            let features = Features::new(rows, dimension, values).unwrap();
            let y: Vec<f64> = y.into_iter().map(|on| if on { 1.0 } else { -1.0 }).collect();
            let data = crate::data::Dataset::new(features, &y, None).unwrap();
            let arrangement = Arrangement::with_bias(data.features(), bias);
            let beta = Beta::new(beta).unwrap();
            let constraints = Constraints { non_negative, intercept };
            let (targets, loss) = (data.targets(), LossKind::all()[loss]);
            let all = arrangement.enumerate(10_000).unwrap();
            let program = LassoProgram::new(&all.patterns, targets, loss, beta).unwrap();
            let program = program.with_constraints(constraints);
            let solver = ActiveSet { tolerance: 1e-9, ..ActiveSet::default() };
            let optimum = solver.solve(&program).certificate;
            let blocks = Blocks::new(arrangement, size);
            let (problem, budget) =
                (Problem { targets, loss: &loss, beta, constraints }, Budget::default());
            let (blocks, nodes) = (&blocks, 10_000);
            let relaxation =
                Relaxation { arrangement, blocks, nodes, problem: &problem, budget: &budget };
            let point = relaxation.solve(|_| ControlFlow::Continue(())).unwrap();
            let answer = blocks.price(point.values(), 10_000, &|| false);
            let above = if non_negative { f64::NEG_INFINITY } else { answer.above };
            let bound = point.lower_bound(&loss, targets, beta, above.max(answer.below));
            let slack = 1e-12 * (1.0 + optimum.objective());
            prop_assert!(bound <= optimum.objective() + slack);
            let exact = Prover::new(arrangement, None, 10_000).unwrap();
            let exact = exact.price(point.values(), &[], 0.0, 1, &|| false);
            prop_assert!(exact.above <= answer.above + slack);
            prop_assert!(exact.below <= answer.below + slack);
            // A single block of all rows is the problem itself.
            if size >= data.distinct() && bias {
                prop_assert!(bound >= (1.0 - 5e-3) * optimum.lower_bound() - 1e-6,
                    "{bound} is far from {}", optimum.lower_bound());
            }
        }
    }
}
