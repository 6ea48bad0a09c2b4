use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// The definition, one neuron and one row at a time.
fn answers_plain(neurons: &[Neuron], values: &[f64], d: usize, rows: usize) -> Vec<Vec<bool>> {
    let row = |i: usize| &values[i * d..(i + 1) * d];
    neurons.iter().map(|neuron| (0..rows).map(|i| neuron.fires(row(i))).collect()).collect()
}

fn check(neurons: &[Neuron], values: &[f64], d: usize, rows: usize) {
    let expected = answers_plain(neurons, values, d, rows);
    for isa in Isa::available() {
        let layer = FixedLayer::on(isa, neurons.iter().collect(), d);
        let mut worker = layer.worker();
        // The scales of the first block are kept for the others if they fit.
        for block in [rows.max(1), 1, 16, 64, rows.max(1)] {
            for first in (0..rows).step_by(block) {
                let count = block.min(rows - first);
                let words = count.div_ceil(WORD);
                let columns = worker.columns(&values[first * d..(first + count) * d], count);
                for (j, expected) in expected.iter().enumerate() {
                    let column = &columns[j * words..(j + 1) * words];
                    for i in 0..words * WORD {
                        let on = column[i / WORD] >> (i % WORD) & 1 == 1;
                        assert_eq!(on, i < count && expected[first + i], "{isa}: {j} on {i}");
                    }
                }
            }
        }
    }
}

/// Numbers of very different kinds.
fn number(kind: usize, rng: &mut ChaCha8Rng) -> f64 {
    let small = f64::from(rng.random_range(-3i32..4));
    match kind {
        0 => small,       // sums that are zero
        1 => 0.1 * small, // or nearly so
        2 => rng.random_range(-1.0..1.0),
        3 => small * 10f64.powi(rng.random_range(-58..58)),
        4 => 32767.5 * small + rng.random_range(-1.0..1.0),
        _ => small.max(0.0) * 0.01, // skewed, many of them zero
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn fixed_point_answers_as_the_real_numbers_do(
        rows in prop::sample::select(&[0usize, 1, 15, 16, 17, 64, 65, 130][..]),
        d in prop::sample::select(&[0usize, 1, 2, 7, 8, 9, 33][..]),
        count in prop::sample::select(&[0usize, 1, 15, 16, 17, 70][..]),
        kinds in (0usize..6, 0usize..6), seed: u64,
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let values: Vec<f64> = (0..rows * d).map(|_| number(kinds.0, &mut rng)).collect();
        let neurons: Vec<Neuron> = (0..count)
            .map(|j| {
                let inputs: Option<Vec<u32>> = (j % 3 == 0)
                    .then(|| (0..d as u32).filter(|_| rng.random_bool(0.2)).collect());
                let reads = inputs.as_ref().map_or(d, Vec::len);
                let mut weights: Vec<f64> =
                    (0..reads).map(|_| number(kinds.1, &mut rng)).collect();
                let mut bias = number(if j % 2 == 0 { 0 } else { kinds.1 }, &mut rng);
                // Through a row, or as close to it as doubles allow, with both numbers within
                // range.
                if j % 4 == 1 && rows > 0 && inputs.is_none() {
                    let x = &values[(j % rows) * d..(j % rows + 1) * d];
                    bias = -x.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
                }
                if j % 5 == 2 {
                    weights.iter_mut().chain([&mut bias]).for_each(|w| *w *= 1e60);
                }
                let flush = |w: f64| crate::pattern::threshold::flush(w.clamp(-1e120, 1e120));
                Neuron {
                    inputs,
                    weights: weights.into_iter().map(flush).collect(),
                    bias: flush(bias),
                }
            })
            .collect();
        check(&neurons, &values, d, rows);
    }
}

#[test]
fn a_row_far_beyond_the_others_is_answered_alike() {
    let d = 5;
    let mut values: Vec<f64> =
        (0..200 * d).map(|k| f64::from((k * k % 17) as u32) / 16.0).collect();
    values[77 * d + 2] = 1e60;
    values[150 * d] = -1e-60;
    let neuron = |k: usize| Neuron {
        inputs: None,
        weights: (0..d).map(|j| ((j * 7 + k * 3) % 11) as f64 - 5.0).collect(),
        bias: 0.25 * k as f64 - 4.0,
    };
    check(&(0..40).map(neuron).collect::<Vec<_>>(), &values, d, 200);
}

#[test]
fn neurons_that_read_few_inputs_do_not_pay_for_all() {
    let neuron = |k: u32| Neuron { inputs: Some(vec![k]), weights: vec![1.0], bias: -0.5 };
    let neurons: Vec<Neuron> = (0..64).rev().map(neuron).collect();
    let groups = Group::all(&neurons.iter().collect::<Vec<_>>());
    assert_eq!(groups.len(), 4);
    assert!(groups.iter().all(|group| group.rounded(&Scales::new(64)).pairs.len() == 8));
}
