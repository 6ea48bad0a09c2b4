//! Which program to solve, and how strong its weight decay is.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::program::Beta;

/// Which program to solve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// The complete program if it applies, all patterns if they are few, otherwise generated patterns.
    #[default]
    Auto,
    /// The Lasso program over all patterns, generated as they are needed.
    Generate,
    /// The Lasso program on the patterns of random weights.
    Sample,
    /// The complete program; it applies if every dichotomy is a pattern.
    Complete,
    /// The Lasso program on all patterns of neurons or of subnetworks.
    Enumerate,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Generate => "generate",
            Self::Sample => "sample",
            Self::Complete => "complete",
            Self::Enumerate => "enumerate",
        })
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Self::Auto),
            "generate" => Ok(Self::Generate),
            "sample" => Ok(Self::Sample),
            "complete" => Ok(Self::Complete),
            "enumerate" => Ok(Self::Enumerate),
            _ => Err(Error::Unknown {
                what: "method",
                got: text.into(),
                expected: "auto, generate, enumerate, sample, complete",
            }),
        }
    }
}

/// How strong the weight decay is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// `β` itself.
    Beta(Beta),
    /// A fraction of `β_max`, the smallest `β` whose optimum is the zero network.
    Ratio(f64),
}

impl Strength {
    /// `β`, given `β_max`. If `β_max` is zero, no pattern lowers the loss and the zero network is optimal at
    /// every strength; then `β` is 1 for every fraction.
    ///
    /// # Errors
    /// When the fraction of `β_max` is not a positive finite number.
    pub fn beta(self, beta_max: f64) -> Result<Beta, Error> {
        match self {
            Self::Beta(beta) => Ok(beta),
            Self::Ratio(_) if beta_max == 0.0 => Beta::new(1.0),
            Self::Ratio(ratio) => Beta::new(ratio * beta_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_beta_max_is_beta_and_a_part_of_nothing_is_one() {
        let half = Strength::Ratio(0.5);
        assert_eq!(half.beta(6.0).unwrap().get(), 3.0);
        assert_eq!(half.beta(0.0).unwrap().get(), 1.0);
        assert!(half.beta(f64::INFINITY).is_err());
        let two = Strength::Beta(Beta::new(2.0).unwrap());
        assert_eq!(two.beta(0.0).unwrap().get(), 2.0);
    }

    #[test]
    fn methods_are_read_as_they_are_written() {
        for method in ["auto", "generate", "sample", "complete", "enumerate"] {
            assert_eq!(method.parse::<Method>().unwrap().to_string(), method);
        }
        assert!("magic".parse::<Method>().is_err());
    }
}
