//! Cells and depth of the Verilog export after synthesis, for two families of FPGAs. The netlists are
//! simulated, too: a circuit may be right and its synthesis wrong.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::finding::{Finding, Job, none_differ};
use super::tool::{self, Ran};
use super::verilog::{Modules, YOSYS, icarus};
use super::{failed, written};
use crate::error::Error;
use crate::export::verilog::sum_names;
use crate::export::{Answer, Circuit};

/// How long the synthesis of a module for a family may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The most inputs times cells that are simulated after synthesis: seconds.
const STEPS: usize = 500_000;

/// A family of FPGAs: its name, the command that synthesises for it, and the names of its cells.
pub(super) struct Family {
    name: &'static str,
    key: &'static str,
    command: &'static str,
    luts: &'static str,
    carries: &'static str,
    registers: &'static str,
    /// What its cells do, in Verilog: a file of Yosys, or a text.
    meaning: Meaning,
}

enum Meaning {
    Installed(&'static str),
    Text(&'static str),
}

pub(super) const ICE40: Family = Family {
    name: "an iCE40",
    key: "ice40",
    command: "synth_ice40",
    luts: "SB_LUT4",
    carries: "SB_CARRY",
    registers: "SB_DFF",
    // The file of Yosys takes it a minute.
    meaning: Meaning::Text(include_str!("ice40.v")),
};
const XILINX7: Family = Family {
    name: "a Xilinx 7",
    key: "xilinx7",
    command: "synth_xilinx -family xc7 -nodsp -noiopad -noclkbuf",
    luts: "LUT",
    carries: "CARRY4",
    registers: "FD",
    meaning: Meaning::Installed("+/xilinx/cells_sim.v"),
};

/// Both modules for both families, two at a time, and the class alone for one.
pub(super) fn synthesis(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    let (folder, scratch) = (job.folder, job.scratch);
    let mut findings = Vec::new();
    let mut luts = [Some(0), Some(0)];
    let unread = sums(job.circuit);
    let plain = job.name.to_owned();
    let pipelined = format!("{plain}_pipelined");
    for module in [&plain, &pipelined] {
        let Some(limit) = job.spare(LIMIT) else {
            findings.push(Finding::late("yosys", &format!("cells and depth of {module}")));
            luts = [None, None];
            continue;
        };
        let found = std::thread::scope(|scope| {
            let first = scope.spawn(|| one(folder, scratch, module, &ICE40, &[], limit));
            let second = one(folder, scratch, module, &XILINX7, &[], limit);
            [first.join().expect("a synthesis does not panic"), second]
        });
        for (most, found) in luts.iter_mut().zip(found) {
            let (finding, own) = found?;
            findings.push(finding);
            *most = (*most).zip(own).map(|(a, b)| a.max(b));
        }
        if matches!(findings.last(), Some(Finding::Skipped { .. })) {
            findings.truncate(1);
            return Ok(findings);
        }
        if luts == [None, None] && module == &plain {
            // The pipelined module is at least as large.
            findings.push(Finding::Noted {
                tool: "yosys",
                what: format!("{pipelined}: not synthesised, because {plain} was not in time"),
                numbers: json!({ "module": pipelined, "late": true }),
            });
            break;
        }
    }
    if !unread.is_empty() {
        match luts[0].and(job.spare(LIMIT)) {
            Some(limit) => {
                findings.insert(1, one(folder, scratch, &plain, &ICE40, &unread, limit)?.0);
            }
            None => {
                let what = format!("cells and depth of {}", on(&plain, &ICE40, &unread));
                findings.push(Finding::late("yosys", &what));
            }
        }
    }
    for (family, luts) in [&ICE40, &XILINX7].into_iter().zip(luts) {
        let named = format!(" after synthesis for {}", family.name);
        let Some((luts, limit)) = luts.zip(job.spare(LIMIT)) else {
            findings.push(Finding::late("iverilog", &format!("both modules{named}")));
            continue;
        };
        (job.tell)(&format!("simulating what Yosys made for {}", family.name));
        let inputs = job.counts.total().min((STEPS / (luts + 1)).max(100));
        let [plain, pipelined] =
            ["", "_pipelined"].map(|end| netlist(scratch, &format!("{}{end}", job.name), family));
        let modules = Modules { files: [plain.as_str(), pipelined.as_str()], named };
        findings.extend(icarus(job, inputs, &modules, limit)?);
        none_differ(&findings)?;
    }
    Ok(findings)
}

/// What is synthesised: a module for a family if these outputs are not read.
fn on(module: &str, family: &Family, unread: &[String]) -> String {
    let alone = if unread.is_empty() { "" } else { ", if only the class is read" };
    format!("{module} on {}{alone}", family.name)
}

/// The file of a module after synthesis.
fn netlist(scratch: &Path, module: &str, family: &Family) -> String {
    scratch.join(format!("{module}_{}.v", family.key)).to_string_lossy().into_owned()
}

/// The ports of the sums that nobody needs to read, because there is a class.
pub(super) fn sums(circuit: &Circuit) -> Vec<String> {
    match circuit.answer {
        Answer::Number => Vec::new(),
        Answer::Sign(_) | Answer::Largest(_) => sum_names(circuit),
    }
}

/// LUTs and depth of a module for a family if these outputs are not read, the inner one `None` if synthesis did not
/// end in time; `None` if Yosys is missing.
#[expect(clippy::option_option, reason = "both are documented")]
pub(super) fn size(
    folder: &Path,
    scratch: &Path,
    module: &str,
    family: &Family,
    unread: &[String],
) -> Result<Option<Option<(usize, usize)>>, Error> {
    Ok(match one(folder, scratch, module, family, unread, LIMIT)? {
        (Finding::Skipped { .. }, _) => None,
        (Finding::Noted { numbers, .. }, Some(luts)) => {
            Some(Some((luts, numbers["depth"].as_u64().unwrap_or(0) as usize)))
        }
        _ => Some(None),
    })
}

/// What synthesis of a module gives if these outputs are not read, and the number of LUTs if it ended. The netlist
/// is written where all are.
fn one(
    folder: &Path,
    scratch: &Path,
    module: &str,
    family: &Family,
    unread: &[String],
    limit: Duration,
) -> Result<(Finding, Option<usize>), Error> {
    let tool = "yosys";
    let meaning = match family.meaning {
        Meaning::Installed(path) => path.to_owned(),
        Meaning::Text(text) => {
            let path = scratch.join(format!("{module}_{}_cells.v", family.key));
            std::fs::write(&path, text).map_err(written(&path))?;
            format!("\"{}\"", path.to_string_lossy())
        }
    };
    let drop: String =
        unread.iter().map(|port| format!("delete -output {module}/{port}; ")).collect();
    let mut commands = format!(
        "read_verilog {module}.v; {drop}{} -flatten -top {module}; ltp -noff",
        family.command
    );
    if unread.is_empty() {
        commands += &format!(
            "; read_verilog -overwrite {meaning}; hierarchy -top {module}; proc; flatten; opt_clean; \
             write_verilog -noattr \"{}\"",
            netlist(scratch, module, family)
        );
    }
    let what = on(module, family, unread);
    let ran = tool::run_within(folder, "yosys", &["-p", &commands], Some(limit))?;
    let printed = match ran {
        Some(Ran::Missing) => {
            let what =
                "cells and depth on an iCE40 and a Xilinx 7, and both modules after synthesis"
                    .into();
            return Ok((Finding::Skipped { tool, what, install: YOSYS }, None));
        }
        Some(Ran::Printed(printed)) => printed,
        None => {
            let what = format!("{what}: not synthesised within {} seconds", limit.as_secs());
            let numbers = json!({ "module": module, "family": family.key, "late": true });
            return Ok((Finding::Noted { tool, what, numbers }, None));
        }
    };
    let last = printed.rfind("Number of cells").map(|at| &printed[at..]);
    let path = printed.rfind("(length=").map(|at| &printed[at + "(length=".len()..]);
    let depth = path.and_then(|rest| rest.split(')').next()?.parse::<usize>().ok());
    let (Some(last), Some(depth)) = (last, depth) else {
        return Err(failed(format!("yosys: {what}: no number of cells in its output")));
    };
    let count = |kind: &str| -> usize {
        let counts =
            last.lines().take_while(|line| !line.contains("Executing")).filter_map(|line| {
                let mut words = line.split_whitespace();
                let cell = words.next()?;
                cell.starts_with(kind).then(|| words.next()?.parse::<usize>().ok()).flatten()
            });
        counts.sum()
    };
    let (luts, carries) = (count(family.luts), count(family.carries));
    let registers = count(family.registers);
    let mut what = format!("{what}: {luts} LUTs, {carries} carries, ");
    if registers > 0 {
        what += &format!("{registers} registers, ");
    }
    what += &format!("{depth} cells one after the other");
    let numbers = json!({
        "module": module, "family": family.key, "class_alone": !unread.is_empty(), "luts": luts, "carries": carries,
        "registers": registers, "depth": depth,
    });
    Ok((Finding::Noted { tool, what, numbers }, Some(luts)))
}
