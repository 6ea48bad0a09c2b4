//! What `hardlim arrangements` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::table::{CodingOptions, Missing};

use super::{DataArgs, parse_picture};
use crate::plot::Picture;

/// List every pattern that a neuron can produce on a table
#[derive(Debug, Args)]
#[command(after_help = "\
A pattern is the list of answers of one neuron, 1{x.w + b >= 0}, on the rows. The arrangement \
holds the patterns of all weights, decided exactly on the numbers as read. The size is printed \
first: the rank, an upper bound on the number of patterns, and whether every dichotomy of the rows \
is a pattern. If there may be more patterns than --limit, the command stops with an estimate of \
memory and time.

With --widths, the patterns are those of subnetworks that end in one neuron: m1 neurons in the \
first layer, m2 in the second, and so on.

Files: .csv has one line for each pattern, .npy has one column (a 0/1 matrix that `hardlim lasso \
--design` reads). Both have one answer for each row of the table, in the same order. The file \
appears under its name only when it is complete.

Exit codes: 0 done; 2 could not run, or too large; 130 after Ctrl-C (no list is written).

Examples:
  hardlim arrangements line
  hardlim arrangements line --widths 2
  hardlim arrangements titanic --count-only
  hardlim arrangements points.csv --no-target -o patterns.npy")]
pub(crate) struct Arrangements {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The target column, by name or number; it is left out [default: the last column not ignored]
    #[arg(long, value_name = "COL", help_heading = "Data")]
    target: Option<String>,
    /// There is no target: every column is a feature
    #[arg(long, conflicts_with = "target", help_heading = "Data")]
    pub(crate) no_target: bool,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    ignore: Vec<String>,
    /// Columns of labels, even if the labels are numbers; separated by commas
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    categorical: Vec<String>,
    /// Missing values: error refuses them, mean fills in the column's mean and adds an input that
    /// tells where (for labels, missing is a label of its own)
    #[arg(long, value_name = "HOW", default_value = "error", help_heading = "Data")]
    missing: Missing,
    /// Neurons without a bias: 1{x.w >= 0}
    #[arg(long, help_heading = "Neurons")]
    pub(crate) no_bias: bool,
    /// Widths of the layers below the last neuron, the first layer first, separated by commas
    #[arg(long, value_name = "M1,M2", value_delimiter = ',', value_parser = parse_width,
          help_heading = "Neurons")]
    pub(crate) widths: Vec<usize>,
    /// Subnetworks are trees: neurons share no neuron of the layer below
    #[arg(long, requires = "widths", help_heading = "Neurons")]
    pub(crate) tree: bool,
    /// Only count the patterns
    #[arg(long, conflicts_with_all = ["output", "hull"], help_heading = "Result")]
    pub(crate) count_only: bool,
    /// Stop if there may be more patterns than this, or more sets of neurons in a layer
    /// [default: 100000000, or 1000000 with --widths]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Result")]
    limit: Option<u64>,
    /// Write the patterns to this file, .csv or .npy
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the convex hull of the patterns and their negatives, for two or three distinct rows,
    /// next to the hull for --widths (or width 2); the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    pub(crate) hull: Option<Picture>,
}

impl Arrangements {
    pub(crate) fn coding_options(&self) -> CodingOptions {
        CodingOptions {
            target: self.target.clone(),
            missing: self.missing,
            ignore: self.ignore.clone(),
            categorical: self.categorical.clone(),
            ..CodingOptions::default()
        }
    }

    pub(crate) fn limit(&self) -> u128 {
        let default = if self.widths.is_empty() { 100_000_000 } else { 1_000_000 };
        self.limit.unwrap_or(default).into()
    }
}

/// A number of neurons.
pub(super) fn parse_width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width @ 1..=1_000_000) => Ok(width),
        _ => Err("expected a whole number of at least 1".into()),
    }
}
