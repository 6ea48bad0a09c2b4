//! The candidates: classes of networks, told apart by how many inputs a neuron reads.
//!
//! Networks whose neurons read one input are proven optimal in little time, and they are easy to
//! read. The others are averages of networks on random patterns.

use std::fmt;

use super::counts::Counts;
use super::search::affordable;
use crate::arrangement::Reads;
use crate::data::TrainingSet;
use crate::loss::Loss as _;
use crate::pricing::LocalSearch;
use crate::train::generate::line_search;
use crate::train::tuning::{MOST_ROWS_OF_ONE, SEARCH_WORK, SEARCHED};
use crate::train::{InputCounts, Predict, Request};

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
    /// All, with weights that are searched for.
    Searched,
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
            Self::Searched => "all inputs, searched",
            Self::Given => "inputs as requested",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) class: InputClass,
    pub(super) reads: Reads,
    pub(super) training: Training,
}

impl Candidate {
    pub(super) fn draws(&self) -> bool {
        !matches!(self.training, Training::Solved | Training::Searched(_))
    }

    pub(super) fn judged(&self, counts: &Counts) -> usize {
        self.networks(counts.judged, SEARCHED.0)
    }

    pub(super) fn averaged(&self, counts: &Counts) -> usize {
        self.networks(counts.average, SEARCHED.1)
    }

    /// Random patterns of one input are all alike: one network is enough. Searching takes longer
    /// than drawing: a few networks must do.
    fn networks(&self, count: usize, searched: usize) -> usize {
        match self.class {
            InputClass::One => 1,
            InputClass::Searched => count.min(searched),
            _ => count,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Training {
    Average,
    /// As the mean of networks on patterns that are searched for on its rows.
    Searched(LocalSearch),
    /// By solving the problem of the chosen strength, over neurons of few inputs: one, or as many
    /// as the request allows. So are the networks that choose the strength.
    Solved,
    Requested,
}

impl Request {
    /// The candidates for the best predictions, and how much work they are. A limit on the inputs,
    /// a gap, or weights inside the cells describe one problem: it is solved at the strength that
    /// is chosen. Rules of two conditions are compared with rules of one, which are preferred.
    pub(super) fn candidates(
        &self,
        predict: &Predict,
        set: &TrainingSet,
    ) -> (Vec<Candidate>, Counts) {
        let data = set.data();
        let solved = predict.solves;
        let given = self.inputs.is_some();
        let inputs = set.coding().columns().len();
        let mut classes = match inputs {
            _ if self.has_two_conditions() && self.limits.gap.is_none() => {
                vec![InputClass::One, InputClass::Given]
            }
            _ if solved || given => vec![InputClass::Given],
            0 | 1 => vec![InputClass::One],
            2 | 3 => vec![InputClass::Mixed, InputClass::One, InputClass::Searched],
            _ => {
                use InputClass::{All, Few, Mixed, One, Searched};
                vec![Mixed, Few, All, One, Searched]
            }
        };
        let proven = |class: InputClass| class == InputClass::One && self.proves_one_input(set);
        let search = self.local_search(set);
        classes.retain(|&class| class != InputClass::Searched || search.is_some());
        // Few neurons are compared with some that read one input, whether these are proven or not.
        if classes.len() > 1 && predict.neurons.is_none() {
            classes.retain(|&class| class != InputClass::One || proven(class));
        }
        let draws = |class: &&InputClass| !proven(**class) && **class != InputClass::Searched;
        let sampled = classes.iter().filter(draws).count();
        let size = (data.distinct(), set.y().len(), data.parts().len());
        let average = if solved { Some(1) } else { self.terms.average };
        let folds = self.comparison.as_ref().map(|asked| asked.folds.count());
        let counts = Counts::of(size, sampled, average, folds, self.limits.time);
        let candidate = |&class: &InputClass| {
            let training = match class {
                _ if self.terms.max_inputs.is_some() || proven(class) => Training::Solved,
                _ if solved => Training::Requested,
                InputClass::Searched => Training::Searched(search.expect("affordable")),
                _ => Training::Average,
            };
            Candidate { class, reads: self.reads_of(class, set), training }
        };
        (classes.iter().map(candidate).collect(), counts)
    }

    /// Whether the optimum over neurons of one input is found and proven in little time.
    fn proves_one_input(&self, set: &TrainingSet) -> bool {
        let rows = set.data().distinct() * set.data().parts().len();
        self.terms.bias && rows <= MOST_ROWS_OF_ONE && self.loss_of(set).is_smooth()
    }

    /// The search for patterns of neurons that read all inputs, if it takes little time.
    fn local_search(&self, set: &TrainingSet) -> Option<LocalSearch> {
        let data = set.data();
        let plain = self.terms.input_cost == 0.0 && self.loss_of(set).is_smooth();
        let search = affordable(line_search(data), data.parts().len(), SEARCH_WORK);
        search.filter(|_| plain)
    }

    /// How many inputs the random neurons of a class read. The levels of a column are one input.
    pub(super) fn reads_of(&self, class: InputClass, set: &TrainingSet) -> Reads {
        let listed = |counts: &[usize]| InputCounts::Listed(counts.to_vec());
        let all = set.data().dimension().max(1);
        let counts = match class {
            InputClass::One => listed(&[1]),
            InputClass::Few => listed(&[1, 2, 3]),
            InputClass::All | InputClass::Searched => listed(&[all]),
            InputClass::Mixed => InputCounts::Mixed,
            InputClass::Given => self.inputs.clone().unwrap_or(InputCounts::Mixed),
        };
        let mut reads = counts.reads(set.coding());
        if let Some(most) = self.terms.max_inputs {
            reads.counts.iter_mut().for_each(|count| *count = (*count).min(most));
            reads.groups = Vec::new();
        }
        reads
    }
}
