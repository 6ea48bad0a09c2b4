//! One door: the same request gives the same network from the command line and from Rust, and what
//! does not go together is refused with the same sentence.

use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::network::{Representation, Weights};
use hardlim::spelling::spelled;
use hardlim::table::{CodingOptions, ReadOptions, Table, builtin::TableSize};
use hardlim::train::{Folds, InputCounts, Method, Request};

use super::{Folder, run};

/// Words as the shell would have them.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn the_command_line_and_rust_train_the_same_network() {
    let none = Request::default();
    let sampled = CodingOptions { balanced: true, ..CodingOptions::default() };
    let cases = [
        ("titanic --beta 10", Request { beta: Some(10.0), ..none.clone() }),
        (
            "titanic --beta-ratio 0.2 --loss logistic --intercept",
            Request {
                beta_ratio: Some(0.2),
                loss: Some(LossKind::Logistic),
                intercept: true,
                ..none.clone()
            },
        ),
        (
            "titanic --method sample --seed 7 --class-weight balanced",
            Request { method: Method::Sample, seed: 7, columns: sampled, ..none.clone() },
        ),
        (
            "titanic --patterns 200 --loss hinge --weights svm --no-standardize",
            Request {
                patterns: Some(200),
                loss: Some(LossKind::Hinge),
                weights: Some(Weights::Svm),
                standardize: false,
                ..none.clone()
            },
        ),
        (
            "titanic --max-inputs 1 --average 2 --beta 20 --non-negative",
            Request {
                max_inputs: Some(1),
                average: Some(2),
                beta: Some(20.0),
                non_negative: true,
                ..none.clone()
            },
        ),
        (
            "tic-tac-toe --method sample --inputs mixed --input-cost 0.5 --patterns 100",
            Request {
                method: Method::Sample,
                inputs: Some(InputCounts::Mixed),
                input_cost: 0.5,
                patterns: Some(100),
                ..none.clone()
            },
        ),
        (
            "titanic --method generate --beta 30 --gap 0.01",
            Request { method: Method::Generate, beta: Some(30.0), gap: Some(0.01), ..none.clone() },
        ),
        (
            "titanic --holdout 0.3 --seed 2 --beta 5",
            Request { holdout: Some(0.3), seed: 2, beta: Some(5.0), ..none.clone() },
        ),
        (
            "titanic --cv 3 --cv-points 4 --cv-least 0.01 --one-se --patterns 50",
            Request {
                cv: Some(Folds::Count(3)),
                n_ratios: Some(4),
                least_ratio: Some(0.01),
                one_se: true,
                patterns: Some(50),
                ..none.clone()
            },
        ),
        (
            "titanic --representation staircase --no-standardize --beta 1",
            Request {
                representation: Some(Representation::Staircase),
                standardize: false,
                beta: Some(1.0),
                ..none.clone()
            },
        ),
        ("titanic --layers 3", Request { layers: Some(3), ..none.clone() }),
        (
            "titanic --layers 4 --representation gaussian --widths 60 --weights pi",
            Request {
                layers: Some(4),
                representation: Some(Representation::Gaussian),
                widths: vec![60],
                weights: Some(Weights::Pi),
                ..none.clone()
            },
        ),
        (
            "line --method enumerate --widths 2 --beta 0.1",
            Request { method: Method::Enumerate, widths: vec![2], beta: Some(0.1), ..none.clone() },
        ),
        (
            "line --no-bias --method enumerate --beta 0.1",
            Request { bias: false, method: Method::Enumerate, beta: Some(0.1), ..none },
        ),
    ];
    for (line, request) in cases {
        let folder = Folder::new();
        let file = folder.file("m");
        let report =
            run(&[&["train"][..], &words(line), &["-o", &file, "--json"]].concat()).json(0);
        let name = words(line)[0];
        let size = TableSize { seed: request.seed, ..TableSize::default() };
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
    let none = Request::default();
    let staircase = Some(Representation::Staircase);
    for (line, request) in [
        ("--beta 0", Request { beta: Some(0.0), ..none.clone() }),
        (
            "--beta 1 --beta-ratio 0.1",
            Request { beta: Some(1.0), beta_ratio: Some(0.1), ..none.clone() },
        ),
        (
            "--cv 5 --cv-points 1",
            Request { cv: Some(Folds::Count(5)), n_ratios: Some(1), ..none.clone() },
        ),
        ("--one-se", Request { one_se: true, ..none.clone() }),
        ("--cv 3000", Request { cv: Some(Folds::Count(3000)), ..none.clone() }),
        ("--holdout 0.0001", Request { holdout: Some(0.0001), ..none.clone() }),
        ("--time-limit 0", Request { time_limit: Some(0.0), ..none.clone() }),
        (
            "--patterns 9 --method generate",
            Request { patterns: Some(9), method: Method::Generate, ..none.clone() },
        ),
        ("--input-cost -1", Request { input_cost: -1.0, ..none.clone() }),
        ("--input-cost 0.5 --beta 1", Request { input_cost: 0.5, beta: Some(1.0), ..none.clone() }),
        (
            "--input-cost 0.5 --max-inputs 2",
            Request { input_cost: 0.5, max_inputs: Some(2), ..none.clone() },
        ),
        (
            "--max-inputs 2 --layers 3",
            Request { max_inputs: Some(2), layers: Some(3), ..none.clone() },
        ),
        (
            "--max-inputs 2 --weights pi",
            Request { max_inputs: Some(2), weights: Some(Weights::Pi), ..none.clone() },
        ),
        (
            "--representation staircase --no-bias",
            Request { representation: staircase, bias: false, ..none.clone() },
        ),
        (
            "--representation staircase --layers 4",
            Request { representation: staircase, layers: Some(4), ..none.clone() },
        ),
        ("--tree", Request { tree: true, ..none.clone() }),
        ("--method complete", Request { method: Method::Complete, ..none }),
    ] {
        let told = run(&[&["train", "titanic"][..], &words(line)].concat());
        let table = Table::open("titanic", &ReadOptions::default()).unwrap();
        let error = request.train(&table).unwrap_err();
        assert_eq!(told.error(), spelled(&error.to_string(), flag), "{line}");
    }
}
