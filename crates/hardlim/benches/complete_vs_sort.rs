//! The complete program with squared loss against sorting the targets once: value and `δ` of ten
//! million rows, by selection, and the standard library's unstable sort of the same numbers.
//!
//! `cargo bench -p hardlim --bench complete_vs_sort -- [ROWS]`

#![expect(clippy::print_stdout, reason = "the times are the result")]

mod stopwatch;
mod words;

use hardlim::data::Targets;
use hardlim::loss::Squared;
use hardlim::program::{Beta, CompleteProgram};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use stopwatch::{median, timed};

const ROUNDS: usize = 7;

fn main() {
    let rows = words::words().next().map_or(10_000_000, |n| n.parse().expect("a number of rows"));
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let y: Vec<f64> = (0..rows).map(|_| rng.sample(StandardNormal)).collect();
    let mut copy = y.clone();
    let targets = Targets::plain(y);
    for ratio in [0.5, 0.1, 0.001] {
        let one = Beta::new(1.0).expect("positive");
        let beta_max = CompleteProgram::new(&targets, Squared, one).beta_max();
        let beta = Beta::new(ratio * beta_max).expect("positive");
        let program = CompleteProgram::new(&targets, Squared, beta);
        let (mut ours, mut sorting) = (Vec::new(), Vec::new());
        let mut value = 0.0;
        // Turn by turn, so that both meet the machine in the same state.
        for _ in 0..ROUNDS {
            ours.push(timed(|| value = program.solve().value));
            copy.copy_from_slice(targets.values());
            sorting.push(timed(|| copy.sort_unstable_by(f64::total_cmp)));
        }
        let (ours, sorting) = (median(ours), median(sorting));
        println!(
            "beta = {ratio} beta_max: value {value:.6e} in {ours:.1?}, sort in {sorting:.1?}: \
             {:.2} of it",
            ours.as_secs_f64() / sorting.as_secs_f64()
        );
    }
}
