//! What a written C program computes, on every input at once.
//!
//! The program is read back and run with formulas in place of numbers. Its loops do not depend on
//! the inputs, so they are run as they are. Every constant is the one in the text, every sum must
//! fit the type of its variable on all inputs within the bounds, and in the end the sums and the
//! class must have the formulas of the circuit. Two functions are known by their text: the one that
//! counts bits, and the one that looks for the largest of several sums.

use std::collections::HashMap;

use hardlim::export::{Answer, Circuit};

use super::syntax::{Expression, Function, Program, Statement};
use super::value::{INT, Type, Value, What};
use crate::algebra::{Algebra, Form};

const STEPS: usize = 50_000_000;

/// Whether a header and a source compute a circuit on every input within the bounds: `None` if they
/// do, or what differs.
///
/// # Errors
/// When that cannot be decided, with the reason.
pub fn prove(
    circuit: &Circuit,
    name: &str,
    header: &str,
    source: &str,
) -> Result<Option<String>, String> {
    let program = Program::read(header, source)?;
    for (macro_name, text) in &program.defined {
        if macro_name.starts_with("READ_") && text != "(at) (at)" {
            return Err(format!("{macro_name} changes what it reads"));
        }
    }
    let mut algebra = Algebra::default();
    let expected = algebra.sums(circuit);
    let mut machine =
        Machine { program: &program, source, algebra, arrays: Vec::new(), steps: STEPS };
    let kind = machine.kind(&format!("{name}_input"))?;
    let mut inputs = Vec::new();
    for (j, input) in circuit.inputs.iter().enumerate() {
        let form = machine.algebra.input(j, input.least, input.most);
        inputs.push(Some(Value::of(&machine.algebra, form, kind)?));
    }
    let x = machine.array(kind, inputs);
    let wide = Type { bits: 64, signed: true };
    let sums = machine.array(wide, vec![None; circuit.stacks.len()]);
    machine.call(&format!("{name}_sums"), &[Slot::Array(x), Slot::Array(sums)])?;
    for (s, expected) in expected.iter().enumerate() {
        let sum = machine.arrays[sums].1[s].clone().ok_or("a sum is not set")?;
        if sum.form()? != expected {
            return Ok(Some(format!("sum {s} has another formula")));
        }
    }
    let other = || Some("the class has another formula".to_owned());
    match circuit.answer {
        Answer::Number => Ok(None),
        // Sums have at most 62 bits, so their differences fit.
        Answer::Largest(_) => {
            if source.contains(&largest(name)) {
                Ok(None)
            } else {
                Err("the function of the class is not the known one".into())
            }
        }
        Answer::Sign(_) => {
            let class = machine.call(&format!("{name}_class"), &[Slot::Array(x)])?;
            let class = class.ok_or("the class is not returned")?;
            let positive = machine.algebra.test(&expected[0]);
            Ok(if *class.form()? == positive { None } else { other() })
        }
    }
}

fn largest(name: &str) -> String {
    let text = include_str!("largest.c").replace("@name@", name);
    text.replace("@NAME@", &name.to_ascii_uppercase())
}

/// What a name stands for.
#[derive(Debug, Clone)]
enum Slot {
    Number(Type, Option<Value>),
    /// An array, by its place.
    Array(usize),
}

type Names = HashMap<String, Slot>;

struct Machine<'a> {
    program: &'a Program,
    source: &'a str,
    algebra: Algebra,
    arrays: Vec<(Type, Vec<Option<Value>>)>,
    steps: usize,
}

impl Machine<'_> {
    fn array(&mut self, kind: Type, values: Vec<Option<Value>>) -> usize {
        self.arrays.push((kind, values));
        self.arrays.len() - 1
    }

    fn kind(&self, name: &str) -> Result<Type, String> {
        let name = self.program.types.get(name).map_or(name, String::as_str);
        Type::named(name).ok_or_else(|| format!("{name} is no type of numbers"))
    }

    fn call(&mut self, name: &str, arguments: &[Slot]) -> Result<Option<Value>, String> {
        let program = self.program;
        let function: &Function =
            program.functions.get(name).ok_or_else(|| format!("there is no function {name}"))?;
        if function.parameters.len() != arguments.len() {
            return Err(format!("{name} is called with other arguments"));
        }
        let parameters = function.parameters.iter().map(|(_, name)| name.clone());
        let mut names: Names = parameters.zip(arguments.iter().cloned()).collect();
        let first = self.arrays.len();
        let returned = self.run(&function.body, &mut names)?;
        self.arrays.truncate(first);
        match returned {
            Some(value) => {
                let kind = self.kind(&function.kind)?;
                Ok(Some(value.converted(&self.algebra, kind)?))
            }
            None => Ok(None),
        }
    }

    /// Runs statements; the value if one of them returns.
    fn run(&mut self, body: &[Statement], names: &mut Names) -> Result<Option<Value>, String> {
        for statement in body {
            self.steps = self.steps.checked_sub(1).ok_or("it takes too many steps")?;
            match statement {
                Statement::Variable { kind, name, length, value } => {
                    let kind = self.kind(kind)?;
                    let slot = match (length, value) {
                        (Some(length), _) => {
                            let length = self.value(length, names)?.constant()?;
                            Slot::Array(self.array(kind, vec![None; length as usize]))
                        }
                        (None, None) => Slot::Number(kind, None),
                        (None, Some(value)) => {
                            let value = self.value(value, names)?.converted(&self.algebra, kind)?;
                            Slot::Number(kind, Some(value))
                        }
                    };
                    names.insert(name.clone(), slot);
                }
                Statement::Run(expression) => self.effect(expression, names)?,
                Statement::If(condition, then) => self.choose(condition, then, names)?,
                Statement::For([start, condition, step], each) => {
                    if let Some(start) = start {
                        self.effect(start, names)?;
                    }
                    let condition = condition.as_ref().ok_or("a loop does not end")?;
                    while self.value(condition, names)?.constant()? != 0 {
                        if self.run(each, names)?.is_some() {
                            return Err("a loop returns".into());
                        }
                        if let Some(step) = step {
                            self.effect(step, names)?;
                        }
                    }
                }
                Statement::Return(expression) => return Ok(Some(self.value(expression, names)?)),
            }
        }
        Ok(None)
    }

    /// `if (bit) sum += k` adds `k` times the bit.
    fn choose(
        &mut self,
        condition: &Expression,
        body: &[Statement],
        names: &mut Names,
    ) -> Result<(), String> {
        let on = self.value(condition, names)?.form()?.clone();
        if on.known() == Some(0) {
            return Ok(());
        }
        if on.known().is_some() {
            return self.run(body, names).map(drop);
        }
        let [Statement::Run(Expression::Assign("+=", target, added))] = body else {
            return Err("only a sum may depend on an answer".into());
        };
        if !self.algebra.is_bit(&on) {
            return Err("a condition is not a bit".into());
        }
        let kind = self.value(target, names)?.kind;
        let k = self.value(added, names)?.converted(&self.algebra, kind)?.constant()?;
        let sum = self.value(target, names)?.form()?.plus(&on.times(k));
        let sum = Value::of(&self.algebra, sum, kind)?;
        self.set(target, sum, names)
    }

    /// Runs an expression for what it changes.
    fn effect(&mut self, expression: &Expression, names: &mut Names) -> Result<(), String> {
        match expression {
            Expression::Both(first, second) => {
                self.effect(first, names)?;
                self.effect(second, names)
            }
            Expression::Assign(operator, target, value) => {
                let new = match operator.strip_suffix('=') {
                    Some("") => self.value(value, names)?,
                    Some("+") => self.binary("+", target, value, names)?,
                    Some("-") => self.binary("-", target, value, names)?,
                    Some("|") => self.binary("|", target, value, names)?,
                    _ => return Err(format!("{operator} is not expected")),
                };
                self.set(target, new, names)
            }
            Expression::Call(name, arguments) => {
                let arguments = self.slots(arguments, names)?;
                self.call(name, &arguments).map(drop)
            }
            Expression::Cast(kind, _) if kind == "void" => Ok(()),
            _ => Err("a statement without an effect".into()),
        }
    }

    fn set(&mut self, target: &Expression, value: Value, names: &mut Names) -> Result<(), String> {
        match target {
            Expression::Name(name) => match names.get_mut(name) {
                Some(Slot::Number(kind, slot)) => {
                    *slot = Some(value.converted(&self.algebra, *kind)?);
                    Ok(())
                }
                _ => Err(format!("{name} cannot be set")),
            },
            Expression::Index(array, place) => {
                let Expression::Name(array) = array.as_ref() else {
                    return Err("an array is expected".into());
                };
                let place = self.value(place, names)?.constant()?;
                let Some(Slot::Array(array)) = names.get(array) else {
                    return Err(format!("{array} is no array"));
                };
                let (kind, values) = &mut self.arrays[*array];
                let slot =
                    values.get_mut(place as usize).ok_or("a place beyond its array is set")?;
                *slot = Some(value.converted(&self.algebra, *kind)?);
                Ok(())
            }
            _ => Err("this cannot be set".into()),
        }
    }

    fn slots(&mut self, arguments: &[Expression], names: &mut Names) -> Result<Vec<Slot>, String> {
        let mut slots = Vec::new();
        for argument in arguments {
            let array = match argument {
                Expression::Name(name) => match names.get(name) {
                    Some(Slot::Array(array)) => Some(*array),
                    _ => None,
                },
                _ => None,
            };
            slots.push(match array {
                Some(array) => Slot::Array(array),
                None => {
                    let value = self.value(argument, names)?;
                    Slot::Number(value.kind, Some(value))
                }
            });
        }
        Ok(slots)
    }

    fn value(&mut self, expression: &Expression, names: &mut Names) -> Result<Value, String> {
        match expression {
            Expression::Number(value, kind) => Ok(Value::known(*value, self.kind(kind)?)),
            Expression::Name(name) => match (names.get(name), self.program.defined.get(name)) {
                (Some(Slot::Number(_, Some(value))), _) => Ok(value.clone()),
                (None, Some(text)) => {
                    let value = text.trim_matches(['(', ')']).parse();
                    Ok(Value::known(value.map_err(|_| format!("{name} is no number"))?, INT))
                }
                _ => Err(format!("{name} has no value")),
            },
            Expression::Index(..) => self.element(expression, names),
            Expression::Cast(kind, of) => {
                let (kind, value) = (self.kind(kind)?, self.value(of, names)?);
                value.converted(&self.algebra, kind)
            }
            Expression::Unary(operator, of) => {
                let value = self.value(of, names)?;
                let kind = value.kind.common(INT);
                let value = value.converted(&self.algebra, kind)?;
                match *operator {
                    "-" => Value::of(&self.algebra, value.form()?.times(-1), kind),
                    _ => value.flipped(&self.algebra),
                }
            }
            Expression::Binary(operator, left, right) => self.binary(operator, left, right, names),
            Expression::Call(name, arguments) => match (name.strip_prefix("READ_"), &arguments[..])
            {
                (Some(kind), [at]) => {
                    let value = self.value(at, names)?;
                    if self.kind(kind)? == value.kind {
                        Ok(value)
                    } else {
                        Err(format!("{name} reads a table of another type"))
                    }
                }
                (None, [word]) if name == "count" => {
                    if !self.source.contains(include_str!("count.c")) {
                        return Err("the function that counts bits is not the known one".into());
                    }
                    let form = self.value(word, names)?.count(&self.algebra)?;
                    Value::of(&self.algebra, form, INT)
                }
                _ => {
                    let slots = self.slots(arguments, names)?;
                    self.call(name, &slots)?.ok_or_else(|| format!("{name} has no value"))
                }
            },
            Expression::Assign(..) | Expression::Both(..) => {
                Err("a value is set inside a value".into())
            }
        }
    }

    /// An element of a table or of an array.
    fn element(&mut self, expression: &Expression, names: &mut Names) -> Result<Value, String> {
        let (mut places, mut of) = (Vec::new(), expression);
        while let Expression::Index(array, place) = of {
            let place = self.value(place, names)?.constant()?;
            places.push(usize::try_from(place).map_err(|_| "a negative place is read")?);
            of = array.as_ref();
        }
        places.reverse();
        let Expression::Name(name) = of else { return Err("an array is expected".into()) };
        if let Some(Slot::Array(array)) = names.get(name) {
            let values = &self.arrays[*array].1;
            let value = places.first().and_then(|&place| values.get(place)).cloned().flatten();
            return value.ok_or_else(|| format!("{name} is read beyond what was set"));
        }
        let program = self.program;
        let table = program.tables.get(name).ok_or_else(|| format!("there is no table {name}"))?;
        let inside = places.len() == table.sizes.len()
            && places.iter().zip(&table.sizes).all(|(place, size)| place < size);
        if !inside {
            return Err(format!("{name} is read beyond its end"));
        }
        let place = places.iter().zip(&table.sizes).fold(0, |at, (place, size)| at * size + place);
        let (kind, number) = (self.kind(&table.kind)?, table.numbers[place]);
        let (least, most) = kind.range();
        if (least..=most).contains(&number) {
            Ok(Value::known(number, kind))
        } else {
            Err(format!("{name} has {number}, which does not fit its type"))
        }
    }

    fn binary(
        &mut self,
        operator: &str,
        left: &Expression,
        right: &Expression,
        names: &mut Names,
    ) -> Result<Value, String> {
        let a = self.value(left, names)?;
        if operator == "&&" && a.constant()? == 0 {
            return Ok(Value::known(0, INT));
        }
        let b = self.value(right, names)?;
        if operator == "&&" {
            return Ok(Value::known(i128::from(b.constant()? != 0), INT));
        }
        let kind = if ["<<", ">>"].contains(&operator) { a.kind } else { b.kind };
        let kind = a.kind.common(kind);
        let a = a.converted(&self.algebra, kind)?;
        if ["<<", ">>"].contains(&operator) {
            let by = usize::try_from(b.constant()?).ok().filter(|by| *by < kind.bits as usize);
            let by = by.ok_or("a shift by too many bits")?;
            return match operator {
                "<<" => a.shifted_up(&self.algebra, by),
                _ => a.shifted_down(&mut self.algebra, by),
            };
        }
        let b = b.converted(&self.algebra, kind)?;
        let algebra = &mut self.algebra;
        let bit = |form: Form| Ok(Value { kind: INT, what: What::Number(form) });
        match operator {
            "|" => a.or(&b, algebra),
            "&" => a.and(&b, algebra),
            "+" => Value::of(algebra, a.form()?.plus(b.form()?), kind),
            "-" => Value::of(algebra, a.form()?.minus(b.form()?), kind),
            "*" => {
                let (k, form) = match (a.constant(), b.constant()) {
                    (Ok(k), _) => (k, b.form()?),
                    (_, Ok(k)) => (k, a.form()?),
                    _ => return Err("two inputs are multiplied".into()),
                };
                Value::of(algebra, form.times(k), kind)
            }
            ">=" => bit(algebra.test(&a.form()?.minus(b.form()?))),
            "<=" => bit(algebra.test(&b.form()?.minus(a.form()?))),
            "<" => bit(Form::constant(1).minus(&algebra.test(&a.form()?.minus(b.form()?)))),
            ">" => bit(Form::constant(1).minus(&algebra.test(&b.form()?.minus(a.form()?)))),
            _ => Err(format!("{operator} is not expected")),
        }
    }
}
