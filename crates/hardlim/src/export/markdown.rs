//! A model as rules that people can read, in Markdown.

use serde_json::{Value, json};

use crate::certify::Check;
use crate::data::Features;
use crate::explain::{
    Answers, Change, Explained, Explanation, Group, Merged, RowAnswer, RowRule, Scorecard,
    WhereMissing, number,
};
use crate::model::Model;
use crate::spelling::mark;
use crate::table::names;
use crate::table::{Coding, TargetCoding};

/// How much of a model is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The most rules of a layer: those that change the output most.
    pub rules: usize,
    /// The most terms of a sum, and the most conditions.
    pub terms: usize,
}

impl Default for Shown {
    fn default() -> Self {
        Self { rules: 10, terms: 4 }
    }
}

impl Shown {
    /// Everything.
    pub const ALL: Self = Self { rules: usize::MAX, terms: usize::MAX };
}

/// Rules of this many inputs on average, or more, are hard to read.
const MANY_INPUTS: f64 = 3.0;
/// A list of this length is hard to read, too, unless each rule is about one input.
const MANY_RULES: usize = 100;
/// The header of what rules answer where their column is missing.
const WHERE_MISSING: &str = "if missing";
/// The most names of columns in a cell of the table.
const NAMES: usize = 3;
/// The widest a column of rules gets for the sake of lining up; longer rules stand out, in full.
const MOST_CHARACTERS: usize = 500;

/// The page of a model. `rows` are counted on, and `check` says what was found about the
/// certificate. The page may mark options, see [`crate::train::spelled`].
pub fn page(
    title: &str,
    model: &Model,
    rows: Option<&Features>,
    check: Option<&Check>,
    shown: Shown,
) -> String {
    let mut text = format!("# {}\n", escaped(title));
    let several = model.parts().len() > 1;
    let mut explanations = Vec::new();
    for (k, statement) in model.statements(check).into_iter().enumerate() {
        let coding = model.coding().of_network(k);
        let explanation = Explanation::of(model.parts()[k].network(), &coding, rows);
        if several {
            let [_, class] = coding.target().answers().expect("a class");
            text += &format!("\n## Class {}\n", escaped(&class));
        }
        text += &format!("\n{statement}\n\n{}\n", summary(&coding, &explanation));
        let last = explanation.layers.len();
        let level = if several { "###" } else { "##" };
        let heading = |l: usize| match explanation.below() {
            [] => String::new(),
            _ => format!("\n{level} Layer {l}\n"),
        };
        text += &format!("{}\n{}", heading(last), rules(&explanation, shown));
        text += &fills(&explanation);
        // From the output downwards: higher layers say what the lower ones are for.
        for (l, layer) in explanation.below().iter().enumerate().rev() {
            text += &format!("{}\n{}", heading(l + 1), neurons(layer, explanation.rows, shown));
        }
        explanations.push(explanation);
    }
    text += &points(model);
    match hint(&explanations) {
        Some(hint) => text + &format!("\n{hint}\n"),
        None => text,
    }
}

/// The page of row `i`, and what it says for scripts: what is answered, the rules that add up to
/// it, and what would change it. `truth` is its target, if that is known.
///
/// # Panics
/// When there is no such row.
pub fn row(
    title: &str,
    answers: &Answers<'_>,
    i: usize,
    truth: Option<&str>,
    shown: Shown,
) -> (String, Value) {
    let answer = answers.row(i);
    (row_page(title, answers.model, &answer, truth, shown), json!(answer))
}

fn row_page(
    title: &str,
    model: &Model,
    answer: &RowAnswer,
    truth: Option<&str>,
    shown: Shown,
) -> String {
    let target = model.coding().target();
    let column = escaped(&target.column().name);
    let mut text = format!("# {}\n\n", escaped(title));
    let score = answer.outputs[answer.place];
    text += &match (&answer.prediction, &answer.probabilities) {
        (None, _) => format!("{column} = {}", number(score)),
        (Some(class), None) => format!("{column} = {}, output {}", escaped(class), number(score)),
        (Some(class), Some(shares)) => {
            let share = shares.iter().copied().fold(0.0, f64::max);
            format!(
                "{column} = {} with probability {:.1} %, output {}",
                escaped(class),
                100.0 * share,
                number(score)
            )
        }
    };
    text += &match target.answers() {
        Some([_, yes]) => format!(" (from 0 on it means {})", escaped(&yes)),
        None => String::new(),
    };
    text += &truth.map_or(String::new(), |truth| format!("; true: {}", escaped(truth)));
    let several = answer.network.as_ref();
    let speaks = several.map(|class| format!(" for {} against the rest", escaped(class)));
    text += &format!(".\n\n## Rules{}\n\n", speaks.unwrap_or_default());
    let cells = |rule: &RowRule| match rule.reads.len() {
        many if many > NAMES => [counted(many, "column"), String::new()],
        _ => [&rule.reads, &rule.cells].map(|list| escaped(&names::cut_all(list).join(", "))),
    };
    let line = |rule: &RowRule| {
        let [reads, here] = cells(rule);
        let answer = if rule.holds { "holds" } else { "no" }.to_owned();
        let adds = if rule.holds { number(rule.weight) } else { "0".into() };
        vec![reads, here, escaped(&rule.merged.text(shown.terms)), answer, adds]
    };
    let of = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
    let mut lines = vec![of(["reads", "here", "rule", "answer", "adds"])];
    lines.push(of(["", "", "if no rule holds", "", &number(answer.base)]));
    lines.extend(answer.rules.iter().take(shown.rules).map(line));
    let rest = &answer.rules[answer.rules.len().min(shown.rules)..];
    let held: f64 = rest.iter().filter(|rule| rule.holds).map(|rule| rule.weight).sum();
    if !rest.is_empty() {
        lines.push(of(["", "", &counted(rest.len(), "more rule"), "", &number(held + 0.0)]));
    }
    lines.push(of(["", "", "output", "", &number(score)]));
    text += &table(&lines, &[0, 1, 2, 3]);
    if !rest.is_empty() {
        text += &format!("\n{} shows everything.\n", mark("all", Some("true")));
    }
    if answer.prediction.is_some() {
        text += "\n## Nearest changes of one input\n\n";
        let change = |c: &Change| {
            let [name, from, to, gives] =
                [&c.name, &c.from, &c.to, &c.gives].map(|text| escaped(text));
            format!("- {name}: {from} → {to} gives {gives}\n")
        };
        text += &answer.changes.iter().take(shown.rules).map(change).collect::<String>();
        if answer.changes.is_empty() {
            text += "None, within the range of the data, gives another answer.\n";
        }
    }
    text
}

/// The points of the rules, and the probability of each score, if it was trained on points.
fn points(model: &Model) -> String {
    let cards = Scorecard::of(model);
    let Some(card) = cards.iter().find(|card| card.has_points()) else { return String::new() };
    let target = escaped(&card.target);
    let mut rules = vec![vec!["rule".to_owned(), "points".to_owned()]];
    rules.extend(card.rules.iter().map(|(rule, points)| vec![escaped(rule), number(*points)]));
    let mut scores = vec![vec!["score".to_owned(), format!("probability of {target}")]];
    scores.extend(card.lines().into_iter().map(|(score, p)| vec![score, p]));
    let (rules, scores) = (table(&rules, &[0]), table(&scores, &[]));
    format!(
        "\n## Points\n\nThe score is the sum of the points of the rules that hold.\n\n{rules}\n\
         {scores}"
    )
}

/// What would make the rules easier to read.
fn hint(explanations: &[Explanation]) -> Option<String> {
    let first = || explanations.iter().flat_map(|explanation| &explanation.layers[0]);
    let mean = first().map(|neuron| neuron.inputs).sum::<usize>() as f64 / first().count() as f64;
    let one_layer = explanations.iter().all(|explanation| explanation.layers.len() == 1);
    let rules: usize = explanations.iter().map(Explanation::rules).sum();
    let long = mean >= MANY_INPUTS || (mean > 1.0 && rules >= MANY_RULES);
    (one_layer && long).then(|| {
        let (few, cheap) = (mark("max_inputs", Some("1")), mark("input_cost", Some("0.25")));
        format!(
            "There are {rules} rules, and neurons read {mean:.1} inputs on average. For rules that \
             are easier to \
             read, train with {few} or {cheap}."
        )
    })
}

/// How the output comes about, and how much there is to it.
fn summary(coding: &Coding, explanation: &Explanation) -> String {
    let output = match explanation.base {
        0.0 => "The output is the sum of the weights of the rules that hold".to_owned(),
        base => {
            format!("The output is {} plus the weights of the rules that hold", number(base))
        }
    };
    let last = explanation.layers.len();
    let of_layer =
        if !explanation.below().is_empty() { format!(" in layer {last}") } else { String::new() };
    let target = coding.target();
    let column = escaped(&target.column().name);
    let meaning = match (target, target.answers()) {
        (TargetCoding::Number { .. }, _) | (_, None) => format!(" ({column})"),
        (TargetCoding::Classes { .. }, Some([no, yes])) => {
            let (no, yes) = (escaped(&no), escaped(&yes));
            format!(". From 0 on it means {column} = {yes}, below 0 {column} = {no}")
        }
        (_, Some([_, yes])) => {
            format!(". If it is the largest of all classes, {column} = {}", escaped(&yes))
        }
    };
    let (neurons, read) = (explanation.neurons(), explanation.reads.len());
    let text = format!(
        "{output}{of_layer}{meaning}. {} read{} {read} of {}; the weights take {} bits in total.",
        counted(neurons, "neuron"),
        if neurons == 1 { "s" } else { "" },
        counted(explanation.columns, "column"),
        explanation.bits,
    );
    let (asking, rules) = (explanation.layers[last - 1].len(), explanation.rules());
    if rules == asking {
        return text;
    }
    let rules = counted(rules, "rule");
    let same = match explanation.rows {
        Some(rows) => format!("give the same or the opposite answer on all {rows} rows"),
        None => "ask the same".to_owned(),
    };
    text + &format!(" Neurons that {same} are one rule: {rules}.")
}

/// The rules of the last layer that change the output most, in columns that line up.
fn rules(explanation: &Explanation, shown: Shown) -> String {
    let mut sizes: Vec<f64> =
        explanation.groups.iter().flat_map(|g| g.rules.iter().map(|r| r.importance)).collect();
    if sizes.is_empty() {
        return "No rules.\n".into();
    }
    sizes.sort_by(|a, b| b.total_cmp(a));
    let least = sizes.get(shown.rules.saturating_sub(1)).copied().unwrap_or(0.0);
    // Of rules that change the output equally, as many as there is room for.
    let mut room =
        shown.rules - sizes.iter().filter(|size| **size > least).count().min(shown.rules);
    let rows = explanation.rows;
    let mut header = vec!["reads".to_owned(), "rule".to_owned(), "weight".to_owned()];
    header.extend(rows.map(|rows| format!("holds on, of {rows}")));
    let gaps = explanation.groups.iter().flat_map(|g| &g.rules).any(|r| r.missing.is_some());
    header.extend(gaps.then(|| WHERE_MISSING.to_owned()));
    header.push(if rows.is_some() { "changes" } else { "changes at most" }.into());
    header.push("neurons".into());
    let mut lines = vec![header];
    for group in &explanation.groups {
        let mut reads = reads(group);
        for merged in &group.rules {
            if merged.importance <= least {
                if room == 0 {
                    continue;
                }
                room -= 1;
            }
            let mut cells = vec![std::mem::take(&mut reads)];
            cells.push(escaped(&merged.text(shown.terms)));
            cells.push(number(merged.weight));
            cells.extend(merged.fires.map(|fires| there(fires, merged.missing)));
            cells.extend(gaps.then(|| where_missing(merged.missing)));
            cells.push(number(merged.importance));
            cells.push(names(merged, shown));
            lines.push(cells);
        }
    }
    let mut left = vec![0, 1, lines[0].len() - 1];
    left.extend(gaps.then(|| lines[0].len() - 3));
    table(&lines, &left) + &more(sizes.len(), lines.len() - 1, "rule")
}

/// The neurons of a layer below the last, the most important first.
fn neurons(layer: &[Explained], rows: Option<usize>, shown: Shown) -> String {
    if layer.is_empty() {
        return "No rules.\n".into();
    }
    let mut header = vec!["neuron".to_owned(), "rule".to_owned()];
    header.extend(rows.map(|rows| format!("holds on, of {rows}")));
    let gaps = layer.iter().any(|explained| explained.missing.is_some());
    header.extend(gaps.then(|| WHERE_MISSING.to_owned()));
    header.push("importance".into());
    let mut lines = vec![header];
    for explained in layer.iter().take(shown.rules) {
        let mut cells = vec![explained.name.clone(), escaped(&explained.text(shown.terms))];
        cells.extend(explained.fires.map(|fires| there(fires, explained.missing)));
        cells.extend(gaps.then(|| where_missing(explained.missing)));
        cells.push(number(explained.importance));
        lines.push(cells);
    }
    let mut left = vec![0, 1];
    left.extend(gaps.then(|| lines[0].len() - 2));
    table(&lines, &left) + &more(layer.len(), lines.len() - 1, "neuron")
}

/// On how many rows a rule holds whose column is not missing.
fn there(fires: usize, missing: Option<WhereMissing>) -> String {
    let gone = missing.filter(|missing| missing.holds).and_then(|missing| missing.rows);
    (fires - gone.unwrap_or(0)).to_string()
}

/// What a rule answers where its column is missing, and on how many rows that is.
fn where_missing(missing: Option<WhereMissing>) -> String {
    let Some(WhereMissing { holds, rows }) = missing else { return String::new() };
    let rows = rows.map_or(String::new(), |rows| format!(" ({rows})"));
    format!("{}{rows}", if holds { "holds" } else { "no" })
}

/// What sums read where cells are missing.
fn fills(explanation: &Explanation) -> String {
    if explanation.fills.is_empty() {
        return String::new();
    }
    let fill = |(name, fill): &(String, f64)| format!("{} as {}", escaped(name), number(*fill));
    let all: Vec<String> = explanation.fills.iter().map(fill).collect();
    format!("\nWhere a cell is missing, sums count {}.\n", all.join(", "))
}

fn more(all: usize, shown: usize, of: &str) -> String {
    match all - shown {
        0 => String::new(),
        left => format!(
            "\nand {left} more {of}{}; {} shows everything\n",
            if left == 1 { "" } else { "s" },
            mark("all", Some("true")),
        ),
    }
}

fn reads(group: &Group) -> String {
    match group.reads.len() {
        many if many > NAMES => counted(many, "column"),
        _ => escaped(&names::cut_all(&group.reads).join(", ")),
    }
}

fn names(merged: &Merged, shown: Shown) -> String {
    match &merged.neurons[..] {
        [first, rest @ ..] if rest.len() > 1 && shown != Shown::ALL => {
            format!("{first} and {} more", rest.len())
        }
        all => all.join(", "),
    }
}

pub(super) fn counted(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

/// A table of a header and lines below it, in columns that line up; some to the left, numbers to
/// the right.
fn table(lines: &[Vec<String>], left: &[usize]) -> String {
    let width =
        |j: usize| names::width(lines.iter().map(|cells| &cells[j]), 3).min(MOST_CHARACTERS);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut text = String::new();
    for (k, cells) in lines.iter().enumerate() {
        for (j, cell) in cells.iter().enumerate() {
            let pad = if left.contains(&j) { names::left } else { names::right };
            text += &format!("| {} ", pad(cell, widths[j]));
        }
        text += "|\n";
        if k == 0 {
            for (j, width) in widths.iter().enumerate() {
                let rule = "-".repeat(width + 1);
                text += &if left.contains(&j) { format!("|:{rule}") } else { format!("|{rule}:") };
            }
            text += "|\n";
        }
    }
    text
}

/// A text that Markdown shows as it is, on one line.
fn escaped(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut escaped = String::with_capacity(text.len());
    for (i, &c) in characters.iter().enumerate() {
        let word = |j: Option<usize>| {
            j.and_then(|j| characters.get(j)).is_some_and(|c| c.is_alphanumeric())
        };
        match c {
            // Within a word an underscore is just that.
            '_' if word(i.checked_sub(1)) && word(Some(i + 1)) => escaped.push('_'),
            '\\' | '|' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '~' | '&' => {
                escaped.extend(['\\', c]);
            }
            c if c.is_control() => escaped.extend(c.escape_default()),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_breaks_a_table() {
        assert_eq!(escaped("a|b`c*"), "a\\|b\\`c\\*");
        assert_eq!(escaped("sepal_length"), "sepal_length");
        assert_eq!(escaped("_a_"), "\\_a\\_");
        assert_eq!(escaped("two\nlines"), "two\\nlines");
        assert_eq!(escaped("[x](y)<b>"), "\\[x\\](y)\\<b\\>");
    }
}
