//! Files that are read and written: never the same one, and permissions that stay.

use std::fs;

use super::{Folder, refused, run, run_line, samples};

/// A command that reads and writes, where both names are the same file.
fn same(folder: &Folder, command: &str, words: &str) {
    let before: Vec<Vec<u8>> = folder.names().iter().map(|n| bytes(folder, n)).collect();
    refused(command, words);
    let after: Vec<Vec<u8>> = folder.names().iter().map(|n| bytes(folder, n)).collect();
    assert!(before == after, "{command}");
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap_or_default() // a folder has none
}

#[test]
fn what_is_read_is_not_written() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let model = folder.model("m", &table, &["--beta", "2"]);
    let twin = format!("{}/./t.csv", folder.path().display());
    let more = folder.write("d2.csv", samples::labelled(30));
    let glob = format!("{}/d*.csv", folder.path().display());
    for (command, words) in [
        (format!("train {table} -o {table}"), "DATA names the same file"),
        (format!("train {table} -o {twin}"), "DATA names the same file"),
        (format!("train {table} --trace {table}"), "--trace"),
        (format!("predict {model} {table} -o {table}"), "-o"),
        (format!("predict {model} {table} -o {model}"), "MODEL names the same file"),
        (format!("path {table} --csv {table}"), "--csv"),
        (format!("arrangements {table} -o {table}"), "DATA names the same file"),
        (format!("interpolate {table} -o {table}"), "DATA names the same file"),
        (format!("train {table} --memory 100MB -o {table}"), "DATA names the same file"),
        (format!("train {table} {more} --memory 100MB -o {more}"), "MORE names the same file"),
        (format!("train {glob} --memory 100MB -o {more}"), "DATA names the same file"),
        (format!("train {table} {glob} --memory 100MB --trace {more}"), "MORE names the same"),
        (format!("report {model} {table} -o {table}"), "DATA names the same file"),
        (format!("report {model} {table} -o {model}"), "MODEL names the same file"),
        (format!("export {model} --to c --data {table} -o {table}"), "--data names the same"),
        (format!("explain {model} -o {model}"), "MODEL names the same file"),
        (format!("explain {model} {table} -o {table}"), "DATA names the same file"),
        (format!("baseline {table} --estimator ste -o {table}"), "DATA names the same file"),
        (format!("lasso --design {table} --target {model} --beta 1 -o {model}"), "--target names"),
        (format!("export {model} --to c -o {model}"), "MODEL names the same folder"),
    ] {
        same(&folder, &command, words);
    }
    let data = folder.path().display();
    refused(&format!("reproduce line --data {data} -o {data}"), "--data names the same folder");
}

#[test]
fn pictures_that_are_read_are_refused() {
    let folder = Folder::new();
    let table = folder.write("t.svg", samples::labelled(30));
    let model = folder.model("m.svg", &table, &["--beta", "2"]);
    for (command, by, picture) in [
        (format!("plot {model} {table} -o {model}"), "MODEL", &model),
        (format!("importance {model} {table} --plot {table}"), "DATA", &table),
        (format!("path {table} --plot {table}"), "DATA", &table),
        (format!("arrangements {table} --hull {table}"), "DATA", &table),
        (format!("baseline {table} --estimator ste --plot {table}"), "DATA", &table),
    ] {
        same(&folder, &command, &format!("{by} names the same file, {picture}; write to another"));
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let (one, dotted) = (folder.file("one"), format!("{}/./one", folder.path().display()));
    refused(&format!("train {table} --trace {one} -o {dotted}"), "name the same file");
    refused(&format!("baseline {table} --estimator ste --trace {one} -o {one}"), "the same file");
    assert_eq!(folder.names(), ["t.csv"]);
    // Nothing is lost where both go nowhere.
    assert_eq!(run_line(&format!("train {table} --trace /dev/null -o /dev/null")).code, 0);
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_same_file() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let [soft, hard, early] = ["soft", "hard", "early"].map(|name| folder.file(name));
    std::os::unix::fs::symlink("t.csv", &soft).unwrap();
    std::os::unix::fs::symlink("later", &early).unwrap();
    fs::hard_link(&table, &hard).unwrap();
    for (read, write) in [(&table, &soft), (&soft, &table), (&table, &hard), (&hard, &soft)] {
        same(&folder, &format!("train {read} -o {write}"), "DATA names the same file");
    }
    let later = folder.file("later");
    refused(&format!("train {table} --trace {later} -o {early}"), "name the same file");
    // Standard input is a file, too.
    let ran = std::process::Command::new(assert_cmd::cargo::cargo_bin!("hardlim"))
        .args(["train", "-", "-o", &table])
        .stdin(fs::File::open(&table).unwrap())
        .output()
        .unwrap();
    let error = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(
        (ran.status.code(), error.contains("names the same file")),
        (Some(2), true),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&table).unwrap(), samples::labelled(30));
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions_and_a_read_only_one_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let model = folder.write("m", "old");
    let mode = |mode| fs::set_permissions(&model, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o640);
    folder.model("m", &table, &["--beta", "2"]);
    assert_eq!(fs::metadata(&model).unwrap().permissions().mode() & 0o777, 0o640);
    mode(0o440);
    let ran = run(&["train", &table, "-o", &model]);
    assert_eq!(ran.error(), format!("-o: cannot write {model}: it is read-only"));
}
