//! Exports: the integers of a model answer as the model does.

use hardlim::data::{Dataset, Features};
use hardlim::export::{Circuit, Replay};
use hardlim::model::Model;
use hardlim::network::{Rechoice, Weights};
use hardlim::table::{ReadOptions, Table};
use hardlim::train::Request;

fn integer_model(data: &str, request: &Request) -> (Model, Dataset) {
    let table = Table::open(data, &ReadOptions::default()).unwrap();
    let model = request.train(&table).unwrap().model;
    let data = model.training_data(&table).unwrap();
    let model = model.rechoose(&data, &Rechoice::new(Weights::Integer)).unwrap();
    (model, data)
}

#[test]
fn a_circuit_answers_as_the_network_everywhere() {
    let (model, data) = integer_model("titanic", &Request::default());
    let circuit = Circuit::of(&model).unwrap();
    assert_eq!(circuit.rounded, 0);
    let features = Some(data.features());
    let replay = Replay { features, neighbours: usize::MAX, random: 5000, seed: 1 };
    let mut values = Vec::new();
    let mut sums = Vec::new();
    let counts = replay
        .visit(&circuit, |m| {
            values.extend(m.iter().zip(&circuit.inputs).map(|(&m, input)| input.value(m)));
            sums.push(circuit.output(circuit.sums(m)[0]));
            Ok::<_, ()>(())
        })
        .unwrap();
    assert_eq!(counts.total(), sums.len());
    assert!(counts.pairs > 0);
    // Three inputs of a few values each: all of them.
    assert_eq!((counts.random, counts.every > 14), (0, true));
    let features = Features::new(sums.len(), circuit.inputs.len(), values).unwrap();
    assert_eq!(model.first().network().output(&features), sums);
}

#[test]
fn models_without_integers_are_refused() {
    let table = Table::open("titanic", &ReadOptions::default()).unwrap();
    let model = Request::default().train(&table).unwrap().model;
    let refused = Circuit::of(&model).unwrap_err();
    assert_eq!(refused.to_string(), "the network has no integer weights");
}

#[test]
fn output_weights_of_few_bits_keep_every_class_and_the_certificate_holds() {
    let (model, data) = integer_model("tic-tac-toe", &Request::of("beta=10").unwrap());
    let (rounded, few) = model.with_few_bits(&data, None).unwrap().expect("fewer bits");
    assert!(few.bits < 16 && few.bits_before > 30, "{few:?}");
    assert!(few.objective <= 1.001 * few.objective_before, "{few:?}");
    let classes = |model: &Model| -> Vec<usize> {
        model.outputs_on(&data)[0].iter().map(|u| model.class(&[*u])).collect()
    };
    assert_eq!(classes(&rounded), classes(&model));
    assert_eq!(rounded.certificate().lower_bound(), model.certificate().lower_bound());
    assert!(rounded.certify(&data).unwrap().holds());
    // Its integers are small.
    let circuit = Circuit::of(&rounded).unwrap();
    let most = circuit.stacks[0].amplitudes.iter().map(|a| a.unsigned_abs()).max();
    assert!(most < Some(1 << few.bits));
    // Once is enough, and numbers stay as they are.
    let again = rounded.with_few_bits(&data, None).unwrap();
    assert!(again.is_none_or(|(_, few)| few.bits < few.bits_before));
    let (line, data) = integer_model("line", &Request::default());
    assert_eq!(
        line.with_few_bits(&data, None).unwrap().is_some(),
        line.coding().target().classes().is_some()
    );
}

#[test]
fn a_limit_on_output_bits_is_kept_and_what_it_changes_is_told() {
    let (model, data) = integer_model("tic-tac-toe", &Request::of("beta=10").unwrap());
    let classes = |model: &Model| -> Vec<usize> {
        model.outputs_on(&data)[0].iter().map(|u| model.class(&[*u])).collect()
    };
    let accuracy = |model: &Model| {
        let right = |(i, class): (usize, usize)| {
            let atoms = data.targets().row(i).iter();
            atoms.filter(|(y, _)| (*y > 0.0) == (class == 1)).map(|(_, s)| s).sum::<f64>()
        };
        classes(model).into_iter().enumerate().map(right).sum::<f64>() / data.samples() as f64
    };
    for limit in [1, 2, 3, 40] {
        let (rounded, few) = model.with_few_bits(&data, Some(limit)).unwrap().expect("fewer bits");
        assert!(few.bits <= limit.max(2), "{few:?}");
        // The output bias may be wider than the weights of the neurons.
        let stack = &Circuit::of(&rounded).unwrap().stacks[0];
        let most = stack.amplitudes.iter().map(|a| a.unsigned_abs()).max();
        assert!(limit > 3 || most <= Some((1 << (limit.max(2) - 1)) - 1), "{:?}", stack.amplitudes);
        let changed =
            classes(&rounded).iter().zip(classes(&model)).filter(|(a, b)| **a != *b).count();
        // Every row of these data is there once.
        let share = changed as f64 / data.samples() as f64;
        assert!((few.changed - share).abs() < 1e-9, "{few:?}");
        assert!((few.accuracy - accuracy(&rounded) + accuracy(&model)).abs() < 1e-9, "{few:?}");
        assert!(rounded.certify(&data).unwrap().holds());
        assert_eq!(few.sentence().contains("every class"), changed == 0);
    }
}
