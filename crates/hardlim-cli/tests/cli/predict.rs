//! `hardlim predict`.

use std::fs;

use super::{Folder, json, run, samples};

#[test]
fn answers_go_to_standard_output_or_into_a_file() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(40));
    let model = folder.model("m", &table, &[]);
    let printed = run(&["predict", &model, &table]);
    let lines: Vec<&str> = printed.text(0).lines().collect();
    assert_eq!((lines.len(), lines[0]), (41, "prediction,output"));
    for line in &lines[1..] {
        let (label, output) = line.split_once(',').unwrap();
        let output: f64 = output.parse().unwrap();
        assert_eq!(label, if output >= 0.0 { "yes" } else { "no" });
    }
    let out = folder.file("out.csv");
    let ran = run(&["predict", &model, &table, "-o", &out]);
    assert_eq!(ran.text(0), format!("40 predictions written to {out}\n"));
    assert_eq!(fs::read_to_string(&out).unwrap(), printed.stdout);
    assert_eq!(folder.names(), ["m", "out.csv", "t.csv"]);
}

#[test]
fn the_target_may_be_there_and_columns_may_come_in_any_order() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(40));
    let model = folder.model("m", &table, &[]);
    let expected = run(&["predict", &model, &table]);
    let text = samples::labelled(40);
    let rearranged: String = (text.lines().enumerate())
        .map(|(i, row)| {
            let cells: Vec<&str> = row.split(',').collect();
            let other = if i == 0 { "other".to_owned() } else { i.to_string() };
            format!("{},{other},{}\n", cells[1], cells[0])
        })
        .collect();
    let new = folder.write("new.csv", rearranged);
    assert_eq!(run(&["predict", &model, &new]).text(0), expected.text(0));
}

#[test]
fn json_holds_answers_and_outputs() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let model = folder.model("m", &table, &[]);
    let out = folder.file("out.csv");
    let object = json(&format!("predict {model} {table} -o {out}"));
    has!(object, { "n": 30, "file": out });
    assert_eq!(object["predictions"].as_array().unwrap().len(), 30);
    assert!(object["predictions"][0].is_string() && object["outputs"][29].is_number());
    let table = folder.write("r.csv", samples::regression(30));
    let model = folder.model("r", &table, &[]);
    let object = json(&format!("predict {model} {table}"));
    assert_eq!(object["predictions"], object["outputs"]);
    assert!(object.get("file").is_none());
}

#[test]
fn a_column_that_is_not_there_is_named() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let model = folder.model("m", &table, &[]);
    let new = folder.write("new.csv", "a,c\n1,2\n");
    let error = format!(r#"cannot read {new}: no column "b" among "a", "c""#);
    assert_eq!(run(&["predict", &model, &new]).error(), error);
    let new = folder.write("new.csv", "a,b\n1,2\n3,tall\n");
    let error = format!(r#"cannot read {new}: row 3, column "b": expected a number, got "tall""#);
    assert_eq!(run(&["predict", &model, &new]).error(), error);
}

/// More rows than are in memory at a time.
const PARTS: usize = 9000;

#[test]
fn long_tables_are_answered_part_by_part() {
    let folder = Folder::new();
    let text = samples::labelled(40);
    let table = folder.write("t.csv", &text);
    let model = folder.model("m", &table, &[]);
    let (header, rows) = text.split_once('\n').unwrap();
    let long = folder.write("long.csv", format!("{header}\n{}", rows.repeat(PARTS)));
    let printed = run(&["predict", &model, &table]);
    let (names, answers) = printed.text(0).split_once('\n').unwrap();
    let expected = format!("{names}\n{}", answers.repeat(PARTS));
    let out = folder.file("out.csv");
    let ran = run(&["predict", &model, &long, "-o", &out]);
    assert_eq!(ran.text(0), format!("{} predictions written to {out}\n", 40 * PARTS));
    assert!(fs::read_to_string(&out).unwrap() == expected);
    assert_eq!(folder.names(), ["long.csv", "m", "out.csv", "t.csv"]);
}

#[test]
fn errors_far_down_name_their_row_and_leave_no_file() {
    let folder = Folder::new();
    let text = samples::labelled(40);
    let table = folder.write("t.csv", &text);
    let model = folder.model("m", &table, &["--missing", "error"]);
    let (header, rows) = text.split_once('\n').unwrap();
    let out = folder.file("out.csv");
    let rows = format!("{header}\n{}", rows.repeat(PARTS));
    let row = 40 * PARTS + 2;
    for (end, problem) in [
        ("1,tall,no\n", r#"column "b": expected a number, got "tall""#),
        (
            "1,,no\n,2,no\n",
            "column \"b\": the first of 2 missing values (training with --missing mean fills them \
             in)",
        ),
    ] {
        let long = folder.write("long.csv", format!("{rows}{end}"));
        let ran = run(&["predict", &model, &long, "-o", &out]);
        assert_eq!(ran.error(), format!("cannot read {long}: row {row}, {problem}"));
        assert_eq!(folder.names(), ["long.csv", "m", "t.csv"]);
    }
}
