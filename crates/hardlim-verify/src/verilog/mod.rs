//! Checks of the Verilog export: proven for every input, simulated and synthesised.

mod claims;
mod lemmas;
mod meaning;
mod synthesis;

use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use hardlim::Error;
use hardlim::export::{Circuit, Finding, none_differ};

use crate::tool::{self, Ran};
use crate::{Run, proof, written};
use claims::Claims;
pub(crate) use synthesis::size;

const IVERILOG: &str = "apt install iverilog";
const VERILATOR: &str = "apt install verilator g++ make";
const YOSYS: &str = "apt install yosys";

/// The most additions and comparisons that Icarus Verilog is given for the rows: seconds.
const FIRST_STEPS: usize = 10_000_000;
/// The same where there is no proof, which takes it minutes.
const MOST_STEPS: usize = 500_000_000;
const PROOF: Duration = Duration::from_secs(60);
/// How long a simulation may take where there is no proof.
const SIMULATION: Duration = Duration::from_secs(300);
const BUILD: Duration = Duration::from_secs(120);

pub(crate) fn check(run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let (all, steps) = (run.counts.total(), steps(run.circuit));
    let first = run.counts.rows.min(FIRST_STEPS / steps).max(all.min(100));
    run.tell("simulating the rows with Icarus Verilog");
    findings.extend(icarus(run, first, run.left())?);
    none_differ(&findings)?;
    run.tell("simulating the stream with Icarus Verilog");
    findings.push(stream_simulated(run, first.div_ceil(4))?);
    none_differ(&findings)?;
    run.tell("proving both modules for every input with Yosys");
    let proofs = prove(run.folder(), run.name(), run.circuit)?;
    let proven = proofs.iter().all(is_proof);
    findings.extend(proofs);
    if !proven {
        let more = all.min(MOST_STEPS / steps);
        run.tell(&format!("simulating {more} inputs with Icarus Verilog"));
        findings.extend(icarus(run, more, SIMULATION)?);
        none_differ(&findings)?;
    }
    run.tell("proving the stream with Yosys");
    findings.push(stream(run));
    run.tell("synthesising with Yosys");
    findings.extend(synthesis::synthesis(run)?);
    run.tell("simulating all inputs with Verilator");
    findings.extend(verilator(run)?);
    none_differ(&findings)?;
    Ok(findings)
}

/// About how many additions and comparisons it takes to simulate an input.
fn steps(circuit: &Circuit) -> usize {
    let size = |terms: usize| 4 * (terms + 1);
    let gates: usize = circuit.gates().map(|gate| size(gate.terms.len())).sum();
    gates + circuit.stacks.iter().map(|stack| size(stack.amplitudes.len())).sum::<usize>()
}

fn is_proof(finding: &Finding) -> bool {
    finding.json()["numbers"]["proven"] == true
}

fn verilator(run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let name = run.name();
    let top = format!("{name}_pair");
    let files =
        ["_pair.v", ".v", "_pipelined.v", "_verilator.cpp"].map(|end| format!("{name}{end}"));
    // It goes through make, which takes no path with a space: all names are relative.
    for file in &files {
        let copy = run.scratch.join(file);
        std::fs::copy(run.folder().join(file), &copy).map_err(written(&copy))?;
    }
    let flags = ["--cc", "--exe", "--build", "-O3", "-Wno-fatal", "-Wno-WIDTH", "-CFLAGS", "-O1"];
    // Its harness is compiled inside that folder.
    let place = ["--top-module", &top, "--Mdir", "built"];
    let harness = format!("../{name}_verilator.cpp");
    let files: Vec<&str> =
        files[..3].iter().map(String::as_str).chain([harness.as_str()]).collect();
    let arguments = [&flags[..], &place, &files].concat();
    let what = "both modules on all inputs";
    let Some(limit) = run.spare(BUILD) else { return Ok(vec![Finding::late("verilator", what)]) };
    let mut ran = tool::run_within(run.scratch, "verilator", &arguments, limit)?;
    if let Ran::Printed(_) = ran {
        let program = run.scratch.join("built").join(format!("V{top}"));
        let (program, vectors) = (program.to_string_lossy(), run.vectors.to_string_lossy());
        ran = tool::run_within(run.scratch, &program, &[&vectors], run.left())?;
    }
    if let Ran::Late = ran {
        return Ok(vec![Finding::late("verilator", what)]);
    }
    both("verilator", run, run.counts.total(), &ran, VERILATOR)
}

/// Both modules through Icarus Verilog, on the first of the inputs; the rows come first.
fn icarus(run: &Run<'_>, inputs: usize, limit: Duration) -> Result<Vec<Finding>, Error> {
    let program = run.temporary("bench.vvp");
    let files = ["_tb.v", "_pair.v", ".v", "_pipelined.v"];
    let ran = simulated(run, inputs, &program, &files, &[], limit)?;
    if let Ran::Late = ran {
        let what = format!("both modules on {inputs} inputs");
        return Ok(vec![Finding::late("iverilog", &what)]);
    }
    both("iverilog", run, inputs, &ran, IVERILOG)
}

/// Compiles files with Icarus Verilog, and simulates the first of the inputs.
fn simulated(
    run: &Run<'_>,
    inputs: usize,
    program: &str,
    ends: &[&str],
    more: &[&str],
    limit: Duration,
) -> Result<Ran, Error> {
    let files: Vec<String> = ends.iter().map(|end| format!("{}{end}", run.name())).collect();
    let mut arguments = vec!["-g2001", "-o", program];
    arguments.extend(files.iter().map(String::as_str));
    let compiled = tool::run_within(run.folder(), "iverilog", &arguments, limit)?;
    let Ran::Printed(_) = compiled else { return Ok(compiled) };
    let lines = run.scratch.join("vectors.hex");
    translate(run.circuit, run.vectors, &lines, inputs)?;
    let vectors = format!("+vectors={}", lines.to_string_lossy());
    let arguments = [&["-n", program], more, &[&vectors]].concat();
    tool::run_within(run.folder(), "vvp", &arguments, limit)
}

/// The stream through Icarus Verilog, on the first of the inputs.
fn stream_simulated(run: &Run<'_>, inputs: usize) -> Result<Finding, Error> {
    let program = run.temporary("stream.vvp");
    let files = ["_stream_tb.v", "_axis.v", "_pipelined.v"];
    let most = format!("+most={inputs}");
    let ran = simulated(run, inputs, &program, &files, &[&most], run.left())?;
    if let Ran::Late = ran {
        return Ok(Finding::late("iverilog", "the AXI stream"));
    }
    let what = "the AXI stream module, sums and classes bit for bit";
    let found = tool::compared("iverilog", what, inputs, &ran, IVERILOG)?;
    Ok(found.without(run.counts.total() - inputs))
}

/// What a replay of both modules found.
fn both(
    tool: &'static str,
    run: &Run<'_>,
    inputs: usize,
    ran: &Ran,
    install: &'static str,
) -> Result<Vec<Finding>, Error> {
    ([("", "combinational"), ("_pipelined", "pipelined")].into_iter())
        .map(|(end, kind)| {
            let start = format!("{}{end}: ", run.name());
            let own = |printed: &str| {
                let line = printed.lines().find_map(|line| line.strip_prefix(&start));
                line.unwrap_or(printed).to_owned()
            };
            let what = format!("the {kind} module, sums and classes bit for bit");
            let found = tool::compared(tool, &what, inputs, &ran.map(own), install)?;
            Ok(found.without(run.counts.total() - inputs))
        })
        .collect()
}

/// Writes the first records of a file as lines of the test bench.
fn translate(circuit: &Circuit, records: &Path, lines: &Path, most: usize) -> Result<(), Error> {
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
        to.write_all(circuit.line(&inputs).as_bytes()).map_err(written(lines))?;
    }
    to.flush().map_err(written(lines))
}

fn unread(path: &Path, reason: std::io::Error) -> Error {
    Error::Read { path: path.into(), reason }
}

/// Proves that the combinational and the pipelined module of a written folder compute a circuit on
/// every input, with Yosys: a finding for each. What a solver has to prove is left in the folder.
///
/// # Errors
/// When a file cannot be read or written.
pub fn prove(folder: &Path, name: &str, circuit: &Circuit) -> Result<[Finding; 2], Error> {
    let [plain, pipelined] = ["", "_pipelined"].map(|end| format!("{name}{end}"));
    let open =
        [prepared(folder, &plain, circuit, false)?, prepared(folder, &pipelined, circuit, true)?];
    let solve = |module: &str, open: Option<String>| {
        let open = open.or_else(|| solved(folder, module, PROOF));
        let what = format!("{module} equals the network on every input, by SAT wire by wire");
        proof("yosys", module, &what, open.as_deref())
    };
    let [open, open_pipelined] = open;
    Ok(std::thread::scope(|scope| {
        let second = scope.spawn(|| solve(&pipelined, open_pipelined));
        [solve(&plain, open), second.join().expect("a proof does not panic")]
    }))
}

/// Writes what has to be proven about a module beside it; the reason if its claims do not make it
/// the network.
fn prepared(
    folder: &Path,
    module: &str,
    circuit: &Circuit,
    clocked: bool,
) -> Result<Option<String>, Error> {
    let read = |end: &str| {
        let path = folder.join(format!("{module}{end}"));
        std::fs::read_to_string(&path).map_err(|reason| unread(&path, reason))
    };
    let bit =
        |j: usize| circuit.inputs.get(j).is_some_and(|input| (input.least, input.most) == (0, 1));
    let claims = match Claims::read(&read("_wires.txt")?, bit) {
        Ok(claims) if claims.inputs.len() == circuit.inputs.len() => claims,
        Ok(_) => return Ok(Some("it has other inputs".into())),
        Err(why) => return Ok(Some(why)),
    };
    match meaning::latency(circuit, &claims) {
        Err(why) => return Ok(Some(why)),
        Ok(Some(latency)) if clocked => {
            if !read(".v")?.contains(&format!("localparam LATENCY = {latency};")) {
                return Ok(Some(format!("LATENCY is not {latency}")));
            }
        }
        Ok(_) => (),
    }
    let [lemmas, script] = lemmas::files(circuit, module, &claims, clocked);
    let registers = clocked.then(|| ("registers.v", include_str!("registers.v").to_owned()));
    for (file, text) in [("proof.v", lemmas), ("proof.ys", script)].into_iter().chain(registers) {
        let path = folder.join(format!("{module}_{file}"));
        std::fs::write(&path, text).map_err(written(&path))?;
    }
    Ok(None)
}

/// Why a solver does not prove a module, whose script is in the folder; `None` if it does.
fn solved(folder: &Path, module: &str, limit: Duration) -> Option<String> {
    let script = format!("{module}_proof.ys");
    // A wire of another width than said is no proof.
    let arguments = ["-e", "Resizing cell port", &script];
    match tool::run_within(folder, "yosys", &arguments, limit) {
        Ok(Ran::Printed(printed)) if printed.contains("SUCCESS!") => None,
        Ok(Ran::Printed(_)) => Some("Yosys gave no result".into()),
        Ok(Ran::Missing) => Some(format!("Yosys is not installed ({YOSYS})")),
        Ok(Ran::Late) => Some(format!("Yosys did not end within {} seconds", limit.as_secs())),
        Err(_) => Some("Yosys found a wire that may differ".into()),
    }
}

fn stream(run: &Run<'_>) -> Finding {
    let module = format!("{}_axis", run.name());
    let what = format!(
        "{module} gives one answer for each input, in order and with its tlast, with any gaps and \
         any back-pressure \
         after a reset: by SAT and induction over clocks, the pipelined module as a delay"
    );
    let open = solved(run.folder(), &module, run.left());
    proof("yosys", &module, &what, open.as_deref())
}
