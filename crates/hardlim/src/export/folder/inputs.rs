//! The inputs that an export is checked on, and the comparison of its integers with the model itself.

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
    Replay { features, neighbours: MOST_BYTES / record, random, seed }
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

/// Compares the integers with the model: on the inputs that the integers stand for, output for output,
/// and on the rows as read, class for class.
pub(super) fn compare(
    model: &Model,
    circuit: &Circuit,
    replay: &Replay<'_>,
    counts: Counts,
    features: Option<&Features>,
) -> Result<Vec<Finding>, Error> {
    let outputs = |features: &Features| -> Vec<Vec<f64>> {
        model.networks().map(|network| network.output(features)).collect()
    };
    let mut findings = Vec::new();
    // Where weights had to be rounded the integers are a network of their own.
    if circuit.rounded == 0 {
        let mut mismatches = 0;
        batches(circuit, replay, |batch| {
            let values = batch.iter().flat_map(|m| m.iter().zip(&circuit.inputs));
            let values = values.map(|(&m, input)| input.value(m)).collect();
            let expected = outputs(&Features::new(batch.len(), circuit.inputs.len(), values)?);
            let sums: Vec<Vec<i64>> = batch.par_iter().map(|m| circuit.sums(m)).collect();
            mismatches += (sums.iter().enumerate())
                .filter(|(i, sums)| {
                    let output = |(k, &sum): (usize, &i64)| circuit.output(sum) == expected[k][*i];
                    !sums.iter().enumerate().all(output)
                })
                .count();
            Ok(())
        })?;
        findings.push(Finding::Compared {
            tool: "hardlim",
            what: "the integers and the model's own arithmetic, output for output".into(),
            inputs: counts.total(),
            mismatches,
        });
    }
    if let Some(features) = features {
        let expected = outputs(features);
        let sums: Vec<Vec<i64>> = (0..features.rows())
            .into_par_iter()
            .map(|i| circuit.sums(&circuit.integers(features.row(i))))
            .collect();
        let differ = |same: &dyn Fn(usize, &[i64]) -> bool| {
            sums.iter().enumerate().filter(|(i, sums)| !same(*i, sums)).count()
        };
        let class = |i: usize, sums: &[i64]| {
            let outputs: Vec<f64> = expected.iter().map(|output| output[i]).collect();
            circuit.answer.class(sums) == circuit.answer.class_of_outputs(&outputs)
        };
        let output = |i: usize, sums: &[i64]| {
            sums.iter().zip(&expected).all(|(&sum, output)| circuit.output(sum) == output[i])
        };
        let compared = |what: &str, mismatches: usize| Finding::Compared {
            tool: "hardlim",
            what: what.into(),
            inputs: features.rows(),
            mismatches,
        };
        if !circuit.answer.labels().is_empty() {
            let what = "the integers of the rounded rows and the model on the rows as read, class for class";
            findings.push(compared(what, differ(&class)));
        }
        let off = differ(&output);
        let what = "the same, output for output";
        findings.push(if circuit.rounded == 0 {
            compared(what, off)
        } else {
            Finding::Noted {
                tool: "hardlim",
                what: format!(
                    "{what}: {} rows, {off} with another output, because {} neurons were rounded",
                    features.rows(),
                    circuit.rounded
                ),
                numbers: serde_json::json!({ "inputs": features.rows(), "other_outputs": off }),
            }
        });
    }
    Ok(findings)
}
