//! `hardlim memorize`.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::bail;
use hardlim::Error;
use hardlim::data::{Coding, Dataset, Table, TargetCoding};
use hardlim::memorize::{self, About, Labelling, LowerBound, Memorised, Outcome, Search, Way};
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
    let search = search(&args.way.list(), &labelling, common.seed)?;
    let model = memorize::model(&data, coding, search.best().network.clone())?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| model.save(path))?;
    }
    let report = Report {
        args,
        data: &data,
        labelling: &labelling,
        search: &search,
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

/// Every way asked for, until one takes no more neurons than needed, or Ctrl-C.
fn search(ways: &[Way], labelling: &Labelling, seed: u64) -> Result<Search, Error> {
    let bar = progress::spinner();
    bar.set_prefix("counting how many neurons are needed");
    let flag = interrupt::watch();
    let tell = |way: Way, text: &str| {
        bar.set_prefix(way.name());
        bar.set_message(text.to_owned());
    };
    let found = Search::of(ways, labelling, seed, &tell, &|| flag.load(Ordering::Relaxed));
    bar.finish_and_clear();
    found
}

/// Refuses equal rows with different labels, by their numbers.
fn refuse_conflicts(
    table: &Table,
    coding: &Coding,
    data: &Dataset,
    y: &[f64],
) -> anyhow::Result<()> {
    let Some((rows, count)) = memorize::conflict(data, y) else { return Ok(()) };
    let [first, second] = rows.map(|row| table.row_number(row));
    let [negative, positive] = coding.target().answers().expect("two classes");
    let more = match count {
        1 => String::new(),
        _ => format!(" ({count} distinct rows have both labels)"),
    };
    bail!(
        "{}: row {first} is {negative:?} and row {second} is {positive:?}, and the rows are equal: no network can \
         tell them apart{more}",
        table.source(),
    )
}

/// Everything there is to tell.
struct Report<'a> {
    args: &'a Memorize,
    data: &'a Dataset,
    labelling: &'a Labelling,
    search: &'a Search,
    model: &'a Model,
    seconds: f64,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let positive = self.labelling.labels().count();
        let mut object = self.search.json();
        let own = json!({
            "n": self.data.samples(), "distinct": self.data.distinct(), "d": self.data.dimension(),
            "positive": positive, "negative": self.labelling.rows() - positive,
            "objective": self.model.certificate().objective(), "beta": self.model.beta().get(),
            "certificate": report::certificate_json(&self.model.certificate()),
            "seconds": self.seconds,
        });
        report::merge(&mut object, own);
        report::add_path(&mut object, "model", self.args.output.as_deref());
        object
    }

    fn text(&self) -> String {
        let (neurons, rows) = (self.search.best().neurons(), self.labelling.rows());
        let plural = if neurons == 1 { "" } else { "s" };
        let mut text = format!(
            "Memorised: {neurons} threshold neuron{plural} ({}) give all {rows} distinct rows their \
             labels, checked on every row.\n",
            widths(self.search.best()),
        );
        if self.search.optimal() {
            text += "No network in layers that ends in one threshold neuron has fewer.\n";
        }
        text += "\n";
        text += &format!("  {:<10} {:>7}  {:>6}  {}\n", "way", "neurons", "layers", "how");
        let mut outcomes: Vec<&Outcome> = self.search.outcomes.iter().collect();
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
        for LowerBound { neurons, about, reason, .. } in &self.search.bounds {
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
