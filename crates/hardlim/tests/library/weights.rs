//! The weights inside a cell, one by one and for whole networks: the answers stay, in every layer;
//! margins, centres and norms are the best by other solvers; pseudo-inverses solve their equation;
//! integers are checked in integers.

use crate::conic;
use hardlim::arrangement::{Arrangement, Hyperplane, evaluate};
use hardlim::data::{Features, Scaling};
use hardlim::network::{Cell, Grid, Layer, Network, Neuron, Rechoice, Weights, reconstruct};
use hardlim::pattern::{Pattern, PatternMatrix};
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn normals(rng: &mut ChaCha8Rng, count: usize) -> Vec<f64> {
    (0..count).map(|_| rng.sample(StandardNormal)).collect()
}

/// Random rows, whole numbers in every second case, and hyperplanes that split them.
fn rows_and_planes(case: usize, bias: bool, rng: &mut ChaCha8Rng) -> (Features, Vec<Hyperplane>) {
    let (n, d) = (rng.random_range(5..=60), rng.random_range(1..=6));
    let values: Vec<f64> = match case % 2 {
        0 => normals(rng, n * d),
        _ => (0..n * d).map(|_| f64::from(rng.random_range(-4..5))).collect(),
    };
    let (features, _) = Features::new(n, d, values).unwrap().merge();
    let plane = |rng: &mut ChaCha8Rng| {
        let offset: f64 = rng.sample(StandardNormal);
        Hyperplane { weights: normals(rng, d), bias: if bias { offset } else { 0.0 } }
    };
    let planes = (0..4).map(|_| plane(rng)).collect();
    (features, planes)
}

fn cells(features: &Features, planes: &[Hyperplane]) -> Vec<Cell> {
    let patterns = evaluate(features, planes);
    let cell = |(j, plane): (usize, &Hyperplane)| Cell {
        pattern: patterns.pattern(j),
        witness: Some(plane.clone()),
    };
    planes.iter().enumerate().map(cell).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn every_choice_realises_every_pattern() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for case in 0..40 {
        let bias = case % 3 != 0;
        let (features, planes) = rows_and_planes(case, bias, &mut rng);
        let scaling = Scaling::fit(&features, &vec![1.0; features.rows()], bias);
        let before = evaluate(&features, &planes);
        for weights in [Weights::Svm, Weights::Center, Weights::Sparse, Weights::Integer] {
            let cells = cells(&features, &planes);
            let chosen =
                reconstruct(&Arrangement::with_bias(&features, bias), cells, weights, &scaling);
            let chosen = chosen.unwrap();
            assert!(evaluate(&features, &chosen) == before, "case {case}: {weights}");
            assert!(bias || chosen.iter().all(|plane| plane.bias == 0.0), "case {case}: {weights}");
        }
    }
}

/// The scaled rows, with a coordinate of ones if there is a bias.
fn with_ones(features: &Features, scaling: &Scaling, bias: bool) -> Vec<Vec<f64>> {
    let row = |row: &[f64]| row.iter().copied().chain(bias.then_some(1.0)).collect();
    scaling.apply(features).chunks(features.dimension()).map(row).collect()
}

/// `min ½‖w‖²` where `±x·w ≥ rᵢ`, by cones; the last `free` coordinates are not in the norm.
fn least_square(rows: &[Vec<f64>], pattern: &Pattern, right: &[f64], free: usize) -> f64 {
    let mut squares = vec![1.0; rows[0].len() - free];
    squares.extend(vec![0.0; free]);
    let inequality = |i: usize| {
        let side = if pattern.get(i) { 1.0 } else { -1.0 };
        (rows[i].iter().map(|x| side * x).enumerate().collect(), right[i])
    };
    conic::least_square(&squares, &(0..rows.len()).map(inequality).collect::<Vec<_>>())
}

/// The weights of cells with the widest margins, which realise their patterns.
fn widest(
    features: &Features,
    patterns: &[Pattern],
    witness: Option<&Hyperplane>,
    bias: bool,
    scaling: &Scaling,
) -> Vec<Hyperplane> {
    let cell = |p: &Pattern| Cell { pattern: p.clone(), witness: witness.cloned() };
    let arrangement = Arrangement::with_bias(features, bias);
    let cells = patterns.iter().map(cell).collect();
    let found = reconstruct(&arrangement, cells, Weights::Svm, scaling).unwrap();
    assert!(evaluate(features, &found) == PatternMatrix::from_patterns(features.rows(), patterns));
    assert!(bias || found.iter().all(|plane| plane.bias == 0.0));
    found
}

/// `½‖w‖²` in the coordinates that margins are measured in.
fn half_norm(plane: &Hyperplane, scaling: &Scaling) -> f64 {
    let scaled = plane.weights.iter().zip(scaling.scale()).map(|(w, s)| w * s);
    scaled.map(|w| w * w).sum::<f64>() / 2.0
}

/// Rows of normal numbers, or a grid with columns of very different size, and a hyperplane.
fn rows_and_scaling(
    case: usize,
    bias: bool,
    rng: &mut ChaCha8Rng,
) -> (Features, Scaling, Hyperplane) {
    let (n, d) = (rng.random_range(2..=60), rng.random_range(1..=8));
    let values: Vec<f64> = match case % 2 {
        0 => normals(rng, n * d),
        _ => (0..n * d)
            .map(|k| f64::from(rng.random_range(-5..6)) * [1.0, 1000.0, 0.01][k % d % 3])
            .collect(),
    };
    let (features, _) = Features::new(n, d, values).unwrap().merge();
    let scaling = match case % 4 {
        0 => Scaling::identity(d),
        _ => Scaling::fit(&features, &vec![1.0; features.rows()], bias),
    };
    // Irrational weights: no row of a grid lies on the line, unless it is zero.
    let scale = |(w, s): (f64, &f64)| if *s > 0.0 { w / s } else { w };
    let weights: Vec<f64> = normals(rng, d).into_iter().zip(scaling.scale()).map(scale).collect();
    let offset: f64 = rng.sample(StandardNormal);
    let bias = if bias { 0.5 * offset - dot(&weights, scaling.center()) } else { 0.0 };
    (features, scaling, Hyperplane { weights, bias })
}

#[test]
fn margins_are_the_widest_there_are() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut checked = 0;
    let mut check = |features: &Features,
                     patterns: &[Pattern],
                     witness: Option<&Hyperplane>,
                     bias: bool,
                     scaling: &Scaling| {
        let zero = |i: usize| features.row(i).iter().all(|x| *x == 0.0);
        if !bias && (0..features.rows()).any(zero) {
            return; // no margin
        }
        let (rows, right) = (with_ones(features, scaling, bias), vec![1.0; features.rows()]);
        let planes = widest(features, patterns, witness, bias, scaling);
        for (plane, pattern) in planes.iter().zip(patterns) {
            if [0, pattern.samples()].contains(&pattern.count()) {
                continue; // any margin
            }
            let expected = least_square(&rows, pattern, &right, usize::from(bias));
            let found = half_norm(plane, scaling);
            assert!((found - expected).abs() <= 1e-6 * expected, "{found} {expected}");
            checked += 1;
        }
    };
    for case in 0..60 {
        let bias = case % 3 != 0;
        let (features, scaling, plane) = rows_and_scaling(case, bias, &mut rng);
        let pattern = [evaluate(&features, std::slice::from_ref(&plane)).pattern(0)];
        for witness in [None, Some(&plane)] {
            check(&features, &pattern, witness, bias, &scaling);
        }
    }
    // Many inputs: margins of several cells share a Gram matrix.
    for case in 0..16 {
        let bias = case % 2 == 0;
        let (n, d) = (rng.random_range(64..=90), rng.random_range(45..=110));
        let values = if case % 4 < 2 {
            (0..n * d).map(|_| f64::from(rng.random_range(0..2))).collect()
        } else {
            normals(&mut rng, n * d)
        };
        let features = Features::new(n, d, values).unwrap();
        // Some hyperplane's answers, or any where all are possible.
        let complete = Arrangement::with_bias(&features, bias).is_complete();
        let pattern = |_| {
            if complete {
                return Pattern::from_fn(n, |_| rng.random_bool(0.5));
            }
            let plane = Hyperplane { weights: normals(&mut rng, d), bias: 0.0 };
            evaluate(&features, &[plane]).pattern(0)
        };
        let patterns: Vec<Pattern> = (0..3).map(pattern).collect();
        check(&features, &patterns, None, bias, &Scaling::identity(d));
    }
    assert!(checked >= 90, "{checked}");
}

#[test]
fn tiny_margins_are_found() {
    for exponent in [-3, -6, -9] {
        let gap = 10f64.powi(exponent);
        // Two rows apart by the gap, and others far away.
        let values = vec![0.0, 0.0, gap, 0.0, -3.0, 2.0, 4.0, -1.0, 2.5, 2.5, -2.0, -2.0];
        let features = Features::new(6, 2, values).unwrap();
        let between = Hyperplane { weights: vec![1.0, 0.0], bias: -gap / 2.0 };
        let pattern = [evaluate(&features, &[between]).pattern(0)];
        for scaling in [Scaling::identity(2), Scaling::fit(&features, &[1.0; 6], true)] {
            let planes = widest(&features, &pattern, None, true, &scaling);
            let margin = 1.0 / (2.0 * half_norm(&planes[0], &scaling)).sqrt();
            // Half the gap, in the coordinates of the scaling.
            let expected = gap / 2.0 / scaling.scale()[0];
            assert!((margin - expected).abs() <= 1e-6 * expected, "{gap}: {margin} {expected}");
        }
    }
}

#[test]
fn centers_are_farthest_from_the_walls() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for case in 0..30 {
        let bias = case % 2 == 0;
        let (features, planes) = rows_and_planes(0, bias, &mut rng);
        let scaling = Scaling::identity(features.dimension());
        let cells = cells(&features, &planes);
        let patterns: Vec<Pattern> = cells.iter().map(|cell| cell.pattern.clone()).collect();
        let found =
            reconstruct(&Arrangement::with_bias(&features, bias), cells, Weights::Center, &scaling);
        for (plane, pattern) in found.unwrap().iter().zip(&patterns) {
            let rows = with_ones(&features, &scaling, bias);
            let sizes: Vec<f64> = rows.iter().map(|row| dot(row, row).sqrt()).collect();
            // At distance 1 from every wall the least norm is 1/r.
            let expected = 1.0 / (2.0 * least_square(&rows, pattern, &sizes, 0)).sqrt();
            let mut point = plane.weights.clone();
            point.extend(bias.then_some(plane.bias));
            let wall = |i: usize| dot(&rows[i], &point).abs() / sizes[i];
            let radius = (0..rows.len()).map(wall).fold(f64::INFINITY, f64::min)
                / dot(&point, &point).sqrt();
            assert!((radius - expected).abs() <= 1e-6 * expected, "{case}: {radius} {expected}");
        }
    }
}

/// The least `Σ|wⱼ|` with margin 1 over some inputs, by one linear program on all rows.
fn least_sum(features: &Features, pattern: &Pattern, bias: bool, inputs: &[usize]) -> Option<f64> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let (positive, free) = ((0.0, f64::INFINITY), (f64::NEG_INFINITY, f64::INFINITY));
    let mut add = || inputs.iter().map(|_| problem.add_var(1.0, positive)).collect::<Vec<_>>();
    let (plus, minus) = (add(), add());
    let offset = problem.add_var(0.0, if bias { free } else { (0.0, 0.0) });
    for i in 0..features.rows() {
        let side = if pattern.get(i) { 1.0 } else { -1.0 };
        let mut terms = vec![(offset, side)];
        for (k, &j) in inputs.iter().enumerate() {
            terms.push((plus[k], side * features.row(i)[j]));
            terms.push((minus[k], -side * features.row(i)[j]));
        }
        problem.add_constraint(terms, ComparisonOp::Ge, 1.0);
    }
    problem.solve().ok()?.into_solution().ok().map(|solution| solution.objective())
}

#[test]
fn sparse_weights_have_the_least_sum_over_inputs_of_which_none_can_be_spared() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut before, mut after) = (0, 0);
    for case in 0..20 {
        let bias = case % 2 == 0;
        let (features, planes) = rows_and_planes(0, bias, &mut rng);
        let cells = cells(&features, &planes);
        let patterns: Vec<Pattern> = cells.iter().map(|cell| cell.pattern.clone()).collect();
        let scaling = Scaling::identity(features.dimension());
        let found =
            reconstruct(&Arrangement::with_bias(&features, bias), cells, Weights::Sparse, &scaling);
        for (plane, pattern) in found.unwrap().iter().zip(&patterns) {
            let reads: Vec<usize> =
                (0..plane.weights.len()).filter(|&j| plane.weights[j] != 0.0).collect();
            before += plane.weights.len();
            after += reads.len();
            if !bias || (1..pattern.samples()).contains(&pattern.count()) {
                let sum: f64 = plane.weights.iter().map(|w| w.abs()).sum();
                let expected = least_sum(&features, pattern, bias, &reads).unwrap();
                assert!((sum - expected).abs() <= 1e-5 * expected, "{case}: {sum} {expected}");
            }
            for &spared in &reads {
                let others: Vec<usize> = reads.iter().copied().filter(|&j| j != spared).collect();
                assert_eq!(least_sum(&features, pattern, bias, &others), None, "{case}");
            }
        }
    }
    assert!(after < before, "{after} of {before}");
}

#[test]
fn integers_answer_alike_in_integers_and_on_the_inputs_as_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for case in 0..30 {
        let bias = case % 3 != 0;
        let (features, planes) = rows_and_planes(case, bias, &mut rng);
        let layer = Layer { neurons: planes.iter().cloned().map(Neuron::from).collect() };
        let amplitudes = vec![1.0; planes.len()];
        let network = Network::new(features.dimension(), vec![layer], amplitudes, 0.0).unwrap();
        let scaling = Scaling::identity(features.dimension());
        let rechoice = Rechoice::new(Weights::Integer);
        let chosen = network.rechoose(&features, bias, &scaling, &rechoice).unwrap();
        let grid: &Grid = chosen.grid().unwrap();
        assert!(case % 2 == 0 || grid.shifts().iter().all(|g| *g == 0));
        let rows = grid.round(&features);
        let patterns = network.patterns(&features);
        for (k, neuron) in chosen.layers()[0].neurons.iter().enumerate() {
            let integers: Vec<i128> = (neuron.weights.iter().enumerate())
                .map(|(j, &w)| i128::from(grid.integer(j, w).unwrap()))
                .collect();
            for i in 0..features.rows() {
                let row = &rows[i * features.dimension()..(i + 1) * features.dimension()];
                let sum: i128 = row.iter().zip(&integers).map(|(m, k)| i128::from(*m) * k).sum();
                assert_eq!(sum + neuron.bias as i128 >= 0, patterns.get(i, k), "case {case}");
            }
        }
        assert!(chosen.patterns(&features) == patterns, "case {case}");
    }
}

#[test]
fn small_integers_are_found_where_they_are_known_to_do() {
    // Majorities and weighted votes of seven bits: at most ±3 in the weights, 3 bits.
    let rows: Vec<f64> =
        (0..128).flat_map(|i| (0..7).map(move |j| f64::from(i >> j & 1))).collect();
    let features = Features::new(128, 7, rows).unwrap();
    let votes =
        [[1.0; 7], [3.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0], [-3.0, 3.0, 2.0, -1.0, 1.0, 0.0, 1.0]];
    let planes: Vec<Hyperplane> = (votes.iter())
        .map(|votes| {
            let half = votes.iter().sum::<f64>() / 2.0;
            Hyperplane {
                weights: votes.iter().map(|v| v * 0.37).collect(),
                bias: -0.37 * half - 0.1,
            }
        })
        .collect();
    let cells = cells(&features, &planes);
    let arrangement = Arrangement::of(&features);
    let scaling = Scaling::identity(7);
    for plane in reconstruct(&arrangement, cells, Weights::Integer, &scaling).unwrap() {
        assert!(plane.weights.iter().all(|w| w.fract() == 0.0 && w.abs() <= 3.0), "{plane:?}");
    }
}

/// A network of three hidden layers, the upper ones in subnetworks of two neurons each.
fn deep(rng: &mut ChaCha8Rng, bias: bool) -> Network {
    let mut neuron = |inputs: Option<Vec<u32>>, width: usize| {
        let offset: f64 = rng.sample(StandardNormal);
        let bias = if bias { offset } else { 0.0 };
        Neuron { inputs, weights: normals(rng, width), bias }
    };
    let first = (0..6).map(|_| neuron(None, 3)).collect();
    let part = |k: u32| Some(vec![2 * (k / 2), 2 * (k / 2) + 1]);
    let second = (0..6).map(|k| neuron(part(k), 2)).collect();
    let third = (0..3).map(|k| neuron(Some(vec![2 * k, 2 * k + 1]), 2)).collect();
    let layers = [first, second, third].map(|neurons| Layer { neurons }).into();
    Network::new(3, layers, vec![1.0, -0.5, 2.0], 0.0).unwrap()
}

#[test]
fn deep_networks_keep_their_answers_and_their_parts() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for case in 0..12 {
        let bias = case % 2 == 0;
        let (network, values) = (deep(&mut rng, bias), normals(&mut rng, 3 * 50));
        let features = Features::new(50, 3, values).unwrap();
        let scaling = Scaling::fit(&features, &[1.0; 50], bias);
        for weights in Weights::ALL.into_iter().filter(|w| *w != Weights::Pi) {
            let rechoice = Rechoice::new(weights);
            let chosen = network.rechoose(&features, bias, &scaling, &rechoice).unwrap();
            assert_eq!(chosen.output(&features), network.output(&features), "{case}: {weights}");
            let widths: Vec<usize> = chosen.layers().iter().map(|l| l.neurons.len()).collect();
            assert_eq!(widths, [6, 6, 3]);
            for (new, old) in chosen.layers()[1..].iter().zip(&network.layers()[1..]) {
                for (new, old) in new.neurons.iter().zip(&old.neurons) {
                    let (new, old) = (new.inputs.as_ref().unwrap(), old.inputs.as_ref().unwrap());
                    assert!(new.iter().all(|j| old.contains(j)), "{case}: {weights}");
                }
            }
            if weights == Weights::Integer {
                let mut upper = chosen.layers()[1..].iter().flat_map(|layer| &layer.neurons);
                let small = |w: &f64| w.fract() == 0.0 && w.abs() <= 3.0; // neurons of two bits
                assert!(upper.all(|neuron| neuron.weights.iter().all(small)), "{case}");
            }
        }
    }
}

#[test]
fn limited_neurons_keep_to_the_inputs_they_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let features = Features::new(40, 4, normals(&mut rng, 160)).unwrap();
    let neuron = |weights: [f64; 4]| Neuron { inputs: None, weights: weights.into(), bias: 0.1 };
    let neurons = vec![neuron([0.0, 1.0, 0.0, -0.4]), neuron([0.7, 0.0, 0.0, 0.0])];
    let network = Network::new(4, vec![Layer { neurons }], vec![1.0, 1.0], 0.0).unwrap();
    let scaling = Scaling::identity(4);
    for weights in [Weights::Svm, Weights::Center, Weights::Sparse, Weights::Integer] {
        let rechoice = Rechoice { same_inputs: true, ..Rechoice::new(weights) };
        let chosen = network.rechoose(&features, true, &scaling, &rechoice).unwrap();
        let reads: Vec<usize> = chosen.layers()[0].neurons.iter().map(Neuron::reads).collect();
        assert!(reads[0] <= 2 && reads[1] <= 1, "{weights}: {reads:?}");
        assert_eq!(chosen.output(&features), network.output(&features), "{weights}");
    }
}

#[test]
fn constant_patterns_have_weights_with_and_without_a_bias() {
    let features = Features::new(3, 2, vec![1.0, 2.0, 3.0, -1.0, 0.5, 0.5]).unwrap();
    for (bias, on) in [(true, true), (true, false), (false, true), (false, false)] {
        let scaling = Scaling::fit(&features, &[1.0; 3], bias);
        widest(&features, &[Pattern::from_fn(3, |_| on)], None, bias, &scaling);
    }
}

#[test]
fn inputs_that_do_not_matter_have_weight_zero_and_not_one_of_rounding() {
    let values = (0..4 * 2 * 2).flat_map(|k| [k / 4, k / 2 % 2, k % 2].map(f64::from));
    let features = Features::new(16, 3, values.collect()).unwrap();
    let scaling = Scaling::fit(&features, &[1.0; 16], true);
    for (first, second, at) in [(2.0, 0.0, 3.0), (2.0, 6.0, 7.0), (2.0, -2.0, 3.0), (1.0, 1.0, 2.5)]
    {
        let witness = Hyperplane { weights: vec![first, second, 0.0], bias: -at };
        let pattern = evaluate(&features, std::slice::from_ref(&witness)).pattern(0);
        let plane = widest(&features, &[pattern], Some(&witness), true, &scaling).remove(0);
        assert_eq!((plane.weights[1] == 0.0, plane.weights[2]), (second == 0.0, 0.0), "{plane:?}");
    }
}

#[test]
fn a_cell_that_is_not_open_keeps_its_witness() {
    // Without a bias the pattern 11 of x = 1, −1 is that of w = 0 alone.
    let features = Features::new(2, 1, vec![1.0, -1.0]).unwrap();
    let arrangement = Arrangement::of(&features).without_bias();
    let zero = Hyperplane { weights: vec![0.0], bias: 0.0 };
    let cell = |witness| vec![Cell { pattern: Pattern::from_fn(2, |_| true), witness }];
    let scaling = Scaling::identity(1);
    let kept = reconstruct(&arrangement, cell(Some(zero.clone())), Weights::Svm, &scaling).unwrap();
    assert_eq!(kept, [zero]);
    assert!(reconstruct(&arrangement, cell(None), Weights::Svm, &scaling).is_err());
}

#[test]
fn pseudo_inverses_solve_their_equation_and_realise_every_pattern() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for case in 0..30 {
        let bias = case % 2 == 0;
        let d = rng.random_range(1..=12);
        let n = rng.random_range(1..=d + usize::from(bias));
        let features = Features::new(n, d, normals(&mut rng, n * d)).unwrap();
        let arrangement = Arrangement::with_bias(&features, bias);
        assert!(arrangement.is_complete());
        let patterns: Vec<Pattern> =
            (0..10).map(|_| Pattern::from_fn(n, |_| rng.random_bool(0.5))).collect();
        let cells = patterns.iter().map(|p| Cell { pattern: p.clone(), witness: None }).collect();
        let scaling = Scaling::identity(d);
        let planes = reconstruct(&arrangement, cells, Weights::Pi, &scaling).unwrap();
        let found = evaluate(&features, &planes);
        for (j, (plane, pattern)) in planes.iter().zip(&patterns).enumerate() {
            assert_eq!(found.pattern(j), *pattern, "case {case}");
            for i in 0..n {
                let t = dot(features.row(i), &plane.weights) + plane.bias;
                // d − ½ with the threshold in the bias, 2d − 1 without one.
                let expected = match (bias, pattern.get(i)) {
                    (true, on) => f64::from(u8::from(on)) - 0.5,
                    (false, on) => 2.0 * f64::from(u8::from(on)) - 1.0,
                };
                assert!((t - expected).abs() <= 1e-8, "case {case}: {t} {expected}");
            }
        }
    }
    let features = Features::new(3, 1, vec![1.0, 2.0, 3.0]).unwrap();
    let cell = Cell { pattern: Pattern::from_fn(3, |i| i > 0), witness: None };
    let error =
        reconstruct(&Arrangement::of(&features), vec![cell], Weights::Pi, &Scaling::identity(1));
    let expected = "pseudo-inverse weights need rows of full rank: 3 distinct rows have rank 2";
    assert_eq!(error.unwrap_err().to_string(), expected);
}
