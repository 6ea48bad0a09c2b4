//! The candidates: classes of networks, told apart by how many inputs a neuron reads.
//!
//! Networks whose neurons read one input are proven optimal in little time, and they are easy to read. The
//! others are averages of networks on random patterns.

use std::fmt;

use super::counts::{Counts, Demand};
use crate::arrangement::Reads;
use crate::data::TrainingSet;
use crate::train::{Folds, InputCounts, Request};

/// How many inputs the neurons of a candidate read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputClass {
    /// One.
    One,
    /// One, two or three.
    Few,
    /// One, two, four, eight, sixteen or all.
    Mixed,
    /// All.
    All,
    /// As many as the request says.
    Given,
}

impl fmt::Display for InputClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "one input",
            Self::Few => "up to 3 inputs",
            Self::Mixed => "few or many inputs",
            Self::All => "all inputs",
            Self::Given => "inputs as requested",
        })
    }
}

/// A class of networks to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) class: InputClass,
    /// How many inputs its random neurons read.
    pub(super) reads: Reads,
    /// How many networks are averaged.
    pub(super) average: usize,
    /// How many of them choose the strength.
    pub(super) judged: usize,
    /// How the network is trained on all rows.
    pub(super) training: Training,
}

/// How a candidate is trained on all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Training {
    /// As the mean of networks on random patterns.
    Average,
    /// By solving the problem of the chosen strength, over neurons of one input. So are the networks that
    /// choose the strength.
    OneInput,
    /// By solving the problem of the request at the chosen strength.
    Requested,
}

impl Request {
    /// The candidates for the best predictions, and how much work they are. A limit on the inputs, a gap, or
    /// weights inside the cells describe one problem: it is solved at the strength that is chosen.
    pub(super) fn candidates(&self, set: &TrainingSet) -> (Vec<Candidate>, Counts) {
        let data = set.data();
        let solved = self.about_one_problem().is_some();
        let given = self.inputs.is_some();
        let inputs = set.coding().columns().len();
        let classes: &[InputClass] = match inputs {
            _ if solved || given => &[InputClass::Given],
            0 | 1 => &[InputClass::One],
            2 | 3 => &[InputClass::Mixed, InputClass::One],
            _ => &[InputClass::Mixed, InputClass::Few, InputClass::All, InputClass::One],
        };
        let sampled = classes.iter().filter(|class| !self.is_proven(**class)).count();
        let counts = Counts::of(&Demand {
            rows: data.distinct(),
            samples: set.y().len(),
            networks: data.parts().len(),
            average: if solved { Some(1) } else { self.average },
            candidates: sampled,
            folds: self.cv.as_ref().map(Folds::count),
            limit: self.limit(),
        });
        let (sampled, proven): (Vec<_>, Vec<_>) =
            classes.iter().partition(|class| !self.is_proven(**class));
        let classes = sampled.into_iter().take(counts.candidates).chain(proven);
        let candidate = |&class: &InputClass| {
            let training = match class {
                _ if solved => Training::Requested,
                _ if self.is_proven(class) => Training::OneInput,
                _ => Training::Average,
            };
            let one = class == InputClass::One;
            Candidate {
                class,
                reads: self.reads_of(class, set),
                average: if one { 1 } else { counts.average },
                judged: if one { 1 } else { counts.judged },
                training,
            }
        };
        (classes.map(candidate).collect(), counts)
    }

    /// Whether the optimum over a class is found and proven in little time.
    fn is_proven(&self, class: InputClass) -> bool {
        class == InputClass::One && self.bias && self.neurons.is_none()
    }

    /// How many inputs the random neurons of a class read. The levels of a column are one input.
    fn reads_of(&self, class: InputClass, set: &TrainingSet) -> Reads {
        let listed = |counts: &[usize]| InputCounts::Listed(counts.to_vec());
        let all = set.data().dimension().max(1);
        let counts = match class {
            InputClass::One => listed(&[1]),
            InputClass::Few => listed(&[1, 2, 3]),
            InputClass::All => listed(&[all]),
            InputClass::Mixed => InputCounts::Mixed,
            InputClass::Given => self.inputs.clone().unwrap_or(InputCounts::Mixed),
        };
        let mut reads = self.reads(&counts, set);
        if let Some(most) = self.max_inputs {
            reads.counts.iter_mut().for_each(|count| *count = (*count).min(most));
            reads.groups = Vec::new();
        }
        reads
    }
}
