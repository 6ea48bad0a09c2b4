//! What an epoch costs: two layers, 5000 samples, 57 inputs, 1000 neurons, all in one batch.

use hardlim::data::{Dataset, Features};
use hardlim::program::Beta;
use hardlim::solver::Budget;
use hardlim_baseline::Baseline;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), hardlim::Error> {
    let (rows, inputs) = (5000, 57);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let x: Vec<f64> = (0..rows * inputs).map(|_| rng.random_range(-1.0..1.0)).collect();
    let y: Vec<f64> = (0..rows).map(|_| if rng.random() { 1.0 } else { -1.0 }).collect();
    let data = Dataset::new(Features::new(rows, inputs, x)?, &y, None)?;
    let baseline = Baseline { epochs: 20, ..Baseline::default() };
    let budget = Budget::default();
    let found = baseline.train(&data, "squared".parse()?, Beta::new(1.0)?, &budget, |_| {})?;
    let mut times: Vec<f64> =
        found.epochs.windows(2).map(|pair| pair[1].seconds - pair[0].seconds).collect();
    times.sort_by(f64::total_cmp);
    eprintln!("{:.4} s an epoch, the median of {}", times[times.len() / 2], times.len());
    Ok(())
}
