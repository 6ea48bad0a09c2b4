//! Checking a model from somebody else: its numbers are computed again from its file and the data.
//!
//! `cargo run --release -p hardlim --example certify`

#![allow(clippy::print_stdout, reason = "it prints what it found")]

use hardlim::certify::Check;
use hardlim::{Error, Model, ReadOptions, Request, Table};

pub(crate) fn main() -> Result<(), Error> {
    // Somebody trains a network and shares the model: its weights, and a dual point as the proof.
    let table = Table::open("titanic", &ReadOptions::default())?;
    let text = Request::of("beta=10")?.train(&table)?.model.to_text();

    // We have the text of the model and the table. No solver and no trainer is needed from here on.
    let model = Model::from_text(&text)?;
    let data = model.training_data(&table)?;
    let stated = model.certificate();
    println!("stated: objective {}, lower bound {}", stated.objective(), stated.lower_bound());

    let check = model.certify(&data)?;
    let found = check.certificate().expect("these are the data of the training");
    println!("found:  objective {}, lower bound {}", found.objective(), found.lower_bound());
    assert!(check.holds(), "everything the model states is true");
    println!("{}", stated.claim());

    // A certificate is about its own data. Without one row, it proves nothing.
    let rows: Vec<usize> = (1..table.rows()).collect();
    let other = model.training_data(&table.select(&rows))?;
    assert_eq!(model.certify(&other)?, Check::OtherData);
    println!("without the first row: other data, nothing is proven");
    Ok(())
}
