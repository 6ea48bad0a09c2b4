//! Integers of any size, with just the operations that signs of determinants need.

use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

use super::dyadic::odd_part;

/// The digits, in place unless there are many.
type Digits = SmallVec<[u64; 4]>;

/// An integer: a sign and 64-bit digits, the lowest first, without leading zeros.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Integer {
    negative: bool,
    digits: Digits,
}

impl Integer {
    /// `x / 2^exponent` for a double `x` that is a multiple of `2^exponent`.
    pub(crate) fn from_double(x: f64, exponent: i32) -> Self {
        if x == 0.0 {
            return Self::default();
        }
        let (mantissa, power) = odd_part(x);
        debug_assert!(power >= exponent, "{x} is a multiple of 2^{exponent}");
        let (words, bits) = ((power - exponent) as usize / 64, (power - exponent) as usize % 64);
        let mut digits: Digits = smallvec![0; words];
        digits.push(mantissa << bits);
        if bits > 0 && mantissa >> (64 - bits) != 0 {
            digits.push(mantissa >> (64 - bits));
        }
        Self { negative: x < 0.0, digits }
    }

    pub(crate) fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    pub(crate) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.digits.is_empty();
        self
    }

    /// `self += a·b`.
    pub(crate) fn add_product(&mut self, a: &Self, b: &Self) {
        if a.sign() == 0 || b.sign() == 0 {
            return;
        }
        let mut digits: Digits = smallvec![0; a.digits.len() + b.digits.len()];
        for (i, &x) in a.digits.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &y) in b.digits.iter().enumerate() {
                carry += u128::from(x) * u128::from(y) + u128::from(digits[i + j]);
                digits[i + j] = carry as u64;
                carry >>= 64;
            }
            digits[i + b.digits.len()] = carry as u64;
        }
        strip(&mut digits);
        self.add(Self { negative: a.negative != b.negative, digits });
    }

    fn add(&mut self, other: Self) {
        if self.negative == other.negative || self.digits.is_empty() {
            self.negative = other.negative;
            add_digits(&mut self.digits, &other.digits);
            return;
        }
        match compare(&self.digits, &other.digits) {
            Ordering::Equal => *self = Self::default(),
            Ordering::Greater => subtract_digits(&mut self.digits, &other.digits),
            Ordering::Less => {
                let mut larger = other;
                subtract_digits(&mut larger.digits, &self.digits);
                *self = larger;
            }
        }
    }

    /// `self − m·2^e`: the part that [`Integer::approximate`] leaves out.
    pub(crate) fn minus(&self, size: f64, exponent: i32) -> Self {
        let mut rest = self.clone();
        if size != 0.0 {
            // An approximation to 53 bits of an integer is an integer.
            rest.add(Self::from_double(-size, -exponent));
        }
        rest
    }

    /// `(m, e)` with `m·2^e` within one rounding of the integer, and `½ ≤ |m| ≤ 1` unless zero.
    pub(crate) fn approximate(&self) -> (f64, i32) {
        let Some(&top) = self.digits.last() else { return (0.0, 0) };
        let below = self.digits.len().checked_sub(2).map_or(0, |k| self.digits[k]);
        let shift = top.leading_zeros();
        // The 64 bits from the top.
        let window = ((u128::from(top) << 64 | u128::from(below)) << shift >> 64) as u64;
        let size = window as f64 * 2f64.powi(-64);
        let exponent = 64 * self.digits.len() as i32 - shift as i32;
        (if self.negative { -size } else { size }, exponent)
    }
}

fn strip(digits: &mut Digits) {
    while digits.last() == Some(&0) {
        digits.pop();
    }
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn add_digits(a: &mut Digits, b: &[u64]) {
    if a.len() < b.len() {
        a.resize(b.len(), 0);
    }
    let mut carry = false;
    for (k, a) in a.iter_mut().enumerate() {
        let (sum, over) = a.overflowing_add(b.get(k).copied().unwrap_or(0));
        let (sum, more) = sum.overflowing_add(u64::from(carry));
        (*a, carry) = (sum, over || more);
    }
    if carry {
        a.push(1);
    }
}

/// `a −= b` for `a ≥ b`.
fn subtract_digits(a: &mut Digits, b: &[u64]) {
    let mut borrow = false;
    for (k, a) in a.iter_mut().enumerate() {
        let (rest, under) = a.overflowing_sub(b.get(k).copied().unwrap_or(0));
        let (rest, more) = rest.overflowing_sub(u64::from(borrow));
        (*a, borrow) = (rest, under || more);
    }
    strip(a);
}

/// The integer vector orthogonal to `k` rows of `k + 1` integers: their largest minors with
/// alternating signs. Zero exactly when the rows are dependent.
pub(crate) fn cross_product(rows: &[Vec<Integer>]) -> Vec<Integer> {
    let columns = rows.len() + 1;
    let minors = minors(rows, columns);
    (0..columns)
        .map(|j| {
            let minor = minors[((1 << columns) - 1) ^ (1 << j)].clone();
            if j % 2 == 1 { minor.negated() } else { minor }
        })
        .collect()
}

pub(crate) fn dependent(rows: &[Vec<Integer>], columns: usize) -> bool {
    rows.len() > columns || minors(rows, columns).iter().all(|minor| minor.sign() == 0)
}

/// The minors of all rows, one for each set of as many columns, at the index given by the set's
/// bits; other entries are zero. They are expanded along the rows, and every smaller minor is
/// computed once.
fn minors(rows: &[Vec<Integer>], columns: usize) -> Vec<Integer> {
    let mut minors = vec![Integer::default(); 1 << columns];
    minors[0] = Integer::from_double(1.0, 0);
    for (k, row) in rows.iter().enumerate() {
        let mut next = vec![Integer::default(); 1 << columns];
        for (set, slot) in next.iter_mut().enumerate() {
            if set.count_ones() as usize != k + 1 {
                continue;
            }
            let (mut rest, mut place) = (set, 0);
            while rest != 0 {
                let j = rest.trailing_zeros() as usize;
                let minor = &minors[set ^ (1 << j)];
                // Expanding along the last row: the sign of entry (k, place) is (−1)^(k + place).
                if (k + place) % 2 == 0 {
                    slot.add_product(minor, &row[j]);
                } else {
                    slot.add_product(&minor.clone().negated(), &row[j]);
                }
                rest &= rest - 1; // drops the lowest set bit
                place += 1;
            }
        }
        minors = next;
    }
    minors
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn integer(v: i64) -> Integer {
        // In two halves, as a double holds 53 bits only.
        let (high, low) = ((v >> 32) as f64 * 4294967296.0, (v & 0xffff_ffff) as f64);
        let mut sum = Integer::from_double(high, 0);
        sum.add(Integer::from_double(low, 0));
        sum
    }

    fn value(v: &Integer) -> i128 {
        let size = v.digits.iter().rev().fold(0i128, |sum, &d| (sum << 64) + i128::from(d));
        if v.negative { -size } else { size }
    }

    proptest! {
        #[test]
        fn sums_of_products_are_those_of_machine_integers(
            pairs in prop::collection::vec((any::<i32>(), any::<i64>()), 0..8),
        ) {
            let (mut sum, mut plain) = (Integer::default(), 0i128);
            for (a, b) in pairs {
                sum.add_product(&integer(a.into()), &integer(b));
                plain += i128::from(a) * i128::from(b);
                prop_assert_eq!(value(&sum), plain);
                prop_assert_eq!(i128::from(sum.sign()), plain.signum());
                let (size, exponent) = sum.approximate();
                let near = size * 2f64.powi(exponent);
                prop_assert!((near - plain as f64).abs() <= 4.0 * f64::EPSILON * near.abs());
                prop_assert_eq!(value(&sum.minus(size, exponent)), plain - near as i128);
            }
        }

        #[test]
        fn a_cross_product_is_orthogonal_to_its_rows(
            rows in (1usize..5).prop_flat_map(|k| {
                prop::collection::vec(prop::collection::vec(-4i64..5, k + 1), k)
            }),
        ) {
            let exact: Vec<Vec<Integer>> =
                rows.iter().map(|row| row.iter().map(|&v| integer(v)).collect()).collect();
            let cross = cross_product(&exact);
            for row in &exact {
                let mut dot = Integer::default();
                row.iter().zip(&cross).for_each(|(a, b)| dot.add_product(a, b));
                prop_assert_eq!(dot.sign(), 0);
            }
            let zero = cross.iter().all(|c| c.sign() == 0);
            prop_assert_eq!(zero, dependent(&exact, rows.len() + 1));
        }
    }

    #[test]
    fn large_and_small_doubles_are_integers_on_a_fine_grid() {
        let third = Integer::from_double(1.0 / 3.0, -200);
        let (size, exponent) = third.approximate();
        assert_eq!(size * 2f64.powi(exponent - 200), 1.0 / 3.0);
        let mut square = Integer::default();
        square.add_product(&third, &third);
        assert_eq!(square.sign(), 1);
        square.add_product(&third.clone().negated(), &third);
        assert_eq!(square.sign(), 0);
    }
}
