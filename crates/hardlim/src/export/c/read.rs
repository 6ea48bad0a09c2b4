//! From rows as people have them to inputs: a header with one function for each number, and an
//! example that reads CSV.

use crate::export::circuit::{Circuit, Field, Input};
use crate::export::{Answer, File, Style, file, fill, names};

/// The header, and the example where every column can be read without dates or notations.
pub(super) fn files(circuit: &Circuit, style: &Style) -> Vec<File> {
    let name = &style.name;
    let identifiers = names::of_inputs(circuit);
    let numbers = || circuit.inputs.iter().zip(&identifiers).filter(|(i, _)| i.is_number());
    let functions: String = numbers().map(|(input, id)| function(name, id, input)).collect();
    let place =
        |id: &String| format!("{}_IN_{}", name.to_ascii_uppercase(), id.to_ascii_uppercase());
    let example = numbers().next().map_or(String::new(), |(_, id)| {
        format!("       x[{}] = {name}_read_{id}(value);\n", place(id))
    });
    let call = match circuit.answer {
        Answer::Number => format!("{name}_sums(x, sums)"),
        _ => format!("{name}_class(x)"),
    };
    let header = fill(
        include_str!("read.h"),
        style,
        &[("functions", functions), ("example", example), ("call", call)],
    );
    let mut files = vec![file(format!("{name}_read.h"), header)];
    if circuit.inputs.iter().all(|input| input.field != Field::Computed) {
        files.push(file(format!("{name}_main.c"), main(circuit, style, &identifiers)));
    }
    files
}

fn function(name: &str, id: &str, input: &Input) -> String {
    let Input { shift, offset, least, most, .. } = *input;
    let scaled = match shift {
        0 => "value".into(),
        _ => format!("value * {:e}", 2f64.powi(shift)),
    };
    format!(
        "/* {} */\nstatic inline {name}_input {name}_read_{id}(double value)\n{{\n    return \
         {name}_round({scaled}, \
         {offset}, {least}, {most});\n}}\n\n",
        names::quoted(&input.name)
    )
}

fn main(circuit: &Circuit, style: &Style, identifiers: &[String]) -> String {
    let name = &style.name;
    let fields: String = (circuit.inputs.iter().zip(identifiers))
        .map(|(input, id)| {
            let text = |text: Option<&str>| text.map_or("0".into(), names::c_string);
            let column = names::c_string(&input.column);
            let level = input.level.as_ref().map(|(_, level)| level.as_str());
            match &input.field {
                Field::Number { fill } => {
                    let fill = fill.map(|mean| format!("{mean:e}"));
                    let fill = text(fill.as_deref());
                    format!("    {{{column}, NUMBER, 0, {fill}, {name}_read_{id}}},\n")
                }
                Field::Level { fill } => {
                    let fill = text(fill.as_deref());
                    format!("    {{{column}, LEVEL, {}, {fill}, 0}},\n", text(level))
                }
                Field::Missing => format!("    {{{column}, MISSING, 0, 0, 0}},\n"),
                Field::Other | Field::Computed => format!("    {{{column}, OTHER, 0, 0, 0}},\n"),
            }
        })
        .collect();
    let upper = name.to_ascii_uppercase();
    let (labels, print) = match circuit.answer {
        Answer::Number => (
            String::new(),
            format!(
                "        {{\n            int64_t sums[{upper}_OUTPUTS];\n            \
                 {name}_sums(x, sums);\n            \
                 printf(\"%.17g\\n\", (double)sums[0] * {:e});\n        }}\n",
                2f64.powi(circuit.exponent)
            ),
        ),
        _ => (
            format!("\nstatic const char *const labels[] = {upper}_LABELS;\n"),
            format!("        printf(\"%s\\n\", labels[{name}_class(x)]);\n"),
        ),
    };
    let more = [("fields", fields), ("names", labels), ("print", print)];
    fill(include_str!("main.c"), style, &more)
}
