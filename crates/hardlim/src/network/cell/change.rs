//! What other weights change, added up over layers.

use serde_json::{Value, json};

use super::LayerChange;

/// The changes of several layers together.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The number of neurons.
    pub neurons: usize,
    /// The number of inputs that all neurons together read, before and after.
    pub reads: (usize, usize),
    /// The smallest distance of a hyperplane from a row, before and after.
    pub margin: (Option<f64>, Option<f64>),
    /// The number of neurons that keep their weights.
    pub kept: usize,
    /// The most bits of a weight and their mean, over the neurons of integer weights.
    pub bits: Option<(u32, f64)>,
}

impl Change {
    /// The changes of these layers.
    pub fn of<'a>(layers: impl Iterator<Item = &'a LayerChange> + Clone) -> Self {
        let least = |of: fn(&LayerChange) -> Option<f64>| {
            layers.clone().filter_map(of).min_by(f64::total_cmp)
        };
        Self {
            neurons: layers.clone().map(|l| l.neurons).sum(),
            reads: layers.clone().map(|l| l.reads).fold((0, 0), |s, r| (s.0 + r.0, s.1 + r.1)),
            margin: (least(|l| l.margin.0), least(|l| l.margin.1)),
            kept: layers.clone().map(|l| l.kept).sum(),
            bits: LayerChange::widths(layers),
        }
    }

    /// The changes for scripts.
    pub fn json(&self) -> Value {
        json!({
            "neurons": self.neurons,
            "inputs_before": self.reads.0,
            "inputs_after": self.reads.1,
            "bits": self.bits.map(|(max, mean)| json!({ "max": max, "mean": mean })),
            "margin_before": self.margin.0,
            "margin_after": self.margin.1,
            "kept": self.kept,
        })
    }

    /// The changes of a model for scripts: all networks together, with the layers of one network,
    /// or with each of several classes and its layers.
    pub fn model_json(networks: &[Vec<LayerChange>], classes: Option<&[String]>) -> Value {
        let layers = |changes: &Vec<LayerChange>| -> Vec<Value> {
            changes.iter().map(|layer| Self::of(std::iter::once(layer)).json()).collect()
        };
        let mut object = Self::of(networks.iter().flatten()).json();
        match classes {
            None => object["layers"] = json!(layers(&networks[0])),
            Some(names) => {
                let part = |(class, changes): (&String, &Vec<LayerChange>)| {
                    let mut part = Self::of(changes.iter()).json();
                    part["class"] = json!(class);
                    part["layers"] = json!(layers(changes));
                    part
                };
                let parts = names.iter().zip(networks).map(part);
                object["classes"] = json!(parts.collect::<Vec<_>>());
            }
        }
        object
    }
}
