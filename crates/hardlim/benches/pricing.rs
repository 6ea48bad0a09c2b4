//! How long pricing takes: a table of problem, seconds and the bound found.
//! `cargo bench -p hardlim --bench pricing -- [sweep | local | pairs | axis]`
#![allow(clippy::print_stdout)]

mod words;

use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling};
use hardlim::pricing::{Axes, Groups, LocalSearch, Sweep};
use hardlim::sum::round_to_grid;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn problem(n: usize, d: usize, seed: u64) -> (Features, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
    let mut z: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
    round_to_grid(&mut z);
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
        let (known, seconds) = timed(|| local.search(&arrangement, &scaling, &z, &[], 0));
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
    if wanted("local") {
        let (features, z) = problem(768, 8, 1);
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::fit(&features, &vec![1.0; 768], true);
        let local = LocalSearch::default();
        let (found, seconds) = timed(|| local.search(&arrangement, &scaling, &z, &[], 0));
        report("local n=768 d=8", seconds, found[0].value.abs());
    }

    for (n, d) in [(1000, 24), (768, 8)].into_iter().filter(|_| wanted("pairs")) {
        let (features, z) = problem(n, d, 2);
        let arrangement = Arrangement::of(&features);
        let (pairs, seconds) = timed(|| Groups::new(arrangement, 2));
        report(&format!("pairs n={n} d={d} merging"), seconds, 0.0);
        let price =
            |threshold, keep| pairs.price(&z, threshold, keep, &|| false).expect("not stopped");
        let (answer, seconds) = timed(|| price(0.0, usize::MAX));
        report(&format!("pairs n={n} d={d} best of each"), seconds, answer.upper_bound().value);
        let (answer, seconds) = timed(|| price(0.0, 1));
        report(&format!("pairs n={n} d={d} best of all"), seconds, answer.upper_bound().value);
        let best = answer.upper_bound().value;
        let (answer, seconds) = timed(|| price(1.05 * best, 16));
        report(&format!("pairs n={n} d={d} none above"), seconds, answer.upper_bound().value);
    }

    if wanted("axis") {
        let (features, z) = problem(1_000_000, 20, 3);
        let (axes, seconds) = timed(|| Axes::new(Arrangement::of(&features)));
        report("axis n=1000000 d=20 sorting", seconds, 0.0);
        let (answer, seconds) = timed(|| axes.price(&z, 0.0, 16));
        report("axis n=1000000 d=20", seconds, answer.upper_bound().value);
    }
}
