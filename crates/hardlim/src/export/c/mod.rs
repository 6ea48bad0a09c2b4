//! C99: a header, a source without a library or floating point, a harness, a Makefile, and
//! everything that a Cortex-M0 needs to replay the training rows.

mod read;

use super::circuit::{Circuit, Input, Stack};
use super::tables::{Form, Layer, WORD, layers, list, place_bits, type_bits};
use super::{Answer, Style, answer_lines, file, fill, input_lines, names};

/// The files of a circuit. The harnesses read `<name>_vectors.bin` (see [`Circuit::record`]).
pub fn write(circuit: &Circuit, style: &Style) -> Vec<(String, Vec<u8>)> {
    let name = &style.name;
    let template = |path: String, text: &str| file(path, fill(text, style, &[]));
    let mut files = vec![
        file(format!("{name}.h"), header(circuit, style)),
        file(format!("{name}.c"), source(circuit, style)),
        template(format!("{name}_test.c"), include_str!("test.c")),
        template(format!("{name}_cortex_m0.c"), include_str!("cortex_m0.c")),
        template("cortex_m0.ld".into(), include_str!("cortex_m0.ld")),
        template("Makefile".into(), include_str!("Makefile")),
    ];
    files.extend(read::files(circuit, style));
    files
}

fn header(circuit: &Circuit, style: &Style) -> String {
    let identifiers = names::of_inputs(circuit);
    let upper = style.name.to_ascii_uppercase();
    let comment = |lines: Vec<String>| -> String {
        lines.iter().map(|line| format!("   {line}\n")).collect()
    };
    let places: String = (identifiers.iter().zip(&circuit.inputs).enumerate())
        .map(|(j, (id, input))| {
            let (id, Input { shift, offset, least, most, .. }) = (id.to_ascii_uppercase(), input);
            let line = |what: &str, value: String| format!("#define {upper}_{what}_{id} {value}\n");
            line("IN", j.to_string())
                + &line("SHIFT", format!("({shift})"))
                + &line("OFFSET", format!("({})", literal(*offset)))
                + &line("LEAST", format!("({})", literal(*least)))
                + &line("MOST", literal(*most))
        })
        .collect();
    let storage = circuit.storage();
    let class = match circuit.answer {
        Answer::Number => String::new(),
        _ => fill(include_str!("class.h"), style, &[]),
    };
    let more = [
        ("inputs", circuit.inputs.len().to_string()),
        ("outputs", circuit.stacks.len().to_string()),
        ("classes", circuit.answer.labels().len().to_string()),
        ("exponent", circuit.exponent.to_string()),
        ("storage", format!("int{storage}_t")),
        ("input_bytes", (storage / 8).to_string()),
        ("input_lines", comment(input_lines(circuit, &identifiers))),
        ("answer_lines", comment(answer_lines(circuit))),
        ("places", places),
        ("labels", labels(&circuit.answer, &upper)),
        ("class", class),
    ];
    fill(include_str!("header.h"), style, &more)
}

/// The labels of the classes as macros; nothing if the answer is a number.
fn labels(answer: &Answer, upper: &str) -> String {
    let each = answer.labels().iter().enumerate();
    let each: String = each
        .map(|(k, label)| format!("#define {upper}_LABEL_{k} {}\n", names::c_string(label)))
        .collect();
    let all: Vec<String> =
        (0..answer.labels().len()).map(|k| format!("{upper}_LABEL_{k}")).collect();
    match all.join(", ").as_str() {
        "" => String::new(),
        all => format!(
            "\n/* The labels of the classes, in UTF-8. */\n{each}#define {upper}_LABELS {{ {all} \
             }}\n"
        ),
    }
}

fn source(circuit: &Circuit, style: &Style) -> String {
    let Style { name, constant_time, .. } = style;
    let mut text =
        format!("/* {name}: see {name}.h. Written by hardlim. */\n#include \"{name}.h\"\n");
    if circuit.gates().next().is_some() {
        text += include_str!("flash.c");
    }
    let all: Vec<Vec<Layer>> = circuit.stacks.iter().map(|stack| layers(circuit, stack)).collect();
    let counted = |layer: &Layer| matches!(layer.weights, Form::Counted { .. });
    if all.iter().flatten().any(counted) {
        text += include_str!("count.c");
    }
    for (s, (stack, layers)) in circuit.stacks.iter().zip(&all).enumerate() {
        for (l, layer) in layers.iter().enumerate() {
            text += &layer_text(name, (s, l), layer, *constant_time);
        }
        text += &sum_text(name, s, stack, layers, *constant_time);
    }
    text += &format!("\nvoid {name}_sums(const {name}_input *x, int64_t *sums)\n{{\n");
    for s in 0..circuit.stacks.len() {
        text += &format!("    sums[{s}] = sum_{s}(x);\n");
    }
    text += "}\n";
    text += &match circuit.answer {
        Answer::Number => String::new(),
        Answer::Sign(_) => {
            let bits = circuit.stacks[0].sum_bits();
            let more = [("sum_bits", bits.to_string()), ("sign_bit", (bits - 1).to_string())];
            fill(include_str!("sign.c"), style, &more)
        }
        Answer::Largest(_) => fill(include_str!("largest.c"), style, &[]),
    };
    text
}

fn table(kind: &str, name: &str, values: &[i64]) -> String {
    let (count, list) = (values.len(), list(values, literal));
    format!("static const {kind} {name}[{count}] FLASH = {{{list}\n}};\n")
}

fn literal(value: i64) -> String {
    if i32::try_from(value).is_ok_and(|v| v > i32::MIN) {
        value.to_string()
    } else {
        format!("INT64_C({value})")
    }
}

/// A constant, read from flash.
fn read(kind: &str, at: &str) -> String {
    format!("READ_{kind}({at})")
}

fn signed(values: &[i64]) -> String {
    format!("int{}_t", type_bits(values))
}

fn unsigned(values: &[i64]) -> String {
    format!("uint{}_t", place_bits(values))
}

/// One layer: its constants and a function from inputs or packed answers to packed answers.
fn layer_text(name: &str, (s, l): (usize, usize), layer: &Layer, constant_time: bool) -> String {
    let id = format!("{s}_{}", l + 1);
    let (gates, width, sum) = (layer.gates(), layer.width, format!("int{}_t", layer.sum_bits));
    let neurons: Vec<String> = layer.neurons.iter().map(|k| (k + 1).to_string()).collect();
    let mut text =
        format!("\n/* Layer {}: neurons {} of the model. */\n", l + 1, neurons.join(", "));
    text += &table(&signed(&layer.biases), &format!("bias_{id}"), &layer.biases);
    // One term of a sum: the product for an input, the weight for a packed answer.
    let term = |weight: &str, place: &str| match (l, constant_time) {
        (0, _) => format!("t += ({sum}){weight} * x[{place}];"),
        (_, false) => format!("if (x[{place} >> 5] >> ({place} & 31) & 1) t += {weight};"),
        (_, true) => {
            format!("t += ({sum}){weight} & -({sum})(x[{place} >> 5] >> ({place} & 31) & 1);")
        }
    };
    let body = match &layer.weights {
        Form::Dense(rows) => {
            let all = rows.concat();
            text +=
                &format!("static const {} weight_{id}[{gates}][{width}] FLASH = {{", signed(&all));
            for row in rows {
                text += &format!("\n    {{{}\n    }},", list(row, literal));
            }
            text += "\n};\n";
            let term = term(&read(&signed(&all), &format!("weight_{id}[i][j]")), "j");
            format!("            for (j = 0; j < {width}; j++) {term}\n")
        }
        Form::Sparse { from, at, weights } => {
            text += &table(&unsigned(from), &format!("from_{id}"), from);
            text += &table(&unsigned(at), &format!("at_{id}"), at);
            text += &table(&signed(weights), &format!("weight_{id}"), weights);
            let weight = read(&signed(weights), &format!("weight_{id}[j]"));
            let term = term(&weight, &read(&unsigned(at), &format!("at_{id}[j]")));
            let from = |i: &str| read(&unsigned(from), &format!("from_{id}[{i}]"));
            let (first, end) = (from("i"), from("i + 1"));
            format!("            for (j = {first}; j < {end}; j++) {term}\n")
        }
        Form::Counted { up, down } => {
            let words = width.div_ceil(WORD);
            for (rows, what) in [(up, "up"), (down, "down")] {
                text += &format!("static const uint32_t {what}_{id}[{gates}][{words}] FLASH = {{");
                for row in rows {
                    let words: Vec<String> = row.iter().map(|w| format!("{w:#010x}u")).collect();
                    text += &format!("\n    {{{}}},", words.join(", "));
                }
                text += "\n};\n";
            }
            let word = |what: &str| read("uint32_t", &format!("{what}_{id}[i][j]"));
            let count = |what: &str| format!("count(x[j] & {})", word(what));
            let (up, down) = (count("up"), count("down"));
            format!("            for (j = 0; j < {words}; j++) t += {up} - {down};\n")
        }
    };
    let bias = read(&signed(&layer.biases), &format!("bias_{id}[i]"));
    let from = if l == 0 { format!("{name}_input") } else { "uint32_t".into() };
    let on = match (constant_time, layer.sum_bits) {
        (true, 32) => "~(uint32_t)t >> 31",
        (true, _) => "(uint32_t)(~(uint64_t)t >> 63)",
        (false, _) => "(uint32_t)(t >= 0)",
    };
    text += &format!(
        "static void layer_{id}(const {from} *x, uint32_t *answers)
{{
    unsigned word, bit, i = 0, j;
    for (word = 0; word < {}; word++) {{
        uint32_t packed = 0;
        for (bit = 0; bit < 32 && i < {gates}; bit++, i++) {{
            {sum} t = {bias};
{body}            packed |= ({on}) << bit;
        }}
        answers[word] = packed;
    }}
}}
",
        gates.div_ceil(WORD),
    );
    text
}

fn sum_text(name: &str, s: usize, stack: &Stack, layers: &[Layer], constant_time: bool) -> String {
    let (offset, kind) = (literal(stack.offset), format!("int{}_t", stack.sum_bits()));
    let Some(last) = layers.last() else {
        return format!(
            "\nstatic {kind} sum_{s}(const {name}_input *x)\n{{\n    (void)x;\n    return \
             {offset};\n}}\n"
        );
    };
    let mut text = String::from("\n");
    text += &table(&signed(&stack.amplitudes), &format!("amplitude_{s}"), &stack.amplitudes);
    text += &format!("static {kind} sum_{s}(const {name}_input *x)\n{{\n");
    for (l, layer) in layers.iter().enumerate() {
        text += &format!("    uint32_t h{}[{}];\n", l + 1, layer.gates().div_ceil(WORD));
    }
    text += &format!("    {kind} sum = {offset};\n    unsigned i;\n");
    for l in 0..layers.len() {
        let below = if l == 0 { "x".into() } else { format!("h{l}") };
        text += &format!("    layer_{s}_{}({below}, h{});\n", l + 1, l + 1);
    }
    let (top, count) = (format!("h{}", layers.len()), last.gates());
    let amplitude = read(&signed(&stack.amplitudes), &format!("amplitude_{s}[i]"));
    let add = if constant_time {
        format!("sum += ({kind}){amplitude} & -({kind})({top}[i >> 5] >> (i & 31) & 1);")
    } else {
        format!("if ({top}[i >> 5] >> (i & 31) & 1) sum += {amplitude};")
    };
    text + &format!("    for (i = 0; i < {count}; i++) {add}\n    return sum;\n}}\n")
}
