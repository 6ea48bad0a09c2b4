//! A staircase: thresholds along one direction, one at every change of the label.
//!
//! ```text
//! labels along the direction   − − + + + − +        1{x·w ≥ t₁} − 1{x·w ≥ t₂} + 1{x·w ≥ t₃} ≥ 1
//! thresholds                      t₁    t₂ t₃
//! ```
//!
//! The sum rises and falls by one, so the neuron above needs only the weights ±1. This takes one
//! neuron for each change and one above them. We try many directions, and the inputs themselves,
//! and keep the one with the fewest changes.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{Labelling, plural};
use crate::error::Error;
use crate::network::{Layer, Neuron, Staircase};

/// The number of directions that are tried.
const DIRECTIONS: usize = 256;

/// The thresholds, and the neuron above them.
pub(super) fn layers(labelling: &Labelling, seed: u64) -> Result<(Vec<Layer>, String), Error> {
    let labels: Vec<bool> = labelling.labels.iter().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (features, scaling) = (&labelling.features, &labelling.scaling);
    let drawn = Staircase::shortest(features, scaling, &labels, DIRECTIONS, &mut rng);
    // Single inputs are easier to read. But in most data some rows agree in an input, and then it
    // gives no staircase.
    let width = features.dimension();
    let unit = |j: usize| (0..width).map(|k| f64::from(u8::from(k == j))).collect();
    let alone = (0..width.min(DIRECTIONS)).filter_map(|j| Staircase::along(features, unit(j)).ok());
    let shortest =
        alone.chain(drawn.as_ref().ok().cloned()).min_by_key(|s| s.changes(&labels).len());
    let Some(stairs) = shortest else { return Err(drawn.expect_err("no direction")) };
    let changes = stairs.changes(&labels);
    let neurons = changes.iter().map(|&k| Neuron::from(stairs.hyperplane(k))).collect();
    // The label before the first change. With it the sum is 1 where the label is +1, and 0
    // elsewhere.
    let first = labels[stairs.order()[0]];
    let (up, down) = if first { (-1.0, 1.0) } else { (1.0, -1.0) };
    let weights = (0..changes.len()).map(|k| if k % 2 == 0 { up } else { down }).collect();
    let bias = if first { 0.0 } else { -1.0 };
    let above = Neuron { inputs: None, weights, bias };
    let changes = plural(changes.len(), "label change");
    let note = format!("{changes} along the best of some directions");
    Ok((vec![Layer { neurons }, Layer { neurons: vec![above] }], note))
}
