//! Rules that are dropped, or get other weights.

use hardlim::data::TrainingSet;
use hardlim::explain::Scorecard;
use hardlim::model::Model;
use hardlim::table::{ReadOptions, Table};
use hardlim::train::{Request, Trained, Watch};

fn loans() -> Table {
    let text = include_str!("../../../../docs/guide/loans.csv");
    Table::read(text.as_bytes(), "loans.csv", &ReadOptions::default()).unwrap()
}

fn train(options: &str, table: &Table) -> (Model, TrainingSet) {
    let request = Request::of(options).unwrap();
    let set = TrainingSet::of_table(table, &request.columns).unwrap();
    let Trained { model, .. } =
        request.check(&set).unwrap().train(&set, &Watch::default()).unwrap();
    (model, set)
}

#[test]
fn an_edited_list_keeps_all_else_and_is_certified() {
    let (model, set) = train("rules=6", &loans());
    let network = model.first().network();
    let edited = model.with_weights(set.data(), &[(2, 0.0), (3, 0.5)]).unwrap();
    let edited = Model::from_text(&edited.to_text()).unwrap();
    let mut expected = network.amplitudes().to_vec();
    expected[2] = 0.5;
    expected.remove(1);
    let found = edited.first().network();
    assert_eq!(found.amplitudes(), expected);
    assert_eq!(found.offset(), network.offset());
    let mut neurons = network.layers()[0].neurons.clone();
    neurons.remove(1);
    assert_eq!(found.layers()[0].neurons, neurons);
    let (before, after) = (model.certificate(), edited.certificate());
    assert_eq!(before.lower_bound(), after.lower_bound());
    assert!(after.objective() > before.objective());
    assert!(edited.certify(set.data()).unwrap().holds());
    assert_eq!(edited.calibration(), model.calibration());
    // The scores of the folds are not those of this list.
    let scored = |model: &Model| model.history().unwrap().validation.is_some();
    assert!(!scored(&edited));
    assert_eq!(Scorecard::of(&edited)[0].rules.len(), expected.len());
    // Back again: the same objective, to the last bit.
    let weights = [(2, network.amplitudes()[2])];
    let dropped = model.with_weights(set.data(), &[(2, 0.0)]).unwrap();
    let back = edited.with_weights(set.data(), &weights).unwrap();
    assert_eq!(back.certificate(), dropped.certificate());
}

#[test]
fn points_are_edited_as_points() {
    let (model, set) = train("rules=6 points=5", &loans());
    let unit = Scorecard::unit_of(&model);
    let weights = Scorecard::output_weights(&model, &[(1, -4.0)]).unwrap();
    assert_eq!(weights, [(1, -4.0 * unit)]);
    let edited = model.with_weights(set.data(), &weights).unwrap();
    assert!(edited.certify(set.data()).unwrap().holds());
    assert_eq!(edited.first().network().amplitudes()[0], -4.0 * unit);
    let refused = Scorecard::output_weights(&model, &[(1, 0.5)]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cannot edit the rules: points are whole numbers, got 0.5 for h1"
    );
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let (model, set) = train("rules=3", &loans());
    let count = model.neurons();
    for (weights, expected) in [
        (vec![(0, 1.0)], format!("there is no rule h0: rules are h1 to h{count}")),
        (vec![(9, 1.0)], format!("there is no rule h9: rules are h1 to h{count}")),
        (vec![(1, 0.0), (1, 2.0)], "rule h1 is named twice".into()),
        (vec![(1, f64::NAN)], "the weight of h1 must be finite, got NaN".into()),
        (vec![(1, 1e18)], "a weight is so large that other weights would be rounded".into()),
    ] {
        let refused = model.with_weights(set.data(), &weights).unwrap_err().to_string();
        assert_eq!(refused, format!("cannot edit the rules: {expected}"));
    }
    let text = "a,y\n1,no\n2,yes\n3,no\n4,yes\n";
    let other = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let (_, others) = train("beta=1", &other);
    let refused = model.with_weights(others.data(), &[(1, 0.0)]).unwrap_err().to_string();
    assert_eq!(refused, "the data are not the training data of the model");
    let (sums, set) = train("method=sample patterns=20 beta=20", &loans());
    let refused = sums.with_weights(set.data(), &[(1, 0.0)]).unwrap_err().to_string();
    let expected = "cannot edit the rules: its neurons read several inputs each";
    assert!(refused.starts_with(expected), "{refused}");
}
