//! Inputs of few bits: `x′ = c · 2⁻ᵍ` with `c = round(x · 2ᵍ)` within `o … o + 2ᵇ − 1`.
//!
//! The step is a power of two, so a program gets the code `c − o` by a shift, a rounding and a
//! subtraction. Values beyond the range become its ends. Step and range are those that tell the
//! rows of training apart best: among the steps at which `b` bits cover all values, and finer ones
//! that cover most of them, the one whose codes have the highest entropy; among equals, the
//! coarsest. An even grid needs no table of thresholds, and the choice of the range gives most of
//! what quantiles would give on a skewed column. It does not look at the target.
//!
//! Features are rounded before training, so patterns, margins and certificates are those of the
//! rounded rows, and an export with as many bits loses nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::table::Fault;

/// The most bits of an input.
const MOST_BITS: u32 = 16;
/// Codes are smaller than this power of two, like all inputs in fixed point.
const CODE_BITS: i32 = 30;
/// How many times the step is halved to see whether less range and finer steps are better.
const HALVINGS: i32 = 24;
/// Entropies that differ by less are the same.
const SAME: f64 = 1e-9;
/// Numbers are within `10^±60`, so shifts are within this.
const MOST_SHIFT: u32 = 240;

/// The steps of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Steps {
    /// `g`.
    pub(crate) shift: i32,
    /// `o`.
    pub(crate) first: i64,
    /// `b`: the bits of this column.
    pub(crate) bits: u32,
}

impl Steps {
    /// Refuses a number of bits out of range.
    pub(super) fn check_bits(bits: u32) -> Result<(), Fault> {
        if (1..=MOST_BITS).contains(&bits) {
            return Ok(());
        }
        Err(Fault::Other(format!("`bits` must be between 1 and {MOST_BITS}, got {bits}")))
    }

    /// The steps for these values, with at most `most_bits` bits.
    pub(super) fn fit(values: &[f64], most_bits: u32) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (Some(&least), Some(&most)) = (sorted.first(), sorted.last()) else {
            return Self { shift: 0, first: 0, bits: 1 };
        };
        let size = least.abs().max(most.abs()).max(f64::MIN_POSITIVE);
        let finest = (CODE_BITS - 1 - size.log2().ceil() as i32).min(MOST_SHIFT as i32);
        let codes = 1i64 << most_bits;
        let covers = |g: i32| code(most, g) - code(least, g) < codes;
        let mut all = finest;
        while !covers(all) {
            all -= 1;
        }
        let exact = |g: i32| sorted.iter().all(|x| scale(*x, g).fract() == 0.0);
        if exact(all) {
            // Nothing is lost. Whole numbers stay whole numbers.
            while all > 0 && exact(all - 1) {
                all -= 1;
            }
            return Self::from_window(all, code(least, all), code(most, all));
        }
        let finest = if exact(0) { finest.min(0) } else { finest }.min(all + HALVINGS);
        let window = |g: i32| Self::best_window(&sorted, g, codes);
        let mut best = window(all);
        for found in (all + 1..=finest).map(window) {
            if found.0 > best.0 + SAME {
                best = found;
            }
        }
        // Coarser steps that tell as many rows apart have fewer bits.
        while best.0 > SAME {
            let coarser = window(best.1.shift - 1);
            if coarser.0 < best.0 - SAME {
                break;
            }
            best = coarser;
        }
        best.1
    }

    /// The range of `codes` codes with the most rows, and the entropy of the codes within it.
    fn best_window(sorted: &[f64], shift: i32, codes: i64) -> (f64, Self) {
        let at: Vec<i64> = sorted.iter().map(|x| code(*x, shift)).collect();
        let (mut end, mut most, mut first) = (0, 0, at[0]);
        for (start, &low) in at.iter().enumerate() {
            while end < at.len() && at[end] - low < codes {
                end += 1;
            }
            if end - start > most {
                (most, first) = (end - start, low);
            }
        }
        let last = (first + codes - 1).min(at[at.len() - 1]);
        let mut counts = BTreeMap::<i64, usize>::new();
        for c in at {
            *counts.entry(c.clamp(first, last)).or_default() += 1;
        }
        let share = |count: &usize| *count as f64 / sorted.len() as f64;
        let entropy = counts.values().map(|c| -share(c) * share(c).ln()).sum();
        (entropy, Self::from_window(shift, first, last))
    }

    fn from_window(shift: i32, first: i64, last: i64) -> Self {
        let bits = (i64::BITS - (last - first).leading_zeros()).max(1);
        Self { shift, first, bits }
    }

    /// What is wrong with stored steps, if anything is.
    pub(super) fn reason(&self) -> Option<&'static str> {
        let fits = (1..=MOST_BITS).contains(&self.bits)
            && self.shift.unsigned_abs() <= MOST_SHIFT
            && self.first.unsigned_abs() < 1 << CODE_BITS;
        (!fits).then_some("steps that are out of range")
    }

    pub(crate) fn last(&self) -> i64 {
        self.first + (1 << self.bits) - 1
    }

    /// `x′`.
    pub(crate) fn round(&self, x: f64) -> f64 {
        self.value(code(x, self.shift).clamp(self.first, self.last()))
    }

    fn value(&self, code: i64) -> f64 {
        scale(code as f64, -self.shift)
    }

    pub(crate) fn step(&self) -> f64 {
        self.value(1)
    }

    pub(crate) fn range(&self) -> (f64, f64) {
        (self.value(self.first), self.value(self.last()))
    }

    /// The numbers that are at least, or at most, this value once they are rounded: the last of
    /// them on that side. `Err` says whether these are all numbers or none.
    pub(crate) fn edge(&self, at_least: bool, value: f64) -> Result<f64, bool> {
        let inside =
            |x: f64| if at_least { self.round(x) >= value } else { self.round(x) <= value };
        let (low, high) = self.range();
        match (inside(low), inside(high)) {
            (true, true) => return Err(true),
            (false, false) => return Err(false),
            _ => (),
        }
        let scaled = scale(value, self.shift);
        let edge = if at_least { scaled.ceil() - 0.5 } else { scaled.floor() + 0.5 };
        let edge = scale(edge, -self.shift);
        // Halves are rounded away from zero.
        Ok(match (inside(edge), at_least) {
            (true, _) => edge,
            (false, true) => edge.next_up(),
            (false, false) => edge.next_down(),
        })
    }
}

/// `x · 2ᵍ`.
fn scale(x: f64, g: i32) -> f64 {
    x * 2f64.powi(g)
}

fn code(x: f64, g: i32) -> i64 {
    scale(x, g).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_that_fit_stay_as_they_are() {
        let steps = Steps::fit(&[1990.0, 2004.0, 2021.0], 5);
        assert_eq!(steps, Steps { shift: 0, first: 1990, bits: 5 });
        assert_eq!(steps.round(1850.0), 1990.0);
        assert_eq!(Steps::fit(&[0.0, 1.0, 1.0], 8), Steps { shift: 0, first: 0, bits: 1 });
        let halves = Steps::fit(&[0.5, 1.5, -2.5], 4);
        assert_eq!(halves, Steps { shift: 1, first: -5, bits: 4 });
    }

    #[test]
    fn a_far_value_does_not_make_the_steps_coarse() {
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        values.push(1e6);
        let steps = Steps::fit(&values, 4);
        assert_eq!((steps.step(), steps.bits), (8.0, 4));
        assert_eq!(steps.range(), (0.0, 120.0));
        assert_eq!(steps.round(1e6), 120.0);
    }

    #[test]
    fn few_values_have_few_bits() {
        let steps = Steps::fit(&[-0.354555, 2.82, 2.82, -0.354555], 6);
        assert_eq!(steps.bits, 1);
        assert!(steps.round(-0.354555) < steps.round(2.82));
        assert_eq!(Steps::fit(&[-1.03, 0.11, 1.23, 0.11], 6).bits, 2);
    }

    #[test]
    fn one_value_and_none_have_steps() {
        assert_eq!(Steps::fit(&[3.0], 1).round(3.0), 3.0);
        assert_eq!(Steps::fit(&[], 1).bits, 1);
        assert!(Steps::fit(&[1e59, -1e-59], 2).reason().is_none());
        assert!(Steps::check_bits(0).is_err() && Steps::check_bits(17).is_err());
    }

    proptest! {
        #[test]
        fn rounding_twice_is_rounding_once_and_edges_are_exact(
            values in prop::collection::vec(-1e4f64..1e4, 1..60),
            bits in 1u32..9,
            x in -2e4f64..2e4,
            at in 0usize..60,
            at_least in any::<bool>(),
        ) {
            let steps = Steps::fit(&values, bits);
            prop_assert!(steps.bits <= bits && steps.reason().is_none());
            let rounded = steps.round(x);
            prop_assert_eq!(steps.round(rounded), rounded);
            let value = steps.round(values[at % values.len()]);
            let inside = |x: f64| {
                if at_least { steps.round(x) >= value } else { steps.round(x) <= value }
            };
            match steps.edge(at_least, value) {
                Err(always) => prop_assert_eq!(inside(x), always),
                Ok(edge) => {
                    prop_assert!(inside(edge));
                    let beyond = if at_least { edge.next_down() } else { edge.next_up() };
                    prop_assert!(!inside(beyond));
                    prop_assert_eq!(inside(x), if at_least { x >= edge } else { x <= edge });
                }
            }
        }
    }
}
