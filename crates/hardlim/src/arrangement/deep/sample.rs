//! A sample of the deep patterns: those of subnetworks with Gaussian weights in every layer (the
//! paper's Convex-Lasso for deeper networks).

use rand::Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use super::{DistinctPatterns, Subnetwork};
use crate::arrangement::tuning::DEEP_BATCH;
use crate::arrangement::{Arrangement, Dictionary, Hyperplane, evaluate};
use crate::data::Scaling;
use crate::pattern::Pattern;
use crate::pattern::threshold::flush;

impl Arrangement<'_> {
    /// The distinct patterns of `count` random subnetworks of these widths. Their weights are
    /// independent normal numbers, on the scaled inputs in the first layer and on zeros and ones
    /// above it.
    ///
    /// # Panics
    /// When a layer has no neuron.
    pub fn sample_deep(
        &self,
        widths: &[usize],
        count: usize,
        scaling: &Scaling,
        rng: &mut impl Rng,
    ) -> Dictionary<Subnetwork> {
        assert!(!widths.contains(&0), "no layer is empty");
        let batch = (DEEP_BATCH / widths.first().copied().unwrap_or(1)).max(1);
        let mut found = DistinctPatterns::default();
        for start in (0..count).step_by(batch) {
            let drawn: Vec<Subnetwork> = (start..count.min(start + batch))
                .map(|_| self.draw_subnetwork(widths, scaling, rng))
                .collect();
            let patterns = self.answers(&drawn);
            for (pattern, subnetwork) in patterns.into_iter().zip(drawn) {
                found.insert(pattern, || subnetwork);
            }
        }
        found.dictionary(self.features().rows())
    }

    /// The answers of subnetworks on the rows.
    pub fn answers(&self, subnetworks: &[Subnetwork]) -> Vec<Pattern> {
        let first = |s: &Subnetwork| s.layers()[0].clone();
        let planes: Vec<Hyperplane> = subnetworks.iter().flat_map(first).collect();
        let patterns = evaluate(self.features(), &planes);
        let mut start = 0;
        let columns: Vec<Vec<usize>> = (subnetworks.iter())
            .map(|subnetwork| {
                let end = start + subnetwork.layers()[0].len();
                let own = (start..end).collect();
                start = end;
                own
            })
            .collect();
        (subnetworks.par_iter().zip(&columns))
            .map(|(subnetwork, own)| subnetwork.answer(patterns.select(own)))
            .collect()
    }

    fn draw_subnetwork(
        &self,
        widths: &[usize],
        scaling: &Scaling,
        rng: &mut impl Rng,
    ) -> Subnetwork {
        let mut widths = widths.iter().copied().chain([1]);
        let first = widths.next().expect("one layer at least");
        let mut layers = vec![(0..first).map(|_| self.draw(scaling, rng)).collect::<Vec<_>>()];
        for width in widths {
            let inputs = layers.last().map_or(0, Vec::len);
            let mut draw = || flush(rng.sample(StandardNormal));
            let mut neuron = || Hyperplane {
                weights: (0..inputs).map(|_| draw()).collect(),
                bias: if self.has_bias() { draw() } else { 0.0 },
            };
            layers.push((0..width).map(|_| neuron()).collect());
        }
        Subnetwork::new(layers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn samples_are_distinct_patterns_of_their_subnetworks() {
        let values = (0..80).map(|i| f64::from(i * 37 % 19) - 9.0).collect();
        let features = Features::new(40, 2, values).unwrap();
        for (widths, bias) in [(&[3][..], true), (&[2, 4], true), (&[3], false), (&[], true)] {
            let arrangement = Arrangement::with_bias(&features, bias);
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let found = arrangement.sample_deep(widths, 300, &Scaling::identity(2), &mut rng);
            let count = found.patterns.patterns();
            assert!((20..=300).contains(&count), "{widths:?}: {count}");
            let mut seen = std::collections::HashSet::new();
            for (j, subnetwork) in found.witnesses.iter().enumerate() {
                let plain = Pattern::from_fn(40, |i| subnetwork.fires(features.row(i)));
                assert_eq!(found.patterns.pattern(j), plain, "{widths:?}");
                assert!(seen.insert(plain));
                let shape: Vec<usize> = subnetwork.layers().iter().map(Vec::len).collect();
                assert_eq!(shape, [widths, &[1]].concat());
            }
        }
    }

    #[test]
    fn every_deep_pattern_of_a_few_points_is_drawn_sooner_or_later() {
        let features = Features::new(5, 1, (0..5).map(f64::from).collect()).unwrap();
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::fit(&features, &[1.0; 5], true);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let found = arrangement.sample_deep(&[2], 20_000, &scaling, &mut rng);
        assert_eq!(found.patterns.patterns(), 22);
    }
}
