//! What blocks of rows prove about all networks: a table of data, beta and the rows of a block from the
//! command line, and seconds.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use hardlim::arrangement::Arrangement;
use hardlim::certificate::Problem;
use hardlim::data::{Coding, CodingOptions, ReadOptions, Table};
use hardlim::loss::Squared;
use hardlim::pricing::Blocks;
use hardlim::program::{Beta, Constraints};
use hardlim::solver::Budget;
use hardlim::train::Relaxation;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let table = Table::open(&words[0], &ReadOptions::default()).unwrap();
    let data = Coding::fit(&table, &CodingOptions::default()).unwrap().dataset(&table).unwrap();
    let beta = Beta::new(words[1].parse().unwrap()).unwrap();
    let seconds: f64 = words[2].parse().unwrap();
    let arrangement = Arrangement::of(data.features());
    let problem = Problem {
        targets: data.targets(),
        loss: &Squared,
        beta,
        constraints: Constraints::default(),
    };
    for size in words[3..].iter().map(|w| w.parse().unwrap()) {
        let start = Instant::now();
        let blocks = Blocks::new(arrangement, size);
        let relaxation = Relaxation { arrangement, blocks: &blocks, nodes: usize::MAX };
        let point =
            relaxation.solve(&problem, &Budget::time_limit(Duration::from_secs_f64(seconds)));
        let relaxed = start.elapsed().as_secs_f64();
        let limit = || start.elapsed().as_secs_f64() > 2.0 * seconds;
        let answer = blocks.price(point.values(), usize::MAX, &limit);
        let bound = point.lower_bound(&Squared, data.targets(), beta, answer.upper_bound().value);
        println!(
            "size {size}: {} blocks, bound {bound:.2}, above {:.2} below {:.2}, {relaxed:.1} s + {:.1} s",
            blocks.len(),
            answer.above,
            answer.below,
            start.elapsed().as_secs_f64() - relaxed
        );
    }
}
