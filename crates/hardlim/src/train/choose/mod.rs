//! Choosing everything: the network that is expected to predict best, and what it is expected to
//! score.
//!
//! The candidates are classes of networks ([`InputClass`]). One is the optimum over neurons that
//! read one input, which is proven. The others are averages of networks. Each of these solves the
//! Lasso program on a small dictionary of its own: random neurons that read a few inputs, or many,
//! or neurons whose weights on all inputs are searched for, with an output bias that is not
//! penalised. Such an average predicts better than the optimum over all patterns together, because
//! the accidents of the small samples average out. The class and the strength `β` are chosen by the
//! loss on rows that were not trained on.

mod average;
mod candidate;
mod counts;
mod dates;
mod eliminate;
mod few;
mod paths;
mod rules;
mod search;

pub use candidate::InputClass;
pub use rules::ListBound;

use std::iter;
use std::time::Duration;

use self::candidate::{Candidate, Training};
pub(super) use self::counts::Counts;
use self::few::Few;
use self::paths::or_one;
use super::folds::score::HeldOut;
use super::folds::{Choice, Samples, Validation};
use super::tuning::{CHOOSING_PREDICTIONS, EFFORT_OF_SEARCHED, GRID, KEPT, RULES_STRENGTHS, SLACK};
use super::{Event, Method, Predict, Request, Rules, Strength, Terms, Trained, Trainer, Watch};
use crate::arrangement::{Dictionary, Policy};
use crate::data::{Dataset, TrainingSet};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::Model;
use crate::network::Network;
use crate::network::recipe::{self, Recipe};
use crate::pattern::PatternMatrix;
use crate::pricing::Prover;
use crate::program::{Beta, LassoProgram};
use crate::solver::{ActiveSet, Budget, Work};

/// What the best predictions are chosen among, decided before training.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Predictions {
    candidates: Vec<Candidate>,
    pub(super) counts: Counts,
    neurons: Option<usize>,
    output_bits: Option<u32>,
    rules: Option<Rules>,
}

/// One candidate, and how it is compared and trained.
#[derive(Debug, Clone, Copy)]
struct Chooser<'a> {
    trainer: Trainer<'a>,
    predictions: &'a Predictions,
    validation: &'a Validation,
    candidate: &'a Candidate,
    counts: Counts,
    /// What comparing may take; the rest is for the network that is written.
    choosing: Budget<'a>,
    /// The way in which few neurons are chosen.
    way: usize,
}

impl Request {
    pub(super) fn predictions(&self, predict: &Predict, set: &TrainingSet) -> Predictions {
        let (candidates, counts) = self.candidates(predict, set);
        Predictions {
            candidates,
            counts,
            neurons: predict.neurons,
            output_bits: predict.output_bits,
            rules: predict.rules,
        }
    }
}

/// The strengths that are tried, as fractions of `β_max`. They are products: a power may be
/// computed by the compiler or by the program, with different last digits.
pub(super) fn grid() -> Vec<f64> {
    let (most, step, count) = GRID;
    iter::successors(Some(most), |ratio| Some(ratio * step)).take(count).collect()
}

impl Predictions {
    /// The strengths that are tried.
    pub(super) fn ratios(&self) -> Vec<f64> {
        if self.rules.is_some() { RULES_STRENGTHS.to_vec() } else { grid() }
    }

    /// Chooses, and trains on all rows; a problem is solved in so much counted work, if that is
    /// limited.
    pub(super) fn train(
        &self,
        validation: &Validation,
        trainer: Trainer<'_>,
        set: &TrainingSet,
        limit: Option<Duration>,
        watch: &Watch<'_>,
    ) -> Result<Trained, Error> {
        if let Some(rules) = self.rules {
            return self.train_rules(rules, validation, trainer, set, limit, watch);
        }
        watch.tell(Event::Choosing { scores: self.scores(self.counts) });
        let deadline = trainer
            .budget
            .deadline
            .map(|(_, limit)| (watch.start + limit.mul_f64(CHOOSING_PREDICTIONS), limit));
        let choosing = Budget { deadline, progress: None, ..trainer.budget };
        let samples = Samples::new(set, &validation.folds)?;
        let folds = samples.folds.len();
        let held_out = |outputs| HeldOut::new(&samples, folds, validation, trainer.loss, outputs);
        let mut chooser = Chooser {
            trainer,
            predictions: self,
            validation,
            candidate: &self.candidates[0],
            counts: self.counts,
            choosing,
            way: 0,
        };
        let mut compared: Vec<(&Candidate, HeldOut<'_>)> = Vec::new();
        for (k, candidate) in self.candidates.iter().enumerate() {
            if candidate.draws() && k >= chooser.counts.candidates {
                continue;
            }
            chooser.candidate = candidate;
            if let Training::Searched(search) = candidate.training {
                let best = &compared[Self::best(&compared)].1;
                if !chooser.promises(&samples, search, best)? {
                    continue;
                }
            }
            let scored = || watch.tell(Event::Scored);
            let (outputs, first) = chooser.cross_validate(set, &samples, &scored)?;
            if let Some(fitting) = first {
                chooser.counts = fitting;
                watch.tell(Event::Choosing { scores: self.scores(fitting) });
            }
            // What was cut short is worth less than what was not.
            if choosing.spent().is_some() && !compared.is_empty() {
                break;
            }
            compared.push((candidate, held_out(outputs)));
        }
        let late = choosing.spent();
        let winner = Self::best(&compared);
        let classes = compared.iter().map(|(c, held_out)| (c.class, held_out.least())).collect();
        let choice = |k: usize, classes| {
            let (candidate, held_out): &(&Candidate, _) = &compared[k];
            held_out.choice(candidate.class, classes, late.is_none())
        };
        let mut chosen = choice(winner, classes);
        chooser.candidate = compared[winner].0;
        let prunes = chooser.candidate.training != Training::Requested;
        if let (Some(_), true, None) = (self.neurons, prunes, late) {
            let mut least = f64::INFINITY;
            for k in Self::finalists(&compared) {
                let finalist = Chooser { candidate: compared[k].0, ..chooser };
                let classes = chosen.predicted.as_ref().map(|found| found.classes.clone());
                let choice = choice(k, classes.unwrap_or_default());
                let outputs = finalist.pruned(set, &samples, &choice)?;
                let pruned: Vec<HeldOut<'_>> = outputs.into_iter().map(held_out).collect();
                // What was cut short cannot be compared.
                let late = choosing.spent().is_some();
                if late && least.is_finite() {
                    break;
                }
                let way = self.best_way(if late { &pruned[..1] } else { &pruned });
                let pruned = &pruned[way];
                if pruned.scaled() < least {
                    least = pruned.scaled();
                    let expected = pruned.choice(finalist.candidate.class, Vec::new(), true);
                    chosen = choice.expecting(expected);
                    chooser = Chooser { way, ..finalist };
                }
            }
        }
        let choice = chosen;
        watch.tell(Event::Class(0));
        let work = Work::default();
        let budget = match limit.filter(|_| chooser.candidate.training == Training::Solved) {
            Some(limit) => trainer.budget.counting(limit, &work),
            None => trainer.budget,
        };
        let trainer = Trainer { budget: watch.in_time(budget), ..trainer };
        let trained = Chooser { trainer, ..chooser }.train(set, &choice, watch)?;
        let calibration = choice.predicted.as_ref().and_then(|found| found.calibration);
        let model = trained.model.with_calibration(calibration);
        let stop = late.unwrap_or(trained.stop);
        Ok(Trained { model, stop, choice: Some(choice), ..trained })
    }

    fn scores(&self, counts: Counts) -> usize {
        let networks = |(k, candidate): (usize, &Candidate)| match candidate.training {
            Training::Solved => 1,
            _ if candidate.draws() && k >= counts.candidates => 0,
            _ => candidate.judged(&counts),
        };
        counts.folds * self.candidates.iter().enumerate().map(networks).sum::<usize>()
    }

    /// The way to few neurons with the least loss. If output weights have few bits, only classes
    /// are read: then it is the way that is right most often, unless this may be chance.
    fn best_way(&self, ways: &[HeldOut<'_>]) -> usize {
        let all = 0..ways.len();
        let less = |a: usize, b: usize| if ways[b].scaled() < ways[a].scaled() { b } else { a };
        let best = all.clone().reduce(less).expect("a way");
        if self.output_bits.is_none() {
            return best;
        }
        let right = all.filter(|&way| ways[way].is_right_more_often(&ways[best]));
        let more = |a: usize, b: usize| if ways[b].score() > ways[a].score() { b } else { a };
        right.reduce(more).unwrap_or(best)
    }

    /// The candidates that are compared with few neurons: the one with the least loss, and the one
    /// whose neurons read one input, because it suffers least from a limit.
    fn finalists(compared: &[(&Candidate, HeldOut<'_>)]) -> Vec<usize> {
        let best = least(compared);
        let one = compared.iter().position(|(c, _)| c.class == InputClass::One);
        [best].into_iter().chain(one.filter(|one| *one != best)).collect()
    }

    /// The candidate with the least loss, or the one that can be proven if it is hardly worse.
    fn best(compared: &[(&Candidate, HeldOut<'_>)]) -> usize {
        let best = least(compared);
        let proven = |k: &usize| compared[*k].0.training == Training::Solved;
        let near = |k: &usize| compared[*k].1.losses().is_as_low(&compared[best].1.losses());
        (0..compared.len()).filter(proven).find(near).unwrap_or(best)
    }
}

/// The place of the first candidate with the least loss.
fn least(compared: &[(&Candidate, HeldOut<'_>)]) -> usize {
    let loss = |k: usize| compared[k].1.least();
    let best = (0..compared.len()).reduce(|a, b| if loss(b) < loss(a) { b } else { a });
    best.expect("at least one candidate")
}

fn solver(tolerance: f64, budget: Budget<'_>) -> ActiveSet<'_> {
    ActiveSet { tolerance, slack: SLACK, budget, ..ActiveSet::default() }
}

impl Chooser<'_> {
    fn train(
        &self,
        set: &TrainingSet,
        choice: &Choice,
        watch: &Watch<'_>,
    ) -> Result<Trained, Error> {
        let sets = set.data().parts();
        let begin = |class| watch.tell(Event::Class(class));
        if self.candidate.training == Training::Solved {
            let strength = Strength::Ratio(choice.ratio);
            let trained = Trainer { strength, ..self.solved() }.train_all(set, begin)?;
            return self.pruned_model(trained, &sets);
        }
        let networks = self.candidate.averaged(&self.counts);
        self.recipe(networks).check_size(&sets[0], self.trainer.limits.memory)?;
        let mut dictionaries = Vec::with_capacity(networks);
        let mut draws = self.dictionaries(&sets[0]);
        for k in 0..networks as u64 {
            dictionaries.push(match self.candidate.training {
                Training::Searched(search) => {
                    let Trainer { seed, budget, .. } = self.trainer;
                    self.searched(&sets, search, seed.wrapping_add(k), budget)?
                }
                _ => draws.next().expect("draws never end"),
            });
            if self.trainer.budget.spent().is_some() {
                break;
            }
        }
        let recipe = self.recipe(dictionaries.len());
        let trainer = Trainer { budget: watch.in_time(self.trainer.budget), ..self.trainer };
        let in_time = Self { trainer, ..*self };
        let most = self.beta_max(&dictionaries, &sets)?;
        let betas = choice.path(or_one(most))?;
        let trained = match self.candidate.training {
            Training::Average | Training::Searched(_) => {
                in_time.average(set, &dictionaries, recipe, &betas)?
            }
            _ => {
                let strength = Strength::Beta(*betas.last().expect("the chosen strength"));
                Trainer { strength, ..trainer }.train_all(set, begin)?
            }
        };
        Ok(Trained { beta_max: most, ..trained })
    }

    /// What was trained, with networks of at most as many neurons as the request says.
    fn pruned_model(&self, trained: Trained, sets: &[Dataset]) -> Result<Trained, Error> {
        if self.predictions.neurons.is_none() {
            return Ok(trained);
        }
        let model = &trained.model;
        let pruned = (model.neurons(), model.certificate().objective());
        let parts = (model.parts().iter().zip(sets).enumerate())
            .map(|(class, (part, data))| {
                let most = self.share(class, sets.len()).expect("a limit on neurons");
                let prover = self.solved().ground(data)?.prover;
                let limits = (model.beta(), most);
                let networks = self.thinned(part.network(), data, limits, &prover)?;
                let network = self.of_its_way(networks);
                Ok(part.with_other_answers(network, data, model.setting()))
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let few = Model::new(model.coding().clone(), model.split(), *model.setting(), parts)?;
        let pruned = Some(pruned).filter(|(neurons, _)| few.neurons() < *neurons);
        Ok(Trained { model: few, pruned, ..trained })
    }

    /// For every way, a network of at most `most` neurons of these or others in scope of the
    /// prover.
    fn thinned(
        &self,
        network: &Network,
        data: &Dataset,
        (beta, most): (Beta, usize),
        prover: &Prover<'_>,
    ) -> Result<Vec<Network>, Error> {
        let neurons = network.layers()[0].neurons.iter();
        let pool = Dictionary {
            patterns: network.patterns(data.features()),
            witnesses: neurons.map(|neuron| neuron.hyperplane(data.dimension())).collect(),
        };
        let (amplitudes, offset) = (network.amplitudes().to_vec(), network.offset());
        let all = Few { columns: (0..amplitudes.len()).collect(), amplitudes, offset };
        self.few(data, (&pool, &all), beta, most, Some(prover))
    }

    /// The trainer of networks whose neurons read few inputs: one, or as many as the request
    /// allows.
    fn solved(&self) -> Trainer<'_> {
        let mut trainer = Trainer { method: Method::Generate, ..self.trainer };
        if trainer.terms.max_inputs.is_none() {
            trainer.tolerance = KEPT;
            trainer.terms.max_inputs = Some(1);
        }
        if self.candidate.class == InputClass::One {
            trainer.widths = &[];
        }
        trainer
    }

    /// How all patterns of this many networks are drawn again.
    fn recipe(&self, networks: usize) -> Recipe {
        if let Training::Searched(_) = self.candidate.training {
            return Recipe::Generate {
                max_inputs: None,
                effort: EFFORT_OF_SEARCHED,
                widths: Vec::new(),
                policy: Policy::default(),
            };
        }
        Recipe::Sample {
            draws: (self.counts.patterns * networks) as u64,
            seed: self.trainer.seed,
            standardize: self.trainer.terms.standardize,
            widths: Vec::new(),
            reads: Some(self.candidate.reads.clone()),
        }
    }

    /// A dictionary for each network: together they are what the recipe draws.
    fn dictionaries(&self, data: &Dataset) -> impl Iterator<Item = Dictionary> {
        let Terms { bias, standardize, input_cost, .. } = self.trainer.terms;
        let scaling = recipe::scaling(data, bias, standardize);
        let arrangement = recipe::arrangement(data, bias).with_fewest_inputs(input_cost != 0.0);
        let mut rng = recipe::rng(self.trainer.seed);
        let (patterns, reads) = (self.counts.patterns, &self.candidate.reads);
        iter::repeat_with(move || arrangement.sample_mixed(patterns, reads, &scaling, &mut rng))
    }

    fn program<'a>(
        &self,
        patterns: &'a PatternMatrix,
        costs: Option<&'a [f64]>,
        data: &'a Dataset,
        beta: Beta,
    ) -> Result<LassoProgram<'a, LossKind>, Error> {
        self.trainer.lasso(patterns, data)?.with_beta(beta).with_costs(costs)
    }

    /// What the patterns of a dictionary cost, if neurons pay for their inputs.
    fn costs(&self, dictionary: &Dictionary) -> Option<Vec<f64>> {
        dictionary.costs(self.trainer.terms.input_cost)
    }

    /// The largest `β_max` of these problems on these patterns.
    fn beta_max(&self, dictionaries: &[Dictionary], sets: &[Dataset]) -> Result<f64, Error> {
        let pairs = sets.iter().flat_map(|data| dictionaries.iter().map(move |d| (d, data)));
        let most = pairs.map(|(d, data)| {
            let program = self.trainer.lasso(&d.patterns, data)?;
            Ok(program.with_costs(self.costs(d).as_deref())?.beta_max())
        });
        Ok(most.collect::<Result<Vec<f64>, Error>>()?.into_iter().fold(0.0, f64::max))
    }
}
