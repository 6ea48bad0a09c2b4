//! Inputs as integers: fixed point, `mⱼ = round(xⱼ · 2^gⱼ)`.
//!
//! A neuron with integer weights `kⱼ` and bias `b` is `1{Σ kⱼmⱼ + b ≥ 0}`, in integers alone. On
//! inputs as read, the same neuron has the weights `kⱼ · 2^gⱼ`. Powers of two are exact in floating
//! point, so the integers can be recovered from the weights, and a circuit only needs a shift.
//! Inputs that are whole numbers do not change (`gⱼ = 0`). Others are rounded, with halves away
//! from zero. Each has as many fractional bits as its width allows on the training rows.

use serde::{Deserialize, Serialize};

use super::sizes;
use crate::data::Features;
use crate::error::Error;
use crate::network::Neuron;

/// The width of the widest inputs in bits, including the sign.
pub(super) const MOST_BITS: u32 = 31;
/// The width of the narrowest inputs in bits.
const FEWEST_BITS: u32 = 2;
/// Numbers are within `10^±60`, so the exponents of their powers of two are within this.
const MOST_SHIFT: u32 = 240;

/// The fixed point of every input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Grid {
    bits: u32,
    shifts: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    bits: u32,
    shifts: Vec<i32>,
}

impl TryFrom<Parts> for Grid {
    type Error = Error;

    fn try_from(Parts { bits, shifts }: Parts) -> Result<Self, Error> {
        let damaged = |reason: String| Err(Error::Damaged { what: "grid of the inputs", reason });
        if !(FEWEST_BITS..=MOST_BITS).contains(&bits) {
            return damaged(format!("{bits} bits, expected {FEWEST_BITS} to {MOST_BITS}"));
        }
        match shifts.iter().find(|g| g.unsigned_abs() > MOST_SHIFT) {
            Some(g) => damaged(format!("an input is shifted by {g} bits")),
            None => Ok(Self { bits, shifts }),
        }
    }
}

impl Grid {
    /// The grid of these rows. Columns of whole numbers stay as they are; the others become fixed
    /// point with `bits` bits, including the sign. Columns that are multiples of `2⁻ᵍ` by their
    /// coding have `g` in `known`; it may be empty.
    pub fn fit(features: &Features, bits: u32, known: &[Option<i32>]) -> Self {
        let bits = bits.clamp(FEWEST_BITS, MOST_BITS);
        let limit = f64::from((1u32 << (bits - 1)) - 1);
        let (mut widest, mut shifts) = (FEWEST_BITS, Vec::with_capacity(features.dimension()));
        for (j, most) in sizes(features).into_iter().enumerate() {
            let whole = most < f64::from(1u32 << (MOST_BITS - 1))
                && (0..features.rows()).all(|i| features.row(i)[j].fract() == 0.0);
            let known = known.get(j).copied().flatten().or(whole.then_some(0));
            let (shift, width) = match known {
                Some(g) => (g, width(scale(most, g) as i64)),
                None => {
                    let mut g = (limit / most).log2().floor() as i32;
                    while scale(most, g).round() > limit {
                        g -= 1;
                    }
                    (g, bits)
                }
            };
            shifts.push(shift);
            widest = widest.max(width);
        }
        Self { bits: widest, shifts }
    }

    /// The number of bits of the widest input, including the sign.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// `g`: the number of fractional bits of every input; if negative, the number of low bits left
    /// out.
    pub fn shifts(&self) -> &[i32] {
        &self.shifts
    }

    /// Whether all these rows lie on the grid.
    pub fn holds(&self, features: &Features) -> bool {
        (0..features.rows()).all(|i| {
            features.row(i).iter().zip(&self.shifts).all(|(&x, &g)| scale(x, g).fract() == 0.0)
        })
    }

    /// `m`, row by row. Numbers beyond the width are cut off at it.
    pub fn round(&self, features: &Features) -> Vec<i64> {
        let limit = f64::from((1u32 << (MOST_BITS - 1)) - 1);
        (0..features.rows())
            .flat_map(|i| features.row(i).iter().zip(&self.shifts))
            .map(|(&x, &g)| scale(x, g).round().clamp(-limit, limit) as i64)
            .collect()
    }

    /// The integer for a weight on input `j`, if there is one.
    pub fn integer(&self, j: usize, weight: f64) -> Option<i64> {
        let k = scale(weight, -self.shifts[j]);
        (k.fract() == 0.0 && k.abs() < EXACT).then_some(k as i64)
    }

    /// The bits of a neuron's widest weight, if all of its weights are integers on the grid.
    pub fn bits_of(&self, neuron: &Neuron) -> Option<u32> {
        let bits = |(j, w): (usize, f64)| self.integer(j, w).map(width);
        let widths: Option<Vec<u32>> = neuron.terms().map(bits).collect();
        widths.filter(|_| neuron.bias.fract() == 0.0).map(|w| w.into_iter().max().unwrap_or(0))
    }

    pub(super) fn weight(&self, j: usize, integer: i64) -> f64 {
        scale(integer as f64, self.shifts[j])
    }

    pub(super) fn select(&self, inputs: &[u32]) -> Self {
        let shifts = inputs.iter().map(|&j| self.shifts[j as usize]).collect();
        Self { bits: self.bits, shifts }
    }
}

/// Integers below this are exact in floating point.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// `x · 2^g`, exactly.
fn scale(x: f64, g: i32) -> f64 {
    x * 2f64.powi(g)
}

/// The bits of an integer in two's complement, including the sign; zero has none.
pub(crate) fn width(k: i64) -> u32 {
    if k == 0 { 0 } else { 65 - (if k < 0 { !k } else { k }).leading_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_and_known_steps_are_kept_and_others_use_the_width_they_are_given() {
        let check = |x: &[f64], bits, known: &[_], grid: (&[i32], u32), rounded: &[i64]| {
            let x = Features::new(2, x.len() / 2, x.to_vec()).unwrap();
            let found = Grid::fit(&x, bits, known);
            assert_eq!((found.shifts(), found.bits()), grid);
            assert_eq!(found.round(&x), rounded);
            found.holds(&x)
        };
        assert!(check(&[3.0, -70.0, 0.0, 5.0], 4, &[], (&[0, 0], 8), &[3, -70, 0, 5]));
        let known = [Some(-2), None];
        assert!(check(&[12.0, 0.5, 40.0, 1.0], 8, &known, (&[-2, 6], 8), &[3, 32, 10, 64]));
        let others = [0.3, 1.0, 0.0, -0.7, 0.0, 0.0];
        assert!(!check(&others, 8, &[], (&[7, 0, 0], 8), &[38, 1, 0, -90, 0, 0]));
    }

    #[test]
    fn a_grid_of_zeros_is_read_back() {
        let grid = Grid::fit(&Features::new(2, 1, vec![0.0, 0.0]).unwrap(), 8, &[]);
        let text = serde_json::to_string(&grid).unwrap();
        assert_eq!(serde_json::from_str::<Grid>(&text).unwrap(), grid);
    }

    #[test]
    fn bits_are_those_of_two_s_complement() {
        assert_eq!([0, 1, -1, 2, -2, 127, -128, 128].map(width), [0, 2, 1, 3, 2, 8, 8, 9]);
    }

    #[test]
    fn a_damaged_grid_is_refused() {
        let read = |text: &str| serde_json::from_str::<Grid>(text);
        assert!(read(r#"{"bits":8,"shifts":[3,-2]}"#).is_ok());
        for bad in [
            r#"{"bits":1,"shifts":[]}"#,
            r#"{"bits":32,"shifts":[]}"#,
            r#"{"bits":8,"shifts":[300]}"#,
            r#"{"bits":8,"shifts":[-2147483648]}"#,
            r#"{"bits":8,"shifts":[1],"more":0}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn rounding_keeps_to_the_width_and_to_half_a_step(
            x in prop::collection::vec(-1e6f64..1e6, 1..20), bits in 2u32..32,
        ) {
            let x = Features::new(x.len(), 1, x).unwrap();
            let grid = Grid::fit(&x, bits, &[]);
            let step = 2f64.powi(-grid.shifts()[0]);
            for (m, x) in grid.round(&x).iter().zip(x.values()) {
                prop_assert!(m.unsigned_abs() < 1 << (grid.bits() - 1));
                prop_assert!((*m as f64 * step - x).abs() <= step / 2.0);
            }
        }

        #[test]
        fn integers_come_back_from_weights(k in -1_000_000i64..1_000_000, g in -60i32..60) {
            let grid = Grid { bits: 16, shifts: vec![g] };
            prop_assert_eq!(grid.integer(0, grid.weight(0, k)), Some(k));
        }
    }
}
