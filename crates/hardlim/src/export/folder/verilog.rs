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
use crate::export::verilog::{Form, Resources, clocks, difference, prove, serial_inputs, vector};

const IVERILOG: &str = "apt install iverilog";
const VERILATOR: &str = "apt install verilator g++ make";
pub(super) const YOSYS: &str = "apt install yosys";

/// The most additions and comparisons that Icarus Verilog is given for the rows: seconds.
const FIRST_STEPS: usize = 10_000_000;
/// The same where there is no proof, which takes it minutes.
const MOST_STEPS: usize = 500_000_000;
/// How long the proof of a module by a solver may take.
const PROOF: Duration = Duration::from_secs(60);
/// How long a simulation may take where there is no proof.
const SIMULATION: Duration = Duration::from_secs(300);
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
    let proven = read_back(job, latency)?;
    findings.extend(proven.iter().map(|proof| proof.0.clone()));
    let read_back = proven.iter().all(|proof| proof.1);
    let all = job.counts.total();
    let steps = 2 * (adders + comparators) + registers / 4 + 1;
    let first = job.counts.rows.min(FIRST_STEPS / steps).max(all.min(100));
    (job.tell)("simulating the rows with Icarus Verilog");
    let written = [format!("{}.v", job.name), format!("{}_pipelined.v", job.name)];
    let modules = Modules { files: written.each_ref().map(String::as_str), named: String::new() };
    findings.extend(icarus(job, first, &modules, job.left())?);
    none_differ(&findings)?;
    (job.tell)("simulating the stream and the serial module with Icarus Verilog");
    findings.extend(streams(job, first.div_ceil(4))?);
    none_differ(&findings)?;
    (job.tell)("proving the stream with Yosys");
    findings.push(stream(job)?);
    if !read_back {
        // A solver has to say it then, however long it takes.
        let proofs = proofs(job, PROOF)?;
        let proven = proofs.iter().all(|proof| proof.1);
        findings.extend(proofs.into_iter().map(|proof| proof.0));
        if !proven {
            let more = all.min(MOST_STEPS / steps);
            (job.tell)(&format!("simulating {more} inputs with Icarus Verilog"));
            findings.extend(icarus(job, more, &modules, SIMULATION)?);
            none_differ(&findings)?;
        }
    }
    (job.tell)("synthesising with Yosys");
    findings.extend(synthesis(job)?);
    (job.tell)("simulating all inputs with Verilator");
    findings.extend(verilator(job)?);
    none_differ(&findings)?;
    if read_back {
        // A second opinion.
        match job.spare(PROOF) {
            Some(limit) => findings.extend(proofs(job, limit)?.map(|proof| proof.0)),
            None => {
                findings.push(Finding::late("yosys", "the proof of both modules again, by SAT"))
            }
        }
    }
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
    let what = "both modules on all inputs";
    let Some(limit) = job.spare(BUILD) else { return Ok(vec![Finding::late("verilator", what)]) };
    let ran = match tool::run_within(job.scratch, "verilator", &arguments, Some(limit))? {
        None => None,
        Some(Ran::Missing) => Some(Ran::Missing),
        Some(Ran::Printed(_)) => {
            let program = job.scratch.join("built").join(format!("V{top}"));
            let vectors = job.vectors.to_string_lossy();
            let left = Some(job.left());
            tool::run_within(job.scratch, &program.to_string_lossy(), &[&vectors], left)?
        }
    };
    match ran {
        None => Ok(vec![Finding::late("verilator", what)]),
        Some(ran) => both("verilator", job, job.counts.total(), &ran, VERILATOR, ""),
    }
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
    limit: Duration,
) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let program = job.scratch.join("bench.vvp").to_string_lossy().into_owned();
    let (bench, pair) = (format!("{name}_tb.v"), format!("{name}_pair.v"));
    let mut arguments = vec!["-g2001", "-o", &program, &bench, &pair];
    arguments.extend(modules.files);
    let ran = simulated(job, inputs, &arguments, &[&program], limit)?;
    let what = || format!("both modules{} on {inputs} inputs", modules.named);
    match ran {
        None => Ok(vec![Finding::late("iverilog", &what())]),
        Some(ran) => both("iverilog", job, inputs, &ran, IVERILOG, &modules.named),
    }
}

/// Compiles with Icarus Verilog, and simulates the first of the inputs; `None` if that did not end in time.
fn simulated(
    job: &Job<'_>,
    inputs: usize,
    compile: &[&str],
    run: &[&str],
    limit: Duration,
) -> Result<Option<Ran>, Error> {
    match tool::run_within(job.folder, "iverilog", compile, Some(limit))? {
        Some(Ran::Printed(_)) => {
            let lines = job.scratch.join("vectors.hex");
            translate(job.circuit, job.vectors, &lines, inputs)?;
            let vectors = format!("+vectors={}", lines.to_string_lossy());
            let arguments = [&["-n"], run, &[&vectors]].concat();
            tool::run_within(job.folder, "vvp", &arguments, Some(limit))
        }
        other => Ok(other),
    }
}

/// The stream and the serial module through Icarus Verilog, on the first of the inputs.
fn streams(job: &Job<'_>, inputs: usize) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let program = job.scratch.join("stream.vvp").to_string_lossy().into_owned();
    let files = ["_stream_tb.v", "_axis.v", "_serial.v", "_pipelined.v"];
    let files = files.map(|end| format!("{name}{end}"));
    let mut arguments = vec!["-g2001", "-o", &program];
    arguments.extend(files.iter().map(String::as_str));
    let serial = inputs.min(serial_inputs(job.circuit));
    let counts = [format!("+most={inputs}"), format!("+serial={serial}")];
    let run = [program.as_str(), &counts[0], &counts[1]];
    let modules = [("_axis", "AXI stream", inputs), ("_serial", "serial", serial)];
    let modules = modules.map(|(end, kind, inputs)| (format!("{name}{end}"), kind, inputs));
    match simulated(job, inputs, &arguments, &run, job.left())? {
        None => Ok(vec![Finding::late("iverilog", "the AXI stream and the serial module")]),
        Some(ran) => replayed("iverilog", job, modules, &ran, IVERILOG, ""),
    }
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
    let modules = [("", "combinational"), ("_pipelined", "pipelined")];
    let modules = modules.map(|(end, kind)| (format!("{}{end}", job.name), kind, inputs));
    replayed(tool, job, modules, ran, install, named)
}

/// What a replay of two modules found, each with its kind and its number of inputs.
fn replayed(
    tool: &'static str,
    job: &Job<'_>,
    modules: [(String, &str, usize); 2],
    ran: &Ran,
    install: &'static str,
    named: &str,
) -> Result<Vec<Finding>, Error> {
    (modules.into_iter())
        .map(|(module, kind, inputs)| {
            let own = match ran {
                Ran::Missing => Ran::Missing,
                Ran::Printed(printed) => {
                    let start = format!("{module}: ");
                    let line = printed.lines().find_map(|line| line.strip_prefix(&start));
                    Ran::Printed(line.unwrap_or(printed).to_owned())
                }
            };
            let what = format!("the {kind} module{named}, sums and classes bit for bit");
            let found = tool::compared(tool, &what, inputs, own, install)?;
            Ok(found.without(job.counts.total() - inputs))
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

/// Reads the modules back, and compares what they compute, and after how many clocks, with the circuit on every input;
/// each with whether that succeeded.
fn read_back(job: &Job<'_>, latency: usize) -> Result<Vec<(Finding, bool)>, Error> {
    let mut findings = Vec::new();
    for form in Form::ALL {
        let module = format!("{}{}", job.name, form.ending());
        let path = job.folder.join(format!("{module}.v"));
        let text = std::fs::read_to_string(&path).map_err(|reason| unread(&path, reason))?;
        let equal = format!("{module} equals the network on every input");
        let clocks = match form {
            Form::Combinational => None,
            Form::Pipelined => Some(latency),
            Form::Serial => Some(clocks(job.circuit)),
        };
        let (what, proven) = match prove(job.circuit, job.name, form, &text) {
            Ok(None) => {
                let how = match form {
                    Form::Combinational => "read back, no width and no sign loses a bit",
                    Form::Pipelined => {
                        "read back, clock by clock, in any state and whatever comes before and after it"
                    }
                    Form::Serial => {
                        "read back, clock by clock, in any state after a reset, by induction over the inputs"
                    }
                };
                let mut same = "the outputs have the network's formulas".to_owned();
                if let Some(clocks) = clocks {
                    same += &format!(" {clocks} clocks after the input, as stated");
                }
                (format!("proven: {equal}: {how}, and {same}"), true)
            }
            Ok(Some(why)) => {
                let problem = format!("{module} is not the network: {why}; nothing was written");
                return Err(failed(problem));
            }
            Err(why) => (format!("not proven by reading it back: {equal}: {why}"), false),
        };
        let mut numbers = json!({ "module": module, "proven": proven });
        if let Some(clocks) = clocks.filter(|_| proven) {
            numbers["clocks"] = json!(clocks);
        }
        findings.push((Finding::Noted { tool: "hardlim", what, numbers }, proven));
    }
    Ok(findings)
}

/// The proofs of both modules by a solver, each with whether it succeeded.
fn proofs(job: &Job<'_>, limit: Duration) -> Result<[(Finding, bool); 2], Error> {
    (job.tell)("proving both modules for every input with Yosys");
    // What the wires stand for gives the network; then the wires have to be what they stand for.
    if let Some(why) = difference(job.circuit) {
        return Err(failed(format!("the Verilog is not the network: {why}; nothing was written")));
    }
    let (folder, name) = (job.folder, job.name);
    let (plain, pipelined) = std::thread::scope(|scope| {
        let pipelined = scope.spawn(|| proof(folder, &format!("{name}_pipelined"), limit));
        (proof(folder, name, limit), pipelined.join().expect("a proof does not panic"))
    });
    Ok([plain?, pipelined?])
}

/// What a solver proves about a module: its script is in the folder.
enum Solved {
    Proven,
    Late,
    Missing,
}

fn solved(folder: &Path, module: &str, limit: Duration) -> Result<Solved, Error> {
    match tool::run_within(folder, "yosys", &[&format!("{module}_proof.ys")], Some(limit)) {
        Ok(Some(Ran::Missing)) => Ok(Solved::Missing),
        Ok(Some(Ran::Printed(printed))) if printed.contains("SUCCESS!") => Ok(Solved::Proven),
        Ok(Some(Ran::Printed(_))) => {
            Err(failed(format!("yosys: the proof of {module}: no result in its output")))
        }
        Ok(None) => Ok(Solved::Late),
        Err(error) => Err(failed(format!("the proof of {module} failed: {error}"))),
    }
}

/// The proof of the stream around the pipelined module.
fn stream(job: &Job<'_>) -> Result<Finding, Error> {
    let (tool, module, limit) = ("yosys", format!("{}_axis", job.name), job.left());
    let what = format!(
        "{module} gives one answer for each input, in order and with its tlast, with any gaps and any back-pressure \
         after a reset: by SAT and induction over clocks, the pipelined module as a delay"
    );
    let (what, proven) = match solved(job.folder, &module, limit)? {
        Solved::Missing => return Ok(Finding::Skipped { tool, what, install: YOSYS }),
        Solved::Proven => (format!("proven: {what}"), true),
        Solved::Late => (format!("not proven within {} seconds: {what}", limit.as_secs()), false),
    };
    let numbers = json!({ "module": module, "proven": proven });
    Ok(Finding::Noted { tool, what, numbers })
}

/// The proof of one module for every input.
fn proof(folder: &Path, module: &str, limit: Duration) -> Result<(Finding, bool), Error> {
    let tool = "yosys";
    let what = format!("{module} equals the network on every input, by SAT wire by wire");
    let (what, proven) = match solved(folder, module, limit)? {
        Solved::Missing => return Ok((Finding::Skipped { tool, what, install: YOSYS }, false)),
        Solved::Proven => (format!("proven: {what}"), true),
        Solved::Late => {
            let (seconds, tested) =
                (limit.as_secs(), "what was read back and simulated is in this list");
            let late = format!(
                "no proof by SAT within {seconds} seconds, and no counterexample; {tested}"
            );
            (format!("{module}: {late}"), false)
        }
    };
    let numbers = json!({ "module": module, "proven": proven });
    Ok((Finding::Noted { tool, what, numbers }, proven))
}
