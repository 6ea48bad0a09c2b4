//! Options in words: which program to solve, how strong its weight decay is, what neurons read.

use std::fmt;
use std::str::FromStr;

use crate::arrangement::Reads;
use crate::error::Error;
use crate::program::Beta;
use crate::table::Coding;
use crate::table::coding::ColumnCoding;

/// Which program to solve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// The complete program if it applies, all patterns if they are few, otherwise generated
    /// patterns.
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

impl Method {
    const NAMES: [(Self, &str); 5] = [
        (Self::Auto, "auto"),
        (Self::Generate, "generate"),
        (Self::Sample, "sample"),
        (Self::Complete, "complete"),
        (Self::Enumerate, "enumerate"),
    ];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(method, _)| method == self);
        f.write_str(name.expect("every method has a name").1)
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (what, got) = ("method", text.to_owned());
        let expected = "auto, generate, enumerate, sample, complete";
        let known = Self::NAMES.iter().find(|(_, name)| *name == text);
        known.map(|(method, _)| *method).ok_or(Error::Unknown { what, got, expected })
    }
}

/// How strong the weight decay is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Strength {
    /// `β` itself.
    Beta(Beta),
    /// A fraction of `β_max`, the smallest `β` whose optimum is the zero network.
    Ratio(f64),
}

impl Strength {
    /// `β`, given `β_max`. If `β_max` is zero, no pattern lowers the loss and the zero network is
    /// optimal at every strength; then `β` is 1 for every fraction.
    ///
    /// # Errors
    /// When the fraction of `β_max` is not a positive finite number.
    pub(super) fn beta(self, beta_max: f64) -> Result<Beta, Error> {
        match self {
            Self::Beta(beta) => Ok(beta),
            Self::Ratio(_) if beta_max == 0.0 => Beta::new(1.0),
            Self::Ratio(ratio) => Beta::new(ratio * beta_max),
        }
    }
}

/// How many inputs random neurons read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputCounts {
    /// One, two, four, eight, sixteen or all.
    Mixed,
    /// One of these numbers, all with the same probability.
    Listed(Vec<usize>),
}

impl InputCounts {
    /// The same for the inputs of a coding. The levels of a column are one input.
    pub(super) fn reads(&self, coding: &Coding) -> Reads {
        let widths: Vec<usize> = coding.columns().iter().map(ColumnCoding::width).collect();
        let groups = if widths.iter().all(|&width| width == 1) { Vec::new() } else { widths };
        match self {
            Self::Mixed => Reads::mixed(coding.dimension(), groups),
            Self::Listed(counts) => Reads { counts: counts.clone(), decorrelated: false, groups },
        }
    }
}

impl fmt::Display for InputCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Listed(counts) = self else { return f.write_str("mixed") };
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        f.write_str(&counts.join(","))
    }
}

impl FromStr for InputCounts {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "mixed" {
            return Ok(Self::Mixed);
        }
        let count = |part: &str| part.trim().parse::<usize>().ok().filter(|count| *count > 0);
        let counts: Option<Vec<usize>> = text.split(',').map(count).collect();
        let (what, got) = ("number of inputs", text.to_owned());
        let expected = "mixed, or whole numbers from 1 on, separated by commas";
        counts.map(Self::Listed).ok_or(Error::Unknown { what, got, expected })
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
    fn methods_and_numbers_of_inputs_are_read_as_they_are_written() {
        for method in ["auto", "generate", "sample", "complete", "enumerate"] {
            assert_eq!(method.parse::<Method>().unwrap().to_string(), method);
        }
        assert!("magic".parse::<Method>().is_err());
        for text in ["mixed", "1", "1,2,30"] {
            assert_eq!(text.parse::<InputCounts>().unwrap().to_string(), text);
        }
        for text in ["", "0", "1,,2", "few", "-1"] {
            assert!(text.parse::<InputCounts>().is_err(), "{text}");
        }
    }
}
