//! What the wires of a module are said to stand for, put together, is the network.
//!
//! In a pipelined module all wires that meet are at the same clock, so that the answer to an input
//! is made of that input alone.

use hardlim::export::{Answer, Circuit};

use super::claims::{Claims, Formula, Sum, Term};
use crate::algebra::{Algebra, Form};

#[derive(Debug, Clone, PartialEq)]
enum Meaning {
    Value(Form),
    /// The largest of these sums, or its index; the first one if there are ties.
    Largest(Vec<usize>),
    Index(Vec<usize>),
    /// Something else, such as a comparison of sums.
    Other,
}

/// The number of clocks between inputs and outputs, if they depend on inputs.
///
/// # Errors
/// When it is not clear that the claims together give the circuit, with the reason.
pub(super) fn latency(circuit: &Circuit, claims: &Claims) -> Result<Option<usize>, String> {
    ranges(circuit, claims)?;
    let mut algebra = Algebra::default();
    let sums = algebra.sums(circuit);
    let mut meanings = Vec::new();
    for claim in &claims.wires {
        meanings.push(meaning(&mut algebra, circuit, claims, &meanings, &sums, &claim.formula));
    }
    let outputs: Vec<Meaning> = (claims.outputs.iter())
        .map(|(_, sum)| of_sum(&mut algebra, claims, &meanings, sum))
        .collect();
    let class = usize::from(circuit.answer != Answer::Number);
    if outputs.len() != sums.len() + class {
        return Err("it has other outputs".into());
    }
    for (s, sum) in sums.iter().enumerate() {
        if outputs[s] != Meaning::Value(sum.clone()) {
            return Err(format!("sum {s} has another formula"));
        }
    }
    let same = match (&circuit.answer, outputs.last()) {
        (Answer::Number, _) => true,
        (Answer::Sign(_), class) => class == Some(&Meaning::Value(algebra.test(&sums[0]))),
        (Answer::Largest(_), class) => {
            class.is_some_and(|class| is_largest(class, &algebra, &sums))
        }
    };
    if !same {
        return Err("the class has another formula".into());
    }
    clocks(claims)
}

/// The value of a sum, with the formulas of what it reads.
fn value(algebra: &mut Algebra, claims: &Claims, meanings: &[Meaning], sum: &Sum) -> Option<Form> {
    let mut found = Form::constant(sum.constant);
    for (k, term) in &sum.terms {
        let form = match term {
            Term::Test(inner) => {
                let inner = value(algebra, claims, meanings, inner)?;
                algebra.test(&inner)
            }
            Term::Wire(wire) | Term::Bit(wire, _) => {
                let Meaning::Value(form) = &meanings[*wire] else { return None };
                match term {
                    Term::Bit(_, place) => {
                        bit(algebra, form.clone(), claims.wires[*wire].range, *place)
                    }
                    _ => form.clone(),
                }
            }
        };
        found = found.plus(&form.times(*k));
    }
    Some(found)
}

/// A bit of a number within a range that is not negative: of two values of the higher bits a test
/// says which, and if there are more, the highest bits are subtracted.
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

/// The same of a wire that may stand for the largest sum.
fn of_sum(algebra: &mut Algebra, claims: &Claims, meanings: &[Meaning], sum: &Sum) -> Meaning {
    match sum.wire() {
        Some(wire) => meanings[wire].clone(),
        None => value(algebra, claims, meanings, sum).map_or(Meaning::Other, Meaning::Value),
    }
}

fn meaning(
    algebra: &mut Algebra,
    circuit: &Circuit,
    claims: &Claims,
    meanings: &[Meaning],
    sums: &[Form],
    formula: &Formula,
) -> Meaning {
    match formula {
        Formula::Port(j) | Formula::Bounded(j) => {
            let input = &circuit.inputs[*j];
            Meaning::Value(algebra.input(*j, input.least, input.most))
        }
        Formula::Sum(sum) | Formula::Register(sum) => of_sum(algebra, claims, meanings, sum),
        Formula::Choose([on, yes, no]) => {
            let parts = [yes, no].map(|sum| of_sum(algebra, claims, meanings, sum));
            let compared = on.wire().and_then(|on| compared(claims, on));
            let Some([larger, other]) = compared else { return Meaning::Other };
            let values = *yes == larger && *no == other;
            let both = [other, larger].map(|sum| of_sum(algebra, claims, meanings, &sum));
            choice(sums, &both, parts, values)
        }
    }
}

/// What a wire compares that says `a > b`, as `[a, b]`.
fn compared(claims: &Claims, on: usize) -> Option<[Sum; 2]> {
    let Formula::Sum(Sum { constant: 0, terms }) = &claims.wires[on].formula else { return None };
    let [(1, Term::Test(Sum { constant, terms }))] = &terms[..] else { return None };
    let wire = |wire: &Term| Sum { constant: 0, terms: vec![(1, wire.clone())] };
    let known = |constant| Sum { constant, terms: Vec::new() };
    // A sum without neurons is a number, which is a part of the constant.
    match &terms[..] {
        [(1, a @ Term::Wire(_)), (-1, b @ Term::Wire(_))] if *constant == -1 => {
            Some([wire(a), wire(b)])
        }
        [(1, a @ Term::Wire(_))] => Some([wire(a), known(-1 - constant)]),
        [(-1, b @ Term::Wire(_))] => Some([known(constant.checked_add(1)?), wire(b)]),
        _ => None,
    }
}

/// The larger of two values, or its index; the first of the two if they are equal.
fn choice(
    sums: &[Form],
    [first, second]: &[Meaning; 2],
    [yes, no]: [Meaning; 2],
    values: bool,
) -> Meaning {
    let groups = |meaning: &Meaning| match meaning {
        Meaning::Largest(of) => vec![of.clone()],
        Meaning::Value(form) => {
            (0..sums.len()).filter(|&c| sums[c] == *form).map(|c| vec![c]).collect()
        }
        Meaning::Index(_) | Meaning::Other => Vec::new(),
    };
    let index = |meaning: &Meaning| match meaning {
        Meaning::Index(of) => Some(of.clone()),
        Meaning::Value(form) => form.known().map(|c| vec![c as usize]),
        Meaning::Largest(_) | Meaning::Other => None,
    };
    let right: Vec<Vec<usize>> = groups(second);
    for left in groups(first) {
        for right in right.iter().filter(|right| left.iter().max() < right.iter().min()) {
            let both = [left.clone(), right.clone()].concat();
            if values {
                return Meaning::Largest(both);
            }
            if (index(&no).as_ref(), index(&yes).as_ref()) == (Some(&left), Some(right)) {
                return Meaning::Index(both);
            }
        }
    }
    Meaning::Other
}

/// Whether a meaning is the index of the largest of all sums. A sum may be left out if its range
/// says that another one wins.
fn is_largest(class: &Meaning, algebra: &Algebra, sums: &[Form]) -> bool {
    let compared = match class {
        Meaning::Index(compared) => compared.clone(),
        Meaning::Value(form) => form.known().map(|c| c as usize).into_iter().collect(),
        Meaning::Largest(_) | Meaning::Other => return false,
    };
    let range = |c: usize| algebra.range(&sums[c]);
    let wins = |best: usize, c: usize| range(c).1 < range(best).0 + i128::from(best < c);
    (0..sums.len()).all(|c| compared.contains(&c) || compared.iter().any(|&best| wins(best, c)))
}

/// The range of a sum of wires follows from those of the wires, where digits depend on each other
/// too. What a solver proves may rest on it.
fn ranges(circuit: &Circuit, claims: &Claims) -> Result<(), String> {
    let mut algebra = Algebra::default();
    let mut meanings: Vec<Meaning> = Vec::new();
    for claim in &claims.wires {
        let linear = match &claim.formula {
            Formula::Sum(sum) | Formula::Register(sum) if !sum.has_tests() => {
                value(&mut algebra, claims, &meanings, sum)
            }
            Formula::Port(j) => {
                let input = &circuit.inputs[*j];
                Some(algebra.input(*j, input.least, input.most))
            }
            _ => None,
        };
        // Other wires are proven to be within their ranges one by one.
        let form = linear.unwrap_or_else(|| algebra.opaque(claim.range));
        let (mut least, mut most) = algebra.range(&form);
        // It is also within what its parts give one by one.
        if let Formula::Sum(sum) | Formula::Register(sum) = &claim.formula
            && let Some(apart) = claims.range(sum)
        {
            (least, most) = (least.max(apart.0), most.min(apart.1));
        }
        if least < claim.range.0 || most > claim.range.1 {
            return Err(format!("{} may have a wider range", claim.name));
        }
        meanings.push(Meaning::Value(form));
    }
    Ok(())
}

/// The clock at which the outputs answer to an input of clock 0.
fn clocks(claims: &Claims) -> Result<Option<usize>, String> {
    let mut clocks: Vec<Option<usize>> = Vec::new();
    let meet = |clocks: &[Option<usize>], sums: &[Sum], name: &str| {
        let mut read = sums.iter().flat_map(Sum::wires).filter_map(|wire| clocks[wire]);
        let first = read.next();
        if read.all(|clock| Some(clock) == first) {
            Ok(first)
        } else {
            Err(format!("{name} reads wires of another clock"))
        }
    };
    for claim in &claims.wires {
        let clock = meet(&clocks, claim.formula.sums(), &claim.name)?;
        clocks.push(match claim.formula {
            Formula::Port(_) | Formula::Bounded(_) => Some(0),
            Formula::Register(_) => clock.map(|clock| clock + 1),
            _ => clock,
        });
    }
    let outputs: Vec<Sum> = claims.outputs.iter().map(|(_, sum)| sum.clone()).collect();
    meet(&clocks, &outputs, "the answer")
}
