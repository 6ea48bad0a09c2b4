//! Neural networks of threshold neurons, trained to certified global optimality.
//!
//! A threshold neuron answers 1 where `x·w + b ≥ 0`, and 0 elsewhere. `hardlim` trains networks of
//! such neurons on a table, by convex optimisation instead of gradient descent. Each network comes
//! with a certificate: a proven lower bound on the objective of every network, so you know how much
//! a better one could gain at most.
//!
//! # A first network
//!
//! ```
//! use hardlim::{Model, ReadOptions, Request, Table};
//!
//! // Read a table; the last column is the target. From a file: Table::open("days.csv", ..).
//! let csv = "\
//! temperature,humidity,windy,play
//! 85,85,no,no
//! 80,90,yes,no
//! 83,86,no,yes
//! 68,80,no,yes
//! 65,70,yes,no
//! 69,70,no,yes
//! 75,80,no,yes
//! 72,95,no,no
//! ";
//! let table = Table::read(csv.as_bytes(), "days.csv", &ReadOptions::default())?;
//!
//! // Train. `beta` is the weight decay: a larger one gives fewer neurons.
//! let model = Request::of("beta=0.2")?.train(&table)?.model;
//!
//! // See what is proven.
//! let certificate = model.certificate();
//! println!("{}", certificate.claim());
//! println!("objective {}, lower bound {}", certificate.objective(), certificate.lower_bound());
//! assert!(certificate.relative_gap() <= 1e-6);
//!
//! // Check the certificate again, from the model and the data alone.
//! let data = model.training_data(&table)?;
//! assert!(model.certify(&data)?.holds());
//!
//! // Save the model, load it, and predict.
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("days.hardlim");
//! # #[cfg(any())]
//! let path = std::path::Path::new("days.hardlim");
//! model.save(&path)?;
//! let model = Model::load(&path)?;
//! let outputs = model.outputs(&table)?; // one list for each network, here one
//! assert!(outputs[0][0] < 0.0, "no tennis on the first day");
//! # Ok::<(), hardlim::Error>(())
//! ```
//!
//! # Where to go next
//!
//! | you want to | see |
//! |---|---|
//! | choose the loss, the strength, the depth, a time limit | the fields of [`Request`] |
//! | name the target, leave columns out, treat missing values | [`table::CodingOptions`] |
//! | know what is proven, and about which networks | [`Certificate`], [`Model::certify`] |
//! | look at weights and layers | [`Network`], [`Model::networks`] |
//! | get C, Rust, Verilog or ONNX | [`export`] |
//! | use a loss of your own | [`Loss`], and the example `own_loss` |
//! | follow all strengths at once | [`Request::path`], and the example `path` |
//!
//! Training is slow without optimisation: build with `--release`.
//!
//! The folder `examples` has short programs: `first_network`, `path`, `certify`, `export_c`,
//! `own_loss`. The folder `docs` has a guide, and the theorems with their proofs.
//!
//! # The problem in five formulas
//!
//! After Ergen, Gulluk, Lacotte and Pilanci, *Globally Optimal Training of Neural Networks with
//! Threshold Activation Functions* (ICLR 2023):
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
//! exact ▶ table ▶ data ▶ pattern ▶ arrangement ▶ pricing ▶ program ▶ certificate ▶ rows ▶
//!                                                loss ─────┘
//! solver ▶ network ▶ model ▶ explain ▶ certify ▶ prove ▶ train ▶ export
//! ```
//!
//! [`Request::train`] takes all these steps in one call. Each step is a module, for those who want
//! to take it alone: [`table`] reads files and finds what columns mean; [`data`] merges equal rows;
//! [`pattern`] packs the answers of a neuron, 64 to a word; [`arrangement`] lists all patterns, or
//! draws some; [`loss`] and [`program`] are the convex programs; [`certificate`] proves; [`solver`]
//! solves; [`network`] goes from patterns back to weights; [`model`] is what a file holds;
//! [`explain`] puts it into words; [`certify`] checks it; [`prove`] lets other programs check it;
//! [`export`] writes it for other machines.

pub mod arrangement;
pub mod certificate;
pub mod certify;
pub mod data;
mod error;
mod exact;
pub mod explain;
pub mod export;
pub mod loss;
pub mod model;
pub mod network;
pub mod pattern;
pub mod pricing;
pub mod program;
pub mod prove;
pub mod rows;
pub mod solver;
mod spelling;
pub mod table;
pub mod train;

pub use certificate::Certificate;
pub use certify::Check;
pub use data::Dataset;
pub use error::Error;
pub use loss::{Loss, LossKind};
pub use model::Model;
pub use network::Network;
pub use table::{ReadOptions, Table};
pub use train::{Request, Trained};
