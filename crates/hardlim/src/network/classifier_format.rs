//! The file of a classifier: what all classes share once, then one part for each class.
//!
//! It is written, sealed and checked as that of one network, under a version of its own: programs that
//! know one network only refuse it by its number, and files of one network stay as they are.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::classifier::Classifier;
use super::format::{self, Document, Parts, json, network_json, one_line};
use super::model::Model;
use super::recipe::Recipe;
use crate::certificate::Certificate;
use crate::data::{Coding, Fingerprint, Split};
use crate::error::Error;
use crate::loss::LossKind;
use crate::program::Constraints;

/// The version of a file with a network for each class.
const VERSION: u32 = 2;

/// The fields of the file, in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    hardlim: u32,
    coding: Coding,
    split: Option<Split>,
    loss: LossKind,
    beta: f64,
    bias: bool,
    constraints: Constraints,
    classes: Vec<Part>,
    checksum: String,
}

/// What belongs to one class.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    recipe: Recipe,
    certificate: Certificate,
    global: Certificate,
    fingerprint: Fingerprint,
    network: Parts,
    dual: Vec<f64>,
}

impl Classifier {
    /// The file's text.
    pub fn to_text(&self) -> String {
        let first = &self.models()[0];
        let mut text = format::begin(VERSION);
        let mut field = |name: &str, value: String| format::field(&mut text, name, &value);
        field("coding", json(self.coding()));
        field("split", json(&first.split));
        field("loss", json(&first.loss));
        field("beta", json(&first.beta.get()));
        field("bias", json(&first.bias));
        field("constraints", json(&first.constraints));
        let parts: Vec<String> = self.models().iter().map(part_json).collect();
        field("classes", format!("[{}]", parts.join(", ")));
        format::seal(text)
    }

    /// A classifier from a file's text.
    ///
    /// # Errors
    /// When the checksum is wrong, or anything in the text is not what a classifier holds.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let shared: Shared = format::open(text, VERSION)?;
        shared.check().map_err(|error| Error::ModelFile(one_line(&error)))
    }

    /// Writes the file in one piece: a file of this name is whole.
    ///
    /// # Errors
    /// When it is larger than what is read, or the folder cannot be written to.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        format::write(path, &self.to_text())
    }
}

/// One class, its fields one a line.
fn part_json(model: &Model) -> String {
    let mut text = String::from("{\n");
    let mut field = |name: &str, value: String| format::field(&mut text, name, &value);
    field("recipe", json(&model.recipe));
    field("certificate", json(&model.certificate));
    field("global", json(&model.global));
    field("fingerprint", json(&model.fingerprint));
    field("network", network_json(&model.network));
    text + &format!("  \"dual\": {}\n}}", json(model.dual.values()))
}

impl Shared {
    fn check(self) -> Result<Classifier, Error> {
        let Self { hardlim, coding, split, loss, beta, bias, constraints, classes, checksum } =
            self;
        let expected = coding.target().classes().map_or(0, <[String]>::len);
        if expected != classes.len() {
            let (what, found) = ("classes with a network", classes.len());
            return Err(Error::Length { what, expected, found });
        }
        if expected < 3 {
            return Err(Error::ModelFile("its target has no three classes".into()));
        }
        let model = |(class, part): (usize, Part)| {
            let Part { recipe, certificate, global, fingerprint, network, dual } = part;
            let document = Document {
                hardlim,
                coding: coding.against_rest(class),
                split,
                loss,
                beta,
                bias,
                constraints,
                recipe,
                certificate,
                global,
                fingerprint,
                network,
                dual,
                checksum: checksum.clone(),
            };
            document.check()
        };
        let models = classes.into_iter().enumerate().map(model).collect::<Result<_, _>>()?;
        Classifier::new(coding, models)
    }
}

/// What a model file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Stored {
    /// One network: two classes, or a number.
    Model(Box<Model>),
    /// A network for each of several classes.
    Classifier(Classifier),
}

impl Stored {
    /// What a file's text holds.
    ///
    /// # Errors
    /// As for [`Model::from_text`] and [`Classifier::from_text`].
    pub fn from_text(text: &str) -> Result<Self, Error> {
        match format::version(text) {
            Some(VERSION) => Ok(Self::Classifier(Classifier::from_text(text)?)),
            _ => Ok(Self::Model(Box::new(Model::from_text(text)?))),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is not a model.
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::from_text(&format::read(path)?)
    }

    /// Writes the file in one piece.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        match self {
            Self::Model(model) => model.save(path),
            Self::Classifier(classifier) => classifier.save(path),
        }
    }

    /// The models: one, or one for each class.
    pub fn models(&self) -> &[Model] {
        match self {
            Self::Model(model) => std::slice::from_ref(&**model),
            Self::Classifier(classifier) => classifier.models(),
        }
    }

    /// How a table becomes features and targets.
    pub fn coding(&self) -> &Coding {
        match self {
            Self::Model(model) => &model.coding,
            Self::Classifier(classifier) => classifier.coding(),
        }
    }
}
