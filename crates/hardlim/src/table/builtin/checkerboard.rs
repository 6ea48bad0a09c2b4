//! Points of a square, labelled by a board of 4 × 4 squares in two colours.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Table, TableSize, numbers};
use crate::table::TableError;

/// Squares along a side.
const SQUARES: f64 = 4.0;

/// Uniform points of `[0, 4)²`. The target is +1 where `⌊x₁⌋ + ⌊x₂⌋` is even, and −1 elsewhere. A
/// larger table starts with the rows of a smaller one.
pub(super) fn table(name: &str, size: &TableSize) -> Result<Table, TableError> {
    let mut rng = ChaCha8Rng::seed_from_u64(size.seed);
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..size.rows {
        let (a, b) = (rng.random_range(0.0..SQUARES), rng.random_range(0.0..SQUARES));
        let even = (a.floor() + b.floor()) % 2.0 == 0.0;
        for (column, value) in columns.iter_mut().zip([a, b, if even { 1.0 } else { -1.0 }]) {
            column.push(value);
        }
    }
    let names = ["x1", "x2", "y"];
    Table::new(name, columns.into_iter().zip(names).map(|(x, name)| numbers(name, x)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Field;

    #[test]
    fn neighbouring_fields_have_different_colours() {
        let make = |rows, seed| table("board", &TableSize { rows, features: 2, seed }).unwrap();
        let board = make(400, 1);
        let number = |i, j| match board.field(i, j) {
            Field::Number(v) => v,
            other => panic!("{other:?}"),
        };
        let mut counts = [0; 16];
        for i in 0..400 {
            let (a, b) = (number(i, 0), number(i, 1));
            assert!((0.0..4.0).contains(&a) && (0.0..4.0).contains(&b));
            let square = 4 * a as usize + b as usize;
            counts[square] += 1;
            assert_eq!(
                number(i, 2),
                if (square / 4 + square % 4).is_multiple_of(2) { 1.0 } else { -1.0 }
            );
        }
        assert!(counts.iter().all(|count| (10..50).contains(count)), "{counts:?}");
        let short = make(10, 1);
        assert!((0..10).all(|i| (0..3).all(|j| short.field(i, j) == board.field(i, j))));
        assert_ne!(make(10, 2), short);
    }
}
