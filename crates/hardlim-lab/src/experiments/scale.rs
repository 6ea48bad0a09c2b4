//! How much of an experiment is run.

use std::fmt;

/// How much of an experiment is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Seconds, for tests: every step runs, but the results mean nothing.
    Tiny,
    /// Minutes: fewer epochs, starts and sizes.
    Quick,
    /// The settings of the paper, as far as one machine allows.
    Full,
}

impl Scale {
    /// The choice for this scale.
    pub fn pick<T>(self, tiny: T, quick: T, full: T) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("tiny", "quick", "full"))
    }
}
