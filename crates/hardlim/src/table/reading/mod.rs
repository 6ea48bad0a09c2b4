//! How the fields of a column are written: numbers as people write them, dates and times.
//!
//! The whole column decides, never one field: `1,234` is 1234 in a column that also has `1,234.5`,
//! and 1.234 in a column that also has `0,5`. What was decided is stored with the coding, so that
//! every later table is read in the same way.

pub(crate) mod bare;
mod date;
pub(crate) mod notation;
pub(crate) mod time;

pub(crate) use notation::{Notation, Point};
pub(crate) use time::{Clock, DateOrder, TimePart};
