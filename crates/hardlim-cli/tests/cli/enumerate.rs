//! `hardlim train --method enumerate`.

use super::{Folder, json, number, run, run_line};

#[test]
fn every_loss_reaches_the_gap_over_all_two_layer_networks() {
    let folder = Folder::new();
    for loss in ["squared", "logistic", "hinge"] {
        let model = folder.file(loss);
        let line = format!("train titanic --method enumerate --loss {loss} --beta 10 -o {model}");
        let object = json(&line);
        has!(object, { "method": "enumerate", "patterns": 442, "layers": 2, "stop": "gap" });
        let certificate = &object["certificate"];
        has!(certificate, { "scope": "global", "bound": "enumeration" });
        assert!(number(&certificate["relative_gap"]) <= 1e-8, "{object}");
        let global = number(&object["global"]["lower_bound"]);
        assert!(global <= number(&certificate["lower_bound"]), "{object}");
        let again = json(&format!("certify {model} titanic"));
        has!(again, { "holds": true, "certificate": { "bound": "enumeration" } });
    }
    run_line("train titanic --method enumerate --beta 10").says(&[
        "the Lasso over all 442 patterns of two-layer networks",
        "Certified: no two-layer threshold network of any width is better by more than",
    ]);
}

#[test]
fn layers_and_widths_make_deeper_networks() {
    let folder = Folder::new();
    let model = folder.file("deep");
    let line = format!("train line --method enumerate --layers 3 --widths 2 --beta 0.1 -o {model}");
    let object = json(&line);
    has!(object, { "layers": 3, "patterns": 22 });
    assert_eq!((&object["widths"][0], &object["tree"]), (&2.into(), &false.into()));
    assert!(number(&object["certificate"]["relative_gap"]) <= 1e-8, "{object}");
    run(&["certify", &model, "line"]).says(&["all patterns"]);
    run(&["predict", &model, "line"]).text(0);
    run(&["evaluate", &model, "line"]).text(0);
    let ran = run_line("train line --method enumerate --widths 1,2 --tree");
    let words = "no 4-layer threshold network of any number of tree subnetworks of widths 1 and 2 \
                 is better by more than";
    ran.says(&[words]);
    run_line("train line --method enumerate --widths 2")
        .says(&["all 22 patterns of 3-layer, width-2 networks"]);
}
