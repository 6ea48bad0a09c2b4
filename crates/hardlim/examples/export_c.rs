//! From a network to C without floating point, with test vectors.
//!
//! `cargo run --release -p hardlim --example export_c`

#![allow(clippy::print_stdout, reason = "it prints what it found")]

use std::error::Error;

use hardlim::export::{self, Circuit, Replay, Style};
use hardlim::network::{Rechoice, Weights};
use hardlim::{ReadOptions, Request, Table};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let table = Table::open("titanic", &ReadOptions::default())?;
    let model = Request::of("beta=10")?.train(&table)?.model;

    // Small integers instead of real weights. Every neuron still gives the same answers on the
    // training rows, so objective and certificate stay the same.
    let data = model.training_data(&table)?;
    let model = model.rechoose(&data, &Rechoice::new(Weights::Integer))?;

    // The model as integers, and its C files.
    let circuit = Circuit::of(&model)?;
    let style = Style {
        name: "titanic".into(),
        source: "titanic.hardlim".into(),
        model: model.checksum(),
        constant_time: false,
    };
    let mut files = export::c::write(&circuit, &style);

    // The training rows with their answers. The test program that comes with the C replays them.
    let rows = Replay { features: Some(data.features()), neighbours: 0, random: 0, seed: 0 };
    let mut vectors = Vec::new();
    rows.visit(&circuit, |inputs| {
        circuit.record(inputs, &mut vectors);
        Ok::<(), hardlim::Error>(())
    })?;
    files.push(("titanic_vectors.bin".into(), vectors));

    // Write them; `make test` in the folder compiles the C and replays the rows.
    let folder = tempfile::tempdir()?;
    for (path, bytes) in &files {
        std::fs::write(folder.path().join(path), bytes)?;
        println!("{:>6} bytes  {path}", bytes.len());
    }
    let (_, header) = files.iter().find(|file| file.0 == "titanic.h").expect("what to call");
    println!("{}", String::from_utf8_lossy(header));
    Ok(())
}
