//! Rust: a module without the standard library, allocation, `unsafe` or floating point, and a
//! harness.

use super::circuit::{Circuit, Stack};
use super::tables::{Form, Layer, WORD, layers, list, place_bits, type_bits};
use super::{Answer, Style, answer_lines, file, fill, input_lines, names};

/// The files of a circuit. The harness reads `<name>_vectors.bin` (see [`Circuit::record`]).
pub fn write(circuit: &Circuit, style: &Style) -> Vec<(String, Vec<u8>)> {
    let name = &style.name;
    let class = match circuit.answer {
        Answer::Number => "",
        _ => " || @name@::class(&x) as i64 != integer(at, 4)",
    };
    let test = fill(include_str!("test.rs.txt"), style, &[("class", fill(class, style, &[]))]);
    vec![file(format!("{name}.rs"), module(circuit, style)), file(format!("{name}_test.rs"), test)]
}

fn module(circuit: &Circuit, style: &Style) -> String {
    let identifiers = names::of_inputs(circuit);
    let comment = |lines: Vec<String>| -> String {
        lines.iter().map(|line| format!("//!     {line}\n")).collect()
    };
    let places: String = (identifiers.iter().enumerate())
        .map(|(j, id)| {
            let name = names::quoted(&circuit.inputs[j].name);
            format!("/// {name}.\npub const IN_{}: usize = {j};\n", id.to_ascii_uppercase())
        })
        .collect();
    let labels: Vec<String> = circuit.answer.labels().iter().map(|l| names::quoted(l)).collect();
    let outputs = circuit.stacks.len();
    let calls: Vec<String> = (0..outputs).map(|s| format!("sum_{s}(x)")).collect();
    let class = match circuit.answer {
        Answer::Number => "",
        Answer::Sign(_) => include_str!("sign.rs.txt"),
        Answer::Largest(_) => include_str!("largest.rs.txt"),
    };
    let more = [
        ("inputs", circuit.inputs.len().to_string()),
        ("outputs", outputs.to_string()),
        ("classes", labels.len().to_string()),
        ("labels", labels.join(", ")),
        ("exponent", circuit.exponent.to_string()),
        ("storage", format!("i{}", circuit.storage())),
        ("input_lines", comment(input_lines(circuit, &identifiers))),
        ("answer_lines", comment(answer_lines(circuit))),
        ("places", places),
        ("calls", calls.join(", ")),
        ("class", fill(class, style, &[])),
    ];
    let mut text = fill(include_str!("module.rs.txt"), style, &more);
    for (s, stack) in circuit.stacks.iter().enumerate() {
        let layers = layers(circuit, stack);
        for (l, layer) in layers.iter().enumerate() {
            text += &layer_text((s, l), layer, style.constant_time);
        }
        text += &sum_text(s, stack, &layers, style.constant_time);
    }
    text
}

fn table(kind: &str, name: &str, values: &[i64]) -> String {
    format!(
        "static {name}: [{kind}; {}] = [{}\n];\n",
        values.len(),
        list(values, |v| v.to_string())
    )
}

fn signed(values: &[i64]) -> String {
    format!("i{}", type_bits(values))
}

fn unsigned(values: &[i64]) -> String {
    format!("u{}", place_bits(values))
}

/// One layer: its constants and a function from inputs or packed answers to packed answers.
fn layer_text((s, l): (usize, usize), layer: &Layer, constant_time: bool) -> String {
    let id = format!("{s}_{}", l + 1);
    let (gates, width, sum) = (layer.gates(), layer.width, format!("i{}", layer.sum_bits));
    let below = width.div_ceil(WORD);
    let neurons: Vec<String> = layer.neurons.iter().map(|k| (k + 1).to_string()).collect();
    let mut text = format!("\n// Layer {}: neurons {} of the model.\n", l + 1, neurons.join(", "));
    text += &table(&signed(&layer.biases), &format!("BIAS_{id}"), &layer.biases);
    // One term of a sum: the product for an input, the weight for a packed answer.
    let term = |weight: &str, place: &str| match (l, constant_time) {
        (0, _) => format!("t += {weight} as {sum} * x[{place}] as {sum};"),
        (_, false) => {
            format!("if x[{place} >> 5] >> ({place} & 31) & 1 == 1 {{ t += {weight} as {sum}; }}")
        }
        (_, true) => {
            format!("t += {weight} as {sum} & -((x[{place} >> 5] >> ({place} & 31) & 1) as {sum});")
        }
    };
    let body = match &layer.weights {
        Form::Dense(rows) => {
            let kind = signed(&rows.concat());
            text += &format!("static WEIGHT_{id}: [[{kind}; {width}]; {gates}] = [");
            for row in rows {
                text += &format!("\n    [{}\n    ],", list(row, |v| v.to_string()));
            }
            text += "\n];\n";
            let term = term("w[j]", "j");
            format!(
                "            let w = &WEIGHT_{id}[i];\n            for j in 0..{width} {{ {term} \
                 }}\n"
            )
        }
        Form::Sparse { from, at, weights } => {
            text += &table(&unsigned(from), &format!("FROM_{id}"), from);
            text += &table(&unsigned(at), &format!("AT_{id}"), at);
            text += &table(&signed(weights), &format!("WEIGHT_{id}"), weights);
            let term = term(&format!("WEIGHT_{id}[k]"), "j");
            format!(
                "            for k in FROM_{id}[i] as usize..FROM_{id}[i + 1] as usize {{
                let j = AT_{id}[k] as usize;
                {term}
            }}
"
            )
        }
        Form::Counted { up, down } => {
            for (rows, what) in [(up, "UP"), (down, "DOWN")] {
                text += &format!("static {what}_{id}: [[u32; {below}]; {gates}] = [");
                for row in rows {
                    let words: Vec<String> = row.iter().map(|w| format!("{w:#010x}")).collect();
                    text += &format!("\n    [{}],", words.join(", "));
                }
                text += "\n];\n";
            }
            let count = |what: &str| format!("(x[j] & {what}_{id}[i][j]).count_ones() as {sum}");
            let (up, down) = (count("UP"), count("DOWN"));
            format!("            for j in 0..{below} {{ t += {up} - {down}; }}\n")
        }
    };
    let from = if l == 0 { "[Input; INPUTS]".into() } else { format!("[u32; {below}]") };
    let on = match (constant_time, layer.sum_bits) {
        (true, bits) => format!("(!(t as u{bits}) >> {}) as u32", bits - 1),
        (false, _) => "u32::from(t >= 0)".into(),
    };
    let words = gates.div_ceil(WORD);
    text += &format!(
        "fn layer_{id}(x: &{from}) -> [u32; {words}] {{
    let mut answers = [0; {words}];
    let mut i = 0;
    for word in answers.iter_mut() {{
        for bit in 0..32 {{
            if i == {gates} {{ break; }}
            let mut t = BIAS_{id}[i] as {sum};
{body}            *word |= ({on}) << bit;
            i += 1;
        }}
    }}
    answers
}}
"
    );
    text
}

fn sum_text(s: usize, stack: &Stack, layers: &[Layer], constant_time: bool) -> String {
    let Some(last) = layers.last() else {
        let offset = stack.offset;
        return format!("\nfn sum_{s}(_: &[Input; INPUTS]) -> i64 {{\n    {offset}\n}}\n");
    };
    let mut text = String::from("\n");
    text += &table(&signed(&stack.amplitudes), &format!("AMPLITUDE_{s}"), &stack.amplitudes);
    text += &format!("fn sum_{s}(x: &[Input; INPUTS]) -> i64 {{\n");
    for l in 0..layers.len() {
        let below = if l == 0 { "x".into() } else { format!("&h{l}") };
        text += &format!("    let h{} = layer_{s}_{}({below});\n", l + 1, l + 1);
    }
    let (top, count) = (format!("h{}", layers.len()), last.gates());
    let bit = format!("{top}[i >> 5] >> (i & 31) & 1");
    let add = if constant_time {
        format!("sum += AMPLITUDE_{s}[i] as i64 & -(({bit}) as i64);")
    } else {
        format!("if {bit} == 1 {{ sum += AMPLITUDE_{s}[i] as i64; }}")
    };
    text + &format!(
        "    let mut sum = {};\n    for i in 0..{count} {{ {add} }}\n    sum\n}}\n",
        stack.offset
    )
}
