//! Gaussian points labelled by a random network: `y = sgn(tanh(XW₁)w₂)` and
//! `y = sgn(tanh(tanh(XW₁)W₂)w₃)`, 20 neurons a layer (the paper's synthetic experiments).

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::{Table, TableSize, numbers};
use crate::table::TableError;

const NEURONS: usize = 20;

/// A table labelled by a teacher with `hidden` hidden layers; the target is −1 or +1. The weights
/// are drawn before the points, so a larger table starts with the rows of a smaller one.
pub(super) fn table(name: &str, hidden: usize, size: &TableSize) -> Result<Table, TableError> {
    let mut rng = ChaCha8Rng::seed_from_u64(size.seed);
    let mut gaussian =
        |count: usize| -> Vec<f64> { (0..count).map(|_| rng.sample(StandardNormal)).collect() };
    let layers: Vec<Vec<f64>> = (0..hidden)
        .map(|k| gaussian(NEURONS * if k == 0 { size.features } else { NEURONS }))
        .collect();
    let last = gaussian(NEURONS);
    let mut columns = vec![Vec::with_capacity(size.rows); size.features];
    let mut y = Vec::with_capacity(size.rows);
    for _ in 0..size.rows {
        let x = gaussian(size.features);
        columns.iter_mut().zip(&x).for_each(|(column, &v)| column.push(v));
        let top = layers.iter().fold(x, |z, weights| layer(&z, weights));
        y.push(if dot(&top, &last) >= 0.0 { 1.0 } else { -1.0 });
    }
    let named = columns.into_iter().enumerate().map(|(j, x)| numbers(format!("x{}", j + 1), x));
    Table::new(name, named.chain([numbers("y", y)]).collect())
}

/// `tanh(Wᵀz)`; the weights are stored neuron by neuron.
fn layer(z: &[f64], weights: &[f64]) -> Vec<f64> {
    weights.chunks_exact(z.len()).map(|w| dot(z, w).tanh()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_table_and_more_rows_extend_it() {
        let make =
            |rows, seed| table("teacher3", 2, &TableSize { rows, features: 3, seed }).unwrap();
        let (short, long) = (make(10, 1), make(30, 1));
        for j in 0..4 {
            assert!((0..10).all(|i| short.field(i, j) == long.field(i, j)));
        }
        assert_eq!(short, make(10, 1));
        assert_ne!(short, make(10, 2));
    }

    #[test]
    fn both_labels_occur() {
        for hidden in [1, 2] {
            let table = table("t", hidden, &TableSize::default()).unwrap();
            let positive = table.columns()[20].fields.iter().filter(|&field| {
                assert!(matches!(field, crate::table::Field::Number(v) if v.abs() == 1.0));
                field == crate::table::Field::Number(1.0)
            });
            assert!((20..=80).contains(&positive.count()));
        }
    }
}
