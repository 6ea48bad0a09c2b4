//! The part of C that exports are written in, read back: constants, functions, loops and sums.
//!
//! Lines for AVR and C++ are left out; there, the same text is compiled with other names for
//! constants in flash. Everything that is not expected is an error.

use std::collections::HashMap;

/// A program: its tables, types, numbers with a name, and functions.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) tables: HashMap<String, Table>,
    pub(super) types: HashMap<String, String>,
    pub(super) functions: HashMap<String, Function>,
    /// `#define NAME text`, for the lines that are compiled.
    pub(super) defined: HashMap<String, String>,
}

/// A constant table: its type, its sizes and its numbers.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) kind: String,
    pub(super) sizes: Vec<usize>,
    pub(super) numbers: Vec<i128>,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) kind: String,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) body: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    /// A variable with its value, or an array with its length.
    Variable {
        kind: String,
        name: String,
        length: Option<Expression>,
        value: Option<Expression>,
    },
    Run(Expression),
    If(Expression, Vec<Statement>),
    For([Option<Expression>; 3], Vec<Statement>),
    Return(Expression),
}

#[derive(Debug, Clone)]
pub(super) enum Expression {
    Number(i128, &'static str),
    Name(String),
    Index(Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>),
    Cast(String, Box<Expression>),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `a op= b`; `=` alone sets.
    Assign(&'static str, Box<Expression>, Box<Expression>),
    Both(Box<Expression>, Box<Expression>),
}

/// Operators of two sides, those that bind least first.
const LEVELS: [&[&str]; 8] = [
    &["&&"],
    &["|"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*"],
];
const ASSIGNMENTS: [&str; 4] = ["=", "+=", "-=", "|="];
const SIGNS: [&str; 35] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "+=", "-=", "|=", "++", "(", ")", "[", "]", "{", "}",
    ";", ",", "=", "+", "-", "*", "&", "|", "<", ">", "~", "!", "?", ":", "/", "%", "^", ".",
];

fn is_type(name: &str, types: &HashMap<String, String>) -> bool {
    let integer = name.strip_suffix("_t").is_some_and(|rest| {
        let bits = rest.trim_start_matches('u').strip_prefix("int");
        bits.is_some_and(|bits| ["8", "16", "32", "64"].contains(&bits))
    });
    integer || ["unsigned", "int", "void"].contains(&name) || types.contains_key(name)
}

/// The lines that are compiled where neither `__AVR__` nor `__cplusplus` is defined, without
/// comments, and what they define.
fn compiled(text: &str) -> Result<(String, HashMap<String, String>), String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        plain += &rest[..at];
        plain.push(' ');
        rest = rest[at..].split_once("*/").ok_or("a comment does not end")?.1;
    }
    plain += rest;
    let (mut code, mut defined, mut active) = (String::new(), HashMap::new(), Vec::new());
    for line in plain.lines() {
        let Some(directive) = line.trim().strip_prefix('#') else {
            if active.iter().all(|on| *on) {
                code += line;
                code.push('\n');
            }
            continue;
        };
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        match word {
            "ifdef" => active.push(false),
            "ifndef" => active.push(true),
            "else" => {
                let last = active.last_mut().ok_or("#else without #ifdef")?;
                *last = !*last;
            }
            "endif" => drop(active.pop().ok_or("#endif without #ifdef")?),
            "define" if active.iter().all(|on| *on) => {
                let end = rest.find([' ', '(']).unwrap_or(rest.len());
                defined.insert(rest[..end].to_owned(), rest[end..].trim().to_owned());
            }
            "define" | "include" => (),
            _ => return Err(format!("#{word} is not expected")),
        }
    }
    Ok((code, defined))
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            sign.ok_or_else(|| format!("{first:?} is not expected"))?.len()
        };
        tokens.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    Ok(tokens)
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
    program: Program,
}

impl Program {
    pub(super) fn read(header: &str, source: &str) -> Result<Self, String> {
        let (code, defined) = compiled(&format!("{header}\n{source}"))?;
        let program = Self { defined, ..Self::default() };
        let mut reader = Reader { tokens: tokens(&code)?, at: 0, program };
        while reader.at < reader.tokens.len() {
            reader.item()?;
        }
        Ok(reader.program)
    }
}

impl Reader {
    fn see(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
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

    fn sees_type(&self) -> bool {
        is_type(self.see(), &self.program.types) || self.see() == "const"
    }

    /// A type, without `const` and with its stars.
    fn kind(&mut self) -> Result<String, String> {
        self.take("const");
        let mut kind = self.next();
        if !is_type(&kind, &self.program.types) {
            return Err(format!("{kind:?} is no type"));
        }
        while self.take("*") {
            kind.push('*');
        }
        Ok(kind)
    }

    /// A typedef, a table, or a function.
    fn item(&mut self) -> Result<(), String> {
        if self.take("typedef") {
            let (kind, name) = (self.kind()?, self.next());
            self.program.types.insert(name, kind);
            return self.need(";");
        }
        self.take("static");
        let (kind, name) = (self.kind()?, self.next());
        if self.see() == "[" {
            let mut sizes = Vec::new();
            while self.take("[") {
                sizes.push(self.next().parse().map_err(|_| "a size is expected")?);
                self.need("]")?;
            }
            self.take("FLASH");
            self.need("=")?;
            let mut numbers = Vec::new();
            self.numbers(&mut numbers)?;
            self.need(";")?;
            if sizes.iter().product::<usize>() != numbers.len() {
                return Err(format!("{name} has another length than its numbers"));
            }
            self.program.tables.insert(name, Table { kind, sizes, numbers });
            return Ok(());
        }
        self.need("(")?;
        let mut parameters = Vec::new();
        while !self.take(")") {
            parameters.push((self.kind()?, self.next()));
            self.take(",");
        }
        if self.take(";") {
            return Ok(()); // a declaration
        }
        let body = self.block()?;
        self.program.functions.insert(name, Function { kind, parameters, body });
        Ok(())
    }

    /// `{ 1, -2, { 3 } }`.
    fn numbers(&mut self, numbers: &mut Vec<i128>) -> Result<(), String> {
        self.need("{")?;
        while !self.take("}") {
            if self.see() == "{" {
                self.numbers(numbers)?;
            } else {
                numbers.push(self.constant()?);
            }
            self.take(",");
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<i128, String> {
        if self.take("INT64_C") {
            self.need("(")?;
            let value = self.constant()?;
            self.need(")")?;
            return Ok(value);
        }
        let sign = if self.take("-") { -1 } else { 1 };
        let (value, _) = number(&self.next())?;
        Ok(sign * value)
    }

    fn block(&mut self) -> Result<Vec<Statement>, String> {
        self.need("{")?;
        let mut body = Vec::new();
        while !self.take("}") {
            self.statement(&mut body)?;
        }
        Ok(body)
    }

    fn one(&mut self) -> Result<Vec<Statement>, String> {
        let mut body = Vec::new();
        self.statement(&mut body)?;
        Ok(body)
    }

    fn statement(&mut self, body: &mut Vec<Statement>) -> Result<(), String> {
        if self.see() == "{" {
            body.extend(self.block()?);
            return Ok(());
        }
        if self.take("if") {
            self.need("(")?;
            let condition = self.expression()?;
            self.need(")")?;
            let then = self.one()?;
            body.push(Statement::If(condition, then));
            return Ok(());
        }
        if self.take("for") {
            self.need("(")?;
            let mut parts = [None, None, None];
            for (part, end) in parts.iter_mut().zip([";", ";", ")"]) {
                if self.see() != end {
                    *part = Some(self.expression()?);
                }
                self.need(end)?;
            }
            let each = self.one()?;
            body.push(Statement::For(parts, each));
            return Ok(());
        }
        if self.take("return") {
            body.push(Statement::Return(self.expression()?));
        } else if self.sees_type() {
            let kind = self.kind()?;
            loop {
                let (name, mut length) = (self.next(), None);
                if self.take("[") {
                    length = Some(self.expression()?);
                    self.need("]")?;
                }
                let value = if self.take("=") { Some(self.side(0)?) } else { None };
                body.push(Statement::Variable { kind: kind.clone(), name, length, value });
                if !self.take(",") {
                    break;
                }
            }
        } else {
            body.push(Statement::Run(self.expression()?));
        }
        self.need(";")
    }

    /// Assignments, with commas between them.
    fn expression(&mut self) -> Result<Expression, String> {
        let left = self.side(0)?;
        let operator = ASSIGNMENTS.iter().find(|operator| self.see() == **operator);
        let mut found = left;
        if let Some(&operator) = operator {
            self.at += 1;
            found = Expression::Assign(operator, Box::new(found), Box::new(self.side(0)?));
        }
        if self.take(",") {
            found = Expression::Both(Box::new(found), Box::new(self.expression()?));
        }
        Ok(found)
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
        for sign in ["-", "~"] {
            if self.take(sign) {
                return Ok(Expression::Unary(sign, Box::new(self.unary()?)));
            }
        }
        if self.take("(") {
            if self.sees_type() {
                let kind = self.kind()?;
                self.need(")")?;
                return Ok(Expression::Cast(kind, Box::new(self.unary()?)));
            }
            let inner = self.expression()?;
            self.need(")")?;
            return self.after(inner);
        }
        let token = self.next();
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            let (value, kind) = number(&token)?;
            return Ok(Expression::Number(value, kind));
        }
        if token == "INT64_C" {
            self.at -= 1;
            return Ok(Expression::Number(self.constant()?, "int64_t"));
        }
        if !token.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(format!("{token:?} is not expected"));
        }
        if self.take("(") {
            let mut arguments = Vec::new();
            while !self.take(")") {
                arguments.push(self.side(0)?);
                self.take(",");
            }
            return Ok(Expression::Call(token, arguments));
        }
        self.after(Expression::Name(token))
    }

    /// What follows a value: places in arrays, and `++`.
    fn after(&mut self, mut found: Expression) -> Result<Expression, String> {
        while self.take("[") {
            let place = self.expression()?;
            self.need("]")?;
            found = Expression::Index(Box::new(found), Box::new(place));
        }
        if self.take("++") {
            let one = Box::new(Expression::Number(1, "int"));
            found = Expression::Assign("+=", Box::new(found), one);
        }
        Ok(found)
    }
}

/// A number and its type.
fn number(token: &str) -> Result<(i128, &'static str), String> {
    let bad = |_| format!("{token:?} is no number");
    let digits = token.trim_end_matches('u');
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).map_err(bad)?,
        None => digits.parse().map_err(bad)?,
    };
    let kind = if token.ends_with('u') {
        "uint32_t"
    } else if value <= i128::from(i32::MAX) {
        "int"
    } else {
        "int64_t"
    };
    Ok((value, kind))
}
