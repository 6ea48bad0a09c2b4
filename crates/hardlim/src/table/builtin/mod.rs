//! Tables that need no file: small ones that are stored here, and generators.

mod checkerboard;
mod teacher;
mod tic_tac_toe;
mod titanic;

use super::error::Fault;
use super::fields::{Field, Fields};
use super::{Column, Table, check_size};
use crate::table::TableError;

/// The names of the built-in tables.
pub const NAMES: [&str; 6] =
    ["titanic", "tic-tac-toe", "line", "teacher2", "teacher3", "checkerboard"];

/// The size of a generated table, and its seed. Tables of a fixed size ignore it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSize {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns without the target. The checkerboard always has two.
    pub features: usize,
    /// The seed of the generator.
    pub seed: u64,
}

impl Default for TableSize {
    fn default() -> Self {
        Self { rows: 100, features: 20, seed: 0 }
    }
}

/// All built-in tables, in the order of [`NAMES`]: the name, whether the size can be chosen, and
/// what the table holds, in one sentence.
pub fn list() -> Vec<(&'static str, bool, &'static str)> {
    let all = [
        (false, "who survived the Titanic, by class, age and sex (Dawson 1995)"),
        (false, "every board a game can end with; did x win?"),
        (false, "five points on a line, answered by two threshold neurons"),
        (true, "Gaussian points, labelled by a random network with one hidden layer of 20 tanh"),
        (true, "Gaussian points, labelled by a random network with two hidden layers of 20 tanh"),
        (true, "points of a square, labelled by a board of 4 x 4 fields in two colours"),
    ];
    NAMES.into_iter().zip(all).map(|(name, (sized, what))| (name, sized, what)).collect()
}

/// The built-in table of this name; `None` if there is none.
pub fn load(name: &str, size: &TableSize) -> Option<Result<Table, TableError>> {
    let checked = || checked(name, size);
    Some(match name {
        "titanic" => titanic::table(),
        "tic-tac-toe" => tic_tac_toe::table(),
        "line" => line(),
        "teacher2" => checked().and_then(|()| teacher::table(name, 1, size)),
        "teacher3" => checked().and_then(|()| teacher::table(name, 2, size)),
        "checkerboard" => checked().and_then(|()| checkerboard::table(name, size)),
        _ => return None,
    })
}

fn checked(name: &str, size: &TableSize) -> Result<(), TableError> {
    let fault = if size.rows == 0 {
        Err(Fault::Empty)
    } else if size.features == 0 {
        Err(Fault::NoFeatures { columns: 1, why: String::new() })
    } else {
        check_size(size.rows, size.features.saturating_add(1))
    };
    fault.map_err(|fault| fault.at(name, None, None))
}

/// `x = −2, …, 2` and `y = 1{x ≥ −1} − 2·1{x ≥ 1}`. The paper's one-dimensional experiment takes
/// its targets from a random network of two threshold neurons; this is one such network.
fn line() -> Result<Table, TableError> {
    let fires = |t: f64| f64::from(u8::from(t >= 0.0));
    let x: Vec<f64> = (-2..=2).map(f64::from).collect();
    let y = x.iter().map(|x| fires(x + 1.0) - 2.0 * fires(x - 1.0)).collect();
    Table::new("line", vec![numbers("x", x), numbers("y", y)])
}

fn numbers(name: impl Into<String>, values: Vec<f64>) -> Column {
    Column { name: name.into(), fields: Fields::Numbers(values) }
}

fn labels<'a>(name: &str, labels: impl IntoIterator<Item = &'a str>) -> Column {
    Column { name: name.into(), fields: labels.into_iter().map(Field::Text).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_tells_the_truth() {
        for ((name, sized, _), known) in list().into_iter().zip(NAMES) {
            let rows = |rows| load(name, &TableSize { rows, features: 2, seed: 0 });
            let [table, larger] = [20, 30].map(|count| rows(count).unwrap().unwrap());
            assert_eq!((table.source(), table.rows() < larger.rows()), (known, sized));
        }
        assert!(load("iris", &TableSize::default()).is_none());
    }

    #[test]
    fn the_line_is_five_points_with_three_answers() {
        let table = line().unwrap();
        assert_eq!(table.columns()[1].fields, Fields::Numbers(vec![0.0, 1.0, 1.0, -1.0, -1.0]));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for (rows, features) in
            [(0, 1), (1, 0), (usize::MAX, 1), (1, usize::MAX), (1 << 20, 1 << 15)]
        {
            assert!(load("teacher2", &TableSize { rows, features, seed: 0 }).unwrap().is_err());
        }
    }
}
