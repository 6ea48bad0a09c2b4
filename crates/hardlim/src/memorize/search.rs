//! The fewest neurons among several ways.

use serde_json::{Value, json};

use super::{About, Labelling, LowerBound, Memorised, Watch, Way, lower_bounds};
use crate::data::Dataset;
use crate::error::Error;

/// A way that takes so many times the neurons of another is given up.
const PATIENCE: usize = 4;

/// A way, and what came of it.
pub type Outcome = (Way, Result<Memorised, Error>);

/// What came of several ways.
#[derive(Debug)]
pub struct Search {
    /// Every way that was tried.
    pub outcomes: Vec<Outcome>,
    /// How many neurons networks in layers need.
    pub bounds: Vec<LowerBound>,
    best: usize,
}

impl Search {
    /// Tries these ways in turn, until one takes no more neurons than needed, or the caller stops it. `tell`
    /// gets the way and its progress.
    ///
    /// # Errors
    /// When no way leads to a network.
    pub fn of(
        ways: &[Way],
        labelling: &Labelling,
        seed: u64,
        tell: &(dyn Fn(Way, &str) + Sync),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Error> {
        let bounds = lower_bounds(labelling);
        let (mut outcomes, mut most) = (Vec::<Outcome>::new(), usize::MAX);
        for &way in ways {
            let tell = |text: &str| tell(way, text);
            tell("");
            let found = Memorised::by(way, labelling, seed, Watch { tell: &tell, stop, most });
            if let Ok(found) = &found {
                most = most.min(PATIENCE * found.neurons());
            }
            let optimal = found.as_ref().is_ok_and(|found| found.neurons() <= needed(&bounds));
            outcomes.push((way, found));
            if optimal || stop() {
                break;
            }
        }
        let neurons = |(_, found): &Outcome| found.as_ref().ok().map(Memorised::neurons);
        let counts = outcomes.iter().enumerate().filter_map(|(k, way)| Some((neurons(way)?, k)));
        match counts.min() {
            Some((_, best)) => Ok(Self { outcomes, bounds, best }),
            // The last one says whether there was no time.
            None => {
                Err(outcomes.pop().and_then(|(_, found)| found.err()).expect("no way was found"))
            }
        }
    }

    /// The network of the fewest neurons.
    pub fn best(&self) -> &Memorised {
        self.outcomes[self.best].1.as_ref().expect("it was found")
    }

    /// Whether no network in layers has fewer neurons.
    pub fn optimal(&self) -> bool {
        self.best().neurons() <= needed(&self.bounds)
    }

    /// The search for scripts.
    pub fn json(&self) -> Value {
        let way = |(way, found): &Outcome| match found {
            Ok(found) => json!({
                "way": way.name(), "neurons": found.neurons(), "layers": found.network.depth(),
                "widths": found.widths(), "note": found.note,
            }),
            Err(error) => json!({ "way": way.name(), "error": error.to_string() }),
        };
        let bound = |bound: &LowerBound| {
            json!({
                "neurons": bound.neurons, "first_layer": bound.first_layer, "reason": bound.reason,
                "about": match bound.about { About::This => "this", About::Hardest => "hardest" },
            })
        };
        let best = self.best();
        json!({
            "way": best.way.name(), "neurons": best.neurons(),
            "layers": best.network.depth(), "widths": best.widths(),
            "optimal": self.optimal(),
            "ways": self.outcomes.iter().map(way).collect::<Vec<_>>(),
            "bounds": self.bounds.iter().map(bound).collect::<Vec<_>>(),
        })
    }
}

/// How many neurons are proven to be needed.
fn needed(bounds: &[LowerBound]) -> usize {
    let own = bounds.iter().filter(|bound| bound.about == About::This);
    own.map(|bound| bound.neurons).max().unwrap_or(0)
}

/// Two equal rows with different labels: the first sample of each label, the negative one first, and how many
/// distinct rows have both; `None` if there are none. `y` has the target of every sample.
pub fn conflict(data: &Dataset, y: &[f64]) -> Option<([usize; 2], usize)> {
    let both = data.targets().iter().enumerate().filter(|(_, atoms)| atoms.len() > 1);
    let mut rows = both.map(|(g, _)| g);
    let g = rows.next()?;
    let first = |on: bool| {
        let same = |i: &usize| data.row_of()[*i] as usize == g && (y[*i] > 0.0) == on;
        (0..data.samples()).find(same).expect("both labels are there")
    };
    Some(([first(false), first(true)], 1 + rows.count()))
}
