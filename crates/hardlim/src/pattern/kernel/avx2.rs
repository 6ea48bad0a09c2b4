//! The kernels for AVX2. Four bits of a column select a mask of four lanes from a table. Words are
//! counted with a table of the ones in four bits (Muła, Kurz and Lemire, *Faster population counts
//! using AVX2 instructions*, 2018).

use std::arch::x86_64::*;

use super::LANES;
use super::portable::{self, MASKS};
use super::wide::kernels;
use crate::pattern::WORD;
use crate::pattern::fixed::{Bits, Pair, Panel, SIDE, Tile};

/// The words, or doubles, of a register.
const QUAD: usize = 4;

/// How many counts of up to eight fit into a byte.
const ROUNDS: usize = 31;

/// Two registers of four lanes.
type Eight = (__m256d, __m256d);

kernels!("avx2");

/// The masks of the lower and the upper four rows of a byte.
#[target_feature(enable = "avx2")]
fn masks(byte: u8) -> (__m256d, __m256d) {
    // SAFETY: a mask is four doubles long, and both places lie in the table of sixteen.
    let mask = |k: u8| unsafe { _mm256_loadu_pd(MASKS[usize::from(k)].as_ptr().cast()) };
    (mask(byte & 15), mask(byte >> 4))
}

#[target_feature(enable = "avx2")]
fn splat(x: f64) -> Eight {
    (_mm256_set1_pd(x), _mm256_set1_pd(x))
}

/// # Safety
/// Eight doubles can be read.
#[target_feature(enable = "avx2")]
unsafe fn load(from: *const f64) -> Eight {
    // SAFETY: eight doubles are twice four.
    unsafe { (_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(QUAD))) }
}

/// # Safety
/// Eight doubles can be written.
#[target_feature(enable = "avx2")]
unsafe fn store(to: *mut f64, (low, high): Eight) {
    // SAFETY: eight doubles are twice four.
    unsafe {
        _mm256_storeu_pd(to, low);
        _mm256_storeu_pd(to.add(QUAD), high);
    }
}

#[target_feature(enable = "avx2")]
fn plus_masked(sum: Eight, byte: u8, v: Eight) -> Eight {
    let (lower, upper) = masks(byte);
    let (low, high) = (_mm256_and_pd(v.0, lower), _mm256_and_pd(v.1, upper));
    (_mm256_add_pd(sum.0, low), _mm256_add_pd(sum.1, high))
}

#[target_feature(enable = "avx2")]
fn plus_where(sum: Eight, byte: u8, v: Eight) -> Eight {
    let (lower, upper) = masks(byte);
    let (low, high) = (_mm256_add_pd(sum.0, v.0), _mm256_add_pd(sum.1, v.1));
    (_mm256_blendv_pd(sum.0, low, lower), _mm256_blendv_pd(sum.1, high, upper))
}

#[target_feature(enable = "avx2")]
fn marks(t: Eight, bound: Eight, scale: Eight) -> (u8, u8) {
    let half = |t, bound, scale| {
        let fires = _mm256_cmp_pd::<_CMP_GE_OQ>(t, _mm256_setzero_pd());
        let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), t);
        let close = _mm256_cmp_pd::<_CMP_NGT_UQ>(size, _mm256_mul_pd(bound, scale));
        (_mm256_movemask_pd(fires) as u8, _mm256_movemask_pd(close) as u8)
    };
    let (low, high) = (half(t.0, bound.0, scale.0), half(t.1, bound.1, scale.1));
    (low.0 | high.0 << QUAD, low.1 | high.1 << QUAD)
}

#[target_feature(enable = "avx2")]
pub(super) fn add_overlaps<const R: usize, const C: usize>(
    rows: &[&[u64]; R],
    columns: &[&[u64]; C],
    scale: f64,
    values: &mut [[f64; R]; C],
) {
    let words = rows[0].len() / QUAD * QUAD;
    assert!(rows.iter().chain(columns).all(|d| d.len() >= words), "columns of one length");
    let zero = _mm256_setzero_si256();
    let nibble = _mm256_set1_epi8(15);
    let ones =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    for r in 0..R {
        let mut sums = [zero; C];
        for start in (0..words).step_by(ROUNDS * QUAD) {
            let mut bytes = [zero; C];
            for k in (start..words.min(start + ROUNDS * QUAD)).step_by(QUAD) {
                // SAFETY: words k..k + 4 lie within every row and column.
                let load = |d: &[u64]| unsafe { _mm256_loadu_si256(d.as_ptr().add(k).cast()) };
                let a = load(rows[r]);
                for c in 0..C {
                    let both = _mm256_and_si256(a, load(columns[c]));
                    let low = _mm256_and_si256(both, nibble);
                    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(both), nibble);
                    bytes[c] = _mm256_add_epi8(bytes[c], _mm256_shuffle_epi8(ones, low));
                    bytes[c] = _mm256_add_epi8(bytes[c], _mm256_shuffle_epi8(ones, high));
                }
            }
            for c in 0..C {
                sums[c] = _mm256_add_epi64(sums[c], _mm256_sad_epu8(bytes[c], zero));
            }
        }
        for (values, sum) in values.iter_mut().zip(sums) {
            let pair =
                _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let count = _mm_cvtsi128_si64(pair) + _mm_extract_epi64::<1>(pair);
            values[r] += scale * count as f64;
        }
    }
    if words < rows[0].len() {
        portable::add_overlaps(rows, columns, scale, values, words);
    }
}

/// Two registers hold sixteen neurons; four rows share the loaded weights.
#[target_feature(enable = "avx2")]
pub(super) fn products(panel: &Panel, tile: &Tile) -> (Bits, Bits) {
    const HALF: usize = SIDE / 2;
    // SAFETY: sixteen numbers are twice eight.
    let halves = |v: *const i32| unsafe {
        [_mm256_loadu_si256(v.cast()), _mm256_loadu_si256(v.add(HALF).cast())]
    };
    let (biases, errors) = (halves(panel.biases.as_ptr()), halves(panel.errors.as_ptr().cast()));
    let norms = halves(panel.norms.as_ptr().cast());
    let (mut on, mut unsure) = ([0; SIDE], [0; SIDE]);
    for first in (0..SIDE).step_by(QUAD) {
        let mut sums = [biases; QUAD];
        for (&p, weights) in panel.pairs.iter().zip(&panel.weights) {
            let weights = halves(weights.as_ptr().cast());
            // SAFETY: every pair of a panel is one of the tile.
            let pairs = unsafe { tile.pairs.get_unchecked(p as usize) };
            for r in 0..QUAD {
                // SAFETY: a pair has the size of an i32, and a tile sixteen rows.
                let pair = unsafe { pairs.as_ptr().add(first + r).cast::<i32>().read_unaligned() };
                let pair = _mm256_set1_epi32(pair);
                for h in 0..2 {
                    let products = _mm256_madd_epi16(pair, weights[h]);
                    sums[r][h] = _mm256_add_epi32(sums[r][h], products);
                }
            }
        }
        for (r, sums) in sums.into_iter().enumerate() {
            let (norm, error) = (tile.norms[first + r], tile.errors[first + r]);
            for h in 0..2 {
                let products = [
                    _mm256_mul_ps(_mm256_castsi256_ps(errors[h]), _mm256_set1_ps(norm)),
                    _mm256_mul_ps(_mm256_castsi256_ps(norms[h]), _mm256_set1_ps(error)),
                ];
                let bound = _mm256_add_ps(products[0], products[1]);
                let sign = _mm256_set1_ps(-0.0);
                let size = _mm256_andnot_ps(sign, _mm256_cvtepi32_ps(sums[h]));
                let close = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NGT_UQ>(size, bound));
                let below = _mm256_movemask_ps(_mm256_castsi256_ps(sums[h]));
                on[first + r] |= ((!below & 0xff) as u16) << (h * HALF);
                unsure[first + r] |= (close as u16) << (h * HALF);
            }
        }
    }
    (on, unsure)
}
