//! A whole export in a folder: the files of its target, the model file, rows to replay, and a
//! report of sizes and checks. The command line and Python write exports by [`run`] alone.
//!
//! The steps are: the smallest circuit, if there is a budget; integer weights, where the target
//! needs them; output weights of few bits; the files; the checks, if they are asked for; the
//! report. If an answer differs, there is no folder.

use std::borrow::Cow;
use std::path::Path;

use super::budget::{self, Smallest};
use super::data::Data;
use super::finding::{Finding, none_differ};
use super::summary::Summary;
use super::{Circuit, Counts, File, Replay, Style, c, file, markdown, names, onnx, rust, verilog};
use crate::certify::Check;
use crate::data::Features;
use crate::error::Error;
use crate::model::file::DraftFolder;
use crate::model::{FewBits, Model};
use crate::network::{Network, Rechoice, Weights};
use crate::spelling::mark;
use crate::table::named::named;
use crate::train::spelled;

/// How many random inputs are shipped where there are no rows.
const SHIPPED: usize = 1000;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// C99 without libraries or floating point.
    C,
    /// A Rust module without the standard library.
    Rust,
    /// Synthesizable Verilog-2001.
    Verilog,
    /// An ONNX model in double precision.
    Onnx,
    /// The rules of the model, in full.
    Markdown,
}

named! {
    Target "target of an export": C "c", Rust "rust", Verilog "verilog", Onnx "onnx",
    Markdown "markdown"
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
    /// The folder: it is new or empty.
    pub folder: &'a Path,
    /// Whether the instructions must not depend on the inputs.
    pub constant_time: bool,
    /// Whether to keep the output weights of the model to the last bit.
    pub exact_outputs: bool,
    /// The most bits of an output weight, including the sign, even if classes on the rows change.
    pub output_bits: Option<u32>,
    /// The most LUTs of a circuit: the model is trained again for the smallest one.
    pub budget: Option<usize>,
    /// Whether to compare the export with the model.
    pub verify: bool,
    /// The number of random inputs to verify on.
    pub random: usize,
    /// The seed of these inputs.
    pub seed: u64,
    /// How the caller writes an option, see [`crate::train::spelled`].
    pub spell: fn(&str, Option<&str>) -> String,
    /// Called with what is being done.
    pub tell: &'a (dyn Fn(&str) + Sync),
    /// Makes the draft of a folder.
    pub draft: &'a dyn Fn(&Path) -> Result<DraftFolder, Error>,
}

/// Programs beside this one: [`run`] starts none itself.
pub trait Tools {
    /// What they find about a written export, and the inputs that were replayed.
    ///
    /// # Errors
    /// When a check cannot be made.
    fn check(&self, job: &Job<'_>) -> Result<(Vec<Finding>, Counts), Error>;

    /// LUTs of a Verilog module on an iCE40 if these outputs are not read, and cells one after the
    /// other; `None` if synthesis takes too long.
    ///
    /// # Errors
    /// When it cannot be synthesised.
    fn size(
        &self,
        folder: &Path,
        module: &str,
        unread: &[String],
    ) -> Result<Option<(usize, usize)>, Error>;
}

/// A written export, and what it has to give.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// What was ordered.
    pub order: &'a Order<'a>,
    /// The folder, under its temporary name.
    pub folder: &'a Path,
    /// The model.
    pub model: &'a Model,
    /// The model as integers, if the target computes with them.
    pub circuit: Option<&'a Circuit>,
    /// The rows it was exported with.
    pub rows: Option<&'a Features>,
    /// Which of them the model was not trained on, and the numbers that people know them by.
    pub new_rows: &'a [(usize, u64)],
}

impl Order<'_> {
    /// How many random inputs an export is verified on by default.
    pub const RANDOM: usize = 100_000;

    /// Refuses options that do not apply to the target, and names that are no identifiers.
    ///
    /// # Errors
    /// When an option does not apply.
    pub fn check(&self) -> Result<(), Error> {
        let (to, name) = (self.to, self.name);
        let refused = |option, problem| Err(Error::Option { option, problem });
        let bits = self.output_bits.map(|bits| bits.to_string());
        let (integers, source) = (to.needs_integers(), matches!(to, Target::C | Target::Rust));
        for (option, value, given, applies, targets) in [
            ("constant_time", None, self.constant_time, source, "c and rust"),
            ("exact_outputs", None, self.exact_outputs, integers, "c, rust and verilog"),
            ("output_bits", bits.as_deref(), bits.is_some(), integers, "c, rust and verilog"),
        ] {
            if given && !applies {
                let option_text = mark(option, value);
                return refused(option, format!("{option_text} is for {targets}, not for {to}"));
            }
        }
        if self.verify && to == Target::Markdown {
            let (verify, to) = (mark("verify", None), mark("to", Some(to.name())));
            return refused("verify", format!("{verify}: there is nothing to run with {to}"));
        }
        if let Some(bits) = self.output_bits {
            let option = mark("output_bits", Some(&bits.to_string()));
            if !(2..=32).contains(&bits) {
                return refused("output_bits", format!("{option}: it must be between 2 and 32"));
            }
            if self.exact_outputs {
                let exact = mark("exact_outputs", None);
                return refused("output_bits", format!("{option} and {exact} exclude each other"));
            }
        }
        if let Some(budget) = self.budget.filter(|_| to != Target::Verilog) {
            let option = mark("budget", Some(&budget.to_string()));
            let to = mark("to", Some(Target::Verilog.name()));
            return refused("budget", format!("{option} counts LUTs: it is for {to}"));
        }
        if names::identifier(name) != name {
            let (given, better) = (mark("name", Some(name)), names::identifier(name));
            let problem = format!("{given}: not a valid name in C, Rust and Verilog; try {better}");
            return refused("name", problem);
        }
        Ok(())
    }

    pub(super) fn style(&self, model: &Model) -> Style {
        let (name, source) = (self.name.to_owned(), self.source.to_owned());
        Style { name, source, model: model.checksum(), constant_time: self.constant_time }
    }

    /// A sentence with its options as the caller writes them.
    pub(super) fn spelled(&self, text: &str) -> String {
        spelled(text, self.spell)
    }
}

/// The model that is exported, and how it was made from the given one.
pub(super) struct Prepared<'a> {
    pub(super) model: Cow<'a, Model>,
    /// Whether its integers were chosen just now.
    pub(super) chosen: bool,
    /// How its output weights were rounded just now, if they were.
    pub(super) few_bits: Option<FewBits>,
    /// Of which circuits it is the smallest good one, if there is a budget.
    pub(super) found: Option<Smallest>,
    pub(super) rows: Option<Features>,
    /// The rows that the model was not trained on, and the numbers that people know them by.
    pub(super) new_rows: Vec<(usize, u64)>,
    /// What checking the certificate found, if it was checked.
    pub(super) check: Option<Check>,
}

/// Writes an export of a model, and reports it for people and for scripts.
///
/// # Errors
/// When an option does not apply, data are missing, sums do not fit into integers, a file cannot be
/// written, or an answer differs.
pub fn run(
    order: &Order<'_>,
    model: &Model,
    data: Data<'_>,
    tools: &dyn Tools,
) -> Result<(String, serde_json::Value), Error> {
    order.check()?;
    let draft = (order.draft)(order.folder)?;
    let prepared = prepare(order, model, data, tools)?;
    let (model, rows) = (&*prepared.model, prepared.rows.as_ref());
    let circuit = order.to.needs_integers().then(|| Circuit::of(model)).transpose()?;
    for (path, bytes) in files(order, &prepared, circuit.as_ref())? {
        draft.add(&path, &bytes)?;
    }
    let folder = draft.temporary_path();
    model.save(&folder.join(format!("{}.hardlim", order.name)))?;
    let (circuit, new_rows) = (circuit.as_ref(), &prepared.new_rows[..]);
    let job = Job { order, folder, model, circuit, rows, new_rows };
    let (findings, counts) = match order.verify.then(|| tools.check(&job)).transpose()? {
        Some((findings, counts)) => (findings, Some(counts)),
        None => (Vec::new(), None),
    };
    none_differ(&findings)?;
    let files = listing(folder)?;
    let report = Summary { order, of: &prepared, circuit, files, findings, counts };
    if order.to != Target::Markdown {
        draft.add(&report.file("md"), report.markdown().as_bytes())?;
        draft.add(&report.file("json"), format!("{:#}\n", report.json()).as_bytes())?;
    }
    let (mut text, mut json) = (report.text(), report.json());
    if let Some(found) = &prepared.found {
        text = found.text() + &text;
        json["budget"] = found.json();
    }
    draft.finish()?;
    Ok((text, json))
}

/// The model as the target needs it.
fn prepare<'a>(
    order: &Order<'_>,
    model: &'a Model,
    data: Data<'_>,
    tools: &dyn Tools,
) -> Result<Prepared<'a>, Error> {
    let needs_data = |option: &'static str| Error::Option {
        option,
        problem: format!("{} needs the training data", mark(option, None)),
    };
    let found = match order.budget {
        None => None,
        Some(budget) => {
            let set = data.training_set(model)?.ok_or_else(|| needs_data("budget"))?;
            Some(budget::search(order, model, &set, budget, tools)?)
        }
    };
    let mut model = found.as_ref().map_or(Cow::Borrowed(model), |f| Cow::Owned(f.model.clone()));
    let integers = order.to.needs_integers();
    let own = data.training_data(&model)?;
    let chosen = integers && !model.networks().all(|network| network.grid().is_some());
    if chosen {
        let Some(own) = &own else {
            let problem = format!(
                "the model has no integer weights: give its training data to choose them, or write \
                 any weights with {}",
                mark("to", Some(Target::Onnx.name()))
            );
            return Err(Error::Option { option: "to", problem });
        };
        model = Cow::Owned(with_integers(order, &model, own)?);
    }
    let mut few_bits = None;
    if let Some(own) = own.as_ref().filter(|_| integers && !order.exact_outputs) {
        (order.tell)("rounding the output weights");
        match model.with_few_bits(own, order.output_bits) {
            Err(Error::OtherData) => (), // on other rows, nothing is promised
            rounded => {
                if let Some((rounded, few)) = rounded? {
                    (model, few_bits) = (Cow::Owned(rounded), Some(few));
                }
            }
        }
    } else if own.is_none() && order.output_bits.is_some() {
        return Err(needs_data("output_bits"));
    }
    let (rows, new_rows) = data.rows(&model)?.unzip();
    (order.tell)("checking the certificate");
    let check = data.check(&model)?;
    let new_rows = new_rows.unwrap_or_default();
    Ok(Prepared { model, chosen, few_bits, found, rows, new_rows, check })
}

fn with_integers(
    order: &Order<'_>,
    model: &Model,
    data: &crate::data::Dataset,
) -> Result<Model, Error> {
    let neurons = model.networks().map(Network::neurons).sum::<usize>();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let tell = || {
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        (order.tell)(&format!("choosing integer weights: {done} of {neurons} neurons"));
    };
    let rechoice = Rechoice { done: &tell, ..Rechoice::new(Weights::Integer) };
    model.rechoose(data, &rechoice)
}

/// The files of an export, inputs to replay included.
fn files(
    order: &Order<'_>,
    of: &Prepared<'_>,
    circuit: Option<&Circuit>,
) -> Result<Vec<File>, Error> {
    let (model, style) = (&*of.model, order.style(&of.model));
    let features = of.rows.as_ref();
    let Some(circuit) = circuit else {
        if order.to == Target::Markdown {
            let (title, check) = (order.source, of.check.as_ref());
            let page = markdown::page(title, model, features, check, markdown::Shown::ALL);
            return Ok(vec![file(format!("{}.md", style.name), order.spelled(&page))]);
        }
        let mut files = onnx::write(model, of.check.as_ref(), &style)?;
        let rows = Replay { features, neighbours: 0, random: 0, seed: 0 };
        let (bytes, _) = onnx::check_rows(model, &rows)?;
        files.push(file(format!("{}_vectors.f64", style.name), bytes));
        return Ok(files);
    };
    let mut files = match order.to {
        Target::C => c::write(circuit, &style),
        Target::Rust => rust::write(circuit, &style),
        _ => verilog::write(circuit, &style),
    };
    let random = if features.is_some() { 0 } else { SHIPPED };
    let (mut records, mut lines) = (Vec::new(), String::new());
    Replay { features, neighbours: 0, random, seed: 0 }.visit(circuit, |inputs| {
        circuit.record(inputs, &mut records);
        if order.to == Target::Verilog {
            lines += &circuit.line(inputs);
        }
        Ok::<_, Error>(())
    })?;
    files.push(file(format!("{}_vectors.bin", style.name), records));
    if order.to == Target::Verilog {
        files.push(file(format!("{}_vectors.hex", style.name), lines));
    }
    Ok(files)
}

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
