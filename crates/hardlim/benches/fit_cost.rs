//! What training on a matrix costs in Rust, to hold the other languages against: the merging of
//! rows, the sampled Lasso, the certificate.
//!
//! `cargo bench -p hardlim --bench fit_cost -- TABLE [PATTERNS] [REPEATS]` prints the objective and
//! the median of the seconds.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod words;

use std::time::Instant;

use hardlim::data::{Features, TrainingSet};
use hardlim::table::{Coding, CodingOptions, ReadOptions, Table};
use hardlim::train::{Request, Watch};

fn main() -> Result<(), hardlim::Error> {
    let mut arguments = words::words();
    let table = arguments.next().unwrap_or_else(|| "tic-tac-toe".into());
    let mut number = |default| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (patterns, repeats) = (number(1000), number(5));
    let table = Table::open(&table, &ReadOptions::default())?;
    let coding = Coding::fit(&table, &CodingOptions::default())?;
    let (x, y) = (coding.features(&table)?, coding.targets(&table)?);
    let mut seconds = Vec::new();
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        let copy = Features::new(x.rows(), x.dimension(), x.values().to_vec())?;
        let set = TrainingSet::new(coding.clone(), copy, y.clone(), None)?;
        let request = Request::of(&format!("patterns={patterns}")).unwrap();
        let trained = request.check(&set)?.train(&set, &Watch::default())?;
        seconds.push(start.elapsed().as_secs_f64());
        println!("objective {}", trained.model.certificate().objective());
    }
    seconds.sort_by(f64::total_cmp);
    println!("seconds {}", seconds[seconds.len() / 2]);
    Ok(())
}
