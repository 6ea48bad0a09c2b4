//! What `hardlim halfspace` asks for.

use clap::Args;
use hardlim::train::{Entry, Heading, Request};

use super::{Asked, Common, DataArgs, Door, shared};

/// Find the halfspace that agrees best with a column, proven
#[derive(Debug, Args)]
#[command(after_help = "\
Rows with a positive target should be in the halfspace, rows with a negative one outside; a row \
on the wrong side costs the size of its target, times its weight. Two classes count as 1 and -1. \
The halfspace found is proven optimal, or comes with a lower bound that no halfspace can beat:

  two classes           the linear classifier with the fewest errors (0-1 loss)
  weights of both signs maximum halfspace discrepancy: the halfspace with the largest sum
  one class at a point  halfspace (Tukey) depth: see the guide

The proof takes time that grows with the number of inputs and with the noise, not much with the \
rows: seconds for 500 rows of five inputs with a tenth of the labels wrong. With --time-limit you \
get the best halfspace so far and the bound proven so far.

Exit codes: 0 done; 1 the --gap asked for was not reached; 2 could not run; 130 after Ctrl-C (the \
best halfspace so far is reported).

Examples:
  hardlim halfspace titanic
  hardlim halfspace points.csv --target charge --time-limit 60
  hardlim halfspace points.csv --max-inputs 2")]
pub(crate) struct Halfspace {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) asked: Asked<HalfspaceFlags>,
}

/// The options that the search for a halfspace shares with training.
#[derive(Debug)]
pub(crate) struct HalfspaceFlags;

impl Door for HalfspaceFlags {
    fn flag(entry: &Entry) -> Option<String> {
        match entry.heading {
            Heading::Data => entry.flag_name(),
            _ => shared(entry, &["bias", "max_inputs", "gap", "time_limit"]),
        }
    }

    fn help(option: &str) -> Option<&'static str> {
        match option {
            "bias" => Some("Only halfspaces whose boundary contains the origin: x.w >= 0"),
            "max_inputs" => Some("Only halfspaces that read at most K inputs, 1, 2 or 3"),
            "gap" => Some(
                "Stop when the loss is proven to be within this fraction of the least; if it is given \
                 and not reached, the exit code is 1 [default: 0]",
            ),
            "time_limit" => Some(
                "Stop after this many seconds and keep the best halfspace and the best bound so far",
            ),
            _ => None,
        }
    }
}

impl Halfspace {
    /// What is asked for, as far as training has it, too.
    pub(crate) fn request(&self, common: &Common) -> Result<Request, hardlim::Error> {
        Request::new(&self.asked.options(common)?)
    }
}
