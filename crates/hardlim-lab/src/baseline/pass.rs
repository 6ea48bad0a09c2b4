//! Forward and backward through the network.
//!
//! In the forward pass, a neuron answers `s·1{t ≥ 0}`. In the backward pass, `1{t ≥ 0}` has the
//! slope of its surrogate. Tests use the surrogate in the forward pass as well: then the backward
//! pass must be the gradient of that network.

use faer::linalg::matmul::matmul;
use faer::prelude::IntoConst;
use faer::{Accum, ColMut, Mat, MatRef, Par};
use hardlim::pattern::threshold::fires;
use rayon::prelude::*;

use super::norm::{self, Statistics};
use super::parameters::{Dense, Parameters};
use super::surrogate::Surrogate;
use super::sweep::{fast, pairs, sum};

/// Fewer numbers than this are not worth another thread.
const GRAIN: usize = 1 << 15;

/// What a neuron answers on the way forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// `1{t ≥ 0}`.
    Threshold,
    /// The surrogate itself.
    #[cfg(test)]
    Surrogate(Surrogate),
}

impl Activation {
    #[inline(always)]
    fn of(self, t: f64) -> f64 {
        match self {
            Self::Threshold => f64::from(u8::from(fires(t))),
            #[cfg(test)]
            Self::Surrogate(surrogate) => surrogate.value(t),
        }
    }
}

/// The values of one layer in both passes.
#[derive(Debug)]
pub(crate) struct Stage {
    /// `t`, normalised where there is batch normalisation, before gain and shift.
    t: Mat<f64>,
    /// The statistics of its columns, with batch normalisation.
    statistics: Vec<Statistics>,
    /// `h`: the answers scaled by `s`.
    passed: Mat<f64>,
    /// On the way back, the derivative by `h`, then by `t`.
    by: Mat<f64>,
}

/// The forward and backward pass of a batch. Its memory is reused for the next batch.
#[derive(Debug)]
pub(crate) struct Pass {
    activation: Activation,
    stages: Vec<Stage>,
    /// `u`.
    pub(crate) output: Vec<f64>,
}

impl Pass {
    pub(crate) fn new(activation: Activation) -> Self {
        Self { activation, stages: Vec::new(), output: Vec::new() }
    }

    /// The statistics of all layers; without batch normalisation they are empty.
    pub(crate) fn statistics(&self) -> Vec<Vec<Statistics>> {
        self.stages.iter().map(|stage| stage.statistics.clone()).collect()
    }

    /// Computes the output for the rows of `x`.
    pub(crate) fn forward(&mut self, parameters: &Parameters, x: MatRef<'_, f64>) {
        self.stages.resize_with(parameters.layers.len(), Stage::new);
        for (l, layer) in parameters.layers.iter().enumerate() {
            let (below, stages) = self.stages.split_at_mut(l);
            let input = below.last().map_or(x, |stage| stage.passed.as_ref());
            stages[0].forward(layer, input, self.activation);
        }
        let last = &self.stages.last().expect("there is a hidden layer").passed;
        self.output = times(last.as_ref(), &parameters.output);
    }

    /// The gradient with respect to every parameter, given the gradient with respect to the output.
    pub(crate) fn backward(
        &mut self,
        parameters: &Parameters,
        x: MatRef<'_, f64>,
        surrogate: Surrogate,
        by_output: &[f64],
        gradient: &mut Parameters,
    ) {
        let last = self.stages.last_mut().expect("there is a hidden layer");
        gradient.output = times(last.passed.transpose(), by_output);
        shape(&mut last.by, x.nrows(), parameters.output.len());
        let grain = grain(x.nrows());
        last.by.as_mut().par_col_iter_mut().with_min_len(grain).enumerate().for_each(|(j, by)| {
            let v = parameters.output[j];
            slice(by).iter_mut().zip(by_output).for_each(|(by, u)| *by = v * u);
        });
        for (l, layer) in parameters.layers.iter().enumerate().rev() {
            let (below, stages) = self.stages.split_at_mut(l);
            let into = &mut gradient.layers[l];
            stages[0].backward(layer, self.activation, surrogate, into);
            let by = stages[0].by.as_ref();
            match below.last_mut() {
                None => product(&mut into.weights, x.transpose(), by),
                Some(below) => {
                    product(&mut into.weights, below.passed.transpose(), by);
                    shape(&mut below.by, x.nrows(), layer.weights.nrows());
                    product(&mut below.by, by, layer.weights.transpose());
                }
            }
        }
    }
}

impl Stage {
    fn new() -> Self {
        Self { t: Mat::new(), statistics: Vec::new(), passed: Mat::new(), by: Mat::new() }
    }

    fn forward(&mut self, layer: &Dense, input: MatRef<'_, f64>, activation: Activation) {
        let (rows, neurons) = (input.nrows(), layer.weights.ncols());
        shape(&mut self.t, rows, neurons);
        shape(&mut self.passed, rows, neurons);
        product(&mut self.t, input, layer.weights.as_ref());
        let columns = self.t.as_mut().par_col_iter_mut().with_min_len(grain(rows));
        let columns = columns.zip(self.passed.as_mut().par_col_iter_mut());
        let statistics = columns.enumerate().map(|(j, (t, passed))| {
            forward(slice(t), slice(passed), Neuron::of(layer, j), activation)
        });
        let statistics: Vec<Option<Statistics>> = statistics.collect();
        self.statistics = statistics.into_iter().flatten().collect();
    }

    /// Turns the derivative by `h` into the derivative by `t`. The derivatives by bias, amplitude
    /// and normalisation go to the gradient.
    fn backward(
        &mut self,
        layer: &Dense,
        activation: Activation,
        surrogate: Surrogate,
        gradient: &mut Dense,
    ) {
        let columns = self.by.as_mut().par_col_iter_mut().with_min_len(grain(self.t.nrows()));
        let columns = columns.zip(self.t.as_ref().par_col_iter());
        let derivatives = columns.enumerate().map(|(j, (by, t))| {
            let t = t.try_as_col_major().expect("columns are contiguous").as_slice();
            let deviation = self.statistics.get(j).map(|s| s.deviation);
            backward(slice(by), t, Neuron::of(layer, j), deviation, activation, surrogate)
        });
        let derivatives: Vec<_> = derivatives.collect();
        for (j, (by_amplitude, normalised, by_bias)) in derivatives.into_iter().enumerate() {
            (gradient.amplitude[j], gradient.bias[j]) = (by_amplitude, by_bias);
            if let (Some((gain, shift)), Some(by)) = (&mut gradient.norm, normalised) {
                (gain[j], shift[j]) = by;
            }
        }
    }
}

/// The parameters of one neuron, without its weights.
#[derive(Debug, Clone, Copy)]
struct Neuron {
    bias: f64,
    amplitude: f64,
    /// `g` and `c`; 1 and 0 without batch normalisation.
    gain: f64,
    shift: f64,
    normalised: bool,
}

impl Neuron {
    fn of(layer: &Dense, j: usize) -> Self {
        let (gain, shift) = layer.gain_and_shift(j);
        let (bias, amplitude) = (layer.bias[j], layer.amplitude[j]);
        Self { bias, amplitude, gain, shift, normalised: layer.norm.is_some() }
    }
}

fast! {
    /// Adds the bias, normalises where that is asked for, and writes the answers.
    fn forward(
        t: &mut [f64],
        passed: &mut [f64],
        neuron: Neuron,
        activation: Activation,
    ) -> Option<Statistics> {
        let Neuron { bias, amplitude, gain, shift, normalised } = neuron;
        t.iter_mut().for_each(|t| *t += bias);
        let statistics = normalised.then(|| norm::normalise(t));
        let answers = passed.iter_mut().zip(&*t);
        answers.for_each(|(h, t)| *h = amplitude * activation.of(gain * t + shift));
        statistics
    }
}

/// The derivatives by an amplitude, by gain and shift, and by a bias.
type Derivatives = (f64, Option<(f64, f64)>, f64);

fast! {
    /// Turns the derivative by the answers of a neuron into the derivative by its sum.
    fn backward(
        by: &mut [f64],
        t: &[f64],
        neuron: Neuron,
        deviation: Option<f64>,
        activation: Activation,
        surrogate: Surrogate,
    ) -> Derivatives {
        let Neuron { amplitude, gain, shift, .. } = neuron;
        // One loop for each surrogate, so that no loop asks which one it is.
        macro_rules! with {
            ($surrogate:path) => {
                pairs(by, t, |by, t| {
                    let t = gain * t + shift;
                    let by_amplitude = *by * activation.of(t);
                    *by *= amplitude * $surrogate.slope(t);
                    [by_amplitude]
                })
            };
        }
        let [by_amplitude] = match surrogate {
            Surrogate::Identity => with!(Surrogate::Identity),
            Surrogate::Relu => with!(Surrogate::Relu),
            Surrogate::LeakyRelu => with!(Surrogate::LeakyRelu),
            Surrogate::ClippedRelu => with!(Surrogate::ClippedRelu),
        };
        let normalised = deviation.map(|deviation| norm::backward(t, gain, deviation, by));
        (by_amplitude, normalised, sum(by, |by| by))
    }
}

/// The least number of columns for one thread, each of `rows` numbers.
fn grain(rows: usize) -> usize {
    (GRAIN / rows.max(1)).max(1)
}

/// Gives a matrix this shape; its content is arbitrary.
fn shape(matrix: &mut Mat<f64>, rows: usize, columns: usize) {
    if (matrix.nrows(), matrix.ncols()) != (rows, columns) {
        matrix.resize_with(rows, columns, |_, _| 0.0);
    }
}

fn slice(column: ColMut<'_, f64>) -> &mut [f64] {
    column.try_as_col_major_mut().expect("columns are contiguous").as_slice_mut()
}

/// `AB`.
fn product(into: &mut Mat<f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    matmul(into.as_mut(), Accum::Replace, a.into_const(), b.into_const(), 1.0, Par::rayon(0));
}

/// `Av`.
fn times(a: MatRef<'_, f64>, v: &[f64]) -> Vec<f64> {
    let column = faer::ColRef::from_slice(v);
    let product: faer::Col<f64> = a * column;
    product.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// `Σ u²/2 + Σ u`, a loss with a derivative that is not constant.
    fn loss(parameters: &Parameters, x: MatRef<'_, f64>, surrogate: Surrogate) -> f64 {
        let mut pass = Pass::new(Activation::Surrogate(surrogate));
        pass.forward(parameters, x);
        pass.output.iter().map(|u| u * u / 2.0 + u).sum()
    }

    #[test]
    fn the_backward_pass_is_the_gradient_of_the_surrogate_network() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (widths, batch_norm) in
            [(&[5][..], false), (&[4, 3], false), (&[5], true), (&[4, 5, 3], true)]
        {
            for surrogate in Surrogate::ALL {
                let x = Mat::from_fn(12, 3, |_, _| rng.random_range(-1.0..1.0));
                let mut parameters = Parameters::draw(3, widths, true, batch_norm, &mut rng);
                for layer in &mut parameters.layers {
                    layer.amplitude.iter_mut().for_each(|s| *s = rng.random_range(0.5..1.5));
                    if let Some((g, c)) = &mut layer.norm {
                        g.iter_mut().for_each(|g| *g = rng.random_range(0.5..1.5));
                        c.iter_mut().for_each(|c| *c = rng.random_range(-0.5..0.5));
                    }
                }
                let mut pass = Pass::new(Activation::Surrogate(surrogate));
                pass.forward(&parameters, x.as_ref());
                let by_output: Vec<f64> = pass.output.iter().map(|u| u + 1.0).collect();
                let mut gradient = parameters.zeros_like();
                pass.backward(&parameters, x.as_ref(), surrogate, &by_output, &mut gradient);
                let mut direction = parameters.zeros_like();
                let mut slope = 0.0;
                direction.zip(&gradient, |direction, gradient, _| {
                    for (d, g) in direction.iter_mut().zip(gradient) {
                        *d = rng.random_range(-1.0..1.0);
                        slope += *d * g;
                    }
                });
                let moved = |step: f64| {
                    let mut there = parameters.clone();
                    there.zip(&direction, |there, direction, _| {
                        there.iter_mut().zip(direction).for_each(|(p, d)| *p += step * d);
                    });
                    loss(&there, x.as_ref(), surrogate)
                };
                // The functions have kinks, so the step is small enough to avoid them.
                let difference = (moved(1e-7) - moved(-1e-7)) / 2e-7;
                let size = slope.abs().max(1.0);
                assert!(
                    (difference - slope).abs() < 1e-5 * size,
                    "{surrogate}, widths {widths:?}, normalised {batch_norm}: {difference} and \
                     {slope}"
                );
            }
        }
    }

    #[test]
    fn forward_is_the_definition() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let x = Mat::from_fn(9, 2, |_, _| rng.random_range(-1.0..1.0));
        let parameters = Parameters::draw(2, &[4, 3], true, false, &mut rng);
        let mut pass = Pass::new(Activation::Threshold);
        pass.forward(&parameters, x.as_ref());
        for i in 0..9 {
            let mut h = vec![x[(i, 0)], x[(i, 1)]];
            for layer in &parameters.layers {
                h = (0..layer.bias.len())
                    .map(|j| {
                        let t: f64 =
                            h.iter().enumerate().map(|(k, h)| h * layer.weights[(k, j)]).sum();
                        layer.amplitude[j] * f64::from(u8::from(fires(t + layer.bias[j])))
                    })
                    .collect();
            }
            let u: f64 = h.iter().zip(&parameters.output).map(|(h, v)| h * v).sum();
            assert!((u - pass.output[i]).abs() < 1e-12);
        }
    }
}
