//! The walk from a data set to a certified network, in one call.

mod asked;
mod classes;
mod complete;
mod cross_validate;
mod deep;
mod enumerate;
mod generate;
mod interpolate;
mod path;
mod relaxation;
mod represent;
mod sample;
mod subnetworks;
mod weights;

pub use cross_validate::{CrossValidation, Fold, Measure, Samples, Selection};
pub use interpolate::{Fitted, Interpolated, Obstacle};
pub use path::{Path, PathPoint, geometric};
pub use relaxation::Relaxation;

use std::fmt;
use std::str::FromStr;

use self::classes::Shared;
use crate::arrangement::Size;
use crate::certificate::{DualPoint, Price, Problem};
use crate::data::{Coding, Dataset, Split};
use crate::error::Error;
use crate::loss::{Loss, LossKind};
use crate::model::{Model, Part, Setting};
use crate::network::recipe::{self, Recipe};
use crate::network::{Cell, Layer, Network, Neuron, Representation, Weights, reconstruct};
use crate::program::{Beta, Constraints};
use crate::solver::{Budget, StopReason};

/// Patterns that [`Method::Auto`] lists rather than generates.
const FEW: u128 = 2000;
/// The same at this rank, the largest that is searched exactly by sweeps, where listing is faster.
const MANY: (usize, u128) = (5, 1_000_000);
/// The same of deeper networks.
const FEW_DEEP: u128 = 100_000;

/// Which program to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The complete program where it applies, all patterns where they are few, otherwise generated ones.
    Auto,
    /// The Lasso program over all patterns, generated as they are needed.
    Generate,
    /// The Lasso program on the patterns of random weights.
    Sample,
    /// The complete program: exact wherever every dichotomy is a pattern.
    Complete,
    /// The Lasso program on every pattern, of one neuron or of subnetworks.
    Enumerate,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Generate => "generate",
            Self::Sample => "sample",
            Self::Complete => "complete",
            Self::Enumerate => "enumerate",
        })
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Self::Auto),
            "generate" => Ok(Self::Generate),
            "sample" => Ok(Self::Sample),
            "complete" => Ok(Self::Complete),
            "enumerate" => Ok(Self::Enumerate),
            _ => Err(Error::Unknown {
                what: "method",
                got: text.into(),
                expected: "auto, generate, enumerate, sample, complete",
            }),
        }
    }
}

/// How strong the weight decay is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// `β` itself.
    Beta(Beta),
    /// A part of `β_max`, the smallest `β` whose optimum is the zero network.
    Ratio(f64),
}

/// How to train.
#[derive(Debug, Clone, Copy)]
pub struct Trainer<'a> {
    /// Which program to solve.
    pub method: Method,
    /// `l`.
    pub loss: LossKind,
    /// `β`.
    pub strength: Strength,
    /// How many patterns to draw.
    pub patterns: u64,
    /// How many inputs a neuron may read, where that is limited.
    pub max_inputs: Option<usize>,
    /// How many networks to generate and average.
    pub average: usize,
    /// The most rounds of generation; by default what takes some seconds.
    pub rounds: Option<usize>,
    /// By what part of itself the objective may rise for fewer neurons, where more than that is unproven
    /// anyway.
    pub prune: f64,
    /// How hard to search for a bound where an exact one is out of reach.
    pub effort: u64,
    /// Whether to spend a third of the time on that search.
    pub prove: bool,
    /// Which weights to take inside the cells; by default those drawn, or the widest margin where
    /// none were.
    pub weights: Option<Weights>,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// What is asked of the output.
    pub constraints: Constraints,
    /// Whether weights are drawn, and margins measured, on standardised inputs.
    pub standardize: bool,
    /// The relative gap at which to stop.
    pub tolerance: f64,
    /// Where chance starts.
    pub seed: u64,
    /// How long it may take.
    pub budget: Budget<'a>,
    /// How many bytes the dictionary may take.
    pub memory: Option<u64>,
    /// The widths of the layers below the last hidden one, in each subnetwork; none for two layers. With
    /// random layers as the representation, their widths.
    pub widths: &'a [usize],
    /// Whether every neuron of these layers owns its inputs, where they are enumerated.
    pub tree: bool,
    /// What the complete program is solved on.
    pub representation: Representation,
}

impl Default for Trainer<'_> {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            loss: LossKind::Squared,
            strength: Strength::Ratio(0.05),
            patterns: 1000,
            max_inputs: None,
            average: 1,
            rounds: None,
            prune: 0.01,
            effort: 100_000,
            prove: false,
            weights: None,
            bias: true,
            constraints: Constraints::default(),
            standardize: true,
            tolerance: 1e-6,
            seed: 0,
            budget: Budget::default(),
            memory: None,
            widths: &[],
            tree: false,
            representation: Representation::None,
        }
    }
}

/// A trained model, and how it came about.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The networks and their certificates: one for each of several classes, otherwise one.
    pub model: Model,
    /// The smallest `β` whose optimum over the scope is zero for every network.
    pub beta_max: f64,
    /// Whether that is the smallest; otherwise a bound above it, or where patterns are generated without
    /// an exact search, the best below it that was found.
    pub beta_max_exact: bool,
    /// The size of the dictionary: the one that all networks share, or all of theirs together.
    pub patterns: usize,
    /// Why training stopped: of several networks the first that fell short of the gap.
    pub stop: StopReason,
}

/// Amplitudes with their cells, and the dual point that judges them.
struct Proposal {
    cells: Vec<Cell>,
    amplitudes: Vec<f64>,
    offset: f64,
    dual: DualPoint,
    /// `U ≥ max |dᵀz|` over the scope.
    price: Price,
    recipe: Recipe,
    beta: Beta,
    beta_max: f64,
    beta_max_exact: bool,
    patterns: usize,
    stop: StopReason,
}

impl Trainer<'_> {
    /// Trains on the data: a network for each of several classes, otherwise one. `coding` is what the
    /// model will read tables by, and `split` how the data were taken out of theirs.
    ///
    /// # Errors
    /// When the data are not those of the coding, the method does not apply to them, or its dictionary
    /// would not fit.
    pub fn train(
        &self,
        data: &Dataset,
        coding: Coding,
        split: Option<Split>,
    ) -> Result<Trained, Error> {
        self.train_each(data, coding, split, |_| ())
    }

    /// The same; `begin` is told the place of the network whose turn it is.
    ///
    /// # Errors
    /// As for [`Trainer::train`].
    pub fn train_each(
        &self,
        data: &Dataset,
        coding: Coding,
        split: Option<Split>,
        begin: impl Fn(usize),
    ) -> Result<Trained, Error> {
        let sets = data.parts();
        if sets.len() != coding.networks() {
            let (expected, found) = (coding.networks(), sets.len());
            return Err(Error::Length { what: "classes of the data", expected, found });
        }
        let mut shared = Shared::default();
        let trainer = match &sets[..] {
            [_] => *self,
            sets => self.with_one_strength(sets, &mut shared)?,
        };
        let (mut parts, mut found) = (Vec::new(), Vec::new());
        for (k, data) in sets.iter().enumerate() {
            begin(k);
            let trainer = trainer.share_of(sets.len() - k);
            let (network, mut proposal) = trainer.fit_with(data, &mut shared)?;
            let dual = std::mem::replace(&mut proposal.dual, DualPoint::new(Vec::new()));
            let (setting, recipe) = (self.setting(proposal.beta), proposal.recipe.clone());
            parts.push(Part::measure(data, &setting, network, recipe, dual, proposal.price));
            found.push(proposal);
        }
        let strongest = found
            .iter()
            .max_by(|a, b| a.beta_max.total_cmp(&b.beta_max))
            .ok_or(Error::NoSamples)?;
        let short = found.iter().map(|p| p.stop).find(|stop| *stop != StopReason::GapReached);
        Ok(Trained {
            beta_max: strongest.beta_max,
            beta_max_exact: strongest.beta_max_exact,
            patterns: match found[0].recipe {
                Recipe::Sample { .. } => found[0].patterns,
                _ => found.iter().map(|p| p.patterns).sum(),
            },
            stop: short.unwrap_or(StopReason::GapReached),
            model: Model::new(coding, split, self.setting(strongest.beta), parts)?,
        })
    }

    fn setting(&self, beta: Beta) -> Setting {
        let Self { loss, bias, constraints, .. } = *self;
        Setting { loss, beta, bias, constraints }
    }

    /// The network that the method proposes.
    fn fit(&self, data: &Dataset) -> Result<(Network, Proposal), Error> {
        self.fit_with(data, &mut Shared::default())
    }

    /// The same, given what was found on the same rows before; what is found now is added to it.
    fn fit_with(&self, data: &Dataset, shared: &mut Shared) -> Result<(Network, Proposal), Error> {
        self.loss.check_targets(data.targets())?;
        let method = self.choose(data)?;
        let two_layers = self.widths.is_empty() && self.representation == Representation::None;
        let options = self.max_inputs.is_some() || self.average != 1;
        if options && (method != Method::Generate || !two_layers) {
            return Err(Error::OnlyGenerated { method: method.to_string() });
        }
        if self.representation != Representation::None {
            return self.fit_represented(data);
        }
        if !self.widths.is_empty() {
            return self.fit_deep(data, method);
        }
        let mut proposal = match method {
            Method::Complete => self.propose_complete(data)?,
            Method::Generate => self.propose_generated(data, shared)?,
            Method::Enumerate => self.propose_enumerated(data)?,
            _ => self.propose_sampled(data, shared)?,
        };
        shared.keep(&proposal.cells);
        let weights = self.first_weights(&proposal.recipe);
        let planes = reconstruct(
            &recipe::arrangement(data, self.bias),
            std::mem::take(&mut proposal.cells),
            weights,
            &recipe::scaling(data, self.bias, self.standardize),
        )?;
        let layer = Layer { neurons: planes.into_iter().map(Neuron::from).collect() };
        let amplitudes = std::mem::take(&mut proposal.amplitudes);
        let network = Network::new(data.dimension(), vec![layer], amplitudes, proposal.offset)?;
        Ok((self.rechosen(network, data)?, proposal))
    }

    fn problem<'a>(&'a self, data: &'a Dataset, beta: Beta) -> Problem<'a, LossKind> {
        let (targets, loss, constraints) = (data.targets(), &self.loss, self.constraints);
        Problem { targets, loss, beta, constraints }
    }

    /// The method that applies to the data.
    fn choose(&self, data: &Dataset) -> Result<Method, Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        match self.method {
            Method::Auto => Ok(self.pick(data).0),
            Method::Complete if self.representation != Representation::None => Ok(self.method),
            method if self.representation != Representation::None => {
                Err(Error::RepresentationMethod { method: method.to_string() })
            }
            Method::Complete if !self.widths.is_empty() => {
                Err(Error::DeepMethod { layers: self.widths.len() + 2 })
            }
            Method::Complete if !arrangement.is_complete() => {
                Err(Error::NotComplete { rows: data.distinct(), rank: arrangement.rank() })
            }
            method => Ok(method),
        }
    }

    /// What [`Method::Auto`] takes, and why.
    pub fn pick(&self, data: &Dataset) -> (Method, String) {
        if self.representation != Representation::None {
            let why = "on the answers of the representation every dichotomy is possible";
            return (Method::Complete, why.into());
        }
        if !self.widths.is_empty() {
            return self.pick_deep(data);
        }
        if self.max_inputs.is_some() || self.average > 1 {
            return (Method::Generate, "the other methods have no such option".into());
        }
        let Size { rows, rank, bound, complete, .. } = recipe::arrangement(data, self.bias).size();
        // The complete program finds no weights that could be kept.
        if complete && self.weights != Some(Weights::Sampled) {
            return (Method::Complete, format!("{rows} distinct rows have rank {rank}"));
        }
        // A list that time or memory cuts short is worth nothing, a search is.
        let room = recipe::most_patterns(data, self.memory).min(MANY.1);
        let many = rank == MANY.0 && bound <= room && self.budget.deadline.is_none();
        match bound <= FEW || many {
            true => (Method::Enumerate, format!("at most {bound} patterns are few enough to list")),
            false => (Method::Generate, format!("there may be {} patterns", rounded(bound))),
        }
    }

    /// `β`, given `β_max` over the scope.
    fn beta(&self, beta_max: f64) -> Result<Beta, Error> {
        match self.strength {
            Strength::Beta(beta) => Ok(beta),
            Strength::Ratio(_) if beta_max == 0.0 => Err(Error::NothingToFit),
            Strength::Ratio(ratio) => Beta::new(ratio * beta_max),
        }
    }
}

/// A count with two digits, as `1.3e12`.
fn rounded(count: u128) -> String {
    if count < 1_000_000 { count.to_string() } else { format!("{:.1e}", count as f64) }
}
