//! What networks answer on rows that they were not trained on, at every strength.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::candidate::Training;
use super::counts::Counts;
use super::rows::Rows;
use super::{COMPARED, Chooser};
use crate::arrangement::{Dictionary, evaluate};
use crate::data::{Dataset, Features, Targets, TrainingSet};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::pattern::PatternMatrix;
use crate::program::Beta;
use crate::solver::{Budget, Generated, Solution, StopReason};
use crate::train::generate::{ROUNDS_ON_A_PATH, answers};
use crate::train::{Fold, Trainer};

/// A path has gone too far when the loss on the rows held out is so many times its least.
const TOO_FAR: f64 = 1.3;
/// And when that was so many strengths ago, at least.
const STEPS: usize = 3;

/// The rows of one fold: what each network is trained on, and the rows that are held out.
struct Part {
    sets: Vec<Dataset>,
    held_out: Features,
    /// For every network what it should answer there.
    answers: Vec<Vec<f64>>,
}

/// Outputs on the rows held out of a fold: by network and strength.
type Paths = Vec<Vec<Vec<f64>>>;

/// The outputs on all rows, each from networks that were not trained on it: by network, sample and
/// strength; as many strengths as were reached on every fold.
#[derive(Debug, Clone)]
pub(super) struct Outputs {
    /// How many strengths were reached.
    pub(super) strengths: usize,
    /// `u`, by the network of a class, the strength and the sample.
    pub(super) values: Vec<Vec<Vec<f64>>>,
}

impl Chooser<'_> {
    /// The mean outputs of the networks that choose the strength; fewer networks if the time is short. If
    /// this is the first candidate, its first network decides about the counts.
    pub(super) fn cross_validate(
        &self,
        set: &TrainingSet,
        rows: &Rows<'_>,
        folds: &[Fold],
        ratios: &[f64],
        scored: &(dyn Fn() + Sync),
    ) -> Result<(Outputs, Option<Counts>), Error> {
        let parts = folds.iter().map(|fold| part(rows, fold)).collect::<Result<Vec<_>, _>>()?;
        let over_folds = |paths: &(dyn Fn(&Part) -> Result<Paths, Error> + Sync)| {
            let paths: Vec<Paths> = (parts.par_iter())
                .map(|part| {
                    let paths = paths(part);
                    scored();
                    paths
                })
                .collect::<Result<_, _>>()?;
            Ok::<_, Error>(gather(rows, folds, &paths))
        };
        if self.candidate.training == Training::OneInput {
            return Ok((over_folds(&|part| self.solved_paths(part, ratios))?, None));
        }
        let is_first = self.candidate == &self.predictions.candidates[0];
        let data = &set.data().parts()[0];
        let mut dictionaries = self.dictionaries(data);
        let mut score = |work: &AtomicU64| {
            let dictionary = dictionaries.next().expect("draws never end");
            over_folds(&|part| self.sampled_paths(part, &dictionary, ratios, work))
        };
        let work = AtomicU64::new(0);
        let mut outputs = score(&work)?;
        let counts = is_first.then(|| self.counts.after(work.into_inner()));
        let judged = self.candidate.networks(counts.unwrap_or(self.counts).judged);
        let mut networks = 1;
        while networks < judged && self.choosing.spent().is_none() {
            let next = score(&AtomicU64::new(0))?;
            // What was cut short is worth less than what was not.
            if self.choosing.spent().is_none() {
                outputs = outputs.plus(&next);
                networks += 1;
            }
        }
        outputs.values.iter_mut().flatten().flatten().for_each(|u| *u /= networks as f64);
        Ok((outputs, counts))
    }

    /// The outputs on the rows held out of one fold, of networks on these patterns. Adds up the work.
    fn sampled_paths(
        &self,
        part: &Part,
        dictionary: &Dictionary,
        ratios: &[f64],
        work: &AtomicU64,
    ) -> Result<Paths, Error> {
        let patterns = evaluate(part.sets[0].features(), &dictionary.witnesses);
        let aside = evaluate(&part.held_out, &dictionary.witnesses);
        let costs = self.costs(dictionary);
        let costs = costs.as_deref();
        let beta_max =
            |data: &Dataset| Ok(self.trainer.lasso(&patterns, data)?.with_costs(costs)?.beta_max());
        self.paths(part, ratios, beta_max, |data, betas, walk| {
            let program = self.program(&patterns, costs, data, betas[0])?;
            let count = AtomicU64::new(0);
            let budget = Budget { work: Some(&count), ..self.choosing };
            self.solver(COMPARED, budget).path(&program, betas.iter().copied(), |solution| {
                let late =
                    matches!(solution.stop, StopReason::TimeLimit(_) | StopReason::Interrupted);
                let next = walk.step(answer(&aside, &solution), late);
                if self.is_long(&count) { ControlFlow::Break(()) } else { next }
            });
            work.fetch_add(count.into_inner(), Ordering::Relaxed);
            Ok(())
        })
    }

    /// The outputs on the rows held out of one fold, of networks that are optimal over neurons of one input.
    fn solved_paths(&self, part: &Part, ratios: &[f64]) -> Result<Paths, Error> {
        let trainer = Trainer { budget: self.choosing, tolerance: COMPARED, ..self.one_input() };
        let beta_max = |data: &Dataset| trainer.beta_max_generated(data);
        self.paths(part, ratios, beta_max, |data, betas, walk| {
            let count = AtomicU64::new(0);
            let budget = Budget { work: Some(&count), ..self.choosing };
            let rounds = Some(ROUNDS_ON_A_PATH);
            let trainer = Trainer { budget, rounds, ..trainer };
            let step = |_, found: &Generated| {
                let output = answers(&part.held_out, found);
                let next = walk.step(output, self.choosing.spent().is_some());
                if self.is_long(&count) { ControlFlow::Break(()) } else { next }
            };
            trainer.generate_path(data, |_| Ok(betas.to_vec()), &[], step).map(drop)
        })
    }

    /// Whether a path has taken more work than it may.
    fn is_long(&self, work: &AtomicU64) -> bool {
        work.load(Ordering::Relaxed) as f64 > self.counts.path()
    }

    /// The outputs of every network at every strength; `follow` takes the steps.
    fn paths(
        &self,
        part: &Part,
        ratios: &[f64],
        beta_max: impl Fn(&Dataset) -> Result<f64, Error>,
        follow: impl Fn(&Dataset, &[Beta], &mut Walk<'_>) -> Result<(), Error> + Sync,
    ) -> Result<Paths, Error> {
        let loss = self.trainer.loss;
        let constants: Vec<Option<f64>> =
            part.sets.iter().map(|data| constant(loss, data.targets())).collect();
        let mut most = 0.0;
        for (data, _) in part.sets.iter().zip(&constants).filter(|(_, constant)| constant.is_none())
        {
            most = f64::max(most, beta_max(data)?);
        }
        // If no pattern is of any use, any strength gives the best constant.
        let most = if most > 0.0 { most } else { 1.0 };
        let betas = ratios.iter().map(|r| Beta::new(r * most)).collect::<Result<Vec<_>, _>>()?;
        let problems = part.sets.par_iter().zip(&part.answers).zip(constants);
        let paths = problems.map(|((data, answers), constant)| {
            if let Some(u) = constant {
                return Ok(vec![vec![u; answers.len()]; ratios.len()]);
            }
            let mut walk = Walk { loss, answers, outputs: Vec::new(), least: (f64::INFINITY, 0) };
            follow(data, &betas, &mut walk)?;
            Ok(walk.outputs)
        });
        paths.collect()
    }
}

/// A path of one network: its outputs on held-out rows, strength by strength.
struct Walk<'a> {
    loss: LossKind,
    answers: &'a [f64],
    outputs: Vec<Vec<f64>>,
    /// The least loss, and how many strengths were visited then.
    least: (f64, usize),
}

impl Walk<'_> {
    /// Takes the outputs at the next strength, and says whether to go on. Outputs that came late are
    /// dropped, unless they are the first.
    fn step(&mut self, output: Vec<f64>, late: bool) -> ControlFlow<()> {
        if late && !self.outputs.is_empty() {
            return ControlFlow::Break(());
        }
        let loss = total(self.loss, &output, self.answers);
        self.outputs.push(output);
        if loss < self.least.0 {
            self.least = (loss, self.outputs.len());
        }
        let far = loss > TOO_FAR * self.least.0 && self.outputs.len() >= self.least.1 + STEPS;
        if far { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The rows of one fold.
fn part(rows: &Rows<'_>, fold: &Fold) -> Result<Part, Error> {
    let answers = (0..rows.networks())
        .map(|class| fold.test.iter().map(|&i| rows.target(class, i)).collect())
        .collect();
    Ok(Part { sets: rows.datasets(&fold.train)?, held_out: rows.x.select(&fold.test), answers })
}

/// What to answer where all targets of a fold are equal, and no strength has an optimum: a class by the
/// odds of one sample more of the other.
fn constant(loss: LossKind, targets: &Targets) -> Option<f64> {
    let mut values = targets.iter().flat_map(|atoms| atoms.iter().map(|(y, _)| y));
    let first = values.next()?;
    let samples = targets.iter().map(|atoms| atoms.len()).sum::<usize>() as f64;
    let answer = if loss == LossKind::Logistic { first * samples.ln_1p() } else { first };
    values.all(|y| y == first).then_some(answer)
}

/// `f(x)` on rows whose patterns these are.
pub(super) fn answer(patterns: &PatternMatrix, solution: &Solution) -> Vec<f64> {
    let nonzero = solution.coefficients.iter().copied().enumerate().filter(|(_, a)| *a != 0.0);
    let mut output = patterns.combine(nonzero);
    output.iter_mut().for_each(|u| *u += solution.offset);
    output
}

fn total(loss: LossKind, output: &[f64], y: &[f64]) -> f64 {
    output.iter().zip(y).map(|(&u, &y)| loss.value(u, y)).sum()
}

/// Puts the outputs of the folds together, in the order of the samples.
fn gather(rows: &Rows<'_>, folds: &[Fold], paths: &[Paths]) -> Outputs {
    let strengths = paths.iter().flatten().map(Vec::len).min().unwrap_or(0);
    let samples = rows.y.len();
    let mut values = vec![vec![vec![0.0; samples]; strengths]; rows.networks()];
    for (fold, path) in folds.iter().zip(paths) {
        for (class, strengths) in values.iter_mut().zip(path) {
            for (output, held_out) in class.iter_mut().zip(strengths) {
                fold.test.iter().zip(held_out).for_each(|(&i, &u)| output[i] = u);
            }
        }
    }
    Outputs { strengths, values }
}

impl Outputs {
    /// The sum of both, at the strengths that both have reached.
    fn plus(mut self, other: &Self) -> Self {
        self.strengths = self.strengths.min(other.strengths);
        for (a, b) in self.values.iter_mut().zip(&other.values) {
            a.truncate(self.strengths);
            let pairs = a.iter_mut().flatten().zip(b.iter().flatten());
            pairs.for_each(|(a, b)| *a += b);
        }
        self
    }
}
