//! Memorising: a threshold network that gives every row its label, with few neurons.
//!
//! Training looks for the best objective. Here the labels are given, all of them must be right, and
//! the goal is few threshold neurons. With `n` distinct rows in `R^d`, `n₋` of which have the rarer
//! label:
//!
//! | way | first layer | neurons |
//! |---|---|---|
//! | [`Way::Staircase`] | one direction, a threshold at every change of the label | changes + 1 |
//! | [`Way::Slabs`] | thin slabs through groups of rare rows | `2⌈n₋/d⌉ + 1` or fewer |
//! | [`Way::List`] | halfspaces of one label, peeled off one after the other | as many as peeled, + 1 |
//! | [`Way::Decode`] | `k` hyperplanes that give rows codes, slabs through the codes | about `2√(2n₋)` |
//!
//! The last column holds for data in general position. The network is evaluated on the data, and
//! [`LowerBound`] says how many neurons a network in layers needs at least.

mod bounds;
mod decide;
mod decode;
mod list;
mod search;
mod slabs;
mod staircase;

pub use bounds::{About, LowerBound, lower_bounds};
pub use search::{Outcome, Search, conflict};

use std::fmt;

use crate::arrangement::Hyperplane;
use crate::data::named::named;
use crate::data::{Coding, Dataset, Features, Scaling};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::{Model, Setting};
use crate::network::{Layer, Network, Neuron};
use crate::pattern::Pattern;
use crate::program::{Beta, Constraints};

/// How to realise a labelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// One direction, with a threshold at every change of the label along it.
    Staircase,
    /// Two parallel neurons around each group of rows of the rarer label.
    Slabs,
    /// A decision list of halfspaces, each of which holds one label among the rows left.
    List,
    /// Codes that separate the labels, then slabs through the codes.
    Decode,
}

impl Way {
    /// All ways; those that take longest come last.
    pub const ALL: [Self; 4] = [Self::Staircase, Self::Slabs, Self::Decode, Self::List];
}

named! {
    Way "way to memorise": Staircase "staircase", Slabs "slabs", List "list", Decode "decode"
}

/// Distinct rows, each with a label.
#[derive(Debug, Clone)]
pub struct Labelling {
    features: Features,
    labels: Pattern,
    scaling: Scaling,
}

impl Labelling {
    /// The labels of a data set of two classes, where `on` stands for +1. Rows without a target are
    /// left out.
    ///
    /// # Errors
    /// When a target is neither −1 nor 1, or equal rows have both targets.
    pub fn of(data: &Dataset) -> Result<Self, Error> {
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for (g, atoms) in data.targets().iter().enumerate() {
            let mut values = atoms.iter().map(|(y, _)| y);
            let Some(first) = values.next() else { continue };
            if first.abs() != 1.0 {
                return Err(Error::Label { loss: "memorising", value: first });
            }
            if let Some(other) = values.next() {
                return Err(Error::Conflict { row: g + 1, targets: (first, other) });
            }
            rows.push(g);
            labels.push(first > 0.0);
        }
        Ok(Self::new(data.features().select(&rows), &labels))
    }

    /// Distinct rows with these labels.
    ///
    /// # Panics
    /// When there is not one label for each row.
    pub fn new(features: Features, labels: &[bool]) -> Self {
        assert_eq!(labels.len(), features.rows(), "one label for each row");
        let scaling = match features.rows() {
            0 => Scaling::identity(features.dimension()),
            rows => Scaling::fit(&features, &vec![1.0; rows], true),
        };
        Self { labels: Pattern::from_fn(labels.len(), |i| labels[i]), features, scaling }
    }

    /// The rows.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The rows whose label is +1.
    pub fn labels(&self) -> &Pattern {
        &self.labels
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.features.rows()
    }

    /// The rarer label: whether it is +1, and how many rows have it.
    pub fn rarer(&self) -> (bool, usize) {
        let (positive, rows) = (self.labels.count(), self.rows());
        if 2 * positive <= rows { (true, positive) } else { (false, rows - positive) }
    }

    /// The label of all rows, if they have the same one.
    fn constant(&self) -> Option<bool> {
        let (rare, count) = self.rarer();
        (count == 0).then_some(!rare)
    }

    /// Whether a network answers 1 on the rows of label +1 and −1 on the others.
    pub fn is_realised_by(&self, network: &Network) -> bool {
        let output = network.output(&self.features);
        let wanted = |on: bool| if on { 1.0 } else { -1.0 };
        output.iter().zip(self.labels.iter()).all(|(&u, on)| u == wanted(on))
    }
}

/// Callbacks: one gets progress messages, and one is asked whether to stop.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called from time to time with the progress so far.
    pub tell: &'a (dyn Fn(&str) + Sync),
    /// Returns whether to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// The search gives up when it needs more neurons than this.
    pub most: usize,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl Watch<'_> {
    /// No callbacks and no limit.
    pub const NOBODY: Watch<'static> = Watch { tell: &|_| {}, stop: &|| false, most: usize::MAX };

    /// Fails if there are too many neurons, or if the caller asks to stop.
    fn check(&self, neurons: usize) -> Result<(), Error> {
        match neurons > self.most {
            true => Err(Error::TooManyNeurons { most: self.most }),
            false if (self.stop)() => Err(Error::Interrupted),
            false => Ok(()),
        }
    }
}

/// A network that gives every row its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Memorised {
    /// The way that was used.
    pub way: Way,
    /// The network: 1 on the rows of label +1, −1 on the others.
    pub network: Network,
    /// A remark on the result.
    pub note: String,
}

impl Memorised {
    /// Realises a labelling in one way. The same seed gives the same network. The network is
    /// evaluated on the rows before it is returned.
    ///
    /// # Errors
    /// When rows are too close to each other for weights in double precision, when it takes more
    /// neurons than `watch` allows, or when the caller stops it.
    pub fn by(way: Way, labelling: &Labelling, seed: u64, watch: Watch<'_>) -> Result<Self, Error> {
        let (layers, note) = match labelling.constant() {
            Some(on) => (vec![constant(labelling.features().dimension(), on)], String::new()),
            None => match way {
                Way::Staircase => staircase::layers(labelling, seed)?,
                Way::Slabs => slabs::layers(labelling, seed, watch)?,
                Way::List => list::layers(labelling, seed, watch)?,
                Way::Decode => decode::layers(labelling, seed, watch)?,
            },
        };
        let network = shortened(labelling, layers)?;
        watch.check(neurons(&network))?;
        match labelling.is_realised_by(&network) {
            true => Ok(Self { way, network, note }),
            false => Err(Error::TooClose { way: way.name() }),
        }
    }

    /// The number of threshold neurons in all layers.
    pub fn neurons(&self) -> usize {
        neurons(&self.network)
    }

    /// The number of neurons of each layer, from the first on.
    pub fn widths(&self) -> Vec<usize> {
        self.network.layers().iter().map(|layer| layer.neurons.len()).collect()
    }
}

/// A count with its noun, as in "3 rows".
fn plural(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The number of threshold neurons in all layers.
fn neurons(network: &Network) -> usize {
    network.layers().iter().map(|layer| layer.neurons.len()).sum()
}

/// Layers with one neuron on top, as a network whose output is 1 or −1.
fn network(inputs: usize, layers: Vec<Layer>) -> Result<Network, Error> {
    Network::new(inputs, layers, vec![2.0], -1.0)
}

/// The network of these layers, or of their first neuron alone if that neuron or its opposite is
/// enough.
fn shortened(labelling: &Labelling, layers: Vec<Layer>) -> Result<Network, Error> {
    let inputs = labelling.features().dimension();
    if let ([first, _, ..], [neuron]) = (&layers[..], &layers[0].neurons[..]) {
        let opposite = Neuron {
            inputs: neuron.inputs.clone(),
            weights: neuron.weights.iter().map(|w| -w + 0.0).collect(),
            bias: -neuron.bias + 0.0,
        };
        for only in [first.clone(), Layer { neurons: vec![opposite] }] {
            let network = network(inputs, vec![only])?;
            if labelling.is_realised_by(&network) {
                return Ok(network);
            }
        }
    }
    network(inputs, layers)
}

/// The layer of a neuron that is always on, or never.
fn constant(inputs: usize, on: bool) -> Layer {
    let bias = if on { 1.0 } else { -1.0 };
    Layer { neurons: vec![Neuron::from(Hyperplane { weights: vec![0.0; inputs], bias })] }
}

/// The weight decay of a model, as a fraction of the rarer label's count.
const DECAY: f64 = 1e-6;

/// The model of a memorising network. Its weight decay is so weak that the network is optimal up to
/// a fraction of `10⁻⁶`: with an output bias, no network of any width or depth has an objective
/// below `2β − (β²/2)(1/n₊ + 1/n₋)`, and `2·1{…} − 1` has the objective `2β`.
///
/// # Errors
/// When the network and the data have different inputs.
pub fn model(data: &Dataset, coding: Coding, network: Network) -> Result<Model, Error> {
    let mut sums = [0.0_f64; 2];
    for (y, s) in data.targets().iter().flat_map(|atoms| atoms.iter()) {
        sums[usize::from(y > 0.0)] += s;
    }
    let rare = sums[0].min(sums[1]);
    let beta = Beta::new(DECAY * if rare > 0.0 { rare } else { 1.0 })?;
    let (loss, constraints) =
        (LossKind::Squared, Constraints { intercept: true, ..Constraints::default() });
    let setting = Setting { loss, beta, bias: true, constraints, input_cost: 0.0 };
    Model::given(data, coding, None, vec![network], setting)
}
