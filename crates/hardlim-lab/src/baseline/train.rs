//! Stochastic gradient descent on `L(f(X)) + β/2 (Σ w² + b² + s² + v²)`, with surrogate slopes.

use std::time::{Duration, Instant};

use faer::{Mat, MatRef};
use hardlim::Error;
use hardlim::data::{Dataset, Scaling, Targets};
use hardlim::loss::{self, LossKind};
use hardlim::network::{Network, recipe};
use hardlim::program::Beta;
use hardlim::solver::Budget;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::convert;
use super::norm::Statistics;
use super::parameters::Parameters;
use super::pass::{Activation, Pass};
use super::plateau::Plateau;
use super::surrogate::Surrogate;

/// The settings of a training by gradients.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// Replaces the derivative of the threshold.
    pub surrogate: Surrogate,
    /// The widths of the hidden layers, each fully connected to the next.
    pub widths: Vec<usize>,
    /// The number of passes over the data.
    pub epochs: usize,
    /// The initial learning rate, for the mean loss over the samples.
    pub learning_rate: f64,
    /// Epochs without progress before the learning rate falls.
    pub patience: usize,
    /// What the learning rate is multiplied by when it falls.
    pub factor: f64,
    /// The number of rows in a step; all rows if absent.
    pub batch: Option<usize>,
    /// Whether every hidden layer has batch normalisation.
    pub batch_norm: bool,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// Whether inputs are standardised for training.
    pub standardize: bool,
    /// The seed for the initial weights and the batches.
    pub seed: u64,
    /// Which start of this seed.
    pub start: u64,
}

impl Default for Baseline {
    fn default() -> Self {
        Self {
            surrogate: Surrogate::Identity,
            widths: vec![1000],
            epochs: 500,
            learning_rate: 0.01,
            patience: 10,
            factor: 0.1,
            batch: None,
            batch_norm: false,
            bias: true,
            standardize: true,
            seed: 0,
            start: 0,
        }
    }
}

/// The stream of the first start; data, weights, splits and folds of the same seed use streams
/// before it.
const STREAM: u64 = 1 << 32;

/// The random numbers of one start of a seed. No two starts share any, and none shares any with the
/// data or the splits of a seed.
pub(crate) fn rng(seed: u64, start: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(STREAM.wrapping_add(start));
    rng
}

/// The state of a training after an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// The number of epochs so far.
    pub epoch: usize,
    /// Seconds since the start.
    pub seconds: f64,
    /// `L + β/2 (Σ w² + b² + s² + v²)` as trained.
    pub raw: f64,
    /// `L + β Σ|a|`: the objective after the best rescaling, which does not change the outputs.
    pub rescaled: f64,
    /// The current learning rate.
    pub learning_rate: f64,
}

/// The result of a training by gradients.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The network of the epoch with the smallest rescaled objective.
    pub network: Network,
    /// The smallest objective as trained, over all epochs.
    pub raw: f64,
    /// The smallest objective after rescaling, over all epochs.
    pub rescaled: f64,
    /// All epochs.
    pub epochs: Vec<Epoch>,
}

impl Baseline {
    /// Trains a network on these data. It ends early when the budget is spent. `visit` is called
    /// after every epoch, and can have its network; the time that it takes does not count.
    ///
    /// # Errors
    /// When the loss does not take the targets, or numbers overflow in the first epoch.
    pub fn train(
        &self,
        data: &Dataset,
        loss: LossKind,
        beta: Beta,
        budget: &Budget<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<Trained, Error> {
        use hardlim::loss::Loss as _;
        loss.check_targets(data.targets())?;
        let start = Instant::now();
        let scaling = recipe::scaling(data, self.bias, self.standardize);
        let all = Scaled::new(data, &scaling, loss);
        let mut rng = rng(self.seed, self.start);
        let mut parameters =
            Parameters::draw(data.dimension(), &self.widths, self.bias, self.batch_norm, &mut rng);
        let mut gradient = parameters.zeros_like();
        let mut squared_norm = parameters.squared_norm();
        let (mut pass, mut small) =
            (Pass::new(Activation::Threshold), Pass::new(Activation::Threshold));
        let mut plateau = Plateau::new(self.learning_rate, self.patience, self.factor);
        let decay = beta.get() / all.weight;
        let mut best: Option<(f64, Parameters, Vec<Vec<Statistics>>)> = None;
        let mut epochs = Vec::new();
        let mut aside = Duration::ZERO; // for visits
        for epoch in 0..=self.epochs {
            // The full pass gives the objective. If a batch has all rows, it also gives the step.
            pass.forward(&parameters, all.x.as_ref());
            let total = loss::total(&loss, &all.targets, &pass.output);
            let raw = total + 0.5 * beta.get() * squared_norm;
            let sizes = parameters.amplitudes().into_iter().map(f64::abs);
            let rescaled = total + beta.get() * sizes.sum::<f64>();
            if !(raw.is_finite() && rescaled.is_finite()) {
                break; // the learning rate was too large; the earlier epochs are kept
            }
            let seconds = (start.elapsed() - aside).as_secs_f64();
            let now = Epoch { epoch, seconds, raw, rescaled, learning_rate: plateau.rate };
            epochs.push(now);
            let visited = Instant::now();
            visit(&now, &|| convert::network(&parameters, &pass.statistics(), &scaling));
            aside += visited.elapsed();
            if best.as_ref().is_none_or(|(lowest, ..)| rescaled < *lowest) {
                best = Some((rescaled, parameters.clone(), pass.statistics()));
            }
            if epoch == self.epochs || budget.spent().is_some() {
                break;
            }
            plateau.see(raw);
            let mut step = |parameters: &mut Parameters, pass: &mut Pass, rows: &Scaled| {
                let by_output = rows.by_output(&pass.output);
                let x = rows.x.as_ref();
                pass.backward(parameters, x, self.surrogate, &by_output, &mut gradient);
                squared_norm = parameters.step(&gradient, plateau.rate, decay, self.bias);
            };
            match self.batch.filter(|&size| size < all.x.nrows()) {
                None => step(&mut parameters, &mut pass, &all),
                Some(size) => {
                    for batch in batches(all.x.nrows(), size, &mut rng) {
                        if budget.spent().is_some() {
                            break; // the next epoch is the last
                        }
                        let part = all.select(&batch);
                        small.forward(&parameters, part.x.as_ref());
                        step(&mut parameters, &mut small, &part);
                    }
                }
            }
        }
        let (rescaled, parameters, statistics) =
            best.ok_or(Error::Network("numbers overflow in the first epoch".into()))?;
        let network = convert::network(&parameters, &statistics, &scaling)?;
        let raw = epochs.iter().map(|epoch| epoch.raw).fold(f64::INFINITY, f64::min);
        Ok(Trained { network, raw, rescaled, epochs })
    }
}

/// Sees an epoch, and can have its network.
pub type Visit<'a> = dyn FnMut(&Epoch, &dyn Fn() -> Result<Network, Error>) + 'a;

/// Some rows, scaled, with their targets.
struct Scaled {
    x: Mat<f64>,
    targets: Targets,
    loss: LossKind,
    /// `Σ s`: the loss is a sum, and the learning rate is for the mean.
    weight: f64,
}

impl Scaled {
    fn new(data: &Dataset, scaling: &Scaling, loss: LossKind) -> Self {
        let (values, width) = (scaling.apply(data.features()), data.dimension());
        let rows = MatRef::from_row_major_slice(&values, data.distinct(), width);
        let weight = data.targets().iter().map(|atoms| atoms.weight()).sum();
        Self { x: rows.to_owned(), targets: data.targets().clone(), loss, weight }
    }

    /// These rows only; they represent all rows.
    fn select(&self, rows: &[u32]) -> Self {
        let x = Mat::from_fn(rows.len(), self.x.ncols(), |i, k| self.x[(rows[i] as usize, k)]);
        let targets = self.targets.select(rows);
        let weight = targets.iter().map(|atoms| atoms.weight()).sum();
        Self { x, targets, loss: self.loss, weight }
    }

    fn by_output(&self, output: &[f64]) -> Vec<f64> {
        let mut gradient = loss::gradient(&self.loss, &self.targets, output);
        // If all weights are zero, there is no mean.
        let weight = if self.weight > 0.0 { self.weight } else { 1.0 };
        gradient.iter_mut().for_each(|z| *z /= weight);
        gradient
    }
}

/// All rows in random order, in batches of this size.
fn batches(rows: usize, size: usize, rng: &mut impl Rng) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.shuffle(rng);
    order.chunks(size.max(1)).map(<[u32]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardlim::certificate::Problem;
    use hardlim::data::Features;
    use hardlim::program::Constraints;
    use hardlim::solver::ActiveSet;

    /// Four clusters whose classes alternate.
    fn crossed() -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for i in 0..40 {
            let (a, b) = (i % 2, i / 2 % 2);
            for side in [a, b] {
                x.push(2.0 * f64::from(side) - 1.0 + rng.random_range(-0.5..0.5));
            }
            y.push(if a == b { 1.0 } else { -1.0 });
        }
        Dataset::new(Features::new(40, 2, x).unwrap(), &y, None).unwrap()
    }

    fn objective(network: &Network, data: &Dataset, loss: LossKind, beta: Beta) -> f64 {
        let constraints = Constraints::default();
        let problem = Problem::new(data.targets(), &loss, beta, constraints).unwrap();
        problem.objective(&network.output(data.features()), network.amplitudes().iter().copied())
    }

    #[test]
    fn what_comes_out_is_a_network_with_the_objective_it_was_trained_to() {
        let data = crossed();
        let beta = Beta::new(0.1).unwrap();
        for (surrogate, widths, batch, batch_norm) in [
            (Surrogate::Identity, vec![30], None, false),
            (Surrogate::Relu, vec![30], Some(8), false),
            (Surrogate::LeakyRelu, vec![10, 8], None, true),
            (Surrogate::ClippedRelu, vec![10, 8, 6], Some(16), true),
        ] {
            for loss in ["squared", "logistic", "hinge"] {
                let loss: LossKind = loss.parse().unwrap();
                let baseline = Baseline {
                    surrogate,
                    widths: widths.clone(),
                    batch,
                    batch_norm,
                    epochs: 60,
                    learning_rate: 0.1,
                    ..Baseline::default()
                };
                let budget = Budget::default();
                let mut seen = 0;
                let found =
                    baseline.train(&data, loss, beta, &budget, &mut |_, _| seen += 1).unwrap();
                assert_eq!((seen, found.epochs.len()), (61, 61));
                let first = &found.epochs[0];
                assert!(found.rescaled < first.rescaled && found.rescaled <= found.raw);
                let measured = objective(&found.network, &data, loss, beta);
                let error = (measured - found.rescaled).abs();
                assert!(
                    error < 1e-9 * measured,
                    "{surrogate} {loss}: {measured} {}",
                    found.rescaled
                );
                let solver = ActiveSet::default();
                let (polished, solution) =
                    crate::baseline::polish(&found.network, &data, loss, beta, &solver).unwrap();
                assert!(solution.certificate.relative_gap() <= 1e-6);
                assert!(objective(&polished, &data, loss, beta) <= measured * (1.0 + 1e-6));
            }
        }
    }

    fn trained(baseline: &Baseline) -> Network {
        let (loss, beta, budget) = (LossKind::Squared, Beta::new(0.1).unwrap(), Budget::default());
        baseline.train(&crossed(), loss, beta, &budget, &mut |_, _| {}).unwrap().network
    }

    #[test]
    fn a_seed_decides_everything() {
        let train = |seed, start| {
            let (widths, batch) = (vec![12, 5], Some(7));
            trained(&Baseline { widths, batch, epochs: 5, seed, start, ..Baseline::default() })
        };
        assert_eq!(train(1, 0), train(1, 0));
        assert_ne!(train(1, 0), train(2, 0));
        assert_ne!(train(0, 1), train(1, 0));
    }

    #[test]
    fn without_a_bias_there_is_none() {
        let baseline = Baseline { widths: vec![9], epochs: 5, bias: false, ..Baseline::default() };
        let network = trained(&baseline);
        assert!(network.layers()[0].neurons.iter().all(|neuron| neuron.bias == 0.0));
    }
}
