//! Neurons whose integer weights have a limited number of bits.

use super::{Model, Part, Setting};
use crate::certificate::Scope;
use crate::data::Dataset;
use crate::error::Error;
use crate::network::{Layer, Nearest, Network, Neuron, Rechoice, Weights};

/// Neurons that were changed to keep within a number of bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Narrowed {
    /// The most bits of a weight of the first layer, including the sign.
    pub bits: u32,
    /// The number of neurons that were changed: their cells have no weights of `bits` bits.
    pub neurons: usize,
    /// The objective before.
    pub objective: f64,
}

impl Model {
    /// The same model with integer weights of at most `bits` bits in the first layer, including
    /// the sign, 2 at least. If the cell of a neuron has no such weights, the neuron becomes one
    /// that answers nearly the same on the training rows, and the objective is measured again.
    ///
    /// # Errors
    /// When the data are not the training data.
    pub fn with_weight_bits(
        &self,
        data: &Dataset,
        bits: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Self, Option<Narrowed>), Error> {
        let bits = bits.max(2);
        let rechoice = Rechoice { same_inputs: true, stop, ..Rechoice::new(Weights::Integer) };
        let model = self.rechoose(data, &rechoice)?;
        let (mut parts, mut neurons) = (Vec::new(), 0);
        for (part, data) in model.parts.iter().zip(&model.parts_of(data)?) {
            let (part, changed) = part.narrowed(data, &model.setting, bits)?;
            parts.push(part);
            neurons += changed;
        }
        for part in parts.iter_mut().filter(|part| part.certificate.scope() == Scope::Dictionary) {
            // A bound over drawn patterns says nothing about neurons that were not drawn.
            if neurons > 0 {
                part.certificate = part.global.clone();
            }
        }
        let objective = self.certificate().objective();
        let narrowed = (neurons > 0).then_some(Narrowed { bits, neurons, objective });
        Ok((Self { parts, ..model }, narrowed))
    }
}

impl Part {
    /// The part with weights of `bits` bits, and how many neurons were changed.
    fn narrowed(
        &self,
        data: &Dataset,
        setting: &Setting,
        bits: u32,
    ) -> Result<(Self, usize), Error> {
        let network = &self.network;
        let Some((grid, (first, above))) = network.grid().zip(network.layers().split_first())
        else {
            return Ok((self.clone(), 0));
        };
        let fits = |neuron: &Neuron| grid.bits_of(neuron).is_some_and(|own| own <= bits);
        let wide = first.neurons.iter().filter(|neuron| !fits(neuron)).count();
        if wide == 0 {
            return Ok((self.clone(), 0));
        }
        let times: Vec<f64> = data.targets().iter().map(|atoms| atoms.weight()).collect();
        let nearest = Nearest::new(data.features(), &times, grid, setting.bias, bits);
        let answers = first.answers(data.features());
        let neurons = (first.neurons.iter().enumerate())
            .map(|(k, neuron)| {
                if fits(neuron) {
                    return neuron.clone();
                }
                // The nearest neuron of few bits reads the same inputs or some of them.
                let (plane, _) =
                    nearest.find(&neuron.hyperplane(data.dimension()), &answers.pattern(k));
                let read =
                    |read: &Vec<u32>| read.iter().map(|&j| plane.weights[j as usize]).collect();
                let weights = neuron.inputs.as_ref().map_or_else(|| plane.weights.clone(), read);
                Neuron { inputs: neuron.inputs.clone(), weights, bias: plane.bias }
            })
            .collect();
        let layers = [&[Layer { neurons }], above].concat();
        let (amplitudes, offset) = (network.amplitudes().to_vec(), network.offset());
        let grid = Some(grid.clone());
        let network = Network::new(network.inputs(), layers, amplitudes, offset)?.with_grid(grid);
        Ok((self.with_other_answers(network, data, setting), wide))
    }
}
