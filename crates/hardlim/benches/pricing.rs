//! How long pricing takes: a table of problem, seconds and the bound found; for ties, the last
//! column is the time relative to normal numbers, and for halfspaces the number of errors. `cargo
//! bench -p hardlim --bench pricing -- [sweep | ties | halfspace | local | pairs | axis]`
#![allow(clippy::print_stdout)]

mod words;

use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling};
use hardlim::pricing::{Axes, Groups, HalfspaceSearch, LocalSearch, Prover, SignedWeights, Sweep};
use hardlim::sum::round_to_grid;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn problem(n: usize, d: usize, seed: u64) -> (Features, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
    let mut z: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
    round_to_grid(&mut z);
    (Features::new(n, d, x).expect("in range"), z)
}

/// Columns with this number of whole values, or normal numbers where it is zero; equal rows are
/// merged.
fn tied_problem(n: usize, values: &[u32], seed: u64) -> (Features, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut number = |values: u32| match values {
        0 => rng.sample(StandardNormal),
        _ => f64::from(rng.random_range(0..values)),
    };
    let x = (0..n)
        .flat_map(|_| values.iter().copied().map(&mut number).collect::<Vec<f64>>())
        .collect();
    let (features, _) = Features::new(n, values.len(), x).expect("in range").merge();
    let mut z: Vec<f64> = (0..features.rows()).map(|_| rng.sample(StandardNormal)).collect();
    round_to_grid(&mut z);
    (features, z)
}

/// Normal numbers, labelled by a halfspace; a tenth of the labels are turned.
fn noisy_halfspace(n: usize, d: usize, seed: u64) -> (Features, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x: Vec<f64> = (0..n * d).map(|_| rng.sample(StandardNormal)).collect();
    let w: Vec<f64> = (0..d).map(|_| rng.sample(StandardNormal)).collect();
    let label = |row: &[f64]| {
        let inside = row.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() >= 0.3;
        if inside != (rng.random::<f64>() < 0.1) { 1.0 } else { -1.0 }
    };
    let z = x.chunks_exact(d).map(label).collect();
    (Features::new(n, d, x).expect("in range"), z)
}

fn report(name: &str, seconds: f64, value: f64) {
    println!("{name:<36} {seconds:>10.4} {value:>12.6}");
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

fn main() {
    // One word on the command line picks the rows of the table.
    let chosen = words::words().next().unwrap_or_default();
    let wanted = |name: &str| name.starts_with(&chosen);
    println!("{:<36} {:>10} {:>12}", "problem", "seconds", "max |d'z|");
    for (n, d) in [(1000, 2), (300, 3), (100, 4)].into_iter().filter(|_| wanted("sweep")) {
        let (features, z) = problem(n, d, 1);
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::fit(&features, &vec![1.0; n], true);
        let local = LocalSearch::default();
        let (known, seconds) =
            timed(|| local.search(&arrangement, &scaling, &z, &[], 0, &|| false).0);
        report(&format!("local n={n} d={d}"), seconds, known[0].value.abs());
        for known in [&[][..], &known] {
            let (extremes, seconds) = timed(|| {
                let sweep = Sweep::new(arrangement, 5).expect("few columns");
                sweep.price(&z, known, &|| false).expect("not stopped")
            });
            let name = format!("sweep n={n} rank={} known={}", d + 1, known.len());
            report(&name, seconds, extremes.bound.value);
        }
    }
    for (name, columns, n) in [
        ("60, 12 and 30 values", &[60, 12, 30][..], 300),
        ("10, 10, 10 and 10 values", &[10, 10, 10, 10], 200),
    ] {
        if !wanted("ties") {
            continue;
        }
        let gaussian = vec![0; columns.len()];
        let mut times = Vec::new();
        for values in [columns, &gaussian] {
            let mut total = 0.0;
            for seed in 0..5 {
                let (features, z) = tied_problem(n, values, seed);
                let arrangement = Arrangement::of(&features);
                let prover = Prover::new(arrangement, None, 10_000_000).expect("all inputs");
                assert!(prover.is_exact(), "small rank");
                let price = || prover.price(&z, &[], 0.0, 1, &|| false);
                total += timed(price).1;
            }
            times.push(total);
        }
        report(&format!("ties n={n}, {name}"), times[0], times[0] / times[1]);
        report(&format!("ties n={n}, normal numbers"), times[1], 1.0);
    }
    for (n, d) in [(200, 5), (500, 5)].into_iter().filter(|_| wanted("halfspace")) {
        for seed in 0..10 {
            let (features, z) = noisy_halfspace(n, d, seed);
            let search =
                HalfspaceSearch { max_inputs: None, gap: 0.0, effort: 1, seed: 0, stop: &|| false };
            let arrangement = Arrangement::of(&features);
            let weights = SignedWeights::of_rows(&z);
            let (found, seconds) = timed(|| search.find(arrangement, weights.clone()));
            let found = found.expect("all inputs");
            assert_eq!(found.relative_gap(), 0.0, "proven");
            report(&format!("halfspace n={n} d={d} seed={seed}"), seconds, found.loss());
        }
    }
    if wanted("local") {
        let (features, z) = problem(768, 8, 1);
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::fit(&features, &vec![1.0; 768], true);
        let local = LocalSearch::default();
        let (found, seconds) =
            timed(|| local.search(&arrangement, &scaling, &z, &[], 0, &|| false).0);
        report("local n=768 d=8", seconds, found[0].value.abs());
    }

    for (n, d) in [(1000, 24), (768, 8)].into_iter().filter(|_| wanted("pairs")) {
        let (features, z) = problem(n, d, 2);
        let arrangement = Arrangement::of(&features);
        let (pairs, seconds) = timed(|| Groups::new(arrangement, 2));
        report(&format!("pairs n={n} d={d} merging"), seconds, 0.0);
        let price = |threshold, keep| pairs.price(&z, threshold, keep, &|| false);
        let (answer, seconds) = timed(|| price(0.0, usize::MAX));
        report(&format!("pairs n={n} d={d} best of each"), seconds, answer.price().value);
        let (answer, seconds) = timed(|| price(0.0, 1));
        report(&format!("pairs n={n} d={d} best of all"), seconds, answer.price().value);
        let best = answer.price().value;
        let (answer, seconds) = timed(|| price(1.05 * best, 16));
        report(&format!("pairs n={n} d={d} none above"), seconds, answer.price().value);
    }

    if wanted("axis") {
        let (features, z) = problem(1_000_000, 20, 3);
        let (axes, seconds) = timed(|| Axes::new(Arrangement::of(&features)));
        report("axis n=1000000 d=20 sorting", seconds, 0.0);
        let (answer, seconds) = timed(|| axes.price(&z, 0.0, 16));
        report("axis n=1000000 d=20", seconds, answer.price().value);
    }
}
