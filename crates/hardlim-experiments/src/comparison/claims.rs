//! The claims of the paper about a comparison, and our results.

use super::outcome::{Draw, Method, Outcome, Setting};
use super::{Convex, Shape};
use crate::experiment::number;
use crate::report::{Claim, Verdict, short};
use crate::samples::closed_form;
use crate::statistics::Shown;

impl Outcome<'_> {
    pub(super) fn claims(&self) -> Vec<Claim> {
        let source = self.comparison.source;
        let each = |text: &dyn Fn(&Setting<'_>) -> String| -> String {
            let parts: Vec<String> =
                self.sets.iter().map(|set| format!("{}: {}", set.name(), text(set))).collect();
            parts.join("; ") + "."
        };
        let always = |holds: &dyn Fn(&Draw<'_>) -> bool| {
            self.sets.iter().flat_map(|set| &set.draws).all(holds)
        };
        let against = |ours: &dyn Fn(&Draw<'_>) -> f64| {
            each(&|set| {
                let below = set.draws.iter().filter(|draw| ours(draw) <= draw.lowest() + 1e-9);
                format!(
                    "{} against {}, {} of {} draws",
                    short(mean(set, ours)),
                    short(mean(set, &|draw| draw.lowest())),
                    below.count(),
                    set.draws.len()
                )
            })
        };
        let mut claims = vec![Claim {
            source,
            expected:
                "the convex program is below every heuristic from every start (here: at or below \
                       1e-9, as trained and rescaled), in every setting and on every draw."
                    .into(),
            found: against(&|draw| draw.ours()),
            verdict: Verdict::of(always(&|draw| draw.ours() <= draw.lowest() + 1e-9)),
        }];
        if self.comparison.shape == Shape::Two {
            let lasso = |draw: &Draw<'_>| number(draw.convex[0].1, "objective");
            claims.push(Claim {
                source,
                expected:
                    "Convex-Lasso on as many sampled patterns as neurons is below every heuristic."
                        .into(),
                found: against(&lasso),
                verdict: Verdict::of(always(&|draw| lasso(draw) <= draw.lowest() + 1e-9)),
            });
            claims.push(Claim {
                source: "Section experiment_two_layer",
                expected: "solving for a sample \"still performs extremely well\".".into(),
                found: "the sample's optimum, as a multiple of that over all patterns: ".to_owned()
                    + &each(&|set| short(mean(set, &|draw| lasso(draw) / draw.ours()))),
                verdict: Verdict::Corrected,
            });
        }
        claims.extend(self.closed_form());
        claims.extend(self.sets.iter().map(|set| self.generalises(set)));
        if self.comparison.shape == Shape::Two {
            claims.extend(self.sets.iter().map(exact));
        }
        claims
    }

    /// The optimum where every dichotomy is a pattern.
    fn closed_form(&self) -> Option<Claim> {
        let complete =
            |set: &&Setting<'_>| set.draws[0].convex.iter().any(|(m, _)| *m == Convex::Pi);
        let sets: Vec<&Setting<'_>> = self.sets.iter().filter(complete).collect();
        let draws: Vec<(&Setting<'_>, &Draw<'_>)> =
            sets.iter().flat_map(|set| set.draws.iter().map(move |draw| (*set, draw))).collect();
        let error = |(set, draw): &(&Setting<'_>, &Draw<'_>)| {
            let count = |field| number(draw.convex[0].1, field) as usize;
            let beta = set.strength.beta(set.n);
            (draw.ours() - closed_form(beta, (count("fewer"), count("more")))).abs()
        };
        let largest = draws.iter().map(error).fold(0.0, f64::max);
        let neurons = (draws.iter().flat_map(|(_, draw)| &draw.convex))
            .filter(|(method, _)| *method == Convex::Pi)
            .map(|(_, record)| number(record, "neurons"))
            .fold(0.0, f64::max);
        (!draws.is_empty()).then(|| Claim {
            source: "Theorem equivalence",
            expected: "the optimum is 2β − (β²/2)(1/n₊ + 1/n₋) (to 1e-8), with two neurons.".into(),
            found: format!(
                "largest difference {largest:.1e} in {} setting(s) and {} problems; at most {neurons} neurons.",
                sets.len(),
                draws.len()
            ),
            verdict: Verdict::of(largest <= 1e-8 && neurons <= 2.0),
        })
    }

    /// Which method is better on new samples.
    fn generalises(&self, set: &Setting<'_>) -> Claim {
        let shown = set.shown(self.comparison.shape);
        let ours = set.best_on_test(shown).expect("there are convex methods");
        let theirs = set.best_on_test(set.heuristics()).expect("there are heuristics");
        let (found, shown) = compared(set, ours, theirs);
        Claim {
            source: self.comparison.source,
            expected: format!(
                "{}: {} generalises better.",
                set.name(),
                if set.convex_wins { "convex training" } else { "the best heuristic" }
            ),
            found,
            verdict: match (shown, set.convex_wins) {
                (Shown::Nothing, _) => Verdict::Undecided,
                (Shown::Better, wins) => Verdict::of(wins),
                (Shown::Worse, wins) => Verdict::of(!wins),
            },
        }
    }
}

/// The methods that solve for all patterns, which the paper's two-layer figures do not show.
fn exact(set: &Setting<'_>) -> Claim {
    let others = (1..set.draws[0].convex.len()).map(Method::Convex);
    let ours = set.best_on_test(others).expect("a method beside Convex-Lasso");
    let theirs = set.best_on_test(set.heuristics()).expect("there are heuristics");
    Claim {
        source: "Section experiment_two_layer",
        expected: format!("{}: (not shown) the optimum over all patterns.", set.name()),
        found: compared(set, ours, theirs).0,
        verdict: Verdict::Measured,
    }
}

fn compared(set: &Setting<'_>, ours: Method, theirs: Method) -> (String, Shown) {
    let difference = set.difference(ours, theirs);
    let test =
        |method| format!("{} ({})", set.mean(method, "test_accuracy"), set.method_name(method));
    let found = format!(
        "test accuracy {} against {}; draw by draw {}.",
        test(ours),
        test(theirs),
        difference.sentence()
    );
    (found, difference.shown())
}

/// The mean of a number over the draws.
fn mean(set: &Setting<'_>, of: &dyn Fn(&Draw<'_>) -> f64) -> f64 {
    set.draws.iter().map(of).sum::<f64>() / set.draws.len() as f64
}
