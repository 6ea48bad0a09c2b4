//! The `hardlim` command line.

mod args;
mod commands;
mod files;
mod interrupt;
mod npy;
mod progress;
mod report;
mod trace;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context;
use clap::FromArgMatches as _;
use hardlim::spelling::spelled;
use hardlim_plot as plot;

use args::{Arguments, Command, Files};

fn main() -> ExitCode {
    let watched = interrupt::install(); // before anything that takes time
    let typed = Arguments::from_arg_matches(&args::command().get_matches());
    let Arguments { command, common } = typed.unwrap_or_else(|error| error.exit());
    let run = || -> anyhow::Result<ExitCode> {
        watched?;
        files::check(&Files::of(&command))?;
        if let Some(threads) = common.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().context("cannot start the threads asked for by --threads")?;
        }
        // Inside the pool from the start: every parallel loop is then a call, not a message.
        rayon::scope(|_| match &command {
            Command::Describe(args) => commands::describe::run(args, &common),
            Command::Train(args) => commands::train::run(args, &common),
            Command::Predict(args) => commands::predict::run(args, &common),
            Command::Evaluate(args) => commands::evaluate::run(args, &common),
            Command::Certify(args) => commands::certify::run(args, &common),
            Command::Weights(args) => commands::weights::run(args, &common),
            Command::Path(args) => commands::path::run(args, &common),
            Command::Lasso(args) => commands::lasso::run(args, &common),
            Command::Arrangements(args) => commands::arrangements::run(args, &common),
            Command::Interpolate(args) => commands::interpolate::run(args, &common),
            Command::Memorize(args) => commands::memorize::run(args, &common),
            Command::Halfspace(args) => commands::halfspace::run(args, &common),
            Command::Explain(args) => commands::explain::run(args, &common),
            Command::Importance(args) => commands::importance::run(args, &common),
            Command::Export(args) => commands::export::run(args, &common),
            Command::Plot(args) => commands::plot::run(args, &common),
            Command::Baseline(args) => commands::baseline::run(args, &common),
            Command::Reproduce(args) => commands::reproduce::run(args, &common),
            Command::Datasets => commands::datasets::run(&common),
            Command::Completions { shell } => commands::completions::run(*shell),
        })
    };
    run().unwrap_or_else(|error| {
        // If standard error is closed, the message is lost.
        let text = spelled(&one_line(&error), |option, value| command.flag(option, value));
        let _ = writeln!(std::io::stderr(), "hardlim: {text}");
        let interrupted = matches!(error.downcast_ref(), Some(hardlim::Error::Interrupted));
        ExitCode::from(if interrupted && interrupt::asked() { interrupt::EXIT_CODE } else { 2 })
    })
}

/// The error and what led to it, on one line.
fn one_line(error: &anyhow::Error) -> String {
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    chain.join(": ").replace(char::is_control, " ")
}
