//! Rows on which an ONNX model is checked: the rows of a table, their neighbours on both sides of
//! every hyperplane, and random rows. All of them could be rows of a table.
//!
//! A neighbour of a row is found by changing as few fields as possible, one at a time. We change
//! the first field that alone can change the neuron's answer. If there is none, we change the
//! fields that move the sum furthest, until one field is enough. The two rows before and after the
//! last change differ in one field: by a label, by one step of the grid, or, without a grid, by
//! `±10⁻⁹` of the sizes of all terms. That is far more than a rounding error.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::exact;
use crate::arrangement::Hyperplane;
use crate::data::Features;
use crate::error::Error;
use crate::export::{Answer, Circuit, Counts, Replay};
use crate::model::Model;
use crate::pattern::threshold::activates;
use crate::table::out_of_range;
use crate::table::{Coding, Kind};

/// Half the distance of neighbours, as a fraction of the sizes of all terms.
const MARGIN: f64 = 1e-9;
/// The range of the numbers in random rows, if neither a table nor a grid gives one.
const RANGE: f64 = 1000.0;

/// Where a row comes from, by its number in the file for the check.
#[derive(Debug, Clone, Copy)]
enum Origin {
    Table,
    Boundary,
    Random,
}

/// Rows of features, and the origin of each.
struct CheckRows {
    values: Vec<f64>,
    dimension: usize,
    origins: Vec<Origin>,
    counts: Counts,
}

/// A column of the table: its features, of which at most one is one if it holds labels.
#[derive(Debug, Clone, Copy)]
struct Column {
    at: usize,
    width: usize,
    /// The bounds of a number, and the step of its grid.
    number: Option<(f64, f64, Option<f64>)>,
}

/// The rows to replay a model on, and its answers, as the check reads them; and the number of rows
/// of each kind. Each row has the features, the outputs, the index of the class (0 for a number)
/// and its origin (0 table, 1 beside a hyperplane, 2 random). All of them are little-endian
/// doubles.
///
/// # Errors
/// When a number is out of range.
pub fn check_rows(model: &Model, replay: &Replay<'_>) -> Result<(Vec<u8>, Counts), Error> {
    let rows = CheckRows::of(model, replay);
    Ok((rows.bytes(model)?, rows.counts))
}

impl CheckRows {
    fn of(model: &Model, replay: &Replay<'_>) -> Self {
        let coding = model.coding();
        let dimension = coding.dimension();
        let distinct = replay.features.map(|features| features.clone().merge().0);
        let circuit = exact(model);
        let columns = columns(coding, circuit.as_ref(), distinct.as_ref());
        let mut rows =
            Self { values: Vec::new(), dimension, origins: Vec::new(), counts: Counts::default() };
        let table: Vec<&[f64]> =
            distinct.iter().flat_map(|all| (0..all.rows()).map(|i| all.row(i))).collect();
        table.iter().for_each(|row| rows.push(Origin::Table, row));
        rows.counts.rows = table.len();
        // If there is a grid, neighbours and random rows lie on it: there the model and its
        // integers agree.
        let on_grid = |row: &&[f64]| -> Vec<f64> {
            match &circuit {
                None => row.to_vec(),
                Some(circuit) => (circuit.inputs.iter().zip(*row))
                    .map(|(input, &x)| input.value(input.integer(x)))
                    .collect(),
            }
        };
        let table: Vec<Vec<f64>> = table.iter().map(on_grid).collect();
        let planes: Vec<Hyperplane> = (model.networks())
            .flat_map(|network| &network.layers()[0].neurons)
            .map(|neuron| neuron.hyperplane(dimension))
            .collect();
        for row in replay.centres(&table, planes.len()) {
            rows.counts.neighbourhoods += 1;
            for plane in &planes {
                match neighbours(&columns, plane, row) {
                    None => rows.counts.without += 1,
                    Some(pair) => {
                        rows.counts.pairs += 1;
                        pair.iter().for_each(|side| rows.push(Origin::Boundary, side));
                    }
                }
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(replay.seed);
        for k in 0..replay.random {
            // Half of them are rows with some fields replaced; the other half are far from all
            // rows.
            let (mut row, part) = match table.get(k % table.len().max(1)) {
                Some(row) if k % 2 == 0 => (row.clone(), 0.25),
                _ => (vec![0.0; dimension], 1.0),
            };
            for column in &columns {
                if rng.random_bool(part) {
                    column.draw(&mut row, &mut rng);
                }
            }
            rows.push(Origin::Random, &row);
        }
        rows.counts.random = replay.random;
        rows
    }

    fn push(&mut self, origin: Origin, row: &[f64]) {
        self.values.extend_from_slice(row);
        self.origins.push(origin);
    }

    fn bytes(&self, model: &Model) -> Result<Vec<u8>, Error> {
        let coding = model.coding();
        let features = Features::new(self.origins.len(), self.dimension, self.values.clone())?;
        let features = coding.rounded(features);
        let outputs: Vec<Vec<f64>> =
            model.networks().map(|network| network.output(&features)).collect();
        let answer = Answer::of(coding.target());
        let mut bytes = Vec::new();
        let mut write = |value: f64| bytes.extend_from_slice(&value.to_le_bytes());
        for (i, origin) in self.origins.iter().enumerate() {
            features.row(i).iter().for_each(|&x| write(x));
            let outputs: Vec<f64> = outputs.iter().map(|output| output[i]).collect();
            outputs.iter().for_each(|&u| write(u));
            write(answer.class_of_outputs(&outputs) as f64);
            write(f64::from(*origin as u8));
        }
        Ok(bytes)
    }
}

/// The columns of a model's table. Numbers go beyond the range of the rows by half of it.
fn columns(coding: &Coding, circuit: Option<&Circuit>, rows: Option<&Features>) -> Vec<Column> {
    let mut at = 0;
    (coding.columns().iter())
        .map(|column| {
            let (start, width) = (at, column.width());
            at += width;
            if let Kind::Category { .. } = column.kind {
                return Column { at: start, width, number: None };
            }
            let values = rows.iter().flat_map(|all| (0..all.rows()).map(|i| all.row(i)[start]));
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            let room = 0.5 * (high - low).max(1e-6 * high.abs());
            let bounds = if low <= high { (low - room, high + room) } else { (-RANGE, RANGE) };
            let number = match circuit.map(|circuit| &circuit.inputs[start]) {
                None => (bounds.0, bounds.1, None),
                Some(input) => {
                    let whole = |x: f64| input.value(input.integer(x));
                    (whole(bounds.0), whole(bounds.1), Some(input.value(1) - input.value(0)))
                }
            };
            Column { at: start, width, number: Some(number) }
        })
        .collect()
}

impl Column {
    fn draw(&self, row: &mut [f64], rng: &mut ChaCha8Rng) {
        let Some((least, most, step)) = self.number else {
            return self.label(row, rng.random_range(self.at..=self.at + self.width));
        };
        let x = rng.random_range(0.0..=1.0) * (most - least) + least;
        let x = step.map_or(x, |step| (x / step).round() * step);
        row[self.at] = if out_of_range(x).is_some() { 0.0 } else { x };
    }

    /// Sets the label to the one of this feature; beyond the last feature, to the label without
    /// one.
    fn label(&self, row: &mut [f64], feature: usize) {
        for (k, x) in row[self.at..self.at + self.width].iter_mut().enumerate() {
            *x = f64::from(u8::from(self.at + k == feature));
        }
    }

    /// The row whose field moves the sum furthest down, or up, and by how much.
    fn furthest(&self, plane: &Hyperplane, row: &[f64], up: bool) -> (f64, Vec<f64>) {
        let (at, end) = (self.at, self.at + self.width);
        let mut candidates = Vec::new();
        match self.number {
            Some((least, most, _)) => {
                for bound in [least, most] {
                    let mut moved = row.to_vec();
                    moved[at] = bound;
                    candidates.push((plane.weights[at] * (bound - row[at]), moved));
                }
            }
            None => {
                let part = |row: &[f64]| (at..end).map(|j| plane.weights[j] * row[j]).sum();
                let before: f64 = part(row);
                for feature in at..=end {
                    let mut moved = row.to_vec();
                    self.label(&mut moved, feature);
                    candidates.push((part(&moved) - before, moved));
                }
            }
        }
        let sign = if up { 1.0 } else { -1.0 };
        let best = candidates.into_iter().map(|(by, row)| (by * sign, row));
        best.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a column has two states")
    }

    /// Two rows that differ only in this field and are on different sides.
    fn cross(&self, plane: &Hyperplane, row: &[f64]) -> Option<[Vec<f64>; 2]> {
        let fires = |row: &[f64]| activates(row, &plane.weights, plane.bias);
        let on = fires(row);
        let Some((least, most, step)) = self.number else {
            let (_, moved) = self.furthest(plane, row, !on);
            return (fires(&moved) != on).then(|| [row.to_vec(), moved]);
        };
        let w = plane.weights[self.at];
        let terms = || row.iter().zip(&plane.weights).map(|(x, w)| x * w);
        let sum = plane.bias + terms().sum::<f64>();
        let crossing = row[self.at] - sum / w;
        let sizes = plane.bias.abs() + terms().map(f64::abs).sum::<f64>() + (w * crossing).abs();
        let with = |x: f64| {
            let mut moved = row.to_vec();
            moved[self.at] = x;
            moved
        };
        let sides: Vec<(f64, f64)> = match step {
            Some(step) => {
                let below = (crossing / step).floor();
                let pair = |k: f64| ((below + k) * step, (below + k + 1.0) * step);
                [0.0, -1.0, 1.0].map(pair).to_vec()
            }
            None => {
                let by = MARGIN * sizes / w.abs();
                vec![(crossing - by, crossing + by)]
            }
        };
        let inside = |x: f64| (least..=most).contains(&x) && out_of_range(x).is_none();
        (sides.into_iter())
            .filter(|&(a, b)| inside(a) && inside(b))
            .map(|(a, b)| [with(a), with(b)])
            .find(|[a, b]| fires(a) != fires(b))
    }

    fn reads(&self, plane: &Hyperplane) -> bool {
        plane.weights[self.at..self.at + self.width].iter().any(|w| *w != 0.0)
    }
}

/// Two rows near `row`, on different sides of the hyperplane.
fn neighbours(columns: &[Column], plane: &Hyperplane, row: &[f64]) -> Option<[Vec<f64>; 2]> {
    let on = activates(row, &plane.weights, plane.bias);
    let mut row = row.to_vec();
    let mut order: Vec<(f64, &Column)> = (columns.iter())
        .filter(|column| column.reads(plane))
        .map(|column| (column.furthest(plane, &row, !on).0, column))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    for i in 0..order.len() {
        if let Some(pair) = order[i..].iter().find_map(|(_, column)| column.cross(plane, &row)) {
            return Some(pair);
        }
        row = order[i].1.furthest(plane, &row, !on).1;
    }
    None
}
