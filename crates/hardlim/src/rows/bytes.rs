//! Blocks, neurons, tasks and answers as bytes, for rows that lie in other processes.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::block::Block;
use super::spill::{pack, pack_columns, unpack};
use crate::arrangement::Hyperplane;
use crate::data::Features;
use crate::error::Error;
use crate::pattern::PatternMatrix;
use crate::table::bytes::{Reader, Writer};

impl Block {
    /// The block as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (rows, dimension) = (self.rows(), self.features.dimension());
        let mut out = Writer::default();
        let weighted = u64::from(self.weights.is_some());
        let patterns = self.answers.patterns();
        for number in [self.first, rows as u64, dimension as u64, weighted, patterns as u64] {
            out.number(number);
        }
        pack_columns(&self.features, &mut out.0);
        pack(self.y.iter().copied(), &mut out.0);
        if let Some(weights) = &self.weights {
            pack(weights.iter().copied(), &mut out.0);
        }
        for j in 0..patterns {
            let words = &self.answers.column(j)[..rows.div_ceil(64)];
            words.iter().for_each(|word| out.number(*word));
        }
        out.0
    }

    /// The block that these bytes hold.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut from = Reader::new("block", bytes);
        let first = from.number()?;
        let rows = from.count(1)?;
        let dimension = from.count(rows)?;
        let weighted = from.number()? != 0;
        let patterns = from.count(8 * rows.div_ceil(64))?;
        let mut values = vec![0.0; rows * dimension];
        for j in 0..dimension {
            let column = column(&mut from, rows)?;
            column.into_iter().enumerate().for_each(|(i, x)| values[i * dimension + j] = x);
        }
        let y = column(&mut from, rows)?;
        let weights = if weighted { Some(column(&mut from, rows)?) } else { None };
        let mut answers = PatternMatrix::new(rows);
        for _ in 0..patterns {
            let words = (0..rows.div_ceil(64)).map(|_| from.number());
            let words = words.collect::<Result<Vec<_>, _>>()?;
            if rows % 64 > 0 && words.last().is_some_and(|last| last >> (rows % 64) > 0) {
                return Err(from.damaged("a pattern has too many bits").into());
            }
            answers.push_words(&words);
        }
        from.end()?;
        let features = Features::new(rows, dimension, values)?;
        Ok(Self { answers, ..Self::new(first, features, y, weights)? })
    }

    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        let numbers = self.rows() * (self.features.dimension() + 2);
        let answers = self.answers.patterns() * PatternMatrix::bytes_per_pattern(self.rows());
        8 * numbers + answers
    }
}

/// Takes one packed column.
fn column(from: &mut Reader<'_>, rows: usize) -> Result<Vec<f64>, Error> {
    let kind = from.rest.first().copied().unwrap_or(0);
    let Some(size) = [1, 2, 4, 8].get(kind as usize) else {
        return Err(from.damaged("a column has no such type").into());
    };
    let mut packed = from.take(1 + rows.saturating_mul(*size))?;
    Ok(unpack(&mut packed, rows))
}

/// Neurons as bytes.
pub fn neurons_to_bytes(neurons: &[Hyperplane]) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(neurons.len() as u64);
    out.number(neurons.first().map_or(0, |neuron| neuron.weights.len()) as u64);
    for Hyperplane { weights, bias } in neurons {
        out.doubles(weights.iter().copied().chain([*bias]));
    }
    out.0
}

/// The neurons that these bytes hold.
///
/// # Errors
/// When they are damaged.
pub fn neurons_from_bytes(bytes: &[u8]) -> Result<Vec<Hyperplane>, Error> {
    let mut from = Reader::new("list of neurons", bytes);
    let (count, inputs) = (from.count(8)?, from.count(0)?);
    let mut neurons = Vec::new();
    for _ in 0..count {
        let (weights, bias) = (from.doubles(inputs)?, from.doubles(1)?[0]);
        neurons.push(Hyperplane { weights, bias });
    }
    from.end()?;
    Ok(neurons)
}

/// A task or an answer as text.
pub fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("all numbers are finite, and all keys are text")
}

/// The task or answer that this text holds.
///
/// # Errors
/// When it is damaged.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let damaged =
        |error: serde_json::Error| Error::Damaged { what: "message", reason: error.to_string() };
    serde_json::from_str(text).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Task, Visit};
    use super::*;
    use crate::loss::LossKind;

    fn neurons() -> Vec<Hyperplane> {
        let plane = |j: i32| Hyperplane { weights: vec![1.0, 0.1 * f64::from(j)], bias: -0.3 };
        (0..70).map(plane).collect()
    }

    fn block(rows: usize, weighted: bool) -> Block {
        let x = (0..2 * rows).map(|k| (k * k % 97) as f64 / 7.0 - 5.0).collect();
        let y = (0..rows).map(|i| [-1.0, 1.0][i % 2]).collect();
        let weights = weighted.then(|| (0..rows).map(|i| 0.1 * (1 + i % 5) as f64).collect());
        Block::new(7, Features::new(rows, 2, x).unwrap(), y, weights).unwrap()
    }

    #[test]
    fn a_block_that_was_sent_answers_as_before() {
        let visit = Visit {
            loss: LossKind::Logistic,
            class: None,
            held_out: true,
            coefficients: vec![(0, 0.7), (33, -0.2)],
            unit: 2f64.powi(-40),
            thetas: vec![0.5, 1.0 / 3.0],
        };
        let score = Task::Score { folds: vec![vec![vec![(1, 0.1)]]], numbers: false };
        for (rows, weighted) in [(1, true), (64, false), (65, true), (700, true)] {
            let mut one = block(rows, weighted);
            let sent = Block::from_bytes(&one.to_bytes()).unwrap();
            assert_eq!(sent.to_bytes(), one.to_bytes());
            let planes = neurons_from_bytes(&neurons_to_bytes(&neurons())).unwrap();
            assert_eq!(planes, neurons());
            one.answer(&planes);
            let sent = Block::from_bytes(&one.to_bytes()).unwrap();
            for task in
                [Task::Facts(2), Task::Clip([0.5, 1.5]), Task::Visit(visit.clone()), score.clone()]
            {
                assert_eq!(from_text::<Task>(&to_text(&task)).unwrap(), task);
                let answer = sent.ask(&task);
                assert_eq!(answer, one.ask(&task));
                assert_eq!(from_text::<Answer>(&to_text(&answer)).unwrap(), answer);
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let mut one = block(9, true);
        one.answer(&neurons()[..3]);
        let bytes = one.to_bytes();
        for end in 0..bytes.len() {
            assert!(Block::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        let bytes = neurons_to_bytes(&neurons()[..2]);
        assert!((0..bytes.len()).all(|end| neurons_from_bytes(&bytes[..end]).is_err()));
        assert!(from_text::<Task>("{}").is_err() && from_text::<Answer>("7").is_err());
        let mut answer = one.ask(&Task::Clip([0.0; 2]));
        assert!(answer.add(&one.ask(&Task::Facts(0))).is_err());
    }
}
