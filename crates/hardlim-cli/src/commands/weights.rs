//! `hardlim weights`.

use std::process::ExitCode;

use anyhow::{Context, bail};
use hardlim::data::{Dataset, Table};
use hardlim::memory;
use hardlim::network::{
    Check, Classifier, LayerChange, Model, Rechoice, Stored, Weights as Choice,
};
use serde_json::{Value, json};

use super::{open_model, open_table};
use crate::args::{Common, Weights};
use crate::report::{self, classes, columns};
use crate::{interrupt, progress};

pub(crate) fn run(args: &Weights, common: &Common) -> anyhow::Result<ExitCode> {
    if args.input_bits.is_some() && args.choice() != Choice::Integer {
        bail!("--input-bits is the width of inputs for integers, and needs --choice integer");
    }
    let stored = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let bar = progress::steps(neurons(&stored));
    let done = || bar.inc(1);
    let rechosen = match &stored {
        Stored::Model(model) => one(model, &table, &args.rechoice(&done)),
        Stored::Classifier(classifier) => several(classifier, &table, &args.rechoice(&done)),
    };
    bar.finish_and_clear();
    let rechosen = rechosen.with_context(|| {
        let (choice, model, data) = (args.choice(), args.model.display(), table.source());
        format!("--choice {choice}: cannot choose weights for {model} on {data}")
    })?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| rechosen.stored.save(path))?;
    }
    if common.json {
        report::print_json(&rechosen.json(args))?;
    } else {
        report::print(&rechosen.text(args))?;
    }
    Ok(if rechosen.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// How many weights vectors there are to choose, in all layers.
fn neurons(stored: &Stored) -> usize {
    let count = |model: &Model| -> usize {
        model.network.layers().iter().map(|layer| layer.neurons.len()).sum()
    };
    stored.models().iter().map(count).sum()
}

/// The new model, what changed in each layer of each network, and what checking it found.
struct Rechosen {
    stored: Stored,
    changes: Vec<Vec<LayerChange>>,
    checks: Vec<Check>,
    rows: usize,
}

fn one(model: &Model, table: &Table, rechoice: &Rechoice<'_>) -> anyhow::Result<Rechosen> {
    let data = model.training_data(table)?;
    let (model, changes) = model.rechoose(&data, rechoice)?;
    let check = model.certify_within(&data, memory::for_checking())?;
    let stored = Stored::Model(Box::new(model));
    Ok(Rechosen { stored, changes: vec![changes], checks: vec![check], rows: data.samples() })
}

fn several(
    classifier: &Classifier,
    table: &Table,
    rechoice: &Rechoice<'_>,
) -> anyhow::Result<Rechosen> {
    let data = classifier.training_data(table)?;
    let (classifier, changes) = classifier.rechoose(&data, rechoice)?;
    let checks = classifier.certify_within(&data, memory::for_checking())?;
    let rows = data.first().map_or(0, Dataset::samples);
    Ok(Rechosen { stored: Stored::Classifier(classifier), changes, checks, rows })
}

/// Layers together.
struct Sum {
    neurons: usize,
    reads: (usize, usize),
    margin: (Option<f64>, Option<f64>),
    kept: usize,
    /// The most bits of a weight and their mean, over the neurons of integer weights.
    bits: Option<(u32, f64)>,
}

impl Sum {
    fn of<'a>(layers: impl Iterator<Item = &'a LayerChange> + Clone) -> Self {
        let least = |of: fn(&LayerChange) -> Option<f64>| {
            layers.clone().filter_map(of).min_by(f64::total_cmp)
        };
        Self {
            neurons: layers.clone().map(|l| l.neurons).sum(),
            reads: layers.clone().map(|l| l.reads).fold((0, 0), |s, r| (s.0 + r.0, s.1 + r.1)),
            margin: (least(|l| l.margin.0), least(|l| l.margin.1)),
            kept: layers.clone().map(|l| l.kept).sum(),
            bits: LayerChange::widths(layers),
        }
    }

    fn json(&self) -> Value {
        json!({
            "neurons": self.neurons,
            "inputs_before": self.reads.0,
            "inputs_after": self.reads.1,
            "bits": self.bits.map(|(max, mean)| json!({ "max": max, "mean": mean })),
            "margin_before": self.margin.0,
            "margin_after": self.margin.1,
            "kept": self.kept,
        })
    }

    /// A line of the table.
    fn line(&self, name: &str, width: usize) -> String {
        let number = |x: Option<f64>| x.map_or("-".into(), report::short);
        let (most, mean) = self.bits.map_or(("-".into(), "-".into()), |(most, mean)| {
            (most.to_string(), format!("{mean:.1}"))
        });
        format!(
            "  {}  {:>7}  {:>7}  {:>7}  {most:>9}  {mean:>9}  {:>10}  {:>10}\n",
            columns::left(name, width),
            self.neurons,
            self.reads.0,
            self.reads.1,
            number(self.margin.0),
            number(self.margin.1),
        )
    }
}

impl Rechosen {
    fn holds(&self) -> bool {
        self.checks.iter().all(Check::holds)
    }

    fn models(&self) -> &[Model] {
        self.stored.models()
    }

    fn total(&self) -> Sum {
        Sum::of(self.changes.iter().flatten())
    }

    fn json(&self, args: &Weights) -> Value {
        let first = &self.models()[0];
        let mut object = self.total().json();
        object["choice"] = json!(args.choice().name());
        object["n"] = json!(self.rows);
        object["input_bits"] = json!(first.network.grid().map(|grid| grid.bits()));
        object["holds"] = json!(self.holds());
        let found = match self.checks.as_slice() {
            [Check::SameData { certificate, global }] => {
                Some((certificate.certificate, global.certificate))
            }
            checks => classes::found(checks),
        };
        if let Some((certificate, global)) = found {
            object["objective"] = json!(certificate.objective());
            object["certificate"] = report::certificate_json(first, &certificate);
            object["global"] = report::certificate_json(first, &global);
        }
        let layers = |changes: &Vec<LayerChange>| -> Vec<Value> {
            changes.iter().map(|layer| Sum::of(std::iter::once(layer)).json()).collect()
        };
        match &self.stored {
            Stored::Model(_) => object["layers"] = json!(layers(&self.changes[0])),
            Stored::Classifier(classifier) => {
                let part = |(class, changes): (&String, &Vec<LayerChange>)| {
                    let mut part = Sum::of(changes.iter()).json();
                    part["class"] = json!(class);
                    part["layers"] = json!(layers(changes));
                    part
                };
                let parts = classifier.classes().iter().zip(&self.changes).map(part);
                object["classes"] = json!(parts.collect::<Vec<_>>());
            }
        }
        if let Some(path) = &args.output {
            object["model"] = json!(path);
        }
        object
    }

    fn text(&self, args: &Weights) -> String {
        let mut lines: Vec<(String, Sum)> = Vec::new();
        match &self.stored {
            Stored::Classifier(classifier) => {
                let parts = classifier.classes().iter().zip(&self.changes);
                lines.extend(parts.map(|(name, c)| (columns::cut(name), Sum::of(c.iter()))));
            }
            Stored::Model(_) if self.changes[0].len() > 1 => {
                let layers = self.changes[0].iter().enumerate();
                let line =
                    |(l, layer)| (format!("layer {}", l + 1), Sum::of(std::iter::once(layer)));
                lines.extend(layers.map(line));
            }
            Stored::Model(_) => (),
        }
        let total = self.total();
        let mut text = format!("{} weights for {}\n", args.choice(), args.model.display());
        text += &format!("Every neuron answers all {} training rows as before. ", self.rows);
        text += match self.holds() {
            true => "The certificate holds: computed again.\n\n",
            false => "The certificate does NOT hold, as it did not before.\n\n",
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
            text += &sum.line(name, width);
        }
        text += &total.line(if lines.is_empty() { "network" } else { "together" }, width);
        text += &self.notes(&total, args);
        text += &match &args.output {
            Some(path) => format!("\nmodel written to {}\n", path.display()),
            None => "\nadd -o MODEL to keep it\n".into(),
        };
        text
    }

    /// What the table does not say.
    fn notes(&self, total: &Sum, args: &Weights) -> String {
        let mut text = String::new();
        if let Some(grid) = self.models()[0].network.grid() {
            let whole = grid.shifts().iter().all(|g| *g == 0);
            let (bits, kind) = (grid.bits(), if whole { "whole numbers" } else { "fixed point" });
            text += &format!("\ninputs are {kind} of {bits} bits\n");
        }
        if total.kept > 0 && args.choice() == Choice::Integer {
            text += &format!(
                "{} neurons keep their weights: no integers were found for them\n",
                total.kept
            );
        }
        text
    }
}
