//! The complete program of every loss on two classes against that of the squared loss: value and `δ` of a
//! million rows.
//!
//! `cargo bench -p hardlim --bench complete_losses -- [ROWS]`

#![expect(clippy::print_stdout, reason = "the times are the result")]

mod stopwatch;
mod words;

use hardlim::data::Targets;
use hardlim::loss::LossKind;
use hardlim::program::{Beta, CompleteProgram};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stopwatch::{median, timed};

const ROUNDS: usize = 11;

fn main() {
    let rows = words::words().next().map_or(1_000_000, |n| n.parse().expect("a number of rows"));
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let label = |on: bool| if on { 1.0 } else { -1.0 };
    let targets = Targets::plain((0..rows).map(|_| label(rng.random())).collect());
    let program = |loss: LossKind| {
        let one = Beta::new(1.0).expect("positive");
        let beta_max = CompleteProgram::new(&targets, loss, one).beta_max();
        CompleteProgram::new(&targets, loss, Beta::new(0.1 * beta_max).expect("positive"))
    };
    let squared = program(LossKind::Squared);
    for loss in LossKind::all() {
        let program = program(loss);
        let (mut ours, mut of_squared) = (Vec::new(), Vec::new());
        let mut value = 0.0;
        // Turn by turn, so that both meet the machine in the same state.
        for _ in 0..ROUNDS {
            ours.push(timed(|| value = program.solve().value));
            of_squared.push(timed(|| value += 0.0 * squared.solve().value));
        }
        let (ours, of_squared) = (median(ours), median(of_squared));
        println!(
            "{loss}: value {value:.6e} in {ours:.1?}, {:.2} times the squared loss",
            ours.as_secs_f64() / of_squared.as_secs_f64()
        );
    }
}
