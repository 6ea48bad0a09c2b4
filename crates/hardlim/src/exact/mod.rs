//! Arithmetic without rounding, which all proofs rely on.
//!
//! A double is an integer times a power of two ([`dyadic`]). So a matrix of doubles becomes a
//! matrix of integers when its columns are scaled, and its minors are integers. We compute them by
//! their residues ([`modular`]), in digits ([`integer`]), or in twice the precision of a double
//! ([`double`]). Ranks are proven modulo primes ([`rank`]). Sums of doubles that come in parts are
//! exact, too ([`total`]).

pub(crate) mod double;
pub(crate) mod dyadic;
pub(crate) mod integer;
pub(crate) mod modular;
pub(crate) mod rank;
pub(crate) mod sum;
pub(crate) mod total;
