//! Integers by their residues: arithmetic modulo primes of 62 bits, and the integer behind
//! residues.
//!
//! A minor of an integer matrix is an integer `N`. If it is known modulo primes whose product
//! exceeds `8|N|`, its sign and its size follow from its digits in the mixed base of the primes.

use std::sync::OnceLock;

use super::double::Double;
use super::dyadic::odd_part;

/// An odd prime below `2⁶²`, with the constants of Montgomery's multiplication. Residues are kept
/// as `x·2⁶⁴` modulo the prime.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prime {
    modulus: u64,
    /// `−1/modulus` modulo `2⁶⁴`.
    negative_inverse: u64,
    /// `2¹²⁸` modulo the prime.
    square: u64,
}

impl Prime {
    /// The number of bits of an integer that one prime determines.
    pub(crate) const BITS: i64 = 61;

    fn new(modulus: u64) -> Self {
        // Newton's iteration doubles the correct bits: 3, 6, 12, 24, 48, 96.
        let mut inverse = modulus;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(modulus.wrapping_mul(inverse)));
        }
        let radix = u128::MAX % u128::from(modulus) + 1; // 2¹²⁸, as 2¹²⁸ − 1 leaves one less
        let square = (radix % u128::from(modulus)) as u64;
        Self { modulus, negative_inverse: inverse.wrapping_neg(), square }
    }

    /// The primes below `2⁶²`, largest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        static FIRST: OnceLock<Vec<Prime>> = OnceLock::new();
        const KEPT: usize = 64;
        let below =
            |start: u64| (0..start).rev().step_by(2).filter(|&m| is_prime(m)).map(Self::new);
        let first = FIRST.get_or_init(|| below(1 << 62).take(KEPT).collect());
        first.iter().copied().chain(below(first[KEPT - 1].modulus - 1))
    }

    /// The modulus; residues are smaller.
    pub(crate) fn modulus(&self) -> u64 {
        self.modulus
    }

    pub(crate) fn multiply(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let m = (product as u64).wrapping_mul(self.negative_inverse);
        let reduced = ((product + u128::from(m) * u128::from(self.modulus)) >> 64) as u64;
        if reduced >= self.modulus { reduced - self.modulus } else { reduced }
    }

    pub(crate) fn add(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.modulus { sum - self.modulus } else { sum }
    }

    pub(crate) fn subtract(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.modulus - b }
    }

    /// `r − Σ fₖbₖ`, for rows `b` and a factor for each.
    pub(crate) fn subtract_rows(&self, row: &mut [u64], factors: &[u64], rows: &[Vec<u64>]) {
        // Eight products of residues are below 2¹²⁷: they are reduced together.
        for (factors, rows) in factors.chunks(8).zip(rows.chunks(8)) {
            let minus: Vec<u64> = factors.iter().map(|&f| self.subtract(0, f)).collect();
            for (j, r) in row.iter_mut().enumerate() {
                let terms = minus.iter().zip(rows).map(|(&f, b)| u128::from(f) * u128::from(b[j]));
                let sum: u128 = terms.sum();
                let m = (sum as u64).wrapping_mul(self.negative_inverse);
                let reduced = (sum + u128::from(m) * u128::from(self.modulus)) >> 64;
                *r = self.add(*r, reduced as u64 % self.modulus);
            }
        }
    }

    pub(crate) fn inverse(&self, a: u64) -> u64 {
        self.power(a, self.modulus - 2)
    }

    pub(crate) fn power(&self, mut base: u64, mut exponent: u64) -> u64 {
        let mut result = self.residue(1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.multiply(result, base);
            }
            base = self.multiply(base, base);
            exponent >>= 1;
        }
        result
    }

    pub(crate) fn residue(&self, x: u64) -> u64 {
        self.multiply(x % self.modulus, self.square)
    }

    pub(crate) fn signed_residue(&self, x: i64) -> u64 {
        let size = self.residue(x.unsigned_abs());
        if x < 0 { self.subtract(0, size) } else { size }
    }

    pub(crate) fn powers_of_two(&self, most: i32) -> Vec<u64> {
        let two = self.residue(2);
        std::iter::successors(Some(self.residue(1)), |&p| Some(self.multiply(p, two)))
            .take(most as usize + 1)
            .collect()
    }

    /// The residue of `x/2^low` for a multiple `x` of `2^low`; `two` has the powers of two.
    pub(crate) fn dyadic(&self, x: f64, low: i32, two: &[u64]) -> u64 {
        if x == 0.0 {
            return 0;
        }
        let (odd, exponent) = odd_part(x);
        let size = self.multiply(self.residue(odd), two[(exponent - low) as usize]);
        if x < 0.0 { self.subtract(0, size) } else { size }
    }

    /// The fraction `n/d` of small numbers, `|n|, d < 2³⁰`, that has this residue, if there is one.
    pub(crate) fn fraction(&self, residue: u64) -> Option<(i64, i64)> {
        const SMALL: i128 = 1 << 30;
        // Euclid's algorithm, halfway: r = t·residue modulo the prime all along.
        let mut r = (i128::from(self.modulus), i128::from(self.integer(residue)));
        let mut t = (0i128, 1i128);
        while r.1 >= SMALL {
            let quotient = r.0 / r.1;
            r = (r.1, r.0 - quotient * r.1);
            t = (t.1, t.0 - quotient * t.1);
        }
        let (n, d) = if t.1 < 0 { (-r.1, -t.1) } else { (r.1, t.1) };
        (d > 0 && d < SMALL).then_some((n as i64, d as i64))
    }

    /// One over the product of other primes.
    pub(crate) fn one_over(&self, others: impl IntoIterator<Item = Self>) -> u64 {
        let one = self.residue(1);
        let product = others
            .into_iter()
            .fold(one, |product, other| self.multiply(product, self.residue(other.modulus)));
        if product == one { one } else { self.inverse(product) }
    }

    /// The integer below the prime behind a residue.
    fn integer(&self, residue: u64) -> u64 {
        self.multiply(residue, 1)
    }
}

/// A number `mantissa·2^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Float {
    pub(crate) mantissa: Double,
    pub(crate) exponent: i64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Digit<'p> {
    pub(crate) prime: &'p Prime,
    /// One over the product of the primes before.
    pub(crate) below: u64,
    pub(crate) residue: u64,
}

/// The integer with these residues whose magnitude is below an eighth of the product of the primes.
pub(crate) fn lift(residues: &[Digit<'_>]) -> Float {
    if residues.iter().all(|r| r.residue == 0) {
        return Float { mantissa: Double::from(0.0), exponent: 0 };
    }
    // Garner: N = d₀ + d₁p₀ + d₂p₀p₁ + …
    let mut digits: Vec<u64> = Vec::with_capacity(residues.len());
    for &Digit { prime, below, residue } in residues {
        let (mut partial, mut product) = (0, prime.residue(1));
        for (&digit, before) in digits.iter().zip(residues) {
            partial = prime.add(partial, prime.multiply(prime.residue(digit), product));
            product = prime.multiply(product, prime.residue(before.prime.modulus));
        }
        let rest = prime.subtract(residue, partial);
        digits.push(prime.integer(prime.multiply(rest, below)));
    }
    // A negative number wraps around: its leading digit is among the last eighth.
    let top = digits.len() - 1;
    let negative = digits[top] > residues[top].prime.modulus / 2;
    let (mut mantissa, mut exponent) = (Double::from(0.0), 0i64);
    for (&digit, Digit { prime, .. }) in digits.iter().zip(residues).rev() {
        let digit = if negative { prime.modulus - 1 - digit } else { digit };
        let unit = 2f64.powi(-exponent as i32);
        mantissa = mantissa.times(Double::of(prime.modulus)).plus(Double::of(digit).scaled(unit));
        if mantissa.high > 2f64.powi(500) {
            mantissa = mantissa.scaled(2f64.powi(-500));
            exponent += 500;
        }
    }
    if negative {
        // The digits are those of −N − 1.
        let unit = 2f64.powi(-(exponent.min(1000) as i32));
        mantissa = mantissa.plus(Double::from(unit)).scaled(-1.0);
    }
    Float { mantissa, exponent }
}

/// Miller and Rabin's test, with bases that decide every number of 64 bits.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|&b| n.is_multiple_of(b)) {
        return BASES.contains(&n);
    }
    let field = Prime::new(n);
    let (one, minus_one) = (field.residue(1), field.residue(n - 1));
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = field.power(field.residue(base), (n - 1) >> twos);
        if x == one || x == minus_one {
            return true;
        }
        (1..twos).any(|_| {
            x = field.multiply(x, x);
            x == minus_one
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_primes_are_told_from_the_others() {
        let primes: Vec<u64> = (0..60).filter(|&n| is_prime(n)).collect();
        assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
        assert!(is_prime((1 << 61) - 1) && !is_prime((1 << 59) - 1));
        assert!(!is_prime(3_215_031_751), "a strong pseudoprime to the bases 2, 3, 5 and 7");
    }

    #[test]
    fn the_largest_primes_are_distinct_and_close_to_the_top() {
        let primes: Vec<Prime> = Prime::all().take(70).collect();
        assert!(primes.windows(2).all(|pair| pair[0].modulus > pair[1].modulus));
        assert_eq!(primes[0].modulus, (1 << 62) - 57);
        assert!(primes[69].modulus > (1 << 62) - 10_000);
    }

    #[test]
    fn rows_are_subtracted_as_their_products_are() {
        let prime = Prime::all().next().unwrap();
        let number = |k: u64| prime.residue(k.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rows: Vec<Vec<u64>> =
            (0..19).map(|k| (0..5).map(|j| number(5 * k + j)).collect()).collect();
        let factors: Vec<u64> = (0..19).map(|k| number(1000 + k)).collect();
        let mut row: Vec<u64> = (0..5).map(number).collect();
        let plain: Vec<u64> = (0..5)
            .map(|j| {
                let terms = factors.iter().zip(&rows).map(|(&f, b)| prime.multiply(f, b[j]));
                terms.fold(row[j], |rest, term| prime.subtract(rest, term))
            })
            .collect();
        prime.subtract_rows(&mut row, &factors, &rows);
        assert_eq!(row, plain);
    }

    #[test]
    fn fractions_come_back() {
        let prime = Prime::all().next().unwrap();
        for (n, d) in [(0, 1), (1, 1), (-1, 1), (1, 3), (-7, 5), (123_457, 98_765), (-1, 1 << 29)] {
            let quotient =
                prime.multiply(prime.signed_residue(n), prime.inverse(prime.signed_residue(d)));
            assert_eq!(prime.fraction(quotient), Some((n, d)));
        }
    }

    #[test]
    fn doubles_have_the_residues_of_their_integers() {
        let prime = Prime::all().next().unwrap();
        let two = prime.powers_of_two(100);
        assert_eq!(prime.dyadic(-12.0, 0, &two), prime.signed_residue(-12));
        assert_eq!(prime.dyadic(0.75, -2, &two), prime.residue(3));
        assert_eq!(prime.dyadic(0.0, 7, &two), 0);
        assert_eq!(prime.dyadic(2f64.powi(90), -4, &two), prime.power(prime.residue(2), 94));
    }

    fn lifted(primes: &[Prime], residue: impl Fn(&Prime) -> u64) -> Float {
        let digits: Vec<Digit<'_>> = (primes.iter().enumerate())
            .map(|(k, prime)| Digit {
                prime,
                below: prime.one_over(primes[..k].iter().copied()),
                residue: residue(prime),
            })
            .collect();
        lift(&digits)
    }

    #[test]
    fn huge_numbers_come_back_with_their_sign() {
        // ±3^500, whose 793 bits leave the range in which one power of two is enough.
        let primes: Vec<Prime> = Prime::all().take(14).collect();
        for sign in [1, -1] {
            let Float { mantissa, exponent } =
                lifted(&primes, |p| p.multiply(p.power(p.residue(3), 500), p.signed_residue(sign)));
            let log = mantissa.high.abs().log2() + exponent as f64;
            assert!((log - 500.0 * 3f64.log2()).abs() < 1e-9);
            assert_eq!(mantissa.high.signum(), sign as f64);
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back_from_their_residues(
            x in -(1i64 << 62)..1 << 62, y in -(1i64 << 62)..1 << 62,
        ) {
            let primes: Vec<Prime> = Prime::all().take(3).collect();
            let expected = i128::from(x) * i128::from(y);
            let Float { mantissa, exponent } =
                lifted(&primes, |p| p.multiply(p.signed_residue(x), p.signed_residue(y)));
            prop_assert_eq!(exponent, 0);
            let off = mantissa.high as i128 + mantissa.low as i128 - expected;
            prop_assert!(off.unsigned_abs() <= expected.unsigned_abs() >> 98);
        }
    }
}
