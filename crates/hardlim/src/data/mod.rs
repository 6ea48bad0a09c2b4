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

#[doc(hidden)]
pub mod builtin;
#[doc(hidden)]
pub mod cells;
#[doc(hidden)]
pub mod coding;
mod csv;
pub(crate) mod features;
pub(crate) mod fingerprint;
mod names;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
pub(crate) mod problem;
mod sniff;
pub(crate) mod source;
mod split;
pub(crate) mod standardize;
mod stream;
pub(crate) mod table;
pub(crate) mod targets;
mod training_set;

#[doc(hidden)]
pub use cells::{Cell, Cells};
pub use coding::{Coding, CodingOptions, Missing, TargetCoding, Task};
#[doc(hidden)]
pub use coding::{Inputs, Kind};
pub use features::Features;
#[doc(hidden)]
pub use fingerprint::Fingerprint;
#[doc(hidden)]
pub use problem::{Place, Problem, TableError};
pub use source::ReadOptions;
#[doc(hidden)]
pub use split::Split;
pub use standardize::Scaling;
#[doc(hidden)]
pub use table::Column;
pub use table::Table;
#[doc(hidden)]
pub use targets::Atoms;
pub use targets::Targets;
pub use training_set::{HeldOut, TrainingSet};

use std::sync::Arc;

use crate::error::Error;

/// A training set: the distinct rows of `X`, and for each the targets and weights of its samples.
#[derive(Debug, Clone)]
pub struct Dataset {
    features: Features,
    targets: Targets,
    row_of: Arc<[u32]>,
    /// Of several classes: the targets of each class against the rest.
    against_rest: Vec<Targets>,
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
        Ok(Self { features, targets, row_of: row_of.into(), against_rest: Vec::new() })
    }

    /// The training set of several classes, `y` being their places from 0: there is a network for each
    /// class, and it sets the class against the rest ([`Dataset::parts`]).
    ///
    /// # Errors
    /// As for [`Dataset::new`].
    pub fn of_classes(
        x: Features,
        y: &[f64],
        weights: Option<&[f64]>,
        classes: usize,
    ) -> Result<Self, Error> {
        let mut data = Self::new(x, y, weights)?;
        for class in 0..classes {
            let against: Vec<f64> =
                y.iter().map(|&y| if y as usize == class { 1.0 } else { -1.0 }).collect();
            let targets = Targets::grouped(data.distinct(), &data.row_of, &against, weights)?;
            data.against_rest.push(targets);
        }
        Ok(data)
    }

    /// What each network of a model is trained on: of several classes one set for each, `y` being `+1`
    /// for the class and `−1` for the rest; otherwise the set itself.
    pub fn parts(&self) -> Vec<Self> {
        let part = |targets: &Targets| Self {
            features: self.features.clone(),
            targets: targets.clone(),
            row_of: Arc::clone(&self.row_of),
            against_rest: Vec::new(),
        };
        match &self.against_rest[..] {
            [] => vec![self.clone()],
            classes => classes.iter().map(part).collect(),
        }
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
