//! `hardlim reproduce`.

use std::fs;

use assert_cmd::cargo::cargo_bin_cmd;

use super::{Folder, Ran, says};

/// Runs without the folder that the machine may have.
fn reproduce(arguments: &[&str]) -> Ran {
    let mut command = cargo_bin_cmd!("hardlim");
    command.arg("reproduce").args(arguments).env_remove("HARDLIM_DATA");
    let output = command.output().expect("ran");
    Ran {
        code: output.status.code().expect("not killed"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A CSV file without its columns of seconds.
fn timeless(path: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).expect("written");
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows: Vec<Vec<String>> =
        rows.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect();
    let kept = |j: usize| !rows[0][j].ends_with("_seconds");
    let keep = |row: &Vec<String>| {
        row.iter().enumerate().filter(|(j, _)| kept(*j)).map(|(_, cell)| cell.clone()).collect()
    };
    rows.iter().map(keep).collect()
}

#[test]
fn all_of_them_make_one_page() {
    let folder = Folder::new();
    let object = reproduce(&["all", "--tiny", "--json", "-o", &folder.file("out")]).json(0);
    assert_eq!(object["scale"], "tiny");
    let experiments = object["experiments"].as_array().unwrap();
    assert_eq!(experiments.len(), 9);
    for experiment in experiments {
        for name in experiment["files"].as_array().unwrap() {
            let path = folder.path().join("out").join(name.as_str().unwrap());
            assert!(path.is_file(), "{}", path.display());
        }
        assert!(!experiment["claims"].as_array().unwrap().is_empty());
    }
    assert_eq!(object["skipped"].as_array().unwrap().len(), 11);
    let page = fs::read_to_string(object["page"].as_str().unwrap()).unwrap();
    assert_eq!(page.matches("\n## ").count(), 9);
    assert!(page.starts_with("# Reproduction") && page.contains("**reproduced**"));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = Folder::new();
    for id in ["line", "table"] {
        let [whole, killed] = ["whole", "killed"].map(|name| folder.file(name));
        assert_eq!(reproduce(&[id, "--tiny", "-o", &whole]).code, 0);
        let journal = fs::read(format!("{whole}/{id}.jsonl")).unwrap();
        fs::create_dir_all(&killed).unwrap();
        // In the middle of a line, as a kill would leave it.
        fs::write(format!("{killed}/{id}.jsonl"), &journal[..journal.len() / 2]).unwrap();
        let text = reproduce(&[id, "--tiny", "-o", &killed]);
        assert!(text.text(0).contains("written to"), "{}", text.stdout);
        let [one, two] = [&whole, &killed].map(|at| timeless(&format!("{at}/{id}.csv")));
        assert_eq!(one, two);
        let lines =
            |at: &str| fs::read_to_string(format!("{at}/{id}.jsonl")).unwrap().lines().count();
        assert_eq!(lines(&whole), lines(&killed));
    }
}

#[test]
fn one_thread_is_enough_and_measures_the_same() {
    let folder = Folder::new();
    let [one, all] = ["one", "all"].map(|name| folder.file(name));
    assert_eq!(reproduce(&["table", "--tiny", "--threads", "1", "-o", &one]).code, 0);
    assert_eq!(reproduce(&["table", "--tiny", "-o", &all]).code, 0);
    let [one, all] = [&one, &all].map(|at| timeless(&format!("{at}/table.csv")));
    assert_eq!(one, all);
}

#[test]
fn missing_data_are_skipped_by_name() {
    let folder = Folder::new();
    let ran = reproduce(&["table", "--tiny", "-o", &folder.file("out")]);
    let text = ran.text(0);
    ran.says(&["skipped bank: uci/bank.csv not found", "skipped mnist: mnist01/", "--data DIR"]);
    assert!(!text.contains("skipped titanic"), "{text}");
    let markdown = fs::read_to_string(folder.path().join("out/table.md")).unwrap();
    assert!(markdown.contains("| titanic |") && markdown.contains("Skipped, for want"));
    let nowhere = folder.file("nowhere");
    let ran = reproduce(&["table", "--tiny", "--data", &nowhere, "-o", &folder.file("out")]);
    assert_eq!(ran.error(), format!("--data {nowhere}: there is no such directory"));
}

#[test]
fn unknown_experiments_are_named() {
    let ran = reproduce(&["figure-7"]);
    let text = ran.usage();
    assert!(text.contains("figure-7") && text.contains("two-layer"), "{text}");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error() {
    let folder = Folder::new();
    let file = folder.write("file", "x");
    let ran = reproduce(&["hull", "--tiny", "-o", &file]);
    assert!(ran.error().contains("cannot write"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    let folder = Folder::new();
    let out = folder.file("out");
    let journal = format!("{out}/line.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut running = super::running::Running::start(&["reproduce", "line", "-o", &out]);
    while lines() < 3 {
        running.until(|_| true); // whatever it says next
    }
    running.interrupt();
    let output = running.output();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    says(text, &["the same command continues"]);
    assert!(lines() >= 3);
}
