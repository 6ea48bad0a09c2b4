//! A whole export in a folder: the files of its target, the model file, rows to replay, and a report of sizes
//! and checks.
//!
//! [`fill`] writes it. With [`Order::verify`] it is compiled, run or simulated with the installed tools and
//! compared with the model before it gets its name; if an answer differs, there is no folder.

mod as_is;
#[doc(hidden)]
pub mod budget;
mod c;
mod double;
mod finding;
mod group;
mod inputs;
mod onnx;
mod report;
mod rows;
mod rust;
mod synthesis;
mod tool;
mod verilog;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Circuit, Counts, File, Style, names};
use crate::certify::Check;
use crate::data::Dataset;
use crate::data::named::named;
use crate::error::Error;
use crate::file::DraftFolder;
use crate::model::{FewBits, Model};
use crate::network::{Rechoice, Weights};
use crate::spelling::mark;
use crate::train::spelled;
use finding::{Finding, Job, none_differ};
use report::Report;
pub use rows::Rows;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// C99 without libraries or floating point.
    C,
    /// C99 in double precision, for any weights.
    CDouble,
    /// A Rust module without the standard library.
    Rust,
    /// A Rust module without the standard library, in double precision, for any weights.
    RustDouble,
    /// Synthesizable Verilog-2001.
    Verilog,
    /// An ONNX model in double precision.
    Onnx,
    /// A drawing of the network, in DOT and in SVG.
    Dot,
    /// The rules of the model, in full.
    Markdown,
}

named! {
    Target "target of an export": C "c", CDouble "c-double", Rust "rust",
    RustDouble "rust-double", Verilog "verilog", Onnx "onnx", Dot "dot", Markdown "markdown"
}

impl Target {
    /// Whether it computes with integers; otherwise it uses the weights as they are.
    pub fn needs_integers(self) -> bool {
        matches!(self, Self::C | Self::Rust | Self::Verilog)
    }
}

/// What to write.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// The format.
    pub to: Target,
    /// The name of modules, files and functions: an identifier.
    pub name: &'a str,
    /// The origin of the model, for comments.
    pub source: &'a str,
    /// The folder, for the report.
    pub folder: &'a Path,
    /// Whether the instructions must not depend on the inputs.
    pub constant_time: bool,
    /// Whether to keep the output weights of the model to the last bit.
    pub exact_outputs: bool,
    /// The most bits of an output weight, including the sign, even if classes on the rows change.
    pub output_bits: Option<u32>,
    /// Whether to compare the export with the model.
    pub verify: bool,
    /// The number of random inputs to verify on.
    pub random: usize,
    /// How many seconds outside tools may take, beyond the proofs and the rows.
    pub time_limit: f64,
    /// The seed of these inputs.
    pub seed: u64,
    /// The Python that runs ONNX models.
    pub python: &'a str,
    /// How the caller writes an option, see [`crate::spelling`].
    pub spell: fn(&str, Option<&str>) -> String,
    /// Called with what is being done.
    pub tell: &'a dyn Fn(&str),
    /// Called with the path of a temporary folder, which is removed at the end.
    pub temporary: &'a dyn Fn(&Path),
}

impl std::fmt::Debug for Order<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Order({} {})", self.to, self.name)
    }
}

/// What was written, for people and for scripts.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The report as text.
    pub text: String,
    /// The report for scripts.
    pub json: Value,
}

impl Order<'_> {
    /// How many random inputs an export is verified on by default.
    pub const RANDOM: usize = 100_000;
    /// How many seconds outside tools may take by default.
    pub const TIME_LIMIT: f64 = 40.0;

    /// Refuses options that do not apply to the target, and names that are no identifiers.
    ///
    /// # Errors
    /// When an option does not apply.
    pub fn check(&self) -> Result<(), Error> {
        let (to, name) = (self.to, self.name);
        let constant = mark("constant_time", None);
        let refused = |option, problem| Err(Error::Option { option, problem });
        if self.constant_time && to == Target::Verilog {
            let why = "a circuit takes the same time on every input";
            return refused("constant_time", format!("{constant} is for c and rust: {why}"));
        }
        if self.verify && matches!(to, Target::Dot | Target::Markdown) {
            let (verify, to) = (mark("verify", None), mark("to", Some(to.name())));
            return refused("verify", format!("{verify}: there is nothing to run with {to}"));
        }
        if self.constant_time && !to.needs_integers() {
            return refused("constant_time", format!("{constant} is for c and rust, not for {to}"));
        }
        if self.exact_outputs && !to.needs_integers() {
            let exact = mark("exact_outputs", None);
            return refused(
                "exact_outputs",
                format!("{exact} is for c, rust and verilog, not for {to}"),
            );
        }
        if let Some(bits) = self.output_bits {
            let option = mark("output_bits", Some(&bits.to_string()));
            if !to.needs_integers() {
                let problem = format!("{option} is for c, rust and verilog, not for {to}");
                return refused("output_bits", problem);
            }
            if !(2..=32).contains(&bits) {
                return refused("output_bits", format!("{option}: it must be between 2 and 32"));
            }
            if self.exact_outputs {
                let exact = mark("exact_outputs", None);
                return refused("output_bits", format!("{option} and {exact} exclude each other"));
            }
        }
        if !(self.time_limit > 0.0 && self.time_limit <= 1e9) {
            let option = mark("time_limit", Some(&self.time_limit.to_string()));
            return refused(
                "time_limit",
                format!("{option}: it must be above zero and at most 1e9"),
            );
        }
        if names::identifier(name) != name {
            let (given, better) = (mark("name", Some(name)), names::identifier(name));
            let problem = format!("{given}: not a valid name in C, Rust and Verilog; try {better}");
            return refused("name", problem);
        }
        Ok(())
    }

    fn style(&self, model: &Model) -> Style {
        let (name, source) = (self.name.to_owned(), self.source.to_owned());
        Style { name, source, model: model.checksum(), constant_time: self.constant_time }
    }

    /// A sentence with its options as the caller writes them.
    fn spelled(&self, text: &str) -> String {
        spelled(text, self.spell)
    }
}

/// Whether all weights of a model are integers.
pub fn has_integers(model: &Model) -> bool {
    model.networks().all(|network| network.grid().is_some())
}

/// The model with integer weights for an export; `done` is called for every neuron.
///
/// # Errors
/// When the data are not the training data.
pub fn with_integers(
    model: &Model,
    data: &Dataset,
    done: &(dyn Fn() + Sync),
) -> Result<Model, Error> {
    let rechoice = Rechoice { done, ..Rechoice::new(Weights::Integer) };
    Ok(model.rechoose(data, &rechoice)?.0)
}

/// The model with output weights of few bits for an export, and how they were rounded; `None` if it stays as
/// it is.
///
/// # Errors
/// When the data do not fit the model.
pub fn with_few_bits(
    order: &Order<'_>,
    model: &Model,
    data: &Dataset,
) -> Result<Option<(Model, FewBits)>, Error> {
    if !order.to.needs_integers() || order.exact_outputs {
        return Ok(None);
    }
    match model.with_few_bits(data, order.output_bits) {
        Err(Error::OtherData) => Ok(None), // on other rows, nothing is promised
        found => found,
    }
}

/// A model to export.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The model; with integer weights where the target needs them.
    pub model: &'a Model,
    /// Whether these integers were chosen just now.
    pub chosen: bool,
    /// How its output weights were rounded just now, if they were.
    pub few_bits: Option<FewBits>,
    /// Rows that become test inputs.
    pub rows: Option<&'a Rows>,
    /// What checking the certificate found, if it was checked.
    pub check: Option<&'a Check>,
    /// The rules of the model as Markdown, for that target.
    pub rules: &'a str,
}

/// Writes an export into the draft of a folder.
///
/// # Errors
/// When an option does not apply, sums do not fit into integers, a file cannot be written, or an answer
/// differs.
pub fn fill(draft: &DraftFolder, order: &Order<'_>, of: &Subject<'_>) -> Result<Written, Error> {
    order.check()?;
    if !order.to.needs_integers() {
        return as_is::fill(draft, order, of);
    }
    let style = order.style(of.model);
    let circuit = Circuit::of(of.model)?;
    for File { path, bytes } in write(order.to, &circuit, &style) {
        draft.add(&path, &bytes)?;
    }
    save(of.model, draft, &style)?;
    let records = inputs::path(draft.temporary_path(), &style.name);
    inputs::write(&circuit, &inputs::shipped(of.rows.map(Rows::features)), &records)?;
    if order.to == Target::Verilog {
        verilog::translate(&circuit, &records, &records.with_extension("hex"), usize::MAX)?;
    }
    let files = listing(draft.temporary_path())?;
    let (findings, counts) = match order.verify {
        false => (Vec::new(), None),
        true => verify(draft, order, of, &circuit)?,
    };
    let statement = of.model.statement(of.check);
    let certified = of.check.map(Check::holds);
    let report =
        Report { order, of, circuit: &circuit, statement, certified, files, findings, counts };
    draft.add(&report.file("md"), report.markdown().as_bytes())?;
    draft.add(&report.file("json"), pretty(&report.json()).as_bytes())?;
    Ok(Written { text: report.text(), json: report.json() })
}

/// JSON with a line for each value.
fn pretty(object: &Value) -> String {
    format!("{object:#}\n")
}

/// Puts the model file beside what is written from it.
fn save(model: &Model, draft: &DraftFolder, style: &Style) -> Result<(), Error> {
    model.save(&draft.temporary_path().join(format!("{}.hardlim", style.name)))
}

/// The files of a folder and their sizes, by name.
fn listing(folder: &Path) -> Result<Vec<(String, u64)>, Error> {
    let unread = |reason| Error::Read { path: folder.into(), reason };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.push((name, entry.metadata().map_err(unread)?.len()));
    }
    files.sort_unstable();
    Ok(files)
}

fn write(target: Target, circuit: &Circuit, style: &Style) -> Vec<File> {
    match target {
        Target::C => super::c::write(circuit, style),
        Target::Rust => super::rust::write(circuit, style),
        Target::Verilog => super::verilog::write(circuit, style),
        _ => unreachable!("written as they are"),
    }
}

/// A folder for the files of checks, which is removed at the end.
fn scratch(draft: &DraftFolder, order: &Order<'_>) -> Result<DraftFolder, Error> {
    let scratch = DraftFolder::new(&draft.temporary_path().with_extension("scratch"))?;
    (order.temporary)(scratch.temporary_path());
    Ok(scratch)
}

/// Compares what was written with the model.
fn verify(
    draft: &DraftFolder,
    order: &Order<'_>,
    of: &Subject<'_>,
    circuit: &Circuit,
) -> Result<(Vec<Finding>, Option<Counts>), Error> {
    let end = Instant::now() + Duration::from_secs_f64(order.time_limit);
    let mut findings = Vec::new();
    if let Some(rows) = of.rows {
        (order.tell)("comparing the integers with the model on the rows");
        findings.extend(rows.compare(of.model, circuit));
        none_differ(&findings)?;
    }
    let scratch = scratch(draft, order)?;
    let vectors = inputs::path(scratch.temporary_path(), order.name);
    let features = of.rows.map(Rows::features);
    let replay = inputs::all(circuit, features, order.random, order.seed);
    (order.tell)("looking for inputs beside the hyperplanes");
    let counts = inputs::write(circuit, &replay, &vectors)?;
    (order.tell)(&format!("comparing the integers with the model on {} inputs", counts.total()));
    findings.extend(inputs::compare(of.model, circuit, &replay, counts)?);
    none_differ(&findings)?;
    let style = order.style(of.model);
    let job = Job {
        folder: draft.temporary_path(),
        scratch: scratch.temporary_path(),
        name: order.name,
        style: &style,
        circuit,
        vectors: &vectors,
        counts,
        has_rows: of.rows.is_some(),
        end,
        tell: order.tell,
    };
    findings.extend(match order.to {
        Target::C => c::check(&job)?,
        Target::Rust => rust::check(&job)?,
        Target::Verilog => verilog::check(&job)?,
        _ => unreachable!("written as they are"),
    });
    Ok((findings, Some(counts)))
}

fn failed(problem: String) -> Error {
    Error::Export { problem }
}

/// The error of a file that cannot be written.
fn written(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |reason| Error::Write { path: path.into(), reason }
}
