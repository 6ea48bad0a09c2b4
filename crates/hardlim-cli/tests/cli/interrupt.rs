//! Ctrl-C while training.

#![cfg(unix)]

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Folder, run};

const TABLE: [&str; 5] = ["teacher2", "--rows", "4000", "--features", "40"];

/// Trains for far longer than the test waits.
fn start(method: &str, model: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("hardlim"))
        .arg("train")
        .args(TABLE)
        .args(["--method", method, "--beta-ratio", "1e-4"])
        .args(if method == "sample" { &["--patterns", "4000"][..] } else { &[] })
        .args(["--gap", "1e-12", "-o", model])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Interrupts after so long; what is left is nothing, or a model that is whole.
fn interrupted_after(method: &str, wait: Duration) -> (Folder, String) {
    let folder = Folder::new();
    let model = folder.file("m");
    let child = start(method, &model);
    std::thread::sleep(wait);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    // The signal may come before anybody listens to it: a shell calls that 130, too.
    let code = output.status.code().or(output.status.signal().map(|signal| 128 + signal));
    assert_eq!(code, Some(130), "{output:?}");
    assert!(folder.names().iter().all(|name| name == "m"), "{:?}", folder.names());
    (folder, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn an_interrupt_keeps_the_best_model_so_far() {
    for method in ["sample", "generate"] {
        let (folder, text) = interrupted_after(method, Duration::from_millis(2500));
        assert!(text.contains(" (stopped: interrupted)"), "{text}");
        let certified = run(&[&["certify", &folder.file("m")], &TABLE[..]].concat());
        assert!(certified.text(0).starts_with("The certificate holds"));
    }
}

#[test]
fn an_interrupt_at_the_start_leaves_nothing_or_a_whole_model() {
    for wait in [0, 20, 200] {
        let (folder, _) = interrupted_after("sample", Duration::from_millis(wait));
        if !folder.names().is_empty() {
            let evaluated = run(&[&["evaluate", &folder.file("m")], &TABLE[..]].concat());
            assert_eq!(evaluated.code, 0, "{}", evaluated.stderr);
        }
    }
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_no_file() {
    let folder = Folder::new();
    let mut child = start("sample", &folder.file("m"));
    std::thread::sleep(Duration::from_millis(600));
    interrupt(&child);
    let second = Instant::now();
    while child.try_wait().unwrap().is_none() && second.elapsed() < Duration::from_secs(5) {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(folder.names().iter().all(|name| name == "m"), "{:?}", folder.names());
}
