//! What `hardlim describe` asks for.

use clap::Args;
use hardlim::table::CodingOptions;

use super::{ColumnArgs, DataArgs};

/// Show what a table would be read as, before any training
#[derive(Debug, Args)]
#[command(after_help = "\
One line for each column: what it is for, what it is read as, its different and missing values, and its \
range or its most frequent labels. Below stands every decision that train would make, and how to change it:

  left out    columns that look like identifiers, are constant, or are copies: --keep COL brings them back
  numbers     decimal commas, thousands separators, per cent and currency signs are recognised from the whole \
column
  dates       become days since 1970-01-01, and the day of the week and the hour if they vary; train leaves \
out those that do not help
  labels      have an input each, up to the 30 most frequent; --categorical COL makes numbers labels
  missing     values get the mean and an input that tells where; --missing error refuses them

Exit codes: 0 done, even if train would refuse the table (the last line says why); 2 could not run.

Examples:
  hardlim describe customers.csv
  hardlim describe customers.csv --target churned --keep postcode
  hardlim describe titanic --json")]
pub(crate) struct Describe {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    columns: ColumnArgs,
}

impl Describe {
    pub(crate) fn coding_options(&self) -> CodingOptions {
        self.columns.coding_options()
    }
}
