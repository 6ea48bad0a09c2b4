//! `hardlim plot`.

use std::fs;

use super::{Folder, json, refused, run, samples, says};

#[test]
fn cells_neurons_and_points_are_drawn() {
    let folder = Folder::new();
    for (name, text) in [("labels", samples::labelled(40)), ("numbers", samples::regression(40))] {
        let table = folder.write("t.csv", text);
        let model = folder.model(name, &table, &["--beta-ratio", "0.1"]);
        let svg = folder.file(&format!("{name}.svg"));
        let object = json(&format!("plot {model} {table} -o {svg}"));
        assert_eq!(object["file"], svg.as_str());
        let (cells, neurons) = (object["cells"].as_u64(), object["neurons"].as_u64());
        // Neurons may share a line, and no line means one cell.
        assert!(neurons >= Some(1) && cells >= Some(2), "{object}");
        let drawn = fs::read_to_string(&svg).unwrap();
        says(&drawn, &["t.csv: ", ">a<", ">b<", ">output<"]);
        assert_eq!(drawn.contains(">yes<"), name == "labels");
        let png = folder.file(&format!("{name}.png"));
        run(&["plot", &model, &table, "-o", &png]).says(&[" cells of "]);
        assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn several_classes_have_a_colour_each() {
    let folder = Folder::new();
    let row = |i: usize| {
        let (a, b) = (i % 9, i * 7 % 11);
        format!("{a},{b},{}\n", ["low", "mid", "a class of a long name"][(a + b) / 7])
    };
    let table =
        folder.write("t.csv", "a,b,kind\n".to_owned() + &(0..90).map(row).collect::<String>());
    let model = folder.model("m", &table, &["--beta-ratio", "0.05"]);
    let svg = folder.file("m.svg");
    let object = json(&format!("plot {model} {table} -o {svg}"));
    assert!(object["cells"].as_u64() >= Some(3), "{object}");
    let drawn = fs::read_to_string(&svg).unwrap();
    says(&drawn, &[">low<", ">mid<", ">a class of a …<", "accuracy "]);
    let points = folder.write("points.csv", "b,a\n1,2\n1,3\n");
    json(&format!("plot {model} {points} -o {svg}"));
}

#[test]
fn deep_models_and_data_without_targets_are_drawn_too() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(8));
    let flags = ["--method", "enumerate", "--widths", "2", "--beta-ratio", "0.2"];
    let model = folder.model("m", &table, &flags);
    let points = folder.write("points.csv", "b,a\n1,2\n1,3\n");
    let object = json(&format!("plot {model} {points} -o {}", folder.file("p.svg")));
    assert!(object["cells"].as_u64() >= Some(1), "{object}");
}

#[test]
fn other_dimensions_are_refused() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--patterns", "20"]);
    let figure = folder.file("f.svg");
    let words = "only models of two features can be drawn; this one reads 3";
    refused(&format!("plot {model} titanic -o {figure}"), words);
    refused(&format!("plot {model} titanic"), "--output");
    refused(&format!("plot {model} titanic -o f.pdf"), "the name must end in .svg or .png");
    refused(&format!("plot {} titanic -o {figure}", folder.file("absent")), "cannot read");
}
