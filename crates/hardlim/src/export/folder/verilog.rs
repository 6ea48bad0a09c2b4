//! Checks of the Verilog export: simulated, synthesised, and for small circuits proven.

use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use serde_json::json;

use super::finding::{Finding, Job};
use super::tool::{self, Ran};
use super::{failed, written};
use crate::error::Error;
use crate::export::Circuit;
use crate::export::verilog::{PROOF_SECONDS, Resources, vector};

const IVERILOG: &str = "apt install iverilog";
const VERILATOR: &str = "apt install verilator g++ make";
const YOSYS: &str = "apt install yosys";

/// The most additions and comparisons that Icarus Verilog is given to simulate, which takes it minutes.
const MOST_STEPS: usize = 500_000_000;
/// The largest circuit that a proof is tried for: bits of inputs, and neurons.
const MOST_BITS: u32 = 20;
const MOST_NEURONS: usize = 10;
/// The largest circuit that is synthesised, in estimated bits of adders.
const MOST_ADDER_BITS: usize = 4_000;

pub(super) fn check(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    let resources = Resources::of(job.circuit);
    let Resources { adders, adder_bits, comparators, depth, registers, latency, .. } = resources;
    let mut findings = vec![Finding::Noted {
        tool: "hardlim",
        what: format!(
            "an estimate: {adders} adders of {adder_bits} bits in all, {comparators} comparators, {depth} of \
             them one after the other; pipelined, {registers} registers and {latency} clocks"
        ),
        numbers: json!(resources),
    }];
    findings.extend(verilator(job)?);
    findings.extend(icarus(job, &resources)?);
    findings.extend(cells(job, &resources)?);
    findings.push(proof(job, &resources)?);
    Ok(findings)
}

/// Both modules through Verilator, on all inputs.
fn verilator(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let top = format!("{name}_pair");
    let files =
        ["_pair.v", ".v", "_pipelined.v", "_verilator.cpp"].map(|end| format!("{name}{end}"));
    // It goes through make, which takes no path with a space: all names are relative.
    for file in &files {
        let copy = job.scratch.join(file);
        std::fs::copy(job.folder.join(file), &copy).map_err(written(&copy))?;
    }
    let flags = ["--cc", "--exe", "--build", "-O3", "-Wno-fatal", "-Wno-WIDTH", "-CFLAGS", "-O1"];
    // Its harness is compiled inside that folder.
    let place = ["--top-module", &top, "--Mdir", "built"];
    let harness = format!("../{name}_verilator.cpp");
    let files: Vec<&str> =
        files[..3].iter().map(String::as_str).chain([harness.as_str()]).collect();
    let ran = match tool::run(job.scratch, "verilator", &[&flags[..], &place, &files].concat())? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => {
            let program = job.scratch.join("built").join(format!("V{top}"));
            tool::run(job.scratch, &program.to_string_lossy(), &[&job.vectors.to_string_lossy()])?
        }
    };
    both("verilator", job, job.counts.total(), &ran, VERILATOR)
}

/// Both modules through Icarus Verilog, on as many inputs as it can take in minutes, the rows first.
fn icarus(job: &Job<'_>, resources: &Resources) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let program = job.scratch.join("bench.vvp").to_string_lossy().into_owned();
    let files = ["_tb.v", "_pair.v", ".v", "_pipelined.v"].map(|end| format!("{name}{end}"));
    let mut arguments = vec!["-g2001", "-o", &program];
    arguments.extend(files.iter().map(String::as_str));
    let steps = 2 * (resources.adders + resources.comparators) + resources.registers / 4 + 1;
    let inputs = job.counts.total().min(MOST_STEPS / steps);
    let ran = match tool::run(job.folder, "iverilog", &arguments)? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => {
            let lines = job.scratch.join("vectors.hex");
            translate(job.circuit, job.vectors, &lines, inputs)?;
            let vectors = format!("+vectors={}", lines.to_string_lossy());
            tool::run(job.folder, "vvp", &["-n", &program, &vectors])?
        }
    };
    both("iverilog", job, inputs, &ran, IVERILOG)
}

/// What a replay of both modules found.
fn both(
    tool: &'static str,
    job: &Job<'_>,
    inputs: usize,
    ran: &Ran,
    install: &'static str,
) -> Result<Vec<Finding>, Error> {
    let modules =
        [(job.name.to_owned(), "combinational"), (format!("{}_pipelined", job.name), "pipelined")];
    (modules.into_iter())
        .map(|(module, kind)| {
            let own = match ran {
                Ran::Missing => Ran::Missing,
                Ran::Printed(printed) => {
                    let start = format!("{module}: ");
                    let line = printed.lines().find_map(|line| line.strip_prefix(&start));
                    Ran::Printed(line.unwrap_or(printed).to_owned())
                }
            };
            let what = format!("the {kind} module, sums and classes bit for bit");
            tool::compared(tool, &what, inputs, own, install)
        })
        .collect()
}

/// Writes the first records of a file as lines of the test bench.
pub(super) fn translate(
    circuit: &Circuit,
    records: &Path,
    lines: &Path,
    most: usize,
) -> Result<(), Error> {
    let width = circuit.storage() as usize / 8;
    let mut record = vec![0; circuit.inputs.len() * width + 8 * circuit.stacks.len() + 4];
    let source = std::fs::File::open(records);
    let mut from = BufReader::new(source.map_err(|reason| unread(records, reason))?);
    let mut to = BufWriter::new(std::fs::File::create(lines).map_err(written(lines))?);
    for _ in 0..most {
        match from.read_exact(&mut record) {
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
            read => read.map_err(|reason| unread(records, reason))?,
        }
        let inputs: Vec<i64> = (record.chunks(width).take(circuit.inputs.len()))
            .map(|bytes| {
                let sign = if bytes[width - 1] & 0x80 == 0 { 0 } else { 0xff };
                let mut whole = [sign; 8];
                whole[..width].copy_from_slice(bytes);
                i64::from_le_bytes(whole)
            })
            .collect();
        to.write_all(vector(circuit, &inputs).as_bytes()).map_err(written(lines))?;
    }
    to.flush().map_err(written(lines))
}

fn unread(path: &Path, reason: std::io::Error) -> Error {
    Error::Read { path: path.into(), reason }
}

/// Cells after synthesis, in general and for an iCE40.
fn cells(job: &Job<'_>, resources: &Resources) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    if resources.adder_bits > MOST_ADDER_BITS {
        let what = format!(
            "not synthesised: {} bits of adders, more than {MOST_ADDER_BITS}",
            resources.adder_bits
        );
        let numbers = json!({ "adder_bits": resources.adder_bits });
        return Ok(vec![Finding::Noted { tool: "yosys", what, numbers }]);
    }
    for module in [job.name.to_owned(), format!("{}_pipelined", job.name)] {
        let commands = format!(
            "read_verilog {module}.v; synth -flatten -top {module}; design -reset; \
             read_verilog {module}.v; synth_ice40 -top {module}"
        );
        let what = format!("cells of {module}");
        let Ran::Printed(printed) = tool::run(job.folder, "yosys", &["-p", &commands])? else {
            return Ok(vec![Finding::Skipped { tool: "yosys", what, install: YOSYS }]);
        };
        let count = |kind: &str| -> usize {
            let last = printed.rfind("Number of cells").map_or("", |at| &printed[at..]);
            let counts = last.lines().filter_map(|line| {
                let mut words = line.split_whitespace();
                let name = words.next()?;
                name.starts_with(kind).then(|| words.next()?.parse::<usize>().ok()).flatten()
            });
            counts.sum()
        };
        let Some(cells) = total_cells(&printed) else {
            return Err(failed(format!("yosys: {what}: no number of cells in its output")));
        };
        let (luts, carries, registers) = (count("SB_LUT4"), count("SB_CARRY"), count("SB_DFF"));
        findings.push(Finding::Noted {
            tool: "yosys",
            what: format!(
                "{module}: {cells} cells; on an iCE40 {luts} LUTs, {carries} carries, {registers} registers"
            ),
            numbers: json!({
                "module": module, "cells": cells,
                "ice40": { "luts": luts, "carries": carries, "registers": registers },
            }),
        });
    }
    Ok(findings)
}

/// The first number of cells that `stat` printed after synthesis.
fn total_cells(printed: &str) -> Option<usize> {
    let counted = printed.lines().filter_map(|line| line.trim().strip_prefix("Number of cells:"));
    counted.filter_map(|count| count.trim().parse().ok()).next()
}

/// The equivalence of both modules with the reference, on every input there is.
fn proof(job: &Job<'_>, resources: &Resources) -> Result<Finding, Error> {
    let tool = "yosys";
    let neurons = job.circuit.gates().count();
    if resources.input_bits > MOST_BITS || neurons > MOST_NEURONS {
        return Ok(Finding::Noted {
            tool,
            what: format!(
                "no proof was tried: {} bits of inputs and {neurons} neurons; the limits are {MOST_BITS} and {MOST_NEURONS}",
                resources.input_bits
            ),
            numbers: json!({ "tried": false }),
        });
    }
    let what = "both modules equal the reference on every input, by SAT";
    let script = format!("{}_proof.ys", job.name);
    let printed = match tool::run(job.folder, "yosys", &[&script]) {
        Ok(Ran::Missing) => {
            return Ok(Finding::Skipped { tool, what: what.into(), install: YOSYS });
        }
        Ok(Ran::Printed(printed)) => printed,
        Err(error) if error.to_string().contains("did time out") => {
            return Ok(Finding::Noted {
                tool,
                what: format!("no proof within {PROOF_SECONDS} seconds, and no counterexample"),
                numbers: json!({ "tried": true, "proven": false }),
            });
        }
        Err(error) => return Err(failed(format!("the proof of the Verilog failed: {error}"))),
    };
    if !printed.contains("SUCCESS!") {
        return Err(failed(format!("yosys: {what}: no result in its output")));
    }
    Ok(Finding::Noted {
        tool,
        what: format!("proven: {what}"),
        numbers: json!({ "tried": true, "proven": true }),
    })
}
