//! What neurons and inputs do on some rows.

use crate::data::Features;
use crate::network::Network;
use crate::pattern::PatternMatrix;

/// The answers of the neurons of every layer on some rows.
pub(super) struct Counts {
    pub(super) rows: usize,
    /// On how many rows each neuron of each layer fires.
    pub(super) fires: Vec<Vec<usize>>,
    times: Vec<usize>,
    /// The answers of the last layer on the distinct rows.
    answers: PatternMatrix,
}

impl Counts {
    /// Counts on rows; `None` if there are none.
    pub(super) fn of(network: &Network, features: &Features) -> Option<Self> {
        let (distinct, row_of) = features.clone().merge();
        Self::on(network, &distinct, times(distinct.rows(), &row_of))
    }

    /// Counts on distinct rows, each of which occurs `times[g]` times; `None` if there are none.
    pub(super) fn on(network: &Network, distinct: &Features, times: Vec<usize>) -> Option<Self> {
        let count = |patterns: &PatternMatrix, k: usize| {
            let on = (0..times.len()).filter(|&g| patterns.get(g, k));
            on.map(|g| times[g]).sum::<usize>()
        };
        let (mut fires, mut answers) = (Vec::new(), PatternMatrix::new(distinct.rows()));
        for l in 0..network.layers().len() {
            let below = network.layers()[..=l].to_vec();
            let width = network.layers()[l].neurons.len();
            let part = Network::new(network.inputs(), below, vec![0.0; width], 0.0)
                .expect("a part of a network is one");
            answers = part.patterns(distinct);
            fires.push((0..width).map(|k| count(&answers, k)).collect());
        }
        let rows = times.iter().sum();
        (rows > 0).then_some(Self { rows, fires, times, answers })
    }

    /// `2p(1 − p)`: how far the answers of a neuron that fires on a fraction `p` of the rows are
    /// from `p` on average.
    pub(super) fn deviation(&self, l: usize, k: usize) -> f64 {
        let p = self.fires[l][k] as f64 / self.rows as f64;
        2.0 * p * (1.0 - p)
    }

    /// The answers of neuron `k` of the last layer that differ from its answer on the first row, as
    /// bits, and that answer. Two neurons with the same bits ask the same or the opposite.
    pub(super) fn question(&self, k: usize) -> (Vec<u64>, bool) {
        let (words, rows) = (self.answers.column(k), self.answers.samples());
        let first = self.answers.get(0, k);
        let inside = |w: usize| match rows - 64 * w {
            left if left < 64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        let used = words.iter().take(rows.div_ceil(64)).enumerate();
        (used.map(|(w, word)| if first { !word & inside(w) } else { *word }).collect(), first)
    }

    /// How far the sum of these neurons of the last layer, each times a weight, is from its mean on
    /// average.
    pub(super) fn mean_change(&self, terms: &[(usize, f64)]) -> f64 {
        let at = |g: usize| -> f64 {
            terms.iter().filter(|(k, _)| self.answers.get(g, *k)).map(|(_, weight)| weight).sum()
        };
        let sums: Vec<f64> = (0..self.times.len()).map(at).collect();
        let mean = |of: &dyn Fn(f64) -> f64| {
            let total: f64 = sums.iter().zip(&self.times).map(|(s, n)| of(*s) * *n as f64).sum();
            total / self.rows as f64
        };
        let center = mean(&|s| s);
        mean(&|s| (s - center).abs())
    }
}

/// How many times each distinct row occurs.
pub(crate) fn times(distinct: usize, row_of: &[u32]) -> Vec<usize> {
    let mut times = vec![0; distinct];
    row_of.iter().for_each(|&g| times[g as usize] += 1);
    times
}

/// The standard deviation of every feature, on rows that occur `times[g]` times.
pub(crate) fn deviations(rows: &Features, times: &[usize]) -> Vec<f64> {
    let count = times.iter().sum::<usize>().max(1) as f64;
    let mean = |of: &dyn Fn(usize) -> f64| {
        times.iter().enumerate().map(|(g, &n)| n as f64 * of(g)).sum::<f64>() / count
    };
    let deviation = |j: usize| {
        let centre = mean(&|g| rows.row(g)[j]);
        mean(&|g| (rows.row(g)[j] - centre).powi(2)).sqrt()
    };
    (0..rows.dimension()).map(deviation).collect()
}
