//! `hardlim completions`.

use std::process::ExitCode;

use clap_complete::Shell;

use crate::args;

pub(crate) fn run(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "hardlim", &mut script);
    crate::report::print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
