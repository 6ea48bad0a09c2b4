//! When to stop, as people ask for it: at a gap, after a time, or when it has been enough.

use std::time::Duration;

use super::{Method, Trainer};
use crate::data::Dataset;

/// The relative gap of a dictionary that is listed, where none was asked for: it is meant to be solved.
const LISTED: f64 = 1e-9;

impl<'a> Trainer<'a> {
    /// The same trainer, to stop at a relative gap or after some time, where these are given. Either one
    /// is worth a search for a proof, as hard as the time allows: about a second of checking for a minute
    /// of training. Without them it stops after some rounds, and what is listed is solved to 10⁻⁹.
    pub fn asked(self, data: &Dataset, gap: Option<f64>, time: Option<Duration>) -> Trainer<'a> {
        let listed = match self.method {
            Method::Auto => self.pick(data).0 == Method::Enumerate,
            method => method == Method::Enumerate,
        };
        let (tolerance, limited) = (self.tolerance, gap.is_some() || time.is_some());
        Trainer {
            tolerance: gap.unwrap_or(if listed { LISTED } else { tolerance }),
            effort: match (time, gap) {
                (Some(time), _) => (1000.0 * time.as_secs_f64()).clamp(1e4, 1e7) as u64,
                (None, Some(_)) => 1_000_000,
                (None, None) => self.effort,
            },
            prove: limited,
            // A gap or a time limit is what to stop at, where there is one.
            rounds: if limited { Some(usize::MAX) } else { self.rounds },
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;

    #[test]
    fn a_gap_or_a_time_is_what_to_stop_at() {
        let x = Features::new(5, 1, vec![0.0, 1.0, 2.0, 3.0, 4.0]).unwrap();
        let data = Dataset::new(x, &[1.0, -1.0, 1.0, -1.0, 1.0], None).unwrap();
        let plain = Trainer::default();
        assert_eq!(plain.asked(&data, None, None).tolerance, LISTED);
        let sampled = Trainer { method: Method::Sample, ..plain };
        assert_eq!(sampled.asked(&data, None, None).tolerance, plain.tolerance);
        let gap = plain.asked(&data, Some(0.1), None);
        assert_eq!((gap.tolerance, gap.rounds, gap.prove), (0.1, Some(usize::MAX), true));
        assert_eq!(gap.effort, 1_000_000);
        let time = plain.asked(&data, None, Some(Duration::from_secs(60)));
        assert_eq!((time.tolerance, time.effort, time.prove), (LISTED, 60_000, true));
    }
}
