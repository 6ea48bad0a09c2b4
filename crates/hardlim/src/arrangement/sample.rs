//! A sample of `H(X)`: the patterns of Gaussian weights (the paper's Convex-Lasso).

use rand::Rng;
use rand_distr::StandardNormal;

use super::{Arrangement, Dictionary, Hyperplane, evaluate};
use crate::data::Scaling;
use crate::pattern::threshold::flush;

/// The number of hyperplanes that are drawn and evaluated at a time.
pub(super) const BATCH: usize = 1024;

impl Arrangement<'_> {
    /// The distinct patterns of `count` random hyperplanes. Their weights are independent normal
    /// numbers on the scaled inputs, folded back to the inputs as read. The generator is one of the crate
    /// `rand`, version 0.9.
    pub fn sample(&self, count: usize, scaling: &Scaling, rng: &mut impl Rng) -> Dictionary {
        let samples = self.features.rows();
        let batches = (0..count).step_by(BATCH).map(|start| BATCH.min(count - start));
        let drawn = batches.flat_map(|size| {
            let planes: Vec<Hyperplane> = (0..size).map(|_| self.draw(scaling, rng)).collect();
            let patterns = evaluate(self.features, &planes);
            planes.into_iter().enumerate().map(move |(j, plane)| (patterns.pattern(j), plane))
        });
        Dictionary::from_witnesses(samples, self.fewest, drawn)
    }

    /// One hyperplane with Gaussian weights.
    pub(super) fn draw(&self, scaling: &Scaling, rng: &mut impl Rng) -> Hyperplane {
        let weights: Vec<f64> =
            (0..self.features.dimension()).map(|_| rng.sample(StandardNormal)).collect();
        let bias = if self.bias { rng.sample(StandardNormal) } else { 0.0 };
        let (weights, bias) = scaling.fold(&weights, bias);
        Hyperplane { weights: weights.into_iter().map(flush).collect(), bias: flush(bias) }
    }
}
