//! The weights inside a cell: maximum margins against a conic solver, pseudo-inverses against their
//! equation, and the patterns they have to realise.

use crate::reference;
use hardlim::arrangement::{Arrangement, Hyperplane, evaluate};
use hardlim::data::{Features, Scaling};
use hardlim::network::{Cell, Weights, reconstruct};
use hardlim::pattern::Pattern;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

/// `min ½‖w‖²` where `±(x·w + b) ≥ 1`, in the coordinates of the rows.
fn max_margin_by_cones(rows: &[f64], dimension: usize, pattern: &Pattern, bias: bool) -> f64 {
    let mut diagonal = vec![1.0; dimension];
    diagonal.push(0.0);
    let inequalities: Vec<_> = (0..pattern.samples())
        .map(|i| {
            let side = if pattern.get(i) { 1.0 } else { -1.0 };
            let row = &rows[i * dimension..(i + 1) * dimension];
            let mut terms: Vec<(usize, f64)> =
                row.iter().enumerate().map(|(k, x)| (k, side * x)).collect();
            terms.push((dimension, if bias { side } else { 0.0 }));
            (terms, 1.0)
        })
        .collect();
    reference::least_square(&diagonal, &inequalities)
}

struct Instance {
    features: Features,
    witness: Hyperplane,
    bias: bool,
    scaling: Scaling,
}

impl Instance {
    fn pattern(&self) -> Pattern {
        evaluate(&self.features, std::slice::from_ref(&self.witness)).pattern(0)
    }

    /// The weights of widest margin, which realise the pattern.
    fn widest(&self, with_witness: bool) -> Hyperplane {
        let witness = with_witness.then(|| self.witness.clone());
        let cell = Cell { pattern: self.pattern(), witness };
        let arrangement = Arrangement::with_bias(&self.features, self.bias);
        let found = reconstruct(&arrangement, vec![cell], Weights::Svm, &self.scaling);
        let found = found.unwrap().remove(0);
        let patterns = evaluate(&self.features, std::slice::from_ref(&found));
        assert_eq!(patterns.pattern(0), self.pattern());
        assert!(self.bias || found.bias == 0.0);
        found
    }

    /// `½‖w‖²` in the coordinates that margins are measured in.
    fn half_norm(&self, plane: &Hyperplane) -> f64 {
        let scaled = plane.weights.iter().zip(self.scaling.scale()).map(|(w, s)| w * s);
        scaled.map(|w| w * w).sum::<f64>() / 2.0
    }
}

fn instance(case: usize, rng: &mut ChaCha8Rng) -> Instance {
    let (n, d) = (rng.random_range(2..=60), rng.random_range(1..=8));
    let bias = !case.is_multiple_of(3);
    let values: Vec<f64> = match case % 2 {
        0 => (0..n * d).map(|_| rng.sample(StandardNormal)).collect(),
        // A grid, and columns of very different size.
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
    let weights: Vec<f64> = (0..d)
        .map(|k| {
            let w: f64 = rng.sample(StandardNormal);
            if scaling.scale()[k] > 0.0 { w / scaling.scale()[k] } else { w }
        })
        .collect();
    let shift: f64 = weights.iter().zip(scaling.center()).map(|(w, c)| w * c).sum();
    let offset: f64 = rng.sample(StandardNormal);
    let bias_value = if bias { 0.5 * offset - shift } else { 0.0 };
    Instance { features, witness: Hyperplane { weights, bias: bias_value }, bias, scaling }
}

#[test]
fn margins_are_the_widest_there_are() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut checked = 0;
    for case in 0..60 {
        let instance = instance(case, &mut rng);
        let pattern = instance.pattern();
        let zero_row = (0..instance.features.rows())
            .any(|i| !instance.bias && instance.features.row(i).iter().all(|x| *x == 0.0));
        let constant = pattern.count() == 0 || pattern.count() == pattern.samples();
        if zero_row || constant {
            continue; // no margin, or any
        }
        let rows = instance.scaling.apply(&instance.features);
        let expected =
            max_margin_by_cones(&rows, instance.features.dimension(), &pattern, instance.bias);
        for with_witness in [true, false] {
            let found = instance.half_norm(&instance.widest(with_witness));
            let error = (found - expected).abs() / expected;
            assert!(error <= 1e-6, "case {case}: {found} {expected}");
        }
        checked += 1;
    }
    assert!(checked >= 30, "{checked}");
}

#[test]
fn tiny_margins_are_found() {
    for exponent in [-3, -6, -9] {
        let gap = 10f64.powi(exponent);
        // Two rows apart by the gap, and others far away.
        let values = vec![0.0, 0.0, gap, 0.0, -3.0, 2.0, 4.0, -1.0, 2.5, 2.5, -2.0, -2.0];
        let features = Features::new(6, 2, values).unwrap();
        let witness = Hyperplane { weights: vec![1.0, 0.0], bias: -gap / 2.0 };
        for scaling in [Scaling::identity(2), Scaling::fit(&features, &[1.0; 6], true)] {
            let instance = Instance {
                features: features.clone(),
                witness: witness.clone(),
                bias: true,
                scaling,
            };
            let plane = instance.widest(false);
            let margin = 1.0 / (2.0 * instance.half_norm(&plane)).sqrt();
            // Half the gap, in the coordinates of the scaling.
            let expected = gap / 2.0 / instance.scaling.scale()[0];
            assert!((margin - expected).abs() <= 1e-6 * expected, "{gap}: {margin} {expected}");
        }
    }
}

#[test]
fn constant_patterns_have_weights_with_and_without_a_bias() {
    let features = Features::new(3, 2, vec![1.0, 2.0, 3.0, -1.0, 0.5, 0.5]).unwrap();
    for bias in [true, false] {
        let arrangement = Arrangement::with_bias(&features, bias);
        for on in [true, false] {
            let pattern = Pattern::from_fn(3, |_| on);
            let cell = Cell { pattern: pattern.clone(), witness: None };
            let scaling = Scaling::fit(&features, &[1.0; 3], bias);
            let planes = reconstruct(&arrangement, vec![cell], Weights::Svm, &scaling).unwrap();
            assert_eq!(evaluate(&features, &planes).pattern(0), pattern, "{bias} {on}");
        }
    }
}

#[test]
fn inputs_that_do_not_matter_have_weight_zero_and_not_one_of_rounding() {
    let values = (0..4 * 2 * 2).flat_map(|k| [k / 4, k / 2 % 2, k % 2].map(f64::from));
    let features = Features::new(16, 3, values.collect()).unwrap();
    let arrangement = Arrangement::of(&features);
    let scaling = Scaling::fit(&features, &[1.0; 16], true);
    for (first, second, at) in [(2.0, 0.0, 3.0), (2.0, 6.0, 7.0), (2.0, -2.0, 3.0), (1.0, 1.0, 2.5)]
    {
        let witness = Hyperplane { weights: vec![first, second, 0.0], bias: -at };
        let pattern = evaluate(&features, std::slice::from_ref(&witness)).pattern(0);
        let cell = Cell { pattern, witness: Some(witness) };
        let plane =
            reconstruct(&arrangement, vec![cell], Weights::Svm, &scaling).unwrap().remove(0);
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
        let values: Vec<f64> = (0..n * d).map(|_| rng.sample(StandardNormal)).collect();
        let features = Features::new(n, d, values).unwrap();
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
                let t: f64 =
                    features.row(i).iter().zip(&plane.weights).map(|(x, w)| x * w).sum::<f64>()
                        + plane.bias;
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
