//! `hardlim report`: what is written, said and refused. What browsers make of it is in
//! `python/hardlim/tests/test_browser.py`.

use std::fs;

use serde_json::{Value, json};

use super::{Folder, refused, run, samples};

const PENGUINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/penguins.csv");

/// The object in the report of a model on some data, with more flags.
fn reported(folder: &Folder, model: &str, data: &str, flags: &str) -> Value {
    let path = folder.file("report.html");
    super::run_line(&format!("report {model} {data} -o {path} {flags}")).text(0);
    payload(&path)
}

/// The object inside a page.
fn payload(path: &str) -> Value {
    let page = fs::read_to_string(path).expect("a page");
    let (_, rest) = page.split_once("id=\"payload\">").expect("an object");
    let (object, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(object).expect("JSON")
}

#[test]
fn a_report_is_one_file_that_loads_nothing() {
    let folder = Folder::new();
    let model = folder.model("titanic.hardlim", "titanic", &["--beta", "10"]);
    let path = folder.file("report.html");
    let text = run(&["report", &model, "titanic", "-o", &path]);
    let text = text.text(0);
    assert!(text.starts_with("Certified: no two-layer threshold network"), "{text}");
    assert!(text.contains("\n  problem    survived from class, age, sex; "), "{text}");
    assert!(text.contains("report written to"), "{text}");
    let page = fs::read_to_string(&path).expect("a page");
    // The only address is the name of a language of pictures.
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"));
    assert!(page.contains("default-src 'none'"));
    let object = payload(&path);
    assert_eq!((&object["verdict"]["holds"], &object["rows"]), (&json!(true), &json!(2201)));
    let commands = &object["origin"]["commands"];
    assert_eq!(commands[0], format!("hardlim train titanic --beta 10 -o {model}"));
    assert_eq!(commands[1], format!("hardlim certify {model} titanic"));
    // The same again gives the same bytes, and nothing else is left in the folder.
    let object = run(&["report", &model, "titanic", "-o", &path, "--json"]).json(0);
    assert_eq!((&object["holds"], &object["bytes"]), (&json!(true), &json!(page.len())));
    assert_eq!(fs::read_to_string(&path).expect("a page"), page);
    assert_eq!(folder.names(), ["report.html", "titanic.hardlim"]);
}

#[test]
fn held_out_rows_are_scored_apart() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(100));
    let model = folder.model("l.hardlim", &data, &["--beta", "1", "--holdout", "0.3"]);
    let object = reported(&folder, &model, &data, "");
    assert_eq!(object["quality"]["n"], 30);
    let on = object["score"]["on"].as_str().expect("words");
    assert_eq!(on, "on 30 rows that were held out of training");
    assert!(object["score"]["error"].is_string());
}

#[test]
fn the_command_in_the_report_makes_the_model_again() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(80));
    let model = folder.file("l.hardlim");
    let flags = "--method sample --patterns 50 --cv 3 --no-bias --loss squared-hinge --seed 7";
    let flags: Vec<&str> = flags.split(' ').collect();
    let first = fs::read(folder.model("l.hardlim", &data, &flags)).expect("a model");
    let object = reported(&folder, &model, &data, "");
    let command = object["origin"]["commands"][0].as_str().expect("a command").to_owned();
    fs::remove_file(&model).expect("there");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(run(&words).code, 0, "{command}");
    assert_eq!(fs::read(&model).expect("a model"), first, "{command}");
    let on = object["score"]["on"].as_str().expect("words");
    assert_eq!(on, "expected on new rows, by cross-validation on 3 folds");
}

#[test]
fn other_rows_are_scored_and_the_certificate_is_not_checked() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(60));
    let model = folder.model("l.hardlim", &data, &["--beta", "1"]);
    let one = folder.write("one.csv", "a,b,label\n0.25,3,yes\n");
    let path = folder.file("report.html");
    let said = run(&["report", &model, &one, "-o", &path]);
    assert!(said.text(0).starts_with("Certificate not checked"), "{}", said.stdout);
    let object = payload(&path);
    assert_eq!((&object["verdict"]["holds"], &object["quality"]["n"]), (&json!(null), &json!(1)));
    // Without targets nothing is scored.
    let bare = folder.write("bare.csv", "b,a\n3,0.25\n-6,0\n");
    let object = reported(&folder, &model, &bare, "");
    assert_eq!((&object["quality"], &object["score"]), (&json!(null), &json!(null)));
}

#[test]
fn what_is_lost_without_an_input_is_proven_on_request() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(60));
    let model = folder.model("l.hardlim", &data, &["--beta", "1", "--max-inputs", "1"]);
    assert_eq!(reported(&folder, &model, &data, "")["lost"], json!(null));
    let lost = reported(&folder, &model, &data, "--importance")["lost"].clone();
    assert_eq!(lost.as_array().map(Vec::len), Some(2));
    assert!(lost[0]["at_least"].as_f64() >= lost[1]["at_least"].as_f64());
}

#[test]
fn a_forged_bound_is_not_certified_and_proves_nothing_about_inputs() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(60));
    let model = folder.model("l.hardlim", &data, &["--beta", "1", "--max-inputs", "1"]);
    let text = fs::read_to_string(&model).expect("a model");
    let at = text.find("\"lower_bound\":").expect("a bound") + "\"lower_bound\":".len();
    let end = at + text[at..].find(',').expect("more fields");
    let bound: f64 = text[at..end].trim().parse().expect("a number");
    let forged = folder.forged(&format!("{}{}{}", &text[..at], bound / 3.0 + 40.0, &text[end..]));
    let path = folder.file("report.html");
    let said = run(&["report", &forged, &data, "--importance", "-o", &path]);
    assert!(said.text(1).starts_with("The certificate does NOT hold: "), "{}", said.stdout);
    let object = payload(&path);
    assert_eq!((&object["verdict"]["holds"], &object["lost"]), (&json!(false), &json!(null)));
    assert!(!object["verdict"]["statement"].as_str().expect("words").contains("Certified"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_of_importances_is_exit_code_130_with_the_report_so_far() {
    let folder = Folder::new();
    let table = ["teacher2", "--rows", "600", "--features", "12"];
    let flags = [&table[1..], &["--beta-ratio", "0.02", "--time-limit", "2"]].concat();
    let model = folder.model("m", table[0], &flags);
    let path = folder.file("report.html");
    for (signal, command) in [("-INT", "report"), ("-TERM", "importance")] {
        let mut arguments = [&[command, &model], &table[..], &["--time-limit", "100"]].concat();
        if command == "report" {
            arguments.extend(["--importance", "-o", &path]);
        }
        let mut running = super::running::Running::start(&arguments);
        running.until(|line| line.contains("training again without each column"));
        running.signal(signal);
        let output = running.output();
        assert_eq!(output.status.code(), Some(130), "{command}: {output:?}");
    }
}

#[test]
fn convergence_is_that_of_all_networks_together() {
    let folder = Folder::new();
    let model = folder.model("three", PENGUINS, &["--beta", "3", "--max-inputs", "1"]);
    let object = reported(&folder, &model, PENGUINS, "");
    let trace = object["origin"]["trace"].clone();
    let trace: Vec<[f64; 2]> = serde_json::from_value(trace).expect("pairs");
    assert!(trace.len() > 1);
    for pair in trace.windows(2) {
        let rounding = 1e-9 * pair[0][0];
        assert!(pair[1][1] >= pair[0][1] - rounding, "a bound fell: {pair:?}");
    }
    // The last check of the solver and the certificate differ by rounding at most.
    let objective = object["verdict"]["bars"][0]["objective"].as_f64().expect("a number");
    let last = trace.last().expect("points")[0];
    assert!((last / objective - 1.0).abs() < 1e-3, "{last} and {objective}");
}

#[test]
fn a_mean_of_networks_says_so_instead() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(80));
    let model = folder.model("mean", &data, &["--average", "3", "--inputs", "2"]);
    let origin = reported(&folder, &model, &data, "")["origin"].clone();
    let facts = origin["facts"].as_array().expect("facts");
    let words = "the mean of 3 networks, each trained for itself";
    assert!(facts.contains(&json!(["average", words])), "{facts:?}");
    assert_eq!(origin["trace"], json!([]));
}

#[test]
fn a_large_report_stays_small() {
    let folder = Folder::new();
    let row = |i: usize| {
        let cell = |j: usize| ((i * (7 + 3 * j) + i * i * (j + 1)) % 1009) as f64 / 8.0;
        let sum: f64 = (0..12).map(|j| cell(j) * (j as f64 - 5.0)).sum();
        let cells: String = (0..12).map(|j| format!("{},", cell(j))).collect();
        format!("{cells}{}\n", if sum > 400.0 { "yes" } else { "no" })
    };
    let names: String = (0..12).map(|j| format!("input number {j},")).collect();
    let text = format!("{names}y\n") + &(0..5000).map(row).collect::<String>();
    let data = folder.write("large.csv", text);
    let flags = ["--method", "sample", "--patterns", "300", "--beta-ratio", "0.001"];
    let model = folder.model("large.hardlim", &data, &flags);
    let path = folder.file("report.html");
    let object = run(&["report", &model, &data, "-o", &path, "--json"]).json(0);
    let neurons =
        payload(&path)["networks"][0]["layers"][0]["sizes"].as_array().map_or(0, Vec::len);
    assert!(neurons >= 200, "{neurons} neurons");
    assert!(object["bytes"].as_u64() <= Some(300_000), "{object} for {neurons} neurons");
}

#[test]
fn what_does_not_fit_is_said() {
    let folder = Folder::new();
    let data = folder.write("l.csv", samples::labelled(40));
    let model = folder.model("l.hardlim", &data, &["--beta", "1"]);
    let path = folder.file("report.html");
    refused(&format!("report {model} titanic -o {path}"), "\"a\"");
    refused(&format!("report {model} {data} -o {data}"), "DATA names the same file");
    refused(&format!("report {model} {data} -o {}/no/r.html", folder.file("x")), "no directory");
    refused(&format!("report {data} {data} -o {path}"), "not a hardlim model file");
    let empty = folder.write("empty.csv", "a,b\n");
    refused(&format!("report {model} {empty} -o {path}"), "empty.csv");
    let missing = run(&["report", &model, &data]);
    assert!(missing.usage().contains("--output"), "{}", missing.stderr);
    assert!(!folder.names().contains(&"report.html".into()));
}
