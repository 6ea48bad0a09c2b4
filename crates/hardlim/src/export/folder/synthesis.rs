//! Cells and depth of the Verilog export after synthesis, for two families of FPGAs.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::failed;
use super::finding::{Finding, Job};
use super::tool::{self, Ran};
use super::verilog::YOSYS;
use crate::error::Error;

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

/// Both modules for both families, two at a time.
pub(super) fn synthesis(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    let (folder, mut findings) = (job.folder, Vec::new());
    for module in [job.name.to_owned(), format!("{}_pipelined", job.name)] {
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(|| one(folder, &module, &ICE40));
            let second = one(folder, &module, &XILINX7);
            (first.join().expect("a synthesis does not panic"), second)
        });
        findings.extend([first?, second?]);
        if matches!(findings.last(), Some(Finding::Skipped { .. })) {
            findings.truncate(1);
            break;
        }
    }
    Ok(findings)
}

fn one(folder: &Path, module: &str, family: &Family) -> Result<Finding, Error> {
    let (tool, name) = ("yosys", family.name);
    let commands =
        format!("read_verilog {module}.v; {} -flatten -top {module}; ltp -noff", family.command);
    let what = format!("{module} on {name}");
    let ran = tool::run_within(folder, "yosys", &["-p", &commands], Some(LIMIT))?;
    let printed = match ran {
        Some(Ran::Missing) => {
            let what = "cells and depth on an iCE40 and a Xilinx 7".into();
            return Ok(Finding::Skipped { tool, what, install: YOSYS });
        }
        Some(Ran::Printed(printed)) => printed,
        None => {
            let what = format!("{what}: not synthesised within {} seconds", LIMIT.as_secs());
            let numbers = json!({ "module": module, "family": family.key });
            return Ok(Finding::Noted { tool, what, numbers });
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
        "module": module, "family": family.key, "luts": luts, "carries": carries,
        "registers": registers, "depth": depth,
    });
    Ok(Finding::Noted { tool, what, numbers })
}
