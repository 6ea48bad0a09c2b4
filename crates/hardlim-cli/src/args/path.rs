//! What `hardlim path` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::train::{Entry, Heading, Request};

use super::{Asked, BlockArgs, Common, DataArgs, Door, parse_picture, shared};
use crate::plot::Picture;

/// Train for decreasing weight decays, and compare the networks
#[derive(Debug, Args)]
#[command(after_help = "\
Random patterns are drawn once. Then the Lasso over them is solved for every beta on a grid that falls by \
a constant factor from beta_max, where the network is zero. Each solution starts from the previous one. A \
large beta gives few neurons, a small one gives a close fit; --holdout shows which beta is best on new \
rows.

With --max-inputs 1, 2 or 3 there are no random patterns: each network is the optimum over all networks of \
such neurons, proven to a gap of 1e-3, or to --gap.

Exit codes: 0 done; 1 the --gap asked for was not reached everywhere; 2 could not run; 130 after Ctrl-C \
(the points computed so far are printed and written).

Examples:
  hardlim path titanic --holdout 0.3 --plot titanic.svg
  hardlim path flowers.csv --target species --loss logistic --points 50 --csv path.csv
  hardlim path titanic --max-inputs 2 --points 10 --least 0.05
  hardlim path 'days-*.parquet' --memory 1GiB --points 20

To choose a beta by cross-validation, and train with it: hardlim train flowers.csv --cv 5")]
pub(crate) struct Path {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
    #[command(flatten)]
    pub(crate) asked: Asked<PathFlags>,
    /// Write the table to this CSV file, with all digits
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw coefficients, neurons, objective and accuracy (or R2) against beta, and accuracy (or R2)
    /// against the number of neurons; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    pub(crate) plot: Option<Picture>,
}

/// The options that a path shares with training.
#[derive(Debug)]
pub(crate) struct PathFlags;

impl Door for PathFlags {
    fn flag(entry: &Entry) -> Option<String> {
        match entry.name {
            "n_ratios" => Some("points".into()),
            "least_ratio" => Some("least".into()),
            _ if entry.heading == Heading::Data => entry.flag_name(),
            _ => shared(
                entry,
                &[
                    "loss",
                    "intercept",
                    "non_negative",
                    "bias",
                    "patterns",
                    "standardize",
                    "max_inputs",
                    "gap",
                    "time_limit",
                    "holdout",
                ],
            ),
        }
    }

    fn help(option: &str) -> Option<&'static str> {
        match option {
            "n_ratios" => Some("The number of betas [default: 100]"),
            "least_ratio" => Some("The smallest beta, as a fraction of beta_max [default: 0.001]"),
            "max_inputs" => Some(
                "Limit every neuron to at most K inputs, 1, 2 or 3, and prove the optimum over all \
                 such networks",
            ),
            _ => None,
        }
    }

    fn heading(entry: &Entry) -> &'static str {
        match entry.heading {
            Heading::CrossValidation => "Grid",
            heading => heading.name(),
        }
    }
}

impl Path {
    /// What is asked for.
    pub(crate) fn request(&self, common: &Common) -> Result<Request, hardlim::Error> {
        Request::path_of(&self.asked.options(common)?)
    }
}
