//! The Python package: the library's types under Python names.
//!
//! Every function converts, calls and converts back. The interpreter's lock is released around the
//! call ([`attend`]), errors are mapped in one place ([`error`]), arrays are read in place
//! ([`convert`]). The conventions of scikit-learn are written in Python, in `python/hardlim`.

mod arrangements;
mod attend;
mod certificate;
mod complete;
mod convert;
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
mod tables;
mod training;
mod training_data;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line with these arguments, the first of which is its name, and returns its exit
/// code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hardlim_cli::number(hardlim_cli::run(arguments)))
}

/// The compiled part of hardlim.
#[pymodule]
mod _hardlim {
    #[pymodule_export]
    use super::{
        arrangements::{Arrangements, arrangements},
        certificate::{Certificate, Check},
        command,
        complete::{CompleteSolution, complete},
        error::HardlimError,
        explain::explain,
        explain::explain_rows,
        export::export,
        halfspace::{Halfspace, best_halfspace},
        interpolate::{Interpolation, interpolate},
        lasso::{LassoSolution, solve_lasso},
        model::Model,
        network::Network,
        options::{parameters, predicts},
        path::{Path, path},
        report::{effects, report},
        rows::{
            Block, Coding, Partition, Sample, certify_rows, code_sample, gathered, merge_answers,
            sample_zeros, train_files, train_rows,
        },
        tables::{dataset, describe},
        training::{Training, train},
        training_data::TrainingData,
    };
}
