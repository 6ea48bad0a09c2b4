//! What `hardlim explain` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::export::markdown::Shown;

use super::DataArgs;

/// Show a model as rules, those that change its output most first
#[derive(Debug, Args)]
#[command(after_help = "\
A threshold neuron is a rule: it holds or it does not. Where it holds, its weight is added to the \
output. Rules are printed as Markdown, in the units and labels of the table, the most important \
first:

  age >= 29.5                            one number
  sex = male and class in {1st, 2nd}     labels
  0.31 age + 2 fare >= 14.5              a sum
  h3 and not h5, at least 2 of h1, h2    neurons of the layer below, in deeper networks

The first table has the ten rules that change the output most, grouped by the columns that they \
read; --all shows every rule with all its terms. Neurons that ask the same are one rule, and their \
weights are added.

With DATA (the training data or any other), the report counts the rows where each rule holds. What \
a rule changes is then how far its part of the output is from its mean, on average over these \
rows. Neurons that give the same or the opposite answer on all rows are one rule; on other rows \
they may differ. Without DATA the change is at most the size of the weight, and rules are one only \
if they are the same for every input. Numbers have five digits; --json has all digits, and every \
neuron on its own.

Examples:
  hardlim train titanic --beta 10 --max-inputs 1 -o titanic.hardlim
  hardlim explain titanic.hardlim titanic
  hardlim explain titanic.hardlim titanic --all
  hardlim explain titanic.hardlim -o rules.md")]
pub(crate) struct Explain {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    /// A table to count on: a CSV, TSV or Parquet file (also .gz), - for standard input, or a
    /// built-in data set
    #[arg(value_hint = ValueHint::FilePath)]
    data: Option<String>,
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", requires = "data", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", requires = "data", help_heading = "Data")]
    features: Option<usize>,
    /// Show every rule with all its terms, and not only the ten that change the output most
    #[arg(long)]
    all: bool,
    /// Show at most K terms of a sum, those that change it most, or K conditions; 0 shows all
    /// [default: 4; all with --all]
    #[arg(long, value_name = "K")]
    terms: Option<usize>,
    /// Write the rules to this Markdown file instead of standard output
    #[arg(short, long, value_name = "rules.md", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

impl Explain {
    /// The table to count on.
    pub(crate) fn table(&self) -> Option<DataArgs> {
        let data = self.data.clone()?;
        Some(DataArgs { data, rows: self.rows, features: self.features })
    }

    /// How much is shown.
    pub(crate) fn shown(&self) -> Shown {
        let shown = if self.all { Shown::ALL } else { Shown::default() };
        match self.terms {
            None => shown,
            Some(0) => Shown { terms: usize::MAX, ..shown },
            Some(terms) => Shown { terms, ..shown },
        }
    }
}
