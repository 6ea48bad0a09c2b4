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
    /// The last step, if a part of it is added to the next one.
    velocity: Option<Parameters>,
    momentum: f64,
}

impl Descent {
    pub(crate) fn new(start: Parameters, momentum: f64) -> Self {
        let zeros = || start.zeros_like();
        Self {
            squared_norm: start.squared_norm(),
            next: zeros(),
            best: zeros(),
            current_is_best: false,
            velocity: (momentum != 0.0).then(zeros),
            momentum,
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

    /// `p ← p − rate v` with `v ← momentum v + gradient + decay p`. Biases stay zero if there are none.
    pub(crate) fn step(&mut self, gradient: &Parameters, rate: f64, decay: f64, bias: bool) {
        if let Some(velocity) = &mut self.velocity {
            let momentum = self.momentum;
            velocity.zip(gradient, &self.current, |v, g, p, decays| {
                let decay = if decays { decay } else { 0.0 };
                accelerate(v, g, p, momentum, decay);
            });
            self.advance(None, rate, 0.0);
        } else {
            self.advance(Some(gradient), rate, decay);
        }
        if !bias {
            self.current.layers.iter_mut().for_each(|layer| layer.bias.fill(0.0));
            self.squared_norm = self.current.squared_norm();
        }
    }

    /// `p ← p − rate (direction + decay p)`, where the direction is the velocity if none is given.
    fn advance(&mut self, direction: Option<&Parameters>, rate: f64, decay: f64) {
        let direction = direction.or(self.velocity.as_ref()).expect("there is a direction");
        let mut squared_norm = 0.0;
        self.next.zip(&self.current, direction, |next, p, v, decays| {
            let decay = if decays { decay } else { 0.0 };
            let squares = advance(next, p, v, rate, decay);
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
    }
}

fast! {
    /// `v ← momentum v + g + decay p`.
    fn accelerate(v: &mut [f64], g: &[f64], p: &[f64], momentum: f64, decay: f64) {
        let [] = triples(v, g, p, |v, g, p| {
            *v = momentum * *v + (g + decay * p);
            []
        });
    }
}

fast! {
    /// `next = p − rate (v + decay p)`, and its sum of squares.
    fn advance(next: &mut [f64], p: &[f64], v: &[f64], rate: f64, decay: f64) -> f64 {
        let [squares] = triples(next, p, v, |next, p, v| {
            *next = p - rate * (v + decay * p);
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

    /// One step, number by number.
    fn plain(p: &mut f64, v: &mut f64, g: f64, (momentum, rate, decay): (f64, f64, f64)) {
        *v = momentum * *v + (g + decay * *p);
        *p -= rate * *v;
    }

    fn numbers(parameters: &Parameters) -> Vec<(f64, bool)> {
        let mut all = Vec::new();
        parameters.clone().zip(parameters, parameters, |p, _, _, decays| {
            all.extend(p.iter().map(|p| (*p, decays)));
        });
        all
    }

    #[test]
    fn steps_follow_the_formula_and_the_best_parameters_stay() {
        for momentum in [0.0, 0.9] {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let mut draw = || Parameters::draw(3, &[11, 4], true, true, &mut rng);
            let mut descent = Descent::new(draw(), momentum);
            let mut p = numbers(&descent.current);
            let mut v = vec![0.0; p.len()];
            let mut best = Vec::new();
            for k in 0..6 {
                if [0, 1, 4].contains(&k) {
                    descent.keep();
                    best = numbers(&descent.current);
                }
                let gradient = draw();
                descent.step(&gradient, 0.1, 0.3, true);
                for ((p, v), (g, decays)) in p.iter_mut().zip(&mut v).zip(numbers(&gradient)) {
                    plain(&mut p.0, v, g, (momentum, 0.1, if decays { 0.3 } else { 0.0 }));
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
}
