//! `hardlim memorize`.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::bail;
use hardlim::Error;
use hardlim::data::{Coding, Dataset, Table, TargetCoding};
use hardlim::memorize::{self, About, Labelling, LowerBound, Memorised, Watch, Way};
use hardlim::model::Model;
use serde_json::{Value, json};

use super::open_table;
use crate::args::{Common, Memorize};
use crate::{interrupt, progress, report};

pub(crate) fn run(args: &Memorize, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let table = open_table(&args.data, common)?;
    let coding = Coding::fit(&table, &args.columns.coding_options())?;
    let column = &coding.target().column().name;
    match coding.target() {
        TargetCoding::Classes { .. } | TargetCoding::Against { .. } => {}
        TargetCoding::Several { classes, .. } => {
            let count = classes.len();
            bail!("the target {column:?} has {count} classes; give a column with two values");
        }
        TargetCoding::Number { .. } => {
            bail!("the target {column:?} is a number; give a column with two values")
        }
    }
    let (data, y) = (coding.dataset(&table)?, coding.targets(&table)?);
    refuse_conflicts(&table, &coding, &data, &y)?;
    let labelling = Labelling::of(&data)?;
    let counting = progress::doing("counting how many neurons are needed");
    let bounds = memorize::lower_bounds(&labelling);
    drop(counting);
    let needed = bounds.iter().filter(|bound| bound.about == About::This);
    let needed = needed.map(|bound| bound.neurons).max().unwrap_or(0);
    let outcomes = try_all(&args.way.list(), &labelling, needed, common.seed)?;
    let best = (outcomes.iter().filter_map(|(_, found)| found.as_ref().ok()))
        .min_by_key(|found| found.neurons())
        .expect("some way was found");
    let model = memorize::model(&data, coding, best.network.clone())?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| model.save(path))?;
    }
    let report = Report {
        args,
        data: &data,
        labelling: &labelling,
        best,
        outcomes: &outcomes,
        bounds: &bounds,
        optimal: best.neurons() <= needed,
        model: &model,
        seconds: start.elapsed().as_secs_f64(),
    };
    let head = || report::data_text(&table, model.coding(), &data, &y);
    let json = || {
        let mut object = report.json();
        report::add_notes(&mut object, &report::notes(&table, model.coding()));
        object
    };
    report::answer(common, json, || format!("{}\n{}", head(), report.text()))?;
    let interrupted = interrupt::asked();
    Ok(if interrupted { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}

/// A way that takes so many times the neurons of another is given up.
const PATIENCE: usize = 4;

/// A way, and what came of it.
type Outcome = (Way, Result<Memorised, Error>);

/// Every way asked for, until one takes no more neurons than needed, or Ctrl-C. An error where none was found.
fn try_all(
    ways: &[Way],
    labelling: &Labelling,
    needed: usize,
    seed: u64,
) -> anyhow::Result<Vec<Outcome>> {
    let bar = progress::spinner();
    let flag = interrupt::watch();
    let stop = || flag.load(Ordering::Relaxed);
    let (mut outcomes, mut most) = (Vec::<Outcome>::new(), usize::MAX);
    for &way in ways {
        bar.set_prefix(way.name());
        let tell = |text: &str| bar.set_message(text.to_owned());
        let found = Memorised::by(way, labelling, seed, Watch { tell: &tell, stop: &stop, most });
        if let Ok(found) = &found {
            most = most.min(PATIENCE * found.neurons());
        }
        let optimal = found.as_ref().is_ok_and(|found| found.neurons() <= needed);
        outcomes.push((way, found));
        if optimal || stop() {
            break;
        }
    }
    bar.finish_and_clear();
    match outcomes.iter().any(|(_, found)| found.is_ok()) {
        true => Ok(outcomes),
        // The last one says whether there was no time.
        false => Err(outcomes.pop().and_then(|(_, found)| found.err()).expect("no way was found"))?,
    }
}

/// Refuses equal rows with different labels, by their numbers.
fn refuse_conflicts(
    table: &Table,
    coding: &Coding,
    data: &Dataset,
    y: &[f64],
) -> anyhow::Result<()> {
    let conflicts: Vec<usize> = (data.targets().iter().enumerate())
        .filter(|(_, atoms)| atoms.len() > 1)
        .map(|(g, _)| g)
        .collect();
    let Some(&g) = conflicts.first() else { return Ok(()) };
    let row = |on: bool| {
        let same = |i: &usize| data.row_of()[*i] as usize == g && (y[*i] > 0.0) == on;
        let first = (0..data.samples()).find(same).expect("both labels are there");
        table.row_number(first)
    };
    let [negative, positive] = coding.target().answers().expect("two classes");
    let more = match conflicts.len() {
        1 => String::new(),
        count => format!(" ({count} distinct rows have both labels)"),
    };
    bail!(
        "{}: row {} is {negative:?} and row {} is {positive:?}, and the rows are equal: no network can \
         tell them apart{more}",
        table.source(),
        row(false),
        row(true),
    )
}

/// Everything there is to tell.
struct Report<'a> {
    args: &'a Memorize,
    data: &'a Dataset,
    labelling: &'a Labelling,
    best: &'a Memorised,
    outcomes: &'a [Outcome],
    bounds: &'a [LowerBound],
    /// Whether no network in layers has fewer neurons.
    optimal: bool,
    model: &'a Model,
    seconds: f64,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let way = |(way, found): &Outcome| match found {
            Ok(found) => json!({
                "way": way.name(), "neurons": found.neurons(), "layers": found.network.depth(),
                "widths": found.widths(), "note": found.note,
            }),
            Err(error) => json!({ "way": way.name(), "error": error.to_string() }),
        };
        let bound = |bound: &LowerBound| {
            json!({
                "neurons": bound.neurons, "first_layer": bound.first_layer, "reason": bound.reason,
                "about": match bound.about { About::This => "this", About::Hardest => "hardest" },
            })
        };
        let positive = self.labelling.labels().count();
        let mut object = json!({
            "n": self.data.samples(), "distinct": self.data.distinct(), "d": self.data.dimension(),
            "positive": positive, "negative": self.labelling.rows() - positive,
            "way": self.best.way.name(), "neurons": self.best.neurons(),
            "layers": self.best.network.depth(), "widths": self.best.widths(),
            "optimal": self.optimal,
            "ways": self.outcomes.iter().map(way).collect::<Vec<_>>(),
            "bounds": self.bounds.iter().map(bound).collect::<Vec<_>>(),
            "objective": self.model.certificate().objective(), "beta": self.model.beta().get(),
            "certificate": report::certificate_json(&self.model.certificate()),
            "seconds": self.seconds,
        });
        report::add_path(&mut object, "model", self.args.output.as_deref());
        object
    }

    fn text(&self) -> String {
        let (neurons, rows) = (self.best.neurons(), self.labelling.rows());
        let plural = if neurons == 1 { "" } else { "s" };
        let mut text = format!(
            "Memorised: {neurons} threshold neuron{plural} ({}) give all {rows} distinct rows their \
             labels, checked on every row.\n",
            widths(self.best),
        );
        if self.optimal {
            text += "No network in layers that ends in one threshold neuron has fewer.\n";
        }
        text += "\n";
        text += &format!("  {:<10} {:>7}  {:>6}  {}\n", "way", "neurons", "layers", "how");
        let mut outcomes: Vec<&Outcome> = self.outcomes.iter().collect();
        outcomes.sort_by_key(|(_, found)| found.as_ref().map_or(usize::MAX, Memorised::neurons));
        for (way, found) in outcomes {
            text += &match found {
                Ok(found) => format!(
                    "  {:<10} {:>7}  {:>6}  {}: {}\n",
                    way.name(),
                    found.neurons(),
                    found.network.depth(),
                    widths(found),
                    found.note,
                ),
                Err(error) => format!("  {:<10} {:>7}  {:>6}  {error}\n", way.name(), "-", "-"),
            };
        }
        text += "\n  proven for networks in layers that end in one threshold neuron:\n";
        for LowerBound { neurons, about, reason, .. } in self.bounds {
            let (who, plural) = (
                match about {
                    About::This => "these labels need",
                    About::Hardest => "the hardest labels of these rows need",
                },
                if *neurons == 1 { "" } else { "s" },
            );
            text += &format!("  {who} at least {neurons} neuron{plural}: {reason}\n");
        }
        text += &format!("\n  time       {}\n", report::seconds(self.seconds));
        text + &report::kept(self.args.output.as_deref(), "the network")
    }
}

/// How many neurons each layer has, as `60-74-1`.
fn widths(found: &Memorised) -> String {
    let widths: Vec<String> = found.widths().iter().map(ToString::to_string).collect();
    widths.join("-")
}
