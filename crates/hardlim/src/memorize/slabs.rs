//! Slabs: the rows of the rarer label in groups, each between two parallel hyperplanes.
//!
//! There is a hyperplane through `d` points of `R^d`. In general position it contains no other row.
//! So two copies of it, moved apart a little, enclose a slab with these `d` rows and none of the
//! other label: `1{w·x ≥ low} − 1{w·x ≥ high}`. One neuron above asks whether some slab holds the
//! row. This takes `2⌈n₋/d⌉ + 1` neurons, and the weights above are ±1.
//!
//! Slabs are then made as thick as the other label allows, and may hold more rows. A slab that is
//! open to one side is a halfspace and takes one neuron. So `2⌈n₋/d⌉ + 1` is an upper bound. If
//! rows are not in general position, a group whose slab holds a row of the other label is halved,
//! down to a single row. Slabs are found in floating point; then their neurons are evaluated on all
//! rows.

use rand::seq::index::sample;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use super::{Labelling, Watch, plural};
use crate::arrangement::{Hyperplane, evaluate};
use crate::error::Error;
use crate::network::{Layer, Neuron};
use crate::pattern::threshold::{flush, is_weight};

/// The groups that are tried for each slab.
const TRIES: usize = 48;
/// About how many elementary steps the groups of one slab may take; in many dimensions fewer groups
/// are tried.
const STEPS: usize = 1 << 28;
/// A row lies in the span of others if at most this fraction of it is left outside.
const DEPENDENT: f64 = 1e-9;

/// Rows between two parallel hyperplanes; a missing hyperplane is at infinity.
#[derive(Debug, Clone)]
struct Slab {
    /// On from the beginning of the slab.
    low: Option<Hyperplane>,
    /// On from the end of the slab.
    high: Option<Hyperplane>,
    /// The rows that it holds and no earlier slab does.
    rows: Vec<usize>,
    /// Whether it was made for fewer rows than the dimension allows, although there were more.
    short: bool,
}

impl Slab {
    fn neurons(&self) -> usize {
        usize::from(self.low.is_some()) + usize::from(self.high.is_some())
    }
}

/// The slabs, and the neuron above them.
pub(super) fn layers(
    labelling: &Labelling,
    seed: u64,
    watch: Watch<'_>,
) -> Result<(Vec<Layer>, String), Error> {
    let (rare, count) = labelling.rarer();
    let search = Search::new(labelling, rare);
    let slabs = search.cover(seed, watch)?;
    let (mut neurons, mut weights, mut open) = (Vec::new(), Vec::new(), 0.0);
    for slab in &slabs {
        open += f64::from(u8::from(slab.low.is_none()));
        for (plane, weight) in [(&slab.low, 1.0), (&slab.high, -1.0)] {
            if let Some(plane) = plane {
                neurons.push(Neuron::from(plane.clone()));
                weights.push(weight);
            }
        }
    }
    // The sum counts the slabs that hold the row. One or more, or none, means the positive label.
    let above = match rare {
        true => Neuron { inputs: None, weights, bias: open - 1.0 },
        false => {
            let weights = weights.into_iter().map(|w: f64| -w).collect();
            Neuron { inputs: None, weights, bias: 0.0 - open }
        }
    };
    let (dimension, short) = (search.dimension(), slabs.iter().filter(|s| s.short).count());
    let most = 2 * count.div_ceil(dimension.max(1)) + 1;
    let slabs = plural(slabs.len(), "slab");
    let mut note = format!(
        "{slabs} around {count} rare rows; 2⌈{count}/{dimension}⌉ + 1 = {most} in general position"
    );
    if short > 0 {
        note += &format!(", but the rows of {} are not", plural(short, "slab"));
    }
    Ok((vec![Layer { neurons }, Layer { neurons: vec![above] }], note))
}

/// The scaled rows, and the label to cover.
struct Search<'a> {
    labelling: &'a Labelling,
    scaled: Vec<f64>,
    rare: bool,
}

impl<'a> Search<'a> {
    fn new(labelling: &'a Labelling, rare: bool) -> Self {
        Self { scaled: labelling.scaling.apply(&labelling.features), labelling, rare }
    }

    fn width(&self) -> usize {
        self.labelling.features.dimension()
    }

    /// The number of inputs that are not constant.
    fn dimension(&self) -> usize {
        self.labelling.scaling.scale().iter().filter(|s| **s > 0.0).count()
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.scaled[i * self.width()..(i + 1) * self.width()]
    }

    /// Slabs that together hold every row of the rarer label and none of the other.
    fn cover(&self, seed: u64, watch: Watch<'_>) -> Result<Vec<Slab>, Error> {
        let rows = self.labelling.rows();
        let mut left: Vec<usize> =
            (0..rows).filter(|&i| self.labelling.labels.get(i) == self.rare).collect();
        let (all, mut slabs) = (left.len(), Vec::new());
        let cost = (self.width() + 1).pow(2) * self.dimension().min(all) + rows * self.width();
        let tries = (STEPS / cost.max(1)).clamp(2, TRIES);
        let mut neurons = 1;
        while !left.is_empty() {
            watch.check(neurons + 1)?;
            let slab = self.best(&left, tries, (seed, slabs.len()))?;
            let mut held = slab.rows.iter().peekable();
            left.retain(|i| held.next_if_eq(&i).is_none());
            neurons += slab.neurons();
            slabs.push(slab);
            (watch.tell)(&format!("{} slabs hold {} of {all} rows", slabs.len(), all - left.len()));
        }
        Ok(slabs)
    }

    /// The best slab of some groups: the one with the most rows per neuron.
    fn best(
        &self,
        left: &[usize],
        tries: usize,
        (seed, step): (u64, usize),
    ) -> Result<Slab, Error> {
        let mut found: Vec<Slab> = (0..tries)
            .into_par_iter()
            .map(|k| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream((step * tries + k) as u64 + 1);
                self.around_group(left, &mut rng)
            })
            .collect::<Vec<_>>()
            .into_iter()
            .flatten()
            .collect();
        // A slab that holds all rows left ends the search. The sort is stable, so the first of
        // equals wins.
        found.sort_by(|a, b| {
            let ends = |s: &Slab| s.rows.len() == left.len();
            let worth = |s: &Slab| s.rows.len() * if s.neurons() == 1 { 2 } else { 1 };
            (ends(b), worth(b)).cmp(&(ends(a), worth(a)))
        });
        // Floating point proposes, exact signs decide.
        found
            .into_iter()
            .find_map(|slab| self.verified(slab, left))
            .ok_or(Error::TooClose { way: "slabs" })
    }

    /// A slab through as many of the rows left as the dimension allows, in a random order. It is
    /// halved until it holds no row of the other label.
    fn around_group(&self, left: &[usize], rng: &mut ChaCha8Rng) -> Option<Slab> {
        let freedom = self.dimension().saturating_sub(1);
        let drawn = sample(rng, left.len(), left.len().min(2 * freedom + 8));
        let mut drawn = drawn.iter().map(|k| left[k]);
        let base = drawn.next()?;
        let (mut span, mut members) = (Span::default(), vec![base]);
        for i in drawn {
            if span.len() == freedom {
                break;
            }
            let step = self.row(i).iter().zip(self.row(base)).map(|(a, b)| a - b).collect();
            if span.extend(step) {
                members.push(i);
            }
        }
        let (size, full) = (members.len(), freedom + 1);
        loop {
            let normal: Vec<f64> = (0..self.width()).map(|_| rng.sample(StandardNormal)).collect();
            let short = members.len() < size || size < full.min(left.len());
            if let Some(slab) = self.thicken(&span.reject(normal), &members, left, short) {
                return Some(slab);
            }
            if members.len() == 1 {
                return None;
            }
            members.truncate(members.len().div_ceil(2));
            span.truncate(members.len() - 1);
        }
    }

    /// The slab along this normal that reaches from the members to the nearest rows of the other label.
    fn thicken(
        &self,
        normal: &[f64],
        members: &[usize],
        left: &[usize],
        short: bool,
    ) -> Option<Slab> {
        let (weights, _) = self.labelling.scaling.fold(normal, 0.0);
        let weights: Vec<f64> = weights.into_iter().map(flush).collect();
        let features = &self.labelling.features;
        let dot = |i: usize| features.row(i).iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
        let ends = |(least, most): (f64, f64), t: f64| (least.min(t), most.max(t));
        let (least, most) = (members.iter())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |range, &i| ends(range, dot(i)));
        let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
        for i in (0..features.rows()).filter(|&i| self.labelling.labels.get(i) != self.rare) {
            match dot(i) {
                t if t < least => below = below.max(t),
                t if t > most => above = above.min(t),
                _ => return None,
            }
        }
        let inside: Vec<(usize, f64)> =
            left.iter().map(|&i| (i, dot(i))).filter(|(_, t)| below < *t && *t < above).collect();
        let (first, last) = inside.iter().fold((least, most), |range, &(_, t)| ends(range, t));
        let at = |t: f64| Hyperplane { weights: weights.clone(), bias: flush(-t) };
        let slab = Slab {
            low: below.is_finite().then(|| at(f64::midpoint(below, first))),
            high: above.is_finite().then(|| at(f64::midpoint(last, above))),
            rows: inside.into_iter().map(|(i, _)| i).collect(),
            short,
        };
        let valid =
            |plane: &Hyperplane| plane.weights.iter().chain([&plane.bias]).all(|&w| is_weight(w));
        slab.low.iter().chain(&slab.high).all(valid).then_some(slab)
    }

    /// The slab with the rows that its neurons hold, decided exactly; `None` if they hold a row of
    /// the other label, or not the rows they were made for.
    fn verified(&self, slab: Slab, left: &[usize]) -> Option<Slab> {
        let features = &self.labelling.features;
        let planes: Vec<Hyperplane> = slab.low.iter().chain(&slab.high).cloned().collect();
        let patterns = evaluate(features, &planes);
        let holds = |i: usize| {
            let low = slab.low.is_none() || patterns.get(i, 0);
            low && !(slab.high.is_some() && patterns.get(i, planes.len() - 1))
        };
        let pure =
            (0..features.rows()).all(|i| self.labelling.labels.get(i) == self.rare || !holds(i));
        let rows: Vec<usize> = left.iter().copied().filter(|&i| holds(i)).collect();
        (pure && rows.len() >= slab.rows.len()).then_some(Slab { rows, ..slab })
    }
}

/// Orthonormal vectors.
#[derive(Debug, Default)]
struct Span(Vec<Vec<f64>>);

impl Span {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The part of a vector outside the span. Doing it twice is enough against rounding errors.
    fn reject(&self, mut v: Vec<f64>) -> Vec<f64> {
        for _ in 0..2 {
            for q in &self.0 {
                let along: f64 = q.iter().zip(&v).map(|(q, v)| q * v).sum();
                v.iter_mut().zip(q).for_each(|(v, q)| *v -= along * q);
            }
        }
        v
    }

    /// Adds the part of a vector outside the span. Returns `false` if the vector lies in the span.
    fn extend(&mut self, v: Vec<f64>) -> bool {
        let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let before = size(&v);
        let rest = self.reject(v);
        let after = size(&rest);
        let independent = after > DEPENDENT * before && after > 0.0;
        if independent {
            self.0.push(rest.into_iter().map(|r| r / after).collect());
        }
        independent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;
    use crate::memorize::{Memorised, Way};
    use proptest::prelude::{any, prop, prop_assert, proptest};

    fn random(rows: usize, dimension: usize, seed: u64) -> Labelling {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let values = (0..rows * dimension).map(|_| rng.sample(StandardNormal)).collect();
        let labels: Vec<bool> = (0..rows).map(|_| rng.random()).collect();
        Labelling::new(Features::new(rows, dimension, values).unwrap(), &labels)
    }

    #[test]
    fn two_neurons_hold_as_many_rows_as_there_are_dimensions() {
        for (rows, dimension) in [(40, 2), (200, 10), (120, 30), (30, 60)] {
            let labelling = random(rows, dimension, 7);
            let slabs = Memorised::by(Way::Slabs, &labelling, 0, Watch::NOBODY).unwrap();
            let most = 2 * labelling.rarer().1.div_ceil(dimension) + 1;
            assert!(slabs.neurons() <= most, "{} of {most}", slabs.neurons());
        }
    }

    proptest! {
        #[test]
        fn rows_on_a_grid_are_told_apart_too(
            values in prop::collection::vec(0i32..4, 3..90),
            labels in prop::collection::vec(any::<bool>(), 30),
            seed in 0u64..50,
        ) {
            let rows = values.len() / 3;
            let values = values[..3 * rows].iter().map(|v| f64::from(*v)).collect();
            let (features, _) = Features::new(rows, 3, values).unwrap().merge();
            let labelling = Labelling::new(features.clone(), &labels[..features.rows()]);
            let slabs = Memorised::by(Way::Slabs, &labelling, seed, Watch::NOBODY).unwrap();
            prop_assert!(labelling.is_realised_by(&slabs.network));
        }
    }
}
