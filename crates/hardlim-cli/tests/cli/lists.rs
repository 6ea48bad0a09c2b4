//! Bounds on lists of as many rules.

use super::{Folder, LOANS, json, number, run, run_line, says};

#[test]
fn lists_of_as_many_rules_are_bounded_when_a_gap_is_asked_for() {
    let folder = Folder::new();
    let model = folder.file("m");
    let line = format!("train {LOANS} --rules 3 --gap 0.02 -o {model}");
    run_line(&line).says(&["  lists      no list of at most 3 such rules is better by more than "]);
    let trained = json(&line);
    let found = json(&format!("certify {model} {LOANS} --gap 0.02"));
    for lists in [&trained["lists"], &found["lists"]] {
        assert_eq!(lists["rules"], 3);
        assert!(number(&lists["relative_gap"]) <= 0.02, "{lists}");
        assert!(number(&lists["lower_bound"]) >= number(&trained["certificate"]["lower_bound"]));
    }
    assert!(json(&format!("certify {model} {LOANS}"))["lists"].is_null());
    // A time that is too short still gives a bound.
    let line = format!("certify {model} {LOANS} --gap 0 --time-limit 0.001");
    let ran = run_line(&line);
    says(ran.text(1), &["  lists        no list of at most 3 such rules is better by more than "]);
    let titanic = folder.model("t", "titanic", &["--beta", "10"]);
    let ran = run(&["certify", &titanic, "titanic", "--gap", "0.1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("--gap is for lists of rules"), "{}", ran.stderr);
}
