//! What a column pays for its coefficient: `cⱼβ|wⱼ|`, and nothing for the column of the output
//! bias.

use crate::arrangement::Signs;
use crate::program::lasso::largest_price;

/// `β`, the costs `c`, and which coefficients are allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Charge<'a> {
    /// `β`.
    pub(crate) beta: f64,
    /// `c`; one each if absent.
    pub(crate) costs: Option<&'a [f64]>,
    /// The signs of each coefficient; both if absent.
    pub(crate) signs: Option<&'a [Signs]>,
    /// Whether none may be negative, whatever their signs.
    pub(crate) non_negative: bool,
    /// A column without a penalty, which may have any sign.
    pub(crate) intercept: Option<usize>,
}

impl Charge<'_> {
    /// `β|wⱼ|` for coefficients of any sign.
    pub(crate) fn plain(beta: f64) -> Self {
        Self { beta, costs: None, signs: None, non_negative: false, intercept: None }
    }

    /// `cⱼβ`.
    pub(crate) fn of(&self, j: usize) -> f64 {
        match self.costs {
            _ if self.intercept == Some(j) => 0.0,
            Some(costs) => self.beta * costs[j],
            None => self.beta,
        }
    }

    /// The signs that `wⱼ` may have.
    pub(crate) fn signs(&self, j: usize) -> Signs {
        if self.intercept == Some(j) {
            return Signs::BOTH;
        }
        let own = self.signs.map_or(Signs::BOTH, |signs| signs[j]);
        own.and(Signs { positive: true, negative: !self.non_negative })
    }

    /// What some of the columns pay.
    pub(crate) fn on(&self, columns: &[usize]) -> Part {
        Part {
            costs: self.costs.map(|costs| columns.iter().map(|&j| costs[j]).collect()),
            signs: self.signs.map(|signs| columns.iter().map(|&j| signs[j]).collect()),
            intercept: columns.iter().position(|&j| self.intercept == Some(j)),
        }
    }

    /// The largest price of all columns, given `dᵀz`.
    pub(crate) fn price(&self, correlations: &[f64]) -> f64 {
        largest_price(|j| self.signs(j), self.costs, correlations)
    }

    /// How much column `j` violates its condition `|dᵀ∇f| ≤ cⱼβ` while its coefficient is zero,
    /// given `dᵀ∇f`.
    pub(crate) fn violation(&self, j: usize, correlation: f64) -> f64 {
        self.signs(j).price(correlation) - self.of(j)
    }

    /// How far the conditions of a minimum are from holding: `|dᵀ∇f| ≤ cβ` where a coefficient is
    /// zero, and `dᵀ∇f = ∓cβ` elsewhere.
    pub(crate) fn distance(&self, w: &[f64], correlations: &[f64]) -> f64 {
        let of = |j: usize| match w[j] {
            0.0 => self.violation(j, correlations[j]),
            w => (correlations[j] + self.of(j) * w.signum()).abs(),
        };
        (0..w.len()).map(of).fold(0.0, f64::max)
    }
}

/// The charge of some columns.
#[derive(Debug)]
pub(crate) struct Part {
    costs: Option<Vec<f64>>,
    signs: Option<Vec<Signs>>,
    intercept: Option<usize>,
}

impl Part {
    /// The charge of all columns, for these.
    pub(crate) fn charge<'a>(&'a self, all: Charge<'a>) -> Charge<'a> {
        let Self { costs, signs, intercept } = self;
        let (costs, signs) = (costs.as_deref(), signs.as_deref());
        Charge { costs, signs, intercept: *intercept, ..all }
    }
}
