//! Certificates: an objective, a proven lower bound, and over which networks the bound holds.
//!
//! Solvers propose, certificates decide: nothing here knows how a network was found.

mod claim;
mod class;
pub(crate) mod dual;
mod proof;

pub use class::NetworkClass;
pub use dual::DualPoint;
#[doc(hidden)]
pub use proof::{Ask, Proof};

use serde::{Deserialize, Serialize};

use crate::data::Targets;
use crate::error::Error;
use crate::loss::Loss;
use crate::program::{Beta, CompleteProgram, Constraints};
use crate::sum::Sum;

/// Over what a network is proven to be optimal, up to the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The patterns at hand: optimal among the networks built from them.
    Dictionary,
    /// All patterns of a class of networks: none of any width is better by more than the gap.
    Global,
}

/// How `U ≥ max_d |dᵀz|` over the scope was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The maximum over the columns at hand.
    Dictionary,
    /// `max(Σz₊, Σz₋)`, above `|dᵀz|` for every vector of zeros and ones: the bound that always
    /// exists, tight when every dichotomy of the distinct rows is realisable.
    Complete,
    /// The maximum over all patterns in scope, by exact search.
    Exact,
    /// A search that ended early: proven, and perhaps not reached by any pattern.
    Search,
    /// The maximum over every pattern of the network's depth and widths, listed exactly.
    Enumeration,
}

impl Bound {
    /// The word in reports and model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Complete => "complete",
            Self::Exact => "exact",
            Self::Search => "search",
            Self::Enumeration => "enumeration",
        }
    }

    /// Over what such a bound holds.
    pub fn scope(self) -> Scope {
        match self {
            Self::Dictionary => Scope::Dictionary,
            Self::Complete | Self::Exact | Self::Search | Self::Enumeration => Scope::Global,
        }
    }
}

impl Scope {
    /// The word in reports and model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Global => "global",
        }
    }
}

/// What no pattern of a scope exceeds: `U ≥ max |dᵀz|`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// `U`.
    pub value: f64,
    /// How it was obtained, and so over which patterns.
    pub bound: Bound,
}

/// What is proven about a network: its objective is at most `gap` above the best of its class.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    objective: f64,
    lower_bound: f64,
    bound: Bound,
    class: NetworkClass,
    /// How many networks it speaks of together.
    networks: usize,
}

impl Certificate {
    /// The certificate of a network with this objective, by a dual point and its price over the patterns
    /// of a class, or over the columns at hand. What bounds every vector of zeros and ones speaks of all
    /// networks.
    pub fn measure<L: Loss + ?Sized>(
        problem: &Problem<'_, L>,
        objective: f64,
        point: &DualPoint,
        price: Price,
        class: &NetworkClass,
    ) -> Self {
        let bound = price.bound;
        let lower_bound = problem.lower_bound(point, price.value);
        let class = if bound == Bound::Complete { NetworkClass::all() } else { class.clone() };
        let class = NetworkClass { non_negative: problem.constraints.non_negative, ..class };
        Self { objective, lower_bound, bound, class, networks: 1 }
    }

    /// The certificate over networks of any width and depth that exists for every data set: the complete
    /// program's value on the distinct rows. Signs of output weights are as the problem has them.
    pub fn complete<L: Loss>(problem: &Problem<'_, L>, objective: f64) -> Self {
        let (point, price) = problem.complete_dual();
        Self::measure(problem, objective, &point, price, &NetworkClass::all())
    }

    /// The same over all of them, whatever the signs of their output weights.
    pub fn global<L: Loss>(problem: &Problem<'_, L>, objective: f64) -> Self {
        let constraints = Constraints { non_negative: false, ..problem.constraints };
        Self::complete(&Problem { constraints, ..*problem }, objective)
    }

    /// A certificate as a file states it: nothing is known about it but that.
    pub(crate) fn stated(
        objective: f64,
        lower_bound: f64,
        bound: Bound,
        class: NetworkClass,
    ) -> Self {
        Self { objective, lower_bound, bound, class, networks: 1 }
    }

    /// The certificate of several networks together, whose objectives and bounds add up. It speaks of
    /// networks that are in all of their classes, by the weakest of their bounds. Of one network it is
    /// its own; nothing where there is none.
    pub fn sum(parts: &[Self]) -> Option<Self> {
        if let [one] = parts {
            return Some(one.clone());
        }
        let reach = |bound: &Bound| match bound {
            Bound::Dictionary => 0,
            Bound::Search => 1,
            Bound::Exact | Bound::Enumeration => 2,
            Bound::Complete => 3,
        };
        let objective: Sum = parts.iter().map(|part| part.objective).collect();
        let lower_bound: Sum = parts.iter().map(|part| part.lower_bound).collect();
        Some(Self {
            objective: objective.value() + 4.0 * f64::EPSILON * objective.size(),
            lower_bound: lower_bound.value() - 4.0 * f64::EPSILON * lower_bound.size(),
            bound: parts.iter().map(|part| part.bound).min_by_key(reach)?,
            class: parts.iter().map(|p| p.class.clone()).reduce(|a, b| a.meet(&b))?,
            networks: parts.iter().map(|part| part.networks).sum(),
        })
    }

    /// The networks that the bound is about: of them those built from the columns at hand, where the
    /// scope is a dictionary.
    pub fn class(&self) -> &NetworkClass {
        &self.class
    }

    /// `L(u) + β Σ|aⱼ|` of the network, rounded up.
    pub fn objective(&self) -> f64 {
        self.objective
    }

    /// A number that no network in scope is below, rounded down.
    pub fn lower_bound(&self) -> f64 {
        self.lower_bound
    }

    /// Over what the bound holds.
    pub fn scope(&self) -> Scope {
        self.bound.scope()
    }

    /// How the bound was obtained.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// `objective − lower bound`.
    pub fn gap(&self) -> f64 {
        self.objective - self.lower_bound
    }

    /// `gap / objective`; zero when both are zero.
    pub fn relative_gap(&self) -> f64 {
        if self.gap() == 0.0 { 0.0 } else { self.gap() / self.objective }
    }
}

/// What a certificate speaks about: the loss on the targets, and `β`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Problem<'a, L: ?Sized> {
    pub(crate) targets: &'a Targets,
    pub(crate) loss: &'a L,
    pub(crate) beta: Beta,
    pub(crate) constraints: Constraints,
}

impl<'a, L: Loss + ?Sized> Problem<'a, L> {
    /// The problem of this loss on these targets, at strength `β`.
    ///
    /// # Errors
    /// When the targets do not suit the loss.
    pub fn new(
        targets: &'a Targets,
        loss: &'a L,
        beta: Beta,
        constraints: Constraints,
    ) -> Result<Self, Error> {
        loss.check_targets(targets)?;
        Ok(Self { targets, loss, beta, constraints })
    }

    /// `y`, with the sample weights.
    pub fn targets(&self) -> &'a Targets {
        self.targets
    }

    /// `l`.
    pub fn loss(&self) -> &'a L {
        self.loss
    }

    /// `β`.
    pub fn beta(&self) -> Beta {
        self.beta
    }

    /// What is asked of the output.
    pub fn constraints(&self) -> Constraints {
        self.constraints
    }

    /// The dual point of a gradient: balanced where the output has a bias.
    pub fn dual_point(&self, z: Vec<f64>) -> DualPoint {
        if self.constraints.intercept { DualPoint::balanced(z) } else { DualPoint::new(z) }
    }

    /// The best lower bound on the line through a dual point, given `price ≥ max |dᵀz|`.
    pub fn lower_bound(&self, point: &DualPoint, price: f64) -> f64 {
        point.lower_bound(self.loss, self.targets, self.beta, price)
    }

    /// The dual point of the complete program, with what no vector of zeros and ones exceeds.
    pub fn complete_dual(&self) -> (DualPoint, Price)
    where
        L: Loss + Sized,
    {
        let program = CompleteProgram::new(self.targets, self.loss, self.beta)
            .with_constraints(self.constraints);
        let point = self.dual_point(program.dual(&program.solve()));
        let value = point.widest(self.constraints);
        (point, Price { value, bound: Bound::Complete })
    }

    /// `L(u) + β Σ|aⱼ|`, rounded up.
    pub fn objective(&self, output: &[f64], amplitudes: impl IntoIterator<Item = f64>) -> f64 {
        // By the definition, one target at a time: what merged rows make of it is rounded more.
        let mut sum: Sum = (self.targets.iter().zip(output))
            .flat_map(|(atoms, &u)| atoms.iter().map(move |(y, s)| s * self.loss.value(u, y)))
            .collect();
        amplitudes.into_iter().for_each(|a| sum.add(self.beta.get() * a.abs()));
        sum.value() + 16.0 * f64::EPSILON * sum.size()
    }
}
