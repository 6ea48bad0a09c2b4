//! Checks of the Verilog export: proven for every input, simulated and synthesised.

use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::finding::{Finding, Job, none_differ};
use super::synthesis::synthesis;
use super::tool::{self, Ran};
use super::{failed, written};
use crate::error::Error;
use crate::export::Circuit;
use crate::export::verilog::{Form, Resources, clocks, difference, prove, vector};

const IVERILOG: &str = "apt install iverilog";
const VERILATOR: &str = "apt install verilator g++ make";
pub(super) const YOSYS: &str = "apt install yosys";

/// The most additions and comparisons that Icarus Verilog is given to simulate, which takes it minutes.
const MOST_STEPS: usize = 500_000_000;
/// The same for the rows, which are simulated first and take seconds.
const FIRST_STEPS: usize = 20_000_000;
/// The most clocks of the serial module that are simulated: seconds.
const SERIAL_STEPS: usize = 1_000_000;
/// How long the proof of a module by a solver may take.
const PROOF: Duration = Duration::from_secs(60);

/// How long Verilator may take to compile the modules.
const BUILD: Duration = Duration::from_secs(120);

pub(super) fn check(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    let resources = Resources::of(job.circuit);
    let Resources { adders, adder_bits, comparators, depth, registers, latency, .. } = resources;
    let Resources { tables, table_bits, .. } = resources;
    let mut findings = vec![Finding::Noted {
        tool: "hardlim",
        what: format!(
            "an estimate: {tables} tables of {table_bits} bits in all, {adders} adders of {adder_bits} bits, \
             {comparators} comparators, {depth} of them one after the other; pipelined, {registers} registers and \
             {latency} clocks; one term each clock, {} clocks",
            clocks(job.circuit)
        ),
        numbers: json!(resources),
    }];
    (job.tell)("proving the modules for every input");
    let proven = read_back(job)?;
    findings.extend(proven.iter().map(|proof| proof.0.clone()));
    let read_back = proven.iter().all(|proof| proof.1);
    let all = job.counts.total();
    let steps = 2 * (adders + comparators) + registers / 4 + 1;
    let first = job.counts.rows.min(FIRST_STEPS / steps).max(all.min(100));
    (job.tell)("simulating the rows with Icarus Verilog");
    let written = [format!("{}.v", job.name), format!("{}_pipelined.v", job.name)];
    let modules = Modules { files: written.each_ref().map(String::as_str), named: String::new() };
    findings.extend(icarus(job, first, &modules)?);
    none_differ(&findings)?;
    findings.extend(streams(job, first)?);
    none_differ(&findings)?;
    (job.tell)("proving both modules for every input with Yosys");
    let proofs = proofs(job)?;
    let proven = read_back || proofs.iter().all(|proof| proof.1);
    findings.extend(proofs.into_iter().map(|proof| proof.0));
    if !proven {
        let more = all.min(MOST_STEPS / steps);
        (job.tell)(&format!("simulating {more} inputs with Icarus Verilog"));
        findings.extend(icarus(job, more, &modules)?);
        none_differ(&findings)?;
    }
    (job.tell)("simulating all inputs with Verilator");
    findings.extend(verilator(job)?);
    none_differ(&findings)?;
    (job.tell)("synthesising with Yosys");
    findings.extend(synthesis(job)?);
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
    let arguments = [&flags[..], &place, &files].concat();
    let ran = match tool::run_within(job.scratch, "verilator", &arguments, Some(BUILD))? {
        None => {
            let seconds = BUILD.as_secs();
            let what =
                format!("not simulated: the modules were not compiled within {seconds} seconds");
            let numbers = json!({ "compiled": false });
            return Ok(vec![Finding::Noted { tool: "verilator", what, numbers }]);
        }
        Some(Ran::Missing) => Ran::Missing,
        Some(Ran::Printed(_)) => {
            let program = job.scratch.join("built").join(format!("V{top}"));
            tool::run(job.scratch, &program.to_string_lossy(), &[&job.vectors.to_string_lossy()])?
        }
    };
    both("verilator", job, job.counts.total(), &ran, VERILATOR, "")
}

/// The files of the combinational and of the pipelined module, and what is said about them.
pub(super) struct Modules<'a> {
    pub(super) files: [&'a str; 2],
    pub(super) named: String,
}

/// Both modules through Icarus Verilog, on the first of the inputs; the rows come first.
pub(super) fn icarus(
    job: &Job<'_>,
    inputs: usize,
    modules: &Modules<'_>,
) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let program = job.scratch.join("bench.vvp").to_string_lossy().into_owned();
    let (bench, pair) = (format!("{name}_tb.v"), format!("{name}_pair.v"));
    let mut arguments = vec!["-g2001", "-o", &program, &bench, &pair];
    arguments.extend(modules.files);
    let ran = match tool::run(job.folder, "iverilog", &arguments)? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => {
            let lines = job.scratch.join("vectors.hex");
            translate(job.circuit, job.vectors, &lines, inputs)?;
            let vectors = format!("+vectors={}", lines.to_string_lossy());
            tool::run(job.folder, "vvp", &["-n", &program, &vectors])?
        }
    };
    both("iverilog", job, inputs, &ran, IVERILOG, &modules.named)
}

/// The stream and the serial module through Icarus Verilog, on the first of the inputs.
fn streams(job: &Job<'_>, inputs: usize) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let program = job.scratch.join("stream.vvp").to_string_lossy().into_owned();
    let files = ["_stream_tb.v", "_axis.v", "_serial.v", "_pipelined.v"];
    let files = files.map(|end| format!("{name}{end}"));
    let mut arguments = vec!["-g2001", "-o", &program];
    arguments.extend(files.iter().map(String::as_str));
    let inputs = inputs.min((SERIAL_STEPS / clocks(job.circuit)).max(10));
    let ran = match tool::run(job.folder, "iverilog", &arguments)? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => {
            let lines = job.scratch.join("vectors.hex");
            translate(job.circuit, job.vectors, &lines, inputs)?;
            let vectors = format!("+vectors={}", lines.to_string_lossy());
            tool::run(job.folder, "vvp", &["-n", &program, &vectors, &format!("+most={inputs}")])?
        }
    };
    let modules = [(format!("{name}_axis"), "AXI stream"), (format!("{name}_serial"), "serial")];
    replayed("iverilog", modules, inputs, &ran, IVERILOG, "")
}

/// What a replay of both modules found.
fn both(
    tool: &'static str,
    job: &Job<'_>,
    inputs: usize,
    ran: &Ran,
    install: &'static str,
    named: &str,
) -> Result<Vec<Finding>, Error> {
    let modules =
        [(job.name.to_owned(), "combinational"), (format!("{}_pipelined", job.name), "pipelined")];
    replayed(tool, modules, inputs, ran, install, named)
}

/// What a replay of two modules found, each with its kind.
fn replayed(
    tool: &'static str,
    modules: [(String, &str); 2],
    inputs: usize,
    ran: &Ran,
    install: &'static str,
    named: &str,
) -> Result<Vec<Finding>, Error> {
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
            let what = format!("the {kind} module{named}, sums and classes bit for bit");
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

/// Reads the modules back, and compares what they compute with the circuit on every input; each with whether that
/// succeeded.
fn read_back(job: &Job<'_>) -> Result<Vec<(Finding, bool)>, Error> {
    let mut findings = Vec::new();
    for form in Form::ALL {
        let module = format!("{}{}", job.name, form.ending());
        let path = job.folder.join(format!("{module}.v"));
        let text = std::fs::read_to_string(&path).map_err(|reason| unread(&path, reason))?;
        let equal = format!("{module} equals the network on every input");
        let (what, proven) = match prove(job.circuit, job.name, form, &text) {
            Ok(None) => {
                let how = match form {
                    Form::Combinational => "read back, no width and no sign loses a bit",
                    Form::Pipelined => "read back, clock by clock, an input after a reset",
                    Form::Serial => "read back, clock by clock, the first input after a reset",
                };
                let same = "the outputs have the network's formulas";
                (format!("proven: {equal}: {how}, and {same}"), true)
            }
            Ok(Some(why)) => {
                let problem = format!("{module} is not the network: {why}; nothing was written");
                return Err(failed(problem));
            }
            Err(why) => (format!("not proven by reading it back: {equal}: {why}"), false),
        };
        let numbers = json!({ "module": module, "proven": proven });
        findings.push((Finding::Noted { tool: "hardlim", what, numbers }, proven));
    }
    Ok(findings)
}

/// The proofs of both modules by a solver, each with whether it succeeded.
fn proofs(job: &Job<'_>) -> Result<[(Finding, bool); 2], Error> {
    // What the wires stand for gives the network; then the wires have to be what they stand for.
    if let Some(why) = difference(job.circuit) {
        return Err(failed(format!("the Verilog is not the network: {why}; nothing was written")));
    }
    let (folder, name) = (job.folder, job.name);
    let (plain, pipelined) = std::thread::scope(|scope| {
        let pipelined = scope.spawn(|| proof(folder, &format!("{name}_pipelined")));
        (proof(folder, name), pipelined.join().expect("a proof does not panic"))
    });
    Ok([plain?, pipelined?])
}

/// The proof of one module for every input.
fn proof(folder: &Path, module: &str) -> Result<(Finding, bool), Error> {
    let tool = "yosys";
    let what = format!("{module} equals the network on every input, by SAT wire by wire");
    let script = format!("{module}_proof.ys");
    let ran = tool::run_within(folder, "yosys", &[&script], Some(PROOF));
    let (what, proven) = match ran {
        Ok(Some(Ran::Missing)) => {
            return Ok((Finding::Skipped { tool, what, install: YOSYS }, false));
        }
        Ok(Some(Ran::Printed(printed))) if printed.contains("SUCCESS!") => {
            (format!("proven: {what}"), true)
        }
        Ok(Some(Ran::Printed(_))) => {
            return Err(failed(format!("yosys: {what}: no result in its output")));
        }
        Ok(None) => {
            let (seconds, tested) =
                (PROOF.as_secs(), "what was read back and simulated is in this list");
            (
                format!(
                    "{module}: no proof by SAT within {seconds} seconds, and no counterexample; {tested}"
                ),
                false,
            )
        }
        Err(error) => return Err(failed(format!("the proof of {module} failed: {error}"))),
    };
    let numbers = json!({ "module": module, "proven": proven });
    Ok((Finding::Noted { tool, what, numbers }, proven))
}
