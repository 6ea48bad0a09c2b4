//! Fixed first layers `Z = 1{X̃G ≥ 0}` on whose answers every dichotomy is possible.
//!
//! Every dichotomy of `n` distinct rows of `Z` is a pattern of one more neuron exactly when `rank [Z 1]
//! = n`; then the complete program is the problem of training the layers above, and as it bounds every
//! network of every depth from below, its optimum is one over all of them. Random layers have that rank
//! when they are wide enough, which is checked; a [`Staircase`](super::Staircase) has it by construction.

use std::fmt;
use std::str::FromStr;

use rand::Rng;

use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Features, Scaling};
use crate::error::Error;
use crate::pattern::{PatternMatrix, WORD};

/// Neurons of a random layer, unless told otherwise.
pub const GAUSSIAN_WIDTH: usize = 1000;

/// What the complete program is solved on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Representation {
    /// The features themselves.
    #[default]
    None,
    /// The answers of layers of random neurons.
    Gaussian,
    /// The answers of thresholds along one direction, between each two neighbours.
    Staircase,
}

impl fmt::Display for Representation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Gaussian => "gaussian",
            Self::Staircase => "staircase",
        })
    }
}

impl FromStr for Representation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "none" => Ok(Self::None),
            "gaussian" => Ok(Self::Gaussian),
            "staircase" => Ok(Self::Staircase),
            _ => Err(Error::Unknown {
                what: "representation",
                got: text.into(),
                expected: "none, gaussian, staircase",
            }),
        }
    }
}

/// Layers of random neurons, and what the last of them answers.
#[derive(Debug, Clone)]
pub struct RandomLayers {
    /// The layers, from the one that reads the features on.
    pub layers: Vec<Vec<Hyperplane>>,
    /// `Z`, with a row of zeros and ones for each row of the features.
    pub answers: Features,
}

impl RandomLayers {
    /// So many layers of these widths, their weights independent normal numbers: on the inputs as
    /// `scaling` conditions them, then on zeros and ones. Of neurons that answer alike the first is kept.
    ///
    /// # Errors
    /// When the answers of the last layer are not of full rank.
    ///
    /// # Panics
    /// When there is no layer.
    pub fn draw(
        arrangement: &Arrangement<'_>,
        widths: &[usize],
        scaling: &Scaling,
        rng: &mut impl Rng,
    ) -> Result<Self, Error> {
        let (first, rest) = widths.split_first().expect("one layer at least");
        let bias = arrangement.has_bias();
        let mut drawn = arrangement.sample(*first, scaling, rng);
        let mut answers = zeros_and_ones(&drawn.patterns);
        let mut layers = vec![drawn.witnesses];
        for &width in rest {
            let scaling = Scaling::identity(answers.dimension());
            drawn = with_bias(&answers, bias).sample(width, &scaling, rng);
            answers = zeros_and_ones(&drawn.patterns);
            layers.push(drawn.witnesses);
        }
        let above = with_bias(&answers, bias);
        if !has_odd_minor(&drawn.patterns, bias) && !above.is_complete() {
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

/// The arrangement of these rows.
pub(crate) fn with_bias(features: &Features, bias: bool) -> Arrangement<'_> {
    let arrangement = Arrangement::of(features);
    if bias { arrangement } else { arrangement.without_bias() }
}

/// Answers as the features of the next layer.
fn zeros_and_ones(patterns: &PatternMatrix) -> Features {
    let (rows, columns) = (patterns.samples(), patterns.patterns());
    let rows_of = patterns.transposed();
    let mut values = Vec::with_capacity(rows * columns);
    for i in 0..rows {
        values.extend((0..columns).map(|j| f64::from(u8::from(rows_of.get(j, i)))));
    }
    Features::new(rows, columns, values).expect("zeros and ones")
}

/// Whether the rows are independent modulo two: then a minor of all of them is odd, and not zero.
fn has_odd_minor(patterns: &PatternMatrix, bias: bool) -> bool {
    let columns = patterns.patterns();
    let rows_of = patterns.transposed();
    let mut rows: Vec<Vec<u64>> = (0..patterns.samples())
        .map(|i| {
            let mut row = rows_of.pattern(i).words().to_vec();
            row.resize(columns / WORD + 1, 0);
            row[columns / WORD] |= u64::from(bias) << (columns % WORD);
            row
        })
        .collect();
    for k in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(k + 1);
        let row = &done[k];
        let Some(word) = row.iter().position(|&w| w != 0) else { return false };
        let bit = row[word] & row[word].wrapping_neg(); // the lowest set bit
        for other in rest.iter_mut().filter(|other| other[word] & bit != 0) {
            other[word..].iter_mut().zip(&row[word..]).for_each(|(a, b)| *a ^= b);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_odd_minor_means_full_rank(
            n in 1usize..9, columns in 0usize..70, seed in any::<u64>(), bias in any::<bool>(),
        ) {
            let bit = |i: usize, j: usize| {
                seed.wrapping_mul((i * 71 + j * 3 + 1) as u64).count_ones() % 3 == 0
            };
            let patterns: Vec<Pattern> =
                (0..columns).map(|j| Pattern::from_fn(n, |i| bit(i, j))).collect();
            let patterns = PatternMatrix::from_patterns(n, &patterns);
            let features = zeros_and_ones(&patterns);
            for (i, j) in (0..n).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                prop_assert_eq!(features.row(i)[j], f64::from(u8::from(bit(i, j))));
            }
            let complete = with_bias(&features, bias).is_complete();
            prop_assert!(!has_odd_minor(&patterns, bias) || complete);
        }
    }

    #[test]
    fn independence_modulo_two_is_found_and_dependence_too() {
        let matrix = |rows: &[&str]| {
            let bit = |i: usize, j: usize| rows[i].as_bytes()[j] == b'1';
            let column = |j| Pattern::from_fn(rows.len(), |i| bit(i, j));
            PatternMatrix::from_patterns(
                rows.len(),
                &(0..rows[0].len()).map(column).collect::<Vec<_>>(),
            )
        };
        assert!(has_odd_minor(&matrix(&["100", "110", "111"]), false));
        assert!(has_odd_minor(&matrix(&["00", "10", "11"]), true));
        // Determinant two: full rank, and not modulo two.
        let even = matrix(&["110", "101", "011"]);
        assert!(!has_odd_minor(&even, false));
        assert!(with_bias(&zeros_and_ones(&even), false).is_complete());
        assert!(!has_odd_minor(&matrix(&["10", "10"]), true));
    }
}
