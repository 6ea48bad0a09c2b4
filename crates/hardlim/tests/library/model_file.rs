//! The model file: bit-exact, sealed, and never trusted.

use crate::altered::{altered, place, put, scale};
use crate::models::{table, train};
use crate::seal::sealed;
use hardlim::data::Dataset;
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::table::Table;
use hardlim::train::{Method, Request};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// Points of a small grid, some of them equal, with labels of both classes.
fn random_table(rng: &mut ChaCha8Rng, classes: bool) -> Table {
    let (rows, width) = (rng.random_range(4..30), rng.random_range(1..5));
    let mut rows: Vec<Vec<f64>> = (0..rows)
        .map(|_| {
            let mut row: Vec<f64> =
                (0..width).map(|_| f64::from(rng.random_range(-3..4))).collect();
            let label = classes.then(|| f64::from(rng.random_range(0..2)));
            row.push(label.unwrap_or_else(|| rng.random_range(-2.0..2.0)));
            row
        })
        .collect();
    if classes {
        (rows[0][width], rows[1][width]) = (0.0, 1.0);
    }
    table(&rows)
}

/// A trained model, small enough to alter everywhere.
fn small(method: Method) -> (Model, Dataset) {
    let rows: Vec<Vec<f64>> = match method {
        Method::Complete => vec![vec![0.0, 0.0, 2.0], vec![1.0, 0.0, -1.0], vec![0.0, 1.0, 0.5]],
        _ => (0..6).map(|i| vec![f64::from(i) - 2.5, f64::from(i * 5 % 7) / 3.0 - 0.9]).collect(),
    };
    let patterns = if method == Method::Sample { "patterns=40" } else { "" };
    let request = format!("method={method} {patterns} beta_ratio=0.1 seed=3");
    let request = Request::of(&request).unwrap();
    let (trained, data) = train(&request, &table(&rows));
    assert!(trained.model.certify(&data).unwrap().holds());
    (trained.model, data)
}

#[test]
fn bounds_are_below_objectives_and_files_bit_exact_for_every_model_trained() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for loss in LossKind::all() {
        for case in 0..24 {
            let label_loss =
                matches!(loss, LossKind::Logistic | LossKind::Hinge | LossKind::SquaredHinge);
            let table = random_table(&mut rng, label_loss || case % 2 == 0);
            let constraints = if case % 4 == 3 { rng.random_range(0..4) } else { 0 };
            let request = format!(
                "loss={loss} beta_ratio={ratio} weights={weights} bias={bias} standardize={scaled} \
                 intercept={intercept} non_negative={non_negative} seed={case}",
                ratio = 10f64.powf(rng.random_range(-2.5..0.1)),
                bias = rng.random_bool(0.8),
                scaled = rng.random_bool(0.7),
                intercept = constraints & 2 == 2,
                non_negative = constraints & 1 == 1,
                weights = ["", "sampled", "svm"][case % 3],
            );
            let request = Request::of(&request).unwrap();
            let (trained, data) = train(&request, &table);
            let model = trained.model;
            for certificate in [&model.certificate(), &model.global()] {
                let (bound, objective) = (certificate.lower_bound(), certificate.objective());
                assert!(bound <= objective, "{loss}, {case}: {bound} {objective}");
            }
            assert!(model.global().lower_bound() <= model.certificate().objective());
            let text = model.to_text();
            let read = Model::from_text(&text).unwrap();
            assert_eq!(read, model, "{loss}, {case}");
            assert_eq!(read.to_text(), text);
            let check = read.certify(&data).unwrap();
            assert!(check.holds(), "{loss}, {case}: {check:?} {model:?}");
            assert_eq!(check.certificate(), Some(model.certificate()), "{loss}, {case}");
            assert_eq!(check.global(), Some(model.global()), "{loss}, {case}");
        }
    }
}

#[test]
fn any_altered_byte_is_an_error() {
    for method in [Method::Sample, Method::Complete] {
        let text = small(method).0.to_text();
        let refused = |bytes: Vec<u8>, at: usize| {
            if let Ok(text) = String::from_utf8(bytes) {
                assert!(Model::from_text(&text).is_err(), "byte {at}: {text}");
            }
        };
        for at in 0..text.len() {
            for mask in [0x01, 0x02, 0x10, 0x20, 0x80, 0xff] {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= mask;
                refused(bytes, at);
            }
            let mut bytes = text.clone().into_bytes();
            bytes.remove(at);
            refused(bytes, at);
            let mut bytes = text.clone().into_bytes();
            bytes.insert(at, b' ');
            refused(bytes, at);
            refused(text.as_bytes()[..at].to_vec(), at);
        }
        refused([text.as_bytes(), b"\n"].concat(), text.len());
    }
}

/// Whether an altered model, its checksum made to fit, is read and certified.
fn accepted(model: &Model, data: &Dataset, alter: impl FnOnce(&mut Value)) -> bool {
    let text = altered(model, alter);
    Model::from_text(&text).is_ok_and(|model| model.certify(data).is_ok_and(|check| check.holds()))
}

#[test]
fn what_is_not_altered_still_holds() {
    for method in [Method::Sample, Method::Complete] {
        let (model, data) = small(method);
        assert!(accepted(&model, &data, |_| {}));
        // A weaker statement is true as well.
        for field in ["certificate", "global"] {
            let bound = format!("networks.0.{field}.lower_bound");
            assert!(accepted(&model, &data, scale(&bound, 0.9)));
        }
    }
}

#[test]
fn statements_that_are_not_supported_do_not_hold() {
    for method in [Method::Sample, Method::Complete] {
        let (model, data) = small(method);
        let refused = |alter: &dyn Fn(&mut Value)| assert!(!accepted(&model, &data, alter));
        let relabel = |field: &str, scope: &str, bound: &str| {
            refused(&|m| {
                put(&format!("networks.0.{field}.scope"), scope)(m);
                put(&format!("networks.0.{field}.bound"), bound)(m);
            });
        };
        for field in ["certificate", "global"] {
            for factor in [1.0 - 1e-6, 1.0 - 2e-9, 1.0 + 2e-9, 1.0 + 1e-6, 0.0, -1.0] {
                refused(&|m| scale(&format!("networks.0.{field}.objective"), factor)(m));
            }
            for factor in [1.0 + 2e-9, 1.0 + 1e-6, 2.0, 1e300] {
                refused(&|m| scale(&format!("networks.0.{field}.lower_bound"), factor)(m));
            }
            relabel(field, "global", "dictionary");
            relabel(field, "dictionary", "complete");
        }
        relabel("global", "dictionary", "dictionary");
        match method {
            Method::Sample => relabel("certificate", "global", "complete"),
            _ => relabel("certificate", "dictionary", "dictionary"),
        }
    }
}

#[test]
fn another_problem_does_not_hold() {
    for method in [Method::Sample, Method::Complete] {
        let (model, data) = small(method);
        for factor in [0.5, 1.0 - 1e-6, 1.0 + 1e-6, 2.0, 0.0, -1.0] {
            assert!(!accepted(&model, &data, scale("beta", factor)), "{factor}");
        }
        for loss in ["logistic", "hinge", "huber:0.01", "absolute", "quantile:0.5", "cubic", ""] {
            assert!(!accepted(&model, &data, put("loss", loss)), "{loss}");
        }
        assert!(!accepted(&model, &data, put("constraints.non_negative", true)));
        assert!(!accepted(&model, &data, put("networks.0.fingerprint", "0".repeat(64))));
        assert!(!accepted(&model, &data, put("split", json!({"fraction": 0.5}))));
    }
}

#[test]
fn an_output_bias_asks_for_a_balanced_proof() {
    // Every target is positive: a free bias would do most of the work, and the bound be far lower.
    let rows: Vec<Vec<f64>> = (0..6).map(|i| vec![f64::from(i), f64::from(i % 3 + 3)]).collect();
    let request = Request::of("method=sample beta_ratio=0.1").unwrap();
    let (trained, data) = train(&request, &table(&rows));
    let model = trained.model;
    assert!(accepted(&model, &data, |_| {}));
    assert!(!accepted(&model, &data, put("constraints.intercept", true)));
    // Even where the bound for all networks is taken back.
    assert!(!accepted(&model, &data, |m| {
        put("constraints.intercept", true)(m);
        put("networks.0.global.lower_bound", 0.0)(m);
    }));
}

#[test]
fn a_dictionary_says_nothing_about_a_network_that_is_not_built_from_it() {
    let (model, data) = small(Method::Sample);
    for draws in [1, 2, 5] {
        let draws = || put("networks.0.recipe.draws", draws);
        assert!(!accepted(&model, &data, draws()));
        // Nor where the bound is stated as low as it comes.
        assert!(!accepted(&model, &data, |m| {
            draws()(m);
            put("networks.0.certificate.lower_bound", -1e9)(m);
        }));
    }
}

#[test]
fn another_network_does_not_hold() {
    for method in [Method::Sample, Method::Complete] {
        let (model, data) = small(method);
        for k in 0..model.first().network().neurons() {
            for factor in [1.0 + 1e-3, 0.5, -1.0, 0.0] {
                let amplitude = format!("networks.0.network.amplitudes.{k}");
                assert!(!accepted(&model, &data, scale(&amplitude, factor)));
            }
            // The opposite side of the line is another pattern.
            assert!(!accepted(&model, &data, |m| {
                let neuron = place(m, &format!("networks.0.network.layers.0.{k}"));
                scale("bias", -1.0)(neuron);
                let weights = 0..neuron["weights"].as_array().unwrap().len();
                weights.for_each(|j| scale(&format!("weights.{j}"), -1.0)(neuron));
            }));
        }
        assert!(!accepted(&model, &data, put("networks.0.network.offset", 0.1)));
        // A free output bias would make every network better than the bound allows.
        assert!(!accepted(&model, &data, |m| {
            put("constraints.intercept", true)(m);
            put("networks.0.network.offset", 0.1)(m);
        }));
    }
}

#[test]
fn another_proof_does_not_hold() {
    let (model, data) = small(Method::Sample);
    for (k, _) in model.first().dual().values().iter().enumerate().filter(|(_, z)| z.abs() > 0.1) {
        for factor in [1.0 + 1e-3, 0.5, -1.0, 1e200] {
            let number = format!("networks.0.dual.{k}");
            assert!(!accepted(&model, &data, scale(&number, factor)), "{k} {factor}");
        }
    }
    assert!(!accepted(&model, &data, put("networks.0.dual", json!([]))));
    assert!(!accepted(&model, &data, put("networks.0.dual", vec![0.0; data.distinct()])));
    // The same line through zero proves the same.
    assert!(accepted(&model, &data, |m| {
        (0..data.distinct()).for_each(|k| scale(&format!("networks.0.dual.{k}"), 0.5)(m));
    }));
    assert!(!accepted(&model, &data, put("networks.0.recipe", json!({"method": "complete"}))));
}

#[test]
fn another_dictionary_does_not_hold() {
    // Few draws of many patterns: another seed draws others, which the dual point does not price.
    let rows: Vec<Vec<f64>> = (0..40u32)
        .map(|i| {
            let x = |k: u32| f64::from(i * (7 + k) * (i + k) % 23);
            vec![x(1), x(2), x(3), f64::from(i % 3)]
        })
        .collect();
    let request = Request::of("patterns=20 beta_ratio=0.05").unwrap();
    let (trained, data) = train(&request, &table(&rows));
    let model = trained.model;
    assert!(accepted(&model, &data, |_| {}));
    for seed in 1..20 {
        assert!(!accepted(&model, &data, put("networks.0.recipe.seed", seed)), "{seed}");
    }
    assert!(!accepted(&model, &data, put("networks.0.recipe.draws", 1000)));
    assert!(!accepted(&model, &data, put("networks.0.recipe.standardize", false)));
    assert!(!accepted(&model, &data, put("bias", false)));
    // Fewer patterns are not those that the network is built from.
    assert!(!accepted(&model, &data, put("networks.0.recipe.draws", 10)));
}

/// The error of a model with something altered, its checksum made to fit.
#[track_caller]
fn refused(alter: impl FnOnce(&mut Value)) -> String {
    let text = altered(&small(Method::Sample).0, alter);
    let error = Model::from_text(&text).unwrap_err().to_string();
    assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    error
}

#[test]
fn parts_that_do_not_fit_are_refused_in_words() {
    let error = refused(put("hardlim", 4));
    assert_eq!(error, "it has version 4, but this program reads version 3");
    assert!(refused(put("more", 1)).starts_with("unknown field `more`"));
    assert!(refused(put("beta", Value::Null)).contains("expected f64"));
    assert!(refused(put("beta", -1.0)).starts_with("beta must be a positive"));
    for draws in [100_000_001, 1_000_000_000_000_000_000, u64::MAX] {
        let error = refused(put("networks.0.recipe.draws", draws));
        assert_eq!(error, "its recipe draws more than 10^8 patterns");
    }
    for inputs in [0, 2, 1_000_000_000_000_000_000, u64::MAX] {
        let error = refused(put("networks.0.network.inputs", inputs));
        assert!(error.contains("inputs"), "{error}");
    }
    let sparse = |inputs: &[u32], weights: usize| {
        let weights = vec![1.0; weights];
        let neuron = json!({"inputs": inputs, "weights": weights, "bias": 0.0});
        refused(put("networks.0.network.layers.0.0", neuron))
    };
    for inputs in [&[1][..], &[0, 0], &[4_294_967_295]] {
        let error = sparse(inputs, inputs.len());
        assert!(error.ends_with("its inputs are not ascending numbers below 1"), "{error}");
    }
    assert!(sparse(&[0], 0).ends_with("it has 0 weights for 1 inputs"));
    let none = || json!([]);
    assert!(refused(put("networks.0.network.layers", none())).ends_with("no hidden layer"));
    let error = refused(put("networks.0.network.amplitudes", none()));
    assert!(error.contains("0 amplitudes for"), "{error}");
    let fill = |path: &'static str, value: f64| {
        refused(move |m| place(m, path).as_array_mut().unwrap().fill(json!(value)))
    };
    let error = fill("networks.0.network.amplitudes", 1.7e308);
    assert!(error.ends_with("the amplitudes are not finite"), "{error}");
    assert_eq!(fill("networks.0.dual", 1e308), "its dual point is not finite");
    assert!(refused(put("coding.width", 7)).contains("expected 7 columns, found 2"));
    let error = refused(put("coding.features", none()));
    assert!(error.contains("no features"), "{error}");
    let error = refused(|m| {
        put("constraints.non_negative", true)(m);
        put("networks.0.network.amplitudes.0", -1.0)(m);
    });
    assert_eq!(error, "an amplitude is negative, which its constraints do not allow");
}

/// The model's text with a piece of it replaced, sealed again.
fn spliced(from: &str, to: &str) -> String {
    let text = small(Method::Sample).0.to_text();
    assert!(text.contains(from), "{from} is not in {text}");
    sealed(&text.replacen(from, to, 1))
}

#[test]
fn texts_that_json_does_not_hold_are_refused() {
    let error =
        |from: &str, to: &str| Model::from_text(&spliced(from, to)).unwrap_err().to_string();
    for number in ["1e999", "-1e999", "NaN", "Infinity", "0x10", "1.", ".5", "01", "\"1\"", "1e"] {
        error("\"offset\": 0.0", &format!("\"offset\": {number}"));
        error("\"beta\": ", &format!("\"beta\": {number}, \"old\": "));
    }
    let error = error("\"bias\": true", "\"bias\": true, \"bias\": true");
    assert!(error.starts_with("duplicate field `bias`"), "{error}");
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = open.repeat(100_000) + &close.repeat(100_000);
        let text = spliced("\"dual\": [", &format!("\"dual\": [{deep},"));
        assert!(Model::from_text(&text).is_err());
        let text = spliced("\"method\":", &format!("\"more\":{deep},\"method\":"));
        assert!(Model::from_text(&text).is_err());
    }
    for text in ["", "{", "{}", "\n", "  \"checksum\": \"sha256:", "é\n  \"checksum\": \"sha256:"]
    {
        assert!(Model::from_text(text).is_err());
        assert!(Model::from_text(&sealed(text)).is_err());
    }
}

#[test]
fn a_grid_has_one_place_for_each_input() {
    let read = |shifts: &str| {
        let grid = format!("\"grid\": {{\"bits\":8,\"shifts\":{shifts}}}, \"layers\": ");
        Model::from_text(&spliced("\"layers\": ", &grid))
    };
    let inputs = small(Method::Sample).0.first().network().inputs();
    let of = |count: usize| format!("{:?}", vec![0; count]);
    assert!(read(&of(inputs)).is_ok());
    for count in [0, inputs - 1, inputs + 1] {
        let error = read(&of(count)).unwrap_err().to_string();
        assert!(error.contains("inputs on the grid"), "{error}");
    }
    assert!(read("[-2147483648]").is_err());
}

#[test]
fn zeros_may_be_negative_and_numbers_whole() {
    let (model, data) = small(Method::Sample);
    let text = spliced("\"offset\": 0.0", "\"offset\": -0.0");
    let read = Model::from_text(&text).unwrap();
    assert_eq!(read, model);
    assert_eq!(read.to_text(), model.to_text());
    let text = spliced("\"offset\": 0.0", "\"offset\": 0");
    assert!(Model::from_text(&text).unwrap().certify(&data).unwrap().holds());
}

#[test]
fn more_values_than_fit_into_memory_are_refused_before_they_are_read() {
    for piece in ["0,", "[],", "{},"] {
        let many = piece.repeat((1 << 24) + 1);
        let text = spliced("\"dual\": [", &format!("\"dual\": [{many}"));
        let error = Model::from_text(&text).unwrap_err().to_string();
        assert!(error.starts_with("a model has at most 512 MiB and 16777216 values"), "{error}");
    }
}

#[test]
fn a_dictionary_too_large_for_the_memory_is_not_drawn() {
    let (model, _) = small(Method::Sample);
    let forged = |model: &Model, draws: u64| altered(model, put("networks.0.recipe.draws", draws));
    // Neurons of two layers are drawn again some at a time: only their number is limited.
    let error = Model::from_text(&forged(&model, 100_000_001)).unwrap_err().to_string();
    assert!(error.contains("its recipe draws more than 10^8 patterns"), "{error}");
    let rows: Vec<Vec<f64>> = (0..6).map(|i| vec![f64::from(i) - 2.5, f64::from(i % 3)]).collect();
    let deep = Request::of("method=sample widths=2 patterns=40 beta_ratio=0.1").unwrap();
    let (trained, data) = train(&deep, &table(&rows));
    let forged = Model::from_text(&forged(&trained.model, 100_000_000)).unwrap();
    let error = forged.certify(&data).unwrap_err().to_string();
    assert!(error.starts_with("100000000 patterns would need"), "{error}");
    let error = forged.certify_within(&data, 1 << 20).unwrap_err().to_string();
    assert!(error.contains("at most "), "{error}");
}

#[test]
fn files_are_read_as_they_were_written_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let (model, _) = small(Method::Complete);
    model.save(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), model.to_text());
    assert_eq!(Model::load(&path).unwrap(), model);
    model.save(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let mut bytes = model.to_text().into_bytes();
    bytes[200] = 0xff;
    std::fs::write(&path, &bytes).unwrap();
    let error = Model::load(&path).unwrap_err().to_string();
    assert_eq!(error, "it is not a hardlim model file");
    std::fs::write(&path, &bytes[..100]).unwrap();
    assert!(Model::load(&path).is_err());
    let error = Model::load(folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read "), "{error}");
    assert!(Model::load(&folder.path().join("absent")).is_err());
    assert!(model.save(&folder.path().join("absent/model")).is_err());
}
