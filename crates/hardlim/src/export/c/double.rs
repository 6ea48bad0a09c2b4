//! C99 in double precision, for any weights: a header, a source without libraries, a harness and a Makefile.
//!
//! The model decides on the real numbers whether a sum is at least zero. The program adds up with about twice the
//! digits of a double, so the answers agree unless a sum is within about `2⁻¹⁰⁰` of its terms of zero. Output weights lie
//! on a grid where sums are exact, so the outputs are the same to the last bit.

use crate::error::Error;
use crate::export::circuit::features;
use crate::export::{Answer, File, Style, fill, names};
use crate::model::Model;
use crate::network::Network;
use crate::table::coding::ColumnCoding;

/// The files of a model. The harness reads `<name>_vectors.f64` (see [`crate::export::onnx::Rows`]).
///
/// # Errors
/// When training rounded numbers: the model has integer weights then, and a program without doubles.
pub(in crate::export) fn write(model: &Model, style: &Style) -> Result<Vec<File>, Error> {
    let name = &style.name;
    let test = fill(include_str!("double_test.c"), style, &[]);
    Ok(vec![
        File::new(format!("{name}.h"), header(model, style)?),
        File::new(format!("{name}.c"), source(model, style)),
        File::new(format!("{name}_test.c"), test),
        File::new("Makefile", fill(include_str!("double.mk"), style, &[])),
    ])
}

/// The features of a model, with their meanings; `to` is the target in integers.
///
/// # Errors
/// When training rounded numbers.
pub(in crate::export) fn features_of(
    model: &Model,
    to: &str,
) -> Result<Vec<(String, String)>, Error> {
    let steps = |column: &ColumnCoding| column.steps.is_some();
    if model.coding().columns().iter().any(steps) {
        let problem = "the model was trained on rounded numbers and has integer weights";
        return Err(Error::Export { problem: format!("{problem}: export it to {to}") });
    }
    Ok(features(model.coding()))
}

/// What the outputs mean, as lines of a comment.
pub(in crate::export) fn answer_lines(answer: &Answer) -> Vec<String> {
    let meaning = match answer {
        Answer::Sign(_) => "class 1 if the output is at least 0, otherwise class 0",
        Answer::Largest(_) => "the class of the largest output; the first one if there are ties",
        Answer::Number => "the answer is the output",
    };
    let labels = answer.labels().iter().enumerate();
    let labels = labels.map(|(k, label)| format!("class {k}: {}", names::quoted(label)));
    std::iter::once(meaning.to_owned()).chain(labels).collect()
}

fn header(model: &Model, style: &Style) -> Result<String, Error> {
    let (features, upper) = (features_of(model, "c")?, style.name.to_ascii_uppercase());
    let identifiers = names::identifiers(features.iter().map(|feature| feature.0.as_str()));
    let wide = identifiers.iter().map(String::len).max().unwrap_or(0);
    let lines = features.iter().zip(&identifiers).enumerate();
    let lines: String = lines
        .map(|(j, ((_, meaning), id))| format!("   {j:>4}  {id:<wide$}  {meaning}\n"))
        .collect();
    let places = identifiers.iter().enumerate();
    let places: String = places
        .map(|(j, id)| format!("#define {upper}_IN_{} {j}\n", id.to_ascii_uppercase()))
        .collect();
    let answer = Answer::of(model.coding().target());
    let answers: String =
        answer_lines(&answer).into_iter().map(|line| format!("   {line}\n")).collect();
    let class = "\n/* The class: its number in the list above. */\nunsigned @name@_class(const double *x);\n";
    let class = if answer.labels().is_empty() { String::new() } else { fill(class, style, &[]) };
    let more = [
        ("inputs", features.len().to_string()),
        ("outputs", model.networks().len().to_string()),
        ("classes", answer.labels().len().to_string()),
        ("input_lines", lines),
        ("answer_lines", answers),
        ("places", places),
        ("labels", super::labels(&answer, &upper)),
        ("class", class),
    ];
    Ok(fill(include_str!("double.h"), style, &more))
}

fn source(model: &Model, style: &Style) -> String {
    let mut text = fill(include_str!("double.c"), style, &[]);
    for (s, network) in model.networks().enumerate() {
        text += &network_text(s, network);
    }
    text += &fill("\nvoid @name@_outputs(const double *x, double *outputs)\n{\n", style, &[]);
    for s in 0..model.networks().len() {
        text += &format!("    outputs[{s}] = output_{s}(x);\n");
    }
    text += "}\n";
    let class = match Answer::of(model.coding().target()) {
        Answer::Number => "",
        Answer::Sign(_) => {
            "\nunsigned @name@_class(const double *x)\n{\n    return output_0(x) >= 0.0;\n}\n"
        }
        Answer::Largest(_) => {
            "\nunsigned @name@_class(const double *x)\n{\n    double outputs[@NAME@_OUTPUTS];\n    unsigned best = 0, c;\n    \
             @name@_outputs(x, outputs);\n    for (c = 1; c < @NAME@_OUTPUTS; c++)\n        \
             if (outputs[c] > outputs[best]) best = c;\n    return best;\n}\n"
        }
    };
    text + &fill(class, style, &[])
}

/// A table of constants. No array of C is empty.
fn table(kind: &str, name: &str, values: &[String]) -> String {
    let mut text = format!("static const {kind} {name}[{}] = {{", values.len().max(1));
    for line in values.chunks(6) {
        text += &format!("\n    {},", line.join(", "));
    }
    text + if values.is_empty() { "0};\n" } else { "\n};\n" }
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
        text += &format!("\n/* Layer {} of output {s}. */\n", l + 1);
        text += &table("unsigned", &format!("from_{id}"), &from);
        text += &table("unsigned", &format!("at_{id}"), &at);
        text += &table("double", &format!("weight_{id}"), &weights);
        text += &table("double", &format!("bias_{id}"), &biases);
        let (below, count) = (if l == 0 { "x".into() } else { format!("h{l}") }, biases.len());
        body += &format!(
            "    for (i = 0; i < {count}; i++)\n        h{}[i] = fires({below}, weight_{id} + from_{id}[i], at_{id} + from_{id}[i], \
             from_{id}[i + 1] - from_{id}[i], bias_{id}[i]);\n",
            l + 1
        );
    }
    let amplitudes: Vec<String> = network.amplitudes().iter().map(|&a| double(a)).collect();
    text += &table("double", &format!("amplitude_{s}"), &amplitudes);
    text += &format!("static double output_{s}(const double *x)\n{{\n");
    for (l, layer) in network.layers().iter().enumerate() {
        text += &format!("    double h{}[{}];\n", l + 1, layer.neurons.len().max(1));
    }
    let (top, count) = (network.layers().len(), amplitudes.len());
    text += &format!("    double output = {};\n    unsigned i;\n{body}", double(network.offset()));
    text + &format!(
        "    for (i = 0; i < {count}; i++)\n        if (h{top}[i] != 0.0) output += amplitude_{s}[i];\n    return output;\n}}\n"
    )
}
