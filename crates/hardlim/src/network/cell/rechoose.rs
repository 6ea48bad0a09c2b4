//! Other weights for an existing network. In every layer each neuron gives the same answers as
//! before, so the layers above see the same inputs and the output does not change by a bit.
//!
//! Weights are chosen together for neurons that may read the same inputs. Neurons of a subnetwork
//! keep to their part of the layer below. If the number of inputs is limited, a neuron keeps to the
//! inputs it reads; if it pays for them, it reads all of them.

use std::collections::BTreeMap;

use super::grid::{Grid, MOST_BITS};
use super::{Cell, Task, Weights, integer, settle};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Features, Scaling};
use crate::error::Error;
use crate::network::representation::zeros_and_ones;
use crate::network::tuning::WIDTHS;
use crate::network::{Layer, Network, Neuron};
use crate::pattern::{Pattern, PatternMatrix};

/// Which weights to choose, and how.
#[derive(Clone, Copy)]
pub struct Rechoice<'a> {
    /// Which weights.
    pub weights: Weights,
    /// The width of inputs in fixed point, including the sign; by default, the smallest that works.
    pub input_bits: Option<u32>,
    /// For each input its number of fractional bits, if its coding knows them; may be empty.
    pub shifts: &'a [Option<i32>],
    /// Whether neurons of the first layer keep to the inputs that they read, even if their class
    /// allows more.
    pub same_inputs: bool,
    /// Whether they read all of these, too; a neuron keeps its weights if the others do not.
    pub all_of_them: bool,
    /// Called after each neuron.
    pub done: &'a (dyn Fn() + Sync),
    /// When it returns true, the other neurons keep their weights.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for Rechoice<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rechoice({}, input bits: {:?})", self.weights, self.input_bits)
    }
}

impl<'a> Rechoice<'a> {
    /// These weights, for all neurons.
    pub fn new(weights: Weights) -> Self {
        Self {
            weights,
            input_bits: None,
            shifts: &[],
            same_inputs: false,
            all_of_them: false,
            done: &|| (),
            stop: &|| false,
        }
    }
}

impl Network {
    /// The same network with other weights, which give the same answers on these rows in every
    /// layer.
    pub fn rechoose(
        &self,
        features: &Features,
        bias: bool,
        scaling: &Scaling,
        rechoice: &Rechoice<'_>,
    ) -> Result<Self, Error> {
        let (mut layers, mut grid) = (Vec::new(), None);
        let (mut inputs, mut scaling) = (features.clone(), scaling.clone());
        for (l, layer) in self.layers().iter().enumerate() {
            let answers = layer.answers(&inputs);
            let first = l == 0;
            let step =
                Step { inputs: &inputs, scaling: &scaling, bias, answers: &answers, layer, first };
            let groups = step.groups(rechoice.same_inputs);
            let on_grid =
                (rechoice.weights == Weights::Integer).then(|| step.grid(&groups, rechoice));
            layers.push(step.choose(groups, on_grid.as_ref(), rechoice)?);
            if l == 0 {
                grid = on_grid;
            }
            inputs = zeros_and_ones(&answers);
            scaling = Scaling::identity(inputs.dimension());
        }
        let network = Self::new(self.inputs(), layers, self.amplitudes().to_vec(), self.offset())?;
        Ok(network.with_grid(grid))
    }
}

struct Step<'a> {
    inputs: &'a Features,
    scaling: &'a Scaling,
    bias: bool,
    answers: &'a PatternMatrix,
    layer: &'a Layer,
    /// Whether the layer reads the features.
    first: bool,
}

/// Neurons that may read the same inputs, the distinct rows of these inputs, and the answers on
/// them.
struct Readers {
    allowed: Option<Vec<u32>>,
    neurons: Vec<usize>,
    features: Features,
    cells: Vec<Cell>,
}

impl Readers {
    fn task<'a>(&'a self, bias: bool, rechoice: &Rechoice<'a>) -> Task<'a> {
        let arrangement = Arrangement::with_bias(&self.features, bias);
        Task { arrangement, cells: &self.cells, done: rechoice.done, stop: rechoice.stop }
    }

    fn grid(&self, grid: &Grid) -> Grid {
        self.allowed.as_ref().map_or_else(|| grid.clone(), |inputs| grid.select(inputs))
    }
}

impl Step<'_> {
    fn groups(&self, same_inputs: bool) -> Vec<Readers> {
        let mut members = BTreeMap::<Option<Vec<u32>>, Vec<usize>>::new();
        for (k, neuron) in self.layer.neurons.iter().enumerate() {
            // Above the first layer, the inputs identify the subnetwork.
            let allowed = match (self.first, same_inputs) {
                (true, true) => Some(reads(neuron)),
                (true, false) => None,
                (false, _) => neuron.inputs.clone(),
            };
            members.entry(allowed).or_default().push(k);
        }
        let group = |(allowed, neurons): (Option<Vec<u32>>, Vec<usize>)| {
            let restricted = match &allowed {
                None => self.inputs.clone(),
                Some(inputs) => self.inputs.columns(inputs),
            };
            let (features, row_of) = restricted.merge();
            let mut first = vec![usize::MAX; features.rows()];
            for (i, &g) in row_of.iter().enumerate().rev() {
                first[g as usize] = i;
            }
            let cell = |&k: &usize| {
                let plane = self.layer.neurons[k].hyperplane(self.inputs.dimension());
                let weights = match &allowed {
                    None => plane.weights,
                    Some(inputs) => inputs.iter().map(|&j| plane.weights[j as usize]).collect(),
                };
                let pattern = Pattern::from_fn(first.len(), |g| self.answers.get(first[g], k));
                Cell { pattern, witness: Some(Hyperplane { weights, bias: plane.bias }) }
            };
            let cells = neurons.iter().map(cell).collect();
            Readers { allowed, neurons, features, cells }
        };
        members.into_iter().map(group).collect()
    }

    /// The inputs in fixed point: of this width, or of the smallest width at which every neuron
    /// that can have integer weights has them.
    fn grid(&self, groups: &[Readers], rechoice: &Rechoice<'_>) -> Grid {
        let input_bits = rechoice.input_bits;
        let known = if self.first { rechoice.shifts } else { &[] };
        let finest = Grid::fit(self.inputs, input_bits.unwrap_or(MOST_BITS), known);
        let is_known = |j: usize| known.get(j).is_some_and(Option::is_some);
        let whole = finest.shifts().iter().enumerate().all(|(j, g)| *g == 0 || is_known(j));
        if input_bits.is_some() || whole {
            return finest;
        }
        let reach: Vec<Vec<Cell>> = (groups.iter())
            .map(|group| {
                integer::within_reach(group.task(self.bias, rechoice), &group.grid(&finest))
            })
            .collect();
        let serves = |grid: &Grid| {
            groups.iter().zip(&reach).all(|(group, cells)| {
                let task = Task { cells, ..group.task(self.bias, rechoice) };
                integer::all_within_reach(task, &group.grid(grid))
            })
        };
        let mut grids = WIDTHS.into_iter().map(|bits| Grid::fit(self.inputs, bits, known));
        grids.find(serves).unwrap_or(finest)
    }

    fn choose(
        &self,
        groups: Vec<Readers>,
        grid: Option<&Grid>,
        rechoice: &Rechoice<'_>,
    ) -> Result<Layer, Error> {
        let mut neurons = self.layer.neurons.clone();
        for group in groups {
            let task = group.task(self.bias, rechoice);
            let mut proposed = match (rechoice.weights, grid) {
                (Weights::Sampled, _) => continue,
                (_, Some(grid)) => integer::planes(task, &group.grid(grid)),
                (weights, None) => {
                    let scaling = match &group.allowed {
                        None => self.scaling.clone(),
                        Some(inputs) => self.scaling.select(inputs),
                    };
                    task.propose(weights, &scaling)?
                }
            };
            let all = self.first && rechoice.all_of_them;
            if let Some(inputs) = group.allowed.as_ref().filter(|_| all) {
                let same = |plane: Hyperplane| Some(plane).filter(|p| p.reads() == inputs.len());
                proposed = proposed.into_iter().map(|plane| plane.and_then(same)).collect();
            }
            let cells = group.cells.clone();
            let planes = settle(&task.arrangement, cells, proposed, rechoice.weights)?;
            for (&k, plane) in group.neurons.iter().zip(planes) {
                neurons[k] = Neuron { inputs: group.allowed.clone(), ..Neuron::from(plane) };
                if rechoice.weights == Weights::Sparse && self.first {
                    neurons[k] = compressed(&neurons[k]);
                }
            }
        }
        let layer = Layer { neurons };
        // The next layer must see the same answers as before.
        if layer.answers(self.inputs) == *self.answers {
            Ok(layer)
        } else {
            Err(Error::WeightsMissPattern { choice: rechoice.weights.to_string() })
        }
    }
}

fn reads(neuron: &Neuron) -> Vec<u32> {
    neuron.terms().filter(|(_, w)| *w != 0.0).map(|(j, _)| j as u32).collect()
}

/// The same neuron without the inputs that make no difference.
fn compressed(neuron: &Neuron) -> Neuron {
    let weights = neuron.weights.iter().copied().filter(|w| *w != 0.0).collect();
    Neuron { inputs: Some(reads(neuron)), weights, bias: neuron.bias }
}
