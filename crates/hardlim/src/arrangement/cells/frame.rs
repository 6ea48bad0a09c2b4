//! A basis of forms, and the exact coefficients of the rows in it.
//!
//! A frame replaces coordinates `C` by as many rows `B` (its members). By Cramer's rule the
//! coefficients of a row are quotients of minors, `N/Δ` with `Δ = det M[B, C]`, and so are the 2×2
//! minors of the table of coefficients (Sylvester). These minors are integers; they are computed
//! modulo primes and lifted.

use super::lattice::Lattice;
use crate::exact::modular::{Digit, Float, Prime, lift};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Coordinate(usize),
    Row(u32),
}

/// The rows, and the coordinates that they replace.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// `B`.
    pub(super) members: Vec<u32>,
    /// `C`.
    pub(super) eliminated: Vec<usize>,
}

impl Frame {
    pub(super) fn exchange(&mut self, old: Element, new: u32) {
        match old {
            Element::Coordinate(c) => {
                self.members.push(new);
                self.eliminated.push(c);
            }
            Element::Row(old) => {
                let place = self.members.iter().position(|&m| m == old);
                self.members[place.expect("an element of the basis")] = new;
            }
        }
    }

    /// The power of two between the integer `Δ` and its double.
    pub(super) fn scale(&self, lattice: &Lattice<'_>) -> i64 {
        self.eliminated.iter().map(|&c| i64::from(lattice.scale[c])).sum()
    }
}

/// Rows of a lattice in a basis of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'v> {
    pub(super) lattice: &'v Lattice<'v>,
    pub(super) frame: &'v Frame,
    pub(super) basis: &'v [Element],
    pub(super) ids: &'v [u32],
}

/// The power of two between an integer coefficient and its double.
pub(super) fn element_scale(lattice: &Lattice<'_>, element: Element) -> i64 {
    match element {
        Element::Coordinate(c) => i64::from(lattice.scale[c]),
        Element::Row(_) => 0,
    }
}

#[derive(Debug)]
struct Modular {
    prime: usize,
    determinant: u64,
    /// `1/Δ`.
    reciprocal: u64,
    /// `M[B, C]⁻¹`, row by row.
    inverse: Vec<u64>,
    /// One over the product of the primes of the frames before.
    below: u64,
    /// The numerators of rows, computed on demand.
    rows: Vec<Vec<u64>>,
}

/// Exact coefficients in one frame, computed on demand.
#[derive(Debug, Default)]
pub(super) struct Exact {
    frames: Vec<Modular>,
    tried: usize,
}

impl Exact {
    /// `N` and `Δ` for one coefficient: that of row `j` on element `p`. They have at most `bits`
    /// bits.
    pub(super) fn coefficient(
        &mut self,
        view: View<'_>,
        (j, p): (usize, usize),
        bits: i64,
    ) -> [Float; 2] {
        let count = self.prepare(view, bits);
        let numbers: Vec<u64> =
            self.frames[..count].iter_mut().map(|modular| modular.row(view, j)[p]).collect();
        [self.lift(view.lattice, &numbers), self.determinant(view.lattice, count)]
    }

    /// `N` and `Δ` for one 2×2 minor, that of two rows on elements `p` and `q`.
    pub(super) fn minor(
        &mut self,
        view: View<'_>,
        (rows, [p, q]): ([usize; 2], [usize; 2]),
        bits: i64,
    ) -> [Float; 2] {
        let (lattice, count) = (view.lattice, self.prepare(view, bits));
        let numbers: Vec<u64> = self.frames[..count]
            .iter_mut()
            .map(|modular| {
                let [a, b] = rows.map(|j| {
                    let row = modular.row(view, j);
                    [row[p], row[q]]
                });
                let prime = &lattice.primes()[modular.prime];
                let minor = prime.subtract(prime.multiply(a[0], b[1]), prime.multiply(a[1], b[0]));
                prime.multiply(minor, modular.reciprocal)
            })
            .collect();
        [self.lift(lattice, &numbers), self.determinant(lattice, count)]
    }

    fn determinant(&self, lattice: &Lattice<'_>, count: usize) -> Float {
        let numbers: Vec<u64> = self.frames[..count].iter().map(|f| f.determinant).collect();
        self.lift(lattice, &numbers)
    }

    fn lift(&self, lattice: &Lattice<'_>, numbers: &[u64]) -> Float {
        let digits = numbers.iter().zip(&self.frames);
        let digits: Vec<Digit<'_>> = digits
            .map(|(&residue, frame)| Digit {
                prime: &lattice.primes()[frame.prime],
                below: frame.below,
                residue,
            })
            .collect();
        lift(&digits)
    }

    /// Prepares frames modulo enough primes for numbers of this many bits.
    fn prepare(&mut self, View { lattice, frame, .. }: View<'_>, bits: i64) -> usize {
        let bits = bits.min(lattice.most_bits());
        let count = ((bits + 3) / Prime::BITS + 1).max(1) as usize;
        while self.frames.len() < count && self.tried < lattice.primes().len() {
            let before: Vec<usize> = self.frames.iter().map(|f| f.prime).collect();
            self.frames.extend(Modular::new(lattice, frame, self.tried, &before));
            self.tried += 1;
        }
        count.min(self.frames.len())
    }
}

impl Modular {
    /// The frame modulo a prime; `None` if the prime divides `Δ`.
    fn new(lattice: &Lattice<'_>, frame: &Frame, index: usize, before: &[usize]) -> Option<Self> {
        let prime = &lattice.primes()[index];
        let (residues, width) = (lattice.residues(index), lattice.width());
        let size = frame.members.len();
        // Gauss and Jordan on [M | 1].
        let mut rows: Vec<Vec<u64>> = (frame.members.iter().enumerate())
            .map(|(i, &m)| {
                let row = frame.eliminated.iter().map(|&c| residues[m as usize * width + c]);
                row.chain((0..size).map(|j| if i == j { prime.residue(1) } else { 0 })).collect()
            })
            .collect();
        let (mut determinant, mut reciprocal) = (prime.residue(1), prime.residue(1));
        for k in 0..size {
            let pivot = (k..size).find(|&i| rows[i][k] != 0)?;
            if pivot != k {
                rows.swap(pivot, k);
                determinant = prime.subtract(0, determinant);
                reciprocal = prime.subtract(0, reciprocal);
            }
            let inverse = prime.inverse(rows[k][k]);
            determinant = prime.multiply(determinant, rows[k][k]);
            reciprocal = prime.multiply(reciprocal, inverse);
            rows[k].iter_mut().for_each(|v| *v = prime.multiply(*v, inverse));
            let row = rows[k].clone();
            for (i, other) in rows.iter_mut().enumerate() {
                let factor = other[k];
                if i != k && factor != 0 {
                    for (v, &r) in other.iter_mut().zip(&row) {
                        *v = prime.subtract(*v, prime.multiply(factor, r));
                    }
                }
            }
        }
        let inverse = rows.iter().flat_map(|row| &row[size..]).copied().collect();
        let below = lattice.one_over(index, before);
        Some(Self { prime: index, determinant, reciprocal, inverse, below, rows: Vec::new() })
    }

    /// `N` for all coefficients of a row.
    fn row(&mut self, view: View<'_>, j: usize) -> &[u64] {
        self.rows.resize(self.rows.len().max(view.ids.len()), Vec::new());
        if self.rows[j].is_empty() {
            self.rows[j] = self.numerators(view, view.ids[j]);
        }
        &self.rows[j]
    }

    fn numerators(&self, View { lattice, frame, basis, .. }: View<'_>, id: u32) -> Vec<u64> {
        let prime = &lattice.primes()[self.prime];
        let (residues, width) = (lattice.residues(self.prime), lattice.width());
        let entry = |id: u32, c: usize| residues[id as usize * width + c];
        let (members, eliminated) = (&frame.members, &frame.eliminated);
        let weights: Vec<u64> = (0..members.len())
            .map(|m| {
                let terms = eliminated.iter().enumerate();
                terms.fold(0, |sum, (e, &c)| {
                    let term = prime.multiply(entry(id, c), self.inverse[e * members.len() + m]);
                    prime.add(sum, term)
                })
            })
            .collect();
        let coefficient = |element: &Element| match *element {
            Element::Coordinate(c) => {
                let terms = members.iter().zip(&weights);
                terms.fold(entry(id, c), |rest, (&m, &w)| {
                    prime.subtract(rest, prime.multiply(w, entry(m, c)))
                })
            }
            Element::Row(row) => {
                let place = members.iter().position(|&m| m == row);
                weights[place.expect("an element of the basis")]
            }
        };
        basis.iter().map(|e| prime.multiply(self.determinant, coefficient(e))).collect()
    }
}
