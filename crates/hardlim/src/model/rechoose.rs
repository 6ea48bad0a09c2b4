//! Other weights for the networks of a model.

use super::{Model, Part, Setting};
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe;
use crate::network::{Grid, Rechoice};

impl Model {
    /// The same model with other weights inside the cells. Every neuron gives the same answers on
    /// the training rows as before, so objective and certificates stay the same. If neurons pay for
    /// the inputs they read, each reads the same inputs as before. If inputs are in fixed point,
    /// they have the same width for every network.
    ///
    /// # Errors
    /// When the data are not the training data, or the choice does not apply.
    pub fn rechoose(&self, data: &Dataset, rechoice: &Rechoice<'_>) -> Result<Self, Error> {
        let sets = self.parts_of(data)?;
        let shifts: Vec<Option<i32>> =
            self.coding.steps().iter().map(|steps| steps.map(|s| s.shift)).collect();
        let mut rechoice = Rechoice { shifts: &shifts, ..*rechoice };
        loop {
            let parts: Vec<Part> = (self.parts.iter().zip(&sets))
                .map(|(part, data)| part.rechoose(data, &self.setting, &rechoice))
                .collect::<Result<_, _>>()?;
            let grids: Vec<&Grid> = parts.iter().filter_map(|part| part.network.grid()).collect();
            // Equal widths are not enough: a wide column of whole numbers hides the width of the
            // others.
            let widest = grids.iter().map(|grid| grid.bits()).max();
            if grids.windows(2).all(|two| two[0] == two[1]) || rechoice.input_bits == widest {
                // Other weights are not those that training gave.
                return Ok(Self { parts, history: None, ..self.clone() });
            }
            rechoice.input_bits = widest;
        }
    }
}

impl Part {
    fn rechoose(
        &self,
        data: &Dataset,
        setting: &Setting,
        rechoice: &Rechoice<'_>,
    ) -> Result<Self, Error> {
        let (expected, found) = (self.network.inputs(), data.dimension());
        if expected != found {
            return Err(Error::Length { what: "features", expected, found });
        }
        if !self.is_of(data) {
            return Err(Error::OtherData);
        }
        let scaling = recipe::scaling(data, setting.bias, true);
        // What a neuron pays for its inputs must not change.
        let all_of_them = setting.input_cost != 0.0;
        let limited = all_of_them || self.recipe.max_inputs().is_some();
        let same_inputs = limited || rechoice.same_inputs;
        let rechoice = Rechoice { same_inputs, all_of_them, ..*rechoice };
        let network = self.network.rechoose(data.features(), setting.bias, &scaling, &rechoice)?;
        Ok(self.with_network(network))
    }
}
