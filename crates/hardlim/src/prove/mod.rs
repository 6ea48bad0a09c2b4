//! Proofs that other programs check: a folder with the statement in exact numbers, the encoded
//! table, the dual point and a proof of its price.
//!
//! ```text
//! L(f(X)) + β Σ|aⱼ| ≥ −L*(θz)   for every network f of the class, if |d·θz| ≤ β for its patterns
//! ```
//!
//! Everything is in integers, so that a checker needs no floating point. A price over neurons of
//! few inputs is proven by trees of cones (`cones`); other prices are so simple that a checker
//! computes them. `docs/proofs.md` is the format, and `check.py` beside this file is a checker.

mod cones;
mod number;
mod shares;
mod statement;
mod table;
mod tuning;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::certificate::{Bound, Certificate, NetworkClass, Problem};
use crate::certify::{Check, PartCheck};
use crate::data::{Dataset, TrainingSet};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::model::file::DraftFolder;
use crate::model::{Model, Part};
use crate::network::recipe::Recipe;
use crate::program::Constraints;
use crate::table::Table;
use cones::{Failure, Limits};
use number::{Ratio, power};
use shares::Scaled;
use statement::{ClassFields, NetworkFields, Statement, TableFields};
use table::{Atom, Atoms, Inputs};
use tuning::{MOST_BITS, MOST_COLUMNS, MOST_NODES, SHARE_BITS, SHRINK};

/// The checker that is part of every proof.
const CHECK: &str = include_str!("check.py");
const README: &str = include_str!("readme.md");

/// About which networks a proof is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Those of the class of the model's certificate.
    Class,
    /// All threshold networks of any width and depth.
    AllNetworks,
}

/// Where the rows of a proof stand in a table.
#[derive(Debug, Clone)]
pub struct Place {
    /// Whether its columns have names.
    pub named: bool,
    /// How many rows it has.
    pub rows: usize,
    /// The rows that are not part of the problem, from 0 and ascending.
    pub held_out: Vec<usize>,
}

/// A proof in memory: files, and what they prove.
#[derive(Debug)]
pub struct Proof {
    files: Vec<(String, String)>,
    /// What is proven: the bound as it stands in the proof.
    pub certificate: Certificate,
    /// The nodes of all trees.
    pub nodes: u64,
}

impl Proof {
    /// The files, each with its name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (&**name, &**text))
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }

    /// Fills a folder, which appears only when it is complete.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn fill(&self, draft: DraftFolder) -> Result<(), Error> {
        for (name, text) in self.files() {
            draft.add(name, text.as_bytes())?;
        }
        draft.finish()
    }
}

/// How a price is proven: the word in `core.txt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Axes,
    Corners,
    Cones(usize),
    Complete,
    Dictionary,
}

impl Model {
    /// Whether there is a proof of a certificate that other programs check.
    ///
    /// # Errors
    /// [`Error::NoProof`] says why there is none, and what is possible instead.
    pub fn provable(&self, about: About) -> Result<(), Error> {
        self.parts().iter().try_for_each(|part| self.kind(part, about).map(drop))
    }

    fn kind(&self, part: &Part, about: About) -> Result<Kind, Error> {
        let no = |why: &str| Err(Error::NoProof { why: why.into() });
        let setting = self.setting();
        if self.is_of_rows() {
            return no("the model was trained on rows in blocks");
        }
        if about == About::AllNetworks || part.certificate().bound() == Bound::Complete {
            return Ok(Kind::Complete);
        }
        if !part.certificate().class().policy.is_empty() {
            return no(
                "its class has directions or pairs of columns, which the checkers do not know",
            );
        }
        let columns = self.coding().dimension();
        match part.recipe() {
            recipe if recipe.has_two_conditions() && setting.bias => Ok(Kind::Corners),
            recipe if !recipe.widths().is_empty() => no("its class has more than two layers"),
            Recipe::Sample { .. } if setting.input_cost != 0.0 => no("neurons pay for inputs"),
            Recipe::Sample { .. } => Ok(Kind::Dictionary),
            recipe => match recipe.max_inputs().unwrap_or(columns).min(columns) {
                1 => Ok(Kind::Axes),
                _ if !setting.bias => no("its neurons have no bias"),
                _ if part.certificate().bound() == Bound::Search => {
                    no("the bound over its class is not exact")
                }
                inputs if inputs > MOST_COLUMNS => no(&format!(
                    "its neurons read {inputs} inputs, and trees are for {MOST_COLUMNS} at most"
                )),
                inputs => Ok(Kind::Cones(inputs)),
            },
        }
    }

    /// A proof of a certificate that other programs check. The certificate is checked first.
    /// `step` is told how many parts of the price are proven, and of how many.
    ///
    /// # Errors
    /// When there is no proof of this kind, the data are not those of the training, the model does
    /// not hold, or the proof would be too long.
    pub fn prove(
        &self,
        table: &Table,
        about: About,
        step: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Proof, Error> {
        let held_out = match self.split() {
            None => Vec::new(),
            Some(split) => {
                let target = self.coding().locate(table, self.coding().target().column())?;
                split.parts(table, target).1
            }
        };
        let kept: Vec<usize> =
            (0..table.rows()).filter(|i| held_out.binary_search(i).is_err()).collect();
        let set = TrainingSet::of_coding(self.coding().clone(), &table.select(&kept))?;
        let place = Place { named: table.named(), rows: table.rows(), held_out };
        self.prove_rows(&set, place, about, step)
    }

    /// The same for rows that were read already.
    ///
    /// # Errors
    /// As for [`Model::prove`].
    pub fn prove_rows(
        &self,
        set: &TrainingSet,
        place: Place,
        about: About,
        step: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Proof, Error> {
        self.provable(about)?;
        let check = self.certify(set.data())?;
        if let Some(reason) = check.reason() {
            return Err(Error::NotProven(reason.to_owned()));
        }
        let Check::SameData(checks) = &check else { return Err(Error::OtherData) };
        let inputs = Inputs::of(set.data().features());
        let sets = self.parts_of(set.data())?;
        let mut proof = Proof { files: Vec::new(), certificate: self.certificate(), nodes: 0 };
        let (mut networks, mut certificates) = (Vec::new(), Vec::new());
        for (k, (part, found)) in self.parts().iter().zip(checks).enumerate() {
            let work = Work { model: self, set, data: &sets[k], inputs: &inputs };
            let label = statement::label(self.coding().target(), k);
            let proven = work.prove(part, found, k, self.kind(part, about)?, about, step)?;
            let core = match self.parts().len() {
                1 => "core.txt".to_owned(),
                _ => format!("core-{}.txt", k + 1),
            };
            let numbers = [proven.certificate.lower_bound(), proven.certificate.objective()];
            let network = part.network();
            networks.push(NetworkFields::of(network, &inputs, core.clone(), label, numbers));
            proof.files.push((core, proven.core));
            proof.nodes += proven.nodes;
            certificates.push(proven.certificate);
        }
        proof.certificate = Certificate::sum(&certificates).expect("a model has a network");
        let class = proof.certificate.class().clone();
        let words = proof.certificate.networks();
        let statement = Statement {
            format: "hardlim-proof 1",
            claim: proof.certificate.claim(),
            problem: self.terms().to_string(),
            table: TableFields::of(self.coding(), place, label_weights(set), &inputs),
            class: ClassFields::of(&class, words),
            networks,
        };
        let text = serde_json::to_string_pretty(&statement).expect("texts and numbers") + "\n";
        proof.files.insert(0, ("statement.json".into(), text));
        proof.files.push(("check.py".into(), CHECK.into()));
        let readme = README.replace("CLAIM", &proof.certificate.claim());
        proof.files.push(("README.md".into(), readme));
        Ok(proof)
    }
}

/// What the weights of rows are multiplied by so that all classes weigh the same, label by label.
fn label_weights(set: &TrainingSet) -> Option<Vec<(String, f64)>> {
    let labels = set.coding().target().classes().filter(|_| set.coding().balanced())?;
    let ones = vec![1.0; set.y().len()];
    let factors = crate::table::coding::class_factors(set.y(), set.counts().unwrap_or(&ones));
    let of = |(k, label): (usize, &String)| {
        let y = set.coding().target().value_of(k);
        (label.clone(), factors.get(&y.to_bits()).copied().unwrap_or(0.0))
    };
    Some(labels.iter().enumerate().map(of).collect())
}

/// One network, and the data it was trained on.
struct Work<'a> {
    model: &'a Model,
    set: &'a TrainingSet,
    data: &'a Dataset,
    inputs: &'a Inputs,
}

struct Proven {
    core: String,
    certificate: Certificate,
    nodes: u64,
}

impl Work<'_> {
    fn prove(
        &self,
        part: &Part,
        found: &PartCheck,
        k: usize,
        kind: Kind,
        about: About,
        step: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Proven, Error> {
        let setting = self.model.setting();
        let mut problem = setting.problem(self.data.targets());
        if about == About::AllNetworks {
            problem.constraints.non_negative = false;
        }
        let (dual, price) = match (kind, found.price) {
            (Kind::Complete, _) | (_, None) => problem.complete_dual(),
            (_, Some(price)) => (problem.dual_point(part.dual().values().to_vec()), price),
        };
        let theta = dual.best(problem.loss, problem.targets, problem.beta, price.value).theta;
        let several = self.model.several_classes().is_some();
        let class = |y: f64| if several { if y == k as f64 { 1.0 } else { -1.0 } } else { y };
        let mut atoms = Atoms::of(self.data, self.set, class);
        let point = scaled(dual.values(), theta, problem.loss, &mut atoms)?;
        // The dual point may prove more than the model states: the price was computed again.
        let stated = match about {
            About::Class => part.certificate(),
            About::AllNetworks => part.global(),
        };
        let bound = shares::value(&atoms, *problem.loss, &point).min(stated.lower_bound());
        let mut core = header(&problem, &point, bound, setting.bias);
        let dictionary = match kind {
            Kind::Dictionary => part.recipe().dictionary(self.data, setting.bias, 0.0),
            _ => None,
        };
        let neurons = dictionary.map(|dictionary| dictionary.witnesses).unwrap_or_default();
        let class = match kind {
            Kind::Axes => "axes".to_owned(),
            Kind::Corners => "corners".into(),
            Kind::Cones(inputs) => format!("cones {inputs}"),
            Kind::Complete => "complete".into(),
            Kind::Dictionary => format!("dictionary {}", neurons.len()),
        };
        writeln!(core, "class {class}").expect("writing to a string");
        self.write_rows(&mut core, &atoms, &point);
        core.push_str("proof\n");
        for plane in &neurons {
            let terms: Vec<(usize, f64)> = plane.weights.iter().copied().enumerate().collect();
            core.push_str(&joined(self.inputs.weights(&terms, plane.bias)));
        }
        let mut nodes = 0;
        if let Kind::Cones(inputs) = kind {
            let most = shares::limit(problem.beta.get(), &point);
            let high = if problem.constraints.non_negative { i128::MAX / 4 } else { most };
            nodes = self.cones(inputs, &point.z, Limits { low: -most, high }, &mut core, step)?;
        }
        core.push_str("end\n");
        let objective = found.certificate.objective();
        let networks = match kind {
            Kind::Complete => NetworkClass::all(),
            _ => found.certificate.class().clone(),
        };
        let non_negative = problem.constraints.non_negative;
        let networks = NetworkClass { non_negative, ..networks };
        let certificate = Certificate::stated(objective, bound, price.bound, networks);
        Ok(Proven { core, certificate, nodes })
    }

    /// Scales, and the rows with their targets.
    fn write_rows(&self, core: &mut String, atoms: &Atoms, point: &Scaled) {
        let (rows, [y, s]) = (&self.inputs.rows, atoms.scales());
        writeln!(core, "columns {}", self.inputs.units.len()).expect("writing to a string");
        writeln!(core, "scale {y} {s} {}", power(point.bits)).expect("writing to a string");
        writeln!(core, "rows {}", rows.len()).expect("writing to a string");
        for ((x, z), own) in rows.iter().zip(&point.z).zip(&atoms.rows) {
            x.iter().for_each(|x| core.push_str(&format!("{x} ")));
            core.push_str(&format!("{z} {}", own.len()));
            for Atom { y, weight, share } in own {
                let y = number::whole(*y, atoms.target_grid);
                core.push_str(&format!(" {y} {weight} {share}"));
            }
            core.push('\n');
        }
    }

    /// The trees of all choices of columns.
    fn cones(
        &self,
        inputs: usize,
        z: &[i128],
        limits: Limits,
        core: &mut String,
        step: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<u64, Error> {
        let choices = choices(self.inputs.units.len(), inputs);
        let (nodes, done) = (AtomicU64::new(0), AtomicUsize::new(0));
        let trees = |columns: &Vec<usize>| {
            let rows = self.inputs.rows.iter().zip(z);
            let rows = rows.map(|(x, z)| (columns.iter().map(|&j| &x[j]).collect(), *z));
            let trees = cones::trees(rows, inputs, limits, &nodes);
            step(done.fetch_add(1, Ordering::Relaxed) + 1, choices.len());
            trees
        };
        let trees: Result<Vec<String>, Failure> = choices.par_iter().map(trees).collect();
        let trees = trees.map_err(|failure| match failure {
            Failure::TooLong => Error::ProofTooLong { nodes: MOST_NODES },
            Failure::Beyond => Error::NotProven("a pattern is beyond the stated price".into()),
        })?;
        for (columns, trees) in choices.iter().zip(trees) {
            core.push_str("c ");
            core.push_str(&joined(columns.iter().map(|j| j + 1)));
            core.push_str(&trees);
        }
        Ok(nodes.into_inner())
    }
}

/// A line of numbers.
fn joined<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    words.join(" ") + "\n"
}

/// The choices of `k` of `n` columns, in lexicographic order.
fn choices(n: usize, k: usize) -> Vec<Vec<usize>> {
    if k == 0 {
        return vec![Vec::new()];
    }
    let ending = |last: usize| {
        choices(last, k - 1).into_iter().map(move |mut choice| {
            choice.push(last);
            choice
        })
    };
    let mut all: Vec<Vec<usize>> = (0..n).flat_map(ending).collect();
    all.sort();
    all
}

/// The dual point in integers, with the shares of all targets. Where `θz` is at the border of the
/// domain, `θ` gets a little smaller.
fn scaled(z: &[f64], theta: f64, loss: &LossKind, atoms: &mut Atoms) -> Result<Scaled, Error> {
    // With θ = 0, the point is zero, whatever its direction.
    let z: Vec<f64> = z.iter().map(|z| if theta > 0.0 { *z } else { 0.0 }).collect();
    let theta = if z.iter().any(|z| *z != 0.0) { theta } else { 1.0 };
    let grid = -number::grid(z.iter().copied());
    let mut bits = grid;
    if atoms.rows.iter().any(|row| row.len() > 1) {
        // Fine enough for shares of the lightest target, whose slopes are near one.
        let lightest = atoms.rows.iter().flatten().map(|atom| atoms.weight(atom));
        let slope = theta / lightest.fold(1.0, f64::min);
        let wanted = SHARE_BITS + slope.max(1.0).log2().ceil() as i32;
        bits = wanted.clamp(grid, grid + MOST_BITS);
    }
    let whole = |z: &f64| i128::try_from(number::whole(*z, -bits)).ok();
    let too_fine = || Error::NotProven("its dual point is too fine for integers".into());
    let whole: Vec<i128> = z.iter().map(whole).collect::<Option<_>>().ok_or_else(too_fine)?;
    let mut point = Scaled { z: whole, bits, theta };
    for _ in 0..30 {
        if shares::split(atoms, *loss, &point) {
            return Ok(point);
        }
        point.theta *= 1.0 - SHRINK;
    }
    Err(Error::NotProven("its dual point is not in the domain of the loss".into()))
}

/// The first lines of `core.txt`.
fn header(problem: &Problem<'_, LossKind>, point: &Scaled, bound: f64, bias: bool) -> String {
    let parameter = match problem.loss {
        LossKind::Quantile(quantile) => quantile.tau(),
        LossKind::Huber(huber) => huber.threshold(),
        _ => 0.0,
    };
    let Constraints { non_negative, intercept } = problem.constraints;
    let name = problem.loss.name().replace('-', "_");
    let mut text = format!("hardlim-proof 1\nloss {name} {}\n", Ratio::of(parameter));
    for (name, value) in [("beta", problem.beta.get()), ("theta", point.theta), ("bound", bound)] {
        writeln!(text, "{name} {}", Ratio::of(value)).expect("writing to a string");
    }
    let flags = [("bias", bias), ("output_bias", intercept), ("non_negative", non_negative)];
    for (name, flag) in flags {
        writeln!(text, "{name} {}", u8::from(flag)).expect("writing to a string");
    }
    text
}
