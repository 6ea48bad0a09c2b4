//! What `hardlim memorize` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::memorize::Way;

use super::{ColumnArgs, DataArgs};

/// Fit every label with few neurons, and prove how many it takes
#[derive(Debug, Args)]
#[command(after_help = "\
Any labels of distinct rows can be memorised. There are four ways. The numbers of neurons are for n rows in \
d dimensions, r of them with the rarer label, and include a last neuron that combines the others:

  staircase  one direction, a threshold at each change of the label: about n/2 + 1 for random labels
  slabs      two parallel neurons around each group of d rows: 2 ceil(r/d) + 1 or fewer
  list       halfspaces that each contain one label only, one after the other: a decision list
  decode     k neurons give every row a code, then slabs around groups of k codes: about 2 sqrt(2r)

Every network is checked on all rows before it is reported. The lower bounds are proven, for the hardest \
labels of these rows and for the given ones. They are about networks in layers, each reading the layer \
below, that end in one threshold neuron, unless they say \"however connected\": exclusive or takes three \
neurons in layers, but two if the last one also reads the inputs. The model outputs exactly 1 or -1. It is \
the certified optimum over all networks for a very small weight decay; predict, evaluate, certify, explain \
and plot read it like any other model.

Exit codes: 0 done; 2 could not run, for example if equal rows have different labels; 130 after Ctrl-C \
(the best network so far is reported, if there is one).

Examples:
  hardlim memorize tic-tac-toe
  hardlim memorize points.csv --way slabs -o points.hardlim")]
pub(crate) struct Memorize {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// staircase, slabs, list or decode; auto: try them in turn and keep the best, until one is proven to
    /// have the fewest neurons of all networks in layers
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
