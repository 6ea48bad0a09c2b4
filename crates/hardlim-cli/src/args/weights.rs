//! What `hardlim weights` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::network::{Rechoice, Weights as Choice};

use super::DataArgs;

/// Choose other weights for a model, with the same answers and the same certificate
#[derive(Debug, Args)]
#[command(after_help = "\
A neuron's weights may move within a cell: as long as every training row stays on its side, the network \
answers the same there, and its objective and certificate do not change. Each choice makes something else \
of that freedom:

  svm      the widest margin: rows as far from the hyperplane as they can be
  center   the middle of the cell: weights as far from any change of an answer as they can be
  sparse   few inputs: least sum of |weights|, then without the inputs that can be spared
  integer  small integers, in every layer; inputs that are not whole numbers in fixed point. Checked on \
every training row in integer arithmetic
  pi       the pseudo-inverse, where the rows are linearly independent

Every layer is chosen for, and the new model is checked as certify does before it is written.

Exit codes: 0 done; 1 the certificate does not hold (it did not before, either); 2 could not run, for \
example as the data are not those the model was trained on.

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
    /// The width of the inputs in fixed point, 2 to 31 bits, the sign counted [default: the least of 8, 12,
    /// 16, 20, 24 and 31 that will do]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(2..=31))]
    pub(crate) input_bits: Option<u32>,
    /// Measure margins on the inputs as they are, not standardised
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
            weights: self.choice,
            standardize: !self.no_standardize,
            input_bits: self.input_bits,
            done,
        }
    }
}

fn parse_choice(text: &str) -> Result<Choice, String> {
    match text.parse() {
        Ok(choice) if choice != Choice::Sampled => Ok(choice),
        _ => Err("expected svm, center, sparse, integer or pi".into()),
    }
}
