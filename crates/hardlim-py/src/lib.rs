//! The Python package: the library's types under Python names.
//!
//! Every function converts, calls and converts back. The interpreter's lock is released around the
//! call ([`attend`]), errors are mapped in one place ([`error`]), arrays are read in place
//! ([`convert`]). The conventions of scikit-learn are written in Python, in `python/hardlim`.

mod arrangements;
mod attend;
mod certificate;
mod command;
mod complete;
mod convert;
mod datasets;
mod describe;
mod error;
mod explain;
mod export;
mod halfspace;
mod interpolate;
mod lasso;
mod model;
mod network;
mod options;
mod path;
mod report;
mod rows;
mod selection;
mod subject;
mod training;
mod training_data;
mod weights;

use pyo3::prelude::*;

/// The compiled part of hardlim.
#[pymodule]
mod _hardlim {
    #[pymodule_export]
    use super::arrangements::{Arrangements, arrangements};
    #[pymodule_export]
    use super::certificate::{Certificate, Check};
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::complete::{CompleteSolution, complete};
    #[pymodule_export]
    use super::datasets::dataset;
    #[pymodule_export]
    use super::describe::describe;
    #[pymodule_export]
    use super::error::HardlimError;
    #[pymodule_export]
    use super::explain::explain;
    #[pymodule_export]
    use super::export::export;
    #[pymodule_export]
    use super::halfspace::{Halfspace, best_halfspace};
    #[pymodule_export]
    use super::interpolate::{Interpolation, interpolate};
    #[pymodule_export]
    use super::lasso::{LassoSolution, solve_lasso};
    #[pymodule_export]
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::network::Network;
    #[pymodule_export]
    use super::options::{parameters, predicts};
    #[pymodule_export]
    use super::path::{Path, path};
    #[pymodule_export]
    use super::report::{effects, report};
    #[pymodule_export]
    use super::rows::{
        Block, Coding, Partition, Sample, certify_rows, code_sample, gathered, merge_answers,
        sample_zeros, train_files, train_rows,
    };
    #[pymodule_export]
    use super::training::{Training, train};
    #[pymodule_export]
    use super::training_data::TrainingData;
    #[pymodule_export]
    use super::weights::weights;
}
