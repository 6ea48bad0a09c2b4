//! Certificates: an objective, a proven lower bound, and the class of networks that the bound holds
//! for.
//!
//! Solvers propose, certificates decide: nothing here depends on how a network was found.

mod claim;
mod class;
pub(crate) mod dual;
pub mod numbers;
mod proof;

pub use class::NetworkClass;
pub use dual::DualPoint;
pub(crate) use proof::{Ask, Proof};

pub use crate::pricing::{Bound, Price};

use serde::{Deserialize, Serialize};

use crate::data::Targets;
use crate::error::Error;
use crate::exact::sum::Sum;
use crate::loss::Loss;
use crate::program::{Beta, CompleteProgram, Constraints};

/// The networks among which a network is proven to be optimal, up to the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The networks built from the patterns of the dictionary.
    Dictionary,
    /// All networks of a class: none of any width is better by more than the gap.
    Global,
}

impl Bound {
    /// The scope of such a bound.
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

/// What is proven about a network: its objective is at most `gap` above the best of its class.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    objective: f64,
    lower_bound: f64,
    bound: Bound,
    class: NetworkClass,
    networks: usize,
}

impl Certificate {
    /// The certificate of a network with this objective. The lower bound comes from a dual point
    /// and its price over the patterns of a class, or over the columns of a dictionary. A price
    /// that bounds every vector of zeros and ones holds for all networks.
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

    /// The certificate over networks of any width and depth, which exists for every data set. The
    /// bound is the value of the complete program on the distinct rows, with the output signs that
    /// the problem allows.
    pub fn complete<L: Loss>(problem: &Problem<'_, L>, objective: f64) -> Self {
        let (point, price) = problem.complete_dual();
        Self::measure(problem, objective, &point, price, &NetworkClass::all())
    }

    /// The same over all networks, with output weights of any sign.
    pub fn global<L: Loss>(problem: &Problem<'_, L>, objective: f64) -> Self {
        let constraints = Constraints { non_negative: false, ..problem.constraints };
        Self::complete(&Problem { constraints, ..*problem }, objective)
    }

    /// The same bound for a network with another objective.
    pub(crate) fn with_objective(&self, objective: f64) -> Self {
        Self { objective, ..self.clone() }
    }

    /// A certificate as stated in a file. It is not checked.
    pub(crate) fn stated(
        objective: f64,
        lower_bound: f64,
        bound: Bound,
        class: NetworkClass,
    ) -> Self {
        Self { objective, lower_bound, bound, class, networks: 1 }
    }

    /// The certificate of several networks together: objectives and bounds add up. Its class lies
    /// inside all of their classes, and its kind of bound is the weakest of theirs. `None` if there
    /// is no network.
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

    /// The class of networks that the bound holds for. If the scope is a dictionary, it holds for
    /// those of them that are built from its columns.
    pub fn class(&self) -> &NetworkClass {
        &self.class
    }

    /// `L(u) + β Σ|aⱼ|` of the network, rounded up.
    pub fn objective(&self) -> f64 {
        self.objective
    }

    /// A lower bound on the objective of every network in scope, rounded down.
    pub fn lower_bound(&self) -> f64 {
        self.lower_bound
    }

    /// The scope of the bound.
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

/// The problem that a certificate is about: the loss on the targets, and `β`.
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
    /// When the loss does not take the targets.
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

    /// The constraints on the output.
    pub fn constraints(&self) -> Constraints {
        self.constraints
    }

    /// The dual point of a gradient; it is balanced if the output has a bias.
    pub fn dual_point(&self, z: Vec<f64>) -> DualPoint {
        if self.constraints.intercept { DualPoint::balanced(z) } else { DualPoint::new(z) }
    }

    /// The best lower bound on the line through a dual point, given `price ≥ max |dᵀz|`.
    pub fn lower_bound(&self, point: &DualPoint, price: f64) -> f64 {
        point.lower_bound(self.loss, self.targets, self.beta, price)
    }

    /// The dual point of the complete program, with its price over all vectors of zeros and ones.
    pub fn complete_dual(&self) -> (DualPoint, Price)
    where
        L: Loss + Sized,
    {
        let program = CompleteProgram::new(self.targets, self.loss, self.beta)
            .with_constraints(self.constraints);
        let point = self.dual_point(program.dual(&program.solve()));
        let value = point.complete_price(self.constraints);
        (point, Price { value, bound: Bound::Complete })
    }

    /// `L(u) + β Σ|aⱼ|`, rounded up.
    pub fn objective(&self, output: &[f64], amplitudes: impl IntoIterator<Item = f64>) -> f64 {
        // By the definition, one target at a time. Sums over merged rows have larger rounding
        // errors.
        let mut sum: Sum = (self.targets.iter().zip(output))
            .flat_map(|(atoms, &u)| atoms.iter().map(move |(y, s)| s * self.loss.value(u, y)))
            .collect();
        amplitudes.into_iter().for_each(|a| sum.add(self.beta.get() * a.abs()));
        sum.value() + 16.0 * f64::EPSILON * sum.size()
    }
}
