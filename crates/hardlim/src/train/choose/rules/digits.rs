//! Numbers with few digits.

use crate::pattern::threshold::is_weight;

/// The number of fewest significant digits between two others, and of these the one nearest to
/// their middle; the upper one where no weight of a neuron lies between. Zero has as many digits as
/// the numbers beside it.
pub(super) fn between(low: f64, high: f64) -> f64 {
    let middle = f64::midpoint(low, high);
    let largest = low.abs().max(high.abs()).log10().ceil() as i32;
    // Below the last digits of a double there is nothing.
    for power in (largest - DIGITS..=largest).rev() {
        let scaled = middle / 10f64.powi(power);
        if !scaled.is_finite() {
            break;
        }
        let read = |m: f64| format!("{m:.0}e{power}").parse::<f64>().expect("a decimal number");
        let inside = |v: &f64| low < *v && *v < high && is_weight(*v);
        let near = [-1.0, 0.0, 1.0].map(|step| read(scaled.round() + step)).into_iter();
        let near: Vec<f64> = near.filter(inside).collect();
        if near.iter().any(|v| *v != 0.0) {
            let nearest =
                near.into_iter().min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()));
            // Minus zero is written with its sign.
            return nearest.expect("one of them") + 0.0;
        }
    }
    high
}

/// Digits that tell all doubles apart, and one more.
const DIGITS: i32 = 18;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The significant digits of a number as it is written.
    fn digits(v: f64) -> usize {
        let text = format!("{v:e}");
        text.split('e').next().unwrap().chars().filter(char::is_ascii_digit).count()
    }

    #[test]
    fn cuts_read_well() {
        for (low, high, cut) in [
            (29.0, 36.0, 30.0),
            (29.4, 29.6, 29.5),
            (29.0, 30.0, 29.5),
            (0.3995, 0.4005, 0.4),
            (0.0, 1.0, 0.5),
            (-1.0, 1.0, 0.0),
            (-0.001, 5.0, 2.0),
            (1.0, 1000.0, 500.0),
            (-36.0, -29.0, -30.0),
            (1799.2, 1801.7, 1800.0),
            (1e-300, 3e-300, 3e-300),
            (-1e-300, 0.0, 0.0),
            (1.0, 1f64.next_up(), 1f64.next_up()),
        ] {
            assert_eq!(between(low, high), cut, "{low} {high}");
        }
    }

    proptest! {
        #[test]
        fn cuts_lie_between_the_values_and_no_shorter_number_does(
            a in -1000i32..1000, b in -1000i32..1000, scale in -3i32..4,
        ) {
            prop_assume!(a != b);
            let value = |m: i32| f64::from(m) * 10f64.powi(scale) / 8.0;
            let (low, high) = (value(a.min(b)), value(a.max(b)));
            let cut = between(low, high);
            prop_assert!(low < cut && cut <= high);
            // All numbers of fewer digits, of all sizes that matter.
            for power in -8..8 {
                let most = 10i32.pow(digits(cut) as u32 - 1);
                for m in (-most + 1..most).filter(|m| *m != 0) {
                    let v: f64 = format!("{m}e{power}").parse().unwrap();
                    prop_assert!(!(low < v && v < high), "{low} {v} {high}: {cut}");
                }
                if most > 1000 { break; }
            }
        }
    }
}
