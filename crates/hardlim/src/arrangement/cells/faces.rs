//! Patterns that occur only on faces.
//!
//! Zero counts as on, so a point `w` on some hyperplanes has a pattern, too. If the rows `Z` that
//! vanish at `w` can all be made positive at once, as is always possible with a bias, it is the
//! pattern of an open cell next to `w`. Otherwise let `v` with `aᵢ·v ≥ 0` on `Z` make as many of
//! them positive as possible. Then `w + εv` has the same pattern, and on the rows `T` that vanish
//! there every such `v` gives zeros only. So
//!
//! **the patterns are, once each, those of the open cells within the flats `{aᵢ·w = 0, i ∈ T}`
//! whose rows `T` satisfy `aᵢ·v ≥ 0` for all `i ∈ T` only with equality.**
//!
//! (Once each: the pattern fixes the set of points that have it, which is convex, and `T` are the
//! rows that vanish on all of it.) Independent rows never satisfy this. So only flats matter on
//! which more rows vanish than are needed to cut them out. No linear program is needed to decide
//! which of these matter: take the pattern of any one cell within the flat. If the flat does not
//! matter, that pattern has been found on a larger flat; if it does, it has not.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::lattice::Lattices;
use super::sink::Bits;
use super::tableau::Tableau;
use super::{Cells, Stopped};

/// A flat on which more rows vanish than are needed to cut it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::arrangement) struct Flat {
    pub(in crate::arrangement) rows: Vec<u32>,
    pub(in crate::arrangement) probe: Vec<u64>,
}

/// All flats that may have patterns of their own, larger ones first.
pub(in crate::arrangement) fn flats(
    lattices: &Lattices<'_>,
    stop: &AtomicBool,
) -> Result<Vec<Flat>, Stopped> {
    let lattice = lattices.get(0);
    let mut table = Tableau::new(lattice, (0..lattice.rows() as u32).collect());
    let all: Vec<usize> = (0..table.width()).collect();
    let live: Vec<usize> = (0..table.rows()).filter(|&j| !table.vanishes(j, &all)).collect();
    let mut table = table.subset(&live);
    let mut search = Search { stop, found: Vec::new(), rows: Vec::new() };
    search.descend(&mut table, 0, false)?;
    let mut found = search.found;
    if live.len() > table.width() {
        found.push(basis(table)); // the origin, where all rows vanish
    }
    found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    Ok(found.into_iter().map(|rows| Flat { probe: probe(lattices, &rows), rows }).collect())
}

/// The first rows that span all.
fn basis(mut table: Tableau<'_>) -> Vec<u32> {
    let mut basis = Vec::new();
    for j in 0..table.rows() {
        let elements: Vec<usize> = (0..table.width()).collect();
        if let Some(p) = table.pivot_for(j, &elements) {
            basis.push(table.id(j));
            table = table.pivot(j, p);
            table.drop_element(p);
        }
    }
    basis
}

/// The pattern of one cell within a flat.
fn probe(lattices: &Lattices<'_>, flat: &[u32]) -> Vec<u64> {
    for attempt in 0..Lattices::ATTEMPTS {
        let cells = Cells::new(lattices.get(attempt), flat);
        if let Some(origin) = cells.origin() {
            return origin.to_vec();
        }
        let mut bits = Bits::default();
        if cells.point(&mut bits).is_ok() {
            return bits.0;
        }
    }
    unreachable!("{}", Lattices::SOON)
}

/// Integer vectors that span a flat, on the columns as read; rounded if they do not fit a double.
pub(in crate::arrangement) fn null_space(lattices: &Lattices<'_>, flat: &[u32]) -> Vec<Vec<f64>> {
    let lattice = lattices.get(0);
    let (rows, width) = (lattice.rows() as u32, lattice.width());
    // The coordinates themselves are forms: on the flat, their coefficients are its points.
    let forms = (0..width as u32).map(|c| rows + c);
    let mut table = Tableau::new(lattice, flat.iter().copied().chain(forms).collect());
    for j in 0..flat.len() {
        let elements: Vec<usize> = (0..table.width()).collect();
        let p = table.pivot_for(j, &elements).expect("independent rows");
        table = table.pivot(j, p);
        table.drop_element(p);
    }
    (0..table.width())
        .map(|p| {
            let point: Vec<f64> = (0..width)
                .map(|c| {
                    let number = table.numerator(p, flat.len() + c);
                    number.mantissa.high * 2f64.powi(number.exponent as i32)
                })
                .collect();
            // Powers of two bring its size to about 1 and change no digit.
            let size = point.iter().fold(0.0f64, |size, v| size.max(v.abs()));
            let power = 2f64.powi(-(size.log2() as i32));
            let columns = lattice.columns().iter();
            columns.zip(&point).map(|(column, v)| v * power * column.shrink()).collect()
        })
        .collect()
}

struct Search<'s> {
    stop: &'s AtomicBool,
    found: Vec<Vec<u32>>,
    rows: Vec<u32>,
}

impl Search<'_> {
    /// The flats within the current one, except the origin, that are cut out by rows from `start`
    /// on. The table has the rows that do not vanish on it; `surplus` says whether more rows vanish
    /// than needed.
    fn descend(
        &mut self,
        table: &mut Tableau<'_>,
        start: u32,
        surplus: bool,
    ) -> Result<(), Stopped> {
        if surplus {
            self.found.push(self.rows.clone());
        }
        if table.width() <= 2 {
            self.rays(table, start, surplus);
            return if self.stop.load(Relaxed) { Err(Stopped) } else { Ok(()) };
        }
        let elements: Vec<usize> = (0..table.width()).collect();
        for j in 0..table.rows() {
            let row = table.id(j);
            if row < start {
                continue;
            }
            let p = table.pivot_for(j, &elements).expect("rows that vanish are left out");
            let mut child = table.pivot(j, p);
            child.drop_element(p);
            let left = &elements[..child.width()];
            let (closed, rest): (Vec<usize>, Vec<usize>) =
                (0..child.rows()).partition(|&i| child.vanishes(i, left));
            // A flat belongs to the first rows that cut it out.
            if closed.iter().all(|&i| child.id(i) >= row) {
                self.rows.push(row);
                let surplus = surplus || closed.len() > 1;
                self.descend(&mut child.subset(&rest), row + 1, surplus)?;
                self.rows.pop();
            }
        }
        Ok(())
    }

    /// In two dimensions the flats are the directions of the rows; in one there are none.
    fn rays(&mut self, table: &mut Tableau<'_>, start: u32, surplus: bool) {
        if table.width() < 2 {
            return;
        }
        let ids: Vec<u32> = (0..table.rows()).map(|j| table.id(j)).collect();
        let upright: Vec<bool> = (0..table.rows()).map(|j| table.sign(1, j) == 0).collect();
        let mut order: Vec<usize> = (0..upright.len()).collect();
        let mut compare = |i: usize, j: usize| match (upright[i], upright[j]) {
            (false, false) => table.compare_ratios([i, j], [0, 1]),
            (a, b) => a.cmp(&b),
        };
        order.sort_by(|&i, &j| compare(i, j));
        let mut from = 0;
        for end in 1..=order.len() {
            let ends = end == order.len() || compare(order[end - 1], order[end]) != Ordering::Equal;
            if ends {
                let first = order[from..end].iter().map(|&j| ids[j]).min();
                let first = first.expect("not empty");
                if first >= start && (surplus || end - from > 1) {
                    self.found.push(self.rows.iter().copied().chain([first]).collect());
                }
                from = end;
            }
        }
    }
}
