//! Ctrl-C while training, and while proving.

#![cfg(unix)]

use std::os::unix::process::ExitStatusExt as _;

use super::running::Running;
use super::{Folder, run, samples, says};

const TABLE: [&str; 5] = ["teacher2", "--rows", "4000", "--features", "40"];

/// Trains until it is interrupted: no such gap is reached.
fn start(method: &str, model: &str) -> Running {
    let patterns: &[&str] = if method == "sample" { &["--patterns", "4000"] } else { &[] };
    let flags = ["--method", method, "--beta-ratio", "1e-4", "--gap", "1e-14", "-o", model];
    Running::start(&[&["train"], &TABLE[..], patterns, &flags].concat())
}

/// Ends by the signal; what is left is nothing, or a model that is whole.
fn interrupted(running: Running, folder: &Folder) -> String {
    let output = running.output();
    // The signal may come before anybody listens to it: a shell calls that 130, too.
    let code = output.status.code().or(output.status.signal().map(|signal| 128 + signal));
    assert_eq!(code, Some(130), "{output:?}");
    assert!(folder.names().iter().all(|name| name == "m"), "{:?}", folder.names());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_interrupt_keeps_the_best_model_so_far() {
    for method in ["sample", "generate"] {
        let folder = Folder::new();
        let mut running = start(method, &folder.file("m"));
        running.until(|line| line.contains(" neurons, objective "));
        running.interrupt();
        let text = interrupted(running, &folder);
        says(text, &[" (stopped: interrupted)"]);
        let certified = run(&[&["certify", &folder.file("m")], &TABLE[..]].concat());
        assert!(certified.text(0).starts_with("The certificate holds"));
    }
}

#[test]
fn losses_with_kinks_on_huge_targets_answer_an_interrupt_with_a_network() {
    let tables = Folder::new();
    let table = tables.write("huge.csv", samples::huge(300));
    for flags in ["--beta-ratio 1e-4", "--beta-ratio 0.05 --layers 3 --widths 2 --method generate"]
    {
        let folder = Folder::new();
        let line = format!("train {table} --loss quantile --gap 1e-14 {flags} -o");
        let model = folder.file("m");
        let mut running = Running::start(&line.split(' ').chain([&*model]).collect::<Vec<_>>());
        running.until(|line| line.contains(" neurons, objective "));
        running.interrupt();
        says(interrupted(running, &folder), &[" (stopped: interrupted)"]);
        assert_eq!(run(&["certify", &model, &table]).code, 0, "{flags}");
    }
}

#[test]
fn an_interrupt_at_the_start_leaves_nothing_or_a_whole_model() {
    for early in [true, false] {
        let folder = Folder::new();
        let mut running = start("sample", &folder.file("m"));
        if !early {
            running.until(|_| true); // whatever it says first
            running.interrupt();
        }
        // A shell may start its background jobs with the signal ignored, until somebody listens to
        // it.
        while early && !running.ended() {
            running.interrupt();
        }
        interrupted(running, &folder);
        if !folder.names().is_empty() {
            let evaluated = run(&[&["evaluate", &folder.file("m")], &TABLE[..]].concat());
            assert_eq!(evaluated.code, 0, "{}", evaluated.stderr);
        }
    }
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_no_file() {
    let folder = Folder::new();
    let mut running = start("sample", &folder.file("m"));
    running.until(|line| line.contains(" neurons, objective "));
    while !running.ended() {
        running.interrupt(); // the first asks, the next one ends it
    }
    interrupted(running, &folder);
}

#[test]
fn importance_ends_with_130_after_any_signal_that_asks_it_to_stop() {
    let folder = Folder::new();
    let table = ["teacher2", "--rows", "1000", "--features", "20"];
    let flags = ["--method", "sample", "--patterns", "50", "--beta-ratio", "0.01"];
    let model = folder.file("m");
    run(&[&["train"], &table[..], &flags, &["-o", &model]].concat()).text(0);
    for signal in ["-INT", "-TERM"] {
        let mut running = Running::start(&[&["importance", &model], &table[..]].concat());
        running.until(|line| line.contains("training again without each column"));
        running.signal(signal);
        assert_eq!(running.output().status.code(), Some(130), "{signal}");
    }
}
