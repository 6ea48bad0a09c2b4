//! Fixed first layers `Z = 1{X̃G ≥ 0}` on whose answers every dichotomy is possible.
//!
//! Every dichotomy of `n` distinct rows of `Z` is a pattern of one more neuron exactly when
//! `rank [Z 1] = n`. Then training the layers above is the complete program. The complete program
//! is a lower bound on every network of every depth, so its optimum is optimal among all of them.
//! Random layers have that rank if they are wide enough, and this is checked. A
//! [`Staircase`](super::Staircase) has it by construction.

use rand::Rng;

use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Features, Scaling};
use crate::error::Error;
use crate::pattern::PatternMatrix;
use crate::table::named::named;

/// The default number of neurons of a random layer.
pub(crate) const GAUSSIAN_WIDTH: usize = 1000;

/// The inputs of the complete program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Representation {
    /// The features themselves.
    #[default]
    None,
    /// The answers of layers of random neurons.
    Gaussian,
    /// The answers of thresholds along one direction, one between each two neighbours.
    Staircase,
}

named! {
    Representation "representation": None "none", Gaussian "gaussian", Staircase "staircase"
}

/// Layers of random neurons, and the answers of the last one.
#[derive(Debug, Clone)]
pub(crate) struct RandomLayers {
    /// The layers; the first one reads the features.
    pub(crate) layers: Vec<Vec<Hyperplane>>,
    /// `Z`, with a row of zeros and ones for each row of the features.
    pub(crate) answers: Features,
}

impl RandomLayers {
    /// Layers of these widths, with independent normal weights: first on the inputs as scaled by
    /// `scaling`, then on zeros and ones. Of neurons with the same answers only the first is kept.
    pub(crate) fn draw(
        arrangement: &Arrangement<'_>,
        widths: &[usize],
        scaling: &Scaling,
        rng: &mut impl Rng,
    ) -> Result<Self, Error> {
        let (first, rest) = widths.split_first().expect("one layer at least");
        let bias = arrangement.has_bias();
        let drawn = arrangement.sample(*first, scaling, rng);
        let mut answers = zeros_and_ones(&drawn.patterns);
        let mut layers = vec![drawn.witnesses];
        for &width in rest {
            let scaling = Scaling::identity(answers.dimension());
            let drawn = Arrangement::with_bias(&answers, bias).sample(width, &scaling, rng);
            answers = zeros_and_ones(&drawn.patterns);
            layers.push(drawn.witnesses);
        }
        let above = Arrangement::with_bias(&answers, bias);
        if !above.is_complete() {
            return Err(Error::ShortRepresentation {
                rows: answers.rows(),
                rank: above.rank(),
                width: *rest.last().unwrap_or(first),
                columns: answers.dimension(),
            });
        }
        Ok(Self { layers, answers })
    }
}

/// Answers as the features of the next layer: a row of zeros and ones for each row.
pub(super) fn zeros_and_ones(patterns: &PatternMatrix) -> Features {
    let (rows, width) = (patterns.samples(), patterns.patterns());
    let values = (0..rows * width).map(|k| f64::from(u8::from(patterns.get(k / width, k % width))));
    Features::new(rows, width, values.collect()).expect("zeros and ones")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::threshold::activates;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn answers_are_those_of_the_layers_one_row_at_a_time() {
        let values = (0..40).map(|i| f64::from(i * 37 % 23) - 11.0).collect();
        let features = Features::new(20, 2, values).unwrap();
        for (widths, bias) in [(&[200][..], true), (&[100, 80, 90], true), (&[300, 200], false)] {
            let rng = &mut ChaCha8Rng::seed_from_u64(5);
            let arrangement = Arrangement::with_bias(&features, bias);
            let drawn =
                RandomLayers::draw(&arrangement, widths, &Scaling::identity(2), rng).unwrap();
            assert_eq!(drawn.layers.len(), widths.len());
            for i in 0..20 {
                let layer = |x: Vec<f64>, layer: &Vec<Hyperplane>| -> Vec<f64> {
                    assert!(bias || layer.iter().all(|neuron| neuron.bias == 0.0));
                    let on = |n: &Hyperplane| activates(&x, &n.weights, n.bias);
                    layer.iter().map(|neuron| f64::from(u8::from(on(neuron)))).collect()
                };
                let expected = drawn.layers.iter().fold(features.row(i).to_vec(), layer);
                assert_eq!(drawn.answers.row(i), expected);
            }
        }
    }
}
