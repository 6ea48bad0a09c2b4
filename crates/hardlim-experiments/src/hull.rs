//! The convex sets behind the norm, `Conv{±d_j}` for the points −1, 0, 1: two layers, and three with
//! two neurons below the last (the paper's worked example).

use hardlim::Error;
use hardlim::arrangement::Arrangement;
use hardlim::data::Features;
use hardlim::pattern::PatternMatrix;
use hardlim_plot::hull;
use serde_json::{Value, json};

use crate::experiment::{Context, Experiment, Records, Trial};
use crate::report::{Claim, Report, Table, Verdict};

/// The number of layers and of patterns in the two panels.
const EXPECTED: [(usize, usize); 2] = [(2, 6), (3, 8)];
const LIMIT: u128 = 1000;

/// The experiment.
pub(crate) struct Hull;

fn list(layers: usize) -> Result<PatternMatrix, Error> {
    let x = Features::new(3, 1, vec![-1.0, 0.0, 1.0])?;
    let arrangement = Arrangement::of(&x);
    match layers {
        2 => arrangement.listing(LIMIT)?.patterns(),
        _ => Ok(arrangement.deep(&[2], false, LIMIT)?.patterns),
    }
}

fn compute(layers: usize) -> Result<Value, Error> {
    let patterns = list(layers)?;
    let mut names: Vec<String> = (0..patterns.patterns())
        .map(|j| patterns.pattern(j).iter().map(|on| if on { '1' } else { '0' }).collect())
        .collect();
    names.sort_unstable();
    Ok(json!({ "patterns": names }))
}

fn names(records: &Records, layers: usize) -> Vec<String> {
    let list = records.get(&layers.to_string())["patterns"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(String::from).collect()
}

impl Experiment for Hull {
    fn id(&self) -> &'static str {
        "hull"
    }

    fn title(&self) -> &'static str {
        "The patterns of three points, and their hull"
    }

    fn trials(&self, _: &Context<'_>) -> Vec<Trial> {
        let trial = |(layers, _): (usize, usize)| {
            Trial::new(layers.to_string(), 1.0, move |_| compute(layers))
        };
        EXPECTED.into_iter().map(trial).collect()
    }

    fn report(&self, _: &Context<'_>, records: &Records) -> Report {
        let mut table = Table::new("layers, pattern");
        let mut panels = Vec::new();
        let mut found = Vec::new();
        for (layers, expected) in EXPECTED {
            let names = names(records, layers);
            for name in &names {
                table.push(vec![layers.to_string(), name.clone()]);
            }
            let mut patterns = PatternMatrix::zeros(3, names.len());
            for (j, name) in names.iter().enumerate() {
                name.bytes().enumerate().for_each(|(i, bit)| patterns.set(i, j, bit == b'1'));
            }
            panels.push((patterns, format!("{layers} layers: {} patterns", names.len())));
            found.push((layers, expected, names.len()));
        }
        let views: Vec<(&PatternMatrix, String)> =
            panels.iter().map(|(patterns, title)| (patterns, title.clone())).collect();
        let figures = hull::figure(&views).map(|figure| ("", figure)).into_iter().collect();
        let claims = vec![
            Claim {
                source: "Example 3.1, Figure output_space",
                expected: "6 patterns with two layers, all 8 with two neurons below the last."
                    .into(),
                found: format!("{} and {}.", found[0].2, found[1].2),
                verdict: Verdict::of(found.iter().all(|(_, expected, count)| expected == count)),
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
            setup: "All patterns of the points -1, 0, 1, listed exactly; the hull of them and their negatives \
                    is the unit ball of the norm that weight decay minimises."
                .into(),
            tables: vec![("", table)],
            figures,
            summary: None,
            claims,
        }
    }
}
