//! From a table to what is trained on, and what is held out of it.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use hardlim::data::{Coding, Dataset, Features, Split, Table, TargetCoding};
use hardlim::solver::Budget;
use hardlim::train::Measure;

use super::open_table;
use crate::args::{ColumnArgs, Common, DataArgs};
use crate::interrupt;

/// The data of a run.
pub(super) struct Prepared {
    /// The rows to train on.
    pub(super) table: Table,
    /// What their columns mean.
    pub(super) coding: Coding,
    /// The training set.
    pub(super) data: Dataset,
    /// Its targets, sample by sample.
    pub(super) y: Vec<f64>,
    /// How the rows were chosen.
    pub(super) split: Option<Split>,
    /// The other rows.
    pub(super) held_out: Option<HeldOut>,
}

/// Rows to score.
pub(super) struct HeldOut {
    pub(super) features: Features,
    pub(super) y: Vec<f64>,
}

impl Prepared {
    pub(super) fn new(
        data: &DataArgs,
        columns: &ColumnArgs,
        holdout: Option<f64>,
        common: &Common,
    ) -> anyhow::Result<Self> {
        let table = open_table(data, common)?;
        let options = columns.coding_options();
        let split = holdout.map(|fraction| Split { fraction, seed: common.seed });
        let (table, aside) = match &split {
            None => (table, None),
            Some(split) => {
                let (kept, aside) = split.parts(&table, options.target_position(&table)?);
                let (fraction, rows) = (split.fraction, table.rows());
                if kept.is_empty() || aside.is_empty() {
                    bail!(
                        "--holdout {fraction}: one of the two parts of {rows} rows would be empty"
                    );
                }
                (table.select(&kept), Some(table.select(&aside)))
            }
        };
        let coding = Coding::fit(&table, &options)?;
        let held_out = aside
            .map(|aside| -> Result<_, hardlim::Error> {
                Ok(HeldOut { features: coding.features(&aside)?, y: coding.targets(&aside)? })
            })
            .transpose()
            .context("the rows held out")?;
        let data = coding.dataset(&table)?;
        let y = coding.targets(&table)?;
        Ok(Self { table, coding, data, y, split, held_out })
    }

    /// Whether the target is a class.
    pub(super) fn classes(&self) -> bool {
        self.coding.target().classes().is_some()
    }

    /// How answers are scored.
    pub(super) fn measure(&self) -> Measure {
        match self.coding.target() {
            TargetCoding::Several { classes, .. } => Measure::Largest(classes.len()),
            TargetCoding::Classes { .. } | TargetCoding::Against { .. } => Measure::Accuracy,
            TargetCoding::Number { .. } => Measure::R2,
        }
    }
}

/// Until the time limit, or Ctrl-C.
pub(super) fn budget(start: Instant, time_limit: Option<f64>) -> Budget<'static> {
    Budget {
        deadline: time_limit.map(|seconds| {
            let limit = Duration::from_secs_f64(seconds);
            (start + limit, limit)
        }),
        interrupt: Some(interrupt::watch()),
        progress: None,
    }
}
