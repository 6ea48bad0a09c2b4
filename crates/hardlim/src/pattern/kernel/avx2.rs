//! The kernels for AVX2. Four bits of a column select a mask of four lanes from a table. Words are
//! counted with a table of the ones in four bits (Muła, Kurz and Lemire, *Faster population counts
//! using AVX2 instructions*, 2018).

use std::arch::x86_64::*;

use super::LANES;
use super::portable::{self, MASKS};
use crate::pattern::WORD;
use crate::pattern::fixed::{Bits, Pair, Panel, SIDE, Tile};

/// The words, or doubles, of a register.
const QUAD: usize = 4;

/// How many counts of up to eight fit into a byte.
const ROUNDS: usize = 31;

/// The masks of the lower and the upper four rows of a byte.
#[target_feature(enable = "avx2")]
fn masks(byte: u8) -> (__m256d, __m256d) {
    // SAFETY: a mask is four doubles long, and both places lie in the table of sixteen.
    let mask = |k: u8| unsafe { _mm256_loadu_pd(MASKS[usize::from(k)].as_ptr().cast()) };
    (mask(byte & 15), mask(byte >> 4))
}

#[target_feature(enable = "avx2")]
pub(super) fn masked_lanes<const C: usize>(
    columns: [&[u64]; C],
    v: &[f64],
    lanes: &mut [[f64; LANES]; C],
) {
    let groups = v.len() / LANES;
    assert!(columns.iter().all(|d| d.len() * WORD >= groups * LANES), "a bit for each row");
    let bytes = columns.map(|d| d.as_ptr().cast::<u8>());
    let mut sums = [(_mm256_setzero_pd(), _mm256_setzero_pd()); C];
    for c in 0..C {
        let lanes = lanes[c].as_ptr();
        // SAFETY: eight lanes are twice four doubles.
        sums[c] = unsafe { (_mm256_loadu_pd(lanes), _mm256_loadu_pd(lanes.add(QUAD))) };
    }
    for g in 0..groups {
        // SAFETY: group g ends within v.
        let (low, high) = unsafe {
            let v = v.as_ptr().add(LANES * g);
            (_mm256_loadu_pd(v), _mm256_loadu_pd(v.add(QUAD)))
        };
        for c in 0..C {
            // SAFETY: byte g lies within every column.
            let (lower, upper) = masks(unsafe { *bytes[c].add(g) });
            sums[c].0 = _mm256_add_pd(sums[c].0, _mm256_and_pd(low, lower));
            sums[c].1 = _mm256_add_pd(sums[c].1, _mm256_and_pd(high, upper));
        }
    }
    for (lanes, (low, high)) in lanes.iter_mut().zip(sums) {
        // SAFETY: eight lanes are twice four doubles.
        unsafe {
            _mm256_storeu_pd(lanes.as_mut_ptr(), low);
            _mm256_storeu_pd(lanes.as_mut_ptr().add(QUAD), high);
        }
    }
    portable::masked_lanes(columns, v, lanes, groups);
}

#[target_feature(enable = "avx2")]
pub(super) fn add_scaled<const C: usize>(columns: [&[u64]; C], scales: [f64; C], u: &mut [f64]) {
    let groups = u.len() / LANES;
    assert!(columns.iter().all(|d| d.len() * WORD >= groups * LANES), "a bit for each row");
    let bytes = columns.map(|d| d.as_ptr().cast::<u8>());
    let mut a = [_mm256_setzero_pd(); C];
    for c in 0..C {
        a[c] = _mm256_set1_pd(scales[c]);
    }
    for g in 0..groups {
        // SAFETY: group g ends within u, and byte g lies within every column.
        unsafe {
            let at = u.as_mut_ptr().add(LANES * g);
            let (mut low, mut high) = (_mm256_loadu_pd(at), _mm256_loadu_pd(at.add(QUAD)));
            for c in 0..C {
                let (lower, upper) = masks(*bytes[c].add(g));
                low = _mm256_blendv_pd(low, _mm256_add_pd(low, a[c]), lower);
                high = _mm256_blendv_pd(high, _mm256_add_pd(high, a[c]), upper);
            }
            _mm256_storeu_pd(at, low);
            _mm256_storeu_pd(at.add(QUAD), high);
        }
    }
    portable::add_scaled(columns, scales, u, groups);
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

#[target_feature(enable = "avx2")]
pub(super) fn signs(
    t: &[f64],
    row_bounds: &[f64],
    column_bound: f64,
    on: &mut [u64],
    unsure: &mut [u64],
) {
    let words = t.len() / WORD;
    assert!(row_bounds.len() >= words * WORD, "a bound for each row");
    let (scale, minus) = (_mm256_set1_pd(column_bound), _mm256_set1_pd(-0.0));
    for (w, (on, unsure)) in on.iter_mut().zip(&mut *unsure).enumerate().take(words) {
        (*on, *unsure) = (0, 0);
        for g in 0..WORD / QUAD {
            let first = w * WORD + g * QUAD;
            // SAFETY: rows first..first + 4 belong to word w, which ends within t and the bounds.
            let (t, bound) = unsafe {
                (
                    _mm256_loadu_pd(t.as_ptr().add(first)),
                    _mm256_loadu_pd(row_bounds.as_ptr().add(first)),
                )
            };
            let bound = _mm256_mul_pd(bound, scale);
            let fires = _mm256_cmp_pd::<_CMP_GE_OQ>(t, _mm256_setzero_pd());
            let close = _mm256_cmp_pd::<_CMP_NGT_UQ>(_mm256_andnot_pd(minus, t), bound);
            *on |= (_mm256_movemask_pd(fires) as u64) << (g * QUAD);
            *unsure |= (_mm256_movemask_pd(close) as u64) << (g * QUAD);
        }
    }
    portable::signs(t, row_bounds, column_bound, on, unsure, words);
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

#[target_feature(enable = "avx2")]
pub(super) fn round(x: &[f64], scales: &[f64], pairs: &mut [[Pair; SIDE]], i: usize) -> (f64, f64) {
    portable::round(x, scales, pairs, i, 0)
}

#[target_feature(enable = "avx2")]
pub(super) fn largest(values: &[f64], most: &mut [f64]) {
    portable::largest(values, most, 0);
}
