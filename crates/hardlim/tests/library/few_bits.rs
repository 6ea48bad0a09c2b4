//! Inputs and weights of few bits: what is trained is what is exported.

use hardlim::data::Features;
use hardlim::explain::{Explanation, Rule};
use hardlim::export::Circuit;
use hardlim::model::Model;
use hardlim::table::{CodingOptions, ReadOptions, Table};
use hardlim::train::{Request, Trained};

/// Numbers of many sizes: whole ones, skewed ones, some far away, some missing.
fn table(classes: usize) -> Table {
    let mut text = "a,years,skewed,gap,label,y\n".to_owned();
    let mut state = 7u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    for i in 0..160 {
        let (a, years, r) = (random() * 8.0 - 4.0, 1950.0 + (random() * 70.0).floor(), random());
        let skewed = if i == 3 { 1e6 } else { r.powi(4) * 300.0 };
        let gap = if i % 9 == 0 { String::new() } else { format!("{:.2}", random()) };
        let score = a + (years - 1985.0) / 20.0 + r + 0.7 * random();
        let class = if score < 0.0 { 0 } else { 1 + usize::from(score > 2.0) };
        let class = ["no", "yes", "very"][class.min(classes - 1)];
        text += &format!("{a:.4},{years},{skewed:.3},{gap},{},{class}\n", ["u", "v", "w"][i % 3]);
    }
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn trained(table: &Table, bits: u32, request: Request) -> Trained {
    let columns = CodingOptions { bits: Some(bits), ..CodingOptions::default() };
    request.with_columns(columns).train(table).unwrap()
}

fn problem() -> Request {
    Request::of("beta_ratio=0.1").unwrap()
}

/// Every part of a model of few bits agrees with every other one.
#[track_caller]
fn agrees(model: &Model, table: &Table, bits: u32) {
    agrees_with(model, table, bits, bits.max(2));
}

/// The same with other bits for the weights.
#[track_caller]
fn agrees_with(model: &Model, table: &Table, bits: u32, weight_bits: u32) {
    let coding = model.coding();
    let x = coding.features(table).unwrap();
    assert_eq!(coding.rounded(x.clone()), x, "rounding twice");
    let data = model.training_data(table).unwrap();
    let check = model.certify(&data).unwrap();
    assert!(check.holds(), "{check:?}");
    assert_eq!(&Model::from_text(&model.to_text()).unwrap(), model);
    let circuit = Circuit::of(model).unwrap();
    assert_eq!(circuit.rounded, 0);
    assert!(circuit.inputs.iter().all(|input| input.bits() <= bits), "{:?}", circuit.inputs);
    for network in model.networks() {
        let grid = network.grid().unwrap();
        for neuron in &network.layers()[0].neurons {
            assert!(grid.bits_of(neuron).unwrap() <= weight_bits);
        }
    }
    let outputs = model.outputs(table).unwrap();
    for i in 0..x.rows() {
        let sums = circuit.sums(&circuit.integers(x.row(i)));
        for (k, sum) in sums.into_iter().enumerate() {
            assert_eq!(circuit.output(sum), outputs[k][i], "row {i}");
        }
    }
}

#[test]
fn models_circuits_and_certificates_agree() {
    for (classes, bits) in [(2, 1), (2, 3), (3, 4), (2, 8)] {
        let table = table(classes);
        for request in [
            problem(),
            problem().with("max_inputs=1").unwrap(),
            problem().with("method=sample patterns=300").unwrap(),
        ] {
            agrees(&trained(&table, bits, request).model, &table, bits);
        }
    }
}

#[test]
fn deep_networks_and_the_best_predictions_have_few_bits() {
    let table = table(2);
    let deep = problem().with("layers=3 widths=2 patterns=100").unwrap();
    agrees(&trained(&table, 4, deep).model, &table, 4);
    let best = Request::of("neurons=8 average=2").unwrap();
    agrees(&trained(&table, 3, best).model, &table, 3);
}

#[test]
fn few_neurons_have_the_bits_that_are_asked_for() {
    let table = table(2);
    for output_bits in [2u32, 3] {
        for request in [Request::of("max_inputs=2").unwrap(), Request::of("average=1").unwrap()] {
            let few = request
                .with(&format!("neurons=4 output_bits={output_bits} weight_bits=5"))
                .unwrap();
            let trained = trained(&table, 2, few);
            let model = &trained.model;
            assert!(model.neurons() <= 4 && trained.pruned.is_some());
            agrees_with(model, &table, 2, 5);
            // An export keeps what was trained, or finds fewer bits that do.
            let data = model.training_data(&table).unwrap();
            let exported = model.with_few_bits(&data, Some(output_bits)).unwrap();
            if let Some((other, bits)) = exported {
                assert!(bits.bits < output_bits && bits.changed == 0.0, "{bits:?}");
                assert!(other.certify(&data).unwrap().holds());
            }
        }
    }
}

#[test]
fn neurons_of_few_inputs_stay_so() {
    // Wide margins on many inputs would tempt every neuron to read all of them.
    let mut text = (0..40).map(|j| format!("x{j},")).collect::<String>() + "y\n";
    for i in 0..60u32 {
        let x = |j: u32| (i * 7 + j * i % 11 + j) % 16 + 4 * (i % 2) * (j % 3);
        text += &(0..40).map(|j| format!("{},", x(j))).collect::<String>();
        text += if i % 2 == 0 { "no\n" } else { "yes\n" };
    }
    let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let few = Request::of("inputs=1,2 neurons=6 average=1").unwrap();
    let model = trained(&table, 4, few).model;
    agrees(&model, &table, 4);
    for neuron in &model.first().network().layers()[0].neurons {
        assert!(neuron.reads() <= 2, "{neuron:?}");
    }
}

#[test]
fn a_column_has_its_own_range_and_far_values_become_its_ends() {
    let table = table(2);
    let model = trained(&table, 5, problem()).model;
    let circuit = Circuit::of(&model).unwrap();
    let skewed = circuit.inputs.iter().find(|input| input.name == "skewed").unwrap();
    assert!(skewed.value(skewed.most) < 400.0, "{skewed:?}");
    assert_eq!(skewed.integer(1e9), skewed.most);
    let notes = model.coding().notes().join("\n");
    assert!(
        notes.contains("`bits=5`: 4 numbers of at most 5 bits, rounded before training"),
        "{notes}"
    );
}

#[test]
fn rules_are_about_numbers_as_read() {
    let table = table(2);
    let model = trained(&table, 4, problem().with("max_inputs=1").unwrap()).model;
    let (coding, network) = (model.coding(), model.first().network());
    let names = coding.feature_names();
    let explained = Explanation::of(network, coding, None);
    let rules: Vec<(&Rule, f64)> = (explained.layers.iter().flatten())
        .filter_map(|neuron| Some((&neuron.rule, neuron.weight?)))
        .filter(|(rule, _)| matches!(rule, Rule::Threshold { .. }))
        .collect();
    assert!(rules.len() > 3);
    for step in 0..400 {
        let far = |k: usize| -60.0 + f64::from(step) * [0.3, 7.0, 1.0, 0.01, 1.0][k % 5];
        let row: Vec<f64> = (0..names.len()).map(far).collect();
        let rounded = coding.rounded(Features::new(1, names.len(), row.clone()).unwrap());
        let own: f64 = (network.layers()[0].neurons.iter().zip(network.amplitudes()))
            .filter(|(neuron, _)| {
                neuron.terms().any(|(j, w)| w != 0.0 && !names[j].contains(['=', '.']))
            })
            .filter(|(neuron, _)| neuron.fires(rounded.row(0)))
            .map(|(_, a)| a)
            .sum();
        let told: f64 = (rules.iter())
            .filter(|(rule, _)| match rule {
                Rule::Threshold { column, at_least, value, .. } => {
                    let x = row[names.iter().position(|name| name == column).unwrap()];
                    if *at_least { x >= *value } else { x <= *value }
                }
                _ => false,
            })
            .map(|(_, a)| a)
            .sum();
        assert!((own - told).abs() < 1e-9, "{own} {told}");
    }
}

#[test]
fn other_weights_and_wrong_bits() {
    let table = table(2);
    let svm = problem().with("weights=svm").unwrap();
    let model = trained(&table, 4, svm).model;
    assert!(model.first().network().grid().is_none());
    let columns = CodingOptions { bits: Some(17), ..CodingOptions::default() };
    let error = problem().with_columns(columns).train(&table).unwrap_err().to_string();
    assert_eq!(error, "cannot read t.csv: `bits` must be between 1 and 16, got 17");
}

#[test]
fn a_hostile_file_is_refused() {
    let text = trained(&table(2), 4, problem()).model.to_text();
    assert!(text.contains("\"steps\":{\"shift\":"));
    let coding = text.lines().find(|line| line.contains("\"coding\"")).unwrap();
    let coding = coding.trim_start().trim_start_matches("\"coding\": ").trim_end_matches(',');
    let read = |text: &str| serde_json::from_str::<hardlim::table::Coding>(text);
    assert!(read(coding).is_ok());
    assert!(read(&coding.replace("\"bits\":4}", "\"bits\":60}")).is_err());
    assert!(read(&coding.replace("\"first\":", "\"first\":9999999999")).is_err());
}
