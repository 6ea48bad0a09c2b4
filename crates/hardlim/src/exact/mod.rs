//! What proofs rest on: arithmetic without rounding, each piece once.
//!
//! A double is an integer times a power of two ([`dyadic`]). So a matrix of doubles is one of
//! integers once its columns are scaled, and its minors are integers: they are known by their
//! residues ([`modular`]), in digits ([`integer`]), or to twice the precision of a double
//! ([`double`]). Ranks are proven by primes ([`rank`]), full ones of integers by bits ([`parity`]).

pub(crate) mod double;
pub(crate) mod dyadic;
pub(crate) mod integer;
pub(crate) mod modular;
pub(crate) mod parity;
pub(crate) mod rank;
