//! Parts of a model: a network, how it was found, and its certificates.

use serde::{Deserialize, Serialize};

use super::Setting;
use crate::certificate::{Certificate, DualPoint, NetworkClass, Price, Scope};
use crate::data::Dataset;
use crate::error::Error;
use crate::exact::sum::Sum;
use crate::loss::Loss as _;
use crate::network::Network;
use crate::network::recipe::{MOST_EFFORT, MOST_PATTERNS, Recipe};
use crate::table::Coding;
use crate::table::Fingerprint;

/// The most layers below the last hidden one.
const DEEPEST: usize = 62;

/// How large the training data are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Size {
    /// The number of rows.
    pub rows: u64,
    /// `Σ s`: the weights of all rows.
    pub weight: f64,
}

impl Size {
    /// The size of a training set.
    pub(crate) fn of(data: &Dataset) -> Self {
        let weight: Sum = data.targets().iter().map(|atoms| atoms.weight()).collect();
        Self { rows: data.samples() as u64, weight: weight.value() }
    }
}

/// One network of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub(super) network: Network,
    pub(super) recipe: Recipe,
    pub(super) certificate: Certificate,
    pub(super) global: Certificate,
    pub(super) dual: DualPoint,
    pub(super) fingerprint: Fingerprint,
    pub(super) size: Size,
}

impl Part {
    /// A network with two certificates. The first uses this dual point, with a bound on its price
    /// over the patterns of the recipe; the second is over all networks.
    pub fn measure(
        data: &Dataset,
        setting: &Setting,
        network: Network,
        recipe: Recipe,
        dual: DualPoint,
        price: Price,
    ) -> Self {
        let problem = setting.problem(data.targets());
        let output = network.output(data.features());
        let objective = problem.objective(&output, network.paid_amplitudes(setting.input_cost));
        let class = setting.class(&recipe);
        let certificate = Certificate::measure(&problem, objective, &dual, price, &class);
        let mut global = Certificate::global(&problem, objective);
        if *certificate.class() == NetworkClass::all()
            && certificate.lower_bound() >= global.lower_bound()
            && certificate.scope() == Scope::Global
        {
            global = certificate.clone();
        }
        let (fingerprint, size) = (data.fingerprint(), Size::of(data));
        Self { network, recipe, certificate, global, dual, fingerprint, size }
    }

    /// A network on the listed neurons of a recipe, with the certificates over its dictionary and
    /// over all networks, measured on rows in blocks. Its dual point follows from the network, and
    /// is not stored.
    pub(crate) fn of_rows(
        network: Network,
        recipe: Recipe,
        [certificate, global]: [Certificate; 2],
        fingerprint: Fingerprint,
        size: Size,
    ) -> Self {
        let dual = DualPoint::new(Vec::new());
        Self { network, recipe, certificate, global, dual, fingerprint, size }
    }

    /// A network that was trained elsewhere, with the bound that exists for every data set.
    pub(super) fn given(
        data: &Dataset,
        network: Network,
        setting: &Setting,
    ) -> Result<Self, Error> {
        let (expected, found) = (data.dimension(), network.inputs());
        if expected != found {
            return Err(Error::Length { what: "inputs of the network", expected, found });
        }
        setting.loss.check_targets(data.targets())?;
        let (dual, price) = setting.problem(data.targets()).complete_dual();
        Ok(Self::measure(data, setting, network, Recipe::Given, dual, price))
    }

    /// The network, on the features as read.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// How it was found.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The certificate over its class of networks.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The certificate over all threshold networks of any width and depth.
    pub fn global(&self) -> &Certificate {
        &self.global
    }

    /// The dual point behind the certificate.
    pub fn dual(&self) -> &DualPoint {
        &self.dual
    }

    /// The fingerprint of the training data.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The size of the training data.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn with_network(&self, network: Network) -> Self {
        let mut recipe = self.recipe.clone();
        if let Recipe::Listed { neurons, .. } = &mut recipe {
            // The neurons with other weights stand for the same patterns of the dictionary.
            let [before, after] = [&self.network, &network].map(|network| network.layers().first());
            let before = before.map_or(&[][..], |layer| &layer.neurons);
            let after = after.map_or(&[][..], |layer| &layer.neurons);
            for (old, new) in before.iter().zip(after) {
                if let Some(place) = neurons.iter().position(|known| known == old) {
                    neurons[place] = new.clone();
                }
            }
        }
        Self { network, recipe, ..self.clone() }
    }

    /// Whether the data are those of the training, as far as merged rows tell: the rows of a model
    /// of blocks are compared where they are read.
    pub(super) fn is_of(&self, data: &Dataset) -> bool {
        self.recipe.listed().is_some() || data.fingerprint() == self.fingerprint
    }

    /// The same with a network that answers otherwise, and its objective measured again. The bounds
    /// stay: they are about all networks of their class.
    pub(crate) fn with_other_answers(
        &self,
        network: Network,
        data: &Dataset,
        setting: &Setting,
    ) -> Self {
        let output = network.output(data.features());
        let paid = network.paid_amplitudes(setting.input_cost);
        let objective = setting.problem(data.targets()).objective(&output, paid);
        Self {
            certificate: self.certificate.with_objective(objective),
            global: self.global.with_objective(objective),
            ..self.with_network(network)
        }
    }

    /// Refuses values that no training gives, because a file may state anything.
    pub(super) fn check(&self, coding: &Coding, setting: &Setting) -> Result<(), Error> {
        let (network, recipe) = (&self.network, &self.recipe);
        if network.inputs() != coding.dimension() {
            let (expected, found) = (coding.dimension(), network.inputs());
            return Err(Error::Length { what: "inputs of the network", expected, found });
        }
        let damaged = |reason: &str| Err(Error::ModelFile(reason.into()));
        if network.offset() != 0.0 && !setting.constraints.intercept {
            return damaged("its output has a bias, which its constraints do not allow");
        }
        if network.amplitudes().iter().any(|&a| a < 0.0) && setting.constraints.non_negative {
            return damaged("an amplitude is negative, which its constraints do not allow");
        }
        let all = *self.global.class() == NetworkClass::all();
        if !all || self.global.scope() != Scope::Global {
            return damaged("its global certificate is not about all networks");
        }
        if matches!(recipe, Recipe::Generate { effort, .. } if *effort > MOST_EFFORT) {
            return damaged("its recipe searches more than 10^7 nodes");
        }
        if matches!(recipe, Recipe::Sample { draws, .. } if *draws > MOST_PATTERNS) {
            return damaged("its recipe draws more than 10^8 patterns");
        }
        if setting.input_cost != 0.0 && !recipe.has_input_costs() {
            return damaged("its neurons pay for their inputs, which its recipe does not allow");
        }
        if recipe.listed().is_some() && !matches!(recipe.max_inputs(), None | Some(1)) {
            return damaged("its recipe limits neurons on rows in blocks to more than one input");
        }
        if let Some(policy) = recipe.policy() {
            if recipe.max_inputs() != Some(1) || !matches!(recipe.widths(), [] | [2]) {
                return damaged("its recipe has a policy for neurons that read several inputs");
            }
            if !policy.is_of(coding) || (policy.has_pairs() && recipe.widths().is_empty()) {
                return damaged("its recipe has a policy that its columns do not fit");
            }
        }
        let mut listed = recipe.listed().unwrap_or_default().iter();
        if let Some(problem) = listed.find_map(|neuron| neuron.problem(network.inputs())) {
            return damaged(&format!("a neuron of its dictionary: {problem}"));
        }
        if recipe.widths().len() > DEEPEST || recipe.widths().contains(&0) {
            return damaged("its recipe has layers without neurons, or more than 62 of them");
        }
        Ok(())
    }
}
