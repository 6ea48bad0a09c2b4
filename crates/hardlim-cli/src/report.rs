//! Reports: numbers with the words that explain them, and the same as JSON.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context;
use hardlim::certificate::Certificate;
use hardlim::certificate::numbers::{self, DOWN, NEAREST, UP, digits};
use hardlim::data::Dataset;
use hardlim::explain::score::{Classification, Regression};
use hardlim::model::Model;
use hardlim::network::Network;
use hardlim::network::recipe::Recipe;
use hardlim::solver::Progress;
use hardlim::table::{Coding, Table, TargetCoding};
use hardlim::train::spelled;
use hardlim::train::{ListBound, Trained};
use serde_json::{Value, json};

use crate::args::{Command, Common};
pub(crate) use hardlim::table::names as columns;
use hardlim::table::names::{cut, plain, plain_json, plain_lines};

/// Prints text on standard output, hidden characters escaped; a closed pipe is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().write_all(plain_lines(text).as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// Prints one JSON object on one line.
pub(crate) fn print_json(object: &Value) -> anyhow::Result<()> {
    print(&(plain_json(&object.to_string()) + "\n"))
}

/// Prints a note or a warning on standard error; if that is closed, it is lost.
pub(crate) fn note(kind: &str, text: &str) {
    let _ = writeln!(io::stderr(), "hardlim: {kind}: {}", plain(text));
}

/// Prints the result of a command, as JSON or as text.
pub(crate) fn answer(
    common: &Common,
    json: impl FnOnce() -> Value,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if common.json { print_json(&json()) } else { print(&text()) }
}

/// Adds a value to an object, if there is one.
pub(crate) fn add(object: &mut Value, name: &str, value: Option<Value>) {
    value.into_iter().for_each(|value| object[name] = value);
}

/// Adds the path of a file to an object, if one was written.
pub(crate) fn add_path(object: &mut Value, name: &str, path: Option<&Path>) {
    add(object, name, path.map(|path| json!(path)));
}

/// Where the model was written, or how to keep `what`.
pub(crate) fn kept(output: Option<&Path>, what: &str) -> String {
    match output {
        Some(path) => format!("\nmodel written to {}\n", path.display()),
        None => format!("\nadd -o MODEL to keep {what}\n"),
    }
}

/// The scores of a model on labelled samples.
pub(crate) enum Scores {
    Classification(Classification),
    Regression(Regression),
}

impl Scores {
    /// The scores of outputs, one list for each network.
    pub(crate) fn measure(model: &Model, outputs: &[Vec<f64>], targets: &[f64]) -> Self {
        match model.coding().target() {
            TargetCoding::Number { .. } => {
                Self::Regression(Regression::measure(&outputs[0], targets))
            }
            TargetCoding::Several { .. } => {
                let rows: Vec<Vec<f64>> =
                    (0..targets.len()).map(|i| outputs.iter().map(|u| u[i]).collect()).collect();
                let all = |u: &[f64]| model.probabilities(u);
                Self::Classification(Classification::of_several(&rows, targets, all))
            }
            TargetCoding::Classes { .. } | TargetCoding::Against { .. } => {
                let second = |u| model.probabilities(&[u]).expect("of two classes")[1];
                Self::Classification(Classification::of_two(&outputs[0], targets, second))
            }
        }
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Classification(scores) => json!(scores),
            Self::Regression(scores) => json!(scores),
        }
    }

    /// The scores in a few words.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Classification(Classification { accuracy, samples, .. }) => {
                format!("accuracy {} on {samples} rows", percent(*accuracy))
            }
            Self::Regression(Regression { samples, r2, mae }) => {
                let r2 = r2.map_or("undefined".into(), |r2| format!("{r2:.4}"));
                format!("R2 {r2}, mean absolute error {} on {samples} rows", short(*mae))
            }
        }
    }

    /// All scores, with the confusion matrix.
    pub(crate) fn text(&self, coding: &Coding) -> String {
        let Self::Classification(Classification { auc, log_loss, confusion, .. }) = self else {
            return format!("{}\n", self.line());
        };
        let target = coding.target();
        let names = match target.answers() {
            Some(answers) => answers.to_vec(),
            None => target.classes().unwrap_or_default().to_vec(),
        };
        let auc = auc.map_or("undefined: only one class".into(), |auc| format!("{auc:.4}"));
        let log_loss = log_loss.map_or(String::new(), |loss| format!(", log-loss {loss:.4}"));
        format!("{}\nAUC {auc}{log_loss}\n\n{}", self.line(), confusion_text(&names, confusion))
    }
}

/// True classes downward, answers across.
fn confusion_text(names: &[String], confusion: &[Vec<u64>]) -> String {
    let names = columns::cut_all(names);
    let width = columns::width(&names, 5);
    let cell = width + 3;
    let mut text = columns::left("true", width);
    for name in &names {
        text += &format!("  {}", columns::right(&format!("-> {name}"), cell));
    }
    text += "\n";
    for (name, row) in names.iter().zip(confusion) {
        text += &columns::left(name, width);
        for count in row {
            text += &format!("  {}", columns::right(&count.to_string(), cell));
        }
        text += "\n";
    }
    text
}

/// What is proven, over which networks, and how.
pub(crate) fn certificate_json(certificate: &Certificate) -> Value {
    let class = certificate.class();
    let mut object = json!({
        "scope": certificate.scope().name(),
        "layers": class.layers,
        "widths": class.widths,
        "max_inputs": class.max_inputs,
        "input_cost": class.input_cost,
        "bias": class.bias,
        "non_negative": class.non_negative,
        "claim": certificate.claim(),
        "lower_bound": certificate.lower_bound(),
        "gap": certificate.gap(),
        "relative_gap": certificate.relative_gap(),
        "bound": certificate.bound().name(),
    });
    if class.tree {
        object["tree"] = json!(true);
    }
    if !class.policy.is_empty() {
        object["monotone"] = json!(class.policy.monotone());
        object["interactions"] = json!(class.policy.interactions());
        object["no_interactions"] = json!(class.policy.no_interactions());
    }
    object
}

/// What is proven about lists of as many rules.
pub(crate) fn lists_json(lists: &ListBound) -> Value {
    json!({
        "rules": lists.rules,
        "claim": lists.claim(),
        "objective": lists.objective,
        "lower_bound": lists.lower_bound,
        "relative_gap": lists.relative_gap(),
        "nodes": lists.nodes,
        "stop": lists.stop.name(),
        "changed": lists.changed,
    })
}

/// The same in words, as wide as the lines around it.
pub(crate) fn lists_text(lists: &ListBound, width: usize) -> String {
    let sets = if lists.nodes == 1 { "set" } else { "sets" };
    let text = format!(
        "  {:<width$}{} ({} {sets} of rules bounded)\n",
        "lists",
        lists.claim(),
        lists.nodes
    );
    if !lists.changed {
        return text;
    }
    text + &format!(
        "  {:<width$}is better than the one of the folds, whose score is stated\n",
        "the list"
    )
}

/// Adds both certificates of a model, or those that a check found, with the problem that they are
/// about.
pub(crate) fn add_certificates(
    object: &mut Value,
    model: &Model,
    certificate: &Certificate,
    global: &Certificate,
) {
    object["objective"] = json!(certificate.objective());
    object["certificate"] = certificate_json(certificate);
    object["certificate"]["problem"] = json!(model.terms());
    object["global"] = certificate_json(global);
}

/// The widths of networks of more than two layers: those of each subnetwork, or of the
/// representation.
pub(crate) fn add_shape(object: &mut Value, model: &Model) {
    let part = model.first();
    match (part.network().depth(), part.recipe(), part.recipe().representation()) {
        (2, ..) => {}
        (_, _, Some(representation)) => {
            object["representation"] = json!(representation.to_string());
            object["widths"] =
                json!(hidden_widths(part.network()).split_last().map(|(_, below)| below));
        }
        (_, recipe, None) => {
            object["widths"] = json!(recipe.widths());
            if let Recipe::Enumerate { tree, .. } = recipe {
                object["tree"] = json!(tree);
            }
        }
    }
}

/// How many neurons every hidden layer has.
fn hidden_widths(network: &Network) -> Vec<usize> {
    network.layers().iter().map(|layer| layer.neurons.len()).collect()
}

/// Numbers as people list them.
fn list(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The most classes that are listed with their counts.
const SHOWN: usize = 12;

/// The data as understood.
pub(crate) fn data_text(table: &Table, coding: &Coding, data: &Dataset, y: &[f64]) -> String {
    let distinct = match (data.samples(), data.distinct()) {
        (n, m) if n == m => "all distinct".into(),
        (_, m) => format!("{m} distinct"),
    };
    let (source, rows) = (table.source(), data.samples());
    format!(
        "{source}: {rows} rows ({distinct}), {}\ntarget {}\n{}",
        inputs_text(coding),
        target_text(coding, Some(y)),
        notes_text(&notes(table, coding)),
    )
}

/// What was decided about a table and its columns.
pub(crate) fn notes(table: &Table, coding: &Coding) -> Vec<String> {
    table.notes().into_iter().chain(coding.notes()).collect()
}

/// Notes with the flags of the command line.
pub(crate) fn spelled_notes(notes: &[String]) -> Vec<String> {
    let one_line = |note: &String| note.replace(char::is_control, " ");
    notes.iter().map(|note| spelled(&one_line(note), Command::usual_flag)).collect()
}

/// One line for each note.
pub(crate) fn notes_text(notes: &[String]) -> String {
    spelled_notes(notes).iter().map(|note| format!("note: {note}\n")).collect()
}

/// How many features there are, and columns that they come from.
pub(crate) fn inputs_text(coding: &Coding) -> String {
    match (coding.dimension(), coding.column_names().len()) {
        (1, 1) => "1 feature".into(),
        (d, c) if d == c => format!("{d} features"),
        (d, c) => format!("{d} features from {c} columns"),
    }
}

/// The target and its classes, with the rows of each if the targets are known.
pub(crate) fn target_text(coding: &Coding, y: Option<&[f64]>) -> String {
    let target = coding.target();
    let name = cut(&target.column().name);
    let counted = |class: &str, is: &dyn Fn(f64) -> bool| {
        let count = y.map(|y| format!(" ({})", y.iter().filter(|y| is(**y)).count()));
        cut(class) + &count.unwrap_or_default()
    };
    if let Some([negative, positive]) = target.answers() {
        let [negative, positive] =
            [counted(&negative, &|y| y <= 0.0), counted(&positive, &|y| y > 0.0)];
        return format!("{name}: {negative} or {positive}");
    }
    let Some(classes) = target.classes() else { return format!("{name}: a number") };
    let named = |(k, class): (usize, &String)| counted(class, &|y| y as usize == k);
    let names: Vec<String> = classes.iter().enumerate().take(SHOWN).map(named).collect();
    let more = if classes.len() > SHOWN { ", …" } else { "" };
    format!("{name}: {} classes, {}{more}", classes.len(), names.join(", "))
}

/// Adds the notes to an object, if there are any.
pub(crate) fn add_notes(object: &mut Value, notes: &[String]) {
    if !notes.is_empty() {
        object["notes"] = json!(spelled_notes(notes));
    }
}

/// What was solved.
pub(crate) fn problem_text(model: &Model, beta_max: f64, patterns: usize) -> String {
    let part = model.first();
    let program = match part.recipe() {
        Recipe::Sample { draws, widths, .. } if widths.is_empty() => {
            format!("the Lasso over {patterns} distinct patterns of {draws} random neurons")
        }
        Recipe::Sample { draws, widths, .. } => format!(
            "the Lasso over {patterns} distinct patterns of {draws} random subnetworks of {}s",
            kind(widths, false)
        ),
        Recipe::Complete => "the complete program: every dichotomy of the rows is possible".into(),
        Recipe::Gaussian { widths, .. } => {
            let plural = if widths.len() == 1 { "" } else { "s" };
            format!(
                "the complete program on the answers of {} random layer{plural} ({} neurons), of \
                 full rank",
                widths.len(),
                list(&hidden_widths(part.network())[..widths.len()]),
            )
        }
        Recipe::Staircase { .. } => format!(
            "the complete program on a staircase: {} thresholds along one direction",
            hidden_widths(part.network())[0]
        ),
        Recipe::Generate { max_inputs, widths, .. } => {
            let which = match (max_inputs, &widths[..]) {
                _ if part.recipe().has_two_conditions() => " of rules of two conditions".into(),
                (Some(1), _) => " of neurons with one input".into(),
                (Some(k), _) => format!(" of neurons with at most {k} inputs"),
                (None, []) => String::new(),
                (None, widths) => format!(" of {}s", kind(widths, false)),
            };
            format!("the Lasso over all patterns{which}: {patterns} generated and kept")
        }
        Recipe::Enumerate { widths, tree } => {
            format!("the Lasso over all {patterns} patterns of {}s", kind(widths, *tree))
        }
        Recipe::Listed { max_inputs: Some(_), .. } => format!(
            "the Lasso over all patterns of neurons with one input, on rows in blocks: {patterns} \
             generated and kept"
        ),
        Recipe::Listed { .. } => format!("the Lasso over {patterns} patterns, on rows in blocks"),
        Recipe::Given => "weights from another source".into(),
    };
    let strength = strength(model.beta().get(), beta_max);
    format!("{} loss, {strength}\n{program}\n", model.loss())
}

/// A strength, also as a part of the least one whose optimum is zero.
pub(crate) fn strength(beta: f64, beta_max: f64) -> String {
    let part = if beta_max > 0.0 {
        format!(" ({} of beta_max = {})", percent(beta / beta_max), short(beta_max))
    } else {
        String::new()
    };
    format!("beta = {}{part}", short(beta))
}

/// The kind of network of these widths below the last hidden layer.
fn kind(widths: &[usize], tree: bool) -> String {
    match (widths.len(), tree) {
        (0, _) => "two-layer network".into(),
        (1, _) => format!("3-layer, width-{} network", widths[0]),
        (k, false) => format!("{}-layer, width-({}) network", k + 2, list(widths)),
        (k, true) => format!("{}-layer, width-({}) tree network", k + 2, list(widths)),
    }
}

/// What more time would try, and how to ask for it.
pub(crate) fn advice(trained: &Trained) -> String {
    let Some(more) = &trained.more else { return String::new() };
    let deep = trained.model.first().network().depth() > 2;
    let generated = matches!(trained.model.first().recipe(), Recipe::Generate { .. });
    let gap = if generated && !deep { ", or --gap TOL" } else { "" };
    format!("\nmore time would try {more}: --time-limit SECONDS{gap}\n")
}

/// A title for pictures: the name of the table without its folder, and words about it.
pub(crate) fn title(source: &str, words: impl Display) -> String {
    format!("{}: {words}", source.rsplit(['/', '\\']).next().unwrap_or(source))
}

/// The loss and the strength of a model.
pub(crate) fn problem(model: &Model) -> String {
    format!("{} loss, beta = {}", model.loss(), short(model.beta().get()))
}

/// The certificates, in words.
pub(crate) fn certificate_text(model: &Model) -> String {
    let (certificate, global) = (model.certificate(), model.global());
    let (objective, loss) = (certificate.objective(), model.training_loss());
    let parts = match model.parts().len() {
        1 => format!("loss {} + penalty {}", short(loss), short(objective - loss)),
        classes => format!("the sum over {classes} classes"),
    };
    let mut text = format!(
        "Certified: {}.\n  problem    {}\n  objective  {} ({parts})\n  bound      {}\n",
        certificate.claim(),
        model.terms(),
        upper(objective),
        lower(certificate.lower_bound()),
    );
    if global != certificate {
        text += &format!(
            "  all nets   no {} is below {}: at most {} to gain\n",
            global.class().networks(),
            lower(global.lower_bound()),
            gap(global.relative_gap()),
        );
    }
    text
}

/// One line for each of several classes.
fn class_table(model: &Model, names: &[String]) -> String {
    let names = columns::cut_all(names);
    let width = columns::width(&names, 8);
    let mut text = format!(
        "  {}  {:>13}  {:>13}  {:>10}  neurons\n",
        columns::left("class", width),
        "objective",
        "bound",
        "gap"
    );
    for (name, part) in names.iter().zip(model.parts()) {
        let certificate = part.certificate();
        text += &format!(
            "  {}  {:>13}  {:>13}  {:>10}  {:>7}\n",
            columns::left(name, width),
            upper(certificate.objective()),
            lower(certificate.lower_bound()),
            gap(certificate.relative_gap()),
            part.network().neurons(),
        );
    }
    text + &format!("  {}  {:>49}\n", columns::left("total", width), model.neurons())
}

/// The networks and how they do on their own data.
pub(crate) fn network_text(model: &Model, scores: &str) -> String {
    let training = format!("  training   {scores}\n");
    if let Some(names) = model.several_classes() {
        return class_table(model, names) + "\n" + &training;
    }
    let network = model.first().network();
    let (neurons, depth) = (network.neurons(), network.depth());
    let what = match (model.first().recipe().has_two_conditions(), neurons) {
        (true, 1) => "rule",
        (true, _) => "rules",
        (false, 1) => "neuron",
        (false, _) => "neurons",
    };
    let shape = match depth {
        2 => String::new(),
        _ => format!(" (hidden layers of {} neurons)", list(&hidden_widths(network))),
    };
    format!("  network    {neurons} {what}, {depth} layers{shape}\n{training}")
}

/// One line while training goes on.
pub(crate) fn progress_line(progress: &Progress) -> String {
    format!(
        "round {}, {} patterns, {} neurons, objective {}, bound {}, gap {}",
        progress.round,
        progress.patterns,
        progress.neurons,
        short(progress.objective),
        short(progress.lower_bound),
        gap(progress.relative_gap()),
    )
}

/// Ten digits: enough to see a gap of a millionth.
pub(crate) fn long(x: f64) -> String {
    digits(x, 10, NEAREST)
}

/// Ten digits of an objective, or of another upper bound.
pub(crate) fn upper(x: f64) -> String {
    digits(x, 10, UP)
}

/// Ten digits of a lower bound.
pub(crate) fn lower(x: f64) -> String {
    digits(x, 10, DOWN)
}

/// Four digits.
pub(crate) fn short(x: f64) -> String {
    digits(x, 4, NEAREST)
}

/// A fraction in per cent.
pub(crate) fn percent(x: f64) -> String {
    numbers::percent(x, NEAREST)
}

/// A gap in per cent, rounded up.
pub(crate) fn gap(x: f64) -> String {
    numbers::percent(x, UP)
}

pub(crate) fn seconds(x: f64) -> String {
    if x < 10.0 { format!("{x:.2} s") } else { format!("{x:.0} s") }
}

/// A whole number, by its digits or its size.
pub(crate) fn count(x: u128) -> String {
    match x {
        u128::MAX => "more than 1e38".into(),
        0..1_000_000_000_000 => x.to_string(),
        _ => format!("{:.2e}", x as f64),
    }
}

/// An amount of memory.
pub(crate) fn bytes(x: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut size, mut unit) = (x, 0);
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    let size = if size < 1e6 { digits(size, 3, NEAREST) } else { format!("{size:.1e}") };
    format!("{size} {}", units[unit])
}

/// A time, in the unit that people would use.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".into(),
        s if s < 120.0 => format!("about {s:.0} seconds"),
        s if s < 7200.0 => format!("about {:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("about {:.0} hours", s / 3600.0),
        s if s < 63e6 => format!("about {:.0} days", s / 86400.0),
        s if s < 3e13 => format!("about {:.0} years", s / 31_557_600.0),
        s => format!("about {:.0e} years", s / 31_557_600.0),
    }
}
