//! What networks answer on rows that they were not trained on, at every strength.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::candidate::Training;
use super::counts::Counts;
use super::rows::Rows;
use super::score::{Chosen, HeldOut};
use super::search::Searching;
use super::shrink::Way;
use super::{COMPARED, Chooser, solver};
use crate::arrangement::{Dictionary, evaluate};
use crate::data::{Dataset, Features, Targets, TrainingSet};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::pattern::PatternMatrix;
use crate::pricing::LocalSearch;
use crate::program::Beta;
use crate::solver::{Budget, Generated, Solution, Work};
use crate::train::generate::{ROUNDS_ON_A_PATH, answers};
use crate::train::{Fold, Strength, Trainer};

/// A path has gone too far when the loss on the rows held out is so many times its least, or a tenth of its
/// first: a least near zero may be an accident.
const TOO_FAR: f64 = 1.3;
/// With fewer rows than this, accidents decide.
const ENOUGH: usize = 20;
/// And when that was so many strengths ago, at least.
const STEPS: usize = 3;

/// A search goes on if its loss on the first fold is within this many standard errors of the best.
const PROMISE: f64 = 1.0;

/// The samples and their folds.
#[derive(Debug)]
pub(super) struct Samples<'a> {
    pub(super) rows: &'a Rows<'a>,
    pub(super) folds: &'a [Fold],
    parts: Vec<Part>,
}

impl<'a> Samples<'a> {
    /// Divides the rows into these folds.
    ///
    /// # Errors
    /// When the rows of a fold are no data.
    pub(super) fn new(rows: &'a Rows<'a>, folds: &'a [Fold]) -> Result<Self, Error> {
        let parts = folds.iter().map(|fold| part(rows, fold)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { rows, folds, parts })
    }
}

/// The rows of one fold: what each network is trained on, and the rows that are held out.
#[derive(Debug)]
struct Part {
    sets: Vec<Dataset>,
    held_out: Features,
    /// For every network what it should answer there.
    answers: Vec<Vec<f64>>,
}

/// Outputs on the rows held out of a fold: by network and strength.
type Paths = Vec<Vec<Vec<f64>>>;

/// The outputs on the rows held out, at as many strengths as were reached on every fold.
#[derive(Debug, Clone)]
pub(super) struct Outputs {
    /// How many strengths were reached.
    pub(super) strengths: usize,
    /// `u`, by the network of a class, the strength and the sample, fold by fold.
    pub(super) values: Vec<Vec<Vec<f64>>>,
}

impl Chooser<'_> {
    /// The mean outputs of the networks that choose the strength; fewer networks if the time is short. If
    /// this is the first candidate, its first network decides about the counts.
    pub(super) fn cross_validate(
        &self,
        set: &TrainingSet,
        samples: &Samples<'_>,
        ratios: &[f64],
        scored: &(dyn Fn() + Sync),
    ) -> Result<(Outputs, Option<Counts>), Error> {
        let &Samples { rows, ref parts, .. } = samples;
        let over_folds = |paths: &(dyn Fn(&Part) -> Result<Paths, Error> + Sync)| {
            let paths: Vec<Paths> = (parts.par_iter())
                .map(|part| {
                    let paths = paths(part);
                    scored();
                    paths
                })
                .collect::<Result<_, _>>()?;
            Ok::<_, Error>(gather(rows, &paths))
        };
        if self.candidate.training == Training::Solved {
            return Ok((over_folds(&|part| self.solved_paths(part, ratios))?, None));
        }
        let is_first = self.candidate == &self.predictions.candidates[0];
        let data = &set.data().parts()[0];
        let mut dictionaries = self.dictionaries(data);
        let mut seed = self.trainer.seed;
        let mut score = |work: &AtomicU64| match self.candidate.training {
            Training::Searched(search) => {
                let paths = over_folds(&|part| {
                    let dictionary = self.search_in(part, search, seed)?;
                    self.sampled_paths(part, &dictionary, ratios, work)
                });
                seed = seed.wrapping_add(1);
                paths
            }
            _ => {
                let dictionary = dictionaries.next().expect("draws never end");
                over_folds(&|part| self.sampled_paths(part, &dictionary, ratios, work))
            }
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
                outputs = outputs.plus(&next);
                networks += 1;
            }
        }
        outputs.values.iter_mut().flatten().flatten().for_each(|u| *u /= networks as f64);
        Ok((outputs, counts))
    }

    /// Whether one network of a search predicts the rows held out of the first fold about as well as the best
    /// candidate so far.
    pub(super) fn promises(
        &self,
        samples: &Samples<'_>,
        search: LocalSearch,
        best: &HeldOut<'_>,
    ) -> Result<bool, Error> {
        let &Samples { rows, folds, ref parts } = samples;
        let (folds, part) = (&folds[..1], &parts[0]);
        let dictionary = self.search_in(part, search, self.trainer.seed)?;
        let work = AtomicU64::new(0);
        let paths = self.sampled_paths(part, &dictionary, &self.predictions.ratios, &work)?;
        let outputs = gather(rows, &[paths]);
        let first = HeldOut::new(rows, folds, outputs, self.predictions, self.trainer.loss);
        let (mean, error) = first.excess(&best.on(folds));
        Ok(mean <= PROMISE * error)
    }

    /// The patterns that a search finds for the networks of a fold.
    fn search_in(&self, part: &Part, search: LocalSearch, seed: u64) -> Result<Dictionary, Error> {
        self.searched(&Searching { sets: &part.sets, search, seed, budget: self.choosing })
    }

    /// The mean outputs at the strength that was chosen, of networks that are pruned as the request says: for each way
    /// to do so.
    pub(super) fn pruned(
        &self,
        set: &TrainingSet,
        samples: &Samples<'_>,
        chosen: &Chosen,
    ) -> Result<Vec<Outputs>, Error> {
        if self.candidate.training == Training::Solved {
            let paths = samples.parts.par_iter().map(|part| self.solved_and_pruned(part, chosen));
            return Ok(gather(samples.rows, &paths.collect::<Result<Vec<_>, Error>>()?).apart());
        }
        let ways = self.ways();
        let (loss, seed) = (self.trainer.loss, self.trainer.seed);
        let judged = self.candidate.judged(&self.counts);
        let in_time = Self { trainer: Trainer { budget: self.choosing, ..self.trainer }, ..*self };
        let draws: Vec<Dictionary> =
            self.dictionaries(&set.data().parts()[0]).take(judged).collect();
        let paths = samples.parts.par_iter().map(|part| {
            let on_part = |drawn: &Dictionary| Dictionary {
                patterns: evaluate(part.sets[0].features(), &drawn.witnesses),
                witnesses: drawn.witnesses.clone(),
            };
            let dictionaries: Vec<Dictionary> = match self.candidate.training {
                Training::Searched(search) => (0..judged as u64)
                    .map(|k| self.search_in(part, search, seed.wrapping_add(k)))
                    .collect::<Result<_, _>>()?,
                _ => draws.iter().map(on_part).collect(),
            };
            let constants = part.sets.iter().map(|data| constant(loss, data.targets()));
            let constants: Vec<Option<f64>> = constants.collect();
            let varies = part.sets.iter().zip(&constants).filter(|(_, u)| u.is_none());
            let varies: Vec<Dataset> = varies.map(|(data, _)| data.clone()).collect();
            let most = self.beta_max(&dictionaries, &varies)?;
            let betas = chosen.path(if most > 0.0 { most } else { 1.0 })?;
            let networks = part.sets.len();
            let outputs = part.sets.iter().zip(constants).enumerate().map(|(class, (data, u))| {
                let (rows, place) = (&part.held_out, (class, networks));
                match u {
                    Some(u) => Ok(vec![vec![u; rows.rows()]; ways.len()]),
                    None => in_time.pruned_answers(data, &dictionaries, &betas, place, rows),
                }
            });
            outputs.collect::<Result<Paths, Error>>()
        });
        Ok(gather(samples.rows, &paths.collect::<Result<Vec<_>, Error>>()?).apart())
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

    /// The outputs on the rows held out of one fold, of networks that are optimal over neurons of few inputs.
    fn solved_paths(&self, part: &Part, ratios: &[f64]) -> Result<Paths, Error> {
        let trainer = Trainer { tolerance: COMPARED, ..self.solved() };
        let beta_max = |data: &Dataset| {
            let count = Work::part_of(&self.choosing);
            Trainer { budget: self.path_budget(&count), ..trainer }.beta_max_generated(data)
        };
        self.paths(part, ratios, beta_max, |data, betas, walk| {
            let count = Work::part_of(&self.choosing);
            let (budget, rounds) = (self.path_budget(&count), Some(ROUNDS_ON_A_PATH));
            let trainer = Trainer { budget, rounds, ..trainer };
            let step = |_, found: &Generated| {
                let output = answers(&part.held_out, found);
                let next = walk.step(output, self.choosing.spent().is_some());
                if self.is_long(&count) { ControlFlow::Break(()) } else { next }
            };
            trainer.generate_path(data, |_| Ok(betas.to_vec()), &[], step).map(drop)
        })
    }

    /// The outputs on the rows held out of one fold, of networks that are optimal over neurons of few inputs at
    /// the strength that was chosen, after pruning in every way.
    fn solved_and_pruned(&self, part: &Part, chosen: &Chosen) -> Result<Paths, Error> {
        let (networks, ways) = (part.sets.len(), self.ways());
        let outputs = part.sets.iter().enumerate().map(|(class, data)| {
            if let Some(u) = constant(self.trainer.loss, data.targets()) {
                return Ok(vec![vec![u; part.held_out.rows()]; ways.len()]);
            }
            let count = Work::part_of(&self.choosing);
            let trainer = Trainer {
                strength: Strength::Ratio(chosen.ratio),
                tolerance: COMPARED,
                budget: self.path_budget(&count),
                ..self.solved()
            };
            let (network, _) = trainer.fit(data)?;
            let most = self.share(class, networks);
            let prover = trainer.ground(data)?.prover;
            let in_time = Trainer { budget: self.choosing, ..self.trainer };
            let answers = |&way: &Way| {
                let chooser = Self { way, trainer: in_time, ..*self };
                let few = chooser.thinned(network.clone(), data, most, &prover)?;
                Ok(few.output(&part.held_out))
            };
            ways.iter().map(answers).collect()
        });
        outputs.collect()
    }

    /// Whether a path has taken more work than it may.
    fn is_long(&self, work: &Work<'_>) -> bool {
        work.done() as f64 > self.path_work()
    }

    /// The work that a path may take.
    pub(super) fn path_work(&self) -> f64 {
        let alone =
            self.predictions.candidates.len() == 1 && self.candidate.training == Training::Solved;
        self.counts.path(alone)
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
            let least = (f64::INFINITY, 0);
            let mut walk = Walk { loss, answers, outputs: Vec::new(), first: 0.0, least };
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
    /// The loss at the first strength.
    first: f64,
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
        if self.outputs.len() == 1 {
            self.first = loss;
        }
        if loss < self.least.0 {
            self.least = (loss, self.outputs.len());
        }
        let low = self.least.0.max(0.1 * self.first);
        let passed = self.outputs.len() >= self.least.1 + STEPS;
        let far = passed && self.answers.len() >= ENOUGH && loss > TOO_FAR * low;
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
pub(super) fn constant(loss: LossKind, targets: &Targets) -> Option<f64> {
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

/// Puts the outputs of the folds together, one fold after the other: a sample may be held out of several.
fn gather(rows: &Rows<'_>, paths: &[Paths]) -> Outputs {
    let strengths = paths.iter().flatten().map(Vec::len).min().unwrap_or(0);
    let joined = |class: usize, strength: usize| {
        paths.iter().flat_map(|path| path[class][strength].iter().copied()).collect()
    };
    let path = |class| (0..strengths).map(|strength| joined(class, strength)).collect();
    Outputs { strengths, values: (0..rows.networks()).map(path).collect() }
}

impl Outputs {
    /// The outputs at every strength on its own.
    fn apart(self) -> Vec<Self> {
        let one = |s: usize| Self {
            strengths: 1,
            values: self.values.iter().map(|class| vec![class[s].clone()]).collect(),
        };
        (0..self.strengths).map(one).collect()
    }

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
