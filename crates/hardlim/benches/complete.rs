//! The complete program with squared loss, value and `δ`, beside the standard library's unstable sort
//! of the same targets.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hardlim::certificate::DualPoint;
use hardlim::data::Targets;
use hardlim::loss::Squared;
use hardlim::program::{Beta, CompleteProgram, Constraints};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

const ROWS: usize = 10_000_000;

fn complete(criterion: &mut Criterion) {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let targets = Targets::plain((0..ROWS).map(|_| rng.sample(StandardNormal)).collect());
    let one = Beta::new(1.0).expect("positive");
    let beta_max = CompleteProgram::new(&targets, Squared, one).beta_max();
    let beta = Beta::new(0.1 * beta_max).expect("positive");
    let program = CompleteProgram::new(&targets, Squared, beta);

    // Fast and wrong is not fast: the value is proven by its dual point.
    let solution = program.solve();
    let point = DualPoint::new(program.dual(&solution));
    let price = point.complete_price(Constraints::default());
    let bound = point.lower_bound(&Squared, &targets, beta, price);
    assert!(bound <= solution.value && solution.value - bound <= 1e-9 * solution.value);
    drop((solution, point));

    let mut group = criterion.benchmark_group("complete/squared");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("10000000", |bencher| bencher.iter(|| black_box(program.solve())));
    group.finish();

    let mut group = criterion.benchmark_group("complete/sort");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("10000000", |bencher| {
        bencher.iter_batched(
            || targets.values().to_vec(),
            |mut y| {
                y.sort_unstable_by(f64::total_cmp);
                y
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, complete);
criterion_main!(benches);
