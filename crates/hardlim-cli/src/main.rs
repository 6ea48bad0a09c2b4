//! The `hardlim` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    hardlim_cli::run(std::env::args_os())
}
