//! Reports as people read them, word by word. `INSTA_UPDATE=always cargo test -p hardlim-cli --test
//! cli reports` writes the snapshots anew; what changes is read before it is committed.

use super::{Folder, run_line};

/// The report of a command, without what changes from run to run or from machine to machine.
fn report(line: &str, folder: &Folder) -> String {
    let ran = run_line(line);
    let text = ran.text(0).replace(&format!("{}/", folder.path().display()), "");
    text.lines().map(|line| timeless(&without_tiny_gaps(line)) + "\n").collect()
}

fn timeless(line: &str) -> String {
    match line.split_once("  time  ") {
        Some((before, _)) => format!("{before}  time  …"),
        None => line.to_owned(),
    }
}

/// Gaps such as 7.5e-12 % are what rounding left: an ellipsis stands for them, where columns line
/// up at their end.
fn without_tiny_gaps(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mut text: Vec<String> = Vec::new();
    for (k, word) in words.iter().enumerate() {
        let percent = words.get(k + 1).is_some_and(|next| next.starts_with('%'));
        let gap = percent && word.parse::<f64>().is_ok_and(|gap| gap < 1e-6);
        let column = gap && k > 1 && words[k - 1].is_empty() && words[k - 2].is_empty();
        match (gap, column) {
            (true, true) => text.push(" ".repeat(word.len() - 1) + "…"),
            (true, false) => text.push("…".into()),
            _ => text.push((*word).to_owned()),
        }
    }
    text.join(" ")
}

macro_rules! snapshots {
    ($($(#[$about:meta])* $name:ident: $line:expr;)*) => {$(
        $(#[$about])*
        #[test]
        fn $name() {
            let folder = Folder::new();
            let line = $line.replace("DIR/", &format!("{}/", folder.path().display()));
            insta::assert_snapshot!(stringify!($name), report(&line, &folder), $line);
        }
    )*};
}

snapshots! {
    train_generates: "train tic-tac-toe --beta 40 --gap 0.2 -o DIR/t.hardlim";
    train_enumerates: "train titanic --beta 10 --loss squared --method enumerate";
    train_samples: "train tic-tac-toe --method sample --patterns 300 --beta 10 --loss squared";
    train_reads_few_inputs: "train titanic --beta 10 --loss logistic --max-inputs 1 --gap 1e-6";
    train_is_deep: "train line --method enumerate --layers 3 --widths 2 --beta 0.01";
    train_on_a_staircase: "train titanic --representation staircase --beta 10 --loss squared";
    arrangements_of_a_line: "arrangements line";
    arrangements_of_subnetworks: "arrangements line --widths 2";
    interpolate_a_line: "interpolate line";
    datasets: "datasets";
}

/// A table of three classes.
fn classes() -> String {
    let row = |i: usize| {
        let (a, b) = (i % 5, i * 7 % 11);
        format!("{a},{b},{}\n", ["red", "green", "blue"][(a + b) % 3])
    };
    "a,b,colour\n".to_owned() + &(0..40).map(row).collect::<String>()
}

/// What is said of a model: scores, the certificate again, its rules.
fn about(name: &str, table: &str, flags: &str) {
    let folder = Folder::new();
    folder.write("classes.csv", classes());
    let table = match table {
        "classes.csv" => folder.file(table),
        builtin => builtin.to_owned(),
    };
    let model = folder.file("m.hardlim");
    let mut text = report(&format!("train {table} {flags} -o {model}"), &folder);
    for command in ["evaluate", "certify", "explain"] {
        let line = format!("{command} {model} {table}");
        text += &format!("\n$ hardlim {command} MODEL DATA\n{}", report(&line, &folder));
    }
    insta::assert_snapshot!(name, text);
}

#[test]
fn two_classes() {
    about(
        "two_classes",
        "titanic",
        "--beta 60 --loss squared --method enumerate --weights integer",
    );
}

#[test]
fn several_classes() {
    about(
        "several_classes",
        "classes.csv",
        "--beta 4 --loss squared --method enumerate --weights integer",
    );
}

#[test]
fn a_number() {
    about("a_number", "line", "--beta 0.01 --method enumerate");
}
