//! Models: one or more networks, the problem they solve, and the proof of how well.
//!
//! Two classes or a number take one network. Several classes take one for each: its problem is that class
//! against the rest, `min L_c(f_c(X)) + β Σ|aⱼ|` with `+1` for the samples of the class and `−1` for all
//! others, and one `β` for all. Objectives and bounds add up. The answer for a sample is the class of the
//! largest output, the first among equals.

mod calibration;
mod format;
mod part;
mod rechoose;

#[doc(hidden)]
pub use calibration::Calibration;
pub use part::Part;

use crate::certificate::{Certificate, Problem};
use crate::data::{Coding, Dataset, Features, Split, Table, TargetCoding, Targets};
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::Network;
use crate::network::score::{class_of, largest};
use crate::program::{Beta, Constraints};

/// The most values of a file: one takes a byte or two in the file, and up to 64 in memory.
pub(crate) use format::VALUES;

/// What all networks of a model were trained for.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// `l`.
    pub loss: LossKind,
    /// `β`.
    pub beta: Beta,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// What is asked of the output.
    pub constraints: Constraints,
}

impl Setting {
    /// The problem of these targets.
    pub fn problem<'a>(&'a self, targets: &'a Targets) -> Problem<'a, LossKind> {
        let Self { loss, beta, constraints, .. } = self;
        Problem { targets, loss, beta: *beta, constraints: *constraints }
    }
}

/// Everything that is needed to answer for new samples, and to check the certificates again from the
/// training table.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    coding: Coding,
    split: Option<Split>,
    setting: Setting,
    calibration: Option<Calibration>,
    parts: Vec<Part>,
}

impl Model {
    /// The model of these networks, in the order of the classes. `split` says which rows of the table
    /// were held out of training.
    ///
    /// # Errors
    /// When there is not one network for each of several classes, otherwise one; when a network reads
    /// other inputs than the coding gives, or has an output that the setting does not allow.
    pub fn new(
        coding: Coding,
        split: Option<Split>,
        setting: Setting,
        parts: Vec<Part>,
    ) -> Result<Self, Error> {
        let (expected, found) = (coding.networks(), parts.len());
        if expected != found {
            return Err(Error::Length { what: "networks of the model", expected, found });
        }
        parts.iter().try_for_each(|part| part.check(&coding, &setting))?;
        Ok(Self { coding, split, setting, calibration: None, parts })
    }

    /// The model of networks that came from elsewhere: their objectives, and the bound over all networks
    /// that exists for every data set.
    ///
    /// # Errors
    /// As for [`Model::new`], or when the targets do not suit the loss.
    pub fn given(
        data: &Dataset,
        coding: Coding,
        split: Option<Split>,
        networks: Vec<Network>,
        setting: Setting,
    ) -> Result<Self, Error> {
        let sets = check_parts(data, networks.len())?;
        let parts = (sets.iter().zip(networks))
            .map(|(data, network)| Part::given(data, network, &setting))
            .collect::<Result<_, _>>()?;
        Self::new(coding, split, setting, parts)
    }

    /// The same model with what turns its outputs into probabilities; of no use for numbers.
    #[must_use]
    pub fn with_calibration(self, calibration: Option<Calibration>) -> Self {
        let classes = self.coding.target().classes().is_some();
        Self { calibration: calibration.filter(|_| classes), ..self }
    }

    /// What turns outputs into probabilities, where it was fitted.
    pub fn calibration(&self) -> Option<Calibration> {
        self.calibration
    }

    /// How a table becomes features and targets.
    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    /// Which rows of the table were held out of training.
    pub fn split(&self) -> Option<Split> {
        self.split
    }

    /// What the networks were trained for.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// `l`.
    pub fn loss(&self) -> LossKind {
        self.setting.loss
    }

    /// `β`.
    pub fn beta(&self) -> Beta {
        self.setting.beta
    }

    /// The networks with their certificates: one for each of several classes, otherwise one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The first of them, which speaks for all in what they share: the method and the number of layers.
    pub fn first(&self) -> &Part {
        &self.parts[0]
    }

    /// The networks.
    pub fn networks(&self) -> impl ExactSizeIterator<Item = &Network> {
        self.parts.iter().map(Part::network)
    }

    /// The labels of the classes, in order: three or more, each with its network.
    pub fn several_classes(&self) -> Option<&[String]> {
        match self.coding.target() {
            TargetCoding::Several { classes, .. } => Some(classes),
            _ => None,
        }
    }

    /// How many output weights are not zero, in all networks.
    pub fn neurons(&self) -> usize {
        self.networks().map(Network::neurons).sum()
    }

    /// What is proven about the networks together, over the class that it names.
    pub fn certificate(&self) -> Certificate {
        self.sum(Part::certificate)
    }

    /// What is proven about the networks together, over all threshold networks of any width and depth.
    pub fn global(&self) -> Certificate {
        self.sum(Part::global)
    }

    fn sum(&self, certificate: impl Fn(&Part) -> &Certificate) -> Certificate {
        let parts: Vec<Certificate> =
            self.parts.iter().map(|part| certificate(part).clone()).collect();
        Certificate::sum(&parts).expect("a model has a network")
    }

    /// `L(u)`, of all networks together: the objective without the penalty.
    pub fn training_loss(&self) -> f64 {
        let loss = |part: &Part| {
            let norm: f64 = part.network().amplitudes().iter().map(|a| a.abs()).sum();
            part.certificate().objective() - self.beta().get() * norm
        };
        self.parts.iter().map(loss).sum()
    }

    /// `f(x)` for every row of a table, with or without the target column: one list for each network.
    ///
    /// # Errors
    /// When the table lacks a feature or holds a value that has no coding.
    pub fn outputs(&self, table: &Table) -> Result<Vec<Vec<f64>>, Error> {
        Ok(self.outputs_of(&self.coding.features(table)?))
    }

    /// `f(x)` for every row of a matrix: one list for each network.
    pub fn outputs_of(&self, features: &Features) -> Vec<Vec<f64>> {
        self.networks().map(|network| network.output_merged(features.clone())).collect()
    }

    /// `f(x)` for every sample of a data set, in the order of the samples: one list for each network.
    pub fn outputs_on(&self, data: &Dataset) -> Vec<Vec<f64>> {
        let spread = |network: &Network| {
            let output = network.output(data.features());
            data.row_of().iter().map(|&g| output[g as usize]).collect()
        };
        self.networks().map(spread).collect()
    }

    /// The place of the class that a sample's outputs, one of each network, stand for.
    pub fn class(&self, outputs: &[f64]) -> usize {
        match outputs {
            [u] => usize::from(class_of(*u) > 0.0),
            outputs => largest(outputs),
        }
    }

    /// The probability of each class that a sample's outputs stand for, where a calibration or the loss
    /// gives them a meaning. Without a calibration: Of two classes the second has `1/(1 + exp(−u))` with the logistic loss, otherwise
    /// `(1 + u)/2`, of which the squared loss makes `u` an estimate. Several classes have
    /// `1/(1 + exp(−u_c))` divided by their sum, with the logistic loss alone.
    pub fn probabilities(&self, outputs: &[f64]) -> Option<Vec<f64>> {
        if let Some(calibration) = &self.calibration {
            return Some(calibration.probabilities(outputs));
        }
        match (outputs, self.loss()) {
            ([u], LossKind::Logistic) => Some(1.0 / (1.0 + (-u).exp())).map(|p| vec![1.0 - p, p]),
            ([u], _) => Some(f64::midpoint(1.0, *u).clamp(0.0, 1.0)).map(|p| vec![1.0 - p, p]),
            (outputs, LossKind::Logistic) => {
                // The same up to a factor, the largest being at least ½: no sum vanishes.
                let most = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(0.0);
                let share = |u: f64| 1.0 / (most.exp() + (most - u).exp());
                let sum: f64 = outputs.iter().map(|&u| share(u)).sum();
                Some(outputs.iter().map(|&u| share(u) / sum).collect())
            }
            _ => None,
        }
    }

    /// The samples of the table that the model was trained on.
    ///
    /// # Errors
    /// When the table does not fit the model's coding.
    pub fn training_data(&self, table: &Table) -> Result<Dataset, Error> {
        let Some(split) = &self.split else { return self.coding.dataset(table) };
        let target = self.coding.target().column();
        let (kept, _) = split.parts(table, self.coding.locate(table, target)?);
        self.coding.dataset(&table.select(&kept))
    }

    /// What each network was trained on.
    ///
    /// # Errors
    /// When there is not one set for each network.
    pub(crate) fn parts_of(&self, data: &Dataset) -> Result<Vec<Dataset>, Error> {
        check_parts(data, self.parts.len())
    }
}

/// The parts of the data, one for each network.
fn check_parts(data: &Dataset, expected: usize) -> Result<Vec<Dataset>, Error> {
    let parts = data.parts();
    match parts.len() {
        found if found == expected => Ok(parts),
        found => Err(Error::Length { what: "classes of the data", expected, found }),
    }
}
