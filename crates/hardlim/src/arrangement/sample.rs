//! A sample of `H(X)`: the patterns of Gaussian weights (the paper's Convex-Lasso).

use rand::Rng;
use rand_distr::StandardNormal;

use super::tuning::BATCH;
use super::{Arrangement, Dictionary, Hyperplane, Reads, evaluate};
use crate::data::Scaling;
use crate::pattern::PatternMatrix;
use crate::pattern::threshold::flush;

pub(crate) type Draws = (PatternMatrix, Vec<Hyperplane>);

impl Arrangement<'_> {
    /// The distinct patterns of `count` random hyperplanes. Their weights are independent normal
    /// numbers on the scaled inputs, folded back to the inputs as read. The generator is one of the
    /// crate `rand`, version 0.9.
    pub fn sample(&self, count: usize, scaling: &Scaling, rng: &mut impl Rng) -> Dictionary {
        self.kept(self.draws(count, || self.draw(scaling, rng)))
    }

    /// The patterns of `count` drawn hyperplanes, some at a time.
    pub(super) fn draws<'b>(
        &'b self,
        count: usize,
        mut draw: impl FnMut() -> Hyperplane + 'b,
    ) -> impl Iterator<Item = Draws> + 'b {
        let batches = (0..count).step_by(BATCH).map(move |start| BATCH.min(count - start));
        batches.map(move |size| {
            let planes: Vec<Hyperplane> = (0..size).map(|_| draw()).collect();
            (evaluate(self.features, &planes), planes)
        })
    }

    /// The distinct patterns of some draws.
    pub(super) fn kept(&self, draws: impl Iterator<Item = Draws>) -> Dictionary {
        let drawn = draws.flat_map(|(patterns, planes)| {
            planes.into_iter().enumerate().map(move |(j, plane)| (patterns.pattern(j), plane))
        });
        Dictionary::from_witnesses(self.features.rows(), self.fewest, drawn)
    }

    /// The patterns of random hyperplanes, some at a time: those of [`Arrangement::sample`] or, if
    /// neurons read some inputs only, of [`Arrangement::sample_mixed`].
    pub(crate) fn visit_draws(
        &self,
        count: usize,
        reads: Option<&Reads>,
        scaling: &Scaling,
        rng: &mut impl Rng,
        visit: impl FnMut(Draws),
    ) {
        match reads {
            None => self.draws(count, || self.draw(scaling, rng)).for_each(visit),
            Some(reads) => self.mixed_draws(count, reads, scaling, rng).for_each(visit),
        }
    }

    pub(super) fn draw(&self, scaling: &Scaling, rng: &mut impl Rng) -> Hyperplane {
        let weights: Vec<f64> =
            (0..self.features.dimension()).map(|_| rng.sample(StandardNormal)).collect();
        let bias = if self.bias { rng.sample(StandardNormal) } else { 0.0 };
        let (weights, bias) = scaling.fold(&weights, bias);
        Hyperplane { weights: weights.into_iter().map(flush).collect(), bias: flush(bias) }
    }
}
