//! `hardlim plot`.

mod cells;
mod picture;

use std::process::ExitCode;

use anyhow::{bail, ensure};
use serde_json::json;

use super::{open_model, open_table};
use crate::args::{Common, Plot};
use crate::{files, report};
use picture::Scenery;

pub(crate) fn run(args: &Plot, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let [part] = model.parts() else {
        bail!("{}: a model of several classes cannot be drawn", args.model.display());
    };
    let inputs = part.network().inputs();
    ensure!(
        inputs == 2,
        "{}: only models of two features can be drawn; this one reads {inputs}",
        args.model.display()
    );
    let table = open_table(&args.data, common)?;
    let features = model.coding().features(&table)?;
    let targets = match model.coding().has_target(&table) {
        true => Some(model.coding().targets(&table)?),
        false => None,
    };
    let scenery = Scenery::new(&model, &table, &features, targets.as_deref())?;
    files::draw(&args.output, &scenery.draw()?)?;
    let (cells, neurons) = (scenery.cells(), scenery.lines());
    let path = args.output.path();
    report::answer(
        common,
        || json!({ "cells": cells, "neurons": neurons, "file": path }),
        || format!("{cells} cells of {neurons} neurons drawn in {}\n", path.display()),
    )?;
    Ok(ExitCode::SUCCESS)
}
