//! A certificate as a sentence. Every report prints this sentence.

use super::numbers::{UP, percent};
use super::{Certificate, NetworkClass, Scope};

impl Certificate {
    /// The proven statement in words: `no two-layer threshold network of any width is better by
    /// more than 0.0001 %`. It has no capital and no full stop, so that it fits into a longer
    /// sentence.
    pub fn claim(&self) -> String {
        let networks = self.networks();
        let each = if self.networks > 1 { ", one for each class," } else { "" };
        format!("no {networks}{each} is better by more than {}", percent(self.relative_gap(), UP))
    }

    /// The networks that the certificate is about, in words.
    pub fn networks(&self) -> String {
        match self.scope() {
            Scope::Global => self.class.networks(),
            Scope::Dictionary => self.class.built_from_patterns(),
        }
    }
}

impl NetworkClass {
    /// The networks of the class, in words: `two-layer threshold network of any width`.
    pub fn networks(&self) -> String {
        let kind = match self.layers {
            None => "threshold network of any width or depth".into(),
            Some(2) => "two-layer threshold network of any width".into(),
            Some(layers) => {
                format!("{layers}-layer threshold network of any number of {}", self.subnetwork())
            }
        };
        let cost = match self.input_cost {
            0.0 => String::new(),
            power => format!(", where a neuron of k inputs pays k^{power} as much,"),
        };
        kind + &self.limits() + &cost
    }

    /// The networks of the class that are built from a dictionary. A neuron costs what the drawn
    /// one costs: there may be a cheaper one with the same answers.
    fn built_from_patterns(&self) -> String {
        let power = self.input_cost;
        let paid = self.layers == Some(2) && power != 0.0;
        let kind = match self.layers {
            None => "network built from these patterns".into(),
            Some(2) if paid => "two-layer network built from the sampled neurons".into(),
            Some(2) => "two-layer network built from the sampled patterns".into(),
            Some(layers) => {
                format!("{layers}-layer network built from the sampled {}", self.subnetwork())
            }
        };
        let cost = format!(", each at the cost k^{power} of the k inputs that it reads,");
        kind + &self.limits() + if paid { &cost } else { "" }
    }

    fn subnetwork(&self) -> String {
        if self.has_two_conditions() {
            return "rules of two conditions (subnetworks of width 2 whose neurons read one input)"
                .into();
        }
        let tree = if self.tree { "tree " } else { "" };
        let widths: Vec<String> = self.widths.iter().map(ToString::to_string).collect();
        match widths.split_last() {
            Some((last, [])) => format!("{tree}subnetworks of width {last}"),
            Some((last, rest)) => {
                format!("{tree}subnetworks of widths {} and {last}", rest.join(", "))
            }
            None => format!("{tree}subnetworks"),
        }
    }

    fn limits(&self) -> String {
        let mut text = String::new();
        match self.max_inputs {
            None => {}
            _ if self.has_two_conditions() => {}
            Some(1) => text += " whose neurons read one input",
            Some(k) => text += &format!(" whose neurons read at most {k} inputs"),
        }
        if !self.bias {
            text += " without biases";
        }
        if self.non_negative {
            text += " with output weights of at least zero";
        }
        if !self.policy.is_empty() {
            let each = if self.widths.is_empty() { "" } else { "each with its weight " };
            text += &format!(", {},", self.policy.words(each));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::policy::trends;

    #[test]
    fn directions_are_named() {
        let policy = trends(&[(0, true), (2, false)]);
        let one = NetworkClass { max_inputs: Some(1), ..NetworkClass::two_layers(true) };
        let one = NetworkClass { policy: policy.clone(), ..one };
        let words = "whose neurons read one input, non-decreasing in x0, non-increasing in x2,";
        assert!(one.networks().ends_with(words), "{}", one.networks());
        let rules = NetworkClass { policy, ..NetworkClass::of_two_conditions() };
        assert!(rules.has_two_conditions());
        let words = ", each with its weight non-decreasing in x0, non-increasing in x2,";
        assert!(rules.networks().ends_with(words), "{}", rules.networks());
        assert_eq!(one.meet(&NetworkClass::two_layers(true)), one);
    }

    #[test]
    fn every_limit_has_its_words() {
        let two = NetworkClass::two_layers(true);
        let deep = NetworkClass::subnetworks(&[4], true);
        let tree = NetworkClass { tree: true, ..NetworkClass::subnetworks(&[1, 2], true) };
        let one = NetworkClass { max_inputs: Some(1), ..two.clone() };
        let few = NetworkClass { max_inputs: Some(3), bias: false, ..two.clone() };
        let positive = NetworkClass { non_negative: true, ..two.clone() };
        let paid = NetworkClass { input_cost: 0.5, ..two.clone() };
        let few_words = "read at most 3 inputs without biases";
        let two_words = "two-layer threshold network of any width";
        let rules = NetworkClass::of_two_conditions();
        let rules_words =
            "rules of two conditions (subnetworks of width 2 whose neurons read one input)";
        let paid_words = "each at the cost k^0.5 of the k inputs that it reads,";
        for (class, networks, built) in [
            (NetworkClass::all(), "network of any width or depth", "built from these patterns"),
            (two, two_words, "two-layer network built from the sampled patterns"),
            (deep, "of any number of subnetworks of width 4", "the sampled subnetworks of width 4"),
            (tree, "number of tree subnetworks of widths 1 and 2", "of widths 1 and 2"),
            (one, "whose neurons read one input", "whose neurons read one input"),
            (few, few_words, few_words),
            (rules, rules_words, rules_words),
            (positive, "with output weights of at least zero", " of at least zero"),
            (paid, "where a neuron of k inputs pays k^0.5 as much,", paid_words),
        ] {
            assert!(class.networks().ends_with(networks), "{}", class.networks());
            let found = class.built_from_patterns();
            assert!(found.ends_with(built), "{found}");
        }
    }
}
