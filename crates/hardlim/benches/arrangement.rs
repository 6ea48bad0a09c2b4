//! Arrangements: counted, listed with their bits in memory, listed with weights.

#[path = "../tests/lp_tree/mod.rs"]
mod lp_tree;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hardlim::arrangement::Arrangement;
use hardlim::data::Features;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn gaussian(n: usize, d: usize) -> Features {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let values = (0..n * d).map(|_| rng.sample(StandardNormal)).collect();
    Features::new(n, d, values).expect("finite numbers")
}

fn integers(n: usize, d: usize, below: i32) -> Features {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let values = (0..n * d).map(|_| f64::from(rng.random_range(0..below))).collect();
    Features::new(n, d, values).expect("finite numbers").merge().0
}

fn list(c: &mut Criterion) {
    let mut group = c.benchmark_group("arrangement");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    let data = [
        ("normal/1000x2", gaussian(1000, 2)),
        ("normal/100x4", gaussian(100, 4)),
        ("normal/40x5", gaussian(40, 5)),
        ("integers/200x3", integers(200, 3, 20)),
    ];
    for (name, features) in &data {
        let listing = Arrangement::of(features).listing(u128::MAX).expect("no limit");
        let patterns = listing.count().expect("never interrupted");
        group.throughput(Throughput::Elements(patterns));
        group.bench_with_input(BenchmarkId::new("count", name), &listing, |b, listing| {
            b.iter(|| listing.count());
        });
        group.bench_with_input(BenchmarkId::new("list", name), &listing, |b, listing| {
            b.iter(|| listing.patterns());
        });
    }
    let features = gaussian(40, 3);
    let listing = Arrangement::of(&features).listing(u128::MAX).expect("no limit");
    group.throughput(Throughput::Elements(listing.count().expect("never interrupted")));
    group.bench_function("dictionary/normal/40x3", |b| b.iter(|| listing.dictionary()));
    group.finish();
}

/// The slow twin, on data small enough for it.
fn tree(c: &mut Criterion) {
    let mut group = c.benchmark_group("arrangement");
    group.sample_size(10);
    let data = [("normal/15x3", gaussian(15, 3)), ("integers/20x2", integers(20, 2, 4))];
    for (name, features) in &data {
        let arrangement = Arrangement::of(features);
        let count = arrangement.count(u128::MAX).expect("no limit");
        group.throughput(Throughput::Elements(count));
        group.bench_function(BenchmarkId::new("count", name), |b| {
            b.iter(|| arrangement.count(u128::MAX));
        });
        group.bench_function(BenchmarkId::new("lp-tree", name), |b| {
            b.iter(|| lp_tree::patterns(&arrangement));
        });
    }
    group.finish();
}

criterion_group!(benches, list, tree);
criterion_main!(benches);
