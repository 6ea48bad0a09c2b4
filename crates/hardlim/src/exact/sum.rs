//! Accurate sums: a running sum that keeps what rounding loses (Neumaier), and a grid on which sums
//! are exact.

/// A compensated sum: its error is about one rounding of the result, for any number of terms.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    sum: f64,
    lost: f64,
    size: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
        self.size += value.abs();
    }

    /// The sum; infinity or NaN if one of the numbers was.
    pub(crate) fn value(&self) -> f64 {
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }

    /// The sum of the magnitudes. The rounding errors of the numbers are relative to it.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }
}

/// Rounds the numbers towards zero onto a grid: the multiples of the power of two `q` with
/// `Σ|v| ≤ 2⁵²q`. The grid is fine enough to lose nothing that matters, and coarse enough that
/// every partial sum is exact in floating point. So a sum has the same value for every order,
/// instruction set and number of threads. Numbers that are on their grid already do not change.
///
/// # Panics
/// When a number is not finite.
pub fn round_to_grid(values: &mut [f64]) {
    let size = values.iter().map(|v| v.abs()).sum::<f64>();
    assert!(size.is_finite(), "the grid is for finite numbers");
    // `size` may have been rounded down: 2⁵² rather than 2⁵³ leaves a bit to spare.
    let exponent = (size.log2().ceil() - 52.0) as i32;
    if size == 0.0 || exponent < -960 {
        return values.fill(0.0); // the grid would leave the range of normal numbers
    }
    let (grid, inverse) = (2f64.powi(exponent), 2f64.powi(-exponent));
    values.iter_mut().for_each(|v| *v = (*v * inverse).trunc() * grid + 0.0);
}

/// `a·b`, one product after the other.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `v + tw`, in place.
pub(crate) fn add_times(v: &mut [f64], t: f64, w: &[f64]) {
    v.iter_mut().zip(w).for_each(|(v, w)| *v += t * w);
}

/// Takes the parts along orthonormal vectors out of a vector, one after the other.
pub(crate) fn project_out(basis: &[Vec<f64>], vector: &mut [f64]) {
    for q in basis {
        let along = dot(q, vector);
        add_times(vector, -along, q);
    }
}

/// The unit vector along axis `j`.
pub(crate) fn unit(width: usize, j: usize) -> Vec<f64> {
    (0..width).map(|k| f64::from(u8::from(k == j))).collect()
}

/// `a + b + …`, rounded up.
pub fn above<const N: usize>(terms: [f64; N]) -> f64 {
    let size: f64 = terms.iter().map(|t| t.abs()).sum();
    terms.iter().sum::<f64>() + 4.0 * f64::EPSILON * size
}

/// `a + st`, rounded towards zero; `a` and `st` have the same sign.
pub(crate) fn add_inward(a: f64, s: f64, t: f64) -> f64 {
    // If the result was rounded outward, its rounding error has the opposite sign.
    let inward = |value: f64, lost: f64| match value {
        v if v > 0.0 && lost < 0.0 => v.next_down(),
        v if v < 0.0 && lost > 0.0 => v.next_up(),
        v => v,
    };
    let product = if s == 1.0 { t } else { inward(s * t, s.mul_add(t, -(s * t))) };
    let sum = a + product;
    let (large, small) = if a.abs() >= product.abs() { (a, product) } else { (product, a) };
    inward(sum, (large - sum) + small)
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut sum = Self::default();
        numbers.into_iter().for_each(|v| sum.add(v));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_on_the_grid_do_not_depend_on_their_order(
            v in prop::collection::vec((-1e3f64..1e3, any::<bool>()), 1..300),
        ) {
            let mut grid: Vec<f64> = v.iter().map(|v| v.0).collect();
            round_to_grid(&mut grid);
            prop_assert!(grid.iter().zip(&v).all(|(a, (b, _))| (a - b).abs() <= 1e-10));
            let mut again = grid.clone();
            round_to_grid(&mut again);
            prop_assert_eq!(&again, &grid);
            let chosen = || grid.iter().zip(&v).filter(|(_, (_, on))| *on).map(|(g, _)| *g);
            let backward: Vec<f64> = chosen().collect();
            let (forward, backward): (f64, f64) = (chosen().sum(), backward.iter().rev().sum());
            prop_assert_eq!(forward, backward);
        }

        #[test]
        fn inward_sums_are_the_nearest_ones_or_their_inner_neighbours(
            a in 0.0f64..10.0, s in 0.0f64..10.0, t in 0.0f64..1.0,
        ) {
            let (inner, nearest) = (add_inward(a, s, t), a + s * t);
            prop_assert!(inner <= nearest.next_up() && inner >= nearest.next_down().next_down());
            prop_assert_eq!(add_inward(-a, s, -t), -inner);
            // Products and sums of numbers with 20 bits after the point are exact.
            let short = |v: f64| (v * 1048576.0).trunc() / 1048576.0;
            let (a, s, t) = (short(a), short(s), short(t));
            prop_assert_eq!(add_inward(a, s, t), a + s * t);
        }
    }

    #[test]
    fn zeros_are_on_every_grid() {
        let mut zeros = [0.0, -0.0];
        round_to_grid(&mut zeros);
        assert_eq!(zeros, [0.0, 0.0]);
    }

    #[test]
    fn rounding_inward_is_exact_where_it_can_be_and_below_where_it_cannot() {
        for (s, t) in [(3.0, 0.9), (7.0, 0.1), (0.3, 0.7), (1.0, 0.9), (2.0, 0.9)] {
            let inner = add_inward(0.0, s, t);
            assert!(s.mul_add(t, -inner) >= 0.0, "{s} {t}");
            assert!(s.mul_add(t, -inner.next_up()) < 0.0, "{s} {t}");
        }
        assert_eq!(add_inward(0.0, 3.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(add_inward(f64::NEG_INFINITY, 3.0, -1.0), f64::NEG_INFINITY);
    }

    #[test]
    fn small_numbers_survive_large_ones() {
        let sum: Sum = [1.0, 1e100, 1.0, -1e100].into_iter().collect();
        assert_eq!(sum.value(), 2.0);
        assert_eq!([1.0, f64::INFINITY].into_iter().collect::<Sum>().value(), f64::INFINITY);
    }
}
