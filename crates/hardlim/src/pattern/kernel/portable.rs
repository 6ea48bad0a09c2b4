//! The kernels in plain Rust: the definition that the others follow, and the code for their last
//! rows.
//!
//! `first` is the group of rows, or the word, to start from; everything before it is done.

use super::LANES;
use crate::pattern::WORD;

/// The masks of the rows for each value of four bits.
pub(super) static MASKS: [[u64; LANES / 2]; 16] = {
    let mut masks = [[0; LANES / 2]; 16];
    let mut k = 0;
    while k < 64 {
        masks[k / 4][k % 4] = (((k as u64 / 4) >> (k % 4)) & 1).wrapping_neg();
        k += 1;
    }
    masks
};

/// The masks of rows `8g..8g + 8` of a column.
fn masks(column: &[u64], g: usize) -> [u64; LANES] {
    let bits = column[g * LANES / WORD] >> (g * LANES % WORD);
    let (low, high) = (MASKS[(bits & 15) as usize], MASKS[((bits >> 4) & 15) as usize]);
    std::array::from_fn(|k| if k < LANES / 2 { low[k] } else { high[k - LANES / 2] })
}

pub(super) fn masked_lanes<const C: usize>(
    columns: [&[u64]; C],
    v: &[f64],
    lanes: &mut [[f64; LANES]; C],
    first: usize,
) {
    let (groups, rest) = v.as_chunks::<LANES>();
    for (column, lanes) in columns.into_iter().zip(lanes) {
        for g in first..groups.len() {
            let masks = masks(column, g);
            for k in 0..LANES {
                lanes[k] += f64::from_bits(groups[g][k].to_bits() & masks[k]);
            }
        }
        for (k, v) in rest.iter().enumerate() {
            lanes[k] += f64::from_bits(v.to_bits() & masks(column, groups.len())[k]);
        }
    }
}

pub(super) fn add_scaled<const C: usize>(
    columns: [&[u64]; C],
    scales: [f64; C],
    u: &mut [f64],
    first: usize,
) {
    let add = |u: &mut f64, a: f64, mask: u64| {
        *u = f64::from_bits(((*u + a).to_bits() & mask) | (u.to_bits() & !mask));
    };
    let (groups, rest) = u.as_chunks_mut::<LANES>();
    for (column, a) in columns.into_iter().zip(scales) {
        for (g, u) in groups.iter_mut().enumerate().skip(first) {
            let masks = masks(column, g);
            (0..LANES).for_each(|k| add(&mut u[k], a, masks[k]));
        }
        for (k, u) in rest.iter_mut().enumerate() {
            add(u, a, masks(column, groups.len())[k]);
        }
    }
}

#[inline(always)]
pub(super) fn add_overlaps<const R: usize, const C: usize>(
    rows: &[&[u64]; R],
    columns: &[&[u64]; C],
    scale: f64,
    values: &mut [[f64; R]; C],
    first: usize,
) {
    for (column, values) in columns.iter().zip(values) {
        for (row, value) in rows.iter().zip(values) {
            let pairs = row[first..].iter().zip(&column[first..]);
            let count: u64 = pairs.map(|(a, b)| u64::from((a & b).count_ones())).sum();
            *value += scale * count as f64;
        }
    }
}

pub(super) fn signs(
    t: &[f64],
    row_bounds: &[f64],
    column_bound: f64,
    on: &mut [u64],
    unsure: &mut [u64],
    first: usize,
) {
    let rows = t.chunks(WORD).zip(row_bounds.chunks(WORD));
    for ((on, unsure), (t, bounds)) in on.iter_mut().zip(unsure).zip(rows).skip(first) {
        (*on, *unsure) = (0, 0);
        for (k, (t, bound)) in t.iter().zip(bounds).enumerate() {
            *on |= u64::from(*t >= 0.0) << k;
            // A NaN is not above any bound.
            let above = t.abs() > bound * column_bound;
            *unsure |= u64::from(!above) << k;
        }
    }
}
