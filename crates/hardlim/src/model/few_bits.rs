//! Output weights of few bits.
//!
//! The output weights `aⱼ` become multiples `Aⱼ 2ᵉ` of a coarse unit. The neurons stay as they are,
//! so the bounds of the certificates hold as before, and the objective is measured again. The unit
//! is the coarsest one for which every training row keeps its class and the objective rises by at
//! most a thousandth.
//!
//! For each unit the weights are rounded, then changed by one unit at a time as long as that brings
//! back classes or, with equally many classes, brings the outputs closer to what they were:
//! coordinate descent on a grid. It does not lower the objective, because an average of networks
//! has a higher one on purpose.
//!
//! The output bias is a multiple of the unit, too, but may have more bits: in a circuit it is the
//! constant of the last comparison, and costs nothing.
//!
//! With a limit on the bits, classes may change if no unit keeps them: then the widest weights may
//! be cut, and of some units the one wins that changes the fewest classes.

use super::{Model, Part, Setting, class_of, largest};
use crate::arrangement::Signs;
use crate::data::Dataset;
use crate::error::Error;
use crate::exact::dyadic::Range;
use crate::network::Network;
use crate::pattern::{PatternMatrix, WORD};

/// How much the objective may rise, as a part of it.
const RISE: f64 = 0.001;
const ROUNDS: usize = 8;
/// The number of units that are tried if classes may change.
const CUTS: u32 = 4;
/// The most rows that the descent may look at, for all units together: seconds.
const WORK: usize = 300_000_000;

/// How output weights were rounded.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct FewBits {
    /// The bits of the widest output weight, including the sign; the output bias may have more.
    pub bits: u32,
    /// The same before rounding.
    pub bits_before: u32,
    /// The objective.
    pub objective: f64,
    /// The objective before rounding.
    pub objective_before: f64,
    /// The largest change of an output on the training rows.
    pub most_change: f64,
    /// The neurons whose output weight became zero.
    pub dropped: usize,
    /// The share of the training rows, by weight, whose class changed.
    pub changed: f64,
    /// How much the accuracy on the training rows rose.
    pub accuracy: f64,
}

impl FewBits {
    /// What it means for a user, as a sentence.
    pub fn sentence(&self) -> String {
        let Self { bits, bits_before, objective, objective_before, most_change, dropped, .. } =
            *self;
        let rise = 100.0 * (objective / objective_before - 1.0);
        let change = match rise {
            rise if rise.abs() < 0.0005 => "stays the same".into(),
            rise if rise > 0.0 => format!("rises by {rise:.3} %"),
            rise => format!("falls by {:.3} %", -rise),
        };
        let gone = match dropped {
            0 => String::new(),
            1 => "; 1 neuron became zero".into(),
            n => format!("; {n} neurons became zero"),
        };
        let classes = match self.changed {
            0.0 => "every class on the training rows stays the same".to_owned(),
            changed => format!(
                "the class of {:.1} % of the training rows changes, and the accuracy there by \
                 {:+.1} %",
                100.0 * changed,
                100.0 * self.accuracy
            ),
        };
        format!(
            "Output weights have {bits} bits, from {bits_before}: {classes}, the objective \
             {change} and outputs there change by at most {most_change:.2}{gone}."
        )
    }
}

impl Model {
    /// The same model with output weights of few bits that keep every class on the training rows,
    /// and how they were rounded; or, if there are none within the limit, the nearest ones of
    /// `limit` bits, 2 at least. `None` if its answers are numbers, or if it has no wider weights.
    ///
    /// # Errors
    /// When the data are not the training data.
    pub fn with_few_bits(
        &self,
        data: &Dataset,
        limit: Option<u32>,
    ) -> Result<Option<(Self, FewBits)>, Error> {
        let sets = self.parts_of(data)?;
        if sets.iter().zip(&self.parts).any(|(set, part)| !part.is_of(set)) {
            return Err(Error::OtherData);
        }
        let most = self.networks().flat_map(Network::amplitudes).fold(0.0, |m, a| a.abs().max(m));
        if self.coding.target().classes().is_none() || most == 0.0 {
            return Ok(None);
        }
        let weights = self.networks().flat_map(|network| network.amplitudes().iter().copied());
        let bits_before = Range::of(weights).bits() as u32 + 1;
        let before = self.certificate().objective();
        let mut descent = Descent::new(self, &sets);
        // The largest weight has `bits − 1` bits and a sign.
        let unit = |bits: u32| 2f64.powi(most.log2().floor() as i32 + 2 - bits as i32);
        let limit = limit.map_or(bits_before, |limit| limit.max(2));
        for bits in 2..bits_before.min(limit + 1) {
            if descent.run(unit(bits), bits) > 0.0 {
                continue;
            }
            let found = self.rounded(&descent, &sets, bits_before);
            if found.1.objective <= before * (1.0 + RISE) {
                return Ok(Some(found));
            }
        }
        if bits_before <= limit {
            return Ok(None);
        }
        // Finer units cut the widest weights, and give the others a say.
        let units = (0..CUTS).map(|halvings| unit(limit) / f64::from(1 << halvings));
        let found: Vec<(f64, f64)> = units.map(|unit| (descent.run(unit, limit), unit)).collect();
        let best = found.iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a unit");
        descent.run(best.1, limit);
        Ok(Some(self.rounded(&descent, &sets, bits_before)))
    }

    fn rounded(&self, descent: &Descent, sets: &[Dataset], bits_before: u32) -> (Self, FewBits) {
        let parts: Vec<Part> = (self.parts.iter().zip(sets).zip(&descent.nets))
            .map(|((part, set), net)| {
                let mut weights: Vec<f64> =
                    net.weights.iter().map(|&w| w as f64 * descent.unit).collect();
                let offset = weights.pop().expect("a bias");
                let network = part.network.clone().with_amplitudes(weights, offset);
                part.with_other_answers(network, set, &self.setting)
            })
            .collect();
        let model = Self { parts, ..self.clone() };
        let changes = descent.nets.iter().flat_map(|net| net.outputs.iter().zip(&net.before));
        let units = descent.nets.iter().flat_map(|net| &net.weights[..net.patterns.patterns()]);
        let (changed, accuracy) = descent.changed();
        let found = FewBits {
            bits: Range::of(units.map(|&w| w as f64)).bits() as u32 + 1,
            bits_before,
            objective: model.certificate().objective(),
            objective_before: self.certificate().objective(),
            most_change: changes.map(|(u, v)| (u - v).abs()).fold(0.0, f64::max),
            dropped: self.neurons().saturating_sub(model.neurons()),
            changed,
            accuracy,
        };
        (model, found)
    }
}

/// Coordinate descent over output weights that are multiples of a unit.
struct Descent {
    setting: Setting,
    nets: Vec<Net>,
    classes: Vec<usize>,
    /// The share of each row and class among all rows, by weight.
    shares: Vec<Vec<f64>>,
    unit: f64,
    most: i64,
    /// The rows that may still be looked at.
    work: usize,
}

struct Net {
    patterns: PatternMatrix,
    /// The weights before rounding, the output bias last.
    given: Vec<f64>,
    /// The signs that each may have: its own if the class of the network depends on signs.
    signs: Vec<Signs>,
    times: Vec<f64>,
    /// The weights in units, the output bias last.
    weights: Vec<i64>,
    /// The outputs before rounding.
    before: Vec<f64>,
    outputs: Vec<f64>,
}

impl Descent {
    fn new(model: &Model, sets: &[Dataset]) -> Self {
        let nets: Vec<Net> = (model.parts.iter().zip(sets))
            .map(|(part, set)| {
                let network = &part.network;
                let given = [network.amplitudes(), &[network.offset()]].concat();
                let any = part.recipe.policy().is_none();
                let every = model.setting.constraints.signs();
                let own = |a: &f64| Signs { positive: any || *a > 0.0, negative: any || *a < 0.0 };
                let signs = network.amplitudes().iter().map(|a| own(a).and(every));
                Net {
                    patterns: network.patterns(set.features()),
                    weights: vec![0; given.len()],
                    times: set.targets().iter().map(|atoms| atoms.weight()).collect(),
                    given,
                    signs: signs.chain([Signs::BOTH]).collect(),
                    before: network.output(set.features()),
                    outputs: Vec::new(),
                }
            })
            .collect();
        let rows = sets[0].distinct();
        let mut descent = Self {
            setting: model.setting,
            nets,
            classes: vec![0; rows],
            shares: shares(sets),
            unit: 1.0,
            most: 1,
            work: WORK,
        };
        descent.classes = (0..rows).map(|i| descent.class(|net| net.before[i])).collect();
        descent
    }

    /// The class for these outputs of the networks.
    fn class(&self, output: impl Fn(&Net) -> f64) -> usize {
        match &self.nets[..] {
            [net] => usize::from(class_of(output(net)) > 0.0),
            nets => largest(&nets.iter().map(output).collect::<Vec<f64>>()),
        }
    }

    /// Rounds to a unit and to `bits` bits, and descends. Returns the share of rows that do not
    /// have their class.
    fn run(&mut self, unit: f64, bits: u32) -> f64 {
        self.unit = unit;
        self.most = (1 << (bits - 1)) - 1;
        let most = self.most;
        for net in &mut self.nets {
            let rounded = |(j, a): (usize, &f64)| match (a / unit).round() as i64 {
                bias if j == net.patterns.patterns() => bias,
                weight => weight.clamp(-most, most),
            };
            net.weights = net.given.iter().enumerate().map(rounded).collect();
            let scaled = net.weights.iter().map(|&w| w as f64 * unit);
            let (amplitudes, offset) =
                (net.patterns.patterns(), *net.weights.last().expect("a bias"));
            net.outputs = net.patterns.combine(scaled.take(amplitudes).enumerate());
            net.outputs.iter_mut().for_each(|u| *u += offset as f64 * unit);
        }
        for _ in 0..ROUNDS {
            let cost: usize = self.nets.iter().map(|n| n.outputs.len() * n.weights.len()).sum();
            if cost > self.work {
                break;
            }
            self.work -= cost;
            if !self.round() {
                break;
            }
        }
        self.changed().0
    }

    /// The share of the rows, by weight, that do not have their class, and how much the accuracy
    /// rose.
    fn changed(&self) -> (f64, f64) {
        let (mut changed, mut right) = (0.0, 0.0);
        for (i, &class) in self.classes.iter().enumerate() {
            let now = self.class(|net| net.outputs[i]);
            if now != class {
                changed += self.shares[i].iter().sum::<f64>();
                right += self.shares[i][now] - self.shares[i][class];
            }
        }
        (changed, right)
    }

    /// Tries to change every weight once. Returns whether one changed.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for k in 0..self.nets.len() {
            for j in 0..self.nets[k].weights.len() {
                let is_bias = j + 1 == self.nets[k].weights.len();
                if is_bias && !self.setting.constraints.intercept {
                    continue;
                }
                for step in [1, -1] {
                    let weight = self.nets[k].weights[j] + step;
                    let allowed = self.nets[k].signs[j].allow(weight as f64)
                        && (is_bias || weight.abs() <= self.most);
                    if allowed && self.gains(k, j, step) {
                        self.change(k, j, step);
                        changed = true;
                        break;
                    }
                }
            }
        }
        changed
    }

    /// Whether a step of a weight brings back classes, or else brings the outputs closer to what
    /// they were.
    fn gains(&self, k: usize, j: usize, step: i64) -> bool {
        let (net, by) = (&self.nets[k], step as f64 * self.unit);
        let (mut kept, mut change) = (0i64, 0.0);
        net.rows_of(j, |i| {
            let u = net.outputs[i] + by;
            change += net.times[i] * (u + net.outputs[i] - 2.0 * net.before[i]);
            let is_own = |other: &Net| std::ptr::eq(other, net);
            let class = self.class(|other| if is_own(other) { u } else { other.outputs[i] });
            let now = self.class(|other| other.outputs[i]);
            kept += i64::from(class == self.classes[i]) - i64::from(now == self.classes[i]);
        });
        // A change of the size of rounding errors is none, so the rounds end.
        kept > 0 || (kept == 0 && change * by < -1e-9 * self.unit * self.unit)
    }

    fn change(&mut self, k: usize, j: usize, step: i64) {
        let by = step as f64 * self.unit;
        let net = &mut self.nets[k];
        net.weights[j] += step;
        let mut rows = Vec::new();
        net.rows_of(j, |i| rows.push(i));
        for i in rows {
            net.outputs[i] += by;
        }
    }
}

/// The share of each row and class among all rows, by weight. One set has two classes; of several,
/// each has one class against the rest.
fn shares(sets: &[Dataset]) -> Vec<Vec<f64>> {
    let own = |data: &Dataset, i: usize, positive: bool| {
        let atoms = data.targets().row(i).iter().filter(|(y, _)| (*y > 0.0) == positive);
        atoms.map(|(_, weight)| weight).sum::<f64>()
    };
    let mut shares: Vec<Vec<f64>> = (0..sets[0].distinct())
        .map(|i| match sets {
            [data] => vec![own(data, i, false), own(data, i, true)],
            sets => sets.iter().map(|data| own(data, i, true)).collect(),
        })
        .collect();
    let total = shares.iter().flatten().sum::<f64>().max(f64::MIN_POSITIVE);
    shares.iter_mut().flatten().for_each(|share| *share /= total);
    shares
}

impl Net {
    /// Visits the rows where a neuron is on; all rows for the output bias.
    fn rows_of(&self, j: usize, mut visit: impl FnMut(usize)) {
        if j == self.patterns.patterns() {
            return (0..self.outputs.len()).for_each(visit);
        }
        for (at, &word) in self.patterns.column(j).iter().enumerate() {
            let mut word = word;
            while word != 0 {
                visit(at * WORD + word.trailing_zeros() as usize);
                word &= word - 1; // drops the lowest set bit
            }
        }
    }
}
