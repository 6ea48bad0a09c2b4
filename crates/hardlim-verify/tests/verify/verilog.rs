//! Verilog: what is written answers as the circuit, in a simulator, and provably so where Yosys is
//! there.

use std::path::Path;

use hardlim::export::verilog::write;
use hardlim::export::{Answer, Circuit, Finding, Replay};
use hardlim_verify::verilog::prove;

use super::circuits::*;
use super::{style, tool};

/// Writes an export and its inputs into a folder, and says how many; `change` may alter a file.
fn export(
    name: &str,
    circuit: &Circuit,
    folder: &Path,
    change: impl Fn(&str, String) -> String,
) -> usize {
    for file in write(circuit, &style(name, false)) {
        let text = change(&file.0, String::from_utf8(file.1).unwrap());
        std::fs::write(folder.join(file.0), text).unwrap();
    }
    let mut lines = String::new();
    let replay = Replay { features: None, neighbours: 0, random: 2000, seed: 7 };
    let add = |inputs: &[i64]| {
        lines += &circuit.line(inputs);
        Ok::<_, ()>(())
    };
    let counts = replay.visit(circuit, add).unwrap();
    std::fs::write(folder.join(format!("{name}_vectors.hex")), lines).unwrap();
    counts.total()
}

fn text_of(circuit: &Circuit, end: &str) -> String {
    let files = write(circuit, &style("m", false));
    let file = files.into_iter().find(|file| file.0 == format!("m{end}")).unwrap();
    String::from_utf8(file.1).unwrap()
}

const BENCH: [&str; 4] = ["_tb.v", "_pair.v", ".v", "_pipelined.v"];

/// What the compiler and the simulation of a bench say; nothing without Icarus Verilog.
fn simulate(name: &str, folder: &Path, ends: &[&str], most: usize) -> Option<[String; 2]> {
    let files: Vec<String> = ends.iter().map(|end| format!("{name}{end}")).collect();
    let mut arguments = vec!["-g2001", "-Wall", "-Wno-timescale", "-o", "bench"];
    arguments.extend(files.iter().map(String::as_str));
    let (built, said) = tool(folder, "iverilog", &arguments)?;
    assert!(built, "{name}: {said}");
    Some([said, tool(folder, "vvp", &["-n", "bench", &format!("+most={most}")])?.1])
}

/// What the bench of both modules prints.
fn printed(name: &str, inputs: usize) -> String {
    let line = |end: &str| format!("{name}{end}: {inputs} inputs, 0 mismatches\n");
    line("") + &line("_pipelined")
}

/// What is said about both modules of a folder; nothing where Yosys is not installed.
fn proven(name: &str, circuit: &Circuit, folder: &Path) -> Option<[(bool, String); 2]> {
    let said = |finding: Finding| (finding.json()["numbers"]["proven"] == true, finding.sentence());
    let found = prove(folder, name, circuit).unwrap().map(said);
    let missing = found[0].1.contains("not installed");
    if missing {
        eprintln!("skipped for want of Yosys");
    }
    (!missing).then_some(found)
}

/// The same of an export in which the file of this name has another text.
fn proven_with(circuit: &Circuit, file: &str, changed: &str) -> Option<[(bool, String); 2]> {
    let folder = tempfile::tempdir().unwrap();
    export("m", circuit, folder.path(), |path, text| {
        if path == format!("m{file}") { changed.to_owned() } else { text }
    });
    proven("m", circuit, folder.path())
}

/// Whether modules are still proven after a change of a file; nothing where Yosys is not installed.
fn after(circuit: &Circuit, file: &str, from: &str, to: &str) -> Option<[(bool, String); 2]> {
    let text = text_of(circuit, file);
    assert!(text.contains(from), "{from} in {text}");
    proven_with(circuit, file, &text.replacen(from, to, 1))
}

#[test]
fn both_modules_are_proven_for_every_input() {
    for (name, circuit) in all() {
        let folder = tempfile::tempdir().unwrap();
        export(name, &circuit, folder.path(), |_, text| text);
        let Some(found) = proven(name, &circuit, folder.path()) else { return };
        for (proven, said) in found {
            assert!(proven, "{said}");
        }
    }
}

#[test]
fn all_modules_answer_as_the_circuit_in_a_simulator() {
    for (name, circuit) in all() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = export(name, &circuit, folder.path(), |_, text| text);
        let Some([built, said]) = simulate(name, folder.path(), &BENCH, inputs) else { return };
        assert_eq!((built, said), (String::new(), printed(name, inputs)));
        let stream = ["_stream_tb.v", "_axis.v", "_pipelined.v"];
        let found = simulate(name, folder.path(), &stream, 500).expect("with iverilog");
        let expected = format!("{name}_axis: {} inputs, 0 mismatches\n", inputs.min(500));
        assert_eq!(found, [String::new(), expected]);
    }
}

/// Yosys maps narrow comparisons with constants to tables before anything else, and signed ones
/// wrongly.
#[test]
fn comparisons_survive_the_tables_of_yosys() {
    for (name, circuit) in all() {
        for width in [4, 6] {
            let folder = tempfile::tempdir().unwrap();
            let inputs = export(name, &circuit, folder.path(), |_, text| text);
            for module in [name.to_owned(), format!("{name}_pipelined")] {
                let commands = format!(
                    "read_verilog {module}.v; prep -flatten -top {module}; wreduce; \
                     techmap -map +/cmp2lut.v -D LUT_WIDTH={width}; opt_clean; \
                     write_verilog -noattr {module}.v"
                );
                let Some((done, said)) = tool(folder.path(), "yosys", &["-q", "-p", &commands])
                else {
                    return;
                };
                assert!(done, "{module}: {said}");
            }
            let Some(said) = simulate(name, folder.path(), &BENCH, inputs) else { return };
            assert_eq!(said[1], printed(name, inputs), "tables of {width} inputs");
        }
    }
}

/// The text of a module with other answers.
fn wrong(text: &str, change: &str) -> String {
    match change {
        "off by one" => text.replacen(">= ", "> ", 1),
        "always valid" => text.replacen("valid_in}", "1'b1}", 1),
        _ => text.replacen("wire signed ", "wire ", 2),
    }
}

#[test]
fn a_module_that_computes_something_else_is_not_proven() {
    let (two, classes) = (two_layers(), classes());
    let (bits, equals, tables) = (tables_of_bits(), tables_of_equals(), tables());
    let text = text_of(&tables, ".v");
    let digit = text.find("'h").unwrap() + 2;
    let (table, other) =
        (&text[digit - 4..=digit], if &text[digit..=digit] == "0" { "1" } else { "0" });
    let other = format!("{}{other}", &table[..4]);
    let changes = [
        (&two, "", ">= ", "> "), // a threshold that is off by one
        (&two, "", "X_sum_2 <<< 2", "X_sum_2 <<< 1"), // another weight
        (&two, "", " + T", " - T"), // another sign
        (&two, "", "wire signed ", "wire "), // a comparison without its sign
        (&two, "", "rm_rf > 7'd100", "rm_rf > 7'd101"), // another bound
        (&two, "", "8'sd100", "8'sd99"), // another value beyond it
        (&two, "", "output signed [8:0]", "output signed [9:0]"),
        (&two, "", "assign sum = ", "assign sum = -"),
        (&two, "", "assign class_x = ", "assign class_x = ~"),
        (&two, "_pipelined", "_Q1 <= ", "_Q1 <= ~"),
        (&classes, "", "} > {", "} >= {"), // the second of two equal sums wins
        (&tables, "", table, &other),      // a table with another bit
        // Tables that read other bits than said, or bits in another order.
        (&bits, "", "{X_b[6], X_a[6]}", "{X_b[6], X_a[5]}"),
        (&bits, "", "[7], X_b[6], X_a[6]}", "[7], X_a[6], X_b[6]}"),
        (&bits, "", "{X_b[6], X_a[6]}", "{X_b[6], X_a}"),
        (&bits, "", "4'h8 >> {X_b[6]", "4'h9 >> {X_b[6]"),
        (&equals, "", "X_a[6], X_a[6]}", "~X_a[6], X_a[6]}"),
        (&equals, "", "L1_N3, L1_N3", "L1_N3, ~L1_N3"),
    ];
    for (circuit, end, from, to) in changes {
        let file = format!("{end}.v");
        let Some([plain, pipelined]) = after(circuit, &file, from, to) else { return };
        let (changed, same) = if end.is_empty() { (plain, pipelined) } else { (pipelined, plain) };
        assert!(!changed.0 && changed.1.contains("not proven"), "{from} for {to}: {changed:?}");
        assert!(same.0, "{same:?}");
    }
}

#[test]
fn claims_about_wires_that_do_not_make_the_network_prove_nothing() {
    let circuit = two_layers();
    for (from, to, why) in [
        ("-23 + ", "-22 + ", "another formula"),
        ("output sum = ", "output sum = 1 + ", "sum 0 has another formula"),
        ("input sum_2\n", "", "no such input"),
        ("0 + 1*T", "0 + 1*U", "no wire U"),
    ] {
        let Some([plain, _]) = after(&circuit, "_wires.txt", from, to) else { return };
        assert!(!plain.0 && plain.1.contains(why), "{why}: {}", plain.1);
    }
}

#[test]
fn a_wrong_module_fails_the_bench() {
    for module in ["two_layers", "two_layers_pipelined"] {
        for change in ["off by one", "no sign", "always valid"] {
            let folder = tempfile::tempdir().unwrap();
            export("two_layers", &two_layers(), folder.path(), |path: &str, text: String| {
                if path == format!("{module}.v") { wrong(&text, change) } else { text }
            });
            let found = simulate("two_layers", folder.path(), &BENCH, 2000);
            let Some([_, said]) = found else { return };
            let good = said.matches(": 2000 inputs, 0 mismatches\n").count();
            let kept = change == "always valid" && module == "two_layers";
            assert_eq!(good, 1 + usize::from(kept), "{change}: {said}");
        }
    }
}

#[test]
fn a_table_that_is_constant_is_a_number_in_the_sum() {
    // It is added in columns, by adders because sums are wide, with the constant of the sum at
    // zero, or alone.
    let beside: [(&[i64], i64); 6] =
        [(&[2, 3], -7), (&[-2, 3], -4), (&[200, -90], -30), (&[2, 3], -3), (&[1], -4), (&[], -4)];
    for (beside, offset) in beside {
        for answer in [sign(), Answer::Number] {
            let circuit = constant_table(beside, offset, answer);
            for end in [".v", "_pipelined.v"] {
                let text = text_of(&circuit, end);
                assert!(!text.contains("X_a,") && !text.contains(">> X_a"), "{beside:?}: {text}");
            }
            let folder = tempfile::tempdir().unwrap();
            let inputs = export("m", &circuit, folder.path(), |_, text| text);
            if let Some(found) = proven("m", &circuit, folder.path()) {
                assert!(found[0].0 && found[1].0, "{found:?}");
            }
            let Some([_, said]) = simulate("m", folder.path(), &BENCH, inputs) else { return };
            assert_eq!(said, printed("m", inputs), "{beside:?} {offset}");
        }
    }
}

/// The text of a pipelined module whose answer comes a clock later: all outputs, or the one of this
/// name, have a register more.
fn later(circuit: &Circuit, only: &str) -> String {
    let mut text = text_of(circuit, "_pipelined.v");
    let outputs = text.lines().filter(|line| line.starts_with("    assign ")).map(str::to_owned);
    for line in outputs.collect::<Vec<_>>() {
        let (name, value) = line["    assign ".len()..].split_once(" = ").expect("a driver");
        let port = text.lines().find(|line| {
            line.trim_end_matches(',').ends_with(&format!(" {name}")) && line.contains("output ")
        });
        let Some(port) = port.filter(|_| name != "valid_out" && (only.is_empty() || name == only))
        else {
            continue;
        };
        let kind = port.trim().trim_end_matches(',').replace("output ", "reg ");
        let kind = kind.replace(name, &format!("LATER_{name}"));
        let more = format!(
            "    {kind};\n    always @(posedge clk) LATER_{name} <= {value}\n    assign {name} = \
             LATER_{name};"
        );
        text = text.replacen(&line, &more, 1);
    }
    text
}

#[test]
fn another_latency_than_the_stated_one_is_not_proven() {
    for (name, circuit) in [("two_layers", two_layers()), ("classes", classes())] {
        let text = text_of(&circuit, "_pipelined.v");
        let latency = text.split("LATENCY = ").nth(1).and_then(|rest| rest.split(';').next());
        let latency: usize = latency.unwrap().parse().unwrap();
        let (number, other) =
            (format!("LATENCY = {latency};"), format!("LATENCY = {};", latency + 1));
        let Some([plain, late]) = after(&circuit, "_pipelined.v", &number, &other) else { return };
        assert!(plain.0 && late.1.contains("LATENCY is not"), "{name}: {late:?}");
        for only in ["", "class_x"] {
            let text = later(&circuit, only);
            let found = proven_with(&circuit, "_pipelined.v", &text).expect("Yosys");
            assert!(!found[1].0, "{name}: {found:?}");
        }
    }
}

/// The text with one wire or register after the other a bit shorter.
fn shorter(text: &str) -> Vec<String> {
    let declared = |line: &&str| line.starts_with("    wire ") || line.starts_with("    reg ");
    let mut all = Vec::new();
    for line in text.lines().filter(declared).filter(|line| !line.contains("VALID")) {
        let name =
            line.split_once('[').and_then(|(start, rest)| Some((start, rest.split_once(":0]")?)));
        let Some((start, (top, rest))) = name else { continue };
        let Ok(top) = top.parse::<u32>() else { continue };
        let short = format!("{start}[{}:0]{rest}", top - 1);
        all.push(text.replacen(line, &short, 1));
    }
    all
}

#[test]
fn a_wire_that_is_too_short_is_not_proven() {
    let mut found = 0;
    for (_, circuit) in [("two_layers", two_layers()), ("tables", tables())] {
        for changed in shorter(&text_of(&circuit, ".v")).into_iter().step_by(3) {
            let Some([plain, _]) = proven_with(&circuit, ".v", &changed) else { return };
            assert!(!plain.0, "{changed}");
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn ports_are_as_wide_as_needed() {
    let text = text_of(&two_layers(), ".v");
    let ports = "module m #(parameter WIDTH = 8) (
    input signed [WIDTH-5:0] sum_2,
    input class_x_2,
    input signed [WIDTH-1:0] rm_rf,
    input [WIDTH-6:0] input_x,
    input [WIDTH-5:0] clk_2,
    input signed [WIDTH-5:0] not_read,
    output signed [8:0] sum,
    output class_x
);
";
    assert!(text.contains(ports), "{text}");
    let bounded = "wire signed [7:0] X_rm_rf = !rm_rf[WIDTH-1] && rm_rf > 7'd100 ? 8'sd100 : \
                   rm_rf[WIDTH-1] && {~rm_rf} > 7'd99 ? -8'sd100 : rm_rf;\n";
    assert!(text.contains(bounded), "{text}");
    let text = text_of(&classes(), "_pipelined.v");
    for port in ["signed [3:0] sum_0", "signed [3:0] sum_1", "output sum_2", "output [1:0] class_x"]
    {
        assert!(text.contains(port), "{port} in {text}");
    }
}

#[test]
fn the_stream_is_proven_by_induction_and_a_wrong_one_is_not() {
    let changes = [
        ("", ""),
        ("last[LATENCY-1]", "last[0]"), // the tlast of another input
        ("count != PLACES", "count != PLACES + 1"), // an answer without a place
        ("if (given) get", "if (m_axis_tready) get"), // an answer that is skipped
        ("stored != 0", "stored > 1"),  // an answer that is never offered
        ("(answer[3:0])", "({answer[0], answer[3:1]})"), // exchanged bits of the answer
        ("(s_axis_tdata[", "(~s_axis_tdata["), // other bits of the input
    ];
    for (name, circuit) in all() {
        for (from, to) in changes {
            let folder = tempfile::tempdir().unwrap();
            if name != "classes" && !from.is_empty() {
                continue;
            }
            export(name, &circuit, folder.path(), |path: &str, text: String| {
                if from.is_empty() || !path.ends_with("_axis.v") {
                    return text;
                }
                assert!(text.contains(from), "{from} in {text}");
                text.replacen(from, to, 1)
            });
            let script = format!("{name}_axis_proof.ys");
            let Some((proven, said)) = tool(folder.path(), "yosys", &[&script]) else { return };
            assert_eq!(
                proven && said.contains("SUCCESS!"),
                from.is_empty(),
                "{name} {from}: {said}"
            );
        }
    }
}
