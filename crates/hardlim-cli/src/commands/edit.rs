//! `hardlim edit`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context as _, ensure};
use clap::{Args, ValueHint};
use hardlim::certificate::Certificate;
use hardlim::explain::{Explanation, Scorecard, number};
use hardlim::model::Model;
use serde_json::{Value, json};

use super::{checked, open_model};
use crate::args::{Common, DataArgs};
use crate::report::{lower, upper};
use crate::{interrupt, report};

/// Drop rules of a list, or give them other weights, and say what it costs
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/edit.txt"))]
pub(crate) struct Edit {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// Drop this rule, for example h3, as hardlim explain names it; several separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    drop: Vec<Named>,
    /// Give this rule another weight, for example h2=0.5, or other points; several separated by
    /// commas
    #[arg(long, value_name = "RULE=WEIGHT", value_delimiter = ',')]
    weight: Vec<Weighed>,
    /// Write the edited model to this file
    #[arg(short, long, value_name = "EDITED", value_hint = ValueHint::FilePath)]
    output: PathBuf,
}

/// The number of a rule.
#[derive(Debug, Clone, Copy)]
struct Named(usize);

/// The number of a rule, and its new weight.
#[derive(Debug, Clone, Copy)]
struct Weighed(usize, f64);

impl FromStr for Named {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let number = text.strip_prefix('h').unwrap_or(text);
        let number = number.parse().context("expected a rule such as h3")?;
        Ok(Self(number))
    }
}

impl FromStr for Weighed {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        const EXPECTED: &str = "expected a rule and its weight, such as h3=0.5";
        let (rule, weight) = text.split_once('=').context(EXPECTED)?;
        let Named(rule) = rule.parse().context(EXPECTED)?;
        let weight: f64 = weight.parse().context(EXPECTED)?;
        ensure!(weight.is_finite(), "the weight must be finite, got {weight}");
        Ok(Self(rule, weight))
    }
}

/// A rule before and after.
struct Change {
    rule: usize,
    text: String,
    before: f64,
    after: f64,
}

pub(crate) fn run(args: &Edit, common: &Common) -> anyhow::Result<ExitCode> {
    let asked = !args.drop.is_empty() || !args.weight.is_empty();
    ensure!(asked, "nothing to edit: give --drop RULE or --weight RULE=WEIGHT");
    let model = open_model(&args.model)?;
    let table = args.data.open(common)?;
    let data = model.training_data(&table)?;
    let dropped = args.drop.iter().map(|rule| (rule.0, 0.0));
    let shown: Vec<_> = dropped.chain(args.weight.iter().map(|w| (w.0, w.1))).collect();
    let weights = Scorecard::output_weights(&model, &shown)?;
    let edited = model.with_weights(&data, &weights)?;
    let check = checked(&edited, Some(&table))?;
    let statement = edited.statement(check.as_ref());
    let holds = check.is_some_and(|check| check.holds());
    interrupt::undisturbed(|| edited.save(&args.output))?;
    let outcome = Outcome { changes: changes(&model, &shown), model, edited, holds, statement };
    report::answer(common, || outcome.json(args), || outcome.text(args))?;
    Ok(if outcome.holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What changes, in the words and the numbers of the card.
fn changes(model: &Model, shown: &[(usize, f64)]) -> Vec<Change> {
    let unit = Scorecard::unit_of(model);
    let network = model.first().network();
    let explanation = Explanation::of(network, model.coding(), None);
    let of = |&(rule, after): &(usize, f64)| {
        let name = format!("h{rule}");
        let rules = explanation.layers.iter().flatten();
        let text = rules.clone().find(|own| own.name == name);
        let text = text.map_or(String::new(), |own| own.text(usize::MAX));
        Change { rule, text, before: network.amplitudes()[rule - 1] / unit, after }
    };
    shown.iter().map(of).collect()
}

struct Outcome {
    model: Model,
    edited: Model,
    changes: Vec<Change>,
    holds: bool,
    statement: String,
}

impl Outcome {
    fn certificates(&self) -> [Certificate; 2] {
        [self.model.certificate(), self.edited.certificate()]
    }

    fn json(&self, args: &Edit) -> Value {
        let [before, after] = self.certificates();
        let change = |change: &Change| {
            let Change { rule, text, before, after } = change;
            json!({ "rule": format!("h{rule}"), "text": text, "before": before, "after": after })
        };
        let mut object = json!({
            "holds": self.holds,
            "edits": self.changes.iter().map(change).collect::<Vec<_>>(),
            "before": before.objective(),
            "neurons": self.edited.neurons(),
        });
        report::add_certificates(&mut object, &self.edited, &after, &self.edited.global());
        report::add_path(&mut object, "model", Some(&args.output));
        object
    }

    fn text(&self, args: &Edit) -> String {
        let [before, after] = self.certificates();
        let mut text = String::new();
        for Change { rule, text: words, before, after } in &self.changes {
            text += &match *after {
                0.0 => format!("h{rule} dropped: {words}, which had {}\n", number(*before)),
                after => format!("h{rule}: {words}: {} → {}\n", number(*before), number(after)),
            };
        }
        let verb = if after.objective() < before.objective() { "fell" } else { "rose" };
        text += &format!(
            "\n{}\n  edit       the objective {verb} from {} to {}\n  bound      {}\n",
            self.statement,
            upper(before.objective()),
            upper(after.objective()),
            lower(after.lower_bound()),
        );
        if self.edited.calibration().is_some() {
            text += "  note       probabilities are those that were fitted before the edit\n";
        }
        for card in Scorecard::of(&self.edited) {
            text += &format!("\n{}", card.text());
        }
        text + &report::kept(Some(&args.output), "the network")
    }
}
