//! Neural networks of threshold neurons, trained to certified global optimality.

pub mod arrangement;
pub mod certificate;
pub mod data;
mod error;
pub mod loss;
pub mod network;
pub mod pattern;
pub mod pricing;
pub mod program;
pub mod solver;
pub mod sum;
pub mod train;

pub use error::Error;
