//! How good the predictions of networks are: accuracy, AUC, log-loss and confusion for classes; R²
//! and mean absolute error for numbers.

use serde::Serialize;

use crate::model::{class_of, largest};

/// Scores of a classifier.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Classification {
    /// The number of samples.
    #[serde(rename = "n")]
    pub samples: usize,
    /// The fraction of correct predictions.
    pub accuracy: f64,
    /// The probability that a sample of a class has a larger output for this class than a sample of
    /// the rest, where ties count half, averaged over the classes; `None` if every class lacks one
    /// of the two.
    pub auc: Option<f64>,
    /// The mean of `−log p(y)`, if outputs stand for probabilities.
    pub log_loss: Option<f64>,
    /// `confusion[true class][predicted class]`.
    pub confusion: Vec<Vec<u64>>,
}

/// Scores of a regression.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Regression {
    /// The number of samples.
    #[serde(rename = "n")]
    pub samples: usize,
    /// `1 − Σ(y − u)² / Σ(y − ȳ)²`; `None` if all targets are equal.
    pub r2: Option<f64>,
    /// The mean of `|y − u|`.
    pub mae: f64,
}

/// The fraction of samples whose class `±1` is predicted.
///
/// # Panics
/// When lengths differ or there is no sample.
pub fn accuracy(output: &[f64], y: &[f64]) -> f64 {
    assert!(!y.is_empty() && y.len() == output.len(), "one output for each label");
    let right = output.iter().zip(y).filter(|(u, y)| class_of(**u) == **y).count();
    right as f64 / y.len() as f64
}

impl Classification {
    /// The scores of outputs for labels `±1`, where `f(x) ≥ 0` predicts the second class;
    /// `probability` gives the probability of `+1` for an output.
    ///
    /// # Panics
    /// When lengths differ or there is no sample.
    pub fn of_two(output: &[f64], y: &[f64], probability: impl Fn(f64) -> f64) -> Self {
        assert!(!y.is_empty() && y.len() == output.len(), "one output for each label");
        let mut confusion = vec![vec![0; 2]; 2];
        let mut log_loss = 0.0;
        for (&u, &y) in output.iter().zip(y) {
            confusion[usize::from(y > 0.0)][usize::from(class_of(u) > 0.0)] += 1;
            let p = probability(u).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
            log_loss -= if y > 0.0 { p.ln() } else { (1.0 - p).ln() };
        }
        Self::of(confusion, auc(output, y), Some(log_loss))
    }

    /// The scores of outputs, one list for each sample of which the largest predicts the class,
    /// given the indices of the true classes and the probabilities that the outputs of a sample
    /// stand for.
    ///
    /// # Panics
    /// When lengths differ or there is no sample.
    pub fn of_several(
        outputs: &[Vec<f64>],
        y: &[f64],
        probabilities: impl Fn(&[f64]) -> Option<Vec<f64>>,
    ) -> Self {
        assert!(!y.is_empty() && y.len() == outputs.len(), "outputs for each label");
        let classes = outputs[0].len();
        let mut confusion = vec![vec![0; classes]; classes];
        let mut log_loss = Some(0.0);
        for (u, &y) in outputs.iter().zip(y) {
            confusion[y as usize][largest(u)] += 1;
            let p = probabilities(u).map(|p| p[y as usize].clamp(f64::EPSILON, 1.0));
            log_loss = log_loss.zip(p).map(|(sum, p)| sum - p.ln());
        }
        let area = |k: usize| {
            let output: Vec<f64> = outputs.iter().map(|u| u[k]).collect();
            let is_class = |y: &f64| if *y as usize == k { 1.0 } else { -1.0 };
            auc(&output, &y.iter().map(is_class).collect::<Vec<f64>>())
        };
        let areas: Vec<f64> = (0..classes).filter_map(area).collect();
        let mean = areas.iter().sum::<f64>() / areas.len() as f64;
        Self::of(confusion, Some(mean).filter(|_| !areas.is_empty()), log_loss)
    }

    fn of(confusion: Vec<Vec<u64>>, auc: Option<f64>, log_loss: Option<f64>) -> Self {
        let samples = confusion.iter().flatten().sum::<u64>();
        let right = (0..confusion.len()).map(|k| confusion[k][k]).sum::<u64>();
        Self {
            samples: samples as usize,
            accuracy: right as f64 / samples as f64,
            auc,
            log_loss: log_loss.map(|sum| sum / samples as f64),
            confusion,
        }
    }
}

impl Regression {
    /// The scores of these outputs.
    ///
    /// # Panics
    /// When lengths differ or there is no sample.
    pub fn measure(output: &[f64], y: &[f64]) -> Self {
        assert!(!y.is_empty() && y.len() == output.len(), "one output for each target");
        let samples = y.len();
        let mean = y.iter().sum::<f64>() / samples as f64;
        let spread: f64 = y.iter().map(|y| (y - mean).powi(2)).sum();
        let errors = || output.iter().zip(y).map(|(u, y)| u - y);
        Self {
            samples,
            r2: (spread > 0.0).then(|| 1.0 - errors().map(|e| e * e).sum::<f64>() / spread),
            mae: errors().map(f64::abs).sum::<f64>() / samples as f64,
        }
    }
}

/// The area under the receiver operating characteristic for labels `±1`, by ranks; ties get their
/// mean rank. `None` if there is only one class.
pub fn auc(output: &[f64], y: &[f64]) -> Option<f64> {
    let positives = y.iter().filter(|y| **y > 0.0).count() as f64;
    let negatives = y.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    let mut order: Vec<usize> = (0..y.len()).collect();
    order.sort_by(|&i, &j| output[i].total_cmp(&output[j]));
    let mut rank_sum = 0.0;
    let mut below = 0;
    for ties in order.chunk_by(|&i, &j| output[i] == output[j]) {
        let rank = below as f64 + (ties.len() + 1) as f64 / 2.0;
        rank_sum += rank * ties.iter().filter(|&&i| y[i] > 0.0).count() as f64;
        below += ties.len();
    }
    Some((rank_sum - positives * (positives + 1.0) / 2.0) / (positives * negatives))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, one pair at a time.
    fn auc_plain(output: &[f64], y: &[f64]) -> f64 {
        let (mut wins, mut pairs) = (0.0, 0.0);
        for (&u, _) in output.iter().zip(y).filter(|(_, y)| **y > 0.0) {
            for (&v, _) in output.iter().zip(y).filter(|(_, y)| **y < 0.0) {
                pairs += 1.0;
                wins += if u == v { 0.5 } else { f64::from(u8::from(u > v)) };
            }
        }
        wins / pairs
    }

    proptest! {
        #[test]
        fn ranks_count_the_pairs(
            pairs in prop::collection::vec((-3i32..4, any::<bool>()), 2..40),
        ) {
            let output: Vec<f64> = pairs.iter().map(|p| f64::from(p.0)).collect();
            let y: Vec<f64> = pairs.iter().map(|p| if p.1 { 1.0 } else { -1.0 }).collect();
            match auc(&output, &y) {
                Some(auc) => prop_assert!((auc - auc_plain(&output, &y)).abs() < 1e-12),
                None => prop_assert!(y.iter().all(|v| *v == y[0])),
            }
        }
    }

    #[test]
    fn a_perfect_classifier_scores_one() {
        let y = [1.0, -1.0, 1.0];
        let scores = Classification::of_two(&[0.0, -0.1, 2.0], &y, |u| f64::midpoint(1.0, u));
        assert_eq!((scores.accuracy, scores.auc), (1.0, Some(1.0)));
        assert_eq!(scores.confusion, [[1, 0], [0, 2]]);
        assert_eq!(accuracy(&[0.0, -0.1, -2.0], &y), 2.0 / 3.0);
    }

    #[test]
    fn the_largest_output_answers_and_ties_go_to_the_first_class() {
        assert_eq!(largest(&[0.5, 1.0, 1.0]), 1);
        assert_eq!(largest(&[-0.0, 0.0]), 0);
        let outputs = [vec![1.0, 0.0, 1.0], vec![0.0, 2.0, 1.0], vec![0.0, 0.5, 0.25]];
        let scores = Classification::of_several(&outputs, &[0.0, 1.0, 2.0], |_| None);
        assert_eq!(scores.accuracy, 2.0 / 3.0);
        assert_eq!(scores.confusion, [[1, 0, 0], [0, 1, 0], [0, 1, 0]]);
        // One class against the rest gives 1, 1 and 0: both others have larger outputs for the last
        // class.
        assert_eq!((scores.auc, scores.log_loss), (Some(2.0 / 3.0), None));
        let even = Classification::of_several(&outputs, &[0.0; 3], |u| Some(vec![0.5; u.len()]));
        assert_eq!((even.auc, even.log_loss), (None, Some(0.5f64.ln().abs())));
    }

    #[test]
    fn the_mean_scores_an_r2_of_zero() {
        let scores = Regression::measure(&[2.0, 2.0], &[1.0, 3.0]);
        assert_eq!((scores.r2, scores.mae), (Some(0.0), 1.0));
        assert_eq!(Regression::measure(&[1.0], &[2.0]).r2, None);
    }
}
