//! Lists of at most `N` rules.

use std::fmt::Write as _;

use hardlim::data::TrainingSet;
use hardlim::explain::Scorecard;
use hardlim::model::Model;
use hardlim::table::{ReadOptions, Table};
use hardlim::train::{Request, Trained, Watch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

/// Rows of numbers, a copy of one of them with other units, whole numbers and labels; the target
/// depends on three columns, with noise.
fn table(rows: usize, seed: u64, target: impl Fn(f64) -> String) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text = String::from("a,twice,b,count,level,y\n");
    for _ in 0..rows {
        let (a, b): (f64, f64) = (rng.random(), rng.random());
        let (count, level) = (rng.random_range(0..6), rng.random_range(0..3));
        let score = f64::from(u8::from(a > 0.37)) + f64::from(u8::from(count > 2))
            - f64::from(u8::from(level == 1))
            + 0.8 * (rng.random::<f64>() - 0.5);
        let name = ["low", "mid", "high"][level];
        writeln!(text, "{a:.3},{:.3},{b:.3},{count},{name},{}", 2.0 * a, target(score)).unwrap();
    }
    read(&text)
}

fn two_classes(seed: u64) -> Table {
    table(150, seed, |score| if score > 0.6 { "yes".into() } else { "no".into() })
}

fn train(options: &str, table: &Table) -> (Trained, TrainingSet) {
    let request = Request::of(options).unwrap();
    let set = TrainingSet::of_table(table, &request.columns).unwrap();
    let trained = request.check(&set).unwrap().train(&set, &Watch::default()).unwrap();
    assert!(trained.model.certify(set.data()).unwrap().holds());
    (trained, set)
}

#[test]
fn more_rules_never_fit_worse() {
    let several = |score: f64| ["low", "mid", "high"][((score + 1.0) as usize).min(2)].to_owned();
    let tables = [
        two_classes(1),
        two_classes(2),
        table(120, 3, several),
        table(120, 4, |score| format!("{score:.3}")),
    ];
    for (k, table) in tables.iter().enumerate() {
        let mut last = (f64::INFINITY, 0);
        for most in 1..=20 {
            let (Trained { model, .. }, _) = train(&format!("rules={most}"), table);
            let now = (model.certificate().objective(), model.neurons());
            assert!(now.1 <= most && now.1 >= last.1, "table {k}, {most} rules: {now:?} {last:?}");
            // Sums are rounded.
            assert!(now.0 <= last.0 * (1.0 + 1e-12), "table {k}, {most} rules: {now:?} {last:?}");
            last = now;
        }
    }
}

#[test]
fn no_question_is_asked_twice_and_all_point_up_and_cuts_lie_in_their_gaps() {
    for options in ["rules=12", "rules=12 points=3"] {
        let (Trained { model, .. }, set) = train(options, &two_classes(5));
        let neurons = &model.first().network().layers()[0].neurons;
        assert!(neurons.len() > 2);
        let features = set.data().features();
        let mut asked: Vec<Vec<bool>> = Vec::new();
        for neuron in neurons {
            let inputs = neuron.inputs.as_ref().unwrap();
            assert_eq!((inputs.len(), &neuron.weights[..]), (1, &[1.0][..]));
            let (input, cut) = (inputs[0] as usize, -neuron.bias);
            let values = || (0..features.rows()).map(|i| features.row(i)[input]);
            let low = values().filter(|v| *v < cut).fold(f64::NEG_INFINITY, f64::max);
            let high = values().filter(|v| *v > cut).fold(f64::INFINITY, f64::min);
            assert!(low < cut && cut < high && values().all(|v| v != cut), "{low} {cut} {high}");
            // All numbers have three decimals, so a few digits are enough.
            assert!(format!("{cut}").len() <= 6, "{cut}");
            let answers: Vec<bool> = values().map(|v| v >= cut).collect();
            let first = answers[0];
            asked.push(answers.iter().map(|answer| answer ^ first).collect());
        }
        let count = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), count);
    }
}

#[test]
fn points_are_whole_numbers_and_every_score_has_its_probability() {
    let (Trained { model, .. }, set) = train("rules=8 points=3", &two_classes(6));
    let model = Model::from_text(&model.to_text()).unwrap();
    let [card] = &Scorecard::of(&model)[..] else { panic!("one network") };
    assert!(card.has_points() && card.target == "y = yes", "{card:?}");
    for (rule, points) in &card.rules {
        assert!(points.fract() == 0.0 && (1.0..=3.0).contains(&points.abs()), "{rule} {points}");
    }
    // The table is what the model answers.
    let outputs = model.outputs_on(set.data()).remove(0);
    for output in outputs {
        let p = model.probabilities(&[output]).unwrap()[1];
        assert!(card.scores.iter().any(|(_, known)| (known - p).abs() < 1e-12), "{p}");
    }
    assert!(card.scores.windows(2).all(|pair| pair[0].1 < pair[1].1));
    assert_eq!(card.scores[0].0 as f64, card.rules.iter().map(|r| r.1.min(0.0)).sum::<f64>());
}

#[test]
fn what_does_not_go_with_rules_is_refused() {
    for (options, expected) in [
        ("rules=3 neurons=2", "`rules` and `neurons` do not go together"),
        ("rules=3 max_inputs=1", "`rules` and `max_inputs` do not go together"),
        ("rules=3 bias=false", "`rules` and `bias` do not go together"),
        ("points=3", "`points` are the weights of rules: add `rules`"),
        ("rules=3 beta=1", "`rules` is for the best predictions: give no strength and no `method`"),
        ("rules=3 loss=hinge", "`loss=hinge`: rules need a loss without kinks"),
    ] {
        assert_eq!(Request::of(options).expect_err(options).to_string(), expected);
    }
    let numbers = table(60, 7, |score| format!("{score:.3}"));
    let request = Request::of("rules=3 points=2").unwrap();
    let set = TrainingSet::of_table(&numbers, &request.columns).unwrap();
    let refused = request.check(&set).unwrap_err().to_string();
    assert_eq!(refused, "`points` are for two classes: a sum of points has one probability");
}

#[test]
fn odd_tables_have_rules_or_none() {
    let rows = |count: usize, row: &dyn Fn(usize) -> String| {
        "a,b,y\n".to_owned() + &(0..count).map(row).collect::<String>()
    };
    for (text, least) in [
        (rows(2, &|i| format!("{i},5,{i}\n")), 0),
        // Nothing to learn.
        (rows(40, &|i| format!("{},{},{}\n", i % 2, i % 3, i / 20)), 0),
        // Ties, and rows of both classes.
        (rows(60, &|i| format!("{},1,{}\n", i % 4, u8::from(i % 4 > 1 || i == 8))), 1),
        // One column tells everything.
        (rows(40, &|i| format!("{i},{},{}\n", i % 7, u8::from(i >= 20))), 1),
    ] {
        for options in
            ["rules=4 task=classify", "rules=4 points=2 task=classify", "rules=1 task=classify"]
        {
            let (Trained { model, .. }, _) = train(options, &read(&text));
            assert!((least..=4).contains(&model.neurons()), "{options} {}", model.neurons());
        }
    }
}

/// Loans with seven facts, ages that are missing, labels, and a date without effect.
fn loans(rows: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text =
        String::from("age,income,debt,late,employed,purpose,owner,amount,applied,repaid\n");
    for _ in 0..rows {
        let age: f64 = rng.random_range(18.0..75.0);
        let income: f64 = 600.0 * (2.5 * rng.random::<f64>()).exp();
        let debt: f64 = rng.random_range(0.0..0.9);
        let late = [0, 0, 0, 1, 1, 2, 3, 4][rng.random_range(0..8)];
        let employed: f64 = rng.random_range(0.0..20.0);
        let purpose = ["car", "house", "school", "business", "other"][rng.random_range(0..5)];
        let owner = rng.random::<bool>();
        let amount: f64 = rng.random_range(500.0..20_000.0);
        let facts = [
            (age >= 30.0, 1.2),
            (income >= 1800.0, 1.6),
            (debt >= 0.4, -1.8),
            (late >= 2, -1.6),
            (employed >= 5.0, 1.2),
            (purpose == "car", -1.2),
            (owner, 1.0),
        ];
        let score: f64 = facts.iter().filter(|fact| fact.0).map(|fact| fact.1).sum();
        let repaid = rng.random::<f64>() < 1.0 / (1.0 + (-(score - 0.7)).exp());
        // A fifth of the ages is missing.
        let age = if rng.random_range(0..5) == 0 { String::new() } else { format!("{age:.1}") };
        let (year, month, day) =
            (rng.random_range(2021..2025), rng.random_range(1..=12), rng.random_range(1..=28));
        writeln!(
            text,
            "{age},{income:.0},{debt:.3},{late},{employed:.1},{purpose},{},{amount:.0},\
             {year}-{month:02}-{day:02},{}",
            if owner { "yes" } else { "no" },
            if repaid { "yes" } else { "no" },
        )
        .unwrap();
    }
    read(&text)
}

#[test]
fn ten_rules_find_the_facts_of_a_table_and_none_about_its_date() {
    let (Trained { model, .. }, _) = train("rules=10", &loans(3000, 1));
    let card = Scorecard::of(&model).remove(0);
    let cut = |name: &str, low: f64, high: f64| {
        card.rules.iter().any(|(rule, _)| {
            let cut = rule.strip_prefix(name).and_then(|rest| rest.strip_prefix(" ≥ "));
            cut.is_some_and(|cut| (low..=high).contains(&cut.parse::<f64>().unwrap()))
        })
    };
    let label = |name: &str| card.rules.iter().any(|(rule, _)| rule == name);
    let found = [
        cut("age", 29.7, 30.3),
        cut("income", 1782.0, 1818.0),
        cut("debt", 0.396, 0.404),
        cut("late", 1.0, 2.0),
        cut("employed", 4.95, 5.05),
        label("purpose = car"),
        label("owner = yes"),
    ];
    assert!(found.iter().filter(|found| **found).count() >= 6, "{found:?} {:#?}", card.rules);
    assert!(card.rules.iter().all(|(rule, _)| !rule.contains("applied")), "{:#?}", card.rules);
}
