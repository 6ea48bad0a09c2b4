//! The walk from a data set to a certified network, in one call.

use std::fmt;
use std::str::FromStr;

use crate::certificate::{Bound, Certificate, DualPoint, Problem, Scope};
use crate::data::{Coding, Dataset, Split};
use crate::error::Error;
use crate::loss::{Loss, LossKind};
use crate::network::recipe::{self, Recipe};
use crate::network::{Cell, Layer, Model, Network, Neuron, Weights, reconstruct};
use crate::program::{Beta, CompleteProgram, Constraints, LassoProgram};
use crate::solver::{ActiveSet, Budget, StopReason};

/// Which program to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The complete program where it applies, otherwise sampled patterns.
    Auto,
    /// The Lasso program on the patterns of random weights.
    Sample,
    /// The complete program: exact wherever every dichotomy is a pattern.
    Complete,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Sample => "sample",
            Self::Complete => "complete",
        })
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Self::Auto),
            "sample" => Ok(Self::Sample),
            "complete" => Ok(Self::Complete),
            _ => Err(Error::Unknown {
                what: "method",
                got: text.into(),
                expected: "auto, sample, complete",
            }),
        }
    }
}

/// How strong the weight decay is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// `β` itself.
    Beta(Beta),
    /// A part of `β_max`, the smallest `β` whose optimum is the zero network.
    Ratio(f64),
}

/// How to train.
#[derive(Debug, Clone, Copy)]
pub struct Trainer<'a> {
    /// Which program to solve.
    pub method: Method,
    /// `l`.
    pub loss: LossKind,
    /// `β`.
    pub strength: Strength,
    /// How many patterns to draw.
    pub patterns: u64,
    /// Which weights to take inside the cells; by default those drawn, or the widest margin where
    /// none were.
    pub weights: Option<Weights>,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// What is asked of the output.
    pub constraints: Constraints,
    /// Whether weights are drawn, and margins measured, on standardised inputs.
    pub standardize: bool,
    /// The relative gap at which to stop.
    pub tolerance: f64,
    /// Where chance starts.
    pub seed: u64,
    /// How long it may take.
    pub budget: Budget<'a>,
    /// How many bytes the dictionary may take.
    pub memory: Option<u64>,
}

impl Default for Trainer<'_> {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            loss: LossKind::Squared,
            strength: Strength::Ratio(0.05),
            patterns: 1000,
            weights: None,
            bias: true,
            constraints: Constraints::default(),
            standardize: true,
            tolerance: 1e-6,
            seed: 0,
            budget: Budget::default(),
            memory: None,
        }
    }
}

/// A trained network, and how it came about.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The network and its certificates.
    pub model: Model,
    /// The smallest `β` whose optimum over the scope is the zero network.
    pub beta_max: f64,
    /// The size of the dictionary.
    pub patterns: usize,
    /// Why training stopped.
    pub stop: StopReason,
}

/// Amplitudes with their cells, and the dual point that judges them.
struct Proposal {
    cells: Vec<Cell>,
    amplitudes: Vec<f64>,
    offset: f64,
    dual: DualPoint,
    /// `U ≥ max |dᵀz|` over the scope.
    price: f64,
    scope: (Scope, Bound),
    recipe: Recipe,
    beta: Beta,
    beta_max: f64,
    patterns: usize,
    stop: StopReason,
}

impl Trainer<'_> {
    /// Trains on the data; `coding` is what the model will read tables by, and `split` how the data
    /// were taken out of theirs.
    ///
    /// # Errors
    /// When the method does not apply to the data, or its dictionary would not fit.
    pub fn train(
        &self,
        data: &Dataset,
        coding: Coding,
        split: Option<Split>,
    ) -> Result<Trained, Error> {
        self.loss.check_targets(data.targets())?;
        let proposal = match self.choose(data)? {
            Method::Complete => self.solve_complete(data)?,
            _ => self.solve_sample(data)?,
        };
        let weights = self.weights.unwrap_or(match proposal.recipe {
            Recipe::Sample { .. } => Weights::Sampled,
            Recipe::Complete => Weights::Svm,
        });
        let planes = reconstruct(
            &recipe::arrangement(data, self.bias),
            proposal.cells,
            weights,
            &recipe::scaling(data, self.bias, self.standardize),
        )?;
        let layer = Layer { neurons: planes.into_iter().map(Neuron::from).collect() };
        let network =
            Network::new(data.dimension(), vec![layer], proposal.amplitudes, proposal.offset)?;
        // The certificate is measured on the network as it is, not on what it was made from.
        let problem = self.problem(data, proposal.beta);
        let output = network.output(data.features());
        let objective = problem.objective(&output, network.amplitudes().iter().copied());
        let Proposal { dual, price, scope, .. } = proposal;
        let certificate = Certificate::measure(&problem, objective, &dual, price, scope);
        let model = Model {
            coding,
            split,
            network,
            loss: self.loss,
            beta: proposal.beta,
            bias: self.bias,
            constraints: self.constraints,
            recipe: proposal.recipe,
            certificate,
            dual,
            global: Certificate::complete(&problem, objective),
            fingerprint: data.fingerprint(),
        };
        let Proposal { beta_max, patterns, stop, .. } = proposal;
        Ok(Trained { model, beta_max, patterns, stop })
    }

    fn problem<'a>(&'a self, data: &'a Dataset, beta: Beta) -> Problem<'a, LossKind> {
        let (targets, loss, constraints) = (data.targets(), &self.loss, self.constraints);
        Problem { targets, loss, beta, constraints }
    }

    /// The method that applies to the data.
    fn choose(&self, data: &Dataset) -> Result<Method, Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        match self.method {
            // The complete program draws no weights that could be kept.
            Method::Auto if self.weights == Some(Weights::Sampled) => Ok(Method::Sample),
            Method::Auto if arrangement.is_complete() => Ok(Method::Complete),
            Method::Auto => Ok(Method::Sample),
            Method::Complete if !arrangement.is_complete() => {
                Err(Error::NotComplete { rows: data.distinct(), rank: arrangement.rank() })
            }
            method => Ok(method),
        }
    }

    /// `β`, given `β_max` over the scope.
    fn beta(&self, beta_max: f64) -> Result<Beta, Error> {
        match self.strength {
            Strength::Beta(beta) => Ok(beta),
            Strength::Ratio(_) if beta_max == 0.0 => Err(Error::NothingToFit),
            Strength::Ratio(ratio) => Beta::new(ratio * beta_max),
        }
    }

    fn solve_sample(&self, data: &Dataset) -> Result<Proposal, Error> {
        let recipe =
            Recipe::Sample { draws: self.patterns, seed: self.seed, standardize: self.standardize };
        recipe.check_size(data, self.memory)?;
        let dictionary = recipe.dictionary(data, self.bias).expect("a sample has a dictionary");
        let one = Beta::new(1.0).expect("one is positive");
        let program = LassoProgram {
            constraints: self.constraints,
            ..LassoProgram::new(&dictionary.patterns, data.targets(), self.loss, one)?
        };
        let beta_max = program.beta_max();
        let beta = self.beta(beta_max)?;
        let program = LassoProgram { beta, ..program };
        let solver =
            ActiveSet { tolerance: self.tolerance, budget: self.budget, ..Default::default() };
        let solution = solver.solve(&program);
        let used: Vec<usize> =
            (0..dictionary.len()).filter(|&j| solution.coefficients[j] != 0.0).collect();
        let cell = |&j: &usize| Cell {
            pattern: dictionary.patterns.pattern(j),
            witness: Some(dictionary.witnesses[j].clone()),
        };
        Ok(Proposal {
            cells: used.iter().map(cell).collect(),
            amplitudes: used.iter().map(|&j| solution.coefficients[j]).collect(),
            offset: solution.offset,
            price: solution.dual.price(&dictionary.patterns, self.constraints),
            dual: solution.dual,
            scope: (Scope::Dictionary, Bound::Dictionary),
            recipe,
            beta,
            beta_max,
            patterns: dictionary.len(),
            stop: solution.stop,
        })
    }

    fn solve_complete(&self, data: &Dataset) -> Result<Proposal, Error> {
        let one = Beta::new(1.0).expect("one is positive");
        let program = |beta| {
            CompleteProgram::new(data.targets(), self.loss, beta).with_constraints(self.constraints)
        };
        let beta_max = program(one).beta_max();
        let beta = self.beta(beta_max)?;
        let solution = program(beta).solve();
        let dual = self.problem(data, beta).dual_point(program(beta).dual(&solution));
        let (patterns, amplitudes): (Vec<_>, Vec<_>) = solution.level_sets().into_iter().unzip();
        Ok(Proposal {
            patterns: patterns.len(),
            cells: (patterns.into_iter()).map(|pattern| Cell { pattern, witness: None }).collect(),
            amplitudes,
            offset: solution.offset,
            price: dual.widest(self.constraints),
            dual,
            scope: (Scope::Global, Bound::Complete),
            recipe: Recipe::Complete,
            beta,
            beta_max,
            stop: StopReason::GapReached,
        })
    }
}
