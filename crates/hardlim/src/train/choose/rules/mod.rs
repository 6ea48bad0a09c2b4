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

use std::time::Duration;

use self::digits::between;
use self::list::{Growth, List, Questions};
use self::points::{Points, Rounding};
use super::paths::{constant, or_one, over_folds};
use super::{InputClass, Predictions};
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::model::{Calibration, Model};
use crate::network::{Layer, Network, Neuron};
use crate::solver::{Budget, Work};
use crate::train::folds::score::{HeldOut, Outputs};
use crate::train::folds::{FoldRows, Samples, Validation};
use crate::train::tuning::{CHOOSING_PREDICTIONS, KEPT, RULES_JUDGED};
use crate::train::{Event, Method, Rules, Strength, Trained, Trainer, Watch};

/// A list as a network says it: columns, cuts and weights, and the output bias.
struct Stated {
    rules: Vec<(usize, f64, f64)>,
    offset: f64,
    /// The unit of weights and output bias: the size of a point, or one.
    unit: f64,
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
        for (class, (part, data)) in whole.parts().iter().zip(&sets).enumerate() {
            let questions = Questions::of(data, solving.policy);
            let mut growth = lists.growth(&questions, |_| whole.beta().get());
            (1..=share(size + 1, class, sets.len())).for_each(|size| growth.grow(size));
            let stated = lists.stated(&growth.list, data, &questions, whole.beta().get());
            let network = stated.network(data.dimension())?;
            unit = stated.unit / stated.power();
            parts.push(part.with_other_answers(network, data, whole.setting()));
        }
        let pruned = (whole.neurons(), whole.certificate().objective());
        let model = Model::new(whole.coding().clone(), whole.split(), *whole.setting(), parts)?;
        let calibration = choice.predicted.as_ref().and_then(|found| found.calibration);
        let calibration = calibration.map(|c| Calibration::new(c.scale() * unit)).transpose()?;
        Ok(Trained {
            pruned: Some(pruned).filter(|(neurons, _)| model.neurons() < *neurons),
            model: model.with_calibration(calibration),
            stop: late.unwrap_or(trained.stop),
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
