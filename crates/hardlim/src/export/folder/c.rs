//! Checks of the C export: proven for every input, compiled here, and for a Cortex-M0.

use std::path::Path;

use serde_json::json;

use super::finding::{Finding, Job, none_differ};
use super::tool::{self, Ran};
use super::{failed, written};
use crate::error::Error;
use crate::export::CircuitSize;
use crate::export::c::prove;

pub(super) const GCC: &str = "apt install gcc, or the C compiler of your system as cc";
const CPP: &str = "apt install g++, or the C++ compiler of your system as c++";
const ARM: &str = "apt install gcc-arm-none-eabi";
const QEMU: &str = "apt install qemu-system-arm";
/// The flash and the memory of the microcontroller that is emulated.
const FLASH: u64 = 256 << 10;

pub(super) const STRICT: [&str; 5] = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];
const M0: [&str; 6] =
    ["-mcpu=cortex-m0", "-mthumb", "-Os", "-ffreestanding", "-ffunction-sections", "-fstack-usage"];

pub(super) fn check(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = vec![proof(job)?, host(job)?, single(job)?];
    none_differ(&findings)?;
    (job.tell)("compiling for a Cortex-M0");
    let (name, scratch) = (job.name, job.scratch.to_string_lossy());
    let object = format!("{scratch}/{name}_m0.o");
    let source = format!("{name}.c");
    let arguments = [&M0[..], &STRICT, &["-c", &source, "-o", &object]].concat();
    let Ran::Printed(_) = tool::run(job.folder, "arm-none-eabi-gcc", &arguments)? else {
        let (tool, what) = ("arm-none-eabi-gcc", "size on a Cortex-M0".into());
        findings.push(Finding::Skipped { tool, what, install: ARM });
        return Ok(findings);
    };
    let size = tool::run(job.folder, "arm-none-eabi-size", &[&object])?;
    if let Some((flash, ram)) = size_of(size) {
        // All frames at once are more than any call needs.
        let frames =
            std::fs::read_to_string(Path::new(&object).with_extension("su")).unwrap_or_default();
        let frame = |line: &str| line.split('\t').nth(1)?.parse::<u64>().ok();
        let stack: u64 = frames.lines().filter_map(frame).sum();
        findings.push(Finding::Noted {
            tool: "arm-none-eabi-gcc",
            what: format!(
                "{flash} bytes of flash, {ram} bytes of static memory and at most {stack} of stack on a Cortex-M0 (-Os)"
            ),
            numbers: json!({ "flash_bytes": flash, "ram_bytes": ram, "stack_bytes": stack }),
        });
    }
    if job.has_rows {
        (job.tell)("running on an emulated Cortex-M0");
        findings.extend(emulate(job, &object)?);
        none_differ(&findings)?;
    }
    Ok(findings)
}

/// Reads the program back, and compares what it computes with the circuit on every input.
fn proof(job: &Job<'_>) -> Result<Finding, Error> {
    (job.tell)("proving the C program for every input");
    let read = |end: &str| {
        let path = job.folder.join(format!("{}{end}", job.name));
        std::fs::read_to_string(&path).map_err(|reason| Error::Read { path, reason })
    };
    let (tool, equal) =
        ("hardlim", "the C program equals the network on every input within the bounds");
    let (what, proven) = match prove(job.circuit, job.style, &read(".h")?, &read(".c")?) {
        Ok(None) => {
            let how = "read back, every sum fits its type, and sums and class have the network's formulas";
            (format!("proven: {equal}: {how}"), true)
        }
        Ok(Some(why)) => {
            return Err(failed(format!(
                "the C program is not the network: {why}; nothing was written"
            )));
        }
        Err(why) => (format!("not proven: {equal}: {why}"), false),
    };
    Ok(Finding::Noted { tool, what, numbers: json!({ "proven": proven }) })
}

/// Compiles and replays on this machine.
fn host(job: &Job<'_>) -> Result<Finding, Error> {
    (job.tell)("compiling and running the C program");
    let name = job.name;
    let program = job.scratch.join("replay").to_string_lossy().into_owned();
    let (test, source) = (format!("{name}_test.c"), format!("{name}.c"));
    let arguments = [&["-O2"][..], &STRICT, &[&test, &source, "-o", &program]].concat();
    let ran = match tool::run(job.folder, "cc", &arguments)? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => tool::run(job.folder, &program, &[&job.vectors.to_string_lossy()])?,
    };
    let what = "the C program, sums and classes bit for bit";
    tool::compared("cc", what, job.counts.total(), ran, GCC)
}

/// Compiles the single header as C++ and replays it; the loop of a firmware is compiled, too.
fn single(job: &Job<'_>) -> Result<Finding, Error> {
    let (name, scratch) = (job.name, job.scratch.to_string_lossy());
    let (program, object) = (format!("{scratch}/single"), format!("{scratch}/sensor.o"));
    let (test, sensor) = (format!("{name}_test.c"), format!("{name}_sensor.c"));
    let what = "the single header as C++, sums and classes bit for bit";
    tool::run(job.folder, "cc", &[&STRICT[..], &["-c", &sensor, "-o", &object]].concat())?;
    let one = format!("-D{}_SINGLE", name.to_ascii_uppercase());
    let flags = ["-O1", "-std=c++11", "-Wall", "-Wextra", "-Werror", &one, "-x", "c++"];
    let ran = match tool::run(job.folder, "c++", &[&flags[..], &[&test, "-o", &program]].concat())?
    {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => tool::run(job.folder, &program, &[&job.vectors.to_string_lossy()])?,
    };
    tool::compared("c++", what, job.counts.total(), ran, CPP)
}

/// Replays the rows on an emulated Cortex-M0, and counts instructions.
fn emulate(job: &Job<'_>, object: &str) -> Result<Vec<Finding>, Error> {
    let name = job.name;
    let what = "the rows on an emulated Cortex-M0, bit for bit";
    let vectors = super::inputs::path(job.folder, name);
    let rows = std::fs::metadata(&vectors).map_err(written(&vectors))?.len();
    if rows + job.circuit_bytes() > FLASH {
        return Ok(vec![Finding::Noted {
            tool: "qemu-system-arm",
            what: format!(
                "not replayed: the rows take {rows} bytes, and the emulated Cortex-M0 has {FLASH} bytes of flash"
            ),
            numbers: json!({ "vector_bytes": rows }),
        }]);
    }
    if !tool::is_there("qemu-system-arm") {
        let (tool, what) = ("qemu-system-arm", what.into());
        return Ok(vec![Finding::Skipped { tool, what, install: QEMU }]);
    }
    let program = format!("{}/{name}_m0.elf", job.scratch.to_string_lossy());
    let main = format!("{name}_cortex_m0.c");
    let link = ["-nostdlib", "-T", "cortex_m0.ld", &main, object, "-lgcc", "-o", &program];
    tool::run(job.folder, "arm-none-eabi-gcc", &[&M0[..], &link].concat())?;
    let machine = ["-M", "microbit", "-icount", "shift=6", "-nographic", "-semihosting-config"];
    let rest = ["enable=on,target=native", "-kernel", &program];
    let ran = tool::run(job.folder, "qemu-system-arm", &[&machine[..], &rest].concat())?;
    let instructions = instructions_of(&ran, job.counts.rows);
    let mut findings = vec![tool::compared("qemu-system-arm", what, job.counts.rows, ran, QEMU)?];
    findings.extend(instructions.map(|(mean, most)| Finding::Noted {
        tool: "qemu-system-arm",
        what: format!(
            "an answer takes {mean} instructions on a Cortex-M0 on average over the rows, and at most {most}"
        ),
        numbers: json!({ "instructions": mean, "instructions_most": most }),
    }));
    Ok(findings)
}

/// The instructions of an answer, on average and at most, from the ticks of the timer. A tick has 62.5 ns, and an
/// instruction takes 2⁶ ns of the emulator's time (`-icount shift=6`).
fn instructions_of(ran: &Ran, rows: usize) -> Option<(u64, u64)> {
    let Ran::Printed(printed) = ran else { return None };
    printed.lines().find_map(|line| {
        let (total, rest) = line.trim().split_once(" ticks, at most ")?;
        let most = rest.strip_suffix(" for a row")?;
        let instructions = |ticks: f64| (ticks * 62.5 / 64.0).round() as u64;
        let mean = instructions(total.parse::<f64>().ok()? / rows.max(1) as f64);
        Some((mean, instructions(most.parse().ok()?)))
    })
}

/// Flash and memory, as `size` prints them.
fn size_of(ran: Ran) -> Option<(u64, u64)> {
    let Ran::Printed(printed) = ran else { return None };
    printed.lines().find_map(|line| {
        let words = line.split_whitespace().map_while(|word| word.parse().ok());
        let [text, data, bss, ..] = words.collect::<Vec<u64>>()[..] else { return None };
        Some((text + data, data + bss))
    })
}

impl Job<'_> {
    /// What the constants take, with as much again for the code around them.
    fn circuit_bytes(&self) -> u64 {
        2 * CircuitSize::of(self.circuit).table_bytes as u64 + 4096
    }
}
