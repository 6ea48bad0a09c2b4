//! Neural networks of threshold neurons, trained to certified global optimality.
//!
//! The problem in five formulas, after Ergen, Gulluk, Lacotte and Pilanci, *Globally Optimal
//! Training of Neural Networks with Threshold Activation Functions* (ICLR 2023):
//!
//! ```text
//! f(x) = Σⱼ aⱼ 1{x̃·wⱼ ≥ 0}                                      a network
//! p*   = min_{m,w,a}  L(f(X)) + β Σⱼ|aⱼ|                         training it with weight decay
//! H(X) = { 1{X̃w ≥ 0} : w }                                      what neurons can answer: patterns
//! p*   = min_w  L(Dw) + β‖w‖₁   where D = H(X)                   the same as a Lasso (Theorem 2.2)
//! p*   ≥ −L*(z)                 where |dᵀz| ≤ β for d ∈ H(X)     the proof
//! ```
//!
//! # The walk of the data
//!
//! ```text
//! data ▶ pattern ▶ arrangement ▶ pricing ▶ program ▶ certificate ▶ solver ▶ network ▶ model ▶ certify ▶ train ▶ export
//!                                loss ─────┘
//! ```
//!
//! Modules import only from their left. [`data`] reads a table and merges equal rows; [`pattern`]
//! packs answers 64 to a word; [`arrangement`] is `H(X)`, all or some of it;
//! [`pricing`] searches it for a dual point; [`loss`] and [`program`] are
//! the convex programs; [`certificate`] proves; [`solver`] proposes; [`network`] goes back to
//! weights; [`model`] writes them with their proof to a file; [`certify`] checks it; [`train`] takes all these steps in one call; [`export`] writes the
//! network for other machines. [`memorize`] realises given labels with few neurons.
//!
//! ```
//! use hardlim::data::{ReadOptions, Table};
//! use hardlim::train::Request;
//!
//! let table = Table::open("titanic", &ReadOptions::default())?;
//! let trained = Request { beta: Some(10.0), ..Request::default() }.train(&table)?;
//!
//! let certificate = trained.model.certificate();
//! assert!(certificate.lower_bound() <= certificate.objective());
//! assert!(certificate.relative_gap() <= 1e-6);
//! let data = trained.model.training_data(&table)?;
//! assert!(trained.model.certify(&data)?.holds());
//! # Ok::<(), hardlim::Error>(())
//! ```

pub mod arrangement;
pub mod certificate;
pub mod certify;
pub mod data;
mod error;
pub mod export;
pub mod file;
pub mod loss;
pub mod memorize;
pub mod memory;
pub mod model;
pub mod network;
pub mod pattern;
pub mod pricing;
pub mod program;
mod residue;
pub mod solver;
pub mod spelling;
pub mod sum;
pub mod train;

pub use error::Error;
