//! What earlier searches proved, for the next `z`.
//!
//! A search ends with simplices that together hold all normals, and for each one values `U` and `L`
//! that no pattern of its halfspaces is beyond. For another `z′`,
//!
//! ```text
//! dᵀz′ = dᵀz + dᵀ(z′ − z) ≤ U + Σ (z′ − z)₊,
//! ```
//!
//! so a simplex for which this is not above the best value known is done without a visit.

use super::vertex::Floors;

/// Simplices are remembered up to this many numbers in all.
const MOST_NUMBERS: usize = 1 << 23;

/// By how much `dᵀz` may be above or below that of an older `z`.
pub(super) fn drift(z: &[f64], old: &[f64]) -> Floors {
    let change = || z.iter().zip(old).map(|(new, old)| new - old);
    // The two are on different grids, so differences and their sums are rounded.
    let size: f64 = z.iter().chain(old).map(|z| z.abs()).sum();
    let rounding = 4.0 * f64::EPSILON * size * (1.0 + z.len() as f64);
    Floors {
        high: change().map(|c| c.max(0.0)).sum::<f64>() + rounding,
        low: change().map(|c| c.min(0.0)).sum::<f64>() - rounding,
    }
}

/// A simplex that is done, and the values that its halfspaces are within.
#[derive(Debug, Clone)]
pub(super) struct Done {
    /// The corners, one after the other.
    pub(super) corners: Vec<f64>,
    pub(super) depth: u32,
    pub(super) within: Floors,
    /// The number of the `z` of these values.
    round: u32,
}

impl Done {
    pub(super) fn new(corners: Vec<f64>, depth: u32, within: Floors) -> Self {
        Self { corners, depth, within, round: 0 }
    }

    /// The simplices of half of all normals: those of a cross-polytope.
    pub(super) fn roots(count: usize) -> Vec<Self> {
        let root = |signs: usize| {
            let mut corners = vec![0.0; count * count];
            for k in 0..count {
                corners[k * count + k] = if signs >> k & 1 == 1 { -1.0 } else { 1.0 };
            }
            Self::new(corners, 0, Floors::NONE)
        };
        (0..1 << (count - 1)).map(root).collect()
    }
}

/// The simplices of earlier searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    done: Vec<Done>,
    /// The `z` of every round.
    rounds: Vec<Vec<f64>>,
    /// Whether the simplices hold all normals.
    complete: bool,
    /// About how many elementary steps the last search took.
    pub(super) steps: f64,
}

impl Memory {
    /// The simplices that have to be searched for `z`, if values within the floors are ignored.
    pub(super) fn open(&mut self, corners: usize, z: &[f64], floors: Floors) -> Vec<Done> {
        let whole = std::mem::replace(&mut self.complete, true);
        self.steps = 0.0;
        if !whole {
            (self.done, self.rounds) = (Vec::new(), vec![z.to_vec()]);
            return Done::roots(corners);
        }
        let drifts: Vec<Floors> = self.rounds.iter().map(|old| drift(z, old)).collect();
        let (open, done) = std::mem::take(&mut self.done).into_iter().partition(|cell| {
            let Floors { high, low } = drifts[cell.round as usize];
            cell.within.high + high > floors.high || cell.within.low + low < floors.low
        });
        self.done = done;
        self.rounds.push(z.to_vec());
        open
    }

    /// Remembers simplices that are done, or forgets all of them if there are too many.
    pub(super) fn keep(&mut self, done: Vec<Done>) {
        let round = self.rounds.len() as u32 - 1;
        let numbers = done.first().map_or(0, |cell| cell.corners.len() + 8);
        self.complete &= (self.done.len() + done.len()) * numbers <= MOST_NUMBERS;
        if self.complete {
            self.done.extend(done.into_iter().map(|cell| Done { round, ..cell }));
        } else {
            self.done = Vec::new();
        }
    }
}
