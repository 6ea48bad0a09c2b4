//! `hardlim datasets`.

use super::{json, run};

const NAMES: [&str; 6] = ["titanic", "tic-tac-toe", "line", "teacher2", "teacher3", "checkerboard"];

#[test]
fn every_data_set_is_listed_and_can_be_trained_on() {
    let ran = run(&["datasets"]);
    let lines: Vec<&str> = ran.text(0).lines().collect();
    assert!(lines[0].starts_with("name"));
    for (line, name) in lines[1..].iter().zip(NAMES) {
        assert!(line.starts_with(name));
        run(&["train", name, "--patterns", "50"]).text(0);
    }
    assert!(ran.stdout.ends_with("come in any size: --rows N --features D --seed K\n"));
}

#[test]
fn json_tells_their_sizes() {
    let object = json("datasets");
    let sets = object["datasets"].as_array().unwrap();
    for (set, name) in sets.iter().zip(NAMES) {
        assert_eq!(set["name"], name);
        assert!(set["n"].is_u64() && set["d"].is_u64() && set["description"].is_string());
        let generated = name.starts_with("teacher") || name == "checkerboard";
        assert_eq!(set["generated"], generated);
    }
    assert_eq!((&sets[0]["n"], &sets[0]["d"]), (&2201.into(), &3.into()));
    assert_eq!((&sets[1]["n"], &sets[1]["d"]), (&958.into(), &9.into()));
}

#[test]
fn the_board_has_two_features() {
    let object = json("train checkerboard --rows 50 --patterns 20");
    has!(object, { "n": 50, "d": 2 });
}
