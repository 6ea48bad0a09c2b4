//! Dates that do not help are left out.
//!
//! Most tables have a date, and a date becomes two inputs or three. Where these tell nothing about
//! the target, networks fit them all the same, and predict worse. So before everything else is
//! chosen, one network is compared with and without each date, on rows that it was not trained on.
//! A date that matters stays.

use super::candidate::{Candidate, InputClass, Training};
use super::{Chooser, Predictions};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::solver::Budget;
use crate::table::coding::ColumnRef;
use crate::train::folds::score::Values;
use crate::train::folds::{Samples, Validation, score, split_set};
use crate::train::plan::NewRows;
use crate::train::tuning::{FEWEST_WITH_DATES, MOST_COMPARED, MOST_DATES, SCREENING};
use crate::train::{Event, Fold, Predict, Question, Request, Trainer, Watch};

impl Request {
    /// Leaves out the dates without which networks predict as well, if the best predictions are
    /// wanted. The coding tells which. Columns that the request keeps stay.
    ///
    /// # Errors
    /// When options conflict with each other or with the data.
    pub fn screen(
        &self,
        (mut set, mut held_out): (TrainingSet, Option<NewRows>),
        watch: &Watch<'_>,
    ) -> Result<(TrainingSet, Option<NewRows>), Error> {
        let Question::Predict(predict) = &self.question else { return Ok((set, held_out)) };
        let few = set.y().len() < FEWEST_WITH_DATES;
        let dates = if few { Vec::new() } else { self.free_dates(&set) };
        let budget = watch.part_of(self.limits.time, SCREENING);
        let mut losses = None; // those of `set`
        for date in dates.iter().take(MOST_DATES) {
            let plan = self.check(&set)?;
            // Averages of networks on random patterns suffer from inputs that tell nothing.
            let average = |candidate: &Candidate| candidate.training == Training::Average;
            let draws = plan.predictions.as_ref().is_some_and(|p| p.candidates.iter().any(average));
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
                let left = |(x, y): NewRows| (x.columns(&features), y);
                held_out = held_out.map(left);
            }
        }
        Ok((set, held_out))
    }

    fn free_dates(&self, set: &TrainingSet) -> Vec<ColumnRef> {
        let kept = |ColumnRef { name, position }: &ColumnRef| {
            let number = (position + 1).to_string();
            self.columns.keep_all || self.columns.keep.iter().any(|k| k == name || *k == number)
        };
        set.coding().dates().into_iter().filter(|date| !kept(date)).collect()
    }
}

impl Request {
    /// What one network on random patterns loses on every sample that is held out; of many samples,
    /// some stand for all. `None` if the time is short.
    fn held_out_losses(
        &self,
        predict: &Predict,
        set: &TrainingSet,
        trainer: Trainer<'_>,
        choosing: Budget<'_>,
        watch: &Watch<'_>,
    ) -> Result<Option<Values>, Error> {
        let all = self.predictions(predict, set);
        let validation = self.validation_of(&all, set)?;
        let folds = fewer(set, validation.folds, trainer.seed);
        let validation = &Validation { folds, ..validation };
        let class = if self.inputs.is_some() { InputClass::Given } else { InputClass::Mixed };
        let reads = self.reads_of(class, set);
        let candidate = &Candidate { class, reads, training: Training::Average };
        let (candidates, counts) = (vec![candidate.clone()], all.counts.of_one());
        let predictions = &Predictions { candidates, counts, ..all };
        watch.tell(Event::Choosing { scores: validation.folds.len() });
        let (way, scored) = (0, || watch.tell(Event::Scored));
        let chooser =
            Chooser { trainer, predictions, validation, candidate, counts, choosing, way };
        let samples = Samples::new(set, &validation.folds)?;
        let (outputs, _) = chooser.cross_validate(set, &samples, &scored)?;
        let folds = samples.folds.len();
        let held_out = score::HeldOut::new(&samples, folds, validation, trainer.loss, outputs);
        Ok(choosing.spent().is_none().then(|| held_out.losses()))
    }
}

/// The same folds of at most [`MOST_COMPARED`] samples, each class in its share.
fn fewer(set: &TrainingSet, folds: Vec<Fold>, seed: u64) -> Vec<Fold> {
    let parts = set.y().len().div_ceil(MOST_COMPARED);
    if parts < 2 {
        return folds;
    }
    let mut some = vec![false; set.y().len()];
    for i in split_set(set, parts, seed.wrapping_add(1)).swap_remove(0).test {
        some[i] = true;
    }
    let of = |rows: &[usize]| rows.iter().copied().filter(|&i| some[i]).collect::<Vec<_>>();
    let fewer: Vec<Fold> =
        folds.iter().map(|fold| Fold { train: of(&fold.train), test: of(&fold.test) }).collect();
    // Folds that somebody else has made may have no such sample.
    let usable = |fold: &Fold| !fold.train.is_empty() && !fold.test.is_empty();
    if fewer.iter().all(usable) { fewer } else { folds }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::table::{CodingOptions, ReadOptions, Table};

    /// Two numbers, two dates and a class: by the numbers, or by the first number and the first
    /// date.
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
        let note = "column \"begin\" is left out: networks without it predict rows held out as \
                    well (`keep=begin` brings it back)";
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
            (FEWEST_WITH_DATES - 1, Request::default()),
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
        assert_eq!(held_out.unwrap().0.dimension(), 2);
        let again = all.read_by(set.coding()).unwrap();
        assert_eq!(
            (again.coding(), again.data().fingerprint()),
            (set.coding(), set.data().fingerprint())
        );
        assert_eq!(all.read_by(all.coding()).unwrap().coding(), all.coding());
    }

    #[test]
    fn of_many_samples_some_stand_for_all() {
        let rows = |i: usize| {
            format!("{},{}\n", i * i % 997, if i.is_multiple_of(4) { "yes" } else { "no" })
        };
        let text = "a,y\n".to_owned() + &(0..2 * MOST_COMPARED).map(rows).collect::<String>();
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let set = TrainingSet::of_table(&table, &CodingOptions::default()).unwrap();
        let all = split_set(&set, 5, 0);
        let folds = fewer(&set, all.clone(), 0);
        for (fold, whole) in folds.iter().zip(&all) {
            assert_eq!(fold.train.len() + fold.test.len(), MOST_COMPARED);
            assert!(fold.test.iter().all(|i| whole.test.contains(i)));
            // Half of each fold, by chance.
            assert!(
                fold.test.len().abs_diff(MOST_COMPARED / 5) < MOST_COMPARED / 20,
                "{}",
                fold.test.len()
            );
            let yes = fold.train.iter().chain(&fold.test).filter(|&&i| set.y()[i] > 0.0).count();
            assert_eq!(yes, MOST_COMPARED / 4);
        }
        let given =
            vec![Fold { train: vec![0], test: vec![1] }, Fold { train: vec![1], test: vec![0] }];
        assert_eq!(fewer(&set, given.clone(), 0), given);
    }
}
