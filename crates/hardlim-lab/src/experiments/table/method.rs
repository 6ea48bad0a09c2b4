//! Convex-Lasso, which chooses the strength and then trains; and what hardlim does without flags.

use std::ops::ControlFlow;
use std::time::Instant;

use hardlim::Error;
use hardlim::arrangement::evaluate;
use hardlim::explain::score::accuracy;
use hardlim::loss::{self, LossKind};
use hardlim::network::recipe::Recipe;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::train::Request;
use serde_json::{Value, json};

use super::{Method, Reading, Split};
use crate::experiments::experiment::{Context, Scale};
use crate::experiments::samples::{Samples, score};
use crate::experiments::sets::Set;

/// The paper's grid of strengths, largest first.
pub(super) const BETAS: [f64; 7] = [5.0, 1.0, 0.5, 1e-1, 1e-2, 1e-3, 1e-6];
/// The same grid with more strengths at its top, largest first: is it cut off there?
pub(super) const WIDER: [f64; 12] =
    [100.0, 50.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5, 1e-1, 1e-2, 1e-3, 1e-6];
/// The learning rates of the heuristics.
pub(super) const RATES: [f64; 4] = [1e-3, 5e-3, 1e-2, 1e-1];
/// The relative gap at which a network is good enough to be scored.
const TOLERANCE: f64 = 1e-3;
/// A network with less than this part of the loss of the zero network interpolates.
const FITTED: f64 = 1e-3;

/// The amount of work for a set.
#[derive(Debug, Clone)]
pub(super) struct Effort {
    /// The number of splits of `lasso` and `lasso-n`, of the readings without biases, of the
    /// heuristics, of the default, and of splits that were in view; for sets with a separate test
    /// part, the number of seeds.
    pub(super) many: usize,
    pub(super) origin: usize,
    pub(super) few: usize,
    pub(super) default: usize,
    pub(super) seen: usize,
    /// The number of sampled patterns of Convex-Lasso, and of neurons of the heuristics.
    pub(super) patterns: usize,
    /// Whether weights are drawn on standardised inputs, as for all sets but images.
    pub(super) standardize: bool,
    /// The folds of a choice, and the most rows for it.
    pub(super) folds: usize,
    pub(super) rows: usize,
    /// The most rows that the default is trained on.
    pub(super) trained: usize,
    /// Passes over the rows, and the rows in a step of the heuristics; all rows if absent.
    pub(super) epochs: usize,
    pub(super) batch: Option<usize>,
    /// The learning rates and strengths of the heuristics.
    pub(super) rates: &'static [f64],
    pub(super) betas: &'static [f64],
}

impl Effort {
    pub(super) fn new(context: &Context<'_>, set: &Set) -> Self {
        let (scale, convex) = (context.scale, context.convex);
        let (images, large) = (set.images(), set.large());
        let of = |small, medium, on_images| match (images, large) {
            (true, _) => on_images,
            (_, true) => medium,
            _ => small,
        };
        let full = scale == Scale::Full;
        Self {
            many: convex.pick(1, of(3, 1, 1), of(20, 5, 1)),
            origin: convex.pick(1, 1, of(5, 2, 1)),
            few: scale.pick(1, 1, of(5, 5, 1)),
            default: convex.pick(1, 1, of(5, 3, 1)),
            seen: convex.pick(1, of(1, 0, 0), of(5, 0, 0)),
            patterns: scale.pick(30, 1000, 1000),
            standardize: !images,
            folds: convex.pick(2, 2, of(5, 3, 3)),
            rows: convex.pick(100, of(1000, 1000, 2000), of(usize::MAX, usize::MAX, 5000)),
            trained: match convex {
                Scale::Full => scale.pick(60, of(usize::MAX, 2000, 2000), usize::MAX),
                _ => convex.pick(60, of(usize::MAX, 2000, 500), usize::MAX),
            },
            // On images, as many steps as there are epochs on the other sets.
            epochs: scale.pick(2, of(10, 10, 1), of(5000, 5000, 32)),
            batch: (!full || images).then_some(64),
            rates: if full { &RATES } else { &[5e-3] },
            betas: if full { &BETAS } else { &[1e-3] },
        }
    }

    pub(super) fn splits(&self, method: Method) -> u64 {
        let splits = match method {
            Method::Lasso(reading) if reading.bias => self.many,
            Method::Lasso(_) => self.origin,
            Method::Seen => self.seen,
            Method::Default => self.default,
            Method::Heuristic(_) => self.few,
        };
        splits as u64
    }

    /// The settings that determine a record.
    pub(super) fn key(&self, set: &Set, number: u64, method: Method) -> String {
        let Self { patterns, standardize, folds, rows, epochs, batch, rates, betas, .. } = self;
        let settings = match method {
            Method::Lasso(reading) => {
                let tried = reading.strengths().len();
                let trained = format!("P{patterns}/standardized-{standardize}/folds{folds}");
                format!("{trained}/rows{rows}/gap{TOLERANCE}/tried{tried}")
            }
            Method::Default | Method::Seen => format!("default/rows{}", self.trained),
            Method::Heuristic(_) => {
                let batch = batch.map_or("all".into(), |rows| rows.to_string());
                let key = format!(
                    "m{patterns}/epochs{epochs}/batch{batch}/rates{rates:?}/betas{betas:?}"
                );
                match rates.len() * betas.len() {
                    1 => key,
                    _ => format!("{key}/folds{folds}/rows{rows}"),
                }
            }
        };
        format!("{}/split{number}/{}/{settings}", set.name, method.name()).replace(' ', "")
    }
}

impl Split<'_> {
    /// Convex-Lasso: chooses the strength on the training part, trains on all of it, and scores.
    pub(super) fn lasso(&self, reading: Reading) -> Result<Value, Error> {
        let Self { effort, train, test, .. } = self;
        let start = Instant::now();
        let scale = if reading.mean { train.y.len() as f64 } else { 1.0 };
        let mut scores = [0.0; BETAS.len()];
        for (most, aside) in self.folds() {
            // The loss is a sum over the rows, so on a part of the rows the strength is reduced
            // accordingly.
            let part = most.y.len() as f64 / train.y.len() as f64;
            let found =
                self.path(reading, &most, &aside, &BETAS.map(|beta| beta * part * scale))?;
            scores.iter_mut().zip(found).for_each(|(sum, s)| *sum += s / effort.folds as f64);
        }
        // The larger one if there are ties.
        let best = (0..BETAS.len()).reduce(|a, b| if scores[b] > scores[a] { b } else { a });
        let best = best.expect("there are strengths");
        let select_seconds = start.elapsed().as_secs_f64();
        let request = Request::of(&format!(
            "patterns={} beta={} bias={} standardize={} seed={}",
            effort.patterns,
            BETAS[best] * scale,
            reading.bias,
            effort.standardize,
            self.stream("patterns")
        ))?;
        let (network, mut record) = train.train(&request, self.context)?;
        score(&mut record, &network, train, test);
        record["strength"] = json!(BETAS[best]);
        record["cv_accuracy"] = json!(scores[best]);
        record["select_seconds"] = json!(select_seconds);
        let tried: Vec<f64> = reading.strengths().iter().map(|beta| beta * scale).collect();
        record["tried"] = json!(self.path(reading, train, test, &tried)?);
        let (fewer, more) = test.classes();
        record["majority_accuracy"] = json!(more as f64 / (fewer + more) as f64);
        Ok(record)
    }

    /// What a user gets without flags: everything is chosen on the training part.
    pub(super) fn default(&self) -> Result<Value, Error> {
        let train = self.few(self.effort.trained);
        let (network, mut record) = train.train(&Request::default(), self.context)?;
        score(&mut record, &network, &train, &self.test);
        record["select_seconds"] = json!(0.0);
        Ok(record)
    }

    /// The accuracies on `test` of the Lasso over sampled patterns at these strengths, largest
    /// first. Once the network interpolates, smaller strengths change little, and take its
    /// accuracy.
    fn path(
        &self,
        reading: Reading,
        train: &Samples,
        test: &Samples,
        betas: &[f64],
    ) -> Result<Vec<f64>, Error> {
        let recipe = Recipe::Sample {
            draws: self.effort.patterns as u64,
            seed: self.stream("patterns"),
            standardize: self.effort.standardize,
            widths: Vec::new(),
            reads: None,
        };
        let data = train.dataset()?;
        let dictionary =
            recipe.dictionary(&data, reading.bias, 0.0).expect("a sample has a dictionary");
        let answers = evaluate(&test.x, &dictionary.witnesses);
        let one = Beta::new(1.0)?;
        let squared = LossKind::Squared;
        let program = LassoProgram::new(&dictionary.patterns, data.targets(), squared, one)?;
        let betas = betas.iter().map(|&b| Beta::new(b)).collect::<Result<Vec<_>, _>>()?;
        let solver = ActiveSet { tolerance: TOLERANCE, ..ActiveSet::default() };
        let zero = vec![0.0; data.distinct()];
        let fitted = FITTED * loss::total(&squared, data.targets(), &zero);
        let (mut scores, count) = (Vec::new(), betas.len());
        solver.path(&program, betas, |solution| {
            let output = answers.combine(solution.coefficients.iter().copied().enumerate());
            scores.push(accuracy(&output, &test.y));
            let output = program.output(&solution.coefficients);
            if loss::total(&squared, data.targets(), &output) <= fitted {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let last = scores.last().copied().ok_or(Error::Interrupted)?;
        scores.resize(count, last);
        Ok(scores)
    }
}

impl Reading {
    /// The strengths that are also scored without a choice, largest first.
    pub(super) fn strengths(self) -> &'static [f64] {
        if self.mean { &BETAS } else { &WIDER }
    }
}
