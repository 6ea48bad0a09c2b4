//! `hardlim plot`.

use std::process::ExitCode;

use anyhow::{anyhow, ensure};
use hardlim_lab::cells::{MOST, Scenery};
use serde_json::json;

use super::{open_model, open_table};
use crate::args::{Common, Plot};
use crate::{files, progress, report};

pub(crate) fn run(args: &Plot, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let inputs = model.first().network().inputs();
    ensure!(
        inputs == 2,
        "{}: only models of two features can be drawn; this one reads {inputs}",
        args.model.display()
    );
    let table = open_table(&args.data, common)?;
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
