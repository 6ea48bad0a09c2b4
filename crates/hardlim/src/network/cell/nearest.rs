//! Integer weights of a given width that answer nearly the same.
//!
//! If a cell has no integer weights of this width, the hyperplane is rounded at several scales,
//! and weights move by one as long as that brings back answers. The bias is the best one for the
//! weights: all thresholds between two rows are tried, and the middle between the rows is taken.

use super::grid::Grid;
use super::largest;
use crate::arrangement::Hyperplane;
use crate::data::Features;
use crate::network::tuning::{NEAREST_ROUNDS, NEAREST_SCALES};
use crate::pattern::Pattern;

struct Candidate {
    k: Vec<i64>,
    bias: i64,
    cost: f64,
}

/// Rows on their grid, and the answers to come close to.
pub(crate) struct Nearest<'a> {
    rows: Vec<i64>,
    dimension: usize,
    grid: &'a Grid,
    times: &'a [f64],
    bias: bool,
    most: i64,
}

impl<'a> Nearest<'a> {
    /// For weights of `bits` bits, including the sign, on these rows.
    pub(crate) fn new(
        features: &Features,
        times: &'a [f64],
        grid: &'a Grid,
        bias: bool,
        bits: u32,
    ) -> Self {
        let (rows, most) = (grid.round(features), (1i64 << (bits.max(2) - 1)) - 1);
        Self { rows, dimension: features.dimension(), grid, times, bias, most }
    }

    /// The weights for a hyperplane with these answers, and the weight of the rows that they answer
    /// otherwise.
    pub(crate) fn find(&self, plane: &Hyperplane, answers: &Pattern) -> (Hyperplane, f64) {
        let direction: Vec<f64> =
            (plane.weights.iter().enumerate()).map(|(j, w)| w / self.grid.weight(j, 1)).collect();
        let largest = largest(&direction);
        let rounded = |s: u32| {
            let part = 1.0 - f64::from(s) / f64::from(2 * NEAREST_SCALES);
            let scale = if largest == 0.0 { 0.0 } else { part * self.most as f64 / largest };
            self.placed(direction.iter().map(|w| (scale * w).round() as i64).collect(), answers)
        };
        let mut best = (0..NEAREST_SCALES)
            .map(rounded)
            .reduce(|best, found| if found.cost < best.cost { found } else { best })
            .expect("at least one scale");
        for _ in 0..NEAREST_ROUNDS {
            let before = best.cost;
            for j in (0..self.dimension).filter(|&j| direction[j] != 0.0) {
                for step in [-1, 1] {
                    let mut k = best.k.clone();
                    k[j] += step;
                    if k[j].abs() <= self.most && best.cost > 0.0 {
                        let found = self.placed(k, answers);
                        if found.cost < best.cost {
                            best = found;
                        }
                    }
                }
            }
            if best.cost == before {
                break;
            }
        }
        let weights = best.k.iter().enumerate().map(|(j, &k)| self.grid.weight(j, k)).collect();
        (Hyperplane { weights, bias: best.bias as f64 }, best.cost)
    }

    /// The best bias for weights.
    fn placed(&self, k: Vec<i64>, answers: &Pattern) -> Candidate {
        let sum = |row: &[i64]| row.iter().zip(&k).map(|(m, k)| m * k).sum::<i64>();
        let sums: Vec<i64> = match self.dimension {
            0 => vec![0; self.times.len()],
            d => self.rows.chunks_exact(d).map(sum).collect(),
        };
        if !self.bias {
            let wrong = |&i: &usize| answers.get(i) != (sums[i] >= 0);
            let cost = (0..sums.len()).filter(wrong).map(|i| self.times[i]).sum();
            return Candidate { k, bias: 0, cost };
        }
        let mut order: Vec<usize> = (0..sums.len()).collect();
        order.sort_unstable_by_key(|&i| sums[i]);
        // Below all sums, every row is on.
        let mut cost: f64 =
            (0..sums.len()).filter(|&i| !answers.get(i)).map(|i| self.times[i]).sum();
        let lowest = order.first().map_or(0, |&i| sums[i]);
        let mut best = (cost, lowest);
        for (place, &i) in order.iter().enumerate() {
            cost += if answers.get(i) { self.times[i] } else { -self.times[i] };
            let next = order.get(place + 1).map_or(sums[i] + 2, |&next| sums[next]);
            if next > sums[i] && cost < best.0 {
                // The smallest sum that is on: the middle of the integers above this one.
                best = (cost, sums[i] + 1 + (next - sums[i] - 1) / 2);
            }
        }
        Candidate { k, bias: -best.1, cost: best.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_fit_cost_nothing_and_others_little() {
        let values: Vec<f64> = (0..64).flat_map(|i| [f64::from(i / 8), f64::from(i % 8)]).collect();
        let x = Features::new(64, 2, values).unwrap();
        let (grid, times) = (Grid::fit(&x, 8, &[]), vec![1.0; 64]);
        let pattern = |a: i64, b: i64, c: i64| {
            Pattern::from_fn(64, |i| a * (i as i64 / 8) + b * (i as i64 % 8) + c >= 0)
        };
        let plane = Hyperplane { weights: vec![2.0, -3.0], bias: 1.0 };
        let few = Nearest::new(&x, &times, &grid, true, 3);
        let (found, cost) = few.find(&plane, &pattern(2, -3, 1));
        assert_eq!((found.weights, cost), (vec![2.0, -3.0], 0.0));
        let plane = Hyperplane { weights: vec![17.0, -11.0], bias: -5.0 };
        let (found, cost) = few.find(&plane, &pattern(17, -11, -5));
        assert!(found.weights.iter().all(|w| w.abs() <= 3.0), "{found:?}");
        assert!(cost <= 2.0, "{cost}");
        let none = Nearest::new(&x, &times, &grid, false, 3).find(&plane, &pattern(17, -11, 0));
        assert_eq!(none.0.bias, 0.0);
    }
}
