//! Written exports are proven, simulated and compiled, and wrong ones are found.

mod c;
mod circuits;
mod verilog;

use std::path::Path;
use std::process::Command;

use hardlim::export::Style;

fn style(name: &str, constant_time: bool) -> Style {
    Style { name: name.into(), source: "a test".into(), model: "0123".into(), constant_time }
}

/// Runs a tool in a folder: its status and all it said; nothing where it is not installed.
fn tool(folder: &Path, program: &str, arguments: &[&str]) -> Option<(bool, String)> {
    match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
        }
        Err(_) => {
            eprintln!("skipped for want of {program}");
            None
        }
    }
}
