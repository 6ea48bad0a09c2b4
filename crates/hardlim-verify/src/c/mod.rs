//! Checks of the C export: proven for every input, compiled here, and for a Cortex-M0.

mod meaning;
mod syntax;
mod value;

use std::path::Path;

use hardlim::Error;
use hardlim::export::{Finding, none_differ};
use serde_json::json;

use crate::tool::{self, Ran};
use crate::{Run, failed, proof, written};
pub use meaning::prove;

const GCC: &str = "apt install gcc, or the C compiler of your system as cc";
const ARM: &str = "apt install gcc-arm-none-eabi";
const QEMU: &str = "apt install qemu-system-arm";
/// The flash and the memory of the microcontroller that is emulated.
const FLASH: u64 = 256 << 10;
/// What the program around the rows may take.
const HARNESS: u64 = 4096;

const STRICT: [&str; 5] = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];
const M0: [&str; 6] =
    ["-mcpu=cortex-m0", "-mthumb", "-Os", "-ffreestanding", "-ffunction-sections", "-fstack-usage"];

pub(crate) fn check(run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = vec![proven(run)?, host(run)?];
    none_differ(&findings)?;
    run.tell("compiling for a Cortex-M0");
    let (name, scratch) = (run.name(), run.scratch.to_string_lossy());
    let object = format!("{scratch}/{name}_m0.o");
    let source = format!("{name}.c");
    let arguments = [&M0[..], &STRICT, &["-c", &source, "-o", &object]].concat();
    let Ran::Printed(_) = tool::run(run.folder(), "arm-none-eabi-gcc", &arguments)? else {
        findings.push(Finding::skipped("arm-none-eabi-gcc", "size on a Cortex-M0", ARM));
        return Ok(findings);
    };
    let size = tool::run(run.folder(), "arm-none-eabi-size", &[&object])?;
    let size = size_of(size);
    if let Some((flash, ram)) = size {
        // All frames at once are more than any call needs.
        let frames =
            std::fs::read_to_string(Path::new(&object).with_extension("su")).unwrap_or_default();
        let frame = |line: &str| line.split('\t').nth(1)?.parse::<u64>().ok();
        let stack: u64 = frames.lines().filter_map(frame).sum();
        let what = format!(
            "{flash} bytes of flash, {ram} bytes of static memory and at most {stack} of stack on \
             a Cortex-M0 (-Os)"
        );
        let numbers = json!({ "flash_bytes": flash, "ram_bytes": ram, "stack_bytes": stack });
        findings.push(Finding::noted("arm-none-eabi-gcc", what, numbers));
    }
    if run.job.rows.is_some() {
        run.tell("running on an emulated Cortex-M0");
        findings.extend(emulate(run, &object, size.map_or(0, |(flash, _)| flash))?);
        none_differ(&findings)?;
    }
    Ok(findings)
}

/// Reads the program back, and compares what it computes with the circuit on every input.
fn proven(run: &Run<'_>) -> Result<Finding, Error> {
    run.tell("proving the C program for every input");
    let equal = "the C program equals the network on every input within the bounds";
    Ok(match prove(run.circuit, run.name(), &run.text(".h")?, &run.text(".c")?) {
        Ok(None) => {
            let how = "read back, every sum fits its type, and sums and class have the \
                       network's formulas";
            proof("hardlim", run.name(), &format!("{equal}: {how}"), None)
        }
        Ok(Some(why)) => {
            let problem = format!("the C program is not the network: {why}; nothing was written");
            return Err(failed(problem));
        }
        Err(why) => proof("hardlim", run.name(), equal, Some(&why)),
    })
}

fn host(run: &Run<'_>) -> Result<Finding, Error> {
    run.tell("compiling and running the C program");
    let name = run.name();
    let program = run.temporary("replay");
    let (test, source) = (format!("{name}_test.c"), format!("{name}.c"));
    let arguments = [&["-O2"][..], &STRICT, &[&test, &source, "-o", &program]].concat();
    let ran = match tool::run(run.folder(), "cc", &arguments)? {
        Ran::Printed(_) => tool::run(run.folder(), &program, &[&*run.vectors.to_string_lossy()])?,
        other => other,
    };
    let what = "the C program, sums and classes bit for bit";
    tool::compared("cc", what, run.counts.total(), &ran, GCC)
}

/// Replays the rows on an emulated Cortex-M0, and counts instructions.
fn emulate(run: &Run<'_>, object: &str, flash: u64) -> Result<Vec<Finding>, Error> {
    let name = run.name();
    let what = "the rows on an emulated Cortex-M0, bit for bit";
    let vectors = run.folder().join(format!("{name}_vectors.bin"));
    let rows = std::fs::metadata(&vectors).map_err(written(&vectors))?.len();
    if rows + flash + HARNESS > FLASH {
        let what = format!(
            "not replayed: the rows take {rows} bytes, and the emulated Cortex-M0 has {FLASH} \
             bytes of flash"
        );
        return Ok(vec![Finding::noted("qemu-system-arm", what, json!({ "vector_bytes": rows }))]);
    }
    let program = format!("{}/{name}_m0.elf", run.scratch.to_string_lossy());
    let main = format!("{name}_cortex_m0.c");
    let link = ["-nostdlib", "-T", "cortex_m0.ld", &main, object, "-lgcc", "-o", &program];
    tool::run(run.folder(), "arm-none-eabi-gcc", &[&M0[..], &link].concat())?;
    let machine = ["-M", "microbit", "-icount", "shift=6", "-nographic", "-semihosting-config"];
    let rest = ["enable=on,target=native", "-kernel", &program];
    let ran = tool::run(run.folder(), "qemu-system-arm", &[&machine[..], &rest].concat())?;
    let instructions = instructions_of(&ran, run.counts.rows);
    let mut findings = vec![tool::compared("qemu-system-arm", what, run.counts.rows, &ran, QEMU)?];
    if let Some((mean, most)) = instructions {
        let what = format!(
            "an answer takes {mean} instructions on a Cortex-M0 on average over the rows, and at \
             most {most}"
        );
        let numbers = json!({ "instructions": mean, "instructions_most": most });
        findings.push(Finding::noted("qemu-system-arm", what, numbers));
    }
    Ok(findings)
}

/// The instructions of an answer, on average and at most, from the ticks of the timer. A tick has
/// 62.5 ns, and an instruction takes 2⁶ ns of the emulator's time (`-icount shift=6`).
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
