//! How close the bit kernels come to what the machine can do: for each operation its rate, the
//! measured peak that binds it, and the fraction of it. Medians of repeats, on one thread and on all.
//!
//! ```text
//! cargo bench -p hardlim --bench kernel_peak
//! ```

#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::hint::black_box;
use std::time::Instant;

use hardlim::pattern::kernel::Isa;
use hardlim::pattern::{PatternMatrix, WORD, Weighting};

mod peak;

const REPEATS: usize = 21;

/// Work per second, as the median of repeats, once the memory of the results has been used before.
fn rate<T>(work: f64, mut run: impl FnMut() -> T) -> f64 {
    for _ in 0..REPEATS {
        black_box(run());
    }
    let mut seconds: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    work / seconds[REPEATS / 2]
}

/// What the machine does at best on the threads of the pool, each per second.
struct Peaks {
    /// Words ANDed and counted.
    count: f64,
    /// Numbers added under a mask.
    add: f64,
    /// Bits read from memory.
    read: f64,
}

impl Peaks {
    fn measure() -> Self {
        let threads = rayon::current_num_threads() as f64;
        let (words, numbers) = (peak::words(), peak::numbers(peak::WORDS));
        let memory = vec![1; 1 << 25];
        Self {
            count: rate(threads * peak::COUNTED as f64, || {
                rayon::broadcast(|_| peak::count(black_box(&words)))
            }),
            add: rate(threads * peak::ADDED as f64, || {
                rayon::broadcast(|_| peak::masked_add(black_box(&numbers)))
            }),
            read: rate((memory.len() * WORD) as f64, || peak::read(black_box(&memory))),
        }
    }
}

fn row(name: &str, unit: &str, rate: f64, (binding, peak): (&str, f64)) {
    println!(
        "{name:<34} {:>8.2} {unit:<11} {:>8.2} {binding:<11} {:>4.0} %",
        rate / 1e9,
        peak / 1e9,
        100.0 * rate / peak
    );
}

fn gram(peaks: &Peaks, matrix: &PatternMatrix) {
    let (n, p) = (matrix.samples(), matrix.patterns());
    let all: Vec<usize> = (0..p).collect();
    // A word from memory serves many pairs, so counting binds.
    let words = (p * (p + 1) / 2 * n) as f64 / WORD as f64;
    let binding = ("AND+count", peaks.count);
    let size = format!("{n}x{p}");
    row(&format!("gram {size}"), "Gwords/s", rate(words, || matrix.gram_symmetric(&all)), binding);
    let mut s = vec![1.0; n];
    s.iter_mut().step_by(500).for_each(|s| *s = 3.0);
    let weights = Weighting::new(&s);
    let speed = rate(words, || matrix.weighted_gram_symmetric(&all, &weights));
    row(&format!("gram, counts as weights {size}"), "Gwords/s", speed, binding);
}

fn products(peaks: &Peaks, matrix: &PatternMatrix) {
    let (n, p) = (matrix.samples(), matrix.patterns());
    let (z, bits) = (peak::numbers(n), (n * p) as f64);
    // Every bit is read once and decides over one addition.
    let binding =
        if peaks.add < peaks.read { ("masked add", peaks.add) } else { ("memory", peaks.read) };
    let size = format!("{n}x{p}");
    let speed = rate(bits, || matrix.correlations(&z));
    row(&format!("correlations {size}"), "Gadds/s", speed, binding);
    let w: Vec<(usize, f64)> = peak::numbers(p).into_iter().enumerate().collect();
    let speed = rate(bits, || matrix.combine(w.iter().copied()));
    row(&format!("combine {size}"), "Gadds/s", speed, binding);
}

fn main() {
    let small = peak::random(3680, 1000);
    let (wide, long) = (peak::random(12_000, 2000), peak::random(100_000, 2000));
    let few = small.select(&Vec::from_iter(0..200));
    for threads in [1, rayon::current_num_threads()] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        println!("\n{}, threads: {threads}", Isa::best());
        println!("{:<34} {:>8} {:<11} {:>8} {:<11} {:>6}", "operation", "rate", "", "peak", "", "");
        pool.install(|| {
            let peaks = Peaks::measure();
            gram(&peaks, &small);
            gram(&peaks, &wide);
            let all: Vec<usize> = (0..few.patterns()).collect();
            let weights = Weighting::new(&peak::numbers(few.samples()));
            let adds = (all.len() * (all.len() + 1) / 2 * few.samples()) as f64;
            let speed = rate(adds, || few.weighted_gram_symmetric(&all, &weights));
            row("gram, any weights 3680x200", "Gadds/s", speed, ("masked add", peaks.add));
            products(&peaks, &small);
            products(&peaks, &long);
        });
    }
}
