//! Rows in blocks: partitions of a table that lie in other processes, and training that asks them.
//!
//! Everything that a worker does is a pure function, so that lost results can be computed again: a
//! partition becomes a [`Block`], the block with neurons asked another one, and that answers tasks.

mod block;
mod coding;
mod files;
mod partition;
mod reached;

pub(crate) use block::{Block, merge_answers};
pub(crate) use coding::{Coding, Sample, code_sample, gathered};
pub(crate) use files::train_files;
pub(crate) use partition::{Partition, sample_zeros};
pub(crate) use reached::{certify_rows, train_rows};
