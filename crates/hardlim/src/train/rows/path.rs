//! Paths on rows in blocks: the optima for decreasing strengths, on one dictionary.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::beta_max;
use crate::error::Error;
use crate::rows::{Rows, Sample};
use crate::solver::Point;
use crate::table::{Coding, TargetCoding};
use crate::train::path::{Walked, betas};
use crate::train::tuning::BLOCKS_KEPT;
use crate::train::{Path, PathPoint, Request, Watch};

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
        mut visit: impl FnMut(PathPoint) -> ControlFlow<()>,
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
        let mut blocks = self.in_blocks(coding, sample, rows, watch)?;
        let neurons = self.draw(coding, blocks.sample);
        blocks.answer(&neurons)?;
        let descent = blocks.descent(0, false);
        let mut point = descent.at(vec![0.0; neurons.len()])?;
        let beta_max = beta_max(std::slice::from_ref(&point));
        let ratios = self.path_ratios();
        let mut walked = Walked::new(blocks.budget(), ratios.len());
        for (&ratio, beta) in ratios.iter().zip(betas(ratios, beta_max)?) {
            let round = Cell::new(0);
            let told = |point: &Point| {
                round.set(round.get() + 1);
                let both = [point.objective(beta.get()), point.lower_bound(beta.get())];
                blocks.tell(round.get(), point.coefficients().len(), both);
            };
            let (found, stop) =
                descent.solve(point, beta, blocks.tolerance(), BLOCKS_KEPT.1, &told)?;
            point = found;
            let coefficients = point.coefficients();
            let certificate = blocks.measured(beta, 0, None).certificate(&coefficients)?;
            let (score, _, _) = blocks.score(vec![coefficients.clone()], false)?;
            let flow = visit(PathPoint {
                beta: beta.get(),
                ratio,
                coefficients,
                certificate,
                stop,
                outputs: [Vec::new(), Vec::new()],
                scores: [Some(score), None],
            });
            if walked.step(stop, flow).is_break() {
                break;
            }
        }
        Ok(walked.path((beta_max, true), neurons.len()))
    }
}
