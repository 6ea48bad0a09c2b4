//! One neuron as integers.

use super::circuit::{SUM_BITS, dyadic};
use crate::exact::dyadic::gcd;
use crate::network::Neuron;

/// `1{Σ kⱼmⱼ + b ≥ 0}` in integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Its index in the layer of the model, from 0.
    pub neuron: usize,
    /// The inputs that it reads, in ascending order, and `k`, which is never zero.
    pub terms: Vec<(u32, i64)>,
    /// `b`.
    pub bias: i64,
    /// Whether it equals the neuron on every input.
    pub exact: bool,
}

/// What a gate may read: a value between bounds, or a constant.
#[derive(Debug, Clone, Copy)]
pub(super) enum Line {
    Constant(i64),
    Varies { place: u32, shift: i32, offset: i64, least: i64, most: i64 },
}

impl Line {
    /// A gate of the layer below.
    pub(super) fn bit(place: u32) -> Self {
        Self::Varies { place, shift: 0, offset: 0, least: 0, most: 1 }
    }

    fn size(self) -> u64 {
        match self {
            Self::Constant(value) => value.unsigned_abs(),
            Self::Varies { offset, least, most, .. } => {
                least.unsigned_abs().max(most.unsigned_abs()) + offset.unsigned_abs()
            }
        }
    }
}

impl Gate {
    /// The gate of a neuron that reads these lines.
    pub(super) fn of(neuron: usize, of: &Neuron, below: &[Line]) -> Self {
        // w x = (w 2⁻ᵍ)(m + o); each factor is an integer times a power of two.
        let weights: Vec<(Line, i64, i32)> = (of.terms())
            .filter(|&(j, w)| w != 0.0 && !matches!(below[j], Line::Constant(0)))
            .map(|(j, w)| {
                let (line, (integer, exponent)) = (below[j], dyadic(w));
                let shift = if let Line::Varies { shift, .. } = line { shift } else { 0 };
                (line, integer, exponent - shift)
            })
            .collect();
        // The unit in which all weights are integers, or the smallest unit for which sums do not
        // overflow. The bias needs no unit of its own: a sum of integers reaches −b when it
        // reaches ⌈−b⌉.
        let finest = weights.iter().map(|w| w.2).min().unwrap_or(0);
        let size: f64 = (weights.iter())
            .map(|&(line, k, e)| k.unsigned_abs() as f64 * 2f64.powi(e) * line.size() as f64)
            .sum();
        let coarse = (size.log2().ceil() as i32).saturating_sub(SUM_BITS as i32 - 2);
        let unit = if weights.is_empty() { 0 } else { finest.max(coarse) };
        let mut gate = Self { neuron, terms: Vec::new(), bias: 0, exact: unit == finest };
        let (mut constant, mut room) = (0i64, 0i64);
        for (line, k, e) in weights {
            let k = scaled(k, e - unit);
            match line {
                Line::Constant(value) => constant += k * value,
                Line::Varies { place, offset, least, most, .. } if k != 0 => {
                    gate.terms.push((place, k));
                    constant += k * offset;
                    room += (k * least).abs().max((k * most).abs());
                }
                Line::Varies { .. } => (),
            }
        }
        let divisor = gate.terms.iter().fold(0, |d, t| gcd(d, t.1.unsigned_abs())).max(1) as i64;
        gate.terms.iter_mut().for_each(|t| t.1 /= divisor);
        gate.terms.sort_unstable_by_key(|t| t.0);
        // A bias beyond the range of the terms decides alone.
        let bias = floor_multiple(of.bias, unit).saturating_add(constant);
        gate.bias = bias.clamp(-room - 1, room).div_euclid(divisor);
        gate
    }

    /// Whether the gate fires.
    pub fn fires(&self, below: &[i64]) -> bool {
        self.bias + self.terms.iter().map(|&(j, k)| k * below[j as usize]).sum::<i64>() >= 0
    }

    /// The smallest and the largest sum for inputs within these bounds.
    fn range(&self, bounds: impl Fn(u32) -> (i64, i64)) -> (i64, i64) {
        self.terms.iter().fold((self.bias, self.bias), |(least, most), &(j, k)| {
            let (low, high) = bounds(j);
            (least + (k * low).min(k * high), most + (k * low).max(k * high))
        })
    }

    /// Its answer, if it is the same on all inputs.
    pub(super) fn constant(&self, below: &[Line]) -> Option<bool> {
        let mut bounds = vec![(0, 0); below.len()];
        for line in below {
            if let Line::Varies { place, least, most, .. } = *line {
                bounds[place as usize] = (least, most);
            }
        }
        let (least, most) = self.range(|j| bounds[j as usize]);
        if least >= 0 { Some(true) } else { (most < 0).then_some(false) }
    }

    /// The number of bits of its widest weight, including the sign.
    pub(super) fn weight_bits(&self) -> u32 {
        self.terms.iter().map(|t| super::circuit::bits(t.1.min(-1), t.1)).max().unwrap_or(0)
    }
}

/// `k · 2ᵉ`, rounded to an integer; the caller knows that it fits.
fn scaled(k: i64, e: i32) -> i64 {
    if e >= 0 { k << e } else { (k as f64 * 2f64.powi(e)).round() as i64 }
}

/// `⌊b / 2ᵘ⌋`, limited to the range of the integers.
fn floor_multiple(b: f64, unit: i32) -> i64 {
    (b * 2f64.powi(-unit)).floor() as i64
}
