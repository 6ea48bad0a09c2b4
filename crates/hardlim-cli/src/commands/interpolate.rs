//! `hardlim interpolate`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use hardlim::Error;
use hardlim::certificate::{Bound, Scope};
use hardlim::data::Dataset;
use hardlim::program::interpolation::{Conflict, Separation};
use hardlim::table::Table;
use hardlim::train::{Event, Fitted, Interpolated, Obstacle, Watch};
use serde_json::{Value, json};

use super::prepare::Prepared;
use crate::args::{Common, Interpolate};
use crate::{interrupt, progress, report};

/// The most rows of a proof that are printed.
const SHOWN: usize = 12;

pub(crate) fn run(args: &Interpolate, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common)?;
    let Prepared { table, set, .. } = Prepared::new(&args.data, &request, common)?;
    let data = set.data();
    let mut text = report::data_text(&table, set.coding(), data, set.y());

    let bar = progress::spinner();
    bar.set_message("searching for the network of least norm");
    let show = |event: Event<'_>| {
        if let Event::Progress(progress) = event {
            bar.set_message(report::progress_line(progress));
        }
    };
    let watch = Watch {
        start,
        interrupt: Some(interrupt::watch()),
        listener: Some(&show),
        ..Watch::default()
    };
    let found = request.interpolate(&set, &watch);
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
    let rows = Rows { table: &table, data };
    if common.json {
        let mut object = match &found {
            Interpolated::Feasible(fitted) => feasible_json(fitted),
            Interpolated::Infeasible { obstacle, bound, patterns, .. } => {
                infeasible_json(&rows, obstacle, *bound, *patterns)
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
            Interpolated::Infeasible { obstacle: Obstacle::Conflict(conflict), .. } => {
                conflict_text(&rows, conflict)
            }
            Interpolated::Infeasible {
                obstacle: Obstacle::Separation(proof),
                bound,
                patterns,
                narrow,
            } => {
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
                separation_text(&rows, proof, &among, &hint)
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
        Interpolated::Infeasible { .. } => args.output.is_none(),
    };
    Ok(match (interrupt::asked(), reached) {
        (true, _) => ExitCode::from(interrupt::EXIT_CODE),
        (_, true) => ExitCode::SUCCESS,
        (_, false) => ExitCode::from(1),
    })
}

/// The samples behind distinct rows.
struct Rows<'a> {
    table: &'a Table,
    data: &'a Dataset,
}

impl Rows<'_> {
    /// The first sample of a distinct row, as a person counts.
    fn number(&self, row: usize) -> u64 {
        let samples = self.data.row_of();
        let first =
            samples.iter().position(|&g| g as usize == row).expect("every row has a sample");
        self.table.row_number(first)
    }
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

fn infeasible_json(rows: &Rows<'_>, obstacle: &Obstacle, bound: Bound, patterns: usize) -> Value {
    let proof = match obstacle {
        Obstacle::Conflict(Conflict { row, targets }) => json!({
            "kind": "conflict", "row": rows.number(*row), "targets": [targets.0, targets.1],
        }),
        Obstacle::Separation(proof) => json!({
            "kind": "separation", "exact": proof.price == 0.0,
            "rows": support(rows, proof).iter().map(|(row, _)| *row).collect::<Vec<_>>(),
            "z": support(rows, proof).iter().map(|(_, z)| *z).collect::<Vec<_>>(),
            "product": proof.product, "price": proof.price,
            "miss": (proof.price == 0.0).then_some(proof.miss),
            "norm_at_least": (proof.price != 0.0).then_some(proof.lower_bound(0.0)),
        }),
    };
    // A price above zero leaves networks of huge norms open.
    let exact = proof["exact"] != json!(false);
    json!({
        "feasible": if exact { json!(false) } else { Value::Null }, "norm": null, "neurons": null,
        "patterns": patterns,
        "proof": proof, "scope": bound.scope().name(), "bound": bound.name(),
    })
}

/// The rows that a proof speaks of, with their factors.
fn support(rows: &Rows<'_>, proof: &Separation) -> Vec<(u64, f64)> {
    let nonzero = proof.z.iter().enumerate().filter(|(_, z)| **z != 0.0);
    nonzero.map(|(g, &z)| (rows.number(g), z)).collect()
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

fn conflict_text(rows: &Rows<'_>, Conflict { row, targets }: &Conflict) -> String {
    format!(
        "Infeasible: no function fits every target.\n  proof      rows equal to row {} have the \
         targets {} and {}\n",
        rows.number(*row),
        targets.0,
        targets.1
    )
}

fn separation_text(rows: &Rows<'_>, proof: &Separation, among: &str, hint: &str) -> String {
    let support = support(rows, proof);
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
