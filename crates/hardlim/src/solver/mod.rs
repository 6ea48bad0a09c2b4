//! Solvers: they propose coefficients, and return them with a certificate.

mod active_set;
mod budget;
mod charge;
mod descent;
pub(crate) mod factor;
mod generate;
mod interpolate;
pub(crate) mod margin;
mod newton;
mod pivot;
pub(crate) mod projection;
mod proximal;
mod prune;
mod quadratic;
mod range;
mod reduce;
mod screening;
mod smooth;
mod source;
mod tuning;
mod working;

pub use active_set::ActiveSet;
pub use budget::{Budget, Work};

pub(crate) use descent::{Descent, Point};
pub(crate) use generate::{Generated, Generation};
pub(crate) use interpolate::{Interpolation, interpolate};
pub(crate) use source::{Neurons, Rules, Source, Subnetworks, climb};

use std::time::Duration;

use crate::certificate::{Certificate, DualPoint};

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The gap asked for is reached.
    GapReached,
    /// All that was planned is done, but the gap of the result is larger: it is a mean of networks,
    /// or neurons were left out or changed.
    Done,
    /// The limit of rounds or of the arithmetic is reached.
    RoundLimit(usize),
    /// The bound stands still, or the search finds nothing more.
    Standstill(usize),
    /// The time is up.
    TimeLimit(Duration),
    /// The work is done that is meant for a problem without a stopping rule. The same work is done
    /// on every machine; it takes about this time of one core.
    WorkLimit(Duration),
    /// The caller asked to stop.
    Interrupted,
}

impl StopReason {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::GapReached => "gap",
            Self::Done => "done",
            Self::RoundLimit(_) => "rounds",
            Self::Standstill(_) => "standstill",
            Self::TimeLimit(_) => "time",
            Self::WorkLimit(_) => "work",
            Self::Interrupted => "interrupt",
        }
    }
}

/// The progress of a solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Rounds so far.
    pub round: usize,
    /// The number of patterns in play.
    pub patterns: usize,
    /// The number of coefficients that are not zero.
    pub neurons: usize,
    /// The best objective so far.
    pub objective: f64,
    /// The best lower bound so far.
    pub lower_bound: f64,
}

impl Progress {
    /// The gap as a part of the objective.
    pub fn relative_gap(&self) -> f64 {
        (self.objective - self.lower_bound) / self.objective
    }
}

/// The result of a solver: coefficients, the dual point that judges them, and the certificate.
#[derive(Debug, Clone)]
pub struct Solution {
    /// `w`, one number for each pattern, on the grid where their sums are exact.
    pub coefficients: Vec<f64>,
    /// `c`, the output bias; zero unless the program has one.
    pub offset: f64,
    /// `z`, near `∇L(Dw)`.
    pub dual: DualPoint,
    /// What is proven about `w`.
    pub certificate: Certificate,
    /// Why the solver stopped.
    pub stop: StopReason,
    /// How many rounds it took.
    pub rounds: usize,
    /// The time spent on Gram matrices.
    pub gram_time: Duration,
}
