//! What training asks for, shared by the commands that train.

use clap::Args;
use hardlim::loss::LossKind;
use hardlim::program::{Beta, Constraints};
use hardlim::solver::Budget;
use hardlim::train::{CrossValidation, Measure, Strength, Trainer, geometric};

use super::{
    Common, parse_beta, parse_fraction, parse_gap, parse_patterns, parse_ratio, parse_seconds,
};

/// The problem to solve.
#[derive(Debug, Args)]
pub(crate) struct ProblemArgs {
    /// The loss: squared, logistic, hinge, squared-hinge, huber[:THRESHOLD], absolute,
    /// quantile[:LEVEL]
    #[arg(long, value_name = "LOSS", default_value = "squared", help_heading = "Problem")]
    pub(crate) loss: LossKind,
    /// Add an output bias that is not penalised
    #[arg(long, help_heading = "Problem")]
    intercept: bool,
    /// Allow no output weight below zero
    #[arg(long, help_heading = "Problem")]
    non_negative: bool,
}

impl ProblemArgs {
    pub(crate) fn constraints(&self) -> Constraints {
        Constraints { non_negative: self.non_negative, intercept: self.intercept }
    }
}

/// How strong the weight decay is.
#[derive(Debug, Args)]
pub(crate) struct StrengthArgs {
    /// The weight decay: objective = sum of losses + BETA * sum of |output weights|
    #[arg(long, value_name = "BETA", value_parser = parse_beta, conflicts_with = "beta_ratio",
          allow_negative_numbers = true, help_heading = "Problem")]
    beta: Option<Beta>,
    /// The weight decay as a part of beta_max, the value at which the network becomes zero
    /// [default: 0.05]
    #[arg(long, value_name = "R", value_parser = parse_ratio, allow_negative_numbers = true,
          help_heading = "Problem")]
    beta_ratio: Option<f64>,
}

impl StrengthArgs {
    pub(crate) fn strength(&self) -> Strength {
        match self.beta {
            Some(beta) => Strength::Beta(beta),
            None => Strength::Ratio(self.beta_ratio.unwrap_or(0.05)),
        }
    }
}

/// Choosing the strength by cross-validation.
#[derive(Debug, Args)]
pub(crate) struct CvArgs {
    /// Choose the weight decay by cross-validation on K parts of the rows: each part in turn is scored
    /// by networks trained on the others, for a grid of strengths; then train on all rows with the
    /// best one. Classes are scored by accuracy, numbers by R2
    #[arg(long, value_name = "K", conflicts_with_all = ["beta", "beta_ratio"],
          value_parser = clap::value_parser!(u32).range(2..), help_heading = "Cross-validation")]
    cv: Option<u32>,
    /// Take the largest strength whose score is within one standard error of the best: fewer neurons
    /// for a difference that may be chance
    #[arg(long, requires = "cv", help_heading = "Cross-validation")]
    one_se: bool,
    /// How many strengths to try, from beta_max down
    #[arg(long, value_name = "N", default_value_t = 30, requires = "cv",
          value_parser = clap::value_parser!(u32).range(2..=10_000),
          help_heading = "Cross-validation")]
    cv_points: u32,
    /// The smallest strength to try, as a part of beta_max
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = parse_fraction,
          allow_negative_numbers = true, requires = "cv", help_heading = "Cross-validation")]
    cv_least: f64,
}

impl CvArgs {
    /// Where it is asked for.
    pub(crate) fn plan(&self, measure: Measure, common: &Common) -> Option<CrossValidation> {
        Some(CrossValidation {
            folds: self.cv? as usize,
            ratios: geometric(self.cv_least, self.cv_points as usize),
            one_standard_error: self.one_se,
            measure,
            seed: common.seed,
        })
    }
}

/// How to train, at whatever strength.
#[derive(Debug, Args)]
pub(crate) struct TrainingArgs {
    /// No bias: neurons answer 1{x.w >= 0}
    #[arg(long, help_heading = "Problem")]
    no_bias: bool,
    /// How many random patterns to draw [default: 1000]
    #[arg(long, value_name = "P", value_parser = parse_patterns, help_heading = "Search")]
    patterns: Option<u64>,
    /// Draw weights and measure margins on the inputs as they are
    #[arg(long, help_heading = "Search")]
    no_standardize: bool,
    /// Stop at this relative gap, or when no step improves any more (exit code 1) [default: 1e-6]
    #[arg(long, value_name = "TOL", value_parser = parse_gap, allow_negative_numbers = true,
          help_heading = "Search")]
    pub(crate) gap: Option<f64>,
    /// Stop after this many seconds with the best found so far. Where no exact proof is possible, a
    /// third of the time goes into the search for one
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds,
          allow_negative_numbers = true, help_heading = "Search")]
    pub(crate) time_limit: Option<f64>,
    /// Keep this part of the rows aside, and score on it
    #[arg(long, value_name = "F", value_parser = parse_fraction, allow_negative_numbers = true,
          help_heading = "Result")]
    pub(crate) holdout: Option<f64>,
}

impl TrainingArgs {
    pub(crate) fn patterns(&self) -> u64 {
        self.patterns.unwrap_or(Trainer::default().patterns)
    }

    /// Whether neurons are to have no bias.
    pub(crate) fn no_bias(&self) -> bool {
        self.no_bias
    }

    /// Whether random patterns were asked for.
    pub(crate) fn draws(&self) -> bool {
        self.patterns.is_some()
    }

    pub(crate) fn trainer<'a>(
        &self,
        problem: &ProblemArgs,
        common: &Common,
        budget: Budget<'a>,
    ) -> Trainer<'a> {
        Trainer {
            loss: problem.loss,
            constraints: problem.constraints(),
            patterns: self.patterns(),
            bias: !self.no_bias,
            standardize: !self.no_standardize,
            tolerance: self.gap.unwrap_or(1e-6),
            seed: common.seed,
            budget,
            memory: hardlim::memory::available(),
            ..Trainer::default()
        }
    }
}
