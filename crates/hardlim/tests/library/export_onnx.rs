//! ONNX: the file is what the format says, names are harmless, and onnxruntime answers as the model
//! does, where it is there to ask.

use std::collections::{HashMap, HashSet};
use std::process::Command;

use hardlim::export::{Replay, Style, onnx};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::network::{Rechoice, Weights};
use hardlim::table::{
    CodingOptions, Column, Field, Missing, ReadOptions, Table, TargetCoding, Task,
};
use hardlim::train::Request;
use serde_json::Value;

/// The fields of a message: numbers, and bytes.
#[derive(Debug, Clone)]
enum ProtoField {
    Int(u64),
    Bytes(Vec<u8>),
}

fn whole(bytes: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

fn fields(bytes: &[u8]) -> Vec<(u64, ProtoField)> {
    let (mut at, mut fields) = (0, Vec::new());
    while at < bytes.len() {
        let key = whole(bytes, &mut at);
        let field = match key & 7 {
            0 => ProtoField::Int(whole(bytes, &mut at)),
            2 => {
                let length = whole(bytes, &mut at) as usize;
                at += length;
                ProtoField::Bytes(bytes[at - length..at].to_vec())
            }
            kind => panic!("a field of kind {kind}"),
        };
        fields.push((key >> 3, field));
    }
    fields
}

/// The messages or texts of a field.
fn all(bytes: &[u8], number: u64) -> Vec<Vec<u8>> {
    (fields(bytes).into_iter())
        .filter_map(|(n, field)| match field {
            ProtoField::Bytes(bytes) if n == number => Some(bytes),
            _ => None,
        })
        .collect()
}

fn text(bytes: &[u8], number: u64) -> String {
    String::from_utf8(all(bytes, number).concat()).unwrap()
}

fn int(bytes: &[u8], number: u64) -> Option<u64> {
    fields(bytes).into_iter().find_map(|(n, field)| match field {
        ProtoField::Int(value) if n == number => Some(value),
        _ => None,
    })
}

fn style() -> Style {
    Style {
        name: "net".into(),
        source: "a.hardlim".into(),
        model: "0123".into(),
        constant_time: false,
    }
}

/// Names that want to be something else.
const NAMES: [&str; 6] = ["\"; rm -rf /", "</script>", "int", "größe", "", "label"];

/// Numbers and labels under these names, some of them missing, and one of these targets.
fn hostile(targets: &[&str]) -> Table {
    let field = |i: usize, j: usize| -> String {
        match j {
            0 => format!("{}", (i * 7 % 11) as f64 * 0.37),
            1 => ["<x>", "\"q", "ü"][i * 5 % 3].into(),
            2 => ["yes", "no"][i * 3 % 4 / 2].into(),
            3 if i == 7 => String::new(),
            3 => (i % 13).to_string(),
            4 => (i * 5 % 9).to_string(),
            5 => ["a", "", "b"][if i % 20 == 3 { 1 } else { i % 2 * 2 }].into(),
            _ => targets[if i * 7 % 11 > 5 { 1 } else { i % targets.len() }].into(),
        }
    };
    let column = |j: usize| {
        let texts: Vec<String> = (0..60).map(|i| field(i, j)).collect();
        let fields = texts.iter().map(|text| Field::parse(text)).collect();
        Column { name: NAMES.get(j).map_or("y", |name| name).into(), fields }
    };
    Table::new("t", (0..=NAMES.len()).map(column).collect()).unwrap()
}

/// All kinds of models there are, with and without integer weights.
fn every_kind() -> Vec<(Table, [Model; 2])> {
    let (two, three, numbers) =
        (hostile(&["no", "</script>"]), hostile(&["1", "2", "3"]), hostile(&["1.5", "2.5", "4"]));
    let titanic = Table::open("titanic", &ReadOptions::default()).unwrap();
    let of = |table: &Table, task, loss: &str| {
        let columns = CodingOptions { missing: Missing::Mean, task, ..CodingOptions::default() };
        let request = Request::of(&format!("patterns=60 seed=1 loss={loss}")).unwrap();
        let model = request.with_columns(columns).train(table).unwrap().model;
        let data = model.training_data(table).unwrap();
        let chosen = model.rechoose(&data, &Rechoice::new(Weights::Integer)).unwrap();
        (table.clone(), [model, chosen])
    };
    vec![
        of(&two, Task::Auto, "logistic"),
        of(&three, Task::Classify, "logistic"),
        of(&three, Task::Classify, "squared"),
        of(&numbers, Task::Regress, "squared"),
        of(&titanic, Task::Auto, "squared"),
    ]
}

#[test]
fn the_file_is_what_the_format_says_and_names_are_identifiers() {
    for (_, both) in every_kind() {
        assert!(onnx::exact(&both[1]).is_some(), "integers are exact");
        for model in both {
            let file = onnx::write(&model, None, &style()).unwrap().remove(0);
            assert_eq!(file.0, "net.onnx");
            let graph = all(&file.1, 7).remove(0);
            let mut known: HashSet<String> = HashSet::new();
            let is_identifier = |name: &str| {
                !name.is_empty()
                    && !name.starts_with(|c: char| c.is_ascii_digit())
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            for value in all(&graph, 11).iter().map(|m| text(m, 1)) {
                assert!(is_identifier(&value) && known.insert(value.clone()), "{value}");
            }
            for constant in all(&graph, 5) {
                let name = text(&constant, 8);
                assert!(is_identifier(&name) && known.insert(name));
                let sizes = fields(&constant).into_iter().filter_map(|(n, field)| match field {
                    ProtoField::Int(size) if n == 1 => Some(size as usize),
                    _ => None,
                });
                let size: usize = sizes.product();
                let texts = all(&constant, 6).len();
                let bytes = all(&constant, 9).concat().len();
                assert_eq!(texts + bytes / 8, size);
            }
            // Every value is there before it is read, and is made once.
            for node in all(&graph, 1) {
                for read in all(&node, 1) {
                    let read = String::from_utf8(read).unwrap();
                    assert!(known.contains(&read), "{read}");
                }
                assert!(known.insert(text(&node, 2)));
            }
            let outputs: Vec<String> = all(&graph, 12).iter().map(|m| text(m, 1)).collect();
            assert!(outputs.iter().all(|name| known.contains(name)));
            let squared = model.loss() == LossKind::Squared;
            let expected: &[&str] = match model.coding().target() {
                TargetCoding::Several { .. } if squared => &["label", "output"],
                TargetCoding::Number { .. } => &["variable"],
                _ => &["label", "probabilities", "output"],
            };
            assert_eq!(outputs, expected);
            let operators = all(&file.1, 8).remove(0);
            let strings = all(&graph, 11).len() > 1;
            assert_eq!(int(&operators, 2), Some(if strings { 19 } else { 13 }));
            // What the inputs stand for can be traced.
            let metadata: HashMap<String, String> =
                all(&file.1, 14).iter().map(|m| (text(m, 1), text(m, 2))).collect();
            let columns: Value = serde_json::from_str(&metadata["columns"]).unwrap();
            for (column, found) in model.coding().columns().iter().zip(columns.as_array().unwrap())
            {
                assert_eq!(found["column"], *column.column.name);
            }
            assert_eq!(metadata["exact"] == "true", onnx::exact(&model).is_some());
        }
    }
}

/// A Python that has onnxruntime.
fn python() -> Option<String> {
    let python = std::env::var("HARDLIM_PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(&python);
    let found = command.args(["-c", "import numpy, onnxruntime"]).output();
    found.is_ok_and(|output| output.status.success()).then_some(python)
}

#[test]
fn onnxruntime_answers_as_the_model() {
    let Some(python) = python() else {
        eprintln!("not checked, as onnxruntime is not there: pip install onnxruntime numpy");
        return;
    };
    for (table, both) in every_kind() {
        for model in both {
            let folder = tempfile::tempdir().unwrap();
            for file in onnx::write(&model, None, &style()).unwrap() {
                std::fs::write(folder.path().join(file.0), file.1).unwrap();
            }
            let features = model.coding().features(&table).unwrap();
            let features = Some(&features);
            let replay = Replay { features, neighbours: 5000, random: 2000, seed: 1 };
            let (vectors, counts) = onnx::check_rows(&model, &replay).unwrap();
            std::fs::write(folder.path().join("net_vectors.f64"), vectors).unwrap();
            let check = folder.path().join("net_check.py");
            let ran = Command::new(&python).arg(check).output().unwrap();
            let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
            let expected = format!("{} inputs, 0 mismatches", counts.total());
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(printed.lines().any(|line| line == expected), "{printed}{said}");
            assert!(ran.status.success());
        }
    }
}
