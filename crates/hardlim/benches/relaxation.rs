//! What blocks of rows prove about all networks: a table, a beta, seconds and efforts from the
//! command line. `cargo bench -p hardlim --bench relaxation -- /DATA/pima.csv 20 60 100000 1000000`
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod words;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use hardlim::arrangement::Arrangement;
use hardlim::certificate::Problem;
use hardlim::loss::Squared;
use hardlim::pricing::Prover;
use hardlim::program::{Beta, Constraints};
use hardlim::solver::Budget;
use hardlim::table::{Coding, CodingOptions, ReadOptions, Table};
use hardlim::train::Relaxation;

fn main() -> Result<(), hardlim::Error> {
    let words: Vec<String> = words::words().collect();
    let word = |k: usize, default: &'static str| words.get(k).map_or(default, |w| w.as_str());
    let number = |word: &str| word.parse::<f64>().expect("a number");
    let table = Table::open(word(0, "tic-tac-toe"), &ReadOptions::default())?;
    let data = Coding::fit(&table, &CodingOptions::default())?.dataset(&table)?;
    let (beta, seconds) = (Beta::new(number(word(1, "20")))?, number(word(2, "20")));
    let arrangement = Arrangement::of(data.features());
    let (targets, constraints) = (data.targets(), Constraints::default());
    let problem = Problem::new(targets, &Squared, beta, constraints)?;
    println!(
        "{:>10} {:>7} {:>5} {:>9} {:>9} {:>9}",
        "effort", "blocks", "rows", "bound", "seconds", "to check"
    );
    for effort in words.get(3..).unwrap_or_default().iter().map(|w| number(w) as u64) {
        let start = Instant::now();
        let prover = Prover::new(arrangement, None, effort)?;
        let Some((blocks, nodes)) = prover.blocks() else {
            println!("{effort:>10}: few rows, or a low rank, need no blocks");
            continue;
        };
        let budget = Budget::time_limit(Duration::from_secs_f64(seconds));
        let relaxation = Relaxation { arrangement, blocks, nodes };
        let go_on = |_| ControlFlow::Continue(());
        let Some(point) = relaxation.solve(&problem, &budget, go_on) else {
            println!("{effort:>10}: no bound in time");
            continue;
        };
        let solved = start.elapsed().as_secs_f64();
        let answer = prover.price(point.values(), &[], 0.0, 0, &|| false);
        let bound = point.lower_bound(&Squared, targets, beta, answer.price().value);
        let rows = blocks.iter().map(|(rows, _)| rows.len()).max().unwrap_or(0);
        let checked = start.elapsed().as_secs_f64() - solved;
        println!(
            "{effort:>10} {:>7} {rows:>5} {bound:>9.3} {solved:>9.1} {checked:>9.1}",
            blocks.len()
        );
    }
    Ok(())
}
