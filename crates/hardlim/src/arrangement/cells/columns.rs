//! Independent columns of `X̃`, as integers times a power of two.

use crate::arrangement::Arrangement;
use crate::exact::dyadic::Range;
use crate::exact::modular::Prime;
use crate::exact::rank::Matrix;

/// One column of `X̃`, all ones for the bias.
#[derive(Debug, Clone)]
pub(in crate::arrangement) struct Column {
    /// The feature; `None` for the bias.
    pub(in crate::arrangement) feature: Option<usize>,
    pub(super) values: Vec<f64>,
    range: Range,
}

impl Column {
    fn new(feature: Option<usize>, values: Vec<f64>) -> Self {
        let range = Range::of(values.iter().copied());
        Self { feature, values, range }
    }

    /// The power of two that brings the values below 1.
    pub(in crate::arrangement) fn shrink(&self) -> f64 {
        2f64.powi(-self.range.high)
    }

    pub(super) fn bits(&self) -> i32 {
        self.range.bits()
    }

    /// The integer of row `i` modulo a prime.
    pub(super) fn residue(&self, i: usize, prime: &Prime, two: &[u64]) -> u64 {
        prime.dyadic(self.values[i], self.range.low, two)
    }
}

/// Independent columns of `X̃` that span all of them, the bias first if there is one.
pub(in crate::arrangement) fn independent_columns(arrangement: &Arrangement<'_>) -> Vec<Column> {
    let (features, rows) = (arrangement.features(), arrangement.features().rows());
    let bias = arrangement.has_bias().then(|| Column::new(None, vec![1.0; rows]));
    let real = (0..features.dimension())
        .map(|k| Column::new(Some(k), (0..rows).map(|i| features.row(i)[k]).collect()));
    let all: Vec<Column> = bias.into_iter().chain(real).collect();
    let matrix = Matrix::new(rows, all.len(), |i, j| all[j].values[i]);
    let kept = matrix.independent_columns(usize::MAX).expect("any number of them");
    let kept = |j: &usize| kept.binary_search(j).is_ok();
    all.into_iter().enumerate().filter_map(|(j, c)| kept(&j).then_some(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;

    #[test]
    fn columns_that_others_span_are_left_out() {
        // x, 2x + 1, y, x + y with a bias: the second and the fourth depend on the others.
        let points = [(0.0, 0.0), (1.0, 0.0), (0.0, 0.1), (3.0, 0.7)];
        let values = points.iter().flat_map(|&(x, y)| [x, 2.0 * x + 1.0, y, x]).collect();
        let features = Features::new(4, 4, values).unwrap();
        let kept = |arrangement: &Arrangement<'_>| -> Vec<Option<usize>> {
            independent_columns(arrangement).iter().map(|c| c.feature).collect()
        };
        assert_eq!(kept(&Arrangement::of(&features)), [None, Some(0), Some(2)]);
        assert_eq!(kept(&Arrangement::of(&features).without_bias()).len(), 3);
    }
}
