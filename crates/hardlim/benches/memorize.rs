//! Random labels of random rows, memorised in every way: how many neurons each takes.
//!
//! `cargo bench -p hardlim --bench memorize -- 5000 10`

#![allow(clippy::print_stdout, reason = "it prints what it found")]

mod words;

use std::time::Instant;

use hardlim::data::Features;
use hardlim::memorize::{Labelling, Memorised, Watch, Way, lower_bounds};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn main() -> Result<(), hardlim::Error> {
    let mut sizes = words::words().map_while(|size| size.parse::<usize>().ok());
    let (rows, dimension) = (sizes.next().unwrap_or(400), sizes.next().unwrap_or(10));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let values = (0..rows * dimension).map(|_| rng.sample(StandardNormal)).collect();
    let labels: Vec<bool> = (0..rows).map(|_| rng.random()).collect();
    let labelling = Labelling::new(Features::new(rows, dimension, values)?, &labels);
    let (_, rare) = labelling.rarer();
    println!("{rows} rows in {dimension} dimensions, {rare} of the rarer label");
    for way in Way::ALL {
        let start = Instant::now();
        let found = Memorised::by(way, &labelling, 0, Watch::NOBODY)?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{way:<10} {:>5} neurons {:?}, {seconds:.1} s", found.neurons(), found.widths());
        println!("           {}", found.note);
        assert!(labelling.is_realised_by(&found.network));
    }
    for bound in lower_bounds(&labelling) {
        println!("{:?}: at least {}, as {}", bound.about, bound.neurons, bound.reason);
    }
    Ok(())
}
