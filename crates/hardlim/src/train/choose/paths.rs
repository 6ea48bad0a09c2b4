//! What networks answer on rows that they were not trained on, at every strength.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::candidate::{Candidate, Training};
use super::counts::Counts;
use super::{Chooser, solver};
use crate::arrangement::{Dictionary, Subnetwork, evaluate};
use crate::data::{Dataset, Targets, TrainingSet};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::pricing::LocalSearch;
use crate::program::Beta;
use crate::solver::{Budget, Generated, Work};
use crate::train::classes::Shared;
use crate::train::folds::score::{HeldOut, Outputs};
use crate::train::folds::{Choice, FoldRows, Samples};
use crate::train::generate::answers;
use crate::train::listed::answer;
use crate::train::tuning::{
    COMPARED, PROMISE, ROUNDS_ON_A_PATH, ROWS_OF_A_PATH, TOO_FAR, TOO_LONG,
};
use crate::train::{Strength, Trainer};

impl Chooser<'_> {
    /// The mean outputs of the networks that choose the strength; fewer networks if the time is
    /// short. The first network of the first candidate decides about the counts.
    pub(super) fn cross_validate(
        &self,
        set: &TrainingSet,
        samples: &Samples<'_>,
        scored: &(dyn Fn() + Sync),
    ) -> Result<(Outputs, Option<Counts>), Error> {
        if self.candidate.training == Training::Solved {
            let paths = |rows: &FoldRows| self.solved_paths(rows);
            return Ok((over_folds(samples, scored, &paths)?, None));
        }
        let is_first = self.candidate == &self.predictions.candidates[0];
        let data = &set.data().parts()[0];
        let mut dictionaries = self.dictionaries(data);
        let mut seed = self.trainer.seed;
        let mut score = |work: &AtomicU64| {
            if let Training::Searched(search) = self.candidate.training {
                let own = seed;
                seed = seed.wrapping_add(1);
                return over_folds(samples, scored, &|rows| {
                    let dictionary = self.searched(&rows.sets, search, own, self.choosing)?;
                    self.sampled_paths(rows, &dictionary, work)
                });
            }
            let dictionary = dictionaries.next().expect("draws never end");
            over_folds(samples, scored, &|rows| self.sampled_paths(rows, &dictionary, work))
        };
        let work = AtomicU64::new(0);
        let mut outputs = score(&work)?;
        let counts = is_first.then(|| self.counts.after(work.into_inner()));
        let judged = self.candidate.judged(&counts.unwrap_or(self.counts));
        let mut networks = 1;
        while networks < judged && self.choosing.spent().is_none() {
            let next = score(&AtomicU64::new(0))?;
            // What was cut short is worth less than what was not.
            if self.choosing.spent().is_none() {
                outputs = plus(outputs, &next);
                networks += 1;
            }
        }
        outputs.iter_mut().flatten().flatten().for_each(|u| *u /= networks as f64);
        Ok((outputs, counts))
    }

    /// Whether one network of a search predicts the rows held out of the first fold about as well
    /// as the best candidate so far.
    pub(super) fn promises(
        &self,
        samples: &Samples<'_>,
        search: LocalSearch,
        best: &HeldOut<'_>,
    ) -> Result<bool, Error> {
        let rows = &samples.folds[0];
        let dictionary = self.searched(&rows.sets, search, self.trainer.seed, self.choosing)?;
        let paths = self.sampled_paths(rows, &dictionary, &AtomicU64::new(0))?;
        let outputs = gather(&[paths]);
        let first = HeldOut::new(samples, 1, self.validation, self.trainer.loss, outputs);
        Ok(first.losses().is_within(PROMISE, &best.on_the_first_fold().losses()))
    }

    /// The mean outputs of networks that are pruned in each of the ways, at the strength that was
    /// chosen.
    pub(super) fn pruned(
        &self,
        set: &TrainingSet,
        samples: &Samples<'_>,
        choice: &Choice,
    ) -> Result<Vec<Outputs>, Error> {
        let in_time = Self { trainer: Trainer { budget: self.choosing, ..self.trainer }, ..*self };
        if self.candidate.training == Training::Solved {
            let paths = |rows: &FoldRows| self.solved_and_pruned(&in_time, rows, choice);
            return Ok(apart(&over_folds(samples, &|| (), &paths)?));
        }
        let judged = self.candidate.judged(&self.counts);
        let draws: Vec<Dictionary> =
            self.dictionaries(&set.data().parts()[0]).take(judged).collect();
        let paths = |rows: &FoldRows| {
            let here = |drawn: &Dictionary| Dictionary {
                patterns: evaluate(rows.sets[0].features(), &drawn.witnesses),
                witnesses: drawn.witnesses.clone(),
            };
            let dictionaries: Vec<Dictionary> = match self.candidate.training {
                Training::Searched(search) => (0..judged as u64)
                    .map(|k| self.trainer.seed.wrapping_add(k))
                    .map(|seed| self.searched(&rows.sets, search, seed, self.choosing))
                    .collect::<Result<_, _>>()?,
                _ => draws.iter().map(here).collect(),
            };
            let varying: Vec<Dataset> = self.varying(rows).cloned().collect();
            let betas = choice.path(or_one(self.beta_max(&dictionaries, &varying)?))?;
            self.outputs(rows, self.ways(), |class, data| {
                let most = self.share(class, rows.sets.len());
                in_time.pruned_answers(data, &dictionaries, &betas, most, &rows.held_out)
            })
        };
        Ok(apart(&over_folds(samples, &|| (), &paths)?))
    }

    /// The outputs on the rows held out of one fold, of networks on these patterns. Adds up the
    /// work.
    fn sampled_paths(
        &self,
        rows: &FoldRows,
        dictionary: &Dictionary,
        work: &AtomicU64,
    ) -> Result<Outputs, Error> {
        let patterns = evaluate(rows.sets[0].features(), &dictionary.witnesses);
        let aside = evaluate(&rows.held_out, &dictionary.witnesses);
        let costs = self.costs(dictionary);
        let costs = costs.as_deref();
        let beta_max =
            |data: &Dataset| Ok(self.trainer.lasso(&patterns, data)?.with_costs(costs)?.beta_max());
        self.paths(rows, beta_max, |data, betas, walk| {
            let program = self.program(&patterns, costs, data, betas[0])?;
            let count = Work::part_of(&self.choosing);
            let budget = Budget { work: Some(&count), ..self.choosing };
            solver(COMPARED, budget).path(&program, betas.iter().copied(), |solution| {
                let late = self.choosing.spent().is_some();
                let next = walk.step(answer(&aside, &solution), late);
                if self.is_long(&count) { ControlFlow::Break(()) } else { next }
            });
            work.fetch_add(count.done(), Ordering::Relaxed);
            Ok(())
        })
    }

    /// The outputs on the rows held out of one fold, of networks that are optimal over neurons of
    /// few inputs.
    fn solved_paths(&self, rows: &FoldRows) -> Result<Outputs, Error> {
        let trainer = Trainer { tolerance: COMPARED, ..self.solved() };
        let beta_max = |data: &Dataset| {
            let count = Work::part_of(&self.choosing);
            Trainer { budget: self.path_budget(&count), ..trainer }.beta_max_generated(data)
        };
        self.paths(rows, beta_max, |data, betas, walk| {
            let count = Work::part_of(&self.choosing);
            let mut trainer = Trainer { budget: self.path_budget(&count), ..trainer };
            trainer.limits.rounds = Some(ROUNDS_ON_A_PATH);
            let step = |_, found: &Generated<Subnetwork>| {
                let output = answers(&rows.held_out, found);
                let next = walk.step(output, self.choosing.spent().is_some());
                if self.is_long(&count) { ControlFlow::Break(()) } else { next }
            };
            trainer.generate_path(data, |_| Ok(betas.to_vec()), &[], step).map(drop)
        })
    }

    /// The outputs on the rows held out of one fold, of networks that are optimal over neurons of
    /// few inputs at the strength that was chosen, after pruning in every way.
    fn solved_and_pruned(
        &self,
        in_time: &Self,
        rows: &FoldRows,
        choice: &Choice,
    ) -> Result<Outputs, Error> {
        self.outputs(rows, self.ways(), |class, data| {
            let count = Work::part_of(&self.choosing);
            let trainer = Trainer {
                strength: Strength::Ratio(choice.ratio),
                tolerance: COMPARED,
                budget: self.path_budget(&count),
                ..self.solved()
            };
            let (network, found) = trainer.fit(data, &mut Shared::default())?;
            let most = self.share(class, rows.sets.len()).expect("a limit on neurons");
            let prover = trainer.ground(data)?.prover;
            let few = in_time.thinned(&network, data, (found.beta, most), &prover)?;
            Ok(few.iter().map(|network| network.output(&rows.held_out)).collect())
        })
    }

    /// The outputs of every network on rows held out, at `count` strengths or in as many ways.
    /// Where all targets are equal they are constant.
    fn outputs(
        &self,
        rows: &FoldRows,
        count: usize,
        each: impl Fn(usize, &Dataset) -> Result<Vec<Vec<f64>>, Error> + Sync,
    ) -> Result<Outputs, Error> {
        let output =
            |(class, data): (usize, &Dataset)| match constant(self.trainer.loss, data.targets()) {
                Some(u) => Ok(vec![vec![u; rows.held_out.rows()]; count]),
                None => each(class, data),
            };
        rows.sets.par_iter().enumerate().map(output).collect()
    }

    /// The data whose targets vary.
    fn varying<'b>(&self, rows: &'b FoldRows) -> impl Iterator<Item = &'b Dataset> {
        let loss = self.trainer.loss;
        rows.sets.iter().filter(move |data| constant(loss, data.targets()).is_none())
    }

    fn is_long(&self, work: &Work<'_>) -> bool {
        work.done() as f64 > self.path_work()
    }

    pub(super) fn path_work(&self) -> f64 {
        let solved = |candidate: &Candidate| candidate.training == Training::Solved;
        self.counts.path(self.predictions.candidates.iter().all(solved))
    }

    /// The budget of one path: what is left of a time limit, or else the work that it may take.
    fn path_budget<'b>(&'b self, work: &'b Work<'b>) -> Budget<'b> {
        match (self.choosing.deadline, self.choosing.work) {
            (None, None) => {
                self.choosing.counting(Duration::from_nanos(self.path_work() as u64), work)
            }
            _ => Budget { work: Some(work), ..self.choosing },
        }
    }

    /// The outputs of every network at every strength; `follow` takes the steps.
    fn paths(
        &self,
        rows: &FoldRows,
        beta_max: impl Fn(&Dataset) -> Result<f64, Error>,
        follow: impl Fn(&Dataset, &[Beta], &mut Walk<'_>) -> Result<(), Error> + Sync,
    ) -> Result<Outputs, Error> {
        let (loss, ratios) = (self.trainer.loss, &self.validation.ratios);
        let mut most = self.varying(rows).map(beta_max);
        let most = most.try_fold(0.0, |a, b| Ok::<_, Error>(f64::max(a, b?)))?;
        let betas = ratios.iter().map(|r| Beta::new(r * or_one(most)));
        let betas = betas.collect::<Result<Vec<_>, _>>()?;
        self.outputs(rows, ratios.len(), |class, data| {
            let (answers, least) = (&rows.answers[class], (f64::INFINITY, 0));
            let mut walk = Walk { loss, answers, outputs: Vec::new(), first: 0.0, least };
            follow(data, &betas, &mut walk)?;
            Ok(walk.outputs)
        })
    }
}

/// A path of one network: its outputs on held-out rows, strength by strength.
struct Walk<'a> {
    loss: LossKind,
    answers: &'a [f64],
    outputs: Vec<Vec<f64>>,
    first: f64,
    /// The least loss, and how many strengths were visited then.
    least: (f64, usize),
}

impl Walk<'_> {
    /// Takes the outputs at the next strength, and says whether to go on. Outputs that came late
    /// are dropped, unless they are the first.
    fn step(&mut self, output: Vec<f64>, late: bool) -> ControlFlow<()> {
        if late && !self.outputs.is_empty() {
            return ControlFlow::Break(());
        }
        let losses = output.iter().zip(self.answers).map(|(&u, &y)| self.loss.value(u, y));
        let loss: f64 = losses.sum();
        self.outputs.push(output);
        if self.outputs.len() == 1 {
            self.first = loss;
        }
        if loss < self.least.0 {
            self.least = (loss, self.outputs.len());
        }
        let low = self.least.0.max(0.1 * self.first);
        let passed = self.outputs.len() >= self.least.1 + TOO_LONG;
        let far = passed && self.answers.len() >= ROWS_OF_A_PATH && loss > TOO_FAR * low;
        if far { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What to answer where all targets of a fold are equal, and no strength has an optimum: a class by
/// the odds of one sample more of the other.
pub(super) fn constant(loss: LossKind, targets: &Targets) -> Option<f64> {
    let mut values = targets.iter().flat_map(|atoms| atoms.iter().map(|(y, _)| y));
    let first = values.next()?;
    let samples = targets.iter().map(|atoms| atoms.len()).sum::<usize>() as f64;
    let answer = if loss == LossKind::Logistic { first * samples.ln_1p() } else { first };
    values.all(|y| y == first).then_some(answer)
}

/// `β_max`, or one if no pattern is of any use: then every strength gives the best constant.
pub(super) fn or_one(beta_max: f64) -> f64 {
    if beta_max > 0.0 { beta_max } else { 1.0 }
}

/// The outputs on all folds, one after the other: a sample may be held out of several.
pub(super) fn over_folds(
    samples: &Samples<'_>,
    scored: &(dyn Fn() + Sync),
    paths: &(dyn Fn(&FoldRows) -> Result<Outputs, Error> + Sync),
) -> Result<Outputs, Error> {
    let paths = samples.folds.par_iter().map(|rows| {
        let paths = paths(rows);
        scored();
        paths
    });
    Ok(gather(&paths.collect::<Result<Vec<_>, _>>()?))
}

fn gather(paths: &[Outputs]) -> Outputs {
    let strengths = paths.iter().flatten().map(Vec::len).min().unwrap_or(0);
    let joined = |class: usize, strength: usize| {
        paths.iter().flat_map(|path| path[class][strength].iter().copied()).collect()
    };
    let path = |class| (0..strengths).map(|strength| joined(class, strength)).collect();
    (0..paths[0].len()).map(path).collect()
}

/// The outputs at every strength on its own.
fn apart(outputs: &Outputs) -> Vec<Outputs> {
    let one = |s: usize| outputs.iter().map(|class| vec![class[s].clone()]).collect();
    (0..outputs[0].len()).map(one).collect()
}

/// The sum of both, at the strengths that both have reached.
fn plus(mut outputs: Outputs, other: &Outputs) -> Outputs {
    for (a, b) in outputs.iter_mut().zip(other) {
        a.truncate(b.len());
        let pairs = a.iter_mut().flatten().zip(b.iter().flatten());
        pairs.for_each(|(a, b)| *a += b);
    }
    outputs
}
