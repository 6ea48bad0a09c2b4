//! How long things take: `cargo bench -p hardlim --bench stopwatch -- NAME [ARGUMENTS]`.
//!
//! | name | arguments | what is timed |
//! |---|---|---|
//! | `lasso` | rows, patterns, inputs, a part of beta_max, a loss | one solve |
//! | `path` | | 100 strengths down to 0.001 of beta_max, beside one cold solve there |
//! | `large` | rows | a solve with 20 inputs and 2000 patterns, sampling included |
//! | `complete` | rows | the complete program, beside sorting the targets |
//! | `arrangements` | | patterns that are counted and listed |
//! | `pricing` | `all`, `few`, `ties` or `halfspace` | proofs |
//! | `few-inputs` | tables | cross-validation over neurons of two inputs, beside one cold fit |
//! | `fit` | a table, patterns, repeats | training on a matrix |
//! | `margins` | a file, rows, inputs, neurons | widest margins of many neurons |
//! | `predict` | a model, rows as doubles, repeats | the answers of a model |

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod models;
mod pricing;
mod solves;

use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds a word of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let (name, rest) = words.split_first().ok_or("expected a name, as `lasso`")?;
    match name.as_str() {
        "lasso" => solves::lasso(rest),
        "path" => solves::path(),
        "large" => solves::large(number(rest, 0, 1e5) as usize),
        "complete" => solves::complete(number(rest, 0, 1e7) as usize),
        "arrangements" => pricing::arrangements(),
        "pricing" => pricing::pricing(rest),
        "few-inputs" => models::few_inputs(rest),
        "fit" => models::fit(rest),
        "margins" => models::margins(rest),
        "predict" => models::predict(rest),
        _ => Err(format!("no stopwatch is called {name}").into()),
    }
}

/// Word `k` as a number.
fn number(words: &[String], k: usize, default: f64) -> f64 {
    words.get(k).map_or(default, |word| word.parse().expect("a number"))
}

/// The result of some work, and its seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// The one in the middle.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
