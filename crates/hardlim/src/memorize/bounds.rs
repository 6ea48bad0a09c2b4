//! Proven lower bounds on the number of neurons. They hold for networks in layers, where each layer
//! reads only the one below it, and whose answer is that of one threshold neuron, the last. A
//! linear output can do without that neuron: on a line `Σ ±2·1{x ≥ tₖ} − 1` takes one neuron less.
//! So can a neuron that reads the inputs besides the layer below: exclusive or takes three neurons
//! in layers, and two with such a connection. The bound by counting holds for every way to connect
//! the neurons.
//!
//! **Counting.** Number the neurons of a network so that each reads inputs and earlier neurons.
//! Given the answers of those, neuron `j` sees `n` points in at most `D = d + j − 1` dimensions, of
//! which a hyperplane makes at most `B(D) = 2 Σ_{k≤D} C(n−1, k)` dichotomies. So `N` neurons,
//! however connected, realise at most `B(d) B(d+1) ⋯ B(d+N−1)` of the `2ⁿ` labellings. If this is
//! less than `2ⁿ`, some labelling needs more neurons. This bound is about the hardest labellings,
//! and about most of them, but not about the given one.
//!
//! **Lines.** A hyperplane meets a line once. If the label changes `c` times along rows on one
//! line, the first layer has at least `c` neurons, whatever is above it: later layers see only
//! which piece of the line a row is in. If `c ≥ 2`, a neuron above them is needed, too. This bound
//! is about the given labelling.
//!
//! **One hyperplane.** If no hyperplane separates the labels of some rows, one neuron is not
//! enough. Two in layers are not enough either: a neuron can turn one bit only into that bit, its
//! opposite, or a constant.

use std::collections::HashMap;

use super::Labelling;
use crate::arrangement::Arrangement;
use crate::data::Features;
use crate::pricing::Prover;

/// The most rows on which one hyperplane is ruled out.
const MOST_ROWS: usize = 128;
/// The most nodes of the search tree that does this.
const EFFORT: u64 = 2000;

/// Which labellings a bound is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The hardest labelling of these rows.
    Hardest,
    /// The given labelling.
    This,
}

/// A lower bound on the neurons of every network in layers.
#[derive(Debug, Clone, PartialEq)]
pub struct LowerBound {
    /// The threshold neurons in all layers.
    pub neurons: usize,
    /// The neurons in the first layer.
    pub first_layer: usize,
    /// The labellings that the bound is about.
    pub about: About,
    /// The reason; it says "however connected" if the bound also holds for networks that are not in
    /// layers.
    pub reason: String,
}

/// The proven bounds for networks in layers that realise this labelling, or the hardest labelling
/// of the same rows.
pub fn lower_bounds(labelling: &Labelling) -> Vec<LowerBound> {
    let (rows, dimension) = (labelling.rows(), labelling.features().dimension());
    let counted = counting(rows, dimension);
    vec![
        LowerBound {
            neurons: counted,
            first_layer: 0,
            about: About::Hardest,
            reason: format!(
                "{} neurons, however connected, realise fewer than the 2^{rows} labellings of {rows} rows \
                 with {dimension} inputs",
                counted.saturating_sub(1)
            ),
        },
        this_labelling(labelling),
    ]
}

/// The bound for the given labels.
fn this_labelling(labelling: &Labelling) -> LowerBound {
    let (changes, line) = changes_on_a_line(labelling);
    let bound = |first_layer: usize, neurons: usize, reason: String| LowerBound {
        neurons,
        first_layer,
        about: About::This,
        reason,
    };
    if changes > 1 {
        let reason = format!(
            "the label changes {changes} times along {line}, and a hyperplane meets a line once"
        );
        return bound(changes, changes + 1, reason);
    }
    match inseparable(labelling) {
        Some(rows) => bound(
            2,
            3,
            format!("no hyperplane separates the labels of {rows} of the rows, by exact search"),
        ),
        None => bound(1, 1, "nothing more is known".into()),
    }
}

/// The number of rows whose labels are proven to be inseparable by a hyperplane, if there is a
/// proof.
fn inseparable(labelling: &Labelling) -> Option<usize> {
    let (all, dimension) = (labelling.rows(), labelling.features().dimension());
    if labelling.rarer().1 == 0 {
        return None;
    }
    // Random labels of this many rows are hardly ever separable. Other labels may be, on few rows.
    let counts = [3 * (dimension + 1) + 8, MOST_ROWS].map(|count| count.min(all).min(MOST_ROWS));
    counts.into_iter().find(|&count| {
        let rows: Vec<usize> = (0..count).map(|k| k * all / count).collect();
        let features = labelling.features().select(&rows);
        let z: Vec<f64> =
            rows.iter().map(|&i| if labelling.labels().get(i) { 1.0 } else { -1.0 }).collect();
        // A pattern of all rows of one label and none of the other would have this value.
        let wanted = z.iter().filter(|z| **z > 0.0).count() as f64;
        let prover = Prover::new(Arrangement::of(&features), None, EFFORT);
        prover.is_ok_and(|prover| prover.price(&z, &[], wanted - 1.0, 0, &|| false).above < wanted)
    })
}

/// The fewest neurons with `B(d) B(d+1) ⋯ ≥ 2ⁿ`.
fn counting(rows: usize, dimension: usize) -> usize {
    let wanted = rows as f64;
    let mut bits = 0.0;
    for neurons in 1..=rows.max(1) {
        // Rounding must not make the product too small; a thousandth of a bit is more than enough.
        bits += log2_dichotomies(rows, dimension + neurons - 1) + 1e-3;
        if bits >= wanted {
            return neurons;
        }
    }
    rows.max(1)
}

/// About `log₂ 2 Σ_{k≤D} C(n−1, k)`.
fn log2_dichotomies(rows: usize, dimension: usize) -> f64 {
    if dimension + 1 >= rows {
        return rows as f64;
    }
    // Σ = C(n−1, D) (1 + D/(n−D) (1 + (D−1)/(n−D+1) (…))), computed from the inside out.
    let (mut series, mut log2) = (1.0, 0.0);
    for k in 1..=dimension {
        let ratio = k as f64 / (rows - k) as f64;
        series = 1.0 + ratio * series;
        log2 -= ratio.log2();
    }
    1.0 + log2 + series.log2()
}

/// The most changes of the label along rows on one line. The lines are all rows together if they
/// are collinear, otherwise lines along one input.
fn changes_on_a_line(labelling: &Labelling) -> (usize, String) {
    let features = labelling.features();
    let (rows, dimension) = (features.rows(), features.dimension());
    let label = |i: usize| labelling.labels().get(i);
    let count = |members: &mut Vec<usize>, j: usize| {
        members.sort_by(|&a, &b| features.row(a)[j].total_cmp(&features.row(b)[j]));
        members.windows(2).filter(|pair| label(pair[0]) != label(pair[1])).count()
    };
    let varies = |j: usize| (1..rows).any(|i| features.row(i)[j] != features.row(0)[j]);
    if let Some(j) = (0..dimension).find(|&j| varies(j)).filter(|_| collinear(features)) {
        let changes = count(&mut (0..rows).collect(), j);
        return (changes, "the line that all rows lie on".into());
    }
    let mut best = (usize::from(labelling.rarer().1 > 0), "the line through two rows".to_owned());
    for j in 0..dimension {
        // Rows that agree in every other input.
        let mut lines: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
        for i in 0..rows {
            let others = features.row(i).iter().enumerate().filter(|(k, _)| *k != j);
            lines.entry(others.map(|(_, x)| x.to_bits()).collect()).or_default().push(i);
        }
        let most = lines.into_values().map(|mut line| (count(&mut line, j), line.len())).max();
        if let Some((changes, members)) = most.filter(|(changes, _)| *changes > best.0) {
            let name = j + 1;
            best = (changes, format!("{members} rows that differ in input {name} only"));
        }
    }
    best
}

/// Whether all rows lie on one line, decided exactly.
fn collinear(features: &Features) -> bool {
    let (rows, dimension) = (features.rows(), features.dimension());
    dimension == 1 || rows <= 2 || {
        let size = Arrangement::of(features).size();
        // The bound on the patterns is that of rank 2 only if the rank is proven.
        size.rank <= 2 && size.bound <= 2 * rows as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_neurons_realise_few_labellings() {
        // Five points on a line: B(1) = 10 of 32 labellings, B(2) = 22, and their product is 220.
        assert_eq!(counting(5, 1), 2);
        assert_eq!(counting(3, 2), 1);
        assert_eq!(counting(0, 2), 1);
        // Compares log2 B with the definition.
        for (rows, dimension) in [(10, 3), (60, 7), (30, 28), (30, 40)] {
            let binomial =
                |k: usize| (0..k).fold(1.0, |c, i| c * (rows - 1 - i) as f64 / (i + 1) as f64);
            let plain = 2.0 * (0..=dimension.min(rows - 1)).map(binomial).sum::<f64>();
            assert!((log2_dichotomies(rows, dimension) - plain.log2()).abs() < 1e-9);
        }
        // 5000 rows in ten dimensions: tens of neurons, not hundreds.
        assert!((20..40).contains(&counting(5000, 10)), "{}", counting(5000, 10));
    }

    #[test]
    fn a_line_takes_a_neuron_for_every_change() {
        let alternating = |rows: usize| (0..rows).map(|i| i % 2 == 0).collect::<Vec<bool>>();
        let line = (0..7).flat_map(|i| [f64::from(i), 3.0 - 2.0 * f64::from(i)]).collect();
        let line = Labelling::new(Features::new(7, 2, line).unwrap(), &alternating(7));
        let bound = &lower_bounds(&line)[1];
        assert_eq!((bound.first_layer, bound.neurons, bound.about), (6, 7, About::This));
        // A checkerboard: lines along one input.
        let grid: Vec<f64> = (0..16).flat_map(|i| [f64::from(i % 4), f64::from(i / 4)]).collect();
        let labels: Vec<bool> = (0..16).map(|i| (i % 4 + i / 4) % 2 == 0).collect();
        let grid = Labelling::new(Features::new(16, 2, grid).unwrap(), &labels);
        let bound = &lower_bounds(&grid)[1];
        assert_eq!((bound.first_layer, bound.neurons), (3, 4));
        assert!(bound.reason.contains("4 rows that differ in input"), "{}", bound.reason);
        // Exclusive or, with rows that do not line up along an input.
        let cross = Features::new(4, 2, vec![0.0, 0.1, 1.0, 0.9, 0.1, 1.0, 1.1, 0.0]).unwrap();
        let bound = &lower_bounds(&Labelling::new(cross, &[true, true, false, false]))[1];
        assert_eq!((bound.first_layer, bound.neurons), (2, 3));
        // One halfspace is one neuron.
        let corner = Features::new(3, 2, vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0]).unwrap();
        assert_eq!(lower_bounds(&Labelling::new(corner, &[true, false, false]))[1].neurons, 1);
    }
}
