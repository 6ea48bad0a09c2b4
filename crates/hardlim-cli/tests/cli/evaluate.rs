//! `hardlim evaluate`.

use super::{Folder, json, number, run, samples};

#[test]
fn classes_are_scored_by_accuracy_auc_log_loss_and_confusion() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(80));
    let model = folder.file("m");
    let trained = json(&format!("train {table} -o {model}"));
    let object = json(&format!("evaluate {model} {table}"));
    assert_eq!(object["n"], 80);
    assert_eq!(object["accuracy"], trained["train"]["accuracy"]);
    assert!((0.5..=1.0).contains(&number(&object["auc"])));
    assert!(number(&object["log_loss"]) > 0.0);
    let cell = |i: usize, j: usize| object["confusion"][i][j].as_u64().unwrap();
    assert_eq!(cell(0, 0) + cell(0, 1) + cell(1, 0) + cell(1, 1), 80);
    let right = (cell(0, 0) + cell(1, 1)) as f64 / 80.0;
    assert_eq!(object["accuracy"], right);
    run(&["evaluate", &model, &table]).says(&[
        "accuracy ",
        " on 80 rows",
        "AUC ",
        "log-loss ",
        "-> no",
        "-> yes",
    ]);
}

#[test]
fn numbers_are_scored_by_r2_and_mean_absolute_error() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::regression(60));
    let model = folder.model("m", &table, &["--beta", "0.5"]);
    let object = json(&format!("evaluate {model} {table}"));
    assert_eq!(object["n"], 60);
    assert!(number(&object["r2"]) > 0.5 && number(&object["mae"]) > 0.0);
    let ran = run(&["evaluate", &model, &table]);
    assert!(ran.text(0).starts_with("R2 0."), "{}", ran.stdout);
    // R² says nothing where all targets are equal.
    let one = folder.write("one.csv", "a,b,value\n1,2,3\n");
    let object = json(&format!("evaluate {model} {one}"));
    assert!(object["r2"].is_null());
    assert!(run(&["evaluate", &model, &one]).text(0).starts_with("R2 undefined"));
}

#[test]
fn one_class_has_no_auc() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(40));
    let model = folder.model("m", &table, &[]);
    let one = folder.write("one.csv", "a,b,label\n1,2,yes\n2,3,yes\n");
    run(&["evaluate", &model, &one]).says(&["AUC undefined: only one class"]);
    assert!(json(&format!("evaluate {model} {one}"))["auc"].is_null());
}

#[test]
fn labels_have_to_be_there_and_known() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(40));
    let model = folder.model("m", &table, &[]);
    let bare = folder.write("bare.csv", "a,b\n1,2\n");
    let error = run(&["evaluate", &model, &bare]);
    assert!(error.error().starts_with(&format!(r#"cannot read {bare}: no column "label""#)));
    let other = folder.write("other.csv", "a,b,label\n1,2,yes\n1,3,maybe\n");
    let expected = format!(
        "cannot read {other}: row 3, column \"label\": unknown class \"maybe\": expected \"no\" or \
         \"yes\""
    );
    assert_eq!(run(&["evaluate", &model, &other]).error(), expected);
}

#[test]
fn training_rows_are_recognised() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(60));
    let all = samples::labelled(100);
    let lines: Vec<&str> = all.lines().collect();
    let rows =
        |range: std::ops::Range<usize>| format!("{}\n{}\n", lines[0], lines[range].join("\n"));
    let other = folder.write("o.csv", rows(61..101));
    let some = folder.write("s.csv", rows(54..101));
    let model = folder.model("m", &table, &["--beta", "1"]);
    let note = "\nnote: these are the training rows: expect a lower score on new ones\n";
    assert!(run(&["evaluate", &model, &table]).text(0).ends_with(note));
    assert_eq!(json(&format!("evaluate {model} {table}"))["training_rows"], 60);
    assert!(!run(&["evaluate", &model, &other]).text(0).contains("note"));
    assert_eq!(json(&format!("evaluate {model} {other}"))["training_rows"], 0);
    let note = "\nnote: 7 of these 47 rows are training rows: expect a lower score on new ones\n";
    assert!(run(&["evaluate", &model, &some]).text(0).ends_with(note));
    assert_eq!(json(&format!("evaluate {model} {some}"))["training_rows"], 7);
    let part = folder.model("p", &table, &["--beta", "1", "--holdout", "0.5"]);
    let note = " of these 60 rows are training rows: expect a lower score on new ones\n";
    assert!(run(&["evaluate", &part, &table]).text(0).ends_with(note));
    // Most rows are equal to others, so an equal row is no sign.
    let model = folder.model("c", "titanic", &["--beta", "10"]);
    let few = folder.write("f.csv", "class,age,sex,survived\n1,1,1,yes\n0,0,0,no\n");
    assert!(json(&format!("evaluate {model} {few}"))["training_rows"].is_null());
}
