//! Calibrations turn the outputs of a model into probabilities.

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Turns outputs into probabilities by one number `κ`, fitted on rows that were not trained on. The
/// second of two classes has `1/(1 + exp(−κu))`; with more classes, probabilities are proportional
/// to `exp(κu)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Calibration {
    scale: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    scale: f64,
}

impl TryFrom<Parts> for Calibration {
    type Error = Error;

    fn try_from(Parts { scale }: Parts) -> Result<Self, Error> {
        Self::new(scale)
    }
}

impl Calibration {
    /// The calibration with this `κ`.
    ///
    /// # Errors
    /// When `κ` is not a positive finite number.
    pub fn new(scale: f64) -> Result<Self, Error> {
        if scale.is_finite() && scale > 0.0 {
            return Ok(Self { scale });
        }
        Err(Error::Damaged { what: "calibration", reason: format!("its scale is {scale}") })
    }

    /// `κ`.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The probability of each class, given the output of each network.
    pub fn probabilities(&self, outputs: &[f64]) -> Vec<f64> {
        if let [u] = outputs {
            let p = 1.0 / (1.0 + (-self.scale * u).exp());
            return vec![1.0 - p, p];
        }
        let most = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = outputs.iter().map(|u| (self.scale * (u - most)).exp()).collect();
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_follow_the_outputs() {
        let calibration = Calibration::new(2.0).unwrap();
        assert_eq!(calibration.probabilities(&[0.0]), [0.5, 0.5]);
        for outputs in [&[0.3, -2.0, 20.0][..], &[-1e4; 3], &[1.0, 2.0, 3.0, 2.5]] {
            let p = calibration.probabilities(outputs);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let order = |values: &[f64]| {
                let mut order: Vec<usize> = (0..values.len()).collect();
                order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
                order
            };
            assert_eq!(order(&p), order(outputs));
        }
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Calibration::new(scale).is_err());
        }
    }
}
