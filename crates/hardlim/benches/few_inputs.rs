//! What cross-validation over neurons of two inputs costs, beside one cold fit at its weakest
//! strength: 10 strengths on 5 folds, logistic loss, every network proven to a relative gap of
//! 1e-3. `cargo bench -p hardlim --bench few_inputs -- DATA.csv [MORE.csv]`, where the last column
//! is the target.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod words;

use std::time::Instant;

use hardlim::table::ReadOptions;
use hardlim::table::Table;
use hardlim::train::{Request, Watch};

/// The weakest strength, as a part of `β_max`.
const LEAST: f64 = 0.05;
/// The relative gap of every network.
const GAP: f64 = 1e-3;

/// Seconds on the wall, and seconds of all cores where the system tells.
fn clocks() -> (Instant, Option<f64>) {
    let stat = std::fs::read_to_string("/proc/self/stat").ok();
    let ticks = stat.and_then(|text| {
        let after =
            text.rsplit_once(')')?.1.split_whitespace().skip(11).take(2).collect::<Vec<_>>();
        Some(after.iter().filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0)
    });
    (Instant::now(), ticks)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (start, before) = clocks();
    let result = work();
    let wall = start.elapsed().as_secs_f64();
    let cores = clocks().1.zip(before).map_or(wall, |(after, before)| after - before);
    (result, wall, cores)
}

fn main() -> Result<(), hardlim::Error> {
    println!(
        "{:<24} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "data", "cold s", "cores", "folds s", "cores", "ratio"
    );
    for name in words::words() {
        let table = Table::open(&name, &ReadOptions::default())?;
        let request =
            Request::of(&format!("loss=logistic max_inputs=2 method=generate gap={}", GAP))
                .unwrap();
        let (set, _) = request.read(&table)?;
        let watch = Watch::default();
        let cold = request.with(&format!("beta_ratio={}", LEAST)).unwrap();
        let (trained, cold_wall, cold_cores) = timed(|| cold.check(&set)?.train(&set, &watch));
        assert!(trained?.model.certificate().relative_gap() <= GAP);
        let folds = request.with(&format!("cv=5 n_ratios=10 least_ratio={}", LEAST)).unwrap();
        let (chosen, wall, cores) = timed(|| folds.check(&set)?.choose(&set, &watch));
        assert!(chosen?.is_some_and(|chosen| chosen.complete));
        let short = name.rsplit('/').next().unwrap_or(&name);
        let ratio = cores / cold_cores;
        println!(
            "{short:<24} {cold_wall:>9.3} {cold_cores:>9.3} {wall:>9.3} {cores:>9.3} {ratio:>7.2}"
        );
    }
    Ok(())
}
