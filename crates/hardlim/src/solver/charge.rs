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
    /// `cⱼβ`.
    pub(crate) fn of(&self, j: usize) -> f64 {
        match self.costs {
            _ if self.intercept == Some(j) => 0.0,
            Some(costs) => self.beta * costs[j],
            None => self.beta,
        }
    }

    /// How much column `j` violates its condition `|dᵀ∇f| ≤ cⱼβ` while its coefficient is zero,
    /// given `dᵀ∇f`.
    pub(crate) fn violation(&self, j: usize, correlation: f64) -> f64 {
        let one_sided = self.non_negative && self.intercept != Some(j);
        (if one_sided { -correlation } else { correlation.abs() }) - self.of(j)
    }
}
