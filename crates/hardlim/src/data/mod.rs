//! The data: `X`, `y` and the sample weights, with equal rows merged.
//!
//! Every network has the same output for identical rows of `X`. So they are one coordinate `g` with
//! the loss `l_g(u) = Σ_{i ∈ g} s_i l(u, y_i)`, even if their targets differ. Patterns, ranks,
//! programs and certificates work on these distinct rows. Only [`Dataset`] knows which sample
//! belongs to which row.
//!
//! A table becomes a [`Dataset`] by its [`Coding`](crate::table::Coding).

mod encode;
mod features;
mod prints;
mod split;
mod standardize;
mod targets;
mod training_set;

pub use encode::inputs;
pub use features::Features;
pub(crate) use prints::{MOST as MOST_ROWS, RowPrints};
pub use split::Split;
pub use standardize::Scaling;
pub use targets::{Atoms, Targets};
pub use training_set::TrainingSet;

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::table::Fingerprint;

/// A training set: the distinct rows of `X`, and the targets and weights of the samples of each
/// row.
#[derive(Debug, Clone)]
pub struct Dataset {
    features: Features,
    targets: Targets,
    row_of: Arc<[u32]>,
    /// With several classes: the targets of each class against the rest.
    against_rest: Vec<Targets>,
}

impl Dataset {
    /// Merges equal rows of `X`, in order of first appearance. A sample of weight zero keeps its
    /// row, because a network has an output there too, but it has no target.
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

    /// The training set of several classes, where `y` holds their indices from 0. Each class has a
    /// network of its own, which separates the class from the rest ([`Dataset::parts`]).
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

    /// The training set of each network of a model. With several classes there is one set per
    /// class, where `y` is `+1` for the class and `−1` for the rest. Otherwise there is only this
    /// set.
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

    /// The number of samples before merging.
    pub fn samples(&self) -> usize {
        self.row_of.len()
    }

    /// The number of distinct rows.
    pub fn distinct(&self) -> usize {
        self.features.rows()
    }

    /// The number of features.
    pub fn dimension(&self) -> usize {
        self.features.dimension()
    }

    /// The distinct row of every sample.
    pub fn row_of(&self) -> &[u32] {
        &self.row_of
    }

    /// The fingerprint of the training set.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(b"hardlim training set 1\n");
        for length in [self.samples(), self.distinct(), self.dimension()] {
            hash.update((length as u64).to_le_bytes());
        }
        self.features().values().iter().for_each(|v| hash.update(v.to_bits().to_le_bytes()));
        self.row_of().iter().for_each(|g| hash.update(g.to_le_bytes()));
        for atoms in self.targets().iter() {
            hash.update((atoms.len() as u64).to_le_bytes());
            for (y, s) in atoms.iter() {
                hash.update((y + 0.0).to_bits().to_le_bytes()); // -0.0 is 0.0
                hash.update(s.to_bits().to_le_bytes());
            }
        }
        Fingerprint::of(hash)
    }
}
