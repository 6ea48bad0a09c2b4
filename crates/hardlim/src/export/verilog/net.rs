//! A circuit as a net of wires. Every wire has a known range, which gives its number of bits.
//!
//! No wire is negated. For a bit, `−m = (1 − m) − 1`; for a number, `−m = (−1 − m) +
//! 1`. Both are the inverted bits of `m` and a constant, and constants end up in the threshold. So
//! every sum has positive weights, and sums of bits with weight one are counts.
//!
//! A small sum that is only compared is added up column by column, as on paper: three bits of a
//! column become one of it and one of the next, which is a full adder. A constant goes in with the
//! others, so that the highest bit is the answer. This takes fewer LUTs than a tree of adders as
//! long as numbers are narrow, and half the depth.
//!
//! In a pipelined net, a wire also has a time at which it is ready: the number of registers before
//! it, and the number of additions after the last of them.

use std::collections::{BTreeMap, HashMap};

use super::super::circuit::bits;
use crate::exact::dyadic::gcd;

/// The most bits that a neuron or a comparison reads as a table. Yosys needs more LUTs for their
/// arithmetic.
const TABLE_BITS: u32 = 6;
/// The largest multiple of a wire that is added up in columns; wider ones are for adders with a
/// carry chain.
pub(super) const NARROW: i64 = 31;

pub(super) type Wire = usize;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// An input, within its bounds.
    Input(usize),
    Constant(i64),
    /// `1 − m` of a bit, `−1 − m` of a number.
    Not(Wire),
    /// `k` if the bit is on, otherwise 0.
    Mask {
        bit: Wire,
        k: i64,
    },
    /// `k m`.
    Product {
        of: Wire,
        k: i64,
    },
    /// The sum of two wires, or of three bits.
    Sum(Vec<Wire>),
    /// `1{m ≥ threshold}`.
    AtLeast {
        of: Wire,
        threshold: i64,
    },
    /// `1{m > m′}`.
    Greater(Wire, Wire),
    Choose {
        on: Wire,
        yes: Wire,
        no: Wire,
    },
    /// `c + Σ aₖ 1{Σ kⱼmⱼ + b ≥ 0}` of wires that have few bits together, looked up.
    Table {
        of: Vec<Wire>,
        constant: i64,
        tests: Vec<Test>,
    },
    /// A bit of a number that is not negative. It has no wire of its own.
    Bit {
        of: Wire,
        place: u32,
    },
    /// `2ⁿ − 1 − Σ 2ʲmⱼ` of `n` bits `mⱼ`: side by side, and inverted.
    Inverted(Vec<Wire>),
    /// The wire, one clock later.
    Register(Wire),
}

/// `a 1{Σ kⱼmⱼ + b ≥ 0}`, a part of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Test {
    /// The places of what it reads among the wires of the table, and `k`.
    pub(super) terms: Vec<(usize, i64)>,
    pub(super) bias: i64,
    pub(super) amplitude: i64,
}

impl Test {
    fn value(&self, of: &[i64]) -> i64 {
        let sum = self.terms.iter().map(|&(j, k)| k * of[j]).sum::<i64>() + self.bias;
        if sum >= 0 { self.amplitude } else { 0 }
    }
}

/// The value of a table for these values of its wires.
pub(super) fn looked_up(constant: i64, tests: &[Test], of: &[i64]) -> i64 {
    constant + tests.iter().map(|test| test.value(of)).sum::<i64>()
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) least: i64,
    pub(super) most: i64,
    /// The number of registers before it is ready, and the number of additions after the last of
    /// them.
    pub(super) time: (usize, usize),
    /// Its name; it is in upper case, and names of inputs are not.
    pub(super) name: String,
}

impl Node {
    pub(super) fn bits(&self) -> u32 {
        bits(self.least, self.most)
    }

    pub(super) fn signed(&self) -> bool {
        self.least < 0
    }

    fn is_bit(&self) -> bool {
        (self.least, self.most) == (0, 1)
    }
}

/// The wires, each after those it reads.
#[derive(Debug, Clone)]
pub(super) struct Net {
    pub(super) nodes: Vec<Node>,
    places: HashMap<Kind, Wire>,
    /// The most consecutive additions between registers; `None` for a net without registers.
    levels: Option<usize>,
}

impl Net {
    pub(super) fn new(levels: Option<usize>) -> Self {
        Self { nodes: Vec::new(), places: HashMap::new(), levels }
    }

    pub(super) fn pipelined(&self) -> bool {
        self.levels.is_some()
    }

    /// A wire of this kind: the existing one, or a new one.
    fn wire(&mut self, kind: Kind, (least, most): (i64, i64), time: (usize, usize)) -> Wire {
        if let Some(&wire) = self.places.get(&kind) {
            return wire;
        }
        let wire = self.nodes.len();
        let name = match kind {
            Kind::Register(of) => format!("{}_Q{}", self.stem(of), time.0),
            _ => format!("T{wire}"),
        };
        self.nodes.push(Node { kind: kind.clone(), least, most, time, name });
        self.places.insert(kind, wire);
        wire
    }

    /// The name of a wire before its registers.
    fn stem(&self, wire: Wire) -> &str {
        match self.nodes[wire].kind {
            Kind::Register(of) => self.stem(of),
            _ => &self.nodes[wire].name,
        }
    }

    pub(super) fn range(&self, wire: Wire) -> (i64, i64) {
        (self.nodes[wire].least, self.nodes[wire].most)
    }

    /// Names the wire of a neuron's answer, unless the wire has another role as well.
    pub(super) fn call(&mut self, wire: Wire, name: String) {
        let node = &mut self.nodes[wire];
        if matches!(node.kind, Kind::AtLeast { .. } | Kind::Table { .. })
            && node.name == format!("T{wire}")
        {
            node.name = name;
        }
    }

    pub(super) fn input(&mut self, j: usize, range: (i64, i64), name: String) -> Wire {
        let wire = self.wire(Kind::Input(j), range, (0, 0));
        self.nodes[wire].name = name;
        wire
    }

    pub(super) fn constant(&mut self, value: i64) -> Wire {
        self.wire(Kind::Constant(value), (value, value), (0, 0))
    }

    /// The wire after `stage` registers.
    pub(super) fn at_stage(&mut self, mut wire: Wire, stage: usize) -> Wire {
        while !matches!(self.nodes[wire].kind, Kind::Constant(_)) && self.nodes[wire].time.0 < stage
        {
            let time = (self.nodes[wire].time.0 + 1, 0);
            wire = self.wire(Kind::Register(wire), self.range(wire), time);
        }
        wire
    }

    /// Brings wires to the same stage, with room for `additions` more additions. Returns when their
    /// result is ready.
    fn meet(&mut self, wires: &mut [Wire], additions: usize) -> (usize, usize) {
        let latest = wires.iter().map(|&w| self.nodes[w].time).max().unwrap_or((0, 0));
        let full = self.levels.is_some_and(|levels| latest.1 > 0 && latest.1 + additions > levels);
        let (stage, level) = if full { (latest.0 + 1, 0) } else { latest };
        wires.iter_mut().for_each(|w| *w = self.at_stage(*w, stage));
        (stage, level + additions)
    }

    fn not(&mut self, wire: Wire) -> Wire {
        let node = &self.nodes[wire];
        let range = if node.is_bit() { (0, 1) } else { (-1 - node.most, -1 - node.least) };
        self.wire(Kind::Not(wire), range, self.nodes[wire].time)
    }

    /// `k m`, for a positive `k`.
    fn times(&mut self, wire: Wire, k: i64) -> Wire {
        if k == 1 {
            return wire;
        }
        let (least, most) = self.range(wire);
        let range = (k * least, k * most);
        if self.nodes[wire].is_bit() {
            return self.wire(Kind::Mask { bit: wire, k }, range, self.nodes[wire].time);
        }
        let mut of = [wire];
        let depth = digits(k).next_power_of_two().trailing_zeros() as usize;
        let time = self.meet(&mut of, depth);
        self.wire(Kind::Product { of: of[0], k }, range, time)
    }

    fn add(&mut self, wires: &[Wire]) -> Wire {
        let mut wires = wires.to_vec();
        let time = self.meet(&mut wires, 1);
        let range = (wires.iter().map(|&w| self.range(w)))
            .fold((0, 0), |sum, range| (sum.0 + range.0, sum.1 + range.1));
        self.wire(Kind::Sum(wires), range, time)
    }

    /// The sum of wires, as a tree. Bits are added in threes, as a full adder does; everything else
    /// in pairs, the narrow ones first.
    pub(super) fn total(&mut self, mut wires: Vec<Wire>) -> Wire {
        while wires.len() > 1 {
            wires.sort_by_key(|&w| (self.nodes[w].bits(), w));
            let mut above = Vec::new();
            let mut rest = &wires[..];
            while rest.len() > 1 {
                let three = rest.len() > 2 && rest[..3].iter().all(|&w| self.nodes[w].is_bit());
                let (now, later) = rest.split_at(if three { 3 } else { 2 });
                above.push(self.add(now));
                rest = later;
            }
            above.extend(rest);
            wires = above;
        }
        wires.first().copied().unwrap_or_else(|| self.constant(0))
    }

    /// `Σ kⱼmⱼ + constant` with positive `k`.
    fn positive(&mut self, terms: &[(Wire, i64)], mut constant: i64) -> (Vec<(Wire, i64)>, i64) {
        let mut positive = Vec::new();
        for &(wire, k) in terms {
            if k < 0 {
                constant += if self.nodes[wire].is_bit() { k } else { -k };
                positive.push((self.not(wire), -k));
            } else {
                positive.push((wire, k));
            }
        }
        (positive, constant)
    }

    /// `Σ kⱼmⱼ + constant`, as a list of wires to be added and a constant.
    ///
    /// Bits with the same `k` are counted first if that takes fewer additions: `n` of them take
    /// `n − 1` narrow additions, and then one less than `k` has digits.
    pub(super) fn weighted(&mut self, terms: &[(Wire, i64)], constant: i64) -> (Vec<Wire>, i64) {
        let (terms, constant) = self.positive(terms, constant);
        let mut numbers = Vec::new();
        let mut counted: BTreeMap<i64, Vec<Wire>> = BTreeMap::new();
        for (wire, k) in terms {
            if self.nodes[wire].is_bit() {
                counted.entry(k).or_default().push(wire);
            } else {
                numbers.push(self.times(wire, k));
            }
        }
        for (k, wires) in counted {
            if k == 1 || wires.len() < 2 || digits(k) > wires.len() {
                numbers.extend(wires.into_iter().map(|w| self.times(w, k)).collect::<Vec<_>>());
            } else {
                let count = self.total(wires);
                numbers.push(self.times(count, k));
            }
        }
        (numbers, constant)
    }

    /// `1{Σ kⱼmⱼ + b ≥ 0}`.
    pub(super) fn fires(&mut self, terms: &[(Wire, i64)], bias: i64) -> Wire {
        let bits = terms.iter().map(|&(w, _)| self.nodes[w].bits()).sum::<u32>();
        if (2..=TABLE_BITS).contains(&bits) {
            let places = terms.iter().enumerate().map(|(j, &(_, k))| (j, k)).collect();
            let test = Test { terms: places, bias, amplitude: 1 };
            return self.looked_up(terms.iter().map(|&(w, _)| w).collect(), test);
        }
        self.sum(terms, bias).0
    }

    /// `1{Σ kⱼmⱼ + constant ≥ 0}`, and the sum as wires to be added and a constant.
    pub(super) fn sum(&mut self, terms: &[(Wire, i64)], constant: i64) -> (Wire, Vec<Wire>, i64) {
        let (positive, start) = self.positive(terms, constant);
        if let Some(found) = self.in_columns(&positive, start) {
            return found;
        }
        let (wires, constant) = self.weighted(terms, constant);
        let total = self.total(wires);
        (self.at_least(total, -constant), vec![total], constant)
    }

    /// The same for positive factors, column by column; `None` in a pipelined net, if numbers are
    /// wide, or if the answer does not depend on them.
    fn in_columns(
        &mut self,
        terms: &[(Wire, i64)],
        constant: i64,
    ) -> Option<(Wire, Vec<Wire>, i64)> {
        let narrow = |&(w, k): &(Wire, i64)| {
            let (least, most) = self.range(w);
            least == 0 && most <= NARROW / k
        };
        let largest = terms.iter().map(|&(w, k)| k * self.range(w).1).sum::<i64>();
        let plain = !self.pipelined() && terms.len() > 1 && terms.iter().all(narrow);
        if !plain || constant >= 0 || largest + constant < 0 {
            return None;
        }
        // `2ᴷ` more than the sum has the bit of `2ᴷ` where the sum is not negative, and none
        // above it.
        let place = bits(0, (-constant).max(largest + constant + 1).max(2) - 1);
        let start = (1 << place) + constant;
        let mut columns: Vec<Vec<Wire>> = Vec::new();
        for &(wire, k) in terms {
            let most = self.nodes[wire].most;
            // A wire that is always zero adds nothing.
            for at in 0..if most == 0 { 0 } else { bits(0, most) } {
                let bit = self.bit(wire, at);
                ones(k).for_each(|one| enter(&mut columns, at + one, bit));
            }
        }
        let one = self.constant(1);
        ones(start).for_each(|at| enter(&mut columns, at, one));
        let mut digits = Vec::new();
        while let Some(column) = columns.get_mut(digits.len()) {
            let mut column = std::mem::take(column);
            while column.len() > 1 {
                // The first to be ready are added first, and constants last, where they cost
                // nothing.
                column.sort_by_key(|&w| (w == one, self.nodes[w].time, w));
                let rest = column.split_off(column.len().min(3));
                let sum = self.add(&column);
                enter(&mut columns, digits.len() as u32 + 1, self.bit(sum, 1));
                column = rest;
                column.push(self.bit(sum, 0));
            }
            digits.push(column.first().copied().unwrap_or_else(|| self.constant(0)));
        }
        let all = (1 << digits.len()) - 1;
        let time = digits.iter().map(|&w| self.nodes[w].time).max().unwrap_or((0, 0));
        let range = (all - start - largest, all - start);
        let inverted = self.wire(Kind::Inverted(digits), range, time);
        let negative = self.bit(inverted, place);
        Some((self.not(negative), vec![self.not(inverted)], all + 1 - (1 << place)))
    }

    /// A bit of a number that is not negative.
    fn bit(&mut self, of: Wire, place: u32) -> Wire {
        let Node { name, time, .. } = &self.nodes[of];
        match (self.nodes[of].bits(), place) {
            (1, 0) => return of,
            (bits, place) if place >= bits => return self.constant(0),
            _ => (),
        }
        let (name, time) = (format!("{name}[{place}]"), *time);
        let bit = self.wire(Kind::Bit { of, place }, (0, 1), time);
        self.nodes[bit].name = name;
        bit
    }

    /// The sum of wires and a constant.
    pub(super) fn with_constant(&mut self, mut wires: Vec<Wire>, constant: i64) -> Wire {
        if constant != 0 {
            wires.push(self.constant(constant));
        }
        self.total(wires)
    }

    pub(super) fn at_least(&mut self, wire: Wire, threshold: i64) -> Wire {
        let (least, most) = self.range(wire);
        if threshold <= least || threshold > most {
            return self.constant(i64::from(threshold <= least));
        }
        if self.nodes[wire].is_bit() {
            return wire;
        }
        let bits = self.nodes[wire].bits();
        if !self.pipelined() && least >= 0 && threshold == 1 << (bits - 1) {
            return self.bit(wire, bits - 1);
        }
        if bits <= TABLE_BITS {
            let test = Test { terms: vec![(0, 1)], bias: -threshold, amplitude: 1 };
            return self.looked_up(vec![wire], test);
        }
        let mut of = [wire];
        let time = self.meet(&mut of, 1);
        self.wire(Kind::AtLeast { of: of[0], threshold }, (0, 1), time)
    }

    /// A test of wires that have few bits together, which has both answers.
    fn looked_up(&mut self, mut of: Vec<Wire>, test: Test) -> Wire {
        let time = self.meet(&mut of, 1);
        self.wire(Kind::Table { of, constant: 0, tests: vec![test] }, (0, 1), time)
    }

    /// `Σ aₖ 1{Σ kⱼmⱼ + b ≥ 0}` of wires that have few bits together: a table that starts
    /// at zero, the factor that all `a` have in common, and a constant to add to their product.
    pub(super) fn table(&mut self, mut of: Vec<Wire>, mut tests: Vec<Test>) -> (Wire, i64, i64) {
        let factor = tests.iter().fold(0, |d, t| gcd(d, t.amplitude.unsigned_abs())).max(1) as i64;
        tests.iter_mut().for_each(|test| test.amplitude /= factor);
        let ranges: Vec<(i64, i64)> = of.iter().map(|&w| self.range(w)).collect();
        let values: Vec<i64> = all_values(&ranges).map(|v| looked_up(0, &tests, &v)).collect();
        let least = *values.iter().min().expect("a value");
        let most = *values.iter().max().expect("a value");
        if least == most {
            return (self.constant(0), 1, factor * least);
        }
        let time = self.meet(&mut of, 1);
        let kind = Kind::Table { of, constant: -least, tests };
        let wire = self.wire(kind, (0, most - least), time);
        (wire, factor, factor * least)
    }

    /// The larger of two values and its index; the first one if they are equal.
    pub(super) fn larger(&mut self, first: [Wire; 2], second: [Wire; 2]) -> [Wire; 2] {
        let mut all = [first[0], first[1], second[0], second[1]];
        let time = self.meet(&mut all, 1);
        let [a, place_a, b, place_b] = all;
        let ((a0, a1), (b0, b1)) = (self.range(a), self.range(b));
        if b1 <= a0 {
            return [a, place_a];
        }
        if b0 > a1 {
            return [b, place_b];
        }
        let on = self.wire(Kind::Greater(b, a), (0, 1), time);
        let (p, q) = (self.range(place_a), self.range(place_b));
        let value = Kind::Choose { on, yes: b, no: a };
        let place = Kind::Choose { on, yes: place_b, no: place_a };
        [
            self.wire(value, (a0.max(b0), a1.max(b1)), time),
            self.wire(place, (p.0.min(q.0), p.1.max(q.1)), time),
        ]
    }
}

fn enter(columns: &mut Vec<Vec<Wire>>, place: u32, wire: Wire) {
    columns.resize(columns.len().max(place as usize + 1), Vec::new());
    columns[place as usize].push(wire);
}

/// The places of the ones of a number that is not negative.
fn ones(k: i64) -> impl Iterator<Item = u32> {
    (0..i64::BITS).filter(move |one| k >> one & 1 == 1)
}

/// All values of wires with these ranges, the first one changing fastest.
pub(super) fn all_values(ranges: &[(i64, i64)]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let count = ranges.iter().map(|(least, most)| most - least + 1).product::<i64>();
    (0..count).map(move |mut at| {
        let digit = |&(least, most): &(i64, i64)| {
            let size = most - least + 1;
            let digit = at % size;
            at /= size;
            least + digit
        };
        ranges.iter().map(digit).collect()
    })
}

/// A positive number written with the fewest digits `−1` and `1`: their places, the highest
/// first, and whether they are negative. `k = Σ ±2^place`.
pub(super) fn signed_digits(k: i64) -> Vec<(u32, bool)> {
    let (mut rest, mut place, mut digits) = (i128::from(k), 0, Vec::new());
    while rest != 0 {
        if rest & 1 == 1 {
            let negative = rest & 3 == 3; // so that the next digit is zero
            digits.push((place, negative));
            rest += if negative { 1 } else { -1 };
        }
        rest >>= 1;
        place += 1;
    }
    digits.reverse();
    digits
}

/// The number of these digits. A product with the number takes one addition less than that.
pub(super) fn digits(k: i64) -> usize {
    signed_digits(k).len()
}

/// `k m` as a sum of shifted numbers, for a positive `k`.
pub(super) fn product(m: &str, k: i64) -> String {
    let mut text = String::new();
    for (i, (place, negative)) in signed_digits(k).into_iter().enumerate() {
        text += match (i, negative) {
            (0, _) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        text += &if place == 0 { m.to_owned() } else { format!("({m} <<< {place})") };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_add_up_and_no_two_are_neighbours() {
        for k in (1..2000).chain([i64::MAX, i64::MAX / 3]) {
            let digits = signed_digits(k);
            let value =
                |&(place, negative): &(u32, bool)| if negative { -1 } else { 1i128 } << place;
            assert_eq!(digits.iter().map(value).sum::<i128>(), i128::from(k));
            assert!(digits.windows(2).all(|pair| pair[0].0 > pair[1].0 + 1));
            assert!(!digits[0].1);
        }
        assert_eq!(product("X", 7), "(X <<< 3) - X");
        assert_eq!(product("X", 1), "X");
    }

    /// The value of every wire for these inputs, by definition.
    fn values(net: &Net, inputs: &[i64]) -> Vec<i64> {
        let mut values: Vec<i64> = Vec::new();
        for node in &net.nodes {
            let of = |wire: &Wire| values[*wire];
            let value = match &node.kind {
                Kind::Input(j) => inputs[*j],
                Kind::Constant(value) => *value,
                Kind::Not(m) if net.nodes[*m].is_bit() => 1 - of(m),
                Kind::Not(m) => -1 - of(m),
                Kind::Mask { bit: m, k } | Kind::Product { of: m, k } => k * of(m),
                Kind::Sum(wires) => wires.iter().map(of).sum(),
                Kind::AtLeast { of: m, threshold } => i64::from(of(m) >= *threshold),
                Kind::Table { of: wires, constant, tests } => {
                    looked_up(*constant, tests, &wires.iter().map(of).collect::<Vec<_>>())
                }
                Kind::Bit { of: m, place } => of(m) >> place & 1,
                Kind::Inverted(bits) => {
                    let digit = |(j, m): (usize, &Wire)| of(m) << j;
                    (1 << bits.len()) - 1 - bits.iter().enumerate().map(digit).sum::<i64>()
                }
                Kind::Greater(..) | Kind::Choose { .. } | Kind::Register(_) => unreachable!(),
            };
            assert!((node.least..=node.most).contains(&value), "{}: {value}", node.name);
            values.push(value);
        }
        values
    }

    #[test]
    fn sums_in_columns_and_tables_are_sums() {
        // Two numbers of two bits, one of three values, and bits; the last case is too wide for
        // columns.
        let ranges = [(0, 3), (0, 3), (0, 2), (0, 1), (0, 1), (0, 1)];
        for (factors, constant) in [
            ([1, 1, 1, 1, 1, 1], -4),
            ([1, -2, 3, -1, 1, 0], -1),
            ([3, 2, 1, -7, 5, 1], -9),
            ([5, 3, 7, -13, 1, -1], 0),
            ([20, 1, 1, 1, 1, 1], -30),
            ([0, 0, 0, 1, 1, 1], -2),
            ([0, 0, 0, 1, 1, 1], 0),
        ] {
            let mut net = Net::new(None);
            let wires = |net: &mut Net| -> Vec<Wire> {
                (ranges.iter().enumerate())
                    .map(|(j, r)| net.input(j, *r, format!("x{j}")))
                    .collect()
            };
            let terms: Vec<(Wire, i64)> = wires(&mut net).into_iter().zip(factors).collect();
            let terms: Vec<(Wire, i64)> = terms.into_iter().filter(|t| t.1 != 0).collect();
            let (class, total, rest) = net.sum(&terms, constant);
            let sum = net.with_constant(total, rest);
            let fires = net.fires(&terms, constant);
            for inputs in all_values(&ranges) {
                let found = values(&net, &inputs);
                let expected =
                    inputs.iter().zip(factors).map(|(m, k)| m * k).sum::<i64>() + constant;
                assert_eq!(found[sum], expected, "{factors:?} {constant} {inputs:?}");
                assert_eq!(found[class], i64::from(expected >= 0), "{factors:?} {inputs:?}");
                assert_eq!(found[fires], found[class]);
            }
        }
    }
}
