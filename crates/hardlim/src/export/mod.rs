//! Exports that give the same answers as the model. There is one writer per target, and all use the
//! same integers.
//!
//! [`Circuit`] is a model as integers. [`c`] and the other modules write it as source files.
//! [`Replay`] holds the inputs on which an export is compared with the circuit. [`run`] does it
//! all, from a model to a folder; programs that check the folder are behind [`Tools`].
//!
//! A circuit needs integer weights, so these are chosen first:
//!
//! ```
#![doc = include_str!("../../examples/export_c.rs")]
//! ```

mod answer;
mod budget;
pub mod c;
mod circuit;
mod data;
mod finding;
mod gate;
pub mod markdown;
mod names;
pub mod onnx;
mod replay;
mod run;
pub mod rust;
mod summary;
mod tables;
pub mod verilog;

pub use answer::Answer;
pub use circuit::{Circuit, Field, Input, Stack};
pub use data::Data;
pub use finding::{Finding, none_differ};
pub use gate::Gate;
pub use names::identifier;
pub use replay::{Counts, Replay};
pub use run::{Job, Order, Target, Tools, run};

/// A file of an export: its path within the folder, and its content.
type File = (String, Vec<u8>);

fn file(path: impl Into<String>, text: impl Into<Vec<u8>>) -> File {
    (path.into(), text.into())
}

/// How the files of an export are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The name of the export: an identifier (see [`identifier`]).
    pub name: String,
    /// The origin of the model, for comments.
    pub source: String,
    /// The checksum of the model ([`crate::model::Model::checksum`]); empty if it is not to be
    /// stated.
    pub model: String,
    /// Whether the instructions must not depend on the inputs.
    pub constant_time: bool,
}

/// Fills in a template: `@name@`, `@NAME@`, the origin, and the given keys. Filled-in text is not
/// searched for keys again.
fn fill(template: &str, style: &Style, more: &[(&str, String)]) -> String {
    let own = [
        ("name", style.name.clone()),
        ("NAME", style.name.to_ascii_uppercase()),
        ("source", names::quoted(&style.source)),
        ("model", style.model.clone()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let keys: Vec<&(&str, String)> = own.iter().chain(more).collect();
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('@') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let key = |(key, _): &&&(&str, String)| {
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

/// The inputs as a table in comments: number, identifier, bounds, meaning.
fn input_lines(circuit: &Circuit, identifiers: &[String]) -> Vec<String> {
    let wide = identifiers.iter().map(String::len).max().unwrap_or(0);
    (circuit.inputs.iter().zip(identifiers).enumerate())
        .map(|(j, (input, identifier))| {
            let (least, most) = (input.least, input.most);
            let meaning = match &input.level {
                Some((column, level)) => {
                    format!("1 where {} is {}, else 0", names::quoted(column), names::quoted(level))
                }
                None => input.formula(&names::quoted(&input.name)),
            };
            let origin = input.origin.as_ref().map_or(String::new(), |o| format!("; {o}"));
            format!("{j:>4}  {identifier:<wide$}  {least}..{most}  {meaning}{origin}")
        })
        .collect()
}

/// The meaning of the answer, as lines of a comment.
fn answer_lines(circuit: &Circuit) -> Vec<String> {
    let mut lines = Vec::new();
    match &circuit.answer {
        Answer::Sign(_) => lines.push("class 1 if the sum is at least 0, otherwise class 0".into()),
        Answer::Largest(_) => {
            lines.push("the class of the largest sum; the first one if there are ties".into());
        }
        Answer::Number => lines.push("the answer is the output itself".into()),
    }
    lines.push(format!("output = sum * 2^{}", circuit.exponent));
    let labels = circuit.answer.labels().iter().enumerate();
    lines.extend(labels.map(|(k, label)| format!("class {k}: {}", names::quoted(label))));
    if circuit.rounded > 0 {
        lines.push(format!(
            "{} neurons have weights that are not integers: these are rounded, so the answers may \
             differ from the model",
            circuit.rounded
        ));
    }
    lines
}
