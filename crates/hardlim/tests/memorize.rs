//! Every way to memorise, on data in general position and on data that are not.

use hardlim::data::{Coding, CodingOptions, Column, Dataset, Features, Fields, Table};
use hardlim::memorize::{About, Labelling, Memorised, Watch, Way, lower_bounds, model};
use hardlim::model::Model;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn random(rows: usize, dimension: usize, seed: u64) -> Labelling {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let values = (0..rows * dimension).map(|_| rng.sample(StandardNormal)).collect();
    let labels: Vec<bool> = (0..rows).map(|_| rng.random()).collect();
    Labelling::new(Features::new(rows, dimension, values).expect("a matrix"), &labels)
}

fn by(way: Way, labelling: &Labelling) -> Memorised {
    let found = Memorised::by(way, labelling, 0, Watch::NOBODY).expect("realised");
    assert!(labelling.is_realised_by(&found.network));
    found
}

#[test]
fn random_labels_take_the_numbers_of_neurons_that_are_promised() {
    // A smaller sibling of 5000 rows in R^10, which `benches/memorize.rs` does.
    let labelling = random(600, 10, 1);
    let (_, rare) = labelling.rarer();
    let [staircase, slabs, decode, list] = Way::ALL.map(|way| by(way, &labelling).neurons());
    assert!(slabs <= 2 * rare.div_ceil(10) + 1, "{slabs}");
    assert!(list < slabs && slabs < staircase, "{list} {slabs} {staircase}");
    assert!((decode as f64) < 2.0 * (2.0 * rare as f64).sqrt() + 12.0, "{decode}");
    for bound in lower_bounds(&labelling) {
        assert!(bound.neurons <= decode.min(list), "{bound:?}");
    }
}

#[test]
fn collinear_points_need_a_first_layer_as_wide_as_the_changes() {
    for rows in [2, 5, 20] {
        let values = (0..rows).flat_map(|i| [i as f64, 2.0 * i as f64]).collect();
        let labels: Vec<bool> = (0..rows).map(|i| i % 2 == 0).collect();
        let labelling = Labelling::new(Features::new(rows, 2, values).unwrap(), &labels);
        let bound = &lower_bounds(&labelling)[1];
        assert_eq!((bound.about, bound.first_layer), (About::This, rows - 1));
        assert_eq!(by(Way::Staircase, &labelling).neurons(), bound.neurons);
        for way in Way::ALL {
            assert!(by(way, &labelling).widths()[0] >= rows - 1, "{way}");
        }
    }
}

#[test]
fn one_label_is_one_neuron() {
    let features = Features::new(3, 2, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    for label in [true, false] {
        let labelling = Labelling::new(features.clone(), &[label; 3]);
        assert!(Way::ALL.into_iter().all(|way| by(way, &labelling).neurons() == 1));
    }
}

#[test]
fn the_model_answers_exactly_and_its_certificate_holds() {
    let rows: Vec<Vec<f64>> = (0..40)
        .map(|i| vec![f64::from(i * 7 % 41), f64::from(i * i % 37), f64::from(i % 2)])
        .collect();
    let column = |j: usize| Column {
        name: ["a", "b", "y"][j].into(),
        fields: Fields::Numbers(rows.iter().map(|row| row[j]).collect()),
    };
    let table = Table::new("t", (0..3).map(column).collect()).unwrap();
    let options = CodingOptions { keep_all: true, ..CodingOptions::default() };
    let coding = Coding::fit(&table, &options).unwrap();
    let data: Dataset = coding.dataset(&table).unwrap();
    let found = by(Way::Decode, &Labelling::of(&data).unwrap());
    let model = model(&data, coding, found.network).unwrap();
    assert!(model.certify(&data).unwrap().holds());
    assert!(model.certificate().relative_gap() < 1e-6);
    assert!(model.outputs(&table).unwrap()[0].iter().all(|u| u.abs() == 1.0));
    let again = Model::from_text(&model.to_text()).unwrap();
    assert_eq!(again, model);
}

#[test]
fn equal_rows_with_both_labels_are_an_error() {
    let features = Features::new(3, 1, vec![1.0, 2.0, 1.0]).unwrap();
    let data = Dataset::new(features, &[1.0, 1.0, -1.0], None).unwrap();
    let error = Labelling::of(&data).unwrap_err().to_string();
    assert_eq!(error, "row 1: equal rows have the targets -1 and 1");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_labels_of_distinct_rows_are_memorised(
        values in prop::collection::vec(-3i32..4, 2..120),
        dimension in 1usize..4,
        seed in 0u64..1000,
    ) {
        let rows = values.len() / dimension;
        let values = values[..rows * dimension].iter().map(|v| 0.1 * f64::from(*v)).collect();
        let (features, _) = Features::new(rows, dimension, values).unwrap().merge();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let labels: Vec<bool> = (0..features.rows()).map(|_| rng.random()).collect();
        let labelling = Labelling::new(features, &labels);
        let this = lower_bounds(&labelling)[1].clone();
        for way in Way::ALL {
            let found = Memorised::by(way, &labelling, seed, Watch::NOBODY).unwrap();
            prop_assert!(labelling.is_realised_by(&found.network));
            prop_assert!(found.neurons() >= this.neurons, "{} {:?}", way, this);
            prop_assert!(found.widths()[0] >= this.first_layer || found.widths().len() == 1);
        }
    }
}
