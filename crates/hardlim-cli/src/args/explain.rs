//! What `hardlim explain` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::DataArgs;

/// Show a model as rules: the condition, weight and importance of each neuron
#[derive(Debug, Args)]
#[command(after_help = "\
A threshold neuron is a rule: it holds or it does not. Where it holds, its weight is added to the output. \
Rules are printed as Markdown, in the units and labels of the table, the most important first:

  age >= 29.5                            one number
  sex = male and class in {1st, 2nd}     labels
  0.31 age + 2 fare >= 14.5              a sum
  h3 and not h5, at least 2 of h1, h2    neurons of the layer below, in deeper networks

With DATA (the training data or any other), the report counts the rows where each rule holds, and the \
importance of a rule is |weight| times the standard deviation of its answer on these rows. Without DATA, \
the importance is |weight|. Numbers have five digits; --json has all digits.

Examples:
  hardlim train titanic --beta 10 -o titanic.hardlim
  hardlim explain titanic.hardlim titanic
  hardlim explain titanic.hardlim -o rules.md")]
pub(crate) struct Explain {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    /// A table to count on: a CSV, TSV or Parquet file (also .gz), - for standard input, or a built-in data
    /// set
    #[arg(value_hint = ValueHint::FilePath)]
    data: Option<String>,
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", requires = "data", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", requires = "data", help_heading = "Data")]
    features: Option<usize>,
    /// Show at most the K largest terms of a sum, or K conditions; 0 shows all
    #[arg(long, value_name = "K", default_value_t = 10)]
    terms: usize,
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

    /// The most terms of a sum that are shown.
    pub(crate) fn terms(&self) -> usize {
        if self.terms == 0 { usize::MAX } else { self.terms }
    }
}
