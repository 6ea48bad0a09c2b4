//! Maximum margins of many neurons on the same rows, timed:
//! `cargo bench -p hardlim --bench margins -- FILE SAMPLES INPUTS NEURONS`.
//!
//! The file holds bytes of 0 and 1: the rows one after the other, then the patterns.
//! `bench/weights/run` compares the answer with scikit-learn's.
#![allow(clippy::print_stdout)]

mod words;

use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling};
use hardlim::network::{Cell, Weights, reconstruct};
use hardlim::pattern::Pattern;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = words::words().collect();
    let [file, samples, inputs, neurons] = arguments.as_slice() else {
        println!("expected FILE SAMPLES INPUTS NEURONS");
        return Ok(());
    };
    let (n, d, p): (usize, usize, usize) = (samples.parse()?, inputs.parse()?, neurons.parse()?);
    let bytes = std::fs::read(file)?;
    if bytes.len() != n * d + p * n {
        return Err(format!("expected {} bytes, found {}", n * d + p * n, bytes.len()).into());
    }
    let (x, patterns) = bytes.split_at(n * d);
    let features = Features::new(n, d, x.iter().map(|&b| f64::from(b)).collect())?;
    let pattern = |j: usize| Pattern::from_fn(n, |i| patterns[j * n + i] == 1);
    let cells = (0..p).map(|j| Cell { pattern: pattern(j), witness: None }).collect();

    let start = Instant::now();
    let arrangement = Arrangement::of(&features);
    let planes = reconstruct(&arrangement, cells, Weights::Svm, &Scaling::identity(d))?;
    let seconds = start.elapsed().as_secs_f64();

    let norm = |w: &[f64]| w.iter().map(|w| w * w).sum::<f64>().sqrt();
    let margins: Vec<f64> = planes.iter().map(|plane| 1.0 / norm(&plane.weights)).collect();
    println!("{{\"seconds\": {seconds}, \"margins\": {margins:?}}}");
    Ok(())
}
