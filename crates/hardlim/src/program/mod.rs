//! The convex programs, one file each, and the strength `β` they share.

pub mod complete;
pub(crate) mod interpolation;
pub(crate) mod lasso;

pub use complete::{CompleteProgram, CompleteSolution};
pub use interpolation::Separation;
pub use lasso::LassoProgram;

use serde::{Deserialize, Serialize};

use crate::arrangement::Signs;
use crate::error::Error;

/// `β > 0`, the weight decay.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Beta(f64);

impl Beta {
    /// Checks that a strength is positive and finite.
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

/// The constraints on the output, besides the penalty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Constraints {
    /// No coefficient is negative. Of the dual constraint `|dᵀz| ≤ β` only `dᵀz ≥ −β` is left.
    pub non_negative: bool,
    /// There is an output bias `c` without a penalty: `u = Dw + c`. In the dual, `Σz = 0`.
    pub intercept: bool,
}

impl Constraints {
    /// The price of a pattern with `dᵀz = c`: `|c|`, or `−c` if no coefficient may be negative.
    pub fn price(self, correlation: f64) -> f64 {
        self.signs().price(correlation)
    }

    /// The signs that coefficients may have.
    pub(crate) fn signs(self) -> Signs {
        Signs { positive: true, negative: !self.non_negative }
    }
}
