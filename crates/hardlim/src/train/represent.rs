//! The complete program on the answers of fixed first layers.
//!
//! If these answers have full rank on the distinct rows, every dichotomy is a pattern of one more
//! neuron, so all level sets of the complete program's optimum can be realised. The value of the
//! program is a lower bound for every network of every depth, so the gap is only rounding.

use super::Trainer;
use super::tuning::DIRECTIONS;
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Dataset, Features, Scaling};
use crate::error::Error;
use crate::model::VALUES;
use crate::network::recipe::{self, Recipe};
use crate::network::representation::{GAUSSIAN_WIDTH, RandomLayers};
use crate::network::{Cell, Layer, Neuron, Representation, Staircase, Weights, reconstruct};
use crate::pattern::Pattern;

impl Trainer<'_> {
    /// The layers below the output, with a neuron for each cell above the representation.
    pub(super) fn represented(
        &self,
        data: &Dataset,
        cells: Vec<Cell>,
        amplitudes: &[f64],
    ) -> Result<(Recipe, Vec<Layer>), Error> {
        match self.representation {
            Representation::Staircase => self.staircase(data, cells, amplitudes),
            _ => self.random_layers(data, cells),
        }
    }

    /// Random layers, and above them a neuron for each cell.
    fn random_layers(
        &self,
        data: &Dataset,
        cells: Vec<Cell>,
    ) -> Result<(Recipe, Vec<Layer>), Error> {
        let widths = if self.widths.is_empty() { &[GAUSSIAN_WIDTH] } else { self.widths };
        let (seed, standardize) = (self.seed, self.standardize);
        let RandomLayers { layers, answers } = self.draw_layers(data, widths)?;
        let last = reconstruct(
            &Arrangement::with_bias(&answers, self.bias),
            cells,
            if self.weights == Some(Weights::Pi) { Weights::Pi } else { Weights::Svm },
            &Scaling::identity(answers.dimension()),
        )?;
        let layers = layers.into_iter().chain([last]).map(layer).collect();
        Ok((Recipe::Gaussian { widths: widths.to_vec(), seed, standardize }, layers))
    }

    /// Random layers of full rank on the data.
    fn draw_layers(&self, data: &Dataset, widths: &[usize]) -> Result<RandomLayers, Error> {
        let widest = widths.iter().max().map_or(0, |&width| width as u64);
        let below = std::iter::once(data.dimension()).chain(widths.iter().copied());
        let weights = below.zip(widths).fold(0, |sum: u64, (inputs, &width)| {
            sum.saturating_add((inputs as u64).saturating_mul(width as u64))
        });
        // The layer above must fit into the file, too.
        if weights > VALUES as u64 / 2 {
            return Err(Error::TooManyWeights { weights, most: VALUES / 2 });
        }
        // The answers as numbers, and the memory to compute the weights above.
        let each = 4 * 8 * data.distinct().max(1) as u64;
        let bytes = widest.saturating_mul(each);
        if let Some(most) = self.memory.filter(|&memory| bytes > memory) {
            return Err(Error::TooManyPatterns { patterns: widest, bytes, most: most / each });
        }
        RandomLayers::draw(
            &recipe::arrangement(data, self.bias),
            widths,
            &recipe::scaling(data, self.bias, self.standardize),
            &mut recipe::rng(self.seed),
        )
    }

    /// The representation for the data and this number of layers, if the request names none, and
    /// why.
    pub(super) fn pick_representation(
        &self,
        data: &Dataset,
        layers: usize,
    ) -> (Representation, String) {
        let rows = data.distinct();
        let random = format!("random layers of {GAUSSIAN_WIDTH} neurons");
        // A staircase needs biases, and has one layer.
        let only = layers > 3 || !self.bias;
        let few = rows <= GAUSSIAN_WIDTH / 2;
        // The choice depends on the data, not on the available memory.
        let anywhere = Trainer { memory: None, ..*self };
        if only || (few && anywhere.draw_layers(data, &[GAUSSIAN_WIDTH]).is_ok()) {
            return (Representation::Gaussian, format!("on {random} every dichotomy is possible"));
        }
        let why = format!("a staircase, because {random} may have less than rank {rows}");
        (Representation::Staircase, why)
    }

    /// The thresholds that separate the cells along the best direction, and above them a neuron for
    /// each cell.
    fn staircase(
        &self,
        data: &Dataset,
        cells: Vec<Cell>,
        amplitudes: &[f64],
    ) -> Result<(Recipe, Vec<Layer>), Error> {
        let (seed, standardize) = (self.seed, self.standardize);
        let levels = levels(data.distinct(), &cells, amplitudes);
        let stairs = Staircase::shortest(
            data.features(),
            &recipe::scaling(data, true, standardize),
            &levels,
            DIRECTIONS,
            &mut recipe::rng(seed),
        )?;
        let steps = stairs.changes(&levels);
        // Rows between two steps have the same answers, so one of them stands for all.
        let first = [0].into_iter().chain(steps.iter().map(|k| k + 1));
        let places: Vec<usize> = first.filter_map(|k| stairs.order.get(k).copied()).collect();
        let last = match self.weights {
            Some(Weights::Svm) => {
                let on = |cell: Cell| Cell {
                    pattern: Pattern::from_fn(places.len(), |s| cell.pattern.get(places[s])),
                    witness: None,
                };
                let cells = cells.into_iter().map(on).collect();
                let triangle = lower_triangle(places.len());
                let scaling = Scaling::identity(triangle.dimension());
                reconstruct(
                    &Arrangement::with_bias(&triangle, true),
                    cells,
                    Weights::Svm,
                    &scaling,
                )?
                .into_iter()
                .map(Neuron::from)
                .collect()
            }
            _ => cells.iter().map(|cell| first_difference(&cell.pattern, &places)).collect(),
        };
        let thresholds = steps.iter().map(|&k| stairs.hyperplane(k)).collect();
        Ok((
            Recipe::Staircase { seed, standardize },
            vec![layer(thresholds), Layer { neurons: last }],
        ))
    }
}

fn layer(planes: Vec<Hyperplane>) -> Layer {
    Layer { neurons: planes.into_iter().map(Neuron::from).collect() }
}

/// The cells of each row, as one number. Level sets are nested, so the counts on both sides are
/// enough.
fn levels(rows: usize, cells: &[Cell], amplitudes: &[f64]) -> Vec<i64> {
    let mut levels = vec![0; rows];
    for (cell, a) in cells.iter().zip(amplitudes) {
        let step = if *a > 0.0 { 1 } else { -1 };
        for (level, on) in levels.iter_mut().zip(cell.pattern.iter()) {
            *level += step * i64::from(on);
        }
    }
    levels
}

/// The neuron with this pattern on the steps: `Σ (dₖ₊₁ − dₖ) 1{x·w ≥ tₖ} + d₁ − 1 ≥ 0`. The sum is
/// `d − 1` everywhere on a step, also between training rows.
fn first_difference(pattern: &Pattern, places: &[usize]) -> Neuron {
    let on = |k: usize| places.get(k).is_some_and(|&i| pattern.get(i));
    let change = |k: usize| f64::from(i8::from(on(k + 1)) - i8::from(on(k)));
    let (inputs, weights) = (0..places.len().saturating_sub(1))
        .map(|k| (k as u32, change(k)))
        .filter(|(_, w)| *w != 0.0)
        .unzip();
    Neuron { inputs: Some(inputs), weights, bias: f64::from(i8::from(on(0)) - 1) }
}

/// The answers of `steps − 1` thresholds on the steps.
fn lower_triangle(steps: usize) -> Features {
    let columns = steps.saturating_sub(1);
    let values = (0..steps).flat_map(|s| (0..columns).map(move |k| f64::from(u8::from(k < s))));
    Features::new(steps, columns, values.collect()).expect("zeros and ones")
}
