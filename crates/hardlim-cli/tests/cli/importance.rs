//! `hardlim importance`.

#[path = "../../../hardlim/tests/library/seal.rs"]
mod seal;

use std::fs;

use super::{Folder, json, refused, run, run_line};

/// Three columns; the target follows from the first two.
fn table() -> String {
    let row = |i: usize| {
        let (a, b, c) = (i * 7 % 23, i * i % 19, i * 5 % 11);
        format!("{a},{b},{c},{}\n", if 2 * a + b > 30 { "yes" } else { "no" })
    };
    "a,b,c,y\n".to_owned() + &(0..80).map(row).collect::<String>()
}

#[test]
fn every_input_has_a_proven_loss() {
    let folder = Folder::new();
    let table = folder.write("t.csv", table());
    for few in ["--max-inputs=1", "--max-inputs=2", "--max-inputs=3", "--conditions=2"] {
        let model = folder.model("m", &table, &["--beta", "2", few]);
        let picture = folder.file("lost.svg");
        let ran = run(&["importance", &model, &table, "--plot", &picture, "--gap", "1e-3"]);
        let text = ran.text(0);
        let networks = match few {
            "--conditions=2" => {
                "3-layer threshold network of any number of rules of two conditions"
            }
            _ => "two-layer threshold network of any width",
        };
        assert!(text.starts_with(&format!("Proven: every {networks}")), "{text}");
        ran.says(&["without a is at least "]);
        assert!(fs::read_to_string(&picture).unwrap().contains("what is lost without an input"));
        let object = json(&format!("importance {model} {table}"));
        let rows = object["inputs"].as_array().unwrap();
        assert_eq!(rows.len(), 3);
        for row in rows {
            let number = |key: &str| row[key].as_f64().unwrap();
            assert!(number("lower_bound") <= number("objective") && number("relative_gap") <= 1e-3);
            assert!(number("lower_bound") >= object["lower_bound"].as_f64().unwrap());
        }
        assert!(rows[0]["at_least"].as_f64().unwrap() > rows[2]["at_least"].as_f64().unwrap());
    }
}

#[test]
fn importance_of_a_model_with_a_forged_bound_is_exit_code_1_without_numbers() {
    let folder = Folder::new();
    let table = folder.write("t.csv", table());
    let model = folder.model("m", &table, &["--beta", "2", "--max-inputs", "1"]);
    let text = fs::read_to_string(&model).unwrap();
    let at = text.find("\"lower_bound\":").unwrap() + "\"lower_bound\":".len();
    let forged = folder.write("forged", seal::sealed(&format!("{}9{}", &text[..at], &text[at..])));
    let line = format!("importance {forged} {table}");
    let ran = run_line(&line);
    assert!(ran.text(1).starts_with("The certificate does NOT hold: the lower bound is "));
    let object = run_line(&format!("{line} --json")).json(1);
    assert_eq!((&object["holds"], object.get("inputs")), (&false.into(), None));
}

#[test]
fn other_data_are_refused() {
    let folder = Folder::new();
    let file = folder.write("t.csv", table());
    let model = folder.model("m", &file, &["--beta", "2", "--max-inputs", "1"]);
    let other = folder.write("u.csv", table().replacen("0,0,0,", "1,0,0,", 1));
    refused(
        &format!("importance {model} {other}"),
        "the data are not the training data of the model",
    );
}
