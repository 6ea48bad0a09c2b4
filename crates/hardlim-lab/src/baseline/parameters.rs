//! The parameters of a network under training; gradients and velocities have the same shape.
//!
//! Layer `l` computes `t = hW + b` and passes on `s ⊙ 1{t ≥ 0}`; the output is `u = hᵀv` of the
//! last hidden layer. With batch normalisation, `t` is replaced by `g (t − mean)/deviation + c`
//! over the batch.

use faer::Mat;
use rand::Rng;

use super::sweep::{fast, pairs, sum};

/// One hidden layer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dense {
    /// `W`, a column for each neuron.
    pub(crate) weights: Mat<f64>,
    /// `b`.
    pub(crate) bias: Vec<f64>,
    /// `s`.
    pub(crate) amplitude: Vec<f64>,
    /// `g` and `c`, with batch normalisation.
    pub(crate) norm: Option<(Vec<f64>, Vec<f64>)>,
}

impl Dense {
    /// `g` and `c` of neuron `j`; without batch normalisation, 1 and 0.
    pub(crate) fn gain_and_shift(&self, j: usize) -> (f64, f64) {
        self.norm.as_ref().map_or((1.0, 0.0), |(gain, shift)| (gain[j], shift[j]))
    }
}

/// All parameters that are trained.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameters {
    /// The hidden layers.
    pub(crate) layers: Vec<Dense>,
    /// `v`.
    pub(crate) output: Vec<f64>,
}

impl Parameters {
    /// Random parameters: weights, biases and output weights are uniform within `±1/√inputs`, as is
    /// usual for linear layers, and amplitudes are one. Without `bias`, biases are zero and stay
    /// zero.
    pub(crate) fn draw(
        inputs: usize,
        widths: &[usize],
        bias: bool,
        batch_norm: bool,
        rng: &mut impl Rng,
    ) -> Self {
        let mut width = inputs;
        let mut layers = Vec::new();
        for &neurons in widths {
            let bound = 1.0 / (width.max(1) as f64).sqrt();
            let mut number = || rng.random_range(-bound..=bound);
            layers.push(Dense {
                weights: Mat::from_fn(width, neurons, |_, _| number()),
                bias: (0..neurons).map(|_| if bias { number() } else { 0.0 }).collect(),
                amplitude: vec![1.0; neurons],
                norm: batch_norm.then(|| (vec![1.0; neurons], vec![0.0; neurons])),
            });
            width = neurons;
        }
        let bound = 1.0 / (width.max(1) as f64).sqrt();
        let output = (0..width).map(|_| rng.random_range(-bound..=bound)).collect();
        Self { layers, output }
    }

    /// `Σ w² + b² + s² + v²`, which weight decay penalises. It does not penalise the parameters of
    /// batch normalisation, because the model of the paper has none.
    pub(crate) fn squared_norm(&self) -> f64 {
        let of = |layer: &Dense| {
            let columns = 0..layer.weights.ncols();
            columns.map(|j| squares(layer.weights.col_as_slice(j))).sum::<f64>()
                + squares(&layer.bias)
                + squares(&layer.amplitude)
        };
        self.layers.iter().map(of).sum::<f64>() + squares(&self.output)
    }

    /// `a = s ⊙ v`: the amplitude of each neuron of the last hidden layer.
    pub(crate) fn amplitudes(&self) -> Vec<f64> {
        let last = self.layers.last().expect("there is a hidden layer");
        last.amplitude.iter().zip(&self.output).map(|(s, v)| s * v).collect()
    }

    /// Calls `visit` on all slices of numbers and those at the same position in another; the flag
    /// tells whether weight decay penalises them.
    pub(crate) fn zip(&mut self, other: &Self, mut visit: impl FnMut(&mut [f64], &[f64], bool)) {
        for (layer, other) in self.layers.iter_mut().zip(&other.layers) {
            for j in 0..layer.weights.ncols() {
                let other = other.weights.col_as_slice(j);
                visit(layer.weights.col_as_slice_mut(j), other, true);
            }
            visit(&mut layer.bias, &other.bias, true);
            visit(&mut layer.amplitude, &other.amplitude, true);
            if let (Some(a), Some(b)) = (&mut layer.norm, &other.norm) {
                visit(&mut a.0, &b.0, false);
                visit(&mut a.1, &b.1, false);
            }
        }
        visit(&mut self.output, &other.output, true);
    }

    /// `p ← p − rate (gradient + decay p)`, and then `Σ p²` over the parameters that decay. Biases
    /// stay zero if there are none.
    pub(crate) fn step(&mut self, gradient: &Self, rate: f64, decay: f64, bias: bool) -> f64 {
        let mut squared_norm = 0.0;
        self.zip(gradient, |p, g, decays| {
            let squares = advance(p, g, rate, if decays { decay } else { 0.0 });
            if decays {
                squared_norm += squares;
            }
        });
        if bias {
            return squared_norm;
        }
        self.layers.iter_mut().for_each(|layer| layer.bias.fill(0.0));
        self.squared_norm()
    }

    pub(crate) fn zeros_like(&self) -> Self {
        let zeros = |numbers: &[f64]| vec![0.0; numbers.len()];
        let layers = self.layers.iter().map(|layer| Dense {
            weights: Mat::zeros(layer.weights.nrows(), layer.weights.ncols()),
            bias: zeros(&layer.bias),
            amplitude: zeros(&layer.amplitude),
            norm: layer.norm.as_ref().map(|(g, c)| (zeros(g), zeros(c))),
        });
        Self { layers: layers.collect(), output: zeros(&self.output) }
    }
}

fast! {
    /// `p ← p − rate (g + decay p)`, and its sum of squares.
    fn advance(p: &mut [f64], g: &[f64], rate: f64, decay: f64) -> f64 {
        let [squares] = pairs(p, g, |p, g| {
            *p -= rate * (g + decay * *p);
            [*p * *p]
        });
        squares
    }
}

fast! {
    /// `Σ x²`.
    fn squares(numbers: &[f64]) -> f64 {
        sum(numbers, |x| x * x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_step_follows_the_formula() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut draw = || Parameters::draw(3, &[11, 4], true, true, &mut rng);
        let (mut found, gradient) = (draw(), draw());
        let mut expected = found.clone();
        expected.zip(&gradient, |p, g, decays| {
            let decay = if decays { 0.3 } else { 0.0 };
            p.iter_mut().zip(g).for_each(|(p, g)| *p -= 0.1 * (g + decay * *p));
        });
        let norm = found.step(&gradient, 0.1, 0.3, true);
        found.zip(&expected, |a, b, _| {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14));
        });
        assert!((norm - found.squared_norm()).abs() < 1e-12 * norm);
        let norm = found.step(&gradient, 0.1, 0.3, false);
        assert!(found.layers.iter().all(|layer| layer.bias.iter().all(|b| *b == 0.0)));
        assert_eq!(norm, found.squared_norm());
    }
}
