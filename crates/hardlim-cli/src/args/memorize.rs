//! What `hardlim memorize` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::memorize::Way;

use super::{ColumnArgs, DataArgs};

/// Give every row its label with few neurons, and say how few could ever do
#[derive(Debug, Args)]
#[command(after_help = "\
Any labels of distinct rows can be memorised. What it takes, for n rows in d dimensions of which r have the \
rarer label, with a neuron on top that combines the others:

  staircase  one direction, a threshold at each change of the label: about n/2 + 1 for random labels
  slabs      two parallel neurons around each group of d rows: 2 ceil(r/d) + 1 or fewer
  list       halfspaces of one label, peeled off one after the other: a decision list
  decode     k neurons that give the rows codes, then slabs through groups of k codes: about 2 sqrt(2r)

Every network is checked on all rows before it is reported. The lower bounds are proven: what the hardest \
labelling of these rows needs, and what this one does. They speak of networks in layers, each reading the one \
below, that end in one threshold neuron, unless they say \"however connected\": exclusive or takes three \
neurons in layers, and two where the last one also reads the inputs. The model answers 1 and -1 exactly, and is the \
optimum over all networks for a weight decay so weak that its certificate shows it: predict, evaluate, \
certify, explain and plot take it as any other.

Exit codes: 0 done; 2 could not run, as where equal rows have different labels; 130 after Ctrl-C (with the \
best way so far, where one was done).

Examples:
  hardlim memorize tic-tac-toe
  hardlim memorize points.csv --way slabs -o points.hardlim")]
pub(crate) struct Memorize {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// staircase, slabs, list or decode; auto: one after the other, until one is proven to have the fewest
    /// neurons of all networks in layers, and the best of them
    #[arg(long, value_name = "WAY", default_value = "auto", value_parser = parse_way,
          help_heading = "Search")]
    pub(crate) way: Ways,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

/// One way, or all of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ways {
    All,
    One(Way),
}

impl Ways {
    pub(crate) fn list(self) -> Vec<Way> {
        match self {
            Self::All => Way::ALL.to_vec(),
            Self::One(way) => vec![way],
        }
    }
}

fn parse_way(text: &str) -> Result<Ways, String> {
    match text {
        "auto" => Ok(Ways::All),
        _ => text
            .parse()
            .map(Ways::One)
            .map_err(|_| "expected auto, staircase, slabs, list or decode".into()),
    }
}
