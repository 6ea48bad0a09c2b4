//! The lab: every figure and table of the paper, measured again, and what researchers use beside
//! training.
//!
//! | module | contents |
//! |---|---|
//! | [`experiments`] | the figures and tables of the paper, each with a verdict on every claim |
//! | [`baseline`] | threshold networks trained by straight-through gradients, to compare with |
//! | [`patterns`] | all patterns of a table: counted, listed in files, drawn as a hull |
//! | [`cells`] | the picture of a model of two features |

pub mod baseline;
pub mod cells;
pub mod experiments;
pub mod patterns;
