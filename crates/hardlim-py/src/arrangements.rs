//! Every pattern that threshold neurons can produce on some rows.

use std::sync::atomic::AtomicBool;

use hardlim::Error;
use hardlim::arrangement::Arrangement;
use hardlim::pattern::PatternMatrix;
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::attend;
use crate::convert::{Inputs, rows};
use crate::options::Options;

/// The patterns of some rows, or how many there are.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct Arrangements {
    /// The number of patterns.
    count: u128,
    /// One column for each pattern, one row for each row of ``X``; ``None`` if they were only
    /// counted.
    patterns: Option<Py<PyArray2<bool>>>,
    /// The number of distinct rows.
    distinct: usize,
    /// The rank of ``[X 1]``.
    rank: usize,
    /// An upper bound on the number of patterns, known before they are listed.
    upper_bound: u128,
    /// Whether every dichotomy of the distinct rows is a pattern.
    complete: bool,
}

#[pymethods]
impl Arrangements {
    fn __repr__(&self) -> String {
        let Self { count, distinct, rank, .. } = self;
        format!("Arrangements(count={count}, distinct={distinct}, rank={rank})")
    }
}

/// Lists, or counts, the patterns of the rows of a matrix.
#[pyfunction]
#[pyo3(signature = (x, options))]
pub(crate) fn arrangements(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    options: Bound<'_, PyDict>,
) -> PyResult<Arrangements> {
    let options = Options(options);
    let Inputs::Matrix(x) = Inputs::read(x)? else {
        return Err(PyValueError::new_err("expected a matrix of numbers"));
    };
    let (asked, threads) = (options.asked(&[])?, options.threads()?);
    let widths: Vec<usize> = options.get("widths", "a list of numbers")?.unwrap_or_default();
    let (tree, bias) = (asked.text("tree").is_some(), asked.text("bias").is_none());
    let count_only = options.flag("count_only")?.unwrap_or(false);
    let limit = options.get("limit", "a whole number")?.unwrap_or(1_000_000);
    if x.rows() == 0 {
        return Err(PyValueError::new_err("X has no rows"));
    }
    let (features, row_of) = x.merge();
    let interrupt = AtomicBool::new(false);
    let (count, list, size, bound) = attend(py, threads, &interrupt, &mut |_| Ok(()), || {
        let arrangement = Arrangement::of(&features);
        let arrangement = if bias { arrangement } else { arrangement.without_bias() };
        let size = arrangement.size();
        if !widths.is_empty() {
            let bound = arrangement.deep_bound(&widths, tree);
            let list = arrangement.deep_until(&widths, tree, limit, &interrupt)?.patterns;
            return Ok((list.patterns() as u128, Some(list), size, bound));
        }
        if count_only && size.complete && size.rows < 128 {
            return Ok((1 << size.rows, None, size, size.bound));
        }
        let listing = arrangement.listing(limit)?.until(&interrupt);
        if count_only {
            return Ok((listing.count()?.into(), None, size, size.bound));
        }
        let list = listing.patterns()?;
        Ok::<_, Error>((list.patterns() as u128, Some(list), size, size.bound))
    })?;
    let patterns =
        list.filter(|_| !count_only).map(|list| matrix(py, &list, &row_of)).transpose()?;
    Ok(Arrangements {
        count,
        patterns,
        distinct: size.rows,
        rank: size.rank,
        upper_bound: bound,
        complete: size.rows < 128 && count == 1 << size.rows,
    })
}

/// One answer for each sample and pattern.
fn matrix(py: Python<'_>, list: &PatternMatrix, row_of: &[u32]) -> PyResult<Py<PyArray2<bool>>> {
    let row = |&g: &u32| (0..list.patterns()).map(move |j| list.get(g as usize, j));
    rows(py, row_of.iter().flat_map(row).collect(), (row_of.len(), list.patterns()))
}
