//! Numbers of twice the precision: unevaluated sums of two doubles (Dekker, *A floating-point
//! technique for extending the available precision*, 1971).

/// `high + low`, correct to about a hundred bits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Double {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Double {
    /// An integer, exactly.
    pub(crate) fn of(integer: u64) -> Self {
        let (top, rest) = (integer >> 32 << 32, integer & 0xffff_ffff);
        Self::sum(top as f64, rest as f64)
    }

    /// `a + b`, exactly (Knuth).
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        Self { high, low: (a - (high - part)) + (b - part) }
    }

    /// `ab`, exactly unless it underflows.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
    }

    /// The nearest double.
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self::sum(sum.high, sum.low + self.low + other.low)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let Self { high, low } = Self::product(self.high, other.high);
        Self::sum(high, low + self.high * other.low + self.low * other.high)
    }

    /// Times a power of two, or minus one.
    pub(crate) fn scaled(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_keep_what_one_double_would_lose() {
        let third: f64 = 1.0 / 3.0;
        let third = Double { high: third, low: third.mul_add(-3.0, 1.0) / 3.0 };
        let integer = (1 << 62) + 1;
        let product = Double::of(integer).times(Double::of(integer));
        assert_eq!(Double::of(integer).low, 1.0);
        assert_eq!(product.high, 2f64.powi(124));
        assert_eq!(product.low, 2f64.powi(63));
        let one = third.times(Double::from(3.0));
        assert!((one.high - 1.0 + one.low).abs() < 1e-30);
        assert!(one.plus(Double::from(-1.0)).high.abs() < 1e-30);
    }
}
