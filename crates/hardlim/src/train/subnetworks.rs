//! The Lasso program over all subnetworks with two layers, by generating them.
//!
//! The patterns of single neurons are also patterns of subnetworks, so generation starts from a
//! trained two-layer network. Only a list of all subnetworks could prove that none is missing, so
//! the lower bound is that of the complete program.

use super::classes::Shared;
use super::generate::line_search;
use super::listed::in_use;
use super::tuning::{FEW_DEEP_PATTERNS, FIRST_SEARCH, ROUND, TWO_LAYERS};
use super::{Limits, Method, Proposal, Strength, Trainer, Units, rounded};
use crate::arrangement::{Arrangement, Hyperplane, Policy, Subnetwork};
use crate::data::{Dataset, Scaling};
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::network::{Layer, Neuron};
use crate::pattern::PatternMatrix;
use crate::pricing::{Priced, SubnetworkSearch};
use crate::solver::{Generation, Subnetworks};

impl Trainer<'_> {
    pub(super) fn pick_deep(&self, data: &Dataset) -> (Method, String) {
        let bound = recipe::arrangement(data, self.terms.bias).deep_bound(self.widths, self.tree);
        let there_may_be = format!("there may be {} deep patterns", rounded(bound));
        if bound <= FEW_DEEP_PATTERNS || self.tree {
            let why = format!("at most {} deep patterns, few enough to list", rounded(bound));
            (Method::Enumerate, why)
        } else if SubnetworkSearch::reaches(self.widths) {
            (Method::Generate, there_may_be)
        } else {
            let why =
                format!("{there_may_be}, and there is no search for subnetworks of these widths");
            (Method::Sample, why)
        }
    }
}

/// Hidden layers of subnetworks that share only the features.
pub(super) fn side_by_side(parts: &[Subnetwork], depth: usize) -> Vec<Layer> {
    let layer = |l: usize| {
        let mut offset = 0;
        let mut neurons = Vec::new();
        for part in parts {
            for plane in &part.layers()[l] {
                let width = plane.weights.len() as u32;
                let inputs = (l > 0).then(|| (offset..offset + width).collect());
                neurons.push(Neuron { inputs, ..Neuron::from(plane.clone()) });
            }
            // A constant needs no neurons below it, so a layer may be empty.
            offset += if l > 0 { part.layers()[l - 1].len() as u32 } else { 0 };
        }
        Layer { neurons }
    };
    (0..depth).map(layer).collect()
}

impl Trainer<'_> {
    pub(super) fn propose_subnetworks(&self, data: &Dataset) -> Result<Proposal, Error> {
        let begun = self.budget.now();
        let ground = self.deep_ground(data);
        let source = ground.source();
        let mut start = self.first_subnetworks(data, &ground)?;
        let beta_max = self.largest(&start);
        let beta = self.strength.beta(beta_max)?;
        if self.terms.bias {
            let mut trainer = Trainer {
                method: Method::Generate,
                strength: Strength::Beta(beta),
                widths: &[],
                budget: self.budget.part_since(begun, TWO_LAYERS),
                ..*self
            };
            trainer.terms.weights = None;
            // It is only a start, so it needs no proof.
            trainer.limits = Limits { rounds: None, gap: None, time: None, ..self.limits };
            let two_layers = trainer.propose_generated(data, &Shared::default())?;
            let Units::Cells(cells) = two_layers.units else { unreachable!("two layers") };
            start.extend(cells.into_iter().filter_map(|cell| {
                let hyperplane = passed_on(cell.witness?);
                Some(Priced { hyperplane, pattern: cell.pattern, value: 0.0 })
            }));
        }
        let generation = Generation { rounds: self.most_rounds(), ..self.generation(&source) };
        let found = generation.solve(&self.problem(data, beta), start);
        let (units, amplitudes) = in_use(&found.dictionary.witnesses, &found.coefficients);
        Ok(Proposal {
            units: Units::Subnetworks(units),
            amplitudes,
            offset: found.offset,
            dual: found.dual,
            price: found.price,
            recipe: Recipe::Generate {
                max_inputs: None,
                effort: 0,
                widths: self.widths.to_vec(),
                policy: Policy::default(),
            },
            beta,
            beta_max,
            beta_max_exact: false,
            patterns: found.dictionary.len(),
            proof: None,
            stop: found.stop,
        })
    }

    pub(super) fn beta_max_subnetworks(&self, data: &Dataset) -> Result<f64, Error> {
        let ground = self.deep_ground(data);
        Ok(self.largest(&self.first_subnetworks(data, &ground)?))
    }

    fn largest(&self, priced: &[Priced<Subnetwork>]) -> f64 {
        priced.iter().map(|p| self.terms.constraints.price(p.value)).fold(0.0, f64::max)
    }

    fn deep_ground<'a>(&self, data: &'a Dataset) -> DeepGround<'a> {
        let mut search = SubnetworkSearch::new(self.widths[0], self.terms.bias);
        // This depends on the data alone, so that a seed gives the same result on every machine.
        let round = line_search(data) * search.line_searches() as f64;
        let part = (ROUND / round).min(1.0);
        search.starts = ((part * search.starts as f64) as usize).max(4);
        DeepGround {
            arrangement: recipe::arrangement(data, self.terms.bias),
            scaling: recipe::scaling(data, self.terms.bias, self.terms.standardize),
            search,
        }
    }

    fn first_subnetworks(
        &self,
        data: &Dataset,
        ground: &DeepGround<'_>,
    ) -> Result<Vec<Priced<Subnetwork>>, Error> {
        let nothing = PatternMatrix::new(data.distinct());
        let program = self.lasso(&nothing, data)?;
        let z = self.problem(data, program.beta()).dual_point(program.null_gradient());
        let starts = 4 * ground.search.starts;
        // The first search need not take more than a part of the time.
        let budget = self.budget.part(FIRST_SEARCH);
        Ok(ground.source().climb(z.values(), &[], (starts, self.seed), &budget))
    }
}

/// Where subnetworks are searched.
struct DeepGround<'a> {
    arrangement: Arrangement<'a>,
    scaling: Scaling,
    search: SubnetworkSearch,
}

impl DeepGround<'_> {
    fn source(&self) -> Subnetworks<'_> {
        let Self { arrangement, scaling, search } = self;
        Subnetworks { arrangement: *arrangement, scaling, search }
    }
}

/// The subnetwork with the same answers as one neuron.
fn passed_on(neuron: Hyperplane) -> Subnetwork {
    let last = Hyperplane { weights: vec![1.0], bias: -1.0 };
    Subnetwork::new(vec![vec![neuron], vec![last]])
}
