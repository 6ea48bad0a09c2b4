//! Ten layers; the heuristics use batch normalisation.

use crate::comparison::{Comparison, Shape};

/// The paper's ten-layer figure.
pub(crate) const TEN_LAYER: Comparison = Comparison {
    id: "ten-layer",
    title: "Ten-layer networks with batch normalisation",
    source: "Figure 10layer",
    teacher: "teacher3",
    sizes: &[(100, 20, true)],
    shape: Shape::Ten,
};
