//! A basis of forms, and the exact coefficients of the rows in it.
//!
//! A frame takes rows `B` (its members) in place of as many coordinates `C`. By Cramer's rule the
//! coefficients of a row are quotients of minors, `N/Δ` with `Δ = det M[B, C]`, and so are the 2×2
//! minors of the table of coefficients (Sylvester). Both are integers; they are computed modulo
//! primes and lifted.

use std::collections::HashMap;

use super::lattice::Lattice;
use super::modular::{Float, Prime, lift};

/// One form of a basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// A coordinate of the lattice.
    Coordinate(usize),
    /// A row of the lattice.
    Row(u32),
}

/// Which rows stand for which coordinates.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// `B`.
    pub(super) members: Vec<u32>,
    /// `C`.
    pub(super) eliminated: Vec<usize>,
}

impl Frame {
    /// Row `new` takes the place of an element.
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

/// The power of two between an integer coefficient and its double.
pub(super) fn element_scale(lattice: &Lattice<'_>, element: Element) -> i64 {
    match element {
        Element::Coordinate(c) => i64::from(lattice.scale[c]),
        Element::Row(_) => 0,
    }
}

/// A frame modulo one prime.
#[derive(Debug)]
struct Modular {
    prime: usize,
    determinant: u64,
    /// `M[B, C]⁻¹`, row by row.
    inverse: Vec<u64>,
}

/// Exact coefficients in one frame, computed as they are asked for.
#[derive(Debug, Default)]
pub(super) struct Exact {
    frames: Vec<Modular>,
    tried: usize,
    rows: HashMap<(usize, u32), Vec<u64>>,
}

impl Exact {
    /// `N` for one coefficient: that of row `id` on element `p` of `basis`, given that `|N|` has at
    /// most `bits` bits; and `Δ`.
    pub(super) fn coefficient(
        &mut self,
        (lattice, frame): (&Lattice<'_>, &Frame),
        basis: &[Element],
        (id, p): (u32, usize),
        bits: [i64; 2],
    ) -> [Float; 2] {
        let count = self.prepare(lattice, frame, bits[0].max(bits[1]));
        let numbers: Vec<u64> =
            (0..count).map(|k| self.row(lattice, frame, basis, k, id)[p]).collect();
        [self.lift(lattice, &numbers), self.determinant(lattice, count)]
    }

    /// `N` for one 2×2 minor, that of rows `ids` on elements `p` and `q`; and `Δ`.
    pub(super) fn minor(
        &mut self,
        (lattice, frame): (&Lattice<'_>, &Frame),
        basis: &[Element],
        ids: [u32; 2],
        [p, q]: [usize; 2],
        bits: [i64; 2],
    ) -> [Float; 2] {
        let count = self.prepare(lattice, frame, bits[0].max(bits[1]));
        let numbers: Vec<u64> = (0..count)
            .map(|k| {
                let [a, b] = ids.map(|id| {
                    let row = self.row(lattice, frame, basis, k, id);
                    [row[p], row[q]]
                });
                let Modular { prime, determinant, .. } = self.frames[k];
                let prime = &lattice.primes()[prime];
                let minor = prime.subtract(prime.multiply(a[0], b[1]), prime.multiply(a[1], b[0]));
                prime.multiply(minor, prime.inverse(determinant))
            })
            .collect();
        [self.lift(lattice, &numbers), self.determinant(lattice, count)]
    }

    fn determinant(&self, lattice: &Lattice<'_>, count: usize) -> Float {
        let numbers: Vec<u64> = self.frames[..count].iter().map(|f| f.determinant).collect();
        self.lift(lattice, &numbers)
    }

    fn lift(&self, lattice: &Lattice<'_>, numbers: &[u64]) -> Float {
        let primes: Vec<&Prime> =
            self.frames[..numbers.len()].iter().map(|f| &lattice.primes()[f.prime]).collect();
        lift(&primes, numbers)
    }

    /// Sees to frames modulo enough primes for numbers of so many bits.
    fn prepare(&mut self, lattice: &Lattice<'_>, frame: &Frame, bits: i64) -> usize {
        let bits = bits.min(lattice.most_bits());
        let count = ((bits + 3) / Prime::BITS + 1).max(1) as usize;
        while self.frames.len() < count && self.tried < lattice.primes().len() {
            self.frames.extend(Modular::new(lattice, frame, self.tried));
            self.tried += 1;
        }
        count.min(self.frames.len())
    }

    /// `N` for all coefficients of a row modulo the prime of frame `k`.
    fn row(
        &mut self,
        lattice: &Lattice<'_>,
        frame: &Frame,
        basis: &[Element],
        k: usize,
        id: u32,
    ) -> &[u64] {
        let Modular { prime: index, determinant, inverse } = &self.frames[k];
        self.rows.entry((k, id)).or_insert_with(|| {
            let prime = &lattice.primes()[*index];
            let (residues, width) = (lattice.residues(*index), lattice.width());
            let entry = |id: u32, c: usize| residues[id as usize * width + c];
            let (members, eliminated) = (&frame.members, &frame.eliminated);
            let dot = |terms: &mut dyn Iterator<Item = (u64, u64)>| {
                terms.fold(0, |sum, (a, b)| prime.add(sum, prime.multiply(a, b)))
            };
            let weights: Vec<u64> = (0..members.len())
                .map(|m| {
                    let terms = eliminated.iter().enumerate();
                    dot(&mut terms.map(|(e, &c)| (entry(id, c), inverse[e * members.len() + m])))
                })
                .collect();
            let coefficient = |element: &Element| match *element {
                Element::Coordinate(c) => {
                    let terms = members.iter().zip(&weights).map(|(&m, &w)| (w, entry(m, c)));
                    prime.subtract(entry(id, c), dot(&mut { terms }))
                }
                Element::Row(row) => {
                    let place = members.iter().position(|&m| m == row);
                    weights[place.expect("an element of the basis")]
                }
            };
            basis.iter().map(|e| prime.multiply(*determinant, coefficient(e))).collect()
        })
    }
}

impl Modular {
    /// The frame modulo a prime, unless that divides `Δ`.
    fn new(lattice: &Lattice<'_>, frame: &Frame, index: usize) -> Option<Self> {
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
        let mut determinant = prime.residue(1);
        for k in 0..size {
            let pivot = (k..size).find(|&i| rows[i][k] != 0)?;
            if pivot != k {
                rows.swap(pivot, k);
                determinant = prime.subtract(0, determinant);
            }
            determinant = prime.multiply(determinant, rows[k][k]);
            let inverse = prime.inverse(rows[k][k]);
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
        Some(Self { prime: index, determinant, inverse })
    }
}
