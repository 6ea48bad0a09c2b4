//! Every figure and table of the paper, measured again with one command each.
//!
//! An [`Experiment`] is a list of [`Cell`]s. Each computes one small record, written to a [`Journal`] as
//! soon as it is there, so that a run that was killed goes on where it was. The [`Report`] (tables,
//! pictures, and what is to be said about each claim) is made from the records alone, in a fixed order:
//! interrupted or not, it is the same but for the columns of seconds.

mod arrangements;
mod comparison;
mod curve;
mod experiment;
mod gap;
mod hull;
mod journal;
mod line;
mod page;
mod report;
mod representation;
mod run;
mod samples;
mod scale;
mod scaling;
mod sets;
mod table;
mod ten_layer;
mod three_layer;
mod two_layer;

pub use experiment::{Cell, Context, Experiment, Records};
pub use journal::Journal;
pub use page::{Section, document, page};
pub use report::{Claim, Report, Table, Verdict};
pub use run::{Progress, compute, write};
pub use scale::Scale;
pub use sets::{SETS, Set, missing};

/// All of them, in the order in which they are run.
pub fn all() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(line::Line),
        Box::new(two_layer::TWO_LAYER),
        Box::new(representation::REPRESENTATION),
        Box::new(three_layer::THREE_LAYER),
        Box::new(ten_layer::TEN_LAYER),
        Box::new(hull::Hull),
        Box::new(arrangements::Arrangements),
        Box::new(gap::Gap),
        Box::new(table::Accuracy),
        Box::new(scaling::Scaling),
    ]
}
