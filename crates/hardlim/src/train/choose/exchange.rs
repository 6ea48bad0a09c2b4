//! Few neurons, exchanged one by one for the best ones there are.
//!
//! A neuron has the output weight `a`, and without it the output is `u`. A pattern `d` in its place has the loss
//! `L(u + a d) = L(u) + dᵀz` with `zᵢ = lᵢ(uᵢ + a) − lᵢ(uᵢ)`, because `dᵢ` is zero or one. This is no
//! linearisation. So the best neuron for an output weight is found by pricing, and no exchange raises
//! `L(f) + β Σ|aⱼ|`. The output weights are fitted again after every round.
//!
//! A pattern with a large `dᵀz` is as good as one with a small one: `L(u + a (1 − d)) = L(u) + Σz − dᵀz`, and this is the
//! neuron `d` with the output weight `−a` and `a` more of the output bias. Patterns with a bias come in such pairs, so one
//! search finds the best neuron, exactly if pricing is exact. Without a bias, or if output weights may not be
//! negative, some of the best patterns of both signs are looked at.
//!
//! Output weights of few bits are `τAⱼ` with small integers `Aⱼ`. Then an exchange may also change `Aⱼ` by one, and
//! only the unit `τ` and the output bias are fitted. At the end the unit becomes a power of two.

use super::solver;
use crate::arrangement::Dictionary;
use crate::data::Targets;
use crate::error::Error;
use crate::exact::dyadic::gcd;
use crate::exact::sum::round_to_grid;
use crate::loss::{self, Loss as _, LossKind};
use crate::network::{Layer, Network, Neuron};
use crate::pricing::Prover;
use crate::program::{Beta, Constraints, LassoProgram};
use crate::solver::Budget;

/// The most rounds over all neurons.
const ROUNDS: usize = 12;
/// A round that lowers the objective by a smaller part of it is the last one.
const ENOUGH: f64 = 1e-3;
/// How many patterns a search returns: one if both of its signs are of use, otherwise more.
const KEEP: (usize, usize) = (1, 32);
/// The relative gap of the fits.
const FITTED: f64 = 1e-4;
/// The most steps of the fit of a unit, the shortest one, and the gain that ends it, as a part of the objective.
const NEWTON: (usize, f64, f64) = (30, 1e-6, 1e-9);
/// The parts of a unit that the output bias may have.
const QUARTERS: f64 = 4.0;
/// What is added to a curvature, as a part of it, because it may be zero.
const RIDGE: f64 = 1e-9;

/// What few neurons should answer, and where others are found.
pub(super) struct Exchange<'a> {
    pub(super) loss: LossKind,
    pub(super) targets: &'a Targets,
    pub(super) beta: Beta,
    pub(super) constraints: Constraints,
    /// The bits of output weights with their sign, if they are limited.
    pub(super) output_bits: Option<u32>,
    pub(super) source: Source<'a>,
    /// The elementary steps of all searches.
    pub(super) work: f64,
    pub(super) budget: Budget<'a>,
}

/// Where other neurons are found.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Nowhere: only output weights change.
    Nothing,
    /// Among those at hand.
    AtHand,
    /// Among all patterns in scope.
    All(&'a Prover<'a>),
}

/// A network of some of the neurons at hand.
pub(super) struct Few {
    pub(super) dictionary: Dictionary,
    /// The columns in use.
    pub(super) columns: Vec<usize>,
    pub(super) amplitudes: Vec<f64>,
    pub(super) offset: f64,
}

/// A neuron for a place: its column, its output weight, and what it adds to the output bias and to the objective.
#[derive(Clone, Copy)]
struct Offer {
    column: usize,
    amplitude: f64,
    offset: f64,
    value: f64,
}

impl Exchange<'_> {
    /// Exchanges neurons as long as that gains something.
    ///
    /// # Errors
    /// When a program cannot be posed.
    pub(super) fn run(&self, mut few: Few) -> Result<Few, Error> {
        let mut unit = self.output_bits.map(|bits| few.round(bits));
        self.fit(&mut few, &mut unit)?;
        let (mut before, mut left) = (self.objective(&few), self.work);
        'rounds: for _ in 0..ROUNDS {
            for place in 0..few.columns.len() {
                if left < 0.0 || self.budget.spent().is_some() {
                    break 'rounds;
                }
                left -= self.exchange(&mut few, place, unit);
            }
            self.fit(&mut few, &mut unit)?;
            let after = self.objective(&few);
            if after > before * (1.0 - ENOUGH) {
                break;
            }
            before = after;
        }
        if let Some(unit) = unit {
            few.snap(unit);
        }
        Ok(few)
    }

    /// `L(f) + β Σ|aⱼ|`.
    fn objective(&self, few: &Few) -> f64 {
        let size: f64 = few.amplitudes.iter().map(|a| a.abs()).sum();
        loss::total(&self.loss, self.targets, &few.output(&few.amplitudes)) + self.beta.get() * size
    }

    /// Puts the best neuron in a place. Returns the elementary steps.
    fn exchange(&self, few: &mut Few, place: usize, unit: Option<f64>) -> f64 {
        let own = few.amplitudes[place];
        let mut others = few.amplitudes.clone();
        others[place] = 0.0;
        let rest = few.output(&others);
        let largest = others.iter().map(|a| a.abs()).fold(0.0, f64::max);
        let other = if largest > 0.0 { largest } else { 1.0 };
        let steps = match unit {
            Some(unit) => vec![own, own + unit, own - unit],
            // A neuron that lost its output weight makes room for another.
            None if own == 0.0 => vec![other, -other],
            None => vec![own],
        };
        let column = few.columns[place];
        let mut best = Offer { column, amplitude: own, offset: 0.0, value: 0.0 };
        let mut work = 0.0;
        for (k, amplitude) in steps.into_iter().enumerate() {
            if (k > 0 || own == 0.0) && !self.allows(amplitude, unit) {
                continue;
            }
            let z = self.changes(&rest, amplitude);
            let price = self.beta.get() * amplitude.abs();
            let value = few.dictionary.patterns.correlations_of(&[column], &z)[0] + price;
            if value < best.value || amplitude == own {
                best = Offer { column, amplitude, offset: 0.0, value };
            }
            let (found, steps) = self.search(few, &z, price - best.value);
            work += steps;
            let total: f64 = z.iter().sum();
            for (column, value) in found {
                let here = Offer { column, amplitude, offset: 0.0, value: value + price };
                let value = total - value + price;
                let turned = Offer { column, amplitude: -amplitude, offset: amplitude, value };
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
        work
    }

    /// Whether an output weight may have this value.
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

    /// The columns with the least and the largest `dᵀz`, or one of them if both are as good, and the elementary steps of
    /// the search. Nothing is found unless the least one is below `−threshold`.
    fn search(&self, few: &mut Few, z: &[f64], threshold: f64) -> (Vec<(usize, f64)>, f64) {
        let Dictionary { patterns, witnesses } = &mut few.dictionary;
        match self.source {
            Source::Nothing => (Vec::new(), 0.0),
            Source::AtHand => {
                let values: Vec<(usize, f64)> =
                    patterns.correlations(z).into_iter().enumerate().collect();
                let by_value = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
                let ends = [values.iter().min_by(by_value), values.iter().max_by(by_value)];
                let steps = (z.len() * values.len()) as f64 / 8.0;
                (ends.into_iter().flatten().copied().collect(), steps)
            }
            Source::All(prover) => {
                // The larger side has the same neuron as the smaller one.
                let turns = prover.has_bias() && !self.constraints.non_negative;
                let larger = if turns { z.iter().sum::<f64>().max(0.0) } else { 0.0 };
                let keep = if turns { KEEP.0 } else { KEEP.1 };
                let before = prover.work().unwrap_or(0);
                let stop = || self.budget.spent().is_some();
                let threshold = (threshold + larger).max(0.0);
                let found = prover.price(z, &[], threshold, keep, &stop).found;
                let steps = prover.work().map_or(prover.cost(), |work| (work - before) as f64);
                let mut taken = Vec::new();
                for priced in found {
                    patterns.push(&priced.pattern);
                    witnesses.push(priced.hyperplane);
                    taken.push((witnesses.len() - 1, priced.value));
                }
                (taken, steps)
            }
        }
    }

    /// Fits the output weights, or their unit, and the output bias.
    fn fit(&self, few: &mut Few, unit: &mut Option<f64>) -> Result<(), Error> {
        let patterns = few.dictionary.patterns.select(&few.columns);
        if let Some(unit) = unit {
            let counts: Vec<f64> = few.amplitudes.iter().map(|a| (a / *unit).round()).collect();
            let sums = patterns.combine(counts.iter().copied().enumerate());
            let price = self.beta.get() * counts.iter().map(|count| count.abs()).sum::<f64>();
            (*unit, few.offset) = self.scaled(&sums, price, (*unit, few.offset));
            few.amplitudes = counts.iter().map(|count| count * *unit).collect();
            return Ok(());
        }
        let program = LassoProgram::new(&patterns, self.targets, self.loss, self.beta)?;
        let constraints = Constraints { intercept: true, ..self.constraints };
        let solver = solver(FITTED, self.budget);
        let program = program.with_constraints(constraints);
        let fitted = solver.solve_from(&program, &few.amplitudes, few.offset);
        (few.amplitudes, few.offset) = (fitted.coefficients, fitted.offset);
        Ok(())
    }

    /// The unit and the output bias with the least objective for these sums in units, by Newton's method; `price` is
    /// the penalty of a unit.
    fn scaled(&self, sums: &[f64], price: f64, start: (f64, f64)) -> (f64, f64) {
        let value = |(unit, offset): (f64, f64)| {
            let u: Vec<f64> = sums.iter().map(|s| unit * s + offset).collect();
            loss::total(&self.loss, self.targets, &u) + price * unit
        };
        let (rounds, shortest, enough) = NEWTON;
        let (mut at, mut now) = (start, value(start));
        for _ in 0..rounds {
            let (unit, offset) = at;
            let (mut slope, mut curvature) = ([price, 0.0], [0.0; 3]);
            for (atoms, s) in self.targets.iter().zip(sums) {
                let u = unit * s + offset;
                let (first, second) =
                    (self.loss.row_subgradient(u, atoms).0, self.loss.row_curvature(u, atoms));
                slope = [slope[0] + first * s, slope[1] + first];
                let [a, b, c] = curvature;
                curvature = [a + second * s * s, b + second * s, c + second];
            }
            let [a, b, c] = curvature;
            let ridge = RIDGE * (a + c).max(f64::MIN_POSITIVE);
            let (a, c) = (a + ridge, c + ridge);
            let determinant = a * c - b * b;
            let step = (
                (c * slope[0] - b * slope[1]) / determinant,
                (a * slope[1] - b * slope[0]) / determinant,
            );
            let lengths = std::iter::successors(Some(1.0), |length| Some(0.5 * length));
            let next = lengths.take_while(|length| *length > shortest).find_map(|length| {
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
}

impl Few {
    /// The neurons in use.
    ///
    /// # Errors
    /// When a weight is out of range.
    pub(super) fn network(self, inputs: usize) -> Result<Network, Error> {
        let Self { dictionary, columns, amplitudes, offset } = self;
        let neurons = columns.iter().map(|&j| Neuron::from(dictionary.witnesses[j].clone()));
        let (neurons, amplitudes) = neurons.zip(amplitudes).filter(|(_, a)| *a != 0.0).unzip();
        Network::new(inputs, vec![Layer { neurons }], amplitudes, offset)
    }

    /// `f(X)` with these output weights.
    pub(super) fn output(&self, amplitudes: &[f64]) -> Vec<f64> {
        let terms = self.columns.iter().copied().zip(amplitudes.iter().copied());
        let mut output = self.dictionary.patterns.combine(terms);
        output.iter_mut().for_each(|u| *u += self.offset);
        output
    }

    /// Rounds the output weights to so many bits, none of them to zero. Returns the unit.
    fn round(&mut self, bits: u32) -> f64 {
        let most = self.amplitudes.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        let unit = if most > 0.0 { most / largest(bits) } else { 1.0 };
        for a in &mut self.amplitudes {
            *a = (a.abs() / unit).round().clamp(1.0, largest(bits)) * unit.copysign(*a);
        }
        unit
    }

    /// Makes the unit a power of two, as large as the output weights allow, and the output bias a multiple of a quarter of
    /// it. No class changes: sums of output weights are whole units, so what is cut off decides nothing.
    fn snap(&mut self, unit: f64) {
        let counts: Vec<i64> = self.amplitudes.iter().map(|a| (a / unit).round() as i64).collect();
        let common = counts.iter().fold(0, |common, count| gcd(count.abs(), common)).max(1);
        let unit = common as f64 * unit;
        let power = 2f64.powi(unit.log2().round() as i32);
        self.amplitudes = counts.iter().map(|count| (count / common) as f64 * power).collect();
        self.offset = (QUARTERS * self.offset / unit).floor() / QUARTERS * power;
    }
}

/// The largest integer of so many bits with a sign.
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

    fn exchange<'a>(
        targets: &'a Targets,
        output_bits: Option<u32>,
        source: Source<'a>,
    ) -> Exchange<'a> {
        Exchange {
            loss: LossKind::Logistic,
            targets,
            beta: Beta::new(0.01).unwrap(),
            constraints: Constraints { intercept: true, ..Constraints::default() },
            output_bits,
            source,
            work: 1e9,
            budget: Budget::default(),
        }
    }

    /// Two neurons out of some.
    fn two(dictionary: Dictionary) -> Few {
        let columns = vec![0, dictionary.witnesses.len() - 1];
        Few { dictionary, columns, amplitudes: vec![0.7, -0.4], offset: 0.1 }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn an_exchange_finds_the_best_of_all_patterns((features, y) in problem()) {
            let (targets, all) = (Targets::plain(y), listed(&features));
            let arrangement = Arrangement::of(&features);
            let prover = Prover::new(arrangement, None, 1_000_000).unwrap();
            for source in [Source::AtHand, Source::All(&prover)] {
                let exchange = exchange(&targets, None, source);
                let mut few = two(all.clone());
                let objective = |column: usize| {
                    let columns = vec![column, few.columns[1]];
                    let other = Few { columns, dictionary: all.clone(), amplitudes: few.amplitudes.clone(), ..few };
                    exchange.objective(&other)
                };
                let best = (0..all.witnesses.len()).map(objective).fold(f64::INFINITY, f64::min);
                exchange.exchange(&mut few, 0, None);
                prop_assert!((exchange.objective(&few) - best).abs() < 1e-9);
            }
        }

        #[test]
        fn no_exchange_raises_the_objective_and_few_bits_stay_few(
            (features, y) in problem(), bits in prop_oneof![Just(None), (2u32..5).prop_map(Some)],
        ) {
            let targets = Targets::plain(y);
            let exchange = exchange(&targets, bits, Source::AtHand);
            let mut start = two(listed(&features));
            let mut unit = bits.map(|bits| start.round(bits));
            exchange.fit(&mut start, &mut unit).unwrap();
            let before = exchange.objective(&start);
            let few = exchange.run(two(listed(&features))).unwrap();
            match bits {
                None => prop_assert!(exchange.objective(&few) <= before + 1e-6),
                Some(bits) => {
                    // What is left is the unit, a power of two.
                    let unit = few.amplitudes.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
                    let unit = 2f64.powi(unit.log2().floor() as i32 + 2 - bits as i32);
                    prop_assert!(few.amplitudes.iter().all(|a| (a / unit).fract() == 0.0));
                    prop_assert_eq!((QUARTERS * few.offset / unit).fract(), 0.0);
                    prop_assert!(few.amplitudes.iter().all(|a| (a / unit).abs() <= largest(bits)));
                }
            }
        }

        #[test]
        fn a_power_of_two_as_the_unit_changes_no_class(
            counts in prop::collection::vec(-3i8..4, 3), unit in 0.01f64..9.0, offset in -9.0f64..9.0,
        ) {
            let pattern = |j: usize| move |i: usize| i >> j & 1 == 1;
            let pattern = |j: usize| crate::pattern::Pattern::from_fn(8, pattern(j));
            let all: Vec<_> = (0..3).map(pattern).collect();
            let patterns = PatternMatrix::from_patterns(8, &all);
            let amplitudes: Vec<f64> = counts.iter().map(|&c| f64::from(c) * unit).collect();
            // Sums that are zero may be rounded to either side.
            prop_assume!((offset / unit).fract().abs() > 1e-6);
            let dictionary = Dictionary { patterns, witnesses: Vec::new() };
            let mut few = Few { dictionary, columns: vec![0, 1, 2], amplitudes, offset };
            let classes = |few: &Few| -> Vec<bool> {
                few.output(&few.amplitudes).iter().map(|u| *u >= 0.0).collect()
            };
            let before = classes(&few);
            few.snap(unit);
            prop_assert_eq!(classes(&few), before);
        }

        #[test]
        fn the_unit_and_the_output_bias_are_the_best(
            sums in prop::collection::vec(-3i8..4, 4..12), classes in prop::collection::vec(any::<bool>(), 12),
            price in 0.05f64..1.0,
        ) {
            let y = classes.iter().take(sums.len()).map(|&c| if c { 1.0 } else { -1.0 }).collect();
            let (targets, sums) = (Targets::plain(y), sums.into_iter().map(f64::from).collect::<Vec<_>>());
            let exchange = exchange(&targets, Some(3), Source::Nothing);
            let value = |unit: f64, offset: f64| {
                let u: Vec<f64> = sums.iter().map(|s| unit * s + offset).collect();
                loss::total(&LossKind::Logistic, &targets, &u) + price * unit
            };
            let (unit, offset) = exchange.scaled(&sums, price, (0.5, 0.0));
            let found = value(unit, offset);
            for (i, j) in (-8..9).flat_map(|i| (-8..9).map(move |j| (i, j))) {
                let (other, bias) = (unit * 1.2f64.powi(i), offset + 0.2 * f64::from(j));
                // The unit stays positive, so a best one of zero is only approached.
                prop_assert!(found <= value(other, bias) + 1e-3 || unit < 0.05);
            }
        }
    }
}
