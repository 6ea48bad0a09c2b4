//! Sweeps over columns of numbers, with sums on the way, compiled for the instruction set of the
//! machine.
//!
//! The order of summation is the same on every machine: lane `k` of eight adds the numbers `i ≡ k
//! mod 8`, and the lanes are added one after the other.

const LANES: usize = 8;

/// Defines a function that is compiled twice, for any machine and for AVX2, and chosen at run time.
/// What it calls must be inlined.
macro_rules! fast {
    (
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn portable($($argument: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    portable($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: this machine has AVX2.
                    return unsafe { avx2($($argument),*) };
                }
            }
            portable($($argument),*)
        }
    };
}
pub(crate) use fast;

/// `Σ f(aᵢ)`.
#[inline(always)]
pub(crate) fn sum(a: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = a.chunks_exact(LANES);
    for (lane, &a) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane = f(a);
    }
    for a in chunks {
        for k in 0..LANES {
            lanes[k] += f(a[k]);
        }
    }
    lanes.iter().sum()
}

/// Calls `f(aᵢ, bᵢ)` for all pairs, and adds up its answers.
#[inline(always)]
pub(crate) fn pairs<const N: usize>(
    a: &mut [f64],
    b: &[f64],
    f: impl Fn(&mut f64, f64) -> [f64; N],
) -> [f64; N] {
    let mut lanes = [[0.0; LANES]; N];
    let (mut a_chunks, b_chunks) = (a.chunks_exact_mut(LANES), b.chunks_exact(LANES));
    let b_rest = b_chunks.remainder();
    for (a, b) in a_chunks.by_ref().zip(b_chunks) {
        for k in 0..LANES {
            let sums = f(&mut a[k], b[k]);
            for n in 0..N {
                lanes[n][k] += sums[n];
            }
        }
    }
    for (k, (a, &b)) in a_chunks.into_remainder().iter_mut().zip(b_rest).enumerate() {
        let sums = f(a, b);
        for n in 0..N {
            lanes[n][k] += sums[n];
        }
    }
    lanes.map(|lanes| lanes.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fast! {
        fn products(a: &mut [f64], b: &[f64]) -> [f64; 2] {
            pairs(a, b, |a, b| {
                *a *= b;
                [*a, b]
            })
        }
    }

    #[test]
    fn sweeps_are_plain_loops() {
        for count in [0, 1, 7, 8, 9, 64, 100] {
            let b: Vec<f64> = (0..count).map(|i| f64::from(i) - 3.0).collect();
            let mut a: Vec<f64> = b.iter().map(|b| 2.0 * b + 1.0).collect();
            let expected: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
            let sums = products(&mut a, &b);
            assert_eq!(a, expected);
            // Sums of small integers are exact in every order.
            assert_eq!(sums, [expected.iter().sum::<f64>(), b.iter().sum()]);
            assert_eq!(sum(&b, |b| b * b), b.iter().map(|b| b * b).sum::<f64>());
        }
    }
}
