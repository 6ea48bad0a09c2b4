//! Points: whole-number weights of at most `P`.
//!
//! The weights of a list become `τ Aⱼ` with integers `|Aⱼ| ≤ P`. Several units `τ` are tried: each
//! weight is rounded, and the unit and the output bias are fitted. With the best unit, every `Aⱼ`
//! may change by one where that lowers the objective. The output bias is a multiple of a quarter of
//! the unit, so a score of whole points decides the class.

use super::super::few::scaled;
use super::list::List;
use crate::data::Dataset;
use crate::exact::dyadic::gcd;
use crate::loss::{self, LossKind};
use crate::train::tuning::{FEW_QUARTERS, RULES_UNITS};

/// What a list becomes: the points of its rules, the unit, and the output bias in units.
#[derive(Debug, Clone)]
pub(super) struct Points {
    pub(super) counts: Vec<f64>,
    pub(super) unit: f64,
    pub(super) offset: f64,
}

/// What points are fitted for, and the most that a rule may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rounding<'a> {
    pub(super) data: &'a Dataset,
    pub(super) loss: LossKind,
    pub(super) beta: f64,
    pub(super) most: f64,
}

/// Points while they are fitted: the sums of those that hold on each row, and the objective.
struct Fit {
    counts: Vec<f64>,
    sums: Vec<f64>,
    unit: f64,
    offset: f64,
    objective: f64,
}

impl Rounding<'_> {
    pub(super) fn points(&self, list: &List) -> Points {
        let most = list.rules.iter().map(|rule| rule.weight.abs()).fold(0.0, f64::max);
        // The largest weight gets from one point to more than there are: then it is cut.
        let units = (1..=RULES_UNITS).map(|k| {
            let points = (1.25 * self.most * k as f64 / RULES_UNITS as f64).max(1.0);
            most / points
        });
        let fits = units.map(|unit| {
            let count = |weight: f64| (weight / unit).round().clamp(-self.most, self.most);
            let counts = list.rules.iter().map(|rule| count(rule.weight)).collect();
            self.fit(list, counts, (unit, list.offset))
        });
        let best = fits.reduce(|a, b| if b.objective < a.objective { b } else { a });
        let best = best.expect("at least one unit");
        if list.rules.is_empty() {
            return Points { counts: Vec::new(), unit: 1.0, offset: list.offset };
        }
        self.changed(list, best).rounded()
    }

    fn fit(&self, list: &List, counts: Vec<f64>, start: (f64, f64)) -> Fit {
        let sums = list.sums(counts.iter().copied(), 0.0, self.data.distinct());
        let size: f64 = counts.iter().map(|count| count.abs()).sum();
        let targets = self.data.targets();
        let (unit, offset) = if size > 0.0 {
            scaled(&self.loss, targets, &sums, self.beta * size, start)
        } else {
            start
        };
        let objective = self.objective(&sums, size, (unit, offset));
        Fit { counts, sums, unit, offset, objective }
    }

    fn objective(&self, sums: &[f64], size: f64, (unit, offset): (f64, f64)) -> f64 {
        let output: Vec<f64> = sums.iter().map(|s| unit * s + offset).collect();
        loss::total(&self.loss, self.data.targets(), &output) + self.beta * unit * size
    }

    /// Every count moved by one where that lowers the objective, once.
    fn changed(&self, list: &List, mut fit: Fit) -> Fit {
        for place in 0..fit.counts.len() {
            for step in [1.0, -1.0] {
                let mut counts = fit.counts.clone();
                counts[place] += step;
                let sign = list.rules[place].signs.allow(counts[place]);
                if counts[place].abs() > self.most || !sign {
                    continue;
                }
                // The mean of the output stays, as a first guess.
                let sums = list.sums(counts.iter().copied(), 0.0, self.data.distinct());
                let moved: f64 = sums.iter().zip(&fit.sums).map(|(new, old)| new - old).sum();
                let offset = fit.offset - fit.unit * moved / sums.len() as f64;
                let size = counts.iter().map(|count| count.abs()).sum();
                if self.objective(&sums, size, (fit.unit, offset)) < fit.objective {
                    fit = self.fit(list, counts, (fit.unit, offset));
                }
            }
        }
        fit
    }
}

impl Fit {
    /// Counts without a common divisor, and an output bias in quarters of the unit: sums of points
    /// are whole, so what is cut off decides no class.
    fn rounded(self) -> Points {
        let common = self.counts.iter().fold(0, |common, count| gcd(count.abs() as i64, common));
        let common = common.max(1) as f64;
        let unit = common * self.unit;
        let counts = self.counts.iter().map(|count| count / common).collect();
        let offset = (FEW_QUARTERS * self.offset / unit).floor() / FEW_QUARTERS;
        Points { counts, unit, offset }
    }
}
