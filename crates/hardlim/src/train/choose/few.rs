//! Few neurons that predict like many.
//!
//! A network grows from nothing. The neuron with the largest price is added, and the output weights
//! are fitted again; or neurons of the large network are taken, those that least squares can spare
//! least ([`Elimination`]). Then every neuron is exchanged for the best one there is: it has the
//! output weight `a`, and without it the output is `u`. A pattern `d` in its place has the loss
//! `L(u + a d) = L(u) + dᵀz` with `zᵢ = lᵢ(uᵢ + a) − lᵢ(uᵢ)`, because `dᵢ` is zero or one. This is
//! no linearisation: the best neuron for an output weight is found by pricing, and no step raises
//! `L(f) + β Σ|aⱼ|`.
//!
//! There are two ways, in this order: the network learns the outputs of the large network, or the
//! targets themselves. Cross-validation decides between them, because neither is better on all
//! data.
//!
//! A pattern with a large `dᵀz` is as good as one with a small one: `L(u + a (1 − d)) = L(u) + Σz −
//! dᵀz`, and this is the neuron `d` with the output weight `−a` and `a` more of the output bias.
//! Patterns with a bias come in such pairs, so one search finds the best neuron, exactly if pricing
//! is exact. Without a bias, or if output weights may not be negative, some of the best patterns of
//! both signs are looked at.
//!
//! Output weights of few bits are `τAⱼ` with small integers `Aⱼ`. Then an exchange may also change
//! `Aⱼ` by one, and only the unit `τ` and the output bias are fitted. At the end the unit becomes a
//! power of two.

use super::eliminate::Elimination;
use super::{Chooser, solver};
use crate::arrangement::Dictionary;
use crate::data::{Dataset, Targets};
use crate::error::Error;
use crate::exact::dyadic::gcd;
use crate::exact::sum::round_to_grid;
use crate::loss::{self, Loss as _, LossKind};
use crate::network::{Layer, Network, Neuron};
use crate::pattern::Weighting;
use crate::pricing::Prover;
use crate::program::{Beta, Constraints, LassoProgram};
use crate::solver::Budget;
use crate::train::tuning::{
    FEW_ENOUGH, FEW_FITTED, FEW_KEPT, FEW_LONGEST, FEW_LOOKED_AT, FEW_NEWTON, FEW_PART,
    FEW_QUARTERS, FEW_RIDGE, FEW_ROUNDS, FEW_STRENGTH,
};

/// A network of some of the neurons at hand.
#[derive(Debug, Clone)]
pub(super) struct Few {
    pub(super) columns: Vec<usize>,
    pub(super) amplitudes: Vec<f64>,
    pub(super) offset: f64,
}

/// What few neurons should answer, and where they are found.
struct Selection<'a> {
    loss: LossKind,
    targets: &'a Targets,
    beta: Beta,
    constraints: Constraints,
    output_bits: Option<u32>,
    /// The neurons at hand, and what they cost.
    pool: Dictionary,
    costs: Vec<f64>,
    /// All patterns in scope, if they can be searched.
    prover: Option<&'a Prover<'a>>,
    /// The elementary steps that are left.
    left: f64,
    budget: Budget<'a>,
}

/// Few neurons, and how well they fit.
struct Selected {
    few: Few,
    objective: f64,
    /// The least objective with fewer neurons than the most.
    before: f64,
}

/// A neuron for a place: its column, its output weight, and what it adds to the output bias and to
/// the objective.
#[derive(Clone, Copy)]
struct Newcomer {
    column: usize,
    amplitude: f64,
    offset: f64,
    value: f64,
}

impl Chooser<'_> {
    /// The number of ways to choose few neurons: targets need a smooth loss.
    pub(super) fn ways(&self) -> usize {
        if self.trainer.loss.is_smooth() { 2 } else { 1 }
    }

    /// For every way, at most `most` neurons that stand for `all` of a pool at this strength, or
    /// others in scope of the prover. A way that fits worse than the other one with fewer neurons
    /// gives way to it: more neurons never fit worse.
    pub(super) fn few(
        &self,
        data: &Dataset,
        (pool, all): (&Dictionary, &Few),
        beta: Beta,
        most: usize,
        prover: Option<&Prover<'_>>,
    ) -> Result<Vec<Network>, Error> {
        let output_bits = self.predictions.output_bits;
        let outputs =
            pool.patterns.combine(all.columns.iter().copied().zip(all.amplitudes.clone()));
        let outputs: Vec<f64> = outputs.into_iter().map(|u| u + all.offset).collect();
        let (taught_loss, taught) = self.taught(data, &outputs)?;
        let constraints = Constraints { intercept: true, ..self.trainer.terms.constraints };
        let work = self.path_work();
        let costs = self.costs(pool).unwrap_or_else(|| vec![1.0; pool.len()]);
        let one = Beta::new(1.0).expect("one is positive");
        let program = LassoProgram::new(&pool.patterns, &taught, taught_loss, one)?;
        let largest = program.with_constraints(constraints).beta_max();
        let weak = Beta::new((FEW_STRENGTH * largest).max(f64::MIN_POSITIVE))?;
        let weights: Vec<f64> = data.targets().iter().map(|atoms| atoms.weight()).collect();
        let order = order(pool, all, &costs, &weights, &outputs);
        let goals = [(taught_loss, &taught, weak), (self.trainer.loss, data.targets(), beta)];
        let mut grown = Vec::new();
        for &(loss, targets, own) in &goals[..self.ways()] {
            let mut growth = Selection {
                loss,
                targets,
                beta: own,
                constraints,
                output_bits,
                pool: pool.clone(),
                costs: costs.clone(),
                prover: prover.filter(|prover| prover.first_cost() <= work),
                left: work,
                budget: self.trainer.budget.uncounted(),
            };
            let mut found = Selected { few: all.clone(), objective: 0.0, before: 0.0 };
            if all.columns.len() > most {
                found = growth.grow(&order, all.offset, most, |growth, few| {
                    let output = growth.output(few, &few.amplitudes);
                    let loss = loss::total(&self.trainer.loss, data.targets(), &output);
                    loss + beta.get() * growth.size(few)
                })?;
            }
            grown.push((growth, found));
        }
        (0..grown.len())
            .map(|own| {
                let other = grown.len() - 1 - own;
                let fits = grown[own].1.objective <= grown[other].1.before || own == other;
                let (growth, found) = &mut grown[if fits { own } else { other }];
                let few = growth.rounded(found.few.clone())?;
                few.network(&growth.pool, data.dimension())
            })
            .collect()
    }

    /// What a network learns from these outputs of another: probabilities of classes, or numbers.
    fn taught(&self, data: &Dataset, outputs: &[f64]) -> Result<(LossKind, Targets), Error> {
        let (n, counts) = (data.distinct(), data.targets().iter().map(|atoms| atoms.weight()));
        let rows = 0..n as u32;
        if self.trainer.loss != LossKind::Logistic {
            let (rows, counts): (Vec<u32>, Vec<f64>) = (rows.collect(), counts.collect());
            return Ok((LossKind::Squared, Targets::grouped(n, &rows, outputs, Some(&counts))?));
        }
        let share = |y: f64| move |(count, u): (f64, &f64)| count / (1.0 + (-y * u).exp());
        let shares = |y: f64| counts.clone().zip(outputs).map(share(y));
        let weights: Vec<f64> = shares(1.0).chain(shares(-1.0)).collect();
        let y = [vec![1.0; n], vec![-1.0; n]].concat();
        let rows: Vec<u32> = rows.clone().chain(rows).collect();
        Ok((LossKind::Logistic, Targets::grouped(n, &rows, &y, Some(&weights))?))
    }
}

impl Selection<'_> {
    /// Grows to at most `most` neurons. Neurons are fitted and exchanged at some sizes, the same
    /// for all networks, so a larger network begins as a smaller one.
    fn grow(
        &mut self,
        order: &[usize],
        offset: f64,
        most: usize,
        objective: impl Fn(&Self, &Few) -> f64,
    ) -> Result<Selected, Error> {
        let mut few = Few { columns: Vec::new(), amplitudes: Vec::new(), offset };
        self.fit(&mut few, &mut None)?;
        let now = objective(self, &few);
        let mut best = Selected { few: few.clone(), objective: now, before: now };
        let mut next = 1;
        for size in 1..=most {
            if (size > 1 && self.budget.spent().is_some()) || !self.add(&mut few) {
                break;
            }
            let exchanges = size == next;
            if !exchanges && size < most {
                continue;
            }
            self.fit(&mut few, &mut None)?;
            if exchanges {
                next = size + (size / FEW_PART).max(1);
                self.improve(&mut few, &mut None)?;
                let columns = order[order.len().saturating_sub(size)..].to_vec();
                let amplitudes = vec![0.0; columns.len()];
                let mut other = Few { columns, amplitudes, offset };
                self.fit(&mut other, &mut None)?;
                self.improve(&mut other, &mut None)?;
                if self.objective(&other) < self.objective(&few) {
                    few = other;
                }
            }
            let now = objective(self, &few);
            if now < best.objective {
                (best.few, best.objective) = (few.clone(), now);
            }
            if size < most {
                best.before = best.objective;
            }
        }
        Ok(best)
    }

    /// Adds the neuron with the largest price, with the step that one second-order model gives it.
    /// Returns whether any neuron lowers the objective.
    fn add(&mut self, few: &mut Few) -> bool {
        let output = self.output(few, &few.amplitudes);
        let mut z = loss::least_gradient(&self.loss, self.targets, &output);
        round_to_grid(&mut z);
        let free = !self.constraints.non_negative;
        let found = self.search(&z, self.beta.get(), 0.0);
        let price = |(column, value): (usize, f64)| {
            let slope = if free { value.abs() } else { -value };
            slope / self.costs[column] - self.beta.get()
        };
        let best = found.into_iter().map(|found| (price(found), found));
        let best = best.filter(|(price, _)| *price > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((price, (column, value))) = best else { return false };
        let curvatures: Vec<f64> = (self.targets.iter().zip(&output))
            .map(|(atoms, &u)| self.loss.row_curvature(u, atoms))
            .collect();
        let curvature = self.pool.patterns.correlations_of(&[column], &curvatures)[0];
        let step = price * self.costs[column] / curvature.max(f64::MIN_POSITIVE);
        let step = step.min(FEW_LONGEST).copysign(-value);
        if let Some(place) = few.columns.iter().position(|own| *own == column) {
            few.amplitudes[place] += step;
        } else {
            few.columns.push(column);
            few.amplitudes.push(step);
        }
        true
    }

    /// The network with output weights of few bits, if these are limited.
    fn rounded(&mut self, mut few: Few) -> Result<Few, Error> {
        let Some(bits) = self.output_bits else { return Ok(few) };
        let unit = few.round(bits);
        let mut fitted = Some(unit);
        self.fit(&mut few, &mut fitted)?;
        self.improve(&mut few, &mut fitted)?;
        few.snap(fitted.unwrap_or(unit));
        Ok(few)
    }

    fn improve(&mut self, few: &mut Few, unit: &mut Option<f64>) -> Result<(), Error> {
        let mut before = self.objective(few);
        for _ in 0..FEW_ROUNDS {
            let start = (few.clone(), *unit);
            for place in 0..few.columns.len() {
                if self.left < 0.0 || self.budget.spent().is_some() {
                    break;
                }
                self.exchange(few, place, *unit);
            }
            self.fit(few, unit)?;
            let after = self.objective(few);
            if after > before {
                (*few, *unit) = start;
            }
            if after > before * (1.0 - FEW_ENOUGH) {
                break;
            }
            before = after;
        }
        Ok(())
    }

    /// `L(f) + β Σ|aⱼ|`.
    fn objective(&self, few: &Few) -> f64 {
        let output = self.output(few, &few.amplitudes);
        loss::total(&self.loss, self.targets, &output) + self.beta.get() * self.size(few)
    }

    /// `Σ|aⱼ|`, times what neurons cost.
    fn size(&self, few: &Few) -> f64 {
        few.columns.iter().zip(&few.amplitudes).map(|(&j, a)| self.costs[j] * a.abs()).sum()
    }

    fn output(&self, few: &Few, amplitudes: &[f64]) -> Vec<f64> {
        let terms = few.columns.iter().copied().zip(amplitudes.iter().copied());
        let mut output = self.pool.patterns.combine(terms);
        output.iter_mut().for_each(|u| *u += few.offset);
        output
    }

    fn exchange(&mut self, few: &mut Few, place: usize, unit: Option<f64>) {
        let own = few.amplitudes[place];
        let mut others = few.amplitudes.clone();
        others[place] = 0.0;
        let rest = self.output(few, &others);
        let largest = others.iter().map(|a| a.abs()).fold(0.0, f64::max);
        let other = if largest > 0.0 { largest } else { 1.0 };
        let steps = match unit {
            Some(unit) => vec![own, own + unit, own - unit],
            // A neuron that lost its output weight makes room for another.
            None if own == 0.0 => vec![other, -other],
            None => vec![own],
        };
        let column = few.columns[place];
        let mut best = Newcomer { column, amplitude: own, offset: 0.0, value: 0.0 };
        for (k, amplitude) in steps.into_iter().enumerate() {
            if (k > 0 || own == 0.0) && !self.allows(amplitude, unit) {
                continue;
            }
            let z = self.changes(&rest, amplitude);
            let price = self.beta.get() * amplitude.abs();
            let stays = self.pool.patterns.correlations_of(&[column], &z)[0];
            let value = stays + price * self.costs[column];
            if value < best.value || amplitude == own {
                best = Newcomer { column, amplitude, offset: 0.0, value };
            }
            let total: f64 = z.iter().sum();
            for (column, value) in self.search(&z, price, best.value) {
                let price = price * self.costs[column];
                let here = Newcomer { column, amplitude, offset: 0.0, value: value + price };
                let value = total - value + price;
                let turned = Newcomer { column, amplitude: -amplitude, offset: amplitude, value };
                let allowed = !self.constraints.non_negative;
                for offer in [Some(here), allowed.then_some(turned)].into_iter().flatten() {
                    if offer.value < best.value {
                        best = offer;
                    }
                }
            }
        }
        (few.columns[place], few.amplitudes[place]) = (best.column, best.amplitude);
        few.offset += best.offset;
    }

    fn allows(&self, amplitude: f64, unit: Option<f64>) -> bool {
        let small = |(unit, bits): (f64, u32)| {
            let count = (amplitude / unit).round().abs();
            count >= 1.0 && count <= largest(bits)
        };
        let signed = amplitude >= 0.0 || !self.constraints.non_negative;
        signed && unit.zip(self.output_bits).is_none_or(small)
    }

    /// `zᵢ = lᵢ(uᵢ + a) − lᵢ(uᵢ)`.
    fn changes(&self, rest: &[f64], amplitude: f64) -> Vec<f64> {
        let change =
            |(atoms, &u)| self.loss.row_value(u + amplitude, atoms) - self.loss.row_value(u, atoms);
        let mut z: Vec<f64> = self.targets.iter().zip(rest).map(change).collect();
        round_to_grid(&mut z);
        z
    }

    /// The columns with the least and the largest `dᵀz`, or one of them if both are as good.
    /// Searched patterns are left out if none gives less than `least` with this price.
    fn search(&mut self, z: &[f64], price: f64, least: f64) -> Vec<(usize, f64)> {
        let Some(prover) = self.prover.filter(|_| self.left >= 0.0) else {
            let values = self.pool.patterns.correlations(z);
            self.left -= (z.len() * values.len()) as f64 / 8.0;
            // The best ones by what they add: the one with the least sum, and the largest turned.
            let ends = [1.0, -1.0].map(|sign| {
                let adds = |j: &usize| sign * values[*j] + price * self.costs[*j];
                (0..values.len()).min_by(|a, b| adds(a).total_cmp(&adds(b)))
            });
            return ends.into_iter().flatten().map(|j| (j, values[j])).collect();
        };
        // The larger side has the same neuron as the smaller one.
        let turns = prover.has_bias() && !self.constraints.non_negative;
        let larger = if turns { z.iter().sum::<f64>().max(0.0) } else { 0.0 };
        let keep = if turns { FEW_KEPT.0 } else { FEW_KEPT.1 };
        let before = prover.work().unwrap_or(0);
        let stop = || self.budget.spent().is_some();
        let threshold = (price - least + larger).max(0.0);
        let found = prover.price(z, &[], threshold, keep, &stop).found;
        let steps = prover.work().map_or(prover.cost(), |work| (work - before) as f64);
        let mut taken = Vec::new();
        for priced in found {
            taken.push((self.pool.len(), priced.value));
            self.pool.patterns.push(&priced.pattern);
            self.pool.witnesses.push(priced.hyperplane);
            // Neurons that pay for their inputs are searched for if they read one: it costs one.
            self.costs.push(1.0);
        }
        self.left -= steps;
        taken
    }

    /// Fits the output weights, or their unit, and the output bias.
    fn fit(&self, few: &mut Few, unit: &mut Option<f64>) -> Result<(), Error> {
        let patterns = self.pool.patterns.select(&few.columns);
        if let Some(unit) = unit {
            let counts: Vec<f64> = few.amplitudes.iter().map(|a| (a / *unit).round()).collect();
            let sums = patterns.combine(counts.iter().copied().enumerate());
            let price = self.beta.get() * self.size(few) / *unit;
            let start = (*unit, few.offset);
            (*unit, few.offset) = scaled(&self.loss, self.targets, &sums, price, start);
            few.amplitudes = counts.iter().map(|count| count * *unit).collect();
            return Ok(());
        }
        let costs: Vec<f64> = few.columns.iter().map(|&j| self.costs[j]).collect();
        let program = LassoProgram::new(&patterns, self.targets, self.loss, self.beta)?;
        let program = program.with_constraints(self.constraints).with_costs(Some(&costs))?;
        let solver = solver(FEW_FITTED, self.budget);
        let fitted = solver.solve_from(&program, &few.amplitudes, few.offset);
        (few.amplitudes, few.offset) = (fitted.coefficients, fitted.offset);
        Ok(())
    }
}

/// The unit and the output bias with the least objective for these sums in units, by Newton's
/// method; `price` is the penalty of a unit.
pub(super) fn scaled(
    loss: &LossKind,
    targets: &Targets,
    sums: &[f64],
    price: f64,
    start: (f64, f64),
) -> (f64, f64) {
    let value = |(unit, offset): (f64, f64)| {
        let u: Vec<f64> = sums.iter().map(|s| unit * s + offset).collect();
        loss::total(loss, targets, &u) + price * unit
    };
    let (rounds, shortest, enough) = FEW_NEWTON;
    let (mut at, mut now) = (start, value(start));
    for _ in 0..rounds {
        let (unit, offset) = at;
        let (mut slope, mut curvature) = ([price, 0.0], [0.0; 3]);
        for (atoms, s) in targets.iter().zip(sums) {
            let u = unit * s + offset;
            let (first, second) = (loss.row_subgradient(u, atoms).0, loss.row_curvature(u, atoms));
            slope = [slope[0] + first * s, slope[1] + first];
            let [a, b, c] = curvature;
            curvature = [a + second * s * s, b + second * s, c + second];
        }
        let [a, b, c] = curvature;
        let ridge = FEW_RIDGE * (a + c).max(f64::MIN_POSITIVE);
        let (a, c) = (a + ridge, c + ridge);
        let determinant = a * c - b * b;
        let step = (
            (c * slope[0] - b * slope[1]) / determinant,
            (a * slope[1] - b * slope[0]) / determinant,
        );
        // Where all sums are alike the curvature says nothing, and a step leaves the positive units
        // by far: the shortest one is a part of what stays among them.
        let within = if step.0 > unit { unit / step.0 } else { 1.0 };
        let lengths = std::iter::successors(Some(1.0), |length| Some(0.5 * length));
        let mut lengths = lengths.take_while(|length| *length > shortest * within);
        let next = lengths.find_map(|length| {
            let next = (unit - length * step.0, offset - length * step.1);
            let then = if next.0 > 0.0 { value(next) } else { f64::INFINITY };
            (then < now).then_some((next, then))
        });
        let Some((next, then)) = next else { break };
        let gain = now - then;
        (at, now) = (next, then);
        if gain < enough * now.abs() {
            break;
        }
    }
    at
}

/// The columns of a network in the order in which least squares to its outputs can spare them, the
/// most important ones last. Only those with large output weights are looked at.
fn order(
    pool: &Dictionary,
    all: &Few,
    costs: &[f64],
    weights: &[f64],
    outputs: &[f64],
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..all.columns.len()).collect();
    let size = |k: &usize| all.amplitudes[*k].abs();
    places.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
    places.truncate(FEW_LOOKED_AT);
    let columns: Vec<usize> = places.into_iter().map(|k| all.columns[k]).collect();
    let weighted: Vec<f64> = weights.iter().zip(outputs).map(|(s, u)| s * u).collect();
    let gram = pool.patterns.weighted_gram_symmetric(&columns, &Weighting::new(weights));
    let counts = pool.patterns.correlations_of(&columns, weights);
    let mut right = pool.patterns.correlations_of(&columns, &weighted);
    right.push(weighted.iter().sum());
    let row = |i: usize| (0..columns.len()).map(|j| gram[(i, j)]).chain([counts[i]]).collect();
    let mut rows: Vec<Vec<f64>> = (0..columns.len()).map(row).collect();
    rows.push(counts.iter().copied().chain([weights.iter().sum()]).collect());
    // The constant is free, so it stays.
    let costs = columns.iter().map(|&j| costs[j]).chain([f64::MIN_POSITIVE]).collect();
    let order = Elimination::new(rows, &right, costs).order();
    order.into_iter().filter_map(|k| columns.get(k).copied()).collect()
}

impl Few {
    pub(super) fn network(self, pool: &Dictionary, inputs: usize) -> Result<Network, Error> {
        let neurons = self.columns.iter().map(|&j| Neuron::from(pool.witnesses[j].clone()));
        let used = neurons.zip(self.amplitudes).filter(|(_, a)| *a != 0.0);
        let (neurons, amplitudes) = used.unzip();
        Network::new(inputs, vec![Layer { neurons }], amplitudes, self.offset)
    }

    /// Rounds the output weights to these bits, none of them to zero. Returns the unit.
    fn round(&mut self, bits: u32) -> f64 {
        let most = self.amplitudes.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        let unit = if most > 0.0 { most / largest(bits) } else { 1.0 };
        for a in &mut self.amplitudes {
            *a = (a.abs() / unit).round().clamp(1.0, largest(bits)) * unit.copysign(*a);
        }
        unit
    }

    /// Makes the unit a power of two, as large as the output weights allow, and the output bias a
    /// multiple of a quarter of it. No class changes: sums of output weights are whole units, so
    /// what is cut off decides nothing.
    fn snap(&mut self, unit: f64) {
        let counts: Vec<i64> = self.amplitudes.iter().map(|a| (a / unit).round() as i64).collect();
        let common = counts.iter().fold(0, |common, count| gcd(count.abs(), common)).max(1);
        let unit = common as f64 * unit;
        let power = 2f64.powi(unit.log2().round() as i32);
        self.amplitudes = counts.iter().map(|count| (count / common) as f64 * power).collect();
        self.offset = (FEW_QUARTERS * self.offset / unit).floor() / FEW_QUARTERS * power;
    }
}

/// The largest integer of these bits with a sign.
fn largest(bits: u32) -> f64 {
    f64::from((1u32 << (bits - 1)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::Arrangement;
    use crate::data::Features;
    use crate::pattern::PatternMatrix;
    use proptest::prelude::*;

    /// Up to nine distinct points on a small grid, and their classes.
    fn problem() -> impl Strategy<Value = (Features, Vec<f64>)> {
        let points = prop::collection::btree_set((0i8..3, 0i8..3), 3..10);
        (points, prop::collection::vec(any::<bool>(), 9)).prop_map(|(points, classes)| {
            let values = points.iter().flat_map(|&(a, b)| [f64::from(a), f64::from(b)]).collect();
            let y = classes.iter().take(points.len()).map(|&c| if c { 1.0 } else { -1.0 });
            (Features::new(points.len(), 2, values).unwrap(), y.collect())
        })
    }

    fn listed(features: &Features) -> Dictionary {
        let listing = Arrangement::of(features).listing(1000).unwrap();
        let patterns = listing.patterns().unwrap();
        let witness = |j| Arrangement::of(features).witness(&patterns.pattern(j)).unwrap();
        let witnesses = (0..patterns.patterns()).map(witness).collect();
        Dictionary { patterns, witnesses }
    }

    fn growth<'a>(
        targets: &'a Targets,
        output_bits: Option<u32>,
        pool: Dictionary,
        prover: Option<&'a Prover<'a>>,
    ) -> Selection<'a> {
        Selection {
            loss: LossKind::Logistic,
            targets,
            beta: Beta::new(0.01).unwrap(),
            constraints: Constraints { intercept: true, ..Constraints::default() },
            output_bits,
            costs: vec![1.0; pool.len()],
            pool,
            prover,
            left: 1e9,
            budget: Budget::default(),
        }
    }

    /// Two neurons out of some.
    fn two(pool: &Dictionary) -> Few {
        Few { columns: vec![0, pool.len() - 1], amplitudes: vec![0.7, -0.4], offset: 0.1 }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn an_exchange_finds_the_best_of_all_patterns((features, y) in problem()) {
            let (targets, all) = (Targets::plain(y), listed(&features));
            let arrangement = Arrangement::of(&features);
            let prover = Prover::new(arrangement, None, 1_000_000).unwrap();
            for prover in [None, Some(&prover)] {
                let mut growth = growth(&targets, None, all.clone(), prover);
                let mut few = two(&all);
                let objective = |column: usize| {
                    let columns = vec![column, few.columns[1]];
                    growth.objective(&Few { columns, ..few.clone() })
                };
                let best = (0..all.len()).map(objective).fold(f64::INFINITY, f64::min);
                growth.exchange(&mut few, 0, None);
                prop_assert!((growth.objective(&few) - best).abs() < 1e-9);
            }
        }

        #[test]
        fn more_neurons_never_fit_worse((features, y) in problem()) {
            let (targets, all) = (Targets::plain(y), listed(&features));
            let arrangement = Arrangement::of(&features);
            let prover = Prover::new(arrangement, None, 1_000_000).unwrap();
            for prover in [None, Some(&prover)] {
                let mut last = f64::INFINITY;
                for most in 1..6 {
                    let mut growth = growth(&targets, None, all.clone(), prover);
                    let grown = growth.grow(&[0], 0.0, most, Selection::objective).unwrap();
                    prop_assert!(grown.few.columns.len() <= most);
                    prop_assert!(grown.objective <= last && grown.objective <= grown.before);
                    last = grown.objective;
                }
            }
        }

        #[test]
        fn no_exchange_raises_the_objective_and_few_bits_stay_few(
            (features, y) in problem(), bits in prop_oneof![Just(None), (2u32..5).prop_map(Some)],
        ) {
            let targets = Targets::plain(y);
            let all = listed(&features);
            let mut growth = growth(&targets, bits, all.clone(), None);
            let mut few = two(&all);
            let mut unit = bits.map(|bits| few.round(bits));
            growth.fit(&mut few, &mut unit).unwrap();
            let before = growth.objective(&few);
            growth.improve(&mut few, &mut unit).unwrap();
            prop_assert!(growth.objective(&few) <= before);
            let few = growth.rounded(few).unwrap();
            match bits {
                None => prop_assert!(growth.objective(&few) <= before),
                Some(bits) => {
                    // What is left is the unit, a power of two.
                    let unit = few.amplitudes.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
                    let unit = 2f64.powi(unit.log2().floor() as i32 + 2 - bits as i32);
                    prop_assert!(few.amplitudes.iter().all(|a| (a / unit).fract() == 0.0));
                    prop_assert_eq!((FEW_QUARTERS * few.offset / unit).fract(), 0.0);
                    prop_assert!(few.amplitudes.iter().all(|a| (a / unit).abs() <= largest(bits)));
                }
            }
        }

        #[test]
        fn a_power_of_two_as_the_unit_changes_no_class(
            counts in prop::collection::vec(-3i8..4, 3),
            unit in 0.01f64..9.0,
            offset in -9.0f64..9.0,
        ) {
            let pattern = |j: usize| move |i: usize| i >> j & 1 == 1;
            let pattern = |j: usize| crate::pattern::Pattern::from_fn(8, pattern(j));
            let all: Vec<_> = (0..3).map(pattern).collect();
            let patterns = PatternMatrix::from_patterns(8, &all);
            let amplitudes: Vec<f64> = counts.iter().map(|&c| f64::from(c) * unit).collect();
            // Sums that are zero may be rounded to either side.
            prop_assume!((offset / unit).fract().abs() > 1e-6);
            let pool = Dictionary { patterns, witnesses: Vec::new() };
            let targets = Targets::plain(vec![1.0; 8]);
            let growth = growth(&targets, None, pool, None);
            let mut few = Few { columns: vec![0, 1, 2], amplitudes, offset };
            let classes = |few: &Few| -> Vec<bool> {
                growth.output(few, &few.amplitudes).iter().map(|u| *u >= 0.0).collect()
            };
            let before = classes(&few);
            few.snap(unit);
            prop_assert_eq!(classes(&few), before);
        }

        #[test]
        fn the_unit_and_the_output_bias_are_the_best(
            sums in prop::collection::vec(-3i8..4, 4..12),
            classes in prop::collection::vec(any::<bool>(), 12),
            price in 0.05f64..1.0,
        ) {
            let y = classes.iter().take(sums.len()).map(|&c| if c { 1.0 } else { -1.0 }).collect();
            let targets = Targets::plain(y);
            let sums: Vec<f64> = sums.into_iter().map(f64::from).collect();
            let value = |unit: f64, offset: f64| {
                let u: Vec<f64> = sums.iter().map(|s| unit * s + offset).collect();
                loss::total(&LossKind::Logistic, &targets, &u) + price * unit
            };
            let (unit, offset) = scaled(&LossKind::Logistic, &targets, &sums, price, (0.5, 0.0));
            let found = value(unit, offset);
            for (i, j) in (-8..9).flat_map(|i| (-8..9).map(move |j| (i, j))) {
                let (other, bias) = (unit * 1.2f64.powi(i), offset + 0.2 * f64::from(j));
                // The unit stays positive, so a best one of zero is only approached.
                prop_assert!(found <= value(other, bias) + 1e-3 || unit < 0.05);
            }
        }
    }
}
