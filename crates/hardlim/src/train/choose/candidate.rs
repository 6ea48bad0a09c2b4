//! The candidates: classes of networks, told apart by how many inputs a neuron reads.
//!
//! Networks whose neurons read one input are proven optimal in little time, and they are easy to read. The
//! others are averages of networks on random patterns.

use std::fmt;

use super::counts::{Counts, Demand};
use crate::arrangement::Reads;
use crate::data::TrainingSet;
use crate::loss::Loss as _;
use crate::train::{Folds, InputCounts, Request};

/// The most rows, times networks, on which networks of one input are solved.
const MOST_ROWS: usize = 10_000;

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
    /// How the network is trained on all rows.
    pub(super) training: Training,
}

impl Candidate {
    /// The number of networks, if others have so many. Random patterns of one input are all alike: one
    /// network is enough.
    pub(super) fn networks(&self, others: usize) -> usize {
        if self.class == InputClass::One { 1 } else { others }
    }
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
        let mut classes = match inputs {
            _ if solved || given => vec![InputClass::Given],
            0 | 1 => vec![InputClass::One],
            2 | 3 => vec![InputClass::Mixed, InputClass::One],
            _ => vec![InputClass::Mixed, InputClass::Few, InputClass::All, InputClass::One],
        };
        let proven = |class: InputClass| class == InputClass::One && self.proves_one_input(set);
        if classes.len() > 1 {
            classes.retain(|&class| class != InputClass::One || proven(class));
        }
        let sampled = classes.iter().filter(|class| !proven(**class)).count();
        let counts = Counts::of(&Demand {
            rows: data.distinct(),
            samples: set.y().len(),
            networks: data.parts().len(),
            average: if solved { Some(1) } else { self.average },
            candidates: sampled,
            folds: self.cv.as_ref().map(Folds::count),
            limit: self.limit(),
        });
        let candidate = |&class: &InputClass| {
            let training = match class {
                _ if solved => Training::Requested,
                _ if proven(class) => Training::OneInput,
                _ => Training::Average,
            };
            Candidate { class, reads: self.reads_of(class, set), training }
        };
        (classes.iter().map(candidate).collect(), counts)
    }

    /// Whether the optimum over neurons of one input is found and proven in little time.
    fn proves_one_input(&self, set: &TrainingSet) -> bool {
        let rows = set.data().distinct() * set.data().parts().len();
        let plain = self.bias && self.neurons.is_none();
        plain && rows <= MOST_ROWS && self.loss_of(set).is_smooth()
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
