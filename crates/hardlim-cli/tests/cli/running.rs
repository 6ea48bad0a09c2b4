//! A command that runs: the test waits for what it says about its progress, and sends it signals.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::thread;

/// A command that has begun.
pub(crate) struct Running {
    child: Child,
    progress: Lines<BufReader<ChildStderr>>,
}

impl Running {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("hardlim"))
            .args(arguments)
            .env("HARDLIM_PROGRESS", "lines")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let progress = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        Self { child, progress }
    }

    /// Waits for a line about the progress that is like this.
    #[track_caller]
    pub(crate) fn until(&mut self, like: impl Fn(&str) -> bool) {
        let mut lines = self.progress.by_ref().map(|line| line.expect("UTF-8"));
        assert!(lines.any(|line| like(&line)), "it ended before that");
    }

    /// Presses Ctrl-C.
    pub(crate) fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Sends a signal, as `kill` names it.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().expect("ran").success());
    }

    /// Whether it has ended.
    pub(crate) fn ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// What it printed, and how it ended. Lines about the progress that nobody waited for are in
    /// the way of an error on standard error: those are not returned.
    pub(crate) fn output(self) -> Output {
        let Self { child, progress } = self;
        let reading = thread::spawn(move || progress.map_while(Result::ok).collect::<Vec<_>>());
        let mut output = child.wait_with_output().expect("ended");
        let lines = reading.join().expect("read");
        output.stderr = lines.last().cloned().unwrap_or_default().into_bytes();
        output
    }
}
