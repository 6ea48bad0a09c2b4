//! Training: from a data set to a certified network in one call.

mod choose;
mod classes;
mod complete;
mod conditions;
mod folds;
mod generate;
mod halfspace;
mod importance;
mod interpolate;
mod listed;
mod method;
mod options;
mod path;
mod plan;
mod proof;
mod relaxation;
mod request;
mod rows;
mod subnetworks;
mod tuning;
mod watch;
mod weights;

pub use choose::{InputClass, ListBound};
pub use folds::{Choice, Fold, Measure, Predicted, split};
pub use importance::{Importance, WithoutInput};
pub use interpolate::{Fitted, Interpolated};
pub use method::Method;
pub use options::{Entry, Heading, Kind, Options, TABLE, find, spelled};
pub use path::{Path, PathPoint, geometric};
pub use plan::Plan;
pub use request::Request;
pub use watch::{Event, Watch};

use self::classes::Shared;
use self::folds::{Folds, shared_out};
use self::method::{InputCounts, Strength};
use self::request::{Comparison, First, Limits, Predict, Question, Rules, Terms};
use self::subnetworks::side_by_side;
use self::tuning::FEW_PATTERNS;
use crate::arrangement::{Policy, Reads, Size, Subnetwork};
use crate::certificate::{DualPoint, Price, Problem};
use crate::data::{Dataset, TrainingSet};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::{Model, Narrowed, Part, Setting};
use crate::network::recipe::{self, Recipe};
use crate::network::{Cell, Network, Representation, Weights};
use crate::program::Beta;
use crate::solver::{Budget, StopReason};

/// How to train: the terms and limits of a request, and what follows from its data. Everything is
/// decided, except perhaps the method.
#[derive(Debug, Clone, Copy)]
struct Trainer<'a> {
    method: Method,
    loss: LossKind,
    strength: Strength,
    terms: Terms,
    limits: Limits,
    patterns: u64,
    /// How many inputs random neurons read; all by default.
    reads: Option<&'a Reads>,
    /// What rules keep to.
    policy: &'a Policy,
    /// The effort of the search for a bound, if no exact bound is possible.
    effort: u64,
    tolerance: f64,
    seed: u64,
    budget: Budget<'a>,
    /// The widths of the layers below the last hidden one, in each subnetwork; empty for two
    /// layers. With random layers as the representation, these are their widths.
    widths: &'a [usize],
    /// Whether every neuron of these layers owns the neurons it reads, if patterns are enumerated.
    tree: bool,
    /// The inputs of the complete program.
    representation: Representation,
}

/// A trained model, and how it was trained.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The networks and their certificates: one for each class if there are more than two,
    /// otherwise one.
    pub model: Model,
    /// The smallest `β` whose optimum over the scope is zero for every network.
    pub beta_max: f64,
    /// Whether `beta_max` is exact. If not, it is an upper bound; if patterns are generated without
    /// an exact search, it is the best lower bound that was found.
    pub beta_max_exact: bool,
    /// The number of patterns in the dictionary that all networks share, or in all dictionaries
    /// together.
    pub patterns: usize,
    /// Why training stopped. With several networks, the reason of the first that missed the gap.
    pub stop: StopReason,
    /// What cross-validation chose, if it did.
    pub choice: Option<Choice>,
    /// The neurons and the objective of the network before pruning, if a limit on neurons made
    /// pruning necessary.
    pub pruned: Option<(usize, f64)>,
    /// What is proven about all lists of as many rules, if that was asked for.
    pub lists: Option<ListBound>,
    /// The network before neurons were changed to keep within the bits of the request, if some
    /// were.
    pub narrowed: Option<Narrowed>,
    /// Why this method or these layers were chosen, unless the request names them.
    pub why: Option<String>,
    /// What more time would try, if training stopped before the gap was reached.
    pub more: Option<String>,
    /// How many networks each network is the mean of, if it is.
    pub averaged: Option<usize>,
}

/// What a method proposes: neurons or subnetworks with their output weights, and the dual point for
/// their certificate.
struct Proposal {
    units: Units,
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
    /// About how many elementary steps an exact proof takes, if there is one.
    proof: Option<f64>,
    stop: StopReason,
}

/// What has an output weight: cells of neurons whose weights are still to be chosen, or
/// subnetworks.
enum Units {
    Cells(Vec<Cell>),
    Subnetworks(Vec<Subnetwork>),
}

impl Trained {
    /// What training without any choice gives; `stops` are the reasons of its networks.
    fn plain(
        model: Model,
        (beta_max, beta_max_exact): (f64, bool),
        patterns: usize,
        stops: impl IntoIterator<Item = StopReason>,
    ) -> Self {
        Self {
            model,
            beta_max,
            beta_max_exact,
            patterns,
            stop: first_short(stops),
            choice: None,
            pruned: None,
            lists: None,
            narrowed: None,
            why: None,
            more: None,
            averaged: None,
        }
    }
}

/// The first reason to stop that is not the gap.
fn first_short(stops: impl IntoIterator<Item = StopReason>) -> StopReason {
    let short = stops.into_iter().find(|stop| *stop != StopReason::GapReached);
    short.unwrap_or(StopReason::GapReached)
}

impl Proposal {
    /// What more time would try, if the gap was not reached.
    fn more(&self) -> Option<String> {
        if self.stop == StopReason::GapReached {
            return None;
        }
        Some(match (&self.recipe, self.proof) {
            (Recipe::Generate { .. }, Some(steps)) => {
                let seconds = (steps / 1e9).max(0.1);
                format!("more patterns, and an exact proof of about {seconds:.1} s of one core")
            }
            (Recipe::Generate { widths, .. }, None) if widths.is_empty() => {
                "more patterns, and a search for a better bound".into()
            }
            (Recipe::Generate { .. }, None) => "more subnetworks".into(),
            _ => "more steps of the solver".into(),
        })
    }
}

impl Trainer<'_> {
    /// Trains one network for each class if there are more than two, otherwise one. `begin` gets
    /// the index of each network before its training. The method must be decided.
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
            let budget = shared_out(self.budget, sets.len() - k);
            let trainer = Trainer { budget, ..trainer };
            let (network, mut proposal) = trainer.fit(data, &mut shared)?;
            let dual = std::mem::replace(&mut proposal.dual, DualPoint::new(Vec::new()));
            let (setting, recipe) = (self.setting(proposal.beta), proposal.recipe.clone());
            parts.push(Part::measure(data, &setting, network, recipe, dual, proposal.price));
            found.push(proposal);
        }
        let strongest = found
            .iter()
            .max_by(|a, b| a.beta_max.total_cmp(&b.beta_max))
            .ok_or(Error::NoSamples)?;
        let patterns = match found[0].recipe {
            Recipe::Sample { .. } => found[0].patterns,
            _ => found.iter().map(|p| p.patterns).sum(),
        };
        let setting = self.setting(strongest.beta);
        let model = Model::new(set.coding().clone(), set.split(), setting, parts)?;
        let most = (strongest.beta_max, strongest.beta_max_exact);
        Ok(Trained {
            more: found.iter().find_map(Proposal::more),
            ..Trained::plain(model, most, patterns, found.iter().map(|p| p.stop))
        })
    }

    fn setting(&self, beta: Beta) -> Setting {
        let Terms { bias, constraints, input_cost, .. } = self.terms;
        Setting { loss: self.loss, beta, bias, constraints, input_cost }
    }

    /// Trains one network, starting from what earlier problems on the same rows share; the results
    /// are added to it. The method must be decided.
    fn fit(&self, data: &Dataset, shared: &mut Shared) -> Result<(Network, Proposal), Error> {
        let represented = self.representation != Representation::None;
        let mut proposal = match self.method {
            Method::Complete => self.propose_complete(data)?,
            Method::Generate if self.widths.is_empty() => self.propose_generated(data, shared)?,
            Method::Generate if self.has_two_conditions() => self.propose_rules(data, shared)?,
            Method::Generate => self.propose_subnetworks(data)?,
            _ => self.propose_listed(data, shared.listed(self, data)?)?,
        };
        let amplitudes = std::mem::take(&mut proposal.amplitudes);
        let units = std::mem::replace(&mut proposal.units, Units::Cells(Vec::new()));
        let layers = match units {
            Units::Cells(cells) if represented => {
                let (recipe, layers) = self.represented(data, cells, &amplitudes)?;
                proposal.recipe = recipe;
                layers
            }
            Units::Cells(cells) => {
                shared.keep(&cells);
                vec![self.first_layer(data, cells, &proposal.recipe)?]
            }
            Units::Subnetworks(parts) => side_by_side(&parts, self.widths.len() + 1),
        };
        let network = Network::new(data.dimension(), layers, amplitudes, proposal.offset)?;
        // If possible, only the layer above a representation gets other weights.
        let network = match self.terms.weights {
            None | Some(Weights::Pi | Weights::Svm) if represented => network,
            _ => self.rechosen(network, data)?,
        };
        Ok((network, proposal))
    }

    fn problem<'a>(&'a self, data: &'a Dataset, beta: Beta) -> Problem<'a, LossKind> {
        let (targets, loss, constraints) = (data.targets(), &self.loss, self.terms.constraints);
        Problem { targets, loss, beta, constraints }
    }

    fn average(&self) -> usize {
        self.terms.average.unwrap_or(1)
    }

    /// Whether to spend a third of the time on the search for a bound.
    fn proves(&self) -> bool {
        self.limits.gap.is_some() || self.limits.time.is_some()
    }

    /// The method for the data; if it was chosen automatically, also why.
    fn choose(&self, data: &Dataset) -> Result<(Method, Option<String>), Error> {
        match self.method {
            Method::Auto => {
                let (method, why) = self.pick(data);
                Ok((method, Some(why)))
            }
            Method::Complete if self.representation == Representation::None => {
                let Size { rows, rank, complete, .. } =
                    recipe::arrangement(data, self.terms.bias).size();
                let known = complete.then_some((Method::Complete, None));
                known.ok_or(Error::NotComplete { rows, rank })
            }
            method => Ok((method, None)),
        }
    }

    /// The same trainer with the method for the data.
    fn decided(self, data: &Dataset) -> Result<Self, Error> {
        Ok(Self { method: self.choose(data)?.0, ..self })
    }

    /// The method that [`Method::Auto`] chooses, and why.
    fn pick(&self, data: &Dataset) -> (Method, String) {
        if self.representation != Representation::None {
            let why = "on the answers of the representation every dichotomy is possible";
            return (Method::Complete, why.into());
        }
        if !self.widths.is_empty() && !self.has_two_conditions() {
            return self.pick_deep(data);
        }
        if self.terms.max_inputs.is_some() || self.average() > 1 {
            let why = "only this method can limit inputs or average networks";
            return (Method::Generate, why.into());
        }
        let Size { rows, rank, bound, complete, .. } =
            recipe::arrangement(data, self.terms.bias).size();
        // The complete program draws no weights that could be kept.
        if complete && self.terms.weights != Some(Weights::Sampled) {
            return (Method::Complete, format!("{rows} distinct rows have rank {rank}"));
        }
        if bound <= FEW_PATTERNS {
            return (Method::Enumerate, format!("at most {bound} patterns, few enough to list"));
        }
        (Method::Generate, format!("there may be {} patterns", rounded(bound)))
    }
}

fn rounded(count: u128) -> String {
    if count < 1_000_000 { count.to_string() } else { format!("{:.1e}", count as f64) }
}
