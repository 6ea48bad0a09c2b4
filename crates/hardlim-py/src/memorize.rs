//! Networks that give every row its label.

use std::sync::atomic::{AtomicBool, Ordering};

use hardlim::data::TargetCoding;
use hardlim::memorize::{Labelling, Search, Way, conflict, model};
use pyo3::prelude::*;

use crate::attend::attend;
use crate::error::{HardlimError, to_py};
use crate::model::Model;
use crate::training_data::TrainingData;

/// The model of few neurons that gives every row its label, and how it was found as the text of a JSON object.
#[pyfunction]
#[pyo3(signature = (training_data, way="auto", seed=0, threads=None))]
pub(crate) fn memorize(
    py: Python<'_>,
    training_data: &TrainingData,
    way: &str,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<(Model, String)> {
    let ways = match way {
        "auto" => Way::ALL.to_vec(),
        way => vec![way.parse().map_err(to_py)?],
    };
    let set = &training_data.set;
    let coding = set.coding();
    if let TargetCoding::Several { classes, .. } = coding.target() {
        let count = classes.len();
        let text = format!("y has {count} classes; give two, such as one class and the rest");
        return Err(HardlimError::new_err(text));
    }
    if let Some((rows, count)) = conflict(set.data(), set.y()) {
        let [first, second] = rows.map(|row| training_data.sample(row));
        let [negative, positive] = coding.target().answers().expect("two classes");
        let more = match count {
            1 => String::new(),
            _ => format!(" ({count} distinct rows have both labels)"),
        };
        return Err(HardlimError::new_err(format!(
            "row {first} is {negative:?} and row {second} is {positive:?}, and the rows are equal: no network \
             can tell them apart{more}"
        )));
    }
    let interrupt = AtomicBool::new(false);
    let stop = || interrupt.load(Ordering::Relaxed);
    let (found, search) = attend(py, threads, &interrupt, &mut |_| Ok(()), || {
        let labelling = Labelling::of(set.data())?;
        let search = Search::of(&ways, &labelling, seed, &|_, _| (), &stop)?;
        let network = search.best().network.clone();
        Ok((model(set.data(), coding.clone(), network)?, search))
    })?;
    Ok((Model(found), search.json().to_string()))
}
