//! Every figure and table of the paper, reproduced with one command each.
//!
//! An [`Experiment`] is a list of [`Trial`]s. Each computes one small record, which is written to a
//! journal at once, so that a killed run can continue. The [`Report`] (tables, pictures, and a
//! verdict on each claim) is made from the records alone, in a fixed order. An interrupted run
//! gives the same report, except for columns of seconds.

mod arrangements;
mod chance;
mod comparison;
mod curve;
mod experiment;
mod gap;
mod hull;
mod line;
mod page;
mod report;
mod run;
mod samples;
mod sets;
mod statistics;
mod table;

pub use experiment::{Context, Experiment, Records, Scale, Trial};
pub use page::{Section, document};
pub use report::{Claim, Report, Verdict, csv};
pub use run::{Progress, compute, write};
pub use sets::{SETS, Set, missing};

/// All experiments, in the order in which they run.
pub const ALL: [Experiment; 9] = [
    line::LINE,
    comparison::ALL[0],
    comparison::ALL[1],
    comparison::ALL[2],
    comparison::ALL[3],
    hull::HULL,
    arrangements::ARRANGEMENTS,
    gap::GAP,
    table::TABLE,
];

/// A context for tests.
#[cfg(test)]
fn tiny(seed: u64) -> Context<'static> {
    let (scale, budget) = (Scale::Tiny, hardlim::solver::Budget::default());
    Context { scale, convex: scale, seed, data: None, budget }
}
