//! The built-in losses as one type: chosen by name, stored in models, `Copy`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Absolute, Hinge, Huber, Logistic, Loss, Quantile, Squared, SquaredHinge};
use crate::data::{Atoms, Targets};
use crate::error::Error;

/// A built-in loss, with its parameter if it has one. As text it is the name, with the parameter
/// after a colon: `logistic`, `huber:1.5`, `quantile:0.9`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum LossKind {
    /// `(u − y)²/2`.
    Squared,
    /// `log(1 + exp(−yu))`.
    Logistic,
    /// `max(0, 1 − yu)`.
    Hinge,
    /// `max(0, 1 − yu)²/2`.
    SquaredHinge,
    /// `(u − y)²/2` near the target, a line away from it.
    Huber(Huber),
    /// `|u − y|`.
    Absolute,
    /// `τ(y − u)₊ + (1 − τ)(u − y)₊`.
    Quantile(Quantile),
}

impl LossKind {
    /// Every loss, with its default parameter.
    pub fn all() -> [Self; 7] {
        [
            Self::Squared,
            Self::Logistic,
            Self::Hinge,
            Self::SquaredHinge,
            Self::Huber(Huber::default()),
            Self::Absolute,
            Self::Quantile(Quantile::default()),
        ]
    }
}

/// Implements all methods of [`Loss`] for what holds a loss: none falls back to its default.
macro_rules! forward {
    ($($name:ident($($given:ident: $kind:ty),*) -> $out:ty;)*) => {
        impl Loss for LossKind {
            $(fn $name(&self, $($given: $kind),*) -> $out {
                match self {
                    Self::Squared => Squared.$name($($given),*),
                    Self::Logistic => Logistic.$name($($given),*),
                    Self::Hinge => Hinge.$name($($given),*),
                    Self::SquaredHinge => SquaredHinge.$name($($given),*),
                    Self::Huber(huber) => huber.$name($($given),*),
                    Self::Absolute => Absolute.$name($($given),*),
                    Self::Quantile(quantile) => quantile.$name($($given),*),
                }
            })*
        }

        impl<L: Loss + ?Sized> Loss for &L {
            $(fn $name(&self, $($given: $kind),*) -> $out {
                (**self).$name($($given),*)
            })*
        }
    };
}

forward! {
    name() -> &'static str;
    value(u: f64, y: f64) -> f64;
    subgradient(u: f64, y: f64) -> (f64, f64);
    conjugate(z: f64, y: f64) -> f64;
    domain(y: f64) -> (f64, f64);
    curvature(u: f64, y: f64) -> f64;
    curvature_bound() -> Option<f64>;
    is_smooth() -> bool;
    is_quadratic() -> bool;
    check_targets(targets: &Targets) -> Result<(), Error>;
    row_value(u: f64, atoms: Atoms<'_>) -> f64;
    row_subgradient(u: f64, atoms: Atoms<'_>) -> (f64, f64);
    row_curvature(u: f64, atoms: Atoms<'_>) -> f64;
    row_domain(atoms: Atoms<'_>) -> (f64, f64);
    row_conjugate(z: f64, atoms: Atoms<'_>) -> f64;
    row_minimizer(atoms: Atoms<'_>, low: f64, high: f64) -> f64;
    row_proximal(v: f64, sigma: f64, atoms: Atoms<'_>) -> f64;
    clipped(targets: &Targets, low: f64, high: f64) -> (Vec<f64>, f64);
    clip_level(targets: &Targets, beta: f64, side: f64) -> (f64, f64);
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Huber(huber) => write!(f, "{}:{}", self.name(), huber.threshold()),
            Self::Quantile(quantile) => write!(f, "{}:{}", self.name(), quantile.tau()),
            _ => f.write_str(self.name()),
        }
    }
}

impl FromStr for LossKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::Unknown {
            what: "loss",
            got: text.into(),
            expected: "squared, logistic, hinge, squared-hinge, huber[:THRESHOLD], absolute, \
                       quantile[:LEVEL]",
        };
        let (name, parameter) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number.parse().map_err(|_| unknown())?)),
            None => (text, None),
        };
        let kind = Self::all().into_iter().find(|kind| kind.name() == name).ok_or_else(unknown)?;
        match (kind, parameter) {
            (kind, None) => Ok(kind),
            (Self::Huber(_), Some(threshold)) => Huber::new(threshold).map(Self::Huber),
            (Self::Quantile(_), Some(tau)) => Quantile::new(tau).map(Self::Quantile),
            _ => Err(unknown()),
        }
    }
}

impl From<LossKind> for String {
    fn from(kind: LossKind) -> Self {
        kind.to_string()
    }
}

impl TryFrom<String> for LossKind {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_loss_is_read_back_from_its_text() {
        for kind in LossKind::all() {
            assert_eq!(kind.to_string().parse::<LossKind>().unwrap(), kind);
            assert_eq!(kind.name().parse::<LossKind>().unwrap(), kind);
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("{:?}", kind.to_string()));
            assert_eq!(serde_json::from_str::<LossKind>(&json).unwrap(), kind);
        }
    }

    proptest! {
        #[test]
        fn parameters_survive_to_the_last_bit(
            threshold in 1e-300f64..1e300, tau in 0.001f64..0.999,
        ) {
            for kind in [
                LossKind::Huber(Huber::new(threshold).unwrap()),
                LossKind::Quantile(Quantile::new(tau).unwrap()),
            ] {
                prop_assert_eq!(kind.to_string().parse::<LossKind>().unwrap(), kind);
            }
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "l2", "Squared", "squared:1", "huber:", "huber:x", "quantile:0.5:1"] {
            let error = text.parse::<LossKind>().unwrap_err();
            assert!(matches!(error, Error::Unknown { .. }), "{error}");
        }
        for text in ["huber:0", "huber:-1", "huber:nan", "huber:inf", "quantile:1", "quantile:0"] {
            let error = text.parse::<LossKind>().unwrap_err();
            assert!(matches!(error, Error::LossParameter { .. }), "{error}");
            assert!(serde_json::from_str::<LossKind>(&format!("{text:?}")).is_err());
        }
    }
}
