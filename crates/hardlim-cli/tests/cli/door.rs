//! One door: the same request gives the same network from the command line and from Rust, and what
//! does not go together is refused with the same sentence.

use hardlim::model::Model;
use hardlim::table::{ReadOptions, Table, builtin::TableSize};
use hardlim::train::{Request, spelled};

use super::{Folder, run};

/// Words as the shell would have them.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The flags of a command and the options that they are, in each line.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.split_once(" => ").expect("flags and options"))
}

#[test]
fn the_command_line_and_rust_train_the_same_network() {
    for (line, options) in pairs(include_str!("doors.txt")) {
        let folder = Folder::new();
        let file = folder.file("m");
        let report =
            run(&[&["train"][..], &words(line), &["-o", &file, "--json"]].concat()).json(0);
        let name = words(line)[0];
        let request = Request::of(options).unwrap();
        let size = TableSize { seed: request.seed(), ..TableSize::default() };
        let table = Table::open(name, &ReadOptions { size, ..ReadOptions::default() }).unwrap();
        let trained = request.train(&table).unwrap();
        let text = trained.model.to_text();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "{line}");
        let model = Model::from_text(&text).unwrap();
        assert_eq!(report["objective"].as_f64(), Some(model.certificate().objective()), "{line}");
        assert_eq!(report["stop"], trained.stop.name(), "{line}");
        assert_eq!(report["auto"].is_string(), trained.why.is_some(), "{line}");
    }
}

/// An option as a flag, written here on its own.
fn flag(option: &str, value: Option<&str>) -> String {
    let name = match (option, value) {
        ("bias", Some("false")) => return "--no-bias".into(),
        ("n_ratios", _) => "cv-points".into(),
        _ => option.replace('_', "-"),
    };
    value.map_or(format!("--{name}"), |value| format!("--{name} {value}"))
}

#[test]
fn the_command_line_and_rust_refuse_with_the_same_sentence() {
    for (line, options) in pairs(include_str!("closed_doors.txt")) {
        let told = run(&[&["train", "titanic"][..], &words(line)].concat());
        let table = Table::open("titanic", &ReadOptions::default()).unwrap();
        let trained = Request::of(options).and_then(|request| request.train(&table));
        let error = trained.unwrap_err();
        assert_eq!(told.error(), spelled(&error.to_string(), flag), "{line}");
    }
}
