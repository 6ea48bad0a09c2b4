//! Cells and depth of the Verilog export after synthesis, for two families of FPGAs.

use std::path::Path;
use std::time::Duration;

use hardlim::Error;
use hardlim::export::{Answer, Finding};
use serde_json::json;

use super::YOSYS;
use crate::tool::{self, Ran};
use crate::{Run, failed};

/// How long the synthesis of a module for a family may take.
const LIMIT: Duration = Duration::from_secs(120);

/// A family of FPGAs: its name, the command that synthesises for it, and the names of its cells.
struct Family {
    name: &'static str,
    key: &'static str,
    command: &'static str,
    luts: &'static str,
    carries: &'static str,
    registers: &'static str,
}

const ICE40: Family = Family {
    name: "an iCE40",
    key: "ice40",
    command: "synth_ice40",
    luts: "SB_LUT4",
    carries: "SB_CARRY",
    registers: "SB_DFF",
};
const XILINX7: Family = Family {
    name: "a Xilinx 7",
    key: "xilinx7",
    command: "synth_xilinx -family xc7 -nodsp -noiopad -noclkbuf",
    luts: "LUT",
    carries: "CARRY4",
    registers: "FD",
};

/// Both modules for both families, two at a time, and the class alone for one.
pub(super) fn synthesis(run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let folder = run.folder();
    let mut findings = Vec::new();
    let mut in_time = true;
    let plain = run.name().to_owned();
    // Where there is a class, nobody needs to read the sums.
    let unread = match run.circuit.answer {
        Answer::Number => Vec::new(),
        Answer::Sign(_) | Answer::Largest(_) => sums(run)?,
    };
    let pipelined = format!("{plain}_pipelined");
    for module in [&plain, &pipelined] {
        let Some(limit) = run.spare(LIMIT) else {
            findings.push(Finding::late("yosys", &format!("cells and depth of {module}")));
            in_time = false;
            continue;
        };
        let [first, second] = std::thread::scope(|scope| {
            let first = scope.spawn(|| one(folder, module, &ICE40, &[], limit));
            let second = one(folder, module, &XILINX7, &[], limit);
            [first.join().expect("a synthesis does not panic"), second]
        });
        let ((first, luts), (second, others)) = (first?, second?);
        if first.json()["skipped"] == true {
            findings.push(first);
            return Ok(findings);
        }
        findings.extend([first, second]);
        in_time &= luts.is_some();
        if module == &plain && luts.is_none() && others.is_none() {
            // The pipelined module is at least as large.
            let what = format!("{pipelined}: not synthesised, because {plain} was not in time");
            let numbers = json!({ "module": pipelined, "late": true });
            findings.push(Finding::noted("yosys", what, numbers));
            break;
        }
    }
    if !unread.is_empty() {
        match run.spare(LIMIT).filter(|_| in_time) {
            Some(limit) => findings.insert(1, one(folder, &plain, &ICE40, &unread, limit)?.0),
            None => {
                let what = format!("cells and depth of {}", on(&plain, &ICE40, &unread));
                findings.push(Finding::late("yosys", &what));
            }
        }
    }
    Ok(findings)
}

fn sums(run: &Run<'_>) -> Result<Vec<String>, Error> {
    let text = run.text("_wires.txt")?;
    let outputs = text.lines().filter_map(|line| line.strip_prefix("output ")?.split(' ').next());
    Ok(outputs.take(run.circuit.stacks.len()).map(str::to_owned).collect())
}

/// What is synthesised: a module for a family if these outputs are not read.
fn on(module: &str, family: &Family, unread: &[String]) -> String {
    let alone = if unread.is_empty() { "" } else { ", if only the class is read" };
    format!("{module} on {}{alone}", family.name)
}

/// LUTs of a module on an iCE40 if these outputs are not read, and cells one after the other;
/// `None` if synthesis did not end in time.
pub(crate) fn size(
    folder: &Path,
    module: &str,
    unread: &[String],
) -> Result<Option<(usize, usize)>, Error> {
    let (finding, luts) = one(folder, module, &ICE40, unread, LIMIT)?;
    let found = finding.json();
    if found["skipped"] == true {
        let problem = format!("a budget of LUTs needs Yosys, which is missing: {YOSYS}");
        return Err(failed(problem));
    }
    Ok(luts.map(|luts| (luts, found["numbers"]["depth"].as_u64().unwrap_or(0) as usize)))
}

/// What synthesis of a module gives if these outputs are not read, and the number of LUTs if it
/// ended.
fn one(
    folder: &Path,
    module: &str,
    family: &Family,
    unread: &[String],
    limit: Duration,
) -> Result<(Finding, Option<usize>), Error> {
    let tool = "yosys";
    let drop: String =
        unread.iter().map(|port| format!("delete -output {module}/{port}; ")).collect();
    let commands = format!(
        "read_verilog {module}.v; {drop}{} -flatten -top {module}; ltp -noff",
        family.command
    );
    let what = on(module, family, unread);
    let ran = tool::run_within(folder, "yosys", &["-p", &commands], limit)?;
    let printed = match ran {
        Ran::Missing => {
            let what = "cells and depth on an iCE40 and a Xilinx 7";
            return Ok((Finding::skipped(tool, what, YOSYS), None));
        }
        Ran::Printed(printed) => printed,
        Ran::Late => {
            let what = format!("{what}: not synthesised within {} seconds", limit.as_secs());
            let numbers = json!({ "module": module, "family": family.key, "late": true });
            return Ok((Finding::noted(tool, what, numbers), None));
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
        "module": module, "family": family.key, "class_alone": !unread.is_empty(),
        "luts": luts, "carries": carries, "registers": registers, "depth": depth,
    });
    Ok((Finding::noted(tool, what, numbers), Some(luts)))
}
