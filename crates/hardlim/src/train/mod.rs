//! The walk from a data set to a certified network, in one call.

mod check;
mod choose;
mod classes;
mod complete;
mod cross_validate;
mod deep;
mod enumerate;
mod generate;
mod inputs;
mod interpolate;
mod method;
mod path;
mod plan;
mod relaxation;
mod represent;
mod request;
mod sample;
mod subnetworks;
mod watch;
mod weights;

pub use choose::Chosen;
pub use cross_validate::Selection;
#[doc(hidden)]
pub use cross_validate::{Fold, Measure, split};
pub use inputs::InputCounts;
#[doc(hidden)]
pub use interpolate::{Fitted, Interpolated, Obstacle};
pub use method::Method;
#[doc(hidden)]
pub use method::Strength;
pub use path::{Path, PathPoint, geometric};
#[doc(hidden)]
pub use plan::Plan;
#[doc(hidden)]
pub use relaxation::Relaxation;
#[doc(hidden)]
pub use request::Question;
pub use request::{Folds, Request};
#[doc(hidden)]
pub use watch::Event;
pub use watch::Watch;

use self::classes::Shared;
use crate::arrangement::{Reads, Size};
use crate::certificate::{DualPoint, Price, Problem};
use crate::data::{Dataset, TrainingSet};
use crate::error::Error;
use crate::loss::LossKind;
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

/// How to train, everything decided but perhaps the method.
#[derive(Debug, Clone, Copy)]
struct Trainer<'a> {
    /// Which program to solve.
    method: Method,
    /// `l`.
    loss: LossKind,
    /// `β`.
    strength: Strength,
    /// How many patterns to draw.
    patterns: u64,
    /// How many inputs random neurons read; all by default.
    reads: Option<&'a Reads>,
    /// How many inputs a neuron may read, where that is limited.
    max_inputs: Option<usize>,
    /// How many networks to generate and average.
    average: usize,
    /// The most rounds of generation; by default what takes some seconds.
    rounds: Option<usize>,
    /// How much the objective may rise when neurons are pruned, as a part of it, where more than that is
    /// unproven anyway.
    prune: f64,
    /// How hard to search for a bound where an exact one is out of reach.
    effort: u64,
    /// Whether to spend a third of the time on that search.
    prove: bool,
    /// Whether a time limit may cut a list of patterns short.
    hurried: bool,
    /// Which weights to take inside the cells; by default those drawn, or the widest margin where
    /// none were.
    weights: Option<Weights>,
    /// Whether neurons have a bias.
    bias: bool,
    /// What is asked of the output.
    constraints: Constraints,
    /// Whether weights are drawn, and margins measured, on standardised inputs.
    standardize: bool,
    /// The relative gap at which to stop.
    tolerance: f64,
    /// Where chance starts.
    seed: u64,
    /// How long it may take.
    budget: Budget<'a>,
    /// How many bytes the dictionary may take.
    memory: Option<u64>,
    /// The widths of the layers below the last hidden one, in each subnetwork; none for two layers. With
    /// random layers as the representation, their widths.
    widths: &'a [usize],
    /// Whether every neuron of these layers owns its inputs, where they are enumerated.
    tree: bool,
    /// What the complete program is solved on.
    representation: Representation,
}

impl Default for Trainer<'_> {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            loss: LossKind::Squared,
            strength: Strength::Ratio(0.05),
            patterns: 1000,
            reads: None,
            max_inputs: None,
            average: 1,
            rounds: None,
            prune: 0.01,
            effort: 100_000,
            prove: false,
            hurried: false,
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
    /// How the strength was chosen, where cross-validation did.
    pub chosen: Option<Selection>,
    /// What was chosen for the best predictions, where these were asked for.
    pub choice: Option<Chosen>,
    /// What there was before neurons were left out, where a limit on them asked for that.
    pub pruned: Option<Pruned>,
    /// Why this method, or these layers, where nobody asked for them.
    pub why: Option<String>,
}

/// What there was before neurons were left out.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pruned {
    /// How many neurons.
    pub neurons: usize,
    /// The objective.
    pub objective: f64,
}

impl Pruned {
    /// Both networks together.
    fn sum(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) => {
                Some(Self { neurons: a.neurons + b.neurons, objective: a.objective + b.objective })
            }
            (a, b) => a.or(b),
        }
    }
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
    /// Trains a network for each of several classes, otherwise one; `begin` is told the place of the
    /// network whose turn it is. The method is decided.
    fn train_all(&self, set: &TrainingSet, begin: impl Fn(usize)) -> Result<Trained, Error> {
        let sets = set.data().parts();
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
            model: Model::new(
                set.coding().clone(),
                set.split(),
                self.setting(strongest.beta),
                parts,
            )?,
            chosen: None,
            choice: None,
            pruned: None,
            why: None,
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

    /// The same, given what was found on the same rows before; what is found now is added to it. The
    /// method is decided.
    fn fit_with(&self, data: &Dataset, shared: &mut Shared) -> Result<(Network, Proposal), Error> {
        if self.representation != Representation::None {
            return self.fit_represented(data);
        }
        if !self.widths.is_empty() {
            return self.fit_deep(data);
        }
        let mut proposal = match self.method {
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

    /// The method that applies to the data, and why where it was chosen.
    fn choose(&self, data: &Dataset) -> Result<(Method, Option<String>), Error> {
        match self.method {
            Method::Auto => {
                let (method, why) = self.pick(data);
                Ok((method, Some(why)))
            }
            Method::Complete if self.representation == Representation::None => {
                let Size { rows, rank, complete, .. } = recipe::arrangement(data, self.bias).size();
                let known = complete.then_some((Method::Complete, None));
                known.ok_or(Error::NotComplete { rows, rank })
            }
            method => Ok((method, None)),
        }
    }

    /// The same trainer with the method that applies to the data.
    fn decided(self, data: &Dataset) -> Result<Self, Error> {
        Ok(Self { method: self.choose(data)?.0, ..self })
    }

    /// What [`Method::Auto`] takes, and why.
    fn pick(&self, data: &Dataset) -> (Method, String) {
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
        // A list that time cuts short is worth nothing, a search is.
        let many = rank == MANY.0 && bound <= MANY.1 && !self.hurried;
        match bound <= FEW || many {
            true => (Method::Enumerate, format!("at most {bound} patterns are few enough to list")),
            false => (Method::Generate, format!("there may be {} patterns", rounded(bound))),
        }
    }
}

/// A count with two digits, as `1.3e12`.
fn rounded(count: u128) -> String {
    if count < 1_000_000 { count.to_string() } else { format!("{:.1e}", count as f64) }
}
