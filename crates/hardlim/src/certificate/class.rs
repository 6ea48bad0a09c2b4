//! Classes of networks: what a lower bound is a bound over.
//!
//! A class says how deep its networks are and how wide below the last hidden layer, how many inputs a
//! neuron of the first layer may read and what it pays for them, whether neurons have biases, and which
//! signs the output weights may have. The last hidden layer has any width in every class.

use serde::{Deserialize, Serialize};

/// A class of threshold networks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkClass {
    /// The number of layers, the linear output counted; any number where absent.
    pub layers: Option<usize>,
    /// The most neurons in each layer of a subnetwork, below its last one; none for two layers.
    pub widths: Vec<usize>,
    /// Whether every neuron of a subnetwork owns the neurons it reads.
    pub tree: bool,
    /// The most inputs that a neuron of the first layer reads; any number where absent.
    pub max_inputs: Option<usize>,
    /// `P`, where a neuron of `k` inputs pays `kᴾ β |a|`; zero where all pay `β |a|`.
    pub input_cost: f64,
    /// Whether neurons may have a bias.
    pub bias: bool,
    /// Whether output weights are at least zero.
    pub non_negative: bool,
}

impl NetworkClass {
    /// All threshold networks, of any width and depth.
    pub fn all() -> Self {
        Self {
            layers: None,
            widths: Vec::new(),
            tree: false,
            max_inputs: None,
            input_cost: 0.0,
            bias: true,
            non_negative: false,
        }
    }

    /// The networks of two layers, of any width; without biases where these are not allowed.
    pub fn two_layers(bias: bool) -> Self {
        Self { layers: Some(2), bias, ..Self::all() }
    }

    /// The networks of any number of subnetworks of these widths, one layer deeper than there are widths.
    pub fn subnetworks(widths: &[usize], bias: bool) -> Self {
        Self { layers: Some(widths.len() + 2), widths: widths.to_vec(), ..Self::two_layers(bias) }
    }

    /// A class inside of both: what is proven over either holds over it.
    pub fn meet(&self, other: &Self) -> Self {
        let depth = |class: &Self| (class.layers, class.widths.clone(), class.tree);
        let (layers, widths, tree) = match (self.layers, other.layers) {
            (_, None) => depth(self),
            (None, _) => depth(other),
            _ if depth(self) == depth(other) => depth(self),
            // Two layers are deeper networks whose neurons pass on what they read.
            _ => (Some(2), Vec::new(), false),
        };
        Self {
            layers,
            widths,
            tree,
            max_inputs: match (self.max_inputs, other.max_inputs) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            input_cost: self.input_cost.max(other.input_cost),
            bias: self.bias && other.bias,
            non_negative: self.non_negative || other.non_negative,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_inside_of_both_has_the_limits_of_both() {
        let (all, two) = (NetworkClass::all(), NetworkClass::two_layers(true));
        assert_eq!(all.meet(&two), two);
        assert_eq!(two.meet(&all), two);
        let deep = NetworkClass::subnetworks(&[3], true);
        assert_eq!((deep.layers, deep.meet(&all) == deep), (Some(3), true));
        assert_eq!(deep.meet(&two), two);
        let few = NetworkClass { max_inputs: Some(2), ..NetworkClass::two_layers(false) };
        let one = NetworkClass { max_inputs: Some(1), non_negative: true, ..two.clone() };
        let both = NetworkClass { max_inputs: Some(1), non_negative: true, ..few.clone() };
        assert_eq!(few.meet(&one), both);
        assert_eq!(few.meet(&two), few);
    }
}
