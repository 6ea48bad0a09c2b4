//! A first network: read a table, train, see what is proven, predict, save.
//!
//! `cargo run --release -p hardlim --example first_network`

#![allow(clippy::print_stdout, reason = "it prints what it found")]

use hardlim::{Error, Model, ReadOptions, Request, Table};

/// Fourteen days, and whether people played tennis. The last column is the target.
const DAYS: &str = "\
temperature,humidity,windy,play
85,85,no,no
80,90,yes,no
83,86,no,yes
70,96,no,yes
68,80,no,yes
65,70,yes,no
64,65,yes,yes
72,95,no,no
69,70,no,yes
75,80,no,yes
75,70,yes,yes
72,90,yes,yes
81,75,no,yes
71,91,yes,no
";

pub(crate) fn main() -> Result<(), Error> {
    // Read the table. A file of your own: Table::open("days.csv", &ReadOptions::default()).
    let table = Table::read(DAYS.as_bytes(), "days.csv", &ReadOptions::default())?;

    // Train. `beta` is the weight decay: a larger one gives fewer neurons.
    let request = Request::of("beta=0.5")?;
    let model = request.train(&table)?.model;

    // See what is proven. The objective is the training loss and the weight decay together.
    let certificate = model.certificate();
    println!("{} neurons", model.neurons());
    println!("objective    {}", certificate.objective());
    println!("lower bound  {}", certificate.lower_bound());
    println!("{}", certificate.claim());

    // Check the certificate again, from the model and the data alone.
    let data = model.training_data(&table)?;
    assert!(model.certify(&data)?.holds());

    // Save the model, and load it somewhere else.
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("days.hardlim");
    model.save(&path)?;
    let model = Model::load(&path)?;

    // Predict. New rows need no target, and their columns may come in any order.
    let new = "windy,humidity,temperature\nno,60,70\nyes,90,66\n";
    let new = Table::read(new.as_bytes(), "new.csv", &ReadOptions::default())?;
    let classes = model.coding().target().classes().expect("the target is a class");
    for output in &model.outputs(&new)?[0] {
        println!("play: {} (output {output:.3})", classes[model.class(&[*output])]);
    }
    Ok(())
}
