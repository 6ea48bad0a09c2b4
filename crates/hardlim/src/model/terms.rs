//! The problem that the certificate of a model is about, as a sentence and as JSON.
//!
//! A certificate speaks of a problem as it was read: another loss, another strength or a column
//! more is another problem, whose networks may be better.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use super::Model;
use crate::certificate::numbers::{NEAREST, digits};
use crate::table::names::cut;

/// The most columns that the sentence names; the JSON names all.
const NAMED: usize = 8;

/// The problem that a certificate is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Terms {
    /// The column that is predicted.
    pub target: String,
    /// The columns that the networks read.
    pub read: Vec<String>,
    /// The columns of the table that no network of the problem reads.
    pub not_read: Vec<String>,
    /// The bits that numbers are rounded to before training; none if they are as in the table.
    pub bits: Option<u32>,
    /// `l`.
    pub loss: String,
    /// `β`.
    pub beta: f64,
    /// Whether the output has a bias, which costs nothing.
    pub output_bias: bool,
    /// The number of rows.
    pub rows: u64,
    /// `Σ s`: the weights of all rows.
    pub weight: f64,
    /// The column of the weights.
    pub weight_column: Option<String>,
    /// Whether weights are scaled so that all classes weigh the same.
    pub balanced: bool,
}

impl Model {
    /// The problem that its certificate is about.
    pub fn terms(&self) -> Terms {
        let coding = &self.coding;
        let mut others: Vec<_> = coding.left_out().iter().map(|out| &out.column).collect();
        others.extend(coding.ignored());
        others.sort_by_key(|column| column.position);
        Terms {
            target: coding.target().column().name.clone(),
            read: coding.column_names().into_iter().map(str::to_owned).collect(),
            not_read: others.into_iter().map(|column| column.name.clone()).collect(),
            bits: coding.bits(),
            loss: self.loss().to_string(),
            beta: self.beta().get(),
            output_bias: self.setting.constraints.intercept,
            rows: self.first().size().rows,
            weight: self.first().size().weight,
            weight_column: coding.weight().map(|column| column.name.clone()),
            balanced: coding.balanced(),
        }
    }
}

impl Display for Terms {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {}", cut(&self.target), listed(&self.read))?;
        if !self.not_read.is_empty() {
            write!(f, " (not from {})", listed(&self.not_read))?;
        }
        let bias = if self.output_bias { "with" } else { "without" };
        let beta = digits(self.beta, 10, NEAREST);
        write!(f, "; {} loss, beta {beta}, {bias} an output bias", self.loss)?;
        write!(f, "; {} rows", self.rows)?;
        if self.balanced {
            write!(f, " with classes of equal weight")?;
        }
        if let Some(column) = &self.weight_column {
            write!(f, " weighted by {}", cut(column))?;
        } else if self.weight != self.rows as f64 && !self.balanced {
            write!(f, " of total weight {}", digits(self.weight, 10, NEAREST))?;
        }
        match self.bits {
            Some(bits) => write!(f, ", numbers rounded to {bits} bits"),
            None => Ok(()),
        }
    }
}

/// The first names, and how many more there are.
fn listed(names: &[String]) -> String {
    let named: Vec<_> = names.iter().take(NAMED).map(|name| cut(name)).collect();
    match names.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
