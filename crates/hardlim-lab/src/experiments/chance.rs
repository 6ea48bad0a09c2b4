//! Chance: one seed, from which every use of chance takes a stream of its own, by name.
//!
//! Numbers such as `seed + k` would not do: the first split of seed 1 would be the second one of
//! seed 0, and a training would start in the stream that drew its data.

/// The seed of the stream with this name. For one name, different seeds have different streams.
pub(crate) fn stream(seed: u64, name: &str) -> u64 {
    // FNV-1a; its constants.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mix(mix(seed).wrapping_add(hash))
}

/// The mixing step of SplitMix64 (Steele, Lea and Flood 2014), a bijection.
fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    use crate::baseline::{parameters::Parameters, train::rng};
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::StandardNormal;

    #[test]
    fn no_two_streams_meet() {
        let mut seen = HashSet::new();
        for seed in 0..50 {
            for draw in 0..50 {
                for name in ["data", "splits", "starts", "patterns", "folds"] {
                    let found = stream(seed, &format!("{name}/{draw}"));
                    assert!(seen.insert(found), "seed {seed}: {name}/{draw}");
                }
            }
        }
        assert!((0..50).all(|seed| !seen.contains(&seed)));
    }

    #[test]
    fn a_start_does_not_know_the_teacher() {
        for seed in [0, 1, stream(0, "data")] {
            // The first numbers of the stream of generated data are the weights of the teacher.
            let mut stream = ChaCha8Rng::seed_from_u64(seed);
            let teacher: Vec<f64> = (0..400).map(|_| stream.sample(StandardNormal)).collect();
            let start = Parameters::draw(20, &[20], true, false, &mut rng(seed, 0));
            for (j, neuron) in teacher.chunks_exact(20).enumerate() {
                let other = start.layers[0].weights.col_as_slice(j);
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                let cosine = dot(neuron, other) / (dot(neuron, neuron) * dot(other, other)).sqrt();
                // Independent directions of 20 dimensions have cosines of about 0.22.
                assert!(cosine.abs() < 0.8, "seed {seed}, neuron {j}: {cosine}");
            }
        }
    }
}
