//! Models: the contents of a model file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hardlim::data::Features;
use hardlim::explain::Scorecard;
use hardlim::model;
use hardlim::model::file::DraftFolder;
use hardlim::prove::{About, Place};
use hardlim::table::{Coding, ColumnRef, Tally};
use hardlim::train::Request;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::{briefly, watched};
use crate::certificate::{Certificate, Check};
use crate::convert::{Inputs, rows, table, vector};
use crate::error::{spelled_notes, to_py};
use crate::network::Network;
use crate::training_data::TrainingData;

/// One network, or one for each class, with everything needed to predict for new samples and to
/// check the certificate again. ``str(model)`` is the text of the model file.
#[pyclass(frozen, eq, module = "hardlim._hardlim")]
#[derive(Clone, PartialEq)]
pub(crate) struct Model(pub(crate) model::Model);

impl Model {
    fn coding(&self) -> &Coding {
        self.0.coding()
    }

    /// `X`, encoded.
    pub(crate) fn features(
        &self,
        x: &Bound<'_, PyAny>,
        names: Option<&[String]>,
    ) -> PyResult<Features> {
        match Inputs::read(x)? {
            Inputs::Columns(columns) => {
                self.coding().features(&table("X", names, columns)?).map_err(to_py)
            }
            Inputs::Matrix(x) => {
                let numbers = self.is_numeric();
                if numbers && x.dimension() == self.coding().dimension() {
                    return Ok(self.coding().rounded(x));
                }
                let (found, expected) = (x.dimension(), self.coding().column_names().len());
                Err(PyValueError::new_err(if numbers {
                    format!("X has {found} features, and the model reads {expected}")
                } else {
                    "the model reads columns of labels: give a frame with them".into()
                }))
            }
        }
    }

    /// The rows of training data, of `X` alone, or none.
    pub(crate) fn rows(
        &self,
        training_data: Option<&TrainingData>,
        x: Option<&Bound<'_, PyAny>>,
        names: Option<&[String]>,
    ) -> PyResult<Option<Features>> {
        match training_data {
            Some(data) => Ok(Some(data.read_by(&self.0).map_err(to_py)?.features())),
            None => x.map(|x| self.features(x, names)).transpose(),
        }
    }
}

#[pymethods]
impl Model {
    /// A model from the text of its file.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        model::Model::from_text(text).map(Self).map_err(to_py)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }

    fn __str__(&self) -> String {
        self.0.to_text()
    }

    fn __repr__(&self) -> String {
        let (method, neurons) = (self.method(), self.n_neurons());
        let certificate = self.certificate().__repr__();
        format!("Model(method='{method}', n_neurons={neurons}, {certificate})")
    }

    /// Reads a model file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        model::Model::load(&path).map(Self).map_err(to_py)
    }

    /// Writes the model file, in one piece.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.0.save(&path).map_err(to_py)
    }

    /// The labels of the classes, in order; ``None`` if the target is a number.
    #[getter]
    fn classes(&self) -> Option<Vec<String>> {
        self.coding().target().classes().map(<[String]>::to_vec)
    }

    /// The networks: one, or one for each of several classes.
    #[getter]
    fn networks(&self) -> Vec<Network> {
        self.0.networks().map(|network| Network(network.clone())).collect()
    }

    /// The certificate; its ``claim`` says over which networks.
    #[getter]
    fn certificate(&self) -> Certificate {
        self.0.certificate().into()
    }

    /// The problem that the certificate is about: columns read and not read, loss, ``beta``, rows.
    #[getter]
    fn problem(&self) -> String {
        self.0.terms().to_string()
    }

    /// The certificate over all threshold networks of any width and depth.
    #[getter]
    fn global_certificate(&self) -> Certificate {
        self.0.global().into()
    }

    /// The number of non-zero output weights, in all networks.
    #[getter]
    fn n_neurons(&self) -> usize {
        self.0.neurons()
    }

    /// The weight decay.
    #[getter]
    fn beta(&self) -> f64 {
        self.0.beta().get()
    }

    /// The loss.
    #[getter]
    fn loss(&self) -> String {
        self.0.loss().to_string()
    }

    /// The method that found the networks.
    #[getter]
    fn method(&self) -> &'static str {
        self.0.first().recipe().name()
    }

    /// The most inputs of a neuron that training allowed; ``None`` for all.
    #[getter]
    fn max_inputs(&self) -> Option<usize> {
        self.0.first().recipe().max_inputs()
    }

    /// 2 for rules of two conditions; otherwise ``None``.
    #[getter]
    fn conditions(&self) -> Option<usize> {
        self.0.first().recipe().has_two_conditions().then_some(2)
    }

    /// The columns that the output goes up or down with, each with ``"+"`` or ``"-"``.
    #[getter]
    fn monotone(&self) -> BTreeMap<String, &'static str> {
        let policy = self.0.first().recipe().class(true).policy;
        let sign = |(column, rises)| (column, if rises { "+" } else { "-" });
        policy.trends(self.coding()).into_iter().map(sign).collect()
    }

    /// The only columns that may stand together in a rule; ``None`` for all.
    #[getter]
    fn interactions(&self) -> Option<Vec<(String, String)>> {
        self.0.first().recipe().class(true).policy.interactions()
    }

    /// The columns that stand alone in every rule.
    #[getter]
    fn no_interactions(&self) -> Vec<String> {
        self.0.first().recipe().class(true).policy.no_interactions()
    }

    /// All columns of ``X``, with those that are left out.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.coding().inputs().into_iter().map(|column| column.name.clone()).collect()
    }

    /// The columns of ``X`` that are read.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.coding().column_names().into_iter().map(str::to_owned).collect()
    }

    /// The inputs of the networks: columns, and ``column=level`` for labels.
    #[getter]
    fn feature_names(&self) -> Vec<String> {
        self.coding().feature_names()
    }

    /// The name of the target.
    #[getter]
    fn target(&self) -> String {
        self.coding().target().column().name.clone()
    }

    /// Whether every column holds plain numbers and is one input.
    #[getter]
    fn is_numeric(&self) -> bool {
        self.coding().is_numeric()
    }

    /// What was decided about the columns in training, one sentence for each decision.
    #[getter]
    fn notes(&self) -> Vec<String> {
        spelled_notes(&self.coding().notes())
    }

    /// What these columns have that training had not, such as new labels: one sentence for each
    /// column.
    #[pyo3(signature = (x, names=None))]
    fn news(&self, x: &Bound<'_, PyAny>, names: Option<Vec<String>>) -> PyResult<Vec<String>> {
        let Inputs::Columns(columns) = Inputs::read(x)? else { return Ok(Vec::new()) };
        let mut tally = Tally::default();
        tally.add(self.coding(), &table("X", names.as_deref(), columns)?).map_err(to_py)?;
        Ok(spelled_notes(&tally.notes()))
    }

    /// What happens to missing values.
    #[getter]
    fn missing(&self) -> String {
        self.coding().missing().to_string()
    }

    /// Whether all classes had the same total weight in training.
    #[getter]
    fn is_balanced(&self) -> bool {
        self.coding().balanced()
    }

    /// ``f(x)`` for every row, one column for each network.
    #[pyo3(signature = (x, names=None, threads=None))]
    fn output(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        threads: Option<usize>,
    ) -> PyResult<Py<PyArray2<f64>>> {
        let x = self.features(x, names.as_deref())?;
        let outputs: Vec<Vec<f64>> = briefly(py, threads, || {
            Ok(self.0.networks().map(|network| network.output(&x)).collect())
        })?;
        let samples = x.rows();
        let values = (0..samples).flat_map(|i| outputs.iter().map(move |output| output[i]));
        rows(py, values.collect(), (samples, outputs.len()))
    }

    /// The place of the class that is answered, for every row of outputs.
    fn answer(&self, py: Python<'_>, outputs: PyReadonlyArray2<'_, f64>) -> Py<PyArray1<i64>> {
        let rows = outputs.as_array();
        let answers = rows.outer_iter().map(|u| self.0.class(&u.to_vec()) as i64);
        answers.collect::<Vec<i64>>().into_pyarray(py).unbind()
    }

    /// Whether it was trained on rows in blocks.
    #[getter]
    fn is_of_rows(&self) -> bool {
        self.0.is_of_rows()
    }

    /// Whether probabilities were calibrated on held-out rows.
    #[getter]
    fn calibrated(&self) -> bool {
        self.0.calibration().is_some()
    }

    /// The probability of every class, for every row of outputs; an error if these have no such
    /// meaning.
    fn probability(
        &self,
        py: Python<'_>,
        outputs: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Py<PyArray2<f64>>> {
        let outputs = outputs.as_array();
        let of_row = outputs.outer_iter().map(|u| self.0.probabilities(&u.to_vec()));
        let values: Option<Vec<Vec<f64>>> = of_row.collect();
        let values = values.ok_or_else(|| {
            let loss = self.loss();
            PyValueError::new_err(format!("the outputs of the {loss} loss are not probabilities"))
        })?;
        rows(py, values.concat(), (outputs.nrows(), outputs.ncols().max(2)))
    }

    /// The share of each column of ``X`` in the changes of the output on the training rows.
    #[pyo3(signature = (training_data, threads=None))]
    fn shares(
        &self,
        py: Python<'_>,
        training_data: &TrainingData,
        threads: Option<usize>,
    ) -> PyResult<Py<PyArray1<f64>>> {
        let shares =
            briefly(py, threads, || Ok(self.0.shares(training_data.read_by(&self.0)?.data())))?;
        let share = |column: &ColumnRef| {
            let own = shares.iter().find(|(known, _)| known.position == column.position);
            own.map_or(0.0, |(_, share)| *share)
        };
        Ok(vector(py, self.coding().inputs().into_iter().map(share).collect()))
    }

    /// Checks the certificate again, from the model and its training data alone.
    #[pyo3(signature = (training_data, threads=None))]
    fn certify(
        &self,
        py: Python<'_>,
        training_data: &TrainingData,
        threads: Option<usize>,
    ) -> PyResult<Check> {
        let check = briefly(py, threads, || training_data.check(&self.0))?;
        Ok(Check::from(&check))
    }

    /// The same model with other weights for the rules of these numbers; a rule of weight zero is
    /// dropped. The certificate of the new model is checked.
    #[pyo3(signature = (training_data, weights, threads=None))]
    fn with_weights(
        &self,
        py: Python<'_>,
        training_data: &TrainingData,
        weights: Vec<(usize, f64)>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let edited = briefly(py, threads, || {
            let weights = Scorecard::output_weights(&self.0, &weights)?;
            let set = training_data.read_by(&self.0)?;
            let edited = self.0.with_weights(set.data(), &weights)?;
            let check = edited.certify(set.data())?;
            match check.reason() {
                None => Ok(edited),
                Some(reason) => Err(hardlim::Error::NotCertified { reason: reason.to_owned() }),
            }
        })?;
        Ok(Self(edited))
    }

    /// Writes a proof of the certificate that other programs check, from the training data; returns
    /// its lower bound, its objective, and its bytes.
    #[pyo3(signature = (training_data, folder, all_networks=false, threads=None))]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        training_data: &TrainingData,
        folder: PathBuf,
        all_networks: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let about = if all_networks { About::AllNetworks } else { About::Class };
        let set = training_data.read_by(&self.0).map_err(to_py)?;
        let proof = briefly(py, threads, || {
            let draft = DraftFolder::new(&folder)?;
            let place = Place { named: true, rows: set.data().samples(), held_out: Vec::new() };
            let proof = self.0.prove_rows(&set, place, about, &|_, _| ())?;
            proof.fill(draft).map(|()| proof)
        })?;
        let object = PyDict::new(py);
        object.set_item("lower_bound", proof.certificate.lower_bound())?;
        object.set_item("objective", proof.certificate.objective())?;
        object.set_item("claim", proof.certificate.claim())?;
        object.set_item("bytes", proof.bytes())?;
        Ok(object)
    }

    /// What is lost without each input: bounds on the objectives of all networks without it, and
    /// the best ones that were found.
    #[pyo3(signature = (training_data, gap=None, time_limit=None, threads=None))]
    fn importance<'py>(
        &self,
        py: Python<'py>,
        training_data: &TrainingData,
        gap: Option<f64>,
        time_limit: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let option = |name: &str, value: Option<f64>| {
            value.map_or(String::new(), |value| format!("{name}={value} "))
        };
        let limits = option("gap", gap) + &option("time_limit", time_limit);
        let asked = Request::of(&limits).map_err(to_py)?;
        let set = training_data.read_by(&self.0).map_err(to_py)?;
        let (lost, _) =
            watched(py, threads, None, |watch, _| asked.importance(&self.0, set.data(), watch))?;
        let inputs = lost.inputs.iter().map(|input| {
            let object = PyDict::new(py);
            object.set_item("name", &input.name)?;
            object.set_item("read", input.read)?;
            object.set_item("lower_bound", input.lower_bound)?;
            object.set_item("objective", input.objective)?;
            object.set_item("at_least", lost.at_least(input))?;
            object.set_item("found", lost.found(input))?;
            object.set_item("n_neurons", input.neurons)?;
            Ok(object)
        });
        let object = PyDict::new(py);
        object.set_item("objective", lost.objective)?;
        object.set_item("lower_bound", lost.lower_bound)?;
        object.set_item("relative_gap", lost.relative_gap())?;
        object.set_item("stop", lost.stop.name())?;
        object.set_item("inputs", inputs.collect::<PyResult<Vec<_>>>()?)?;
        Ok(object)
    }
}
