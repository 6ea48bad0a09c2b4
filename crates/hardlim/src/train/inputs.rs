//! The option for how many inputs random neurons read.

use std::fmt;
use std::str::FromStr;

use crate::arrangement::Reads;
use crate::error::Error;
use crate::table::Coding;
use crate::table::coding::ColumnCoding;

/// How many inputs random neurons read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputCounts {
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
        let dimension = coding.dimension();
        match self {
            Self::Mixed => Reads::mixed(dimension, groups),
            Self::Listed(counts) => Reads { counts: counts.clone(), decorrelated: false, groups },
        }
    }
}

impl fmt::Display for InputCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mixed => f.write_str("mixed"),
            Self::Listed(counts) => {
                let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
                f.write_str(&counts.join(","))
            }
        }
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
        counts.map(Self::Listed).ok_or_else(|| Error::Unknown {
            what: "number of inputs",
            got: text.into(),
            expected: "mixed, or whole numbers from 1 on, separated by commas",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_inputs_are_read_and_written() {
        for text in ["mixed", "1", "1,2,30"] {
            assert_eq!(text.parse::<InputCounts>().unwrap().to_string(), text);
        }
        for text in ["", "0", "1,,2", "few", "-1"] {
            assert!(text.parse::<InputCounts>().is_err(), "{text}");
        }
    }
}
