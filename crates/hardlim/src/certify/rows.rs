//! Recomputes the certificates of networks over rows in blocks, by passes.

use super::membership::fault;
use super::{Check, PartCheck};
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::{Model, Part, Size};
use crate::network::Neuron;
use crate::rows::{Measured, OneInput, Rows};

impl Model {
    /// Computes objectives and bounds again from the networks and the rows, for a model that was
    /// trained on rows in blocks. The rows may lie in other blocks now.
    ///
    /// # Errors
    /// When the model was not trained so, or the rows cannot be reached.
    pub fn certify_rows(&self, rows: &mut dyn Rows) -> Result<Check, Error> {
        let inputs = self.coding().dimension();
        let classes = self.coding().target().classes().map_or(0, |classes| classes.len());
        let facts = rows.facts(classes)?;
        let fingerprint = facts.prints.fingerprint(facts.rows, inputs);
        let mut checks = Vec::with_capacity(self.parts().len());
        let usual = if facts.classes.is_empty() { LossKind::Squared } else { LossKind::Logistic };
        if let Some(what) = self.not_of_blocks(usual) {
            let reason = format!("rows in blocks are not trained with {what}");
            return Err(Error::Damaged { what: "model", reason });
        }
        let mut asked: Option<&[Neuron]> = None;
        for (k, part) in self.parts().iter().enumerate() {
            let listed = part.recipe().listed().ok_or(Error::OtherData)?;
            if part.fingerprint() != fingerprint {
                return Ok(Check::OtherData);
            }
            if asked != Some(listed) {
                let planes: Vec<Hyperplane> =
                    listed.iter().map(|neuron| neuron.hyperplane(inputs)).collect();
                rows.answer(&planes)?;
                asked = Some(listed);
            }
            let one_input = match part.recipe().max_inputs() {
                Some(_) => Some(OneInput::of(rows, facts.rows)?),
                None => None,
            };
            let measured = Measured {
                rows,
                facts: &facts,
                loss: self.loss(),
                class: (self.parts().len() > 1).then_some(k),
                beta: self.beta(),
                bias: self.setting().bias,
                one_input: one_input.as_ref(),
            };
            let size = Size { rows: facts.rows, weight: facts.weight[0].value() };
            let fault = fault(part, self.setting(), size);
            checks.push(check(part, &measured, listed, fault)?);
        }
        Ok(Check::SameData(checks))
    }

    /// What the model states that training on rows in blocks never does.
    fn not_of_blocks(&self, usual: LossKind) -> Option<String> {
        let (setting, coding) = (self.setting(), self.coding());
        let bits = coding.columns().iter().any(|column| column.steps.is_some());
        [
            (self.loss() != usual, format!("the {} loss", self.loss())),
            (setting.constraints.intercept, "an output bias".into()),
            (setting.constraints.non_negative, "output weights of at least zero".into()),
            (setting.input_cost != 0.0, "a cost of inputs".into()),
            (coding.balanced(), "balanced classes".into()),
            (bits, "rounded inputs".into()),
            (self.split().is_some(), "rows held out".into()),
        ]
        .into_iter()
        .find_map(|(stated, what)| stated.then_some(what))
    }
}

fn check(
    part: &Part,
    measured: &Measured<'_>,
    listed: &[Neuron],
    fault: Option<String>,
) -> Result<PartCheck, Error> {
    let network = part.network();
    // A bound over a dictionary proves nothing about a network that is not built from it.
    let place = |neuron: &Neuron| listed.iter().position(|known| known == neuron);
    let neurons = network.layers().first().map_or(&[][..], |layer| &layer.neurons);
    let places: Option<Vec<usize>> = neurons.iter().map(place).collect();
    let fault = match (fault, &places) {
        (None, None) => Some("a neuron is not one of its dictionary".to_owned()),
        (None, _) if network.offset() != 0.0 => Some("its output has a bias".to_owned()),
        (fault, _) => fault,
    };
    let amplitudes = network.amplitudes().iter().copied();
    let coefficients: Vec<(usize, f64)> =
        places.unwrap_or_default().into_iter().zip(amplitudes).collect();
    Ok(PartCheck::of(part, measured.certificates(&coefficients)?, fault))
}
