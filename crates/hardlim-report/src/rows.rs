//! Rows of the data to start from in the page.

use hardlim::explain::variables::Variable;
use serde::Serialize;
use serde_json::{Value, json};

use crate::quality::Quality;
use crate::subject::Subject;

/// About how many bytes the rows may take.
const BYTES: usize = 60_000;
/// The most rows besides wrong answers.
const ROWS: usize = 120;
/// The least number of rows, however long they are.
const FEW: usize = 3;

#[derive(Debug, Serialize)]
pub(crate) struct Sample {
    row: u64,
    /// The target: a number, or the index of a class.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<f64>,
    /// For each variable its number (none if it is missing) or the place of its state.
    cells: Vec<Value>,
    /// The outputs of the networks: the page must find the same.
    outputs: Vec<f64>,
}

/// Some rows, evenly spread, and those with wrong answers; in the order of the data.
pub(crate) fn samples(
    subject: &Subject<'_>,
    variables: &[Variable],
    outputs: &[Vec<f64>],
    quality: Option<&Quality>,
) -> Vec<Sample> {
    let rows = subject.features.rows();
    let spread = (0..rows.min(ROWS)).map(|k| k * rows / rows.min(ROWS));
    let wrong = quality.iter().flat_map(|quality| quality.errors.iter().map(|e| e.place));
    // The first rows come first, so that they are there if only a few are.
    let wanted: Vec<usize> = (0..rows.min(FEW)).chain(wrong).chain(spread).collect();
    let mut chosen: Vec<(usize, Sample)> = Vec::new();
    let mut bytes = 0;
    for place in wanted {
        if chosen.iter().any(|(known, _)| *known == place) {
            continue;
        }
        let sample = sample(subject, variables, outputs, place);
        bytes += serde_json::to_string(&sample).map_or(0, |text| text.len());
        if bytes > BYTES && chosen.len() >= FEW {
            break;
        }
        chosen.push((place, sample));
    }
    chosen.sort_by_key(|(place, _)| *place);
    chosen.into_iter().map(|(_, sample)| sample).collect()
}

fn sample(
    subject: &Subject<'_>,
    variables: &[Variable],
    outputs: &[Vec<f64>],
    place: usize,
) -> Sample {
    let x = subject.features.row(place);
    let cell = |variable: &Variable| match (variable.state(x), variable.number(x)) {
        (Some(state), _) => json!(state),
        (_, Some(v)) if v.fract() == 0.0 && v.abs() < 1e15 => json!(v as i64),
        (_, number) => json!(number),
    };
    let several = subject.model.several_classes().is_some();
    let number = subject.model.coding().target().classes().is_none();
    let target = |y: f64| if several || number { y } else { f64::from(u8::from(y > 0.0)) };
    Sample {
        row: subject.numbers[place],
        target: subject.targets.as_ref().map(|y| target(y[place])),
        cells: variables.iter().map(cell).collect(),
        outputs: outputs.iter().map(|list| list[place]).collect(),
    }
}
