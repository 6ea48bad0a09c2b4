//! The formulas of all wires of a net, put together, are the circuit's.
//!
//! In a pipelined net all wires that meet are at the same clock, so that the answer of an input is made
//! of that input alone.

use super::super::algebra::{Algebra, Form};
use super::super::answer::Answer;
use super::super::circuit::Circuit;
use super::build::Built;
use super::net::{Kind, Net, Node, Wire, all_values, looked_up};

/// What a wire means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning {
    Value(Form),
    /// The largest of these sums, or its index; the first one if there are ties.
    Largest(Vec<usize>),
    Index(Vec<usize>),
}

/// Why a net does not compute its circuit; `None` if it does.
pub(super) fn difference(circuit: &Circuit, built: &Built) -> Option<String> {
    let mut algebra = Algebra::default();
    let sums = algebra.sums(circuit);
    let mut meanings: Vec<Option<Meaning>> = Vec::new();
    for (wire, node) in built.net.nodes.iter().enumerate() {
        if let Some(problem) = clock(&built.net, wire) {
            return Some(problem);
        }
        let meaning = meaning(&mut algebra, circuit, &sums, &built.net, &meanings, &node.kind);
        // The range of a formula may be wider, since its parts may depend on each other. Of digits it is
        // not, and the lemmas rest on it.
        if let (Kind::Inverted(_), Some(Meaning::Value(form))) = (&node.kind, &meaning) {
            let (least, most) = algebra.range(form);
            if least < node.least.into() || most > node.most.into() {
                return Some(format!("{} has a wider range", node.name));
            }
        }
        meanings.push(meaning);
    }
    let value = |wire: Wire| meanings[wire].clone();
    for (s, (&wire, sum)) in built.sums.iter().zip(&sums).enumerate() {
        if value(wire) != Some(Meaning::Value(sum.clone())) {
            return Some(format!("sum {s} has another formula"));
        }
    }
    let class = built.class.map(value);
    let expected = match &circuit.answer {
        Answer::Number => None,
        Answer::Sign(_) => Some(Some(Meaning::Value(algebra.test(&sums[0])))),
        Answer::Largest(_) => {
            class.clone().filter(|class| is_largest(class.as_ref(), &algebra, &sums))
        }
    };
    (class != expected).then(|| "the class has another formula".to_owned())
}

/// Whether a meaning is the index of the largest of all sums. A sum may be left out if its range says that
/// another one wins.
fn is_largest(class: Option<&Meaning>, algebra: &Algebra, sums: &[Form]) -> bool {
    let compared = match class {
        Some(Meaning::Index(compared)) => compared.clone(),
        Some(Meaning::Value(form)) => form.known().map(|c| c as usize).into_iter().collect(),
        _ => return false,
    };
    let range = |c: usize| algebra.range(&sums[c]);
    let wins = |best: usize, c: usize| range(c).1 < range(best).0 + i128::from(best < c);
    (0..sums.len()).all(|c| compared.contains(&c) || compared.iter().any(|&best| wins(best, c)))
}

/// What is wrong with the clock of a wire.
fn clock(net: &Net, wire: Wire) -> Option<String> {
    let node = &net.nodes[wire];
    let constant = |w: &Wire| matches!(net.nodes[*w].kind, Kind::Constant(_));
    let late = usize::from(matches!(node.kind, Kind::Register(_)));
    let wrong = (node.kind.operands().iter())
        .any(|w| !constant(w) && net.nodes[*w].time.0 + late != node.time.0);
    wrong.then(|| format!("{} reads wires of another clock", node.name))
}

fn meaning(
    algebra: &mut Algebra,
    circuit: &Circuit,
    sums: &[Form],
    net: &Net,
    meanings: &[Option<Meaning>],
    kind: &Kind,
) -> Option<Meaning> {
    let form = |wire: Wire| match meanings[wire].as_ref()? {
        Meaning::Value(form) => Some(form.clone()),
        _ => None,
    };
    Some(Meaning::Value(match kind {
        Kind::Input(j) => {
            let input = &circuit.inputs[*j];
            algebra.input(*j, input.least, input.most)
        }
        Kind::Constant(value) => Form::constant((*value).into()),
        Kind::Not(of) if net.nodes[*of].signed() || net.nodes[*of].most > 1 => {
            Form::constant(-1).minus(&form(*of)?)
        }
        Kind::Not(of) => Form::constant(1).minus(&form(*of)?),
        Kind::Mask { bit: of, k } | Kind::Product { of, k } => form(*of)?.times((*k).into()),
        Kind::Sum(wires) => {
            let mut sum = Form::default();
            for &wire in wires {
                sum = sum.plus(&form(wire)?);
            }
            sum
        }
        Kind::AtLeast { of, threshold } => {
            algebra.test(&form(*of)?.minus(&Form::constant((*threshold).into())))
        }
        Kind::Table { of, constant, tests } => {
            let mut sum = Form::constant((*constant).into());
            for test in tests {
                let mut inner = Form::constant(test.bias.into());
                for &(j, k) in &test.terms {
                    inner = inner.plus(&form(of[j])?.times(k.into()));
                }
                sum = sum.plus(&algebra.test(&inner).times(test.amplitude.into()));
            }
            let ranges: Vec<(i64, i64)> = of.iter().map(|&w| net.range(w)).collect();
            let values = || all_values(&ranges).map(|v| looked_up(*constant, tests, &v));
            let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
            algebra.know(&sum, (least.into(), most.into()));
            sum
        }
        Kind::Bit { of, place } => {
            let Node { least, most, .. } = net.nodes[*of];
            bit(algebra, form(*of)?, (least.into(), most.into()), *place)
        }
        Kind::Inverted(bits) => {
            let mut sum = Form::default();
            for &bit in bits.iter().rev() {
                sum = sum.times(2).plus(&form(bit)?);
            }
            Form::constant((1 << bits.len()) - 1).minus(&sum)
        }
        Kind::Register(of) => return meanings[*of].clone(),
        Kind::Greater(..) => return None,
        Kind::Choose { on, yes, no } => {
            let Kind::Greater(b, a) = net.nodes[*on].kind else { return None };
            return choice(sums, meanings, [a, b], [*no, *yes]);
        }
    }))
}

/// A bit of a number within a range that is not negative: of two values of the higher bits a test says which, and if
/// there are more, the highest bits are subtracted.
fn bit(algebra: &mut Algebra, mut number: Form, range: (i128, i128), place: u32) -> Form {
    let (mut least, mut most) = range;
    loop {
        let unit = 1i128 << place;
        let (first, last) = (least / unit, most / unit);
        if last - first <= 1 && place > 0 {
            let higher = algebra.test(&number.minus(&Form::constant((first + 1) * unit)));
            return match first % 2 {
                0 => higher,
                _ => Form::constant(1).minus(&higher),
            };
        }
        if most <= 1 {
            return number;
        }
        let half = 1i128 << most.ilog2();
        let highest = algebra.test(&number.minus(&Form::constant(half)));
        number = number.minus(&highest.times(half));
        (least, most) = (0, half - 1);
    }
}

/// The larger of two values, or its index.
fn choice(
    sums: &[Form],
    meanings: &[Option<Meaning>],
    compared: [Wire; 2],
    chosen: [Wire; 2],
) -> Option<Meaning> {
    let group = |wire: Wire| match meanings[wire].as_ref()? {
        Meaning::Largest(of) => Some(vec![of.clone()]),
        Meaning::Value(form) => {
            Some((0..sums.len()).filter(|&c| sums[c] == *form).map(|c| vec![c]).collect())
        }
        Meaning::Index(_) => None,
    };
    let index = |wire: Wire| match meanings[wire].as_ref()? {
        Meaning::Index(of) => Some(of.clone()),
        Meaning::Value(form) => form.known().map(|c| vec![c as usize]),
        Meaning::Largest(_) => None,
    };
    let (left, right): (Vec<Vec<usize>>, _) = (group(compared[0])?, group(compared[1])?);
    for first in &left {
        for second in right.iter().filter(|second| first.iter().max() < second.iter().min()) {
            let both = [first.clone(), second.clone()].concat();
            if chosen == compared {
                return Some(Meaning::Largest(both));
            }
            if (index(chosen[0]).as_ref(), index(chosen[1]).as_ref()) == (Some(first), Some(second))
            {
                return Some(Meaning::Index(both));
            }
        }
    }
    None
}
