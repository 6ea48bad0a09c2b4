//! The quantile loss `τ(y − u)₊ + (1 − τ)(u − y)₊`, also called pinball loss: two lines that meet
//! at the target (see [`super::kink`]). The best output of a row is its `τ`-quantile.

use super::{Loss, kink};
use crate::error::Error;

/// `τ(y − u)₊ + (1 − τ)(u − y)₊`: `τ` is the cost of an output that is one too low.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantile {
    tau: f64,
}

impl Quantile {
    /// The loss whose best constant is the `τ`-quantile of the targets.
    ///
    /// # Errors
    /// When `τ` is not strictly between 0 and 1.
    pub fn new(tau: f64) -> Result<Self, Error> {
        if tau > 0.0 && tau < 1.0 {
            return Ok(Self { tau });
        }
        let expected = "strictly between 0 and 1";
        Err(Error::LossParameter { loss: "quantile", parameter: "level", expected, value: tau })
    }

    /// `τ`.
    pub fn tau(self) -> f64 {
        self.tau
    }
}

impl Default for Quantile {
    /// `τ = 1/2`: the median.
    fn default() -> Self {
        Self { tau: 0.5 }
    }
}

impl Loss for Quantile {
    fn name(&self) -> &'static str {
        "quantile"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        kink::value(self.domain(y), u, y)
    }

    fn domain(&self, _: f64) -> (f64, f64) {
        (-self.tau, 1.0 - self.tau)
    }

    kink::two_lines!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answering_too_low_costs_tau() {
        let loss = Quantile::new(0.75).unwrap();
        assert_eq!(loss.value(1.0, 3.0), 1.5);
        assert_eq!(loss.value(3.0, 1.0), 0.5);
        assert_eq!(loss.subgradient(1.0, 1.0), (-0.75, 0.25));
        assert_eq!(loss.conjugate(-0.8, 1.0), f64::INFINITY);
        assert_eq!(loss.conjugate(0.3, 1.0), f64::INFINITY);
    }

    #[test]
    fn levels_outside_of_zero_and_one_are_refused() {
        for tau in [0.0, 1.0, -0.5, f64::NAN, f64::INFINITY] {
            assert!(Quantile::new(tau).is_err());
        }
        assert_eq!(Quantile::default().tau(), 0.5);
        let text = Quantile::new(2.0).unwrap_err().to_string();
        assert_eq!(text, "the level of the quantile loss must be strictly between 0 and 1, got 2");
    }
}
