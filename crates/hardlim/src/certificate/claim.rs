//! A certificate as a sentence. Every report prints this sentence.

use super::{Certificate, NetworkClass, Scope};

impl Certificate {
    /// The proven statement in words: `no two-layer threshold network of any width is better by
    /// more than 0.0001 %`. It has no capital and no full stop, so that it fits into a longer
    /// sentence.
    pub fn claim(&self) -> String {
        let networks = self.networks();
        let each = if self.networks > 1 { ", one for each class," } else { "" };
        format!("no {networks}{each} is better by more than {}", percent(self.relative_gap()))
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
        let kind = match self.shape() {
            None => "threshold network of any width or depth".into(),
            Some(shape) => format!("{shape} threshold network of any width"),
        };
        kind + &self.limits()
    }

    /// The networks of the class that are built from a dictionary.
    fn built_from_patterns(&self) -> String {
        let kind = match self.shape() {
            None => "network built from these patterns".into(),
            Some(shape) => format!("{shape} network built from the sampled patterns"),
        };
        kind + &self.limits()
    }

    /// The layers and their widths; `None` if the depth is not limited.
    fn shape(&self) -> Option<String> {
        let tree = if self.tree { " tree" } else { "" };
        Some(match (self.layers?, &self.widths[..]) {
            (2, _) => "two-layer".into(),
            (layers, [width]) => format!("{layers}-layer, width-{width}{tree}"),
            (layers, widths) => {
                let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
                format!("{layers}-layer, width-({}){tree}", widths.join(", "))
            }
        })
    }

    /// The limits on the networks, in words.
    fn limits(&self) -> String {
        let mut text = String::new();
        match self.max_inputs {
            None => {}
            Some(1) => text += " whose neurons read one input",
            Some(k) => text += &format!(" whose neurons read at most {k} inputs"),
        }
        if !self.bias {
            text += " without biases";
        }
        if self.non_negative {
            text += " with output weights of at least zero";
        }
        if self.input_cost != 0.0 {
            text += &format!(", where a neuron of k inputs pays k^{} as much,", self.input_cost);
        }
        text
    }
}

/// A fraction in per cent; small ones keep their magnitude.
fn percent(x: f64) -> String {
    let percent = 100.0 * x;
    if x != 0.0 && x.abs() < 1e-4 { format!("{percent:.1e} %") } else { format!("{percent:.4} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_its_words() {
        let two = NetworkClass::two_layers(true);
        let words = |class: &NetworkClass| class.networks();
        assert_eq!(words(&NetworkClass::all()), "threshold network of any width or depth");
        assert_eq!(words(&two), "two-layer threshold network of any width");
        let deep = NetworkClass::subnetworks(&[4], true);
        assert_eq!(words(&deep), "3-layer, width-4 threshold network of any width");
        let tree = NetworkClass { tree: true, ..NetworkClass::subnetworks(&[1, 2], true) };
        assert_eq!(words(&tree), "4-layer, width-(1, 2) tree threshold network of any width");
        let class = NetworkClass { max_inputs: Some(1), ..two.clone() };
        assert!(words(&class).ends_with("whose neurons read one input"));
        let class = NetworkClass { max_inputs: Some(3), bias: false, ..two.clone() };
        assert!(words(&class).ends_with("whose neurons read at most 3 inputs without biases"));
        let class = NetworkClass { non_negative: true, ..two.clone() };
        assert!(words(&class).ends_with(" with output weights of at least zero"));
        let class = NetworkClass { input_cost: 0.5, ..two.clone() };
        assert!(words(&class).ends_with("where a neuron of k inputs pays k^0.5 as much,"));
        assert_eq!(two.built_from_patterns(), "two-layer network built from the sampled patterns");
        assert_eq!(NetworkClass::all().built_from_patterns(), "network built from these patterns");
    }
}
