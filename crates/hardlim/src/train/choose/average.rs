//! The mean of several networks, as one network with one certificate.
//!
//! The certificate speaks of all patterns that the networks drew, taken together. Its dual point
//! comes from the optimum over all of them, where solving that is cheap, or from the mean itself.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::candidate::Training;
use super::few::Few;
use super::{Chooser, solver};
use crate::arrangement::Dictionary;
use crate::certificate::{Ask, Bound, DualPoint, Price, Problem, Proof};
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::loss::{self, LossKind};
use crate::model::{Model, Part};
use crate::network::Network;
use crate::network::recipe::{self, Recipe};
use crate::pattern::PatternMatrix;
use crate::pricing::Prover;
use crate::program::Beta;
use crate::program::lasso::cost_of;
use crate::solver::Solution;
use crate::train::Trained;
use crate::train::listed::answer;
use crate::train::tuning::{COMPARED, EFFORT_OF_SEARCHED, KEPT};

/// The mean of networks, each on its own dictionary.
struct Mean<'a> {
    data: &'a Dataset,
    dictionaries: &'a [Dictionary],
    solutions: Vec<Solution>,
    betas: &'a [Beta],
}

impl Chooser<'_> {
    /// Trains on all rows, at the last of these strengths.
    pub(super) fn average(
        &self,
        set: &TrainingSet,
        dictionaries: &[Dictionary],
        recipe: Recipe,
        betas: &[Beta],
    ) -> Result<Trained, Error> {
        let beta = *betas.last().expect("the strength that was chosen");
        let setting = self.trainer.setting(beta);
        let sets = set.data().parts();
        let (mut parts, mut stops) = (Vec::new(), Vec::new());
        let mut whole = (0, 0.0);
        for (class, data) in sets.iter().enumerate() {
            let mean = self.mean(data, dictionaries, betas)?;
            stops.extend(mean.solutions.iter().map(|solution| solution.stop));
            let (networks, before) = self.networks(&mean, self.share(class, sets.len()))?;
            let network = self.of_its_way(networks);
            whole.0 += before.0;
            whole.1 += before.1;
            let (dual, price) = self.judge(&mean)?;
            parts.push(Part::measure(data, &setting, network, recipe.clone(), dual, price));
        }
        let left: usize = parts.iter().map(|part| part.network().neurons()).sum();
        let pruned = Some(whole).filter(|(neurons, _)| *neurons > left);
        let model = Model::new(set.coding().clone(), set.split(), setting, parts)?;
        let exact = self.trainer.lasso(&dictionaries[0].patterns, &sets[0])?.beta_max_is_exact();
        let patterns = dictionaries.iter().map(Dictionary::len).sum();
        Ok(Trained {
            pruned,
            averaged: Some(dictionaries.len()),
            ..Trained::plain(model, (beta.get(), exact), patterns, stops)
        })
    }

    /// The networks on these dictionaries, at the last of these strengths.
    fn mean<'a>(
        &self,
        data: &'a Dataset,
        dictionaries: &'a [Dictionary],
        betas: &'a [Beta],
    ) -> Result<Mean<'a>, Error> {
        let solve = |dictionary: &Dictionary| {
            let costs = self.costs(dictionary);
            self.follow(&dictionary.patterns, costs.as_deref(), data, betas, KEPT)
        };
        let solutions = dictionaries.par_iter().map(solve).collect::<Result<_, _>>()?;
        Ok(Mean { data, dictionaries, solutions, betas })
    }

    /// What the mean answers on these rows after pruning in each of the ways.
    pub(super) fn pruned_answers(
        &self,
        data: &Dataset,
        dictionaries: &[Dictionary],
        betas: &[Beta],
        most: Option<usize>,
        rows: &Features,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let mean = self.mean(data, dictionaries, betas)?;
        let (networks, _) = self.networks(&mean, most)?;
        Ok(networks.iter().map(|network| network.output(rows)).collect())
    }

    /// The most neurons of the network of a class, if the request limits those of all networks.
    pub(super) fn share(&self, class: usize, networks: usize) -> Option<usize> {
        let most = self.predictions.neurons?;
        Some(most / networks + usize::from(class < most % networks))
    }

    /// The optimum at the last of these strengths, searched from those before it.
    fn follow(
        &self,
        patterns: &PatternMatrix,
        costs: Option<&[f64]>,
        data: &Dataset,
        betas: &[Beta],
        tolerance: f64,
    ) -> Result<Solution, Error> {
        let program = self.program(patterns, costs, data, betas[0])?;
        let (budget, mut found) = (self.trainer.budget, None);
        solver(tolerance, budget).path(&program, betas.iter().copied(), |solution| {
            found = Some(solution);
            if budget.spent().is_some() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        let found = found.expect("one strength, one solution");
        if budget.spent().is_none() || found.coefficients.iter().any(|w| *w != 0.0) {
            return Ok(found);
        }
        // A first step is worth its time even if that is up.
        let beta = *betas.last().expect("the strength that was chosen");
        let solver = solver(tolerance, budget.for_the_end());
        Ok(Solution { stop: found.stop, ..solver.solve(&program.with_beta(beta)) })
    }

    /// The mean as one network, or one of at most `most` neurons for every way; and the mean's
    /// neurons and objective.
    fn networks(
        &self,
        mean: &Mean<'_>,
        most: Option<usize>,
    ) -> Result<(Vec<Network>, (usize, f64)), Error> {
        let Mean { data, dictionaries, solutions, .. } = mean;
        let part = mean.part();
        let (mut witnesses, mut amplitudes) = (Vec::new(), Vec::new());
        let mut patterns = PatternMatrix::new(data.distinct());
        for (dictionary, solution) in dictionaries.iter().zip(solutions) {
            let nonzero: Vec<usize> =
                (0..dictionary.len()).filter(|&j| solution.coefficients[j] != 0.0).collect();
            witnesses.extend(nonzero.iter().map(|&j| dictionary.witnesses[j].clone()));
            amplitudes.extend(nonzero.iter().map(|&j| part * solution.coefficients[j]));
            patterns.append(&dictionary.patterns.select(&nonzero));
        }
        let pool = Dictionary { patterns, witnesses };
        let costs = self.costs(&pool);
        let paid = amplitudes.iter().enumerate().map(|(j, a)| cost_of(costs.as_deref(), j) * a);
        let paid: Vec<f64> = paid.collect();
        let mut output = pool.patterns.combine(amplitudes.iter().copied().enumerate());
        output.iter_mut().for_each(|u| *u += mean.offset());
        let problem = self.problem(mean);
        let objective = problem.objective(&output, paid);
        let before = (amplitudes.len(), objective);
        let columns = (0..amplitudes.len()).collect();
        let all = Few { columns, amplitudes, offset: mean.offset() };
        let networks = match most {
            Some(most) => self.few(data, (&pool, &all), problem.beta, most, None)?,
            None => vec![all.network(&pool, data.dimension())?],
        };
        Ok((networks, before))
    }

    pub(super) fn of_its_way(&self, mut networks: Vec<Network>) -> Network {
        networks.swap_remove(self.way % networks.len())
    }

    fn problem<'a>(&'a self, mean: &Mean<'a>) -> Problem<'a, LossKind> {
        self.trainer.problem(mean.data, *mean.betas.last().expect("the strength that was chosen"))
    }

    /// The best dual point at hand, with its price over all patterns in scope.
    fn judge(&self, mean: &Mean<'_>) -> Result<(DualPoint, Price), Error> {
        let (dual, value) = self.best_dual(mean)?;
        let Training::Searched(_) = self.candidate.training else {
            return Ok((dual, Price { value, bound: Bound::Dictionary }));
        };
        // Patterns that were searched for are not drawn again: the bound speaks of all patterns.
        let problem = self.problem(mean);
        let (complete, largest) = problem.complete_dual();
        if self.trainer.budget.spent().is_some() {
            return Ok((complete, largest));
        }
        let arrangement = recipe::arrangement(mean.data, self.trainer.terms.bias);
        let prover = Prover::new(arrangement, None, EFFORT_OF_SEARCHED)?;
        let ask = Ask::beyond(problem.beta);
        let spent = || self.trainer.budget.spent().is_some();
        let price = Proof::of(&dual, &prover, problem.constraints, ask, &spent).price;
        let bound = |dual: &DualPoint, price: Price| problem.lower_bound(dual, price.value);
        // A proof that was cut short cannot be repeated.
        let better = !spent() && bound(&dual, price) > bound(&complete, largest);
        Ok(if better { (dual, price) } else { (complete, largest) })
    }

    /// The best dual point at hand, with its price over the patterns of all networks.
    fn best_dual(&self, mean: &Mean<'_>) -> Result<(DualPoint, f64), Error> {
        let problem = self.problem(mean);
        let price = |dual: &DualPoint| {
            let one = |d: &Dictionary| {
                let costs = self.costs(d);
                dual.price(&d.patterns, problem.constraints, costs.as_deref())
            };
            mean.dictionaries.par_iter().map(one).reduce(|| 0.0, f64::max)
        };
        if let [solution] = &mean.solutions[..] {
            return Ok((solution.dual.clone(), price(&solution.dual)));
        }
        let gradient = loss::least_gradient(problem.loss, problem.targets, &mean.output());
        let dual = problem.dual_point(gradient);
        let mut best = (price(&dual), dual);
        if self.counts.may_join(mean.dictionaries.len()) && self.trainer.budget.spent().is_none() {
            let mut all = PatternMatrix::new(mean.data.distinct());
            mean.dictionaries.iter().for_each(|dictionary| all.append(&dictionary.patterns));
            let costs: Option<Vec<Vec<f64>>> =
                mean.dictionaries.iter().map(|dictionary| self.costs(dictionary)).collect();
            let costs = costs.map(|costs| costs.concat());
            let dual = self.follow(&all, costs.as_deref(), mean.data, mean.betas, COMPARED)?.dual;
            let optimal = (price(&dual), dual);
            let bound = |(price, dual): &(f64, DualPoint)| problem.lower_bound(dual, *price);
            if bound(&optimal) > bound(&best) {
                best = optimal;
            }
        }
        Ok((best.1, best.0))
    }
}

impl Mean<'_> {
    fn part(&self) -> f64 {
        1.0 / self.solutions.len() as f64
    }

    fn offset(&self) -> f64 {
        self.part() * self.solutions.iter().map(|solution| solution.offset).sum::<f64>()
    }

    fn output(&self) -> Vec<f64> {
        let mut output = vec![0.0; self.data.distinct()];
        for (dictionary, solution) in self.dictionaries.iter().zip(&self.solutions) {
            let one = answer(&dictionary.patterns, solution);
            output.iter_mut().zip(one).for_each(|(u, v)| *u += self.part() * v);
        }
        output
    }
}
