//! Blocks, neurons, tasks and answers as text, for rows that lie in other processes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::block::Block;
use crate::data::Features;
use crate::error::Error;
use crate::pattern::PatternMatrix;

/// A block, a list of neurons, a task or an answer as text.
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("all numbers are finite, and all keys are text")
}

/// What this text holds.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let damaged =
        |error: serde_json::Error| Error::Damaged { what: "message", reason: error.to_string() };
    serde_json::from_str(text).map_err(damaged)
}

/// What is sent of a block.
#[derive(Serialize, Deserialize)]
pub(super) struct Packed {
    first: u64,
    dimension: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    weights: Option<Vec<f64>>,
    /// For each neuron, what it answers, 64 rows to a word.
    answers: Vec<Vec<u64>>,
}

impl From<Block> for Packed {
    fn from(Block { first, features, y, weights, answers }: Block) -> Self {
        let words = y.len().div_ceil(64);
        let answer = |j: usize| answers.column(j)[..words].to_vec();
        Self {
            first,
            dimension: features.dimension(),
            x: features.values().to_vec(),
            y,
            weights,
            answers: (0..answers.patterns()).map(answer).collect(),
        }
    }
}

impl TryFrom<Packed> for Block {
    type Error = Error;

    fn try_from(packed: Packed) -> Result<Self, Error> {
        let Packed { first, dimension, x, y, weights, answers: lists } = packed;
        let rows = y.len();
        let mut answers = PatternMatrix::new(rows);
        for words in lists {
            let beyond = |last: &u64| rows % 64 > 0 && last >> (rows % 64) > 0;
            if words.len() != rows.div_ceil(64) || words.last().is_some_and(beyond) {
                let reason = "an answer has another number of rows".into();
                return Err(Error::Damaged { what: "block", reason });
            }
            answers.push_words(&words);
        }
        Ok(Self { answers, ..Self::new(first, Features::new(rows, dimension, x)?, y, weights)? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Question, Task, Visit};
    use super::*;
    use crate::arrangement::Hyperplane;
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
        let score = Question::Score(vec![vec![vec![(1, 0.1)]]], false);
        for (rows, weighted) in [(1, true), (64, false), (65, true), (700, true)] {
            let mut one = block(rows, weighted);
            let sent = from_text::<Block>(&to_text(&one)).unwrap();
            assert_eq!(to_text(&sent), to_text(&one));
            let planes: Vec<Hyperplane> = from_text(&to_text(&neurons())).unwrap();
            assert_eq!(planes, neurons());
            one.answer(&planes);
            let sent = from_text::<Block>(&to_text(&one)).unwrap();
            let visit = Question::Visit(visit.clone());
            for question in [Question::Facts(2), Question::Clip([0.5, 1.5]), visit, score.clone()] {
                let task = Task(question);
                assert_eq!(from_text::<Task>(&to_text(&task)).unwrap(), task);
                let answer = sent.ask(&task);
                assert_eq!(answer, one.ask(&task));
                assert_eq!(from_text::<Answer>(&to_text(&answer)).unwrap(), answer);
            }
        }
    }

    #[test]
    fn damaged_text_is_refused() {
        let mut one = block(9, true);
        one.answer(&neurons()[..1]);
        let text = to_text(&one);
        assert!(from_text::<Block>(&text).is_ok());
        for (old, new) in
            [("[[", "[[512,"), ("\"dimension\":2", "\"dimension\":3"), ("\"y\":[", "\"y\":[1,")]
        {
            let damaged = text.replacen(old, new, 1);
            assert!(damaged != text && from_text::<Block>(&damaged).is_err(), "{old}");
        }
        assert!(from_text::<Vec<Hyperplane>>("7").is_err());
        assert!(from_text::<Task>("{}").is_err() && from_text::<Answer>("7").is_err());
        let mut answer = one.ask(&Task(Question::Clip([0.0; 2])));
        assert!(answer.add(&one.ask(&Task(Question::Facts(0)))).is_err());
    }
}
