//! Whether a network is in the class of its certificate.

use std::collections::BTreeSet;

use super::close;
use crate::arrangement::policy::ways;
use crate::certificate::NetworkClass;
use crate::model::{Part, Setting, Size};
use crate::network::recipe::Recipe;
use crate::network::{Layer, Network};

/// Why a network is not in its class, not on its grid or not about data of this size; `None` if all
/// is as stated.
pub(super) fn fault(part: &Part, setting: &Setting, found: Size) -> Option<String> {
    outside(part.network(), &limits(part, setting))
        .or_else(|| off_grid(part.network()))
        .or_else(|| other_size(part.size(), found))
}

/// The limits that the model states for its network. The class of a certificate contains all
/// networks within these limits.
fn limits(part: &Part, setting: &Setting) -> NetworkClass {
    let (bias, non_negative) = (setting.bias, setting.constraints.non_negative);
    let layers = match part.recipe() {
        Recipe::Given => None,
        recipe => Some(recipe.depth()),
    };
    NetworkClass { layers, bias, non_negative, ..part.recipe().class(bias) }
}

fn other_size(stated: Size, found: Size) -> Option<String> {
    let same = stated.rows == found.rows && close(found.weight, stated.weight);
    let words = |size: Size| format!("{} rows of total weight {}", size.rows, size.weight);
    (!same).then(|| format!("the data have {}, the model states {}", words(found), words(stated)))
}

/// Why a network is not in a class, in words; `None` if it is.
fn outside(network: &Network, class: &NetworkClass) -> Option<String> {
    if let Some(layers) = class.layers.filter(|layers| *layers != network.depth()) {
        return Some(format!(
            "the network has {} layers, but its class has {layers}",
            network.depth()
        ));
    }
    if class.non_negative && network.amplitudes().iter().any(|a| *a < 0.0) {
        return Some("an output weight is negative, but its class allows none".into());
    }
    for (l, layer) in network.layers().iter().enumerate() {
        for (k, neuron) in layer.neurons.iter().enumerate() {
            let place = format!("neuron {} of layer {}", k + 1, l + 1);
            if neuron.bias != 0.0 && !class.bias {
                return Some(format!("{place} has a bias, but its class allows none"));
            }
            let limit = class.max_inputs.filter(|k| l == 0 && neuron.reads() > *k);
            if let Some(most) = limit {
                let reads = neuron.reads();
                return Some(format!("{place} reads {reads} inputs, but its class allows {most}"));
            }
        }
    }
    class.layers?;
    too_wide(network, class).or_else(|| goes_astray(network, class))
}

/// Finds an output weight whose sign makes the output go the wrong way with an input, or a
/// subnetwork with columns that must not meet.
fn goes_astray(network: &Network, class: &NetworkClass) -> Option<String> {
    let policy = &class.policy;
    if policy.is_empty() {
        return None;
    }
    let used = network.amplitudes().iter().enumerate().filter(|(_, a)| **a != 0.0);
    let astray = |&(k, a): &(usize, &f64)| {
        let down = |from: Vec<(usize, f64)>, layer: &Layer| {
            ways(&from, |neuron| layer.neurons[neuron].terms())
        };
        let ways = network.layers().iter().rev().fold(vec![(k, 1.0)], down);
        let inputs: BTreeSet<usize> = ways.iter().map(|(input, _)| *input).collect();
        let apart = |&a: &usize| inputs.iter().any(|&b| !policy.lets_meet([a, b]));
        inputs.iter().any(apart) || !policy.signs_of(ways).allow(*a)
    };
    let (number, words) = (used.clone().find(astray)?.0 + 1, policy.words(""));
    Some(format!("neuron {number} of the last hidden layer is not in its class: {words}"))
}

/// Finds a subnetwork with more neurons in a layer than its class allows. Neurons of a layer share
/// the layer below; in a tree each reads neurons of its own.
fn too_wide(network: &Network, class: &NetworkClass) -> Option<String> {
    let (last, below) = network.layers().split_last()?;
    let reads = |layer: &Layer, k: usize| -> BTreeSet<usize> {
        layer.neurons[k].terms().filter(|(_, w)| *w != 0.0).map(|(j, _)| j).collect()
    };
    for end in 0..last.neurons.len() {
        let mut used = BTreeSet::from([end]);
        let layers = std::iter::once(last).chain(below.iter().rev());
        for (layer, (l, &most)) in layers.zip(class.widths.iter().enumerate().rev()) {
            let sets = used.iter().map(|&k| reads(layer, k));
            let widest = if class.tree {
                sets.clone().map(|set| set.len()).max().unwrap_or(0)
            } else {
                sets.clone().flatten().collect::<BTreeSet<_>>().len()
            };
            if widest > most {
                return Some(format!(
                    "a subnetwork has {widest} neurons in layer {}, but its class allows {most}",
                    l + 1
                ));
            }
            used = sets.flatten().collect();
        }
    }
    None
}

/// Why the first layer is not on the stated grid, in words; `None` if it is, or if no grid is
/// stated.
fn off_grid(network: &Network) -> Option<String> {
    let (found, stated) = network.off_grid()?;
    (found > stated).then(|| {
        format!(
            "{found} neurons of the first layer are not on the stated grid, the model states \
             {stated}"
        )
    })
}
