//! A pointer to a loss is a loss. Every method is forwarded, so that none falls back to its
//! default.

use std::sync::Arc;

use super::Loss;
use super::clip::Side;
use crate::data::{Atoms, Targets};
use crate::error::Error;

/// All methods of [`Loss`], each by way of the macro `$via`, called with `self` and the method call.
macro_rules! forward {
    ($via:ident) => {
        fn name(&self) -> &'static str {
            $via!(self, name())
        }

        fn value(&self, u: f64, y: f64) -> f64 {
            $via!(self, value(u, y))
        }

        fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
            $via!(self, subgradient(u, y))
        }

        fn conjugate(&self, z: f64, y: f64) -> f64 {
            $via!(self, conjugate(z, y))
        }

        fn domain(&self, y: f64) -> (f64, f64) {
            $via!(self, domain(y))
        }

        fn curvature(&self, u: f64, y: f64) -> f64 {
            $via!(self, curvature(u, y))
        }

        fn curvature_bound(&self) -> Option<f64> {
            $via!(self, curvature_bound())
        }

        fn is_smooth(&self) -> bool {
            $via!(self, is_smooth())
        }

        fn is_quadratic(&self) -> bool {
            $via!(self, is_quadratic())
        }

        fn check_targets(&self, targets: &Targets) -> Result<(), Error> {
            $via!(self, check_targets(targets))
        }

        fn row_value(&self, u: f64, atoms: Atoms<'_>) -> f64 {
            $via!(self, row_value(u, atoms))
        }

        fn row_subgradient(&self, u: f64, atoms: Atoms<'_>) -> (f64, f64) {
            $via!(self, row_subgradient(u, atoms))
        }

        fn row_curvature(&self, u: f64, atoms: Atoms<'_>) -> f64 {
            $via!(self, row_curvature(u, atoms))
        }

        fn row_domain(&self, atoms: Atoms<'_>) -> (f64, f64) {
            $via!(self, row_domain(atoms))
        }

        fn row_conjugate(&self, z: f64, atoms: Atoms<'_>) -> f64 {
            $via!(self, row_conjugate(z, atoms))
        }

        fn row_minimizer(&self, atoms: Atoms<'_>, low: f64, high: f64) -> f64 {
            $via!(self, row_minimizer(atoms, low, high))
        }

        fn row_proximal(&self, v: f64, sigma: f64, atoms: Atoms<'_>) -> f64 {
            $via!(self, row_proximal(v, sigma, atoms))
        }

        fn clipped(&self, targets: &Targets, low: f64, high: f64) -> (Vec<f64>, f64) {
            $via!(self, clipped(targets, low, high))
        }

        fn clip_level(&self, targets: &Targets, beta: f64, side: Side) -> (f64, f64) {
            $via!(self, clip_level(targets, beta, side))
        }
    };
}

pub(super) use forward;

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
