//! Prints of the training rows, by which a model recognises single rows again.
//!
//! A print is 32 bits of a hash of a row and its target. Of `n` training rows, a row that was not
//! trained on has the print of one with probability `n/2³²`.

use serde::{Deserialize, Serialize};

use super::Dataset;
use crate::data::Features;
use crate::error::Error;

/// The most rows whose prints a model keeps: 800 kB of its file.
pub(crate) const MOST: usize = 100_000;

/// The prints of all training rows, in ascending order. It is written as eight hexadecimal digits
/// for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct RowPrints(Vec<u32>);

impl RowPrints {
    /// The prints of a training set. `None` if it has more than 100,000 rows, or if more than a
    /// tenth of its rows are equal to others: then an equal row is no sign of having been trained
    /// on.
    pub(crate) fn of(data: &Dataset) -> Option<Self> {
        let rows = || data.targets().iter().enumerate();
        let different: usize = rows().map(|(_, atoms)| atoms.len()).sum();
        if data.samples() > MOST || 10 * different < 9 * data.samples() {
            return None;
        }
        let of_row = |g| move |(y, _): (f64, f64)| print(data.features().row(g), y);
        let mut prints: Vec<u32> =
            rows().flat_map(|(g, atoms)| atoms.iter().map(of_row(g))).collect();
        prints.sort_unstable();
        prints.dedup();
        Some(Self(prints))
    }

    /// How many of these rows have the print of a training row.
    pub(crate) fn count(&self, x: &Features, y: &[f64]) -> usize {
        let known = |i: &usize| self.0.binary_search(&print(x.row(*i), y[*i])).is_ok();
        (0..x.rows()).filter(known).count()
    }
}

fn print(row: &[f64], y: f64) -> u32 {
    let mixed =
        |hash: u64, bits: u64| (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let hash = row.iter().fold(0, |hash, v| mixed(hash, v.to_bits()));
    let hash = mixed(hash, (y + 0.0).to_bits()); // -0.0 is 0.0
    mixed(mixed(hash, 1), 2) as u32
}

impl From<RowPrints> for String {
    fn from(prints: RowPrints) -> Self {
        prints.0.iter().map(|print| format!("{print:08x}")).collect()
    }
}

impl TryFrom<String> for RowPrints {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        let bad = || Error::Damaged {
            what: "list of row prints",
            reason: format!("expected at most {MOST} ascending numbers of 8 hexadecimal digits"),
        };
        let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !digits || !text.len().is_multiple_of(8) || text.len() > 8 * MOST {
            return Err(bad());
        }
        let print = |k: usize| u32::from_str_radix(&text[8 * k..8 * k + 8], 16).map_err(|_| bad());
        let prints = (0..text.len() / 8).map(print).collect::<Result<Vec<u32>, Error>>()?;
        if prints.is_sorted_by(|a, b| a < b) { Ok(Self(prints)) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: usize) -> (Features, Vec<f64>) {
        let x = (0..rows).flat_map(|i| [(i % 300) as f64, (i / 300) as f64 - 7.0]).collect();
        let y = (0..rows).map(|i| (i % 2) as f64).collect();
        (Features::new(rows, 2, x).unwrap(), y)
    }

    #[test]
    fn training_rows_are_known_and_others_are_not() {
        let (x, y) = grid(90_000);
        let prints =
            RowPrints::of(&Dataset::new(x.slice(0..60_000), &y[..60_000], None).unwrap()).unwrap();
        assert_eq!(prints.count(&x.slice(0..60_000), &y[..60_000]), 60_000);
        // 30,000 other rows, and 60,000 with another target, of 60,000: 1.3 by chance.
        let swapped: Vec<f64> = y.iter().map(|y| 1.0 - y).collect();
        assert!(prints.count(&x.slice(60_000..90_000), &y[60_000..]) <= 6);
        assert!(prints.count(&x, &swapped) <= 8);
        assert!(prints.0.len() > 59_990);
    }

    #[test]
    fn too_many_rows_and_equal_ones_have_no_prints() {
        let (x, y) = grid(MOST + 1);
        assert!(RowPrints::of(&Dataset::new(x, &y, None).unwrap()).is_none());
        let x = Features::new(20, 1, (0..20).map(|i| f64::from(i % 15)).collect()).unwrap();
        assert!(RowPrints::of(&Dataset::new(x, &[1.0; 20], None).unwrap()).is_none());
    }

    #[test]
    fn prints_read_back_and_damaged_ones_are_refused() {
        let (x, y) = grid(50);
        let prints = RowPrints::of(&Dataset::new(x, &y, None).unwrap()).unwrap();
        let text = String::from(prints.clone());
        assert_eq!(RowPrints::try_from(text.clone()).unwrap(), prints);
        assert!(RowPrints::try_from(String::new()).is_ok());
        for bad in [&text[1..], &text.repeat(2), "0000000g", "é000000", "0000000100000001"] {
            assert!(RowPrints::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
