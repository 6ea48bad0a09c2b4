//! Tables in every form: where they come from, what separates their cells, and what the columns
//! are.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use super::{Folder, json, number, run, run_with, samples};

#[test]
fn standard_input_compression_and_separators_do_not_change_the_model() {
    let folder = Folder::new();
    let text = samples::labelled(60);
    let plain = folder.write("plain.csv", &text);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let packed = folder.write("packed.csv.gz", gzip.finish().unwrap());
    let tabs = folder.write("tabs.tsv", text.replace(',', "\t"));
    let model = folder.model("m", &plain, &["--patterns", "200"]);
    for table in [&plain, &packed, &tabs] {
        run(&["certify", &model, table]).text(0);
    }
    assert_eq!(run_with(&["certify", &model, "-"], text.as_bytes()).code, 0);
    let read = run_with(&["train", "-", "--json"], text.as_bytes()).json(0);
    assert_eq!(read["n"], 60);
    let ran = run_with(&["train", "-"], text.as_bytes());
    ran.says(&["\nstandard input: 60 rows"]);
}

#[test]
fn a_table_without_a_header_is_matched_by_position() {
    let folder = Folder::new();
    let text = samples::regression(40);
    let rows = text.split_once('\n').unwrap().1;
    let table = folder.write("t.csv", rows);
    let model = folder.model("m", &table, &[]);
    run(&["certify", &model, &table]).text(0);
    let features: String =
        rows.lines().map(|row| row.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    let new = folder.write("new.csv", features);
    let (with, without) = (run(&["predict", &model, &table]), run(&["predict", &model, &new]));
    assert_eq!(with.text(0), without.text(0));
    let odd = folder.write("odd.csv", "1,2,3,4\n5,6,7,8\n");
    assert!(run(&["predict", &model, &odd]).error().contains("expected 3 columns"));
}

#[test]
fn a_number_is_regressed_and_two_values_are_classes() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::regression(50));
    let ran = run(&["train", &table]);
    ran.says(&["target value: a number"]);
    assert!(ran.stdout.contains("training   R2 "));
    let object = json(&format!("train {table}"));
    assert!(object["train"]["r2"].is_number() && object["train"].get("accuracy").is_none());
    let error = run(&["train", &table, "--loss", "hinge"]);
    assert!(error.error().starts_with("the hinge loss needs targets -1 and 1, got "));
    let labels = folder.write("l.csv", samples::labelled(50));
    let error = run(&["train", &labels, "--task", "regress"]);
    assert!(error.error().ends_with(r#"expected a number, got "no""#));
    // Two numbers are classes unless they are asked to be numbers.
    let bits = folder.write("b.csv", samples::labelled(50).replace("yes", "1").replace("no", "0"));
    assert!(json(&format!("train {bits}"))["train"]["accuracy"].is_number());
    let flags = ["train", &bits, "--task", "regress", "--json"];
    assert!(run(&flags).json(0)["train"]["r2"].is_number());
}

#[test]
fn text_becomes_features_and_the_target_is_any_column() {
    let folder = Folder::new();
    let text = "color,y,size\nred,1,2\nblue,0,3\ngreen,1,5\nred,1,7\nblue,0,1\ngreen,0,4\n";
    let table = folder.write("t.csv", text);
    let model = folder.file("m");
    let flags = ["--target", "y", "--beta", "0.1", "-o", &model];
    let object = run(&[&["train", &table, "--json"], &flags[..]].concat()).json(0);
    has!(object, { "n": 6, "d": 4 });
    run(&["certify", &model, &table]).text(0);
    run(&[&["train", &table], &flags[..]].concat()).says(&["4 features from 2 columns"]);
    let by_number = json(&format!("train {table} --target 2 --ignore color"));
    assert_eq!(by_number["d"], 1);
    let flags = ["--target", "y", "--categorical", "size,color", "--json"];
    assert_eq!(run(&[&["train", &table], &flags[..]].concat()).json(0)["d"], 9);
    // A label that was never seen answers as none of those that were, and is told.
    let new = folder.write("new.csv", "size,color\n2,violet\n");
    let ran = run(&["predict", &model, &new]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 2));
    let note = "column \"color\": 1 row has a label that training has not seen, read as \"other\": \
                \"violet\"";
    assert_eq!(ran.stderr, format!("hardlim: note: {note}\n"));
    assert_eq!(json(&format!("predict {model} {new}"))["notes"][0], note);
    let labelled = folder.write("l.csv", "size,color,y\n2,violet,1\n");
    assert_eq!(json(&format!("evaluate {model} {labelled}"))["notes"][0], note);
    assert!(run(&["evaluate", &model, &labelled]).text(0).ends_with(&format!("\nnote: {note}\n")));
}

#[test]
fn sample_weights_count_as_often_as_they_say() {
    let folder = Folder::new();
    let weighted = folder.write("w.csv", "x,w,y\n1,2,0\n2,1,1\n3,0,0\n4,3,1\n");
    let repeated = folder.write("r.csv", "x,y\n1,0\n1,0\n2,1\n4,1\n4,1\n4,1\n");
    let model = folder.file("m");
    let flags = ["--no-standardize", "--beta", "0.2", "--method", "sample", "--json"];
    let one =
        run(&[&["train", &weighted, "--weight-column", "w", "-o", &model], &flags[..]].concat())
            .json(0);
    let other = run(&[&["train", &repeated], &flags[..]].concat()).json(0);
    let difference = number(&one["objective"]) - number(&other["objective"]);
    assert!(difference.abs() < 1e-9, "{one}\n{other}");
    run(&["certify", &model, &weighted]).text(0);
}

#[test]
fn missing_values_are_refused_or_filled_in() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "a,b,y\n1,2,0\n?,3,1\n4,,0\n5,1,1\n");
    let expected = format!(
        "cannot read {table}: row 3, column \"a\": the first of 2 missing values (training with \
         --missing mean fills them in)"
    );
    assert_eq!(run(&["train", &table, "--missing", "error"]).error(), expected);
    let model = folder.model("m", &table, &[]);
    run(&["certify", &model, &table]).text(0);
    let ran = json(&format!("train {table}"));
    let note = "column \"a\" has 1 missing value: it gets the mean 3.333, and a feature tells \
                where (--missing error refuses it)";
    assert_eq!((&ran["d"], &ran["notes"][0]), (&4.into(), &note.into()));
    run(&["train", &table]).says(&[&format!("\nnote: {note}\n")]);
    let new = folder.write("new.csv", "a,b\n,\n");
    assert_eq!(run(&["predict", &model, &new]).text(0).lines().count(), 2);
    let ran = run(&["train", &table, "--missing", "median"]);
    assert!(ran.usage().contains("unknown way to treat missing values \"median\""));
}

#[test]
fn generated_tables_come_in_any_size() {
    let flags = ["--rows", "50", "--features", "3", "--patterns", "100", "--json"];
    let object = run(&[&["train", "teacher3", "--seed", "3"], &flags[..]].concat()).json(0);
    has!(object, { "n": 50, "d": 3 });
    let error = run(&["train", "titanic", "--rows", "50"]);
    let expected = "--rows: titanic is not a generated data set; its size is fixed";
    assert_eq!(error.error(), expected);
    let error = run(&["train", "teacher2", "--rows", "0"]);
    assert_eq!(error.error(), "cannot read teacher2: the file is empty");
}
