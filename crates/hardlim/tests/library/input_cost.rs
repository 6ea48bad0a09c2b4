//! Neurons that pay for the inputs they read: `kᴾ β |a|` for `k` inputs.

use crate::altered::altered;
use crate::models::{set, table, train, train_on};
use hardlim::certificate::Scope;
use hardlim::model::Model;
use hardlim::network::{Network, Neuron, Rechoice, Weights};
use hardlim::table::Table;
use hardlim::train::Request;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows of random numbers, and a target that needs some of them.
fn numbers(rows: usize, columns: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let row = |_| {
        let mut row: Vec<f64> = (0..columns).map(|_| rng.random_range(-2.0..2.0)).collect();
        let sum: f64 = row[0] + 0.6 * row[1 % columns] + 0.3 * rng.random_range(-1.0..1.0);
        row.push(if sum > 0.0 { 1.0 } else { -1.0 });
        row
    };
    table(&(0..rows).map(row).collect::<Vec<_>>())
}

/// A request over random patterns of few and many inputs.
fn sampled(input_cost: f64) -> Request {
    Request::of(&format!(
        "method=sample inputs=mixed patterns=300 beta_ratio=0.05 input_cost={input_cost}"
    ))
    .unwrap()
}

/// How many inputs the neurons in use read, on average.
fn mean_reads(network: &Network) -> f64 {
    let neurons = &network.layers()[0].neurons;
    neurons.iter().map(Neuron::reads).sum::<usize>() as f64 / neurons.len() as f64
}

#[test]
fn no_network_of_the_dictionary_is_below_the_bound() {
    for (seed, input_cost) in [(1, 0.25), (2, 0.5), (3, 2.0)] {
        let request = sampled(input_cost).with(&format!("patterns=40 seed={seed}")).unwrap();
        let (trained, data) = train(&request, &numbers(8, 4, seed));
        let model = &trained.model;
        assert!(model.certificate().relative_gap() <= 1e-6, "{:?}", model.certificate());
        assert_eq!(model.certificate().class().input_cost, input_cost);
        let recipe = model.first().recipe();
        let dictionary = recipe.dictionary(&data, true, input_cost).unwrap();
        let beta = model.beta().get();
        // The definition, one network at a time.
        let objective = |a: &[(usize, f64)]| {
            let output = dictionary.patterns.combine(a.iter().copied());
            let penalty: f64 = (a.iter())
                .map(|&(j, a)| (dictionary.witnesses[j].reads() as f64).powf(input_cost) * a.abs())
                .sum();
            let squares = data.targets().iter().zip(&output).map(|(atoms, u)| {
                atoms.iter().map(|(y, s)| s * (u - y) * (u - y) / 2.0).sum::<f64>()
            });
            squares.sum::<f64>() + beta * penalty
        };
        let (bound, steps) = (model.certificate().lower_bound(), [-2.0, -1.0, -0.5, 0.5, 1.0, 2.0]);
        let mut least = f64::INFINITY;
        for i in 0..dictionary.len() {
            for j in 0..dictionary.len() {
                for (a, b) in steps.iter().flat_map(|a| steps.iter().map(move |b| (*a, *b))) {
                    least = least.min(objective(&[(i, a), (j, b)]));
                }
            }
        }
        let network = model.first().network();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..2000 {
            let count = rng.random_range(0..=network.neurons() + 2);
            let some = |_| (rng.random_range(0..dictionary.len()), rng.random_range(-2.0..2.0));
            least = least.min(objective(&(0..count).map(some).collect::<Vec<_>>()));
        }
        assert!(least >= bound, "{least} is below {bound}");
        assert!(model.certify(&data).unwrap().holds());
    }
}

#[test]
fn a_larger_cost_makes_neurons_read_fewer_inputs_at_every_certified_optimum() {
    let table = numbers(150, 12, 5);
    let mut last = f64::INFINITY;
    for input_cost in [0.0, 0.25, 0.5, 1.0] {
        let (trained, data) = train(&sampled(input_cost), &table);
        let model = &trained.model;
        let reads = mean_reads(model.first().network());
        assert!(reads < last, "{reads} inputs with {input_cost}, {last} before");
        last = reads;
        assert!(model.certificate().relative_gap() <= 1e-6);
        let check = model.certify(&data).unwrap();
        assert!(check.holds(), "{:?}", check.reason());
        // Every cost is at least one, so the bound over all networks holds for these, too.
        assert!(model.global().lower_bound() <= model.certificate().objective());
        assert_eq!(Model::from_text(&model.to_text()).unwrap(), *model);
        assert_eq!(model.to_text().contains("\n  \"input_cost\""), input_cost != 0.0);
        // The loss is what the objective leaves after the penalty.
        let loss: f64 = data
            .targets()
            .iter()
            .zip(model.first().network().output(data.features()))
            .map(|(atoms, u)| atoms.iter().map(|(y, s)| s * (u - y) * (u - y) / 2.0).sum::<f64>())
            .sum();
        assert!((model.training_loss() - loss).abs() <= 1e-9 * loss);
    }
}

#[test]
fn averages_and_small_networks_pay_for_their_inputs() {
    let set = set(&numbers(120, 8, 7));
    let reads = |model: &Model| mean_reads(model.first().network());
    let request = Request::of("average=3 inputs=mixed").unwrap();
    let free = train_on(&request, &set).unwrap().model;
    let paid = train_on(&request.with("input_cost=0.5").unwrap(), &set).unwrap();
    let few = request.with("input_cost=0.5 neurons=5").unwrap();
    let few = train_on(&few, &set).unwrap();
    assert!(reads(&paid.model) < reads(&free), "{} {}", reads(&paid.model), reads(&free));
    assert!(few.model.neurons() <= 5);
    let (_, full) = few.pruned.expect("neurons were pruned");
    let objective = paid.model.certificate().objective();
    assert!((full - objective).abs() <= 1e-6 * objective, "{full} {objective}");
    for model in [&paid.model, &few.model] {
        assert_eq!(model.certificate().scope(), Scope::Dictionary);
        assert!(model.certificate().claim().contains("each at the cost k^0.5 of the k inputs"));
        let check = model.certify(set.data()).unwrap();
        assert!(check.holds(), "{:?}", check.reason());
    }
}

#[test]
fn neurons_of_one_input_all_pay_the_same() {
    let table = numbers(60, 3, 9);
    let one = |input_cost| {
        let request =
            Request::of(&format!("max_inputs=1 beta_ratio=0.05 input_cost={input_cost}")).unwrap();
        train(&request, &table)
    };
    let ((free, _), (paid, data)) = (one(0.0), one(0.5));
    assert_eq!(free.model.first().network(), paid.model.first().network());
    let (free, paid) = (free.model, paid.model);
    assert_eq!(free.certificate().lower_bound(), paid.certificate().lower_bound());
    assert_eq!(free.certificate().objective(), paid.certificate().objective());
    assert!(
        paid.certificate()
            .claim()
            .contains("read one input, where a neuron of k inputs pays k^0.5")
    );
    assert!(paid.certify(&data).unwrap().holds());
}

#[test]
fn other_costs_than_those_of_the_training_are_refused() {
    let (trained, data) = train(&sampled(0.5), &numbers(60, 6, 11));
    let model = trained.model;
    for other in [0.0, 0.25, 0.75] {
        for classes in [false, true] {
            let text = altered(&model, |fields| {
                fields["input_cost"] = other.into();
                if classes {
                    fields["networks"][0]["certificate"]["class"]["input_cost"] = other.into();
                }
            });
            let check = Model::from_text(&text).unwrap().certify(&data).unwrap();
            assert!(!check.holds(), "{other}, {classes}");
        }
    }
    let text = altered(&model, |fields| fields["input_cost"] = (-1.0).into());
    let error = Model::from_text(&text).unwrap_err().to_string();
    assert!(error.contains("its input cost is not between 0 and 16"), "{error}");
    let listed = Request::of("method=enumerate").unwrap();
    let (listed, _) = train(&listed, &numbers(9, 2, 3));
    let text = altered(&listed.model, |fields| fields["input_cost"] = 0.5.into());
    let error = Model::from_text(&text).unwrap_err().to_string();
    assert!(error.contains("which its recipe does not allow"), "{error}");
}

#[test]
fn a_neuron_that_pays_less_than_its_pattern_is_refused() {
    // Both columns hold the same numbers: one input can do what two do.
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let row = |i: usize| {
        let x = f64::from(i as u32) / 8.0;
        vec![x, x, if rng.random_bool(0.5) { 1.0 } else { -1.0 }]
    };
    let request = sampled(0.5).with("inputs=2").unwrap();
    let (trained, data) = train(&request, &table(&(0..20).map(row).collect::<Vec<_>>()));
    let model = trained.model;
    assert!(model.certify(&data).unwrap().holds());
    let text = altered(&model, |fields| {
        let neurons = &mut fields["networks"][0]["network"]["layers"][0];
        for neuron in neurons.as_array_mut().unwrap() {
            let weight = |j: usize| neuron["weights"][j].as_f64().unwrap();
            let sum = weight(0) + weight(1);
            neuron["weights"] = vec![sum, 0.0].into();
        }
    });
    let check = Model::from_text(&text).unwrap().certify(&data).unwrap();
    let reason = check.reason().expect("a reason");
    assert!(reason.contains("reads fewer inputs (1) than the random neurons"), "{reason}");
}

#[test]
fn other_weights_read_the_same_inputs() {
    let (trained, data) = train(&sampled(0.5), &numbers(50, 6, 15));
    let model = trained.model;
    let reads = |model: &Model| -> Vec<usize> {
        model.first().network().layers()[0].neurons.iter().map(Neuron::reads).collect()
    };
    for weights in [Weights::Svm, Weights::Center, Weights::Sparse, Weights::Integer] {
        let chosen = model.rechoose(&data, &Rechoice::new(weights)).unwrap();
        assert_ne!(chosen.first().network(), model.first().network(), "{weights}");
        assert_eq!(reads(&chosen), reads(&model), "{weights}");
        let check = chosen.certify(&data).unwrap();
        assert!(check.holds(), "{weights}: {:?}", check.reason());
    }
}

/// A drawn neuron may have a cheaper twin that was not drawn: the claim is not about that one.
#[test]
fn the_claim_of_a_cost_speaks_of_the_drawn_neurons_only() {
    for seed in 0..4 {
        let request = sampled(0.5).with(&format!("inputs=3 patterns=60 seed={seed}")).unwrap();
        let (trained, _) = train(&request, &numbers(20, 5, seed));
        let certificate = trained.model.certificate();
        assert_eq!(certificate.scope(), Scope::Dictionary);
        let words = "no two-layer network built from the sampled neurons, each at the cost k^0.5 \
                     of the k inputs that it reads, is better by more than ";
        assert!(certificate.claim().starts_with(words), "{}", certificate.claim());
    }
}
