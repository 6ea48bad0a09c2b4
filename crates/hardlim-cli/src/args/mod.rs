//! What can be typed: one struct for each command, checked before any work.

mod arrangements;
mod baseline;
mod blocks;
mod describe;
mod explain;
mod export;
mod flag;
mod halfspace;
mod help;
mod importance;
mod interpolate;
mod options;
mod path;
mod report;
mod reproduce;
mod weights;

pub(crate) use arrangements::Arrangements;
pub(crate) use baseline::Baseline;
pub(crate) use blocks::{BlockArgs, matching};
pub(crate) use describe::Describe;
pub(crate) use explain::Explain;
pub(crate) use export::Export;
pub(crate) use halfspace::Halfspace;
pub(crate) use help::command;
pub(crate) use importance::Importance;
pub(crate) use interpolate::Interpolate;
pub(crate) use options::{Asked, Columns, Door, Training, shared};
pub(crate) use path::Path;
pub(crate) use report::Report;
pub(crate) use reproduce::Reproduce;
pub(crate) use weights::Weights;

use std::path::PathBuf;
use std::str::FromStr;

use crate::plot::Picture;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use hardlim::table::{CodingOptions, ReadOptions, builtin};
use hardlim::train::{Entry, Options, Request};

/// Neural networks of threshold neurons, trained to certified global optimality.
///
/// Training a two-layer threshold network with weight decay is a Lasso over the patterns its neurons
/// can answer. hardlim solves it and proves how good the result is: every model carries its
/// objective, a lower bound that no other network can beat, and the gap between the two.
#[derive(Debug, Parser)]
#[command(name = "hardlim", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// The random seed: for sampled patterns, splits and generated data
    #[arg(long, global = true, value_name = "N", default_value_t = 0, help_heading = "Everywhere")]
    pub(crate) seed: u64,
    /// The number of threads [default: all cores]
    ///
    /// Results do not depend on it, unless a time limit ends the run.
    #[arg(long, global = true, value_name = "N", help_heading = "Everywhere",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a table would be read as, before any training
    Describe(Describe),
    /// Train a network, and prove how good it is
    Train(Box<Train>),
    /// Predict for new rows
    Predict(Predict),
    /// Score a model on labelled data
    Evaluate(Evaluate),
    /// Check a certificate again, from the model and its data alone
    Certify(Certify),
    /// Choose other weights, with the same answers and certificate
    Weights(Weights),
    /// Train for decreasing weight decays, and compare the networks
    Path(Path),
    /// Solve the Lasso program on any 0/1 matrix
    Lasso(Lasso),
    /// List every pattern that a neuron can produce on a table
    Arrangements(Arrangements),
    /// Find the network of least norm that fits every target, if any
    Interpolate(Interpolate),
    /// Find the halfspace that agrees best with a column, proven
    Halfspace(Halfspace),
    /// Show a model as rules, those that change its output most first
    Explain(Explain),
    /// Prove what is lost without each input of a model
    Importance(Importance),
    /// Write a model as C, Rust, Verilog or ONNX, and check the answers
    Export(Export),
    /// Draw a model of two features: cells, neurons and the data
    Plot(Plot),
    /// Write a page about a model, for the browser
    Report(Report),
    /// Train by gradient descent with surrogate gradients, to compare
    Baseline(Baseline),
    /// Reproduce a figure or table of the paper, or all of them
    Reproduce(Reproduce),
    /// List the built-in data sets
    Datasets,
    /// Print a completion script for a shell
    ///
    /// For example: hardlim completions bash > /etc/bash_completion.d/hardlim
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// Train a network, and prove how good it is
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done; 1 the --gap asked for was not reached (the model is still written); 2 could not \
run; 130 after Ctrl-C (the best model so far is written).

Without --beta and --beta-ratio you get the network that predicts best: cross-validation chooses the weight \
decay and how many inputs neurons read, in about 10 seconds. With them you pose a problem and get its optimum. \
--method, --patterns, --layers, --widths and --representation pose a problem, too.

With --memory the rows are read block by block and wait in a temporary file, so there may be more of them than \
memory holds. The result does not depend on the memory: with and without this flag, networks of more than \
65,536 rows are built from the patterns of 2000 random neurons, and one row in ten is held out to choose the \
weight decay.

Examples:
  hardlim train flowers.csv -o flowers.hardlim
  hardlim train titanic --beta 10 -o titanic.hardlim
  hardlim train flowers.csv --target species --beta-ratio 0.02 --holdout 0.2
  hardlim train flowers.csv --target species --cv 5 --one-se -o flowers.hardlim
  hardlim train wide.csv --method complete --weights svm --beta 0.1
  hardlim train titanic --method enumerate --loss logistic --beta 10
  hardlim train line --method enumerate --layers 3 --widths 2
  hardlim train checkerboard --rows 400 --method generate --layers 3 --widths 2
  hardlim train teacher3 --layers 10 --representation gaussian --weights pi --beta 0.001
  hardlim train titanic --representation staircase --loss logistic
  hardlim train 'days-*.parquet' --memory 1GiB -o days.hardlim")]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
    #[command(flatten)]
    pub(crate) asked: Asked<Training>,
    /// Write objective and bound of each round to this CSV file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    pub(crate) trace: Option<PathBuf>,
    /// Draw objective and bound over time; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    pub(crate) plot: Option<Picture>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

impl Train {
    /// What is asked for.
    pub(crate) fn request(&self, common: &Common) -> Result<Request, hardlim::Error> {
        Request::new(&self.asked.options(common)?)
    }
}

/// Predict for new rows
#[derive(Debug, Args)]
#[command(
    after_help = "The result is CSV. Two classes: the columns prediction and output. Several classes: \
                  prediction, output=CLASS for each class and, with the logistic loss, probability=CLASS. \
                  A number: prediction only.\n\n\
                  Text is read and written in parts, so memory does not grow with the number of rows, and \
                  standard input may be a stream. A Parquet file from standard input, and the object of --json, \
                  are held in memory as a whole."
)]
pub(crate) struct Predict {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Write the predictions to this CSV file instead of standard output
    #[arg(short, long, value_name = "OUT.csv", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Score a model on labelled data
#[derive(Debug, Args)]
#[command(
    after_help = "Scores on the training rows say little about new rows: if the data are those the model was \
                        trained on, the report says so. It also counts labels that training has not seen."
)]
pub(crate) struct Evaluate {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
}

/// Check a certificate again, from the model and its data alone
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the certificate holds; 1 it does not, or the data are not \
                        those the model was trained on; 2 could not run.")]
pub(crate) struct Certify {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
}

/// Draw a model of two features: cells, neurons and the data
#[derive(Debug, Args)]
#[command(after_help = "\
The lines show where neurons of the first layer switch. Between them the output is constant; the colour \
shows its value, or the class if there are several.

Example: hardlim train points.csv -o points.hardlim && hardlim plot points.hardlim points.csv -o points.svg")]
pub(crate) struct Plot {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The picture; the name ends in .svg or .png
    #[arg(short, long, value_name = "FIGURE", value_hint = ValueHint::FilePath,
          value_parser = parse_picture)]
    pub(crate) output: Picture,
}

/// Solve the Lasso program on any 0/1 matrix
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 done; 1 the gap asked for was not reached; 2 could not run; \
                  130 after Ctrl-C.\n\n\
                        Example: hardlim lasso --design D.npy --target y.npy --beta 3 -o w.npy"
)]
pub(crate) struct Lasso {
    /// The matrix: a .npy file of 0 and 1, as bool, unsigned bytes or doubles
    #[arg(long, value_name = "D.npy", value_hint = ValueHint::FilePath)]
    pub(crate) design: PathBuf,
    /// The target: a .npy file of doubles, one for each row
    #[arg(long, value_name = "y.npy", value_hint = ValueHint::FilePath)]
    pub(crate) target: PathBuf,
    #[command(flatten)]
    asked: Asked<LassoFlags>,
    /// Sample weights: a .npy file of doubles, one for each row
    #[arg(long, value_name = "s.npy", value_hint = ValueHint::FilePath, help_heading = "Problem")]
    pub(crate) sample_weight: Option<PathBuf>,
    /// Stop at this relative gap
    #[arg(long, value_name = "TOL", default_value_t = 1e-8, value_parser = number,
          allow_negative_numbers = true, help_heading = "Search")]
    pub(crate) tol: f64,
    /// Write the coefficients to this .npy file
    #[arg(short, long, value_name = "w.npy", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

/// The options that the Lasso shares with training.
#[derive(Debug)]
struct LassoFlags;

impl Door for LassoFlags {
    fn flag(entry: &Entry) -> Option<String> {
        let names = ["loss", "intercept", "non_negative", "beta", "beta_ratio", "time_limit"];
        shared(entry, &names)
    }
}

impl Lasso {
    /// What is asked for.
    pub(crate) fn request(&self) -> Result<Request, hardlim::Error> {
        let mut options = Options::default();
        options.set("gap", &self.tol.to_string())?;
        self.asked.add_to(&mut options)?;
        Request::problem_of(&options)
    }
}

/// Where the table comes from.
#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    /// A CSV, TSV or Parquet file (also .gz), - for standard input, or a built-in data set
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: String,
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", help_heading = "Data")]
    features: Option<usize>,
}

impl DataArgs {
    /// The flag given that only generated data sets use.
    pub(crate) fn size_flag(&self) -> Option<&'static str> {
        self.rows.map(|_| "--rows").or(self.features.map(|_| "--features"))
    }

    /// The size of a generated data set, as flags behind the name of the data.
    pub(crate) fn size_flags(&self) -> String {
        let flag = |name: &str, value: Option<usize>| value.map(|v| format!(" {name} {v}"));
        let flags = [flag("--rows", self.rows), flag("--features", self.features)];
        flags.into_iter().flatten().collect()
    }

    /// The number of features asked for.
    pub(crate) fn features(&self) -> Option<usize> {
        self.features
    }

    pub(crate) fn read_options(&self, common: &Common) -> ReadOptions {
        let standard = builtin::TableSize::default();
        let size = builtin::TableSize {
            rows: self.rows.unwrap_or(standard.rows),
            features: self.features.unwrap_or(standard.features),
            seed: common.seed,
        };
        ReadOptions { size, ..ReadOptions::default() }
    }
}

/// What the columns are.
#[derive(Debug, Args)]
pub(crate) struct ColumnArgs {
    #[command(flatten)]
    asked: Asked<Columns>,
}

impl ColumnArgs {
    pub(crate) fn coding_options(&self) -> CodingOptions {
        let mut options = Options::default();
        let set = self.asked.add_to(&mut options).and_then(|()| Request::new(&options));
        set.map(|request| request.columns).expect("names, or words that were read")
    }
}

fn parse_picture(text: &str) -> Result<Picture, String> {
    Picture::new(text).ok_or_else(|| "the name must end in .svg or .png".into())
}

/// Any number; the library checks its range.
fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".into())
}

/// Any whole number that fits.
fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number".into())
}
