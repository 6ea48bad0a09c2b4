//! The targets: the values `y_i` of every distinct row, with the weights `s_i`.

use crate::error::Error;
use crate::table::LARGEST;

/// The rows of a block in a search through all rows.
const BLOCK: usize = 4096;

/// The targets of all distinct rows. The samples of one row that share a target are one *atom*,
/// `(y, s)`, where `s` is the sum of their weights. A row without atoms has the loss zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Targets {
    offsets: Option<Vec<usize>>,
    values: Vec<f64>,
    weights: Option<Vec<f64>>,
}

/// The atoms of one row.
#[derive(Debug, Clone, Copy)]
pub struct Atoms<'a> {
    values: &'a [f64],
    weights: Option<&'a [f64]>,
}

impl<'a> Atoms<'a> {
    /// The atoms: each a target `y` with its weight `s`.
    pub fn iter(self) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
        let weight = move |k: usize| self.weights.map_or(1.0, |w| w[k]);
        self.values.iter().enumerate().map(move |(k, &y)| (y, weight(k)))
    }

    /// The number of distinct targets of the row.
    pub fn len(self) -> usize {
        self.values.len()
    }

    /// The target, if there is only one and its weight is one.
    pub fn single(self) -> Option<f64> {
        match (self.values, self.weights) {
            (&[y], None | Some([1.0])) => Some(y),
            _ => None,
        }
    }

    /// Whether the row has no target at all.
    pub fn is_empty(self) -> bool {
        self.values.is_empty()
    }

    /// `Σ s`.
    pub fn weight(self) -> f64 {
        self.weights.map_or(self.values.len() as f64, |w| w.iter().sum())
    }
}

impl Targets {
    /// One target of weight one for each row.
    ///
    /// # Panics
    /// When a target is not finite.
    pub fn plain(y: Vec<f64>) -> Self {
        assert!(y.iter().all(|y| y.is_finite()), "targets are finite");
        Self { offsets: None, values: y, weights: None }
    }

    /// The targets of `rows` distinct rows, where sample `i` belongs to row `row_of[i]`.
    ///
    /// # Errors
    /// When a target or weight is not finite, a weight is negative, or all weights are zero.
    pub fn grouped(
        rows: usize,
        row_of: &[u32],
        y: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Self, Error> {
        if let Some(i) = y.iter().position(|y| y.is_nan() || y.abs() > LARGEST) {
            return Err(Error::Target { row: i + 1, value: y[i] });
        }
        if let Some(weights) = weights {
            check_weights(weights, y.len())?;
        }
        if rows == y.len() && weights.is_none() {
            return Ok(Self { offsets: None, values: y.to_vec(), weights: None });
        }
        let mut samples: Vec<u32> = (0..y.len() as u32).collect();
        samples.sort_by(|&a, &b| {
            let key = |i: u32| (row_of[i as usize], y[i as usize] + 0.0);
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut offsets = Vec::with_capacity(rows + 1);
        let (mut values, mut sums) = (Vec::<f64>::new(), Vec::<f64>::new());
        for i in samples.into_iter().map(|i| i as usize) {
            let s = weights.map_or(1.0, |w| w[i]);
            if s == 0.0 {
                continue;
            }
            while offsets.len() <= row_of[i] as usize {
                offsets.push(values.len());
            }
            let first = *offsets.last().expect("pushed above");
            match values.last() {
                Some(&last) if values.len() > first && last == y[i] => {
                    *sums.last_mut().expect("as long as the values") += s;
                }
                _ => {
                    values.push(y[i] + 0.0);
                    sums.push(s);
                }
            }
        }
        offsets.resize(rows + 1, values.len());
        Ok(Self { offsets: Some(offsets), values, weights: Some(sums) })
    }

    /// The number of distinct rows.
    pub fn rows(&self) -> usize {
        self.offsets.as_ref().map_or(self.values.len(), |o| o.len() - 1)
    }

    /// The targets of row `g`.
    pub fn row(&self, g: usize) -> Atoms<'_> {
        let range = match &self.offsets {
            Some(offsets) => offsets[g]..offsets[g + 1],
            None => g..g + 1,
        };
        let weights = self.weights.as_ref().map(|w| &w[range.clone()]);
        Atoms { values: &self.values[range], weights }
    }

    /// The targets of these rows, in this order.
    pub fn select(&self, rows: &[u32]) -> Self {
        let atoms = || rows.iter().map(|&g| self.row(g as usize));
        let offsets = self.offsets.as_ref().map(|_| {
            let ends = atoms().scan(0, |end, a| {
                *end += a.len();
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect()
        });
        let values = atoms().flat_map(|a| a.values.to_vec()).collect();
        let weights = (self.weights.as_ref())
            .map(|_| atoms().flat_map(|a| a.iter().map(|(_, s)| s).collect::<Vec<_>>()).collect());
        Self { offsets, values, weights }
    }

    /// The atoms of every row, in order.
    pub fn iter(&self) -> impl Iterator<Item = Atoms<'_>> + Clone {
        (0..self.rows()).map(|g| self.row(g))
    }

    /// `y` itself, if every row has one target of weight one.
    pub fn as_plain(&self) -> Option<&[f64]> {
        (self.offsets.is_none() && self.weights.is_none()).then_some(&self.values)
    }

    /// One row for each distinct target (for example two classes, or a few levels), with the total
    /// weight of all rows that have it. Sums over rows are then sums over these few. `None` if a
    /// row does not have exactly one target, or if there are more than `most` distinct targets.
    pub(crate) fn kinds(&self, most: usize) -> Option<Self> {
        let one = |offsets: &Vec<usize>| offsets.iter().enumerate().all(|(g, &o)| g == o);
        if !self.offsets.as_ref().is_none_or(one) {
            return None;
        }
        let (mut kinds, mut sums) = (Vec::<f64>::new(), Vec::<f64>::new());
        for start in (0..self.values.len()).step_by(BLOCK) {
            let block = start..self.values.len().min(start + BLOCK);
            let (y, s) = (&self.values[block.clone()], self.weights.as_ref().map(|s| &s[block]));
            // Counts each target over all rows at once, without a branch for each row.
            let count = |kind: f64| y.iter().map(|&y| usize::from(y == kind)).sum::<usize>();
            while kinds.iter().map(|&kind| count(kind)).sum::<usize>() < y.len() {
                let new = y.iter().find(|y| !kinds.contains(y)).expect("one that is not counted");
                if kinds.len() == most {
                    return None;
                }
                kinds.push(*new);
                sums.push(0.0);
            }
            for (kind, sum) in kinds.iter().zip(&mut sums) {
                *sum += match s {
                    None => count(*kind) as f64,
                    Some(s) => {
                        (y.iter().zip(s)).map(|(y, s)| if y == kind { *s } else { 0.0 }).sum()
                    }
                };
            }
        }
        Some(Self { offsets: None, values: kinds, weights: Some(sums) })
    }

    /// The target of every atom, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

fn check_weights(weights: &[f64], samples: usize) -> Result<(), Error> {
    if weights.len() != samples {
        let found = weights.len();
        return Err(Error::Length { what: "sample weights", expected: samples, found });
    }
    if let Some(i) = weights.iter().position(|s| !(*s >= 0.0 && *s <= LARGEST)) {
        return Err(Error::SampleWeight(format!("row {} has {}", i + 1, weights[i])));
    }
    if weights.iter().all(|&s| s == 0.0) {
        return Err(Error::SampleWeight("all are zero".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms(targets: &Targets) -> Vec<Vec<(f64, f64)>> {
        targets.iter().map(|a| a.iter().collect()).collect()
    }

    #[test]
    fn samples_of_a_row_with_one_target_are_one_atom() {
        let targets = Targets::grouped(2, &[0, 1, 0, 0], &[1.0, 5.0, -1.0, 1.0], None).unwrap();
        assert_eq!(atoms(&targets), [vec![(-1.0, 1.0), (1.0, 2.0)], vec![(5.0, 1.0)]]);
    }

    #[test]
    fn weights_add_up_and_zeros_leave_empty_rows() {
        let s = [0.0, 2.0, 0.5, 0.0];
        let targets = Targets::grouped(4, &[0, 1, 1, 3], &[1.0, 1.0, 1.0, 2.0], Some(&s)).unwrap();
        assert_eq!(atoms(&targets), [vec![], vec![(1.0, 2.5)], vec![], vec![]]);
        assert!(targets.row(0).is_empty());
        assert_eq!(targets.row(1).weight(), 2.5);
    }

    #[test]
    fn some_rows_keep_their_atoms() {
        let grouped = Targets::grouped(3, &[0, 1, 0, 2], &[1.0, 5.0, -1.0, 2.0], None).unwrap();
        assert_eq!(
            atoms(&grouped.select(&[2, 0])),
            [vec![(2.0, 1.0)], vec![(-1.0, 1.0), (1.0, 1.0)]]
        );
        let plain = Targets::plain(vec![1.0, 2.0, 3.0]);
        assert_eq!(plain.select(&[2, 1]), Targets::plain(vec![3.0, 2.0]));
        assert_eq!(plain.select(&[]).rows(), 0);
    }

    #[test]
    fn few_kinds_of_targets_are_counted() {
        let y: Vec<f64> = (0..10_000).map(|i| f64::from(i % 7 / 3) - 1.0).collect();
        let plain = Targets::plain(y.clone());
        let counts = |of: f64| y.iter().filter(|y| **y == of).count() as f64;
        let expected: Vec<_> = [-1.0, 0.0, 1.0].map(|kind| vec![(kind, counts(kind))]).into();
        assert_eq!(atoms(&plain.kinds(3).unwrap()), expected);
        assert!(plain.kinds(2).is_none());
        // Weights add up. A row with two targets, or with none, has no kind.
        let grouped = |rows, row_of: &[u32], y: &[f64], s: &[f64]| {
            Targets::grouped(rows, row_of, y, Some(s)).unwrap().kinds(4)
        };
        let weighted = grouped(3, &[0, 1, 2], &[1.0, 2.0, 1.0], &[0.5, 1.0, 2.0]).unwrap();
        assert_eq!(atoms(&weighted), [vec![(1.0, 2.5)], vec![(2.0, 1.0)]]);
        assert!(grouped(2, &[0, 1, 0], &[1.0, 2.0, 3.0], &[1.0; 3]).is_none());
        assert!(grouped(3, &[0, 1, 2], &[1.0, 2.0, 1.0], &[1.0, 0.0, 1.0]).is_none());
        assert_eq!(Targets::plain(Vec::new()).kinds(1).unwrap().rows(), 0);
    }

    #[test]
    fn bad_weights_are_refused() {
        let grouped = |s: &[f64]| Targets::grouped(2, &[0, 1], &[1.0, 2.0], Some(s));
        assert!(grouped(&[1.0]).is_err());
        assert!(grouped(&[1.0, -1.0]).is_err());
        assert!(grouped(&[0.0, 0.0]).is_err());
        assert!(grouped(&[f64::NAN, 0.0]).is_err());
    }
}
