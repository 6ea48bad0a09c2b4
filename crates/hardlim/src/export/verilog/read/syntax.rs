//! The part of Verilog that modules are written in, read back. Everything that is not expected is an error.

use std::collections::{HashMap, HashSet};

/// A module.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) name: String,
    /// Parameters and local parameters with their values.
    pub(super) parameters: HashMap<String, Expression>,
    pub(super) signals: HashMap<String, Signal>,
    /// The names of the ports, in their order.
    pub(super) ports: Vec<String>,
    pub(super) items: Vec<Item>,
}

/// A port, a wire or a register.
#[derive(Debug, Clone)]
pub(super) struct Signal {
    /// The index of its highest bit; `None` for one bit.
    pub(super) top: Option<Expression>,
    pub(super) signed: bool,
    pub(super) register: bool,
    pub(super) direction: Direction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Input,
    Output,
    Inner,
}

/// What a module does all the time, or at every clock.
#[derive(Debug)]
pub(super) enum Item {
    /// A wire, or a bit of it, and what drives it.
    Drive { name: String, place: Option<Expression>, value: Expression },
    /// Statements for what is not stored.
    Always(Vec<Statement>),
    /// Statements at a rising clock.
    Clocked(Vec<Statement>),
}

#[derive(Debug)]
pub(super) enum Statement {
    Set { name: String, place: Option<Expression>, value: Expression },
    If(Expression, Vec<Statement>, Vec<Statement>),
    Case(Expression, Cases),
}

/// The branches of a `case`: constants with their statements, and what holds otherwise.
#[derive(Debug, Default)]
pub(super) struct Cases {
    /// The bits of the constants, which all have the same.
    pub(super) width: Option<u32>,
    pub(super) branches: HashMap<i128, Vec<Statement>>,
    pub(super) otherwise: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(super) enum Expression {
    Number { value: i128, width: u32, signed: bool },
    Name(String),
    Bit(String, Box<Expression>),
    Part(String, Box<Expression>, Box<Expression>),
    Joined(Vec<Expression>),
    Repeated(Box<Expression>, Box<Expression>),
    Signed(Box<Expression>),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// Operators of two sides, those that bind least first.
const LEVELS: [&[&str]; 7] =
    [&["||"], &["&&"], &["=="], &["<=", ">=", "<", ">"], &["<<<", ">>"], &["+", "-"], &["*"]];
const UNARY: [&str; 3] = ["-", "~", "!"];
const SIGNS: [&str; 28] = [
    "<<<", "||", "&&", "==", "<=", ">=", ">>", "(", ")", "[", "]", "{", "}", ";", ":", ",", "=",
    "+", "-", "*", "<", ">", "~", "!", "?", "@", "#", ".",
];

fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.split("//").next().unwrap_or("").trim();
        while let Some(first) = rest.chars().next() {
            let end = if first.is_ascii_alphanumeric() || "_$'".contains(first) {
                let inside = |c: char| c.is_ascii_alphanumeric() || "_$'".contains(c);
                rest.find(|c| !inside(c)).unwrap_or(rest.len())
            } else {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                sign.ok_or_else(|| format!("{first:?} is not expected"))?.len()
            };
            tokens.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
    }
    Ok(tokens)
}

/// The place in a list of tokens.
struct Reader<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    module: Module,
    /// What is driven, whole or by bits: a second driver is an error.
    driven: HashSet<(String, Option<i128>)>,
}

impl Module {
    /// The only module of a text.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (module, driven) = (Self::default(), HashSet::new());
        let mut reader = Reader { tokens: tokens(text)?, at: 0, module, driven };
        reader.header()?;
        while !reader.take("endmodule") {
            reader.item()?;
        }
        match reader.see() {
            "" => Ok(reader.module),
            more => Err(format!("{more:?} after the module")),
        }
    }
}

impl<'a> Reader<'a> {
    fn see(&self) -> &'a str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'a str {
        let token = self.see();
        self.at += 1;
        token
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.see() == token;
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, token: &str) -> Result<(), String> {
        let found = self.next();
        if found == token { Ok(()) } else { Err(format!("{token:?} is expected, not {found:?}")) }
    }

    fn name(&mut self) -> Result<String, String> {
        let name = self.next();
        match name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['\'', '$']) {
            true => Ok(name.to_owned()),
            false => Err(format!("a name is expected, not {name:?}")),
        }
    }

    /// `module NAME #(parameter WIDTH = 8) (ports);`
    fn header(&mut self) -> Result<(), String> {
        self.need("module")?;
        self.module.name = self.name()?;
        if self.take("#") {
            for token in ["(", "parameter"] {
                self.need(token)?;
            }
            self.parameter()?;
            self.need(")")?;
        }
        self.need("(")?;
        loop {
            let direction = match self.next() {
                "input" => Direction::Input,
                "output" => Direction::Output,
                other => return Err(format!("a port is expected, not {other:?}")),
            };
            let register = self.take("reg");
            let name = self.declared(register, direction)?;
            self.module.ports.push(name);
            if !self.take(",") {
                break;
            }
        }
        self.need(")")?;
        self.need(";")
    }

    fn parameter(&mut self) -> Result<(), String> {
        let name = self.name()?;
        self.need("=")?;
        let value = self.expression()?;
        match self.module.parameters.insert(name.clone(), value) {
            None => Ok(()),
            Some(_) => Err(format!("{name} is declared twice")),
        }
    }

    /// `signed [7:0] name`.
    fn declared(&mut self, register: bool, direction: Direction) -> Result<String, String> {
        let signed = self.take("signed");
        let mut top = None;
        if self.take("[") {
            top = Some(self.expression()?);
            for token in [":", "0", "]"] {
                self.need(token)?;
            }
        }
        let name = self.name()?;
        let signal = Signal { top, signed, register, direction };
        match self.module.signals.insert(name.clone(), signal) {
            None => Ok(name),
            Some(_) => Err(format!("{name} is declared twice")),
        }
    }

    fn drives(&mut self, name: &str, bit: Option<i128>) -> Result<(), String> {
        let twice = match bit {
            None => self.driven.iter().any(|(other, _)| other == name),
            Some(_) => self.driven.contains(&(name.to_owned(), None)),
        };
        match !twice && self.driven.insert((name.to_owned(), bit)) {
            true => Ok(()),
            false => Err(format!("{name} is driven twice")),
        }
    }

    fn item(&mut self) -> Result<(), String> {
        match self.next() {
            "localparam" => {
                self.parameter()?;
                self.need(";")
            }
            "reg" => {
                self.declared(true, Direction::Inner)?;
                self.need(";")
            }
            "wire" => {
                let name = self.declared(false, Direction::Inner)?;
                if self.take("=") {
                    self.drives(&name, None)?;
                    let value = self.expression()?;
                    self.module.items.push(Item::Drive { name, place: None, value });
                }
                self.need(";")
            }
            "assign" => {
                let (name, place) = self.target()?;
                let is_wire =
                    |signal: &Signal| !signal.register && signal.direction != Direction::Input;
                if !self.module.signals.get(&name).is_some_and(is_wire) {
                    return Err(format!("{name} is no wire"));
                }
                let bit = match &place {
                    None => None,
                    Some(Expression::Number { value, .. }) => Some(*value),
                    Some(_) => return Err(format!("a bit of {name} that is no number")),
                };
                self.drives(&name, bit)?;
                self.need("=")?;
                let value = self.expression()?;
                self.module.items.push(Item::Drive { name, place, value });
                self.need(";")
            }
            "always" => {
                self.need("@")?;
                let mut only = None;
                let clocked = match self.next() {
                    "*" => false,
                    "(" => {
                        let clocked = self.take("posedge");
                        let name = self.name()?;
                        match clocked {
                            true if name != "clk" => return Err(format!("{name} is no clock")),
                            true => (),
                            false => only = Some(name),
                        }
                        self.need(")")?;
                        clocked
                    }
                    other => return Err(format!("{other:?} after always @")),
                };
                let body = self.statement(clocked)?;
                if let Some(name) = only {
                    reads_only(&body, &name)?;
                }
                let mut names: Vec<(String, bool)> = Vec::new();
                targets(&body, &mut names);
                names.sort_unstable();
                names.dedup();
                // A register that is set whole and by bits is there twice.
                for (name, _) in names {
                    if self.module.signals.get(&name).is_none_or(|signal| !signal.register) {
                        return Err(format!("{name} is no register"));
                    }
                    self.drives(&name, None)?;
                }
                let item = if clocked { Item::Clocked(body) } else { Item::Always(body) };
                self.module.items.push(item);
                Ok(())
            }
            other => Err(format!("{other:?} is not expected")),
        }
    }

    /// A name, or a bit of it.
    fn target(&mut self) -> Result<(String, Option<Expression>), String> {
        let name = self.name()?;
        let mut place = None;
        if self.take("[") {
            place = Some(self.expression()?);
            self.need("]")?;
        }
        Ok((name, place))
    }

    /// A statement, or those between `begin` and `end`.
    fn statement(&mut self, late: bool) -> Result<Vec<Statement>, String> {
        if self.take("begin") {
            let mut all = Vec::new();
            while !self.take("end") {
                all.extend(self.statement(late)?);
            }
            return Ok(all);
        }
        if self.take("if") {
            self.need("(")?;
            let condition = self.expression()?;
            self.need(")")?;
            let yes = self.statement(late)?;
            let no = if self.take("else") { self.statement(late)? } else { Vec::new() };
            return Ok(vec![Statement::If(condition, yes, no)]);
        }
        if self.take("case") {
            self.need("(")?;
            let of = self.expression()?;
            self.need(")")?;
            let mut cases = Cases::default();
            while !self.take("endcase") {
                if self.take("default") {
                    self.need(":")?;
                    cases.otherwise = self.statement(late)?;
                    continue;
                }
                let Expression::Number { value, width, signed: false } = self.unary()? else {
                    return Err("a case is no constant".into());
                };
                if *cases.width.get_or_insert(width) != width {
                    return Err("cases of different widths".into());
                }
                self.need(":")?;
                let body = self.statement(late)?;
                if cases.branches.insert(value, body).is_some() {
                    return Err(format!("the case {value} is there twice"));
                }
            }
            return Ok(vec![Statement::Case(of, cases)]);
        }
        let (name, place) = self.target()?;
        self.need(if late { "<=" } else { "=" })?;
        let value = self.expression()?;
        self.need(";")?;
        Ok(vec![Statement::Set { name, place, value }])
    }

    fn expression(&mut self) -> Result<Expression, String> {
        let condition = self.side(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.need(":")?;
        let no = self.expression()?;
        Ok(Expression::Choose(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn side(&mut self, level: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.side(level + 1)?;
        while let Some(&operator) = operators.iter().find(|operator| self.see() == **operator) {
            self.at += 1;
            left = Expression::Binary(operator, Box::new(left), Box::new(self.side(level + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, String> {
        for sign in UNARY {
            if self.take(sign) {
                return Ok(Expression::Unary(sign, Box::new(self.unary()?)));
            }
        }
        if self.take("(") {
            let inner = self.expression()?;
            self.need(")")?;
            return Ok(inner);
        }
        if self.take("{") {
            let first = self.expression()?;
            if self.take("{") {
                let inner = self.expression()?;
                self.need("}")?;
                self.need("}")?;
                return Ok(Expression::Repeated(Box::new(first), Box::new(inner)));
            }
            let mut all = vec![first];
            while self.take(",") {
                all.push(self.expression()?);
            }
            self.need("}")?;
            return Ok(Expression::Joined(all));
        }
        if self.take("$signed") {
            self.need("(")?;
            let inner = self.expression()?;
            self.need(")")?;
            return Ok(Expression::Signed(Box::new(inner)));
        }
        if self.see().starts_with(|c: char| c.is_ascii_digit()) {
            return number(self.next());
        }
        let name = self.name()?;
        if !self.take("[") {
            return Ok(Expression::Name(name));
        }
        let high = self.expression()?;
        let found = match self.take(":") {
            true => Expression::Part(name, Box::new(high), Box::new(self.expression()?)),
            false => Expression::Bit(name, Box::new(high)),
        };
        self.need("]")?;
        Ok(found)
    }
}

/// `8'sd127`, `64'hff`, or a plain number, which has 32 bits and a sign.
fn number(token: &str) -> Result<Expression, String> {
    let bad = || format!("{token:?} is no number");
    let Some((width, rest)) = token.split_once('\'') else {
        let value = token.parse::<i32>().map_err(|_| bad())?;
        return Ok(Expression::Number { value: value.into(), width: 32, signed: true });
    };
    let (signed, rest) = rest.strip_prefix('s').map_or((false, rest), |rest| (true, rest));
    let base = match rest.get(..1) {
        Some("d") => 10,
        Some("h") => 16,
        Some("b") => 2,
        _ => return Err(bad()),
    };
    let width = width.parse::<u32>().ok().filter(|w| (1..=96).contains(w)).ok_or_else(bad)?;
    let value = i128::from_str_radix(&rest[1..], base).map_err(|_| bad())?;
    match value < 1 << width {
        true => Ok(Expression::Number { value, width, signed }),
        false => Err(format!("{token:?} has more bits than it says")),
    }
}

/// Refuses statements that wait for one signal and read others.
fn reads_only(body: &[Statement], name: &str) -> Result<(), String> {
    let constant = |value: &Expression| match value {
        Expression::Number { .. } => true,
        Expression::Joined(all) => all.iter().all(|e| matches!(e, Expression::Number { .. })),
        _ => false,
    };
    let set = |statement: &Statement| match statement {
        Statement::Set { place: None, value, .. } => constant(value),
        _ => false,
    };
    let good = match body {
        [Statement::Case(Expression::Name(of), cases)] => {
            of == name && cases.branches.values().chain([&cases.otherwise]).flatten().all(set)
        }
        _ => false,
    };
    if good { Ok(()) } else { Err(format!("always @({name}) reads more than {name}")) }
}

/// What statements may set, and whether a bit of it alone.
pub(super) fn targets(body: &[Statement], names: &mut Vec<(String, bool)>) {
    for statement in body {
        match statement {
            Statement::Set { name, place, .. } => names.push((name.clone(), place.is_some())),
            Statement::If(_, yes, no) => {
                targets(yes, names);
                targets(no, names);
            }
            Statement::Case(_, cases) => {
                cases.branches.values().for_each(|body| targets(body, names));
                targets(&cases.otherwise, names);
            }
        }
    }
}

impl Expression {
    /// Whether it reads something of this name.
    pub(super) fn reads(&self, name: &str) -> bool {
        let any = |all: &[&Self]| all.iter().any(|part| part.reads(name));
        match self {
            Self::Number { .. } => false,
            Self::Name(own) => own == name,
            Self::Bit(own, place) => own == name || place.reads(name),
            Self::Part(own, high, low) => own == name || any(&[high, low]),
            Self::Joined(all) => all.iter().any(|part| part.reads(name)),
            Self::Signed(inner) | Self::Unary(_, inner) => inner.reads(name),
            Self::Repeated(a, b) | Self::Binary(_, a, b) => any(&[a, b]),
            Self::Choose(on, yes, no) => any(&[on, yes, no]),
        }
    }
}

impl Module {
    /// How many registers there are.
    pub(super) fn registers(&self) -> usize {
        self.signals.values().filter(|signal| signal.register).count()
    }

    /// Whether something of this name is read beyond the declarations of inputs and what drives these wires.
    pub(super) fn reads_beyond(&self, name: &str, wires: &[String]) -> bool {
        let declared = self.signals.values().any(|signal| {
            let inner = signal.direction != Direction::Input;
            inner && signal.top.as_ref().is_some_and(|top| top.reads(name))
        });
        let parameter = self.parameters.values().any(|value| value.reads(name));
        let item = |item: &Item| match item {
            Item::Drive { name: own, value, .. } => !wires.contains(own) && value.reads(name),
            Item::Always(body) | Item::Clocked(body) => read_in(body, name),
        };
        declared || parameter || self.items.iter().any(item)
    }
}

/// Whether statements read something of this name.
fn read_in(body: &[Statement], name: &str) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Set { place, value, .. } => {
            value.reads(name) || place.as_ref().is_some_and(|place| place.reads(name))
        }
        Statement::If(on, yes, no) => on.reads(name) || read_in(yes, name) || read_in(no, name),
        Statement::Case(of, cases) => {
            let branches = cases.branches.values().chain([&cases.otherwise]);
            of.reads(name) || branches.into_iter().any(|body| read_in(body, name))
        }
    })
}
