//! Two-layer networks: 1000 neurons against 1000 sampled patterns, and against all patterns.

use crate::comparison::{Comparison, Shape};

/// The paper's two-layer figures: a teacher of 20 tanh neurons, three regimes of `(n, d)`.
pub(crate) const TWO_LAYER: Comparison = Comparison {
    id: "two-layer",
    title: "Two-layer networks on a teacher's data",
    source: "Figures lasso_5trial, lasso_test1-3",
    teacher: "teacher2",
    sizes: &[(20, 100, false), (50, 50, false), (100, 20, true)],
    shape: Shape::Two,
};
