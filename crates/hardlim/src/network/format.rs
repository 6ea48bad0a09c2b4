//! The model file: JSON that people can read, numbers that come back bit for bit, and a checksum over
//! every byte.
//!
//! One field a line, one neuron a line. The last field is the SHA-256 of all bytes before its line,
//! so any change shows. A file is never trusted: sizes are limited, every value is checked at the
//! door it comes in by, and unknown fields or versions are refused.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::model::Model;
use super::recipe::{MOST_EFFORT, MOST_PATTERNS, Recipe};
use super::{Grid, Layer, Network};
use crate::certificate::{Certificate, DualPoint, Scope};
use crate::data::{Coding, Fingerprint, Split, TargetCoding};
use crate::error::Error;
use crate::file;
use crate::loss::LossKind;
use crate::program::{Beta, Constraints};

/// The version of a file with one network.
pub(super) const VERSION: u32 = 1;
/// The largest file that is written or read.
const LARGEST: usize = 512 << 20;
/// The most values in it: one takes a byte or two in the file, and up to 64 in memory.
pub(crate) const VALUES: usize = 1 << 24;
/// The most layers between the features and the last hidden one.
const DEEPEST: usize = 62;
/// How every file begins.
const START: &str = "{\n  \"hardlim\": ";
/// What the line of the checksum looks like.
const CHECKSUM: &str = "\"checksum\": \"sha256:";

/// The fields of the file, in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub(super) hardlim: u32,
    pub(super) coding: Coding,
    pub(super) split: Option<Split>,
    pub(super) loss: LossKind,
    pub(super) beta: f64,
    pub(super) bias: bool,
    pub(super) constraints: Constraints,
    pub(super) recipe: Recipe,
    pub(super) certificate: Certificate,
    pub(super) global: Certificate,
    pub(super) fingerprint: Fingerprint,
    pub(super) network: Parts,
    pub(super) dual: Vec<f64>,
    pub(super) checksum: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parts {
    inputs: usize,
    amplitudes: Vec<f64>,
    offset: f64,
    #[serde(default)]
    grid: Option<Grid>,
    layers: Vec<Layer>,
}

impl Model {
    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut text = begin(VERSION);
        let mut field = |name: &str, value: String| field(&mut text, name, &value);
        field("coding", json(&self.coding));
        field("split", json(&self.split));
        field("loss", json(&self.loss));
        field("beta", json(&self.beta.get()));
        field("bias", json(&self.bias));
        field("constraints", json(&self.constraints));
        field("recipe", json(&self.recipe));
        field("certificate", json(&self.certificate));
        field("global", json(&self.global));
        field("fingerprint", json(&self.fingerprint));
        field("network", network_json(&self.network));
        field("dual", json(self.dual.values()));
        seal(text)
    }

    /// A model from a file's text.
    ///
    /// # Errors
    /// When the checksum is wrong, or anything in the text is not what a model holds.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let document: Document = open(text, VERSION)?;
        let problem = match document.coding.target() {
            TargetCoding::Several { classes, .. } => {
                let classes = classes.len();
                Some(Error::ModelFile(format!("its target has {classes} classes, it one network")))
            }
            _ => None,
        };
        let model = problem.map_or_else(|| document.check(), Err);
        model.map_err(|error| Error::ModelFile(one_line(&error)))
    }

    /// Writes the file in one piece: a file of this name is whole.
    ///
    /// # Errors
    /// When the model is larger than what is read, or the folder cannot be written to.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        write(path, &self.to_text())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is not a model.
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::from_text(&read(path)?)
    }
}

/// The fields of a text whose checksum fits, in this version.
pub(super) fn open<D: DeserializeOwned>(text: &str, expected: u32) -> Result<D, Error> {
    let damaged = |reason: String| Error::ModelFile(reason);
    let start = (text.rfind(CHECKSUM).and_then(|at| text[..at].rfind('\n')))
        .filter(|_| text.starts_with(START))
        .ok_or_else(no_model)?
        + 1;
    let seal = format!("  {CHECKSUM}{}\"\n}}\n", checksum(&text[..start]));
    if text[start..] != seal {
        return Err(damaged("its checksum does not fit: the file was altered".into()));
    }
    if let Some(found) = version(text).filter(|&found| found != expected) {
        return Err(damaged(format!("it has version {found}, this program reads {expected}")));
    }
    check_size(text)?;
    serde_json::from_str(text).map_err(|error| damaged(one_line(&error)))
}

/// The beginning of a file's text.
pub(super) fn begin(version: u32) -> String {
    format!("{START}{version},\n")
}

/// One field of it.
pub(super) fn field(text: &mut String, name: &str, value: &str) {
    writeln!(text, "  \"{name}\": {value},").expect("writing to a string");
}

/// The text with its checksum.
pub(super) fn seal(mut text: String) -> String {
    let checksum = checksum(&text);
    writeln!(text, "  {CHECKSUM}{checksum}\"\n}}").expect("writing to a string");
    text
}

/// Writes a text in one piece, unless it is larger than what is read.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    check_size(text)?;
    file::write(path, text.as_bytes())
}

/// The text of a file that may be a model.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    let failed = |reason| Error::Read { path: path.into(), reason };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    // What is no model may be long: its first bytes tell.
    file.by_ref().take(START.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes != START.as_bytes() {
        return Err(no_model());
    }
    file.take(LARGEST as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > LARGEST {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|_| no_model())
}

/// An error in one line of bearable length, whatever it quotes.
pub(super) fn one_line(error: &impl ToString) -> String {
    error.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}

fn no_model() -> Error {
    Error::ModelFile("it is not a hardlim model file".into())
}

fn too_large() -> Error {
    let (size, values) = (LARGEST >> 20, VALUES);
    Error::ModelFile(format!("a model has at most {size} MiB and {values} values, this one more"))
}

/// Refuses texts that would not fit into memory: every value has a separator or a bracket of its own.
fn check_size(text: &str) -> Result<(), Error> {
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if text.len() > LARGEST || values > VALUES { Err(too_large()) } else { Ok(()) }
}

impl Document {
    pub(super) fn check(self) -> Result<Model, Error> {
        let Parts { inputs, amplitudes, offset, grid, layers } = self.network;
        if let Some(found) = grid.as_ref().map(|g| g.shifts().len()).filter(|g| *g != inputs) {
            let expected = inputs;
            return Err(Error::Length { what: "inputs on the grid", expected, found });
        }
        let network = Network::new(inputs, layers, amplitudes, offset)?.with_grid(grid);
        if network.inputs() != self.coding.dimension() {
            let (expected, found) = (self.coding.dimension(), network.inputs());
            return Err(Error::Length { what: "inputs of the network", expected, found });
        }
        let damaged = |reason: &str| Err(Error::ModelFile(reason.into()));
        let Constraints { non_negative, intercept } = self.constraints;
        if network.offset() != 0.0 && !intercept {
            return damaged("its output has a bias, which its constraints do not allow");
        }
        if network.amplitudes().iter().any(|&a| a < 0.0) && non_negative {
            return damaged("an amplitude is negative, which its constraints do not allow");
        }
        if self.global.scope() != Scope::Global {
            return damaged("its global certificate is about a dictionary");
        }
        if matches!(self.recipe, Recipe::Generate { effort, .. } if effort > MOST_EFFORT) {
            return damaged("its recipe searches more than 10^7 nodes");
        }
        if matches!(self.recipe, Recipe::Sample { draws, .. } if draws > MOST_PATTERNS) {
            return damaged("its recipe draws more than 10^8 patterns");
        }
        if self.recipe.widths().len() > DEEPEST || self.recipe.widths().contains(&0) {
            return damaged("its recipe has layers without neurons, or more than 62 of them");
        }
        if !self.dual.iter().map(|z| z.abs()).sum::<f64>().is_finite() {
            return damaged("its dual point is not finite");
        }
        Ok(Model {
            coding: self.coding,
            split: self.split,
            network,
            loss: self.loss,
            beta: Beta::new(self.beta)?,
            bias: self.bias,
            constraints: self.constraints,
            recipe: self.recipe,
            certificate: self.certificate,
            dual: DualPoint::new(self.dual),
            global: self.global,
            fingerprint: self.fingerprint,
        })
    }
}

pub(super) fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("models hold nothing that JSON cannot")
}

/// The network with one neuron a line.
pub(super) fn network_json(network: &Network) -> String {
    let mut text = format!(
        "{{\"inputs\": {}, \"amplitudes\": {}, \"offset\": {}, {}\"layers\": [",
        network.inputs(),
        json(network.amplitudes()),
        json(&network.offset()),
        network.grid().map_or(String::new(), |grid| format!("\"grid\": {}, ", json(grid))),
    );
    for (l, layer) in network.layers().iter().enumerate() {
        text += if l == 0 { "[" } else { ", [" };
        for (k, neuron) in layer.neurons.iter().enumerate() {
            text += if k == 0 { "\n    " } else { ",\n    " };
            text += &json(neuron);
        }
        text += "]";
    }
    text + "]}"
}

fn checksum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string");
        hex
    })
}

/// The version, read on its own: other versions may have other fields.
pub(super) fn version(text: &str) -> Option<u32> {
    let after = text.strip_prefix(START)?;
    after[..after.find(',')?].parse().ok()
}
