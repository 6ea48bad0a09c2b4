//! Baselines: threshold networks trained by surrogate gradients.
//!
//! The derivative of `1{t ≥ 0}` is zero wherever it exists, so gradient descent replaces it by the
//! derivative of a surrogate: the identity (the straight-through estimator), a ReLU, a leaky ReLU
//! or a clipped ReLU. The backward pass is written by hand with matrix products. The result is an
//! ordinary [`Network`] with the same objective as any other, `L(f(X)) + β Σ|aⱼ|`. This is the
//! value after the best rescaling of the weights, which does not change the outputs and can only
//! favour the baseline.
//!
//! ```
//! use hardlim::table::{Coding, CodingOptions, ReadOptions, Table};
//! use hardlim::loss::LossKind;
//! use hardlim::program::Beta;
//! use hardlim::solver::Budget;
//! use hardlim_lab::baseline::Baseline;
//!
//! let table = Table::open("titanic", &ReadOptions::default())?;
//! let coding = Coding::fit(&table, &CodingOptions::default())?;
//! let data = coding.dataset(&table)?;
//! let baseline = Baseline { widths: vec![20], epochs: 30, ..Baseline::default() };
//! let budget = Budget::default();
//! let (loss, beta) = ("squared".parse()?, Beta::new(10.0)?);
//! let found = baseline.train(&data, loss, beta, &budget, &mut |_, _| {})?;
//! assert!(found.rescaled <= found.raw);
//! # Ok::<(), hardlim::Error>(())
//! ```
//!
//! [`Network`]: hardlim::network::Network

mod convert;
mod norm;
pub(crate) mod parameters;
mod pass;
mod plateau;
mod polish;
mod runs;
mod surrogate;
mod sweep;
pub(crate) mod train;

pub use polish::polish;
pub use runs::{Run, csv, draw, runs};
pub use surrogate::Surrogate;
pub use train::{Baseline, Epoch, Trained, Visit};
