//! Models: one or more networks, the problem they solve, and proofs of how good they are.
//!
//! A model for two classes or for numbers has one network. With more classes there is one network
//! for each class, trained on that class against the rest: `min L_c(f_c(X)) + β Σ|aⱼ|` with `+1`
//! for the samples of the class, `−1` for all others, and the same `β`. Objectives and bounds add
//! up. The prediction is the class with the largest output, the first one if there are ties.

mod calibration;
mod edit;
mod few_bits;
pub mod file;
mod format;
mod history;
mod part;
mod rechoose;
mod terms;
mod weight_bits;

pub use calibration::Calibration;
pub use few_bits::FewBits;
pub use history::{History, Validation};
pub use part::Part;
pub(crate) use part::Size;
pub use terms::Terms;
pub use weight_bits::Narrowed;

use crate::certificate::{Certificate, NetworkClass, Problem};
use crate::data::{Dataset, Features, Split, Targets};
use crate::data::{MOST_ROWS, RowPrints};
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::Network;
use crate::network::recipe::Recipe;
use crate::pattern::threshold::fires;
use crate::program::{Beta, Constraints};
use crate::table::{Coding, Fingerprint, Table, TargetCoding};

/// The most values of a file: each takes a byte or two in the file, and up to 64 bytes in memory.
pub(crate) use format::VALUES;

/// The settings that all networks of a model were trained with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// `l`.
    pub loss: LossKind,
    /// `β`.
    pub beta: Beta,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// The constraints on the output.
    pub constraints: Constraints,
    /// `P`: a neuron that reads `k` inputs pays `kᴾ β |a|`. Zero means `β |a|` for all.
    pub input_cost: f64,
}

impl Setting {
    /// The class of networks that the patterns of a recipe belong to.
    pub(crate) fn class(&self, recipe: &Recipe) -> NetworkClass {
        NetworkClass { input_cost: self.input_cost, ..recipe.class(self.bias) }
    }

    /// The problem for these targets.
    pub fn problem<'a>(&'a self, targets: &'a Targets) -> Problem<'a, LossKind> {
        let Self { loss, beta, constraints, .. } = self;
        Problem { targets, loss, beta: *beta, constraints: *constraints }
    }
}

/// A trained model: it predicts new samples, and its certificates can be checked again from the
/// training table.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    coding: Coding,
    split: Option<Split>,
    setting: Setting,
    calibration: Option<Calibration>,
    /// The prints of its training rows, by which it recognises them.
    pub(crate) rows: Option<RowPrints>,
    pub(crate) history: Option<History>,
    /// The SHA-256 of the files that it was trained on, in their order.
    files: Vec<Fingerprint>,
    parts: Vec<Part>,
}

impl Model {
    /// A model of these networks, in the order of the classes. `split` tells which rows of the
    /// table were held out of training.
    ///
    /// # Errors
    /// When the number of networks is wrong, a network does not have the inputs of the coding, or
    /// an output breaks the constraints.
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
        let (calibration, rows, history, files) = (None, None, None, Vec::new());
        Ok(Self { coding, split, setting, calibration, rows, history, files, parts })
    }

    /// A model of networks that were trained elsewhere. Their certificates hold the objective, and
    /// the bound over all networks that exists for every data set.
    ///
    /// # Errors
    /// As for [`Model::new`], or when the loss does not take the targets.
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
        Ok(Self { rows: RowPrints::of(data), ..Self::new(coding, split, setting, parts)? })
    }

    /// The same model with a calibration, which turns outputs into probabilities of classes.
    #[must_use]
    pub fn with_calibration(self, calibration: Option<Calibration>) -> Self {
        let classes = self.coding.target().classes().is_some();
        Self { calibration: calibration.filter(|_| classes), ..self }
    }

    /// The same model, trained on files of these hashes.
    #[must_use]
    pub fn with_files(self, files: Vec<Fingerprint>) -> Self {
        Self { files, ..self }
    }

    /// Whether these files are those of training, to the last byte; `None` if one side knows no
    /// files. Other files may have the same rows as encoded: then the certificate holds for them.
    pub fn same_files(&self, files: &[Fingerprint]) -> Option<bool> {
        (!files.is_empty() && !self.files.is_empty()).then(|| self.files == files)
    }

    /// How it was trained, if that is known.
    pub fn history(&self) -> Option<&History> {
        self.history.as_ref()
    }

    /// The calibration, which turns outputs into probabilities, if one was fitted.
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

    /// The settings that the networks were trained with.
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

    /// The networks with their certificates: one for each class if there are more than two,
    /// otherwise one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The first network. The method and the number of layers are the same for all.
    pub fn first(&self) -> &Part {
        &self.parts[0]
    }

    /// Whether it was trained on rows in blocks; then its certificate is checked on rows in blocks,
    /// too ([`Model::certify_rows`]).
    pub fn is_of_rows(&self) -> bool {
        self.parts.iter().any(|part| part.recipe().listed().is_some())
    }

    /// The networks.
    pub fn networks(&self) -> impl ExactSizeIterator<Item = &Network> {
        self.parts.iter().map(Part::network)
    }

    /// The labels of the classes, in order, if there are more than two; each has its own network.
    pub fn several_classes(&self) -> Option<&[String]> {
        match self.coding.target() {
            TargetCoding::Several { classes, .. } => Some(classes),
            _ => None,
        }
    }

    /// The number of neurons in all networks: output weights that are not zero.
    pub fn neurons(&self) -> usize {
        self.networks().map(Network::neurons).sum()
    }

    /// The certificate of all networks together, over its class of networks.
    pub fn certificate(&self) -> Certificate {
        self.sum(Part::certificate)
    }

    /// The certificate of all networks together, over all threshold networks of any width and
    /// depth.
    pub fn global(&self) -> Certificate {
        self.sum(Part::global)
    }

    fn sum(&self, certificate: impl Fn(&Part) -> &Certificate) -> Certificate {
        let parts: Vec<Certificate> =
            self.parts.iter().map(|part| certificate(part).clone()).collect();
        Certificate::sum(&parts).expect("a model has a network")
    }

    /// `L(u)` of all networks together: the objective without the penalty.
    pub fn training_loss(&self) -> f64 {
        let loss = |part: &Part| {
            let paid = part.network().paid_amplitudes(self.setting.input_cost);
            part.certificate().objective() - self.beta().get() * paid.map(f64::abs).sum::<f64>()
        };
        self.parts.iter().map(loss).sum()
    }

    /// `f(x)` for every row of a table, which needs no target column: one list for each network.
    ///
    /// # Errors
    /// When a feature is missing from the table, or a value has no coding.
    pub fn outputs(&self, table: &Table) -> Result<Vec<Vec<f64>>, Error> {
        Ok(self.outputs_of(&self.coding.features(table)?))
    }

    /// `f(x)` for every row of a matrix: one list for each network.
    pub fn outputs_of(&self, features: &Features) -> Vec<Vec<f64>> {
        self.networks().map(|network| network.output(features)).collect()
    }

    /// `f(x)` for every sample of a data set, in the order of the samples: one list for each
    /// network.
    pub fn outputs_on(&self, data: &Dataset) -> Vec<Vec<f64>> {
        let spread = |network: &Network| {
            let output = network.output(data.features());
            data.row_of().iter().map(|&g| output[g as usize]).collect()
        };
        self.networks().map(spread).collect()
    }

    /// The index of the predicted class, given a sample's outputs, one for each network.
    pub fn class(&self, outputs: &[f64]) -> usize {
        match outputs {
            [u] => usize::from(class_of(*u) > 0.0),
            outputs => largest(outputs),
        }
    }

    /// The probability of each class, given a sample's outputs, if a calibration or the loss
    /// defines probabilities. Without a calibration, the second of two classes has `1/(1 +
    /// exp(−u))` with the logistic loss, and `(1 + u)/2` otherwise, which the squared loss makes an
    /// estimate. With more classes, only the logistic loss has probabilities: `1/(1 + exp(−u_c))`,
    /// divided by their sum.
    pub fn probabilities(&self, outputs: &[f64]) -> Option<Vec<f64>> {
        if let Some(calibration) = &self.calibration {
            return Some(calibration.probabilities(outputs));
        }
        match (outputs, self.loss()) {
            ([u], LossKind::Logistic) => Some(1.0 / (1.0 + (-u).exp())).map(|p| vec![1.0 - p, p]),
            ([u], _) => Some(f64::midpoint(1.0, *u).clamp(0.0, 1.0)).map(|p| vec![1.0 - p, p]),
            (outputs, LossKind::Logistic) => {
                // The same up to a factor. The largest is at least ½, so the sum is not zero.
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
    /// When the table does not match the coding of the model, or a model of rows in blocks was
    /// trained on other rows.
    pub fn training_data(&self, table: &Table) -> Result<Dataset, Error> {
        if self.is_of_rows() && !self.is_of_table(table)? {
            return Err(Error::OtherData);
        }
        let Some(split) = &self.split else { return self.coding.dataset(table) };
        let target = self.coding.target().column();
        let (kept, _) = split.parts(table, self.coding.locate(table, target)?);
        self.coding.dataset(&table.select(&kept))
    }

    /// How many rows of a table with targets the model was trained on. If it is the training table,
    /// these are the rows that were not held out. In other tables, rows are recognised by their
    /// prints: `None` if the model has none, as it was trained on more than 100,000 rows, or on
    /// rows of which many are equal.
    pub fn training_rows(&self, table: &Table) -> Option<usize> {
        if let Some(rows) = self.all_training_rows(table) {
            return Some(rows);
        }
        let prints = self.rows.as_ref()?;
        let (x, y) = (self.coding.features(table).ok()?, self.coding.targets(table).ok()?);
        Some(prints.count(&x, &y))
    }

    /// What to say about a table of `rows` rows, `found` of which are training rows, as counted by
    /// [`Model::training_rows`].
    pub fn training_rows_note(&self, found: Option<usize>, rows: usize) -> Option<String> {
        let which = match found {
            Some(0) => return None,
            Some(found) if found == rows => "these are the training rows".to_owned(),
            Some(found) => format!("{found} of these {rows} rows are training rows"),
            None if self.first().dual().values().len() > MOST_ROWS => {
                let note = "training rows are not recognised one by one, as there are more than";
                return Some(format!("{note} {MOST_ROWS}"));
            }
            None => return None,
        };
        Some(format!("{which}: expect a lower score on new ones"))
    }

    /// Whether these are the rows in blocks that the model was trained on.
    fn is_of_table(&self, table: &Table) -> Result<bool, Error> {
        let facts = self.coding.block(table, 0, None)?.facts(0);
        let own = facts.prints.fingerprint(facts.rows, self.coding.dimension());
        Ok(self.parts.iter().all(|part| part.fingerprint == own))
    }

    /// The number of training rows, if the table is the one that the model was trained on.
    fn all_training_rows(&self, table: &Table) -> Option<usize> {
        let data = self.training_data(table).ok()?;
        if self.is_of_rows() {
            return Some(data.samples());
        }
        let parts = self.parts_of(&data).ok()?;
        let same = |(data, part): (&Dataset, &Part)| data.fingerprint() == part.fingerprint();
        parts.iter().zip(&self.parts).all(same).then(|| data.samples())
    }

    /// The rows of a table that the model was not trained on, in ascending order: those that were
    /// held out if it is the training table, otherwise all.
    pub fn new_rows(&self, table: &Table) -> Vec<usize> {
        if self.all_training_rows(table).is_none() {
            return (0..table.rows()).collect();
        }
        let target = self.coding.locate(table, self.coding.target().column());
        match (&self.split, target) {
            (Some(split), Ok(target)) => split.parts(table, target).1,
            _ => Vec::new(),
        }
    }

    /// The data that each network was trained on.
    pub(crate) fn parts_of(&self, data: &Dataset) -> Result<Vec<Dataset>, Error> {
        check_parts(data, self.parts.len())
    }
}

/// The answer of a model of two classes: `+1` if the output is at least zero, like a threshold
/// neuron.
pub fn class_of(output: f64) -> f64 {
    if fires(output) { 1.0 } else { -1.0 }
}

/// The answer of a model of several classes: the index of the largest output, the first one if
/// there are ties.
pub fn largest(outputs: &[f64]) -> usize {
    let larger = |best: usize, k: usize| if outputs[k] > outputs[best] { k } else { best };
    (0..outputs.len()).reduce(larger).expect("one output for each class")
}

/// The parts of the data, one for each network.
fn check_parts(data: &Dataset, expected: usize) -> Result<Vec<Dataset>, Error> {
    let parts = data.parts();
    match parts.len() {
        found if found == expected => Ok(parts),
        found => Err(Error::Length { what: "classes of the data", expected, found }),
    }
}
