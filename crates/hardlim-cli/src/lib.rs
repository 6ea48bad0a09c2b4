//! The `hardlim` command line.
//!
//! [`run`] is the whole program: the binary calls it, and so does the command that comes with the
//! Python package.

mod args;
mod commands;
mod files;
mod interrupt;
mod npy;
mod progress;
mod report;
mod trace;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context;
use clap::FromArgMatches as _;
use hardlim::table::names::plain;
use hardlim::train::spelled;
use hardlim_plot as plot;

use args::Arguments;
use files::Files;

pub use commands::explain::object as explain;

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let watched = interrupt::install(); // before anything that takes time
    let typed = args::command().try_get_matches_from(arguments);
    let typed =
        typed.and_then(|typed| Ok((Files::of(&typed), Arguments::from_arg_matches(&typed)?)));
    let (files, Arguments { command, common }) = match typed {
        Ok(typed) => typed,
        Err(asked) => {
            // Help goes to standard output, errors to standard error; if that is closed, they are
            // lost.
            let _ = asked.print();
            return ExitCode::from(if asked.use_stderr() { 2 } else { 0 });
        }
    };
    let work = || -> anyhow::Result<ExitCode> {
        watched?;
        files::check(&files)?;
        if let Some(threads) = common.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().context("cannot start the threads asked for by --threads")?;
        }
        // Inside the pool from the start: every parallel loop is then a call, not a message.
        rayon::scope(|_| command.run(&common))
    };
    let code = match work() {
        Ok(_) if interrupt::asked() => ExitCode::from(interrupt::EXIT_CODE),
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed, the message is lost.
            let text = spelled(&one_line(&error), |option, value| command.flag(option, value));
            let _ = writeln!(std::io::stderr(), "hardlim: {text}");
            let interrupted = matches!(error.downcast_ref(), Some(hardlim::Error::Interrupted));
            ExitCode::from(if interrupted && interrupt::asked() { interrupt::EXIT_CODE } else { 2 })
        }
    };
    let _ = std::io::stdout().flush(); // a program that goes on after this would keep the last line
    code
}

/// The number of an exit code.
pub fn number(code: ExitCode) -> u8 {
    (0..u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(u8::MAX)
}

/// The error and what led to it, on one line.
fn one_line(error: &anyhow::Error) -> String {
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    plain(&chain.join(": ").replace(['\n', '\r', '\t'], " ")).into()
}
