//! What cannot run: exit code 2, and one line that names the place.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::process::{Command, Stdio};

use super::{Folder, run, run_with, samples};

/// The error of training on a table of this text, without the name of the file.
#[track_caller]
fn refused(text: impl AsRef<[u8]>, flags: &[&str]) -> String {
    let folder = Folder::new();
    let table = folder.write("t.csv", text);
    let model = folder.file("m");
    let ran = run(&[&["train", &table, "-o", &model], flags].concat());
    assert_eq!(folder.names(), ["t.csv"]);
    ran.error().strip_prefix(&format!("cannot read {table}: ")).expect("the file").to_owned()
}

#[test]
fn tables_with_nothing_to_learn_from_are_refused() {
    assert_eq!(refused("", &[]), "the file is empty");
    assert_eq!(refused("\n \n", &[]), "the file is empty");
    assert_eq!(refused("a,b,y\n", &[]), "there is a header but no rows");
    assert_eq!(refused("a,y\n1,0\n", &[]), "expected at least two rows, found 1");
    let one = r#"column "y": the target is always "1": expected two classes, found one"#;
    assert_eq!(refused("a,y\n1,1\n2,1\n3,1\n", &[]), one);
    let rows: String = (0..21).map(|i| format!("{i},name{i}\n")).collect();
    let many = "column \"y\": found 21 classes, more than the 20 that a target of text has unless \
                --task classify asks for more";
    assert_eq!(refused(format!("a,y\n{rows}"), &[]), many);
    let none = "no column is left as a feature: there is 1 column in all";
    assert_eq!(refused("y\n1\n2\n", &[]), none);
}

#[test]
fn numbers_that_are_none_are_refused_with_their_place() {
    let missing = "row 3, column \"a\": a missing value (training with --missing mean fills it in)";
    assert_eq!(refused("a,y\n1,0\nNaN,1\n3,1\n", &["--missing", "error"]), missing);
    for (infinite, shown) in [("inf", "inf"), ("-inf", "-inf"), ("1e999", "inf")] {
        let text = format!("a,y\n1,0\n2,1\n{infinite},1\n");
        let expected =
            format!(r#"row 4, column "a": {shown} is out of range: expected a finite number"#);
        assert_eq!(refused(text, &[]), expected);
    }
    let target = r#"row 3, column "y": the target is missing"#;
    assert_eq!(refused("a,y\n1,0\n2,nan\n3,1\n", &[]), target);
    let weight = r#"row 2, column "w": expected a weight of at least zero, got -1"#;
    assert_eq!(refused("w,a,y\n-1,1,0\n1,2,1\n", &["--weight-column", "w"]), weight);
}

#[test]
fn rows_and_columns_that_do_not_fit_are_refused_with_their_place() {
    assert_eq!(refused("a,b,y\n1,2,0\n1,2\n3,4,1\n", &[]), "row 3: expected 3 cells, found 2");
    assert_eq!(refused("a,b,y\n1,2,0\n1,2,3,4\n", &[]), "row 3: expected 3 cells, found 4");
    let twice = r#"column "a": two columns have this name"#;
    assert_eq!(refused("a,b,a\n1,2,0\n3,4,1\n", &[]), twice);
    let mut text = String::from("a,b,y\n");
    for line in 2..=1000 {
        let b = if line == 700 { "wide".into() } else { line.to_string() };
        text += &format!("{line},{b},{}\n", line % 2);
    }
    let mixed = "row 700, column \"b\": expected a number, got \"wide\" (--categorical reads every \
                 cell of the column as text)";
    assert_eq!(refused(text, &[]), mixed);
}

#[test]
fn columns_that_are_not_there_suggest_near_names() {
    let text = samples::labelled(10);
    let near = r#"no column "lable": did you mean "label"?"#;
    assert_eq!(refused(&text, &["--target", "lable"]), near);
    let far = r#"no column "survived" among "a", "b", "label""#;
    assert_eq!(refused(&text, &["--target", "survived"]), far);
    for flag in ["--ignore", "--categorical", "--weight-column"] {
        assert_eq!(refused(&text, &[flag, "lable"]), near);
    }
    let both = r#"column "label": the column is both the target and ignored"#;
    assert_eq!(refused(&text, &["--target", "label", "--ignore", "label"]), both);
}

#[test]
fn what_is_no_table_is_refused() {
    let folder = Folder::new();
    let absent = folder.file("absent.csv");
    let expected = format!("cannot read {absent}: no such file or built-in data set");
    assert_eq!(run(&["train", &absent]).error(), expected);
    let near = r#"cannot read titanik: no such file or built-in data set: did you mean "titanic"?"#;
    assert_eq!(run(&["train", "titanik"]).error(), near);
    let here = folder.path().to_str().unwrap();
    assert_eq!(run(&["train", here]).error(), format!("cannot read {here}: it is a directory"));
    let binary: Vec<u8> = (0..=255u8).cycle().take(10_000).collect();
    assert_eq!(refused(binary, &[]), "not a text file: it holds a NUL byte");
    let neither = "row 4: not a text file: the bytes are not UTF-8";
    assert_eq!(refused(b"a,y\n1,0\n\xc3\xa9,1\n\xe9t\xe9,1\n", &[]), neither);
    let cut = run_with(&["train", "-"], &[0x1f, 0x8b, 8, 0]);
    assert!(cut.error().starts_with("cannot read standard input: "));
}

#[test]
fn a_line_of_200_megabytes_is_refused() {
    let folder = Folder::new();
    let path = folder.file("long.csv");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    file.write_all(b"a,y\n1,0\n").unwrap();
    let piece = [b'7'; 1 << 20];
    (0..200).for_each(|_| file.write_all(&piece).unwrap());
    drop(file);
    let expected = format!("cannot read {path}: row 3: the row is longer than 16777216 bytes");
    assert_eq!(run(&["train", &path]).error(), expected);
}

#[test]
fn flags_are_checked_before_any_work() {
    let wrong = |flags: &[&str], words: &str| {
        let ran = run(&[&["train", "/nowhere/at/all.csv"], flags].concat());
        assert!(ran.usage().contains(words), "{flags:?}: {}", ran.stderr);
    };
    wrong(&["--beta", "large"], "expected a number");
    wrong(&["--threads", "0"], "0 is not in 1..=1024");
    wrong(&["--patterns", "1.5"], "expected a whole number");
    wrong(&["--patterns", "123456789012345678901"], "expected a whole number");
    wrong(&["--loss", "cubic"], "unknown loss \"cubic\": expected one of squared, ");
    wrong(&["--loss", "huber:-1"], "the threshold of the huber loss must be ");
    wrong(&["--method", "magic"], "unknown method \"magic\"");
    wrong(&["--weights", "heavy"], "unknown choice of weights \"heavy\"");
    wrong(&["--task", "cluster"], "unknown task \"cluster\"");
    wrong(&["--bta", "1"], "unexpected argument '--bta'");
    assert!(run(&["trian", "titanic"]).usage().contains("similar"));
}

#[test]
fn values_are_checked_before_any_work() {
    let wrong = |flags: &[&str], expected: &str| {
        let ran = run(&[&["train", "/nowhere/at/all.csv"], flags].concat());
        assert_eq!(ran.error(), expected, "{flags:?}");
    };
    for (beta, shown) in [("0", "0"), ("-1", "-1"), ("nan", "nan"), ("inf", "inf")] {
        let expected = format!("--beta must be a positive finite number, got {shown}");
        wrong(&["--beta", beta], &expected);
    }
    wrong(&["--beta-ratio", "0"], "--beta-ratio must be a positive finite number, got 0");
    let both = "--beta-ratio and --beta say the same: give one of the two";
    wrong(&["--beta", "1", "--beta-ratio", "0.1"], both);
    wrong(&["--cv", "5", "--beta", "1"], "--beta is what --cv chooses: give one of the two");
    wrong(&["--cv", "1"], "--cv must be at least 2, got 1");
    wrong(&["--one-se"], "--one-se is about cross-validation, and needs --cv");
    wrong(&["--cv", "5", "--cv-points", "1"], "--cv-points must be between 2 and 10000, got 1");
    wrong(&["--gap", "-1"], "--gap must be zero or more, got -1");
    wrong(&["--time-limit", "0"], "--time-limit must be above zero and at most 1e9, got 0");
    wrong(&["--holdout", "1"], "--holdout must be between 0 and 1, got 1");
    wrong(&["--patterns", "0"], "--patterns must be between 1 and 100000000, got 0");
    let many = "--patterns must be between 1 and 100000000, got 100000001; so many need at least \
                18 GiB of memory";
    wrong(&["--patterns", "100000001"], many);
    wrong(&["--layers", "1"], "--layers must be between 2 and 64, got 1");
    wrong(&["--average", "0"], "--average must be between 1 and 1000, got 0");
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let flags = ["train", "titanic", "--method", "complete", "--weights", "sampled"];
    let expected = "--weights sampled: --method complete draws no weights; use svm or pi";
    assert_eq!(run(&flags).error(), expected);
    let error = run(&["train", "titanic", "--method", "complete"]);
    let expected = "the complete program needs every dichotomy of the rows, but 14 distinct rows \
                    have rank 4, not 14: use the method generate";
    assert_eq!(error.error(), expected);
    let error = run(&["train", "titanic", "--weights", "pi"]);
    let expected = "pseudo-inverse weights need rows of full rank: 14 distinct rows have rank 4";
    assert_eq!(error.error(), expected);
    for holdout in ["0.01", "0.99"] {
        let expected =
            format!("--holdout {holdout}: one of the two parts of 5 rows would be empty");
        assert_eq!(run(&["train", "line", "--holdout", holdout]).error(), expected);
    }
}

#[test]
fn places_that_cannot_be_written_to_are_refused_before_any_work() {
    let folder = Folder::new();
    let absent = folder.file("absent/m");
    let expected = format!("-o {absent}: there is no directory {}", folder.file("absent"));
    assert_eq!(run(&["train", "line", "-o", &absent]).error(), expected);
    let here = folder.path().to_str().unwrap();
    let expected = format!("-o {here}: it is a directory; give a file name");
    assert_eq!(run(&["train", "line", "-o", here]).error(), expected);
    assert!(folder.names().is_empty());
    if cfg!(target_os = "linux") {
        // Not even root writes here.
        let error = run(&["train", "/nowhere/at/all.csv", "-o", "/proc/model.hardlim"]);
        assert!(error.error().starts_with("-o: cannot write /proc/model.hardlim: "));
    }
}

#[test]
fn too_many_patterns_for_the_memory_are_refused_with_both_numbers() {
    let flags = ["train", "teacher2", "--rows", "20000", "--features", "2"];
    let ran = run(&[&flags[..], &["--method", "sample", "--patterns", "100000000"]].concat());
    let error = ran.error();
    assert!(error.starts_with("100000000 patterns would need "), "{error}");
    assert!(error.contains(" GiB of memory: at most "), "{error}");
}

#[test]
fn nobody_listening_to_an_error_is_no_panic() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("hardlim"))
        .args(["train", "nowhere.csv"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
