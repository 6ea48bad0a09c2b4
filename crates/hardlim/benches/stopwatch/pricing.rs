//! Proofs and lists of patterns.

use std::error::Error;

use hardlim::arrangement::Arrangement;
use hardlim::data::Features;
use hardlim::pricing::{HalfspaceSearch, Prover, SignedWeights, round_to_grid};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::timed;

/// How fast arrangements are counted and listed.
pub(super) fn arrangements() -> Result<(), Box<dyn Error>> {
    println!("data, n, d, patterns: counted a second, listed a second");
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    for (n, d) in [(1000, 2), (200, 3), (100, 4), (40, 5)] {
        let values = (0..n * d).map(|_| rng.sample(StandardNormal)).collect();
        listed("normal numbers", &Features::new(n, d, values)?)?;
    }
    for unit in [1.0, 0.1] {
        let values = (0..600).map(|_| unit * f64::from(rng.random_range(0..20))).collect();
        listed(&format!("multiples of {unit}"), &Features::new(200, 3, values)?.merge().0)?;
    }
    let grid = (0..64).flat_map(|k| [k % 4, k / 4 % 4, k / 16]).map(f64::from);
    listed("the grid 4 x 4 x 4", &Features::new(64, 3, grid.collect())?)
}

fn listed(name: &str, features: &Features) -> Result<(), Box<dyn Error>> {
    let listing = Arrangement::of(features).listing(u128::MAX)?;
    let (count, counting) = timed(|| listing.count());
    let (patterns, seconds) = timed(|| listing.patterns());
    let (n, d, count) = (features.rows(), features.dimension(), count? as f64);
    assert_eq!(patterns?.patterns() as f64, count);
    println!("{name}, {n}, {d}, {count}: {:.2e}, {:.2e}", count / counting, count / seconds);
    Ok(())
}

/// The largest `|dᵀz|` over neurons of all inputs, of few, and on ties; the best halfspaces.
pub(super) fn pricing(words: &[String]) -> Result<(), Box<dyn Error>> {
    let wanted = |name: &str| words.first().is_none_or(|word| word == name);
    println!("{:<36} {:>10} {:>12}", "problem", "seconds", "value");
    let all = [(1000, 2, None), (300, 3, None), (100, 4, None)];
    let few = [(1000, 24, Some(2)), (768, 8, Some(2)), (1_000_000, 20, Some(1))];
    for (name, cases) in [("all", all), ("few", few)] {
        for (n, d, inputs) in cases.into_iter().filter(|_| wanted(name)) {
            prove(&format!("{n} x {d}, inputs {inputs:?}"), n, &vec![0; d], inputs)?;
        }
    }
    for (n, values) in [(300, &[60, 12, 30][..]), (200, &[10; 4])] {
        for values in [values, &vec![0; values.len()]].into_iter().filter(|_| wanted("ties")) {
            prove(&format!("ties n={n}, values {values:?}"), n, values, None)?;
        }
    }
    for (n, seed) in (0..20).map(|k| ([200, 500][k / 10], k as u64 % 10)) {
        if wanted("halfspace") {
            halfspace(n, 5, seed)?;
        }
    }
    Ok(())
}

/// A proof on columns with this number of whole values, or of normal numbers where it is zero.
fn prove(
    name: &str,
    n: usize,
    values: &[u32],
    inputs: Option<usize>,
) -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let x = (0..n).flat_map(|_| values).map(|&values| match values {
        0 => rng.sample(StandardNormal),
        _ => f64::from(rng.random_range(0..values)),
    });
    let (features, _) = Features::new(n, values.len(), x.collect())?.merge();
    let mut z: Vec<f64> = (0..features.rows()).map(|_| rng.sample(StandardNormal)).collect();
    round_to_grid(&mut z);
    let prover = Prover::new(Arrangement::of(&features), inputs, 10_000_000)?;
    assert!(prover.is_exact(), "few inputs or a small rank");
    let (answer, seconds) = timed(|| prover.price(&z, &[], 0.0, 1, &|| false));
    println!("{name:<36} {seconds:>10.4} {:>12.6}", answer.price().value);
    Ok(())
}

/// Normal numbers, labelled by a halfspace; a tenth of the labels are turned.
fn halfspace(n: usize, d: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x: Vec<f64> = (0..n * d).map(|_| rng.sample(StandardNormal)).collect();
    let w: Vec<f64> = (0..d).map(|_| rng.sample(StandardNormal)).collect();
    let label = |row: &[f64]| {
        let inside = row.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() >= 0.3;
        if inside != (rng.random::<f64>() < 0.1) { 1.0 } else { -1.0 }
    };
    let z: Vec<f64> = x.chunks_exact(d).map(label).collect();
    let features = Features::new(n, d, x)?;
    let search = HalfspaceSearch { max_inputs: None, gap: 0.0, effort: 1, seed: 0 };
    let weights = SignedWeights::of_rows(&z);
    let (found, seconds) = timed(|| search.find(Arrangement::of(&features), weights, &|| false));
    let found = found?;
    assert_eq!(found.relative_gap(), 0.0, "proven");
    println!("{:<36} {seconds:>10.4} {:>12}", format!("halfspace n={n}, {seed}"), found.loss());
    Ok(())
}
