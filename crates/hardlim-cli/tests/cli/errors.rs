//! What cannot run: exit code 2, and one line that names the place.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::process::{Command, Stdio};

use super::{Folder, refused, run, run_with, says};

#[test]
fn what_is_wrong_with_a_table_is_said_with_its_file_and_place() {
    let folder = Folder::new();
    let (table, model) = (folder.file("t.csv"), folder.file("m"));
    let many: String = (0..21).map(|i| format!("{i},name{i}\n")).collect();
    let mut long = String::from("a,b,y\n");
    for line in 2..=1000 {
        let b = if line == 700 { "wide".into() } else { line.to_string() };
        long += &format!("{line},{b},{}\n", line % 2);
    }
    let binary: String = (0..=127u8).cycle().take(10_000).map(char::from).collect();
    for (text, flags, expected) in [
        ("", &[][..], "the file is empty"),
        ("\n \n", &[], "the file is empty"),
        ("a,b,y\n", &[], "there is a header but no rows"),
        ("a,y\n1,0\n", &[], "expected at least two rows, found 1"),
        (
            "a,y\n1,1\n2,1\n3,1\n",
            &[],
            "column \"y\": the target is always \"1\": expected two classes, found one",
        ),
        (
            &format!("a,y\n{many}"),
            &[],
            "column \"y\": found 21 classes, more than the 20 that a target of text has unless \
             --task classify asks for more",
        ),
        (
            "a,y\n1,0\nNaN,1\n3,1\n",
            &["--missing", "error"],
            "row 3, column \"a\": a missing value (training with --missing mean fills it in)",
        ),
        (
            "a,y\n1,0\n2,1\n1e999,1\n",
            &[],
            "row 4, column \"a\": inf is out of range: expected a finite number",
        ),
        ("a,y\n1,0\n2,nan\n3,1\n", &[], "row 3, column \"y\": the target is missing"),
        (
            "w,a,y\n-1,1,0\n1,2,1\n",
            &["--weight-column", "w"],
            "row 2, column \"w\": expected a weight of at least zero, got -1",
        ),
        ("a,b,y\n1,2,0\n1,2\n3,4,1\n", &[], "row 3: expected 3 cells, found 2"),
        ("a,b,a\n1,2,0\n3,4,1\n", &[], "column \"a\": two columns have this name"),
        (
            &long,
            &[],
            "row 700, column \"b\": expected a number, got \"wide\" (--categorical reads every \
             cell of the column as text)",
        ),
        ("a,y\n1,0\n2,1\n", &["--target", "yy"], "no column \"yy\": did you mean \"y\"?"),
        ("a,y\n1,0\n2,1\n", &["--ignore", "other"], "no column \"other\" among \"a\", \"y\""),
        (&binary, &[], "not a text file: it holds a NUL byte"),
    ] {
        folder.write("t.csv", text);
        let ran = run(&[&["train", &table, "-o", &model], flags].concat());
        assert_eq!(ran.error(), format!("cannot read {table}: {expected}"));
        assert_eq!(folder.names(), ["t.csv"]);
    }
}

#[test]
fn what_is_no_table_is_refused() {
    let folder = Folder::new();
    let absent = folder.file("absent.csv");
    refused(&format!("train {absent}"), "absent.csv: no such file or built-in data set");
    refused(&format!("train {}", folder.path().display()), ": it is a directory");
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

/// What needs no file: a command and the words of its refusal in each line. The first ones are
/// refused before the table is looked for.
#[test]
fn what_makes_no_sense_or_fits_no_data_is_refused_with_its_reason() {
    for line in include_str!("refused.txt").lines().filter(|line| !line.is_empty()) {
        let (command, words) = line.split_once(" => ").expect("a command and words");
        refused(command, words);
    }
    says(run(&["trian", "titanic"]).usage(), &["similar"]);
}

#[test]
fn places_that_cannot_be_written_to_are_refused_before_any_work() {
    let folder = Folder::new();
    let absent = folder.file("absent/m");
    let expected = format!("-o {absent}: there is no directory {}", folder.file("absent"));
    let here = folder.path().to_str().unwrap();
    let directory = format!("-o {here}: it is a directory; give a file name");
    for command in [&["train", "/nowhere/at/all.csv"][..], &["predict", "/no/model", "line"]] {
        assert_eq!(run(&[command, &["-o", &absent]].concat()).error(), expected);
        assert_eq!(run(&[command, &["-o", here]].concat()).error(), directory);
    }
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
    assert!(ran.error().starts_with("100000000 patterns would need "), "{}", ran.stderr);
    says(ran.error(), &[" GiB of memory: at most "]);
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
