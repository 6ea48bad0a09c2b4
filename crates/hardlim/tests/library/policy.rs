//! What rules keep to: the optimum and the bound over monotone networks and over some pairs of
//! columns, outputs on rows that nobody has seen, and what `certify` refuses.

use crate::altered::{altered, place, put};
use crate::conic::Conic;
use crate::models::{coded, read, table, train, train_on};
use hardlim::certificate::Scope;
use hardlim::data::{Dataset, Features, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::table::Table;
use hardlim::train::{Options, Request, Watch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The request of these options and directions, as in `x0=+`.
fn asked(options: &str, monotone: &[String]) -> Request {
    let mut options = Options::read(options).unwrap();
    options.set_names("monotone", monotone).unwrap();
    Request::new(&options).unwrap()
}

/// Rows of a few small numbers, full of ties, and a target that the loss takes.
fn numbers(loss: LossKind, rng: &mut ChaCha8Rng) -> Table {
    let (rows, columns) = (rng.random_range(2..13), rng.random_range(1..4));
    let levels = rng.random_range(2..6);
    let classes = matches!(loss, LossKind::Logistic | LossKind::Hinge | LossKind::SquaredHinge);
    let mut row = |i: usize| {
        let mut row: Vec<f64> =
            (0..columns).map(|_| f64::from(rng.random_range(-1..levels))).collect();
        row.push(match classes {
            _ if i < 2 => f64::from(u8::from(i == 1)),
            true => f64::from(rng.random_range(0..2)),
            false => f64::from(rng.random_range(-4..5)) / 2.0,
        });
        row
    };
    table(&(0..rows).map(&mut row).collect::<Vec<_>>())
}

/// A direction for every column: up, down, or none.
fn some(columns: usize, rng: &mut ChaCha8Rng) -> Vec<i8> {
    (0..columns).map(|_| rng.random_range(-1..2)).collect()
}

fn names(trends: &[i8]) -> Vec<String> {
    let sign = |(j, trend): (usize, &i8)| match trend {
        1 => Some(format!("x{j}=+")),
        -1 => Some(format!("x{j}=-")),
        _ => None,
    };
    trends.iter().enumerate().filter_map(sign).collect()
}

/// The answers of a pattern, and whether its weight may be positive or negative.
type Signed = BTreeSet<(Vec<bool>, i8)>;

/// All functions of one question, or of two whose columns may meet, with the signs that weights may
/// have: those for which no question moves the output the wrong way.
fn signed_patterns(
    data: &Dataset,
    trends: &[i8],
    bias: bool,
    meet: Option<&dyn Fn([usize; 2]) -> bool>,
) -> Signed {
    let (x, n) = (data.features(), data.distinct());
    let mut questions: Vec<(usize, i8, Vec<bool>)> = vec![(0, 0, vec![true; n])];
    for (j, &trend) in trends.iter().enumerate() {
        let cuts: Vec<f64> = if bias { (0..n).map(|k| x.row(k)[j]).collect() } else { vec![0.0] };
        for t in cuts {
            questions.push((j, trend, (0..n).map(|i| x.row(i)[j] >= t).collect()));
            // Without a bias both sides have the rows at zero.
            let at_most = |i: usize| if bias { x.row(i)[j] < t } else { x.row(i)[j] <= t };
            questions.push((j, -trend, (0..n).map(at_most).collect()));
        }
    }
    let mut found = BTreeSet::new();
    let mut take = |pattern: &[bool], trends: &[i8]| {
        for sign in [1, -1].into_iter().filter(|sign| trends.iter().all(|t| t * sign >= 0)) {
            found.insert((pattern.to_vec(), sign));
        }
    };
    for (_, trend, pattern) in &questions {
        take(pattern, &[*trend]);
    }
    if bias {
        take(&vec![false; n], &[0]);
    }
    let Some(meet) = meet else { return found };
    for (i, a, first) in &questions {
        for (_, b, second) in questions.iter().filter(|(j, ..)| i == j || meet([*i, *j])) {
            let pairs = || first.iter().zip(second);
            take(&pairs().map(|(a, b)| *a && *b).collect::<Vec<_>>(), &[*a, *b]);
            take(&pairs().map(|(a, b)| *a || *b).collect::<Vec<_>>(), &[*a, *b]);
        }
    }
    found
}

/// The optimum over these patterns and signs, by a general solver.
fn optimum(data: &Dataset, patterns: &Signed, model: &Model) -> f64 {
    let constraints = model.setting().constraints;
    let (mut conic, beta) = (Conic::default(), model.beta().get());
    let mut terms: Vec<Vec<(usize, f64)>> = vec![Vec::new(); data.distinct()];
    let allowed = patterns.iter().filter(|(_, sign)| *sign > 0 || !constraints.non_negative);
    for (pattern, sign) in allowed {
        let part = conic.variable(beta, 0.0);
        conic.at_least_zero((&[(part, 1.0)], 0.0));
        for (terms, _) in terms.iter_mut().zip(pattern).filter(|(_, on)| **on) {
            terms.push((part, f64::from(*sign)));
        }
    }
    if constraints.intercept {
        let c = conic.variable(0.0, 0.0);
        terms.iter_mut().for_each(|terms| terms.push((c, 1.0)));
    }
    let mut constant = 0.0;
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

/// Whether no output on pairs of rows goes the wrong way: they differ in one input.
fn goes_the_right_way(model: &Model, trends: &[i8], rng: &mut ChaCha8Rng) {
    let inputs = model.coding().dimension();
    let mut values = Vec::new();
    for _ in 0..200 {
        let row: Vec<f64> = (0..inputs).map(|_| rng.random_range(-3.0..8.0)).collect();
        for j in 0..inputs {
            let mut higher = row.clone();
            higher[j] += rng.random_range(0.0..6.0);
            values.extend(row.iter().chain(&higher));
        }
    }
    let features = Features::new(values.len() / inputs, inputs, values).unwrap();
    let output = model.first().network().output(&features);
    for (k, pair) in output.chunks_exact(2).enumerate() {
        let trend = trends[k % inputs];
        assert!(f64::from(trend) * (pair[1] - pair[0]) >= 0.0, "column {}: {pair:?}", k % inputs);
    }
}

fn compare(case: usize, conditions: usize, rng: &mut ChaCha8Rng) {
    let loss = LossKind::all()[case % LossKind::all().len()];
    let table = numbers(loss, rng);
    let trends = some(table.columns().len() - 1, rng);
    let (beta, intercept) = (rng.random_range(0.05..1.5), case.is_multiple_of(2));
    let (bias, non_negative) = (conditions == 2 || case % 5 != 3, case % 7 == 4);
    let mut options = format!(
        "loss={loss} beta={beta} gap=1e-7 intercept={intercept} bias={bias} \
         non_negative={non_negative} conditions={conditions}"
    );
    // Some of the pairs only, or a column alone.
    let only = [[0, 1], [0, 2]];
    let (some_pairs, one_alone) = (case % 3 == 1 && trends.len() > 2, case % 4 == 2);
    if conditions == 2 && some_pairs {
        options += " interactions=x1:x0\u{1f}x0:x2";
    }
    if conditions == 2 && one_alone {
        options += " no_interactions=x0";
    }
    let meet = |mut pair: [usize; 2]| {
        pair.sort_unstable();
        (!some_pairs || only.contains(&pair)) && (!one_alone || !pair.contains(&0))
    };
    let meet = (conditions == 2).then_some(&meet as &dyn Fn([usize; 2]) -> bool);
    let (trained, data) = train(&asked(&options, &names(&trends)), &table);
    let model = &trained.model;
    let certificate = model.certificate();
    let least = optimum(&data, &signed_patterns(&data, &trends, bias, meet), model);
    let (size, what) = (1e-6 * (1.0 + least.abs()), format!("{case}: {options} {trends:?}"));
    assert!(certificate.lower_bound() <= least + size, "{what}: {certificate:?}, {least}");
    assert!(certificate.lower_bound() >= least - size, "{what}: {certificate:?}, {least}");
    assert!((certificate.objective() - least).abs() <= size, "{what}: {certificate:?}, {least}");
    assert_eq!(certificate.scope(), Scope::Global);
    let check = model.certify(&data).unwrap();
    assert!(check.holds(), "{what}: {:?}", check.reason());
    goes_the_right_way(model, &trends, rng);
}

#[test]
fn the_optimum_over_questions_is_that_of_a_conic_solver() {
    let mut rng = ChaCha8Rng::seed_from_u64(37);
    (0..200).for_each(|case| compare(case, 1, &mut rng));
}

#[test]
fn the_optimum_over_rules_of_two_conditions_is_that_of_a_conic_solver() {
    let mut rng = ChaCha8Rng::seed_from_u64(38);
    (0..120).for_each(|case| compare(case, 2, &mut rng));
}

/// 120 rows of an age, an income, a yes or no, a colour and a day; sometimes the age is missing.
fn loans(seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text = String::from("age,income,owner,colour,day,paid\n");
    for i in 0..120 {
        let (age, income) = (rng.random_range(18..80), rng.random_range(500..5000));
        let owner = rng.random_range(0..2);
        // The young and the old pay, so no monotone network fits well.
        let pays = (i32::abs(age - 50) > 12) as i32 + i32::from(income > 2000) + owner;
        let pays = pays + rng.random_range(0..2) > 1;
        let age = if i % 9 == 4 { String::new() } else { age.to_string() };
        let (owner, paid) = (["no", "yes"][owner as usize], ["no", "yes"][usize::from(pays)]);
        let (colour, day) = (["red", "green", "blue"][i % 3], format!("2024-01-{:02}", i % 28 + 1));
        writeln!(text, "{age},{income},{owner},{colour},{day},{paid}").unwrap();
    }
    read(&text)
}

fn of(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn lists_paths_and_the_best_predictions_go_the_right_way_and_say_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let table = loans(1);
    let words =
        ", non-decreasing in age (where it is known) and owner=yes, non-increasing in income,";
    for options in ["max_inputs=1", "rules=6", "rules=5 points=3", "conditions=2 beta=2"] {
        let request = asked(options, &of(&["age=+", "income=-", "owner=+"]));
        let set = TrainingSet::of_table(&table, &request.columns).unwrap();
        let model = train_on(&request, &set).unwrap().model;
        let check = model.certify(set.data()).unwrap();
        assert!(check.holds(), "{options}: {:?}", check.reason());
        let claim = model.certificate().claim();
        let claim = claim.replace(" each with its weight", "");
        assert!(claim.contains(words), "{options}: {claim}");
        let names = set.coding().feature_names();
        let trend = |name: &String| match &name[..] {
            "age" | "owner=yes" => 1,
            "income" => -1,
            _ => 0,
        };
        let trends: Vec<i8> = names.iter().map(trend).collect();
        goes_the_right_way(&model, &trends, &mut rng);
        // The same in a file.
        let again = Model::from_text(&model.to_text()).unwrap();
        assert_eq!(again.certificate(), model.certificate());
        assert!(model.provable(hardlim::prove::About::Class).is_err());
        assert!(model.provable(hardlim::prove::About::AllNetworks).is_ok());
    }
}

#[test]
fn a_wrong_direction_costs_and_no_direction_is_the_same_as_before() {
    let (table, options) = (loans(2), "max_inputs=1 beta=1 gap=1e-7 intercept");
    let objective = |names: &[&str]| {
        let set = coded(&table);
        let request = asked(options, &of(names));
        train_on(&request, &set).unwrap().model.certificate().objective()
    };
    let free = objective(&[]);
    let (up, down) = (objective(&["income=+"]), objective(&["income=-"]));
    assert!(free <= up * (1.0 + 1e-6) && up < 0.98 * down, "{free} {up} {down}");
    let both = objective(&["income=-", "age=-"]);
    assert!(both >= down * (1.0 - 1e-6));
}

#[test]
fn what_has_no_direction_is_refused_with_what_to_do() {
    let table = loans(3);
    let refused = |options: &str, names: &[&str], table: &Table| {
        let request = asked(options, &of(names));
        let set = TrainingSet::of_table(table, &request.columns).unwrap();
        request.check(&set).unwrap_err().to_string()
    };
    for (names, expected) in [
        (&["agee=+"][..], r#"no column "agee" is read: did you mean "age"?"#),
        (&["height=+"], r#"no column "height" is read"#),
        (&["paid=+"], r#"no column "paid" is read"#),
        (&["colour=+"], r#"column "colour" has no direction: it is read as 3 inputs"#),
        (&["day=-"], r#"column "day" has no direction: it is read as 2 inputs"#),
        (&["age=+", "age=-"], r#"column "age" is named twice"#),
    ] {
        let told = refused("max_inputs=1", names, &table);
        assert_eq!(told, format!("`monotone` does not fit: {expected}"));
    }
    let text: String = (0..60).map(|i| format!("{i},1,{}\n", ["u", "v", "w"][i % 3])).collect();
    let three = read(&format!("a,b,y\n{text}"));
    let told = refused("rules=3", &["a=+"], &three);
    assert!(told.contains("is for two classes or a number"), "{told}");
    let text: String = (0..60).map(|i| format!("{i},1,{}\n", ["u", "v"][i % 2])).collect();
    let told = refused("rules=3", &["b=+"], &read(&format!("a,b,y\n{text}")));
    assert!(told.contains(r#"column "b" is left out: nothing can be learnt from it"#), "{told}");
}

#[test]
fn a_file_that_states_another_direction_is_refused() {
    let set = coded(&loans(4));
    for options in ["max_inputs=1 beta=0.5", "conditions=2 beta=0.5"] {
        let request = asked(options, &of(&["income=+", "age=+"]));
        let model = train_on(&request, &set).unwrap().model;
        let path = "networks.0.recipe.policy.trends";
        let input = set.coding().feature_names().iter().position(|name| name == "income").unwrap();
        let trend = |input: usize, rises: bool| {
            let (name, gaps) = ("income", false);
            json!([{"name": name, "input": input, "rises": rises, "gaps": gaps}])
        };
        let turned = altered(&model, put(path, trend(input, false)));
        let check = Model::from_text(&turned).unwrap().certify(set.data()).unwrap();
        let reason = check.reason().expect("a reason");
        let words = "of the last hidden layer is not in its class: non-increasing in income";
        assert!(reason.ends_with(words), "{reason}");
        let dropped = altered(&model, |m| {
            *place(m, path) = json!([]);
            *place(m, "networks.0.certificate.class.policy.trends") = json!([]);
        });
        let check = Model::from_text(&dropped).unwrap().certify(set.data()).unwrap();
        assert!(check.reason().expect("a reason").starts_with("the lower bound is"), "{options}");
        for damaged in [trend(input + 1, true), trend(99, true)] {
            let error = Model::from_text(&altered(&model, put(path, damaged))).unwrap_err();
            let words = "a policy that its columns do not fit";
            assert!(error.to_string().contains(words), "{error}");
        }
        let two = altered(&model, put("networks.0.recipe.max_inputs", 2));
        assert!(Model::from_text(&two).is_err());
    }
}

#[test]
fn a_path_and_what_is_lost_without_an_input_keep_the_direction() {
    let set = coded(&loans(6));
    let mut options = Options::read("n_ratios=5 least_ratio=0.05 max_inputs=1").unwrap();
    options.set_names("monotone", &["income=+", "age=-"]).unwrap();
    let request = Request::path_of(&options).unwrap();
    let path = request.path(&set, None, &Watch::default(), |point| {
        let claim = point.certificate.claim();
        assert!(claim.contains("non-increasing in age"), "{claim}");
        std::ops::ControlFlow::Continue(())
    });
    assert!(path.unwrap().complete);
    let request = asked("max_inputs=1 beta=1", &of(&["income=+"]));
    let model = train_on(&request, &set).unwrap().model;
    let lost = Request::of("gap=1e-4").unwrap();
    let lost = lost.importance(&model, set.data(), &Watch::default()).unwrap();
    assert!(lost.class.networks().contains("non-decreasing in income"));
    assert!(lost.inputs.iter().all(|input| input.lower_bound >= lost.lower_bound));
}

#[test]
fn fewer_bits_keep_the_direction() {
    let set = coded(&loans(7));
    let request = asked("max_inputs=1 beta=0.2 loss=logistic", &of(&["income=+", "owner=-"]));
    let model = train_on(&request, &set).unwrap().model;
    for bits in 2..5 {
        if let Some((few, _)) = model.with_few_bits(set.data(), Some(bits)).unwrap() {
            let check = few.certify(set.data()).unwrap();
            assert!(check.holds(), "{bits}: {:?}", check.reason());
        }
    }
}

#[test]
fn some_columns_may_not_meet() {
    let set = coded(&loans(8));
    let asked = |options: &str, name: &str, names: &[&str]| {
        let mut options = Options::read(options).unwrap();
        options.set_names(name, names).unwrap();
        Request::new(&options).unwrap()
    };
    let names = set.coding().feature_names();
    let columns = |model: &Model| -> BTreeSet<BTreeSet<String>> {
        let layers = model.first().network().layers();
        let below = |k: usize| {
            let read = layers[0].neurons[k].terms().filter(|(_, w)| *w != 0.0);
            read.map(|(input, _)| names[input].split(['=', '.']).next().unwrap().to_owned())
        };
        let rule = |top: &hardlim::network::Neuron| {
            top.terms().filter(|(_, w)| *w != 0.0).flat_map(|(k, _)| below(k)).collect()
        };
        layers[1].neurons.iter().map(rule).collect()
    };
    let two = |names: [&str; 2]| names.map(str::to_owned).into_iter().collect::<BTreeSet<_>>();
    let options = "conditions=2 beta=0.5";
    let free = train_on(&Request::of(options).unwrap(), &set).unwrap().model;
    assert!(columns(&free).iter().any(|columns| columns.len() == 2));
    let only = asked(options, "interactions", &["income:age", "owner:colour"]);
    let model = train_on(&only, &set).unwrap().model;
    let pairs = [two(["age", "income"]), two(["owner", "colour"])];
    let found = columns(&model);
    assert!(found.iter().all(|columns| columns.len() < 2 || pairs.contains(columns)), "{found:?}");
    let claim = model.certificate().claim();
    let words = ", where only age with income and owner with colour stand together, is better";
    assert!(claim.contains(words), "{claim}");
    assert!(model.certificate().objective() >= free.certificate().lower_bound());
    assert!(model.certify(set.data()).unwrap().holds());
    let alone = asked(options, "no_interactions", &["age", "income"]);
    let model = train_on(&alone, &set).unwrap().model;
    let apart = |columns: &BTreeSet<String>| {
        columns.len() < 2 || !(columns.contains("age") || columns.contains("income"))
    };
    assert!(columns(&model).iter().all(apart));
    let claim = model.certificate().claim();
    assert!(claim.contains(", where age and income stand alone, is better"), "{claim}");
    assert!(model.certify(set.data()).unwrap().holds());
    assert!(model.provable(hardlim::prove::About::Class).is_err());
    let mut both = Options::read(options).unwrap();
    both.set_names("interactions", &["age:income"]).unwrap();
    both.set_names("no_interactions", &["owner"]).unwrap();
    both.set_names("monotone", &["income=+"]).unwrap();
    let both = train_on(&Request::new(&both).unwrap(), &set).unwrap().model;
    let words = ", where only age with income stand together and owner stands alone, each with its \
                 weight non-decreasing in income, is better";
    assert!(both.certificate().claim().contains(words), "{}", both.certificate().claim());
    // A network with other pairs is not in this class.
    let policy: serde_json::Value = serde_json::from_str(&model.to_text()).unwrap();
    let policy = policy["networks"][0]["recipe"]["policy"].clone();
    let other = altered(&free, put("networks.0.recipe.policy", policy));
    let check = Model::from_text(&other).unwrap().certify(set.data()).unwrap();
    let reason = check.reason().expect("a reason");
    assert!(reason.ends_with("is not in its class: where age and income stand alone"), "{reason}");
    for (name, names, expected) in [
        ("interactions", "age:incme", r#"no column "incme" is read: did you mean "income"?"#),
        ("interactions", "age:age", r#""age:age" is one column, not two"#),
        ("no_interactions", "paid", r#"no column "paid" is read"#),
    ] {
        let told = asked(options, name, &[names]).check(&set).unwrap_err().to_string();
        assert_eq!(told, format!("`{name}` does not fit: {expected}"));
    }
}

#[test]
fn the_folds_choose_where_columns_may_not_meet() {
    let set = coded(&loans(5));
    for (option, value) in [("interactions", "age:income"), ("no_interactions", "age")] {
        let mut options = Options::read("conditions=2").unwrap();
        options.set_names(option, &[value]).unwrap();
        let model = train_on(&Request::new(&options).unwrap(), &set).unwrap().model;
        assert!(Model::from_text(&model.to_text()).unwrap().certify(set.data()).unwrap().holds());
    }
}
