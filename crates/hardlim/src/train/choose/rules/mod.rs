//! Rules: at most `N` questions about one column each, chosen together with their weights.
//!
//! Lists grow on every fold, at every strength ([`Growth`]). The strength is the one with the least
//! loss on the rows held out, added up over the sizes up to [`RULES_JUDGED`]: the same for every
//! `N`, so that a larger list never fits worse, before its weights become points. The size is the
//! one with the least loss, up to `N`. What is expected on new rows is the loss on each fold at the
//! size that the other folds choose.
//!
//! A cut lies between two neighbouring values of its column, where it is written with the fewest
//! digits ([`between`]). The certificate is that of the optimum over any number of neurons that
//! read one input, at the strength that was chosen: it says what the limit costs.

mod digits;
mod list;
mod points;
mod proof;

use std::time::Duration;

use self::digits::between;
use self::list::{Growth, List, Questions};
use self::points::{Points, Rounding};
use self::proof::{Found, ListSearch};
use super::paths::{constant, or_one, over_folds};
use super::{InputClass, Predictions};
use crate::arrangement::policy::NONE;
use crate::certificate::numbers::{UP, percent};
use crate::certify::Check;
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::exact::sum::Sum;
use crate::loss::Loss as _;
use crate::model::{Calibration, Model, Part, Setting};
use crate::network::{Layer, Network, Neuron};
use crate::program::Constraints;
use crate::solver::{Budget, StopReason, Work};
use crate::table::coding::counted;
use crate::train::folds::score::{HeldOut, Outputs};
use crate::train::folds::{FoldRows, Samples, Validation};
use crate::train::importance::proven;
use crate::train::options::refused;
use crate::train::tuning::{CHOOSING_PREDICTIONS, KEPT, RULES_JUDGED, WORK_ON_A_PROBLEM};
use crate::train::{Event, Method, Rules, Strength, Trained, Trainer, Watch, first_short};

/// A list as a network says it: columns, cuts and weights, and the output bias.
struct Stated {
    rules: Vec<(usize, f64, f64)>,
    offset: f64,
    /// The unit of weights and output bias: the size of a point, or one.
    unit: f64,
}

/// What is proven about all lists of as many rules as a model has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListBound {
    /// The number of rules of all networks.
    pub rules: usize,
    /// The objective of the model.
    pub objective: f64,
    /// No list of at most as many rules has a lower objective. With several networks, the bounds of
    /// their lists add up.
    pub lower_bound: f64,
    /// The number of sets of questions that the search bounded.
    pub nodes: usize,
    /// Why it stopped.
    pub stop: StopReason,
    /// Whether the search met a better list than the one whose score on the folds is stated.
    pub changed: bool,
    networks: usize,
}

impl Model {
    /// Whether its networks are lists of rules of one condition, with weights of both signs.
    fn has_rules(&self) -> bool {
        let Setting { bias, constraints, .. } = *self.setting();
        let of_rules = |part: &Part| {
            let network = part.network();
            let neurons = network.layers().iter().flat_map(|layer| &layer.neurons);
            network.depth() == 2 && neurons.into_iter().all(|neuron| neuron.reads() == 1)
        };
        let signs = constraints == Constraints { intercept: true, non_negative: false };
        bias && signs && self.loss().is_smooth() && self.parts().iter().all(of_rules)
    }

    /// Searches for a bound on all lists of at most as many rules as each network has, until none
    /// is better by more than this part of the objective, or the limit is reached. Without a limit
    /// on the time, about 10 s of work are done, the same on every machine.
    ///
    /// # Errors
    /// When the networks are not lists of rules, the data are not the training data, or the
    /// certificate of the model does not hold.
    pub fn bound_lists(
        &self,
        data: &Dataset,
        tolerance: f64,
        limit: Option<Duration>,
        watch: &Watch<'_>,
    ) -> Result<ListBound, Error> {
        if !self.has_rules() {
            let why = "is for lists of rules: neurons of one input with a bias, output weights of \
                       both signs, an output bias, and a loss without kinks";
            return Err(refused("gap", why));
        }
        let check = self.certify(data)?;
        match check.reason() {
            None => {}
            Some(_) if check == Check::OtherData => return Err(Error::OtherData),
            Some(reason) => return Err(Error::NotCertified { reason: reason.to_owned() }),
        }
        let sets = self.parts_of(data)?;
        let work = Work::default();
        let budget = match limit {
            None => watch.budget(None).counting(WORK_ON_A_PROBLEM, &work),
            Some(_) => watch.budget(limit),
        };
        let mut found = Vec::new();
        for (class, (part, data)) in self.parts().iter().zip(&sets).enumerate() {
            watch.tell(Event::Class(class));
            let problem = self.setting().problem(data.targets());
            let (most, beta) = (part.network().neurons(), self.beta().get());
            let objective = part.certificate().objective();
            let questions = &Questions::of(data, part.recipe().policy().unwrap_or(&NONE));
            let mut growth = Growth::new(questions, self.loss(), budget.uncounted(), |_| beta);
            let search = ListSearch { questions, problem, most, tolerance, budget, watch };
            found.push((most, search.search(&mut growth, Some(objective))));
        }
        Ok(ListBound::of(self, &found))
    }
}

impl ListBound {
    fn of(model: &Model, found: &[(usize, Found)]) -> Self {
        let whole = model.certificate();
        let pairs = found.iter().zip(model.parts());
        // A list is a network of one input a neuron.
        let own = pairs.map(|((_, found), part)| found.lower_bound.max(proven(part)));
        let lower_bound = match own.clone().collect::<Vec<_>>()[..] {
            [one] => one,
            _ => {
                let sum: Sum = own.collect();
                sum.value() - 4.0 * f64::EPSILON * sum.size()
            }
        };
        let stops = found.iter().map(|(_, found)| found.stop);
        Self {
            rules: found.iter().map(|(rules, _)| rules).sum(),
            objective: whole.objective(),
            lower_bound,
            nodes: found.iter().map(|(_, found)| found.nodes).sum(),
            stop: first_short(stops),
            networks: found.len(),
            changed: false,
        }
    }

    /// `gap / objective`; zero when both are zero.
    pub fn relative_gap(&self) -> f64 {
        let gap = self.objective - self.lower_bound;
        if gap == 0.0 { 0.0 } else { gap / self.objective }
    }

    /// The proven statement in words, without a capital and a full stop.
    pub fn claim(&self) -> String {
        let lists = match (self.networks, self.rules) {
            (1, rules) => format!("list of at most {}", counted(rules, "such rule")),
            _ => "lists of as many such rules, one for each class,".to_owned(),
        };
        let verb = if self.networks == 1 { "is" } else { "are" };
        format!("no {lists} {verb} better by more than {}", percent(self.relative_gap(), UP))
    }
}

/// How lists are made.
#[derive(Clone, Copy)]
struct Lists<'a> {
    rules: Rules,
    trainer: Trainer<'a>,
}

impl Predictions {
    /// Chooses a list of rules, and trains it on all rows. The problem whose bound it has is solved
    /// in so much counted work, if that is limited.
    pub(super) fn train_rules(
        &self,
        rules: Rules,
        validation: &Validation,
        trainer: Trainer<'_>,
        set: &TrainingSet,
        limit: Option<Duration>,
        watch: &Watch<'_>,
    ) -> Result<Trained, Error> {
        let deadline = trainer
            .budget
            .deadline
            .map(|(_, limit)| (watch.start + limit.mul_f64(CHOOSING_PREDICTIONS), limit));
        let choosing = Budget { deadline, progress: None, ..trainer.budget };
        let lists = Lists { rules, trainer: Trainer { budget: choosing, ..trainer } };
        let samples = Samples::new(set, &validation.folds)?;
        let (folds, ratios) = (samples.folds.len(), &validation.ratios);
        let rounds = 1 + usize::from(rules.most > RULES_JUDGED);
        watch.tell(Event::Choosing { scores: rounds * folds });
        let scored = || watch.tell(Event::Scored);
        let outputs = |ratios: &[f64], most: usize| {
            over_folds(&samples, &scored, &|rows| lists.outputs(rows, ratios, most))
        };
        let every = outputs(ratios, RULES_JUDGED)?;
        let scores = HeldOut::new(&samples, folds, validation, trainer.loss, every);
        let of_ratio = |r: usize| r * RULES_JUDGED..(r + 1) * RULES_JUDGED;
        let sum = |r: usize| scores.all_losses()[of_ratio(r)].iter().sum::<f64>();
        let best = (0..ratios.len()).reduce(|a, b| if sum(b) < sum(a) { b } else { a });
        let best = best.expect("at least one strength");
        let ratio = ratios[best];
        let sizes = if rules.most > RULES_JUDGED {
            outputs(&[ratio], rules.most)?
        } else {
            let places = best * RULES_JUDGED..best * RULES_JUDGED + rules.most;
            scores.outputs().iter().map(|own| own[places.clone()].to_vec()).collect()
        };
        let one = Validation { ratios: vec![ratio], ..validation.clone() };
        let held_out = HeldOut::new(&samples, folds, &one, trainer.loss, sizes);
        let late = choosing.spent();
        let (size, choice) = held_out.choice_of_size(InputClass::One, late.is_none());
        let work = Work::default();
        let budget = match limit {
            Some(limit) => trainer.budget.counting(limit, &work),
            None => trainer.budget,
        };
        let solving = Trainer {
            strength: Strength::Ratio(ratio),
            method: Method::Generate,
            tolerance: KEPT,
            budget: watch.in_time(budget),
            ..trainer
        };
        let trained = solving.train_all(set, |class| watch.tell(Event::Class(class)))?;
        let whole = &trained.model;
        let lists =
            Lists { trainer: Trainer { budget: solving.budget.uncounted(), ..solving }, ..lists };
        let sets = set.data().parts();
        let (mut parts, mut unit) = (Vec::new(), 1.0);
        let (mut bounds, mut stop, mut changed) = (Vec::new(), trained.stop, false);
        for (class, (part, data)) in whole.parts().iter().zip(&sets).enumerate() {
            let questions = Questions::of(data, solving.policy);
            let mut growth = lists.growth(&questions, |_| whole.beta().get());
            (1..=share(size + 1, class, sets.len())).for_each(|size| growth.grow(size));
            if let Some(tolerance) = rules.gap {
                let problem = whole.setting().problem(data.targets());
                let budget = watch.in_time(budget);
                let most = growth.list.rules.len();
                let questions = &questions;
                let search = ListSearch { questions, problem, most, tolerance, budget, watch };
                let before = growth.list.objective;
                let found = search.search(&mut growth, None);
                changed |= growth.list.objective < before;
                bounds.push((most, found));
                stop = if stop == StopReason::GapReached { found.stop } else { stop };
            }
            let stated = lists.stated(&growth.list, data, &questions, whole.beta().get());
            let network = stated.network(data.dimension())?;
            unit = stated.unit / stated.power();
            parts.push(part.with_other_answers(network, data, whole.setting()));
        }
        let pruned = (whole.neurons(), whole.certificate().objective());
        let model = Model::new(whole.coding().clone(), whole.split(), *whole.setting(), parts)?;
        let lists = rules.gap.map(|tolerance| {
            let own = ListBound::of(&model, &bounds);
            // Points and short numbers may be worse than the list that was searched.
            let reached = own.relative_gap() <= tolerance || own.stop != StopReason::GapReached;
            ListBound { changed, stop: if reached { own.stop } else { StopReason::Done }, ..own }
        });
        let calibration = choice.predicted.as_ref().and_then(|found| found.calibration);
        let calibration = calibration.map(|c| Calibration::new(c.scale() * unit)).transpose()?;
        Ok(Trained {
            pruned: Some(pruned).filter(|(neurons, _)| model.neurons() < *neurons),
            model: model.with_calibration(calibration),
            stop: late.unwrap_or(stop),
            lists,
            choice: Some(choice),
            ..trained
        })
    }
}

impl Lists<'_> {
    /// The outputs on the rows held out of one fold, of lists of every size up to `most` at every
    /// strength.
    fn outputs(&self, rows: &FoldRows, ratios: &[f64], most: usize) -> Result<Outputs, Error> {
        let count = rows.held_out.rows();
        let of = |data| Questions::of(data, self.trainer.policy);
        let questions: Vec<Questions<'_>> = rows.sets.iter().map(of).collect();
        let largest = |class: usize| self.growth(&questions[class], |largest| largest).beta();
        let constants: Vec<Option<f64>> =
            rows.sets.iter().map(|data| constant(self.trainer.loss, data.targets())).collect();
        let varying = (0..rows.sets.len()).filter(|&class| constants[class].is_none());
        let beta_max = or_one(varying.map(largest).fold(0.0, f64::max));
        let of_class = |class: usize| {
            let data = &rows.sets[class];
            if let Some(u) = constants[class] {
                return vec![vec![u; count]; ratios.len() * most];
            }
            let mut outputs = Vec::new();
            for ratio in ratios {
                let beta = ratio * beta_max;
                let mut growth = self.growth(&questions[class], |_| beta);
                let (mut grown, mut output) = (None, Vec::new());
                for size in 1..=most {
                    let own = share(size, class, rows.sets.len());
                    if grown != Some(own) {
                        growth.grow(own);
                        grown = Some(own);
                        let stated = self.stated(&growth.list, data, &questions[class], beta);
                        output = stated.answers(&rows.held_out);
                    }
                    outputs.push(output.clone());
                }
            }
            outputs
        };
        Ok((0..rows.sets.len()).map(of_class).collect())
    }

    fn growth<'b>(&self, questions: &'b Questions<'b>, beta: impl Fn(f64) -> f64) -> Growth<'b>
    where
        Self: 'b,
    {
        Growth::new(questions, self.trainer.loss, self.trainer.budget, beta)
    }

    /// The cuts and weights of a list, or its points.
    fn stated(&self, list: &List, data: &Dataset, questions: &Questions<'_>, beta: f64) -> Stated {
        let mut unit = 1.0;
        let mut weights: Vec<f64> = list.rules.iter().map(|rule| rule.weight).collect();
        let mut offset = list.offset;
        if let Some(most) = self.rules.points {
            let rounding = Rounding { data, loss: self.trainer.loss, beta, most: f64::from(most) };
            let points: Points = rounding.points(list);
            unit = points.unit;
            (weights, offset) = (points.counts, points.offset);
        }
        let rules = list.rules.iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
        let rules = rules.map(|(rule, weight)| {
            let (low, high) = questions.gap(rule.question);
            (rule.question.column, between(low, high), weight)
        });
        Stated { rules: rules.collect(), offset, unit }
    }
}

impl Stated {
    fn answers(&self, rows: &Features) -> Vec<f64> {
        let output = |i: usize| {
            let holding = self.rules.iter().filter(|(column, cut, _)| rows.row(i)[*column] >= *cut);
            self.unit * (self.offset + holding.map(|(_, _, weight)| weight).sum::<f64>())
        };
        (0..rows.rows()).map(output).collect()
    }

    /// The unit in the network: a power of two, so that points stay whole.
    fn power(&self) -> f64 {
        2f64.powi(self.unit.log2().round() as i32)
    }

    fn network(&self, inputs: usize) -> Result<Network, Error> {
        let unit = self.power();
        let neuron = |&(column, cut, _): &(usize, f64, f64)| Neuron {
            inputs: Some(vec![column as u32]),
            weights: vec![1.0],
            bias: 0.0 - cut,
        };
        let neurons = self.rules.iter().map(neuron).collect();
        let amplitudes = self.rules.iter().map(|(_, _, weight)| weight * unit).collect();
        Network::new(inputs, vec![Layer { neurons }], amplitudes, self.offset * unit)
    }
}

/// How many of `size` rules a class has.
fn share(size: usize, class: usize, networks: usize) -> usize {
    size / networks + usize::from(class < size % networks)
}
