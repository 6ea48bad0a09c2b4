//! Neural networks of threshold neurons, trained to certified global optimality.

pub mod data;
mod error;

pub use error::Error;
