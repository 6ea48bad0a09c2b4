//! What training asks for, shared by the commands that train.

use clap::Args;
use hardlim::loss::LossKind;
use hardlim::train::{Folds, Request, Scoring};

use super::{Common, number, whole};

/// The problem to solve.
#[derive(Debug, Args)]
pub(crate) struct ProblemArgs {
    /// The loss, for example squared, logistic or hinge
    ///
    /// One of squared, logistic, hinge, squared-hinge, huber[:THRESHOLD], absolute, quantile[:LEVEL]
    /// [default: squared; for the best predictions of classes, logistic].
    #[arg(long, value_name = "LOSS", help_heading = "Problem")]
    loss: Option<LossKind>,
    /// Add an output bias that is not penalised
    #[arg(long, help_heading = "Problem")]
    intercept: bool,
    /// Allow no negative output weight
    #[arg(long, help_heading = "Problem")]
    non_negative: bool,
}

impl ProblemArgs {
    pub(crate) fn request(&self, request: Request) -> Request {
        let Self { loss, intercept, non_negative } = *self;
        Request { loss, intercept, non_negative, ..request }
    }
}

/// How strong the weight decay is.
#[derive(Debug, Args)]
pub(crate) struct StrengthArgs {
    /// The weight decay; the larger it is, the smaller the network
    ///
    /// The objective is the sum of losses + BETA * the sum of |output weights|.
    #[arg(long, value_name = "BETA", value_parser = number, allow_negative_numbers = true,
          help_heading = "Problem")]
    beta: Option<f64>,
    /// The weight decay as a fraction of beta_max, the value at which the network becomes zero
    /// [default: what predicts best; 0.05 with --method, --patterns, --layers, --widths, --representation]
    #[arg(long, value_name = "R", value_parser = number, allow_negative_numbers = true,
          help_heading = "Problem")]
    beta_ratio: Option<f64>,
}

impl StrengthArgs {
    pub(crate) fn request(&self, request: Request) -> Request {
        let Self { beta, beta_ratio } = *self;
        Request { beta, beta_ratio, ..request }
    }
}

/// Choosing the strength by cross-validation.
#[derive(Debug, Args)]
pub(crate) struct CvArgs {
    /// The number of folds on which the weight decay is chosen
    ///
    /// [default: 5, or 2 if there are many rows; with --method and its like the weight decay is chosen only
    /// if --cv is given]
    #[arg(long, value_name = "K", value_parser = whole::<usize>, help_heading = "Cross-validation")]
    cv: Option<usize>,
    /// Take the largest weight decay whose score is within one standard error of the best: fewer neurons,
    /// for a difference that may be chance
    #[arg(long, help_heading = "Cross-validation")]
    one_se: bool,
    /// The number of weight decays to try, from beta_max down [default: 16; 30 with --method and its like]
    #[arg(long, value_name = "N", value_parser = whole::<usize>,
          help_heading = "Cross-validation")]
    cv_points: Option<usize>,
    /// The smallest weight decay to try, as a fraction of beta_max [default: 0.00024; 0.001 with --method and
    /// its like]
    #[arg(long, value_name = "R", value_parser = number, allow_negative_numbers = true,
          help_heading = "Cross-validation")]
    cv_least: Option<f64>,
    /// What is compared on the folds: loss (the log-loss of classes, the loss of numbers) or score (accuracy
    /// of classes, R2 of numbers) [default: loss; score with --method and its like]
    #[arg(long, value_name = "loss|score", help_heading = "Cross-validation")]
    scoring: Option<Scoring>,
}

impl CvArgs {
    pub(crate) fn request(&self, request: Request) -> Request {
        Request {
            cv: self.cv.map(Folds::Count),
            one_se: self.one_se,
            n_ratios: self.cv_points,
            least_ratio: self.cv_least,
            scoring: self.scoring,
            ..request
        }
    }
}

/// How to train, at whatever strength.
#[derive(Debug, Args)]
pub(crate) struct TrainingArgs {
    /// Neurons without a bias: 1{x.w >= 0}
    #[arg(long, help_heading = "Problem")]
    no_bias: bool,
    /// The number of random patterns to draw [default: 1000]
    #[arg(long, value_name = "P", value_parser = whole::<u64>, help_heading = "Search")]
    patterns: Option<u64>,
    /// Do not standardise the inputs when weights are drawn and margins measured
    #[arg(long, help_heading = "Search")]
    no_standardize: bool,
    /// Stop at this relative gap between the network and the proof
    ///
    /// If it is given and not reached, the exit code is 1. It asks for a proof over all patterns, so without
    /// it another network may be trained [default: 1e-6]. Without it and --time-limit, a problem gets about
    /// 10 s of work, the same on every machine.
    #[arg(long, value_name = "TOL", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    pub(crate) gap: Option<f64>,
    /// Stop after this many seconds and keep the best found so far
    ///
    /// It is kept to within a tenth or half a second. If no exact proof is possible, a third of the time goes
    /// into the search for a bound.
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    time_limit: Option<f64>,
    /// Hold out this fraction of the rows, and score on it
    #[arg(long, value_name = "F", value_parser = number, allow_negative_numbers = true,
          help_heading = "Result")]
    holdout: Option<f64>,
}

impl TrainingArgs {
    pub(crate) fn request(&self, common: &Common) -> Request {
        Request {
            bias: !self.no_bias,
            patterns: self.patterns,
            standardize: !self.no_standardize,
            gap: self.gap,
            time_limit: self.time_limit,
            holdout: self.holdout,
            seed: common.seed,
            ..Request::default()
        }
    }
}
