//! The data: `X`, `y` and the sample weights, with equal rows merged.
//!
//! Identical rows of `X` answer alike in every network, so they are one coordinate `g` with the
//! loss `l_g(u) = Σ_{i ∈ g} s_i l(u, y_i)`, whatever their targets. Everything downstream (patterns,
//! rank, programs, certificates) lives on these distinct rows; only [`Dataset`] remembers which
//! sample belongs to which.
//!
//! From a file to a [`Dataset`] there are two steps: [`Table::open`] reads columns of numbers and
//! text, and a [`Coding`] says how they become `X`, `y` and weights, for the training table and
//! for every table after it.
//!
//! ```
//! use hardlim::data::{Coding, CodingOptions, ReadOptions, Table};
//!
//! let table = Table::open("titanic", &ReadOptions::default())?;
//! let coding = Coding::fit(&table, &CodingOptions::default())?;
//! let data = coding.dataset(&table)?;
//! assert_eq!((data.samples(), data.distinct(), data.dimension()), (2201, 14, 3));
//! # Ok::<(), hardlim::Error>(())
//! ```

pub mod builtin;
pub mod cells;
pub mod coding;
mod csv;
pub mod features;
pub mod fingerprint;
mod names;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
pub mod problem;
mod sniff;
pub mod source;
mod split;
pub mod standardize;
mod stream;
pub mod table;
pub mod targets;

pub use cells::{Cell, Cells};
pub use coding::{Coding, CodingOptions, Inputs, Kind, Missing, TargetCoding, Task};
pub use features::Features;
pub use fingerprint::Fingerprint;
pub use problem::{Place, Problem, TableError};
pub use source::ReadOptions;
pub use split::Split;
pub use standardize::Scaling;
pub use table::{Column, Table};
pub use targets::Targets;

use std::sync::Arc;

use crate::error::Error;

/// A training set: the distinct rows of `X`, and for each the targets and weights of its samples.
#[derive(Debug, Clone)]
pub struct Dataset {
    features: Features,
    targets: Targets,
    row_of: Arc<[u32]>,
}

impl Dataset {
    /// Merges the equal rows of `X`, in order of first appearance. Samples of weight zero are kept
    /// as rows (a network answers them too) but carry no target.
    ///
    /// # Errors
    /// When the lengths differ, there is no sample, or a weight is not a finite number `≥ 0`.
    pub fn new(x: Features, y: &[f64], weights: Option<&[f64]>) -> Result<Self, Error> {
        let samples = x.rows();
        if samples == 0 {
            return Err(Error::NoSamples);
        }
        if y.len() != samples {
            return Err(Error::Length { what: "targets", expected: samples, found: y.len() });
        }
        let (features, row_of) = x.merge();
        let targets = Targets::grouped(features.rows(), &row_of, y, weights)?;
        Ok(Self { features, targets, row_of: row_of.into() })
    }

    /// The same rows with other targets and weights.
    ///
    /// # Errors
    /// When the lengths differ, or a weight is not a finite number `≥ 0`.
    pub fn with_targets(&self, y: &[f64], weights: Option<&[f64]>) -> Result<Self, Error> {
        if y.len() != self.samples() {
            return Err(Error::Length {
                what: "targets",
                expected: self.samples(),
                found: y.len(),
            });
        }
        let targets = Targets::grouped(self.distinct(), &self.row_of, y, weights)?;
        Ok(Self { features: self.features.clone(), targets, row_of: Arc::clone(&self.row_of) })
    }

    /// The distinct rows of `X`, as read.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The targets of each distinct row.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// How many samples there were before merging.
    pub fn samples(&self) -> usize {
        self.row_of.len()
    }

    /// How many distinct rows there are.
    pub fn distinct(&self) -> usize {
        self.features.rows()
    }

    /// How many numbers a row holds.
    pub fn dimension(&self) -> usize {
        self.features.dimension()
    }

    /// For every sample, the distinct row it is.
    pub fn row_of(&self) -> &[u32] {
        &self.row_of
    }
}
