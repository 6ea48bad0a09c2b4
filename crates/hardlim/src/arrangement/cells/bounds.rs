//! Arithmetic in doubles with proven errors.
//!
//! A number `t` with an error `e` stands for some real number between `t − e` and `t + e`. Every
//! operation rounds its result and its bound; [`SLACK`] covers the rounding of the bound.

/// Covers losses below the smallest normal number.
pub(super) const TINY: f64 = 1e-290;
/// Covers the rounding errors of an error bound itself.
pub(super) const SLACK: f64 = 1.0 + 16.0 * f64::EPSILON;

/// Whether the sign of a number with this error is known; a bound that overflowed is no bound.
pub(super) fn certain(value: f64, error: f64) -> bool {
    value.abs() > error
}

/// `f = t / pivot`, and its errors.
pub(super) fn divide(
    (values, errors): (&[f64], &[f64]),
    (pivot, pivot_error): (f64, f64),
    (out, out_errors): (&mut [f64], &mut [f64]),
) {
    let inverse = 1.0 / (pivot.abs() - pivot_error);
    for ((value, error), (out, out_error)) in
        values.iter().zip(errors).zip(out.iter_mut().zip(out_errors))
    {
        let factor = value / pivot;
        let size = factor.abs();
        *out = factor;
        *out_error = ((error + size * pivot_error) * inverse + f64::EPSILON * size) * SLACK + TINY;
    }
}

/// `t − f·c`, and its errors.
pub(super) fn subtract(
    (values, errors): (&[f64], &[f64]),
    (factors, factor_errors): (&[f64], &[f64]),
    (c, c_error): (f64, f64),
    (out, out_errors): (&mut [f64], &mut [f64]),
) {
    let per_factor = c_error + f64::EPSILON * c.abs();
    let per_error = c.abs() + c_error;
    let inputs = values.iter().zip(errors).zip(factors.iter().zip(factor_errors));
    for (((value, error), (factor, factor_error)), (out, out_error)) in
        inputs.zip(out.iter_mut().zip(out_errors))
    {
        let result = value - factor * c;
        *out = result;
        *out_error = (error
            + factor.abs() * per_factor
            + factor_error * per_error
            + f64::EPSILON * result.abs())
            * SLACK
            + TINY;
    }
}

/// Bounds around `−x/y`; they mean nothing if the sign of `y` is not known.
pub(super) fn quotient(
    (x, x_errors): (&[f64], &[f64]),
    (y, y_errors): (&[f64], &[f64]),
    (below, above): (&mut [f64], &mut [f64]),
) {
    let inputs = x.iter().zip(x_errors).zip(y.iter().zip(y_errors));
    for (((x, x_error), (y, y_error)), (below, above)) in inputs.zip(below.iter_mut().zip(above)) {
        let at = -x / y;
        let size = at.abs();
        let error = (x_error + size * y_error) / (y.abs() - y_error);
        let error = error * SLACK + 4.0 * f64::EPSILON * size + TINY;
        (*below, *above) = (at - error, at + error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A number of thirds and its error: exact in integers, not in doubles.
    fn third(k: i64) -> (f64, f64) {
        let value = k as f64 / 3.0;
        (value, f64::EPSILON * value.abs())
    }

    proptest! {
        #[test]
        fn results_lie_within_their_errors(
            t in -1000i64..1000, f in -1000i64..1000, c in -1000i64..1000, pivot in 1i64..1000,
        ) {
            // All are thirds, so t − f·c is (3t − fc)/9 and t/pivot is a ratio of integers.
            let ((tv, te), (fv, fe), (cv, ce)) = (third(t), third(f), third(c));
            let (mut out, mut error) = ([0.0], [0.0]);
            subtract((&[tv], &[te]), (&[fv], &[fe]), (cv, ce), (&mut out, &mut error));
            let exact = (3 * t - f * c) as f64 / 9.0;
            prop_assert!((out[0] - exact).abs() <= error[0] + f64::EPSILON * exact.abs());
            divide((&[tv], &[te]), third(pivot), (&mut out, &mut error));
            let exact = t as f64 / pivot as f64;
            prop_assert!((out[0] - exact).abs() <= error[0] + f64::EPSILON * exact.abs());
            prop_assert!(error[0] <= 1e-12 * (1.0 + exact.abs()));
            let (p, pe) = third(pivot);
            quotient((&[tv], &[te]), (&[p], &[pe]), (&mut out, &mut error));
            prop_assert!(out[0] <= -exact && -exact <= error[0]);
        }
    }
}
