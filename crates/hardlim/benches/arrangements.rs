//! How fast arrangements are listed: `cargo bench -p hardlim --bench arrangements`, with `-- WORD`
//! to see only the rows whose name holds that word.

#![allow(clippy::print_stdout)]

mod words;

use std::error::Error;
use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::Features;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:>22} {:>5} {:>3} {:>10} {:>9} {:>12} {:>9} {:>12}",
        "data", "n", "d", "patterns", "count, s", "a second", "list, s", "a second"
    );
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    for (n, d) in [(1000, 2), (200, 3), (100, 4), (40, 5), (17, 8)] {
        let values = (0..n * d).map(|_| rng.sample(StandardNormal)).collect();
        report("normal numbers", &Features::new(n, d, values)?)?;
    }
    for (n, d, reach) in [(1000, 2, 50), (200, 3, 20), (60, 4, 10)] {
        let values = (0..n * d).map(|_| f64::from(rng.random_range(0..reach))).collect();
        report(&format!("integers below {reach}"), &Features::new(n, d, values)?.merge().0)?;
    }
    for (n, d, reach) in [(1000, 2, 50), (100, 3, 20)] {
        let tenths = (0..n * d).map(|_| f64::from(rng.random_range(0..reach)) / 10.0).collect();
        report(&format!("tenths below {reach}/10"), &Features::new(n, d, tenths)?.merge().0)?;
    }
    let grid: Vec<f64> = (0..64).flat_map(|k| [k % 4, k / 4 % 4, k / 16]).map(f64::from).collect();
    report("the grid 4 x 4 x 4", &Features::new(64, 3, grid)?)?;
    let cube: Vec<f64> = (0..32).flat_map(|k| (0..5).map(move |b| f64::from(k >> b & 1))).collect();
    report("the cube 2^5", &Features::new(32, 5, cube)?)
}

fn report(name: &str, features: &Features) -> Result<(), Box<dyn Error>> {
    if words::words().next().is_some_and(|word| !name.contains(&word)) {
        return Ok(());
    }
    let listing = Arrangement::of(features).listing(u128::MAX)?;
    let start = Instant::now();
    let count = listing.count()?;
    let counting = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let patterns = listing.patterns()?;
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(patterns.patterns() as u64, count);
    println!(
        "{name:>22} {:>5} {:>3} {count:>10} {counting:>9.3} {:>12.0} {seconds:>9.3} {:>12.0}",
        features.rows(),
        features.dimension(),
        count as f64 / counting,
        count as f64 / seconds
    );
    Ok(())
}
