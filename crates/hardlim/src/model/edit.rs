//! Other output weights, chosen by hand: a rule is dropped, or gets another weight.

use super::{History, Model};
use crate::data::Dataset;
use crate::error::Error;

impl Model {
    /// The same model with these output weights in place of its own, for the rules of these
    /// numbers, as [`Explanation`](crate::explain::Explanation) names them: 3 is `h3`. A rule of
    /// weight zero is dropped, and the rules after it move up. All other weights and the output
    /// bias stay as they are. The objective is measured again. The bounds stay, because they are
    /// about all networks of the class.
    ///
    /// # Errors
    /// When the data are not the training data, when there are several networks, or they are of
    /// rows in blocks; when a rule does not exist, is named twice, or reads more than one column;
    /// when a weight is not finite, against the direction of its column, or so large that others
    /// would be rounded.
    pub fn with_weights(&self, data: &Dataset, weights: &[(usize, f64)]) -> Result<Self, Error> {
        let refuse = |reason: String| Err(Error::Edit(reason));
        if self.is_of_rows() {
            return Err(Error::InBlocks);
        }
        let [part] = &self.parts[..] else {
            let networks = self.parts.len();
            return refuse(format!("the model has {networks} networks, one for each class"));
        };
        if data.dimension() != part.network.inputs() || !part.is_of(data) {
            return Err(Error::OtherData);
        }
        let network = &part.network;
        let [layer] = network.layers() else {
            return refuse("its rules have more than one condition".into());
        };
        if layer.neurons.iter().any(|neuron| neuron.reads() > 1) {
            return refuse("its neurons read several inputs each, so they are not rules".into());
        }
        let mut amplitudes = network.amplitudes().to_vec();
        let mut edited = vec![false; amplitudes.len()];
        for &(rule, weight) in weights {
            let Some(k) = rule.checked_sub(1).filter(|k| *k < amplitudes.len()) else {
                let rules = amplitudes.len();
                return refuse(format!("there is no rule h{rule}: rules are h1 to h{rules}"));
            };
            if std::mem::replace(&mut edited[k], true) {
                return refuse(format!("rule h{rule} is named twice"));
            }
            if !weight.is_finite() {
                return refuse(format!("the weight of h{rule} must be finite, got {weight}"));
            }
            let plane = layer.neurons[k].hyperplane(network.inputs());
            let policy = part.recipe.policy();
            if !policy.is_none_or(|policy| policy.signs_of_neuron(&plane).allow(weight)) {
                return refuse(format!("the weight {weight} of h{rule} is against its direction"));
            }
            amplitudes[k] = weight;
        }
        let wanted: Vec<(f64, bool)> =
            amplitudes.iter().copied().zip(edited).filter(|(a, _)| *a != 0.0).collect();
        let network = network.clone().with_amplitudes(amplitudes, network.offset());
        let same = |(found, (wanted, edited)): (&f64, &(f64, bool))| *edited || found == wanted;
        let exact = network.amplitudes().iter().zip(&wanted).all(same);
        if !exact || network.offset() != part.network.offset() {
            return refuse("a weight is so large that other weights would be rounded".into());
        }
        let part = part.with_other_answers(network, data, &self.setting);
        part.check(&self.coding, &self.setting)?;
        // The scores of cross-validation are those of the model before.
        let history = self.history.clone();
        let history = history.map(|own| History { validation: None, trace: Vec::new(), ..own });
        Ok(Self { parts: vec![part], history, ..self.clone() })
    }
}
