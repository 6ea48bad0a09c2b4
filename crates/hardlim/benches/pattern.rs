//! The bit kernels, and what the machine can do at best.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hardlim::pattern::{PatternMatrix, WORD};

mod peak;

fn peaks(c: &mut Criterion) {
    let mut group = c.benchmark_group("pattern/peak");
    let (words, numbers) = (peak::words(), peak::numbers(peak::WORDS));
    group.throughput(Throughput::Elements(peak::COUNTED as u64));
    group.bench_function("count", |b| b.iter(|| peak::count(black_box(&words))));
    group.throughput(Throughput::Elements(peak::ADDED as u64));
    group.bench_function("masked_add", |b| b.iter(|| peak::masked_add(black_box(&numbers))));
    let memory = vec![1; 1 << 25];
    group.throughput(Throughput::Bytes(8 * memory.len() as u64));
    group.bench_function("read", |b| b.iter(|| peak::read(black_box(&memory))));
}

/// Measures on matrices of these sizes; `work` is counted in elements.
fn measure<T>(
    c: &mut Criterion,
    name: &str,
    sizes: [(usize, usize); 2],
    work: impl Fn(usize, usize) -> usize,
    kernel: impl Fn(&PatternMatrix, &[f64]) -> T,
) {
    let mut group = c.benchmark_group(format!("pattern/{name}"));
    for (samples, patterns) in sizes {
        let (matrix, z) = (peak::random(samples, patterns), peak::numbers(samples));
        group.throughput(Throughput::Elements(work(samples, patterns) as u64));
        group.bench_function(format!("{samples}x{patterns}"), |b| b.iter(|| kernel(&matrix, &z)));
    }
}

/// In words ANDed and counted.
fn gram(c: &mut Criterion) {
    let words = |samples, patterns| patterns * (patterns + 1) / 2 * samples / WORD;
    measure(c, "gram", [(3680, 1000), (12_000, 2000)], words, |matrix, _| {
        matrix.gram_symmetric(&Vec::from_iter(0..matrix.patterns()))
    });
}

/// In numbers added.
fn correlations(c: &mut Criterion) {
    let numbers = |samples, patterns| samples * patterns;
    measure(c, "correlations", [(3680, 1000), (100_000, 2000)], numbers, |matrix, z| {
        matrix.correlations(z)
    });
}

criterion_group!(benches, peaks, gram, correlations);
criterion_main!(benches);
