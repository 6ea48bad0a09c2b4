//! What `hardlim report` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{DataArgs, number};

/// Write a page about a model, for the browser
#[derive(Debug, Args)]
#[command(after_help = "\
The report is one HTML file. It loads nothing from elsewhere and sends nothing, so it can be \
mailed, kept and printed. It shows

  the verdict             the score with its error, and the certificate, which is checked again
  what the network does   the effect of each input, the cells of pairs of inputs, and the rules
  try it                  sliders and menus; the network answers in the page, like hardlim predict
  how good it is          confusion, ROC and calibration, or residuals; the wrong answers
  how it came about       data, strength, method, seed, checksum, and the commands

DATA may be the training table or any other with the same columns. The certificate is about the \
training table: with another one it is shown as the model states it. Rows that were held out of \
training (--holdout) are scored apart. Without the target column nothing is scored.

Exit codes: 0 done; 1 the certificate does not hold (the page says so, and proves nothing about \
inputs); 2 could not run; 130 after Ctrl-C.

Examples:
  hardlim train titanic --beta 10 -o titanic.hardlim
  hardlim report titanic.hardlim titanic -o titanic.html
  hardlim report titanic.hardlim titanic --importance -o titanic.html")]
pub(crate) struct Report {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Prove what is lost without each input, too; this takes as long as hardlim importance
    #[arg(long)]
    pub(crate) importance: bool,
    /// Stop proving after this many seconds, and show what is proven then
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true,
          requires = "importance")]
    pub(crate) time_limit: Option<f64>,
    /// Write the page to this file
    #[arg(short, long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
}
