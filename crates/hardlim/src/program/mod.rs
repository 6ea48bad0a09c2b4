//! The convex programs, one file each, and the strength `β` they share.

pub mod complete;
pub mod lasso;

pub use complete::CompleteProgram;
pub use lasso::LassoProgram;

use crate::error::Error;

/// `β > 0`, the weight decay.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Beta(f64);

impl Beta {
    /// A strength.
    ///
    /// # Errors
    /// When the value is not a positive finite number.
    pub fn new(value: f64) -> Result<Self, Error> {
        if value.is_finite() && value > 0.0 { Ok(Self(value)) } else { Err(Error::Beta(value)) }
    }

    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }
}
