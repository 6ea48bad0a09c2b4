//! Numbers modulo the prime `2⁶¹ − 1`: doubles are integers times powers of two, so they have residues,
//! and what is not zero there is not zero.

/// The prime `2⁶¹ − 1`.
pub(crate) const PRIME: u64 = (1 << 61) - 1;

/// The residue of a double: its integer times its power of two.
pub(crate) fn residue(x: f64) -> u64 {
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    // Features are zero or far above the smallest normal number.
    let (integer, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    // 2⁶¹ = 1 modulo the prime, so exponents count modulo 61, negative ones too.
    let size = multiply(integer, 1 << exponent.rem_euclid(61));
    if x < 0.0 && size != 0 { PRIME - size } else { size }
}

/// `a + b`.
pub(crate) fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// `ab`.
pub(crate) fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add((product as u64) & PRIME, (product >> 61) as u64)
}

/// `base` to the power `exponent`.
pub(crate) fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

/// `−a`.
pub(crate) fn negate(a: u64) -> u64 {
    if a == 0 { 0 } else { PRIME - a }
}

/// The fraction of small numbers that has a residue, if there is one: `n/d` with `|n|, d < 2³⁰`.
pub(crate) fn fraction(residue: u64) -> Option<(i64, i64)> {
    const SMALL: i128 = 1 << 30;
    // Euclid's algorithm, halfway: r = t·residue modulo the prime all along.
    let (mut r, mut t) = ((i128::from(PRIME), i128::from(residue)), (0i128, 1i128));
    while r.1 >= SMALL {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 - quotient * r.1);
        t = (t.1, t.0 - quotient * t.1);
    }
    let (n, d) = if t.1 < 0 { (-r.1, -t.1) } else { (r.1, t.1) };
    (d > 0 && d < SMALL).then_some((n as i64, d as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_come_back() {
        for (n, d) in [(0, 1), (1, 1), (-1, 1), (1, 3), (-7, 5), (123_457, 98_765), (-1, 1 << 29)] {
            let top = residue(f64::from(n));
            let quotient = multiply(top, power(residue(f64::from(d)), PRIME - 2));
            assert_eq!(fraction(quotient), Some((i64::from(n), i64::from(d))));
        }
        assert_eq!(add(negate(5), 5), 0);
    }
}
