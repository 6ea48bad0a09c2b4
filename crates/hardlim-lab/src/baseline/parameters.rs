//! The parameters of a network under training; gradients and velocities have the same shape.
//!
//! Layer `l` computes `t = hW + b` and passes on `s ⊙ 1{t ≥ 0}`; the output is `u = hᵀv` of the
//! last hidden layer. With batch normalisation, `t` is replaced by `g (t − mean)/deviation + c`
//! over the batch.

use faer::Mat;
use rand::Rng;

use super::sweep::{fast, sum};

/// One hidden layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// `W`, a column for each neuron.
    pub weights: Mat<f64>,
    /// `b`.
    pub bias: Vec<f64>,
    /// `s`.
    pub amplitude: Vec<f64>,
    /// `g` and `c`, with batch normalisation.
    pub norm: Option<(Vec<f64>, Vec<f64>)>,
}

impl Dense {
    /// `g` and `c` of neuron `j`; without batch normalisation, 1 and 0.
    pub(crate) fn gain_and_shift(&self, j: usize) -> (f64, f64) {
        self.norm.as_ref().map_or((1.0, 0.0), |(gain, shift)| (gain[j], shift[j]))
    }
}

/// All parameters that are trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// The hidden layers.
    pub layers: Vec<Dense>,
    /// `v`.
    pub output: Vec<f64>,
}

impl Parameters {
    /// Random parameters: weights, biases and output weights are uniform within `±1/√inputs`, as is
    /// usual for linear layers, and amplitudes are one. Without `bias`, biases are zero and stay
    /// zero.
    pub fn draw(
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
    pub fn squared_norm(&self) -> f64 {
        let of = |layer: &Dense| {
            let columns = 0..layer.weights.ncols();
            columns.map(|j| squares(layer.weights.col_as_slice(j))).sum::<f64>()
                + squares(&layer.bias)
                + squares(&layer.amplitude)
        };
        self.layers.iter().map(of).sum::<f64>() + squares(&self.output)
    }

    /// `a = s ⊙ v`: the amplitude of each neuron of the last hidden layer.
    pub fn amplitudes(&self) -> Vec<f64> {
        let last = self.layers.last().expect("there is a hidden layer");
        last.amplitude.iter().zip(&self.output).map(|(s, v)| s * v).collect()
    }

    /// Calls `visit` on all slices of numbers and those at the same position in two others; the
    /// flag tells whether weight decay penalises them.
    pub(crate) fn zip(
        &mut self,
        first: &Self,
        second: &Self,
        mut visit: impl FnMut(&mut [f64], &[f64], &[f64], bool),
    ) {
        for ((layer, one), two) in self.layers.iter_mut().zip(&first.layers).zip(&second.layers) {
            for j in 0..layer.weights.ncols() {
                let (one, two) = (one.weights.col_as_slice(j), two.weights.col_as_slice(j));
                visit(layer.weights.col_as_slice_mut(j), one, two, true);
            }
            visit(&mut layer.bias, &one.bias, &two.bias, true);
            visit(&mut layer.amplitude, &one.amplitude, &two.amplitude, true);
            if let (Some(a), Some(b), Some(c)) = (&mut layer.norm, &one.norm, &two.norm) {
                visit(&mut a.0, &b.0, &c.0, false);
                visit(&mut a.1, &b.1, &c.1, false);
            }
        }
        visit(&mut self.output, &first.output, &second.output, true);
    }

    /// Zeros of the same shape.
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
    /// `Σ x²`.
    fn squares(numbers: &[f64]) -> f64 {
        sum(numbers, |x| x * x)
    }
}
