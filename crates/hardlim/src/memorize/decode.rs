//! Codes, then slabs through the codes.
//!
//! The first layer is `k` hyperplanes that give rows of different labels different codes in
//! `{0,1}ᵏ`. This memorises nothing yet, but the rows are now points of `R^k` instead of `R^d`, and
//! a slab there holds `k` of them ([`super::slabs`]). In general position this takes
//!
//! ```text
//! k + 2⌈n₋/k⌉ + 1 neurons,   the fewest near k = √(2n₋):   about 2√(2n₋)
//! ```
//!
//! Random hyperplanes separate most rows: if one of them separates a pair of rows with probability
//! `p`, then `k` of them leave the pair together with probability `(1 − p)ᵏ`. While rows of
//! different labels still share a code, hyperplanes are added between them. Each is the best of a
//! few directions: it separates the most such pairs. One input in which two rows differ always
//! separates them exactly. So codes are always found if there is enough memory for them. How many
//! slabs they take depends on the codes.

use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Labelling, Watch, plural, slabs};
use crate::arrangement::{Hyperplane, evaluate};
use crate::data::Features;
use crate::error::Error;
use crate::network::staircase::direction;
use crate::network::{Layer, Neuron};
use crate::pattern::PatternMatrix;
use crate::pattern::threshold::{flush, is_weight};

/// The lengths of codes that are tried, as multiples of `√(2n₋)`.
const LENGTHS: [f64; 4] = [0.6, 0.75, 0.9, 1.05];
/// The most bits of all codes together.
const LARGEST: usize = 1 << 26;
/// The directions that are tried between two rows that share a code.
const DIRECTIONS: usize = 16;

/// The layer of codes, the slabs through them, and the neuron above, for the best of a few lengths.
pub(super) fn layers(
    labelling: &Labelling,
    seed: u64,
    watch: Watch<'_>,
) -> Result<(Vec<Layer>, String), Error> {
    let best = (2.0 * labelling.rarer().1 as f64).sqrt();
    let (mut found, mut watch) = (None, watch);
    for part in LENGTHS {
        let length = (part * best).round().max(1.0) as usize;
        match with_length(labelling, length, seed, watch) {
            Ok((layers, note)) => {
                let neurons: usize = layers.iter().map(|layer| layer.neurons.len()).sum();
                watch.most = watch.most.min(neurons - 1);
                found = Some((layers, note));
            }
            // Longer codes take fewer slabs.
            Err(Error::TooManyNeurons { .. }) => {}
            Err(error) => return found.ok_or(error),
        }
    }
    found.ok_or(Error::TooManyNeurons { most: watch.most })
}

fn with_length(
    labelling: &Labelling,
    length: usize,
    seed: u64,
    watch: Watch<'_>,
) -> Result<(Vec<Layer>, String), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(length as u64);
    let planes = separate(labelling, length, &mut rng, watch)?;
    let codes = codes(labelling, &evaluate(&labelling.features, &planes))?;
    let tell = |text: &str| (watch.tell)(&format!("codes of {} bits: {text}", planes.len()));
    let (bits, stop) = (planes.len(), watch.stop);
    let most = watch.most.saturating_sub(bits);
    let (above, note) = slabs::layers(&codes, seed, Watch { tell: &tell, stop, most })?;
    let note = format!("codes of {}; {note}", plural(bits, "bit"));
    let first = Layer { neurons: planes.into_iter().map(Neuron::from).collect() };
    Ok((std::iter::once(first).chain(above).collect(), note))
}

/// The distinct codes, each with the label of its rows.
fn codes(labelling: &Labelling, patterns: &PatternMatrix) -> Result<Labelling, Error> {
    let (rows, bits) = (labelling.rows(), patterns.patterns());
    let bit = |k: usize| f64::from(u8::from(patterns.get(k / bits, k % bits)));
    let codes = Features::new(rows, bits, (0..rows * bits).map(bit).collect())?;
    let (distinct, code_of) = codes.merge();
    let mut labels = vec![false; distinct.rows()];
    code_of.iter().enumerate().for_each(|(i, &g)| labels[g as usize] = labelling.labels.get(i));
    Ok(Labelling::new(distinct, &labels))
}

/// Hyperplanes that give rows of different labels different codes: random ones, and then as many
/// more as needed.
fn separate(
    labelling: &Labelling,
    length: usize,
    rng: &mut ChaCha8Rng,
    watch: Watch<'_>,
) -> Result<Vec<Hyperplane>, Error> {
    fits(labelling, length)?;
    let mut planes: Vec<Hyperplane> = Vec::new();
    while planes.len() < length {
        // The hyperplane lies between two rows, so that there are rows on both sides.
        let (a, b) = (rng.random_range(0..labelling.rows()), rng.random_range(0..labelling.rows()));
        planes.push(between(labelling, &direction(&labelling.scaling, rng), (a, b)));
    }
    let mut patterns = evaluate(&labelling.features, &planes);
    let mut classes = vec![0; labelling.rows()];
    for j in 0..planes.len() {
        classes = refine(&classes, |i| patterns.get(i, j));
    }
    while let Some((a, b)) = mixed(labelling, &classes) {
        watch.check(planes.len() + 1)?;
        fits(labelling, planes.len())?;
        let mut candidates: Vec<Hyperplane> = (0..DIRECTIONS)
            .map(|_| between(labelling, &direction(&labelling.scaling, rng), (a, b)))
            .collect();
        candidates.push(on_one_input(labelling, (a, b)));
        patterns = evaluate(&labelling.features, &candidates);
        // Every candidate that separates the two rows is worth something, and the last one always
        // does.
        let worth = |j: &usize| {
            let split = patterns.get(a, *j) != patterns.get(b, *j);
            let after = refine(&classes, |i| patterns.get(i, *j));
            split.then(|| std::cmp::Reverse(together(labelling, &after)))
        };
        let best = (0..candidates.len()).rev().max_by_key(worth).expect("some candidate");
        classes = refine(&classes, |i| patterns.get(i, best));
        planes.push(candidates.swap_remove(best));
        (watch.tell)(&format!("{} hyperplanes, some rows still share a code", planes.len()));
    }
    Ok(planes)
}

/// Refuses codes that do not fit into memory.
fn fits(labelling: &Labelling, bits: usize) -> Result<(), Error> {
    let rows = labelling.rows();
    if bits.saturating_mul(rows) > LARGEST {
        return Err(Error::TooManyCodes { rows, bits });
    }
    Ok(())
}

/// The hyperplane orthogonal to a direction, in the middle between two rows.
fn between(labelling: &Labelling, weights: &[f64], (a, b): (usize, usize)) -> Hyperplane {
    let dot =
        |i: usize| labelling.features.row(i).iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
    let bias = flush(-f64::midpoint(dot(a), dot(b)));
    match weights.iter().chain([&bias]).all(|&w| is_weight(w)) {
        true => Hyperplane { weights: weights.to_vec(), bias },
        false => Hyperplane { weights: vec![0.0; weights.len()], bias: 0.0 },
    }
}

/// `1{xⱼ ≥ v}` for an input in which two rows differ, where `v` is the larger of their values.
fn on_one_input(labelling: &Labelling, (a, b): (usize, usize)) -> Hyperplane {
    let (a, b) = (labelling.features.row(a), labelling.features.row(b));
    let j = a.iter().zip(b).position(|(a, b)| a != b).expect("distinct rows differ");
    let mut weights = vec![0.0; a.len()];
    weights[j] = 1.0;
    Hyperplane { weights, bias: -a[j].max(b[j]) + 0.0 }
}

/// Splits every class of rows by an answer. Classes are numbered by their first rows.
fn refine(classes: &[u32], on: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut number: HashMap<(u32, bool), u32> = HashMap::new();
    let mut of = |i: usize| {
        let next = number.len() as u32;
        *number.entry((classes[i], on(i))).or_insert(next)
    };
    (0..classes.len()).map(&mut of).collect()
}

/// Two rows of one class and different labels.
fn mixed(labelling: &Labelling, classes: &[u32]) -> Option<(usize, usize)> {
    let mut first: HashMap<u32, usize> = HashMap::new();
    (0..classes.len()).find_map(|i| {
        let a = *first.entry(classes[i]).or_insert(i);
        (labelling.labels.get(a) != labelling.labels.get(i)).then_some((a, i))
    })
}

/// The number of pairs of rows that have different labels and share a class.
fn together(labelling: &Labelling, classes: &[u32]) -> u64 {
    let mut counts = vec![[0_u64; 2]; classes.iter().max().map_or(0, |&c| c as usize + 1)];
    (classes.iter().enumerate())
        .for_each(|(i, &c)| counts[c as usize][usize::from(labelling.labels.get(i))] += 1);
    counts.iter().map(|[a, b]| a * b).sum()
}
