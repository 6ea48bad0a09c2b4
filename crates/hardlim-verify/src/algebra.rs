//! What a circuit computes, as formulas that are equal if and only if they are written alike.
//!
//! A value is a sum `c + Σ kⱼ aⱼ` of integers. The `aⱼ` are inputs, tests `1{f ≥ 0}` of
//! such sums, or values of which only the range is known. Tests are written in one way: a test that
//! has one answer on the whole range of its sum is a constant, a test of a single bit is the bit or
//! its complement, a common factor is divided out, and the first factor is positive, because `1{f
//! ≥ 0} = 1 − 1{−f − 1 ≥ 0}`.
//!
//! A sum that does not fit 128 bits is beyond all formulas, and so is everything that is computed
//! from it.
//!
//! Proofs of exports read what was written back into such formulas, and compare them with those of
//! the circuit: equal formulas have equal values on every input within the bounds.

use std::collections::{BTreeMap, HashMap};

use hardlim::export::Circuit;

/// An input or a test.
pub(crate) type Atom = usize;

/// `c + Σ kⱼ aⱼ`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Form {
    pub(crate) constant: i128,
    /// The factors, which are not zero.
    pub(crate) terms: BTreeMap<Atom, i128>,
    /// Whether a number did not fit 128 bits: then nothing is known.
    pub(crate) beyond: bool,
}

/// The range of what is beyond 128 bits: wider than any bits, and far enough from the ends to
/// compute with.
const BEYOND: (i128, i128) = (i128::MIN / 16, i128::MAX / 16);

impl Form {
    /// `c + Σ kⱼ aⱼ`; the factors are not zero.
    pub(crate) fn new(constant: i128, terms: BTreeMap<Atom, i128>) -> Self {
        Self { constant, terms, beyond: false }
    }

    pub(crate) fn constant(value: i128) -> Self {
        Self::new(value, BTreeMap::new())
    }

    pub(crate) fn atom(atom: Atom) -> Self {
        Self::new(0, BTreeMap::from([(atom, 1)]))
    }

    fn beyond() -> Self {
        Self { beyond: true, ..Self::default() }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.checked_plus(other).unwrap_or_else(Self::beyond)
    }

    /// The sum, if it fits.
    fn checked_plus(&self, other: &Self) -> Option<Self> {
        if self.beyond || other.beyond {
            return None;
        }
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant)?;
        for (&atom, &k) in &other.terms {
            let factor = sum.terms.entry(atom).or_insert(0);
            *factor = factor.checked_add(k)?;
            if *factor == 0 {
                sum.terms.remove(&atom);
            }
        }
        Some(sum)
    }

    pub(crate) fn times(&self, k: i128) -> Self {
        if k == 0 && !self.beyond {
            return Self::default();
        }
        let terms = self.terms.iter().map(|(&atom, &factor)| Some((atom, factor.checked_mul(k)?)));
        match (self.beyond, self.constant.checked_mul(k), terms.collect()) {
            (false, Some(constant), Some(terms)) => Self::new(constant, terms),
            _ => Self::beyond(),
        }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(-1))
    }

    /// Its value, if it is a constant.
    pub(crate) fn known(&self) -> Option<i128> {
        (self.terms.is_empty() && !self.beyond).then_some(self.constant)
    }
}

/// The atoms that formulas are made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Algebra {
    /// The smallest and the largest value of each atom.
    ranges: Vec<(i128, i128)>,
    inputs: HashMap<usize, Atom>,
    tests: HashMap<Form, Atom>,
}

impl Algebra {
    /// An input with its bounds.
    pub(crate) fn input(&mut self, j: usize, least: i64, most: i64) -> Form {
        let ranges = &mut self.ranges;
        let atom = *self.inputs.entry(j).or_insert_with(|| {
            ranges.push((least.into(), most.into()));
            ranges.len() - 1
        });
        Form::atom(atom)
    }

    /// A value about which only its range is known.
    pub(crate) fn opaque(&mut self, range: (i128, i128)) -> Form {
        self.ranges.push(range);
        Form::atom(self.ranges.len() - 1)
    }

    /// The range of a sum, as if its atoms did not depend on each other.
    pub(crate) fn range(&self, form: &Form) -> (i128, i128) {
        let sum = |(low, high): (i128, i128), (&atom, k): (&Atom, &i128)| {
            let (least, most) = self.ranges[atom];
            let (a, b) = (k.checked_mul(least)?, k.checked_mul(most)?);
            Some((low.checked_add(a.min(b))?, high.checked_add(a.max(b))?))
        };
        let found = form.terms.iter().try_fold((form.constant, form.constant), sum);
        found.filter(|_| !form.beyond).unwrap_or(BEYOND)
    }

    /// Whether a formula is zero or one.
    pub(crate) fn is_bit(&self, form: &Form) -> bool {
        let (least, most) = self.range(form);
        least >= 0 && most <= 1
    }

    /// `1{f ≥ 0}`.
    pub(crate) fn test(&mut self, form: &Form) -> Form {
        if form.beyond {
            return Form::beyond();
        }
        let (least, most) = self.range(form);
        if least >= 0 || most < 0 {
            return Form::constant(i128::from(least >= 0));
        }
        if let (1, Some((&atom, &k))) = (form.terms.len(), form.terms.iter().next())
            && self.ranges[atom] == (0, 1)
        {
            // It depends on the bit, so the answers differ.
            let bit = Form::atom(atom);
            return if k > 0 { bit } else { Form::constant(1).minus(&bit) };
        }
        if form.terms.values().next().is_some_and(|&k| k < 0) {
            let opposite = self.test(&Form::constant(-1).minus(form));
            return Form::constant(1).minus(&opposite);
        }
        let divisor = form.terms.values().fold(0, |d, k| gcd(d, k.abs())).max(1);
        let terms = form.terms.iter().map(|(&atom, k)| (atom, k / divisor)).collect();
        let reduced = Form::new(form.constant.div_euclid(divisor), terms);
        let ranges = &mut self.ranges;
        Form::atom(*self.tests.entry(reduced).or_insert_with(|| {
            ranges.push((0, 1));
            ranges.len() - 1
        }))
    }

    /// The sums of a circuit, by definition.
    pub(crate) fn sums(&mut self, circuit: &Circuit) -> Vec<Form> {
        let inputs: Vec<Form> = (circuit.inputs.iter().enumerate())
            .map(|(j, input)| self.input(j, input.least, input.most))
            .collect();
        let weighted = |below: &[Form], terms: &[(usize, i64)], constant: i64| {
            let start = Form::constant(constant.into());
            terms.iter().fold(start, |sum, &(j, k)| sum.plus(&below[j].times(k.into())))
        };
        let mut sums = Vec::new();
        for stack in &circuit.stacks {
            let mut below = inputs.clone();
            for gates in &stack.layers {
                let mut answers = Vec::new();
                for gate in gates {
                    let terms: Vec<(usize, i64)> =
                        gate.terms.iter().map(|&(j, k)| (j as usize, k)).collect();
                    answers.push(self.test(&weighted(&below, &terms, gate.bias)));
                }
                below = answers;
            }
            let terms: Vec<(usize, i64)> = stack.amplitudes.iter().copied().enumerate().collect();
            sums.push(weighted(&below, &terms, stack.offset));
        }
        sums
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_stays_unknown() {
        let mut algebra = Algebra::default();
        let x = algebra.input(0, -8, 7);
        let wide = x.times(1 << 100);
        let beyond = wide.times(1 << 100);
        assert!(beyond.beyond && !wide.beyond);
        let near = x.times(i128::MAX / 2).plus(&x.times(i128::MAX / 2));
        assert!(near.plus(&near).beyond && !near.beyond);
        // Neither a difference, nor a product with zero, nor a test makes it known again.
        assert!(beyond.minus(&beyond).beyond && beyond.times(0).beyond);
        assert!(algebra.test(&beyond).beyond && beyond.times(0).known().is_none());
        assert_ne!(beyond, Form::default());
        assert!(algebra.range(&near).0 < -(1 << 120) && algebra.range(&near).1 > 1 << 120);
    }

    #[test]
    fn a_test_is_written_in_one_way() {
        let mut algebra = Algebra::default();
        let (x, bit) = (algebra.input(0, -8, 7), algebra.input(1, 0, 1));
        let at_least = |algebra: &mut Algebra, k: i128, b: i128| {
            algebra.test(&x.times(k).plus(&Form::constant(b)))
        };
        // 3x ≥ 5, x ≥ 2, and the opposite of −x ≥ −1.
        let two = at_least(&mut algebra, 1, -2);
        assert_eq!(at_least(&mut algebra, 3, -5), two);
        let opposite = at_least(&mut algebra, -1, 1);
        assert_eq!(Form::constant(1).minus(&opposite), two);
        assert_ne!(at_least(&mut algebra, 1, -1), two);
        assert_eq!(at_least(&mut algebra, 1, 8), Form::constant(1));
        assert_eq!(at_least(&mut algebra, 1, -8), Form::constant(0));
        let off = algebra.test(&bit.times(-5).plus(&Form::constant(3)));
        assert_eq!(off, Form::constant(1).minus(&bit));
        assert!(algebra.is_bit(&off) && algebra.is_bit(&two) && !algebra.is_bit(&x));
    }
}
