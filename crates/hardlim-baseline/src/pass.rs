//! Forward and backward through the network.
//!
//! Forward, a neuron answers `s·1{t ≥ 0}`. Backward, `1{t ≥ 0}` is given the slope of its surrogate.
//! With the surrogate forward as well the backward pass is the gradient of that network, which is how
//! it is tested.

use faer::linalg::matmul::matmul;
use faer::prelude::IntoConst;
use faer::{Accum, Mat, MatRef, Par};
use hardlim::pattern::threshold::fires;

use crate::norm::{self, Statistics};
use crate::parameters::{Dense, Parameters};
use crate::surrogate::Surrogate;

/// What a neuron answers on the way forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// `1{t ≥ 0}`.
    Threshold,
    /// The surrogate itself.
    #[cfg(test)]
    Surrogate(Surrogate),
}

impl Answer {
    fn of(self, t: f64) -> f64 {
        match self {
            Self::Threshold => f64::from(u8::from(fires(t))),
            #[cfg(test)]
            Self::Surrogate(surrogate) => surrogate.value(t),
        }
    }
}

/// What one layer saw and said.
#[derive(Debug)]
pub(crate) struct Stage {
    /// `t`, normalised where there is batch normalisation, before gain and shift.
    normalised: Mat<f64>,
    /// The statistics of its columns, with batch normalisation.
    pub(crate) statistics: Vec<Statistics>,
    /// The answers before they are scaled by `s`.
    answers: Mat<f64>,
    /// `h = s ⊙ answers`.
    passed: Mat<f64>,
}

/// The way forward of a batch.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    parameters: &'a Parameters,
    x: MatRef<'a, f64>,
    pub(crate) stages: Vec<Stage>,
    /// `u`.
    pub(crate) output: Vec<f64>,
}

impl<'a> Pass<'a> {
    /// Takes the rows of `x` through the network.
    pub(crate) fn forward(parameters: &'a Parameters, x: MatRef<'a, f64>, answer: Answer) -> Self {
        let mut stages: Vec<Stage> = Vec::with_capacity(parameters.layers.len());
        for layer in &parameters.layers {
            let input = stages.last().map_or(x, |stage| stage.passed.as_ref());
            let stage = Stage::forward(layer, input, answer);
            stages.push(stage);
        }
        let last = &stages.last().expect("there is a hidden layer").passed;
        let output = times(last.as_ref(), &parameters.output);
        Self { parameters, x, stages, output }
    }

    /// The gradient by every parameter, given that by the output.
    pub(crate) fn backward(&self, surrogate: Surrogate, by_output: &[f64]) -> Parameters {
        let mut gradient = self.parameters.zeros_like();
        let last = &self.stages.last().expect("there is a hidden layer").passed;
        gradient.output = times(last.transpose(), by_output);
        let (rows, width) = (last.nrows(), last.ncols());
        let mut by_passed =
            Mat::from_fn(rows, width, |i, j| by_output[i] * self.parameters.output[j]);
        for l in (0..self.stages.len()).rev() {
            let layer = &self.parameters.layers[l];
            let by_t =
                self.stages[l].backward(layer, surrogate, by_passed, &mut gradient.layers[l]);
            let input = if l == 0 { self.x } else { self.stages[l - 1].passed.as_ref() };
            let weights = &mut gradient.layers[l].weights;
            product(weights, input.transpose(), by_t.as_ref());
            by_passed = Mat::new();
            if l > 0 {
                by_passed = Mat::zeros(rows, layer.weights.nrows());
                product(&mut by_passed, by_t.as_ref(), layer.weights.transpose());
            }
        }
        gradient
    }
}

impl Stage {
    fn forward(layer: &Dense, input: MatRef<'_, f64>, answer: Answer) -> Self {
        let neurons = layer.weights.ncols();
        let mut t = Mat::zeros(input.nrows(), neurons);
        product(&mut t, input, layer.weights.as_ref());
        let mut statistics = Vec::new();
        let mut answers = Mat::zeros(input.nrows(), neurons);
        let mut passed = Mat::zeros(input.nrows(), neurons);
        for j in 0..neurons {
            let column = t.col_as_slice_mut(j);
            column.iter_mut().for_each(|t| *t += layer.bias[j]);
            let (mut gain, mut shift) = (1.0, 0.0);
            if let Some((g, c)) = &layer.norm {
                statistics.push(norm::normalise(column));
                (gain, shift) = (g[j], c[j]);
            }
            let out = answers.col_as_slice_mut(j).iter_mut().zip(passed.col_as_slice_mut(j));
            for ((said, passed), t) in out.zip(&*column) {
                *said = answer.of(gain * t + shift);
                *passed = layer.amplitude[j] * *said;
            }
        }
        Self { normalised: t, statistics, answers, passed }
    }

    /// The derivative by `t`, given that by what was passed on; those by bias, amplitude and
    /// normalisation go to the gradient.
    fn backward(
        &self,
        layer: &Dense,
        surrogate: Surrogate,
        mut by: Mat<f64>,
        gradient: &mut Dense,
    ) -> Mat<f64> {
        for j in 0..by.ncols() {
            let (column, t) = (by.col_as_slice_mut(j), self.normalised.col_as_slice(j));
            let said = self.answers.col_as_slice(j);
            gradient.amplitude[j] = column.iter().zip(said).map(|(d, a)| d * a).sum();
            let (gain, shift) = layer.norm.as_ref().map_or((1.0, 0.0), |(g, c)| (g[j], c[j]));
            for (d, t) in column.iter_mut().zip(t) {
                *d *= layer.amplitude[j] * surrogate.slope(gain * t + shift);
            }
            if let Some((by_gain, by_shift)) = &mut gradient.norm {
                let deviation = self.statistics[j].deviation;
                (by_gain[j], by_shift[j]) = norm::backward(t, gain, deviation, column);
            }
            gradient.bias[j] = column.iter().sum();
        }
        by
    }
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
        let pass = Pass::forward(parameters, x, Answer::Surrogate(surrogate));
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
                let pass = Pass::forward(&parameters, x.as_ref(), Answer::Surrogate(surrogate));
                let by_output: Vec<f64> = pass.output.iter().map(|u| u + 1.0).collect();
                let gradient = pass.backward(surrogate, &by_output);
                let mut direction = parameters.zeros_like();
                let mut ignored = parameters.zeros_like();
                direction
                    .update(&mut ignored, &gradient, |d, _, _, _| *d = rng.random_range(-1.0..1.0));
                let mut slope = 0.0;
                direction.clone().update(&mut ignored, &gradient, |d, _, g, _| slope += *d * g);
                let moved = |step: f64| {
                    let mut there = parameters.clone();
                    there.update(&mut parameters.zeros_like(), &direction, |p, _, d, _| {
                        *p += step * d
                    });
                    loss(&there, x.as_ref(), surrogate)
                };
                // The functions have kinks: a step small enough not to meet one.
                let difference = (moved(1e-7) - moved(-1e-7)) / 2e-7;
                let size = slope.abs().max(1.0);
                assert!(
                    (difference - slope).abs() < 1e-5 * size,
                    "{surrogate}, widths {widths:?}, normalised {batch_norm}: {difference} and {slope}"
                );
            }
        }
    }

    #[test]
    fn forward_is_the_definition() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let x = Mat::from_fn(9, 2, |_, _| rng.random_range(-1.0..1.0));
        let parameters = Parameters::draw(2, &[4, 3], true, false, &mut rng);
        let pass = Pass::forward(&parameters, x.as_ref(), Answer::Threshold);
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
