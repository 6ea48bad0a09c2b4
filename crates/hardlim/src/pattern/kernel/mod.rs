//! Sums over packed patterns: `dᵀv`, `u += a·d`, `|d ∧ e|`, and the packing of signs.
//!
//! Every kernel has a portable definition, and versions for AVX2 and AVX-512 that are selected at
//! run time. All versions give the same bits: counts are integers, `u += a·d` adds column after
//! column, and `dᵀv` has one order of summation. Lane `k` of eight adds the rows `i ≡ k mod 8`, one
//! after the other. Then the lanes are added as `((0+4)+(2+6)) + ((1+5)+(3+7))`.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod isa;
mod portable;
#[cfg(target_arch = "x86_64")]
mod wide;

use super::WORD;
pub(crate) use isa::Isa;
use isa::Level;

/// The lanes of a sum.
pub(super) const LANES: usize = 8;

/// The columns that share the loads of a kernel.
pub(super) const TILE: usize = 4;

/// Calls the version of a kernel for an instruction set.
macro_rules! dispatch {
    ($isa:expr, $kernel:ident($($argument:expr),*)) => {
        match $isa.0 {
            Level::Portable => portable::$kernel($($argument),*, 0),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this machine has the instruction set of every `Isa`.
            Level::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this machine has the instruction set of every `Isa`.
            Level::Avx512 => unsafe { avx512::$kernel($($argument),*) },
        }
    };
}

/// `dᵀv`: the sum of `v` over the rows where the pattern is on. Bits past the last row do not
/// count.
pub(crate) fn masked_sum(words: &[u64], v: &[f64]) -> f64 {
    let mut lanes = [[0.0; LANES]];
    masked_lanes(Isa::best(), [words], v, &mut lanes);
    fold(&lanes[0])
}

/// Visits the rows where the pattern is on, in order.
pub(crate) fn for_each_on(words: &[u64], mut visit: impl FnMut(usize)) {
    for (k, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(k * WORD + word.trailing_zeros() as usize);
            word &= word - 1; // drops the lowest set bit
        }
    }
}

/// Adds to each lane of each column the values of its rows.
pub(super) fn masked_lanes<const C: usize>(
    isa: Isa,
    columns: [&[u64]; C],
    v: &[f64],
    lanes: &mut [[f64; LANES]; C],
) {
    dispatch!(isa, masked_lanes(columns, v, lanes));
}

pub(super) fn fold(lanes: &[f64; LANES]) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// `u += a₀·d₀`, then `u += a₁·d₁`, and so on.
pub(super) fn add_scaled_tile<const C: usize>(
    isa: Isa,
    columns: [&[u64]; C],
    scales: [f64; C],
    u: &mut [f64],
) {
    dispatch!(isa, add_scaled(columns, scales, u));
}

/// `values[c][r] += scale·|dᵣ ∧ d_c|` for row patterns `dᵣ` and column patterns `d_c`. It is exact
/// if the scale is an integer, up to `2⁵³`.
pub(super) fn add_overlaps<const R: usize, const C: usize>(
    isa: Isa,
    rows: &[&[u64]; R],
    columns: &[&[u64]; C],
    scale: f64,
    values: &mut [[f64; R]; C],
) {
    let words = rows[0].len();
    assert!(rows.iter().chain(columns).all(|d| d.len() == words), "patterns of one length");
    dispatch!(isa, add_overlaps(rows, columns, scale, values));
}

/// Packs `1{tᵢ ≥ 0}` into `on`; sets a bit in `unsure` if `|tᵢ|` is not above
/// `row_boundᵢ·column_bound`.
pub(super) fn signs(
    isa: Isa,
    t: &[f64],
    row_bounds: &[f64],
    column_bound: f64,
    on: &mut [u64],
    unsure: &mut [u64],
) {
    assert_eq!(t.len(), row_bounds.len(), "a bound for each row");
    let words = t.len().div_ceil(WORD);
    assert!(on.len() == words && unsure.len() == words, "a word for each 64 rows");
    dispatch!(isa, signs(t, row_bounds, column_bound, on, unsure));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SIZES: [usize; 9] = [0, 1, 63, 64, 65, 511, 512, 513, 4097];

    fn bits(n: usize, rng: &mut ChaCha8Rng) -> Vec<u64> {
        (0..n.div_ceil(WORD)).map(|_| rng.random()).collect()
    }

    fn numbers(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        (0..n).map(|_| rng.random_range(-1.0..1.0)).collect()
    }

    fn on(words: &[u64], i: usize) -> bool {
        words[i / WORD] >> (i % WORD) & 1 == 1
    }

    /// The definition, one sample at a time.
    fn masked_sum_plain(words: &[u64], v: &[f64]) -> f64 {
        let mut lanes = [0.0; LANES];
        (0..v.len()).filter(|&i| on(words, i)).for_each(|i| lanes[i % LANES] += v[i]);
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
            + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_instruction_set_gives_the_bits_of_the_definition(
            n in prop::sample::select(&SIZES[..]),
            seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let words: [Vec<u64>; 2 * TILE] = std::array::from_fn(|_| bits(n, &mut rng));
            let rows: [&[u64]; TILE] = std::array::from_fn(|c| &words[c][..]);
            let columns: [&[u64]; TILE] = std::array::from_fn(|c| &words[TILE + c][..]);
            let (v, bounds) = (numbers(n, &mut rng), numbers(n, &mut rng));
            let scales: [f64; TILE] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));

            let mut output: Vec<f64> = v.iter().map(|v| v.min(0.0) * 0.0).collect(); // some are -0
            let start = output.clone();
            for (column, a) in columns.iter().zip(scales) {
                (0..n).filter(|&i| on(column, i)).for_each(|i| output[i] += a);
            }
            for isa in Isa::available() {
                let (mut one, mut four) = ([[0.0; LANES]], [[0.0; LANES]; TILE]);
                masked_lanes(isa, columns, &v, &mut four);
                masked_lanes(isa, [rows[0]], &v, &mut one);
                prop_assert_eq!(fold(&one[0]).to_bits(), masked_sum_plain(rows[0], &v).to_bits());
                for (column, lanes) in columns.iter().zip(&four) {
                    prop_assert_eq!(fold(lanes).to_bits(), masked_sum_plain(column, &v).to_bits());
                }

                let mut u = start.clone();
                add_scaled_tile(isa, columns, scales, &mut u);
                prop_assert!(u.iter().zip(&output).all(|(a, b)| a.to_bits() == b.to_bits()));

                let (mut values, mut one) = ([[1.0; TILE]; TILE], [[1.0]]);
                add_overlaps(isa, &rows, &columns, -2.0, &mut values);
                add_overlaps(isa, &[rows[1]], &[columns[2]], -2.0, &mut one);
                prop_assert_eq!(one[0][0], values[2][1]);
                for (r, c) in (0..TILE).flat_map(|r| (0..TILE).map(move |c| (r, c))) {
                    let both = rows[r].iter().zip(columns[c]).map(|(a, b)| (a & b).count_ones());
                    prop_assert_eq!(values[c][r], 1.0 - 2.0 * f64::from(both.sum::<u32>()));
                }

                let mut fires = vec![!0; n.div_ceil(WORD)];
                let mut unsure = fires.clone();
                signs(isa, &v, &bounds, 0.5, &mut fires, &mut unsure);
                for i in 0..n.next_multiple_of(WORD) {
                    prop_assert_eq!(on(&fires, i), i < n && v[i] >= 0.0);
                    prop_assert_eq!(on(&unsure, i), i < n && v[i].abs() <= 0.5 * bounds[i]);
                }
            }
        }
    }

    #[test]
    fn zero_is_on_and_unsure_and_a_number_that_is_none_is_unsure() {
        let mut t = vec![1.0; 2 * WORD + 3];
        (t[0], t[1], t[2], t[2 * WORD]) = (0.0, -0.0, f64::NAN, f64::NAN);
        for isa in Isa::available() {
            let (mut fires, mut unsure) = (vec![0; 3], vec![0; 3]);
            signs(isa, &t, &vec![0.0; t.len()], 1.0, &mut fires, &mut unsure);
            assert_eq!((fires, unsure), (vec![!4, !0, 6], vec![7, 0, 1]));
        }
    }

    #[test]
    fn rows_that_are_on_are_visited_in_order() {
        let mut visited = Vec::new();
        for_each_on(&[1 | 1 << 63, 0, 2], |i| visited.push(i));
        assert_eq!(visited, [0, 63, 129]);
    }
}
