//! A model as integers. Every export target is written from it.
//!
//! Inputs are `mⱼ = round(xⱼ · 2^gⱼ) − oⱼ` within stated bounds, a neuron is `1{Σ
//! kⱼmⱼ + b ≥ 0}`, and the output is `Σ Aⱼ · 2ᵉ` over the neurons of the last layer
//! that are on. All of this is exact: amplitudes are multiples of a power of two, and a sum of
//! integers reaches `−b` when it reaches `⌈−b⌉`.
//!
//! Neurons that cannot change their answer become constants of the layer above. Neurons that
//! nothing reads are left out.

use super::answer::Answer;
use super::gate::{Gate, Line};
use super::names::quoted;
use crate::error::Error;
use crate::exact::dyadic::{lowest_bit, odd_part};
use crate::model::Model;
use crate::network::{Grid, Network};
use crate::table::coding::{ColumnCoding, Reading};
use crate::table::{Coding, Kind};

/// Sums stay below this power of two.
pub(super) const SUM_BITS: u32 = 62;

/// One input.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The name of the feature in the table.
    pub name: String,
    /// The column and its level, if the feature stands for a level of a column of labels.
    pub level: Option<(String, String)>,
    /// The column that it comes from.
    pub column: String,
    /// What it says about the column.
    pub field: Field,
    /// How its value comes from the column, if the name does not say.
    pub origin: Option<String>,
    /// `g`.
    pub shift: i32,
    /// `o`: zero, unless training rounded the feature to steps that start there.
    pub offset: i64,
    /// The smallest value that it may have.
    pub least: i64,
    /// The largest value that it may have.
    pub most: i64,
}

/// What an input says about its column.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// Its number; the mean stands for a missing value.
    Number {
        /// The mean.
        fill: Option<f64>,
    },
    /// Whether it has a label.
    Level {
        /// What stands for a missing label.
        fill: Option<String>,
    },
    /// Whether its value is missing.
    Missing,
    /// Whether its label is none that has an input.
    Other,
    /// Something that follows from how dates, numbers or labels are written.
    Computed,
}

impl Field {
    fn of(column: &ColumnCoding) -> Self {
        match (&column.reading, &column.kind) {
            (Reading::Missing { .. }, _) => Self::Missing,
            (Reading::Other { .. }, _) if column.folded.is_none() => Self::Other,
            (Reading::Plain, Kind::Number { fill }) => Self::Number { fill: *fill },
            (Reading::Plain, Kind::Category { fill, .. }) if column.folded.is_none() => {
                Self::Level { fill: fill.clone() }
            }
            _ => Self::Computed,
        }
    }
}

impl Input {
    /// Its meaning, as a formula.
    pub fn meaning(&self) -> String {
        match &self.level {
            Some((column, level)) => format!("1 where {column} is {level}, else 0"),
            None => self.formula(&self.name),
        }
    }

    /// Whether it has a function in a header: a number of the table, or one that is computed.
    pub(super) fn is_number(&self) -> bool {
        self.level.is_none() && matches!(self.field, Field::Number { .. } | Field::Computed)
    }

    /// The formula for a number of this name.
    pub(super) fn formula(&self, name: &str) -> String {
        let scaled = match self.shift {
            0 => format!("round({name})"),
            g => format!("round({name} * 2^{g})"),
        };
        match self.offset {
            0 => scaled,
            o if o > 0 => format!("{scaled} - {o}"),
            o => format!("{scaled} + {}", -o),
        }
    }

    /// The integer for a value of the feature.
    pub fn integer(&self, x: f64) -> i64 {
        let scaled = (x * 2f64.powi(self.shift)).round() - self.offset as f64;
        scaled.clamp(self.least as f64, self.most as f64) as i64
    }

    /// The value of the feature for an integer.
    pub fn value(&self, m: i64) -> f64 {
        (m + self.offset) as f64 * 2f64.powi(-self.shift)
    }

    /// The number of bits that it needs; two's complement if it may be negative.
    pub fn bits(&self) -> u32 {
        bits(self.least, self.most)
    }
}

/// The number of bits for all integers of a range: unsigned if none is negative, otherwise two's
/// complement.
pub(super) fn bits(least: i64, most: i64) -> u32 {
    let size = |k: i64| i64::BITS - (if k < 0 { !k } else { k }).leading_zeros();
    if least >= 0 { size(most).max(1) } else { size(least).max(size(most)) + 1 }
}

/// One network: layers of gates, then a sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    /// The hidden layers; the first one reads the inputs.
    pub layers: Vec<Vec<Gate>>,
    /// `A`, one for each gate of the last layer.
    pub amplitudes: Vec<i64>,
    /// The start value of the sum.
    pub offset: i64,
}

impl Stack {
    /// The sum of the amplitudes that are on.
    pub fn sum(&self, inputs: &[i64]) -> i64 {
        let mut below = inputs.to_vec();
        for layer in &self.layers {
            below = layer.iter().map(|gate| i64::from(gate.fires(&below))).collect();
        }
        self.offset + below.iter().zip(&self.amplitudes).map(|(on, a)| on * a).sum::<i64>()
    }

    /// The bits of a type that holds the sum and every part of it: 32 or 64.
    pub fn sum_bits(&self) -> u32 {
        let size = self.amplitudes.iter().map(|a| a.unsigned_abs()).sum::<u64>();
        if size + self.offset.unsigned_abs() < 1 << 31 { 32 } else { 64 }
    }

    /// The smallest and the largest possible sum.
    pub fn range(&self) -> (i64, i64) {
        let part = |sign: i64| self.amplitudes.iter().map(|&a| (a * sign).max(0)).sum::<i64>();
        (self.offset - part(-1), self.offset + part(1))
    }
}

/// A model as integers.
#[derive(Debug, Clone, PartialEq)]
pub struct Circuit {
    /// The inputs, in the order of the features.
    pub inputs: Vec<Input>,
    /// One network, or one for each class if there are several.
    pub stacks: Vec<Stack>,
    /// `e`: an output is its sum times `2ᵉ`.
    pub exponent: i32,
    /// The meaning of the sums.
    pub answer: Answer,
    /// The number of gates that are not exactly the neurons they stand for, because their weights
    /// are not integers that fit the width of the sums.
    pub rounded: usize,
}

impl Circuit {
    /// The integers of a model.
    ///
    /// # Errors
    /// When the weights were not chosen as integers, or the outputs of several classes are too far
    /// apart for sums of 62 bits.
    pub fn of(model: &Model) -> Result<Self, Error> {
        let coding = model.coding();
        let grid = model.networks().next().and_then(Network::grid).ok_or(Error::NoIntegers)?;
        if model.networks().any(|network| network.grid() != Some(grid)) {
            return Err(Error::NoIntegers);
        }
        let inputs = inputs(coding, grid);
        // The largest power of two that all output weights are multiples of.
        let weights = |network: &Network| {
            lowest_bit(network.amplitudes().iter().copied().chain([network.offset()]))
        };
        let exponent = model.networks().filter_map(weights).min().unwrap_or(0);
        let mut rounded = 0;
        let stacks = (model.networks())
            .map(|network| stack(network, &inputs, exponent, &mut rounded))
            .collect::<Result<_, Error>>()?;
        Ok(Self { inputs, stacks, exponent, answer: Answer::of(coding.target()), rounded })
    }

    /// The sums of all networks.
    ///
    /// # Panics
    /// When there is not one integer for each input.
    pub fn sums(&self, inputs: &[i64]) -> Vec<i64> {
        assert_eq!(inputs.len(), self.inputs.len(), "one integer for each input");
        self.stacks.iter().map(|stack| stack.sum(inputs)).collect()
    }

    /// The output for a sum.
    pub fn output(&self, sum: i64) -> f64 {
        sum as f64 * 2f64.powi(self.exponent)
    }

    /// The integers of a row of features.
    pub fn integers(&self, row: &[f64]) -> Vec<i64> {
        self.inputs.iter().zip(row).map(|(input, &x)| input.integer(x)).collect()
    }

    /// All gates, in all networks and layers.
    pub fn gates(&self) -> impl Iterator<Item = &Gate> {
        self.stacks.iter().flat_map(|stack| stack.layers.iter().flatten())
    }

    /// The bits of the widest value that a neuron reads: inputs in the first layer, single bits
    /// above.
    pub fn storage(&self) -> u32 {
        let needed = |input: &Input| bits(input.least.min(-1), input.most);
        let widest = self.inputs.iter().map(needed).max().unwrap_or(1);
        [8, 16, 32].into_iter().find(|bits| *bits >= widest).unwrap_or(64)
    }
}

fn inputs(coding: &Coding, grid: &Grid) -> Vec<Input> {
    let limit = (1i64 << (grid.bits() - 1)) - 1;
    let mut inputs = Vec::with_capacity(coding.dimension());
    for column in coding.columns() {
        let names = column.names();
        let levels: Vec<Option<(String, String)>> = match &column.kind {
            Kind::Number { .. } => vec![None],
            Kind::Category { levels, .. } => (levels[levels.len() - names.len()..].iter())
                .map(|level| Some((column.column.name.clone(), level.clone())))
                .collect(),
        };
        for (name, level) in names.into_iter().zip(levels) {
            let shift = grid.shifts()[inputs.len()];
            let is_bit = level.is_some()
                || matches!(column.reading, Reading::Missing { .. } | Reading::Other { .. });
            let (offset, least, most) = match column.steps {
                Some(steps) => (steps.first, 0, steps.last() - steps.first),
                None if is_bit && shift == 0 => (0, 0, 1),
                None => (0, -limit, limit),
            };
            let shift = column.steps.map_or(shift, |steps| steps.shift);
            let origin = origin(column, coding);
            let (own, field) = (column.column.name.clone(), Field::of(column));
            inputs.push(Input {
                name,
                level,
                column: own,
                field,
                origin,
                shift,
                offset,
                least,
                most,
            });
        }
    }
    inputs
}

/// How the values of the features of a column come from it, if their names do not say. Missing
/// values are told where training had some.
fn origin(column: &ColumnCoding, coding: &Coding) -> Option<String> {
    let tells = |c: &ColumnCoding| {
        c.column == column.column && matches!(c.reading, Reading::Missing { .. })
    };
    let had_missing = coding.columns().iter().any(tells);
    let value = match &column.reading {
        Reading::Time { part, .. } => Some(part.words().to_owned()),
        Reading::Missing { .. } => Some("1 where the value is missing, else 0".to_owned()),
        Reading::Other { .. } => Some("1 for a label that is none of these, else 0".to_owned()),
        Reading::Plain | Reading::Written { .. } => None,
    };
    let missing = match &column.kind {
        Kind::Number { fill: Some(mean) } => Some(format!("{mean} where it is missing")),
        Kind::Category { fill: Some(level), .. } => {
            Some(format!("missing counts as {}", quoted(level)))
        }
        _ => None,
    };
    let missing = missing.filter(|_| had_missing);
    let parts: Vec<String> = value.into_iter().chain(missing).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `(k, e)` with `k · 2ᵉ` the number and `k` odd.
///
/// # Panics
/// At zero.
pub(super) fn dyadic(x: f64) -> (i64, i32) {
    assert!(x != 0.0 && x.is_finite(), "a number that has a lowest bit");
    let (odd, exponent) = odd_part(x);
    (if x < 0.0 { -(odd as i64) } else { odd as i64 }, exponent)
}

/// The `k` with `k · 2ᵉ = a`, for a multiple `a` of `2ᵉ`.
fn multiple(a: f64, exponent: i32) -> Result<i64, Error> {
    if a == 0.0 {
        return Ok(0);
    }
    let (k, own) = dyadic(a);
    let shift = u32::try_from(own - exponent).expect("the unit is the least of all");
    let room = k.unsigned_abs().leading_zeros().saturating_sub(64 - SUM_BITS);
    if shift > room {
        return Err(Error::TooWide { what: "outputs", bits: SUM_BITS });
    }
    Ok(k << shift)
}

fn stack(
    network: &Network,
    inputs: &[Input],
    exponent: i32,
    rounded: &mut usize,
) -> Result<Stack, Error> {
    let mut below: Vec<Line> = (inputs.iter().enumerate())
        .map(|(j, i)| Line::Varies {
            place: j as u32,
            shift: i.shift,
            offset: i.offset,
            least: i.least,
            most: i.most,
        })
        .collect();
    let mut layers = Vec::new();
    for layer in network.layers() {
        let (mut gates, mut above) = (Vec::new(), Vec::new());
        for (k, neuron) in layer.neurons.iter().enumerate() {
            let gate = Gate::of(k, neuron, &below);
            match gate.constant(&below) {
                Some(on) => above.push(Line::Constant(i64::from(on))),
                None => {
                    above.push(Line::bit(gates.len() as u32));
                    gates.push(gate);
                }
            }
        }
        layers.push(gates);
        below = above;
    }
    let mut offset = i128::from(multiple(network.offset(), exponent)?);
    let mut amplitudes = vec![0; layers.last().map_or(0, Vec::len)];
    for (line, &a) in below.iter().zip(network.amplitudes()) {
        let a = multiple(a, exponent)?;
        match *line {
            Line::Constant(value) => offset += i128::from(a) * i128::from(value),
            Line::Varies { place, .. } => amplitudes[place as usize] = a,
        }
    }
    let total = amplitudes.iter().map(|a| u128::from(a.unsigned_abs())).sum::<u128>();
    let fits = i64::try_from(offset).ok();
    let fits = fits.filter(|offset| total + u128::from(offset.unsigned_abs()) < 1 << SUM_BITS);
    let offset = fits.ok_or(Error::TooWide { what: "outputs", bits: SUM_BITS })?;
    let mut stack = Stack { layers, amplitudes, offset };
    stack.leave_out_unread();
    *rounded += stack.layers.iter().flatten().filter(|gate| !gate.exact).count();
    Ok(stack)
}

impl Stack {
    /// Leaves out the gates that nothing reads, from the top down.
    fn leave_out_unread(&mut self) {
        let mut read: Vec<bool> = self.amplitudes.iter().map(|a| *a != 0).collect();
        self.amplitudes.retain(|a| *a != 0);
        for l in (0..self.layers.len()).rev() {
            let mut kept = read.iter();
            self.layers[l].retain(|_| *kept.next().expect("one for each gate"));
            if l == 0 {
                break;
            }
            read = vec![false; self.layers[l - 1].len()];
            for (place, _) in self.layers[l].iter().flat_map(|gate| &gate.terms) {
                read[*place as usize] = true;
            }
            let mut next = 0;
            let place: Vec<u32> = (read.iter())
                .map(|&is_read| {
                    next += u32::from(is_read);
                    next.saturating_sub(1)
                })
                .collect();
            for (at, _) in self.layers[l].iter_mut().flat_map(|gate| &mut gate.terms) {
                *at = place[*at as usize];
            }
        }
    }
}
