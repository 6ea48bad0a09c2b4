//! What can be typed. The flags of a command stand above its code, in `commands`.

mod blocks;
mod help;
mod options;

pub(crate) use blocks::{BlockArgs, matching};
pub(crate) use help::command;
pub(crate) use options::{Asked, Door, Said};

use std::process::ExitCode;
use std::str::FromStr;

use anyhow::bail;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use hardlim::table::{ReadOptions, Table, builtin};
use hardlim::train::{Entry, Kind, find};

use crate::plot::Picture;
use crate::{commands, progress};

/// Neural networks of threshold neurons, trained to certified global optimality.
///
/// Training a two-layer threshold network with weight decay is a Lasso over the patterns its
/// neurons can answer. hardlim solves it and proves how good the result is: every model carries its
/// objective, a lower bound that no other network can beat, and the gap between the two.
#[derive(Debug, Parser)]
#[command(name = "hardlim", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// The random seed: for sampled patterns, splits and generated data
    #[arg(long, global = true, value_name = "N", default_value_t = 0, help_heading = "Everywhere")]
    pub(crate) seed: u64,
    /// The number of threads [default: all cores]
    ///
    /// Results do not depend on it, unless a time limit ends the run.
    #[arg(long, global = true, value_name = "N", help_heading = "Everywhere",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Describe(commands::describe::Describe),
    Train(Box<commands::train::Train>),
    Predict(commands::predict::Predict),
    Evaluate(commands::evaluate::Evaluate),
    Certify(commands::certify::Certify),
    Prove(commands::prove::Prove),
    Path(commands::path::Path),
    Lasso(commands::lasso::Lasso),
    Arrangements(commands::arrangements::Arrangements),
    Interpolate(commands::interpolate::Interpolate),
    Halfspace(commands::halfspace::Halfspace),
    Explain(commands::explain::Explain),
    Edit(commands::edit::Edit),
    Importance(commands::importance::Importance),
    Export(commands::export::Export),
    Plot(commands::plot::Plot),
    Report(commands::report::Report),
    Baseline(commands::baseline::Baseline),
    Reproduce(commands::reproduce::Reproduce),
    /// List the built-in data sets
    Datasets,
    /// Print a completion script for a shell
    ///
    /// For example: hardlim completions bash > /etc/bash_completion.d/hardlim
    Completions {
        /// Which shell
        shell: Shell,
    },
}

impl Command {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<ExitCode> {
        match self {
            Self::Describe(args) => commands::describe::run(args, common),
            Self::Train(args) => commands::train::run(args, common),
            Self::Predict(args) => commands::predict::run(args, common),
            Self::Evaluate(args) => commands::evaluate::run(args, common),
            Self::Certify(args) => commands::certify::run(args, common),
            Self::Prove(args) => commands::prove::run(args, common),
            Self::Path(args) => commands::path::run(args, common),
            Self::Lasso(args) => commands::lasso::run(args, common),
            Self::Arrangements(args) => commands::arrangements::run(args, common),
            Self::Interpolate(args) => commands::interpolate::run(args, common),
            Self::Halfspace(args) => commands::halfspace::run(args, common),
            Self::Explain(args) => commands::explain::run(args, common),
            Self::Edit(args) => commands::edit::run(args, common),
            Self::Importance(args) => commands::importance::run(args, common),
            Self::Export(args) => commands::export::run(args, common),
            Self::Plot(args) => commands::plot::run(args, common),
            Self::Report(args) => commands::report::run(args, common),
            Self::Baseline(args) => commands::baseline::run(args, common),
            Self::Reproduce(args) => commands::reproduce::run(args, common),
            Self::Datasets => commands::datasets::run(common),
            Self::Completions { shell } => commands::completions::run(*shell),
        }
    }

    /// The flag of `hardlim train` that stands for an option.
    pub(crate) fn usual_flag(option: &str, value: Option<&str>) -> String {
        let entry = find(option);
        let flag = entry.and_then(Entry::flag_name);
        let name = flag.unwrap_or_else(|| option.replace('_', "-"));
        match value {
            None | Some("true") => format!("--{name}"),
            _ if matches!(entry.map(|entry| entry.kind), Some(Kind::Flag)) => format!("--{name}"),
            Some(value) => format!("--{name} {value}"),
        }
    }

    /// The flag of this command that stands for an option of [`hardlim::train::Request`].
    pub(crate) fn flag(&self, option: &str, value: Option<&str>) -> String {
        let own = match (self, option) {
            (Self::Path(_), "n_ratios") => "points",
            (Self::Path(_), "least_ratio") => "least",
            (Self::Lasso(_), "gap") => "tol",
            _ => option,
        };
        Self::usual_flag(own, value)
    }
}

/// Where the table comes from.
#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    /// A CSV, TSV or Parquet file (also .gz), - for standard input, or a built-in data set
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: String,
    #[command(flatten)]
    pub(crate) size: Size,
}

/// How large a generated table is.
#[derive(Debug, Clone, Args)]
pub(crate) struct Size {
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", requires = "data", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", requires = "data", help_heading = "Data")]
    features: Option<usize>,
}

impl DataArgs {
    pub(crate) fn open(&self, common: &Common) -> anyhow::Result<Table> {
        let options = self.read_options(common)?;
        let _reading = progress::doing(format!("reading {}", self.data));
        Ok(Table::open(&self.data, &options)?)
    }

    /// How the data are read. A size for data whose size is fixed is an error.
    pub(crate) fn read_options(&self, common: &Common) -> anyhow::Result<ReadOptions> {
        let Size { rows, features } = self.size;
        let generated = builtin::list().iter().any(|(name, sized, _)| *sized && *name == self.data);
        let flag = rows.map(|_| "--rows").or(features.map(|_| "--features"));
        if let Some(flag) = flag.filter(|_| !generated) {
            bail!("{flag}: {} is not a generated data set; its size is fixed", self.data);
        }
        if self.data == "checkerboard" && features.is_some_and(|features| features != 2) {
            bail!("--features: checkerboard always has two features");
        }
        let standard = builtin::TableSize::default();
        let size = builtin::TableSize {
            rows: rows.unwrap_or(standard.rows),
            features: features.unwrap_or(standard.features),
            seed: common.seed,
        };
        Ok(ReadOptions { size, ..ReadOptions::default() })
    }

    /// The size of a generated data set, as flags behind the name of the data.
    pub(crate) fn size_flags(&self) -> String {
        let flag = |name: &str, value: Option<usize>| value.map(|v| format!(" {name} {v}"));
        let flags = [flag("--rows", self.size.rows), flag("--features", self.size.features)];
        flags.into_iter().flatten().collect()
    }
}

pub(crate) fn parse_picture(text: &str) -> Result<Picture, String> {
    Picture::new(text).ok_or_else(|| "the name must end in .svg or .png".into())
}

/// Any number; the library checks its range.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".into())
}

/// Any whole number that fits.
pub(crate) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number".into())
}

#[cfg(test)]
mod tests {
    use crate::args::Arguments;
    use clap::Parser as _;

    #[test]
    fn options_are_spelled_as_the_flags_of_their_command() {
        let command = |words: &[&str]| Arguments::parse_from(words).command;
        let train = command(&["hardlim", "train", "titanic"]);
        assert_eq!(train.flag("max_inputs", None), "--max-inputs");
        assert_eq!(train.flag("method", Some("sample")), "--method sample");
        assert_eq!(train.flag("bias", Some("false")), "--no-bias");
        assert_eq!(train.flag("tree", Some("true")), "--tree");
        assert_eq!(train.flag("all", Some("true")), "--all");
        assert_eq!(train.flag("n_ratios", None), "--cv-points");
        let path = command(&["hardlim", "path", "titanic"]);
        assert_eq!(path.flag("n_ratios", None), "--points");
        assert_eq!(path.flag("least_ratio", None), "--least");
    }
}
