//! The inputs that an export is checked on, and the comparison of its integers with the model on them.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::finding::Finding;
use super::written;
use crate::data::Features;
use crate::error::Error;
use crate::export::{Circuit, Counts, Replay};
use crate::model::Model;

/// The most bytes of inputs near hyperplanes; beyond that some rows are left out, and the report says so.
const MOST_BYTES: usize = 1 << 29;
/// The most inputs near hyperplanes times weights: seconds.
const MOST_WORK: usize = 1 << 31;
/// Inputs that are worked on at a time.
const BATCH: usize = 1 << 14;

/// How many random inputs are shipped where there are no rows.
const SHIPPED: usize = 1000;

/// The inputs that are shipped with an export: the training rows, or random ones without them.
pub(super) fn shipped(features: Option<&Features>) -> Replay<'_> {
    let random = if features.is_some() { 0 } else { SHIPPED };
    Replay { features, neighbours: 0, random, seed: 0 }
}

/// Everything an export is checked on.
pub(super) fn all<'a>(
    circuit: &Circuit,
    features: Option<&'a Features>,
    random: usize,
    seed: u64,
) -> Replay<'a> {
    let record = circuit.inputs.len() * circuit.storage() as usize / 8 + 12;
    let weights: usize = circuit.gates().map(|gate| gate.terms.len() + 1).sum();
    let neighbours = (MOST_BYTES / record).min(MOST_WORK / weights.max(1));
    Replay { features, neighbours, random, seed }
}

/// Where the inputs of an export are kept.
pub(super) fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}_vectors.bin"))
}

/// Visits the inputs of a replay in batches.
fn batches(
    circuit: &Circuit,
    replay: &Replay<'_>,
    mut visit: impl FnMut(&[Vec<i64>]) -> Result<(), Error>,
) -> Result<Counts, Error> {
    let mut batch: Vec<Vec<i64>> = Vec::with_capacity(BATCH);
    let counts = replay.visit(circuit, |_, inputs| {
        batch.push(inputs.to_vec());
        if batch.len() == BATCH {
            visit(&batch)?;
            batch.clear();
        }
        Ok::<_, Error>(())
    })?;
    visit(&batch)?;
    Ok(counts)
}

/// Writes inputs and what they must give.
pub(super) fn write(circuit: &Circuit, replay: &Replay<'_>, path: &Path) -> Result<Counts, Error> {
    let mut file = BufWriter::new(std::fs::File::create(path).map_err(written(path))?);
    let counts = batches(circuit, replay, |batch| {
        let records: Vec<Vec<u8>> = (batch.par_chunks(256))
            .map(|inputs| {
                let mut record = Vec::new();
                inputs.iter().for_each(|m| circuit.record(m, &mut record));
                record
            })
            .collect();
        records.iter().try_for_each(|r| file.write_all(r)).map_err(written(path))
    })?;
    file.flush().map_err(written(path))?;
    Ok(counts)
}

/// Compares the integers with the model's own arithmetic on the inputs that the integers stand for, output
/// for output. Where weights had to be rounded the integers are a network of their own, and there is
/// nothing to compare.
pub(super) fn compare(
    model: &Model,
    circuit: &Circuit,
    replay: &Replay<'_>,
    counts: Counts,
) -> Result<Option<Finding>, Error> {
    if circuit.rounded > 0 {
        return Ok(None);
    }
    let mut mismatches = 0;
    batches(circuit, replay, |batch| {
        let values = batch.iter().flat_map(|m| m.iter().zip(&circuit.inputs));
        let values = values.map(|(&m, input)| input.value(m)).collect();
        let features = Features::new(batch.len(), circuit.inputs.len(), values)?;
        let expected: Vec<Vec<f64>> =
            model.networks().map(|network| network.output(&features)).collect();
        let sums: Vec<Vec<i64>> = batch.par_iter().map(|m| circuit.sums(m)).collect();
        mismatches += (sums.iter().enumerate())
            .filter(|(i, sums)| {
                let output = |(k, &sum): (usize, &i64)| circuit.output(sum) == expected[k][*i];
                !sums.iter().enumerate().all(output)
            })
            .count();
        Ok(())
    })?;
    Ok(Some(Finding::Compared {
        tool: "hardlim",
        what: "the integers and the model's own arithmetic, output for output".into(),
        inputs: counts.total(),
        mismatches,
        left_out: 0,
    }))
}
