//! README and guide: their transcripts are run, and show what the program prints.
//!
//! A fenced block of the language `console` is a transcript. A line after `$ ` is a command, the
//! lines below it are what it prints. The blocks of one page run one after the other, in a folder
//! that holds the tables of the guide under their path in the repository. The commands of the
//! program in blocks of the language `sh` run as well, without a look at what they print, unless a
//! comment says that they take minutes. Times are not compared. `…` in a line stands for any text;
//! on a line of its own it stands for any lines.
//!
//! `HARDLIM_UPDATE_TRANSCRIPTS=1 cargo test -p hardlim-cli --test cli transcripts` writes what is
//! printed now into the pages.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use super::Folder;

/// Any text, or any lines.
const ANY: &str = "…";

/// A command of a page, and where its output stands there.
struct Typed {
    command: String,
    /// The first line of the output and the line behind its last, counted from zero; none if it is
    /// not shown.
    output: Option<std::ops::Range<usize>>,
}

/// The commands of a page.
fn typed(lines: &[String]) -> Vec<Typed> {
    let mut found: Vec<Typed> = Vec::new();
    let mut language = "";
    let mut below_command = false;
    for (place, line) in lines.iter().enumerate() {
        if let Some(fence) = line.strip_prefix("```") {
            (language, below_command) = (fence, false);
        } else if let ("console", Some(command)) = (language, line.strip_prefix("$ ")) {
            found.push(Typed { command: command.to_owned(), output: Some(place + 1..place + 1) });
            below_command = true;
        } else if language == "console" {
            assert!(below_command, "line {}: a transcript starts with `$ `", place + 1);
            let above = found.last_mut().and_then(|typed| typed.output.as_mut());
            above.expect("a command stands above").end = place + 1;
        } else if language == "sh" && line.starts_with("hardlim ") && !line.contains("minutes") {
            found.push(Typed { command: line.clone(), output: None });
        }
    }
    found
}

/// The lines without empty ones at the end.
fn trimmed<S: AsRef<str>>(lines: &[S]) -> &[S] {
    let end = lines.iter().rposition(|line| !line.as_ref().is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// The line with zero in the place of every number of seconds.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit =
        |word: &&str| ["s", "ms", "min"].contains(&word.trim_matches([',', ')', '.', ';']));
    let zeroed = |(place, word): (usize, &&str)| {
        let number = word.trim_start_matches('(');
        match words.get(place + 1).filter(|next| is_unit(next)) {
            Some(_) if number.parse::<f64>().is_ok() => word.replace(number, "0"),
            _ => (*word).to_owned(),
        }
    };
    words.iter().enumerate().map(zeroed).collect::<Vec<_>>().join(" ")
}

/// Whether a line of a page is a printed one, but for times and what `…` stands for.
fn is_line(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (timeless(expected), timeless(printed));
    let Some((start, rest)) = expected.split_once(ANY) else { return expected == printed };
    let Some(mut printed) = printed.strip_prefix(start) else { return false };
    let parts: Vec<&str> = rest.split(ANY).collect();
    let (last, middle) = parts.split_last().expect("split gives a part");
    for part in middle {
        let Some(place) = printed.find(part) else { return false };
        printed = &printed[place + part.len()..];
    }
    printed.ends_with(last)
}

/// The same for all lines of an output.
fn is_output(expected: &[String], printed: &[&str]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line == ANY => {
            (0..=printed.len()).any(|skipped| is_output(rest, &printed[skipped..]))
        }
        (Some((line, rest)), Some((first, others))) => {
            is_line(line, first) && is_output(rest, others)
        }
        _ => false,
    }
}

/// What is printed now, abridged as it was: where lines were left out, those are shown that start
/// like the old ones.
fn abridged(old: &[String], printed: &[&str]) -> Vec<String> {
    let kept = |old: &str, new: &str| if is_line(old, new) { old } else { new }.to_owned();
    if !old.iter().any(|line| line == ANY) {
        let old = old.iter().map(String::as_str).chain(std::iter::repeat(""));
        return printed.iter().zip(old).map(|(new, old)| kept(old, new)).collect();
    }
    let word = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let (mut found, mut next): (Vec<String>, usize) = (Vec::new(), 0);
    for line in old.iter().filter(|line| *line != ANY) {
        let same = |new: &&str| word(new) == word(line);
        if let Some(skipped) = printed[next..].iter().position(same) {
            found.extend((skipped > 0).then(|| ANY.to_owned()));
            found.push(kept(line, printed[next + skipped]));
            next += skipped + 1;
        }
    }
    found.extend((next < printed.len()).then(|| ANY.to_owned()));
    found
}

/// What a command prints, on both streams, as on a terminal.
fn printed(command: &str, folder: &Folder) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_hardlim")).parent().expect("a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(programs.to_owned()).chain(std::env::split_paths(&others)),
    )
    .expect("folders without colons");
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1 </dev/null\n{command}")])
        .current_dir(folder.path())
        .env("PATH", path)
        .env_remove("HARDLIM_DATA")
        .output()
        .expect("there is a shell");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "$ {command}\n{text}");
    text
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The files of the guide that end in this.
fn guide(ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("docs/guide"))
        .expect("a guide")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    files
}

/// Runs the transcripts of a page: what differs, and the page as it should be.
fn replay(page: &Path) -> (String, String) {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("docs/guide")).expect("made");
    for table in guide("csv") {
        let place = folder.path().join("docs/guide").join(table.file_name().expect("a file"));
        fs::copy(table, place).expect("copied");
    }
    let text = fs::read_to_string(page).expect("there");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (mut differences, mut renewed, mut copied) = (String::new(), Vec::new(), 0);
    for Typed { command, output } in typed(&lines) {
        let text = printed(&command, &folder);
        let Some(output) = output else { continue };
        let found: Vec<&str> = text.lines().collect();
        let found = trimmed(&found);
        let shown = trimmed(&lines[output.clone()]);
        let gap = &lines[output.start + shown.len()..output.end];
        renewed.extend_from_slice(&lines[copied..output.start]);
        copied = output.end;
        if is_output(shown, found) {
            renewed.extend_from_slice(shown);
        } else {
            let (name, line) = (page.display(), output.start);
            let (old, new) = (shown.join("\n"), found.join("\n"));
            write!(differences, "{name}:{line}\n$ {command}\n{old}\n--- prints now:\n{new}\n\n")
                .expect("text grows");
            renewed.extend(abridged(shown, found));
        }
        renewed.extend_from_slice(gap);
    }
    renewed.extend_from_slice(&lines[copied..]);
    (differences, renewed.join("\n") + "\n")
}

#[test]
fn transcripts_show_what_is_printed() {
    let pages: Vec<PathBuf> = [root().join("README.md")].into_iter().chain(guide("md")).collect();
    let runs: Vec<(String, String)> = thread::scope(|scope| {
        let started: Vec<_> = pages.iter().map(|page| scope.spawn(|| replay(page))).collect();
        started.into_iter().map(|run| run.join().expect("every command ends well")).collect()
    });
    if std::env::var_os("HARDLIM_UPDATE_TRANSCRIPTS").is_some() {
        for (page, (differences, renewed)) in pages.iter().zip(&runs) {
            if !differences.is_empty() {
                fs::write(page, renewed).expect("written");
            }
        }
        return;
    }
    let differences: String = runs.into_iter().map(|(differences, _)| differences).collect();
    assert!(
        differences.is_empty(),
        "{differences}HARDLIM_UPDATE_TRANSCRIPTS=1 writes the pages again"
    );
}

#[test]
fn ellipses_and_times_match_anything_else_nothing() {
    assert!(is_line("  time       1.34 s (stopped: …)", "  time       0.02 s (stopped: gap)"));
    assert!(is_line("in (3.1 s), 2 rows", "in (12 s), 2 rows"));
    assert!(!is_line("2 neurons", "3 neurons"));
    assert!(!is_line("2 … a", "2 b"));
    let expected = ["a".to_owned(), ANY.to_owned(), "z".to_owned()];
    assert!(is_output(&expected, &["a", "z"]) && is_output(&expected, &["a", "b", "c", "z"]));
    assert!(!is_output(&expected, &["a", "b"]));
}

#[test]
fn pages_stay_abridged_when_they_are_written_again() {
    let old = ["a 1", ANY, "m 1", ANY].map(str::to_owned);
    assert_eq!(abridged(&old, &["a 2", "b", "m 2", "z"]), ["a 2", ANY, "m 2", ANY]);
    assert_eq!(abridged(&old, &["b", "m 1"]), [ANY, "m 1"]);
    assert_eq!(abridged(&["took 2 s".to_owned()], &["took 3 s", "c"]), ["took 2 s", "c"]);
}

#[test]
fn readme_is_short() {
    let lines = fs::read_to_string(root().join("README.md")).expect("there").lines().count();
    assert!(lines <= 120, "README.md has {lines} lines; the guide has room for more");
}
