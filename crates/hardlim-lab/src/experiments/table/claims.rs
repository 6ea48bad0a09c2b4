//! The claims of the paper about the table, and our results.

use super::difference::{NEAR, NOTED, SEEDS};
use super::method::Effort;
use super::outcome::{Row, TableOutcome};
use super::{Method, Reading};
use crate::experiments::experiment::Scale;
use crate::experiments::report::{Claim, Verdict, listed, part, short};
use crate::experiments::sets::SETS;

/// It is also shown how many differences are within this one.
const NEARER: f64 = 0.015;
const SOURCE: &str = "Table UCI_experiments";

impl TableOutcome<'_> {
    pub(super) fn claims(&self) -> Vec<Claim> {
        let of = self.rows.len();
        let printed: f64 = self.rows.iter().map(|row| row.set.seconds[0]).sum();
        let [train, select] = ["train_seconds", "select_seconds"].map(|field| {
            short(self.rows.iter().map(|row| row.mean(Method::LASSO, field).mean).sum())
        });
        let mut claims = vec![measured(
            format!("Convex-Lasso trains all {of} sets in {} s.", short(printed)),
            format!(
                "{train} s, and {select} s for the choice of the strength before it, on this \
                 machine."
            ),
        )];
        claims.extend(Reading::ALL.map(|reading| self.near(reading)));
        claims.push(self.any());
        claims.push(self.explained());
        claims.extend(self.against_heuristics());
        claims.push(self.heuristics());
        claims.extend(self.seen());
        claims
    }

    /// Some sets with a difference from a printed number.
    fn list(&self, apart: impl Fn(&Row<'_>) -> f64, which: impl Fn(f64) -> bool) -> Vec<String> {
        (self.rows.iter())
            .map(|row| (row.set.name, apart(row)))
            .filter(|(_, apart)| which(*apart))
            .map(|(name, apart)| format!("{name} {apart:+.3}"))
            .collect()
    }

    fn near(&self, reading: Reading) -> Claim {
        let apart = |row: &Row<'_>| row.apart(Method::Lasso(reading));
        let (above, below) = (self.list(apart, |a| a > NEAR), self.list(apart, |a| a < -NEAR));
        let within = |most: f64| self.list(apart, |apart| apart.abs() <= most).len();
        let of = self.rows.len();
        let beta = if reading.mean { "beta n" } else { "beta" };
        let bias = if reading.bias { "with biases" } else { "without biases" };
        Claim {
            source: SOURCE,
            expected: format!(
                "Convex-Lasso's accuracies, read as `{}` ({beta}, neurons {bias}); all within \
                 {NEAR} is reproduced, none below but some above is better.",
                reading.name()
            ),
            found: format!(
                "within {NEAR} on both sides on {} of {of}, within {NEARER} on {}, within {NOTED} \
                 on {}; more than {NEAR} above: {}; below: {}.",
                of - above.len() - below.len(),
                within(NEARER),
                within(NOTED),
                listed(&above, ", "),
                listed(&below, ", ")
            ),
            verdict: match (of == SETS.len(), above.is_empty(), below.is_empty()) {
                (false, ..) => Verdict::Measured,
                (_, _, false) => Verdict::NotReproduced,
                (_, true, _) => Verdict::Reproduced,
                (_, false, _) => Verdict::Better,
            },
        }
    }

    /// On which sets some reading agrees. It is chosen with the printed number in view, so it
    /// proves nothing.
    fn any(&self) -> Claim {
        let least = |row: &Row<'_>| {
            let all = Reading::ALL.map(|reading| row.apart(Method::Lasso(reading)));
            all.into_iter().reduce(|a, b| if b.abs() < a.abs() { b } else { a }).expect("readings")
        };
        let (never, of) = (self.list(least, |apart| apart.abs() > NEAR), self.rows.len());
        measured(
            "(the nearest of the four readings, chosen for each set with the printed number in \
             view).",
            format!(
                "within {NEAR} on {} of {of}; not: {}.",
                of - never.len(),
                listed(&never, ", ")
            ),
        )
    }

    /// Differences that want an explanation, and what speaks for one.
    fn explained(&self) -> Claim {
        let noted = |row: &&Row<'_>| row.apart(Method::LASSO).abs() > NOTED;
        let text = |row: &Row<'_>| {
            format!("{} {:+.3}: {}", row.set.name, row.apart(Method::LASSO), row.explanation())
        };
        let texts: Vec<String> = self.rows.iter().filter(noted).map(text).collect();
        measured(
            format!(
                "(differences of `lasso` of more than {NOTED}, and what could explain them: \
                 chance, at most two standard errors, if printed means are over {SEEDS} seeds; \
                 another reading, if it changes the same splits by more than two standard errors, \
                 to within {NOTED}; a strength that comes within {NOTED} on every split, of the \
                 grid, between or beyond)."
            ),
            format!("{}.", listed(&texts, ". ")),
        )
    }

    fn against_heuristics(&self) -> [Claim; 2] {
        let of = self.rows.len();
        // A verdict needs all sets, and the full training of the heuristics.
        let decides = of == SETS.len() && self.context.scale == Scale::Full;
        let claim =
            |expected: &str, found: &str, least: usize, holds: &dyn Fn(&Row<'_>) -> bool| {
                let fails = self.rows.iter().filter(|row| !holds(row)).map(|row| row.set.name);
                let fails: Vec<String> = fails.map(String::from).collect();
                let count = of - fails.len();
                let found = format!("{found} on {count} of {of}; not: {}.", listed(&fails, ", "));
                let verdict = if decides { Verdict::of(count >= least) } else { Verdict::Measured };
                Claim { source: SOURCE, expected: expected.into(), found, verdict }
            };
        let seconds = |row: &Row<'_>, method| row.mean(method, "train_seconds").mean;
        let Effort { few, epochs, .. } = Effort::new(self.context, &SETS[SETS.len() - 1]);
        let all = |holds: &dyn Fn(Method) -> bool| Method::HEURISTICS.into_iter().all(holds);
        [
            claim(
                "Convex-Lasso is at least as accurate as all four heuristics on 9 of 13.",
                &format!("on {few} split(s) that all have, ties counted,"),
                9,
                &|row| all(&|h| row.difference(Method::LASSO, h).mean >= 0.0),
            ),
            claim(
                "Convex-Lasso is faster than all four heuristics on 11 of 13.",
                &format!(
                    "without the choice of the strength, against {epochs} epoch(s) (fewer on \
                     images),"
                ),
                11,
                &|row| all(&|h| seconds(row, Method::LASSO) <= seconds(row, h)),
            ),
        ]
    }

    fn heuristics(&self) -> Claim {
        let cells: Vec<f64> =
            self.rows.iter().flat_map(|row| Method::HEURISTICS.map(|h| row.apart(h))).collect();
        let count = |which: &dyn Fn(f64) -> bool| cells.iter().filter(|a| which(**a)).count();
        let why = match self.context.scale {
            Scale::Full => "",
            _ => {
                ". They are trained for a fraction of the printed epochs here, and nothing is \
                 tuned: `--full table` does both"
            }
        };
        measured(
            format!("the heuristics' accuracies (within {NEAR} on both sides)."),
            format!(
                "within on {} of {}; above on {}, below on {}{why}.",
                count(&|a| a.abs() <= NEAR),
                cells.len(),
                count(&|a| a > NEAR),
                count(&|a| a < -NEAR)
            ),
        )
    }

    fn seen(&self) -> Option<Claim> {
        let seen = |row: &&Row<'_>| !row.accuracy(Method::Seen).is_nan();
        let rows: Vec<&Row<'_>> = self.rows.iter().filter(seen).collect();
        let mean = |of: &dyn Fn(&Row<'_>) -> f64| {
            part(rows.iter().map(|row| of(row)).sum::<f64>() / rows.len() as f64)
        };
        let [new, seen, lasso] = [Method::Default, Method::Seen, Method::LASSO]
            .map(|method| mean(&|row| row.accuracy(method)));
        let printed = mean(&|row| row.best_printed());
        let claim = measured(
            "(hardlim without flags on new splits, and on splits that were in view).",
            format!(
                "means over {} sets: {new} on new splits, {seen} on those in view; `lasso` \
                 {lasso}, the best printed {printed}.",
                rows.len()
            ),
        );
        (!rows.is_empty()).then_some(claim)
    }
}

/// A measurement beside what is known of it.
fn measured(expected: impl Into<String>, found: String) -> Claim {
    Claim { source: SOURCE, expected: expected.into(), found, verdict: Verdict::Measured }
}
