//! Networks as arrays.

use hardlim::network::{self, Layer};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::attend::briefly;
use crate::convert::{Inputs, rows, vector};

/// The weights of a layer, and its biases.
type Arrays = (Py<PyArray2<f64>>, Py<PyArray1<f64>>);

/// ``f(x) = offset + sum_j amplitudes[j] * 1{x . w_j + b_j >= 0}``, of any depth.
#[pyclass(frozen, eq, module = "hardlim._hardlim")]
#[derive(Clone, PartialEq)]
pub(crate) struct Network(pub(crate) network::Network);

#[pymethods]
impl Network {
    /// The number of inputs.
    #[getter]
    fn n_inputs(&self) -> usize {
        self.0.inputs()
    }

    /// The number of layers, including the linear output.
    #[getter]
    fn n_layers(&self) -> usize {
        self.0.depth()
    }

    /// The number of non-zero output weights.
    #[getter]
    fn n_neurons(&self) -> usize {
        self.0.neurons()
    }

    /// The output bias.
    #[getter]
    fn offset(&self) -> f64 {
        self.0.offset()
    }

    /// The output weights, one for each neuron of the last hidden layer.
    #[getter]
    fn amplitudes(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        vector(py, self.0.amplitudes().to_vec())
    }

    /// The hidden layers, the first one first, each as ``(weights, biases)``; one row of weights
    /// per neuron.
    #[getter]
    fn layers(&self, py: Python<'_>) -> PyResult<Vec<Arrays>> {
        let mut width = self.0.inputs();
        let arrays = |layer: &Layer| {
            let neurons = layer.neurons.len();
            let weights: Vec<f64> =
                layer.neurons.iter().flat_map(|n| n.hyperplane(width).weights).collect();
            let biases = layer.neurons.iter().map(|neuron| neuron.bias).collect();
            let arrays = (rows(py, weights, (neurons, width))?, vector(py, biases));
            width = neurons;
            Ok(arrays)
        };
        self.0.layers().iter().map(arrays).collect()
    }

    /// ``f(x)`` for every row of a matrix.
    fn output(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Py<PyArray1<f64>>> {
        let Inputs::Matrix(x) = Inputs::read(x)? else {
            return Err(PyValueError::new_err("a network reads a matrix of numbers"));
        };
        if x.dimension() != self.0.inputs() {
            let (found, expected) = (x.dimension(), self.0.inputs());
            let text = format!("X has {found} columns, and the network reads {expected}");
            return Err(PyValueError::new_err(text));
        }
        let output = briefly(py, None, || Ok(self.0.output(&x)))?;
        Ok(vector(py, output))
    }

    fn __repr__(&self) -> String {
        let (inputs, layers, neurons) = (self.n_inputs(), self.n_layers(), self.n_neurons());
        format!("Network(n_inputs={inputs}, n_layers={layers}, n_neurons={neurons})")
    }
}
