//! The numbers that tune how networks are evaluated and their weights chosen, each with what speaks
//! for it.

// layer.rs
/// The neurons whose weights are spread out over all inputs at a time.
pub(in crate::network) const NEURONS: usize = 256;

// output.rs
/// The number of answers that are kept at a time.
pub(in crate::network) const ANSWERS: usize = 1 << 31;

// cell/integer.rs
/// The number of scales of each width that are rounded.
pub(in crate::network) const SCALES: i64 = 24;
/// The number of them from which a local search starts, with few inputs and with many.
pub(in crate::network) const STARTS: [usize; 2] = [12, 3];
/// The most inputs for which the least `max |kⱼ|` is computed.
pub(in crate::network) const LEAST: usize = 24;
/// The most multiples of it that are rounded at each width.
pub(in crate::network) const MULTIPLES: i64 = 8;
/// The most inputs for which two weights move at once.
pub(in crate::network) const PAIRS: usize = 12;

// cell/least.rs
/// The number of rows that join at a time.
pub(in crate::network) const ROWS_THAT_JOIN: usize = 20;

// cell/sparse.rs
/// The most inputs of a neuron that are tried one by one.
pub(in crate::network) const TRIES: usize = 256;

// cell/nearest.rs
/// The number of scales that are rounded.
pub(in crate::network) const NEAREST_SCALES: u32 = 24;
/// The most rounds over all weights.
pub(in crate::network) const NEAREST_ROUNDS: usize = 4;

// cell/rechoose.rs
/// The widths of inputs that are tried, in bits.
pub(in crate::network) const WIDTHS: [u32; 5] = [8, 12, 16, 20, 24];
