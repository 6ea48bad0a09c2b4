//! Progress: every command says at once what it does, on a terminal or where it is asked to;
//! nowhere else.

use assert_cmd::cargo::cargo_bin_cmd;

use super::{Folder, samples};

/// What a command prints on standard error, with or without lines about its progress.
fn told(line: &str, lines: bool) -> String {
    let mut command = cargo_bin_cmd!("hardlim");
    command.args(line.split_whitespace()).env_remove("HARDLIM_PROGRESS");
    if lines {
        command.env("HARDLIM_PROGRESS", "lines");
    }
    let output = command.output().expect("ran");
    assert_eq!(output.status.code(), Some(0), "{line}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn every_command_says_what_it_does_and_only_where_it_is_asked() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(40));
    let model = folder.model("m", &table, &["--beta", "1"]);
    let out = |name: &str| folder.file(name);
    let commands = [
        (format!("describe {table}"), vec!["reading "]),
        (format!("train {table} --beta 1"), vec!["reading ", "training"]),
        (format!("train {table}"), vec!["reading ", "networks trained to choose"]),
        (format!("train {table} --cv 3 --method sample --patterns 50"), vec!["networks trained"]),
        (format!("train {table} --time-limit 5 --beta 1"), vec!["training, at most 5 s"]),
        (format!("predict {model} {table} -o {}", out("p.csv")), vec!["predicting"]),
        (format!("evaluate {model} {table}"), vec!["reading ", "scoring 40 rows"]),
        (format!("certify {model} {table}"), vec!["reading ", "checking the certificate"]),
        (format!("explain {model} {table}"), vec!["putting the neurons into words"]),
        (format!("importance {model} {table}"), vec!["training again without each column"]),
        (format!("path {table} --points 3 --patterns 50"), vec!["strengths solved"]),
        (format!("halfspace {table}"), vec!["searching for a halfspace"]),
        (format!("arrangements {table} --count-only"), vec!["counting how many patterns"]),
        (format!("interpolate {table}"), vec!["searching for the network of least norm"]),
        (
            format!("baseline {table} --beta 1 --epochs 3"),
            vec!["training by gradient descent", "epoch"],
        ),
    ];
    for (line, words) in commands {
        let lines = told(&line, true);
        for words in words {
            assert!(lines.contains(words), "{line}: {words:?} is not in\n{lines}");
        }
        assert_eq!(told(&line, false), "", "{line}");
    }
}
