//! The kernels for AVX2. Four bits of a column select a mask of four lanes from a table. The counts
//! of words are left to the compiler, whose code is nearly as fast as one by hand (0.24 µs for 16
//! pairs of 2048 bits instead of 0.18 µs).

use std::arch::x86_64::*;

use super::LANES;
use super::portable::{self, MASKS};
use super::wide::kernels;
use crate::pattern::WORD;

const QUAD: usize = 4;

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

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn add_overlaps<const R: usize, const C: usize>(
    rows: &[&[u64]; R],
    columns: &[&[u64]; C],
    scale: f64,
    values: &mut [[f64; R]; C],
) {
    portable::add_overlaps(rows, columns, scale, values, 0);
}
