//! Trees of cones that prove `−U ≤ dᵀz ≤ U` for all neurons on some columns, with a bias.
//!
//! A node is a cone of weights, with as many generators as inputs and bias. A row that has the same
//! sign at all generators is decided; the others are open. If all open rows together cannot lift
//! the sum above `U` or pull it below `−U`, the node is a leaf. Otherwise an edge is split where
//! many open rows change their sign, in a fraction of small integers. Where few rows are left, the
//! split is exactly at a zero of a row, so the tree ends even if `U` is the exact maximum.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::BigInt;

use super::tuning::{EXACT, MIDDLE, MOST_NODES, PATIENCE};
use crate::exact::dyadic::gcd;

/// The bounds on `dᵀz` that are to be proven; no upper bound if output weights are not negative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) low: i128,
    pub(super) high: i128,
}

/// A coordinate of a row: an integer.
trait Coordinate: Clone + Display {
    fn sign(&self) -> i8;
    /// `pa + qb`; `None` if it does not fit.
    fn mix(p: &Self, a: &Self, q: &Self, b: &Self) -> Option<Self>;
    fn size(&self) -> Self;
    fn common(&self, other: &Self) -> Self;
    fn divided(&self, by: &Self) -> Self;
    /// `m, e` with the number near `m·2^e`.
    fn near(&self) -> (f64, i32);
    fn of(value: i128) -> Self;
    fn big(&self) -> BigInt;
}

impl Coordinate for i128 {
    fn sign(&self) -> i8 {
        self.signum() as i8
    }

    fn mix(p: &Self, a: &Self, q: &Self, b: &Self) -> Option<Self> {
        p.checked_mul(*a)?.checked_add(q.checked_mul(*b)?)
    }

    fn size(&self) -> Self {
        self.abs()
    }

    fn common(&self, other: &Self) -> Self {
        gcd(*self, *other).abs()
    }

    fn divided(&self, by: &Self) -> Self {
        self / by
    }

    fn near(&self) -> (f64, i32) {
        (*self as f64, 0)
    }

    fn of(value: i128) -> Self {
        value
    }

    fn big(&self) -> BigInt {
        BigInt::from(*self)
    }
}

impl Coordinate for BigInt {
    fn sign(&self) -> i8 {
        self.cmp(&BigInt::ZERO) as i8
    }

    fn mix(p: &Self, a: &Self, q: &Self, b: &Self) -> Option<Self> {
        Some(p * a + q * b)
    }

    fn size(&self) -> Self {
        BigInt::from(self.magnitude().clone())
    }

    fn common(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.size(), other.size());
        while b != BigInt::ZERO {
            (a, b) = (b.clone(), a % b);
        }
        a
    }

    fn divided(&self, by: &Self) -> Self {
        self / by
    }

    fn near(&self) -> (f64, i32) {
        let shift = self.bits().saturating_sub(100);
        let top = i128::try_from(self >> shift).expect("100 bits");
        (top as f64, shift as i32)
    }

    fn of(value: i128) -> Self {
        BigInt::from(value)
    }

    fn big(&self) -> BigInt {
        self.clone()
    }
}

/// An open row: its `z`, and its coordinates at the generators.
#[derive(Debug, Clone)]
struct Row<T> {
    z: i128,
    at: Vec<T>,
}

/// Where a row stands in a cone.
enum Side {
    On,
    Off,
    Open,
}

impl<T: Coordinate> Row<T> {
    fn side(&self) -> Side {
        let (mut above, mut below) = (false, false);
        for coordinate in &self.at {
            match coordinate.sign() {
                1 => above = true,
                -1 => below = true,
                _ => (),
            }
        }
        match (above, below) {
            (true, true) => Side::Open,
            (false, true) => Side::Off,
            _ => Side::On,
        }
    }
}

/// Where to split: `v_k` and `v_l` meet in `p v_k + q v_l`.
struct Cut<T> {
    k: usize,
    l: usize,
    p: T,
    q: T,
}

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// It would have too many nodes.
    TooLong,
    /// A pattern is beyond the limits.
    Beyond,
}

/// The trees of one choice of columns, as text. `rows` are the coordinates of each row, without
/// the one for the bias, with its `z`. Adds the nodes to the count of all choices.
pub(super) fn trees<'a>(
    rows: impl Iterator<Item = (Vec<&'a BigInt>, i128)>,
    inputs: usize,
    limits: Limits,
    nodes: &AtomicU64,
) -> Result<String, Failure> {
    let mut merged: BTreeMap<Vec<&BigInt>, i128> = BTreeMap::new();
    for (x, z) in rows {
        *merged.entry(x).or_default() += z;
    }
    let mut tree = Tree { limits, nodes, text: String::new() };
    for root in 0..1usize << (inputs + 1) {
        let sign = |k: usize| if root >> k & 1 == 1 { -1 } else { 1 };
        let (mut open, mut on) = (Vec::new(), 0);
        for (x, &z) in &merged {
            let at = x.iter().enumerate().map(|(k, x)| *x * sign(k));
            let row = Row { z, at: at.chain([BigInt::from(sign(inputs))]).collect() };
            match row.side() {
                Side::On => on += z,
                Side::Off => (),
                Side::Open => open.push(row),
            }
        }
        match small(&open) {
            Some(open) => tree.grow(&open, on, 0)?,
            None => tree.grow(&open, on, 0)?,
        }
    }
    Ok(tree.text)
}

/// The rows in machine integers, if they fit.
fn small(rows: &[Row<BigInt>]) -> Option<Vec<Row<i128>>> {
    let row = |row: &Row<BigInt>| {
        let at = row.at.iter().map(|c| i128::try_from(c).ok()).collect::<Option<_>>()?;
        Some(Row { z: row.z, at })
    };
    rows.iter().map(row).collect()
}

struct Tree<'a> {
    limits: Limits,
    nodes: &'a AtomicU64,
    text: String,
}

impl Tree<'_> {
    /// Writes the tree below a cone with these open rows, where the rows that are on add up to
    /// `on`.
    fn grow<T: Coordinate>(
        &mut self,
        rows: &[Row<T>],
        on: i128,
        depth: usize,
    ) -> Result<(), Failure> {
        if self.nodes.fetch_add(1, Ordering::Relaxed) >= MOST_NODES {
            return Err(Failure::TooLong);
        }
        let above: i128 = rows.iter().map(|row| row.z.max(0)).sum();
        let below: i128 = rows.iter().map(|row| row.z.min(0)).sum();
        if on + above <= self.limits.high && on + below >= self.limits.low {
            self.text.push_str("0\n");
            return Ok(());
        }
        let Some(cut) = cut(rows, depth) else { return Err(Failure::Beyond) };
        let Some((middle, common)) = middle(rows, &cut) else {
            // Too large for machine integers.
            let big = |row: &Row<T>| Row { z: row.z, at: row.at.iter().map(T::big).collect() };
            let big: Vec<Row<BigInt>> = rows.iter().map(big).collect();
            self.nodes.fetch_sub(1, Ordering::Relaxed);
            return self.grow(&big, on, depth);
        };
        let Cut { k, l, p, q } = cut;
        writeln!(self.text, "{} {} {p} {q} {common}", k + 1, l + 1).expect("writing to a string");
        for place in [k, l] {
            let (mut open, mut on) = (Vec::with_capacity(rows.len()), on);
            for (row, m) in rows.iter().zip(&middle) {
                let mut child = row.clone();
                child.at[place] = m.clone();
                match child.side() {
                    Side::On => on += row.z,
                    Side::Off => (),
                    Side::Open => open.push(child),
                }
            }
            self.grow(&open, on, depth + 1)?;
        }
        Ok(())
    }
}

/// The coordinates of all rows at the new generator, divided by what they have in common.
fn middle<T: Coordinate>(rows: &[Row<T>], cut: &Cut<T>) -> Option<(Vec<T>, T)> {
    let Cut { k, l, p, q } = cut;
    let mix = |row: &Row<T>| T::mix(p, &row.at[*k], q, &row.at[*l]);
    let middle: Vec<T> = rows.iter().map(mix).collect::<Option<_>>()?;
    let (one, mut common) = (T::of(1), T::of(0));
    for m in middle.iter().filter(|m| m.sign() != 0) {
        common = common.common(m);
        if common.near() == one.near() {
            return Some((middle, one));
        }
    }
    if common.sign() == 0 {
        return Some((middle, one));
    }
    Some((middle.iter().map(|m| m.divided(&common)).collect(), common))
}

/// The edge to cut, and where; `None` if no row is open that has a weight.
fn cut<T: Coordinate>(rows: &[Row<T>], depth: usize) -> Option<Cut<T>> {
    if depth >= PATIENCE {
        // One row after the other: each cut takes a generator from it, so the tree ends.
        let heaviest = rows.iter().reduce(|a, b| if b.z.abs() > a.z.abs() { b } else { a })?;
        let end = |sign: i8| heaviest.at.iter().position(|c| c.sign() == sign);
        let (above, below) = (end(1)?, end(-1)?);
        return Some(at_zero(heaviest, above.min(below), above.max(below)));
    }
    // The edge where the open rows that change their sign weigh most, the first of equals.
    let edges = rows.first()?.at.len();
    let signs: Vec<Vec<i8>> = rows.iter().map(|row| row.at.iter().map(T::sign).collect()).collect();
    let crosses = |i: usize, k: usize, l: usize| signs[i][k] * signs[i][l] < 0;
    let weight = |k: usize, l: usize| -> i128 {
        (0..rows.len()).filter(|&i| crosses(i, k, l)).map(|i| rows[i].z.abs()).sum()
    };
    let pairs = (0..edges).flat_map(|k| (k + 1..edges).map(move |l| (k, l)));
    let weights = pairs.map(|(k, l)| (weight(k, l), k, l));
    let heaviest = weights.reduce(|a, b| if b.0 > a.0 { b } else { a });
    let (total, k, l) = heaviest.filter(|(total, ..)| *total > 0)?;
    // Where each row is zero on the edge: `p/q`.
    let mut zeros: Vec<(f64, usize)> = (0..rows.len())
        .filter(|&i| crosses(i, k, l))
        .map(|i| (quotient(&rows[i].at[l], &rows[i].at[k]), i))
        .collect();
    zeros.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| {
        let (mut sum, limit) = (0, (share * total as f64) as i128);
        let reached = |(_, i): &(f64, usize)| {
            sum += rows[*i].z.abs();
            sum >= limit
        };
        zeros[zeros.iter().position(reached).unwrap_or(zeros.len() - 1)]
    };
    if zeros.len() > EXACT
        && let Some((p, q)) = simple(at(0.5 - MIDDLE).0, at(0.5 + MIDDLE).0)
    {
        return Some(Cut { k, l, p: T::of(p), q: T::of(q) });
    }
    Some(at_zero(&rows[at(0.5).1], k, l))
}

/// The cut of an edge where a row is zero.
fn at_zero<T: Coordinate>(row: &Row<T>, k: usize, l: usize) -> Cut<T> {
    let common = row.at[k].common(&row.at[l]);
    let [p, q] = [l, k].map(|end| row.at[end].size().divided(&common));
    Cut { k, l, p, q }
}

/// About `|a/b|`.
fn quotient<T: Coordinate>(a: &T, b: &T) -> f64 {
    let ((a, high), (b, low)) = (a.near(), b.near());
    (a / b).abs() * 2f64.powi((high - low).clamp(-900, 900))
}

/// A fraction of small integers strictly between two positive numbers, and not near their ends.
fn simple(low: f64, high: f64) -> Option<(i128, i128)> {
    /// Beyond, zeros may be the same up to rounding; then a row decides exactly.
    const LARGEST: f64 = (1u64 << 20) as f64;
    let middle = low.sqrt() * high.sqrt();
    if !(low < high && (1.0 / LARGEST..=LARGEST).contains(&middle)) {
        return None;
    }
    let (low, high) = ((low * middle).sqrt(), (middle * high).sqrt());
    // The power of two above the middle, or below it, where there is one.
    let mut power = 1i128;
    while (power as f64) < middle.max(1.0 / middle) {
        power *= 2;
    }
    let powers = [(power, 1), (power / 2, 1), (1, power), (1, power / 2)];
    let inside = |(p, q): &(i128, i128)| {
        let quotient = *p as f64 / *q as f64; // NaN or infinite for a zero
        *p > 0 && low < quotient && quotient < high
    };
    powers.into_iter().find(inside).or_else(|| simplest(low, high, LARGEST))
}

/// The fraction of the smallest integers strictly between two positive numbers.
fn simplest(low: f64, high: f64, largest: f64) -> Option<(i128, i128)> {
    let whole = low.floor();
    if !(low < high && whole < largest && high > 1.0 / largest) {
        return None;
    }
    if whole + 1.0 < high {
        return Some((whole as i128 + 1, 1));
    }
    let rest = if low > whole { 1.0 / (low - whole) } else { f64::MAX };
    let (q, p) = simplest(1.0 / (high - whole), rest, largest)?;
    let (p, q) = ((whole as i128).checked_mul(q)?.checked_add(p)?, q);
    ((p.max(q) as f64) < largest).then_some((p, q))
}

#[cfg(test)]
mod tests {
    use std::str::SplitWhitespace;

    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A vector of rational numbers: integers, and what they are divided by.
    type Generator = (Vec<BigInt>, BigInt);
    /// A row with a one for the bias, its `z`, and whether it is on, where a cone above decided it.
    type Known = (Vec<BigInt>, i128, Option<bool>);

    fn dot(a: &[BigInt], v: &[BigInt]) -> BigInt {
        a.iter().zip(v).map(|(a, v)| a * v).sum()
    }

    /// The slow twin: whether a tree shows that all sums are within the limits, read as
    /// `docs/proofs.md` says. It keeps the generators and multiplies each row with each of them.
    fn holds(
        words: &mut SplitWhitespace<'_>,
        cone: &[Generator],
        mut rows: Vec<Known>,
        limits: Limits,
    ) -> bool {
        for (a, _, known) in rows.iter_mut().filter(|(.., known)| known.is_none()) {
            let signs: Vec<i8> = cone.iter().map(|(v, _)| Coordinate::sign(&dot(a, v))).collect();
            let below = signs.iter().all(|s| *s <= 0).then_some(false);
            *known = if signs.iter().all(|s| *s >= 0) { Some(true) } else { below };
        }
        let mut number = || words.next().expect("the tree goes on").parse::<BigInt>().unwrap();
        let k = number();
        if k == BigInt::ZERO {
            let sum = |counts: &dyn Fn(&Known) -> bool| -> i128 {
                rows.iter().filter(|row| counts(row)).map(|(_, z, _)| z).sum()
            };
            let above = sum(&|(_, z, known)| known.unwrap_or(*z > 0));
            let below = sum(&|(_, z, known)| known.unwrap_or(*z < 0));
            return above <= limits.high && below >= limits.low;
        }
        let [l, p, q, g] = std::array::from_fn(|_| number());
        assert!(BigInt::ZERO < k && k < l && [&p, &q, &g].iter().all(|x| **x > BigInt::ZERO));
        let [k, l] = [k, l].map(|place| usize::try_from(place).unwrap() - 1);
        let ((v, a), (w, b)) = (&cone[k], &cone[l]);
        let middle = v.iter().zip(w).map(|(v, w)| &p * b * v + &q * a * w).collect();
        let middle: Generator = (middle, g * a * b);
        for (row, ..) in rows.iter().filter(|(.., known)| known.is_none()) {
            assert_eq!(dot(row, &middle.0) % &middle.1, BigInt::ZERO, "an open row is an integer");
        }
        // Both trees are read, also if the first does not hold.
        let below = [k, l].map(|place| {
            let mut cone = cone.to_vec();
            cone[place] = middle.clone();
            holds(words, &cone, rows.clone(), limits)
        });
        below == [true, true]
    }

    /// The same for all trees of a choice of columns. Rows may be equal.
    fn all_hold(text: &str, rows: &[(Vec<BigInt>, i128)], limits: Limits) -> bool {
        let r = rows[0].0.len() + 1;
        let mut merged: BTreeMap<Vec<BigInt>, i128> = BTreeMap::new();
        for (x, z) in rows {
            *merged.entry([&x[..], &[1.into()]].concat()).or_default() += z;
        }
        let known: Vec<Known> = merged.into_iter().map(|(a, z)| (a, z, None)).collect();
        let mut words = text.split_whitespace();
        let mut believed = true;
        for t in 0..1usize << r {
            let unit = |k: usize| -> Generator {
                let one = if t >> k & 1 == 1 { -1 } else { 1 };
                ((0..r).map(|j| BigInt::from(if j == k { one } else { 0 })).collect(), 1.into())
            };
            let cone: Vec<Generator> = (0..r).map(unit).collect();
            believed &= holds(&mut words, &cone, known.clone(), limits);
        }
        assert_eq!(words.next(), None, "there is a tree for each orthant and no more");
        believed
    }

    /// The least and the largest sum over the rows of a halfspace. Points of a line, of a plane
    /// grid of `0..=3` or of a cube of bits are told apart by weights up to 6: normals of
    /// differences of two points, or sums of two such normals.
    fn extremes(points: &[(Vec<i64>, i128)]) -> (i128, i128) {
        let width = points[0].0.len();
        let most = if width == 2 { 6i64 } else { 2 };
        let (mut least, mut largest) = (0, 0);
        for code in 0..(2 * most + 1).pow(width as u32) {
            let digit = |j: usize| code / (2 * most + 1).pow(j as u32) % (2 * most + 1) - most;
            let value =
                |x: &[i64]| -> i64 { x.iter().enumerate().map(|(j, x)| x * digit(j)).sum() };
            for (cut, _) in points {
                let on = points.iter().filter(|(x, _)| value(x) >= value(cut));
                let sum: i128 = on.map(|(_, z)| z).sum();
                (least, largest) = (least.min(sum), largest.max(sum));
            }
        }
        (least, largest)
    }

    #[test]
    fn trees_prove_the_exact_extremes_of_small_tables_and_nothing_tighter() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let nodes = AtomicU64::new(0);
        for case in 0..300 {
            let (width, count) = (case % 3 + 1, rng.random_range(1..13));
            let side = if width == 3 { 1 } else { 3 };
            let mut point = |_| {
                let x: Vec<i64> = (0..width).map(|_| rng.random_range(0..=side)).collect();
                (x, rng.random_range(-20..=20))
            };
            let points: Vec<(Vec<i64>, i128)> = (0..count).map(&mut point).collect();
            let (low, high) = extremes(&points);
            // A column that is moved and stretched has the same patterns: also beyond machine
            // integers.
            let stretch: Vec<(BigInt, BigInt)> = (0..width)
                .map(|_| {
                    let digits = [0, 5, 30][rng.random_range(0..3)];
                    let scale = BigInt::from(10).pow(digits) + rng.random_range(0..3);
                    (&scale * rng.random_range(-3..=0) + rng.random_range(0..2), scale)
                })
                .collect();
            let column = |(x, (base, scale)): (&i64, &(BigInt, BigInt))| base + scale * *x;
            let row =
                |(x, z): &(Vec<i64>, i128)| (x.iter().zip(&stretch).map(column).collect(), *z);
            let rows: Vec<(Vec<BigInt>, i128)> = points.iter().map(row).collect();
            let written = |limits: Limits| {
                let rows = rows.iter().map(|(x, z)| (x.iter().collect(), *z));
                trees(rows, width, limits, &nodes)
            };
            let exact = Limits { low, high };
            let text = written(exact).unwrap_or_else(|error| panic!("{error:?}: {points:?}"));
            assert!(all_hold(&text, &rows, exact), "{points:?}\n{text}");
            let free = Limits { low, high: i128::MAX / 4 };
            assert!(all_hold(&written(free).unwrap(), &rows, free), "{points:?}");
            for tight in [Limits { low, high: high - 1 }, Limits { low: low + 1, high }] {
                assert_eq!(written(tight).err(), Some(Failure::Beyond), "{points:?}");
                assert!(!all_hold(&text, &rows, tight), "{points:?}\n{text}");
            }
        }
    }

    #[test]
    fn nodes_are_counted_once() {
        let row: Vec<BigInt> = vec![1.into(), (-2).into()];
        let (nodes, limits) = (AtomicU64::new(0), Limits { low: -3, high: 3 });
        let rows = [(vec![&row[0]], 3), (vec![&row[1]], -3)];
        let text = trees(rows.into_iter(), 1, limits, &nodes).unwrap();
        assert_eq!(nodes.into_inner(), text.lines().count() as u64, "{text}");
    }
}
