//! What `hardlim halfspace` asks for.

use clap::Args;
use hardlim::train::Request;

use super::{ColumnArgs, Common, DataArgs, number, whole};

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
    pub(crate) columns: ColumnArgs,
    /// Only halfspaces whose boundary contains the origin: x.w >= 0
    #[arg(long, help_heading = "Problem")]
    no_bias: bool,
    /// Only halfspaces that read at most K inputs, 1, 2 or 3
    #[arg(long, value_name = "K", value_parser = whole::<usize>, help_heading = "Problem")]
    pub(crate) max_inputs: Option<usize>,
    /// Stop when the loss is proven to be within this fraction of the least; if it is given and not
    /// reached, the exit code is 1 [default: 0]
    #[arg(long, value_name = "TOL", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    pub(crate) gap: Option<f64>,
    /// Stop after this many seconds and keep the best halfspace and the best bound so far
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    time_limit: Option<f64>,
}

impl Halfspace {
    /// What is asked for, as far as training has it, too.
    pub(crate) fn request(&self, common: &Common) -> Request {
        Request {
            columns: self.columns.coding_options(),
            bias: !self.no_bias,
            max_inputs: self.max_inputs,
            gap: self.gap,
            time_limit: self.time_limit,
            seed: common.seed,
            ..Request::default()
        }
    }
}
