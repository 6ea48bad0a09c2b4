//! Decision lists as threshold neurons.
//!
//! In a decision list the first item that fires decides; each item stands for a label. If no item
//! fires, a default decides. One neuron can do that, with a weight `±Wⱼ` for every item: the sign
//! of the sum must be that of the first item that fires. Weights that double from the end to the
//! front are always enough, but then a hundred items need a hundred bits.
//!
//! Only the given rows have to be right, and that takes far less. We go from the end to the front.
//! Consecutive items with the same label share one weight: the smallest whole number that puts the
//! rows they decide on the right side, given the weights after them. An earlier item does not fire
//! on the rows that a later item decides, so it cannot undo this.
//!
//! A weight above `2⁵²` might not be a double. There the list is cut. The part behind the cut
//! becomes two neurons, "this part says +" and "this part says −". They are items of a shorter
//! list, which is decided one layer higher.

use crate::network::{Layer, Neuron};
use crate::pattern::Pattern;

/// Whole numbers up to here are doubles.
pub(super) const LARGEST: i128 = 1 << 52;
/// The fewest runs of a part, whatever their weights. A part becomes two items, so the list gets
/// shorter.
const FEWEST: usize = 4;

/// One item: the rows on which it fires, and its label.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) pattern: Pattern,
    pub(super) label: bool,
}

/// Items that are decided together, with their weights; positive for +.
struct Part {
    from: usize,
    weights: Vec<i128>,
    /// The sum on every row.
    sums: Vec<i128>,
}

/// The layers above the items, with one neuron on top. The first item that fires on a row must have
/// the row's label; if none fires, the default must.
pub(super) fn layers(items: &[Item], default: bool, rows: usize, largest: i128) -> Vec<Layer> {
    let parts = parts(items, rows, largest);
    if let [Part { weights, .. }] = &parts[..] {
        let weights = weights.iter().map(|&w| w as f64).collect();
        // Sums are whole numbers. A row that an item decides is not at zero; a row for the default
        // is.
        let bias = if default { 0.0 } else { -1.0 };
        return vec![Layer { neurons: vec![Neuron { inputs: None, weights, bias }] }];
    }
    let (mut neurons, mut shorter) = (Vec::new(), Vec::new());
    for Part { from, weights, sums } in &parts {
        for label in [true, false] {
            let sign: i128 = if label { 1 } else { -1 };
            neurons.push(Neuron {
                inputs: Some((*from as u32..(from + weights.len()) as u32).collect()),
                weights: weights.iter().map(|&w| (sign * w) as f64).collect(),
                bias: -1.0,
            });
            let pattern = Pattern::from_fn(rows, |i| sign * sums[i] >= 1);
            shorter.push(Item { pattern, label });
        }
    }
    let mut above = vec![Layer { neurons }];
    above.extend(layers(&shorter, default, rows, largest));
    above
}

/// The items in parts whose weights stay within bounds, from the front on.
fn parts(items: &[Item], rows: usize, largest: i128) -> Vec<Part> {
    let mut first = vec![usize::MAX; rows];
    for (j, item) in items.iter().enumerate().rev() {
        fires(item).for_each(|i| first[i] = j);
    }
    let (mut parts, mut part, mut runs) = (Vec::new(), Part::empty(items.len(), rows), 0);
    let mut end = items.len();
    while end > 0 {
        let label = items[end - 1].label;
        let start = (0..end).rev().find(|&j| items[j].label != label).map_or(0, |j| j + 1);
        let mut hits = vec![0_i128; rows];
        items[start..end].iter().flat_map(fires).for_each(|i| hits[i] += 1);
        let sign: i128 = if label { 1 } else { -1 };
        let decided = (0..rows).filter(|&i| (start..end).contains(&first[i]));
        // The smallest whole number w ≥ 1 with w · hits ≥ 1 − sum on every row that is decided
        // here.
        let needed = |sums: &[i128]| {
            let weight = |i: usize| (1 - sign * sums[i]).max(1).unsigned_abs();
            decided.clone().map(|i| weight(i).div_ceil(hits[i].unsigned_abs())).max().unwrap_or(1)
                as i128
        };
        let mut weight = needed(&part.sums);
        if weight > largest && runs >= FEWEST {
            parts.push(std::mem::replace(&mut part, Part::empty(end, rows)));
            (weight, runs) = (needed(&part.sums), 0);
        }
        runs += 1;
        part.from = start;
        part.weights.splice(0..0, std::iter::repeat_n(sign * weight, end - start));
        part.sums.iter_mut().zip(&hits).for_each(|(sum, hits)| *sum += sign * weight * hits);
        end = start;
    }
    parts.push(part);
    parts.reverse();
    parts
}

impl Part {
    fn empty(from: usize, rows: usize) -> Self {
        Self { from, weights: Vec::new(), sums: vec![0; rows] }
    }
}

/// The rows on which an item fires.
fn fires(item: &Item) -> impl Iterator<Item = usize> + '_ {
    item.pattern.iter().enumerate().filter(|(_, on)| *on).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;
    use crate::network::Network;
    use proptest::prelude::*;

    /// The definition.
    fn decide(items: &[Item], default: bool, i: usize) -> bool {
        items.iter().find(|item| item.pattern.get(i)).map_or(default, |item| item.label)
    }

    fn output(items: &[Item], default: bool, rows: usize, largest: i128) -> (usize, Vec<bool>) {
        let layers = layers(items, default, rows, largest);
        // The inputs are the answers of the items; a neuron that copies one stands for the item.
        let copies = (0..items.len() as u32)
            .map(|j| Neuron { inputs: Some(vec![j]), weights: vec![1.0], bias: -0.5 })
            .collect();
        let depth = layers.len();
        let all = std::iter::once(Layer { neurons: copies }).chain(layers).collect();
        let network = Network::new(items.len(), all, vec![1.0], 0.0).unwrap();
        let bit = |k: usize| items[k % items.len()].pattern.get(k / items.len());
        let values = (0..rows * items.len()).map(|k| f64::from(u8::from(bit(k)))).collect();
        let features = Features::new(rows, items.len(), values).unwrap();
        (depth, network.output(&features).into_iter().map(|u| u == 1.0).collect())
    }

    proptest! {
        #[test]
        fn the_first_item_that_fires_decides(
            (rows, bits) in (1usize..40, 1usize..12).prop_flat_map(|(rows, items)| (
                Just(rows), prop::collection::vec(prop::collection::vec(any::<bool>(), rows), items))),
            labels in prop::collection::vec(any::<bool>(), 12),
            default in any::<bool>(),
            largest in prop_oneof![Just(LARGEST), 1i128..20],
        ) {
            let items: Vec<Item> = (bits.iter().zip(&labels))
                .map(|(bits, &label)| Item { pattern: Pattern::from_fn(rows, |i| bits[i]), label })
                .collect();
            let (_, found) = output(&items, default, rows, largest);
            for i in 0..rows {
                prop_assert_eq!(found[i], decide(&items, default, i));
            }
        }
    }

    #[test]
    fn long_lists_take_more_layers_instead_of_larger_weights() {
        // Row i fires on all items from i on, and items alternate in pairs, so weights must grow.
        let items: Vec<Item> = (0..120)
            .map(|j| Item { pattern: Pattern::from_fn(121, |i| i <= j), label: j / 2 % 2 == 0 })
            .collect();
        let wanted: Vec<bool> = (0..121).map(|i| decide(&items, false, i)).collect();
        let (depth, found) = output(&items, false, 121, LARGEST);
        assert_eq!((depth, &found), (1, &wanted));
        let (depth, found) = output(&items, false, 121, 1);
        assert!(depth > 1);
        assert_eq!(found, wanted);
    }
}
