//! Runs a module with formulas in place of numbers, by the rules of Verilog on widths and signs.
//!
//! What is not known, such as a register before its first clock, has no value, and neither has anything that
//! is computed from it. So a value at an output follows from the inputs that were given.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::super::algebra::{Algebra, Form};
use super::super::net::Test;
use super::bits::{Bits, WIDEST};
use super::syntax::{Direction, Expression, Item, Module, Signal, Statement, targets};

/// A value; nothing if it is not known.
pub(super) type Found = Option<Bits>;

/// A choice of two formulas by a bit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    pub(super) on: Form,
    pub(super) yes: Form,
    pub(super) no: Form,
}

/// What a table reads: a wire, or a bit of it.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) name: String,
    pub(super) place: Option<u32>,
}

/// A wire that is looked up: `c + Σ aₖ 1{Σ kⱼmⱼ + b ≥ 0}` of what is read, within ranges.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) of: Vec<(Read, (i64, i64))>,
    pub(super) constant: i64,
    pub(super) tests: Vec<Test>,
    /// The smallest and the largest value.
    pub(super) range: (i128, i128),
}

/// Runs a module.
pub(super) struct Machine<'a> {
    pub(super) module: &'a Module,
    pub(super) algebra: Algebra,
    /// The value of `WIDTH`; the module's own if nothing is said.
    pub(super) width: Option<u32>,
    /// What was found beforehand about wires that are not run.
    pub(super) given: HashMap<String, Found>,
    /// What wires are said to look up.
    pub(super) tables: Rc<HashMap<String, Table>>,
    /// The values of what is not stored.
    wires: HashMap<String, Found>,
    /// The values of registers; what is set or given bit by bit has a value for each bit.
    registers: HashMap<String, Found>,
    places: HashMap<String, Vec<Found>>,
    /// How formulas were chosen, by the formula that stands for the choice.
    pub(super) choices: HashMap<Form, Choice>,
    opaque: HashMap<Choice, Form>,
    /// The differences that are positive where a bit is on.
    pub(super) compared: HashMap<Form, Vec<Form>>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(module: &'a Module, algebra: Algebra) -> Self {
        Self {
            module,
            algebra,
            width: None,
            given: HashMap::new(),
            tables: Rc::default(),
            wires: HashMap::new(),
            registers: HashMap::new(),
            places: HashMap::new(),
            choices: HashMap::new(),
            opaque: HashMap::new(),
            compared: HashMap::new(),
        }
    }

    fn signal(&self, name: &str) -> Result<&'a Signal, String> {
        self.module.signals.get(name).ok_or_else(|| format!("{name} is not declared"))
    }

    /// The number of bits of a signal.
    pub(super) fn bits(&mut self, name: &str) -> Result<u32, String> {
        let Some(top) = &self.signal(name)?.top else { return Ok(1) };
        let top = self.place(top)?;
        top.checked_add(1).ok_or_else(|| format!("{name} has too many bits"))
    }

    /// The number that a port or a wire is, by its own sign.
    pub(super) fn number(&mut self, name: &str) -> Result<Option<Bits>, String> {
        let signed = self.signal(name)?.signed;
        let found = self.read(name)?;
        found.map(|bits| bits.number(&mut self.algebra, signed)).transpose()
    }

    /// Everything that is not stored, in the order of the text: a wire is after those that it reads.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        self.wires.clear();
        let module = self.module;
        for item in &module.items {
            match item {
                Item::Drive { name, .. } if self.tables.contains_key(name) => {
                    if !self.wires.contains_key(name) {
                        let found = self.looked_up(name)?;
                        self.wires.insert(name.clone(), found);
                    }
                }
                Item::Drive { name, place: None, value } if !self.given.contains_key(name) => {
                    let found = self.assigned(name, value)?;
                    self.wires.insert(name.clone(), found);
                }
                Item::Always(body) => self.run(body, &mut None)?,
                Item::Drive { name, place: Some(_), .. } => {
                    return Err(format!("the bits of {name} are driven one by one"));
                }
                Item::Drive { .. } | Item::Clocked(_) => (),
            }
        }
        Ok(())
    }

    /// The value of a wire whose bits are looked up one by one: what it is said to be, which was compared on all
    /// values of what it reads.
    fn looked_up(&mut self, name: &str) -> Result<Found, String> {
        let tables = Rc::clone(&self.tables);
        let table = &tables[name];
        let mut read = Vec::new();
        for (of, (least, most)) in &table.of {
            let number = match of.place {
                None => self.number(&of.name)?,
                Some(place) => match self.read(&of.name)? {
                    None => None,
                    Some(bits) => {
                        let bit = bits.part(&mut self.algebra, place, place)?;
                        Some(bit.number(&mut self.algebra, false)?)
                    }
                },
            };
            let Some(number) = number else { return Ok(None) };
            if number.range.0 < i128::from(*least) || number.range.1 > i128::from(*most) {
                return Err(format!("{} has a wider range than {name} reads", of.name));
            }
            read.push(number.form);
        }
        let mut form = Form::constant(table.constant.into());
        for test in &table.tests {
            let mut sum = Form::constant(test.bias.into());
            for &(j, k) in &test.terms {
                sum = sum.plus(&read[j].times(k.into()));
            }
            form = form.plus(&self.algebra.test(&sum).times(test.amplitude.into()));
        }
        let width = self.bits(name)?;
        self.algebra.know(&form, table.range);
        Ok(Some(Bits { form: Rc::new(form), range: table.range, width }))
    }

    /// Gives what a table reads. Of a wire that is read by bits, the other bits are unknown.
    pub(super) fn give(&mut self, of: &Read, value: i64) -> Result<(), String> {
        match of.place {
            None => {
                let bits = Bits::known(value.into(), self.bits(&of.name)?);
                self.given.insert(of.name.clone(), Some(bits));
                Ok(())
            }
            Some(place) => self.store(&of.name, place as usize, Some(Bits::known(value.into(), 1))),
        }
    }

    /// A rising clock: all registers at once.
    pub(super) fn clock(&mut self) -> Result<(), String> {
        let (module, mut late) = (self.module, Some(HashMap::new()));
        for item in &module.items {
            if let Item::Clocked(body) = item {
                self.run(body, &mut late)?;
            }
        }
        for ((name, place), found) in late.unwrap_or_default() {
            match place {
                None => drop(self.registers.insert(name, found)),
                Some(place) => self.store(&name, place, found)?,
            }
        }
        Ok(())
    }

    /// Any state: nothing is known of any register.
    pub(super) fn forget_all(&mut self) {
        self.registers.clear();
        self.places.clear();
    }

    /// A register has this value.
    pub(super) fn store_known(&mut self, name: &str, value: i128) -> Result<(), String> {
        let bits = self.register_bits(name)?;
        self.registers.insert(name.to_owned(), Some(Bits::known(value, bits)));
        Ok(())
    }

    /// A register has some value, which has a name in formulas.
    pub(super) fn store_any(&mut self, name: &str) -> Result<Bits, String> {
        let (bits, signed) = (self.register_bits(name)?, self.signal(name)?.signed);
        let half = 1i128 << (bits - 1);
        let range = if signed { (-half, half - 1) } else { (0, 2 * half - 1) };
        let form = self.algebra.opaque(range);
        let any = Bits::of(&self.algebra, form, None, bits);
        self.registers.insert(name.to_owned(), Some(any.clone()));
        Ok(any)
    }

    fn register_bits(&mut self, name: &str) -> Result<u32, String> {
        match self.signal(name)?.register {
            true => self.bits(name).and_then(|bits| match bits <= WIDEST {
                true => Ok(bits),
                false => Err(format!("a register of {bits} bits")),
            }),
            false => Err(format!("{name} is no register")),
        }
    }

    fn store(&mut self, name: &str, place: usize, found: Found) -> Result<(), String> {
        let bits = self.bits(name)? as usize;
        let places = self.places.entry(name.to_owned()).or_insert_with(|| vec![None; bits]);
        *places.get_mut(place).ok_or_else(|| format!("{name} has no bit {place}"))? = found;
        Ok(())
    }

    /// Runs statements; what they set late is collected where there is a place for it.
    fn run(&mut self, body: &[Statement], late: &mut Late) -> Result<(), String> {
        for statement in body {
            match statement {
                Statement::Set { name, place, value } => {
                    let place = match place {
                        None => None,
                        Some(place) => Some(self.place(place)? as usize),
                    };
                    let found = match place {
                        None => self.assigned(name, value)?,
                        Some(_) => {
                            let bit = self.value(value, None)?;
                            bit.map(|bit| bit.with_width(&mut self.algebra, false, 1))
                                .transpose()?
                        }
                    };
                    match late {
                        Some(late) => drop(late.insert((name.clone(), place), found)),
                        None if place.is_some() => return Err(format!("a bit of {name} alone")),
                        None => drop(self.wires.insert(name.clone(), found)),
                    }
                }
                Statement::If(condition, yes, no) => self.branch(condition, yes, no, late)?,
                Statement::Case(of, cases) => {
                    let shape = self.shape(of)?.0;
                    match self.value(of, None)? {
                        None => self.forget(statement, late)?,
                        Some(_) if cases.width.is_some_and(|width| width != shape) => {
                            return Err("cases of another width".into());
                        }
                        Some(of) => {
                            let of = known(&of.number(&mut self.algebra, false)?)?;
                            self.run(cases.branches.get(&of).unwrap_or(&cases.otherwise), late)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What is set by an unknown choice is unknown.
    fn forget(&mut self, statement: &Statement, late: &mut Late) -> Result<(), String> {
        let mut names = Vec::new();
        targets(std::slice::from_ref(statement), &mut names);
        for (name, _) in names {
            match late {
                None => drop(self.wires.insert(name, None)),
                Some(_) => return Err(format!("{name} is set by an unknown choice")),
            }
        }
        Ok(())
    }

    fn branch(
        &mut self,
        condition: &Expression,
        yes: &[Statement],
        no: &[Statement],
        late: &mut Late,
    ) -> Result<(), String> {
        let found = self.value(condition, None)?.ok_or("an unknown condition")?;
        let on = found.bit(&mut self.algebra)?;
        if let Some(on) = on.known() {
            return self.run(if on == 1 { yes } else { no }, late);
        }
        let before = late.clone().ok_or("a condition that is not known")?;
        let (mut first, mut second) = (Some(before.clone()), Some(before));
        self.run(yes, &mut first)?;
        self.run(no, &mut second)?;
        let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
        let mut both = HashMap::new();
        for key in first.keys().chain(second.keys()) {
            if both.contains_key(key) {
                continue;
            }
            let (name, None) = key else { return Err(format!("a bit of {} depends", key.0)) };
            let old = || self.registers.get(name).cloned().flatten();
            let (a, b) = (first.get(key).cloned(), second.get(key).cloned());
            let (a, b) = (a.unwrap_or_else(old), b.unwrap_or_else(old));
            let found = match (a, b) {
                (Some(a), Some(b)) => Some(self.choose(&on, &a, &b)?),
                _ => None,
            };
            both.insert(key.clone(), found);
        }
        *late = Some(both);
        Ok(())
    }

    /// An expression as the value of a wire or a register.
    pub(super) fn assigned(&mut self, name: &str, value: &Expression) -> Result<Found, String> {
        let width = self.bits(name)?;
        let found = self.value(value, Some(width)).map_err(|why| format!("{name}: {why}"))?;
        let Some(found) = found else { return Ok(None) };
        let found = found.with_width(&mut self.algebra, false, width)?;
        // A constant is written as the number that it is, so that sums with it do not grow by whole turns.
        let signed = self.signal(name)?.signed;
        match found.form.known() {
            Some(_) => found.number(&mut self.algebra, signed).map(Some),
            None => Ok(Some(found)),
        }
    }

    pub(super) fn read(&self, name: &str) -> Result<Found, String> {
        if let Some(found) = self.given.get(name).or_else(|| self.wires.get(name)) {
            return Ok(found.clone());
        }
        let signal = self.signal(name)?;
        match signal.register {
            // A register before its first clock is unknown. What is not stored was set before.
            true => Ok(self.registers.get(name).cloned().flatten()),
            false if signal.direction == Direction::Input => {
                Err(format!("the port {name} is read"))
            }
            false => Err(format!("{name} is read before it is set")),
        }
    }

    /// A number that does not depend on inputs: a place or a parameter.
    pub(super) fn constant(&mut self, of: &Expression) -> Result<i128, String> {
        let (signed, found) = (self.shape(of)?.1, self.value(of, None)?);
        known(&found.ok_or("it is unknown")?.number(&mut self.algebra, signed)?)
    }

    /// A number of a bit.
    pub(super) fn place(&mut self, of: &Expression) -> Result<u32, String> {
        u32::try_from(self.constant(of)?).map_err(|_| "a place that is no bit".into())
    }

    /// Width and sign of an expression by itself.
    fn shape(&mut self, of: &Expression) -> Result<(u32, bool), String> {
        use Expression::{
            Binary, Bit, Choose, Joined, Name, Number, Part, Repeated, Signed, Unary,
        };
        Ok(match of {
            Number { width, signed, .. } => (*width, *signed),
            Name(name) => match self.module.parameters.get(name) {
                // Without a size of its own, a parameter has that of its value.
                Some(_) if name == "WIDTH" => (32, true),
                Some(value) => self.shape(value)?,
                None => (self.bits(name)?, self.signal(name)?.signed),
            },
            Bit(..) => (1, false),
            Part(_, high, low) => {
                let bits = self.constant(high)? - self.constant(low)? + 1;
                (u32::try_from(bits).map_err(|_| "a part without bits")?, false)
            }
            Joined(all) => {
                let mut sum = 0;
                for part in all {
                    sum += self.shape(part)?.0;
                }
                (sum, false)
            }
            Repeated(count, part) => {
                let count = u32::try_from(self.constant(count)?).map_err(|_| "a negative count")?;
                let bits = count.checked_mul(self.shape(part)?.0);
                (bits.ok_or("too many bits")?, false)
            }
            Signed(inner) => (self.shape(inner)?.0, true),
            Unary("!", _) => (1, false),
            Unary(_, inner) => self.shape(inner)?,
            Binary("+" | "-" | "*", a, b) | Choose(_, a, b) => {
                let (a, b) = (self.shape(a)?, self.shape(b)?);
                (a.0.max(b.0), a.1 && b.1)
            }
            Binary("<<<" | ">>", a, _) => self.shape(a)?,
            Binary(..) => (1, false),
        })
    }

    /// The value of an expression that is assigned to a signal of so many bits, or stands by itself.
    pub(super) fn value(&mut self, of: &Expression, target: Option<u32>) -> Result<Found, String> {
        let (width, signed) = self.shape(of)?;
        self.within(of, width.max(target.unwrap_or(0)), signed)
    }

    /// The value of an expression among others: all are extended to the same width by the same sign.
    fn within(&mut self, of: &Expression, width: u32, signed: bool) -> Result<Found, String> {
        let own = match of {
            Expression::Unary(sign @ ("-" | "~"), inner) => {
                let Some(inner) = self.within(inner, width, signed)? else { return Ok(None) };
                let start = Bits::known(if *sign == "-" { 0 } else { -1 }, width);
                return Ok(Some(start.plus(&self.algebra, &inner, -1)));
            }
            Expression::Binary(sign @ ("+" | "-" | "*"), a, b) => {
                let (a, b) = (self.within(a, width, signed)?, self.within(b, width, signed)?);
                let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
                return Ok(Some(match *sign {
                    "*" => match (known(&a), known(&b)) {
                        (Ok(k), _) => b.times(&self.algebra, k),
                        (_, Ok(k)) => a.times(&self.algebra, k),
                        _ => return Err("two inputs are multiplied".into()),
                    },
                    sign => a.plus(&self.algebra, &b, if sign == "-" { -1 } else { 1 }),
                }));
            }
            Expression::Binary(sign @ ("<<<" | ">>"), a, by) => {
                let (a, by) = (self.within(a, width, signed)?, self.value(by, None)?);
                let (Some(a), Some(by)) = (a, by) else { return Ok(None) };
                let by = known(&by.number(&mut self.algebra, false)?)?;
                let by = u32::try_from(by).ok().filter(|by| *by < width);
                let by = by.ok_or("a shift by too many bits")?;
                return Ok(Some(match *sign {
                    "<<<" => a.times(&self.algebra, 1 << by),
                    _ => {
                        let high = a.part(&mut self.algebra, width - 1, by)?;
                        high.with_width(&mut self.algebra, false, width)?
                    }
                }));
            }
            Expression::Choose(on, yes, no) => {
                let Some(on) = self.value(on, None)? else { return Ok(None) };
                let on = on.bit(&mut self.algebra)?;
                // Of a known choice, the other side may be anything.
                if let Some(on) = on.known() {
                    return self.within(if on == 1 { yes } else { no }, width, signed);
                }
                let (yes, no) = (self.within(yes, width, signed)?, self.within(no, width, signed)?);
                let (Some(yes), Some(no)) = (yes, no) else { return Ok(None) };
                return self.choose(&on, &yes, &no).map(Some);
            }
            _ => self.alone(of)?,
        };
        own.map(|bits| bits.with_width(&mut self.algebra, signed, width)).transpose()
    }

    /// The value of an expression whose bits do not depend on what is around it.
    fn alone(&mut self, of: &Expression) -> Result<Found, String> {
        match of {
            Expression::Number { value, width, .. } => Ok(Some(Bits::known(*value, *width))),
            Expression::Name(name) => match self.module.parameters.get(name) {
                None => self.read(name),
                Some(value) => match (self.width, name.as_str()) {
                    (Some(width), "WIDTH") => Ok(Some(Bits::known(width.into(), 32))),
                    _ => self.value(value, None),
                },
            },
            Expression::Bit(name, place) => {
                let (signed, found) = (self.shape(place)?.1, self.value(place, None)?);
                let Some(found) = found else { return Ok(None) };
                let place = known(&found.number(&mut self.algebra, signed)?)?;
                let place = u32::try_from(place).map_err(|_| "a negative place")?;
                if let Some(places) = self.places.get(name) {
                    return Ok(places.get(place as usize).cloned().flatten());
                }
                let Some(bits) = self.read(name)? else { return Ok(None) };
                bits.part(&mut self.algebra, place, place).map(Some)
            }
            Expression::Part(name, high, low) => {
                let (high, low) = (self.place(high)?, self.place(low)?);
                let Some(bits) = self.read(name)? else { return Ok(None) };
                bits.part(&mut self.algebra, high, low).map(Some)
            }
            Expression::Joined(all) => {
                let mut parts = Vec::new();
                for part in all {
                    let Some(part) = self.value(part, None)? else { return Ok(None) };
                    parts.push(part);
                }
                Bits::joined(&mut self.algebra, &parts).map(Some)
            }
            Expression::Repeated(count, part) => {
                let count = self.constant(count)? as usize;
                let Some(part) = self.value(part, None)? else { return Ok(None) };
                Bits::joined(&mut self.algebra, &vec![part; count]).map(Some)
            }
            Expression::Signed(inner) => self.value(inner, None),
            Expression::Unary("!", inner) => {
                let Some(inner) = self.value(inner, None)? else { return Ok(None) };
                let bit = inner.bit(&mut self.algebra)?;
                let not = Form::constant(1).minus(&bit);
                Ok(Some(Bits::of(&self.algebra, not, None, 1)))
            }
            Expression::Binary(sign @ ("&&" | "||"), a, b) => {
                let decides = i128::from(*sign == "||");
                let Some(a) = self.value(a, None)? else { return Ok(None) };
                let a = a.bit(&mut self.algebra)?;
                match a.known() {
                    Some(known) if known == decides => Ok(Some(Bits::known(decides, 1))),
                    Some(_) => {
                        let Some(b) = self.value(b, None)? else { return Ok(None) };
                        let bit = b.bit(&mut self.algebra)?;
                        Ok(Some(Bits::of(&self.algebra, bit, None, 1)))
                    }
                    None => Err("a condition that depends on two others".into()),
                }
            }
            Expression::Binary(sign, a, b) => self.comparison(sign, a, b),
            _ => Err("an expression that is not expected".into()),
        }
    }

    fn comparison(&mut self, sign: &str, a: &Expression, b: &Expression) -> Result<Found, String> {
        let (first, second) = (self.shape(a)?, self.shape(b)?);
        let (width, signed) = (first.0.max(second.0), first.1 && second.1);
        let (a, b) = (self.within(a, width, signed)?, self.within(b, width, signed)?);
        let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
        let (a, b) = (a.number(&mut self.algebra, signed)?, b.number(&mut self.algebra, signed)?);
        let difference = a.form.minus(&b.form);
        let one = Form::constant(1);
        let on = match sign {
            ">=" => self.algebra.test(&difference),
            "<=" => self.algebra.test(&difference.times(-1)),
            "<" => one.minus(&self.algebra.test(&difference)),
            ">" => {
                let on = one.minus(&self.algebra.test(&difference.times(-1)));
                self.compared.entry(on.clone()).or_default().push(difference);
                on
            }
            "==" => Form::constant(i128::from(known(&a)? == known(&b)?)),
            _ => return Err(format!("{sign:?} is not expected")),
        };
        Ok(Some(Bits::of(&self.algebra, on, None, 1)))
    }

    /// One of two values by a bit that is not known.
    fn choose(&mut self, on: &Form, yes: &Bits, no: &Bits) -> Result<Bits, String> {
        let width = yes.width;
        if no.width != width {
            return Err("a choice of values with different bits".into());
        }
        let difference = yes.form.minus(&no.form);
        let choice =
            Choice { on: on.clone(), yes: Form::clone(&yes.form), no: Form::clone(&no.form) };
        let mut range = (yes.range.0.min(no.range.0), yes.range.1.max(no.range.1));
        if self.compared.get(on).is_some_and(|all| all.contains(&difference)) {
            range.0 = yes.range.0.max(no.range.0); // the larger of two
        }
        let form = match difference.known() {
            Some(k) => no.form.plus(&on.times(k)),
            None => {
                let algebra = &mut self.algebra;
                let form = self.opaque.entry(choice.clone());
                form.or_insert_with(|| algebra.opaque(range)).clone()
            }
        };
        self.choices.entry(form.clone()).or_insert(choice);
        Ok(Bits { form: Rc::new(form), range, width })
    }
}

/// What is set at a clock, with the bit that is set.
type Late = Option<HashMap<(String, Option<usize>), Found>>;

/// The value, if it does not depend on the inputs.
fn known(bits: &Bits) -> Result<i128, String> {
    bits.form.known().ok_or_else(|| "it depends on the inputs".into())
}
