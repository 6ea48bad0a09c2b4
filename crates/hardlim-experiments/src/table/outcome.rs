//! The results of the table.

use serde_json::Value;

use super::heuristic::BATCH;
use super::method::{AVERAGE, BETAS, Convex, Effort};
use super::sampled::{ERRORS, FEW, MIXED, NEURONS, RATIOS};
use super::{IMAGE_SEEDS, Method, figures, key, methods, seeds, sets};
use crate::experiment::{Context, Records, number};
use crate::report::{Report, Table, full, numbers, part, short};
use crate::scale::Scale;
use crate::sets::{Set, missing};
use hardlim_baseline::Surrogate;

/// The columns, in the order of the table.
pub(super) const COLUMNS: [&str; 10] = [
    "lasso",
    "lasso-n",
    "generate",
    "max-inputs",
    "average",
    "hardlim",
    "ste",
    "relu",
    "lrelu",
    "crelu",
];
/// The columns of heuristics.
pub(super) const HEURISTICS: [&str; 4] = ["ste", "relu", "lrelu", "crelu"];

/// The fields of a record that the table of splits lists.
const FIELDS: &str = "strength, learning_rate, cv_accuracy, beta, objective, lower_bound, neurons, \
                      train_accuracy, test_accuracy, select_seconds, train_seconds";

/// The entry of a column on one set: means and deviations over the splits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) accuracy: f64,
    pub(super) deviation: f64,
    pub(super) neurons: f64,
    /// The seconds of the final training alone, and with the choices before it.
    pub(super) train: f64,
    pub(super) total: f64,
}

/// One set.
pub(super) struct Row {
    pub(super) set: Set,
    pub(super) entries: Vec<Entry>,
}

impl Row {
    pub(super) fn best_printed(&self) -> f64 {
        self.set.accuracy.into_iter().fold(0.0, f64::max)
    }

    pub(super) fn entry(&self, column: &str) -> &Entry {
        let place = COLUMNS.iter().position(|c| *c == column).expect("a column");
        &self.entries[place]
    }

    pub(super) fn accuracy(&self, column: &str) -> f64 {
        self.entry(column).accuracy
    }
}

pub(super) struct Outcome<'a> {
    pub(super) context: &'a Context<'a>,
    records: &'a Records,
    pub(super) rows: Vec<Row>,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(context: &'a Context<'a>, records: &'a Records) -> Self {
        let mut outcome = Self { context, records, rows: Vec::new() };
        for set in sets(context) {
            let entries = COLUMNS.map(|column| outcome.entry(&set, column));
            outcome.rows.push(Row { set, entries: entries.into() });
        }
        outcome
    }

    fn record(&self, set: &Set, seed: u64, method: Method) -> &'a Value {
        let effort = Effort::new(self.context.scale, set);
        self.records.get(&key(&effort, set, seed, method))
    }

    /// The record that a column takes its numbers from, and the name of the method behind it.
    fn column(&self, set: &Set, seed: u64, column: &str) -> (&'a Value, &'static str) {
        let convex = |method| self.record(set, seed, Method::Convex(method));
        match column {
            "lasso" => (convex(Convex::Lasso), "lasso"),
            "lasso-n" => (convex(Convex::LassoMean), "lasso-n"),
            "generate" => (convex(Convex::Generate), "generate"),
            "max-inputs" => (convex(Convex::Few), "max-inputs"),
            "average" => (&convex(Convex::Generate)["average"], "average"),
            "hardlim" => {
                let score = |method: &Convex| number(convex(*method), "cv_accuracy");
                let all = Convex::all(set).into_iter();
                // The first one if there are ties: the simplest method comes first.
                let best = all.reduce(|a, b| if score(&b) > score(&a) { b } else { a });
                let best = best.expect("there are methods");
                let record = convex(best);
                let averaged = !record["average"].is_null();
                (if averaged { &record["average"] } else { record }, best.name())
            }
            name => {
                let surrogate: Surrogate = name.parse().expect("a column is a method");
                (self.record(set, seed, Method::Heuristic(surrogate)), "")
            }
        }
    }

    fn entry(&self, set: &Set, column: &str) -> Entry {
        let seeds = seeds(self.context, set);
        let records: Vec<&Value> =
            (0..seeds).map(|seed| self.column(set, seed, column).0).collect();
        let count = records.len() as f64;
        let mean = |field: &str| records.iter().map(|r| number(r, field)).sum::<f64>() / count;
        let accuracy = mean("test_accuracy");
        let spread = records.iter().map(|r| (number(r, "test_accuracy") - accuracy).powi(2));
        let deviation =
            if records.len() > 1 { (spread.sum::<f64>() / (count - 1.0)).sqrt() } else { f64::NAN };
        let train = mean("train_seconds");
        let chosen = (0..seeds).map(|seed| self.choosing(set, seed, column)).sum::<f64>() / count;
        Entry { accuracy, deviation, neurons: mean("neurons"), train, total: train + chosen }
    }

    /// The seconds for choices before the final training.
    fn choosing(&self, set: &Set, seed: u64, column: &str) -> f64 {
        let seconds = |convex: Convex| {
            number(self.record(set, seed, Method::Convex(convex)), "select_seconds")
        };
        match column {
            "average" => seconds(Convex::Generate),
            "hardlim" => Convex::all(set).into_iter().map(seconds).sum(),
            column => number(self.column(set, seed, column).0, "select_seconds"),
        }
    }

    pub(super) fn report(&self) -> Report {
        let title = "Test accuracy on thirteen data sets";
        Report {
            setup: self.setup(),
            tables: vec![("", self.means()), ("-splits", self.splits())],
            figures: vec![("", figures::accuracy(title, &self.rows))],
            summary: Some(self.summary()),
            claims: self.claims(),
        }
    }

    fn setup(&self) -> String {
        let scale = self.context.scale;
        let effort = |name: &str| {
            let set = crate::sets::SETS.into_iter().find(|set| set.name == name);
            Effort::new(scale, &set.expect("it is one of them"))
        };
        let (uci, large, images) = (effort("pima"), effort("bank"), effort("mnist"));
        let splits = match scale {
            Scale::Full => "5 of them".to_owned(),
            Scale::Quick => "2 of them (1 of the larger sets)".to_owned(),
            Scale::Tiny => "one of them".to_owned(),
        };
        let seeds = match scale {
            Scale::Full => IMAGE_SEEDS,
            _ => 1,
        };
        let rows = |most: usize| match most {
            usize::MAX => "all rows".to_owned(),
            rows => format!("at most {rows} rows"),
        };
        let mut text = format!(
            "80/20 splits that keep the classes' shares, {splits}; image sets have their own test part, and seeds: \
             {seeds}. Every choice is made on the training part alone. `lasso`: {} sampled patterns, their weights \
             drawn on standardised inputs (pixels as they are), beta of {BETAS:?} by {}-fold cross-validation ({} on the \
             larger sets) on {} ({} on images). `lasso-n`: the same with \
             beta n, as in the authors' notebook. `generate`: all patterns, {} rounds ({} on images), beta of {} parts of \
             beta_max by {}-fold cross-validation on {}. `max-inputs`: the same with neurons that read 2 inputs \
             (1 on images and where pairs of columns and rows are too many). `average`: {AVERAGE} networks of `generate`'s \
             beta. `hardlim`: for each split the method with the best cross-validated accuracy, of these (the average \
             where it generates) and of averages of {} networks ({} on images) over {} sampled patterns each ({} on \
             images), with the logistic loss: `sample` draws weights as `lasso` does (`sample-raw` on images), `sample-few` \
             on {} inputs and `sample-mixed` on {} inputs of a neuron (only the latter on the larger sets). Of {} parts of beta_max from {} to {} that leave at most {NEURONS} neurons \
             each takes the largest within {ERRORS} standard errors of the best. Heuristics: {} neurons, {} epochs ({} on images) of batches of \
             {BATCH}, learning rates {:?} and beta {:?} chosen on a fifth of the training part (rate {:?} and beta {:?} on \
             images); a setting that diverges is not chosen. The methods behind `hardlim` and their sizes were settled on \
             these sets, with test accuracies of five earlier splits in view; the splits here are others, the test \
             parts of images excepted, and another --seed draws others again.",
            uci.patterns,
            uci.folds,
            large.folds,
            rows(uci.rows),
            rows(images.rows),
            uci.rounds,
            images.rounds,
            uci.ratios,
            uci.parts,
            rows(uci.fewer),
            uci.networks,
            images.networks,
            uci.large,
            images.large,
            listed(&FEW),
            listed(&MIXED),
            uci.strengths,
            RATIOS.0,
            RATIOS.1,
            uci.patterns,
            uci.epochs,
            images.epochs,
            uci.rates,
            uci.betas,
            images.rates,
            images.betas,
        );
        let left_out: Vec<String> = (missing(self.context.data.as_deref()).iter())
            .map(|set| format!("{} ({}; {})", set.name, set.files().join(", "), set.origin()))
            .collect();
        if !left_out.is_empty() {
            text += &format!(" Skipped, for want of their files: {}.", left_out.join("; "));
        }
        text
    }

    fn means(&self) -> Table {
        let mut table = Table::new(
            "dataset, n, d, method, accuracy, deviation, neurons, printed_accuracy, \
             best_printed_accuracy, train_seconds, total_seconds, printed_seconds",
        );
        for row in &self.rows {
            for (column, entry) in COLUMNS.iter().zip(&row.entries) {
                let printed = printed_place(column);
                table.push(vec![
                    row.set.name.into(),
                    row.set.n.to_string(),
                    row.set.d.to_string(),
                    (*column).into(),
                    full(entry.accuracy),
                    full(entry.deviation),
                    full(entry.neurons),
                    printed.map_or(String::new(), |k| full(row.set.accuracy[k])),
                    full(row.best_printed()),
                    full(entry.train),
                    full(entry.total),
                    printed.map_or(String::new(), |k| full(row.set.seconds[k])),
                ]);
            }
        }
        table
    }

    /// All splits, and the choices on each.
    fn splits(&self) -> Table {
        let columns = format!("dataset, split, method, chosen_method, {FIELDS}");
        let mut table = Table::new(&columns);
        for Row { set, .. } in &self.rows {
            for seed in 0..seeds(self.context, set) {
                let mut push = |name: &str, chosen: &str, record: &Value| {
                    let mut cells =
                        vec![set.name.into(), seed.to_string(), name.into(), chosen.into()];
                    cells.extend(numbers(record, FIELDS));
                    table.push(cells);
                };
                for column in COLUMNS {
                    let (record, chosen) = self.column(set, seed, column);
                    push(column, chosen, record);
                }
                for method in methods(set) {
                    if let Method::Convex(convex) = method
                        && !COLUMNS.contains(&convex.name())
                    {
                        push(convex.name(), "", self.record(set, seed, method));
                    }
                }
            }
        }
        table
    }

    fn summary(&self) -> Table {
        let mut columns = vec!["data set", "printed lasso", "best printed"];
        columns.extend(COLUMNS);
        columns.extend(["neurons of hardlim", "lasso s", "ste s"]);
        let mut table = Table::new(&columns.join(", "));
        for row in &self.rows {
            let mut cells =
                vec![row.set.name.to_owned(), part(row.set.accuracy[0]), part(row.best_printed())];
            cells.extend(row.entries.iter().map(|entry| match entry.deviation.is_nan() {
                true => part(entry.accuracy),
                false => format!("{} ± {}", part(entry.accuracy), part(entry.deviation)),
            }));
            cells.push(format!("{:.0}", row.entry("hardlim").neurons));
            cells.push(short(row.entry("lasso").train));
            cells.push(short(row.entry("ste").train));
            table.push(cells);
        }
        table
    }
}

/// `1, 2 or 3`.
fn listed(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let (last, others) = words.split_last().expect("there are numbers");
    format!("{} or {last}", others.join(", "))
}

/// The index of a column among the printed ones.
fn printed_place(column: &str) -> Option<usize> {
    ["lasso", "ste", "relu", "lrelu", "crelu"].iter().position(|c| *c == column)
}
