//! The table of coefficients of the rows in a basis of forms, pivot by pivot, in doubles with
//! proven errors. Signs that the doubles leave open are decided in [`super::signs`].

use super::bounds::{SLACK, divide, subtract};
use super::frame::{Element, Exact, Frame, element_scale};
use super::lattice::Lattice;

/// `a_j = Σ_p t[p][j] · basis[p]` for every row `j`, on the elements that have not been dropped.
#[derive(Debug)]
pub(super) struct Tableau<'a> {
    pub(super) lattice: &'a Lattice<'a>,
    /// For each row, its number in the lattice.
    pub(super) ids: Vec<u32>,
    pub(super) basis: Vec<Element>,
    pub(super) frame: Frame,
    pub(super) values: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// An upper bound on `|Δ|`.
    pub(super) determinant: f64,
    /// Coefficients on each element that are smaller than this are zero.
    pub(super) gaps: Vec<f64>,
    pub(super) exact: Option<Box<Exact>>,
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

    /// The number of elements that have not been dropped.
    pub(super) fn width(&self) -> usize {
        self.basis.len()
    }

    pub(super) fn id(&self, j: usize) -> u32 {
        self.ids[j]
    }

    /// The coefficients on element `p`, and their errors.
    pub(super) fn column(&self, p: usize) -> (&[f64], &[f64]) {
        let range = p * self.rows()..(p + 1) * self.rows();
        (&self.values[range.clone()], &self.errors[range])
    }

    pub(super) fn at(&self, p: usize, j: usize) -> (f64, f64) {
        let k = p * self.ids.len() + j;
        (self.values[k], self.errors[k])
    }

    /// The same forms, restricted to where those outside `keep` vanish.
    pub(super) fn restrict(&self, keep: std::ops::Range<usize>) -> Self {
        self.part(&(0..self.rows()).collect::<Vec<_>>(), keep)
    }

    pub(super) fn subset(&self, rows: &[usize]) -> Self {
        self.part(rows, 0..self.width())
    }

    fn part(&self, rows: &[usize], keep: std::ops::Range<usize>) -> Self {
        let pick = |from: &[f64]| -> Vec<f64> {
            let places = |p: usize| rows.iter().map(move |&j| p * self.rows() + j);
            keep.clone().flat_map(places).map(|k| from[k]).collect()
        };
        Self {
            lattice: self.lattice,
            ids: rows.iter().map(|&j| self.ids[j]).collect(),
            basis: self.basis[keep.clone()].to_vec(),
            frame: self.frame.clone(),
            values: pick(&self.values),
            errors: pick(&self.errors),
            determinant: self.determinant,
            gaps: self.gaps[keep].to_vec(),
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

    /// The best of some elements for row `j` to replace: that of its largest coefficient, or `None`
    /// if all are zero. The coefficients of the row are sharpened if the doubles are not accurate
    /// enough.
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

    /// Replaces element `p` by row `j`, and writes the new table to `into`. Elements from `late` on
    /// get coefficients only for rows after `j`, which is enough if no others are read.
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
        let (factors, errors) = into.column(p);
        let (factors, errors) = (factors.to_vec(), errors.to_vec());
        for q in (0..width).filter(|&q| q != p) {
            let start = if q >= late { j + 1 } else { 0 };
            let range = q * rows + start..(q + 1) * rows;
            subtract(
                (&self.values[range.clone()], &self.errors[range.clone()]),
                (&factors[start..], &errors[start..]),
                self.at(q, j),
                (&mut into.values[range.clone()], &mut into.errors[range]),
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

    pub(super) fn bring_to_front(&mut self, p: usize) {
        let rows = self.rows();
        self.values[..(p + 1) * rows].rotate_right(rows);
        self.errors[..(p + 1) * rows].rotate_right(rows);
        self.basis[..=p].rotate_right(1);
        self.gaps[..=p].rotate_right(1);
        self.exact = None;
    }
}
