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

#[test]
fn the_command_line_and_rust_train_the_same_network() {
    let cases = [
        ("titanic --beta 10", "beta=10"),
        (
            "titanic --beta-ratio 0.2 --loss logistic --intercept",
            "beta_ratio=0.2 loss=logistic intercept",
        ),
        (
            "titanic --method sample --seed 7 --class-weight balanced",
            "method=sample seed=7 class_weight=balanced",
        ),
        (
            "titanic --patterns 200 --loss hinge --weights svm --no-standardize",
            "patterns=200 loss=hinge weights=svm standardize=false",
        ),
        (
            "titanic --max-inputs 1 --average 2 --beta 20 --non-negative",
            "max_inputs=1 average=2 beta=20 non_negative",
        ),
        (
            "tic-tac-toe --method sample --inputs mixed --input-cost 0.5 --patterns 100",
            "method=sample inputs=mixed input_cost=0.5 patterns=100",
        ),
        ("titanic --method generate --beta 30 --gap 0.01", "method=generate beta=30 gap=0.01"),
        ("titanic --conditions 2 --beta 30 --gap 0.001", "conditions=2 beta=30 gap=0.001"),
        ("titanic --holdout 0.3 --seed 2 --beta 5", "holdout=0.3 seed=2 beta=5"),
        (
            "titanic --cv 3 --cv-points 4 --cv-least 0.01 --one-se --patterns 50",
            "cv=3 n_ratios=4 least_ratio=0.01 one_se patterns=50",
        ),
        (
            "titanic --representation staircase --no-standardize --beta 1",
            "representation=staircase standardize=false beta=1",
        ),
        ("titanic --layers 3", "layers=3"),
        (
            "titanic --layers 4 --representation gaussian --widths 60 --weights pi",
            "layers=4 representation=gaussian widths=60 weights=pi",
        ),
        ("line --method enumerate --widths 2 --beta 0.1", "method=enumerate widths=2 beta=0.1"),
        ("line --no-bias --method enumerate --beta 0.1", "bias=false method=enumerate beta=0.1"),
    ];
    for (line, options) in cases {
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
    for (line, options) in [
        ("--beta 0", "beta=0"),
        ("--beta 1 --beta-ratio 0.1", "beta=1 beta_ratio=0.1"),
        ("--cv 5 --cv-points 1", "cv=5 n_ratios=1"),
        ("--one-se", "one_se"),
        ("--cv 3000", "cv=3000"),
        ("--holdout 0.0001", "holdout=0.0001"),
        ("--time-limit 0", "time_limit=0"),
        ("--patterns 9 --method generate", "patterns=9 method=generate"),
        ("--input-cost -1", "input_cost=-1"),
        ("--input-cost 0.5 --beta 1", "input_cost=0.5 beta=1"),
        ("--input-cost 0.5 --max-inputs 2", "input_cost=0.5 max_inputs=2"),
        ("--max-inputs 2 --layers 3", "max_inputs=2 layers=3"),
        ("--conditions 2 --max-inputs 1", "conditions=2 max_inputs=1"),
        ("--max-inputs 2 --weights pi", "max_inputs=2 weights=pi"),
        ("--representation staircase --no-bias", "representation=staircase bias=false"),
        ("--representation staircase --layers 4", "representation=staircase layers=4"),
        ("--tree", "tree"),
        ("--method complete", "method=complete"),
    ] {
        let told = run(&[&["train", "titanic"][..], &words(line)].concat());
        let table = Table::open("titanic", &ReadOptions::default()).unwrap();
        let trained = Request::of(options).and_then(|request| request.train(&table));
        let error = trained.unwrap_err();
        assert_eq!(told.error(), spelled(&error.to_string(), flag), "{line}");
    }
}
