//! Three layers; the heuristics train all of them.

use crate::comparison::{Comparison, Shape};

/// The paper's three-layer figures.
pub(crate) const THREE_LAYER: Comparison = Comparison {
    id: "three-layer",
    title: "Three-layer networks, all layers trained",
    source: "Figures exact3_5trial, exact3_test",
    teacher: "teacher3",
    sizes: &[(20, 100, true), (50, 50, true), (100, 20, true)],
    shape: Shape::Three,
};
