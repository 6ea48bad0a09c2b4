//! `hardlim plot`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, ensure};
use clap::{Args, ValueHint};
use hardlim_lab::cells::{MOST, Scenery};
use serde_json::json;

use super::open_model;
use crate::args::{Common, DataArgs, parse_picture};
use crate::plot::Picture;
use crate::{files, progress, report};

/// Draw a model of two features: cells, neurons and the data
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/plot.txt"))]
pub(crate) struct Plot {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// The picture; the name ends in .svg or .png
    #[arg(short, long, value_name = "FIGURE", value_hint = ValueHint::FilePath,
          value_parser = parse_picture)]
    output: Picture,
}

pub(crate) fn run(args: &Plot, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let inputs = model.first().network().inputs();
    ensure!(
        inputs == 2,
        "{}: only models of two features can be drawn; this one reads {inputs}",
        args.model.display()
    );
    let table = args.data.open(common)?;
    let features = model.coding().features(&table)?;
    let targets = if model.coding().has_target(&table) {
        Some(model.coding().targets(&table)?)
    } else {
        None
    };
    let drawing = progress::doing("cutting the plane into cells");
    let too_many = |n| anyhow!("at most {MOST} neurons can be drawn; this model has {n}");
    let scenery = Scenery::new(&model, &table, &features, targets.as_deref()).map_err(too_many)?;
    files::draw(&args.output, &scenery.draw()?)?;
    drop(drawing);
    let (cells, neurons) = scenery.sizes();
    let path = args.output.path();
    report::answer(
        common,
        || json!({ "cells": cells, "neurons": neurons, "file": path }),
        || format!("{cells} cells of {neurons} neurons drawn in {}\n", path.display()),
    )?;
    Ok(ExitCode::SUCCESS)
}
