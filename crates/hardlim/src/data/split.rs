//! Held-out rows: a random part of a table, class by class if the target has few values.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::table::Table;

/// The most values of a target for which each value is split separately.
const STRATA: usize = 20;

/// Which rows are held out: a fraction of the table, and the seed that picks the rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The fraction of rows that is held out, between zero and one.
    pub fraction: f64,
    /// The seed of the random choice.
    pub seed: u64,
}

impl Split {
    /// The rows to train on and the rows held out, each in ascending order. If the target has few
    /// values, every value has the same share in both parts, up to rounding.
    pub fn parts(&self, table: &Table, target: usize) -> (Vec<usize>, Vec<usize>) {
        let mut strata: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for i in 0..table.rows() {
            strata
                .entry(table.field(i, target).label().unwrap_or_default().into_owned())
                .or_default()
                .push(i);
        }
        let strata: Vec<Vec<usize>> = if strata.len() <= STRATA {
            strata.into_values().collect()
        } else {
            vec![(0..table.rows()).collect()]
        };
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(2); // data and weights use the streams before this one
        let (mut kept, mut aside) = (Vec::new(), Vec::new());
        for mut rows in strata {
            rows.shuffle(&mut rng);
            let count = (self.fraction.clamp(0.0, 1.0) * rows.len() as f64).round() as usize;
            aside.extend_from_slice(&rows[..count]);
            kept.extend_from_slice(&rows[count..]);
        }
        kept.sort_unstable();
        aside.sort_unstable();
        (kept, aside)
    }
}
