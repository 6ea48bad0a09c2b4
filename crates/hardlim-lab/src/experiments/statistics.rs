//! Means with their standard errors, and what pairs of numbers can show.

use std::f64::consts::FRAC_PI_2;
use std::fmt;

use crate::experiments::report::part;

/// A difference is shown if its probability is at most this.
const LEVEL: f64 = 0.05;
/// The steps of an integral; even.
const STEPS: usize = 2000;

/// A mean over draws with its standard error; NaN for a single draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) error: f64,
    pub(crate) count: usize,
}

impl Mean {
    pub(crate) fn of(values: &[f64]) -> Self {
        let count = values.len();
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let error = match count {
            0 | 1 => f64::NAN,
            _ => (squares / (count - 1) as f64 / count as f64).sqrt(),
        };
        Self { mean, error, count }
    }

    pub(crate) fn deviation(&self) -> f64 {
        self.error * (self.count as f64).sqrt()
    }

    /// The mean of `ours − theirs`, draw by draw.
    pub(crate) fn paired(ours: &[f64], theirs: &[f64]) -> Self {
        let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        Self::of(&differences)
    }

    /// The probability of a mean this far from zero, on either side, if it were zero: Student's
    /// test. A single draw tells nothing, so it has the probability one.
    pub(crate) fn probability(&self) -> f64 {
        let t = (self.mean / self.error).abs();
        if t.is_nan() { 1.0 } else { tail(t, self.count - 1) }
    }

    /// Whether a difference shows that ours is better; `None` if the draws do not tell. The
    /// probability may be corrected for other tests.
    pub(crate) fn better(&self, probability: f64) -> Option<bool> {
        (probability <= LEVEL).then_some(self.mean > 0.0)
    }

    pub(crate) fn sentence(&self, probability: f64) -> String {
        let shown = match self.better(probability) {
            Some(true) => "better".to_owned(),
            Some(false) => "worse".to_owned(),
            None => format!("no difference that {} draws can show", self.count),
        };
        let signed = self.signed();
        if probability < 0.001 {
            return format!("{signed} (p < 0.001), {shown}");
        }
        format!("{signed} (p = {probability:.3}), {shown}")
    }

    pub(crate) fn signed(&self) -> String {
        if self.error.is_nan() {
            format!("{:+.3}", self.mean)
        } else {
            format!("{:+.3} ± {:.3}", self.mean, self.error)
        }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.error.is_nan() {
            f.write_str(&part(self.mean))
        } else {
            write!(f, "{} ± {}", part(self.mean), part(self.error))
        }
    }
}

/// The middle one of these numbers; of two, the larger.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The probability that Student's distribution is beyond `±t`. With `t = √f tan θ` its density is
/// proportional to `cos^(f−1) θ`.
fn tail(t: f64, freedom: usize) -> f64 {
    let power = freedom as i32 - 1;
    let area = |from: f64| {
        // Simpson's rule.
        let step = (FRAC_PI_2 - from) / STEPS as f64;
        let density = |k: usize| (from + step * k as f64).cos().max(0.0).powi(power);
        let inner: f64 =
            (1..STEPS).map(|k| density(k) * if k.is_multiple_of(2) { 2.0 } else { 4.0 }).sum();
        (density(0) + inner + density(STEPS)) * step / 3.0
    };
    area((t / (freedom as f64).sqrt()).atan()) / area(0.0)
}

/// Holm's correction: what remains of these probabilities when all of them are looked at. Whatever
/// depends on whatever, a result of at most 5 % is then wrong with at most 5 %, for all of them
/// together.
pub(crate) fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut corrected = vec![1.0; probabilities.len()];
    let mut largest = 0.0f64;
    for (rank, &k) in order.iter().enumerate() {
        largest = largest.max(probabilities[k] * (probabilities.len() - rank) as f64);
        corrected[k] = largest.min(1.0);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_show_what_single_numbers_do_not() {
        let theirs: Vec<f64> = (0..10).map(|k| 0.5 + 0.04 * f64::from(k)).collect();
        let ours: Vec<f64> =
            theirs.iter().enumerate().map(|(k, v)| v + 0.01 + 0.001 * (k % 3) as f64).collect();
        let found = Mean::paired(&ours, &theirs);
        let better = |mean: &Mean| mean.better(mean.probability());
        assert_eq!((better(&found), found.count), (Some(true), 10));
        assert_eq!(better(&Mean::paired(&theirs, &ours)), Some(false));
        assert!(Mean::of(&ours).error > 10.0 * found.error);
        let noise = Mean::of(&[0.1, -0.1, 0.05, -0.02, 0.01]);
        let text = "+0.008 ± 0.034 (p = 0.824), no difference that 5 draws can show";
        assert_eq!(noise.sentence(noise.probability()), text);
    }

    #[test]
    fn one_draw_shows_nothing() {
        let found = Mean::of(&[0.3]);
        assert_eq!((found.probability(), found.to_string()), (1.0, "0.300".to_owned()));
        let equal = Mean::of(&[0.2, 0.2]);
        assert!(equal.probability() < 1e-12, "{}", equal.probability());
    }

    #[test]
    fn probabilities_are_those_of_student() {
        for (t, freedom) in [(12.7062, 1), (4.30265, 2), (2.26216, 9), (2.08596, 20)] {
            let found = tail(t, freedom);
            assert!((found - 0.05).abs() < 1e-6, "{freedom}: {found}");
        }
    }

    #[test]
    fn many_tests_are_corrected() {
        assert_eq!(holm(&[0.04, 0.01, 0.03]), [0.06, 0.03, 0.06]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(holm(&[]), [0.0; 0]);
    }
}
