//! A decision list of halfspaces: peel off rows of one label until one label is left.
//!
//! A halfspace that holds only rows of one label, among the rows left, decides these rows. They are
//! removed, and the rest is peeled again. In the end the first halfspace that holds a row tells its
//! label, and [`super::decide`] turns this list into neurons. Some halfspace always exists: the row
//! that is farthest in some direction has one of its own.
//!
//! The more rows a halfspace holds, the fewer halfspaces are needed. Every direction gives two
//! halfspaces: its ends, up to the first row of the other label. Good directions come from the
//! search for patterns with a large `dᵀz` ([`LocalSearch`]), where `z = 1` on rows of one label,
//! with a penalty on the others. They stay candidates for later steps, because removing rows only
//! makes more room.

use crate::arrangement::{Arrangement, Hyperplane, evaluate};
use crate::data::Features;
use crate::error::Error;
use crate::network::{Layer, Neuron};
use crate::pattern::Pattern;
use crate::pattern::threshold::{flush, is_weight};
use crate::pricing::LocalSearch;

use super::decide::{self, Item};
use super::{Labelling, Watch, plural};

/// The penalty for a row of the other label during the search for directions.
const PENALTY: f64 = 3.0;
/// The number of directions that are kept for later steps.
const POOL: usize = 48;
/// The number of these from which the search starts.
const FROM: usize = 3;

/// A halfspace that holds one label among the rows left.
#[derive(Debug, Clone)]
struct Cap {
    plane: Hyperplane,
    label: bool,
    /// The number of rows left that it holds.
    rows: usize,
}

/// The halfspaces, and the neurons that decide between them.
pub(super) fn layers(
    labelling: &Labelling,
    seed: u64,
    watch: Watch<'_>,
) -> Result<(Vec<Layer>, String), Error> {
    let (caps, default) = peel(labelling, seed, watch)?;
    let planes: Vec<Hyperplane> = caps.iter().map(|cap| cap.plane.clone()).collect();
    let patterns = evaluate(&labelling.features, &planes);
    let items: Vec<Item> = (caps.iter().enumerate())
        .map(|(j, cap)| Item { pattern: patterns.pattern(j), label: cap.label })
        .collect();
    let above = decide::layers(&items, default, labelling.rows(), decide::LARGEST);
    let neurons = planes.into_iter().map(Neuron::from).collect();
    let largest = above.iter().flat_map(|layer| &layer.neurons).flat_map(|n| &n.weights);
    let largest = largest.fold(0.0_f64, |most, w| most.max(w.abs()));
    let count = plural(items.len(), "halfspace");
    let note = format!("{count} of one label each; weights in later layers up to {largest}");
    let layers = std::iter::once(Layer { neurons }).chain(above).collect();
    Ok((layers, note))
}

/// Halfspaces that are removed until one label is left, and that label.
fn peel(labelling: &Labelling, seed: u64, watch: Watch<'_>) -> Result<(Vec<Cap>, bool), Error> {
    let all = labelling.rows();
    let mut left: Vec<usize> = (0..all).collect();
    let (mut pool, mut caps) = (Vec::<Hyperplane>::new(), Vec::<Cap>::new());
    loop {
        let labels = Pattern::from_fn(left.len(), |i| labelling.labels.get(left[i]));
        if labels.count() == 0 || labels.count() == left.len() {
            return Ok((caps, labels.count() > 0));
        }
        watch.check(caps.len() + 1)?;
        let rows = Rows { features: labelling.features.select(&left), labels, labelling };
        let cap = rows.best(&mut pool, seed.wrapping_add(caps.len() as u64))?;
        let held = evaluate(&rows.features, std::slice::from_ref(&cap.plane));
        let mut i = 0;
        left.retain(|_| {
            i += 1;
            !held.get(i - 1, 0)
        });
        caps.push(cap);
        let done = all - left.len();
        (watch.tell)(&format!("{} halfspaces hold {done} of {all} rows", caps.len()));
    }
}

/// The rows left.
struct Rows<'a> {
    features: Features,
    labels: Pattern,
    labelling: &'a Labelling,
}

impl Rows<'_> {
    /// The largest halfspace that was found. Directions are kept in the pool.
    fn best(&self, pool: &mut Vec<Hyperplane>, seed: u64) -> Result<Cap, Error> {
        let mut caps = self.caps(pool);
        // The search starts from a few good ones, for either label.
        let from: Vec<Hyperplane> = caps.iter().take(FROM).map(|cap| cap.plane.clone()).collect();
        for label in [true, false] {
            let z = self.wanted(label, PENALTY);
            let found = self.search(&z, &from, seed, self.effort());
            pool.extend(found.iter().cloned());
            caps.extend(self.caps(&found));
        }
        sort(&mut caps);
        // Searches again from the best ones, with a penalty that keeps every row of the other label
        // out.
        let hard = LocalSearch { starts: 0, ..self.effort() };
        for cap in caps.clone().into_iter().take(FROM) {
            let z = self.wanted(cap.label, self.features.rows() as f64);
            let found = self.search(&z, &[cap.plane], seed, hard);
            pool.extend(found.iter().cloned());
            caps.extend(self.caps(&found));
        }
        caps.extend(self.columns());
        sort(&mut caps);
        *pool = caps.iter().take(POOL).map(|cap| cap.plane.clone()).collect();
        caps.into_iter().find(|cap| self.holds(cap)).ok_or(Error::TooClose { way: "list" })
    }

    /// One for the rows of a label, minus the penalty for the others.
    fn wanted(&self, label: bool, penalty: f64) -> Vec<f64> {
        self.labels.iter().map(|on| if on == label { 1.0 } else { -penalty }).collect()
    }

    /// Makes fewer line searches if each takes longer.
    fn effort(&self) -> LocalSearch {
        let steps = (400_000 / (self.features.rows() + 1)).clamp(40, 200);
        LocalSearch { starts: (steps / 5).clamp(8, 24), steps, keep: 8 }
    }

    fn search(
        &self,
        z: &[f64],
        from: &[Hyperplane],
        seed: u64,
        search: LocalSearch,
    ) -> Vec<Hyperplane> {
        let arrangement = Arrangement::of(&self.features);
        let found = search.search(&arrangement, &self.labelling.scaling, z, from, seed);
        found.into_iter().map(|priced| priced.hyperplane).collect()
    }

    /// Both ends of every direction, the largest first.
    fn caps(&self, planes: &[Hyperplane]) -> Vec<Cap> {
        let mut caps: Vec<Cap> =
            planes.iter().flat_map(|plane| self.ends(&plane.weights)).collect();
        sort(&mut caps);
        caps
    }

    /// Both ends of every input.
    fn columns(&self) -> Vec<Cap> {
        let width = self.features.dimension();
        let unit = |j: usize| (0..width).map(|k| f64::from(u8::from(k == j))).collect::<Vec<f64>>();
        (0..width).flat_map(|j| self.ends(&unit(j))).collect()
    }

    /// The two ends of a direction, each up to the first row of the other label.
    fn ends(&self, weights: &[f64]) -> Vec<Cap> {
        let dot =
            |i: usize| self.features.row(i).iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
        let heights: Vec<f64> = (0..self.features.rows()).map(dot).collect();
        let end = |sign: f64| {
            let mut highest = [f64::NEG_INFINITY; 2];
            for (t, on) in heights.iter().zip(self.labels.iter()) {
                let highest = &mut highest[usize::from(on)];
                *highest = highest.max(sign * t);
            }
            let label = highest[1] > highest[0];
            let other = highest[usize::from(!label)];
            // The rows of this label above the highest row of the other; the lowest of them sets
            // the threshold.
            let above = heights.iter().map(|t| sign * t).filter(|t| *t > other);
            let (rows, lowest) = above.fold((0, f64::INFINITY), |(n, low), t| (n + 1, low.min(t)));
            let weights: Vec<f64> = weights.iter().map(|w| flush(sign * w)).collect();
            let bias = flush(-f64::midpoint(other, lowest));
            let valid = rows > 0 && weights.iter().chain([&bias]).all(|&w| is_weight(w));
            valid.then_some(Cap { plane: Hyperplane { weights, bias }, label, rows })
        };
        [1.0, -1.0].into_iter().filter_map(end).collect()
    }

    /// Whether a halfspace holds at least one row, and rows of one label only, decided exactly.
    fn holds(&self, cap: &Cap) -> bool {
        let pattern = evaluate(&self.features, std::slice::from_ref(&cap.plane)).pattern(0);
        pattern.count() > 0
            && (pattern.iter().zip(self.labels.iter())).all(|(on, label)| !on || label == cap.label)
    }
}

/// Sorts by the number of rows, the most first; ties keep the order of the search.
fn sort(caps: &mut [Cap]) {
    caps.sort_by_key(|cap| std::cmp::Reverse(cap.rows));
}
