//! Searches among doubles. The order of doubles is the order of 64-bit integers, so bisection on
//! the integers ends after 64 steps, wherever the answer lies. No scale has to be guessed.

fn rank(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64 // negative numbers count downwards
}

fn at(rank: i64) -> f64 {
    f64::from_bits((rank ^ ((rank >> 63) as u64 >> 1) as i64) as u64)
}

/// The number halfway between two others in the order of all numbers; one of the two if they are
/// neighbours.
pub(super) fn middle(low: f64, high: f64) -> f64 {
    at(i64::midpoint(rank(low), rank(high)))
}

/// The neighbours `(a, b)` within `[low, high]` where `before` turns from true to false. We assume
/// that it is true at `low`, false at `high`, and turns once.
pub(super) fn turn(low: f64, high: f64, mut before: impl FnMut(f64) -> bool) -> (f64, f64) {
    let (mut a, mut b) = (rank(low), rank(high));
    loop {
        let c = i64::midpoint(a, b);
        if c <= a || c >= b {
            return (at(a), at(b));
        }
        if before(at(c)) { a = c } else { b = c }
    }
}

/// The zero of an increasing function with jumps, `u ↦ [left, right]`, within `[low, high]`,
/// searched from `start`. The function also returns its derivative. Newton steps are taken while
/// they stay inside the known interval and halve the value. Other steps halve the interval, in
/// turns by length and by rank.
pub(super) fn root(
    (mut low, mut high): (f64, f64),
    start: f64,
    mut function: impl FnMut(f64) -> (f64, f64, f64),
) -> f64 {
    let (mut u, mut last, mut by_length) = (start, f64::INFINITY, false);
    loop {
        let (left, right, derivative) = function(u);
        // A step goes one number too far. Near the root this closes the interval from both sides.
        let (value, newton) = if right < 0.0 {
            low = u;
            (-right, (u - right / derivative).next_up())
        } else if left > 0.0 {
            high = u;
            (left, (u - left / derivative).next_down())
        } else {
            return u;
        };
        if value <= 0.5 * last && newton > low && newton < high {
            (u, last) = (newton, value);
        } else {
            by_length = !by_length;
            u = if by_length { 0.5 * low + 0.5 * high } else { middle(low, high) };
            last = f64::INFINITY;
        }
        if u <= low || u >= high {
            return u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_and_their_ranks_are_in_the_same_order(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            prop_assert_eq!(at(rank(a)).to_bits(), a.to_bits());
            prop_assert_eq!(rank(a).cmp(&rank(b)), a.total_cmp(&b));
            prop_assert!(middle(a.min(b), a.max(b)) >= a.min(b));
            prop_assert!(middle(a.min(b), a.max(b)) <= a.max(b));
        }

        #[test]
        fn the_turn_is_between_neighbours(a in any::<f64>(), b in any::<f64>()) {
            let (low, turning) = (a.min(b), a.max(b));
            prop_assume!(turning.is_finite() && low < turning);
            let mut steps = 0;
            let (a, b) = turn(low, f64::INFINITY, |u| { steps += 1; u < turning });
            prop_assert!(a < turning && turning <= b && a.next_up() == b, "{} {}", a, b);
            prop_assert!(steps <= 64);
        }

        #[test]
        fn roots_are_found_to_the_last_bit_whatever_the_scale(
            root_at in -300i32..300, scale in -5i32..5, negative in any::<bool>(),
        ) {
            let place = if negative { -1.0 } else { 1.0 } * 10f64.powi(root_at);
            let scale = 10f64.powi(scale);
            let mut steps = 0;
            let u = root((f64::MIN, f64::MAX), 0.0, |u| {
                steps += 1;
                let value = ((u - place) * scale).tanh();
                (value, value, scale * (1.0 - value * value))
            });
            prop_assert!(steps < 200);
            prop_assert!((u - place).abs() <= 4.0 * f64::EPSILON * place.abs(), "{} {}", u, place);
        }
    }

    #[test]
    fn a_jump_over_zero_is_a_root() {
        let jump = |u: f64| if u < 0.3 { (-1.0, -1.0, 0.0) } else { (1.0, 1.0, 0.0) };
        let u = root((-1.0, 1.0), 0.0, jump);
        assert!((u - 0.3).abs() < 1e-16);
        let exact = |u: f64| match u.total_cmp(&0.25) {
            std::cmp::Ordering::Less => (-1.0, -1.0, 1e-3),
            std::cmp::Ordering::Equal => (-1.0, 1.0, 1e-3),
            std::cmp::Ordering::Greater => (1.0, 1.0, 1e-3),
        };
        assert_eq!(root((-10.0, 10.0), -3.0, exact), 0.25);
    }
}
