//! How long pricing takes: a table of problem, seconds and the bound found.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling};
use hardlim::pricing::{LocalSearch, Sweep};
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

fn main() {
    println!("{:<32} {:>10} {:>12}", "problem", "seconds", "max |d'z|");
    for (n, d) in [(1000, 2), (300, 3), (100, 4)] {
        let (features, z) = problem(n, d, 1);
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::fit(&features, &vec![1.0; n], true);
        let start = Instant::now();
        let known = LocalSearch::default().search(&arrangement, &scaling, &z, &[], 0);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{:<32} {seconds:>10.4} {:>12.6}",
            format!("local n={n} d={d}"),
            known[0].value.abs()
        );
        for known in [&[][..], &known] {
            let start = Instant::now();
            let sweep = Sweep::new(arrangement, 5).expect("few columns");
            let extremes = sweep.price(&z, known, &|| false).expect("not stopped");
            let seconds = start.elapsed().as_secs_f64();
            let name = format!("sweep n={n} rank={} known={}", d + 1, known.len());
            println!("{name:<32} {seconds:>10.4} {:>12.6}", extremes.bound.value);
        }
    }
    let (features, z) = problem(768, 8, 1);
    let arrangement = Arrangement::of(&features);
    let scaling = Scaling::fit(&features, &vec![1.0; 768], true);
    let start = Instant::now();
    let found = LocalSearch::default().search(&arrangement, &scaling, &z, &[], 0);
    let seconds = start.elapsed().as_secs_f64();
    println!("{:<32} {seconds:>10.4} {:>12.6}", "local n=768 d=8", found[0].value.abs());
}
