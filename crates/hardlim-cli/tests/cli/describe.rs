//! `hardlim describe`.

use super::{Folder, json, run, run_line, says};

/// 40 rows with an identifier, a label, a number with decimal commas, a constant and a date.
fn customers() -> String {
    let row = |i: usize| {
        let (pay, day) = (900 + i * i % 371, 1 + i % 28);
        format!("K{i};{};{pay},{:02};DE;{day:02}.03.2024;{}\n", ["a", "b"][i % 2], i % 100, i % 3)
    };
    "kunde;stadt;gehalt;land;seit;y\n".to_owned() + &(0..40).map(row).collect::<String>()
}

#[test]
fn every_column_has_a_line_and_every_decision_too() {
    let folder = Folder::new();
    let table = folder.write("t.csv", customers());
    run(&["describe", &table]).says(&[
        ": 40 rows, 6 columns\n",
        "\nkunde   left out  labels ",
        "\nstadt   feature   labels                               2        0  a (20), b (20)\n",
        "\ngehalt  feature   numbers with decimal commas         40        0  900 to 1261\n",
        "\nland    left out  labels                               1        0  DE (40)\n",
        "\nseit    feature   dates                               28        0  2024-03-01 to \
         2024-03-28\n",
        "\nthe target is a number\n4 inputs for the network\n",
        "\nnote: column \"kunde\" is left out: it looks like an identifier: 40 of 40 values are \
         different (--keep kunde brings it back)\n",
        "\nnote: column \"land\" is left out: it is always \"DE\" (--keep land brings it back)\n",
        "are they classes? --task classify takes them so\n",
    ]);
    let object = json(&format!("describe {table}"));
    has!(object, { "n": 40, "d": 4, "target": "a number" });
    assert_eq!(object["columns"][0]["role"], "left out");
    assert_eq!(object["columns"][4]["features"][1], "seit.weekday");
    assert_eq!(object["notes"].as_array().unwrap().len(), 5);
    // What is described is what is trained on.
    let trained = json(&format!("train {table} --beta 5"));
    assert_eq!((&trained["d"], &trained["notes"]), (&object["d"], &object["notes"]));
    let kept =
        run(&["describe", &table, "--keep", "kunde,land", "--task", "classify", "--json"]).json(0);
    has!(kept, { "d": 36, "target": "3 classes: 0, 1, 2" });
}

#[test]
fn what_train_refuses_is_described_too() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "a,b,y\n1,2,0\n2,u,1\n3,4,1\n");
    let ran = run(&["describe", &table]);
    ran.says(&["\nb       feature  numbers and text"]);
    ran.says(&["\ntrain would refuse it: cannot read "]);
    assert!(run(&["describe", &table, "--target", "z"]).error().contains("no column \"z\""));
    assert!(run(&["describe", "nowhere.csv"]).error().contains("no such file"));
}

#[test]
fn built_in_tables_are_described() {
    let text = run_line("describe titanic").text(0).to_owned();
    says(&text, &["the target is 2 classes: no, yes\n3 inputs for the network\n"]);
    assert!(!text.contains("note"));
    run_line("describe --help").says(&["--keep COL brings"]);
}
