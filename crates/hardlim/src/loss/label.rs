//! Losses for two classes: every target is `−1` or `1`, so a row has at most two atoms.

use crate::data::{Atoms, Targets};
use crate::error::Error;

pub(super) fn check(loss: &'static str, targets: &Targets) -> Result<(), Error> {
    match targets.values().iter().find(|y| y.abs() != 1.0) {
        Some(&value) => Err(Error::Label { loss, value }),
        None => Ok(()),
    }
}

/// The weights of the negative and of the positive class in a row.
pub(super) fn class_weights(atoms: Atoms<'_>) -> (f64, f64) {
    atoms.iter().fold((0.0, 0.0), |(negative, positive), (y, s)| {
        if y < 0.0 { (negative + s, positive) } else { (negative, positive + s) }
    })
}
