//! One block: consecutive rows, what neurons answer on them, and what they add to every sum.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Coefficients;
use super::sampling::{fold, is_held_out};
use crate::arrangement::{Hyperplane, evaluate};
use crate::data::{Features, Targets};
use crate::error::Error;
use crate::exact::total::Total;
use crate::loss::{Loss, LossKind};
use crate::pattern::PatternMatrix;
use crate::pattern::threshold::fires;
use crate::table::RowSum;

/// The least probability that counts: no row costs more than about 16.
const LEAST: f64 = 1e-7;

/// Consecutive rows of the data.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "super::text::Packed", try_from = "super::text::Packed")]
pub struct Block {
    /// The number of its first row among all rows.
    pub(super) first: u64,
    pub(super) features: Features,
    pub(super) y: Vec<f64>,
    pub(super) weights: Option<Vec<f64>>,
    /// What neurons answer, if they were asked.
    pub(super) answers: PatternMatrix,
}

/// A pass over the rows: a network on the patterns of the blocks, and what to add up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Visit {
    pub(crate) loss: LossKind,
    /// The class to tell from the rest, if there are several.
    pub(crate) class: Option<usize>,
    pub(crate) held_out: bool,
    /// `w`.
    pub(crate) coefficients: Coefficients,
    /// The grid of the dual point: its numbers are multiples of this.
    pub(crate) unit: f64,
    /// Where on the line through the dual point its conjugate is asked for, in place of `Dᵀz`.
    pub(crate) thetas: Vec<f64>,
}

/// What the rows of some blocks add up to, in a pass. All sums are exact.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Sums {
    /// `Σ s l(u, y)`.
    pub(crate) loss: Total,
    /// The same over the rows that are held out.
    pub(crate) held_out: Total,
    /// `Dᵀz`, where `z` is the derivative of the loss, rounded to the grid.
    pub(crate) correlations: Vec<f64>,
    /// For each `θ`: `Σ l*(θz)`, and the sum of the magnitudes.
    pub(crate) conjugates: Vec<[Total; 2]>,
}

/// What the rows of one fold add up to. All sums are exact.
///
/// The folds share the dictionary, and rows belong to a fold by a hash of their number. At one
/// point `w` for all rows, a pass gives the gradient of each fold's rows; what is left without a
/// fold is the difference to the gradient of all rows. A second pass asks each row for the output
/// of the network that its fold has not trained. So a strength costs two passes more, whatever the
/// number of folds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct FoldSums {
    pub(crate) weight: Total,
    /// `Dᵀz` over its rows, where `z` is the derivative of the loss, rounded to the grid.
    pub(crate) correlations: Vec<f64>,
}

/// What is known of the rows before there is a network.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) rows: u64,
    pub(crate) prints: RowSum,
    /// `Σ s`, of all rows and of those that are not held out.
    pub(crate) weight: [Total; 2],
    /// `Σ s` of each class: two for labels `±1`, none for numbers.
    pub(crate) classes: Vec<Total>,
    /// `Σ s y` and `Σ s y²` of all rows and of those held out, for numbers.
    pub(crate) moments: [[Total; 2]; 2],
}

/// How many rows are predicted right, and how far the predictions of numbers are off.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Score {
    pub(crate) weight: Total,
    /// The weight of those whose class is predicted.
    pub(crate) right: Total,
    /// `Σ −s log p`, with the probability of the right class.
    pub(crate) log_loss: Total,
    /// `Σ s (u − y)²`.
    pub(crate) error: Total,
    /// `Σ s (u − y)⁴`.
    pub(crate) fourth: Total,
}

impl Block {
    /// Some rows, the first of which has this number among all rows. Without weights, each is one.
    pub fn new(
        first: u64,
        features: Features,
        y: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        let (rows, found) = (features.rows(), y.len());
        if rows != found {
            return Err(Error::Length { what: "targets", expected: rows, found });
        }
        if let Some(found) = weights.as_ref().map(Vec::len).filter(|found| *found != rows) {
            return Err(Error::Length { what: "sample weights", expected: rows, found });
        }
        // The rows of a block may weigh nothing, if others weigh something.
        let weighed = weights.as_deref().filter(|s| s.iter().any(|s| *s != 0.0));
        let numbers: Vec<u32> = (0..rows as u32).collect();
        Targets::grouped(rows, &numbers, &y, weighed)?;
        Ok(Self { first, features, y, weights, answers: PatternMatrix::new(rows) })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.y.len()
    }

    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        let numbers = self.rows() * (self.features.dimension() + 2);
        let answers = self.answers.patterns() * PatternMatrix::bytes_per_pattern(self.rows());
        8 * numbers + answers
    }

    /// Asks these neurons, instead of those before.
    pub fn answer(&mut self, neurons: &[Hyperplane]) {
        self.answers = evaluate(&self.features, neurons);
    }

    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |s| s[i])
    }

    /// The target of row `i`: of several classes, this one against the rest.
    pub(super) fn target(&self, i: usize, class: Option<usize>) -> f64 {
        match class {
            Some(class) if self.y[i] as usize == class => 1.0,
            Some(_) => -1.0,
            None => self.y[i],
        }
    }

    pub(super) fn is_held_out(&self, i: usize) -> bool {
        is_held_out(self.first + i as u64)
    }

    /// The derivative of the loss at this output of row `i`, rounded to the grid.
    fn slope(&self, i: usize, u: f64, visit: &Visit) -> f64 {
        let s = self.weight(i);
        if s == 0.0 {
            return 0.0;
        }
        let slope = visit.loss.subgradient(u, self.target(i, visit.class)).0;
        (s * slope / visit.unit).trunc() * visit.unit
    }

    /// The dual point of a network; zero on rows that are held out.
    pub(super) fn dual(&self, visit: &Visit) -> Vec<f64> {
        let u = self.answers.combine(visit.coefficients.iter().copied());
        let aside = |i: usize| visit.held_out && self.is_held_out(i);
        let z = |(i, &u): (usize, &f64)| if aside(i) { 0.0 } else { self.slope(i, u, visit) };
        u.iter().enumerate().map(z).collect()
    }

    /// What its rows add to the sums of a pass.
    pub(super) fn visit(&self, visit: &Visit) -> Sums {
        let Visit { loss, class, held_out, coefficients, thetas, .. } = visit;
        let u = self.answers.combine(coefficients.iter().copied());
        let mut sums =
            Sums { conjugates: vec![Default::default(); thetas.len()], ..Sums::default() };
        let mut z = vec![0.0; u.len()];
        for (i, &u) in u.iter().enumerate() {
            let (y, s) = (self.target(i, *class), self.weight(i));
            if s == 0.0 {
                continue;
            }
            let value = s * loss.value(u, y);
            if *held_out && self.is_held_out(i) {
                sums.held_out.add(value);
                continue;
            }
            sums.loss.add(value);
            z[i] = self.slope(i, u, visit);
            for (theta, [sum, size]) in thetas.iter().zip(&mut sums.conjugates) {
                let conjugate = conjugate(loss, theta * z[i], y, s);
                sum.add(conjugate);
                size.add(conjugate.abs());
            }
        }
        if thetas.is_empty() {
            sums.correlations = self.answers.correlations(&z);
        }
        sums
    }

    /// What its rows add to the sums of each fold.
    pub(super) fn visit_folds(&self, visit: &Visit, folds: usize) -> Vec<FoldSums> {
        let dual = self.dual(visit);
        let mut z = vec![vec![0.0; dual.len()]; folds];
        let mut sums = vec![FoldSums::default(); folds];
        for (i, dual) in dual.into_iter().enumerate() {
            let own = fold(self.first + i as u64, folds);
            sums[own].weight.add(self.weight(i));
            z[own][i] = dual;
        }
        for (sums, z) in sums.iter_mut().zip(&z) {
            sums.correlations = self.answers.correlations(z);
        }
        sums
    }

    /// What its rows are; the classes are those of the target, or none for numbers.
    pub(crate) fn facts(&self, classes: usize) -> Facts {
        let mut facts = Facts {
            rows: self.rows() as u64,
            classes: vec![Total::default(); classes],
            ..Facts::default()
        };
        for i in 0..self.rows() {
            let (y, s, held) = (self.y[i], self.weight(i), self.is_held_out(i));
            facts.prints.add(&self.print(i));
            facts.weight[0].add(s);
            if !held {
                facts.weight[1].add(s);
            }
            match classes {
                0 => {
                    for moments in &mut facts.moments[..=usize::from(held)] {
                        moments[0].add(s * y);
                        moments[1].add(s * y * y);
                    }
                }
                2 => facts.classes[usize::from(y > 0.0)].add(s),
                _ => facts.classes[y as usize].add(s),
            }
        }
        facts
    }

    /// SHA-256 of row `i`: its number, its features, its target and its weight.
    fn print(&self, i: usize) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update((self.first + i as u64).to_le_bytes());
        self.features.row(i).iter().for_each(|x| hash.update(x.to_bits().to_le_bytes()));
        hash.update((self.y[i] + 0.0).to_bits().to_le_bytes()); // -0.0 is 0.0
        hash.update((self.weight(i) + 0.0).to_bits().to_le_bytes());
        hash.finalize().into()
    }

    /// The parts `z₊` and `z₋` of the dual point `∓s(±y − c)₊` of the complete program for numbers,
    /// clipped at these levels, with `Σz²/s` and `Σyz`, and the magnitudes of the latter.
    pub(super) fn clip(&self, levels: [f64; 2]) -> [Total; 5] {
        let mut sums: [Total; 5] = Default::default();
        for (i, &y) in self.y.iter().enumerate().filter(|(i, _)| self.weight(*i) > 0.0) {
            let s = self.weight(i);
            let (side, z) = if y > 0.0 {
                (1, -s * (y - levels[1]).max(0.0))
            } else {
                (0, s * (-y - levels[0]).max(0.0))
            };
            sums[side].add(z.abs());
            sums[2].add(z * z / s);
            sums[3].add(y * z);
            sums[4].add((y * z).abs());
        }
        sums
    }

    /// How well the networks of each fold predict its rows.
    pub(super) fn score(&self, folds: &[Vec<Coefficients>], numbers: bool) -> Score {
        let mut score = Score::default();
        for (k, networks) in folds.iter().enumerate().filter(|(_, networks)| !networks.is_empty()) {
            let outputs: Vec<Vec<f64>> =
                networks.iter().map(|w| self.answers.combine(w.iter().copied())).collect();
            for i in (0..self.rows()).filter(|&i| fold(self.first + i as u64, folds.len()) == k) {
                let u: Vec<f64> = outputs.iter().map(|output| output[i]).collect();
                score.add(&u, self.y[i], self.weight(i), numbers);
            }
        }
        score
    }
}

/// `s l*(z/s)`, rounded up.
fn conjugate(loss: &LossKind, z: f64, y: f64, s: f64) -> f64 {
    if s == 1.0 { loss.conjugate(z, y) } else { s * loss.conjugate(z / s, y) }
}

impl Sums {
    pub(super) fn merge(&mut self, other: &Self) {
        self.loss.merge(&other.loss);
        self.held_out.merge(&other.held_out);
        if self.correlations.is_empty() {
            self.correlations.clone_from(&other.correlations);
        } else {
            self.correlations.iter_mut().zip(&other.correlations).for_each(|(a, b)| *a += b);
        }
        self.conjugates.resize(other.conjugates.len(), Default::default());
        for (a, b) in self.conjugates.iter_mut().zip(&other.conjugates) {
            merge_all(a, b);
        }
    }
}

impl FoldSums {
    pub(super) fn merge(&mut self, other: &Self) {
        self.weight.merge(&other.weight);
        self.correlations.iter_mut().zip(&other.correlations).for_each(|(a, b)| *a += b);
    }
}

impl Facts {
    pub(super) fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.prints.merge(&other.prints);
        merge_all(&mut self.weight, &other.weight);
        self.classes.resize(other.classes.len(), Total::default());
        merge_all(&mut self.classes, &other.classes);
        for (a, b) in self.moments.iter_mut().zip(&other.moments) {
            merge_all(a, b);
        }
    }
}

impl Score {
    /// Adds a row of weight `s` and target `y`: the outputs of its network, or of the networks of
    /// all classes.
    fn add(&mut self, u: &[f64], y: f64, s: f64, numbers: bool) {
        self.weight.add(s);
        let right = match u {
            [u] if numbers => {
                let square = (u - y) * (u - y);
                self.error.add(s * square);
                self.fourth.add(s * square * square);
                return;
            }
            [u] => {
                self.log_loss.add(s * LossKind::Logistic.value(*u, y));
                fires(*u) == (y > 0.0)
            }
            u => {
                // The shares of the classes are `1/(1 + exp(−u))`, divided by their sum.
                let share = |u: f64| 1.0 / (1.0 + (-u).exp());
                let sum: f64 = u.iter().map(|u| share(*u)).sum();
                self.log_loss.add(-s * (share(u[y as usize]) / sum).max(LEAST).ln());
                // The first of the largest outputs decides.
                let first = (0..u.len()).reduce(|a, b| if u[b] > u[a] { b } else { a });
                first == Some(y as usize)
            }
        };
        if right {
            self.right.add(s);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.weight.merge(&other.weight);
        self.right.merge(&other.right);
        self.log_loss.merge(&other.log_loss);
        self.error.merge(&other.error);
        self.fourth.merge(&other.fourth);
    }
}

pub(super) fn merge_all(sums: &mut [Total], others: &[Total]) {
    sums.iter_mut().zip(others).for_each(|(a, b)| a.merge(b));
}
