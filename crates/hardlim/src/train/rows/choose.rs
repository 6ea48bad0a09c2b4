//! Choosing a strength for rows in blocks: on one row in ten, or by cross-validation.

use super::{InBlocks, beta_max, classes};
use crate::error::Error;
use crate::model::Calibration;
use crate::rows::Score;
use crate::solver::{Descent, Point};
use crate::train::choose::grid;
use crate::train::folds::score::best_of;
use crate::train::options::refused_as;
use crate::train::request::Comparison;
use crate::train::tuning::{BLOCKS_COMPARED, WORSE};
use crate::train::{Choice, Event, InputClass, Measure, Predicted, Strength};

type Begun = (Vec<Vec<f64>>, Choice);

/// The accuracy or `R²` on rows that were held out, its standard error, and the loss.
type Summary = (f64, f64, f64);

impl InBlocks<'_> {
    fn ratios(&self) -> Vec<f64> {
        self.request.comparison.as_ref().and_then(Comparison::ratios).unwrap_or_else(grid)
    }

    /// Chooses the strength that predicts the rows held out best, one in ten.
    pub(super) fn hold_out(&self) -> Result<Begun, Error> {
        let facts = &self.facts;
        let [all, kept] = [0, 1].map(|k| facts.weight[k].value());
        if kept <= 0.0 || kept >= all {
            let problem = format!(
                "of {} rows, none or all would be held out to choose a strength; give `beta`",
                facts.rows
            );
            return Err(Error::Option { option: "beta", problem });
        }
        let zero = |descent: &Descent<'_>| descent.at(vec![0.0; self.patterns]);
        let descents = self.descents(true);
        let points = descents.iter().map(zero).collect::<Result<_, _>>()?;
        self.follow(&descents, points, 1, |points, _| {
            Ok((points.iter().map(|point| point.held_out).sum::<f64>() / (all - kept), None))
        })
    }

    /// Chooses a strength by cross-validation: for each of them the networks of all rows are
    /// trained, and moved to where they would be without the rows of each fold. Begins at the zero
    /// networks.
    pub(super) fn cross_validate(&self, zeros: Vec<Point>, folds: usize) -> Result<Begun, Error> {
        let descents = self.descents(false);
        let sums = descents[0].folds(&zeros[0], folds)?;
        if sums.iter().any(|fold| fold.weight.value() <= 0.0) {
            let why = format!("of {} rows, a fold would have none", self.facts.rows);
            return Err(refused_as("cv", folds, why));
        }
        self.follow(&descents, zeros, folds, |points, beta| {
            let mut networks = vec![Vec::new(); folds];
            for (descent, point) in descents.iter().zip(points) {
                let sums = descent.folds(point, folds)?;
                for (fold, networks) in networks.iter_mut().enumerate() {
                    let w = descent.without_fold(point, &sums, fold, beta);
                    networks.push(Point { w, ..point.clone() }.coefficients());
                }
            }
            let numbers = classes(self.coding) == 0;
            let summary = self.summary(&self.rows.score(networks, numbers)?, false);
            Ok((summary.2, Some(summary)))
        })
    }

    fn descents(&self, held_out: bool) -> Vec<Descent<'_>> {
        (0..self.coding.networks()).map(|k| self.descent(k, held_out)).collect()
    }

    /// Follows the networks to smaller strengths, as long as the scores of rows that were held out
    /// get better.
    fn follow(
        &self,
        descents: &[Descent<'_>],
        mut points: Vec<Point>,
        folds: usize,
        score: impl Fn(&[Point], f64) -> Result<(f64, Option<Summary>), Error>,
    ) -> Result<Begun, Error> {
        let (ratios, most) = (self.ratios(), beta_max(&points));
        self.watch.tell(Event::Choosing { scores: ratios.len() * descents.len() });
        let mut losses: Vec<f64> = Vec::new();
        // The points at the best strength, and how well they predict, if that is known.
        let mut found: Option<(Vec<Point>, Option<Summary>)> = None;
        let mut best = 0;
        for ratio in &ratios {
            let beta = Strength::Ratio(*ratio).beta(most)?;
            for (descent, point) in descents.iter().zip(&mut points) {
                let start = point.clone();
                *point =
                    descent.solve(start, beta, BLOCKS_COMPARED.0, BLOCKS_COMPARED.1, &|_| ())?.0;
                self.watch.tell(Event::Scored);
            }
            let (loss, summary) = score(&points, beta.get())?;
            losses.push(loss);
            best = best_of(&losses, None::<fn(usize) -> f64>);
            let worse = losses.len() - 1 - best;
            if worse == 0 {
                found = Some((points.clone(), summary));
            }
            if worse >= WORSE || self.budget().spent().is_some() {
                break;
            }
        }
        let (points, summary) = found.ok_or(Error::Interrupted)?;
        let (score, error, loss) = match summary {
            Some(summary) => summary,
            None => self.score(points.iter().map(Point::coefficients).collect(), true)?,
        };
        let class = match (self.request.max_inputs(), &self.request.inputs) {
            (Some(_), _) => InputClass::One,
            (None, Some(_)) => InputClass::Given,
            (None, None) => InputClass::Mixed,
        };
        let calibrates = classes(self.coding) > 0;
        let calibration = calibrates.then(|| Calibration::new(1.0)).transpose()?;
        let (measure, classes) = (Measure::of(self.coding.target()), Vec::new());
        let strength = (&ratios[..losses.len()], best);
        let plain = Choice::of(folds, strength, (score, error), measure);
        let predicted = Some(Predicted { class, classes, losses, loss, calibration });
        let chosen = Choice { predicted, ..plain };
        Ok((points.into_iter().map(|point| point.w).collect(), chosen))
    }

    /// The accuracy or `R²` of a score, its standard error, and the mean log-loss or squared loss.
    pub(super) fn summary(&self, score: &Score, held_out: bool) -> Summary {
        let weight = score.weight.value();
        if classes(self.coding) > 0 {
            let right = score.right.value() / weight;
            let error = (right * (1.0 - right) / weight).sqrt();
            return (right, error, score.log_loss.value() / weight);
        }
        let moments = &self.facts.moments[usize::from(held_out)];
        let [mean, square] = [0, 1].map(|k| moments[k].value() / weight);
        let variance = Some(square - mean * mean).filter(|v| *v > 0.0).unwrap_or(1.0);
        let off = score.error.value() / weight;
        let spread = (score.fourth.value() / weight - off * off).max(0.0);
        (1.0 - off / variance, (spread / weight).sqrt() / variance, 0.5 * off)
    }
}
