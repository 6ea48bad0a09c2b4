//! Networks that interpolate all targets, with the least `Σ|aⱼ|`.
//!
//! The dictionary holds all patterns, the level sets of the targets if every dichotomy is a
//! pattern, or the patterns of random weights. The result is a model with a weight decay so weak
//! that its certificate also holds for the interpolating network.

use super::listed::used;
use super::options::{refused, refused_as};
use super::tuning::{DECAY, INTERPOLATED, LISTED_TO_INTERPOLATE, ROOM_TO_INTERPOLATE};
use super::{Event, First, Method, Request, Trainer, Watch};
use crate::arrangement::Dictionary;
use crate::certificate::{Bound, DualPoint, Price};
use crate::data::Atoms;
use crate::data::{Dataset, RowPrints, TrainingSet};
use crate::error::Error;
use crate::exact::sum::{Sum, round_to_grid};
use crate::loss::LossKind;
use crate::model::{Model, Part, Setting};
use crate::network::recipe::{self, Recipe};
use crate::network::{Cell, Network};
use crate::pattern::{Pattern, PatternMatrix};
use crate::program::complete::level_sets;
use crate::program::interpolation::{InterpolationProgram, Separation};
use crate::program::{Beta, Constraints};
use crate::solver::{Budget, Interpolation, Progress, interpolate};
use crate::table::Coding;

/// The result of an interpolation.
#[derive(Debug, Clone)]
pub enum Interpolated {
    /// A network that interpolates the targets.
    Feasible(Box<Fitted>),
    /// Equal rows have different targets: no function interpolates them.
    Conflict {
        /// The distinct row.
        row: usize,
        /// Two of its targets.
        targets: (f64, f64),
    },
    /// The targets are outside the span of the dictionary: no network in scope interpolates them.
    Separated {
        /// The proof.
        proof: Separation,
        /// How the proof was obtained; this tells its scope.
        bound: Bound,
        /// The size of the dictionary.
        patterns: usize,
        /// The number of patterns that are not in scope: their cells are too narrow for weights in
        /// double precision.
        narrow: usize,
    },
}

/// A network that interpolates the targets, with a bound on its norm.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The network, with a certificate for a weak weight decay.
    pub model: Model,
    /// `Σ|aⱼ|`.
    pub norm: f64,
    /// A lower bound on the norm of every interpolating network in scope.
    pub lower_bound: f64,
    /// The largest distance of an output from its target, due to the rounding of amplitudes.
    pub residual: f64,
    /// How the bound was obtained; this tells its scope.
    pub bound: Bound,
    /// The size of the dictionary.
    pub patterns: usize,
}

impl Fitted {
    /// `norm − lower bound`.
    pub fn gap(&self) -> f64 {
        self.norm - self.lower_bound
    }

    /// `gap / norm`; zero if both are zero.
    pub fn relative_gap(&self) -> f64 {
        if self.norm == 0.0 { 0.0 } else { self.gap() / self.norm }
    }
}

/// Cells with their amplitudes, and the vector that proves their norm.
struct LeastNorm {
    cells: Vec<Cell>,
    amplitudes: Vec<f64>,
    norm: f64,
    residual: f64,
    lower_bound: f64,
    z: Vec<f64>,
    /// `U ≥ max |dᵀz|` over the scope.
    price: f64,
    recipe: Recipe,
    bound: Bound,
    patterns: usize,
}

impl Request {
    /// The network of least `Σ|aⱼ|` that interpolates all targets, or a proof that there is none.
    /// The loss, the strength and the constraints are ignored.
    ///
    /// # Errors
    /// When an option does not apply, the dictionary does not fit into memory, or the time runs
    /// out.
    pub fn interpolate(&self, set: &TrainingSet, watch: &Watch<'_>) -> Result<Interpolated, Error> {
        if !self.deep.widths.is_empty() || self.deep.first != First::None {
            return Err(refused("layers", "has no meaning for interpolation, of two layers"));
        }
        if self.method() == Method::Generate
            || self.terms.max_inputs.is_some()
            || self.terms.average.is_some_and(|average| average > 1)
        {
            let why = "interpolation generates no patterns as they are needed; use enumerate, \
                       sample or complete";
            return Err(refused_as("method", Method::Generate, why));
        }
        let data = set.only("interpolation makes")?;
        let tell = |progress: &Progress| watch.tell(Event::Progress(progress));
        let budget = Budget { progress: Some(&tell), ..watch.budget(self.limits.time) };
        let tolerance = self.limits.tolerance_or(INTERPOLATED);
        let trainer = Trainer { budget, tolerance, ..self.trainer() };
        trainer.interpolate(data, set.coding().clone())
    }
}

impl Trainer<'_> {
    fn interpolate(&self, data: &Dataset, coding: Coding) -> Result<Interpolated, Error> {
        if let Some((row, targets)) = InterpolationProgram::conflict(data.targets()) {
            return Ok(Interpolated::Conflict { row, targets });
        }
        let arrangement = recipe::arrangement(data, self.terms.bias);
        if matches!(self.method, Method::Auto | Method::Complete) && arrangement.is_complete() {
            return self.interpolate_levels(data, coding);
        }
        if self.method == Method::Complete {
            let (rows, rank) = (data.distinct(), arrangement.rank());
            return Err(Error::NotComplete { rows, rank });
        }
        let (recipe, dictionary, narrow) = self.interpolating_dictionary(data)?;
        let patterns = dictionary.len() + narrow.patterns();
        let bound = match recipe {
            Recipe::Enumerate { .. } => Bound::Enumeration,
            _ => Bound::Dictionary,
        };
        let program = InterpolationProgram::new(&dictionary.patterns, data.targets())?;
        let found = match interpolate(&program, self.tolerance, self.budget) {
            Interpolation::Feasible(found) => found,
            Interpolation::Infeasible(proof) => {
                return self.infeasible(data, &dictionary, &narrow, proof, bound);
            }
            Interpolation::Unfinished => return Err(Error::Interrupted),
        };
        let z = spread(&program, &found.proof.z, data.distinct());
        let narrow_price = DualPoint::new(z.clone()).price(&narrow, Constraints::default(), None);
        let (cells, amplitudes) =
            used(&dictionary.patterns, &dictionary.witnesses, &found.coefficients);
        let solution = LeastNorm {
            cells,
            amplitudes,
            norm: found.norm,
            residual: found.residual,
            lower_bound: found.proof.lower_bound(narrow_price),
            price: found.proof.price.max(narrow_price),
            z,
            recipe,
            bound,
            patterns,
        };
        let free = Constraints::default();
        self.fitted(data, coding, solution, |dual| {
            dual.price(&dictionary.patterns, free, None).max(dual.price(&narrow, free, None))
        })
    }

    /// Extends a proof over the patterns that have weights to all patterns. If there is no proof
    /// over all patterns, those too narrow for weights are not in scope.
    fn infeasible(
        &self,
        data: &Dataset,
        dictionary: &Dictionary,
        narrow: &PatternMatrix,
        mut proof: Separation,
        mut bound: Bound,
    ) -> Result<Interpolated, Error> {
        let (mut patterns, mut left_out) = (dictionary.len(), narrow.patterns());
        if left_out > 0 {
            let mut all = dictionary.patterns.clone();
            all.append(narrow);
            let program = InterpolationProgram::new(&all, data.targets())?;
            let found = interpolate(&program, self.tolerance, self.budget);
            if let Interpolation::Infeasible(over_all) = found {
                (proof, patterns, left_out) = (over_all, all.patterns(), 0);
            } else {
                bound = Bound::Dictionary;
            }
        }
        let program = InterpolationProgram::new(&dictionary.patterns, data.targets())?;
        proof.z = spread(&program, &proof.z, data.distinct());
        Ok(Interpolated::Separated { proof, bound, patterns, narrow: left_out })
    }

    /// Interpolates by the level sets of the targets, if every dichotomy is a pattern. The norm is
    /// the distance from the smallest to the largest target, including zero; two rows prove it.
    fn interpolate_levels(&self, data: &Dataset, coding: Coding) -> Result<Interpolated, Error> {
        let first = |atoms: Atoms<'_>| atoms.iter().next().map_or(0.0, |(y, _)| y);
        let y: Vec<f64> = data.targets().iter().map(first).collect();
        let (patterns, mut amplitudes): (Vec<Pattern>, Vec<f64>) =
            level_sets(&y, 0.0).into_iter().unzip();
        round_to_grid(&mut amplitudes);
        let mut z = vec![0.0; y.len()];
        for sign in [1.0, -1.0] {
            let side = (0..y.len()).filter(|&i| sign * y[i] > 0.0);
            if let Some(highest) = side.max_by(|&i, &j| (sign * y[i]).total_cmp(&(sign * y[j]))) {
                z[highest] = sign;
            }
        }
        let matrix = PatternMatrix::from_patterns(y.len(), &patterns);
        let program = InterpolationProgram::new(&matrix, data.targets())?;
        let restricted = program.rows().iter().map(|&g| z[g]).collect();
        let residual = program.residual(&amplitudes);
        let norm: Sum = amplitudes.iter().map(|a| a.abs()).collect();
        let price = DualPoint::new(z.clone()).complete_price(Constraints::default());
        let solution = LeastNorm {
            // If every dichotomy is a pattern, the norm of a residual is its range.
            norm: norm.value() * (1.0 + f64::EPSILON) + 2.0 * residual,
            residual,
            lower_bound: program.separation(restricted).lower_bound(price),
            price,
            z,
            recipe: Recipe::Complete,
            bound: Bound::Complete,
            patterns: patterns.len(),
            cells: patterns.into_iter().map(|pattern| Cell { pattern, witness: None }).collect(),
            amplitudes,
        };
        self.fitted(data, coding, solution, |dual| dual.complete_price(Constraints::default()))
    }

    /// The network as a model with a weak weight decay; `priced` is `max |dᵀz|` over the scope.
    fn fitted(
        &self,
        data: &Dataset,
        coding: Coding,
        found: LeastNorm,
        priced: impl Fn(&DualPoint) -> f64,
    ) -> Result<Interpolated, Error> {
        let layer = self.first_layer(data, found.cells, &found.recipe)?;
        let network = Network::new(data.dimension(), vec![layer], found.amplitudes, 0.0)?;
        let network = self.rechosen(network, data)?;
        let beta = weak(&network, &found.z, found.price)?;
        let scale = beta.get() / found.price.max(1e-300);
        let dual = DualPoint::new(found.z.iter().map(|z| -z * scale).collect());
        let (loss, constraints) = (LossKind::Squared, Constraints::default());
        let setting = Setting { loss, beta, bias: self.terms.bias, constraints, input_cost: 0.0 };
        let price = Price { value: priced(&dual), bound: found.bound };
        let part = Part::measure(data, &setting, network, found.recipe, dual, price);
        let mut model = Model::new(coding, None, setting, vec![part])?;
        model.rows = RowPrints::of(data);
        Ok(Interpolated::Feasible(Box::new(Fitted {
            model,
            norm: found.norm,
            lower_bound: found.lower_bound,
            residual: found.residual,
            bound: found.bound,
            patterns: found.patterns,
        })))
    }

    fn interpolating_dictionary(
        &self,
        data: &Dataset,
    ) -> Result<(Recipe, Dictionary, PatternMatrix), Error> {
        let arrangement = recipe::arrangement(data, self.terms.bias);
        // The choice depends on the data, not on the available memory.
        let fit = recipe::most_patterns(data, Some(ROOM_TO_INTERPOLATE)).min(LISTED_TO_INTERPOLATE);
        let few = self.method == Method::Auto && arrangement.size().bound <= fit;
        if self.method != Method::Enumerate && !few {
            let (recipe, dictionary) = self.draw(data)?;
            return Ok((recipe, dictionary, PatternMatrix::new(data.distinct())));
        }
        let listing = arrangement.listing(recipe::most_patterns(data, self.limits.memory))?;
        let (dictionary, narrow) = self.realised(listing, data.distinct())?;
        Ok((Recipe::Enumerate { widths: Vec::new(), tree: false }, dictionary, narrow))
    }
}

/// `z` with zeros on the rows that have no target.
fn spread(program: &InterpolationProgram<'_>, z: &[f64], rows: usize) -> Vec<f64> {
    let mut all = vec![0.0; rows];
    program.rows().iter().zip(z).for_each(|(&g, &z)| all[g] = z);
    all
}

/// A weight decay so weak that the relative gap of the network is `10⁻⁶`: at strength `β`, a vector
/// `z` of price one proves the lower bound `β(yᵀz − β‖z‖²/2)`.
fn weak(network: &Network, z: &[f64], price: f64) -> Result<Beta, Error> {
    let norm: f64 = network.amplitudes().iter().map(|a| a.abs()).sum();
    let square: f64 = z.iter().map(|z| z * z).sum::<f64>() / (price * price).max(f64::MIN_POSITIVE);
    Beta::new(if square > 0.0 && norm > 0.0 { 2.0 * DECAY * norm / square } else { 1.0 })
}
