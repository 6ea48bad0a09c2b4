//! Paths on rows in blocks: the optima for decreasing strengths, on one dictionary.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::{Training, beta_max};
use crate::certificate::Certificate;
use crate::error::Error;
use crate::rows::{Rows, Sample};
use crate::solver::{Point, StopReason};
use crate::table::{Coding, TargetCoding};
use crate::train::path::betas;
use crate::train::tuning::BLOCKS_KEPT;
use crate::train::{Path, Request, Watch};

/// One strength on the path of rows in blocks.
#[derive(Debug, Clone)]
pub struct RowsPoint {
    /// `β`.
    pub beta: f64,
    /// `β / β_max`.
    pub ratio: f64,
    /// The coefficients that are not zero, with their patterns.
    pub coefficients: Vec<(usize, f64)>,
    /// What is proven over the dictionary.
    pub certificate: Certificate,
    /// Why it stopped.
    pub stop: StopReason,
    /// The accuracy on the training rows, or `R²` of numbers.
    pub score: f64,
}

impl Request {
    /// The optima at `β = ratio · β_max` for each of [`Request::path_ratios`], on rows in blocks.
    /// Each is solved starting from the one before. `visit` gets them one by one, and may end the
    /// path.
    ///
    /// # Errors
    /// When an option does not apply, or the rows cannot be reached.
    pub fn path_rows(
        &self,
        coding: &Coding,
        sample: &mut Sample,
        rows: &mut dyn Rows,
        watch: &Watch<'_>,
        mut visit: impl FnMut(RowsPoint) -> ControlFlow<()>,
    ) -> Result<Path, Error> {
        if let Some(inputs) = self.terms.max_inputs {
            let problem = format!(
                "`max_inputs={inputs}` does not apply to a path over rows in blocks, which follows \
                 the patterns of random neurons"
            );
            return Err(Error::Option { option: "memory", problem });
        }
        if let TargetCoding::Several { column, classes } = coding.target() {
            let (target, classes) = (column.name.clone(), classes.len());
            return Err(Error::SeveralClasses { target, classes, what: "a path follows" });
        }
        let asked = self.ask_rows(coding, rows, watch)?;
        let neurons = self.draw(coding, sample);
        sample.answer(&neurons);
        rows.answer(&neurons)?;
        let training = Training::on(&asked, sample, rows, neurons.len());
        let descent = training.descent(0, false);
        let mut point = descent.at(vec![0.0; neurons.len()])?;
        let beta_max = beta_max(std::slice::from_ref(&point));
        let ratios = self.path_ratios();
        let (mut seen, mut cut) = (0, None);
        for (&ratio, beta) in ratios.iter().zip(betas(ratios, beta_max)?) {
            let round = Cell::new(0);
            let told = |point: &Point| {
                round.set(round.get() + 1);
                let both = [point.objective(beta.get()), point.lower_bound(beta.get())];
                asked.tell(round.get(), neurons.len(), point.coefficients().len(), both);
            };
            let (found, stop) =
                descent.solve(point, beta, asked.tolerance(), BLOCKS_KEPT.1, &told)?;
            point = found;
            let coefficients = point.coefficients();
            let certificate = asked.measured(rows, beta, 0, None).certificate(&coefficients)?;
            let (score, _, _) = training.score(vec![coefficients.clone()], false)?;
            let beta = beta.get();
            let flow = visit(RowsPoint { beta, ratio, coefficients, certificate, stop, score });
            seen += 1;
            cut = cut.or(Some(stop).filter(|stop| *stop != StopReason::GapReached));
            if let Some(spent) = asked.budget().spent().filter(|_| seen < ratios.len()) {
                cut = Some(spent);
                break;
            }
            if flow.is_break() {
                break;
            }
        }
        Ok(Path {
            beta_max,
            beta_max_exact: true,
            patterns: neurons.len(),
            stop: cut.unwrap_or(StopReason::GapReached),
            complete: seen == ratios.len(),
        })
    }
}
