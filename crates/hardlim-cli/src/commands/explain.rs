//! `hardlim explain`.

use std::path::Path;
use std::process::ExitCode;

use hardlim::certify::Check;
use hardlim::data::{Coding, Features, TargetCoding};
use hardlim::model::{Model, Part};
use hardlim::network::Explanation;
use hardlim::network::explain::{self, number};
use serde_json::{Value, json};

use super::{checked, open_model, open_table};
use crate::args::{Common, Explain};
use crate::report::columns;
use crate::{files, report};

pub(crate) fn run(args: &Explain, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let table = args.table().map(|data| open_table(&data, common)).transpose()?;
    let rows = table.as_ref().map(|table| model.coding().features(table)).transpose()?;
    let check = checked(&model, table.as_ref())?;
    let hint = "hardlim explain MODEL DATA";
    let (page, mut object) =
        explained(&args.model, &model, rows.as_ref(), check.as_ref(), args.terms(), hint);
    if let Some(path) = &args.output {
        files::write(path, page.as_bytes())?;
    }
    match (&args.output, common.json) {
        (path, true) => {
            report::add_path(&mut object, "file", path.as_deref());
            report::print_json(&object)?;
        }
        (Some(path), false) => {
            report::print(&format!("rules written to {}\n", path.display()))?;
        }
        (None, false) => report::print(&page)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The rules of a model, as Markdown and for scripts. The page is named after the path, shows at most so many
/// terms of a sum, and ends with the hint if there are no rows to count on.
pub fn explained(
    path: &Path,
    model: &Model,
    rows: Option<&Features>,
    check: Option<&Check>,
    terms: usize,
    hint: &str,
) -> (String, Value) {
    let explained = networks(model, rows, check);
    let json = |part: &Explained<'_>| one_json(model, part);
    let object = match model.several_classes() {
        None => json(&explained[0]),
        Some(names) => {
            let part = |(class, part): (&String, &Explained<'_>)| {
                let mut object = json(part);
                object["class"] = json!(class);
                object
            };
            let parts = names.iter().zip(&explained).map(part);
            json!({ "classes": parts.collect::<Vec<_>>() })
        }
    };
    (page(path, terms, &explained, hint), object)
}

/// A network in words.
struct Explained<'a> {
    part: &'a Part,
    coding: Coding,
    rules: Explanation,
    /// What is proven, as far as it was checked.
    statement: String,
}

fn networks<'a>(
    model: &'a Model,
    rows: Option<&Features>,
    check: Option<&Check>,
) -> Vec<Explained<'a>> {
    let statements = model.statements(check);
    let explain = |((k, part), statement): ((usize, &'a Part), String)| {
        let coding = model.coding().of_network(k);
        let rules = Explanation::of(part.network(), &coding, rows);
        Explained { part, coding, rules, statement }
    };
    model.parts().iter().enumerate().zip(statements).map(explain).collect()
}

/// The rules of a model in full, as Markdown.
pub(super) fn markdown(
    path: &Path,
    model: &Model,
    rows: Option<&Features>,
    check: Option<&Check>,
) -> String {
    page(path, usize::MAX, &networks(model, rows, check), "hardlim explain MODEL DATA")
}

fn one_json(model: &Model, explained: &Explained<'_>) -> Value {
    let Explained { part, rules, statement, .. } = explained;
    let mut object = json!(rules);
    for (layer, neurons) in rules.layers.iter().enumerate() {
        for (k, neuron) in neurons.iter().enumerate() {
            object["layers"][layer][k]["text"] = json!(neuron.rule.to_string());
        }
    }
    object["neurons"] = json!(rules.neurons());
    object["loss"] = json!(model.loss().to_string());
    object["beta"] = json!(model.beta().get());
    object["objective"] = json!(part.certificate().objective());
    object["certificate"] = report::certificate_json(part.certificate());
    object["headline"] = json!(statement);
    object
}

/// The whole page, as Markdown.
fn page(path: &Path, terms: usize, explained: &[Explained<'_>], hint: &str) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let mut text = format!("# {}\n", escaped(&file.to_string_lossy()));
    let several = explained.len() > 1;
    for Explained { coding, rules, statement, .. } in explained {
        if several {
            let [_, class] = coding.target().answers().expect("a class");
            text += &format!("\n## Class {}\n", escaped(&class));
        }
        text += &format!("\n{statement}\n\n{}\n", summary(coding, rules));
        let last = rules.layers.len();
        // From the output downwards: higher layers say what the lower ones are for.
        for (l, layer) in rules.layers.iter().enumerate().rev() {
            if last > 1 {
                let level = if several { "###" } else { "##" };
                text += &format!("\n{level} Layer {}\n", l + 1);
            }
            text += &format!("\n{}", table(layer, rules.rows, terms));
        }
    }
    if explained.iter().all(|explained| explained.rules.rows.is_none()) {
        text += &format!("\nTo count the rows on which each rule holds: {hint}\n");
    }
    text
}

/// How the output comes about, and how much there is to it.
fn summary(coding: &Coding, explanation: &Explanation) -> String {
    let output = match explanation.offset {
        0.0 => "The output is the sum of the weights of the rules that hold".to_owned(),
        offset => {
            format!("The output is {} plus the weights of the rules that hold", number(offset))
        }
    };
    let last = explanation.layers.len();
    let of_layer = if last > 1 { format!(" in layer {last}") } else { String::new() };
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
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!(
        "{output}{of_layer}{meaning}. {neurons} rule{} read {read} of {} column{}; the weights take {} bits \
         in total.",
        plural(neurons),
        explanation.columns,
        plural(explanation.columns),
        explanation.bits,
    )
}

/// The widest a column of rules gets for the sake of lining up; longer rules stand out, in full.
const MOST_CHARACTERS: usize = 500;

/// The rules of a layer, in columns that line up.
fn table(rules: &[explain::Explained], rows: Option<usize>, terms: usize) -> String {
    if rules.is_empty() {
        return "No rules.\n".into();
    }
    let weights = rules.iter().any(|rule| rule.weight.is_some());
    let mut header = vec!["neuron".to_owned(), "rule".to_owned()];
    header.extend(weights.then(|| "weight".to_owned()));
    header.extend(rows.map(|rows| format!("holds on, of {rows}")));
    header.push("importance".into());
    let mut lines: Vec<Vec<String>> = vec![header];
    for explained in rules {
        let mut cells = vec![explained.name.clone(), escaped(&explained.rule.text(terms))];
        cells.extend(explained.weight.map(number));
        cells.extend(explained.fires.map(|fires| fires.to_string()));
        cells.push(number(explained.importance));
        lines.push(cells);
    }
    let width =
        |j: usize| columns::width(lines.iter().map(|cells| &cells[j]), 3).min(MOST_CHARACTERS);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut text = String::new();
    for (k, cells) in lines.iter().enumerate() {
        for (j, cell) in cells.iter().enumerate() {
            // Names and rules to the left, numbers to the right.
            let pad = if j < 2 { columns::left } else { columns::right };
            text += &format!("| {} ", pad(cell, widths[j]));
        }
        text += "|\n";
        if k == 0 {
            for (j, width) in widths.iter().enumerate() {
                let rule = "-".repeat(width + 1);
                text += &if j < 2 { format!("|:{rule}") } else { format!("|{rule}:") };
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
