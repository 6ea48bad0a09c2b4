//! What the machine can do at best: the instructions of the kernels on data in the first-level
//! cache, and reading memory.

use std::hint::black_box;

use hardlim::pattern::kernel::Isa;
use hardlim::pattern::{PatternMatrix, WORD};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Words of a pass over the first-level cache: 16 KiB.
pub(crate) const WORDS: usize = 2048;
/// Passes in one measurement.
const PASSES: usize = 10_000;
/// Sums kept apart, so that one does not wait for the other.
const SUMS: usize = 8;

/// Words counted in one measurement.
pub(crate) const COUNTED: usize = PASSES * WORDS;
/// Numbers added in one measurement.
pub(crate) const ADDED: usize = PASSES * WORDS * SUMS;

/// A matrix of random bits.
pub(crate) fn random(samples: usize, patterns: usize) -> PatternMatrix {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut matrix = PatternMatrix::zeros(samples, patterns);
    for j in 0..patterns {
        (0..samples).for_each(|i| matrix.set(i, j, rng.random()));
    }
    matrix
}

/// Random numbers.
pub(crate) fn numbers(count: usize) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    (0..count).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// The sum of all words: reads memory on all threads of the pool.
pub(crate) fn read(words: &[u64]) -> u64 {
    let sum = |part: &[u64]| part.iter().fold(0u64, |a, b| a.wrapping_add(*b));
    words.par_chunks(1 << 16).map(sum).reduce(|| 0, u64::wrapping_add)
}

/// Words for [`count`], at the start of a cache line.
pub(crate) fn words() -> PatternMatrix {
    random(WORDS * WORD, 1)
}

/// Counts the ones of [`COUNTED`] words ANDed with another.
pub(crate) fn count(words: &PatternMatrix) -> u64 {
    let words = words.column(0);
    match Isa::best().to_string().as_str() {
        // SAFETY: the machine has what its best instruction set says.
        #[cfg(target_arch = "x86_64")]
        "avx512" => unsafe { x86::count_512(words) },
        // SAFETY: the machine has what its best instruction set says.
        #[cfg(target_arch = "x86_64")]
        "avx2" => unsafe { x86::count_256(words) },
        _ => count_plain(words),
    }
}

/// Adds [`ADDED`] numbers, [`WORDS`] different ones, under masks that are at hand.
pub(crate) fn masked_add(numbers: &[f64]) -> f64 {
    let numbers = &numbers[..WORDS];
    match Isa::best().to_string().as_str() {
        // SAFETY: the machine has what its best instruction set says.
        #[cfg(target_arch = "x86_64")]
        "avx512" => unsafe { x86::masked_add_512(numbers) },
        // SAFETY: the machine has what its best instruction set says.
        #[cfg(target_arch = "x86_64")]
        "avx2" => unsafe { x86::masked_add_256(numbers) },
        _ => masked_add_plain(numbers),
    }
}

fn count_plain(words: &[u64]) -> u64 {
    let mut sums = [0; SUMS];
    for _ in 0..PASSES {
        let mask = black_box(u64::MAX / 3);
        for words in words.as_chunks::<SUMS>().0 {
            (0..SUMS).for_each(|k| sums[k] += u64::from((words[k] & mask).count_ones()));
        }
    }
    sums.iter().sum()
}

fn masked_add_plain(numbers: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    for _ in 0..PASSES * SUMS {
        let masks = black_box([u64::MAX; SUMS]);
        for v in numbers.as_chunks::<SUMS>().0 {
            (0..SUMS).for_each(|k| sums[k] += f64::from_bits(v[k].to_bits() & masks[k]));
        }
    }
    sums.iter().sum()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{PASSES, SUMS};
    use std::arch::x86_64::*;
    use std::hint::black_box;

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub(super) fn count_512(words: &[u64]) -> u64 {
        let mut sums = [_mm512_setzero_si512(); SUMS];
        for _ in 0..PASSES {
            let mask = _mm512_set1_epi64(black_box(i64::MAX / 3));
            for words in words.as_chunks::<{ 8 * SUMS }>().0 {
                for k in 0..SUMS {
                    // SAFETY: a chunk holds eight registers.
                    let word = unsafe { _mm512_loadu_si512(words.as_ptr().add(8 * k).cast()) };
                    let ones = _mm512_popcnt_epi64(_mm512_and_si512(word, mask));
                    sums[k] = _mm512_add_epi64(sums[k], ones);
                }
            }
        }
        (0..SUMS).map(|k| _mm512_reduce_add_epi64(sums[k]) as u64).sum()
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn masked_add_512(numbers: &[f64]) -> f64 {
        let mut sums = [_mm512_setzero_pd(); SUMS];
        for _ in 0..PASSES {
            let masks = black_box([0xa5u8, 0x3c, 0x96, 0x5a]);
            for v in numbers.as_chunks::<8>().0 {
                // SAFETY: a chunk fills a register.
                let v = unsafe { _mm512_loadu_pd(v.as_ptr()) };
                for k in 0..SUMS {
                    sums[k] = _mm512_mask_add_pd(sums[k], masks[k % 4], sums[k], v);
                }
            }
        }
        (0..SUMS).map(|k| _mm512_reduce_add_pd(sums[k])).sum()
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn count_256(words: &[u64]) -> u64 {
        let (zero, nibble) = (_mm256_setzero_si256(), _mm256_set1_epi8(15));
        let ones = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        // SAFETY: the table is sixteen bytes long.
        let ones = _mm256_broadcastsi128_si256(unsafe {
            _mm_loadu_si128(ones.as_ptr().cast::<__m128i>())
        });
        let mut sums = [zero; SUMS];
        for _ in 0..PASSES {
            let mask = _mm256_set1_epi64x(black_box(i64::MAX / 3));
            for words in words.as_chunks::<{ 16 * 4 * SUMS }>().0 {
                let mut bytes = [zero; SUMS];
                for k in 0..16 * SUMS {
                    // SAFETY: a chunk holds 16 · 8 registers.
                    let word = unsafe { _mm256_loadu_si256(words.as_ptr().add(4 * k).cast()) };
                    let both = _mm256_and_si256(word, mask);
                    let low = _mm256_and_si256(both, nibble);
                    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(both), nibble);
                    let sum = &mut bytes[k % SUMS];
                    *sum = _mm256_add_epi8(*sum, _mm256_shuffle_epi8(ones, low));
                    *sum = _mm256_add_epi8(*sum, _mm256_shuffle_epi8(ones, high));
                }
                for k in 0..SUMS {
                    sums[k] = _mm256_add_epi64(sums[k], _mm256_sad_epu8(bytes[k], zero));
                }
            }
        }
        let all = sums.into_iter().fold(zero, |a, b| _mm256_add_epi64(a, b));
        let pair = _mm_add_epi64(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
        (_mm_cvtsi128_si64(pair) + _mm_extract_epi64::<1>(pair)) as u64
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn masked_add_256(numbers: &[f64]) -> f64 {
        let mut sums = [_mm256_setzero_pd(); SUMS];
        for _ in 0..PASSES {
            let mask = _mm256_castsi256_pd(_mm256_set1_epi64x(black_box(-1)));
            for v in numbers.as_chunks::<4>().0 {
                // SAFETY: a chunk fills a register.
                let v = unsafe { _mm256_loadu_pd(v.as_ptr()) };
                for k in 0..SUMS {
                    sums[k] = _mm256_add_pd(sums[k], _mm256_and_pd(v, mask));
                }
            }
        }
        let all = sums.into_iter().fold(_mm256_setzero_pd(), |a, b| _mm256_add_pd(a, b));
        _mm256_cvtsd_f64(all)
    }
}
