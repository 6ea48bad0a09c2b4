//! The complete program, where every dichotomy is a pattern: of the data themselves, or of the
//! answers of fixed first layers.
//!
//! If these answers have full rank on the distinct rows, every dichotomy is a pattern of one more
//! neuron, so all level sets of the program's optimum can be realised. The value of the program is
//! a lower bound for every network of every depth, so the gap is only rounding.

use super::tuning::DIRECTIONS;
use super::{Proposal, Trainer, Units};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::certificate::{Bound, Price};
use crate::data::{Dataset, Features, Scaling};
use crate::error::Error;
use crate::loss::Loss as _;
use crate::model::VALUES;
use crate::network::recipe::{self, Recipe};
use crate::network::representation::{GAUSSIAN_WIDTH, RandomLayers};
use crate::network::{Cell, Layer, Neuron, Representation, Staircase, Weights, reconstruct};
use crate::pattern::Pattern;
use crate::program::{Beta, CompleteProgram};
use crate::solver::StopReason;

impl Trainer<'_> {
    pub(super) fn beta_max_complete(&self, data: &Dataset) -> f64 {
        let one = Beta::new(1.0).expect("one is positive");
        let program = CompleteProgram::new(data.targets(), self.loss, one);
        program.with_constraints(self.terms.constraints).beta_max()
    }

    pub(super) fn propose_complete(&self, data: &Dataset) -> Result<Proposal, Error> {
        let program = |beta| {
            CompleteProgram::new(data.targets(), self.loss, beta)
                .with_constraints(self.terms.constraints)
        };
        let beta_max = self.beta_max_complete(data);
        let beta = self.strength.beta(beta_max)?;
        let solution = program(beta).solve();
        let dual = self.problem(data, beta).dual_point(program(beta).dual(&solution));
        let (cells, amplitudes): (Vec<_>, Vec<_>) = (solution.level_sets().into_iter())
            .map(|(pattern, a)| (Cell { pattern, witness: None }, a))
            .unzip();
        Ok(Proposal {
            patterns: cells.len(),
            proof: None,
            units: Units::Cells(cells),
            amplitudes,
            offset: solution.offset,
            price: Price {
                value: dual.complete_price(self.terms.constraints),
                bound: Bound::Complete,
            },
            dual,
            recipe: Recipe::Complete,
            beta,
            beta_max,
            beta_max_exact: !self.terms.constraints.intercept || self.loss.is_smooth(),
            stop: StopReason::GapReached,
        })
    }
}

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

    fn random_layers(
        &self,
        data: &Dataset,
        cells: Vec<Cell>,
    ) -> Result<(Recipe, Vec<Layer>), Error> {
        let widths = if self.widths.is_empty() { &[GAUSSIAN_WIDTH] } else { self.widths };
        let (seed, standardize) = (self.seed, self.terms.standardize);
        let RandomLayers { layers, answers } = self.draw_layers(data, widths)?;
        let last = reconstruct(
            &Arrangement::with_bias(&answers, self.terms.bias),
            cells,
            if self.terms.weights == Some(Weights::Pi) { Weights::Pi } else { Weights::Svm },
            &Scaling::identity(answers.dimension()),
        )?;
        let layers = layers.into_iter().chain([last]).map(layer).collect();
        Ok((Recipe::Gaussian { widths: widths.to_vec(), seed, standardize }, layers))
    }

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
        if let Some(most) = self.limits.memory.filter(|&memory| bytes > memory) {
            return Err(Error::TooManyPatterns { patterns: widest, bytes, most: most / each });
        }
        RandomLayers::draw(
            &recipe::arrangement(data, self.terms.bias),
            widths,
            &recipe::scaling(data, self.terms.bias, self.terms.standardize),
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
        let only = layers > 3 || !self.terms.bias;
        let few = rows <= GAUSSIAN_WIDTH / 2;
        // The choice depends on the data, not on the available memory.
        let mut anywhere = *self;
        anywhere.limits.memory = None;
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
        let (seed, standardize) = (self.seed, self.terms.standardize);
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
        let last = match self.terms.weights {
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
