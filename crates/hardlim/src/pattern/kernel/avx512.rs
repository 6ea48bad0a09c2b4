//! The kernels for AVX-512: a byte of a column is a mask of eight lanes, and words are counted
//! eight at a time.

use std::arch::x86_64::*;

use super::wide::kernels;
use super::{LANES, portable};
use crate::pattern::WORD;

const LINE: usize = 8;

type Eight = __m512d;

kernels!("avx512f,avx512bw,avx512dq,avx512vl");

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn splat(x: f64) -> Eight {
    _mm512_set1_pd(x)
}

/// # Safety
/// Eight doubles can be read.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn load(from: *const f64) -> Eight {
    // SAFETY: as the caller says.
    unsafe { _mm512_loadu_pd(from) }
}

/// # Safety
/// Eight doubles can be written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn store(to: *mut f64, v: Eight) {
    // SAFETY: as the caller says.
    unsafe { _mm512_storeu_pd(to, v) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn plus_where(sum: Eight, byte: u8, v: Eight) -> Eight {
    _mm512_mask_add_pd(sum, byte, sum, v)
}

use plus_where as plus_masked;

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn marks(t: Eight, bound: Eight, scale: Eight) -> (u8, u8) {
    let fires = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(t, _mm512_setzero_pd());
    let bound = _mm512_mul_pd(bound, scale);
    (fires, _mm512_cmp_pd_mask::<_CMP_NGT_UQ>(_mm512_abs_pd(t), bound))
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
pub(super) fn add_overlaps<const R: usize, const C: usize>(
    rows: &[&[u64]; R],
    columns: &[&[u64]; C],
    scale: f64,
    values: &mut [[f64; R]; C],
) {
    let words = rows[0].len() / LINE * LINE;
    assert!(rows.iter().chain(columns).all(|d| d.len() >= words), "columns of one length");
    let mut sums = [[_mm512_setzero_si512(); R]; C];
    for k in (0..words).step_by(LINE) {
        // SAFETY: words k..k + 8 lie within every row and column.
        let load = |d: &[u64]| unsafe { _mm512_loadu_si512(d.as_ptr().add(k).cast()) };
        let mut b = [_mm512_setzero_si512(); C];
        for c in 0..C {
            b[c] = load(columns[c]);
        }
        for r in 0..R {
            let a = load(rows[r]);
            for c in 0..C {
                let count = _mm512_popcnt_epi64(_mm512_and_si512(a, b[c]));
                sums[c][r] = _mm512_add_epi64(sums[c][r], count);
            }
        }
    }
    let (eights, rest) = sums.as_flattened().as_chunks::<LINE>();
    let (values_of_eights, values_of_rest) = values.as_flattened_mut().as_chunks_mut::<LINE>();
    for (values, sums) in values_of_eights.iter_mut().zip(eights) {
        let added = _mm512_mul_pd(_mm512_cvtepi64_pd(totals(sums)), _mm512_set1_pd(scale));
        // SAFETY: eight values fill a register.
        unsafe {
            let before = _mm512_loadu_pd(values.as_ptr());
            _mm512_storeu_pd(values.as_mut_ptr(), _mm512_add_pd(before, added));
        }
    }
    for (value, sum) in values_of_rest.iter_mut().zip(rest) {
        *value += scale * _mm512_reduce_add_epi64(*sum) as f64;
    }
    if words < rows[0].len() {
        portable::add_overlaps(rows, columns, scale, values, words);
    }
}

/// The totals of eight registers: lane `k` is the sum of the lanes of register `k`.
#[target_feature(enable = "avx512f")]
fn totals(r: &[__m512i; LINE]) -> __m512i {
    // First pairs of lanes, then pairs of quarters, then halves.
    let pair = |a, b| _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let fold = |a, b| {
        let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
        _mm512_add_epi64(even, odd)
    };
    let low = fold(pair(r[0], r[1]), pair(r[2], r[3]));
    let high = fold(pair(r[4], r[5]), pair(r[6], r[7]));
    fold(low, high)
}
