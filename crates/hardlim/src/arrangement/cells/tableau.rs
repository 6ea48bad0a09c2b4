//! The table of coefficients of the rows in a basis of forms, pivot by pivot, in doubles with
//! proven errors; signs that the doubles leave open are settled exactly.
//!
//! Every coefficient is `N/Δ` for integers `N` and `Δ` (see [`super::frame`]): one that is certainly
//! smaller than `1/|Δ|` is zero, which settles integer data of moderate size without any exact
//! arithmetic. What remains is lifted from residues.

use std::cmp::Ordering;

use super::frame::{Element, Exact, Frame, element_scale};
use super::lattice::Lattice;
use super::modular::Float;

/// Covers what is lost below the smallest normal number.
const TINY: f64 = 1e-290;
/// The rounding errors of an error bound itself.
const SLACK: f64 = 1.0 + 16.0 * f64::EPSILON;

/// `a_j = Σ_p t[p][j] · basis[p]` for every row `j`, on the elements that have not been dropped.
#[derive(Debug)]
pub(super) struct Tableau<'a> {
    lattice: &'a Lattice<'a>,
    /// The row of the lattice that each row is.
    ids: Vec<u32>,
    basis: Vec<Element>,
    frame: Frame,
    values: Vec<f64>,
    errors: Vec<f64>,
    /// An upper bound of `|Δ|`.
    determinant: f64,
    /// Coefficients on each element that are smaller than this are zero.
    gaps: Vec<f64>,
    exact: Option<Box<Exact>>,
}

impl<'a> Tableau<'a> {
    /// Some rows of a lattice in its own coordinates.
    pub(super) fn new(lattice: &'a Lattice<'a>, ids: Vec<u32>) -> Self {
        let basis: Vec<Element> = (0..lattice.width()).map(Element::Coordinate).collect();
        let entries = || (0..lattice.width()).flat_map(|c| ids.iter().map(move |&i| (i, c)));
        let (values, errors) = entries()
            .map(|(i, c)| {
                let form = i as usize >= lattice.rows();
                let unit = i as usize == lattice.rows() + c;
                if form { (f64::from(unit), 0.0) } else { lattice.value(i as usize, c) }
            })
            .unzip();
        let mut tableau = Self {
            lattice,
            ids,
            basis,
            frame: Frame::default(),
            values,
            errors,
            determinant: 1.0,
            gaps: Vec::new(),
            exact: None,
        };
        tableau.find_gaps();
        tableau
    }

    pub(super) fn rows(&self) -> usize {
        self.ids.len()
    }

    /// How many elements have not been dropped.
    pub(super) fn width(&self) -> usize {
        self.basis.len()
    }

    /// The row of the lattice that row `j` is.
    pub(super) fn id(&self, j: usize) -> u32 {
        self.ids[j]
    }

    /// The coefficients on element `p`, and their errors.
    pub(super) fn column(&self, p: usize) -> (&[f64], &[f64]) {
        let range = p * self.rows()..(p + 1) * self.rows();
        (&self.values[range.clone()], &self.errors[range])
    }

    fn at(&self, p: usize, j: usize) -> (f64, f64) {
        let k = p * self.ids.len() + j;
        (self.values[k], self.errors[k])
    }

    /// The same forms, restricted to where those outside `keep` vanish.
    pub(super) fn restrict(&self, keep: std::ops::Range<usize>) -> Self {
        let range = keep.start * self.rows()..keep.end * self.rows();
        Self {
            lattice: self.lattice,
            ids: self.ids.clone(),
            basis: self.basis[keep.clone()].to_vec(),
            frame: self.frame.clone(),
            values: self.values[range.clone()].to_vec(),
            errors: self.errors[range].to_vec(),
            determinant: self.determinant,
            gaps: self.gaps[keep].to_vec(),
            exact: None,
        }
    }

    /// Some of the rows only.
    pub(super) fn subset(&self, rows: &[usize]) -> Self {
        let pick = |from: &[f64]| -> Vec<f64> {
            from.chunks(self.rows().max(1)).flat_map(|c| rows.iter().map(|&j| c[j])).collect()
        };
        Self {
            lattice: self.lattice,
            ids: rows.iter().map(|&j| self.ids[j]).collect(),
            basis: self.basis.clone(),
            frame: self.frame.clone(),
            values: pick(&self.values),
            errors: pick(&self.errors),
            determinant: self.determinant,
            gaps: self.gaps.clone(),
            exact: None,
        }
    }

    /// Drops element `p`: restricts to where it vanishes.
    pub(super) fn drop_element(&mut self, p: usize) {
        let rows = self.rows();
        self.values.drain(p * rows..(p + 1) * rows);
        self.errors.drain(p * rows..(p + 1) * rows);
        self.basis.remove(p);
        self.gaps.remove(p);
        self.exact = None;
    }

    /// The element that row `j` can best stand for, among some: that of its largest coefficient, none
    /// when all are zero. The coefficients of that row are sharpened where the doubles say too
    /// little.
    pub(super) fn pivot_for(&mut self, j: usize, among: &[usize]) -> Option<usize> {
        let size = |tableau: &Self, p: usize| tableau.at(p, j).0.abs();
        let largest = |tableau: &Self| {
            let by_size = |&p: &usize, &q: &usize| size(tableau, p).total_cmp(&size(tableau, q));
            among.iter().copied().max_by(by_size)
        };
        let best = largest(self)?;
        if size(self, best) > 1e6 * self.at(best, j).1 {
            return Some(best);
        }
        if !among.iter().any(|&p| self.sign(p, j) != 0) {
            return None;
        }
        (0..self.width()).for_each(|p| self.sharpen(p, j));
        largest(self)
    }

    /// Row `j` takes the place of element `p`; the new table goes to `into`. Elements from `late` on
    /// get coefficients for rows after `j` only: enough where no other is read.
    pub(super) fn pivot_into(&self, j: usize, p: usize, late: usize, into: &mut Self) {
        let (rows, width) = (self.rows(), self.width());
        into.lattice = self.lattice;
        into.ids.clone_from(&self.ids);
        into.basis.clone_from(&self.basis);
        into.frame.members.clone_from(&self.frame.members);
        into.frame.eliminated.clone_from(&self.frame.eliminated);
        into.exact = None;
        into.values.resize(rows * width, 0.0);
        into.errors.resize(rows * width, 0.0);
        let (pivot, pivot_error) = self.at(p, j);
        let column = p * rows..(p + 1) * rows;
        divide(
            (&self.values[column.clone()], &self.errors[column.clone()]),
            (pivot, pivot_error),
            (&mut into.values[column.clone()], &mut into.errors[column.clone()]),
        );
        for q in (0..width).filter(|&q| q != p) {
            let start = if q >= late { j + 1 } else { 0 };
            let range = q * rows + start..(q + 1) * rows;
            // The factors lie in the column of `p`, just computed.
            let (low, high) = into.values.split_at_mut(rows * p.max(q));
            let (low_e, high_e) = into.errors.split_at_mut(rows * p.max(q));
            let (factors, errors, out, out_e) = if p < q {
                (
                    &low[p * rows + start..(p + 1) * rows],
                    &low_e[p * rows + start..(p + 1) * rows],
                    &mut high[start..rows],
                    &mut high_e[start..rows],
                )
            } else {
                (
                    &high[start..rows],
                    &high_e[start..rows],
                    &mut low[q * rows + start..(q + 1) * rows],
                    &mut low_e[q * rows + start..(q + 1) * rows],
                )
            };
            subtract(
                (&self.values[range.clone()], &self.errors[range]),
                (factors, errors),
                self.at(q, j),
                (out, out_e),
            );
        }
        for q in 0..width {
            into.values[q * rows + j] = f64::from(q == p);
            into.errors[q * rows + j] = 0.0;
        }
        into.basis[p] = Element::Row(self.ids[j]);
        into.frame.exchange(self.basis[p], self.ids[j]);
        into.determinant = self.determinant * (pivot.abs() + pivot_error) * SLACK;
        into.find_gaps();
    }

    /// Row `j` takes the place of element `p`.
    pub(super) fn pivot(&self, j: usize, p: usize) -> Self {
        let mut into = self.restrict(0..0);
        self.pivot_into(j, p, usize::MAX, &mut into);
        into
    }

    fn find_gaps(&mut self) {
        let scale = self.frame.scale(self.lattice);
        self.gaps.clear();
        for &element in &self.basis {
            let power = scale + element_scale(self.lattice, element);
            let gap = if power < 1000 { 0.99 * 2f64.powi(-power as i32) } else { 0.0 };
            self.gaps.push(gap / self.determinant);
        }
    }

    /// The sign of the coefficient of row `j` on element `p`.
    #[inline]
    pub(super) fn sign(&mut self, p: usize, j: usize) -> i8 {
        let (value, error) = self.at(p, j);
        if value.abs() > error {
            return if value > 0.0 { 1 } else { -1 };
        }
        self.settle(p, j);
        let (value, _) = self.at(p, j);
        i8::from(value > 0.0) - i8::from(value < 0.0)
    }

    /// Makes a coefficient right to almost the last bit, and exact where it is zero.
    fn sharpen(&mut self, p: usize, j: usize) {
        let (value, error) = self.at(p, j);
        if error > 1e-15 * value.abs() {
            self.settle(p, j);
        }
    }

    /// A coefficient right to almost the last bit, and exact where it is zero.
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
        let exact = self.exact.get_or_insert_default();
        exact.coefficient((self.lattice, &self.frame), (&self.basis, &self.ids), (j, p), bits)
    }

    /// `±N`, of which the coefficients on element `p` are the same positive multiple.
    pub(super) fn numerator(&mut self, p: usize, j: usize) -> Float {
        let [mut number, determinant] = self.quotient(p, j);
        number.mantissa = number.mantissa.scaled(determinant.mantissa.high.signum());
        number
    }

    /// How many bits the integer behind a number of at most this size has.
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
        let exact = self.exact.get_or_insert_default();
        let [number, determinant] = exact.minor(
            (self.lattice, &self.frame),
            (&self.basis, &self.ids),
            (rows, [p, q]),
            bits,
        );
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
        let certain = among.iter().any(|&p| {
            let (value, error) = self.at(p, j);
            value.abs() > error
        });
        !certain && among.iter().all(|&p| self.sign(p, j) == 0)
    }

    /// Brings element `p` to the front.
    pub(super) fn to_front(&mut self, p: usize) {
        let rows = self.rows();
        self.values[..(p + 1) * rows].rotate_right(rows);
        self.errors[..(p + 1) * rows].rotate_right(rows);
        self.basis[..=p].rotate_right(1);
        self.gaps[..=p].rotate_right(1);
        self.exact = None;
    }
}

/// `f = t / pivot`, and its errors.
fn divide(
    (values, errors): (&[f64], &[f64]),
    (pivot, pivot_error): (f64, f64),
    (out, out_errors): (&mut [f64], &mut [f64]),
) {
    let inverse = 1.0 / (pivot.abs() - pivot_error);
    for ((value, error), (out, out_error)) in
        values.iter().zip(errors).zip(out.iter_mut().zip(out_errors))
    {
        let factor = value / pivot;
        let size = factor.abs();
        *out = factor;
        *out_error = ((error + size * pivot_error) * inverse + f64::EPSILON * size) * SLACK + TINY;
    }
}

/// `t − f·c`, and its errors.
fn subtract(
    (values, errors): (&[f64], &[f64]),
    (factors, factor_errors): (&[f64], &[f64]),
    (c, c_error): (f64, f64),
    (out, out_errors): (&mut [f64], &mut [f64]),
) {
    let per_factor = c_error + f64::EPSILON * c.abs();
    let per_error = c.abs() + c_error;
    let inputs = values.iter().zip(errors).zip(factors.iter().zip(factor_errors));
    for (((value, error), (factor, factor_error)), (out, out_error)) in
        inputs.zip(out.iter_mut().zip(out_errors))
    {
        let result = value - factor * c;
        *out = result;
        *out_error = (error
            + factor.abs() * per_factor
            + factor_error * per_error
            + f64::EPSILON * result.abs())
            * SLACK
            + TINY;
    }
}
