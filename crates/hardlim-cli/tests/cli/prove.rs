//! `hardlim prove`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Folder, json, run, samples, says};

/// What `check.py` of a proof says, with its exit code; none if there is no Python.
fn believed(proof: &str, data: &[&str]) -> Option<(Option<i32>, String)> {
    let check = Path::new(proof).join("check.py");
    let Ok(output) = Command::new("python3").arg(check).args(data).output() else {
        eprintln!("python3 is not there: check.py is not run");
        return None;
    };
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.code(), String::from_utf8(said).unwrap()))
}

#[test]
fn a_proof_is_written_and_believed_and_an_altered_one_is_not() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(40));
    let model = folder.model("m", &table, &["--max-inputs", "2", "--beta", "0.5"]);
    let proof = folder.file("proof");
    let report = run(&["prove", &model, &table, "-o", &proof]);
    let text = report.text(0);
    assert!(text.starts_with("Proven: no "), "{text}");
    for name in ["statement.json", "core.txt", "check.py", "README.md"] {
        assert!(Path::new(&proof).join(name).is_file(), "{name}");
    }
    if let Some((code, said)) = believed(&proof, &[&table]) {
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("PROVEN: no network of the class is below"), "{said}");
    }
    // Another table, and a bound that is too high.
    let other = folder.write("other.csv", samples::labelled(40).replacen("yes", "no", 1));
    if let Some((code, said)) = believed(&proof, &[&other]) {
        assert!(code == Some(1) && said.contains("the rows are those of the file"), "{said}");
    }
    // A network that counts twice.
    let statement = Path::new(&proof).join("statement.json");
    let stated = fs::read_to_string(&statement).unwrap();
    let mut twice: serde_json::Value = serde_json::from_str(&stated).unwrap();
    let networks = twice["networks"].as_array_mut().unwrap();
    networks.push(networks[0].clone());
    fs::write(&statement, twice.to_string()).unwrap();
    if let Some((code, said)) = believed(&proof, &[&table]) {
        assert!(code == Some(1) && said.contains("one network for each class"), "{said}");
    }
    fs::write(&statement, stated).unwrap();
    let core = Path::new(&proof).join("core.txt");
    let text = fs::read_to_string(&core).unwrap();
    let higher = |line: &str| match line.strip_prefix("bound ") {
        Some(bound) => format!("bound 1{bound}\n"),
        None => format!("{line}\n"),
    };
    fs::write(&core, text.lines().map(higher).collect::<String>()).unwrap();
    if let Some((code, said)) = believed(&proof, &[]) {
        assert!(code == Some(1) && said.starts_with("NOT PROVEN"), "{said}");
    }
}

#[test]
fn json_has_the_bound_the_sizes_and_the_time() {
    let folder = Folder::new();
    let model = folder.file("m");
    let trained = json(&format!("train titanic --beta 10 -o {model}"));
    let object = json(&format!("prove {model} titanic -o {}", folder.file("proof")));
    let (proven, stated) = (&object["lower_bound"], &trained["certificate"]["lower_bound"]);
    let off = proven.as_f64().unwrap() / stated.as_f64().unwrap() - 1.0;
    assert!(off.abs() <= 1e-9, "{proven} {stated}");
    assert!(object["bytes"].as_u64().unwrap() > 1000 && object["seconds"].is_number());
    assert!(object["files"]["core.txt"].as_u64().unwrap() > 100);
    let certified = json(&format!("certify {model} titanic"));
    assert_eq!(certified["proofs"]["certificate"], true);
}

#[test]
fn what_has_no_proof_is_refused_before_any_work_and_says_what_is_possible() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let flags = ["--layers", "3", "--widths", "2", "--method", "sample", "--patterns", "20"];
    let model = folder.model("m", &table, &[&flags[..], &["--beta", "1"]].concat());
    let proof = folder.file("proof");
    let ran = run(&["prove", &model, &table, "-o", &proof]);
    says(ran.error(), &["more than two layers", "--all-networks"]);
    assert!(!Path::new(&proof).exists());
    run(&["certify", &model, &table]).says(&["hardlim prove --all-networks writes one"]);
    run(&["prove", &model, &table, "-o", &proof, "--all-networks"]).text(0);
    // The folder is full now.
    let ran = run(&["prove", &model, &table, "-o", &proof, "--all-networks"]);
    says(ran.error(), &["not empty"]);
}

#[test]
fn other_data_are_exit_code_1() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let model = folder.model("m", &table, &["--max-inputs", "1", "--beta", "1"]);
    let other = folder.write("other.csv", samples::labelled(30).replacen("yes", "no", 1));
    let proof = folder.file("proof");
    let ran = run(&["prove", &model, &other, "-o", &proof]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    says(&ran.stderr, &["not the training data of the model"]);
    assert!(!Path::new(&proof).exists());
}
