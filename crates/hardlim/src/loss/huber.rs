//! The Huber loss: `(u − y)²/2` within `δ` of the target, and the line `δ|u − y| − δ²/2` beyond.
//! The conjugate is that of the squared loss, `z²/2 + yz`, for `|z| ≤ δ`.

use super::{Loss, row};
use crate::data::Atoms;
use crate::error::Error;
use crate::exact::sum::above;

/// `(u − y)²/2` where `|u − y| ≤ δ`, else `δ|u − y| − δ²/2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Huber {
    threshold: f64,
}

impl Huber {
    /// The loss with the threshold `δ`.
    ///
    /// # Errors
    /// When `δ` is not a positive finite number.
    pub fn new(threshold: f64) -> Result<Self, Error> {
        if threshold.is_finite() && threshold > 0.0 {
            return Ok(Self { threshold });
        }
        let (parameter, expected) = ("threshold", "a positive finite number");
        Err(Error::LossParameter { loss: "huber", parameter, expected, value: threshold })
    }

    /// `δ`.
    pub fn threshold(self) -> f64 {
        self.threshold
    }
}

impl Default for Huber {
    fn default() -> Self {
        Self { threshold: 1.0 }
    }
}

impl Loss for Huber {
    fn name(&self) -> &'static str {
        "huber"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        let distance = (u - y).abs();
        let bent = distance.min(self.threshold);
        bent * (distance - bent / 2.0)
    }

    fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
        let slope = (u - y).clamp(-self.threshold, self.threshold);
        (slope, slope)
    }

    fn conjugate(&self, z: f64, y: f64) -> f64 {
        if z.abs() <= self.threshold { above([z * z / 2.0, y * z]) } else { f64::INFINITY }
    }

    fn domain(&self, _: f64) -> (f64, f64) {
        (-self.threshold, self.threshold)
    }

    fn curvature(&self, u: f64, y: f64) -> f64 {
        if (u - y).abs() <= self.threshold { 1.0 } else { 0.0 }
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(1.0)
    }

    fn row_proximal(&self, v: f64, sigma: f64, atoms: Atoms<'_>) -> f64 {
        let mut one = atoms.iter();
        match (one.next(), one.next()) {
            (None, _) => v,
            (Some((y, s)), None) => {
                // In the quadratic part the step ends at `y + (v − y)/(1 + σs)`; otherwise it ends
                // on a line.
                let pull = (v - y) / (1.0 + sigma * s);
                if pull.abs() <= self.threshold {
                    y + pull
                } else {
                    v - sigma * s * self.threshold * pull.signum()
                }
            }
            _ => row::proximal(self, v, sigma, atoms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parabola_goes_over_into_a_line() {
        let loss = Huber::new(2.0).unwrap();
        assert_eq!(loss.value(2.0, 1.0), 0.5);
        assert_eq!(loss.value(3.0, 1.0), 2.0);
        assert_eq!(loss.value(-4.0, 1.0), 8.0);
        assert_eq!(loss.value(1e300, 0.0), 2e300);
        assert_eq!(loss.subgradient(1e300, 0.0), (2.0, 2.0));
        assert_eq!(loss.conjugate(2f64.next_up(), 0.0), f64::INFINITY);
        assert!(loss.conjugate(-2.0, 0.0) >= 2.0);
    }

    #[test]
    fn thresholds_that_are_no_length_are_refused() {
        for threshold in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Huber::new(threshold).is_err());
        }
    }
}
