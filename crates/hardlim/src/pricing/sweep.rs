//! The exact maximum of `|dᵀz|` if the rank `r` is small.
//!
//! Any pattern can be moved to a *vertex*: a direction `w` orthogonal to `r − 1` independent
//! points. If the points `F` orthogonal to `w` span less, turn `w` orthogonally to `F` until
//! another point becomes orthogonal; no other point has changed sides. So
//!
//! ```text
//! max_d dᵀz = max over vertices ±w of   Σ z over {a·w > 0}  +  max over the patterns of F,
//! ```
//!
//! and the patterns of `F` are those of an arrangement of rank `r − 1`: all dichotomies when `F`
//! has `r − 1` points, and a smaller problem of the same kind when the data are degenerate. The
//! pattern of `w = 0`, where every point is on, ends the recursion.
//!
//! The vertices are visited circle by circle (`circles.rs`). For points in two or three
//! dimensions, and for one halfspace in more of them, boxes of normals (`boxes.rs`) rule out most
//! vertices at once. All of this is done in floating point with a bound on its error. The vertices
//! that may matter are computed in integers (`flats.rs`). Nothing is decided by an epsilon.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::boxes::{Attempt, Boxes, Searched};
use super::circles::{Circles, all_steps};
use super::flats::search;
use super::meter::{Meter, Work};
use super::points::Points;
use super::space::{Memory, Space};
use super::vertex::{Chain, Floors, Found, is_large};
use super::witness::witness;
use super::{Priced, price_all};
use crate::arrangement::{Arrangement, Hyperplane};

/// The rows of an arrangement of small rank, prepared for sweeps with one `z` after the other.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    arrangement: Arrangement<'a>,
    space: Space,
    memory: Mutex<Memory>,
    pub(super) work: Work,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(arrangement: Arrangement<'a>, most: usize) -> Option<Self> {
        let points = Points::of(&arrangement, most)?;
        let space = Space::new(points, arrangement.features().dimension());
        Some(Self { arrangement, space, memory: Mutex::default(), work: Work::default() })
    }

    /// About how many elementary steps a first sweep of all circles takes, `C(n, r − 2) · n log n`.
    /// A core does about `10⁹` of them in a second.
    pub(super) fn steps(&self) -> f64 {
        all_steps(&self.space.points)
    }

    /// About how many elementary steps the next sweep takes.
    pub(super) fn next_steps(&self) -> f64 {
        self.work.next(|| self.space.steps())
    }

    /// The best patterns beyond the floors, which are sums of numbers of `z`; `None` if told to
    /// stop.
    pub(super) fn beyond(
        &self,
        z: &[f64],
        floors: Floors,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Found> {
        // A search that ends early leaves nothing to remember.
        let mut memory = std::mem::take(&mut *self.memory());
        let before = self.work.so_far();
        let searched = self.space.search(z, floors, &mut memory, &self.work.counter, stop)?;
        self.work.end(before);
        *self.memory() = memory;
        Some(searched.found)
    }

    /// A halfspace with `dᵀz` above the floor, if there is one, and an upper bound on `dᵀz` that is
    /// not below the floor. The bound is exact, unless the search was told to stop.
    pub(super) fn most(
        &self,
        z: &[f64],
        floor: f64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Option<Priced>, f64) {
        let floors = Floors { high: floor, low: f64::NEG_INFINITY };
        let points = &self.space.points;
        let Searched { found, within } = if is_large(points) {
            let counter = AtomicU64::new(0);
            let meter = Meter::new(&counter, stop);
            let patience = self.steps() as u64;
            match Boxes::any(points).attempt(points, z, floors, patience, &meter) {
                Attempt::Done(searched) | Attempt::Stopped(searched) => searched,
                Attempt::TooLong(boxes) => {
                    let floors = boxes.found.floors;
                    match Circles::default().search(points, z, floors, &counter, stop) {
                        Some(mut found) => {
                            found.precede(boxes.found);
                            Searched::exact(found)
                        }
                        None => boxes,
                    }
                }
            }
        } else {
            Searched::exact(search(points, z, floors, &Meter::free()))
        };
        (found.highest.and_then(|chain| self.realise(z, &chain)), within.high)
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn realise(&self, z: &[f64], chain: &Chain) -> Option<Priced> {
        let hyperplane =
            hyperplane(&self.space.points, chain, self.arrangement.features().dimension())?;
        let priced = price_all(&self.arrangement, z, vec![hyperplane]).pop()?;
        debug_assert_eq!(priced.value, chain.value);
        Some(priced)
    }
}

/// The hyperplane of a chain; `None` if doubles cannot represent one. The bias is column
/// `dimension`.
pub(super) fn hyperplane(points: &Points, chain: &Chain, dimension: usize) -> Option<Hyperplane> {
    let mut weights = vec![0.0; dimension + 1];
    for (&j, w) in points.columns.iter().zip(witness(points, chain)?) {
        weights[j] = w;
    }
    let bias = weights.pop().expect("the bias is the last");
    Some(Hyperplane { weights, bias })
}

#[cfg(test)]
mod tests {
    use super::super::twin::{
        all_patterns, are_what_they_say, extremes, random_problem, small_problem,
    };
    use super::*;
    use crate::data::{Features, Scaling};
    use proptest::prelude::{ProptestConfig, any, prop_oneof, proptest};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// The extremes, and the patterns that reach them, unless their cells are too thin for doubles.
    fn swept(arrangement: Arrangement<'_>, z: &[f64]) -> ((f64, f64), Vec<Priced>) {
        let sweep = Sweep::new(arrangement, 6).unwrap();
        let found = sweep.beyond(z, Floors::NONE, &|| false).unwrap();
        let Floors { high, low } = found.floors;
        let patterns = found.chains().filter_map(|chain| sweep.realise(z, &chain)).collect();
        ((high, low), patterns)
    }

    fn agrees_with_the_twin(features: &Features, z: &[f64], bias: bool) {
        let arrangement = Arrangement::with_bias(features, bias);
        let (found, patterns) = swept(arrangement, z);
        assert_eq!(found, extremes(&all_patterns(&arrangement), z), "{features:?} {z:?}");
        are_what_they_say(&arrangement, z, &patterns);
        let values: Vec<f64> = patterns.iter().map(|priced| priced.value).collect();
        assert!(values.contains(&found.0) && values.contains(&found.1), "{features:?} {z:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn grids_have_the_extremes_of_the_twin(
            (features, z) in prop_oneof![
                small_problem(8, 0usize..3, 2), small_problem(7, 3usize..5, 1),
            ],
            bias in any::<bool>(),
        ) {
            agrees_with_the_twin(&features, &z, bias);
        }

        #[test]
        fn large_integers_close_to_dependent_have_the_extremes_of_the_twin(
            (features, z) in small_problem(7, 1usize..4, 1), bias in any::<bool>(),
        ) {
            // A shift and a stretch leave little accuracy to floating point.
            let d = features.dimension();
            let stretched: Vec<f64> = (features.values().iter().enumerate())
                .map(|(k, v)| v + 1e6 * (1 + k % d) as f64 + 3.0 * (k / d) as f64)
                .collect();
            let features = Features::new(features.rows(), d, stretched).unwrap();
            agrees_with_the_twin(&features, &z, bias);
        }
    }

    #[test]
    fn no_hyperplane_is_beyond_the_extremes_on_any_number_of_threads() {
        for (n, d) in [(60, 2), (30, 3), (15, 4)] {
            let (features, z) = random_problem(n, d, 7);
            let arrangement = Arrangement::of(&features);
            let found = swept(arrangement, &z);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            assert_eq!(pool.install(|| swept(arrangement, &z)), found);
            let mut rng = ChaCha8Rng::seed_from_u64(8);
            let sample = arrangement.sample(20_000, &Scaling::identity(d), &mut rng);
            let (high, low) = found.0;
            for value in sample.patterns.correlations(&z) {
                assert!(low <= value && value <= high);
            }
        }
    }

    #[test]
    fn a_column_that_is_a_sum_up_to_rounding_counts_as_it_is() {
        let (plain, z) = random_problem(25, 2, 3);
        let thirds = plain.values().iter().map(|v| v / 3.0).collect();
        let plain = Features::new(25, 2, thirds).unwrap();
        let with_sum: Vec<f64> = (0..25)
            .flat_map(|i| [plain.row(i)[0], plain.row(i)[1], plain.row(i)[0] + plain.row(i)[1]])
            .collect();
        let features = Features::new(25, 3, with_sum).unwrap();
        assert_eq!(Arrangement::of(&features).rank(), 4);
        assert!(Sweep::new(Arrangement::of(&features), 3).is_none());
        let (more, _) = swept(Arrangement::of(&features), &z);
        let (less, _) = swept(Arrangement::of(&plain), &z);
        assert!(more.0 >= less.0 && more.1 <= less.1);
    }
}
