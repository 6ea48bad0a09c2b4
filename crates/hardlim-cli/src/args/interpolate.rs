//! What `hardlim interpolate` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::train::{Method, Trainer};

use super::{ColumnArgs, Common, DataArgs, parse_gap, parse_patterns, parse_seconds};

/// Find the network of least norm that answers every target, or prove that there is none
#[derive(Debug, Args)]
#[command(after_help = "\
The norm is the sum of the output weights' sizes: what weight decay punishes, as its strength goes to \
zero. The answer comes with a lower bound that no such network is below; where there is no such network, \
with the rows that prove it. A proof that is only almost exact speaks of norms below a huge one; --json \
then has \"feasible\": null and \"norm_at_least\". Classes are the targets -1 and 1.

Exit codes: 0 done, with a network or with a proof that there is none; 1 the --gap asked for was not \
reached, or there is no network to write to -o; 2 could not run; 130 after Ctrl-C.

Examples:
  hardlim interpolate line
  hardlim interpolate points.csv --method sample --patterns 5000 -o points.hardlim")]
pub(crate) struct Interpolate {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// enumerate: over every pattern there is. complete: in closed form, where every dichotomy of the rows
    /// is possible. sample: over the patterns of random weights. auto: complete where it applies,
    /// enumerate where there are at most 200000 patterns, otherwise sample
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = "Search")]
    pub(crate) method: Method,
    /// How many random patterns to draw
    #[arg(long, value_name = "P", default_value_t = 1000, value_parser = parse_patterns,
          help_heading = "Search")]
    patterns: u64,
    /// No bias: neurons answer 1{x.w >= 0}
    #[arg(long, help_heading = "Search")]
    no_bias: bool,
    /// Stop at this relative gap (exit code 1 where it is asked for and not reached) [default: 1e-9]
    #[arg(long, value_name = "TOL", value_parser = parse_gap, allow_negative_numbers = true,
          help_heading = "Search")]
    pub(crate) gap: Option<f64>,
    /// Stop after this many seconds with the best found so far
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds,
          allow_negative_numbers = true, help_heading = "Search")]
    pub(crate) time_limit: Option<f64>,
    /// Write the network to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

impl Interpolate {
    pub(crate) fn trainer(&self, common: &Common) -> Trainer<'static> {
        Trainer {
            method: self.method,
            patterns: self.patterns,
            bias: !self.no_bias,
            tolerance: self.gap.unwrap_or(1e-9),
            seed: common.seed,
            memory: hardlim::memory::available(),
            ..Trainer::default()
        }
    }
}
