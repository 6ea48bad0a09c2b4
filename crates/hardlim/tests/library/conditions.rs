//! Rules of two conditions: the bound over all of them, what `certify` refuses, and what they say.

use crate::altered::{altered, put};
use crate::conic::Conic;
use crate::models::{coded, read, table, train, train_on};
use hardlim::certificate::{Bound, NetworkClass, Scope};
use hardlim::data::Dataset;
use hardlim::explain::Explanation;
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::pattern::Pattern;
use hardlim::table::Table;
use hardlim::train::{Request, Watch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Rows of a few small numbers, full of ties, and a target that the loss takes.
fn numbers(loss: LossKind, rng: &mut ChaCha8Rng) -> Table {
    let (rows, columns) = (rng.random_range(2..8), rng.random_range(1..4));
    let levels = rng.random_range(1..5);
    let classes = matches!(loss, LossKind::Logistic | LossKind::Hinge | LossKind::SquaredHinge);
    let mut row = |i: usize| {
        let mut row: Vec<f64> =
            (0..columns).map(|_| f64::from(rng.random_range(0..levels))).collect();
        row.push(match classes {
            // Targets are never all equal.
            _ if i < 2 => f64::from(u8::from(i == 1)),
            true => f64::from(rng.random_range(0..2)),
            false => f64::from(rng.random_range(-4..5)) / 2.0,
        });
        row
    };
    table(&(0..rows).map(&mut row).collect::<Vec<_>>())
}

/// The patterns of all threshold functions of two questions about one column each.
fn all_rules(data: &Dataset) -> Vec<Vec<bool>> {
    let (x, n) = (data.features(), data.distinct());
    let mut questions = vec![vec![true; n]];
    for j in 0..x.dimension() {
        questions.extend((0..n).map(|k| (0..n).map(|i| x.row(i)[j] >= x.row(k)[j]).collect()));
    }
    let mut rules = BTreeSet::new();
    for (a, b) in questions.iter().flat_map(|a| questions.iter().map(move |b| (a, b))) {
        // All functions of two bits but exclusive or and its complement.
        for code in (0..16usize).filter(|code| ![0b0110, 0b1001].contains(code)) {
            let on =
                |(a, b): (&bool, &bool)| code >> (2 * usize::from(*a) + usize::from(*b)) & 1 == 1;
            rules.insert(a.iter().zip(b).map(on).collect::<Vec<bool>>());
        }
    }
    rules.into_iter().collect()
}

/// The optimum over these patterns, by a general solver.
fn optimum(data: &Dataset, rules: &[Vec<bool>], model: &Model, intercept: bool) -> f64 {
    let (mut conic, beta) = (Conic::default(), model.beta().get());
    let mut constant = 0.0;
    let mut terms: Vec<Vec<(usize, f64)>> = vec![Vec::new(); data.distinct()];
    for rule in rules {
        let pair = [conic.variable(beta, 0.0), conic.variable(beta, 0.0)];
        pair.iter().for_each(|x| conic.at_least_zero((&[(*x, 1.0)], 0.0)));
        for (terms, _) in terms.iter_mut().zip(rule).filter(|(_, on)| **on) {
            terms.extend([(pair[0], 1.0), (pair[1], -1.0)]);
        }
    }
    if intercept {
        let c = conic.variable(0.0, 0.0);
        terms.iter_mut().for_each(|terms| terms.push((c, 1.0)));
    }
    for (mut terms, atoms) in terms.into_iter().zip(data.targets().iter()) {
        let u = conic.variable(0.0, 0.0);
        terms.push((u, -1.0));
        conic.zero((&terms, 0.0));
        for (y, s) in atoms.iter() {
            constant += conic.add_loss(model.loss(), u, y, s);
        }
    }
    conic.value().0 + constant
}

#[test]
fn no_network_of_rules_is_below_the_bound_and_the_best_one_is_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for case in 0..70 {
        let loss = LossKind::all()[case % LossKind::all().len()];
        let table = numbers(loss, &mut rng);
        let (beta, intercept) = (rng.random_range(0.05..1.5), case % 3 == 0);
        let asked = format!("loss={loss} beta={beta} gap=1e-7 intercept={intercept} conditions=2");
        let (trained, data) = train(&Request::of(&asked).unwrap(), &table);
        let certificate = trained.model.certificate();
        let least = optimum(&data, &all_rules(&data), &trained.model, intercept);
        let size = 1e-6 * (1.0 + least.abs());
        assert!(certificate.lower_bound() <= least + size, "{asked}: {certificate:?}, {least}");
        assert!(certificate.objective() <= least + size, "{asked}: {certificate:?}, {least}");
        assert!(trained.model.certify(&data).unwrap().holds(), "{asked}");
        // The same in other words.
        let long = asked.replace("conditions=2", "layers=3 widths=2 max_inputs=1");
        let (again, _) = train(&Request::of(&long).unwrap(), &table);
        assert_eq!(again.model.certificate(), certificate, "{asked}");
    }
}

/// Forty rows, a number and a label; the target is the exclusive or of two questions.
fn exclusive_or() -> Table {
    let row = |i: usize| {
        let (age, sex) = (20 + i, ["f", "m"][i % 2]);
        format!("{age},{sex},{}\n", ["no", "yes"][usize::from((age >= 45) != i.is_multiple_of(2))])
    };
    read(&("age,sex,y\n".to_owned() + &(0..40).map(row).collect::<String>()))
}

#[test]
fn exclusive_or_is_fitted_as_well_as_by_two_rules_and_proven() {
    let (trained, data) =
        train(&Request::of("conditions=2 beta=0.5 intercept").unwrap(), &exclusive_or());
    let model = &trained.model;
    let certificate = model.certificate();
    assert_eq!((certificate.scope(), certificate.bound()), (Scope::Global, Bound::Exact));
    assert_eq!(certificate.class(), &NetworkClass::of_two_conditions());
    assert!(certificate.relative_gap() <= 1e-6, "{certificate:?}");
    assert!(certificate.claim().contains("any number of rules of two conditions"));
    assert!(trained.beta_max_exact);
    let network = model.first().network();
    // Two corners of weight 1.9 cost 1.95; others may do as well.
    assert!(network.depth() == 3 && network.amplitudes().len() <= 3);
    assert!(certificate.objective() <= 1.951, "{certificate:?}");
    let output = network.output(data.features());
    assert!(data.targets().values().iter().zip(&output).all(|(y, u)| y * u > 0.0));
    let explained = Explanation::of(network, model.coding(), Some(data.features()));
    let rules = explained.groups.iter().flat_map(|group| &group.rules);
    let mut rules: Vec<String> = rules.map(|rule| rule.text(9)).collect();
    rules.sort();
    let both = |rule: &String| rule.contains("age") && rule.contains("sex");
    assert!(rules.iter().any(both), "{rules:?}");
    assert!(explained.below().is_empty());
    assert!(model.certify(&data).unwrap().holds());
    // One condition does not do it.
    let (one, _) = train(&Request::of("conditions=1 beta=0.5 intercept").unwrap(), &exclusive_or());
    assert!(one.model.certificate().lower_bound() > 2.0 * certificate.objective());
}

#[test]
fn a_rule_outside_of_the_class_is_refused() {
    let (trained, data) = train(&Request::of("conditions=2 beta=0.5").unwrap(), &exclusive_or());
    let check = |text: &str| {
        let check = Model::from_text(text).unwrap().certify(&data).unwrap();
        check.reason().unwrap_or("it holds").to_owned()
    };
    assert_eq!(check(&trained.model.to_text()), "it holds");
    let path = "networks.0.recipe.widths";
    let narrower = check(&altered(&trained.model, put(path, vec![1])));
    assert!(narrower.contains("a subnetwork has 2 neurons in layer 1"), "{narrower}");
    let objective = trained.model.certificate().objective();
    let bound = "networks.0.certificate.lower_bound";
    let better = check(&altered(&trained.model, put(bound, objective * 0.99999)));
    assert!(better.contains("the lower bound is") || better == "it holds", "{better}");
}

#[test]
fn three_classes_share_rules_and_a_path_is_proven() {
    let row = |i: usize| format!("{},{},{}\n", i % 7, i * i % 11, ["u", "v", "w"][i % 3]);
    let three = read(&("a,b,y\n".to_owned() + &(0..60).map(row).collect::<String>()));
    let set = coded(&three);
    let request = Request::of("conditions=2 beta=1 gap=1e-5").unwrap();
    let trained = train_on(&request, &set).unwrap();
    assert_eq!(trained.model.parts().len(), 3);
    assert!(trained.model.certificate().relative_gap() <= 1e-5);
    assert!(trained.model.certify(set.data()).unwrap().holds());
    let mut options = hardlim::train::Options::default();
    options.add("conditions=2 n_ratios=5 least_ratio=0.05").unwrap();
    let request = Request::path_of(&options).unwrap();
    let set = coded(&exclusive_or());
    let mut gaps = Vec::new();
    let path = request.path(&set, None, &Watch::default(), |point| {
        gaps.push(point.certificate.relative_gap());
        std::ops::ControlFlow::Continue(())
    });
    assert!(path.unwrap().complete && gaps.len() == 5);
    assert!(gaps.iter().all(|gap| *gap <= 1e-3), "{gaps:?}");
}

#[test]
fn without_a_strength_the_folds_choose_it() {
    let set = coded(&exclusive_or());
    let trained = train_on(&Request::of("conditions=2").unwrap(), &set).unwrap();
    let choice = trained.choice.as_ref().expect("a choice");
    assert!(choice.score > 0.85, "{choice:?}");
    assert_eq!(trained.model.loss(), LossKind::Logistic);
    assert!(trained.model.certificate().class().has_two_conditions());
    assert!(trained.model.certify(set.data()).unwrap().holds());
    let solved = train_on(&Request::of("conditions=2 cv=5").unwrap(), &set).unwrap();
    assert!(solved.choice.expect("a choice").score > 0.85);
}

#[test]
fn one_condition_is_kept_where_a_second_one_does_not_help() {
    let row = |i: usize| format!("{i},{},{}\n", i % 7, ["no", "yes"][usize::from(i >= 30)]);
    let text = "age,day,y\n".to_owned() + &(0..60).map(row).collect::<String>();
    let set = coded(&read(&text));
    let trained = train_on(&Request::of("conditions=2").unwrap(), &set).unwrap();
    assert_eq!(trained.model.certificate().class().max_inputs, Some(1));
    assert!(!trained.model.certificate().class().has_two_conditions());
    assert!(trained.model.certify(set.data()).unwrap().holds());
    // A gap is about the problem that was asked for.
    let solved = train_on(&Request::of("conditions=2 gap=1e-4").unwrap(), &set).unwrap();
    assert!(solved.model.certificate().class().has_two_conditions());
}

#[test]
fn rules_are_those_of_the_definition() {
    let (trained, data) = train(&Request::of("conditions=2 beta=0.5").unwrap(), &exclusive_or());
    let known: BTreeSet<Vec<bool>> = all_rules(&data).into_iter().collect();
    let answers = trained.model.first().network().patterns(data.features());
    for k in 0..answers.patterns() {
        let pattern: Pattern = answers.pattern(k);
        assert!(known.contains(&pattern.iter().collect::<Vec<bool>>()));
    }
}
