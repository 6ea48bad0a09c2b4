//! Rows in shards: partitions of a table that lie in other processes, and training that asks them.
//!
//! Everything that a worker does is a pure function, so that lost results can be computed again: a partition
//! becomes a [`Shard`], the shard with neurons asked another one, and that answers tasks.

mod coding;
mod files;
mod partition;
mod rows;
mod shard;

pub(crate) use coding::{Coding, Sample, code_sample};
pub(crate) use files::train_files;
pub(crate) use partition::{Partition, sample_zeros};
pub(crate) use rows::{certify_rows, train_rows};
pub(crate) use shard::{Shard, merge_answers};
