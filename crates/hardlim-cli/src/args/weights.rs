//! What `hardlim weights` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::network::{Rechoice, Weights as Choice};

use super::DataArgs;

/// Choose other weights, with the same answers and certificate
#[derive(Debug, Args)]
#[command(after_help = "\
The weights of a neuron may move within a cell: as long as every training row stays on its side of \
the hyperplane, the outputs on these rows, the objective and the certificate do not change. The \
choices are:

  svm      the widest margin: the rows are as far from the hyperplane as possible
  center   the middle of the cell: the weights are as far from any change of an answer as possible
  sparse   few inputs: the least sum of |weights|, then inputs are dropped while the answers stay
  integer  small integers, in every layer; inputs that are not whole numbers are in fixed point. \
Checked on every training row in integer arithmetic
  pi       the pseudo-inverse, if the rows are linearly independent

Weights are chosen in every layer, and the new model is checked as in certify before it is written.

Exit codes: 0 done; 1 the certificate does not hold (it did not hold before either); 2 could not \
run, for example if the data are not the training data.

Examples:
  hardlim weights m.hardlim titanic --choice integer -o small.hardlim
  hardlim weights m.hardlim spam.csv --choice sparse --json")]
pub(crate) struct Weights {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Which weights: svm, center, sparse, integer or pi
    #[arg(long, value_name = "CHOICE", value_parser = parse_choice)]
    choice: Choice,
    /// The width of the inputs in fixed point, 2 to 31 bits including the sign [default: the
    /// smallest of 8, 12, 16, 20, 24 and 31 that works]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(2..=31))]
    pub(crate) input_bits: Option<u32>,
    /// Measure margins on the inputs as they are, without standardising them
    #[arg(long)]
    no_standardize: bool,
    /// Write the new model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

impl Weights {
    pub(crate) fn choice(&self) -> Choice {
        self.choice
    }

    pub(crate) fn rechoice<'a>(&self, done: &'a (dyn Fn() + Sync)) -> Rechoice<'a> {
        Rechoice {
            standardize: !self.no_standardize,
            input_bits: self.input_bits,
            done,
            ..Rechoice::new(self.choice)
        }
    }
}

fn parse_choice(text: &str) -> Result<Choice, String> {
    match text.parse() {
        Ok(choice) if choice != Choice::Sampled => Ok(choice),
        _ => Err("expected svm, center, sparse, integer or pi".into()),
    }
}
