//! Paths: the optima for a decreasing sequence of strengths, on one dictionary or over all neurons
//! of few inputs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::generate::answers;
use super::listed::answer;
use super::{Event, Request, Strength, Trainer, Watch};
use crate::arrangement::evaluate;
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::explain::score::{Regression, accuracy};
use crate::loss::Loss as _;
use crate::pattern::Pattern;
use crate::program::Beta;
use crate::solver::{Budget, Progress, Solution, StopReason};

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
#[derive(Debug, Clone)]
pub struct PathPoint {
    /// `β`.
    pub beta: f64,
    /// `β / β_max`.
    pub ratio: f64,
    /// The coefficients, the dual point and the certificate. Over neurons of few inputs, later
    /// strengths may have more coefficients; patterns keep their places.
    pub solution: Solution,
    /// `f(x)` on the distinct training rows.
    pub output: Vec<f64>,
    /// `f(x)` on the held-out rows.
    pub held_out: Vec<f64>,
}

impl PathPoint {
    /// How good the network is on the training rows, and on the held-out rows given their targets:
    /// the accuracy of classes, or R² of numbers where it is defined.
    pub fn scores(&self, set: &TrainingSet, y: Option<&[f64]>) -> [Option<f64>; 2] {
        let score = |output: &[f64], y: &[f64]| {
            if set.classifies() {
                return Some(accuracy(output, y));
            }
            Regression::measure(output, y).r2
        };
        let rows = set.data().row_of().iter();
        let output: Vec<f64> = rows.map(|&g| self.output[g as usize]).collect();
        [score(&output, set.y()), y.and_then(|y| score(&self.held_out, y))]
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
    /// starting from the one before. The outputs on the `held_out` rows are computed, too. `visit`
    /// gets the optima one by one, and may end the path.
    ///
    /// # Errors
    /// When an option does not apply, or the dictionary does not fit into memory.
    pub fn path(
        &self,
        set: &TrainingSet,
        held_out: Option<&Features>,
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
        let ratios = self.path_ratios();
        let (mut seen, mut cut) = (0, None);
        let visit = |point: PathPoint| {
            seen += 1;
            let unfinished = Some(point.solution.stop).filter(|s| *s != StopReason::GapReached);
            let flow = visit(point);
            cut = cut.or(unfinished);
            match budget.spent().filter(|_| seen < ratios.len()) {
                Some(reason) => {
                    cut = Some(reason);
                    ControlFlow::Break(())
                }
                None => flow,
            }
        };
        let (beta_max, beta_max_exact, patterns) = match self.terms.max_inputs {
            Some(_) => trainer.proven_path(data, held_out, ratios, visit)?,
            None => trainer.path(data, held_out, ratios, visit)?,
        };
        let (stop, complete) = (cut.unwrap_or(StopReason::GapReached), seen == ratios.len());
        Ok(Path { beta_max, beta_max_exact, patterns, stop, complete })
    }
}

impl Trainer<'_> {
    /// The optima on one sampled dictionary. The result is `β_max`, whether it is exact, and the
    /// number of patterns.
    pub(super) fn path(
        &self,
        data: &Dataset,
        held_out: Option<&Features>,
        ratios: &[f64],
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()> + Send,
    ) -> Result<(f64, bool, usize), Error> {
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
            visit(PathPoint { beta: beta.get(), ratio, solution, output, held_out })
        });
        Ok((beta_max, program.beta_max_is_exact(), dictionary.len()))
    }

    /// The same over all networks whose neurons read few inputs, each proven.
    fn proven_path(
        &self,
        data: &Dataset,
        held_out: Option<&Features>,
        ratios: &[f64],
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()> + Send,
    ) -> Result<(f64, bool, usize), Error> {
        let betas = |most| betas(ratios, most);
        let mut places: HashMap<Pattern, usize> = HashMap::new();
        let mut strengths = ratios.iter();
        let (beta_max, beta_max_exact) = self.generate_path(data, betas, &[], |beta, found| {
            let ratio = *strengths.next().expect("one ratio for each strength");
            let mut coefficients = vec![0.0; places.len()];
            let used = found.coefficients.iter().enumerate().filter(|(_, a)| **a != 0.0);
            for (j, &a) in used {
                let next = places.len();
                let place = *places.entry(found.dictionary.patterns.pattern(j)).or_insert(next);
                coefficients.resize(places.len(), 0.0);
                coefficients[place] = a;
            }
            let output = answers(data.features(), found);
            let held_out = held_out.map_or(Vec::new(), |features| answers(features, found));
            let solution = Solution {
                coefficients,
                offset: found.offset,
                dual: found.dual.clone(),
                certificate: found.certificate.clone(),
                stop: found.stop,
                rounds: found.rounds,
                gram_time: Duration::ZERO,
            };
            visit(PathPoint { beta: beta.get(), ratio, solution, output, held_out })
        })?;
        Ok((beta_max, beta_max_exact, places.len()))
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
            let (beta_max, exact, _) = path.unwrap();
            assert_eq!(points.len(), 8);
            assert_eq!(points[0].beta, beta_max);
            if exact {
                assert!(points[0].output.iter().all(|u| u.abs() < 1e-6));
            }
            for pair in points.windows(2) {
                let objectives = pair.iter().map(|p| p.solution.certificate.objective());
                assert!(objectives.is_sorted_by(|a, b| a > b), "the objective grows with beta");
            }
            for point in &points {
                assert!(point.solution.certificate.relative_gap() <= 1e-6);
                assert_eq!(point.output, point.held_out, "the same rows, the same answers");
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
            let (_, exact, patterns) = path.unwrap();
            assert!(exact && patterns >= points[5].solution.coefficients.len());
            for point in &points {
                let certificate = &point.solution.certificate;
                assert!(certificate.relative_gap() <= 1e-4 && point.output == point.held_out);
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
