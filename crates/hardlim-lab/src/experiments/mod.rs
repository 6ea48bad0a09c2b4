//! Every figure and table of the paper, reproduced with one command each.
//!
//! An [`Experiment`] is a list of [`Trial`]s. Each computes one small record, which is written to a
//! [`Journal`] at once, so that a killed run can continue. The [`Report`] (tables, pictures, and a
//! verdict on each claim) is made from the records alone, in a fixed order. An interrupted run
//! gives the same report, except for columns of seconds.

mod arrangements;
mod chance;
mod comparison;
mod curve;
mod experiment;
mod gap;
mod hull;
mod journal;
mod line;
mod page;
mod report;
mod run;
mod samples;
mod scale;
mod sets;
mod statistics;
mod table;

pub use experiment::{Context, Experiment, Records, Trial};
pub use journal::Journal;
pub use page::{Section, document};
pub use report::{Claim, Report, Table, Verdict};
pub use run::{Progress, compute, write};
pub use scale::Scale;
pub use sets::{SETS, Set, missing};

/// All experiments, in the order in which they run.
pub fn all() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(line::Line),
        Box::new(comparison::TWO_LAYER),
        Box::new(comparison::REPRESENTATION),
        Box::new(comparison::THREE_LAYER),
        Box::new(comparison::TEN_LAYER),
        Box::new(hull::Hull),
        Box::new(arrangements::Arrangements),
        Box::new(gap::Gap),
        Box::new(table::Accuracy),
    ]
}
