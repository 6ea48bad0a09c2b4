//! The model file: readable JSON, numbers that are restored bit for bit, and a checksum over every
//! byte.
//!
//! Every field and every neuron has a line of its own. The last field is the SHA-256 of all bytes
//! before its line, so any change is noticed. A file is never trusted: sizes are limited, every
//! value is checked, and unknown fields or versions are refused.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Calibration, History, Model, Part, Setting, Size};
use crate::certificate::{Bound, Certificate, DualPoint, NetworkClass, Scope};
use crate::data::{RowPrints, Split};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::file;
use crate::network::recipe::{MOST_INPUT_COST, Recipe};
use crate::network::{Grid, Layer, Network};
use crate::program::{Beta, Constraints};
use crate::table::Coding;
use crate::table::Fingerprint;

const VERSION: u32 = 3;
const LARGEST: usize = 512 << 20;
/// The most values in a file: each takes a byte or two in the file, and up to 64 bytes in memory.
pub(crate) const VALUES: usize = 1 << 24;
/// The start of every file.
const START: &str = "{\n  \"hardlim\": ";
/// The start of the line with the checksum.
const CHECKSUM: &str = "\"checksum\": \"sha256:";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "hardlim")]
    _version: u32,
    coding: Coding,
    split: Option<Split>,
    loss: LossKind,
    beta: f64,
    bias: bool,
    constraints: Constraints,
    #[serde(default)]
    input_cost: f64,
    #[serde(default)]
    calibration: Option<Calibration>,
    #[serde(default)]
    rows: Option<RowPrints>,
    #[serde(default)]
    history: Option<History>,
    #[serde(default)]
    files: Vec<Fingerprint>,
    networks: Vec<PartFields>,
    #[serde(rename = "checksum")]
    _checksum: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFields {
    recipe: Recipe,
    certificate: CertificateFields,
    global: CertificateFields,
    fingerprint: Fingerprint,
    size: Size,
    network: NetworkFields,
    dual: Vec<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateFields {
    objective: f64,
    lower_bound: f64,
    scope: Scope,
    bound: Bound,
    class: NetworkClass,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NetworkFields {
    inputs: usize,
    amplitudes: Vec<f64>,
    offset: f64,
    #[serde(default)]
    grid: Option<Grid>,
    /// How many neurons of the first layer are not on the grid.
    #[serde(default)]
    off_grid: usize,
    layers: Vec<Layer>,
}

impl Model {
    /// The file's text.
    pub fn to_text(&self) -> String {
        let Setting { loss, beta, bias, constraints, input_cost } = self.setting;
        let mut text = format!("{START}{VERSION},\n");
        for (name, value) in [
            ("coding", Some(json(&self.coding))),
            ("split", Some(json(&self.split))),
            ("loss", Some(json(&loss))),
            ("beta", Some(json(&beta.get()))),
            ("bias", Some(json(&bias))),
            ("constraints", Some(json(&constraints))),
            ("input_cost", (input_cost != 0.0).then(|| json(&input_cost))),
            ("calibration", self.calibration.as_ref().map(json)),
            ("rows", self.rows.as_ref().map(json)),
            ("history", self.history.as_ref().map(json)),
            ("files", (!self.files.is_empty()).then(|| json(&self.files))),
        ] {
            if let Some(value) = value {
                field(&mut text, name, &value);
            }
        }
        let parts: Vec<String> = self.parts.iter().map(part_json).collect();
        field(&mut text, "networks", &format!("[{}]", parts.join(", ")));
        seal(text)
    }

    /// The checksum of the file: 64 hexadecimal digits.
    pub fn checksum(&self) -> String {
        let text = self.to_text();
        let start = text.rfind(CHECKSUM).expect("a file has one") + CHECKSUM.len();
        text[start..].chars().take_while(char::is_ascii_hexdigit).collect()
    }

    /// A model from the text of a file.
    ///
    /// # Errors
    /// When the checksum is wrong, or the text is not a valid model.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        check_seal(text)?;
        check_size(text)?;
        let document: Document = serde_json::from_str(text).map_err(refused)?;
        document.check().map_err(refused)
    }

    /// Writes the file. It appears under its name only when it is complete.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let text = self.to_text();
        check_size(&text)?;
        file::write(path, text.as_bytes())
    }

    /// Reads a model file.
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::from_text(&read(path)?)
    }
}

/// Checks the checksum of a text, and its version.
fn check_seal(text: &str) -> Result<(), Error> {
    let start = (text.rfind(CHECKSUM).and_then(|at| text[..at].rfind('\n')))
        .filter(|_| text.starts_with(START))
        .ok_or_else(no_model)?
        + 1;
    let seal = format!("  {CHECKSUM}{}\"\n}}\n", checksum(&text[..start]));
    if text[start..] != seal {
        let reason = "its checksum is wrong: the file was changed";
        return Err(Error::ModelFile(reason.into()));
    }
    // Read on its own: other versions may have other fields.
    let after = text.strip_prefix(START).unwrap_or_default();
    match after.find(',').and_then(|end| after[..end].parse().ok()) {
        Some(VERSION) => Ok(()),
        found => {
            let found = found.map_or("an unknown version".into(), |v: u32| format!("version {v}"));
            let reason = format!("it has {found}, but this program reads version {VERSION}");
            Err(Error::ModelFile(reason))
        }
    }
}

fn field(text: &mut String, name: &str, value: &str) {
    writeln!(text, "  \"{name}\": {value},").expect("writing to a string");
}

fn seal(mut text: String) -> String {
    let checksum = checksum(&text);
    writeln!(text, "  {CHECKSUM}{checksum}\"\n}}").expect("writing to a string");
    text
}

/// The text of a file that may be a model.
fn read(path: &Path) -> Result<String, Error> {
    let failed = |reason| Error::Read { path: path.into(), reason };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    // A file that is not a model may be long; its first bytes tell.
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

/// An error about the content of a file, on one line of limited length.
fn refused(error: impl ToString) -> Error {
    let text = error.to_string();
    Error::ModelFile(text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect())
}

fn no_model() -> Error {
    Error::ModelFile("it is not a hardlim model file".into())
}

fn too_large() -> Error {
    let (size, values) = (LARGEST >> 20, VALUES);
    Error::ModelFile(format!(
        "a model has at most {size} MiB and {values} values, this one has more"
    ))
}

/// Refuses texts that would not fit into memory. Every value has a separator or a bracket, and
/// these are counted.
fn check_size(text: &str) -> Result<(), Error> {
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if text.len() > LARGEST || values > VALUES { Err(too_large()) } else { Ok(()) }
}

impl Document {
    fn check(self) -> Result<Model, Error> {
        let Self { loss, beta, bias, constraints, input_cost, .. } = self;
        if !(0.0..=MOST_INPUT_COST).contains(&input_cost) {
            let reason = format!("its input cost is not between 0 and {MOST_INPUT_COST}");
            return Err(Error::ModelFile(reason));
        }
        let setting = Setting { loss, beta: Beta::new(beta)?, bias, constraints, input_cost };
        let parts = self.networks.into_iter().map(PartFields::check).collect::<Result<_, _>>()?;
        let model = Model::new(self.coding, self.split, setting, parts)?.with_files(self.files);
        let history = self.history.map(History::check).transpose()?;
        Ok(Model { rows: self.rows, history, ..model.with_calibration(self.calibration) })
    }
}

impl PartFields {
    fn check(self) -> Result<Part, Error> {
        let NetworkFields { inputs, amplitudes, offset, grid, off_grid, layers } = self.network;
        if let Some(found) = grid.as_ref().map(|g| g.shifts().len()).filter(|g| *g != inputs) {
            let expected = inputs;
            return Err(Error::Length { what: "inputs on the grid", expected, found });
        }
        if !self.dual.iter().map(|z| z.abs()).sum::<f64>().is_finite() {
            return Err(Error::ModelFile("its dual point is not finite".into()));
        }
        let network = Network::new(inputs, layers, amplitudes, offset)?.with_grid(grid);
        Ok(Part {
            network: network.with_off_grid(off_grid),
            certificate: self.certificate.check()?,
            global: self.global.check()?,
            recipe: self.recipe,
            dual: DualPoint::new(self.dual),
            fingerprint: self.fingerprint,
            size: self.size,
        })
    }
}

impl CertificateFields {
    fn of(certificate: &Certificate) -> Self {
        Self {
            objective: certificate.objective(),
            lower_bound: certificate.lower_bound(),
            scope: certificate.scope(),
            bound: certificate.bound(),
            class: certificate.class().clone(),
        }
    }

    fn check(self) -> Result<Certificate, Error> {
        let Self { objective, lower_bound, scope, bound, class } = self;
        if bound.scope() == scope {
            return Ok(Certificate::stated(objective, lower_bound, bound, class));
        }
        let reason = format!("it has a {} certificate by {}", scope.name(), bound.name());
        Err(Error::ModelFile(reason))
    }
}

fn part_json(part: &Part) -> String {
    let mut text = String::from("{\n");
    field(&mut text, "recipe", &json(&part.recipe));
    field(&mut text, "certificate", &json(&CertificateFields::of(&part.certificate)));
    field(&mut text, "global", &json(&CertificateFields::of(&part.global)));
    field(&mut text, "fingerprint", &json(&part.fingerprint));
    field(&mut text, "size", &json(&part.size));
    field(&mut text, "network", &network_json(&part.network));
    text + &format!("  \"dual\": {}\n}}", json(part.dual.values()))
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("models hold nothing that JSON cannot")
}

fn network_json(network: &Network) -> String {
    let mut text = format!(
        "{{\"inputs\": {}, \"amplitudes\": {}, \"offset\": {}, {}\"layers\": [",
        network.inputs(),
        json(network.amplitudes()),
        json(&network.offset()),
        network.grid().map_or(String::new(), |grid| {
            let (_, off_grid) = network.off_grid().unwrap_or_default();
            format!("\"grid\": {}, \"off_grid\": {off_grid}, ", json(grid))
        }),
    );
    for (l, layer) in network.layers().iter().enumerate() {
        let neurons: Vec<String> =
            layer.neurons.iter().map(|neuron| format!("\n    {}", json(neuron))).collect();
        text += &format!("{}[{}]", if l == 0 { "" } else { ", " }, neurons.join(","));
    }
    text + "]}"
}

fn checksum(text: &str) -> String {
    format!("{:x}", Sha256::digest(text.as_bytes()))
}
