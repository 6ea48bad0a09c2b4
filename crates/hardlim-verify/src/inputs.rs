//! The inputs that a program or a circuit is checked on, and the comparison of its integers with
//! the model.
//!
//! On the training rows the answers are promised: integer weights lie inside the cells of the
//! neurons, and rounding an input to the grid keeps every answer. On other rows an input may cross
//! a hyperplane when it is rounded. There the differences are counted, and the first row is named.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use hardlim::Error;
use hardlim::data::Features;
use hardlim::export::{Circuit, Counts, Finding, Job, Order, Replay, none_differ};
use hardlim::model::Model;
use rayon::prelude::*;
use serde_json::json;

use crate::written;

/// The most bytes of inputs near hyperplanes; beyond that some rows are left out, and the report
/// says so.
const MOST_BYTES: usize = 1 << 29;
/// The most inputs near hyperplanes times weights: seconds.
const MOST_WORK: usize = 1 << 31;
const BATCH: usize = 1 << 14;

/// Writes the inputs and what they must give, and compares the integers with the model on them.
pub(crate) fn compared(
    job: &Job<'_>,
    circuit: &Circuit,
    path: &Path,
) -> Result<(Vec<Finding>, Counts), Error> {
    let mut findings = Vec::new();
    if let Some(rows) = job.rows {
        (job.order.tell)("comparing the integers with the model on the rows");
        findings.extend(on_rows((rows, job.new_rows), job.model, circuit));
        none_differ(&findings)?;
    }
    let record = circuit.inputs.len() * circuit.storage() as usize / 8 + 12;
    let weights: usize = circuit.gates().map(|gate| gate.terms.len() + 1).sum();
    let neighbours = (MOST_BYTES / record).min(MOST_WORK / weights.max(1));
    let Order { random, seed, .. } = *job.order;
    let replay = Replay { features: job.rows, neighbours, random, seed };
    (job.order.tell)("comparing the integers with the model beside the hyperplanes");
    let mut file = BufWriter::new(std::fs::File::create(path).map_err(written(path))?);
    let (mut batch, mut mismatches) = (Vec::with_capacity(BATCH), 0);
    let mut end = |batch: &mut Vec<Vec<i64>>| {
        let records: Vec<Vec<u8>> = (batch.par_chunks(256))
            .map(|inputs| {
                let mut record = Vec::new();
                inputs.iter().for_each(|m| circuit.record(m, &mut record));
                record
            })
            .collect();
        records.iter().try_for_each(|r| file.write_all(r)).map_err(written(path))?;
        if circuit.rounded == 0 {
            mismatches += differing(job.model, circuit, batch)?;
        }
        batch.clear();
        Ok::<_, Error>(())
    };
    let counts = replay.visit(circuit, |inputs| {
        batch.push(inputs.to_vec());
        if batch.len() == BATCH { end(&mut batch) } else { Ok(()) }
    })?;
    end(&mut batch)?;
    file.flush().map_err(written(path))?;
    // Where weights had to be rounded the integers are a network of their own.
    if circuit.rounded == 0 {
        let what = "the integers and the model's own arithmetic, output for output";
        findings.push(Finding::compared("hardlim", what, counts.total(), mismatches));
    }
    none_differ(&findings)?;
    Ok((findings, counts))
}

/// On how many inputs an output differs from the model's own on what the integers stand for.
fn differing(model: &Model, circuit: &Circuit, inputs: &[Vec<i64>]) -> Result<usize, Error> {
    let values = inputs.iter().flat_map(|m| m.iter().zip(&circuit.inputs));
    let values = values.map(|(&m, input)| input.value(m)).collect();
    let features = Features::new(inputs.len(), circuit.inputs.len(), values)?;
    let expected: Vec<Vec<f64>> =
        model.networks().map(|network| network.output(&features)).collect();
    let differs = |(i, m): (usize, &Vec<i64>)| {
        let sums = circuit.sums(m).into_iter().zip(&expected);
        sums.into_iter().any(|(sum, output)| circuit.output(sum) != output[i])
    };
    Ok(inputs.par_iter().enumerate().filter(|input| differs(*input)).count())
}

/// Compares the integers of the rounded rows with the model on the rows as read.
fn on_rows(
    (features, new): (&Features, &[(usize, u64)]),
    model: &Model,
    circuit: &Circuit,
) -> Vec<Finding> {
    let outputs = model.outputs_of(features);
    // Whether the class differs, and whether an output does.
    let other = |i: usize| -> (bool, bool) {
        let sums = circuit.sums(&circuit.integers(features.row(i)));
        let own: Vec<f64> = outputs.iter().map(|output| output[i]).collect();
        let class = circuit.answer.class(&sums) != circuit.answer.class_of_outputs(&own);
        (class, sums.iter().zip(&own).any(|(&sum, &output)| circuit.output(sum) != output))
    };
    let others: Vec<(bool, bool)> = (0..features.rows()).into_par_iter().map(other).collect();
    let mut is_new = vec![false; others.len()];
    new.iter().for_each(|&(i, _)| is_new[i] = true);
    let trained = || others.iter().zip(&is_new).filter(|(_, new)| !**new).map(|(other, _)| other);
    let classes = !circuit.answer.labels().is_empty();
    let mut findings = Vec::new();
    let (inputs, rounded) = (trained().count(), circuit.rounded);
    if inputs > 0 {
        let mut what =
            "the integers of the rounded training rows and the model on the rows as read"
                .to_owned();
        if classes {
            let mismatches = trained().filter(|other| other.0).count();
            let words = format!("{what}, class for class");
            findings.push(Finding::compared("hardlim", words, inputs, mismatches));
            what = "the same".into();
        }
        let off = trained().filter(|other| other.1).count();
        what += ", output for output";
        findings.push(if rounded == 0 {
            Finding::compared("hardlim", what, inputs, off)
        } else {
            // The integers are a network of their own.
            what += &format!(
                ": {inputs} rows, {off} with another output, because {rounded} neurons were rounded"
            );
            let numbers = json!({ "inputs": inputs, "other_outputs": off });
            Finding::noted("hardlim", what, numbers)
        });
    }
    if !new.is_empty() {
        let outputs = new.iter().filter(|&&(i, _)| others[i].1).count();
        let other_classes = new.iter().filter(|&&(i, _)| others[i].0).count();
        let first = new.iter().find(|&&(i, _)| others[i].1).map(|&(_, number)| number);
        let mut what = format!(
            "{} rows that were not trained on, rounded and as read: {outputs} with another output",
            new.len()
        );
        if classes {
            what += &format!(", {other_classes} with another class");
        }
        if let Some(row) = first {
            what += &format!("; the first is row {row}");
        }
        let numbers = json!({
            "new_rows": new.len(), "other_outputs": outputs, "other_classes": other_classes,
            "first_row": first,
        });
        findings.push(Finding::noted("hardlim", what, numbers));
    }
    findings
}
