//! Scaling of the columns: `(x − c) / s`.
//!
//! Scaled columns make the arithmetic well conditioned; they never decide a sign. Weights found on
//! scaled columns are folded back into weights on the numbers as read:
//! `w·((x − c)/s) + b = (w/s)·x + (b − Σ w c/s)`.

use serde::{Deserialize, Serialize};

use super::Features;
use crate::error::Error;

/// The centre and the scale of every column. A scale of zero marks a column without information:
/// its scaled values are zero, and so is its weight when folded back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Scaling {
    center: Vec<f64>,
    scale: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    center: Vec<f64>,
    scale: Vec<f64>,
}

impl TryFrom<Stored> for Scaling {
    type Error = Error;

    fn try_from(Stored { center, scale }: Stored) -> Result<Self, Error> {
        let damaged = |reason: String| Error::Damaged { what: "scaling", reason };
        if center.len() != scale.len() {
            let (centers, scales) = (center.len(), scale.len());
            return Err(damaged(format!("{centers} centres and {scales} scales")));
        }
        if let Some(c) = center.iter().find(|c| !c.is_finite()) {
            return Err(damaged(format!("a centre is {c}")));
        }
        if let Some(s) = scale.iter().find(|s| !(s.is_finite() && **s >= 0.0)) {
            return Err(damaged(format!("a scale is {s}")));
        }
        Ok(Self { center, scale })
    }
}

impl Scaling {
    /// The scaling that changes nothing.
    pub fn identity(dimension: usize) -> Self {
        Self { center: vec![0.0; dimension], scale: vec![1.0; dimension] }
    }

    /// The mean and the standard deviation of every column, where row `g` counts `weights[g]`
    /// times. Without `centered`, zero and the root mean square. With `centered` a constant column
    /// gets the scale zero, because the bias can replace it; without, only a column of zeros does.
    ///
    /// # Panics
    /// When there is not one weight for each row, or they do not add up to a positive number.
    pub fn fit(x: &Features, weights: &[f64], centered: bool) -> Self {
        let total: f64 = weights.iter().sum();
        assert_eq!(weights.len(), x.rows(), "one weight for each row");
        assert!(total > 0.0 && total.is_finite(), "weights add up to a positive number");
        let mean = |of: &dyn Fn(f64) -> f64, j: usize| {
            let terms = (0..x.rows()).map(|g| weights[g] * of(x.row(g)[j]));
            terms.sum::<f64>() / total
        };
        let (mut center, mut scale) = (Vec::new(), Vec::new());
        for j in 0..x.dimension() {
            let (least, most) = (0..x.rows())
                .map(|g| x.row(g)[j])
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| {
                    (least.min(v), most.max(v))
                });
            let c = if centered { mean(&|v| v, j) } else { 0.0 };
            let spread = if centered { most - least } else { most.abs().max(least.abs()) };
            let s = mean(&|v| (v - c) * (v - c), j).sqrt();
            // Rounding must not make a constant column vary. Rows of weight zero must not make a
            // column vanish.
            let s = if spread == 0.0 || s > 0.0 { s.min(spread) } else { spread };
            center.push(c);
            scale.push(s);
        }
        Self { center, scale }
    }

    /// The scaling of these columns, in this order.
    pub fn select(&self, columns: &[u32]) -> Self {
        let pick = |of: &[f64]| columns.iter().map(|&j| of[j as usize]).collect();
        Self { center: pick(&self.center), scale: pick(&self.scale) }
    }

    /// The number of columns.
    pub fn dimension(&self) -> usize {
        self.center.len()
    }

    /// `c`.
    pub fn center(&self) -> &[f64] {
        &self.center
    }

    /// `s`.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The scaled columns, row by row.
    pub fn apply(&self, x: &Features) -> Vec<f64> {
        assert_eq!(x.dimension(), self.dimension(), "one scale for each column");
        let mut scaled = x.values().to_vec();
        if self.dimension() > 0 {
            for row in scaled.chunks_exact_mut(self.dimension()) {
                for ((v, c), &s) in row.iter_mut().zip(&self.center).zip(&self.scale) {
                    *v = divide(*v - c, s);
                }
            }
        }
        scaled
    }

    /// Weights and bias on the numbers as read, from weights and bias on scaled columns.
    pub fn fold(&self, weights: &[f64], bias: f64) -> (Vec<f64>, f64) {
        assert_eq!(weights.len(), self.dimension(), "one scale for each column");
        let folded: Vec<f64> =
            weights.iter().zip(&self.scale).map(|(w, &s)| divide(*w, s)).collect();
        let shift: f64 = folded.iter().zip(&self.center).map(|(w, c)| w * c).sum();
        (folded, bias - shift)
    }
}

fn divide(v: f64, s: f64) -> f64 {
    if s == 0.0 { 0.0 } else { v / s }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(dimension: usize, values: &[f64]) -> Features {
        Features::new(values.len() / dimension, dimension, values.to_vec()).unwrap()
    }

    #[test]
    fn scaled_columns_have_mean_zero_and_deviation_one() {
        let x = matrix(2, &[1.0, 10.0, 3.0, 30.0]);
        let scaling = Scaling::fit(&x, &[3.0, 1.0], true);
        assert_eq!(scaling.center(), [1.5, 15.0]);
        let z = scaling.apply(&x);
        assert!((3.0 * z[0] + z[2]).abs() < 1e-15);
        assert!((3.0 * z[0] * z[0] + z[2] * z[2] - 4.0).abs() < 1e-15);
    }

    #[test]
    fn a_constant_column_vanishes_when_centred_and_stays_otherwise() {
        let x = matrix(2, &[0.1, 0.0, 0.1, 0.0, 0.1, 0.0]);
        let centred = Scaling::fit(&x, &[1.0; 3], true);
        assert_eq!(centred.scale(), [0.0, 0.0]);
        assert_eq!(centred.fold(&[5.0, 5.0], 2.0), (vec![0.0, 0.0], 2.0));
        assert_eq!(centred.apply(&x), [0.0; 6]);
        let scaled = Scaling::fit(&x, &[1.0; 3], false);
        assert!((scaled.scale()[0] - 0.1).abs() < 1e-15);
        assert_eq!((scaled.center(), scaled.scale()[1]), (&[0.0, 0.0][..], 0.0));
    }

    #[test]
    fn a_column_that_varies_only_where_nothing_weighs_is_kept() {
        let x = matrix(1, &[1.0, 3.0]);
        assert_eq!(Scaling::fit(&x, &[1.0, 0.0], true).scale(), [2.0]);
    }

    #[test]
    fn the_identity_changes_nothing() {
        let x = matrix(2, &[1.0, 2.0, 3.0, 4.0]);
        let identity = Scaling::identity(2);
        assert_eq!(identity.apply(&x), x.values());
        assert_eq!(identity.fold(&[1.0, 2.0], 3.0), (vec![1.0, 2.0], 3.0));
        assert_eq!(Scaling::identity(0).fold(&[], 3.0), (vec![], 3.0));
    }

    #[test]
    fn a_damaged_scaling_is_refused() {
        let read = |text: &str| serde_json::from_str::<Scaling>(text);
        assert!(read(r#"{"center":[1.0],"scale":[0.0]}"#).is_ok());
        for bad in [
            r#"{"center":[1.0],"scale":[]}"#,
            r#"{"center":[1.0],"scale":[-1.0]}"#,
            r#"{"center":[1.0],"scale":[null]}"#,
            r#"{"center":[1.0],"scale":[1.0],"more":1}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn folded_weights_answer_alike(
            x in prop::collection::vec(-100.0..100.0f64, 12),
            w in prop::collection::vec(-10.0..10.0f64, 3),
            b in -10.0..10.0f64,
            centered in any::<bool>(),
        ) {
            let x = matrix(3, &x);
            let scaling = Scaling::fit(&x, &[1.0, 2.0, 1.0, 5.0], centered);
            let scaled = scaling.apply(&x);
            let (folded, bias) = scaling.fold(&w, b);
            let dot = |w: &[f64], x: &[f64]| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
            for g in 0..4 {
                let one = dot(&w, &scaled[3 * g..][..3]) + b;
                let other = dot(&folded, x.row(g)) + bias;
                let size = 1.0 + folded.iter().map(|w| w.abs()).sum::<f64>() * 100.0;
                prop_assert!((one - other).abs() <= 1e-12 * size, "{} {}", one, other);
            }
            let stored = serde_json::to_string(&scaling).unwrap();
            prop_assert_eq!(serde_json::from_str::<Scaling>(&stored).unwrap(), scaling);
        }
    }
}
