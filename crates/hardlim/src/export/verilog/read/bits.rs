//! Bits of Verilog on every input at once.
//!
//! A value of `n` bits stands for a formula modulo `2ⁿ`. Sums, differences, shifts and truncation are exact
//! modulo `2ⁿ`, so a formula may be beyond its bits on the way. What its bits are as a number is asked only where
//! it is extended, compared or read, and answered by its range: within `2ⁿ` values there is one answer, and
//! beyond them a test says which.

use std::rc::Rc;

use super::super::super::algebra::{Algebra, Form};

/// Bits, as a formula modulo a power of two.
#[derive(Debug, Clone)]
pub(super) struct Bits {
    pub(super) form: Rc<Form>,
    /// Bounds of the formula.
    pub(super) range: (i128, i128),
    pub(super) width: u32,
}

/// The most bits of a value, so that formulas do not overflow.
pub(super) const WIDEST: u32 = 96;

impl Bits {
    pub(super) fn known(value: i128, width: u32) -> Self {
        Self { form: Rc::new(Form::constant(value)), range: (value, value), width }
    }

    /// A formula as bits; its range is the narrower one of what is known and what the formula says.
    pub(super) fn of(
        algebra: &Algebra,
        form: Form,
        known: Option<(i128, i128)>,
        width: u32,
    ) -> Self {
        let (mut least, mut most) = algebra.range(&form);
        if let Some(known) = known {
            (least, most) = (least.max(known.0), most.min(known.1));
        }
        Self { form: Rc::new(form), range: (least, most), width }
    }

    /// The number that these bits are, as a formula with its range.
    pub(super) fn number(&self, algebra: &mut Algebra, signed: bool) -> Result<Self, String> {
        if self.width > WIDEST {
            return Err(format!("a value of {} bits", self.width));
        }
        let size = 1i128 << self.width;
        let start = if signed { -(size / 2) } else { 0 };
        let inside = |(least, most): (i128, i128)| least >= start && most < start + size;
        if inside(self.range) {
            return Ok(self.clone());
        }
        // What is a multiple of 2ⁿ does not matter.
        let terms = self.form.terms.iter().filter(|(_, k)| **k % size != 0);
        let terms = terms.map(|(&atom, &k)| (atom, k)).collect();
        let constant = self.form.constant.rem_euclid(size);
        let less = Form { constant, terms, beyond: self.form.beyond };
        if inside(algebra.range(&less)) {
            return Ok(Self::of(algebra, less, None, self.width));
        }
        // Otherwise the range may reach over one border.
        let turns = |value: i128| (value - start).div_euclid(size);
        let (first, last) = (turns(self.range.0), turns(self.range.1));
        let mut form = self.form.minus(&Form::constant(first * size));
        match last - first {
            0 => (),
            1 => {
                let above = algebra.test(&form.minus(&Form::constant(start + size)));
                form = form.minus(&above.times(size));
            }
            _ if !signed && self.width < WIDEST => {
                // With one bit more there are half as many borders.
                let wider = Self { width: self.width + 1, ..self.clone() };
                let wider = wider.number(algebra, false)?;
                return Self { width: self.width, ..wider }.number(algebra, signed);
            }
            _ => {
                let ((least, most), bits) = (self.range, self.width);
                return Err(format!(
                    "a number between {least} and {most} does not fit {bits} bits"
                ));
            }
        }
        let known = match last - first {
            0 => (self.range.0 - first * size, self.range.1 - first * size),
            _ => (start, start + size - 1),
        };
        Ok(Self::of(algebra, form, Some(known), self.width))
    }

    /// The bits with another width, extended as a number with or without a sign.
    pub(super) fn with_width(
        &self,
        algebra: &mut Algebra,
        signed: bool,
        width: u32,
    ) -> Result<Self, String> {
        if width > WIDEST {
            return Err(format!("a value of {width} bits"));
        }
        match width <= self.width {
            true => Ok(self.cut(width)),
            false => Ok(Self { width, ..self.number(algebra, signed)? }),
        }
    }

    /// The lowest bits. A constant is written as the number that they are.
    fn cut(&self, width: u32) -> Self {
        match self.form.known() {
            Some(value) => Self::known(value.rem_euclid(1 << width), width),
            None => Self { width, ..self.clone() },
        }
    }

    /// The bits from `low` up to `high`.
    pub(super) fn part(&self, algebra: &mut Algebra, high: u32, low: u32) -> Result<Self, String> {
        if high < low || high >= self.width || self.width > WIDEST {
            return Err(format!("bits {high} to {low} of {}", self.width));
        }
        let (width, unit) = (high - low + 1, 1i128 << low);
        if low == 0 {
            return Ok(self.cut(width));
        }
        // ⌊f / 2ˡ⌋: what is a multiple of 2ˡ, and the rest if it has one answer.
        if self.form.beyond {
            return Err("a number beyond 128 bits".into());
        }
        let (mut above, mut rest) = (Form::default(), Form::default());
        for (&atom, &k) in &self.form.terms {
            let (form, k) = if k % unit == 0 { (&mut above, k / unit) } else { (&mut rest, k) };
            form.terms.insert(atom, k);
        }
        above.constant = self.form.constant.div_euclid(unit);
        rest.constant = self.form.constant.rem_euclid(unit);
        let (least, most) = algebra.range(&rest);
        if least >= 0 && most < unit {
            return Ok(Self::of(algebra, above, None, width).cut(width));
        }
        // Otherwise the quotient must have one or two values.
        let (first, last) = (self.range.0.div_euclid(unit), self.range.1.div_euclid(unit));
        let form = match last - first {
            0 => Form::constant(first),
            1 => {
                let border = Form::constant((first + 1) * unit);
                Form::constant(first).plus(&algebra.test(&self.form.minus(&border)))
            }
            _ => {
                // Without the bits above, it may have two.
                let lower = self.cut(high + 1).number(algebra, false)?;
                if lower.form != self.form {
                    return lower.part(algebra, high, low);
                }
                return Err(format!("bits {high} to {low} of a number between {first} and {last}"));
            }
        };
        let part = Self::of(algebra, form, None, width);
        if width > 1 {
            return Ok(part);
        }
        // A single bit is written as zero or one: of −1 and 0, or of 1 and 2, the first one is on.
        let form = match (last - first, first.rem_euclid(2)) {
            (0, bit) => Form::constant(bit),
            (_, 0) => part.form.minus(&Form::constant(first)),
            _ => Form::constant(first + 1).minus(&part.form),
        };
        Ok(Self::of(algebra, form, None, 1))
    }

    /// Several values one after the other, the first one highest.
    pub(super) fn joined(algebra: &mut Algebra, parts: &[Self]) -> Result<Self, String> {
        let width = parts.iter().map(|part| part.width).sum::<u32>();
        if width > WIDEST {
            return Err(format!("a value of {width} bits"));
        }
        let mut form = Form::default();
        let mut range = (0, 0);
        for part in parts {
            let part = part.number(algebra, false)?;
            form = form.times(1 << part.width).plus(&part.form);
            range =
                ((range.0 << part.width) + part.range.0, (range.1 << part.width) + part.range.1);
        }
        Ok(Self::of(algebra, form, Some(range), width))
    }

    /// The sum with `k` times another value, with the bits of both.
    pub(super) fn plus(&self, algebra: &Algebra, other: &Self, k: i128) -> Self {
        let form = self.form.plus(&other.form.times(k));
        let (a, b) = (k.checked_mul(other.range.0), k.checked_mul(other.range.1));
        let known = a.zip(b).and_then(|(a, b)| {
            Some((self.range.0.checked_add(a.min(b))?, self.range.1.checked_add(a.max(b))?))
        });
        Self::of(algebra, form, known, self.width)
    }

    /// The value times a number.
    pub(super) fn times(&self, algebra: &Algebra, k: i128) -> Self {
        Self::known(0, self.width).plus(algebra, self, k)
    }

    /// Whether the number is zero or one, and which if that is known.
    pub(super) fn bit(&self, algebra: &mut Algebra) -> Result<Form, String> {
        let number = self.number(algebra, false)?;
        match number.range.0 >= 0 && number.range.1 <= 1 {
            true => Ok(Form::clone(&number.form)),
            false => Err("a condition of several bits".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: the bits of a number, one by one.
    fn bits_of(value: i128, high: u32, low: u32) -> i128 {
        (low..=high).map(|b| (value >> b & 1) << (b - low)).sum()
    }

    #[test]
    fn numbers_and_parts_are_those_of_the_bits() {
        let mut decided = 0;
        for (k, c, width) in
            (-3..=3).flat_map(|k| (-9..=9).flat_map(move |c| (2..=5).map(move |w| (k, c, w))))
        {
            let mut algebra = Algebra::default();
            let x = algebra.input(0, -4, 3);
            let form = x.times(k).plus(&Form::constant(c));
            let bits = Bits::of(&algebra, form, None, width);
            for signed in [false, true] {
                let Ok(found) = bits.number(&mut algebra, signed) else { continue };
                decided += 1;
                for x in -4..=3 {
                    let unsigned = bits_of(k * x + c, width - 1, 0);
                    let wraps = signed && unsigned >> (width - 1) == 1;
                    let expected = unsigned - if wraps { 1 << width } else { 0 };
                    assert_eq!(
                        algebra.value(&found.form, &[x]),
                        expected,
                        "{k} {x} + {c}: {width}"
                    );
                    assert!((found.range.0..=found.range.1).contains(&expected));
                }
            }
            for (high, low) in (0..width).flat_map(|high| (0..=high).map(move |low| (high, low))) {
                let Ok(part) = bits.part(&mut algebra, high, low) else { continue };
                let Ok(found) = part.number(&mut algebra, false) else { continue };
                decided += 1;
                for x in -4..=3 {
                    let expected = bits_of(k * x + c, high, low);
                    assert_eq!(algebra.value(&found.form, &[x]), expected, "{high} {low}");
                }
            }
        }
        assert!(decided > 2000, "{decided}");
    }
}
