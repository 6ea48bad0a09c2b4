//! Rust in double precision, for any weights: a module without the standard library, allocation or `unsafe`, and a
//! harness. It adds up as the C program does, see [`crate::export::c::double`].

use crate::error::Error;
use crate::export::c::double::{answer_lines, features_of};
use crate::export::{Answer, File, Style, fill, names};
use crate::model::Model;
use crate::network::Network;

/// The files of a model. The harness reads `<name>_vectors.f64` (see [`crate::export::onnx::Rows`]).
///
/// # Errors
/// When training rounded numbers: the model has integer weights then, and a module without doubles.
pub(in crate::export) fn write(model: &Model, style: &Style) -> Result<Vec<File>, Error> {
    let name = &style.name;
    let class = match Answer::of(model.coding().target()) {
        Answer::Number => "",
        _ => " || @name@::class(&x) as f64 != number(@name@::INPUTS + @name@::OUTPUTS)",
    };
    let class = [("class", fill(class, style, &[]))];
    Ok(vec![
        File::new(format!("{name}.rs"), module(model, style)?),
        File::new(
            format!("{name}_test.rs"),
            fill(include_str!("double_test.rs.txt"), style, &class),
        ),
    ])
}

fn module(model: &Model, style: &Style) -> Result<String, Error> {
    let features = features_of(model, "rust")?;
    let identifiers = names::identifiers(features.iter().map(|feature| feature.0.as_str()));
    let wide = identifiers.iter().map(String::len).max().unwrap_or(0);
    let described = || features.iter().zip(&identifiers).enumerate();
    let lines: String = described()
        .map(|(j, ((_, meaning), id))| format!("//!     {j:>4}  {id:<wide$}  {meaning}\n"))
        .collect();
    let places: String = described()
        .map(|(j, ((name, _), id))| {
            let (name, id) = (names::quoted(name), id.to_ascii_uppercase());
            format!("/// {name}.\npub const IN_{id}: usize = {j};\n")
        })
        .collect();
    let answer = Answer::of(model.coding().target());
    let answers: String =
        answer_lines(&answer).into_iter().map(|line| format!("//!     {line}\n")).collect();
    let labels: Vec<String> = answer.labels().iter().map(|label| names::quoted(label)).collect();
    let calls: Vec<String> =
        (0..model.networks().len()).map(|s| format!("output_{s}(x)")).collect();
    let class = match answer {
        Answer::Number => "",
        Answer::Sign(_) => include_str!("double_sign.rs.txt"),
        Answer::Largest(_) => include_str!("double_largest.rs.txt"),
    };
    let more = [
        ("inputs", features.len().to_string()),
        ("outputs", calls.len().to_string()),
        ("classes", labels.len().to_string()),
        ("labels", labels.join(", ")),
        ("input_lines", lines),
        ("answer_lines", answers),
        ("places", places),
        ("calls", calls.join(", ")),
        ("class", class.to_owned()),
    ];
    let text = fill(include_str!("double.rs.txt"), style, &more);
    Ok(text
        + &model.networks().enumerate().map(|(s, net)| network_text(s, net)).collect::<String>())
}

fn table(kind: &str, name: &str, values: &[String]) -> String {
    let lines: String =
        values.chunks(6).map(|line| format!("\n    {},", line.join(", "))).collect();
    format!("static {name}: [{kind}; {}] = [{lines}\n];\n", values.len())
}

/// One network: its constants and a function from inputs to its output.
fn network_text(s: usize, network: &Network) -> String {
    let double = |value: f64| format!("{value:e}");
    let (mut text, mut body) = (String::new(), String::new());
    for (l, layer) in network.layers().iter().enumerate() {
        let id = format!("{s}_{}", l + 1);
        let (mut from, mut at, mut weights) = (vec!["0".to_owned()], Vec::new(), Vec::new());
        for neuron in &layer.neurons {
            for (j, w) in neuron.terms().filter(|term| term.1 != 0.0) {
                at.push(j.to_string());
                weights.push(double(w));
            }
            from.push(at.len().to_string());
        }
        let biases: Vec<String> = layer.neurons.iter().map(|neuron| double(neuron.bias)).collect();
        text += &format!("\n// Layer {} of output {s}.\n", l + 1);
        text += &table("usize", &format!("FROM_{id}"), &from);
        text += &table("u32", &format!("AT_{id}"), &at);
        text += &table("f64", &format!("WEIGHT_{id}"), &weights);
        text += &table("f64", &format!("BIAS_{id}"), &biases);
        let (below, count) = (if l == 0 { "x".into() } else { format!("&h{l}") }, biases.len());
        let next = l + 1;
        body += &format!(
            "    let mut h{next} = [0.0; {count}];
    for i in 0..{count} {{
        let terms = FROM_{id}[i]..FROM_{id}[i + 1];
        h{next}[i] = fires({below}, &WEIGHT_{id}[terms.clone()], &AT_{id}[terms], BIAS_{id}[i]);
    }}
"
        );
    }
    let amplitudes: Vec<String> = network.amplitudes().iter().map(|&a| double(a)).collect();
    text += &table("f64", &format!("AMPLITUDE_{s}"), &amplitudes);
    let (top, offset) = (network.layers().len(), double(network.offset()));
    text + &format!(
        "fn output_{s}(x: &[f64; INPUTS]) -> f64 {{
{body}    let mut output: f64 = {offset};
    for i in 0..{} {{
        if h{top}[i] != 0.0 {{
            output += AMPLITUDE_{s}[i];
        }}
    }}
    output
}}
",
        amplitudes.len()
    )
}
