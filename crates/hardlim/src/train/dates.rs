//! Dates that do not help are left out.
//!
//! Most tables have a date, and a date becomes two inputs or three. Where these tell nothing about the target,
//! networks fit them all the same, and predict worse. So before everything else is chosen, one network is
//! compared with and without each date, on rows that it was not trained on. A date that matters stays.

use super::{Question, Request, Watch};
use crate::data::{HeldOut, TrainingSet};
use crate::error::Error;
use crate::solver::Budget;
use crate::table::coding::ColumnRef;

/// With fewer samples than this, accidents decide: every date stays.
const FEWEST: usize = 50;
/// How many dates are looked at: each takes its time.
const MOST: usize = 4;
/// The part of the time limit that this may take.
const PART: f64 = 0.2;

impl Request {
    /// Leaves out the dates without which networks predict as well, if the best predictions are wanted. The
    /// coding tells which. Columns that the request keeps stay.
    ///
    /// # Errors
    /// When options conflict with each other or with the data.
    #[doc(hidden)]
    pub fn screen(
        &self,
        (mut set, mut held_out): (TrainingSet, Option<HeldOut>),
        watch: &Watch<'_>,
    ) -> Result<(TrainingSet, Option<HeldOut>), Error> {
        let Question::Predict(predict) = &self.question else { return Ok((set, held_out)) };
        let few = set.y().len() < FEWEST;
        let dates = if few { Vec::new() } else { self.free_dates(&set) };
        let deadline = self.limits.time.map(|limit| (watch.start + limit.mul_f64(PART), limit));
        let budget = Budget { deadline, ..watch.budget(self.limits.time) };
        let mut losses = None; // those of `set`
        for date in dates.iter().take(MOST) {
            let plan = self.check(&set)?;
            let draws = plan.predictions.as_ref().is_some_and(|predictions| predictions.draws());
            if !draws || set.coding().column_names().len() < 2 {
                break;
            }
            let (without, features) = set.without(date)?;
            let score = |set: &TrainingSet| {
                self.held_out_losses(predict, set, plan.trainer(budget), budget, watch)
            };
            let with = match losses.take() {
                Some(known) => Some(known),
                None => score(&set)?,
            };
            let (Some(with), Some(other)) = (with, score(&without)?) else { break };
            let stays = !other.is_as_low(&with);
            losses = Some(if stays { with } else { other });
            if !stays {
                set = without;
                let left =
                    |HeldOut { features: x, y }| HeldOut { features: x.columns(&features), y };
                held_out = held_out.map(left);
            }
        }
        Ok((set, held_out))
    }

    /// The dates of a training set, but for those that are kept.
    fn free_dates(&self, set: &TrainingSet) -> Vec<ColumnRef> {
        let kept = |ColumnRef { name, position }: &ColumnRef| {
            let number = (position + 1).to_string();
            self.columns.keep_all || self.columns.keep.iter().any(|k| k == name || *k == number)
        };
        set.coding().dates().into_iter().filter(|date| !kept(date)).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::table::{CodingOptions, ReadOptions, Table};

    /// Two numbers, two dates and a class: by the numbers, or by the first number and the first date.
    fn table(rows: usize, by_date: bool) -> Table {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut text = String::from("a,begin,b,end,y\n");
        for _ in 0..rows {
            let (a, b): (f64, f64) = (rng.random(), rng.random());
            let mut day = || {
                let (year, month) = (rng.random_range(2020..2024), rng.random_range(1..=12));
                (year, format!("{year}-{month:02}-{:02}", rng.random_range(1..=28)))
            };
            let ((year, begin), (_, end)) = (day(), day());
            let other = if by_date { year >= 2022 } else { b > 0.4 };
            let y = if (a > 0.5) == other { "yes" } else { "no" };
            text += &format!("{a:.3},{begin},{b:.3},{end},{y}\n");
        }
        Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
    }

    fn left(request: &Request, table: &Table) -> TrainingSet {
        request.screen(request.read(table).unwrap(), &Watch::default()).unwrap().0
    }

    #[test]
    fn a_date_that_tells_nothing_is_left_out_and_told_and_one_that_matters_stays() {
        let request = Request::default();
        let set = left(&request, &table(200, false));
        assert_eq!(set.coding().column_names(), ["a", "b"]);
        assert_eq!((set.data().dimension(), set.coding().dimension()), (2, 2));
        let note = "column \"begin\" is left out: networks without it predict rows held out as well (`keep=begin` \
                    brings it back)";
        assert_eq!(set.coding().notes()[0], note);
        let set = left(&request, &table(200, true));
        assert_eq!(set.coding().column_names(), ["a", "begin", "b"]);
    }

    #[test]
    fn dates_stay_if_they_are_kept_if_a_problem_is_posed_and_in_few_rows() {
        let all = ["a", "begin", "b", "end"];
        let columns =
            CodingOptions { keep: vec!["begin".into(), "4".into()], ..Default::default() };
        for (rows, request) in [
            (200, Request::default().with_columns(columns)),
            (200, Request::of("beta=0.1").unwrap()),
            (200, Request::of("max_inputs=1").unwrap()),
            (FEWEST - 1, Request::default()),
        ] {
            assert_eq!(left(&request, &table(rows, false)).coding().column_names(), all);
        }
    }

    #[test]
    fn rows_held_out_and_rows_read_again_lose_the_same_columns() {
        let request = Request::of("holdout=0.2").unwrap();
        let read = request.read(&table(200, false)).unwrap();
        let all = read.0.clone();
        let (set, held_out) = request.screen(read, &Watch::default()).unwrap();
        assert_eq!(held_out.unwrap().features.dimension(), 2);
        let again = all.read_by(set.coding()).unwrap();
        assert_eq!(
            (again.coding(), again.data().fingerprint()),
            (set.coding(), set.data().fingerprint())
        );
        assert_eq!(all.read_by(all.coding()).unwrap().coding(), all.coding());
    }
}
