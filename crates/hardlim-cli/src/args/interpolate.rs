//! What `hardlim interpolate` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::train::{Entry, Heading, Request};

use super::{Asked, Common, DataArgs, Door, shared};

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
    pub(crate) asked: Asked<InterpolateFlags>,
    /// Write the network to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

/// The options that interpolation shares with training.
#[derive(Debug)]
pub(crate) struct InterpolateFlags;

impl Door for InterpolateFlags {
    fn flag(entry: &Entry) -> Option<String> {
        match entry.heading {
            Heading::Data => entry.flag_name(),
            _ => shared(entry, &["method", "patterns", "bias", "gap", "time_limit"]),
        }
    }

    fn help(option: &str) -> Option<&'static str> {
        match option {
            "method" => Some(
                "enumerate: use all patterns. complete: a closed form, if every dichotomy of the rows \
                 is possible. sample: use the patterns of random weights. auto: complete if it applies, \
                 enumerate for at most 200000 patterns, otherwise sample",
            ),
            "gap" => Some(
                "Stop at this relative gap; if it is given and not reached, the exit code is 1 \
                 [default: 1e-9]",
            ),
            _ => None,
        }
    }
}

impl Interpolate {
    /// What is asked for.
    pub(crate) fn request(&self, common: &Common) -> Result<Request, hardlim::Error> {
        Request::problem_of(&self.asked.options(common)?)
    }
}
