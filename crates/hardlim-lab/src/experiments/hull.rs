//! The convex sets behind the norm, `Conv{±d_j}` for the points −1, 0, 1: two layers, and three
//! with two neurons below the last (the paper's worked example); and for two points beside three.

use std::collections::BTreeSet;

use hardlim::Error;
use hardlim::arrangement::Arrangement;
use hardlim::data::Features;
use hardlim::pattern::PatternMatrix;
use hardlim_plot::{Figure, hull};
use serde_json::{Value, json};

use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::report::{Claim, Report, Verdict};

/// One hull: the number of points, of layers, and of patterns.
type Case = (usize, usize, usize);

/// Three points with two layers and with three, as in the example; and two points.
const CASES: [Case; 3] = [(3, 2, 6), (3, 3, 8), (2, 2, 4)];
const LIMIT: u128 = 1000;

pub(crate) const HULL: Experiment = Experiment {
    id: "hull",
    title: "The patterns of three points, and their hull",
    trials,
    report,
};

fn key((points, layers, _): Case) -> String {
    format!("points{points}/layers{layers}")
}

/// The patterns of the first of the points −1, 0, 1, as words of zeros and ones.
fn compute((points, layers, _): Case) -> Result<Value, Error> {
    let x = Features::new(points, 1, (0..points).map(|i| i as f64 - 1.0).collect())?;
    let arrangement = Arrangement::of(&x);
    let patterns = match layers {
        2 => arrangement.listing(LIMIT)?.patterns()?,
        _ => arrangement.deep(&[2], false, LIMIT)?.patterns,
    };
    let word = |j: usize| -> String {
        patterns.pattern(j).iter().map(|on| if on { '1' } else { '0' }).collect()
    };
    let words: BTreeSet<String> = (0..patterns.patterns()).map(word).collect();
    Ok(json!({ "patterns": words }))
}

/// The hulls of two cases, side by side.
fn figure(records: &Records, cases: [Case; 2], title: fn(Case) -> String) -> Figure {
    let panels = cases.map(|case| {
        let words = words(records, case);
        let mut patterns = PatternMatrix::zeros(case.0, words.len());
        for (j, word) in words.iter().enumerate() {
            word.bytes().enumerate().for_each(|(i, bit)| patterns.set(i, j, bit == b'1'));
        }
        (patterns, format!("{}: {} patterns", title(case), words.len()))
    });
    let views = panels.each_ref().map(|(patterns, title)| (patterns, title.clone()));
    hull::figure(&views).expect("two or three points")
}

fn words(records: &Records, case: Case) -> Vec<&str> {
    let words = records.get(&key(case))["patterns"].as_array();
    words.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn trials(_: &Context<'_>) -> Vec<Trial> {
    CASES.map(|case| Trial::new(key(case), 1.0, move |_| compute(case))).into()
}

fn report(_: &Context<'_>, records: &Records) -> Report {
    let [shallow, deep, two] = CASES;
    let count = |case: Case| words(records, case).len();
    let as_said = |cases: [Case; 2]| cases.iter().all(|case| count(*case) == case.2);
    let depths = figure(records, [shallow, deep], |case| format!("{} layers", case.1));
    let sizes = figure(records, [two, shallow], |case| format!("n = {}", case.0));
    let claims = vec![
        Claim {
            source: "Example 3.1, Figure output_space",
            expected: "6 patterns with two layers, all 8 with two neurons below the last.".into(),
            found: format!("{} and {}.", count(shallow), count(deep)),
            verdict: Verdict::of(as_said([shallow, deep])),
        },
        Claim {
            source: "Figure output_space_2d_3d",
            expected: "the hulls of n = 2 and n = 3 (the paper does not print their points)."
                .into(),
            found: format!(
                "{} and {} patterns for the points -1, 0 and -1, 0, 1: a hexagon, since every \
                 dichotomy of two points is a pattern, and a body without 010 and 101.",
                count(two),
                count(shallow)
            ),
            verdict: if as_said([two, shallow]) {
                Verdict::Measured
            } else {
                Verdict::NotReproduced
            },
        },
        Claim {
            source: "Example 3.1",
            expected: "000 among the patterns of rows of zeros.".into(),
            found: "possible only with a bias in the second layer: here every layer has one."
                .into(),
            verdict: Verdict::Corrected,
        },
    ];
    Report {
        setup: "All patterns of the points -1, 0, 1 and of the first two of them, listed exactly; \
                the hull of them and their negatives is the unit ball of the norm that weight \
                decay minimises."
            .into(),
        figures: vec![("", depths), ("-n", sizes)],
        claims,
        ..Report::default()
    }
}
