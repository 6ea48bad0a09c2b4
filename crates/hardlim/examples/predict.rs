//! How fast a model answers, rows in memory: `predict MODEL ROWS.f64 [REPEATS]`.
//!
//! The rows are doubles in the byte order of the machine, one row after the other, as NumPy's `tofile` writes
//! them. Prints the median of the seconds, and the sum of the outputs.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::hint::black_box;
use std::path::Path;

use hardlim::data::Features;
use hardlim::network::Stored;

mod stopwatch;
use stopwatch::{median, timed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "predict MODEL ROWS.f64 [REPEATS]";
    let (model, rows) = (arguments.next().ok_or(usage)?, arguments.next().ok_or(usage)?);
    let repeats: usize = arguments.next().map_or(Ok(7), |n| n.parse())?;
    let Stored::Model(model) = Stored::load(Path::new(&model))? else {
        return Err("one network, please: this is a classifier of several classes".into());
    };
    let network = &model.network;
    let values: Vec<f64> =
        std::fs::read(rows)?.as_chunks().0.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect();
    let features = Features::new(values.len() / network.inputs().max(1), network.inputs(), values)?;
    let times = (0..repeats.max(1)).map(|_| timed(|| drop(black_box(network.output(&features)))));
    println!("seconds {}", median(times.collect()).as_secs_f64());
    println!("rows {} neurons {}", features.rows(), network.neurons());
    println!("sum {}", network.output(&features).iter().sum::<f64>());
    Ok(())
}
