//! What a written module computes, on every input at once.
//!
//! The text is read back and run with formulas in place of numbers, by the rules of Verilog on widths and signs: one
//! pass for the combinational module; clock by clock for the pipelined and the serial one, from any state, so that
//! an answer follows from its own input alone. In the end the ports must have the formulas of
//! the circuit. The bounds of an input are looked at piece by piece, for several widths of the bus.
//!
//! Nothing here asks how a module was made, with one exception: a wire that is looked up is said to be a sum of tests,
//! and that is compared on all values of what it reads.

mod bits;
mod machine;
mod syntax;

use std::collections::HashMap;
use std::rc::Rc;

use super::super::algebra::{Algebra, Form};
use super::super::answer::Answer;
use super::super::circuit::Input;
use super::build::{Built, is_number};
use super::net::{Kind, Net, Wire, all_values, looked_up};
use super::ports::{Output, Ports};
use super::{serial, stated};
use bits::Bits;
use machine::{Machine, Read, Table};
use syntax::{Direction, Expression, Item, Module};

/// Which of the modules of a circuit.
#[derive(Debug, Clone, Copy)]
pub(super) enum Clocked<'a> {
    /// Combinational, from this net.
    No(&'a Built),
    /// An input each clock, from this net.
    Pipelined(&'a Built),
    /// A term each clock.
    Serial,
}

/// Whether the text of a module computes a circuit on every input, after as many clocks as it says: `None` if it does,
/// or what differs.
///
/// # Errors
/// When that cannot be decided, with the reason.
pub(super) fn prove(
    ports: &Ports<'_>,
    name: &str,
    text: &str,
    clocked: Clocked<'_>,
) -> Result<Option<String>, String> {
    let module = Module::read(text)?;
    if module.name != name {
        return Err(format!("the module is {}, not {name}", module.name));
    }
    let mut algebra = Algebra::default();
    let sums = algebra.sums(ports.circuit);
    let mut machine = Machine::new(&module, algebra);
    signature(&mut machine, ports, clocked)?;
    let bounded = ports.bounded();
    if module.reads_beyond("WIDTH", &bounded) {
        return Err("WIDTH is read beyond the bounds of inputs".into());
    }
    for (j, name) in bounded.iter().enumerate() {
        if !is_number(&ports.circuit.inputs[j]) || !module.signals.contains_key(name) {
            continue; // a bit has no bounds, and what is not read needs none
        }
        let driver = module.items.iter().find_map(|item| match item {
            Item::Drive { name: own, place: None, value } if own == name => Some(value),
            _ => None,
        });
        let driver = driver.ok_or_else(|| format!("nothing drives {name}"))?;
        bounds(&module, ports, j, driver).map_err(|why| format!("{name}: {why}"))?;
    }
    let of = Of { ports, sums, bounded };
    let clocks = match clocked {
        Clocked::No(_) => None,
        Clocked::Pipelined(built) => Some(built.latency),
        Clocked::Serial => Some(serial::clocks(ports.circuit)),
    };
    if let Some(clocks) = clocks.filter(|&clocks| !text.contains(&stated(clocks))) {
        return Ok(Some(format!("its comment does not say that it {}", stated(clocks))));
    }
    match clocked {
        Clocked::No(built) => {
            machine.tables = Rc::new(tables(&module, built)?);
            of.give(&mut machine, true)?;
            machine.settle()?;
            of.difference(&mut machine)
        }
        Clocked::Pipelined(built) => {
            machine.tables = Rc::new(tables(&module, built)?);
            of.pipelined(&mut machine, built.latency)
        }
        Clocked::Serial => of.serial(&mut machine),
    }
}

/// The ports are those of the circuit, with its widths and signs, and no others.
fn signature(
    machine: &mut Machine<'_>,
    ports: &Ports<'_>,
    clocked: Clocked<'_>,
) -> Result<(), String> {
    use Direction::{Input, Output};
    let inputs = ports.circuit.inputs.iter().zip(&ports.inputs);
    let inputs = inputs.map(|(i, name)| (name.as_str(), Input, i.least < 0, i.bits()));
    let outputs = ports.outputs.iter().map(|o| (o.name.as_str(), Output, o.signed, o.bits));
    let (gate, ready) = match clocked {
        Clocked::No(_) => (0, 0),
        Clocked::Pipelined(_) => (4, 0),
        Clocked::Serial => (4, 1),
    };
    let clocks = [("clk", Input), ("reset", Input), ("valid_in", Input), ("valid_out", Output)];
    let clocks = clocks.into_iter().take(gate).chain([("ready", Output)].into_iter().take(ready));
    let all: Vec<_> = clocks.map(|(name, direction)| (name, direction, false, 1)).collect();
    let all: Vec<_> = all.into_iter().chain(inputs).chain(outputs).collect();
    if machine.module.ports.len() != all.len() {
        return Err("there are other ports".into());
    }
    for (name, direction, signed, bits) in all {
        let signal =
            machine.module.signals.get(name).ok_or_else(|| format!("there is no port {name}"))?;
        let same = signal.direction == direction && signal.signed == signed;
        if !same || machine.bits(name)? != bits {
            return Err(format!("the port {name} has another type"));
        }
    }
    Ok(())
}

/// The statement that limits an input gives the nearest value within the bounds, on the bus as it is, one that is a bit
/// wider, and one of 64 bits.
fn bounds(module: &Module, ports: &Ports<'_>, j: usize, value: &Expression) -> Result<(), String> {
    let (input, port, bounded) = (&ports.circuit.inputs[j], &ports.inputs[j], &ports.bounded()[j]);
    let own = ports.number_bits.expect("it is a number");
    for width in [own, own + 1, own.max(64)] {
        let bits = width - (own - input.bits());
        let (low, high) = match input.least < 0 {
            true => (-1i128 << (bits - 1), 1i128 << (bits - 1)),
            false => (0, 1i128 << bits),
        };
        let (least, most) = (i128::from(input.least), i128::from(input.most));
        let mut cuts = [low, least, 0, most + 1, high].map(|cut| cut.clamp(low, high));
        cuts.sort_unstable();
        for piece in cuts.windows(2).filter(|piece| piece[0] < piece[1]) {
            let range = (piece[0], piece[1] - 1);
            let mut algebra = Algebra::default();
            let x = algebra.opaque(range);
            let mut machine = Machine::new(module, algebra);
            machine.width = Some(width);
            let given = Bits::of(&machine.algebra, x.clone(), None, bits);
            machine.given.insert(port.clone(), Some(given));
            let found = machine.assigned(bounded, value)?;
            machine.given.insert(bounded.clone(), found);
            let found = machine.number(bounded)?.ok_or("it is unknown")?;
            let expected = match () {
                () if range.1 < least => Form::constant(least),
                () if range.0 > most => Form::constant(most),
                () => x,
            };
            if *found.form != expected {
                let (from, to) = range;
                return Err(format!(
                    "inputs from {from} to {to} are not limited to {least}..{most}"
                ));
            }
        }
    }
    Ok(())
}

/// What wires look up, compared on all values of what they read.
fn tables(module: &Module, built: &Built) -> Result<HashMap<String, Table>, String> {
    let mut tables = HashMap::new();
    for node in &built.net.nodes {
        let Kind::Table { of, constant, tests } = &node.kind else { continue };
        // A wire that is read twice has one value.
        let mut wires = of.clone();
        wires.sort_unstable();
        wires.dedup();
        let read: Vec<(Read, (i64, i64))> = wires.iter().map(|&w| read(&built.net, w)).collect();
        let ranges: Vec<(i64, i64)> = read.iter().map(|(_, range)| *range).collect();
        let place = |wire: &Wire| wires.binary_search(wire).expect("it is read");
        let places: Vec<usize> = of.iter().map(place).collect();
        let mut range = (i128::MAX, i128::MIN);
        for values in all_values(&ranges) {
            let mut machine = Machine::new(module, Algebra::default());
            for ((of, _), &value) in read.iter().zip(&values) {
                machine.give(of, value)?;
            }
            let values: Vec<i64> = places.iter().map(|&at| values[at]).collect();
            let (mut found, mut driven) = (0, 0);
            for item in &module.items {
                let Item::Drive { name, place: Some(place), value } = item else { continue };
                if *name == node.name {
                    let place = machine.place(place)?;
                    if place >= machine.bits(name)?.min(64) {
                        return Err(format!("{name} has no bit {place}"));
                    }
                    found |= (machine.constant(value)? & 1) << place;
                    driven += 1;
                }
            }
            if driven == 0 {
                // A table of one bit.
                for item in &module.items {
                    let Item::Drive { name, place: None, value } = item else { continue };
                    if *name == node.name {
                        found = machine.constant(value)? & 1;
                        driven = 1;
                    }
                }
            }
            let expected = i128::from(looked_up(*constant, tests, &values));
            if found != expected || driven != machine.bits(&node.name)? {
                return Err(format!("{} has {found} where {expected} is looked up", node.name));
            }
            range = (range.0.min(expected), range.1.max(expected));
        }
        let of = places.iter().map(|&at| read[at].clone()).collect();
        let (constant, tests) = (*constant, tests.clone());
        tables.insert(node.name.clone(), Table { of, constant, tests, range });
    }
    Ok(tables)
}

/// A wire as a table reads it, and its range.
fn read(net: &Net, wire: Wire) -> (Read, (i64, i64)) {
    let node = &net.nodes[wire];
    let (of, place) = match node.kind {
        Kind::Bit { of, place } => (&net.nodes[of], Some(place)),
        _ => (node, None),
    };
    (Read { name: of.name.clone(), place }, (node.least, node.most))
}

/// What a module has to compute.
struct Of<'a> {
    ports: &'a Ports<'a>,
    sums: Vec<Form>,
    bounded: Vec<String>,
}

impl Of<'_> {
    /// Gives the inputs, within their bounds, or leaves them unknown.
    fn give(&self, machine: &mut Machine<'_>, known: bool) -> Result<(), String> {
        for (j, (input, name)) in self.ports.circuit.inputs.iter().zip(&self.bounded).enumerate() {
            let Input { least, most, .. } = *input;
            if !machine.module.signals.contains_key(name) {
                continue; // it is not read
            }
            let bits = machine.bits(name)?;
            let form = machine.algebra.input(j, least, most);
            let found = known.then(|| Bits::of(&machine.algebra, form, None, bits));
            machine.given.insert(name.clone(), found);
        }
        Ok(())
    }

    /// What differs at the outputs.
    fn difference(&self, machine: &mut Machine<'_>) -> Result<Option<String>, String> {
        for (s, (output, sum)) in self.ports.outputs.iter().zip(&self.sums).enumerate() {
            if *number(machine, &output.name)? != *sum {
                return Ok(Some(format!("sum {s} has another formula")));
            }
        }
        let Some(class) = self.ports.outputs.get(self.sums.len()) else { return Ok(None) };
        let class = number(machine, &class.name)?;
        let same = match self.ports.circuit.answer {
            Answer::Number => true,
            Answer::Sign(_) => *class == machine.algebra.test(&self.sums[0]),
            Answer::Largest(_) => self.is_largest(machine, &class),
        };
        Ok((!same).then(|| "the class has another formula".to_owned()))
    }

    /// An input among others, in any state: `latency` clocks later the answer is there, and `valid_out` is the
    /// `valid_in` of that input. A reset takes back all that were valid.
    ///
    /// An input is given at one clock only, so an output that depends on it and is known is that many registers away.
    fn pipelined(
        &self,
        machine: &mut Machine<'_>,
        latency: usize,
    ) -> Result<Option<String>, String> {
        let named = machine.constant(&Expression::Name("LATENCY".into()))?;
        if named != latency as i128 {
            return Ok(Some(format!("LATENCY is {named}, not {latency}")));
        }
        let bit = |value: i128| Some(Bits::known(value, 1));
        self.give(machine, false)?;
        machine.given.insert("reset".into(), bit(0));
        machine.forget_all();
        machine.store_any("VALID")?;
        let mut first = None;
        for clock in 0..=latency {
            self.give(machine, clock == 0)?;
            let valid = machine.algebra.opaque((0, 1));
            let given = Bits::of(&machine.algebra, valid.clone(), None, 1);
            machine.given.insert("valid_in".into(), Some(given));
            first.get_or_insert(valid);
            machine.settle()?;
            if clock < latency {
                machine.clock()?;
            }
        }
        for Output { name, .. } in &self.ports.outputs {
            if machine.number(name)?.is_none() {
                let found = self.latency(machine, name)?;
                return Ok(Some(format!("{name} comes after {found} clocks, not {latency}")));
            }
        }
        let valid = number(machine, "valid_out")?;
        if first.as_ref() != Some(&*valid) {
            return Ok(Some("valid_out is not the valid_in of its input".into()));
        }
        if let Some(why) = self.difference(machine)? {
            return Ok(Some(why));
        }
        machine.forget_all();
        machine.given.insert("reset".into(), bit(1));
        machine.given.insert("valid_in".into(), None);
        machine.settle()?;
        machine.clock()?;
        machine.given.insert("reset".into(), bit(0));
        machine.given.insert("valid_in".into(), bit(0));
        for _ in 0..latency {
            machine.settle()?;
            if number(machine, "valid_out")?.known() != Some(0) {
                return Ok(Some("valid_out may come after a reset".into()));
            }
            machine.clock()?;
        }
        Ok(None)
    }

    /// How many clocks after its input an output is known.
    fn latency(&self, machine: &mut Machine<'_>, output: &str) -> Result<usize, String> {
        machine.forget_all();
        machine.given.insert("valid_in".into(), None);
        for clock in 0..=machine.module.registers() {
            self.give(machine, clock == 0)?;
            machine.settle()?;
            if machine.number(output)?.is_some() {
                return Ok(clock);
            }
            machine.clock()?;
        }
        Err(format!("{output} is unknown"))
    }

    /// Three steps of an induction over clocks. Nothing is known of any register but what is said.
    ///
    /// A reset makes the module idle, in any state. If it is idle and nothing comes, it stays so and the outputs keep
    /// their values. If an input comes while it is idle, it is not ready until the answer is there, whatever comes
    /// meanwhile, and is idle again then. So after a reset every input that is taken has its answer.
    fn serial(&self, machine: &mut Machine<'_>) -> Result<Option<String>, String> {
        let bit = |value: i128| Some(Bits::known(value, 1));
        let flags = |machine: &mut Machine<'_>| -> Result<[Option<i128>; 2], String> {
            Ok([number(machine, "ready")?.known(), number(machine, "valid_out")?.known()])
        };
        let free = |machine: &mut Machine<'_>| -> Result<bool, String> {
            Ok(machine.number("BUSY")?.and_then(|bits| bits.form.known()) == Some(0))
        };
        self.give(machine, false)?;
        machine.forget_all();
        machine.given.insert("reset".into(), bit(1));
        machine.given.insert("valid_in".into(), None);
        machine.settle()?;
        machine.clock()?;
        machine.given.insert("reset".into(), bit(0));
        machine.settle()?;
        if flags(machine)? != [Some(1), Some(0)] || !free(machine)? {
            return Ok(Some("it is not idle after a reset".into()));
        }
        machine.forget_all();
        machine.store_known("BUSY", 0)?;
        let outputs = || self.ports.outputs.iter();
        let before: Vec<Bits> =
            outputs().map(|output| machine.store_any(&output.name)).collect::<Result<_, _>>()?;
        machine.given.insert("valid_in".into(), bit(0));
        machine.settle()?;
        machine.clock()?;
        machine.settle()?;
        let kept = |(output, before): (&Output, &Bits)| -> Result<bool, String> {
            let after = machine.read(&output.name)?;
            Ok(after.is_some_and(|after| after.form == before.form))
        };
        let kept = outputs().zip(&before).map(kept).collect::<Result<Vec<_>, _>>()?;
        if flags(machine)? != [Some(1), Some(0)] || !free(machine)? || kept.contains(&false) {
            return Ok(Some("it does not stay idle without an input".into()));
        }
        machine.forget_all();
        machine.store_known("BUSY", 0)?;
        let clocks = serial::clocks(self.ports.circuit);
        for clock in 0..=clocks {
            self.give(machine, clock == 0)?;
            // After the input nobody looks at valid_in.
            machine.given.insert("valid_in".into(), if clock == 0 { bit(1) } else { None });
            machine.settle()?;
            let [ready, out] = match clock {
                0 => [number(machine, "ready")?.known(), Some(0)], // an earlier answer may be there
                _ => flags(machine)?,
            };
            let idle = clock == 0 || clock == clocks;
            if [ready, out] != [idle, clock == clocks].map(|on| Some(i128::from(on))) {
                return Ok(Some(format!("ready or valid_out is wrong at clock {clock}")));
            }
            if clock < clocks {
                machine.clock()?;
            }
        }
        if !free(machine)? {
            return Ok(Some("it is not idle after the answer".into()));
        }
        self.difference(machine)
    }

    /// Whether a formula is the index of the largest of all sums. A sum may be left out if its range says that another
    /// one wins.
    fn is_largest(&self, machine: &Machine<'_>, class: &Form) -> bool {
        let mut winners: HashMap<Vec<usize>, Vec<Form>> = HashMap::new();
        for form in machine.choices.keys().chain(&self.sums) {
            for group in self.largest(machine, form) {
                winners.entry(group).or_default().push(form.clone());
            }
        }
        let range = |c: usize| machine.algebra.range(&self.sums[c]);
        let wins = |best: usize, c: usize| range(c).1 < range(best).0 + i128::from(best < c);
        self.indices(machine, &winners, class).iter().any(|compared| {
            let loses = |c: usize| compared.iter().any(|&best| wins(best, c));
            (0..self.sums.len()).all(|c| compared.contains(&c) || loses(c))
        })
    }

    /// The groups of sums of which a formula is the largest.
    fn largest(&self, machine: &Machine<'_>, form: &Form) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> =
            (0..self.sums.len()).filter(|&c| self.sums[c] == *form).map(|c| vec![c]).collect();
        if let Some(choice) = machine.choices.get(form)
            && is_above(machine, &choice.on, &choice.yes, &choice.no)
        {
            let (first, second) =
                (self.largest(machine, &choice.no), self.largest(machine, &choice.yes));
            groups.extend(both(&first, &second));
        }
        groups
    }

    /// The groups of sums of which a formula is the index of the largest, the first one if there are ties.
    fn indices(
        &self,
        machine: &Machine<'_>,
        winners: &HashMap<Vec<usize>, Vec<Form>>,
        form: &Form,
    ) -> Vec<Vec<usize>> {
        if let Some(c) = form.known() {
            return vec![vec![c as usize]];
        }
        let Some(choice) = machine.choices.get(form) else { return Vec::new() };
        let first = self.indices(machine, winners, &choice.no);
        let second = self.indices(machine, winners, &choice.yes);
        let forms = |group: &Vec<usize>| winners.get(group).into_iter().flatten();
        let mut groups = Vec::new();
        for no in &first {
            for yes in &second {
                let above =
                    forms(yes).any(|a| forms(no).any(|b| is_above(machine, &choice.on, a, b)));
                if above {
                    groups.extend(both(std::slice::from_ref(no), std::slice::from_ref(yes)));
                }
            }
        }
        groups
    }
}

/// Groups of earlier and later sums, put together.
fn both(first: &[Vec<usize>], second: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for a in first {
        for b in second.iter().filter(|b| a.iter().max() < b.iter().min()) {
            all.push([a.clone(), b.clone()].concat());
        }
    }
    all
}

/// Whether a bit is on where one formula is above another.
fn is_above(machine: &Machine<'_>, on: &Form, high: &Form, low: &Form) -> bool {
    machine.compared.get(on).is_some_and(|all| all.contains(&high.minus(low)))
}

/// The formula of a port.
fn number(machine: &mut Machine<'_>, name: &str) -> Result<Rc<Form>, String> {
    let found = machine.number(name)?;
    Ok(found.ok_or_else(|| format!("{name} is unknown"))?.form)
}
