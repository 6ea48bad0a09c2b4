//! `hardlim memorize`.

use serde_json::Value;

use super::{Folder, json, refused, run, run_line, samples, timeless};

/// Points on a line whose labels alternate.
fn alternating(rows: usize) -> String {
    let row = |i: usize| format!("{i},{},{}\n", 3 * i, if i.is_multiple_of(2) { "a" } else { "b" });
    "x,y,label\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

/// Numbers that look random, with labels that do.
fn scattered(rows: usize) -> String {
    let number = |i: usize, j: usize| ((i + 1) * (7919 + 104_729 * j) % 10_007) as f64 / 100.0;
    let row = |i: usize| {
        let label = u8::from((i * i * 31 + 17 * i) % 101 > 50);
        format!("{},{},{},{label}\n", number(i, 0), number(i, 1), number(i, 2))
    };
    "u,v,w,label\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

#[test]
fn every_way_gives_a_model_like_any_other() {
    let folder = Folder::new();
    let table = folder.write("t.csv", scattered(120));
    for way in ["staircase", "slabs", "list", "decode"] {
        let model = folder.file(way);
        let object = json(&format!("memorize {table} --way {way} -o {model}"));
        assert_eq!((&object["way"], &object["model"]), (&way.into(), &model.as_str().into()));
        assert_eq!(object["ways"].as_array().unwrap().len(), 1);
        let widths: Vec<u64> =
            object["widths"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap()).collect();
        assert_eq!(object["neurons"].as_u64().unwrap(), widths.iter().sum::<u64>());
        assert_eq!(object["layers"].as_u64().unwrap() as usize, widths.len() + 1);
        assert_eq!(json(&format!("evaluate {model} {table}"))["accuracy"], 1.0, "{way}");
        let certified = json(&format!("certify {model} {table}"));
        assert_eq!(
            (&certified["holds"], &certified["certificate"]["bound"]),
            (&true.into(), &"complete".into())
        );
        assert!(certified["certificate"]["relative_gap"].as_f64().unwrap() < 1e-6, "{certified}");
        let outputs = json(&format!("predict {model} {table}"));
        let outputs = outputs["outputs"].as_array().unwrap();
        assert!(outputs.iter().all(|u| u.as_f64().unwrap().abs() == 1.0), "{way}");
    }
}

#[test]
fn the_fewest_neurons_are_kept_and_compared_with_what_is_proven() {
    let folder = Folder::new();
    let table = folder.write("t.csv", scattered(90));
    let object = json(&format!("memorize {table}"));
    let ways = object["ways"].as_array().unwrap();
    let fewest = ways.iter().map(|way| way["neurons"].as_u64().unwrap()).min().unwrap();
    assert_eq!((ways.len(), object["neurons"].as_u64().unwrap()), (4, fewest));
    for bound in object["bounds"].as_array().unwrap() {
        assert!(bound["neurons"].as_u64().unwrap() <= fewest, "{bound}");
    }
    let line = format!("memorize {table} --seed 3");
    assert_eq!(timeless(&line), timeless(&format!("{line} --threads 1")));
    let ran = run_line(&format!("memorize {table}"));
    for words in [
        "Memorised: ",
        "checked on every row",
        "  way        neurons",
        "\n  proven for networks in layers that end in one threshold neuron:\n",
        "add -o MODEL",
    ] {
        assert!(ran.text(0).contains(words), "{words:?} is not in\n{}", ran.stdout);
    }
}

#[test]
fn on_a_line_every_change_of_the_label_is_a_neuron() {
    let folder = Folder::new();
    let table = folder.write("t.csv", alternating(12));
    let object = json(&format!("memorize {table}"));
    let bound = |k: usize| object["bounds"][k].clone();
    assert_eq!((&bound(1)["about"], &bound(1)["first_layer"]), (&"this".into(), &11.into()));
    assert_eq!((&object["neurons"], &bound(1)["neurons"]), (&12.into(), &12.into()));
    assert_eq!((&object["optimal"], &object["way"]), (&true.into(), &"staircase".into()));
    // Counting alone allows far fewer, as it knows nothing of lines.
    assert!(bound(0)["neurons"].as_u64().unwrap() < 12);
}

#[test]
fn one_neuron_is_enough_where_a_hyperplane_is() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(30));
    let (model, picture) = (folder.file("m"), folder.file("m.svg"));
    let object = json(&format!("memorize {table} -o {model}"));
    assert_eq!((&object["neurons"], &object["layers"]), (&1.into(), &2.into()));
    assert_eq!(run(&["plot", &model, &table, "-o", &picture]).code, 0);
    let explained = json(&format!("explain {model} {table}"));
    assert_eq!(explained["layers"][0][0]["name"], "h1");
}

#[test]
fn equal_rows_with_both_labels_are_named() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "a,b,y\n1,2,no\n3,4,yes\n1,2,yes\n3,4,yes\n");
    let ran = run(&["memorize", &table]);
    let words = "row 2 is \"no\" and row 4 is \"yes\", and the rows are equal";
    assert!(ran.error().contains(words), "{}", ran.stderr);
    refused("memorize titanic", "distinct rows have both labels");
    let numbers = folder.write("n.csv", samples::regression(20));
    refused(&format!("memorize {numbers}"), "the target \"value\" is a number");
    let several = folder.write("s.csv", "a,y\n1,u\n2,v\n3,w\n");
    refused(&format!("memorize {several}"), "the target \"y\" has 3 classes");
    let usage = run(&["memorize", &table, "--way", "magic"]);
    assert!(usage.usage().contains("expected auto, staircase, slabs, list or decode"));
    assert_eq!(folder.names(), ["n.csv", "s.csv", "t.csv"]);
}

#[test]
fn help_teaches_the_ways() {
    let ran = run_line("memorize --help");
    for words in ["staircase", "slabs", "list", "decode", "2 ceil(r/d) + 1", "Exit codes"] {
        assert!(ran.text(0).contains(words), "{words:?}");
    }
    assert_ne!(json("memorize tic-tac-toe --way slabs")["neurons"], Value::Null);
}

#[test]
fn fewest_is_said_of_networks_in_layers() {
    let folder = Folder::new();
    // Two neurons do where the last one also reads the inputs: 1{a + b - 2·1{a + b >= 2} >= 1}.
    let table = folder.write("t.csv", "a,b,label\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n");
    let ran = run_line(&format!("memorize {table}"));
    assert!(ran.text(0).contains("Memorised: 3 threshold neurons (2-1)"), "{}", ran.stdout);
    let words = "\nNo network in layers that ends in one threshold neuron has fewer.\n";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
}
