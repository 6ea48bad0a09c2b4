//! The Lasso program over all rules of two conditions, by generating them: three layers, of width
//! two, whose neurons read one input. Single questions come first, and every proof is exact.

use super::classes::Shared;
use super::listed::in_use;
use super::{Proposal, Trainer, Units};
use crate::arrangement::Subnetwork;
use crate::certificate::{Ask, Bound, Proof};
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::pattern::PatternMatrix;
use crate::pricing::{Corners, Priced};
use crate::solver::{Generation, Rules, Source as _};

impl Trainer<'_> {
    /// Whether its networks are sums of rules of two conditions.
    pub(super) fn has_two_conditions(&self) -> bool {
        self.widths == [2] && self.terms.max_inputs == Some(1)
    }

    pub(super) fn corners<'a>(&self, data: &'a Dataset) -> Corners<'a> {
        Corners::new(recipe::arrangement(data, self.terms.bias), self.policy)
    }

    pub(super) fn propose_rules(
        &self,
        data: &Dataset,
        shared: &mut Shared,
    ) -> Result<Proposal, Error> {
        let corners = self.corners(data);
        let source = Rules { corners: &corners };
        let (mut first, beta_max, beta_max_exact) = self.first_rules(data, source)?;
        first.extend_from_slice(&shared.rules);
        let beta = self.strength.beta(beta_max)?;
        let generation = Generation { rounds: self.most_rounds(), ..self.generation(&source) };
        let found = generation.solve(&self.problem(data, beta), first);
        let (patterns, witnesses) = (&found.dictionary.patterns, &found.dictionary.witnesses);
        let used = (0..witnesses.len()).filter(|&j| found.coefficients[j] != 0.0);
        // The price of a pattern depends on the dual point of the next problem.
        shared.rules.extend(used.map(|j| Priced {
            hyperplane: witnesses[j].clone(),
            pattern: patterns.pattern(j),
            value: 0.0,
        }));
        let (units, amplitudes) = in_use(witnesses, &found.coefficients);
        Ok(Proposal {
            units: Units::Subnetworks(units),
            amplitudes,
            offset: found.offset,
            dual: found.dual,
            price: found.price,
            recipe: Recipe::Generate {
                max_inputs: Some(1),
                effort: 0,
                widths: vec![2],
                policy: self.policy.clone(),
            },
            beta,
            beta_max,
            beta_max_exact,
            patterns: found.dictionary.len(),
            proof: Some(corners.steps()),
            stop: found.stop,
        })
    }

    /// The rules with the largest price at the zero network, `β_max`, and whether it is exact.
    pub(super) fn first_rules(
        &self,
        data: &Dataset,
        source: Rules<'_>,
    ) -> Result<(Vec<Priced<Subnetwork>>, f64, bool), Error> {
        let nothing = PatternMatrix::new(data.distinct());
        let program = self.lasso(&nothing, data)?;
        let z = self.problem(data, program.beta()).dual_point(program.null_gradient());
        let constraints = self.terms.constraints;
        let (stop, before) = (self.budget.watching(|| source.work()), source.work());
        let ask = Ask { known: &[], threshold: 0.0, keep: source.keep() };
        let proof = Proof::of_rules(&z, source.corners, constraints, ask, &stop);
        let steps = self.budget.taken(before, source.work(), source.corners.steps());
        self.budget.count(steps as usize);
        let value = |p: &Priced<Subnetwork>| constraints.price(p.value);
        let exact = proof.price.bound == Bound::Exact;
        let beta_max = if exact {
            proof.price.value
        } else {
            proof.found.iter().map(value).fold(0.0, f64::max)
        };
        Ok((proof.found, beta_max, exact && program.beta_max_is_exact()))
    }
}
