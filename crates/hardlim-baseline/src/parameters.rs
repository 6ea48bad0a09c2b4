//! The parameters of a network under training; gradients and velocities have the same shape.
//!
//! Layer `l` computes `t = hW + b` and passes on `s ⊙ 1{t ≥ 0}`; the output is `u = hᵀv` of the last hidden
//! layer. With batch normalisation, `t` is replaced by `g (t − mean)/deviation + c` over the batch.

use faer::Mat;
use rand::Rng;

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
    /// Random parameters: weights, biases and output weights are uniform within `±1/√inputs`, as is usual
    /// for linear layers, and amplitudes are one. Without `bias`, biases are zero and stay zero.
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

    /// `Σ w² + b² + s² + v²`, which weight decay penalises. It does not penalise the parameters of batch
    /// normalisation, because the model of the paper has none.
    pub fn squared_norm(&self) -> f64 {
        let square = |numbers: &[f64]| numbers.iter().map(|x| x * x).sum::<f64>();
        let of = |layer: &Dense| {
            layer.weights.squared_norm_l2() + square(&layer.bias) + square(&layer.amplitude)
        };
        self.layers.iter().map(of).sum::<f64>() + square(&self.output)
    }

    /// `a = s ⊙ v`: the amplitude of each neuron of the last hidden layer.
    pub fn amplitudes(&self) -> Vec<f64> {
        let last = self.layers.last().expect("there is a hidden layer");
        last.amplitude.iter().zip(&self.output).map(|(s, v)| s * v).collect()
    }

    /// Calls `update` on every number and the numbers at the same position in two others; the flag tells
    /// whether weight decay penalises it.
    pub(crate) fn update(
        &mut self,
        first: &mut Self,
        second: &Self,
        mut update: impl FnMut(&mut f64, &mut f64, f64, bool),
    ) {
        let mut slices = |a: &mut [f64], b: &mut [f64], c: &[f64], decays: bool| {
            a.iter_mut().zip(b).zip(c).for_each(|((a, b), &c)| update(a, b, c, decays));
        };
        for ((layer, one), two) in self.layers.iter_mut().zip(&mut first.layers).zip(&second.layers)
        {
            for j in 0..layer.weights.ncols() {
                slices(
                    layer.weights.col_as_slice_mut(j),
                    one.weights.col_as_slice_mut(j),
                    two.weights.col_as_slice(j),
                    true,
                );
            }
            slices(&mut layer.bias, &mut one.bias, &two.bias, true);
            slices(&mut layer.amplitude, &mut one.amplitude, &two.amplitude, true);
            if let (Some(a), Some(b), Some(c)) = (&mut layer.norm, &mut one.norm, &two.norm) {
                slices(&mut a.0, &mut b.0, &c.0, false);
                slices(&mut a.1, &mut b.1, &c.1, false);
            }
        }
        slices(&mut self.output, &mut first.output, &second.output, true);
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
