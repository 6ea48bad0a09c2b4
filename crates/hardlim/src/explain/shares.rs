//! How much of the output comes from each column.
//!
//! The importance of a neuron is how far it moves the output from its mean on some rows, as in
//! [`super::Explanation`]; a neuron of a lower layer gets its share of the neurons above. In the
//! first layer, a neuron divides its importance among the inputs it reads: the share of input `i`
//! is that of `|wᵢ| σᵢ`, where `σᵢ` is the deviation of the input. The inputs of a column are added
//! up, networks of several classes too, and everything is divided by its sum.

use std::ops::Range;

use super::counts::{Counts, deviations, times};
use super::importance;
use crate::data::Dataset;
use crate::model::Model;
use crate::table::coding::ColumnRef;

impl Model {
    /// The share of each column in the changes of the output on these rows: between zero and one,
    /// with the sum one, or all zero for outputs that do not change.
    pub fn shares(&self, data: &Dataset) -> Vec<(&ColumnRef, f64)> {
        let (rows, times) = (data.features(), times(data.distinct(), data.row_of()));
        let deviations = deviations(rows, &times);
        let mut inputs = vec![0.0; rows.dimension()];
        for network in self.networks() {
            let counts = Counts::on(network, rows, times.clone());
            let neurons = network.layers()[0].neurons.iter();
            for (neuron, importance) in neurons.zip(&importance(network, counts.as_ref())[0]) {
                let weights = neuron.hyperplane(rows.dimension()).weights;
                let parts: Vec<f64> =
                    weights.iter().zip(&deviations).map(|(w, s)| w.abs() * s).collect();
                let total: f64 = parts.iter().sum();
                if total > 0.0 {
                    let add = |(sum, part): (&mut f64, &f64)| *sum += importance * part / total;
                    inputs.iter_mut().zip(&parts).for_each(add);
                }
            }
        }
        let total: f64 = inputs.iter().sum();
        let share = |features: Range<usize>| {
            if total > 0.0 { inputs[features].iter().sum::<f64>() / total } else { 0.0 }
        };
        let columns = self.coding().features_by_column().into_iter();
        columns.map(|(column, features)| (column, share(features))).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{ReadOptions, Table};
    use crate::train::Request;

    #[test]
    fn shares_are_those_of_the_neurons_that_read_a_column() {
        let rows: String = (0..60)
            .map(|i| {
                let (a, b) = (i % 7, if i % 3 == 0 { "" } else { "2" });
                format!("{a},{b},{},{}\n", (i * 37) % 11, u8::from(a > 3 || i % 3 == 0))
            })
            .collect();
        let text = format!("a,b,c,y\n{rows}");
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let model = Request::of("beta=1 max_inputs=1").unwrap().train(&table).unwrap().model;
        let data = model.training_data(&table).unwrap();
        let shares = model.shares(&data);
        let names: Vec<&str> = shares.iter().map(|(column, _)| &column.name[..]).collect();
        assert_eq!(names, model.coding().column_names());
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        // With one input a neuron, the shares are sums of 2p(1 − p)|a|.
        let read = |name: &str| shares.iter().find(|(c, _)| c.name == name).unwrap().1;
        assert!(read("a") > 0.2 && read("b") > 0.2 && read("c") < 0.2, "{shares:?}");
    }
}
