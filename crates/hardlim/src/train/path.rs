//! Paths: the optima for a decreasing sequence of strengths, on one dictionary or over all neurons
//! of few inputs.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::generate::answers;
use super::listed::answer;
use super::{Event, Request, Strength, Trainer, Watch};
use crate::arrangement::evaluate;
use crate::certificate::Certificate;
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::explain::score::{Regression, accuracy};
use crate::loss::Loss as _;
use crate::pattern::Pattern;
use crate::program::Beta;
use crate::solver::{Budget, Progress, StopReason};

/// The summary of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    /// The smallest `β` whose optimum is the zero network.
    pub beta_max: f64,
    /// Whether `beta_max` is exact; otherwise it is an upper bound.
    pub beta_max_exact: bool,
    /// The size of the dictionary; over neurons of few inputs, the patterns that the networks use.
    pub patterns: usize,
    /// Why it stopped: it was cut short, or a strength missed the gap. The first such reason is
    /// given.
    pub stop: StopReason,
    /// Whether every strength was visited.
    pub complete: bool,
}

/// One strength on the path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// `β`.
    pub beta: f64,
    /// `β / β_max`.
    pub ratio: f64,
    /// The coefficients that are not zero, with the places of their patterns. Over neurons of few
    /// inputs, later strengths may have more patterns; patterns keep their places.
    pub coefficients: Vec<(usize, f64)>,
    /// What is proven.
    pub certificate: Certificate,
    /// Why it stopped.
    pub stop: StopReason,
    /// `f(x)` on the distinct training rows, and on the rows held out; empty for rows in blocks.
    pub outputs: [Vec<f64>; 2],
    /// How well it predicts the training rows, and those held out, as far as their targets are
    /// known: the accuracy of classes, or R² of numbers where it is defined.
    pub scores: [Option<f64>; 2],
}

/// How far a path has come.
pub(super) struct Walked<'a> {
    budget: Budget<'a>,
    strengths: usize,
    seen: usize,
    cut: Option<StopReason>,
}

impl<'a> Walked<'a> {
    pub(super) fn new(budget: Budget<'a>, strengths: usize) -> Self {
        Self { budget, strengths, seen: 0, cut: None }
    }

    /// Counts a strength, and says whether to go on to the next.
    pub(super) fn step(&mut self, stop: StopReason, flow: ControlFlow<()>) -> ControlFlow<()> {
        self.seen += 1;
        self.cut = self.cut.or(Some(stop).filter(|stop| *stop != StopReason::GapReached));
        let spent = self.budget.spent().filter(|_| self.seen < self.strengths);
        self.cut = spent.or(self.cut);
        if spent.is_some() { ControlFlow::Break(()) } else { flow }
    }

    pub(super) fn path(self, (beta_max, beta_max_exact): (f64, bool), patterns: usize) -> Path {
        let (stop, complete) =
            (self.cut.unwrap_or(StopReason::GapReached), self.seen == self.strengths);
        Path { beta_max, beta_max_exact, patterns, stop, complete }
    }
}

/// `count` ratios from one down to `least`, each smaller than the one before by the same factor.
pub fn geometric(least: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|k| least.powf(k as f64 / last)).collect()
}

pub(super) fn betas(ratios: &[f64], beta_max: f64) -> Result<Vec<Beta>, Error> {
    ratios.iter().map(|&ratio| Strength::Ratio(ratio).beta(beta_max)).collect()
}

impl Request {
    /// The optima at `β = ratio · β_max` for each of [`Request::path_ratios`], on one sampled
    /// dictionary; with a limit on inputs, over all networks of such neurons. Each is solved
    /// starting from the one before. The outputs on rows held out are computed, too, and their
    /// scores if `y` is given. `visit` gets the optima one by one, and may end the path.
    ///
    /// # Errors
    /// When an option does not apply, or the dictionary does not fit into memory.
    pub fn path(
        &self,
        set: &TrainingSet,
        held_out: Option<(&Features, Option<&[f64]>)>,
        watch: &Watch<'_>,
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()> + Send,
    ) -> Result<Path, Error> {
        let data = set.only("a path follows")?;
        let tell = |progress: &Progress| watch.tell(Event::Progress(progress));
        let budget = Budget { progress: Some(&tell), ..watch.budget(self.limits.time) };
        let policy = &self.policy_of(set)?;
        let plain = Trainer { widths: &self.deep.widths, policy, ..self.trainer() };
        let usual =
            if self.terms.max_inputs.is_some() { plain.compared() } else { plain.tolerance };
        let tolerance = self.limits.tolerance_or(usual);
        let trainer = Trainer { budget, tolerance, ..plain };
        trainer.loss.check_targets(data.targets())?;
        let (held_out, y) = held_out.unzip();
        let score = |output: &[f64], y: &[f64]| {
            if set.classifies() {
                return Some(accuracy(output, y));
            }
            Regression::measure(output, y).r2
        };
        let ratios = self.path_ratios();
        let mut walked = Walked::new(budget, ratios.len());
        let visit = |point: PathPoint| {
            let [output, aside] = &point.outputs;
            let output: Vec<f64> = data.row_of().iter().map(|&g| output[g as usize]).collect();
            let aside = y.flatten().and_then(|y| score(aside, y));
            let stop = point.stop;
            let flow = visit(PathPoint { scores: [score(&output, set.y()), aside], ..point });
            walked.step(stop, flow)
        };
        let (beta_max, patterns) = match self.terms.max_inputs {
            Some(_) => trainer.proven_path(data, held_out, ratios, visit)?,
            None => trainer.path(data, held_out, ratios, visit)?,
        };
        Ok(walked.path(beta_max, patterns))
    }
}

impl Trainer<'_> {
    /// The optima on one sampled dictionary. The result is `β_max` and whether it is exact, and the
    /// number of patterns.
    pub(super) fn path(
        &self,
        data: &Dataset,
        held_out: Option<&Features>,
        ratios: &[f64],
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()> + Send,
    ) -> Result<((f64, bool), usize), Error> {
        let (_, dictionary) = self.draw(data)?;
        let costs = dictionary.costs(self.terms.input_cost);
        let program = self.lasso(&dictionary.patterns, data)?.with_costs(costs.as_deref())?;
        let beta_max = program.beta_max();
        let aside = held_out.map(|features| evaluate(features, &dictionary.witnesses));
        let betas = betas(ratios, beta_max)?;
        let mut strengths = ratios.iter().zip(betas.clone());
        self.solver().path(&program, betas, |solution| {
            let (&ratio, beta) = strengths.next().expect("one ratio for each strength");
            let output = answer(&dictionary.patterns, &solution);
            let held_out = aside.as_ref().map_or(Vec::new(), |rows| answer(rows, &solution));
            let coefficients = solution.coefficients.iter().copied().enumerate();
            visit(PathPoint {
                beta: beta.get(),
                ratio,
                coefficients: coefficients.filter(|(_, a)| *a != 0.0).collect(),
                certificate: solution.certificate,
                stop: solution.stop,
                outputs: [output, held_out],
                scores: [None; 2],
            })
        });
        Ok(((beta_max, program.beta_max_is_exact()), dictionary.len()))
    }

    /// The same over all networks whose neurons read few inputs, each proven.
    fn proven_path(
        &self,
        data: &Dataset,
        held_out: Option<&Features>,
        ratios: &[f64],
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()> + Send,
    ) -> Result<((f64, bool), usize), Error> {
        let betas = |most| betas(ratios, most);
        let mut places: HashMap<Pattern, usize> = HashMap::new();
        let mut strengths = ratios.iter();
        let beta_max = self.generate_path(data, betas, &[], |beta, found| {
            let ratio = *strengths.next().expect("one ratio for each strength");
            let mut coefficients = Vec::new();
            let used = found.coefficients.iter().enumerate().filter(|(_, a)| **a != 0.0);
            for (j, &a) in used {
                let next = places.len();
                let place = *places.entry(found.dictionary.patterns.pattern(j)).or_insert(next);
                coefficients.push((place, a));
            }
            coefficients.sort_unstable_by_key(|(place, _)| *place);
            let held_out = held_out.map_or(Vec::new(), |features| answers(features, found));
            visit(PathPoint {
                beta: beta.get(),
                ratio,
                coefficients,
                certificate: found.certificate.clone(),
                stop: found.stop,
                outputs: [answers(data.features(), found), held_out],
                scores: [None; 2],
            })
        })?;
        Ok((beta_max, places.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::LossKind;
    use crate::train::classes::Shared;

    fn data() -> Dataset {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 60) / 7.0).collect();
        let y: Vec<f64> =
            x.iter().map(|x| if (x - 3.0).abs() < 2.0 { 1.0 } else { -1.0 }).collect();
        Dataset::new(Features::new(60, 1, x).unwrap(), &y, None).unwrap()
    }

    #[test]
    fn a_grid_falls_by_a_constant_factor_to_the_least() {
        let grid = geometric(0.001, 4);
        for (found, expected) in grid.iter().zip([1.0, 0.1, 0.01, 0.001]) {
            assert!((found / expected - 1.0).abs() < 1e-12);
        }
        assert_eq!(grid[3], 0.001);
        assert_eq!(geometric(0.5, 1), [1.0]);
    }

    #[test]
    fn a_path_starts_at_the_zero_network_and_its_objective_falls() {
        for loss in [LossKind::Squared, LossKind::Logistic, LossKind::Hinge] {
            let trainer = Trainer { loss, patterns: 100, ..Request::default().trainer() };
            let data = data();
            let mut points = Vec::new();
            let path = trainer.path(&data, Some(data.features()), &geometric(0.01, 8), |point| {
                points.push(point);
                ControlFlow::Continue(())
            });
            let ((beta_max, exact), _) = path.unwrap();
            assert_eq!(points.len(), 8);
            assert_eq!(points[0].beta, beta_max);
            if exact {
                assert!(points[0].outputs[0].iter().all(|u| u.abs() < 1e-6));
            }
            for pair in points.windows(2) {
                let objectives = pair.iter().map(|p| p.certificate.objective());
                assert!(objectives.is_sorted_by(|a, b| a > b), "the objective grows with beta");
            }
            for point in &points {
                assert!(point.certificate.relative_gap() <= 1e-6);
                assert_eq!(point.outputs[0], point.outputs[1], "the same rows, the same answers");
            }
        }
    }

    #[test]
    fn a_path_over_few_inputs_is_proven_at_every_strength() {
        let values = (0..50 * 4).map(|k| f64::from(k * k * 31 % 17)).collect();
        let y: Vec<f64> = (0..50).map(|i| if i * i % 7 < 3 { 1.0 } else { -1.0 }).collect();
        let data = Dataset::new(Features::new(50, 4, values).unwrap(), &y, None).unwrap();
        let ratios = geometric(0.05, 6);
        for max_inputs in 1..=3 {
            let loss = LossKind::Logistic;
            let plain = Request::default().trainer();
            let terms = super::super::Terms { max_inputs: Some(max_inputs), ..plain.terms };
            let trainer = Trainer { loss, terms, tolerance: 1e-4, ..plain };
            let mut points = Vec::new();
            let path = trainer.proven_path(&data, Some(data.features()), &ratios, |point| {
                points.push(point);
                ControlFlow::Continue(())
            });
            let ((_, exact), patterns) = path.unwrap();
            assert!(exact && patterns > points[5].coefficients.last().unwrap().0);
            for point in &points {
                let certificate = &point.certificate;
                assert!(certificate.relative_gap() <= 1e-4 && point.outputs[0] == point.outputs[1]);
                // The same as on its own.
                let beta = Strength::Beta(crate::program::Beta::new(point.beta).unwrap());
                let method = crate::train::Method::Generate;
                let (_, alone) = Trainer { strength: beta, method, ..trainer }
                    .fit(&data, &mut Shared::default())
                    .unwrap();
                let problem = trainer.problem(&data, alone.beta);
                let bound = problem.lower_bound(&alone.dual, alone.price.value);
                assert!(bound <= certificate.objective());
                assert!(certificate.objective() <= bound * (1.0 + 2e-4) + 1e-9);
            }
        }
    }

    #[test]
    fn a_visitor_ends_the_path() {
        let mut seen = 0;
        let trainer = Trainer { patterns: 50, ..Request::default().trainer() };
        let path = trainer.path(&data(), None, &geometric(0.01, 8), |_| {
            seen += 1;
            if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(path.is_ok());
        assert_eq!(seen, 3);
    }
}
