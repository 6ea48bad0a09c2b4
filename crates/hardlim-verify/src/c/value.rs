//! Values of C on every input at once: whole numbers as formulas, with the types of C.
//!
//! A signed number must fit its type on every input, so no sum overflows. An unsigned number may be
//! the bits of a negative one, which is written by how much it is above or below zero.

use crate::algebra::{Algebra, Form};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

pub(super) const INT: Type = Type { bits: 32, signed: true };

impl Type {
    /// The type of this name. `int` and `unsigned` have 32 bits.
    pub(super) fn named(name: &str) -> Option<Self> {
        if name == "int" || name == "unsigned" {
            return Some(Self { bits: 32, signed: name == "int" });
        }
        let signed = !name.starts_with('u');
        let bits = name.trim_start_matches('u').strip_prefix("int")?.strip_suffix("_t")?;
        Some(Self { bits: bits.parse().ok()?, signed })
    }

    /// The smallest and the largest number.
    pub(super) fn range(self) -> (i128, i128) {
        if self.signed {
            (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1)
        } else {
            (0, (1 << self.bits) - 1)
        }
    }

    /// The type that two numbers are computed in.
    pub(super) fn common(self, other: Self) -> Self {
        let wide = |t: Self| if t.bits < 32 { INT } else { t };
        let (a, b) = (wide(self), wide(other));
        let bits = a.bits.max(b.bits);
        let signed = [a, b].iter().all(|t| t.signed || t.bits < bits);
        Self { bits, signed }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) kind: Type,
    pub(super) what: What,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    /// A number within its type.
    Number(Form),
    /// The bits of a number that may be negative, or their complement, in an unsigned type.
    Bits { of: Form, flipped: bool },
    /// The bits one by one, the lowest first; each is zero or one.
    Word(Vec<Form>),
}

impl Value {
    pub(super) fn known(value: i128, kind: Type) -> Self {
        Self { kind, what: What::Number(Form::constant(value)) }
    }

    /// The number as a formula.
    pub(super) fn form(&self) -> Result<&Form, String> {
        match &self.what {
            What::Number(form) => Ok(form),
            _ => Err("a number is expected, not its bits".into()),
        }
    }

    /// The number, if it does not depend on the inputs.
    pub(super) fn constant(&self) -> Result<i128, String> {
        self.form()?.known().ok_or_else(|| "it depends on the inputs".into())
    }

    /// A formula in a type.
    pub(super) fn of(algebra: &Algebra, form: Form, kind: Type) -> Result<Self, String> {
        let ((least, most), (low, high)) = (algebra.range(&form), kind.range());
        if least >= low && most <= high {
            return Ok(Self { kind, what: What::Number(form) });
        }
        if let (Some(value), false) = (form.known(), kind.signed) {
            return Ok(Self::known(value.rem_euclid(1 << kind.bits), kind));
        }
        let half = 1 << (kind.bits - 1);
        if !kind.signed && least >= -half && most < half {
            return Ok(Self { kind, what: What::Bits { of: form, flipped: false } });
        }
        let (bits, sign) = (kind.bits, if kind.signed { "" } else { "unsigned " });
        Err(format!("a number between {least} and {most} does not fit {sign}{bits} bits"))
    }

    pub(super) fn converted(self, algebra: &Algebra, kind: Type) -> Result<Self, String> {
        match self.what {
            What::Number(form) => Self::of(algebra, form, kind),
            What::Bits { of, flipped: false } if kind.bits == self.kind.bits => {
                Self::of(algebra, of, kind)
            }
            What::Word(_) if !kind.signed && kind.bits >= self.kind.bits => {
                Ok(Self { kind, ..self })
            }
            what if kind == self.kind => Ok(Self { kind, what }),
            _ => Err("bits are converted to a type that does not hold them".into()),
        }
    }

    /// A word whose higher bits are zero is the number of its lowest bit.
    fn word(bits: Vec<Form>, kind: Type) -> Self {
        let zero = Form::default();
        if bits.iter().skip(1).all(|bit| *bit == zero) {
            Self { kind, what: What::Number(bits.into_iter().next().unwrap_or_default()) }
        } else {
            Self { kind, what: What::Word(bits) }
        }
    }

    fn bits(&self, algebra: &Algebra) -> Result<Vec<Form>, String> {
        let mut bits = vec![Form::default(); self.kind.bits as usize];
        match &self.what {
            What::Word(word) => return Ok(word.clone()),
            What::Number(form) if algebra.is_bit(form) => bits[0] = form.clone(),
            _ => {
                let value = self.constant()?;
                for (i, bit) in bits.iter_mut().enumerate() {
                    *bit = Form::constant(value >> i & 1);
                }
            }
        }
        Ok(bits)
    }

    pub(super) fn shifted_up(&self, algebra: &Algebra, by: usize) -> Result<Self, String> {
        if let Some(value) = self.form().ok().and_then(Form::known) {
            return Self::of(algebra, Form::constant(value << by), self.kind);
        }
        if self.kind.signed {
            return Err("a signed number is shifted up".into());
        }
        let mut bits = self.bits(algebra)?;
        let kept = bits.len() - by;
        if bits[kept..].iter().any(|bit| *bit != Form::default()) {
            return Err("a bit is shifted out".into());
        }
        bits.rotate_right(by);
        Ok(Self::word(bits, self.kind))
    }

    pub(super) fn shifted_down(&self, algebra: &mut Algebra, by: usize) -> Result<Self, String> {
        let bits = self.kind.bits as usize;
        match &self.what {
            What::Number(form) if form.known().is_some() => {
                Ok(Self::known(form.constant >> by, self.kind))
            }
            // The highest bit says whether the number is negative.
            What::Bits { of, flipped } if by + 1 == bits => {
                let positive = algebra.test(of);
                let negative = Form::constant(1).minus(&positive);
                let form = if *flipped { positive } else { negative };
                Ok(Self { kind: self.kind, what: What::Number(form) })
            }
            What::Bits { .. } => Err("only the highest bit of a number is read".into()),
            _ => {
                let mut word = self.bits(algebra)?.split_off(by);
                word.resize(bits, Form::default());
                Ok(Self::word(word, self.kind))
            }
        }
    }

    pub(super) fn flipped(self, algebra: &Algebra) -> Result<Self, String> {
        if self.kind.signed {
            return Err("the bits of a signed number are flipped".into());
        }
        let (of, flipped) = match self.what {
            What::Number(form) => (form, true),
            What::Bits { of, flipped } => (of, !flipped),
            What::Word(_) => return Err("the bits of a word are flipped".into()),
        };
        let half = 1 << (self.kind.bits - 1);
        if algebra.range(&of).1 >= half {
            return Err("a large unsigned number is flipped".into());
        }
        Ok(Self { kind: self.kind, what: What::Bits { of, flipped } })
    }

    /// `a | b`, of bits that are not on in both.
    pub(super) fn or(&self, other: &Self, algebra: &Algebra) -> Result<Self, String> {
        let (left, right) = (self.bits(algebra)?, other.bits(algebra)?);
        let zero = Form::default();
        let mut bits = Vec::new();
        for (a, b) in left.into_iter().zip(right) {
            bits.push(match (a == zero, b == zero) {
                (true, _) => b,
                (_, true) => a,
                _ => return Err("a bit is set twice".into()),
            });
        }
        Ok(Self::word(bits, self.kind))
    }

    /// `a & b`, where one of them is constant, and the other one a word or zero or minus one.
    pub(super) fn and(&self, other: &Self, algebra: &Algebra) -> Result<Self, String> {
        let is_known = |value: &Self| value.form().is_ok_and(|form| form.known().is_some());
        let (mask, value) = if is_known(other) { (other, self) } else { (self, other) };
        let k = mask.constant()?;
        if let Some(known) = value.form().ok().and_then(Form::known) {
            return Self::of(algebra, Form::constant(known & k), self.kind);
        }
        if let What::Number(form) = &value.what
            && algebra.range(form) == (-1, 0)
        {
            return Self::of(algebra, form.times(-k), self.kind);
        }
        let bits = value.bits(algebra)?.into_iter().enumerate();
        let kept = bits.map(|(i, bit)| if k >> i & 1 == 1 { bit } else { Form::default() });
        Ok(Self::word(kept.collect(), self.kind))
    }

    pub(super) fn count(&self, algebra: &Algebra) -> Result<Form, String> {
        Ok(self.bits(algebra)?.iter().fold(Form::default(), |sum, bit| sum.plus(bit)))
    }
}
