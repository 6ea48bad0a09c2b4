//! How fast a model answers, rows in memory:
//! `cargo bench -p hardlim --bench predict -- MODEL ROWS.f64 [REPEATS]`.
//!
//! The rows are doubles in the byte order of the machine, one row after the other, as NumPy's
//! `tofile` writes them. Prints the median of the seconds, the mean of the processor's, and the sum
//! of the outputs.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::hint::black_box;
use std::path::Path;

use hardlim::data::Features;
use hardlim::model::Model;

mod stopwatch;
mod words;
use stopwatch::{median, timed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = words::words();
    let (Some(model), Some(rows)) = (arguments.next(), arguments.next()) else {
        println!("expected MODEL ROWS.f64 [REPEATS]");
        return Ok(());
    };
    let repeats: usize = arguments.next().map_or(Ok(7), |n| n.parse::<usize>())?.max(1);
    let model = Model::load(Path::new(&model))?;
    let [part] = model.parts() else {
        return Err("one network, please: this is a model of several classes".into());
    };
    let network = part.network();
    let values: Vec<f64> =
        std::fs::read(rows)?.as_chunks().0.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect();
    let features = Features::new(values.len() / network.inputs().max(1), network.inputs(), values)?;
    let before = processor_seconds();
    let times = (0..repeats).map(|_| timed(|| drop(black_box(network.output(&features)))));
    let seconds = median(times.collect()).as_secs_f64();
    let processor = (processor_seconds() - before) / repeats as f64;
    println!("seconds {seconds} processor {processor}");
    println!("rows {} neurons {}", features.rows(), network.neurons());
    println!("sum {}", network.output(&features).iter().sum::<f64>());
    Ok(())
}

/// What all threads have used so far, in the hundredths of a second that Linux counts; elsewhere
/// nothing.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name of the program, which may hold spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
