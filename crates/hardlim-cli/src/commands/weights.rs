//! `hardlim weights`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueHint};
use hardlim::certify::Check;
use hardlim::model::Model;
use hardlim::network::{Change, Grid, Rechoice, Weights as Choice};
use hardlim::table::{Table, memory};
use serde_json::{Value, json};

use super::open_model;
use crate::args::{Common, DataArgs};
use crate::report::{self, columns};
use crate::{interrupt, progress};

/// Choose other weights, with the same answers and certificate
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/weights.txt"))]
pub(crate) struct Weights {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// Which weights: svm, center, sparse, integer or pi
    #[arg(long, value_name = "CHOICE", value_parser = parse_choice)]
    choice: Choice,
    /// The width of the inputs in fixed point, 2 to 31 bits including the sign [default: the
    /// smallest of 8, 12, 16, 20, 24 and 31 that works]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(2..=31))]
    input_bits: Option<u32>,
    /// Measure margins on the inputs as they are, without standardising them
    #[arg(long)]
    no_standardize: bool,
    /// Write the new model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Weights {
    fn rechoice<'a>(&self, done: &'a (dyn Fn() + Sync)) -> Rechoice<'a> {
        Rechoice {
            standardize: !self.no_standardize,
            input_bits: self.input_bits,
            done,
            ..Rechoice::new(self.choice)
        }
    }
}

fn parse_choice(text: &str) -> Result<Choice, String> {
    match text.parse() {
        Ok(choice) if choice != Choice::Sampled => Ok(choice),
        _ => Err("expected svm, center, sparse, integer or pi".into()),
    }
}

pub(crate) fn run(args: &Weights, common: &Common) -> anyhow::Result<ExitCode> {
    if args.input_bits.is_some() && args.choice != Choice::Integer {
        bail!("--input-bits needs --choice integer");
    }
    let model = open_model(&args.model)?;
    let table = args.data.open(common)?;
    let layers = model.networks().flat_map(|network| network.layers());
    let bar = progress::even_steps(layers.map(|layer| layer.neurons.len()).sum());
    bar.set_prefix("choosing weights:");
    bar.set_message("neurons");
    let done = || bar.inc(1);
    let rechosen = Rechosen::of(&model, &table, &args.rechoice(&done));
    drop(bar);
    let rechosen = rechosen.with_context(|| {
        let (choice, model, data) = (args.choice, args.model.display(), table.source());
        format!("--choice {choice}: cannot choose weights for {model} on {data}")
    })?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| rechosen.model.save(path))?;
    }
    report::answer(common, || rechosen.json(args), || rechosen.text(args))?;
    Ok(if rechosen.check.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The new model, what changed in each layer of each network, and what checking it found.
struct Rechosen {
    model: Model,
    changes: Vec<Vec<Change>>,
    check: Check,
    rows: usize,
}

impl Rechosen {
    fn of(model: &Model, table: &Table, rechoice: &Rechoice<'_>) -> anyhow::Result<Self> {
        let data = model.training_data(table)?;
        let (model, changes) = model.rechoose(&data, rechoice)?;
        let check = model.certify_within(&data, memory::for_checking())?;
        Ok(Self { model, changes, check, rows: data.samples() })
    }

    fn grid(&self) -> Option<&Grid> {
        self.model.first().network().grid()
    }

    fn json(&self, args: &Weights) -> Value {
        let model = &self.model;
        let mut object = Change::model_json(&self.changes, model.several_classes());
        object["choice"] = json!(args.choice.name());
        object["n"] = json!(self.rows);
        object["input_bits"] = json!(self.grid().map(Grid::bits));
        object["holds"] = json!(self.check.holds());
        if let Some((certificate, global)) = self.check.certificate().zip(self.check.global()) {
            report::add_certificates(&mut object, model, &certificate, &global);
        }
        report::add_path(&mut object, "model", args.output.as_deref());
        object
    }

    fn text(&self, args: &Weights) -> String {
        let mut lines: Vec<(String, Change)> = Vec::new();
        match self.model.several_classes() {
            Some(names) => {
                let parts = names.iter().zip(&self.changes);
                lines.extend(parts.map(|(name, c)| (columns::cut(name), Change::sum(c.iter()))));
            }
            None if self.changes[0].len() > 1 => {
                let layers = self.changes[0].iter().enumerate();
                let line =
                    |(l, layer): (usize, &Change)| (format!("layer {}", l + 1), layer.clone());
                lines.extend(layers.map(line));
            }
            None => (),
        }
        let total = Change::sum(self.changes.iter().flatten());
        let mut text = format!("{} weights for {}\n", args.choice, args.model.display());
        text +=
            &format!("Every neuron gives the same answers on all {} training rows. ", self.rows);
        text += if self.check.holds() {
            "The certificate holds: computed again.\n\n"
        } else {
            "The certificate does NOT hold; it did not hold before either.\n\n"
        };
        let width = columns::width(lines.iter().map(|(name, _)| name), 8);
        let none = columns::left("", width);
        text += &format!(
            "  {none}  {:>7}  {:>16}  {:>20}  {:>22}\n",
            "", "inputs read", "bits per weight", "smallest margin"
        );
        text += &format!(
            "  {none}  {:>7}  {:>7}  {:>7}  {:>9}  {:>9}  {:>10}  {:>10}\n",
            "neurons", "before", "after", "most", "mean", "before", "after"
        );
        for (name, sum) in &lines {
            text += &line(sum, name, width);
        }
        text += &line(&total, if lines.is_empty() { "network" } else { "total" }, width);
        text += &self.notes(&total, args);
        text + &report::kept(args.output.as_deref(), "it")
    }

    /// What the table does not say.
    fn notes(&self, total: &Change, args: &Weights) -> String {
        let mut text = String::new();
        if let Some(grid) = self.grid() {
            let whole = grid.shifts().iter().all(|g| *g == 0);
            let (bits, kind) = (grid.bits(), if whole { "whole numbers" } else { "fixed point" });
            text += &format!("\ninputs are {kind} of {bits} bits\n");
        }
        if total.kept > 0 && args.choice == Choice::Integer {
            text += &format!(
                "{} neurons keep their weights: no integers were found for them\n",
                total.kept
            );
        }
        text
    }
}

/// A line of the table.
fn line(sum: &Change, name: &str, width: usize) -> String {
    let number = |x: Option<f64>| x.map_or("-".into(), report::short);
    let (most, mean) = sum
        .widths()
        .map_or(("-".into(), "-".into()), |(most, mean)| (most.to_string(), format!("{mean:.1}")));
    format!(
        "  {}  {:>7}  {:>7}  {:>7}  {most:>9}  {mean:>9}  {:>10}  {:>10}\n",
        columns::left(name, width),
        sum.neurons,
        sum.reads.0,
        sum.reads.1,
        number(sum.margin.0),
        number(sum.margin.1),
    )
}
