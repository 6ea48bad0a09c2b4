//! Models: a network, the problem it solves, and the proof of how well.

use std::collections::HashSet;

use crate::certificate::check::{Claim, Verdict};
use crate::certificate::{Bound, Certificate, DualPoint, Problem, Proof, Scope};
use crate::data::{Coding, Dataset, Features, Fingerprint, Split, Table};
use crate::error::Error;
use crate::loss::{Loss, LossKind};
use crate::network::recipe::{self, Recipe};
use crate::network::{Network, Neuron};
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::Prover;
use crate::program::{Beta, Constraints};

/// Everything that is needed to answer for new samples, and to check the certificate again from the
/// training table.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// How a table becomes features and targets.
    pub coding: Coding,
    /// Which rows of the table were held out of training.
    pub split: Option<Split>,
    /// The network on those features, as read.
    pub network: Network,
    /// `l`.
    pub loss: LossKind,
    /// `β`.
    pub beta: Beta,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// What is asked of the output.
    pub constraints: Constraints,
    /// How the network was found.
    pub recipe: Recipe,
    /// What is proven, over the scope of the recipe.
    pub certificate: Certificate,
    /// The dual point that proves it.
    pub dual: DualPoint,
    /// What is proven over all networks of any width, of the model's depth or of any.
    pub global: Certificate,
    /// The data it was trained on.
    pub fingerprint: Fingerprint,
}

impl Model {
    /// The model of a network that came from elsewhere: its objective, and the bound over all networks
    /// that exists for every data set.
    ///
    /// # Errors
    /// When the network reads other inputs than the data have, or the targets do not suit the loss.
    pub fn given(
        data: &Dataset,
        (coding, split): (Coding, Option<Split>),
        network: Network,
        loss: LossKind,
        beta: Beta,
        (bias, constraints): (bool, Constraints),
    ) -> Result<Self, Error> {
        let (expected, found) = (data.dimension(), network.inputs());
        if expected != found {
            return Err(Error::Length { what: "inputs of the network", expected, found });
        }
        loss.check_targets(data.targets())?;
        let problem = Problem { targets: data.targets(), loss: &loss, beta, constraints };
        let output = network.output(data.features());
        let objective = problem.objective(&output, network.amplitudes().iter().copied());
        let certificate = Certificate::complete(&problem, objective);
        let (dual, _) = problem.complete_dual();
        Ok(Self {
            coding,
            split,
            network,
            loss,
            beta,
            bias,
            constraints,
            recipe: Recipe::Given,
            certificate,
            dual,
            global: certificate,
            fingerprint: data.fingerprint(),
        })
    }

    /// `f(x)` for every row of a table, with or without the target column.
    ///
    /// # Errors
    /// When the table lacks a feature or holds a value that has no coding.
    pub fn output(&self, table: &Table) -> Result<Vec<f64>, Error> {
        Ok(self.network.output_merged(self.coding.features(table)?))
    }

    fn spread(&self, distinct: &Features, row_of: &[u32]) -> Vec<f64> {
        let output = self.network.output(distinct);
        row_of.iter().map(|&g| output[g as usize]).collect()
    }

    /// `f(x)` for every sample of a data set, in the order of the samples.
    pub fn output_on(&self, data: &Dataset) -> Vec<f64> {
        self.spread(data.features(), data.row_of())
    }

    /// The probability of the class +1 that an output stands for: `1/(1 + exp(−u))` for the
    /// logistic loss; otherwise `(1 + u)/2`, of which the squared loss makes `u` an estimate.
    pub fn probability(&self, u: f64) -> f64 {
        match self.loss {
            LossKind::Logistic => 1.0 / (1.0 + (-u).exp()),
            _ => f64::midpoint(1.0, u).clamp(0.0, 1.0),
        }
    }

    /// The samples of the table that the model was trained on.
    ///
    /// # Errors
    /// When the table does not fit the model's coding.
    pub fn training_data(&self, table: &Table) -> Result<Dataset, Error> {
        match &self.split {
            None => self.coding.dataset(table),
            Some(split) => {
                let target = self.coding.target().column();
                let (kept, _) = split.parts(table, self.coding.locate(table, target)?);
                self.coding.dataset(&table.select(&kept))
            }
        }
    }

    /// Computes objective and bounds again from the network, the dual point and the data, and
    /// compares them with what the model states. The dictionary may take 8 GiB; see
    /// [`Model::certify_within`].
    ///
    /// # Errors
    /// When the data do not fit the network or the loss, or the dictionary is too large.
    pub fn certify(&self, data: &Dataset) -> Result<Check, Error> {
        self.certify_within(data, 8 << 30)
    }

    /// Whether every neuron in use answers with a pattern of the dictionary.
    fn is_built_from(&self, dictionary: &PatternMatrix, data: &Dataset) -> bool {
        let known: HashSet<Pattern> =
            (0..dictionary.patterns()).map(|j| dictionary.pattern(j)).collect();
        let answers = self.network.patterns(data.features());
        let mut used = (0..answers.patterns()).filter(|&j| self.network.amplitudes()[j] != 0.0);
        self.network.depth() == self.recipe.depth()
            && used.all(|j| known.contains(&answers.pattern(j)))
    }

    /// `max |dᵀz|` over the scope of the recipe, bounded again; nothing where the network is not in
    /// that scope, or its bound is the one that needs no patterns.
    fn price(
        &self,
        data: &Dataset,
        dual: &DualPoint,
        memory: u64,
    ) -> Result<Option<(Scope, Bound, f64)>, Error> {
        match self.recipe {
            Recipe::Complete
            | Recipe::Gaussian { .. }
            | Recipe::Staircase { .. }
            | Recipe::Given => Ok(None),
            Recipe::Sample { .. } | Recipe::Enumerate { .. } => {
                let patterns = self.recipe.patterns(data, self.bias, memory)?;
                // A dictionary says nothing about a network that is not built from it.
                let patterns = patterns.filter(|patterns| self.is_built_from(patterns, data));
                let (scope, bound) = match self.recipe.lists_all() {
                    true => (Scope::Global, Bound::Enumeration),
                    false => (Scope::Dictionary, Bound::Dictionary),
                };
                Ok(patterns.map(|patterns| (scope, bound, dual.price(&patterns, self.constraints))))
            }
            Recipe::Generate { max_inputs, effort, ref widths } => {
                let complete = self.certificate.bound() == Bound::Complete;
                // No search proves anything about deeper networks.
                if complete || !widths.is_empty() || !self.reads_at_most(max_inputs) {
                    return Ok(None);
                }
                let prover = Prover::new(recipe::arrangement(data, self.bias), max_inputs, effort)?;
                // What is below β proves no more than β itself.
                let beta = self.beta.get();
                let proof = Proof::of(dual, &prover, self.constraints, (&[], beta, 0), &|| false);
                Ok(Some((Scope::Global, proof.bound, proof.price)))
            }
        }
    }

    /// Whether this is a network of two layers whose neurons keep to the limit, and have a bias only
    /// where they may.
    fn reads_at_most(&self, inputs: Option<usize>) -> bool {
        let within =
            |n: &Neuron| inputs.is_none_or(|k| n.reads() <= k) && (self.bias || n.bias == 0.0);
        self.network.depth() == 2 && self.network.layers()[0].neurons.iter().all(within)
    }

    /// The same with so many bytes for the dictionary, which is drawn again. What is too large is
    /// refused before any work: a model may state what it likes.
    ///
    /// # Errors
    /// When the data do not fit the network or the loss, or the dictionary is too large.
    pub fn certify_within(&self, data: &Dataset, memory: u64) -> Result<Check, Error> {
        let (expected, found) = (self.network.inputs(), data.dimension());
        if expected != found {
            return Err(Error::Length { what: "features", expected, found });
        }
        if data.fingerprint() != self.fingerprint {
            return Ok(Check::OtherData);
        }
        if self.dual.values().len() != data.distinct() {
            let (expected, found) = (data.distinct(), self.dual.values().len());
            return Err(Error::Length { what: "numbers of the dual point", expected, found });
        }
        self.loss.check_targets(data.targets())?;
        let problem = Problem {
            targets: data.targets(),
            loss: &self.loss,
            beta: self.beta,
            constraints: self.constraints,
        };
        let output = self.network.output(data.features());
        let objective = problem.objective(&output, self.network.amplitudes().iter().copied());
        // With an output bias a dual point proves nothing unless it is balanced.
        let dual = problem.dual_point(self.dual.values().to_vec());
        let price = self.price(data, &dual, memory)?;
        let claim = Claim { problem: &problem, objective, dual: &dual, price };
        Ok(Check::SameData {
            certificate: claim.check(&self.certificate),
            global: claim.check(&self.global),
        })
    }
}

/// What checking a model again found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Check {
    /// The data are not those the model was trained on.
    OtherData,
    /// Both certificates, computed again.
    SameData {
        /// The one over the recipe's scope.
        certificate: Verdict,
        /// The one over all networks.
        global: Verdict,
    },
}

impl Check {
    /// Whether everything the model states is supported.
    pub fn holds(&self) -> bool {
        match self {
            Self::OtherData => false,
            Self::SameData { certificate, global } => certificate.holds && global.holds,
        }
    }
}
