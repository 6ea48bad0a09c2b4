//! Bounds on lists of at most `N` rules.

use hardlim::data::{Dataset, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::program::{Beta, Constraints, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::table::{ReadOptions, Table};
use hardlim::train::{ListBound, Request, Trained, Watch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows of two columns of few values; the target depends on both, with noise.
fn table(seed: u64, classes: bool) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text = String::from("a,b,y\n");
    for _ in 0..40 {
        let (a, b) = (rng.random_range(0..5), rng.random_range(0..4));
        let score = f64::from(a % 3) - f64::from(b) + 2.0 * rng.random::<f64>();
        let class = if score > 0.3 { "yes" } else { "no" };
        let y = if classes { class.to_owned() } else { format!("{score:.2}") };
        text += &format!("{a},{b},{y}\n");
    }
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn train(options: &str, table: &Table) -> (Trained, TrainingSet) {
    let request = Request::of(options).unwrap();
    let set = TrainingSet::of_table(table, &request.columns).unwrap();
    let trained = request.check(&set).unwrap().train(&set, &Watch::default()).unwrap();
    assert!(trained.model.certify(set.data()).unwrap().holds());
    (trained, set)
}

/// The least objective of all lists of at most so many rules: every list, one at a time.
fn brute_force(data: &Dataset, loss: LossKind, beta: Beta, most: usize) -> f64 {
    let features = data.features();
    let mut questions: Vec<Pattern> = Vec::new();
    for column in 0..features.dimension() {
        for row in 0..data.distinct() {
            let cut = features.row(row)[column];
            let asked = Pattern::from_fn(data.distinct(), |i| features.row(i)[column] >= cut);
            if !questions.contains(&asked) {
                questions.push(asked);
            }
        }
    }
    let value = |list: &[Pattern]| {
        let patterns = PatternMatrix::from_patterns(data.distinct(), list);
        let program = LassoProgram::new(&patterns, data.targets(), loss, beta).unwrap();
        let constraints = Constraints { intercept: true, non_negative: false };
        let solver = ActiveSet { tolerance: 1e-9, ..ActiveSet::default() };
        solver.solve(&program.with_constraints(constraints)).certificate.objective()
    };
    let sets = (0u32..1 << questions.len()).filter(|set| set.count_ones() as usize <= most);
    let list = |set: u32| -> Vec<Pattern> {
        let used = questions.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1);
        used.map(|(_, question)| question.clone()).collect()
    };
    sets.map(|set| value(&list(set))).fold(f64::INFINITY, f64::min)
}

#[test]
fn no_list_is_below_the_bound_and_a_closed_search_finds_the_best_list() {
    for (seed, loss, classes) in [
        (1, "logistic", true),
        (2, "squared", true),
        (3, "squared-hinge", true),
        (4, "huber:0.5", false),
        (5, "squared", false),
    ] {
        let table = table(seed, classes);
        for most in 1..=4 {
            let options = format!("rules={most} gap=0 loss={loss}");
            let (Trained { model, lists, .. }, set) = train(&options, &table);
            let lists = lists.unwrap();
            let best = brute_force(set.data(), model.loss(), model.beta(), lists.rules);
            let ListBound { objective, lower_bound, .. } = lists;
            assert!(lower_bound <= best, "{options}: {lower_bound} {best}");
            assert!(lower_bound >= best * (1.0 - 1e-6), "{options}: {lower_bound} {best}");
            assert!(objective >= best * (1.0 - 1e-8), "{options}: {objective} {best}");
            assert!(objective <= best * (1.0 + 1e-4), "{options}: {objective} {best}");
        }
    }
}

/// A model whose list is not the best one: one rule has another weight.
fn altered(model: &Model, set: &TrainingSet) -> Model {
    let weight = 0.7 * model.first().network().amplitudes()[0];
    model.with_weights(set.data(), &[(1, weight)]).unwrap()
}

#[test]
fn a_bound_is_searched_again_whatever_the_model_states() {
    let (Trained { model, lists, .. }, set) = train("rules=3 gap=0", &table(6, true));
    let known = lists.unwrap();
    let again = model.bound_lists(set.data(), 0.0, None, &Watch::default()).unwrap();
    let close = |a: f64, b: f64| (a - b).abs() <= 2e-6 * b;
    assert!(close(again.lower_bound, known.lower_bound), "{again:?} {known:?}");
    let worse = altered(&model, &set);
    let found = worse.bound_lists(set.data(), 0.0, None, &Watch::default()).unwrap();
    assert!(found.objective > again.objective && found.relative_gap() > again.relative_gap());
    assert!(close(found.lower_bound, known.lower_bound), "{found:?} {known:?}");
    let expected = "no list of at most 3 such rules is better by more than ";
    assert!(found.claim().starts_with(expected), "{}", found.claim());
}

#[test]
fn a_search_that_ends_early_has_a_bound_and_threads_do_not_matter() {
    let text = include_str!("../../../../docs/guide/loans.csv");
    let table = Table::read(text.as_bytes(), "loans.csv", &ReadOptions::default()).unwrap();
    let (Trained { model, .. }, set) = train("rules=4", &table);
    let search = |threads: usize, gap: f64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| model.bound_lists(set.data(), gap, None, &Watch::default()).unwrap())
    };
    let whole = model.certificate();
    let (one, two) = (search(1, 0.03), search(2, 0.03));
    assert_eq!(one, two);
    assert!(one.lower_bound >= whole.lower_bound() && one.relative_gap() <= whole.relative_gap());
    let stop = std::sync::atomic::AtomicBool::new(true);
    let watch = Watch { interrupt: Some(&stop), ..Watch::default() };
    let cut_short = model.bound_lists(set.data(), 0.0, None, &watch).unwrap();
    assert_eq!(cut_short.stop.name(), "interrupt");
    assert!(cut_short.lower_bound >= whole.lower_bound());
}

#[test]
fn a_bound_over_drawn_neurons_says_nothing_about_lists() {
    let mut above = 0;
    for seed in 0..8 {
        let drawn = "method=sample inputs=1 patterns=2 beta=1 intercept=true loss=logistic";
        let (Trained { model, .. }, set) = train(&format!("{drawn} seed={seed}"), &table(9, true));
        let found = model.bound_lists(set.data(), 0.0, None, &Watch::default()).unwrap();
        let best = brute_force(set.data(), model.loss(), model.beta(), found.rules);
        above += usize::from(model.certificate().lower_bound() > best);
        assert!(found.lower_bound <= best, "{found:?} {best}");
    }
    assert!(above > 0, "some drawn neurons are not the best ones");
}

#[test]
fn only_lists_of_rules_are_bounded() {
    let (Trained { model, .. }, set) = train("beta=2", &table(7, true));
    let refused = model.bound_lists(set.data(), 0.0, None, &Watch::default()).unwrap_err();
    let expected = "`gap` is for lists of rules: ";
    assert!(refused.to_string().starts_with(expected), "{refused}");
    let (Trained { model, .. }, _) = train("rules=2", &table(8, true));
    let refused = model.bound_lists(set.data(), 0.0, None, &Watch::default()).unwrap_err();
    assert_eq!(refused.to_string(), "the data are not the training data of the model");
}
