//! Verilog: what is written answers as the circuit, in a simulator, and provably so where Yosys is there.

use std::path::Path;
use std::process::Command;

use hardlim::export::verilog::{Form, Resources, difference, prove, vector, write};
use hardlim::export::{Answer, Circuit, Field, Gate, Input, Replay, Stack, Style};

fn input(name: &str, least: i64, most: i64) -> Input {
    Input {
        name: name.into(),
        level: None,
        column: String::new(),
        field: Field::Computed,
        origin: None,
        offset: 0,
        shift: 0,
        least,
        most,
    }
}

fn gate(neuron: usize, terms: &[(u32, i64)], bias: i64) -> Gate {
    Gate { neuron, terms: terms.to_vec(), bias, exact: true }
}

fn sign() -> Answer {
    Answer::Sign(["no".into(), "yes".into()])
}

fn circuit(inputs: Vec<Input>, stacks: Vec<Stack>, answer: Answer) -> Circuit {
    Circuit { inputs, stacks, exponent: -3, answer, rounded: 0 }
}

/// Two layers on numbers of several widths and bits, with neurons of one input, and names that are taken.
fn two_layers() -> Circuit {
    let inputs = vec![
        input("sum", -7, 7),
        input("class", 0, 1),
        input("\"; rm -rf `", -100, 100),
        input("input", 0, 5),
        input("clk", 3, 9),
        input("not read", -7, 7),
    ];
    let layer = vec![
        gate(0, &[(0, 3), (1, -5), (2, -7)], 11),
        gate(2, &[(3, -1)], 2),
        gate(3, &[(0, 1)], 0),
        gate(4, &[(1, 1)], -1),
        gate(5, &[(2, 1), (3, -13), (4, 6)], -4),
        gate(6, &[(0, 3), (4, -2)], 0),
    ];
    let amplitudes = vec![5, -9, 130, -1, -1, 7];
    circuit(inputs, vec![Stack { layers: vec![layer], amplitudes, offset: -12 }], sign())
}

/// Three layers on bits: the second counts.
fn three_layers() -> Circuit {
    let inputs = (0..12).map(|j| input(&format!("x{j}"), 0, 1)).collect();
    let first = (0..9)
        .map(|i| {
            let terms: Vec<(u32, i64)> = (0..12)
                .map(|j| (j, [1, -1, 2, -3, 1][(i + 5 * j as usize + j as usize / 3) % 5]))
                .collect();
            gate(i, &terms, i as i64 - 4)
        })
        .collect();
    let second = (0..4)
        .map(|i| {
            let terms: Vec<(u32, i64)> = (0..9)
                .map(|j| (j, if (j as usize + i).is_multiple_of(3) { -1 } else { 1 }))
                .collect();
            gate(i, &terms, -1 - i as i64)
        })
        .collect();
    let amplitudes = vec![3, -4, 1, 1];
    circuit(inputs, vec![Stack { layers: vec![first, second], amplitudes, offset: 0 }], sign())
}

/// Three classes: of two layers, of three, and without neurons.
fn classes() -> Circuit {
    let inputs = vec![input("a", -15, 15), input("b", -15, 15)];
    let first = || vec![gate(0, &[(0, 2), (1, -3)], 1), gate(1, &[(0, -1), (1, -1)], 4)];
    let stacks = vec![
        Stack { layers: vec![first()], amplitudes: vec![6, -2], offset: 1 },
        Stack {
            layers: vec![first(), vec![gate(0, &[(0, 1), (1, 1)], -2)]],
            amplitudes: vec![5],
            offset: -1,
        },
        Stack { layers: vec![vec![]], amplitudes: vec![], offset: 1 },
    ];
    circuit(inputs, stacks, Answer::Largest(vec!["u".into(), "v".into(), "w".into()]))
}

fn without_neurons(answer: Answer) -> Circuit {
    let stack = Stack { layers: vec![vec![]], amplitudes: vec![], offset: -5 };
    circuit(vec![input("a", -7, 7), input("b", 0, 1)], vec![stack], answer)
}

/// A number with wide sums, all amplitudes positive.
fn regression() -> Circuit {
    let layer = (0..5).map(|i| gate(i, &[(0, 1)], 40 * i as i64 - 80)).collect();
    let amplitudes = (0..5).map(|i| (1 << 40) + 12_345 * i).collect();
    let stack = Stack { layers: vec![layer], amplitudes, offset: 0 };
    circuit(vec![input("a", -127, 127)], vec![stack], Answer::Number)
}

/// Neurons that become tables: of one number, of a number and bits, of bits, and of a signed number; some stay alone.
fn tables() -> Circuit {
    let mut inputs =
        vec![input("a", 0, 15), input("b", 0, 7), input("s", -3, 3), input("w", 0, 31)];
    inputs.extend((0..5).map(|j| input(&format!("bit{j}"), 0, 1)));
    let mut layer: Vec<Gate> = (1..15).map(|t| gate(t, &[(0, 1)], -(t as i64))).collect();
    layer.extend([
        gate(20, &[(1, -2), (4, 3)], 5),
        gate(21, &[(1, 1)], -4),
        gate(22, &[(4, 1)], -1),
    ]);
    layer.extend([
        gate(23, &[(2, 1)], 1),
        gate(24, &[(2, -3), (5, 5)], 0),
        gate(25, &[(5, 1)], -1),
    ]);
    layer.extend([gate(26, &[(6, 1), (7, -1)], 0), gate(27, &[(8, 2), (7, 1)], -2)]);
    layer.extend((1..5).map(|t| gate(30 + t, &[(3, 1)], -7 * t as i64)));
    layer.push(gate(40, &[(0, 1), (3, -1)], 2));
    let amplitudes =
        (0..layer.len() as i64).map(|k| [3, -5, 1, 8, -2, 4][k as usize % 6]).collect();
    circuit(inputs, vec![Stack { layers: vec![layer], amplitudes, offset: -9 }], sign())
}

/// A table whose values have a common factor, over the answers of a layer below.
fn table_of_answers() -> Circuit {
    let inputs = vec![input("a", -31, 31), input("b", -31, 31)];
    let first =
        (0..4).map(|i| gate(i, &[(0, 1), (1, 2 * i as i64 - 3)], 3 * i as i64 - 4)).collect();
    let second = vec![gate(0, &[(0, 1), (1, 1)], -1), gate(1, &[(2, 1), (3, -1)], 0)];
    let stack = Stack { layers: vec![first, second], amplitudes: vec![4, -12], offset: 4 };
    circuit(inputs, vec![stack], sign())
}

/// A table that has one value, because `1{a ≥ 3} + 1{a ≤ 2} = 1`, and what is added to it.
fn constant_table(beside: &[i64], offset: i64, answer: Answer) -> Circuit {
    let inputs = vec![input("a", 0, 15), input("b", 0, 15), input("c", 0, 15)];
    let mut layer = vec![gate(0, &[(0, 1)], -3), gate(1, &[(0, -1)], 2)];
    // Numbers of eight bits are no table.
    let neuron = |i: usize| gate(2 + i, &[(1, 1), (2, 1)], -5 - 7 * i as i64);
    layer.extend((0..beside.len()).map(neuron));
    let amplitudes = [&[3, 3], beside].concat();
    circuit(inputs, vec![Stack { layers: vec![layer], amplitudes, offset }], answer)
}

/// Tables in the second layer that read single bits of numbers: `a ≥ 64` is the highest bit of `a`, and `a + b ≥ 128`
/// that of the sum.
fn tables_of_bits() -> Circuit {
    let inputs = vec![input("a", 0, 127), input("b", 0, 127), input("c", 0, 100)];
    let first = vec![
        gate(0, &[(0, 1)], -64),
        gate(1, &[(1, 1)], -64),
        gate(2, &[(0, 1), (1, 1)], -128),
        gate(3, &[(2, 1)], -30),
    ];
    let second = vec![
        gate(0, &[(0, 1), (1, 1)], -2),
        gate(1, &[(0, 2), (1, -1), (2, 1)], -1),
        gate(2, &[(1, 1), (2, -3), (3, 2)], 0),
    ];
    let third = vec![gate(0, &[(0, 1), (1, 1), (2, -1)], 0)];
    let stack = Stack { layers: vec![first, second, third], amplitudes: vec![5], offset: -2 };
    circuit(inputs, vec![stack], sign())
}

/// Tables in the second layer that read the same wire twice, because neurons of the first layer are equal.
fn tables_of_equals() -> Circuit {
    let inputs = vec![input("a", 0, 127), input("b", 0, 127)];
    let first = vec![
        gate(0, &[(0, 1)], -64),
        gate(1, &[(0, 1)], -64),
        gate(2, &[(0, 1), (1, -1)], -5),
        gate(3, &[(0, 1), (1, -1)], -5),
    ];
    let second = vec![
        gate(0, &[(0, 1), (1, 1)], -2),
        gate(1, &[(0, 1), (2, 1), (3, -2)], 0),
        gate(2, &[(0, -1), (1, 2), (2, 1), (3, -3)], -1),
    ];
    let stack = Stack { layers: vec![first, second], amplitudes: vec![5, -2, 3], offset: -2 };
    circuit(inputs, vec![stack], sign())
}

fn all() -> Vec<(&'static str, Circuit)> {
    vec![
        ("two_layers", two_layers()),
        ("three_layers", three_layers()),
        ("classes", classes()),
        ("without_neurons", without_neurons(sign())),
        ("a_constant", without_neurons(Answer::Number)),
        ("regression", regression()),
        ("tables", tables()),
        ("table_of_answers", table_of_answers()),
        ("constant_table", constant_table(&[2, 3], -7, sign())),
        ("tables_of_bits", tables_of_bits()),
        ("tables_of_equals", tables_of_equals()),
    ]
}

fn style(name: &str) -> Style {
    Style { name: name.into(), source: "a test".into(), model: "0123".into(), constant_time: false }
}

/// Writes an export and its inputs into a folder, and says how many; `change` may alter a file.
fn export(
    name: &str,
    circuit: &Circuit,
    folder: &Path,
    change: impl Fn(&str, String) -> String,
) -> usize {
    for file in write(circuit, &style(name)) {
        let text = change(&file.path, String::from_utf8(file.bytes).unwrap());
        std::fs::write(folder.join(file.path), text).unwrap();
    }
    let mut lines = String::new();
    let replay = Replay { features: None, neighbours: 0, random: 2000, seed: 7 };
    let add = |_, inputs: &[i64]| {
        lines += &vector(circuit, inputs);
        Ok::<_, ()>(())
    };
    let counts = replay.visit(circuit, add).unwrap();
    std::fs::write(folder.join(format!("{name}_vectors.hex")), lines).unwrap();
    counts.total()
}

/// Runs a tool in a folder: its status and all it said; nothing where it is not installed.
fn tool(folder: &Path, program: &str, arguments: &[&str]) -> Option<(bool, String)> {
    match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
        }
        Err(_) => {
            eprintln!("skipped for want of {program}");
            None
        }
    }
}

fn simulate(name: &str, folder: &Path) -> Option<String> {
    let files = ["_tb.v", "_pair.v", ".v", "_pipelined.v"].map(|end| format!("{name}{end}"));
    let mut arguments = vec!["-g2001", "-Wall", "-Wno-timescale", "-o", "bench"];
    arguments.extend(files.iter().map(String::as_str));
    let (built, said) = tool(folder, "iverilog", &arguments)?;
    assert!(built && said.is_empty(), "{name}: {said}");
    Some(tool(folder, "vvp", &["-n", "bench"])?.1)
}

fn solve(module: &str, folder: &Path) -> Option<(bool, String)> {
    tool(folder, "yosys", &[&format!("{module}_proof.ys")])
}

#[test]
fn both_modules_answer_as_the_circuit_in_a_simulator() {
    for (name, circuit) in all() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = export(name, &circuit, folder.path(), |_, text| text);
        let Some(said) = simulate(name, folder.path()) else { return };
        let expected = format!(
            "{name}: {inputs} inputs, 0 mismatches\n{name}_pipelined: {inputs} inputs, 0 mismatches\n"
        );
        assert_eq!(said, expected);
    }
}

#[test]
fn the_stream_and_the_serial_module_answer_as_the_circuit_in_a_simulator() {
    for (name, circuit) in all() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = export(name, &circuit, folder.path(), |_, text| text).min(500);
        let files = ["_stream_tb.v", "_axis.v", "_serial.v", "_pipelined.v"];
        let files = files.map(|end| format!("{name}{end}"));
        let mut arguments = vec!["-g2001", "-Wall", "-Wno-timescale", "-o", "bench"];
        arguments.extend(files.iter().map(String::as_str));
        let Some((built, said)) = tool(folder.path(), "iverilog", &arguments) else { return };
        assert!(built && said.is_empty(), "{name}: {said}");
        let (_, said) = tool(folder.path(), "vvp", &["-n", "bench", "+most=500", "+serial=500"])
            .expect("with iverilog");
        let expected = format!(
            "{name}_axis: {inputs} inputs, 0 mismatches\n{name}_serial: {inputs} inputs, 0 mismatches\n"
        );
        assert_eq!(said, expected);
    }
}

/// Yosys maps narrow comparisons with constants to tables before anything else, and signed ones wrongly.
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
            let files = ["_tb.v", "_pair.v", ".v", "_pipelined.v"].map(|e| format!("{name}{e}"));
            let mut arguments = vec!["-g2001", "-o", "bench"];
            arguments.extend(files.iter().map(String::as_str));
            let Some((built, said)) = tool(folder.path(), "iverilog", &arguments) else { return };
            assert!(built, "{name}: {said}");
            let said = tool(folder.path(), "vvp", &["-n", "bench"]).expect("with iverilog").1;
            let good = said.matches(&format!(": {inputs} inputs, 0 mismatches\n")).count();
            assert_eq!(good, 2, "{name}, tables of {width} inputs: {said}");
        }
    }
}

#[test]
fn both_modules_are_proven_for_every_input() {
    for (name, circuit) in all() {
        assert_eq!(difference(&circuit), None, "{name}");
        let folder = tempfile::tempdir().unwrap();
        export(name, &circuit, folder.path(), |_, text| text);
        for module in [name.to_owned(), format!("{name}_pipelined")] {
            let Some((proven, said)) = solve(&module, folder.path()) else { return };
            assert!(proven && said.contains("SUCCESS!"), "{module}: {said}");
        }
    }
}

/// The text of a module with other answers.
fn wrong(text: &str, change: &str) -> String {
    match change {
        "off by one" => text.replacen(">= ", "> ", 1),
        _ => text.replacen("wire signed ", "wire ", 2),
    }
}

#[test]
fn a_wrong_module_fails_the_bench_and_the_proof() {
    for module in ["two_layers", "two_layers_pipelined"] {
        for change in ["off by one", "no sign"] {
            let folder = tempfile::tempdir().unwrap();
            export("two_layers", &two_layers(), folder.path(), |path: &str, text: String| {
                if path == format!("{module}.v") { wrong(&text, change) } else { text }
            });
            if let Some(said) = simulate("two_layers", folder.path()) {
                let good = said.matches(": 2000 inputs, 0 mismatches\n").count();
                assert_eq!(good, 1, "{change}: {said}");
            }
            if let Some((proven, said)) = solve(module, folder.path()) {
                assert!(!proven && said.contains("proof did fail"), "{change}: {said}");
            }
        }
    }
}

#[test]
fn three_modules_are_proven_by_reading_them_back() {
    for (name, circuit) in all() {
        for form in Form::ALL {
            let text = text_of(&circuit, &format!("{}.v", form.ending()));
            assert_eq!(prove(&circuit, "m", form, &text), Ok(None), "{name}, {form:?}: {text}");
        }
    }
}

#[test]
fn tables_that_read_single_bits_or_a_wire_twice_are_proven_by_reading_them_back() {
    use Form::Combinational;
    let (bits, equals) = (tables_of_bits(), tables_of_equals());
    let read = |circuit: &Circuit| -> String {
        let text = text_of(circuit, ".v");
        let tables = text.lines().filter(|line| line.contains(" >> {"));
        tables.map(|line| format!("{line}\n")).collect()
    };
    let (by_bits, twice) = (read(&bits), read(&equals));
    assert!(by_bits.contains(">> {X_b[6], X_a[6]}"), "{by_bits}");
    assert!(twice.contains(">> {L1_N3, L1_N3, X_a[6], X_a[6]}"), "{twice}");
    for circuit in [&bits, &equals] {
        let text = text_of(circuit, ".v");
        assert_eq!(prove(circuit, "m", Combinational, &text), Ok(None), "{text}");
    }
    // Another bit, other bits as well, the bits exchanged, the whole wire, and another table.
    let changes = [
        ("{X_b[6], X_a[6]}", "{X_b[6], X_a[5]}"),
        ("{X_b[6], X_a[6]}", "{X_a[5], X_b[6], X_a[6]}"),
        ("[7], X_b[6], X_a[6]}", "[7], X_a[6], X_b[6]}"),
        ("{X_b[6], X_a[6]}", "{X_b[6], X_a}"),
        ("{X_b[6], X_a[6]}", "{X_b, X_a[6]}"),
        ("4'h8 >> {X_b[6]", "4'h9 >> {X_b[6]"),
    ];
    for (from, to) in changes {
        assert_ne!(after(&bits, Combinational, from, to), Ok(None), "{to} for {from}");
    }
    let changes = [
        ("X_a[6], X_a[6]}", "X_a[6], X_a[5]}"),
        ("X_a[6], X_a[6]}", "~X_a[6], X_a[6]}"),
        ("L1_N3, L1_N3", "L1_N3, ~L1_N3"),
    ];
    for (from, to) in changes {
        assert_ne!(after(&equals, Combinational, from, to), Ok(None), "{to} for {from}");
    }
}

#[test]
fn a_table_that_is_constant_is_a_number_in_the_sum() {
    // It is added in columns, by adders because sums are wide, with the constant of the sum at zero, or alone.
    let beside: [(&[i64], i64); 6] =
        [(&[2, 3], -7), (&[-2, 3], -4), (&[200, -90], -30), (&[2, 3], -3), (&[1], -4), (&[], -4)];
    for (beside, offset) in beside {
        for answer in [sign(), Answer::Number] {
            let circuit = constant_table(beside, offset, answer);
            assert_eq!(difference(&circuit), None, "{beside:?} {offset}");
            for form in Form::ALL {
                let text = text_of(&circuit, &format!("{}.v", form.ending()));
                assert_eq!(prove(&circuit, "m", form, &text), Ok(None), "{beside:?}: {text}");
                let reads = text.contains("X_a,") || text.contains(">> X_a");
                assert!(!reads || form == Form::Serial, "{beside:?}: {text}");
            }
            let folder = tempfile::tempdir().unwrap();
            let inputs = export("m", &circuit, folder.path(), |_, text| text);
            let Some(said) = simulate("m", folder.path()) else { return };
            let good = said.matches(&format!(": {inputs} inputs, 0 mismatches\n")).count();
            assert_eq!(good, 2, "{beside:?} {offset}: {said}");
        }
    }
}

/// What reading back says about a text in which something was changed.
fn after(circuit: &Circuit, form: Form, from: &str, to: &str) -> Result<Option<String>, String> {
    let text = text_of(circuit, &format!("{}.v", form.ending()));
    assert!(text.contains(from), "{from} in {text}");
    prove(circuit, "m", form, &text.replacen(from, to, 1))
}

#[test]
fn a_module_that_computes_something_else_is_found_by_reading_it_back() {
    use Form::{Combinational, Pipelined, Serial};
    let circuit = two_layers();
    let changes = [
        (Combinational, ">= ", "> "), // a threshold that is off by one
        (Combinational, "X_sum_2 <<< 2", "X_sum_2 <<< 1"), // another weight
        (Combinational, " + T", " - T"), // another sign
        (Combinational, "wire signed ", "wire "), // a comparison without its sign
        (Combinational, "rm_rf > 7'd100", "rm_rf > 7'd101"), // another bound
        (Combinational, "8'sd100", "8'sd99"), // another value beyond it
        (Combinational, "output signed [8:0]", "output signed [9:0]"),
        (Combinational, "assign sum = ", "assign sum = -"),
        (Combinational, "assign class_x = ", "assign class_x = ~"),
        (Pipelined, "_Q1 <= ", "_Q1 <= ~"),
        (Pipelined, "valid_in}", "1'b1}"),
        (Serial, "'h3}", "'h2}"),
        (Serial, "~SUM[", "SUM["),
        (Serial, "BUSY <= 1'b0;\n                        valid_out", "valid_out"),
    ];
    for (form, from, to) in changes {
        assert_ne!(after(&circuit, form, from, to), Ok(None), "{form:?}: {from} for {to}");
    }
    // A table with another bit, and one that is read by another wire.
    let circuit = tables();
    let text = text_of(&circuit, ".v");
    let at = text.find("'h").unwrap() + 2;
    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
    let changed = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
    assert_ne!(prove(&circuit, "m", Combinational, &changed), Ok(None));
    // The second of two equal sums wins.
    assert_ne!(after(&classes(), Combinational, "} > {", "} >= {"), Ok(None));
    assert_ne!(after(&classes(), Serial, "SUM > BEST", "SUM >= BEST"), Ok(None));
}

/// The text of a pipelined module whose answer comes a clock later: all outputs, or the one of this name, have a
/// register more.
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
            "    {kind};\n    always @(posedge clk) LATER_{name} <= {value}\n    assign {name} = LATER_{name};"
        );
        text = text.replacen(&line, &more, 1);
    }
    text
}

#[test]
fn another_latency_than_the_stated_one_is_refused() {
    for (name, circuit) in all() {
        let latency = Resources::of(&circuit).latency;
        let (comment, wider) = (format!("answer {latency} clocks"), latency + 1);
        let refused = |text: &str, why: &str| {
            let found = prove(&circuit, "m", Form::Pipelined, text);
            let said = found.as_ref().ok().cloned().flatten().unwrap_or_default();
            assert!(said.contains(why), "{name}: {why}: {found:?} {text}");
        };
        // Only the number differs, in the comment or in the parameter.
        let text = text_of(&circuit, "_pipelined.v");
        let says_more = |text: &str| text.replace(&comment, &format!("answer {wider} clocks"));
        let named = |text: &str| {
            let number = format!("LATENCY = {latency};");
            assert!(text.contains(&comment) && text.contains(&number), "{text}");
            text.replace(&number, &format!("LATENCY = {wider};"))
        };
        refused(&says_more(&text), "its comment does not say");
        refused(&named(&text), &format!("LATENCY is {wider}, not {latency}"));
        if name == "without_neurons" || name == "a_constant" {
            continue; // a constant is there at every clock
        }
        // The answer comes later, with and without its valid bit, and the text says so or not.
        let more = later(&circuit, "");
        let late = format!("comes after {wider} clocks, not {latency}");
        refused(&more, &late);
        let valid = |text: &str| {
            let bits = format!("reg [{}:0] VALID", latency - 1);
            assert!(text.contains(&bits), "{text}");
            named(text)
                .replace(&bits, &format!("reg [{latency}:0] VALID"))
                .replace(
                    &format!("{{VALID[{}:0], valid_in}}", latency.max(2) - 2),
                    &format!("{{VALID[{}:0], valid_in}}", latency - 1),
                )
                .replace(&format!("{latency}'b0 : "), &format!("{wider}'b0 : "))
        };
        refused(&valid(&more), &format!("LATENCY is {wider}, not {latency}"));
        refused(&says_more(&valid(&more)), "its comment does not say");
        if matches!(circuit.answer, Answer::Sign(_)) {
            refused(&later(&circuit, "class_x"), &late);
        }
    }
    // The serial module.
    let circuit = two_layers();
    let text = text_of(&circuit, "_serial.v");
    let at = text.find("gives its answer ").expect("a comment") + "gives its answer ".len();
    let changed = format!("{}1{}", &text[..at], &text[at..]);
    let found = prove(&circuit, "m", Form::Serial, &changed);
    assert!(found.is_ok_and(|found| found.is_some_and(|why| why.contains("its comment"))));
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
fn a_wire_that_is_too_short_is_found_by_reading_it_back() {
    let (mut found, mut spare) = (0, 0);
    for (name, circuit) in all() {
        let text = text_of(&circuit, ".v");
        for changed in shorter(&text) {
            if prove(&circuit, "m", Form::Combinational, &changed) != Ok(None) {
                found += 1;
                continue;
            }
            // Wires that depend on each other may not reach their ranges: then the bit was to spare.
            spare += 1;
            let folder = tempfile::tempdir().unwrap();
            let inputs = export("m", &circuit, folder.path(), |path: &str, text: String| {
                if path == "m.v" { changed.clone() } else { text }
            });
            let Some(said) = simulate("m", folder.path()) else { return };
            let good = format!("m: {inputs} inputs, 0 mismatches\n");
            assert!(said.starts_with(&good), "{name}: {said} {changed}");
        }
    }
    assert!(found > 10 * spare && found > 50, "{found} found, {spare} to spare");
}

fn text_of(circuit: &Circuit, end: &str) -> String {
    let files = write(circuit, &style("m"));
    let file = files.into_iter().find(|file| file.path == format!("m{end}")).unwrap();
    String::from_utf8(file.bytes).unwrap()
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
fn the_estimate_counts_what_is_written() {
    // Seven bits: three full adders of 2 bits in the first column, and one in the second, whose carry is the
    // answer; the sum has 2 bits, and the class is looked up in them. With registers: two full adders, then 1 + 2
    // bits and 2 + 3 bits, two additions between registers; the answer, the outputs.
    let inputs = (0..7).map(|j| input(&format!("x{j}"), 0, 1)).collect();
    let majority = gate(0, &(0..7).map(|j| (j, 1)).collect::<Vec<_>>(), -4);
    let stack = Stack { layers: vec![vec![majority]], amplitudes: vec![2], offset: -1 };
    let found = Resources::of(&circuit(inputs, vec![stack], sign()));
    let expected = Resources {
        input_bits: 7,
        output_bits: 3,
        products: 0,
        adders: 5,
        adder_bits: 10,
        comparators: 0,
        comparator_bits: 0,
        tables: 1,
        table_bits: 1,
        depth: 4, // the class does not wait for the constant of the sum
        registers: 5 + 1 + 3 + 3,
        latency: 3,
    };
    assert_eq!(found, expected);
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
            let Some((proven, said)) = solve(&format!("{name}_axis"), folder.path()) else {
                return;
            };
            assert_eq!(
                proven && said.contains("SUCCESS!"),
                from.is_empty(),
                "{name} {from}: {said}"
            );
        }
    }
}

#[test]
fn texts_that_are_never_written_are_refused() {
    use Form::{Combinational, Pipelined, Serial};
    let circuit = two_layers();
    let refused = |circuit: &Circuit, form: Form, from: &str, to: &str| {
        let found = after(circuit, form, from, to);
        assert!(found.is_err(), "{form:?}: {to} for {from}: {found:?}");
    };
    // The types of the ports around the inputs, and ports that nobody knows.
    for port in ["clk", "reset", "valid_in"] {
        let (from, to) = (format!("input {port},"), format!("input [1:0] {port},"));
        refused(&circuit, Pipelined, &from, &to);
        refused(&circuit, Serial, &from, &to);
    }
    refused(&circuit, Pipelined, "output valid_out", "output signed valid_out");
    refused(&circuit, Serial, "output ready", "output [3:0] ready");
    refused(&circuit, Combinational, "output class_x", "output class_x,\n    output more");
    // Registers that are set whole and by bits.
    let whole = "SUM <= K;\n                end";
    refused(&circuit, Serial, whole, &format!("ANSWERS <= 0;\n                    {whole}"));
    // Labels of a case with other bits than what is compared.
    refused(&circuit, Serial, "2'd0: SUM", "3'd0: SUM");
    refused(&circuit, Serial, "case (DO)", "case (DO + 1'b0 + 3'd0)");
    // The width of the buses says nothing about the network.
    refused(&circuit, Combinational, "assign class_x = ", "assign class_x = WIDTH > 8 ? 1'b1 : ");
    // Bits of a table that are driven twice, and places that are computed.
    let tables = tables();
    let text = text_of(&tables, ".v");
    let line = text.lines().find(|line| line.contains("[0] = ")).expect("a table");
    for to in ["[0+0] = ", "[1-1] = ", "[0] = "] {
        let twice = format!("{line}\n{}", line.replace("[0] = ", to));
        refused(&tables, Combinational, line, &twice);
    }
    refused(&tables, Combinational, line, &line.replace("[0] = ", "[64] = "));
    // A local parameter has the size of its value.
    let latency = text_of(&circuit, "_pipelined.v");
    let at = latency.find("localparam LATENCY = ").expect("a latency");
    let number = latency[at..].lines().next().expect("a line");
    let sized = number.replace("= ", "= 1'd").replace("1'd", "4'd");
    assert_eq!(after(&circuit, Pipelined, number, &sized), Ok(None));
    let joined = format!("{sized}\n    wire [7:0] T = {{LATENCY, LATENCY}};\n    assign sum = T;");
    assert_ne!(after(&circuit, Pipelined, number, &joined), Ok(None));
    // Numbers beyond 128 bits stay unknown, whatever is subtracted from them.
    let huge = "64'd9223372036854775807 * 64'd9223372036854775807 * 64'd9223372036854775807";
    let zero = format!("assign sum = {huge} - {huge} + ");
    assert_ne!(after(&circuit, Combinational, "assign sum = ", &zero), Ok(None));
}
