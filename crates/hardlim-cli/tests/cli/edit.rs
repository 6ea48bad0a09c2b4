//! `hardlim edit`.

use std::fs;

use super::{Folder, LOANS, json, number, refused, run_line};

#[test]
fn rules_are_dropped_and_weighed_and_the_cost_is_told() {
    let folder = Folder::new();
    let model = folder.model("m", LOANS, &["--rules", "4"]);
    let edited = folder.file("edited");
    let line = format!("edit {model} {LOANS} --drop h2 --weight h3=0.25 -o {edited}");
    run_line(&line).says(&[
        "h2 dropped: ",
        "h3: ",
        " → 0.25",
        "Certified: no two-layer threshold network of any width whose neurons read one input is",
        "  edit       the objective rose from ",
        "  note       probabilities are those that were fitted before the edit",
        "model written to ",
    ]);
    let before = json(&format!("certify {model} {LOANS}"));
    let object = json(&line);
    assert_eq!(object["before"], before["objective"]);
    assert_eq!((&object["holds"], &object["neurons"]), (&true.into(), &3.into()));
    assert_eq!(object["certificate"]["lower_bound"], before["certificate"]["lower_bound"]);
    let after = json(&format!("certify {edited} {LOANS}"));
    assert_eq!(after["holds"], true);
    assert_eq!(after["objective"], object["objective"]);
    assert!(number(&after["objective"]) > number(&before["objective"]));
    assert_eq!(object["edits"][0]["rule"], "h2");
    assert_eq!(
        (&object["edits"][0]["after"], &object["edits"][1]["after"]),
        (&0.0.into(), &0.25.into())
    );
}

#[test]
fn what_cannot_be_edited_is_exit_code_2() {
    let folder = Folder::new();
    let model = folder.model("m", LOANS, &["--rules", "2"]);
    let line = |flags: &str| format!("edit {model} {LOANS} {flags} -o {}", folder.file("edited"));
    refused(&line(""), "nothing to edit: give --drop RULE or --weight RULE=WEIGHT");
    refused(&line("--drop h7"), "cannot edit the rules: there is no rule h7: rules are h1 to h2");
    refused(&line("--drop x"), "expected a rule such as h3");
    refused(&line("--weight h1"), "expected a rule and its weight, such as h3=0.5");
    refused(&line("--weight h1=nan"), "the weight must be finite, got NaN");
    refused(&line("--drop h1 --weight 1=2"), "rule h1 is named twice");
    let other = folder.write("other.csv", fs::read_to_string(LOANS).unwrap().replace("yes", "si"));
    let line = format!("edit {model} {other} --drop h1 -o {}", folder.file("edited"));
    assert_eq!(run_line(&line).code, 2);
    let titanic = folder.model("t", "titanic", &["--beta", "10"]);
    let line = format!("edit {titanic} titanic --drop h1 -o {}", folder.file("edited"));
    refused(&line, "its neurons read several inputs each, so they are not rules");
    assert_eq!(folder.names().iter().filter(|name| *name == "edited").count(), 0);
    // No output is an input.
    let line = format!("edit {model} {LOANS} --drop h1 -o {LOANS}");
    assert_eq!(run_line(&line).code, 2);
}
