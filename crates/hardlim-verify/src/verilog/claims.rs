//! What the wires of a module are said to stand for, read from its `_wires.txt`.

use std::collections::HashMap;

/// The ports of a module, and its wires in an order in which each reads those before it.
#[derive(Debug, Default)]
pub(super) struct Claims {
    pub(super) inputs: Vec<String>,
    pub(super) wires: Vec<Claim>,
    pub(super) outputs: Vec<(String, Sum)>,
    places: HashMap<String, usize>,
}

#[derive(Debug)]
pub(super) struct Claim {
    pub(super) name: String,
    /// The smallest and the largest value.
    pub(super) range: (i128, i128),
    pub(super) formula: Formula,
}

#[derive(Debug)]
pub(super) enum Formula {
    /// An input of one bit.
    Port(usize),
    /// An input, limited to its range.
    Bounded(usize),
    Sum(Sum),
    /// `on ? yes : no`.
    Choose([Sum; 3]),
    /// The wire, one clock later.
    Register(Sum),
}

/// `c + Σ kⱼtⱼ`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) constant: i128,
    pub(super) terms: Vec<(i128, Term)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Wire(usize),
    /// A bit of a wire that is not negative.
    Bit(usize, u32),
    /// `1{sum ≥ 0}`.
    Test(Sum),
}

impl Sum {
    pub(super) fn wires(&self) -> Vec<usize> {
        let of = |(_, term): &(i128, Term)| match term {
            Term::Wire(wire) | Term::Bit(wire, _) => vec![*wire],
            Term::Test(inner) => inner.wires(),
        };
        self.terms.iter().flat_map(of).collect()
    }

    pub(super) fn has_tests(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Test(_)))
    }

    /// The wire, if it is just that.
    pub(super) fn wire(&self) -> Option<usize> {
        match self.terms[..] {
            [(1, Term::Wire(wire))] if self.constant == 0 => Some(wire),
            _ => None,
        }
    }
}

impl Formula {
    pub(super) fn sums(&self) -> &[Sum] {
        match self {
            Self::Port(_) | Self::Bounded(_) => &[],
            Self::Sum(sum) | Self::Register(sum) => std::slice::from_ref(sum),
            Self::Choose(sums) => sums,
        }
    }
}

impl Claims {
    /// The range of a sum, as if its parts did not depend on each other; `None` beyond 128 bits.
    pub(super) fn range(&self, sum: &Sum) -> Option<(i128, i128)> {
        let constant = (sum.constant, sum.constant);
        sum.terms.iter().try_fold(constant, |(least, most), (k, term)| {
            let (low, high) = match term {
                Term::Wire(wire) => self.wires[*wire].range,
                Term::Bit(..) | Term::Test(_) => (0, 1),
            };
            let (a, b) = (k.checked_mul(low)?, k.checked_mul(high)?);
            Some((least.checked_add(a.min(b))?, most.checked_add(a.max(b))?))
        })
    }

    /// The claims in a text; `is_bit` says whether an input has one bit.
    pub(super) fn read(text: &str, is_bit: impl Fn(usize) -> bool) -> Result<Self, String> {
        let mut claims = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let spaced = line.replace('(', " ( ").replace(')', " ) ");
            let mut words = Words { words: spaced.split_whitespace().collect(), at: 0 };
            claims.line(&mut words, &is_bit).map_err(|why| format!("{line}: {why}"))?;
            if words.at < words.words.len() {
                return Err(format!("{line}: it does not end"));
            }
        }
        Ok(claims)
    }

    fn line(
        &mut self,
        words: &mut Words<'_>,
        is_bit: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        let (kind, name) = (words.next()?, words.next()?.to_owned());
        match kind {
            "input" => {
                let place = self.inputs.len();
                if is_bit(place) {
                    self.add(name.clone(), (0, 1), Formula::Port(place));
                }
                self.inputs.push(name);
            }
            "output" => {
                words.need("=")?;
                let sum = self.sum(words)?;
                self.outputs.push((name, sum));
            }
            "wire" | "reg" => {
                let (least, most) = words.next()?.split_once("..").ok_or("no range")?;
                let range = (whole(least)?, whole(most)?);
                words.need(if kind == "reg" { "<=" } else { "=" })?;
                let formula = if kind == "reg" {
                    Formula::Register(self.sum(words)?)
                } else if words.take("bounded") {
                    let port = words.next()?;
                    let place = self.inputs.iter().position(|input| input == port);
                    Formula::Bounded(place.ok_or("no such input")?)
                } else {
                    let sum = self.sum(words)?;
                    if words.take("?") {
                        let yes = self.sum(words)?;
                        words.need(":")?;
                        Formula::Choose([sum, yes, self.sum(words)?])
                    } else {
                        Formula::Sum(sum)
                    }
                };
                self.add(name, range, formula);
            }
            _ => return Err(format!("{kind} is not expected")),
        }
        Ok(())
    }

    fn add(&mut self, name: String, range: (i128, i128), formula: Formula) {
        self.places.insert(name.clone(), self.wires.len());
        self.wires.push(Claim { name, range, formula });
    }

    fn sum(&self, words: &mut Words<'_>) -> Result<Sum, String> {
        let mut sum = Sum::default();
        loop {
            let word = words.next()?;
            let (k, name) = match word.split_once('*') {
                Some((k, name)) => (whole(k)?, name),
                None => (1, word),
            };
            if name == "(" || name.is_empty() && words.take("(") {
                let inner = self.sum(words)?;
                [">=", "0", ")"].into_iter().try_for_each(|word| words.need(word))?;
                sum.terms.push((k, Term::Test(inner)));
            } else if let (true, Ok(value)) = (name == word, name.parse::<i128>()) {
                sum.constant += value;
            } else {
                let (wire, bit) = match name.split_once('[') {
                    Some((wire, bit)) => (wire, Some(bit.trim_end_matches(']'))),
                    None => (name, None),
                };
                let wire = *self.places.get(wire).ok_or_else(|| format!("no wire {wire} yet"))?;
                sum.terms.push(match bit {
                    None => (k, Term::Wire(wire)),
                    Some(bit) => (k, Term::Bit(wire, whole(bit)? as u32)),
                });
            }
            if !words.take("+") {
                return Ok(sum);
            }
        }
    }
}

fn whole(text: &str) -> Result<i128, String> {
    text.parse().map_err(|_| format!("{text:?} is no number"))
}

/// The words of a line, and the place of the next one.
struct Words<'a> {
    words: Vec<&'a str>,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        self.at += 1;
        self.words.get(self.at - 1).copied().ok_or_else(|| "it ends early".into())
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) { Ok(()) } else { Err(format!("{word} is expected")) }
    }
}
