//! `hardlim train --method enumerate`.

use super::{Folder, json, refused, run, run_line};

#[test]
fn every_loss_reaches_the_gap_over_all_two_layer_networks() {
    let folder = Folder::new();
    for loss in ["squared", "logistic", "hinge"] {
        let model = folder.file(loss);
        let line = format!("train titanic --method enumerate --loss {loss} --beta 10 -o {model}");
        let object = json(&line);
        assert_eq!((&object["method"], &object["patterns"]), (&"enumerate".into(), &442.into()));
        assert_eq!((&object["layers"], &object["stop"]), (&2.into(), &"gap".into()));
        let certificate = &object["certificate"];
        assert_eq!(certificate["scope"], "global", "{object}");
        assert_eq!(certificate["bound"], "enumeration", "{object}");
        assert!(certificate["relative_gap"].as_f64().unwrap() <= 1e-8, "{object}");
        let global = object["global"]["lower_bound"].as_f64().unwrap();
        assert!(global <= certificate["lower_bound"].as_f64().unwrap(), "{object}");
        let again = json(&format!("certify {model} titanic"));
        assert_eq!(again["holds"], true);
        assert_eq!(again["certificate"]["bound"], "enumeration");
    }
    let ran = run_line("train titanic --method enumerate --beta 10");
    let text = ran.text(0);
    for words in [
        "the Lasso over all 442 patterns of two-layer networks",
        "Certified: no two-layer threshold network of any width is better by more than",
    ] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
}

#[test]
fn layers_and_widths_make_deeper_networks() {
    let folder = Folder::new();
    let model = folder.file("deep");
    let line = format!("train line --method enumerate --layers 3 --widths 2 --beta 0.1 -o {model}");
    let object = json(&line);
    assert_eq!((&object["layers"], &object["patterns"]), (&3.into(), &22.into()));
    assert_eq!((&object["widths"][0], &object["tree"]), (&2.into(), &false.into()));
    assert!(object["certificate"]["relative_gap"].as_f64().unwrap() <= 1e-8, "{object}");
    let certified = run(&["certify", &model, "line"]);
    assert!(certified.text(0).contains("all patterns"), "{}", certified.stdout);
    run(&["predict", &model, "line"]).text(0);
    run(&["evaluate", &model, "line"]).text(0);
    let ran = run_line("train line --method enumerate --widths 1,2 --tree");
    let words = "no 4-layer threshold network of any number of tree subnetworks of widths 1 and 2 \
                 is better by more than";
    assert!(ran.text(0).contains(words), "{}", ran.stdout);
    let ran = run_line("train line --method enumerate --widths 2");
    assert!(ran.text(0).contains("all 22 patterns of 3-layer, width-2 networks"), "{}", ran.stdout);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let short = "--layers 3: expected --widths with 1 numbers";
    refused("train line --layers 3 --method enumerate", short);
    let long = "--layers 2: expected --widths with 0 numbers";
    refused("train line --layers 2 --widths 2 --method enumerate", long);
    let method = "--layers 3: --method complete makes deeper networks on a representation";
    refused("train line --widths 2 --method complete", method);
    refused("train line --widths 0 --method enumerate", "--widths must be at most 62 numbers");
    refused("train line --layers 1", "--layers must be between 2 and 64, got 1");
    refused("train tic-tac-toe --method enumerate", "use the method generate or sample");
    refused("train line --tree --method enumerate", "--widths");
}
