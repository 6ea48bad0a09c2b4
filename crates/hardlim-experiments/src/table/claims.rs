//! The claims of the paper about the table, and our results.

use super::Method;
use super::method::{AROUND, BETAS};
use super::outcome::{HEURISTICS, Outcome, Row};
use crate::report::{Claim, Verdict, part, short};
use crate::scale::Scale;
use crate::sets::SETS;

/// A difference from a printed accuracy that is left to chance.
const NEAR: f64 = 0.02;
/// A difference from a printed accuracy that wants an explanation.
const NOTED: f64 = 0.01;
/// The number of seeds behind a printed mean. The paper says "multiple".
const SEEDS: f64 = 5.0;
const SOURCE: &str = "Table UCI_experiments";

impl Outcome<'_> {
    pub(super) fn claims(&self) -> Vec<Claim> {
        let of = self.rows.len();
        let printed: f64 = self.rows.iter().map(|row| row.set.seconds[0]).sum();
        let seconds = |field| -> f64 {
            self.rows.iter().map(|row| row.mean(Method::Lasso, field).mean).sum()
        };
        let mut claims = vec![Claim {
            source: SOURCE,
            expected: format!("Convex-Lasso trains all {of} sets in {} s.", short(printed)),
            found: format!(
                "{} s, and {} s for the choice of the strength before it, on this machine.",
                short(seconds("train_seconds")),
                short(seconds("select_seconds"))
            ),
            verdict: Verdict::Measured,
        }];
        claims.extend([Method::Lasso, Method::LassoMean].map(|method| self.near(method)));
        claims.push(self.differences());
        claims.extend(self.against_heuristics());
        claims.push(self.heuristics());
        claims.extend(self.seen());
        claims
    }

    /// A column against the printed Convex-Lasso, in both directions.
    fn near(&self, method: Method) -> Claim {
        let list = |which: &dyn Fn(f64) -> bool| -> Vec<String> {
            (self.rows.iter())
                .map(|row| (row.set.name, apart(row, method)))
                .filter(|(_, apart)| which(*apart))
                .map(|(name, apart)| format!("{name} {apart:+.3}"))
                .collect()
        };
        let (above, below) = (list(&|apart| apart > NEAR), list(&|apart| apart < -NEAR));
        let of = self.rows.len();
        let scale = if method == Method::Lasso { "beta as printed" } else { "beta n" };
        Claim {
            source: SOURCE,
            expected: format!("Convex-Lasso's accuracies ({scale}; within {NEAR} on both sides)."),
            found: format!(
                "within on {} of {of}; above: {}; below: {}.",
                of - above.len() - below.len(),
                listed(&above, ", "),
                listed(&below, ", ")
            ),
            verdict: match of == SETS.len() {
                true if above.is_empty() && below.is_empty() => Verdict::Reproduced,
                true if below.is_empty() => Verdict::Better,
                true => Verdict::NotReproduced,
                false => Verdict::Measured,
            },
        }
    }

    /// Differences that want an explanation, and what speaks for one.
    fn differences(&self) -> Claim {
        let noted = |row: &&Row<'_>| apart(row, Method::Lasso).abs() > NOTED;
        let texts: Vec<String> = self.rows.iter().filter(noted).map(explained).collect();
        Claim {
            source: SOURCE,
            expected: format!(
                "(differences of `lasso` of more than {NOTED}, and why; chance: at most two standard errors, for \
                 printed means over {SEEDS} seeds)."
            ),
            found: format!("{}.", listed(&texts, "; ")),
            verdict: Verdict::Measured,
        }
    }

    fn against_heuristics(&self) -> [Claim; 2] {
        let of = self.rows.len();
        let full = self.context.scale == Scale::Full;
        // A verdict needs all sets, and the full training of the heuristics.
        let claim = |expected: &str, least: usize, holds: &dyn Fn(&Row<'_>) -> bool| {
            let fails = self.rows.iter().filter(|row| !holds(row)).map(|row| row.set.name);
            let fails: Vec<String> = fails.map(String::from).collect();
            let count = of - fails.len();
            Claim {
                source: SOURCE,
                expected: expected.into(),
                found: format!("on {count} of {of}; not: {}.", listed(&fails, ", ")),
                verdict: match of == SETS.len() && full {
                    true => Verdict::of(count >= least),
                    false => Verdict::Measured,
                },
            }
        };
        let seconds = |row: &Row<'_>, method| row.mean(method, "train_seconds").mean;
        [
            claim(
                "Convex-Lasso is at least as accurate as all four heuristics on 9 of 13.",
                9,
                &|row| HEURISTICS.iter().all(|h| row.difference(Method::Lasso, *h) >= 0.0),
            ),
            claim("Convex-Lasso is faster than all four heuristics on 11 of 13.", 11, &|row| {
                HEURISTICS.iter().all(|h| seconds(row, Method::Lasso) <= seconds(row, *h))
            }),
        ]
    }

    /// The heuristics against their printed numbers.
    fn heuristics(&self) -> Claim {
        let cells: Vec<f64> =
            self.rows.iter().flat_map(|row| HEURISTICS.map(|h| apart(row, h))).collect();
        let count = |which: &dyn Fn(f64) -> bool| cells.iter().filter(|a| which(**a)).count();
        let why = match self.context.scale {
            Scale::Full => "",
            _ => {
                ". They are trained for a fraction of the printed epochs here, and nothing is tuned: `--full table` \
                  does both"
            }
        };
        Claim {
            source: SOURCE,
            expected: format!("the heuristics' accuracies (within {NEAR} on both sides)."),
            found: format!(
                "within on {} of {}; above on {}, below on {}{why}.",
                count(&|a| a.abs() <= NEAR),
                cells.len(),
                count(&|a| a > NEAR),
                count(&|a| a < -NEAR)
            ),
            verdict: Verdict::Measured,
        }
    }

    /// New splits beside those that were in view.
    fn seen(&self) -> Option<Claim> {
        let rows: Vec<&Row<'_>> =
            self.rows.iter().filter(|row| !row.accuracy(Method::Seen).is_nan()).collect();
        let mean = |of: &dyn Fn(&Row<'_>) -> f64| {
            rows.iter().map(|row| of(row)).sum::<f64>() / rows.len() as f64
        };
        (!rows.is_empty()).then(|| Claim {
            source: SOURCE,
            expected: "(hardlim without flags on new splits, and on splits that were in view).".into(),
            found: format!(
                "means over {} sets: {} on new splits, {} on those in view; `lasso` {}, the best printed {}.",
                rows.len(),
                part(mean(&|row| row.accuracy(Method::Default))),
                part(mean(&|row| row.accuracy(Method::Seen))),
                part(mean(&|row| row.accuracy(Method::Lasso))),
                part(mean(&|row| row.best_printed()))
            ),
            verdict: Verdict::Measured,
        })
    }
}

/// The difference of a column from its printed accuracy, or from the printed Convex-Lasso.
fn apart(row: &Row<'_>, method: Method) -> f64 {
    row.accuracy(method) - row.printed(method).unwrap_or(row.set.accuracy[0])
}

/// A difference, and the first of these that speaks for an explanation: chance; the scale of `β`; a grid
/// that ends too early; heuristics that differ in the same way.
fn explained(row: &Row<'_>) -> String {
    let difference = apart(row, Method::Lasso);
    let chance = |mean: f64, error: f64| {
        let error = (row.set.deviation.powi(2) / SEEDS + error.powi(2)).sqrt();
        (mean - row.set.accuracy[0]).abs() <= 2.0 * error
    };
    let [plain, other] = [Method::Lasso, Method::LassoMean].map(|m| row.mean(m, "test_accuracy"));
    let best = (AROUND.iter().zip(row.around()))
        .reduce(|a, b| if b.1.mean > a.1.mean { b } else { a })
        .expect("there are strengths");
    let others = HEURISTICS.map(|h| apart(row, h));
    let alike = others.iter().all(|other| other * difference > 0.0 && other.abs() > NOTED);
    let error = |mean: f64| if mean.is_nan() { 0.0 } else { mean };
    let why = if chance(plain.mean, error(plain.error)) {
        "chance".into()
    } else if chance(other.mean, error(other.error)) {
        format!("gone with beta n ({:+.3})", apart(row, Method::LassoMean))
    } else if *best.0 > BETAS[0] && chance(best.1.mean, error(best.1.error)) {
        format!("the grid ends at {}; {} gives {}", BETAS[0], best.0, part(best.1.mean))
    } else if alike {
        format!(
            "the heuristics differ from their printed numbers alike, by {:+.3} on average: other rows or splits than \
             the paper's, but we cannot see which",
            others.iter().sum::<f64>() / others.len() as f64
        )
    } else {
        "unexplained".into()
    };
    format!("{} {difference:+.3}: {why}", row.set.name)
}

/// Items in a line; "none" if there are none.
fn listed(items: &[String], separator: &str) -> String {
    if items.is_empty() { "none".into() } else { items.join(separator) }
}
