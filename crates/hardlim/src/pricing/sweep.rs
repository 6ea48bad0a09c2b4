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
//! The vertices are visited circle by circle (`circles.rs`), those of points in two or three
//! dimensions by boxes of normals (`boxes.rs`). For one halfspace, a branch and bound over
//! simplices of normals (`cells.rs`) rules out most of them at once. All of this is done in
//! floating point with a bound on its error. The vertices that may matter are computed in integers
//! (`flats.rs`). Nothing is decided by an epsilon.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cells::Cells;
use super::circles::all_steps;
use super::flats::search;
use super::meter::Meter;
use super::points::Points;
use super::space::{Memory, Space};
use super::vertex::{Chain, Floors, Found, is_large};
use super::witness::witness;
use super::{Bound, Price, Priced, price_all};
use crate::arrangement::{Arrangement, Hyperplane};

/// The rows of an arrangement of small rank, prepared for sweeps with one `z` after the other.
#[derive(Debug)]
pub struct Sweep<'a> {
    arrangement: Arrangement<'a>,
    space: Space,
    /// What earlier sweeps proved.
    memory: Mutex<Memory>,
    /// The elementary steps of all sweeps so far.
    work: AtomicU64,
    /// Those of the last one; zero before the first.
    last: AtomicU64,
}

/// The largest and the smallest `dᵀz` over `H(X)`.
#[derive(Debug, Clone)]
pub struct Extremes {
    /// The pattern with the largest `dᵀz`.
    pub highest: Priced,
    /// The pattern with the smallest `dᵀz`.
    pub lowest: Priced,
    /// `max_d |dᵀz|`. One of the patterns above reaches it, unless the cell of the best pattern is
    /// too thin for weights in double precision.
    pub bound: Price,
}

impl<'a> Sweep<'a> {
    /// Prepares the rows; `None` if their rank is above `most`.
    pub fn new(arrangement: Arrangement<'a>, most: usize) -> Option<Self> {
        let points = Points::of(&arrangement, most)?;
        let space = Space::new(points, arrangement.features().dimension());
        let (work, last) = (AtomicU64::new(0), AtomicU64::new(0));
        Some(Self { arrangement, space, memory: Mutex::default(), work, last })
    }

    /// The rank of `X̃`.
    pub fn rank(&self) -> usize {
        self.space.points.rank()
    }

    /// About how many elementary steps a first sweep of all circles takes, `C(n, r − 2) · n log n`.
    /// A core does about `10⁹` of them in a second.
    pub fn steps(&self) -> f64 {
        all_steps(&self.space.points)
    }

    /// The elementary steps of all sweeps so far.
    pub(super) fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// About how many elementary steps the next sweep takes: as many as the last one, if there was
    /// one.
    pub(super) fn next_steps(&self) -> f64 {
        match self.last.load(Ordering::Relaxed) {
            0 => self.space.steps(),
            last => last as f64,
        }
    }

    /// The extremes of `dᵀz`. The sweep starts from the patterns already `known`; good ones save
    /// most of the exact work. `None` if `stop` returns true.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub fn price(
        &self,
        z: &[f64],
        known: &[Priced],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Extremes> {
        assert_eq!(z.len(), self.space.points.len, "one number for each row");
        let (mut highest, mut lowest) = self.start(z, known);
        let floors = Floors { high: highest.value, low: lowest.value };
        let found = self.beyond(z, floors, stop)?;
        let value = found.floors.high.max(-found.floors.low);
        highest = found.highest.and_then(|chain| self.realise(z, &chain)).unwrap_or(highest);
        lowest = found.lowest.and_then(|chain| self.realise(z, &chain)).unwrap_or(lowest);
        let bound = Price { value, bound: Bound::Exact };
        Some(Extremes { highest, lowest, bound })
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
        let before = self.work();
        let searched = self.space.search(z, floors, &mut memory, &self.work, stop)?;
        self.last.store(self.work() - before, Ordering::Relaxed);
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
        let (found, bound) = if is_large(&self.space.points) {
            let searched =
                Cells::of(&self.space.points).search(&self.space.points, z, floors, stop);
            (searched.found, searched.within.high)
        } else {
            let found = search(&self.space.points, z, floors, &Meter::free());
            let bound = found.floors.high;
            (found, bound)
        };
        (found.highest.and_then(|chain| self.realise(z, &chain)), bound)
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best patterns known, or that of `w = 0`.
    fn start(&self, z: &[f64], known: &[Priced]) -> (Priced, Priced) {
        let dimension = self.arrangement.features().dimension();
        let zero = Hyperplane { weights: vec![0.0; dimension], bias: 0.0 };
        let mut all = price_all(&self.arrangement, z, vec![zero]);
        all.extend(known.iter().filter(|p| p.pattern.samples() == z.len()).cloned());
        let highest =
            all.iter().fold(&all[0], |best, p| if p.value > best.value { p } else { best });
        let lowest =
            all.iter().fold(&all[0], |best, p| if p.value < best.value { p } else { best });
        (highest.clone(), lowest.clone())
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
    use super::super::twin::{all_patterns, extremes, small_problem};
    use super::*;
    use crate::data::Features;
    use crate::exact::sum::round_to_grid;
    use proptest::prelude::{ProptestConfig, any, proptest};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn sweep(arrangement: Arrangement<'_>, z: &[f64]) -> Extremes {
        Sweep::new(arrangement, 6).unwrap().price(z, &[], &|| false).unwrap()
    }

    fn agrees_with_the_twin(features: &Features, z: &[f64], bias: bool) {
        let arrangement = Arrangement::with_bias(features, bias);
        let swept = sweep(arrangement, z);
        let (high, low) = extremes(&all_patterns(&arrangement), z);
        assert_eq!((swept.highest.value, swept.lowest.value), (high, low), "{features:?} {z:?}");
        assert_eq!(swept.bound.value, high.max(-low));
        for priced in [&swept.highest, &swept.lowest] {
            let again = price_all(&arrangement, z, vec![priced.hyperplane.clone()]);
            assert_eq!(&again[0], priced);
            assert!(bias || priced.hyperplane.bias == 0.0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn grids_of_two_and_three_columns_have_the_extremes_of_the_twin(
            (features, z) in small_problem(8, 0usize..3, 2), bias in any::<bool>(),
        ) {
            agrees_with_the_twin(&features, &z, bias);
        }

        #[test]
        fn few_points_of_higher_rank_have_the_extremes_of_the_twin(
            (features, z) in small_problem(7, 3usize..5, 1), bias in any::<bool>(),
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

    fn normal_data(n: usize, d: usize, seed: u64) -> (Features, Vec<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let x = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut z: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
        round_to_grid(&mut z);
        (Features::new(n, d, x).unwrap(), z)
    }

    #[test]
    fn no_hyperplane_is_beyond_the_extremes() {
        for (n, d) in [(60, 2), (30, 3), (15, 4)] {
            let (features, z) = normal_data(n, d, 7);
            let arrangement = Arrangement::of(&features);
            let swept = sweep(arrangement, &z);
            assert_eq!(swept.highest.value.max(-swept.lowest.value), swept.bound.value);
            let mut rng = ChaCha8Rng::seed_from_u64(8);
            let scaling = crate::data::Scaling::identity(d);
            let sample = arrangement.sample(20_000, &scaling, &mut rng);
            for value in sample.patterns.correlations(&z) {
                assert!(swept.lowest.value <= value && value <= swept.highest.value);
            }
        }
    }

    #[test]
    fn a_column_that_is_a_sum_up_to_rounding_counts_as_it_is() {
        let (plain, z) = normal_data(25, 2, 3);
        let thirds = plain.values().iter().map(|v| v / 3.0).collect();
        let plain = Features::new(25, 2, thirds).unwrap();
        let with_sum: Vec<f64> = (0..25)
            .flat_map(|i| [plain.row(i)[0], plain.row(i)[1], plain.row(i)[0] + plain.row(i)[1]])
            .collect();
        let features = Features::new(25, 3, with_sum).unwrap();
        let swept = Sweep::new(Arrangement::of(&features), 4).unwrap();
        assert_eq!(swept.rank(), 4);
        let more = swept.price(&z, &[], &|| false).unwrap();
        let less = sweep(Arrangement::of(&plain), &z);
        assert!(more.bound.value >= less.bound.value);
    }

    #[test]
    fn what_is_known_changes_neither_the_extremes_nor_does_the_number_of_threads() {
        let (features, z) = normal_data(40, 2, 5);
        let arrangement = Arrangement::of(&features);
        let first = sweep(arrangement, &z);
        let known = [first.highest.clone(), first.lowest.clone()];
        let again = Sweep::new(arrangement, 3).unwrap().price(&z, &known, &|| false).unwrap();
        assert_eq!((&again.highest, &again.lowest), (&first.highest, &first.lowest));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = pool.install(|| sweep(arrangement, &z));
        assert_eq!((&alone.highest, &alone.lowest), (&first.highest, &first.lowest));
        assert!(Sweep::new(arrangement, 2).is_none());
    }
}
