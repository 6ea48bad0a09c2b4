//! One test per repaired bug, named after what holds now.

use std::collections::HashSet;

use crate::altered::{altered, put};
use crate::models::{table, train};
use hardlim::arrangement::{Arrangement, Dictionary, evaluate};
use hardlim::data::{Dataset, Features, Targets};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::pricing::{HalfspaceSearch, SignedWeights};
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::{ActiveSet, Budget, StopReason, Work};
use hardlim::train::Request;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// `a`, `b` and their sum in tenths, as a spreadsheet has them: distinct rows.
fn tenths(rows: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = HashSet::new();
    let mut table = Vec::new();
    while table.len() < rows {
        let (a, b) = (rng.random_range(0..30), rng.random_range(0..30));
        if drawn.insert((a, b)) {
            table.push([f64::from(a) / 10.0, f64::from(b) / 10.0, f64::from(a + b) / 10.0]);
        }
    }
    table
}

/// A tenth as an integer times `2⁻⁵⁶`.
fn integer(x: f64) -> i128 {
    let scaled = x * 2f64.powi(56);
    assert_eq!(scaled.fract(), 0.0);
    scaled as i128
}

/// Patterns of weights next to `c(1, 1, −1)`, in whole units of the last place, with every bias
/// that a double can be: what is left of the rows there is the rounding of the sums.
fn patterns_beside_the_sum(rows: &[[f64; 3]], reach: i128) -> HashSet<Vec<bool>> {
    let rows: Vec<[i128; 3]> = rows.iter().map(|row| row.map(integer)).collect();
    let mut found = HashSet::new();
    let scales = [(1 << 53) - reach - 1, (1 << 52) + reach, 3 << 51, 5 << 50, 7 << 50];
    for (c, sign) in scales.into_iter().flat_map(|c| [(c, 1), (c, -1)]) {
        for (i, j) in (-reach..=reach).flat_map(|i| (-reach..=reach).map(move |j| (i, j))) {
            let w = [sign * (c + i), sign * (c + j), -sign * c];
            let sum = |row: &[i128; 3]| row.iter().zip(&w).map(|(x, w)| x * w).sum::<i128>();
            let sums: Vec<i128> = rows.iter().map(sum).collect();
            let mut sorted = sums.clone();
            sorted.sort_unstable();
            sorted.dedup();
            for pair in sorted.windows(2) {
                // A bias from −on to below −off.
                let (off, on) = (pair[0], pair[1]);
                let middle = -((off + on) as f64 / 2.0);
                let bias = middle as i128;
                if bias as f64 == middle && off + bias < 0 && on + bias >= 0 {
                    found.insert(sums.iter().map(|s| s + bias >= 0).collect());
                }
            }
        }
    }
    found
}

fn features(rows: &[[f64; 3]]) -> Features {
    Features::new(rows.len(), 3, rows.concat()).unwrap()
}

fn realised(features: &Features) -> (Dictionary, PatternMatrix) {
    Arrangement::of(features).listing(u128::MAX).unwrap().realised().unwrap()
}

#[test]
fn patterns_that_double_weights_realise_are_listed_with_weights() {
    for seed in 0..12 {
        let rows = tenths(6 + seed as usize % 3, seed);
        let features = features(&rows);
        let (dictionary, narrow) = realised(&features);
        assert_eq!(evaluate(&features, &dictionary.witnesses), dictionary.patterns);
        let all = Arrangement::of(&features).listing(u128::MAX).unwrap().count().unwrap();
        assert_eq!(dictionary.len() + narrow.patterns(), all as usize);
        let listed: HashSet<Vec<bool>> = (0..dictionary.len())
            .map(|j| dictionary.patterns.pattern(j).iter().collect())
            .collect();
        let real = patterns_beside_the_sum(&rows, 24);
        let missed = real.iter().filter(|pattern| !listed.contains(*pattern)).count();
        assert_eq!(
            missed,
            0,
            "seed {seed}: of {} patterns, {} without weights",
            all,
            narrow.patterns()
        );
    }
}

#[test]
fn networks_on_tenths_are_the_best_that_doubles_allow() {
    let mut closed = 0;
    for seed in 0..12 {
        let rows = tenths(6 + seed as usize % 3, 100 + seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let labelled: Vec<Vec<f64>> =
            (rows.iter()).map(|row| [&row[..], &[rng.random_range(-5.0..5.0)]].concat()).collect();
        let beta = 0.1;
        let request = Request::of(&format!("method=enumerate loss=squared beta={beta}")).unwrap();
        let (trained, data) = train(&request, &table(&labelled));
        let certificate = trained.model.certificate();
        assert!(trained.model.certify(&data).unwrap().holds());
        // What is claimed is what is proven.
        let reached = certificate.relative_gap() <= 1e-6;
        assert_eq!(trained.stop == StopReason::GapReached, reached, "{certificate:?}");
        assert!(certificate.lower_bound() >= trained.model.global().lower_bound() - 1e-9);
        // With every pattern that brute force finds weights for, networks are no better.
        let (dictionary, narrow) = realised(data.features());
        let mut patterns = dictionary.patterns.clone();
        let rows: Vec<[f64; 3]> =
            (0..data.distinct()).map(|i| data.features().row(i).try_into().unwrap()).collect();
        for pattern in patterns_beside_the_sum(&rows, 24) {
            patterns.push(&Pattern::from_fn(pattern.len(), |i| pattern[i]));
        }
        let program = LassoProgram::new(
            &patterns,
            data.targets(),
            LossKind::Squared,
            Beta::new(beta).unwrap(),
        )
        .unwrap();
        let best = ActiveSet::default().solve(&program).certificate;
        assert!(certificate.objective() <= best.objective() * (1.0 + 1e-6), "seed {seed}");
        if narrow.patterns() == 0 {
            assert!(certificate.relative_gap() <= 1e-6, "{certificate:?}");
        }
        closed += usize::from(reached);
    }
    assert!(closed > 0);
}

/// Whole numbers minus a mean: cells thinner than doubles, whose sides change only by rounding.
#[test]
fn a_search_for_weights_in_cells_of_rounding_ends() {
    let whole = [
        0, -2, -3, -5, 1, -1, -3, -5, -1, -1, -4, -5, 2, -1, 1, -3, 1, -1, -4, -5, 1, -3, 0, -3, 3,
        -2, 1, -3, 0, -2, -4, -5, 0, -1, -3, -5, 0, -3, -1, -3, 3, -1, 2, -3, 1, -2, -1, -4, 1, -2,
        0, -4, 1, -3, -1, -4,
    ];
    let values = whole.map(|v| f64::from(v) + 1.651_666_666_666_666_8).to_vec();
    let features = Features::new(14, 4, values).unwrap();
    let (dictionary, narrow) = realised(&features);
    let all = Arrangement::of(&features).listing(u128::MAX).unwrap().count().unwrap();
    assert_eq!(dictionary.len() + narrow.patterns(), all as usize);
}

/// Tenths with a shift: planes through many rows, next to each other by rounding alone.
#[test]
fn cells_far_thinner_than_doubles_have_weights() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut left = 0;
    for (rows, columns) in [(7, 3), (9, 3), (11, 3), (9, 4)] {
        for span in [3, 5, 8, 12] {
            let mut value = || f64::from(rng.random_range(-span..=span)) * 0.1 + 0.0133;
            let values = (0..rows * columns).map(|_| value()).collect();
            let features = Features::new(rows, columns, values).unwrap();
            let (dictionary, narrow) = realised(&features);
            assert_eq!(evaluate(&features, &dictionary.witnesses), dictionary.patterns);
            left += narrow.patterns();
        }
    }
    // Of 4000 patterns, a few in three tables.
    assert!(left <= 6, "{left} patterns without weights");
}

#[test]
fn losses_with_kinks_end_whatever_the_size_of_the_targets() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let drawn: Vec<Pattern> = (0..200).map(|_| Pattern::from_fn(120, |_| rng.random())).collect();
    let patterns = PatternMatrix::from_patterns(120, &drawn);
    let y: Vec<f64> = (0..120).map(|i| f64::from(i % 7) + rng.random_range(-1.0..1.0)).collect();
    for loss in ["absolute", "quantile:0.9"].map(|loss| loss.parse::<LossKind>().unwrap()) {
        let solve = |size: f64| {
            let targets = Targets::plain(y.iter().map(|y| size * y).collect());
            let beta = Beta::new(4.0).unwrap();
            let program = LassoProgram::new(&patterns, &targets, loss, beta).unwrap();
            let work = Work::default();
            let budget = Budget { work: Some(&work), ..Budget::default() };
            let solver = ActiveSet { rounds: 200, budget, ..ActiveSet::default() };
            (solver.solve(&program).stop, work.done())
        };
        let (_, plain) = solve(1.0);
        for size in [1e4, 1e7, 1e10, 1e13] {
            let (stop, work) = solve(size);
            assert_eq!(stop, StopReason::GapReached, "{loss}, {size}");
            assert!(work < 20 * plain, "{loss}, {size}: {work} instead of {plain}");
        }
    }
}

fn halfspace(
    features: &Features,
    bias: bool,
    max_inputs: Option<usize>,
    weights: SignedWeights,
) -> hardlim::pricing::BestHalfspace {
    let search = HalfspaceSearch { max_inputs, gap: 0.0, effort: 1000, seed: 0 };
    let arrangement = Arrangement::with_bias(features, bias);
    search.find(arrangement, weights, &|| false).unwrap()
}

#[test]
fn halfspaces_without_a_bias_are_found_where_all_sums_are_negative() {
    // No row is in {−x0 ≥ x1}.
    let rows = [[1.0, 1.0, -1e6], [0.0, 1e-9, 1e6], [1.0, 1e-9, 1e-9], [0.1, 0.0, 0.1]];
    let features = Features::new(4, 3, rows.concat()).unwrap();
    let z = [-1.72, -0.15, -0.77, -0.6];
    for max_inputs in [Some(1), Some(2), None] {
        let found = halfspace(&features, false, max_inputs, SignedWeights::of_rows(&z));
        let best = if max_inputs == Some(1) { -0.15 } else { 0.0 };
        assert!((found.best.value - best).abs() < 1e-12, "{max_inputs:?}: {found:?}");
        assert_eq!(found.relative_gap(), 0.0);
        assert!(found.upper_bound < 1e-12 + best, "{max_inputs:?}: {found:?}");
    }
}

#[test]
fn bounds_of_halfspaces_are_rounded_in_the_safe_direction() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for size in [1.0, 1e9] {
        for _ in 0..50 {
            let x = (0..24).map(|_| f64::from(rng.random_range(-2..3))).collect();
            let y: Vec<f64> = (0..12).map(|_| rng.random_range(-size..size)).collect();
            let data = Dataset::new(Features::new(12, 2, x).unwrap(), &y, None).unwrap();
            let found = halfspace(data.features(), true, None, SignedWeights::of(&data));
            // In units of the last place of the smallest number there may be.
            let exact = |y: f64| (y * 2f64.powi(80)) as i128;
            let inside = |i: usize| found.best.pattern.get(data.row_of()[i] as usize);
            let value: i128 = (0..12).filter(|&i| inside(i)).map(|i| exact(y[i])).sum();
            let wanted: i128 = y.iter().map(|&y| exact(y.max(0.0))).sum();
            assert!(exact(found.upper_bound) >= value, "{found:?}");
            assert!(exact(found.lower_bound()) <= wanted - value, "{found:?}");
            assert_eq!(found.relative_gap(), 0.0);
        }
    }
    let labels = Dataset::new(Features::new(2, 1, vec![0.0, 1.0]).unwrap(), &[-1.0, 1.0], None);
    assert!(SignedWeights::of(&labels.unwrap()).is_exact());
}

#[test]
fn a_forged_number_of_draws_takes_no_memory() {
    let rows: Vec<Vec<f64>> = (0..6).map(|i| vec![f64::from(i), f64::from(i % 3)]).collect();
    let request = Request::of("method=sample beta_ratio=0.1 patterns=100").unwrap();
    let (trained, data) = train(&request, &table(&rows));
    let forged = altered(&trained.model, put("networks.0.recipe.draws", 200_000));
    let model = Model::from_text(&forged).unwrap();
    // Far less than a pattern for each draw would take.
    assert!(model.certify_within(&data, 1 << 20).is_ok());
}
