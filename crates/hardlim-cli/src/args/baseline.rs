//! What `hardlim baseline` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::train::{Entry, Heading, Options, Request};
use hardlim_lab::baseline::Surrogate;

use super::{Asked, Common, DataArgs, Door, arrangements, parse_picture, shared};
use crate::plot::Picture;

/// The weight decay of the paper's experiments.
const BETA: f64 = 1e-3;

/// Train by gradient descent with surrogate gradients, to compare
#[derive(Debug, Args)]
#[command(after_help = "\
The derivative of a threshold is zero, so gradient descent uses the derivative of another \
function: ste of the identity (the straight-through estimator), relu of a ReLU, lrelu of a leaky \
ReLU, crelu of a ReLU clipped at 1. The network gets the same score as in `train`: the sum of \
losses + BETA * sum of |output weights|. The column 'as trained' is the loss with half the squares \
of all weights as the penalty; it is never smaller.

Exit codes: 0 done; 2 could not run; 130 after Ctrl-C (the best network so far is written).

Examples:
  hardlim baseline tic-tac-toe --estimator crelu --beta 5 --learning-rate 0.01,0.1 --starts 3
  hardlim baseline data.csv --widths 100,20 --batch-norm --batch 256 --polish -o net.hardlim")]
pub(crate) struct Baseline {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    asked: Asked<BaselineFlags>,
    /// The surrogate for the derivative of the threshold: ste, relu, lrelu or crelu
    #[arg(long, value_name = "NAME", default_value = "ste", help_heading = "Search")]
    pub(crate) estimator: Surrogate,
    /// The widths of the hidden layers, the first layer first; all are fully connected
    #[arg(long, value_name = "M1,M2", value_delimiter = ',', default_value = "1000",
          help_heading = "Search", value_parser = arrangements::parse_width)]
    pub(crate) widths: Vec<usize>,
    /// Passes over the rows
    #[arg(long, value_name = "N", default_value_t = 500, help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) epochs: u32,
    /// The initial learning rate, for the mean loss over the rows. Of several, separated by commas,
    /// all are tried and the best is kept
    #[arg(long, value_name = "R1,R2", value_delimiter = ',', default_value = "0.01",
          help_heading = "Search", value_parser = parse_rate, allow_negative_numbers = true)]
    pub(crate) learning_rate: Vec<f64>,
    /// Epochs without progress before the learning rate falls
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Search")]
    pub(crate) patience: u32,
    /// What the learning rate is multiplied by when it falls
    #[arg(long, value_name = "F", default_value_t = 0.1, help_heading = "Search",
          value_parser = parse_factor, allow_negative_numbers = true)]
    pub(crate) factor: f64,
    /// Rows per step [default: all]
    #[arg(long, value_name = "N", help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: Option<u32>,
    /// Use batch normalisation in every hidden layer
    #[arg(long, help_heading = "Search")]
    pub(crate) batch_norm: bool,
    /// The number of random starts; the best is kept
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) starts: u32,
    /// Replace the output weights by the best ones for these neurons, by solving a Lasso
    #[arg(long, help_heading = "Search")]
    pub(crate) polish: bool,
    /// Write every epoch to this CSV file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    pub(crate) trace: Option<PathBuf>,
    /// Draw the objective against the epochs; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    pub(crate) plot: Option<Picture>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

/// The options that descent shares with training.
#[derive(Debug)]
struct BaselineFlags;

impl Door for BaselineFlags {
    fn flag(entry: &Entry) -> Option<String> {
        match entry.heading {
            Heading::Data => entry.flag_name(),
            _ => shared(entry, &["loss", "beta", "bias", "standardize", "time_limit", "holdout"]),
        }
    }

    fn help(option: &str) -> Option<&'static str> {
        match option {
            "beta" => Some(
                "The weight decay: objective = sum of losses + BETA * sum of |output weights| \
                 [default: 0.001]",
            ),
            "standardize" => Some("Do not standardise the inputs"),
            _ => None,
        }
    }
}

impl Baseline {
    /// The problem, and what it is measured on.
    pub(crate) fn request(&self, common: &Common) -> Result<Request, hardlim::Error> {
        let mut options = Options::default();
        options.set("beta", &BETA.to_string())?;
        options.set("seed", &common.seed.to_string())?;
        self.asked.add_to(&mut options)?;
        Request::new(&options)
    }
}

fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if rate > 0.0 && f64::is_finite(rate) => Ok(rate),
        _ => Err("expected a number above zero".into()),
    }
}

fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && factor <= 1.0 => Ok(factor),
        _ => Err("expected a number above 0, at most 1".into()),
    }
}
