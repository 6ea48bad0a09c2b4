//! `hardlim certify`.

use std::fs;

use super::{Folder, json, run, run_with, samples};

#[test]
fn what_was_trained_holds_in_words_and_in_json() {
    let folder = Folder::new();
    let model = folder.file("m");
    let trained = json(&format!("train titanic --beta 10 -o {model}"));
    let ran = run(&["certify", &model, "titanic"]);
    assert!(ran.text(0).starts_with("The certificate holds: computed again from"));
    let object = json(&format!("certify {model} titanic"));
    assert_eq!(object["holds"], true);
    for field in ["objective", "certificate", "global"] {
        assert_eq!(object[field], trained[field], "{field}");
    }
}

#[test]
fn other_data_are_exit_code_1() {
    let folder = Folder::new();
    let text = samples::labelled(50);
    let table = folder.write("t.csv", &text);
    let model = folder.model("m", &table, &[]);
    let other = folder.write("other.csv", text.replacen("yes", "no", 1));
    let ran = run(&["certify", &model, &other]);
    assert!(ran.text(1).starts_with("The certificate is about other data"));
    let object = run(&["certify", &model, &other, "--json"]).json(1);
    assert_eq!(object["holds"], false);
    assert!(object["reason"].is_string());
    // Columns and blank space may move, as long as the problem is the same.
    let moved: String = text
        .lines()
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            format!("{};  {}; {}\n", cells[1], cells[2], cells[0])
        })
        .collect();
    let moved = folder.write("moved.csv", moved);
    run(&["certify", &model, &moved])
        .says(&["file         another one, with the rows of training as encoded"]);
    run(&["certify", &model, &table]).says(&["file         that of training, to the last byte"]);
    for (file, same) in [(&table, true), (&moved, false)] {
        let object = json(&format!("certify {model} {file}"));
        assert_eq!(object["same_files"], same);
        assert_eq!(
            (
                object["fingerprint"].as_str().unwrap().len(),
                object["files"].as_array().unwrap().len()
            ),
            (64, 1)
        );
    }
    // Standard input is hashed while it is read.
    let object = run_with(&["certify", &model, "-", "--json"], text.as_bytes()).json(0);
    assert_eq!(object["same_files"], true);
}

#[test]
fn an_altered_model_is_exit_code_2() {
    let folder = Folder::new();
    let model = folder.model("m", "line", &[]);
    let text = fs::read_to_string(&model).unwrap();
    let at = text.find("\"objective\":").unwrap() + "\"objective\":0.".len();
    let mut altered = text.clone().into_bytes();
    altered[at] = if altered[at] == b'1' { b'2' } else { b'1' };
    let path = folder.write("altered", altered);
    let error = format!("cannot read {path}: its checksum is wrong: the file was changed");
    for command in ["certify", "predict", "evaluate"] {
        assert_eq!(run(&[command, &path, "line"]).error(), error);
    }
    let cut = folder.write("cut", &text[..text.len() / 2]);
    let error = format!("cannot read {cut}: it is not a hardlim model file");
    assert_eq!(run(&["certify", &cut, "line"]).error(), error);
}

#[test]
fn what_is_no_model_is_refused() {
    let folder = Folder::new();
    for (name, bytes) in [("empty", &b""[..]), ("text", b"a,b\n1,2\n"), ("bytes", &[0xff; 5000])] {
        let path = folder.write(name, bytes);
        let error = format!("cannot read {path}: it is not a hardlim model file");
        assert_eq!(run(&["certify", &path, "line"]).error(), error);
    }
    let absent = folder.file("absent");
    let error = run(&["certify", &absent, "line"]);
    assert_eq!(
        error.error(),
        format!("cannot read {absent}: No such file or directory (os error 2)")
    );
    let here = folder.file("");
    let error = run(&["certify", &here, "line"]);
    assert_eq!(error.error(), format!("cannot read {here}: Is a directory (os error 21)"));
}

#[test]
fn a_table_that_does_not_fit_the_model_is_exit_code_2() {
    let folder = Folder::new();
    let model = folder.model("m", "line", &[]);
    let error = run(&["certify", &model, "titanic"]);
    assert!(error.error().starts_with(r#"cannot read titanic: no column "x""#));
}
