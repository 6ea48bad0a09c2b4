//! What networks answer on rows that they were not trained on, at every strength.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::rows::Rows;
use super::{COMPARED, Chooser};
use crate::arrangement::{Dictionary, evaluate};
use crate::data::{Dataset, Features, Targets};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::pattern::PatternMatrix;
use crate::program::Beta;
use crate::solver::{Solution, StopReason};
use crate::train::Fold;

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
    /// The mean outputs of the networks that have a say, as many as the time allows.
    pub(super) fn cross_validate(
        &self,
        rows: &Rows<'_>,
        folds: &[Fold],
        dictionaries: &[Dictionary],
        ratios: &[f64],
        scored: &(dyn Fn() + Sync),
    ) -> Result<Outputs, Error> {
        let parts = folds.iter().map(|fold| part(rows, fold)).collect::<Result<Vec<_>, _>>()?;
        let mut sum: Option<(Outputs, usize)> = None;
        for dictionary in &dictionaries[..self.predictions.size.judged] {
            let paths: Vec<Vec<Vec<Vec<f64>>>> = (parts.par_iter())
                .map(|part| {
                    let paths = self.paths(part, dictionary, ratios);
                    scored();
                    paths
                })
                .collect::<Result<_, _>>()?;
            // What was cut short is worth less than what was not.
            if self.choosing.spent().is_some() && sum.is_some() {
                break;
            }
            let one = gather(rows, folds, &paths);
            sum = Some(match sum {
                None => (one, 1),
                Some((sum, count)) => (sum.plus(&one), count + 1),
            });
        }
        let (mut outputs, count) = sum.expect("at least one network has a say");
        outputs.values.iter_mut().flatten().flatten().for_each(|u| *u /= count as f64);
        Ok(outputs)
    }

    /// The outputs on the rows held out of one fold: by the network of a class and the strength.
    fn paths(
        &self,
        part: &Part,
        dictionary: &Dictionary,
        ratios: &[f64],
    ) -> Result<Vec<Vec<Vec<f64>>>, Error> {
        let patterns = evaluate(part.sets[0].features(), &dictionary.witnesses);
        let aside = evaluate(&part.held_out, &dictionary.witnesses);
        let varying: Vec<Option<f64>> =
            part.sets.iter().map(|data| constant(self.trainer.loss, data.targets())).collect();
        let mut most = 0.0;
        for (data, _) in part.sets.iter().zip(&varying).filter(|(_, constant)| constant.is_none()) {
            most = f64::max(most, self.trainer.lasso(&patterns, data)?.beta_max());
        }
        // Where no pattern tells anything, any strength gives the best constant.
        let most = if most > 0.0 { most } else { 1.0 };
        let betas = ratios.iter().map(|r| Beta::new(r * most)).collect::<Result<Vec<_>, _>>()?;
        let problems = part.sets.par_iter().zip(&part.answers).zip(varying);
        let paths = problems.map(|((data, answers), constant)| {
            if let Some(u) = constant {
                return Ok(vec![vec![u; answers.len()]; ratios.len()]);
            }
            let program = self.program(&patterns, data, betas[0])?;
            let mut outputs: Vec<Vec<f64>> = Vec::new();
            let mut best = (f64::INFINITY, 0);
            self.solver(COMPARED, self.choosing).path(
                &program,
                betas.iter().copied(),
                |solution| {
                    if matches!(solution.stop, StopReason::TimeLimit(_) | StopReason::Interrupted)
                        && !outputs.is_empty()
                    {
                        return ControlFlow::Break(());
                    }
                    let output = answer(&aside, &solution);
                    let loss = total(self.trainer.loss, &output, answers);
                    outputs.push(output);
                    if loss < best.0 {
                        best = (loss, outputs.len());
                    }
                    let far = loss > TOO_FAR * best.0 && outputs.len() >= best.1 + STEPS;
                    if far { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            Ok(outputs)
        });
        paths.collect()
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
fn gather(rows: &Rows<'_>, folds: &[Fold], paths: &[Vec<Vec<Vec<f64>>>]) -> Outputs {
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
