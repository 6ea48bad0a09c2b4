//! How far Convex-Lasso is from its printed accuracies, and what speaks for an explanation.

use super::method::BETAS;
use super::outcome::{Row, TableOutcome};
use super::{Method, Reading};
use crate::experiments::report::{TextTable, part};
use crate::experiments::statistics::Mean;

/// A difference from a printed accuracy that wants an explanation.
pub(super) const NOTED: f64 = 0.01;
/// Differences up to this one agree with a printed accuracy.
pub(super) const NEAR: f64 = 0.02;
/// The number of seeds behind a printed mean. The paper says "multiple".
pub(super) const SEEDS: f64 = 5.0;
/// Fewer splits than this have no standard error of their own.
const FEW: usize = 3;

impl Row<'_> {
    /// The difference of a mean from the printed Convex-Lasso.
    fn away(&self, ours: Mean) -> f64 {
        ours.mean - self.set.accuracy[0]
    }

    /// The standard error of this difference. With few splits of ours, the printed deviation stands
    /// in for the one of the splits.
    fn error(&self, ours: Mean) -> f64 {
        let printed = self.set.deviation;
        let ours = if ours.count < FEW { printed / (ours.count as f64).sqrt() } else { ours.error };
        (printed.powi(2) / SEEDS + ours.powi(2)).sqrt()
    }

    /// The strength of a reading among these whose accuracy on the test parts is nearest to the
    /// printed one.
    fn nearest(&self, reading: Reading, which: impl Fn(f64) -> bool) -> (f64, Mean) {
        let away = |mean: Mean| self.away(mean).abs();
        (self.tried(reading).into_iter())
            .filter(|(beta, _)| which(*beta))
            .reduce(|a, b| if away(b.1) < away(a.1) { b } else { a })
            .expect("there are strengths")
    }

    /// Everything that speaks for an explanation of the difference of `lasso`.
    pub(super) fn explanation(&self) -> String {
        let plain = self.mean(Method::LASSO, "test_accuracy");
        let (away, error) = (self.apart(Method::LASSO), self.error(plain));
        let mut reasons = Vec::new();
        if self.away(plain).abs() <= 2.0 * error {
            let chance = format!("chance ({:.1} standard errors)", away.abs() / error);
            if away.abs() <= NEAR {
                return chance;
            }
            reasons.push(chance);
        }
        for reading in &Reading::ALL[1..] {
            // On the splits that both have.
            let change = self.difference(Method::Lasso(*reading), Method::LASSO);
            let apart = away + change.mean;
            if apart.abs() <= NOTED && change.mean.abs() > 2.0 * change.error {
                let (name, by, count) = (reading.name(), change.signed(), change.count);
                reasons
                    .push(format!("`{name}` changes it to {apart:+.3} (by {by}, {count} splits)"));
            }
        }
        for reading in Reading::ALL.into_iter().filter(|reading| reading.bias) {
            let (beta, mean) = self.nearest(reading, |_| true);
            if self.away(mean).abs() <= NOTED {
                let (name, mean) = (reading.name(), part(mean.mean));
                let beyond = if BETAS.contains(&beta) { "" } else { ", not in the grid," };
                reasons.push(format!("`{name}` at {beta}{beyond} on every split gives {mean}"));
            }
        }
        if reasons.is_empty() { "unexplained".into() } else { reasons.join("; ") }
    }
}

impl TableOutcome<'_> {
    /// What each explanation rests on, for every set.
    pub(super) fn evidence(&self) -> TextTable {
        let mut table = TextTable::new(
            "data set, printed, more frequent class, lasso ± standard error, lasso-n, origin, \
             origin-n, nearest beta, best beta, heuristics, what could explain it",
        );
        for row in &self.rows {
            let lasso = Reading::ALL[0];
            let [plain, mean, origin, origin_mean] =
                Reading::ALL.map(|reading| format!("{:+.3}", row.apart(Method::Lasso(reading))));
            let at = |(beta, mean): (f64, Mean)| format!("{:+.3} at {beta}", row.away(mean));
            // The best on the test parts; the larger one if there are ties.
            let best = row.tried(lasso).into_iter();
            let best = best.reduce(|a, b| if b.1.mean > a.1.mean { b } else { a });
            let error = part(row.error(row.mean(Method::LASSO, "test_accuracy")));
            let heuristics = Method::HEURISTICS.map(|h| row.apart(h)).iter().sum::<f64>() / 4.0;
            let noted = row.apart(Method::LASSO).abs() > NOTED;
            table.row(&[
                &row.set.name,
                &part(row.set.accuracy[0]),
                &part(row.mean(Method::LASSO, "majority_accuracy").mean),
                &format!("{plain} ± {error}"),
                &mean,
                &origin,
                &origin_mean,
                &at(row.nearest(lasso, |beta| BETAS.contains(&beta))),
                &at(best.expect("there are strengths")),
                &format!("{heuristics:+.3}"),
                &if noted { row.explanation() } else { String::new() },
            ]);
        }
        table
    }
}
