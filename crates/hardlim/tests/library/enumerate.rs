//! Training over every pattern: what it reaches is what a conic solver reaches, over all networks
//! of its depth, and the certificate is refused once anything is altered.

use crate::conic::Conic;
use crate::models::{joined, set, table, train, train_on};
use crate::seal::sealed;
use hardlim::Error;
use hardlim::arrangement::Arrangement;
use hardlim::certificate::{Bound, Scope};
use hardlim::data::{Dataset, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::network::recipe::Recipe;
use hardlim::pattern::PatternMatrix;
use hardlim::table::{ReadOptions, Table, builtin};
use hardlim::train::{Request, Trained};

fn builtin(name: &str) -> TrainingSet {
    set(&Table::open(name, &ReadOptions::default()).unwrap())
}

fn enumerate(loss: LossKind, beta: f64, widths: &[usize]) -> Request {
    let widths = joined(widths);
    Request::of(&format!("method=enumerate loss={loss} beta={beta} widths={widths}")).unwrap()
}

/// `min L(Dw) + β‖w‖₁`, by the conic solver.
fn by_cones(patterns: &PatternMatrix, data: &Dataset, loss: LossKind, beta: f64) -> f64 {
    let mut conic = Conic::default();
    let mut halves = || {
        let half = conic.variable(beta, 0.0);
        conic.at_least_zero((&[(half, 1.0)], 0.0));
        half
    };
    let w: Vec<[usize; 2]> = (0..patterns.patterns()).map(|_| [halves(), halves()]).collect();
    let mut constant = 0.0;
    for (g, atoms) in data.targets().iter().enumerate() {
        let u = conic.variable(0.0, 0.0);
        let on = (0..w.len()).filter(|&j| patterns.get(g, j));
        let mut terms: Vec<(usize, f64)> =
            on.flat_map(|j| [(w[j][0], 1.0), (w[j][1], -1.0)]).collect();
        terms.push((u, -1.0));
        conic.zero((&terms, 0.0));
        for (y, s) in atoms.iter() {
            constant += conic.add_loss(loss, u, y, s);
        }
    }
    conic.solve() + constant
}

#[test]
fn titanic_agrees_with_a_conic_solver_over_all_patterns() {
    let set = builtin("titanic");
    let data = set.data();
    let patterns = Arrangement::of(data.features()).listing(1000).unwrap().patterns().unwrap();
    for loss in [LossKind::Squared, LossKind::Logistic, LossKind::Hinge] {
        for beta in [1.0, 10.0, 100.0] {
            let Trained { model, patterns: listed, .. } =
                train_on(&enumerate(loss, beta, &[]), &set).unwrap();
            let certificate = model.certificate();
            assert_eq!(listed, 442);
            assert_eq!(
                (certificate.scope(), certificate.bound()),
                (Scope::Global, Bound::Enumeration)
            );
            assert!(certificate.relative_gap() <= 1e-8, "{loss}, {beta}: {certificate:?}");
            let expected = by_cones(&patterns, data, loss, beta);
            let error = (certificate.objective() - expected).abs() / expected;
            assert!(error <= 1e-7, "{loss}, {beta}: {} and {expected}", certificate.objective());
            assert!(model.certify(data).unwrap().holds());
        }
    }
}

#[test]
fn deeper_networks_are_optimal_among_those_of_their_widths() {
    // A bump, and the same upside down: one neuron answers neither, two below one both.
    let rows: Vec<Vec<f64>> = [0.0, 0.0, 2.0, 2.0, 0.0, -1.0, -1.0]
        .iter()
        .enumerate()
        .map(|(i, y)| vec![i as f64, *y])
        .collect();
    let table = table(&rows);
    let set = set(&table);
    let data = set.data();
    let mut last = f64::INFINITY;
    for (widths, tree) in
        [(&[][..], false), (&[1], false), (&[2], false), (&[1, 2], true), (&[3], false)]
    {
        for loss in [LossKind::Squared, LossKind::Absolute] {
            let request = enumerate(loss, 0.1, widths).with(&format!("tree={tree}")).unwrap();
            let model = train_on(&request, &set).unwrap().model;
            assert_eq!(model.first().network().depth(), widths.len() + 2);
            assert_eq!(
                *model.first().recipe(),
                Recipe::Enumerate { widths: widths.to_vec(), tree }
            );
            assert!(
                model.certificate().relative_gap() <= 1e-8,
                "{widths:?}: {:?}",
                model.certificate()
            );
            assert!(model.global().lower_bound() <= model.certificate().objective());
            let arrangement = Arrangement::of(data.features());
            let patterns = arrangement.deep(widths, tree, 10_000).unwrap().patterns;
            let expected = by_cones(&patterns, data, loss, 0.1);
            let error = (model.certificate().objective() - expected).abs();
            assert!(error <= 1e-7 * (1.0 + expected), "{widths:?}, {loss}: {expected}");
            let again = Model::from_text(&model.to_text()).unwrap();
            assert_eq!(again, model);
            assert!(again.certify(data).unwrap().holds(), "{widths:?}, {loss}");
            if loss == LossKind::Squared && !tree {
                // One neuron more below can only help.
                let objective = model.certificate().objective();
                assert!(objective <= last * (1.0 + 1e-8), "{widths:?}: {objective} after {last}");
                last = objective;
            }
        }
    }
}

#[test]
fn altered_models_are_refused() {
    let set = builtin("titanic");
    let data = set.data();
    let model = train_on(&enumerate(LossKind::Squared, 10.0, &[]), &set).unwrap().model;
    let text = model.to_text();
    let holds =
        |text: &str| Model::from_text(&sealed(text)).map(|m| m.certify(data).unwrap().holds());
    assert!(holds(&text).unwrap());
    // A lower bound that is too good, and an objective that is.
    let bound = model.certificate().lower_bound();
    let raised = format!("{}", bound * (1.0 + 1e-6));
    assert!(!holds(&text.replace(&bound.to_string(), &raised)).unwrap());
    // The enumeration's bound claimed for a sample, and for another depth.
    let enumerated = r#"{"method":"enumerate","widths":[],"tree":false}"#;
    assert!(text.contains(enumerated));
    let sample = r#"{"method":"sample","draws":2000,"seed":0,"standardize":true}"#;
    assert!(!holds(&text.replacen(enumerated, sample, 1)).unwrap());
    let deeper = r#"{"method":"enumerate","widths":[1],"tree":false}"#;
    assert!(!holds(&text.replacen(enumerated, deeper, 1)).unwrap());
    // Layers without neurons; a search that nobody made.
    let empty = r#"{"method":"enumerate","widths":[0],"tree":false}"#;
    assert!(holds(&text.replacen(enumerated, empty, 1)).is_err());
    let bound = r#""bound":"enumeration""#;
    assert!(text.contains(bound));
    assert!(!holds(&text.replace(bound, r#""bound":"exact""#)).unwrap());
}

#[test]
fn what_is_too_large_or_too_deep_is_refused_with_its_numbers() {
    let set = builtin("tic-tac-toe");
    let train = |request: Request| {
        // Whatever this machine has.
        let request = request.with(&format!("memory={}", u64::MAX)).unwrap();
        train_on(&request, &set).unwrap_err().to_string()
    };
    let error = train(enumerate(LossKind::Squared, 1.0, &[]));
    assert!(error.contains("patterns") && error.contains("100000000"), "{error}");
    let error = train(enumerate(LossKind::Squared, 1.0, &[2]));
    assert!(error.contains("more than the"), "{error}");
    let complete = Request::of("method=complete widths=2").unwrap_err().to_string();
    let expected = "`layers=3`: `method=complete` makes deeper networks on a representation";
    assert!(complete.starts_with(expected), "{complete}");
}

#[test]
fn a_time_limit_ends_an_enumeration() {
    let size = builtin::TableSize { rows: 90, features: 4, seed: 0 };
    let options = ReadOptions { size, ..ReadOptions::default() };
    let table = Table::open("teacher2", &options).unwrap();
    let set = set(&table);
    for widths in [&[][..], &[1]] {
        let request = enumerate(LossKind::Squared, 1.0, widths).with("time_limit=0.001").unwrap();
        let found = train_on(&request, &set);
        assert!(matches!(found, Err(Error::Interrupted)), "{widths:?}");
    }
}

#[test]
fn patterns_too_narrow_for_weights_still_count() {
    // Tenths that only look like a grid: some cells are thinner than doubles are dense.
    let rows: Vec<Vec<f64>> = (0..60)
        .map(|i| {
            let (a, b) = (i * 37 % 50, i * 91 % 47);
            vec![f64::from(a) / 10.0, f64::from(b) / 10.0, f64::from((a + b) % 3)]
        })
        .collect();
    let (trained, data) = train(&enumerate(LossKind::Squared, 1.0, &[]), &table(&rows));
    let count = Arrangement::of(data.features()).listing(1_000_000).unwrap().count().unwrap();
    assert_eq!(trained.patterns as u64, count);
    assert!(trained.model.certify(&data).unwrap().holds());
    assert!(
        trained.model.certificate().relative_gap() <= 1e-6,
        "{:?}",
        trained.model.certificate()
    );
}
