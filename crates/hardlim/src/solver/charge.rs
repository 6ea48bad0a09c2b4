//! What a column pays for its coefficient: `cⱼβ|wⱼ|`, and nothing for the column of the output
//! bias.

/// `β`, the costs `c`, and which coefficients are allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Charge<'a> {
    /// `β`.
    pub(crate) beta: f64,
    /// `c`; one each if absent.
    pub(crate) costs: Option<&'a [f64]>,
    pub(crate) non_negative: bool,
    /// A column without a penalty, which may have any sign.
    pub(crate) intercept: Option<usize>,
}

impl Charge<'_> {
    /// `β|wⱼ|` for coefficients of any sign.
    pub(crate) fn plain(beta: f64) -> Self {
        Self { beta, costs: None, non_negative: false, intercept: None }
    }

    /// `cⱼβ`.
    pub(crate) fn of(&self, j: usize) -> f64 {
        match self.costs {
            _ if self.intercept == Some(j) => 0.0,
            Some(costs) => self.beta * costs[j],
            None => self.beta,
        }
    }

    /// The costs of some columns, and the place among them of the one without a penalty.
    pub(crate) fn on(&self, columns: &[usize]) -> (Option<Vec<f64>>, Option<usize>) {
        let costs = self.costs.map(|costs| columns.iter().map(|&j| costs[j]).collect());
        (costs, columns.iter().position(|&j| self.intercept == Some(j)))
    }

    /// How much column `j` violates its condition `|dᵀ∇f| ≤ cⱼβ` while its coefficient is zero,
    /// given `dᵀ∇f`.
    pub(crate) fn violation(&self, j: usize, correlation: f64) -> f64 {
        let one_sided = self.non_negative && self.intercept != Some(j);
        (if one_sided { -correlation } else { correlation.abs() }) - self.of(j)
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
