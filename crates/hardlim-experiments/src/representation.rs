//! Three layers; for every method the first one is random and fixed.

use crate::comparison::{Comparison, Shape};

/// The paper's figures with a representation matrix.
pub(crate) const REPRESENTATION: Comparison = Comparison {
    id: "representation",
    title: "Three-layer networks on a random representation",
    source: "Figures exact2_5trial, exact2_test1-3",
    teacher: "teacher3",
    sizes: &[(20, 100, true), (50, 50, true), (100, 20, true)],
    shape: Shape::Represented,
};
