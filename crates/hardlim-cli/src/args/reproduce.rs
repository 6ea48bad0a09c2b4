//! What `hardlim reproduce` asks for.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use hardlim_lab::experiments::Scale;

/// Reproduce a figure or table of the paper, or all of them
#[derive(Debug, Args)]
#[command(after_help = "\
Each experiment writes ID.csv, ID.svg, ID.png and ID.md into the folder, and every finished step \
into ID.jsonl: a run that was stopped continues where it was. `all` adds reproduction.md, every \
claim with its verdict.

The data sets of `table` are read from the folder --data or HARDLIM_DATA. Missing ones are skipped \
and named; titanic and tic-tac-toe are built in.

Exit codes: 0 done; 2 could not run; 130 after Ctrl-C (the same command continues).

Examples:
  hardlim reproduce line
  hardlim reproduce all --quick --data ~/data -o reproduction
  hardlim reproduce all --quick --full table-convex,two-layer --data ~/data")]
pub(crate) struct Reproduce {
    /// Which experiment: line, two-layer, representation, three-layer, ten-layer, hull,
    /// arrangements, gap, table, or all
    #[arg(value_parser = PossibleValuesParser::new(ids()), hide_possible_values = true)]
    pub(crate) id: String,
    /// Fewer epochs, starts, splits and sizes: everything in about a quarter of an hour on two
    /// cores
    #[arg(long)]
    pub(crate) quick: bool,
    /// Run these experiments in full nevertheless; `table-convex` is Convex-Lasso and ours in the
    /// table, without the heuristics
    #[arg(long, value_name = "ID,..", value_delimiter = ',', requires = "quick",
          value_parser = PossibleValuesParser::new(full_ids()), hide_possible_values = true)]
    full: Vec<String>,
    /// Seconds, for tests
    #[arg(long, hide = true, conflicts_with = "quick")]
    pub(crate) tiny: bool,
    /// The folder with the data sets of the table [default: HARDLIM_DATA]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath,
          default_value = "reproduction")]
    pub(crate) output: PathBuf,
}

impl Reproduce {
    pub(crate) fn scale(&self) -> Scale {
        match (self.tiny, self.quick) {
            (true, _) => Scale::Tiny,
            (_, true) => Scale::Quick,
            _ => Scale::Full,
        }
    }

    /// How much of an experiment is run.
    pub(crate) fn scale_of(&self, id: &str) -> Scale {
        if self.full.iter().any(|full| full == id) { Scale::Full } else { self.scale() }
    }

    /// How much is run of the convex columns of the table.
    pub(crate) fn scale_of_convex(&self) -> Scale {
        let scale = self.scale_of(CONVEX);
        if scale == Scale::Full { scale } else { self.scale_of("table") }
    }

    /// The experiments that are run in full although the others are not.
    pub(crate) fn full(&self) -> &[String] {
        &self.full
    }

    /// The folder with the data sets, where one was named.
    pub(crate) fn data(&self) -> Option<PathBuf> {
        let named = || std::env::var_os("HARDLIM_DATA").filter(|v| !v.is_empty());
        self.data.clone().or_else(|| named().map(PathBuf::from))
    }
}

/// The convex columns of the table, which can be run in full without the heuristics beside them.
const CONVEX: &str = "table-convex";

fn full_ids() -> Vec<&'static str> {
    ids().into_iter().chain([CONVEX]).collect()
}

fn ids() -> Vec<&'static str> {
    hardlim_lab::experiments::ALL.iter().map(|e| e.id).chain(["all"]).collect()
}
