//! No network of the class that a certificate names is below its bound, found by brute force.
//!
//! Tables are small and degenerate: few rows, many of them equal, collinear or at zero, on a coarse
//! grid. The networks that attack a bound are made here, from small integer weights, and measured
//! by the definition: nothing of what proves the bound is used.

use std::collections::BTreeSet;

use crate::models::joined;
use hardlim::certificate::{Bound, Certificate, NetworkClass, Problem, Scope};
use hardlim::data::{Features, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::program::{Beta, Constraints, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::table::ColumnRef;
use hardlim::table::{Coding, TargetCoding};
use hardlim::train::{Method, Request, Watch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many tables are tried for each kind of certificate.
const TABLES: usize = 1000;

type Answers = BTreeSet<Vec<bool>>;

/// What a row of integers gives, `1{t ≥ 0}`, twice the bias so that it may lie between integers.
fn fires(row: &[f64], weights: &[i32], twice_bias: i32) -> bool {
    let t: f64 = row.iter().zip(weights).map(|(x, w)| x * f64::from(*w)).sum();
    2.0 * t + f64::from(twice_bias) >= 0.0
}

/// All vectors of `length` integers up to this size.
fn vectors(length: usize, size: i32) -> Vec<Vec<i32>> {
    (0..length).fold(vec![Vec::new()], |all, _| {
        let longer = |v: Vec<i32>| (-size..=size).map(move |k| [&v[..], &[k]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// The answers of neurons with small integer weights.
fn neurons(rows: &[Vec<f64>], inputs: Option<usize>, bias: bool) -> Answers {
    let width = rows[0].len();
    let mut answers = Answers::new();
    for w in vectors(width, if width < 3 { 3 } else { 1 }) {
        if inputs.is_some_and(|k| w.iter().filter(|w| **w != 0).count() > k) {
            continue;
        }
        for b in if bias { -25..=25 } else { 0..=0 } {
            answers.insert(rows.iter().map(|row| fires(row, &w, b)).collect());
        }
    }
    answers
}

/// The answers of neurons above any `width` of these.
fn above(below: &Answers, width: usize, bias: bool) -> Answers {
    let list: Vec<&Vec<bool>> = below.iter().collect();
    let rows = list[0].len();
    let mut answers = Answers::new();
    let mut chosen = vec![0; width];
    loop {
        let row = |i: usize| -> Vec<f64> {
            chosen.iter().map(|&k: &usize| f64::from(u8::from(list[k][i]))).collect()
        };
        let inputs: Vec<Vec<f64>> = (0..rows).map(row).collect();
        for w in vectors(width, 1) {
            for b in if bias { -5..=5 } else { 0..=0 } {
                answers.insert(inputs.iter().map(|x| fires(x, &w, b)).collect());
            }
        }
        // The next choice, in order.
        let Some(place) = (0..width).rev().find(|&p| chosen[p] + 1 < list.len()) else { break };
        chosen[place] += 1;
        let value = chosen[place];
        chosen[place + 1..].iter_mut().for_each(|k| *k = value);
    }
    answers
}

/// Every vector of zeros and ones: what networks of some depth answer.
fn dichotomies(rows: usize) -> Answers {
    (0..1usize << rows).map(|code| (0..rows).map(|i| code >> i & 1 == 1).collect()).collect()
}

/// The objective of the best network that is found from these answers.
fn attack(answers: &Answers, problem: &Problem<'_, LossKind>) -> f64 {
    let rows = problem.targets().rows();
    let patterns: Vec<Pattern> =
        answers.iter().map(|bits| Pattern::from_fn(rows, |i| bits[i])).collect();
    let patterns = PatternMatrix::from_patterns(rows, &patterns);
    let program =
        LassoProgram::new(&patterns, problem.targets(), *problem.loss(), problem.beta()).unwrap();
    let program = program.with_constraints(problem.constraints());
    let solution =
        ActiveSet { tolerance: 1e-8, rounds: 60, ..ActiveSet::default() }.solve(&program);
    // By the definition, from the coefficients.
    let mut output = program.output(&solution.coefficients);
    output.iter_mut().for_each(|u| *u += solution.offset);
    problem.objective(&output, solution.coefficients.iter().copied())
}

struct Case {
    set: TrainingSet,
    rows: Vec<Vec<f64>>,
    loss: LossKind,
    beta: Beta,
    constraints: Constraints,
}

impl Case {
    fn draw(k: usize, rng: &mut ChaCha8Rng) -> Self {
        let losses = LossKind::all();
        let loss = losses[k % losses.len()];
        let (count, width) = (rng.random_range(1..6), rng.random_range(1..4));
        let classes = matches!(loss, LossKind::Logistic | LossKind::Hinge | LossKind::SquaredHinge);
        let collinear = rng.random_bool(0.3);
        let mut x = Vec::new();
        for _ in 0..count {
            let t = f64::from(rng.random_range(-2..3));
            let free: Vec<f64> = (0..width).map(|_| f64::from(rng.random_range(-2..3))).collect();
            x.extend(free.iter().map(|v| if collinear { t } else { *v }));
        }
        let y: Vec<f64> = (0..count)
            .map(|_| {
                if classes {
                    [-1.0, 1.0][rng.random_range(0..2)]
                } else {
                    f64::from(rng.random_range(-3..4)) / 2.0
                }
            })
            .collect();
        let weights: Option<Vec<f64>> =
            rng.random_bool(0.2).then(|| (0..count).map(|_| rng.random_range(0.5..2.0)).collect());
        let features = Features::new(count, width, x).unwrap();
        let column = ColumnRef { name: "y".into(), position: width };
        let target = TargetCoding::of_labels(column, None, None).unwrap();
        let names = (0..width).map(|j| format!("x{j}")).collect();
        let coding = Coding::of_numbers(names, target, false).unwrap();
        let set = TrainingSet::new(coding, features, y, weights).unwrap();
        let data = set.data();
        let rows = (0..data.distinct()).map(|g| data.features().row(g).to_vec()).collect();
        Self {
            rows,
            set,
            loss,
            beta: Beta::new(10f64.powf(rng.random_range(-2.0..0.7))).unwrap(),
            constraints: Constraints {
                non_negative: rng.random_bool(0.25),
                intercept: rng.random_bool(0.2),
            },
        }
    }

    fn problem(&self, constraints: Constraints) -> Problem<'_, LossKind> {
        Problem::new(self.set.data().targets(), &self.loss, self.beta, constraints).unwrap()
    }

    /// The model that is trained for this problem.
    fn train(&self, request: Request) -> Result<Model, hardlim::Error> {
        let request = request
            .with(&format!(
                "loss={} beta={} non_negative={} intercept={}",
                self.loss,
                self.beta.get(),
                self.constraints.non_negative,
                self.constraints.intercept
            ))
            .unwrap();
        Ok(request.check(&self.set)?.train(&self.set, &Watch::default())?.model)
    }

    /// Trains, and attacks both certificates of what came out: that of its class by these answers.
    /// Says whether the attack comes as close to the first bound as any could.
    fn try_out(&self, what: &str, request: &Request, class: &NetworkClass, own: &Answers) -> bool {
        let constraints = self.constraints;
        let model = match self.train(request.clone()) {
            // A representation may fall short of the rank.
            Err(error) => {
                let represented = request.options().text("representation").is_some();
                assert!(represented, "{what}: {error}");
                return false;
            }
            Ok(model) => model,
        };
        let check = model.certify(self.set.data()).unwrap();
        assert!(check.holds(), "{what}: {check:?}");
        let certificate = model.certificate();
        let class = match certificate.bound() {
            Bound::Complete => NetworkClass::all(),
            _ => class.clone(),
        };
        let class = NetworkClass { non_negative: constraints.non_negative, ..class };
        assert_eq!(*certificate.class(), class, "{what}");
        let every = dichotomies(self.rows.len());
        let all = NetworkClass { non_negative: constraints.non_negative, ..NetworkClass::all() };
        let answers = if class == all { &every } else { own };
        let best = attack(answers, &self.problem(constraints));
        self.stands(what, &certificate, best);
        // Over all networks, whatever their signs.
        let free = Constraints { non_negative: false, ..constraints };
        assert_eq!(*model.global().class(), NetworkClass::all(), "{what}");
        self.stands(what, &model.global(), attack(&every, &self.problem(free)));
        best <= certificate.lower_bound() * (1.0 + 1e-6) + 1e-9
    }

    fn stands(&self, what: &str, certificate: &Certificate, objective: f64) {
        // Coefficients of a solver that stopped early are above the optimum, never below.
        let bound = certificate.lower_bound();
        assert!(
            bound <= objective * (1.0 + 1e-12) + 1e-12,
            "{what}, {}: {bound} above {objective}, {certificate:?}, {:?}",
            self.loss,
            self.rows
        );
    }
}

fn quick(method: Method) -> Request {
    let patterns = if method == Method::Sample { "patterns=12" } else { "" };
    Request::of(&format!("method={method} rounds=3 {patterns}")).unwrap()
}

#[test]
fn no_network_of_its_class_is_below_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let (mut tried, mut sharp) = (0, 0);
    for k in 0..TABLES {
        let case = Case::draw(k, &mut rng);
        let bias = !rng.random_bool(0.3);
        let seed = k as u64;
        let two = NetworkClass::two_layers(bias);
        let mut attack = |what: &str, request: &Request, class: &NetworkClass, own: &Answers| {
            tried += 1;
            sharp += usize::from(case.try_out(what, request, class, own));
        };
        let own = neurons(&case.rows, None, bias);
        for method in [Method::Generate, Method::Enumerate] {
            let gap = ["", "gap=1e-4", "gap=0.5"][k % 3];
            let request = quick(method).with(&format!("bias={bias} seed={seed} {gap}")).unwrap();
            attack(&format!("two layers, {method}"), &request, &two, &own);
        }
        for inputs in [1, 2].into_iter().filter(|&inputs| inputs <= case.rows[0].len()) {
            let max_inputs = Some(inputs);
            let options = format!("bias={bias} seed={seed} max_inputs={inputs}");
            let request = quick(Method::Generate).with(&options).unwrap();
            let class = NetworkClass { max_inputs, ..two.clone() };
            let few = neurons(&case.rows, max_inputs, bias);
            attack(&format!("{inputs} inputs"), &request, &class, &few);
        }
        for widths in [&[1][..], &[2], &[1, 1], &[2, 1]] {
            let options = format!("bias={bias} widths={}", joined(widths));
            let request = quick(Method::Enumerate).with(&options).unwrap();
            let class = NetworkClass::subnetworks(widths, bias);
            // Deeper networks of one neuron after the other are the same as these.
            let first = above(&own, widths[0], bias);
            let deep = if widths.len() == 2 { above(&first, 1, bias) } else { first };
            attack(&format!("widths {widths:?}"), &request, &class, &deep);
        }
        let class = NetworkClass { tree: true, ..NetworkClass::subnetworks(&[1, 2], bias) };
        let request =
            quick(Method::Enumerate).with(&format!("bias={bias} widths=1,2 tree")).unwrap();
        let tree = above(&above(&own, 1, bias), 2, bias);
        attack("a tree", &request, &class, &tree);
        let request = quick(Method::Auto).with("representation=staircase").unwrap();
        attack("staircase", &request, &NetworkClass::all(), &own);
    }
    // The attack is a strong one: it reaches most of the bounds.
    assert!(tried >= 8000 && sharp >= tried / 2, "{sharp} of {tried}");
}

#[test]
fn no_network_of_a_dictionary_is_below_its_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    for k in 0..TABLES {
        let case = Case::draw(k, &mut rng);
        let (bias, seed) = (k % 3 != 0, k as u64);
        for widths in [&[][..], &[2]] {
            let options = format!("bias={bias} seed={seed} widths={}", joined(widths));
            let request = quick(Method::Sample).with(&options).unwrap();
            // What the dictionary is follows from the recipe and the data.
            let model = case.train(request.clone()).unwrap();
            assert_eq!(model.certificate().scope(), Scope::Dictionary);
            let recipe = model.first().recipe();
            let patterns = match recipe.dictionary(case.set.data(), bias, 0.0) {
                Some(dictionary) => dictionary.patterns,
                None => recipe.deep_dictionary(case.set.data(), bias).unwrap().patterns,
            };
            let answers = (0..patterns.patterns())
                .map(|j| (0..case.rows.len()).map(|i| patterns.get(i, j)).collect())
                .collect();
            let class = NetworkClass::subnetworks(widths, bias);
            assert!(case.try_out(&format!("a dictionary, {widths:?}"), &request, &class, &answers));
        }
    }
}
