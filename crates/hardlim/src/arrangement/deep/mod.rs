//! The patterns of deep networks, by recursion over layers.
//!
//! `H(X;) = H(X)`, and `H(X; m₁ … mₖ)` is the union over all sets `S` of at most `m₁` columns of
//! `H(X)` of `H(D_S; m₂ … mₖ)`: the neurons of one layer share the layer below. The *tree* pools
//! the columns over all sets before the next layer, so that each neuron has its own inputs (the
//! paper's recursion). For one width the two agree.
//!
//! Most sets can be skipped. A weight can be zero, so a larger set gives all patterns of a smaller
//! one, and only the largest sets matter. With a bias, a column and its complement give the same
//! patterns, and a constant column acts as a bias. So one column of each pair matters, and
//! constants never do. `H(D_S; …)` depends only on the distinct rows of `D_S`, which are few, so it
//! is computed once for each set of them.

mod bound;
mod sample;
mod subnetwork;

pub use subnetwork::Subnetwork;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::enumerate::NEVER;
use super::size::{binomial, power_of_two};
use super::{Arrangement, Dictionary, Hyperplane};
use crate::data::Features;
use crate::error::Error;
use crate::pattern::{Pattern, PatternMatrix};

impl Arrangement<'_> {
    /// `H(X; m₁ … mₖ)`, or the patterns of the tree.
    ///
    /// # Errors
    /// When there may be more patterns than `limit`, or more sets of columns to visit in a layer;
    /// when a cell is too narrow for weights in double precision.
    pub fn deep(
        &self,
        widths: &[usize],
        tree: bool,
        limit: u128,
    ) -> Result<Dictionary<Subnetwork>, Error> {
        self.deep_until(widths, tree, limit, &NEVER)
    }

    /// The same, which stops soon after `stop` becomes true.
    ///
    /// # Errors
    /// Those of [`Arrangement::deep`], and when interrupted.
    pub fn deep_until(
        &self,
        widths: &[usize],
        tree: bool,
        limit: u128,
        stop: &AtomicBool,
    ) -> Result<Dictionary<Subnetwork>, Error> {
        let (features, bound) = (self.features(), self.deep_bound(widths, tree));
        if bound > limit {
            let column = PatternMatrix::bytes_per_pattern(features.rows()) as u128;
            let bytes = bound.saturating_mul(column);
            return Err(Error::ArrangementTooLarge { bound, bytes, limit });
        }
        let recursion = Recursion { bias: self.has_bias(), limit, stop };
        let memory = &mut Memory::new();
        if !tree {
            return Ok(recursion.layers(features, widths, memory)?.dictionary(features.rows()));
        }
        let mut found = recursion.layers(features, &[], memory)?;
        for &width in widths {
            found = recursion.pool(features.rows(), &found, width, memory)?;
        }
        Ok(found.dictionary(features.rows()))
    }
}

struct Recursion<'a> {
    bias: bool,
    limit: u128,
    stop: &'a AtomicBool,
}

/// Patterns and the subnetworks behind them, in the order they were found.
#[derive(Debug, Default)]
struct DistinctPatterns {
    patterns: Vec<Pattern>,
    subnetworks: Vec<Subnetwork>,
    seen: HashMap<Pattern, usize>,
}

impl DistinctPatterns {
    /// Adds a pattern unless it is already there.
    fn insert(&mut self, pattern: Pattern, subnetwork: impl FnOnce() -> Subnetwork) {
        let next = self.patterns.len();
        self.seen.entry(pattern).or_insert_with_key(|pattern| {
            self.patterns.push(pattern.clone());
            self.subnetworks.push(subnetwork());
            next
        });
    }

    fn dictionary(self, rows: usize) -> Dictionary<Subnetwork> {
        let patterns = PatternMatrix::from_patterns(rows, &self.patterns);
        Dictionary { patterns, witnesses: self.subnetworks }
    }

    /// Whether every dichotomy has been found.
    fn is_complete(&self, rows: usize) -> bool {
        self.patterns.len() as u128 == power_of_two(rows)
    }
}

/// The results so far, by the distinct rows of zeros and ones and the number of widths left.
type Memory = HashMap<(Vec<Vec<bool>>, usize), Rc<DistinctPatterns>>;

impl Recursion<'_> {
    /// `H(X; widths)` on these features.
    fn layers(
        &self,
        features: &Features,
        widths: &[usize],
        memory: &mut Memory,
    ) -> Result<DistinctPatterns, Error> {
        let arrangement = Arrangement::with_bias(features, self.bias);
        let first = arrangement.listing(self.limit)?.until(self.stop).dictionary()?;
        let patterns: Vec<Pattern> = (0..first.len()).map(|j| first.patterns.pattern(j)).collect();
        let mut found = DistinctPatterns::default();
        let [width, rest @ ..] = widths else {
            for (pattern, plane) in patterns.into_iter().zip(first.witnesses) {
                found.insert(pattern, || plane.into());
            }
            return Ok(found);
        };
        self.for_each_set(&patterns, *width, |set| {
            let layer: Vec<Hyperplane> = set.iter().map(|&j| first.witnesses[j].clone()).collect();
            let (codes, row_of) = codes(features.rows(), &patterns, set);
            let inner = self.on_codes(codes, rest, memory)?;
            for (pattern, subnetwork) in inner.patterns.iter().zip(&inner.subnetworks) {
                let pattern = Pattern::from_fn(features.rows(), |i| pattern.get(row_of[i]));
                found.insert(pattern, || subnetwork.above(layer.clone()));
            }
            Ok(found.is_complete(features.rows()))
        })?;
        Ok(found)
    }

    fn pool(
        &self,
        rows: usize,
        below: &DistinctPatterns,
        width: usize,
        memory: &mut Memory,
    ) -> Result<DistinctPatterns, Error> {
        let mut found = DistinctPatterns::default();
        let depth = below.subnetworks.first().map_or(0, |part| part.layers().len());
        self.for_each_set(&below.patterns, width, |set| {
            let parts: Vec<&Subnetwork> = set.iter().map(|&j| &below.subnetworks[j]).collect();
            let (codes, row_of) = codes(rows, &below.patterns, set);
            let inner = self.on_codes(codes, &[], memory)?;
            for (pattern, neuron) in inner.patterns.iter().zip(&inner.subnetworks) {
                let pattern = Pattern::from_fn(rows, |i| pattern.get(row_of[i]));
                found.insert(pattern, || Subnetwork::join(&parts, depth, &neuron.layers()[0][0]));
            }
            Ok(found.is_complete(rows))
        })?;
        Ok(found)
    }

    /// `H(D_S; widths)`, on the distinct rows of `D_S`.
    fn on_codes(
        &self,
        codes: Vec<Vec<bool>>,
        widths: &[usize],
        memory: &mut Memory,
    ) -> Result<Rc<DistinctPatterns>, Error> {
        let key = (codes, widths.len());
        if let Some(found) = memory.get(&key) {
            return Ok(Rc::clone(found));
        }
        let (rows, width) = (key.0.len(), key.0.first().map_or(0, Vec::len));
        let values = key.0.iter().flatten().map(|&on| f64::from(on)).collect();
        let found = Rc::new(self.layers(&Features::new(rows, width, values)?, widths, memory)?);
        memory.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// Visits the sets of columns that matter, in lexicographic order, until `visit` returns true.
    fn for_each_set(
        &self,
        patterns: &[Pattern],
        width: usize,
        mut visit: impl FnMut(&[usize]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let matters = |pattern: &Pattern| {
            let empty = pattern.count() == 0;
            let representative = !self.bias || !pattern.get(0);
            !empty && representative
        };
        let columns: Vec<usize> = (0..patterns.len()).filter(|&j| matters(&patterns[j])).collect();
        let width = width.min(columns.len());
        let sets = binomial(columns.len() as u128, width as u128);
        if sets > self.limit {
            return Err(Error::TooManySets { sets, limit: self.limit });
        }
        let mut places: Vec<usize> = (0..width).collect();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let set: Vec<usize> = places.iter().map(|&k| columns[k]).collect();
            if visit(&set)? {
                return Ok(());
            }
            // The next set: move the last place that can move.
            let free = (0..width).rev().find(|&k| places[k] + width - k < columns.len());
            let Some(k) = free else { return Ok(()) };
            places[k] += 1;
            (k + 1..width).for_each(|l| places[l] = places[l - 1] + 1);
        }
    }
}

/// The distinct rows of `D_S` in ascending order, and the position of every row among them.
fn codes(rows: usize, patterns: &[Pattern], set: &[usize]) -> (Vec<Vec<bool>>, Vec<usize>) {
    let code = |i: usize| -> Vec<bool> { set.iter().map(|&j| patterns[j].get(i)).collect() };
    let all: Vec<Vec<bool>> = (0..rows).map(code).collect();
    let mut distinct = all.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let place = |code| distinct.binary_search(code).expect("one of the distinct ones");
    let row_of = all.iter().map(place).collect();
    (distinct, row_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rows: usize) -> Features {
        Features::new(rows, 1, (0..rows).map(|i| i as f64).collect()).unwrap()
    }

    fn count(features: &Features, widths: &[usize], tree: bool) -> usize {
        let arrangement = Arrangement::of(features);
        let dictionary = arrangement.deep(widths, tree, u128::MAX).unwrap();
        for (j, subnetwork) in dictionary.witnesses.iter().enumerate() {
            for i in 0..features.rows() {
                let on = subnetwork.fires(features.row(i));
                assert_eq!(on, dictionary.patterns.get(i, j));
            }
            let depth = subnetwork.layers().len();
            assert_eq!(depth, widths.len() + 1);
        }
        let patterns = dictionary.patterns.patterns();
        assert!(patterns as u128 <= arrangement.deep_bound(widths, tree));
        patterns
    }

    #[test]
    fn two_neurons_shatter_three_points_on_a_line() {
        assert_eq!(count(&line(3), &[], false), 6);
        assert_eq!(count(&line(3), &[2], false), 8);
    }

    #[test]
    fn widths_of_collinear_points_give_the_known_counts() {
        for (width, expected) in [(1, 10), (2, 22), (3, 30), (4, 32)] {
            assert_eq!(count(&line(5), &[width], false), expected);
            assert_eq!(count(&line(5), &[width], true), expected);
        }
        assert_eq!(count(&line(5), &[1, 2], false), 10);
        assert_eq!(count(&line(5), &[1, 2], true), 22);
    }

    #[test]
    fn every_set_is_as_good_as_those_that_matter() {
        // The definition, set by set, on all columns.
        let square = Features::new(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        for (features, bias) in
            [(line(4), true), (square.clone(), true), (square, false), (line(4), false)]
        {
            let arrangement = Arrangement::with_bias(&features, bias);
            let patterns = |f: &Features| -> Vec<Pattern> {
                let arrangement = Arrangement::with_bias(f, bias);
                let all = arrangement.listing(u128::MAX).unwrap().patterns().unwrap();
                (0..all.patterns()).map(|j| all.pattern(j)).collect()
            };
            let columns = patterns(&features);
            let mut expected = std::collections::HashSet::new();
            for set in 0..1usize << columns.len() {
                let set: Vec<usize> = (0..columns.len()).filter(|j| set >> j & 1 == 1).collect();
                if set.len() > 2 {
                    continue;
                }
                let (codes, row_of) = codes(features.rows(), &columns, &set);
                let values = codes.iter().flatten().map(|&on| f64::from(on)).collect();
                let inner = Features::new(codes.len(), set.len(), values).unwrap();
                for p in patterns(&inner) {
                    expected.insert(Pattern::from_fn(features.rows(), |i| p.get(row_of[i])));
                }
            }
            let found = arrangement.deep(&[2], false, u128::MAX).unwrap();
            assert_eq!(found.patterns.patterns(), expected.len());
            assert!((0..expected.len()).all(|j| expected.contains(&found.patterns.pattern(j))));
        }
    }

    #[test]
    fn what_takes_too_long_is_refused() {
        let features = line(6);
        let arrangement = Arrangement::of(&features);
        assert!(matches!(
            arrangement.deep(&[2], false, 40),
            Err(Error::ArrangementTooLarge { bound: 64, limit: 40, .. })
        ));
        let features = line(40);
        let stop = AtomicBool::new(true);
        let stopped = Arrangement::of(&features).deep_until(&[3], false, u128::MAX, &stop);
        assert!(matches!(stopped, Err(Error::Interrupted)));
    }
}
