//! The halfspace of largest weighted agreement, as a request.

use super::tuning::EFFORT_OF_HALFSPACE;
use super::{Request, Watch};
use crate::arrangement::Arrangement;
use crate::data::Dataset;
use crate::error::Error;
use crate::pricing::{BestHalfspace, HalfspaceSearch, SignedWeights};

impl Request {
    /// The halfspace that agrees best with the signs of the targets, and what is proven about all
    /// others. It obeys the options `max_inputs`, `bias`, `gap`, `time_limit` and `seed`.
    ///
    /// # Errors
    /// When an option is out of range, or there is no proof for neurons of `max_inputs` inputs.
    pub fn halfspace(&self, data: &Dataset, watch: &Watch<'_>) -> Result<BestHalfspace, Error> {
        let budget = watch.budget(self.limits.time);
        let search = HalfspaceSearch {
            max_inputs: self.terms.max_inputs,
            gap: self.limits.gap.unwrap_or(0.0),
            effort: EFFORT_OF_HALFSPACE,
            seed: self.seed,
        };
        let arrangement = Arrangement::with_bias(data.features(), self.terms.bias);
        search.find(arrangement, SignedWeights::of(data), &|| budget.spent().is_some())
    }
}
