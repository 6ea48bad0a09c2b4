//! The strength of a problem: every strength is scored on every fold, with the mean over the folds.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::{Choice, FoldRows, Samples, Validation};
use crate::arrangement::Subnetwork;
use crate::data::TrainingSet;
use crate::error::Error;
use crate::network::Weights;
use crate::solver::{Budget, Work};
use crate::train::classes::Shared;
use crate::train::generate::answers;
use crate::train::path::betas;
use crate::train::tuning::ROUNDS_ON_A_PATH;
use crate::train::{Method, PathPoint, Strength, Trainer};

/// What the networks of one fold answer on the rows held out, by strength, network and row; and the
/// neurons that were found at each strength, if they may help on other folds.
type FoldAnswers = (Vec<Vec<Vec<f64>>>, Vec<Vec<Subnetwork>>);

impl Validation {
    /// Scores every strength on every fold, and chooses one. `scored` is called after each score.
    /// When the time runs out, or the counted work of a fold, the strengths that were scored are
    /// compared.
    pub(in crate::train) fn choose(
        &self,
        trainer: &Trainer<'_>,
        set: &TrainingSet,
        work_of_a_fold: Option<Duration>,
        scored: impl Fn() + Sync,
    ) -> Result<Choice, Error> {
        let samples = Samples::new(set, &self.folds)?;
        let (waiting, begun) = (AtomicUsize::new(self.folds.len()), AtomicUsize::new(0));
        let follow = |rows: &FoldRows, others: &[Vec<Subnetwork>]| {
            let waiting = waiting.fetch_sub(1, Ordering::Relaxed);
            let work = Work::part_of(&trainer.budget);
            let budget = match work_of_a_fold {
                Some(limit) => trainer.budget.counting(limit, &work),
                None => share(trainer.budget, waiting),
            };
            // If the time is up, two folds are enough to go on.
            if budget.spent().is_some() && begun.fetch_add(1, Ordering::Relaxed) >= 2 {
                return Ok(FoldAnswers::default());
            }
            self.follow(&Trainer { budget, ..*trainer }, rows, others, &scored)
        };
        // Neurons of few inputs are soon found, and those of one fold are good on the others: one
        // fold goes ahead.
        let ahead = usize::from(trainer.terms.max_inputs.is_some()).min(samples.folds.len());
        let (first, rest) = samples.folds.split_at(ahead);
        let mut found: Vec<FoldAnswers> =
            first.iter().map(|rows| follow(rows, &[])).collect::<Result<_, _>>()?;
        let others = found.first_mut().map(|(_, neurons)| std::mem::take(neurons));
        let others = others.unwrap_or_default();
        let more: Result<Vec<FoldAnswers>, Error> =
            rest.par_iter().map(|rows| follow(rows, &others)).collect();
        found.extend(more?);
        let score = |(rows, (outputs, _)): (&FoldRows, &FoldAnswers)| {
            outputs.iter().map(|outputs| samples.score(rows, outputs)).collect()
        };
        let scores: Vec<Vec<f64>> = samples.folds.iter().zip(&found).map(score).collect();
        self.best(&scores, samples.measure)
    }

    /// The outputs at every strength on the rows held out of one fold, as far as the budget allows.
    /// `others` are the neurons that another fold has found at each strength.
    fn follow(
        &self,
        trainer: &Trainer<'_>,
        rows: &FoldRows,
        others: &[Vec<Subnetwork>],
        scored: &(impl Fn() + Sync),
    ) -> Result<FoldAnswers, Error> {
        let FoldRows { sets, held_out, .. } = rows;
        let trainer = &trainer.decided(&sets[0])?;
        let (mut outputs, mut neurons) = (Vec::new(), Vec::new());
        let mut keep = |output: Vec<Vec<f64>>| {
            // A network that was cut short is not compared with others; the first one counts.
            let spent = trainer.budget.spent().is_some();
            if spent && !outputs.is_empty() {
                return ControlFlow::Break(());
            }
            outputs.push(output);
            scored();
            if spent { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let as_found = matches!(trainer.terms.weights, None | Some(Weights::Sampled));
        let known = trainer.widths.is_empty() || trainer.has_two_conditions();
        let path = known && sets.len() == 1;
        match trainer.method {
            Method::Sample if path => {
                let visit = |PathPoint { outputs: [_, output], .. }| keep(vec![output]);
                trainer.path(&sets[0], Some(held_out), &self.ratios, visit)?;
            }
            Method::Generate if path && as_found && trainer.average() == 1 => {
                let betas = |most| betas(&self.ratios, most);
                let compared = Trainer { tolerance: trainer.compared(), ..*trainer };
                compared.generate_path(&sets[0], betas, others, |_, found| {
                    neurons.push(found.dictionary.witnesses.clone());
                    keep(vec![answers(held_out, found)])
                })?;
            }
            method => {
                // Only a few rounds of generation, as on a path, because strengths are many.
                let mut brief = *trainer;
                if method == Method::Generate {
                    brief.limits.rounds = Some(ROUNDS_ON_A_PATH);
                    brief.tolerance = trainer.compared();
                }
                // The largest strength of several networks is the same at every ratio.
                let most = match sets.len() {
                    1 => None,
                    _ => Some(brief.largest_beta_max(sets, &mut Shared::default())?),
                };
                for &ratio in &self.ratios {
                    let strength = match most {
                        None => Strength::Ratio(ratio),
                        Some(most) => Strength::Beta(Strength::Ratio(ratio).beta(most)?),
                    };
                    let mut shared = Shared::default();
                    let trainer = Trainer { strength, ..brief };
                    let output = |data| Ok(trainer.fit(data, &mut shared)?.0.output(held_out));
                    let output = sets.iter().map(output).collect::<Result<_, Error>>()?;
                    if keep(output).is_break() {
                        break;
                    }
                }
            }
        }
        Ok((outputs, neurons))
    }
}

/// An equal share of the remaining time; `waiting` is the number of folds that wait for a thread.
pub(in crate::train) fn share(budget: Budget<'_>, waiting: usize) -> Budget<'_> {
    shared_out(budget, waiting.div_ceil(rayon::current_num_threads()))
}

/// One of several parts of the remaining time.
pub(in crate::train) fn shared_out(budget: Budget<'_>, parts: usize) -> Budget<'_> {
    let deadline = budget.deadline.map(|(end, limit)| {
        let now = budget.now();
        (now + end.saturating_duration_since(now) / parts.max(1) as u32, limit)
    });
    Budget { deadline, ..budget }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::data::Features;
    use crate::table::coding::ColumnRef;
    use crate::table::{Coding, TargetCoding};
    use crate::train::folds::{Measure, split};
    use crate::train::{Event, Fold, Request, Watch};
    use std::time::Instant;

    fn best(ratios: &[f64], one_se: bool, scores: &[Vec<f64>]) -> Result<Choice, Error> {
        let (folds, ratios) = (Vec::new(), ratios.to_vec());
        let validation = Validation { folds, named: true, ratios, one_se };
        validation.best(scores, Measure::Accuracy)
    }

    /// Numbers, or classes from `0` on.
    fn set(x: Features, y: &[f64], classes: usize, counts: Option<Vec<f64>>) -> TrainingSet {
        let column = ColumnRef { name: "y".into(), position: x.dimension() };
        let labels: Vec<String> = (0..classes).map(|k| k.to_string()).collect();
        let labels = (classes > 0).then_some(labels.as_slice());
        let target = TargetCoding::of_labels(column, labels, None).unwrap();
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
        let options = format!("cv={folds} n_ratios=2 least_ratio=0.1 method=generate seed=3");
        Request::of(&options).unwrap()
    }

    fn chosen(request: &Request, set: &TrainingSet) -> Choice {
        request.check(set).unwrap().choose(set, &Watch::default()).unwrap().unwrap()
    }

    #[test]
    fn folds_that_leave_nothing_to_train_on_or_to_score_are_refused() {
        let x = Features::new(3, 1, vec![1.0, 2.0, 3.0]).unwrap();
        let set = set(x, &[0.0, 1.0, 0.0], 2, None);
        let refused = |request: Request| request.check(&set).unwrap_err().to_string();
        let expected = "`cv=4`: 4 folds need at least 4 samples, found 3";
        assert_eq!(refused(request(4)), expected);
        let expected = "`cv=2`: expected at least two folds, each with samples to train on and \
                        samples to score";
        let nothing = Fold { train: vec![], test: vec![0] };
        let absent = Fold { train: vec![3], test: vec![0] };
        assert_eq!(refused(request(2).on_folds(vec![nothing.clone(), absent])), expected);
        let good = Fold { train: vec![1], test: vec![0] };
        assert_eq!(refused(request(2).on_folds(vec![good, nothing])), expected);
    }

    #[test]
    fn one_standard_error_takes_the_largest_strength_that_is_nearly_best() {
        // Means 0.5, 0.8, 0.85; the best has the standard error 0.05.
        let scores = [vec![0.5, 0.8, 0.8], vec![0.5, 0.8, 0.9]];
        let rule = |one_se| best(&[1.0, 0.5, 0.1], one_se, &scores).unwrap();
        let least = rule(false);
        assert_eq!(least.ratio, 0.1);
        assert!((least.score - 0.85).abs() < 1e-12 && (least.error - 0.05).abs() < 1e-12);
        assert_eq!(rule(true).ratio, 0.5);
    }

    #[test]
    fn folds_cut_short_have_a_say_where_that_leaves_more_to_compare() {
        let (full, half, none) = (vec![0.6, 0.9], vec![0.7], vec![]);
        for (scores, expected) in [
            (vec![&full, &half], Some((2, 1))),
            (vec![&full, &full, &half], Some((2, 2))),
            (vec![&full, &full, &none], Some((2, 2))),
            (vec![&full, &full, &full], Some((3, 2))),
            (vec![&full, &none], None),
        ] {
            let scores: Vec<Vec<f64>> = scores.into_iter().cloned().collect();
            let found = best(&[0.5, 0.1], false, &scores).ok();
            assert_eq!(found.map(|choice| (choice.folds, choice.ratios.len())), expected);
        }
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
        for method in ["method=sample patterns=100", "method=generate"] {
            let selection = chosen(&request(3).with(method).unwrap(), &set);
            assert!(selection.score > 0.8, "{selection:?}");
        }
    }

    #[test]
    fn leaving_one_out_scores_numbers_too() {
        let (x, y) = step(12);
        let request = request(12).with("patterns=50 least_ratio=0.01 method=sample").unwrap();
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
        let count = |event: Event<'_>| {
            told.fetch_add(usize::from(event == Event::Scored), Ordering::Relaxed);
        };
        let watch = Watch { listener: Some(&count), ..Watch::default() };
        let request = request(2).with("method=complete").unwrap();
        let selection = request.check(&set).unwrap().choose(&set, &watch).unwrap().unwrap();
        assert_eq!(selection.scores.len(), 2);
        assert_eq!(told.into_inner(), 4, "two candidates on two folds");
    }

    #[test]
    fn a_count_is_as_good_as_that_many_samples() {
        let (x, y) = step(30);
        let counts: Vec<f64> = (0..30).map(|i| f64::from(i % 3)).collect();
        let rows: Vec<usize> = (0..30).flat_map(|i| [i].repeat(i % 3)).collect();
        let many_y: Vec<f64> = rows.iter().map(|&i| y[i]).collect();
        let halves = |of: &[usize]| -> Vec<Fold> {
            let part = |odd| (0..of.len()).filter(|&k| (of[k] % 2 == 1) == odd).collect();
            vec![
                Fold { train: part(true), test: part(false) },
                Fold { train: part(false), test: part(true) },
            ]
        };
        for classes in [2, 0] {
            let weighted = set(x.clone(), &y, classes, Some(counts.clone()));
            let folds = halves(&(0..30).collect::<Vec<_>>());
            let one = chosen(&request(2).on_folds(folds), &weighted);
            let many = set(x.select(&rows), &many_y, classes, None);
            let other = chosen(&request(2).on_folds(halves(&rows)), &many);
            assert_eq!(one.ratio, other.ratio);
            for (a, b) in one.scores.iter().zip(&other.scores) {
                assert!((a - b).abs() < 1e-9, "{one:?} {other:?}");
            }
        }
    }
}
