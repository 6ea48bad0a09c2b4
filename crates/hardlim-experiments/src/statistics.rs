//! Means with their standard errors, and what pairs of numbers can show.

use std::fmt;

use crate::report::part;

/// A mean over draws with its standard error; NaN for a single draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) error: f64,
    pub(crate) count: usize,
}

/// What differences over several draws show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Better,
    Worse,
    /// The draws do not tell.
    Nothing,
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

    /// The standard deviation of one draw.
    pub(crate) fn deviation(&self) -> f64 {
        self.error * (self.count as f64).sqrt()
    }

    /// The mean of `ours − theirs`, draw by draw.
    pub(crate) fn paired(ours: &[f64], theirs: &[f64]) -> Self {
        let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        Self::of(&differences)
    }

    /// Whether a difference is distinguished from zero: a two-sided test of Student at 5 %.
    pub(crate) fn shown(&self) -> Shown {
        // A single draw has no error, and shows nothing.
        let margin = quantile(self.count) * self.error;
        match self.mean {
            mean if mean > margin => Shown::Better,
            mean if mean < -margin => Shown::Worse,
            _ => Shown::Nothing,
        }
    }

    /// A difference, and what it shows.
    pub(crate) fn sentence(&self) -> String {
        let shown = match self.shown() {
            Shown::Better => "better".to_owned(),
            Shown::Worse => "worse".to_owned(),
            Shown::Nothing => format!("no difference that {} draws can show", self.count),
        };
        format!("{}, {shown}", self.signed())
    }

    /// A difference with its sign and its error.
    pub(crate) fn signed(&self) -> String {
        match self.error.is_nan() {
            true => format!("{:+.3}", self.mean),
            false => format!("{:+.3} ± {:.3}", self.mean, self.error),
        }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.is_nan() {
            true => f.write_str(&part(self.mean)),
            false => write!(f, "{} ± {}", part(self.mean), part(self.error)),
        }
    }
}

/// The quantile of Student's distribution that 2.5 % exceed, for the mean of so many numbers. Beyond ten of
/// them, a bound that is slightly larger.
fn quantile(count: usize) -> f64 {
    const SMALL: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
    let freedom = count.saturating_sub(1).max(1);
    SMALL.get(freedom - 1).copied().unwrap_or(1.96 + 2.72 / freedom as f64)
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
        assert_eq!((found.shown(), found.count), (Shown::Better, 10));
        assert_eq!(Mean::paired(&theirs, &ours).shown(), Shown::Worse);
        assert!(Mean::of(&ours).error > 10.0 * found.error);
        let noise = Mean::of(&[0.1, -0.1, 0.05, -0.02, 0.01]);
        assert_eq!(noise.shown(), Shown::Nothing);
        assert_eq!(noise.sentence(), "+0.008 ± 0.034, no difference that 5 draws can show");
    }

    #[test]
    fn one_draw_shows_nothing() {
        let found = Mean::of(&[0.3]);
        assert_eq!((found.shown(), found.to_string()), (Shown::Nothing, "0.300".to_owned()));
    }

    #[test]
    fn quantiles_are_those_of_student() {
        for (count, exact) in [(2, 12.706), (10, 2.262), (11, 2.228), (21, 2.086), (31, 2.042)] {
            let found = quantile(count);
            assert!(found >= exact && found < exact * 1.01, "{count}: {found}");
        }
    }
}
