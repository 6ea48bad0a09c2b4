//! Numbers of certificates as text. A bound that is written is rounded so that it stays true.

/// Rounds down what is written: a lower bound stays one.
pub const DOWN: f64 = -1.0;
/// Rounds up what is written: an upper bound stays one.
pub const UP: f64 = 1.0;
/// Writes the nearest number of that many digits.
pub const NEAREST: f64 = 0.0;

/// The text of `x`, whose last digit is worth `unit`.
fn write(toward: f64, x: f64, unit: f64, text: impl Fn(f64) -> String) -> String {
    let written = text(x);
    match written.parse::<f64>() {
        Ok(value) if toward * (value - x) < 0.0 => text(value + toward * unit),
        _ => written,
    }
}

/// `x` with `count` significant digits, and an exponent only if it is very small or very large.
pub fn digits(x: f64, count: usize, toward: f64) -> String {
    let size = x.abs();
    let exponent = |x: f64| format!("{x:.*e}", count - 1);
    let magnitude = magnitude(x);
    if size != 0.0 && !(1e-4..1e12).contains(&size) {
        return write(toward, x, 10f64.powi(magnitude + 1 - count as i32), exponent);
    }
    let places = (count as i32 - 1 - magnitude).max(0);
    let text = write(toward, x, 10f64.powi(-places), |x| format!("{x:.*}", places as usize));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// The place of the first digit of `x`, before it is rounded: `⌊log₁₀|x|⌋`.
fn magnitude(x: f64) -> i32 {
    format!("{x:e}").split_once('e').map_or(0, |(_, digits)| digits.parse().unwrap_or(0))
}

/// A fraction in per cent; very small and very large ones have an exponent.
pub fn percent(fraction: f64, toward: f64) -> String {
    let x = 100.0 * fraction;
    if fraction == 0.0 || (1e-4..1e6).contains(&fraction.abs()) {
        return write(toward, x, 1e-4, |x| format!("{x:.4}")) + " %";
    }
    write(toward, x, 10f64.powi(magnitude(x) - 1), |x| format!("{x:.1e}")) + " %"
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_the_digits_that_people_read() {
        for (x, text) in [(0.0, "0"), (9.99999, "10"), (1234.5678, "1235"), (5e-5, "5.000e-5")] {
            assert_eq!(digits(x, 4, NEAREST), text);
        }
        for (x, text) in [(0.0, "0.0000 %"), (0.5, "50.0000 %"), (2f64.powi(-30), "9.4e-8 %")] {
            assert_eq!(percent(x, UP), text);
        }
        assert_eq!(percent(0.123_456_71, UP), "12.3457 %");
        assert_eq!(percent(0.123_456_01, UP), "12.3457 %");
        assert_eq!(percent(9.91e-8, UP), "1.0e-5 %");
        assert_eq!(percent(f64::INFINITY, UP), "inf %");
    }

    proptest! {
        #[test]
        fn a_bound_that_is_written_is_still_a_bound(
            x in -10.0f64..10.0, exponent in -20i32..20, count in 1usize..11,
        ) {
            let x = x * 10f64.powi(exponent);
            let number = |text: &str| text.trim_end_matches(" %").parse::<f64>().unwrap();
            let step = x.abs() * 10f64.powi(1 - count as i32);
            let (low, high) = (digits(x, count, DOWN), digits(x, count, UP));
            prop_assert!(number(&low) <= x && x <= number(&high), "{low} {x} {high}");
            prop_assert!(number(&high) - number(&low) <= 1.001 * step.max(1e-4), "{low} {high}");
            let (low, high) = (percent(x, DOWN), percent(x, UP));
            prop_assert!(number(&low) <= 100.0 * x && 100.0 * x <= number(&high), "{low} {high}");
        }
    }
}
