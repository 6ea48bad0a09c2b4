//! Choosing the strength by cross-validation.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::classes::Shared;
use super::generate::{ROUNDS_ON_A_PATH, answers};
use super::path::betas;
use super::{Fold, Measure, Method, Strength, Trainer};
use crate::arrangement::Hyperplane;
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::model::{class_of, largest};
use crate::network::Weights;
use crate::solver::{Budget, Work};

/// How to choose `β / β_max` by cross-validation.
#[derive(Debug, Clone)]
pub(super) struct CrossValidation {
    /// The folds.
    pub(super) folds: Vec<Fold>,
    /// The candidates, largest first.
    pub(super) ratios: Vec<f64>,
    /// Whether to take the largest candidate within one standard error of the best.
    pub(super) one_standard_error: bool,
    /// How predictions are scored.
    pub(super) measure: Measure,
}

/// The result of cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The number of folds that were used: all, unless the time ran out.
    pub folds: usize,
    /// The candidates that all of these folds have scored.
    pub ratios: Vec<f64>,
    /// Their mean scores over the folds.
    pub means: Vec<f64>,
    /// The standard errors of the means.
    pub errors: Vec<f64>,
    /// The chosen candidate.
    pub ratio: f64,
    /// Its mean score.
    pub score: f64,
    /// The standard error of its mean score.
    pub error: f64,
    /// How predictions were scored.
    pub measure: Measure,
    /// Whether every fold has scored every candidate.
    pub complete: bool,
    /// The largest relative gap of the networks on the folds, if each was proven.
    #[doc(hidden)]
    pub gap: Option<f64>,
}

impl CrossValidation {
    /// Scores every candidate on every fold, and chooses one. `scored` is called after each score. When
    /// the time runs out, or the counted work of a fold if there is a limit for it, the choice is made
    /// among the candidates that have been scored.
    ///
    /// # Errors
    /// When training fails, or the time ran out before the first result.
    pub(super) fn select(
        &self,
        trainer: &Trainer<'_>,
        set: &TrainingSet,
        part: Option<Duration>,
        scored: impl Fn() + Sync,
    ) -> Result<Selection, Error> {
        let x = set.features();
        let samples = Samples { x: &x, y: set.y(), weights: set.weights(), counts: set.counts() };
        let (waiting, begun) = (AtomicUsize::new(self.folds.len()), AtomicUsize::new(0));
        let score = |fold: &Fold, others: &[Vec<Hyperplane>]| {
            let waiting = waiting.fetch_sub(1, Ordering::Relaxed);
            let work = Work::part_of(&trainer.budget);
            let budget = match part {
                Some(limit) => trainer.budget.counting(limit, &work),
                None => share(trainer.budget, waiting),
            };
            // If the time is up, two folds are enough to go on.
            if budget.spent().is_some() && begun.fetch_add(1, Ordering::Relaxed) >= 2 {
                return Ok(Scores::of(Vec::new()));
            }
            self.score(&Trainer { budget, ..*trainer }, &samples, fold, others, &scored)
        };
        // Neurons of few inputs are soon found, and those of one fold are good on the others: one fold goes
        // ahead.
        let ahead = usize::from(trainer.max_inputs.is_some()).min(self.folds.len());
        let (first, rest) = self.folds.split_at(ahead);
        let mut scores: Vec<Scores> =
            first.iter().map(|fold| score(fold, &[])).collect::<Result<_, _>>()?;
        let others = scores.first_mut().map(|s| std::mem::take(&mut s.neurons)).unwrap_or_default();
        let more: Result<Vec<Scores>, Error> =
            rest.par_iter().map(|fold| score(fold, &others)).collect();
        scores.extend(more?);
        let gaps: Option<Vec<f64>> = scores.iter().map(|s| s.gap).collect();
        let scores: Vec<Vec<f64>> = scores.into_iter().map(|s| s.scores).collect();
        let gap = gaps.and_then(|gaps| gaps.into_iter().reduce(f64::max));
        Ok(Selection { gap, ..self.choose(&scores)? })
    }

    /// The best of the candidates that the folds have scored. If some folds were cut short, the choice uses
    /// the number of folds and candidates with the largest product.
    fn choose(&self, scores: &[Vec<f64>]) -> Result<Selection, Error> {
        let with = |count: usize| scores.iter().filter(move |s| s.len() >= count);
        let count = (1..=self.ratios.len())
            .filter(|&count| with(count).count() >= 2)
            .max_by_key(|&count| count * with(count).count())
            .ok_or(Error::Interrupted)?;
        let asked = scores.len();
        let scores: Vec<&Vec<f64>> = with(count).collect();
        let folds = scores.len() as f64;
        let (means, errors): (Vec<f64>, Vec<f64>) = (0..count)
            .map(|k| {
                let mean = scores.iter().map(|s| s[k]).sum::<f64>() / folds;
                let spread: f64 = scores.iter().map(|s| (s[k] - mean).powi(2)).sum();
                (mean, (spread / (folds - 1.0) / folds).sqrt())
            })
            .unzip();
        // Ties go to the larger strength, which comes first.
        let best = (0..count)
            .reduce(|a, b| if means[b] > means[a] { b } else { a })
            .expect("at least one candidate");
        let chosen = match self.one_standard_error {
            false => best,
            true => (0..count)
                .find(|&k| means[k] >= means[best] - errors[best])
                .expect("the best is among them"),
        };
        let ratios = self.ratios[..count].to_vec();
        let (ratio, score, error) = (ratios[chosen], means[chosen], errors[chosen]);
        let (folds, measure) = (scores.len(), self.measure);
        let complete = folds == asked && count == self.ratios.len();
        let gap = None;
        Ok(Selection { folds, ratios, means, errors, ratio, score, error, measure, complete, gap })
    }

    /// The scores of the candidates on one fold, as many as the budget allows. `others` are the neurons that
    /// another fold has found for each candidate.
    fn score(
        &self,
        trainer: &Trainer<'_>,
        samples: &Samples<'_>,
        fold: &Fold,
        others: &[Vec<Hyperplane>],
        scored: &(impl Fn() + Sync),
    ) -> Result<Scores, Error> {
        let Samples { x, y, weights, counts } = *samples;
        let pick = |values: &[f64], rows: &[usize]| rows.iter().map(|&i| values[i]).collect();
        // Rows of weight zero count as absent.
        let weigh = |i: &usize| weights.is_none_or(|s| s[*i] > 0.0);
        let train: Vec<usize> = fold.train.iter().copied().filter(weigh).collect();
        let train_y: Vec<f64> = pick(y, &train);
        let test_y: Vec<f64> = pick(y, &fold.test);
        let train_weights: Option<Vec<f64>> = weights.map(|s| pick(s, &train));
        let weights = train_weights.as_deref();
        let data = match self.measure {
            Measure::Largest(classes) => {
                Dataset::of_classes(x.select(&train), &train_y, weights, classes)?
            }
            _ => Dataset::new(x.select(&train), &train_y, weights)?,
        };
        let trainer = &trainer.decided(&data)?;
        let held_out = x.select(&fold.test);
        let test_counts: Option<Vec<f64>> = counts.map(|s| pick(s, &fold.test));
        let test_counts = test_counts.as_deref().filter(|s| s.iter().any(|s| *s > 0.0));
        let mean = |values: &dyn Fn(usize) -> f64| weighted_mean(test_y.len(), values, test_counts);
        let variance = variance(y, counts);
        let mut scores = Vec::with_capacity(self.ratios.len());
        let mut keep = |score: f64| {
            // A candidate that was cut short is not compared with complete ones; the first one counts.
            let spent = trainer.budget.spent().is_some();
            if spent && !scores.is_empty() {
                return ControlFlow::Break(());
            }
            scores.push(score);
            scored();
            if spent { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        if let Measure::Largest(_) = self.measure {
            let problems = data.parts();
            // The largest strength is the same for every candidate.
            let brief = brief(trainer);
            let beta_max = brief.largest_beta_max(&problems, &mut Shared::default())?;
            for &ratio in &self.ratios {
                let beta = Strength::Ratio(ratio).beta(beta_max)?;
                let trainer = Trainer { strength: Strength::Beta(beta), ..brief };
                let outputs = trainer.answer_classes(&problems, &held_out)?;
                let right = |i: usize| f64::from(largest(&outputs[i]) == test_y[i] as usize);
                if keep(mean(&right)).is_break() {
                    break;
                }
            }
            return Ok(Scores::of(scores));
        }
        let mut visit = |output: &[f64]| {
            keep(match self.measure {
                Measure::R2 => 1.0 - mean(&|i| (output[i] - test_y[i]).powi(2)) / variance,
                _ => mean(&|i| f64::from(class_of(output[i]) == test_y[i])),
            })
        };
        let as_found = matches!(trainer.weights, None | Some(Weights::Sampled));
        match trainer.method {
            _ if !trainer.widths.is_empty() => (),
            Method::Sample => {
                trainer
                    .path(&data, Some(&held_out), &self.ratios, |point| visit(&point.held_out))?;
                return Ok(Scores::of(scores));
            }
            Method::Generate if as_found && trainer.average == 1 => {
                let betas = |most| betas(&self.ratios, most);
                let trainer = Trainer { tolerance: trainer.compared(), ..*trainer };
                let (mut neurons, mut worst) = (Vec::new(), 0.0f64);
                trainer.generate_path(&data, betas, others, |_, found| {
                    worst = worst.max(found.certificate.relative_gap());
                    neurons.push(found.dictionary.witnesses.clone());
                    visit(&answers(&held_out, found))
                })?;
                let gap = trainer.max_inputs.map(|_| worst);
                return Ok(Scores { scores, gap, neurons });
            }
            _ => (),
        }
        let brief = brief(trainer);
        for &ratio in &self.ratios {
            let trainer = Trainer { strength: Strength::Ratio(ratio), ..brief };
            let (network, _) = trainer.fit(&data)?;
            if visit(&network.output(&held_out)).is_break() {
                break;
            }
        }
        Ok(Scores::of(scores))
    }
}

/// What one fold says about the candidates.
struct Scores {
    scores: Vec<f64>,
    /// The largest relative gap, if each network was proven.
    gap: Option<f64>,
    /// The neurons that were found for each candidate, if they may help on other folds.
    neurons: Vec<Vec<Hyperplane>>,
}

impl Scores {
    /// The scores alone.
    fn of(scores: Vec<f64>) -> Self {
        Self { scores, gap: None, neurons: Vec::new() }
    }
}

/// The samples to choose on.
#[derive(Clone, Copy)]
struct Samples<'a> {
    /// `X`, not merged.
    x: &'a Features,
    y: &'a [f64],
    /// The weight of each sample in training; one by default.
    weights: Option<&'a [f64]>,
    /// The weight of each sample in the score; one by default.
    counts: Option<&'a [f64]>,
}

/// The same trainer with only a few rounds of generation, as on a path, because candidates are many.
fn brief<'a>(trainer: &Trainer<'a>) -> Trainer<'a> {
    if trainer.method != Method::Generate {
        return *trainer;
    }
    let (rounds, tolerance) = (Some(ROUNDS_ON_A_PATH), trainer.compared());
    Trainer { rounds, tolerance, ..*trainer }
}

/// An equal share of the remaining time; `waiting` is the number of folds that wait for a thread.
pub(super) fn share(budget: Budget<'_>, waiting: usize) -> Budget<'_> {
    let rounds = waiting.div_ceil(rayon::current_num_threads()).max(1);
    let deadline = budget.deadline.map(|(end, limit)| {
        let now = budget.now();
        (now + end.saturating_duration_since(now) / rounds as u32, limit)
    });
    Budget { deadline, ..budget }
}

/// `Σ s v / Σ s`.
fn weighted_mean(samples: usize, values: &dyn Fn(usize) -> f64, counts: Option<&[f64]>) -> f64 {
    match counts {
        None => (0..samples).map(values).sum::<f64>() / samples as f64,
        Some(s) => {
            let sum: f64 = (0..samples).map(|i| s[i] * values(i)).sum();
            sum / s.iter().sum::<f64>()
        }
    }
}

/// The mean of `(y − ȳ)²`; one if all targets are equal, because then it makes no difference.
fn variance(y: &[f64], counts: Option<&[f64]>) -> f64 {
    let mean = weighted_mean(y.len(), &|i| y[i], counts);
    match weighted_mean(y.len(), &|i| (y[i] - mean).powi(2), counts) {
        0.0 => 1.0,
        variance => variance,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::table::coding::ColumnRef;
    use crate::table::{Coding, TargetCoding};
    use crate::train::{Folds, Request, Watch, split};
    use std::time::Instant;

    fn cross_validation(measure: Measure) -> CrossValidation {
        CrossValidation {
            folds: Vec::new(),
            ratios: vec![0.5, 0.1],
            one_standard_error: false,
            measure,
        }
    }

    /// Numbers, or classes from `0` on.
    fn set(x: Features, y: &[f64], classes: usize, counts: Option<Vec<f64>>) -> TrainingSet {
        let column = ColumnRef { name: "y".into(), position: x.dimension() };
        let labels: Vec<String> = (0..classes).map(|k| k.to_string()).collect();
        let labels = (classes > 0).then_some(labels.as_slice());
        let target = TargetCoding::of_labels(column, labels).unwrap();
        let names = (1..=x.dimension()).map(|j| format!("x{j}")).collect();
        let y = match classes {
            2 => y.iter().map(|y| 2.0 * y - 1.0).collect(),
            _ => y.to_vec(),
        };
        let coding = Coding::of_numbers(names, target, false).unwrap();
        TrainingSet::new(coding, x, y, counts).unwrap()
    }

    /// A request on five folds that tries two strengths.
    fn request(folds: usize) -> Request {
        let (ratios, method) = (Some(vec![0.5, 0.1]), Method::Generate);
        Request { cv: Some(Folds::Count(folds)), ratios, method, seed: 3, ..Request::default() }
    }

    fn chosen(request: &Request, set: &TrainingSet) -> Selection {
        request.check(set).unwrap().choose(set, &Watch::default()).unwrap().unwrap()
    }

    #[test]
    fn folds_that_leave_nothing_to_train_on_or_to_score_are_refused() {
        let x = Features::new(3, 1, vec![1.0, 2.0, 3.0]).unwrap();
        let set = set(x, &[0.0, 1.0, 0.0], 2, None);
        let refused = |cv| {
            let request = Request { cv: Some(cv), ..request(2) };
            request.check(&set).unwrap_err().to_string()
        };
        let expected = "`cv=4`: 4 folds need at least 4 samples, found 3";
        assert_eq!(refused(Folds::Count(4)), expected);
        let expected = "`cv=2`: expected at least two folds, each with samples to train on and samples \
                        to score";
        let nothing = Fold { train: vec![], test: vec![0] };
        let absent = Fold { train: vec![3], test: vec![0] };
        assert_eq!(refused(Folds::Given(vec![nothing.clone(), absent])), expected);
        let good = Fold { train: vec![1], test: vec![0] };
        assert_eq!(refused(Folds::Given(vec![good, nothing])), expected);
    }

    #[test]
    fn one_standard_error_takes_the_largest_strength_that_is_nearly_best() {
        let ratios = vec![1.0, 0.5, 0.1];
        // Means 0.5, 0.8, 0.85; the best has the standard error 0.05.
        let scores = [vec![0.5, 0.8, 0.8], vec![0.5, 0.8, 0.9]];
        let rule = |one_standard_error| {
            let cv = CrossValidation {
                ratios: ratios.clone(),
                one_standard_error,
                ..cross_validation(Measure::Accuracy)
            };
            cv.choose(&scores).unwrap()
        };
        assert_eq!(rule(false).ratio, 0.1);
        assert!(
            (rule(false).score - 0.85).abs() < 1e-12 && (rule(false).error - 0.05).abs() < 1e-12
        );
        assert_eq!(rule(true).ratio, 0.5);
    }

    #[test]
    fn folds_cut_short_have_a_say_where_that_leaves_more_to_compare() {
        let cv = cross_validation(Measure::Accuracy);
        let choose = |scores: &[Vec<f64>]| cv.choose(scores).map(|s| (s.folds, s.ratios.len()));
        let (full, half, none) = (vec![0.6, 0.9], vec![0.7], vec![]);
        assert_eq!(choose(&[full.clone(), half.clone()]).unwrap(), (2, 1));
        assert_eq!(choose(&[full.clone(), full.clone(), half.clone()]).unwrap(), (2, 2));
        assert_eq!(choose(&[full.clone(), full.clone(), none.clone()]).unwrap(), (2, 2));
        assert_eq!(choose(&[full.clone(), full.clone(), full.clone()]).unwrap(), (3, 2));
        assert!(matches!(choose(&[full, none]), Err(Error::Interrupted)));
    }

    #[test]
    fn the_time_is_shared_out_among_the_folds() {
        let limit = Duration::from_secs(1000);
        let budget = Budget::time_limit(limit);
        let left = |waiting| {
            let (end, _) = share(budget, waiting).deadline.unwrap();
            end.saturating_duration_since(Instant::now()).as_secs_f64()
        };
        let threads = rayon::current_num_threads();
        assert!((left(1) - 1000.0).abs() < 10.0);
        assert!((left(2 * threads) - 500.0).abs() < 10.0);
        assert_eq!(share(Budget::default(), 5).deadline, None);
    }

    /// A step at 2 from 0 to 1, and one neuron that finds it.
    fn step(n: usize) -> (Features, Vec<f64>) {
        let x: Vec<f64> = (0..n).map(|i| i as f64 * 4.0 / n as f64).collect();
        let y = x.iter().map(|x| if *x < 2.0 { 0.0 } else { 1.0 }).collect();
        (Features::new(n, 1, x).unwrap(), y)
    }

    #[test]
    fn the_choice_does_not_depend_on_threads_and_finds_what_generalises() {
        let (x, y) = step(60);
        for classes in [2, 0] {
            let set = set(x.clone(), &y, classes, None);
            let select = || chosen(&request(5), &set);
            let selection = select();
            assert!(selection.score > 0.7, "{selection:?}");
            let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            assert_eq!(alone.install(select), selection);
        }
    }

    #[test]
    fn the_largest_output_is_scored_where_there_are_several_classes() {
        let (x, _) = step(60);
        let y: Vec<f64> = (0..60).map(|i| (i / 20) as f64).collect();
        for fold in split(&y, 3, true, 3) {
            assert!(
                (0..3).all(|c| fold.test.iter().filter(|&&i| y[i] == f64::from(c)).count() > 5)
            );
        }
        let set = set(x, &y, 3, None);
        for method in [Method::Sample, Method::Generate] {
            let patterns = (method == Method::Sample).then_some(100);
            let selection = chosen(&Request { method, patterns, ..request(3) }, &set);
            assert!(selection.score > 0.8, "{selection:?}");
        }
    }

    #[test]
    fn leaving_one_out_scores_numbers_too() {
        let (x, y) = step(12);
        let ratios = Some(vec![0.5, 0.01]);
        let method = Method::Sample;
        let request = Request { patterns: Some(50), ratios, method, ..request(12) };
        let selection = chosen(&request, &set(x, &y, 0, None));
        assert!(selection.score > 0.5 && selection.score <= 1.0, "{selection:?}");
    }

    #[test]
    fn complete_programs_are_chosen_among_too() {
        // Eight rows in eight dimensions: every dichotomy is possible, and none is held back.
        let identity = (0..64).map(|k| if k % 9 == 0 { 1.0 } else { 0.0 }).collect();
        let x = Features::new(8, 8, identity).unwrap();
        let set = set(x, &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 2, None);
        let told = AtomicUsize::new(0);
        let count = |event: crate::train::Event<'_>| {
            told.fetch_add(usize::from(event == crate::train::Event::Scored), Ordering::Relaxed);
        };
        let watch = Watch { listener: Some(&count), ..Watch::default() };
        let request = Request { method: Method::Complete, ..request(2) };
        let selection = request.check(&set).unwrap().choose(&set, &watch).unwrap().unwrap();
        assert_eq!(selection.means.len(), 2);
        assert_eq!(told.into_inner(), 4, "two candidates on two folds");
    }

    #[test]
    fn a_count_is_as_good_as_that_many_samples() {
        let (x, y) = step(30);
        let counts: Vec<f64> = (0..30).map(|i| f64::from(i % 3)).collect();
        let rows: Vec<usize> = (0..30).flat_map(|i| [i].repeat(i % 3)).collect();
        let many_y: Vec<f64> = rows.iter().map(|&i| y[i]).collect();
        let halves = |of: &[usize]| -> Option<Folds> {
            let part = |odd| (0..of.len()).filter(|&k| (of[k] % 2 == 1) == odd).collect();
            Some(Folds::Given(vec![
                Fold { train: part(true), test: part(false) },
                Fold { train: part(false), test: part(true) },
            ]))
        };
        for classes in [2, 0] {
            let weighted = set(x.clone(), &y, classes, Some(counts.clone()));
            let cv = halves(&(0..30).collect::<Vec<_>>());
            let one = chosen(&Request { cv, ..request(2) }, &weighted);
            let many = set(x.select(&rows), &many_y, classes, None);
            let other = chosen(&Request { cv: halves(&rows), ..request(2) }, &many);
            assert_eq!(one.ratio, other.ratio);
            for (a, b) in one.means.iter().zip(&other.means) {
                assert!((a - b).abs() < 1e-9, "{one:?} {other:?}");
            }
        }
    }
}
