//! Surrogates for the derivative of `1{t ≥ 0}`, which is zero wherever it exists.

use std::fmt;
use std::str::FromStr;

use hardlim::Error;

/// A function whose derivative is used in place of the threshold's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surrogate {
    /// `t`: the straight-through estimator (Bengio, Léonard, Courville 2013).
    Identity,
    /// `max(t, 0)`.
    Relu,
    /// `max(t, 0) + 0.01 min(t, 0)`.
    LeakyRelu,
    /// `min(max(t, 0), 1)`.
    ClippedRelu,
}

const LEAK: f64 = 0.01;

impl Surrogate {
    /// All of them, in the order of the paper's tables.
    pub const ALL: [Self; 4] = [Self::Identity, Self::Relu, Self::LeakyRelu, Self::ClippedRelu];

    /// The function itself.
    pub fn value(self, t: f64) -> f64 {
        match self {
            Self::Identity => t,
            Self::Relu => t.max(0.0),
            Self::LeakyRelu => t.max(LEAK * t),
            Self::ClippedRelu => t.clamp(0.0, 1.0),
        }
    }

    /// Its derivative; at a kink, the derivative on the flatter side.
    #[inline(always)]
    pub fn slope(self, t: f64) -> f64 {
        let steep = match self {
            Self::Identity => return 1.0,
            Self::Relu | Self::LeakyRelu => t > 0.0,
            Self::ClippedRelu => t > 0.0 && t < 1.0,
        };
        let flat = if self == Self::LeakyRelu { LEAK } else { 0.0 };
        if steep { 1.0 } else { flat }
    }
}

impl fmt::Display for Surrogate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identity => "ste",
            Self::Relu => "relu",
            Self::LeakyRelu => "lrelu",
            Self::ClippedRelu => "crelu",
        })
    }
}

impl FromStr for Surrogate {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|s| s.to_string() == text).ok_or_else(|| Error::Unknown {
            what: "estimator",
            got: text.into(),
            expected: "ste, relu, lrelu, crelu",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_functions() {
        for surrogate in Surrogate::ALL {
            for t in [-2.0, -0.5, 0.25, 0.75, 1.5] {
                let difference = surrogate.value(t + 1e-6) - surrogate.value(t - 1e-6);
                assert!(
                    (difference / 2e-6 - surrogate.slope(t)).abs() < 1e-9,
                    "{surrogate} at {t}"
                );
            }
            assert_eq!(surrogate.to_string().parse::<Surrogate>().unwrap(), surrogate);
        }
        assert!("adam".parse::<Surrogate>().is_err());
    }
}
