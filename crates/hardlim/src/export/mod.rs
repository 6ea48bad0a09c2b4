//! Exports that give the same answer: one writer per target, all of them from the same integers.
//!
//! [`Circuit`] is a model as integers, [`c`] and the others write it down, and [`Replay`] has the inputs
//! on which what was written is compared with it.

mod answer;
pub mod c;
mod circuit;
#[doc(hidden)]
pub mod drawing;
mod gate;
#[doc(hidden)]
pub mod names;
pub mod onnx;
mod replay;
pub mod rust;
mod tables;
pub mod verilog;

#[doc(hidden)]
pub use answer::Answer;
pub use circuit::Circuit;
#[doc(hidden)]
pub use circuit::{Input, Stack, bits};
#[doc(hidden)]
pub use gate::Gate;
pub use replay::Replay;
#[doc(hidden)]
pub use replay::{Counts, Origin};
#[doc(hidden)]
pub use tables::Size;

/// One file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it is, within the folder of the export.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl File {
    fn new(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: text.into() }
    }
}

/// How an export is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// What it is called: an identifier (see [`names::identifier`]).
    pub name: String,
    /// Where the model comes from, for comments.
    pub source: String,
    /// Whether no instruction may depend on what the inputs are.
    pub constant_time: bool,
}

/// Fills in a template: `@name@`, `@NAME@` and whatever else is given. What is filled in is not read again.
fn fill(template: &str, style: &Style, more: &[(&str, &str)]) -> String {
    let upper = style.name.to_ascii_uppercase();
    let own = [("name", style.name.as_str()), ("NAME", upper.as_str())];
    let keys: Vec<&(&str, &str)> = own.iter().chain(more).collect();
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('@') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let key = |(key, _): &&&(&str, &str)| {
            rest.strip_prefix(key).is_some_and(|after| after.starts_with('@'))
        };
        match keys.iter().find(key) {
            Some((key, value)) => {
                text.push_str(value);
                rest = &rest[key.len() + 1..];
            }
            None => text.push('@'),
        }
    }
    text + rest
}

/// The inputs as a table of comments: number, identifier, bounds, meaning.
fn input_lines(circuit: &Circuit, identifiers: &[String]) -> Vec<String> {
    let wide = identifiers.iter().map(String::len).max().unwrap_or(0);
    (circuit.inputs.iter().zip(identifiers).enumerate())
        .map(|(j, (input, identifier))| {
            let (least, most) = (input.least, input.most);
            let meaning = match &input.level {
                Some((column, level)) => {
                    format!("1 where {} is {}, else 0", names::quoted(column), names::quoted(level))
                }
                None if input.shift == 0 => format!("round({})", names::quoted(&input.name)),
                None => format!("round({} * 2^{})", names::quoted(&input.name), input.shift),
            };
            format!("{j:>4}  {identifier:<wide$}  {least}..{most}  {meaning}")
        })
        .collect()
}

/// What the answer means, in lines of comments.
fn answer_lines(circuit: &Circuit) -> Vec<String> {
    let mut lines = Vec::new();
    match &circuit.answer {
        Answer::Sign(_) => {
            lines.push("class 1 where the sum is at least 0, otherwise class 0".into())
        }
        Answer::Largest(_) => {
            lines.push("the class of the largest sum, the first among equals".into());
        }
        Answer::Number => lines.push("the answer is the output itself".into()),
    }
    lines.push(format!("output = sum * 2^{}", circuit.exponent));
    let labels = circuit.answer.labels().iter().enumerate();
    lines.extend(labels.map(|(k, label)| format!("class {k}: {}", names::quoted(label))));
    if circuit.rounded > 0 {
        lines.push(format!(
            "{} neurons have weights that are no integers: rounded, so they may answer otherwise than the model",
            circuit.rounded
        ));
    }
    lines
}
