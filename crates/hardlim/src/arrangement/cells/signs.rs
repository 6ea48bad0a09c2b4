//! The signs of coefficients and of their 2×2 minors, all of them decided exactly.
//!
//! Every coefficient is `N/Δ` for integers `N` and `Δ` (see [`super::frame`]). So a coefficient
//! that is certainly smaller than `1/|Δ|` is zero. This decides integer data of moderate size
//! without exact arithmetic. The rest is lifted from residues.

use std::cmp::Ordering;

use super::bounds::{SLACK, TINY, certain};
use super::frame::{View, element_scale};
use super::tableau::Tableau;
use crate::exact::modular::Float;

impl Tableau<'_> {
    /// The sign of the coefficient of row `j` on element `p`.
    #[inline]
    pub(super) fn sign(&mut self, p: usize, j: usize) -> i8 {
        let (value, error) = self.at(p, j);
        if certain(value, error) {
            return if value > 0.0 { 1 } else { -1 };
        }
        self.settle(p, j);
        let (value, _) = self.at(p, j);
        i8::from(value > 0.0) - i8::from(value < 0.0)
    }

    /// Makes a coefficient correct to almost the last bit, and exact if it is zero.
    pub(super) fn sharpen(&mut self, p: usize, j: usize) {
        let (value, error) = self.at(p, j);
        if error > 1e-15 * value.abs() {
            self.settle(p, j);
        }
    }

    /// A coefficient, correct to almost the last bit, and exact if it is zero.
    pub(super) fn sharp(&mut self, p: usize, j: usize) -> f64 {
        self.sharpen(p, j);
        self.at(p, j).0
    }

    #[cold]
    fn settle(&mut self, p: usize, j: usize) {
        let (value, error) = self.at(p, j);
        let k = p * self.ids.len() + j;
        if value.abs() + error < self.gaps[p] {
            (self.values[k], self.errors[k]) = (0.0, 0.0);
            return;
        }
        let [number, determinant] = self.quotient(p, j);
        let scale = element_scale(self.lattice, self.basis[p]);
        let exponent = number.exponent - determinant.exponent - scale;
        let power = 2f64.powi(exponent.clamp(-1000, 1000) as i32);
        self.values[k] = number.mantissa.high / determinant.mantissa.high * power;
        self.errors[k] = 64.0 * f64::EPSILON * self.values[k].abs();
    }

    /// `N` and `Δ` of a coefficient.
    fn quotient(&mut self, p: usize, j: usize) -> [Float; 2] {
        let (value, error) = self.at(p, j);
        let scale = element_scale(self.lattice, self.basis[p]);
        let bits = self.bits((value.abs() + error) * self.determinant, scale);
        let bits = bits.max(self.bits(self.determinant, 0));
        let Self { lattice, frame, basis, ids, .. } = self;
        let exact = self.exact.get_or_insert_default();
        exact.coefficient(View { lattice, frame, basis, ids }, (j, p), bits)
    }

    /// `±N`. The coefficients on element `p` are all the same positive multiple of it.
    pub(super) fn numerator(&mut self, p: usize, j: usize) -> Float {
        let [mut number, determinant] = self.quotient(p, j);
        number.mantissa = number.mantissa.scaled(determinant.mantissa.high.signum());
        number
    }

    /// The number of bits of the integer behind a number of at most this size.
    fn bits(&self, size: f64, scale: i64) -> i64 {
        if !(size > 0.0 && size < 1e300) {
            return self.lattice.most_bits();
        }
        size.log2().ceil() as i64 + self.frame.scale(self.lattice) + scale + 1
    }

    /// The sign of `t[p][i]·t[q][j] − t[q][i]·t[p][j]`.
    pub(super) fn minor_sign(&mut self, [i, j]: [usize; 2], [p, q]: [usize; 2]) -> i8 {
        let ((pi, epi), (qj, eqj)) = (self.at(p, i), self.at(q, j));
        let ((qi, eqi), (pj, epj)) = (self.at(q, i), self.at(p, j));
        let (left, right) = (pi * qj, qi * pj);
        let minor = left - right;
        let spread = |a: f64, ea: f64, b: f64, eb: f64| a.abs() * eb + ea * (b.abs() + eb);
        let error = (spread(pi, epi, qj, eqj)
            + spread(qi, eqi, pj, epj)
            + 2.0 * f64::EPSILON * (left.abs() + right.abs()))
            * SLACK
            + TINY;
        if minor.abs() > error {
            return if minor > 0.0 { 1 } else { -1 };
        }
        self.settle_minor([i, j], [p, q], minor.abs() + error)
    }

    #[cold]
    fn settle_minor(&mut self, rows: [usize; 2], [p, q]: [usize; 2], size: f64) -> i8 {
        let scale = [p, q].map(|p| element_scale(self.lattice, self.basis[p])).iter().sum::<i64>();
        let bits = self.bits(size * self.determinant, scale);
        if bits < 0 && size.is_finite() {
            return 0;
        }
        let bits = bits.max(self.bits(self.determinant, 0));
        let Self { lattice, frame, basis, ids, .. } = self;
        let exact = self.exact.get_or_insert_default();
        let [number, determinant] =
            exact.minor(View { lattice, frame, basis, ids }, (rows, [p, q]), bits);
        let sign = |v: f64| i8::from(v > 0.0) - i8::from(v < 0.0);
        sign(number.mantissa.high) * sign(determinant.mantissa.high)
    }

    /// Compares `t[p][i]/t[q][i]` with `t[p][j]/t[q][j]`; no `t[q]` is zero.
    pub(super) fn compare_ratios(&mut self, rows: [usize; 2], [p, q]: [usize; 2]) -> Ordering {
        let signs = self.sign(q, rows[0]) * self.sign(q, rows[1]);
        (self.minor_sign(rows, [p, q]) * signs).cmp(&0)
    }

    /// Whether row `j` vanishes on all of these elements.
    pub(super) fn vanishes(&mut self, j: usize, among: &[usize]) -> bool {
        let known = among.iter().any(|&p| {
            let (value, error) = self.at(p, j);
            certain(value, error)
        });
        !known && among.iter().all(|&p| self.sign(p, j) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::Arrangement;
    use crate::arrangement::cells::columns::independent_columns;
    use crate::arrangement::cells::lattice::Lattice;
    use crate::data::Features;
    use proptest::prelude::*;

    /// The definition: the determinant of an integer matrix, by its first row.
    fn determinant(rows: &[Vec<i128>]) -> i128 {
        let without = |k: usize| -> Vec<Vec<i128>> {
            let cut = |row: &Vec<i128>| [&row[..k], &row[k + 1..]].concat();
            rows[1..].iter().map(cut).collect()
        };
        let signed = |k: usize| if k.is_multiple_of(2) { 1 } else { -1 };
        let first = rows.first().map_or(&[][..], Vec::as_slice);
        let terms = first.iter().enumerate();
        if rows.is_empty() {
            1
        } else {
            terms.map(|(k, v)| signed(k) * v * determinant(&without(k))).sum()
        }
    }

    /// Rows in which combinations of others, and others moved by a tiny amount, are common.
    fn nearly_dependent() -> impl Strategy<Value = Vec<Vec<i64>>> {
        let entries = prop::collection::vec(prop::collection::vec(-(1i64 << 26)..1 << 26, 4), 8);
        let tricks = prop::collection::vec((0usize..3, 0usize..8, 0usize..8, -1i64..2), 8);
        (entries, tricks).prop_map(|(mut rows, tricks)| {
            for (k, (trick, a, b, nudge)) in tricks.into_iter().enumerate().skip(2) {
                let (a, b) = (a % k, b % k);
                if trick > 0 {
                    rows[k] = (0..4).map(|c| (rows[a][c] + rows[b][c]) / 2).collect();
                }
                if trick > 1 {
                    rows[k][nudge.unsigned_abs() as usize] += nudge;
                }
            }
            rows
        })
    }

    proptest! {
        #[test]
        fn signs_are_those_of_minors(rows in nearly_dependent(), power in -20i32..20) {
            let scale = 2f64.powi(power);
            let values = rows.iter().flatten().map(|&v| v as f64 * scale).collect();
            let features = Features::new(8, 4, values).unwrap();
            let columns = independent_columns(&Arrangement::of(&features).without_bias());
            prop_assume!(columns.len() == 4);
            let exact: Vec<Vec<i128>> =
                rows.iter().map(|row| row.iter().map(|&v| i128::from(v)).collect()).collect();
            let lattice = Lattice::new(&columns, 8, 0);
            let mut table = Tableau::new(&lattice, (0..8).collect());
            let mut basis: Vec<Option<usize>> = vec![None; 4];
            for row in [0, 3, 7] {
                let free: Vec<usize> = (0..4).filter(|&p| basis[p].is_none()).collect();
                let Some(p) = table.pivot_for(row, &free) else { continue };
                table = table.pivot(row, p);
                basis[p] = Some(row);
                // Cramer: a coefficient is the determinant with row j in place of element p over
                // the determinant of the basis.
                let with = |p: usize, j: usize| {
                    let forms = basis.iter().enumerate().map(|(q, element)| match element {
                        _ if q == p => exact[j].clone(),
                        Some(row) => exact[*row].clone(),
                        None => (0..4).map(|c| i128::from(c == q)).collect(),
                    });
                    determinant(&forms.collect::<Vec<_>>())
                };
                let whole = with(p, row);
                for j in 0..8 {
                    for p in 0..4 {
                        let expected = with(p, j).signum() * whole.signum();
                        prop_assert_eq!(i128::from(table.sign(p, j)), expected);
                    }
                    let other = (j + 3) % 8;
                    let minor = table.minor_sign([j, other], [0, 1]);
                    // Sylvester: the minor times the whole is a determinant with two rows replaced.
                    let both = basis.iter().enumerate().map(|(q, element)| match (q, element) {
                        (0, _) => exact[j].clone(),
                        (1, _) => exact[other].clone(),
                        (_, Some(row)) => exact[*row].clone(),
                        (q, None) => (0..4).map(|c| i128::from(c == q)).collect(),
                    });
                    let both = determinant(&both.collect::<Vec<_>>());
                    prop_assert_eq!(i128::from(minor), both.signum() * whole.signum());
                }
            }
        }
    }
}
