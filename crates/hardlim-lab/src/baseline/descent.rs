//! The parameters on their way down: before and after a step, and those of the best epoch.
//!
//! A step writes new parameters beside the old ones, so that the best ones are kept without a copy.

use std::mem::swap;

use super::parameters::Parameters;
use super::sweep::{fast, triples};

/// Parameters under training.
#[derive(Debug)]
pub(crate) struct Descent {
    pub(crate) current: Parameters,
    /// `Σ p²` over the current parameters that decay.
    pub(crate) squared_norm: f64,
    /// Memory for the next parameters.
    next: Parameters,
    /// The best parameters, unless they are the current ones.
    best: Parameters,
    current_is_best: bool,
}

impl Descent {
    pub(crate) fn new(start: Parameters) -> Self {
        Self {
            squared_norm: start.squared_norm(),
            next: start.zeros_like(),
            best: start.zeros_like(),
            current_is_best: false,
            current: start,
        }
    }

    /// Keeps the current parameters as the best so far.
    pub(crate) fn keep(&mut self) {
        self.current_is_best = true;
    }

    /// The parameters that were kept last.
    pub(crate) fn best(&self) -> &Parameters {
        if self.current_is_best { &self.current } else { &self.best }
    }

    /// `p ← p − rate (gradient + decay p)`. Biases stay zero if there are none.
    pub(crate) fn step(&mut self, gradient: &Parameters, rate: f64, decay: f64, bias: bool) {
        let mut squared_norm = 0.0;
        self.next.zip(&self.current, gradient, |next, p, g, decays| {
            let squares = advance(next, p, g, rate, if decays { decay } else { 0.0 });
            if decays {
                squared_norm += squares;
            }
        });
        self.squared_norm = squared_norm;
        if self.current_is_best {
            swap(&mut self.best, &mut self.current);
            self.current_is_best = false;
        }
        swap(&mut self.current, &mut self.next);
        if !bias {
            self.current.layers.iter_mut().for_each(|layer| layer.bias.fill(0.0));
            self.squared_norm = self.current.squared_norm();
        }
    }
}

fast! {
    /// `next = p − rate (g + decay p)`, and its sum of squares.
    fn advance(next: &mut [f64], p: &[f64], g: &[f64], rate: f64, decay: f64) -> f64 {
        let [squares] = triples(next, p, g, |next, p, g| {
            *next = p - rate * (g + decay * p);
            [*next * *next]
        });
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn numbers(parameters: &Parameters) -> Vec<(f64, bool)> {
        let mut all = Vec::new();
        parameters.clone().zip(parameters, parameters, |p, _, _, decays| {
            all.extend(p.iter().map(|p| (*p, decays)));
        });
        all
    }

    #[test]
    fn steps_follow_the_formula_and_the_best_parameters_stay() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut draw = || Parameters::draw(3, &[11, 4], true, true, &mut rng);
        let mut descent = Descent::new(draw());
        let mut p = numbers(&descent.current);
        let mut best = Vec::new();
        for k in 0..6 {
            if [0, 1, 4].contains(&k) {
                descent.keep();
                best = numbers(&descent.current);
            }
            let gradient = draw();
            descent.step(&gradient, 0.1, 0.3, true);
            for ((p, _), (g, decays)) in p.iter_mut().zip(numbers(&gradient)) {
                *p -= 0.1 * (g + if decays { 0.3 } else { 0.0 } * *p);
            }
            for (found, expected) in numbers(&descent.current).iter().zip(&p) {
                assert!((found.0 - expected.0).abs() < 1e-14);
            }
            assert_eq!(numbers(descent.best()), best);
            let norm = descent.current.squared_norm();
            assert!((descent.squared_norm - norm).abs() < 1e-12 * norm);
        }
    }
}
