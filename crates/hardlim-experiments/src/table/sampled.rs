//! Averages of networks, `f(x) = (1/A) Σ_k f_k(x)`. Each network solves the Lasso program over its own large
//! sample of patterns, with the logistic loss.
//!
//! The samples do not depend on targets, so they are drawn once, and the folds use rows of them. All
//! networks share the folds and `β`, a fraction of the first sample's `β_max` on each fold. The average is
//! cross-validated.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

use hardlim::Error;
use hardlim::arrangement::{Hyperplane, evaluate};
use hardlim::certificate::{Certificate, Problem};
use hardlim::data::{Features, Scaling, Targets};
use hardlim::loss::LossKind;
use hardlim::network::score::accuracy;
use hardlim::network::{Layer, Network, Neuron, recipe};
use hardlim::pattern::PatternMatrix;
use hardlim::pattern::threshold::flush;
use hardlim::program::{Beta, Constraints, LassoProgram};
use hardlim::solver::{ActiveSet, Budget};
use hardlim::train::geometric;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::stratified;
use crate::samples::Samples;

/// The relative gap at which a network is good enough to be scored.
const TOLERANCE: f64 = 1e-3;
/// The largest and the smallest fraction of `β_max` that is tried.
pub(super) const RATIOS: (f64, f64) = (0.5, 1e-3);
/// Strengths are tried until a network has more neurons than this.
pub(super) const NEURONS: usize = 300;
/// The largest strength within this many standard errors of the best is chosen.
pub(super) const ERRORS: f64 = 0.5;
/// The numbers of inputs that neurons read, all with the same probability.
pub(super) const FEW: [usize; 3] = [1, 2, 3];
/// The same, with a wider range.
pub(super) const MIXED: [usize; 5] = [1, 2, 4, 8, 16];

/// How the weights of a neuron are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Draw {
    /// Gaussian weights and bias, on standardised inputs.
    Standard,
    /// Gaussian weights and bias, on inputs as they are.
    Raw,
    /// Gaussian weights on standardised inputs, as many as one of these numbers; the hyperplane passes
    /// through the middle between two samples.
    Some(&'static [usize]),
}

/// How an average is trained.
#[derive(Debug, Clone)]
pub(super) struct Sampled<'a> {
    pub(super) draw: Draw,
    /// The number of patterns that are drawn for each network.
    pub(super) patterns: usize,
    /// `A`.
    pub(super) networks: usize,
    pub(super) folds: usize,
    /// The number of strengths that are tried.
    pub(super) ratios: usize,
    pub(super) budget: Budget<'a>,
    /// For the weights, and for the folds.
    pub(super) seeds: (u64, u64),
}

/// The hyperplanes of one sample, and their answers on the training rows.
struct Sample {
    planes: Vec<Hyperplane>,
    patterns: PatternMatrix,
}

impl Sampled<'_> {
    /// Chooses the strength on these rows of the training part, trains on all of it, and scores.
    pub(super) fn fit(
        &self,
        train: &Samples,
        rows: &[usize],
        test: &Samples,
    ) -> Result<Value, Error> {
        let start = Instant::now();
        let samples = self.samples(train)?;
        let (most, least) = RATIOS;
        let ratios: Vec<f64> =
            geometric(least / most, self.ratios).iter().map(|r| r * most).collect();
        let (chosen, score) = self.choose(&samples, train, rows, &ratios)?;
        let select_seconds = start.elapsed().as_secs_f64();
        let begun = Instant::now();
        let (network, beta) = self.network(&samples, train, &ratios[..=chosen])?;
        let data = train.dataset()?;
        let (loss, constraints) = (&LossKind::Logistic, Constraints::default());
        let problem = Problem::new(data.targets(), loss, beta, constraints)?;
        let output = network.output(data.features());
        let objective = problem.objective(&output, network.amplitudes().iter().copied());
        let certificate = Certificate::global(&problem, objective);
        Ok(json!({
            "strength": ratios[chosen], "cv_accuracy": score, "beta": beta.get(),
            "objective": objective, "lower_bound": certificate.lower_bound(),
            "neurons": network.neurons(), "train_accuracy": train.accuracy(&network),
            "test_accuracy": test.accuracy(&network),
            "select_seconds": select_seconds, "train_seconds": begun.elapsed().as_secs_f64(),
        }))
    }

    fn samples(&self, train: &Samples) -> Result<Vec<Sample>, Error> {
        let data = train.dataset()?;
        let scaling = recipe::scaling(&data, true, self.draw != Draw::Raw);
        let mut rng = ChaCha8Rng::seed_from_u64(self.seeds.0);
        rng.set_stream(4); // Convex-Lasso draws from another stream of this seed
        let samples = (0..self.networks).map(|_| {
            let drawn: Vec<Hyperplane> =
                (0..self.patterns).map(|_| self.plane(&train.x, &scaling, &mut rng)).collect();
            let patterns = evaluate(&train.x, &drawn);
            let mut seen = HashSet::new();
            let distinct: Vec<usize> =
                (0..drawn.len()).filter(|&j| seen.insert(patterns.pattern(j))).collect();
            let planes = distinct.iter().map(|&j| drawn[j].clone()).collect();
            Sample { planes, patterns: patterns.select(&distinct) }
        });
        Ok(samples.collect())
    }

    /// Draws one hyperplane.
    fn plane(&self, x: &Features, scaling: &Scaling, rng: &mut impl Rng) -> Hyperplane {
        let width = x.dimension();
        let Draw::Some(counts) = self.draw else {
            let weights: Vec<f64> = (0..width).map(|_| rng.sample(StandardNormal)).collect();
            let (weights, bias) = scaling.fold(&weights, rng.sample(StandardNormal));
            let weights = weights.into_iter().map(flush).collect();
            return Hyperplane { weights, bias: flush(bias) };
        };
        let mut weights = vec![0.0; width];
        for _ in 0..counts[rng.random_range(0..counts.len())] {
            weights[rng.random_range(0..width)] = rng.sample(StandardNormal);
        }
        let (weights, _) = scaling.fold(&weights, 0.0);
        let weights: Vec<f64> = weights.into_iter().map(flush).collect();
        let mut height = || {
            let row = x.row(rng.random_range(0..x.rows()));
            row.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>()
        };
        let bias = flush(-0.5 * (height() + height()));
        Hyperplane { weights, bias }
    }

    /// The index of the chosen strength, and its accuracy on the folds.
    fn choose(
        &self,
        samples: &[Sample],
        train: &Samples,
        rows: &[usize],
        ratios: &[f64],
    ) -> Result<(usize, f64), Error> {
        let y: Vec<f64> = rows.iter().map(|&i| train.y[i]).collect();
        let mut outputs = vec![vec![0.0; y.len()]; ratios.len()];
        let mut reached = ratios.len();
        for fold in stratified(&y, self.folds, self.seeds.1) {
            let of = |places: &[usize]| places.iter().map(|&i| rows[i]).collect::<Vec<_>>();
            let (most, aside) = (of(&fold.train), of(&fold.test));
            let parts: Vec<[PatternMatrix; 2]> = (samples.iter())
                .map(|sample| {
                    let by_row = sample.patterns.transposed();
                    [&most, &aside].map(|rows| by_row.select(rows).transposed())
                })
                .collect();
            let targets = Targets::plain(most.iter().map(|&i| train.y[i]).collect());
            let programs: Vec<(LassoProgram<'_, LossKind>, &PatternMatrix)> = (parts.iter())
                .map(|[most, aside]| Ok((program(most, &targets)?, aside)))
                .collect::<Result<_, Error>>()?;
            let betas = betas(&programs[0].0, ratios)?;
            // For every network, the output at each strength.
            let found: Vec<Vec<Vec<f64>>> = together(&programs, |(program, aside)| {
                let mut outputs = Vec::new();
                self.solver().path(program, betas.iter().copied(), |solution| {
                    let used = solution.coefficients.iter().copied().enumerate();
                    let used: Vec<(usize, f64)> = used.filter(|(_, a)| *a != 0.0).collect();
                    if used.len() > NEURONS && !outputs.is_empty() {
                        return ControlFlow::Break(());
                    }
                    outputs.push(aside.combine(used));
                    ControlFlow::Continue(())
                });
                outputs
            });
            for network in &found {
                reached = reached.min(network.len());
                for (sum, output) in outputs.iter_mut().zip(network) {
                    fold.test.iter().zip(output).for_each(|(&i, u)| sum[i] += u);
                }
            }
        }
        if reached == 0 {
            return Err(Error::Interrupted);
        }
        let scores: Vec<f64> = outputs[..reached].iter().map(|u| accuracy(u, &y)).collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        let error = (best * (1.0 - best) / y.len() as f64).sqrt();
        let chosen = scores.iter().position(|score| *score >= best - ERRORS * error);
        let chosen = chosen.expect("the best is among them");
        Ok((chosen, scores[chosen]))
    }

    /// The average, trained on all rows, at the last of these strengths.
    fn network(
        &self,
        samples: &[Sample],
        train: &Samples,
        ratios: &[f64],
    ) -> Result<(Network, Beta), Error> {
        let targets = Targets::plain(train.y.clone());
        let programs: Vec<LassoProgram<'_, LossKind>> = (samples.iter())
            .map(|sample| program(&sample.patterns, &targets))
            .collect::<Result<_, Error>>()?;
        let betas = betas(&programs[0], ratios)?;
        let found = together(&programs, |program| {
            let mut last = Vec::new();
            self.solver().path(program, betas.iter().copied(), |solution| {
                last = solution.coefficients;
                ControlFlow::Continue(())
            });
            last
        });
        let (mut neurons, mut amplitudes) = (Vec::new(), Vec::new());
        for (sample, coefficients) in samples.iter().zip(found) {
            let used = sample.planes.iter().zip(coefficients).filter(|(_, a)| *a != 0.0);
            for (plane, a) in used {
                neurons.push(Neuron::from(plane.clone()));
                amplitudes.push(a / self.networks as f64);
            }
        }
        let layers = vec![Layer { neurons }];
        let network = Network::new(train.x.dimension(), layers, amplitudes, 0.0)?;
        Ok((network, *betas.last().expect("there are strengths")))
    }

    fn solver(&self) -> ActiveSet<'_> {
        ActiveSet { tolerance: TOLERANCE, budget: self.budget, ..ActiveSet::default() }
    }
}

/// The Lasso program of a sample; the caller chooses its strength.
fn program<'a>(
    patterns: &'a PatternMatrix,
    targets: &'a Targets,
) -> Result<LassoProgram<'a, LossKind>, Error> {
    LassoProgram::new(patterns, targets, LossKind::Logistic, Beta::new(1.0)?)
}

/// These fractions of the program's `β_max`.
fn betas(program: &LassoProgram<'_, LossKind>, ratios: &[f64]) -> Result<Vec<Beta>, Error> {
    let beta_max = program.beta_max();
    ratios.iter().map(|ratio| Beta::new(ratio * beta_max)).collect()
}

/// The results for all items, in their order, computed in parallel. It uses the threads of the calling pool:
/// work in another pool might need the thread that waits for it.
fn together<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    items.par_iter().with_max_len(1).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardlim::data::builtin::TableSize;

    fn sampled(draw: Draw, networks: usize) -> Sampled<'static> {
        let budget = Budget::default();
        Sampled { draw, patterns: 60, networks, folds: 2, ratios: 4, budget, seeds: (3, 4) }
    }

    #[test]
    fn an_average_is_the_mean_of_its_networks() {
        let train = Samples::builtin("titanic", TableSize::default()).unwrap();
        for draw in [Draw::Standard, Draw::Raw, Draw::Some(&FEW)] {
            let both = sampled(draw, 2);
            let samples = both.samples(&train).unwrap();
            let (network, beta) = both.network(&samples, &train, &[0.5, 0.1]).unwrap();
            let mean = network.output(&train.x);
            let mut expected = vec![0.0; mean.len()];
            for sample in &samples {
                let targets = Targets::plain(train.y.clone());
                let program = program(&sample.patterns, &targets).unwrap().with_beta(beta);
                let solution = ActiveSet { tolerance: 1e-9, ..both.solver() }.solve(&program);
                let output = program.output(&solution.coefficients);
                expected.iter_mut().zip(output).for_each(|(sum, u)| *sum += 0.5 * u);
            }
            // Outputs at a relative gap of 1e-3 are close to those of the optimum.
            let apart = mean.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 0.1, "{draw:?}: {apart}");
        }
    }

    #[test]
    fn neurons_of_few_inputs_read_no_more() {
        let train = Samples::builtin("tic-tac-toe", TableSize::default()).unwrap();
        for sample in sampled(Draw::Some(&FEW), 2).samples(&train).unwrap() {
            let reads = |p: &Hyperplane| p.weights.iter().filter(|w| **w != 0.0).count();
            assert!(sample.planes.iter().all(|plane| (1..=3).contains(&reads(plane))));
            assert_eq!(sample.planes.len(), sample.patterns.patterns());
        }
    }

    #[test]
    fn the_pool_that_waits_does_the_work() {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let found = alone.install(|| {
            let waiting = std::thread::current().id();
            together(&[1, 2, 3], |item| (*item, std::thread::current().id() == waiting))
        });
        assert_eq!(found, [(1, true), (2, true), (3, true)]);
    }

    #[test]
    fn a_record_repeats() {
        let train = Samples::builtin("titanic", TableSize::default()).unwrap();
        let rows: Vec<usize> = (0..train.y.len()).step_by(3).collect();
        let records = [0, 1].map(|_| {
            let mut record = sampled(Draw::Standard, 2).fit(&train, &rows, &train).unwrap();
            record.as_object_mut().unwrap().retain(|field, _| !field.ends_with("_seconds"));
            record
        });
        assert_eq!(records[0], records[1]);
        assert!(records[0]["train_accuracy"].as_f64().unwrap() > 0.7);
        let bound = records[0]["lower_bound"].as_f64().unwrap();
        assert!(bound <= records[0]["objective"].as_f64().unwrap());
    }
}
