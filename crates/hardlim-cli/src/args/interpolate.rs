//! What `hardlim interpolate` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::train::{Method, Request};

use super::{ColumnArgs, Common, DataArgs, number, whole};

/// Find the network of least norm that fits every target, if any
#[derive(Debug, Args)]
#[command(after_help = "\
The norm is the sum of |output weights|. The result is the limit of training as the weight decay \
goes to zero. It comes with a lower bound on the norm of every such network. If there is no such \
network, the report lists the rows that prove it. If rounding prevents an exact proof, the report \
proves that the norm would have to be huge; --json then has \"feasible\": null and \
\"norm_at_least\". Classes are the targets -1 and 1.

Exit codes: 0 done, with a network or with a proof that there is none; 1 the --gap asked for was \
not reached, or there is no network to write to -o; 2 could not run; 130 after Ctrl-C.

Examples:
  hardlim interpolate line
  hardlim interpolate points.csv --method sample --patterns 5000 -o points.hardlim")]
pub(crate) struct Interpolate {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    columns: ColumnArgs,
    /// enumerate: use all patterns. complete: a closed form, if every dichotomy of the rows is
    /// possible. sample: use the patterns of random weights. auto: complete if it applies,
    /// enumerate for at most 200000 patterns, otherwise sample
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = "Search")]
    method: Method,
    /// The number of random patterns; implies --method sample [default: 1000]
    #[arg(long, value_name = "P", value_parser = whole::<u64>, help_heading = "Search")]
    patterns: Option<u64>,
    /// Neurons without a bias: 1{x.w >= 0}
    #[arg(long, help_heading = "Search")]
    no_bias: bool,
    /// Stop at this relative gap; if it is given and not reached, the exit code is 1 [default:
    /// 1e-9]
    #[arg(long, value_name = "TOL", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    pub(crate) gap: Option<f64>,
    /// Stop after this many seconds and keep the best found so far
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    time_limit: Option<f64>,
    /// Write the network to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

impl Interpolate {
    /// What is asked for.
    pub(crate) fn request(&self, common: &Common) -> Request {
        Request {
            columns: self.columns.coding_options(),
            method: self.method,
            patterns: self.patterns,
            bias: !self.no_bias,
            gap: self.gap,
            time_limit: self.time_limit,
            seed: common.seed,
            ..Request::default()
        }
    }
}
