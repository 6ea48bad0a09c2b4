//! Classes of networks: a lower bound holds for every network of its class.
//!
//! A class limits the depth of its networks, the widths below the last hidden layer, the number of
//! inputs that a neuron of the first layer reads and their cost, the biases, the signs of the
//! output weights, and the inputs that the output goes up or down with. The last hidden layer may
//! have any width in every class.

use serde::{Deserialize, Serialize};

use crate::arrangement::Policy;

/// A class of threshold networks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkClass {
    /// The number of layers, including the linear output; any number if absent.
    pub layers: Option<usize>,
    /// The most neurons in each layer of a subnetwork, except its last one; empty for two layers.
    pub widths: Vec<usize>,
    /// Whether every neuron of a subnetwork owns the neurons it reads.
    pub tree: bool,
    /// The most inputs that a neuron of the first layer reads; any number if absent.
    pub max_inputs: Option<usize>,
    /// `P`: the penalty of a neuron of `k` inputs is `kᴾ β |a|`. Zero means `β |a|` for all.
    pub input_cost: f64,
    /// Whether neurons may have a bias.
    pub bias: bool,
    /// Whether output weights must not be negative.
    pub non_negative: bool,
    /// What rules have to keep to: the inputs that the output goes up or down with, as every
    /// subnetwork does, times its weight; and the columns that may stand together.
    #[serde(default, skip_serializing_if = "Policy::is_empty")]
    pub policy: Policy,
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
            policy: Policy::default(),
        }
    }

    /// The networks of two layers, of any width, with or without biases.
    pub fn two_layers(bias: bool) -> Self {
        Self { layers: Some(2), bias, ..Self::all() }
    }

    /// The sums of any number of subnetworks of these widths.
    pub fn subnetworks(widths: &[usize], bias: bool) -> Self {
        Self { layers: Some(widths.len() + 2), widths: widths.to_vec(), ..Self::two_layers(bias) }
    }

    /// The sums of any number of rules of two conditions: subnetworks of width 2 whose neurons read
    /// one input.
    pub fn of_two_conditions() -> Self {
        Self { max_inputs: Some(1), ..Self::subnetworks(&[2], true) }
    }

    /// Whether its subnetworks are rules of two conditions.
    pub fn has_two_conditions(&self) -> bool {
        let own = Self::of_two_conditions();
        let Self { input_cost, non_negative, ref policy, .. } = *self;
        *self == Self { input_cost, non_negative, policy: policy.clone(), ..own }
    }

    /// A class that is part of both. A bound over either class holds over it.
    pub fn meet(&self, other: &Self) -> Self {
        let depth = |class: &Self| (class.layers, class.widths.clone(), class.tree);
        let (layers, widths, tree) = match (self.layers, other.layers) {
            (_, None) => depth(self),
            (None, _) => depth(other),
            _ if depth(self) == depth(other) => depth(self),
            // A two-layer network is also a deeper network, whose upper neurons repeat their
            // inputs.
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
            policy: self.policy.and(&other.policy),
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
