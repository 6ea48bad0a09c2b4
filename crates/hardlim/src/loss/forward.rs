//! A pointer to a loss is a loss. Every method is forwarded, so that none falls back to its
//! default.

use std::sync::Arc;

use super::Loss;
use super::clip::Side;
use crate::data::{Atoms, Targets};
use crate::error::Error;

/// Methods that call themselves by way of the macro `$via`, called with `self` and the method call.
macro_rules! methods {
    ($via:ident: $($name:ident($($given:ident: $kind:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($given: $kind),*) -> $out {
            $via!(self, $name($($given),*))
        })*
    };
}

/// All methods of [`Loss`].
macro_rules! forward {
    ($via:ident) => {
        $crate::loss::forward::methods! { $via:
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
            clip_level(targets: &Targets, beta: f64, side: Side) -> (f64, f64);
        }
    };
}

pub(super) use {forward, methods};

macro_rules! behind_the_pointer {
    ($self:ident, $($call:tt)*) => { (**$self).$($call)* };
}

impl<L: Loss + ?Sized> Loss for &L {
    forward!(behind_the_pointer);
}

impl<L: Loss + ?Sized> Loss for Box<L> {
    forward!(behind_the_pointer);
}

impl<L: Loss + ?Sized> Loss for Arc<L> {
    forward!(behind_the_pointer);
}
