//! `hardlim export`: what is written gives the model's answers, as far as the tools are there to
//! ask.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Folder, refused, run, run_line, samples};

/// Three classes of points in the plane.
fn three_classes() -> String {
    let row = |i: usize| {
        let (a, b) = ((i * 7 % 11) as f64 * 0.25, i * 5 % 13);
        let class = ["low", "high", "none"][if a + b as f64 > 9.0 { 1 } else { 2 * (i % 2) }];
        format!("{a},{b},{class}\n")
    };
    "a,b,class\n".to_owned() + &(0..60).map(row).collect::<String>()
}

/// Exports and verifies; every check that could be made found no difference.
fn verified(model: &str, data: &str, target: &str, folder: &str, flags: &str) -> Value {
    let line = format!("export {model} --to {target} -o {folder} --verify --json --data {data}");
    let json = run_line(&format!("{line} {flags}")).json(0);
    assert!(!checks(&json).is_empty());
    for check in checks(&json) {
        assert!(check["mismatches"].is_null() || check["mismatches"] == 0, "{check}");
        let skipped = !check["skipped"].is_null();
        assert!(!skipped || (check["install"].is_string() && !required(check)), "{check}");
    }
    assert!(json["rounded_neurons"].is_null() || json["rounded_neurons"] == 0);
    json
}

fn checks(json: &Value) -> &[Value] {
    json["checks"].as_array().expect("a list")
}

/// Whether a tool has to be there: those of HARDLIM_TOOLS, names with spaces between them.
fn required(check: &Value) -> bool {
    let tools = std::env::var("HARDLIM_TOOLS").unwrap_or_default();
    tools.split_whitespace().any(|tool| check["tool"] == tool)
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("a text")
}

#[test]
fn rules_of_two_conditions_are_explained_in_full_and_exported() {
    let folder = Folder::new();
    let data = folder.write("three.csv", three_classes());
    let path = folder.file("rules.hardlim");
    let ran = run_line(&format!("train {data} --conditions 2 --beta 1 -o {path}"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.says(&["the Lasso over all patterns of rules of two conditions: "]);
    assert_eq!(run(&["certify", &path, &data]).code, 0);
    let explained = run(&["explain", &path, &data]);
    explained.says(&[" and "]);
    assert!(!explained.stdout.contains("Layer"), "{}", explained.stdout);
    for target in ["c", "verilog"] {
        let json = verified(&path, &data, target, &folder.file(target), "--random 100");
        assert!(!checks(&json).is_empty());
    }
}

#[test]
fn few_bits_are_trained_told_and_exported() {
    let folder = Folder::new();
    let data = folder.write("three.csv", three_classes());
    let path = folder.file("few.hardlim");
    let ran = run_line(&format!("train {data} --bits 3 --beta-ratio 0.1 -o {path}"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("note: --bits 3: 2 numbers of at most 3 bits"), "{}", ran.stdout);
    assert_eq!(run(&["certify", &path, &data]).code, 0);
    for target in ["c", "rust", "verilog"] {
        let json = verified(&path, &data, target, &folder.file(target), "--random 100");
        assert_eq!(json["size"]["input_bits"], 3, "{json}");
    }
    let header = text(folder.file("c/few.h"));
    assert!(header.contains("#define FEW_OFFSET_B"), "{header}");
    for (flags, problem) in [
        ("--bits 0 --beta 1", "--bits must be between 1 and 16, got 0"),
        ("--weight-bits 4", "--weight-bits is about integer weights on rounded inputs: add --bits"),
        ("--bits 3 --weight-bits 1", "--weight-bits must be between 2 and 32, got 1"),
        ("--output-bits 3", "--output-bits is about few neurons: add --neurons"),
        ("--neurons 6 --output-bits 17", "--output-bits must be between 2 and 16, got 17"),
        ("--neurons 6 --output-bits 3", "--output-bits is for two classes"),
    ] {
        refused(&format!("train {data} {flags}"), problem);
    }
}

#[test]
fn rows_as_people_have_them_get_the_predictions_of_the_model() {
    let folder = Folder::new();
    let row = |i: usize| {
        let size = match i % 11 {
            3 => "NA".into(),
            _ => format!("{:.3}", (i * 37 % 90) as f64 * -0.73 + 20.0),
        };
        let level = ["low", "\"so, so\"", "h\u{f6}ch", ""][i % 4];
        let grade = ["1", "2.0", "2", "n"][i * 5 % 4];
        format!("{size},{level},{grade},{}\n", (i * 37 % 90 + 9 * (i % 4)) / 33)
    };
    let rows: String = (0..90).map(row).collect();
    let data = folder.write("rows.csv", format!("size,\"the, level\",grade,y\n{rows}"));
    for (task, ratio) in [("classify", "0.02"), ("regress", "0.1")] {
        let flags =
            ["--bits", "6", "--task", task, "--categorical", "grade", "--beta-ratio", ratio];
        let (model, to) =
            (folder.model(&format!("{task}.hardlim"), &data, &flags), folder.file(task));
        let line = format!("export {model} --to c --data {data} -o {to} --name n");
        assert_eq!(run_line(&line).code, 0);
        let made = Command::new("make").args(["-C", &to, "n_main", "CFLAGS=-O1"]).output();
        let Ok(made) = made else { return };
        let said = String::from_utf8_lossy(&made.stderr);
        if !made.status.success() && said.contains("not found") {
            return;
        }
        assert!(made.status.success(), "{said}");
        let rows = fs::File::open(&data).expect("there");
        let ran = Command::new(format!("{to}/n_main")).stdin(rows).output().expect("it runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let answers = String::from_utf8(ran.stdout).expect("text");
        let predicted = run(&["predict", &model, &data]).stdout;
        let expected =
            predicted.lines().skip(1).map(|line| line.split(',').next().expect("a field"));
        let number = |text: &str| text.parse::<f64>().expect("a number");
        assert_eq!(answers.lines().count(), 90);
        for (own, expected) in answers.lines().zip(expected) {
            assert!((number(own) - number(expected)).abs() <= 1e-9, "{task}: {own} {expected}");
        }
    }
}

#[test]
fn a_budget_of_luts_is_kept_and_every_size_is_told() {
    let folder = Folder::new();
    let model = folder.model("titanic", "titanic", &["--beta", "10"]);
    let to = |name: &str, more: &str| {
        format!("export {model} --data titanic -o {} {more}", folder.file(name))
    };
    refused(&to("c", "--to c --budget 100"), "--budget 100 counts LUTs");
    let ran = run_line(&to("small", "--to verilog --budget 60 --json"));
    if ran.stderr.contains("Yosys, which is missing") {
        return;
    }
    let json = ran.json(0);
    let tried = json["budget"]["tried"].as_array().expect("a list");
    let chosen: Vec<&Value> = tried.iter().filter(|t| t["chosen"] == true).collect();
    assert_eq!(chosen.len(), 1, "{json}");
    let luts = chosen[0]["luts"].as_u64().expect("a number");
    assert!(luts <= 60 && tried.len() > 3, "{json}");
    assert!(chosen[0]["output_bits"].as_u64().is_some_and(|bits| bits >= 2), "{json}");
    assert!(tried[0]["bits"].is_null() && tried[0]["luts"].is_null());
    let enough = json["budget"]["enough"].as_f64().expect("a number");
    for t in tried.iter().filter(|t| t["luts"].as_u64().is_some_and(|own| own < luts)) {
        assert!(t["score"].as_f64().expect("a number") < enough, "{t}");
    }
    let none = "--budget 0: no circuit has so few LUTs";
    refused(&to("none", "--to verilog --budget 0"), none);
    assert!(!folder.path().join("none").exists());
}

#[test]
fn programs_answer_as_networks_of_all_kinds() {
    let folder = Folder::new();
    let classes = folder.write("three.csv", three_classes());
    let numbers = folder.write("numbers.csv", samples::regression(40));
    let sample = "--method sample";
    let deep = "--layers 3 --widths 3 --method sample --patterns 60";
    let cases: [(&str, &str); 8] = [
        ("titanic", "--beta 10"),
        ("tic-tac-toe", "--beta 10"),
        ("line", "--layers 3 --widths 2"),
        (&classes, sample),
        (&numbers, sample),
        (&classes, deep),
        ("titanic", sample),
        ("titanic", deep),
    ];
    for (k, (data, flags)) in cases.into_iter().enumerate() {
        let flags: Vec<&str> = flags.split(' ').collect();
        let model = folder.model(&format!("m{k}"), data, &flags);
        let styles = ["--random 2000", "--random 2000 --constant-time"];
        for (style, flags) in styles.into_iter().take(if k < 3 { 2 } else { 1 }).enumerate() {
            for target in ["c", "rust"] {
                let out = folder.file(&format!("{k}-{target}-{style}"));
                let json = verified(&model, data, target, &out, flags);
                assert!(json["checked_on"]["pairs"].as_u64() > Some(0), "{json}");
                assert!(text(format!("{out}/m{k}_report.md")).contains("0 mismatches"));
            }
        }
    }
    // The integer model is beside it, and its certificate holds.
    assert_eq!(run(&["certify", &folder.file("0-c-0/m0.hardlim"), "titanic"]).code, 0);
}

#[test]
fn verilog_is_simulated_and_a_small_circuit_is_proven() {
    let folder = Folder::new();
    for (data, flags) in
        [("titanic", &["--beta", "10"][..]), ("line", &["--layers", "3", "--widths", "2"])]
    {
        let (model, out) =
            (folder.model(data, data, flags), folder.file(&format!("{data}-verilog")));
        // Enough for every tool, on a busy machine too.
        let json = verified(&model, data, "verilog", &out, "--random 500 --time-limit 600");
        let by_yosys: Vec<&Value> =
            checks(&json).iter().filter(|check| check["tool"] == "yosys").collect();
        let skipped = by_yosys.iter().any(|check| check["skipped"] == true);
        let proven = by_yosys.iter().filter(|check| check["numbers"]["proven"] == true).count();
        assert!(skipped || proven == 3, "{by_yosys:?}"); // both modules and the stream
        let counted = |alone: bool| {
            let of = |check: &&&Value| check["numbers"]["class_alone"] == alone;
            by_yosys.iter().filter(of).filter(|check| check["numbers"]["luts"].is_u64()).count()
        };
        assert!(skipped || counted(false) == 4, "{by_yosys:?}");
        // A number has no class to count alone.
        assert!(skipped || (counted(true) > 0) == (data == "titanic"), "{by_yosys:?}");
        let lines = text(format!("{out}/{data}_vectors.hex")).lines().count();
        assert_eq!(Some(lines as u64), json["checked_on"]["rows"].as_u64());
    }
}

#[test]
fn held_out_rows_are_compared_and_are_no_promise() {
    let folder = Folder::new();
    // Numbers with many digits, which are rounded to a grid.
    let row = |i: usize| {
        let (a, b) = ((i as f64 * 0.618_033_9) % 1.0, (i as f64 * 0.414_213_5) % 1.0);
        let class = (a * 7.0).sin() + b > 1.0 + 0.1 * (i % 3) as f64;
        format!("{a},{b},{}\n", if class { "yes" } else { "no" })
    };
    let rows: String = (0..120).map(row).collect();
    let table = folder.write("numbers.csv", format!("a,b,class\n{rows}"));
    let model = folder.model("m", &table, &["--holdout", "0.4", "--method", "sample"]);
    let json = verified(&model, &table, "c", &folder.file("out"), "--random 200");
    let of = |is: &dyn Fn(&&Value) -> bool| checks(&json).iter().find(is).expect("a check").clone();
    let new = of(&|check| check["numbers"]["new_rows"].is_u64());
    assert_eq!(new["numbers"]["new_rows"], 48);
    assert_eq!(of(&|check| check["inputs"] == 72)["mismatches"], 0);
    let first = &new["numbers"]["first_row"];
    assert_eq!(first.is_u64(), new["numbers"]["other_outputs"] != 0, "{new}");
}

#[test]
fn a_header_says_where_it_comes_from_and_links_from_c_plus_plus() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let out = folder.file("out");
    verified(&model, "titanic", "c", &out, "--random 100");
    let (header, saved) = (text(format!("{out}/m.h")), text(format!("{out}/m.hardlim")));
    let sum = header.split("#define M_MODEL \"").nth(1).and_then(|rest| rest.split('"').next());
    let sum = sum.expect("a checksum");
    assert!(sum.len() == 64 && saved.contains(&format!("sha256:{sum}")), "{sum}");
    for line in [
        "#define M_IN_AGE 1",
        "#define M_SHIFT_AGE (0)",
        "#define M_MOST_AGE 7",
        "#define M_LABEL_0 \"",
    ] {
        assert!(header.contains(line), "{line} in {header}");
    }
    let main = "#include \"m.h\"\nint main() { m_input x[M_INPUTS] = {}; \
                const char *l[] = M_LABELS; return l[m_class(x)] == nullptr; }\n";
    fs::write(format!("{out}/main.cpp"), main).expect("a program");
    let tool = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).current_dir(&out).output()
    };
    let built = tool("cc", &["-c", "m.c"])
        .and_then(|_| tool("c++", &["-std=c++11", "main.cpp", "m.o", "-o", "main"]));
    match built {
        Ok(built) => assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr)),
        Err(_) => eprintln!("skipped for want of c++"),
    }
}

#[test]
fn a_header_says_how_dates_and_missing_values_become_inputs() {
    let folder = Folder::new();
    let rows = (1..29).map(|day| {
        let age = if day % 4 == 0 { String::new() } else { (20 + day).to_string() };
        format!("2024-02-{day:02},{age},{}\n", ["no", "yes"][usize::from(day % 3 == 0)])
    });
    let table = folder.write("t.csv", format!("since,age,sold\n{}", rows.collect::<String>()));
    let model = folder.model("m", &table, &["--beta", "1"]);
    let out = folder.file("out");
    verified(&model, &table, "c", &out, "--random 100");
    let header = text(format!("{out}/m.h"));
    for words in [
        "round(\"since.days\"); days since 1970-01-01, with the time of day as a fraction",
        "round(\"since.weekday\"); day of the week, from 1 for Monday to 7 for Sunday",
        "; 34 where it is missing",
        "round(\"age.missing\"); 1 where the value is missing, else 0",
    ] {
        assert!(header.contains(words), "{words} in {header}");
    }
}

#[test]
fn output_weights_are_rounded_unless_they_are_asked_for() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let line = |out: &str, more: &str| {
        format!("export {model} --to c -o {} --data titanic --json {more}", folder.file(out))
    };
    let json = |out: &str, more: &str| run_line(&line(out, more)).json(0);
    let (few, exact) = (json("few", ""), json("exact", "--exact-outputs"));
    assert!(few["few_bits"]["bits"].as_u64() < few["few_bits"]["bits_before"].as_u64(), "{few}");
    assert!(exact["few_bits"].is_null() && few["exponent"].as_i64() > exact["exponent"].as_i64());
    assert_eq!(run(&["certify", &folder.file("few/m.hardlim"), "titanic"]).code, 0);
    let narrow = json("narrow", "--output-bits 2");
    assert!(narrow["few_bits"]["bits"].as_u64() <= Some(2), "{}", narrow["few_bits"]);
    let exclude = "--output-bits 3 and --exact-outputs exclude each other";
    refused(&line("n", "--output-bits 1"), "--output-bits 1: it must be between 2 and 32");
    refused(&line("n", "--output-bits 3 --exact-outputs"), exclude);
    let onnx = line("o", "--exact-outputs").replace("--to c", "--to onnx");
    refused(&onnx, "--exact-outputs is for c, rust and verilog");
}

/// Every target, of two and three layers, for two and several classes.
#[test]
fn every_target_answers_as_the_model_and_its_report_lists_what_was_checked() {
    let folder = Folder::new();
    let classes = folder.write("classes.csv", three_classes());
    let sample = "--method sample --patterns 100 --beta-ratio 0.6 --weights integer";
    let sample: Vec<&str> = sample.split(' ').collect();
    let deep = ["--layers", "3", "--widths", "2"];
    let yosys = Command::new("yosys").arg("-V").output().is_ok();
    for (k, data) in ["titanic", &classes].into_iter().enumerate() {
        for layers in [2, 3] {
            let name = format!("m{k}_{layers}");
            let flags = [&sample[..], if layers == 3 { &deep } else { &[] }].concat();
            let model = folder.model(&name, data, &flags);
            // Proofs speak of every input.
            for (target, expected) in
                [("c", vec![true]), ("rust", vec![]), ("verilog", vec![yosys; 3]), ("onnx", vec![])]
            {
                let out = folder.file(&format!("{name}-{target}"));
                let json = verified(&model, data, target, &out, "--random 200");
                let report = text(format!("{out}/{name}_report.md"));
                for check in checks(&json) {
                    let what = check["what"].as_str().expect("text");
                    assert!(report.contains(what), "{target}: {what} in {report}");
                }
                let proven: Vec<bool> =
                    checks(&json).iter().filter_map(|c| c["numbers"]["proven"].as_bool()).collect();
                assert_eq!(proven, expected, "{target}: {json}");
            }
        }
    }
}

#[test]
fn classes_with_fractions_beside_wide_whole_numbers_have_one_grid() {
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/penguins.csv");
    let flags = ["--method", "sample", "--patterns", "1000", "--beta-ratio", "0.1"];
    let model = folder.model("penguins", data, &flags);
    let out = folder.file("firmware");
    assert_eq!(run(&["export", &model, "--to", "c", "--data", data, "-o", &out]).code, 0);
}

#[test]
fn a_time_limit_is_checked_and_names_what_it_left_out() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let out = folder.file("circuit");
    let line = format!("export {model} --to verilog --data titanic -o {out} --verify --time-limit");
    refused(&format!("{line} 0"), "--time-limit 0: it must be above zero");
    let done = run_line(&format!("{line} 0.001"));
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("proven: m equals"), "{}", done.stdout); // or not proven
    // Every check that was not made has a line, in the report and for scripts.
    let json: Value = serde_json::from_str(&text(format!("{out}/m_report.json"))).expect("JSON");
    let late: Vec<&str> = (checks(&json).iter().filter(|check| check["numbers"]["late"] == true))
        .map(|check| check["what"].as_str().expect("words"))
        .collect();
    let left_out = [
        "cells and depth of m",
        "cells and depth of m_pipelined",
        "cells and depth of m on an iCE40, if only the class is read",
        "both modules on all inputs",
    ];
    let words = left_out.map(|what| format!("left out, because the time was over: {what}"));
    assert_eq!(late, words);
    assert!(words.iter().all(|words| done.stdout.contains(words)), "{}", done.stdout);
    // So have the inputs of every simulation.
    for check in checks(&json).iter().filter(|check| check["tool"] == "iverilog") {
        let number = |key: &str| check[key].as_u64();
        let Some((inputs, rest)) = number("inputs").zip(number("left_out")) else { continue };
        assert_eq!(Some(inputs + rest), json["checked_on"]["inputs"].as_u64(), "{check}");
        let words = format!("; {rest} inputs left out");
        assert!(rest == 0 || done.stdout.contains(&words), "{words} in {}", done.stdout);
    }
}

#[test]
fn hostile_names_are_harmless_and_can_be_traced() {
    let folder = Folder::new();
    let header = "\"\"\"; rm -rf /\",</script>,int,*/ #error,\"a\nb\",@class@,@places@,priority,y";
    let row = |i: usize| {
        let cells: String = [7, 5, 3, 2, 30, 4, 6, 8].map(|k| format!("{},", i % k)).concat();
        format!("\n{cells}{}", ["*/", "@source@"][i % 2])
    };
    let rows: String = (0..30).map(row).collect();
    let table = folder.write("names.csv", format!("{header}{rows}\n"));
    let model = folder.model("int", &table, &["--method", "sample", "--beta-ratio", "0.5"]);
    verified(&model, &table, "onnx", &folder.file("onnx"), "--random 500");
    for target in ["c", "rust", "verilog"] {
        let out = folder.file(target);
        let json = verified(&model, &table, target, &out, "--random 500");
        assert_eq!(json["name"], "int_x");
        assert_eq!(json["inputs"][1]["name"], "</script>");
        assert_eq!(json["labels"], serde_json::json!(["*/", "@source@"]));
    }
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_is_left() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let damaged = folder.write("damaged", &fs::read(&model).unwrap()[..200]);
    let (before, out, absent) = (folder.names(), folder.file("out"), folder.file("absent"));
    let bare = format!("export {model} --to c -o {out}");
    refused(&bare, "has no integer weights: give its training data");
    refused(&format!("{bare} --data tic-tac-toe"), "tic-tac-toe");
    refused(&format!("export {model} --to pascal -o {out}"), "pascal");
    refused(&format!("export {model} --to pascal -o {out}"), "rust");
    refused(&format!("export {absent} --to c -o {out}"), "absent");
    refused(&format!("export {damaged} --to c -o {out}"), "damaged");
    refused(&format!("{bare} --name int --data titanic"), "--name int");
    refused(&format!("{bare} --name int --data titanic"), "try int_x");
    let nowhere = format!("export {model} --to c -o {}", folder.file("no/out"));
    refused(&nowhere, "no/out");
    refused(&nowhere, "there is no directory");
    assert_eq!(folder.names(), before);
    fs::create_dir(&out).unwrap();
    fs::write(format!("{out}/precious"), "").unwrap();
    refused(&format!("{bare} --data titanic"), "the folder is not empty");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
}

#[test]
fn onnx_of_any_weights_is_checked_where_onnxruntime_is() {
    let folder = Folder::new();
    let classes = folder.write("three.csv", three_classes());
    let numbers = folder.write("numbers.csv", samples::regression(40));
    let tool = Value::from("onnxruntime");
    for (k, data) in ["titanic", &classes, &numbers].into_iter().enumerate() {
        let model = folder.model(&format!("m{k}"), data, &["--method", "sample"]);
        let whole = ["--method", "sample", "--weights", "integer"];
        let integer = folder.model(&format!("i{k}"), data, &whole);
        for (model, exact) in [(&model, false), (&integer, true)] {
            let out = format!("{model}-onnx");
            let json = verified(model, data, "onnx", &out, "--random 500");
            assert_eq!((&json["exact"], &json["checks"][0]["tool"]), (&exact.into(), &tool));
            let name = json["name"].as_str().expect("a name");
            for file in [".onnx", "_check.py", "_vectors.f64", "_report.md", "_report.json"] {
                assert!(Path::new(&out).join(format!("{name}{file}")).is_file(), "{file}");
            }
        }
    }
}

#[test]
fn the_rules_of_a_model_are_written() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let out = folder.file("rules");
    let line = format!("export {model} --to markdown --data titanic -o {out}");
    refused(&format!("{line} --verify"), "there is nothing to run with --to");
    assert_eq!(run_line(&line).code, 0);
    let rules = run_line(&format!("explain {model} titanic --all")).stdout;
    assert_eq!(text(format!("{out}/m.md")), rules);
}

/// A correct circuit was refused, because its sum was written in another way than expected.
#[test]
fn neurons_that_share_tables_with_few_output_bits_are_not_refused() {
    let folder = Folder::new();
    let row = |i: usize| {
        let value = |k: usize| (i * k % 17) % 7;
        let class = ["bad", "good"][usize::from(value(3) + 2 * value(5) + value(11) % 3 > 9)];
        format!("{},{},{},{},{class}\n", value(3), value(5), value(7), value(11))
    };
    let rows: String = (0..200).map(row).collect();
    let data = folder.write("t.csv", format!("a,b,c,d,y\n{rows}"));
    let few = ["--max-inputs", "1", "--bits", "2", "--neurons", "20", "--output-bits", "3"];
    let model = folder.model("few", &data, &few);
    let json = verified(&model, &data, "verilog", &folder.file("circuit"), "--random 500");
    assert_eq!(json["name"], "few");
}
