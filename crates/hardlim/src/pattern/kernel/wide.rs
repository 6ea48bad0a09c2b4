//! The kernels on eight doubles at a time, written once for all instruction sets.
//!
//! An instruction set has a type `Eight` and these functions on it: `splat`, `load` and `store`;
//! `plus_masked`, which adds the lanes of a byte, and may add zero to the others; `plus_where`,
//! which leaves the others as they are; `marks`, the lanes with `t ≥ 0` and those with `|t|` not
//! above a bound.

/// The kernels for the features of an instruction set.
macro_rules! kernels {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn masked_lanes<const C: usize>(
            columns: [&[u64]; C],
            v: &[f64],
            lanes: &mut [[f64; LANES]; C],
        ) {
            let groups = v.len() / LANES;
            assert!(columns.iter().all(|d| d.len() * WORD >= groups * LANES), "a bit for each row");
            let bytes = columns.map(|d| d.as_ptr().cast::<u8>());
            let mut sums = [splat(0.0); C];
            for c in 0..C {
                // SAFETY: eight lanes are eight doubles.
                sums[c] = unsafe { load(lanes[c].as_ptr()) };
            }
            for g in 0..groups {
                // SAFETY: group g ends within v, and byte g lies within every column.
                unsafe {
                    let v = load(v.as_ptr().add(LANES * g));
                    for c in 0..C {
                        sums[c] = plus_masked(sums[c], *bytes[c].add(g), v);
                    }
                }
            }
            for (lanes, sum) in lanes.iter_mut().zip(sums) {
                // SAFETY: eight lanes are eight doubles.
                unsafe { store(lanes.as_mut_ptr(), sum) };
            }
            portable::masked_lanes(columns, v, lanes, groups);
        }

        #[target_feature(enable = $features)]
        pub(super) fn add_scaled<const C: usize>(
            columns: [&[u64]; C],
            scales: [f64; C],
            u: &mut [f64],
        ) {
            let groups = u.len() / LANES;
            assert!(columns.iter().all(|d| d.len() * WORD >= groups * LANES), "a bit for each row");
            let bytes = columns.map(|d| d.as_ptr().cast::<u8>());
            let mut a = [splat(0.0); C];
            for c in 0..C {
                a[c] = splat(scales[c]);
            }
            for g in 0..groups {
                // SAFETY: group g ends within u, and byte g lies within every column.
                unsafe {
                    let at = u.as_mut_ptr().add(LANES * g);
                    let mut sum = load(at);
                    for c in 0..C {
                        sum = plus_where(sum, *bytes[c].add(g), a[c]);
                    }
                    store(at, sum);
                }
            }
            portable::add_scaled(columns, scales, u, groups);
        }

        #[target_feature(enable = $features)]
        pub(super) fn signs(
            t: &[f64],
            row_bounds: &[f64],
            column_bound: f64,
            on: &mut [u64],
            unsure: &mut [u64],
        ) {
            let words = t.len() / WORD;
            assert!(row_bounds.len() >= words * WORD, "a bound for each row");
            let scale = splat(column_bound);
            for (w, (on, unsure)) in on.iter_mut().zip(&mut *unsure).enumerate().take(words) {
                (*on, *unsure) = (0, 0);
                for g in 0..WORD / LANES {
                    let first = w * WORD + g * LANES;
                    // SAFETY: rows first..first + 8 belong to word w, which ends within t and the
                    // bounds.
                    let (t, bound) = unsafe {
                        (load(t.as_ptr().add(first)), load(row_bounds.as_ptr().add(first)))
                    };
                    let (fires, close) = marks(t, bound, scale);
                    *on |= u64::from(fires) << (g * LANES);
                    *unsure |= u64::from(close) << (g * LANES);
                }
            }
            portable::signs(t, row_bounds, column_bound, on, unsure, words);
        }
    };
}

pub(super) use kernels;
