//! `hardlim interpolate`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::{Args, ValueHint};
use hardlim::Error;
use hardlim::certificate::{Bound, Scope};
use hardlim::data::Dataset;
use hardlim::program::Separation;
use hardlim::table::Table;
use hardlim::train::{Fitted, Interpolated, Options, Request};
use serde_json::{Value, json};

use super::prepare;
use crate::args::{Asked, Common, DataArgs, Door, Said};
use crate::{interrupt, progress, report};

/// Find the network of least norm that fits every target, if any
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/interpolate.txt"))]
pub(crate) struct Interpolate {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    asked: Asked<InterpolateOptions>,
    /// Write the network to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    output: Option<PathBuf>,
}

/// The options that interpolation shares with training.
#[derive(Debug)]
pub(crate) struct InterpolateOptions;

impl Door for InterpolateOptions {
    const NAMES: &'static str = "method patterns bias gap time_limit";
    const HELP: Said = &[
        (
            "method",
            "enumerate: use all patterns. complete: a closed form, if every dichotomy of the rows \
             is possible. sample: use the patterns of random weights. auto: complete if it \
             applies, enumerate for at most 200000 patterns, otherwise sample",
        ),
        (
            "gap",
            "Stop at this relative gap; if it is given and not reached, the exit code is 1 \
             [default: 1e-9]",
        ),
    ];

    fn request(options: &Options) -> Result<Request, hardlim::Error> {
        Request::problem_of(options)
    }
}

/// The most rows of a proof that are printed.
const SHOWN: usize = 12;

pub(crate) fn run(args: &Interpolate, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.asked.request(common)?;
    let table = args.data.open(common)?;
    let (set, _) = prepare(&table, &request)?;
    let data = set.data();
    let mut text = report::data_text(&table, set.coding(), data, set.y());

    let bar = progress::doing("searching for the network of least norm");
    let show = progress::listener(&bar);
    let found = request.interpolate(&set, &interrupt::from(start, Some(&show)));
    bar.finish_and_clear();
    let found = match found {
        Err(Error::ArrangementTooLarge { bound, limit, .. }) => bail!(
            "the arrangement may have {} patterns, more than the {limit} allowed; use --method \
             sample",
            report::count(bound)
        ),
        found => found?,
    };
    if let (Interpolated::Feasible(fitted), Some(path)) = (&found, &args.output) {
        interrupt::undisturbed(|| fitted.model.save(path))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let number = |row: usize| number(&table, data, row);
    if common.json {
        let mut object = match &found {
            Interpolated::Feasible(fitted) => feasible_json(fitted),
            Interpolated::Conflict { row, targets } => {
                let proof = json!({
                    "kind": "conflict", "row": number(*row), "targets": [targets.0, targets.1],
                });
                infeasible_json(proof, Bound::Complete, 0)
            }
            Interpolated::Separated { proof, bound, patterns, .. } => {
                let rows = support(&number, proof);
                let proof = json!({
                    "kind": "separation", "exact": proof.price == 0.0,
                    "rows": rows.iter().map(|(row, _)| *row).collect::<Vec<_>>(),
                    "z": rows.iter().map(|(_, z)| *z).collect::<Vec<_>>(),
                    "product": proof.product, "price": proof.price,
                    "miss": (proof.price == 0.0).then_some(proof.miss),
                    "norm_at_least": (proof.price != 0.0).then_some(proof.lower_bound(0.0)),
                });
                infeasible_json(proof, *bound, *patterns)
            }
        };
        object["bias"] = json!(request.bias());
        object["n"] = json!(data.samples());
        object["distinct"] = json!(data.distinct());
        object["d"] = json!(data.dimension());
        object["seconds"] = json!(seconds);
        report::add_notes(&mut object, &report::notes(&table, set.coding()));
        if let (Interpolated::Feasible(_), Some(path)) = (&found, &args.output) {
            object["model"] = json!(path);
        }
        report::print_json(&object)?;
    } else {
        text += "\n";
        text += &match &found {
            Interpolated::Feasible(fitted) => feasible_text(fitted),
            Interpolated::Conflict { row, targets } => {
                format!(
                    "Infeasible: no function fits every target.\n  proof      rows equal to row {} \
                     have the targets {} and {}\n",
                    number(*row),
                    targets.0,
                    targets.1
                )
            }
            Interpolated::Separated { proof, bound, patterns, narrow } => {
                let (among, hint) = match (bound.scope(), narrow) {
                    (Scope::Global, _) => (two_layers(request.bias()).to_owned(), String::new()),
                    (Scope::Dictionary, 0) => (of_these(*patterns), "draw more: --patterns".into()),
                    (Scope::Dictionary, narrow) => (
                        of_these(*patterns),
                        format!(
                            "{narrow} more patterns have cells too narrow for double precision"
                        ),
                    ),
                };
                separation_text(&number, proof, &among, &hint)
            }
        };
        text += &format!("  time       {}\n", report::seconds(seconds));
        if let Interpolated::Feasible(_) = found {
            text += &report::kept(args.output.as_deref(), "the network");
        }
        report::print(&text)?;
    }
    let reached = match &found {
        Interpolated::Feasible(fitted) => {
            args.asked.gap().is_none_or(|gap| fitted.relative_gap() <= gap)
        }
        _ => args.output.is_none(),
    };
    Ok(match (interrupt::asked(), reached) {
        (true, _) => ExitCode::from(interrupt::EXIT_CODE),
        (_, true) => ExitCode::SUCCESS,
        (_, false) => ExitCode::from(1),
    })
}

/// The number of the first row of the table that is this distinct row.
fn number(table: &Table, data: &Dataset, row: usize) -> u64 {
    let first = data.row_of().iter().position(|&g| g as usize == row);
    table.row_number(first.expect("every row has a sample"))
}

fn feasible_json(fitted: &Fitted) -> Value {
    json!({
        "feasible": true, "norm": fitted.norm, "neurons": fitted.model.neurons(),
        "method": fitted.model.first().recipe().name(), "patterns": fitted.patterns,
        "residual": fitted.residual,
        "certificate": {
            "scope": fitted.bound.scope().name(), "bound": fitted.bound.name(),
            "lower_bound": fitted.lower_bound, "gap": fitted.gap(),
            "relative_gap": fitted.relative_gap(),
        },
    })
}

fn infeasible_json(proof: Value, bound: Bound, patterns: usize) -> Value {
    // A price above zero leaves networks of huge norms open.
    let exact = proof["exact"] != json!(false);
    json!({
        "feasible": if exact { json!(false) } else { Value::Null }, "norm": null, "neurons": null,
        "patterns": patterns,
        "proof": proof, "scope": bound.scope().name(), "bound": bound.name(),
    })
}

/// The rows that a proof speaks of, with their factors.
fn support(number: &dyn Fn(usize) -> u64, proof: &Separation) -> Vec<(u64, f64)> {
    let nonzero = proof.z.iter().enumerate().filter(|(_, z)| **z != 0.0);
    nonzero.map(|(g, &z)| (number(g), z)).collect()
}

fn feasible_text(fitted: &Fitted) -> String {
    let (neurons, patterns) = (fitted.model.neurons(), fitted.patterns);
    let among = match (fitted.bound.scope(), fitted.bound) {
        (Scope::Global, Bound::Complete) => "threshold network of any width or depth".into(),
        (Scope::Global, _) => {
            let network = two_layers(fitted.model.setting().bias);
            format!("{network} (all {patterns} patterns)")
        }
        (Scope::Dictionary, _) => of_these(patterns),
    };
    let plural = if neurons == 1 { "" } else { "s" };
    let mut text = format!(
        "Certified: no {among} that fits every target has a norm smaller by more than {}.\n",
        report::gap(fitted.relative_gap()),
    );
    text += &format!("  norm       {}\n", report::upper(fitted.norm));
    text += &format!("  bound      {}\n", report::lower(fitted.lower_bound));
    text += &format!("  network    {neurons} neuron{plural}\n");
    text + &format!("  outputs    within {} of every target\n", report::short(fitted.residual))
}

/// The networks whose patterns were all listed.
fn two_layers(bias: bool) -> &'static str {
    if bias { "two-layer network" } else { "two-layer network without biases" }
}

/// The networks of a dictionary.
fn of_these(patterns: usize) -> String {
    format!("network built from these {patterns} patterns")
}

fn separation_text(
    number: &dyn Fn(usize) -> u64,
    proof: &Separation,
    among: &str,
    hint: &str,
) -> String {
    let support = support(number, proof);
    let mut terms: Vec<String> = (support.iter().take(SHOWN))
        .map(|(row, z)| format!("{} * row {row}", report::short(*z)))
        .collect();
    if support.len() > SHOWN {
        terms.push(format!("{} more", support.len() - SHOWN));
    }
    let product = report::short(proof.product);
    let (claim, meaning) = if proof.price == 0.0 {
        let miss = report::short(proof.miss);
        (
            format!("Infeasible: no {among} fits every target."),
            format!(
                "every pattern sums to 0 this way, and the targets to {product}: some target is \
                 missed by {miss} or more"
            ),
        )
    } else {
        let (norm, price) = (at_least(proof.lower_bound(0.0)), report::short(proof.price));
        (
            format!("Out of reach: no {among} of norm below {norm} fits every target."),
            format!(
                "patterns sum to at most {price} this way, and the targets to {product}: the norm \
                 is {norm} or more"
            ),
        )
    };
    let sum = terms.join(" + ").replace("+ -", "- ");
    let hint = if hint.is_empty() { String::new() } else { format!("  hint       {hint}\n") };
    format!("{claim}\n  proof      {sum}\n{}{meaning}\n{hint}", " ".repeat(13))
}

/// A bound with three digits, rounded down.
fn at_least(bound: f64) -> String {
    let text = format!("{bound:.2e}");
    match text.parse::<f64>() {
        Ok(rounded) if rounded > bound => format!("{:.2e}", 0.99 * bound),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_down() {
        for bound in [1.0, 2.346e14, 2.344e14, 9.999e9, 1.005e3] {
            let shown: f64 = at_least(bound).parse().unwrap();
            assert!(shown <= bound && shown >= 0.98 * bound, "{bound}: {shown}");
        }
    }
}
