//! Values as bytes for other processes, one after the other. Whatever is read back is checked: bytes may be damaged.

use super::error::Damaged;

/// Bytes to which values are added.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    /// Adds a number.
    pub(crate) fn number(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Adds a text, after its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    /// Adds doubles; how many is not written.
    pub(crate) fn doubles(&mut self, values: impl IntoIterator<Item = f64>) {
        self.0.extend(values.into_iter().flat_map(f64::to_le_bytes));
    }
}

/// Bytes from which values are taken.
pub(crate) struct Reader<'a> {
    /// The bytes that are left.
    pub(crate) rest: &'a [u8],
    what: &'static str,
}

impl<'a> Reader<'a> {
    /// The bytes of such a thing.
    pub(crate) fn new(what: &'static str, rest: &'a [u8]) -> Self {
        Self { rest, what }
    }

    /// The error for bytes that make no sense.
    pub(crate) fn damaged(&self, reason: &str) -> Damaged {
        Damaged { what: self.what, reason: reason.into() }
    }

    /// Takes so many bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.damaged("it ends too early"));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// Takes a number.
    pub(crate) fn number(&mut self) -> Result<u64, Damaged> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().expect("8 bytes")))
    }

    /// Takes the number of things of which each takes at least so many bytes.
    pub(crate) fn count(&mut self, each: usize) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).ok();
        let fits = |count: &usize| {
            count.checked_mul(each.max(1)).is_some_and(|bytes| bytes <= self.rest.len())
        };
        count.filter(fits).ok_or_else(|| self.damaged("a number is too large"))
    }

    /// Takes a text.
    pub(crate) fn text(&mut self) -> Result<&'a str, Damaged> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| self.damaged("a text is not UTF-8"))
    }

    /// Takes so many doubles.
    pub(crate) fn doubles(&mut self, count: usize) -> Result<Vec<f64>, Damaged> {
        let length = count.checked_mul(8).ok_or_else(|| self.damaged("a number is too large"))?;
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("8 bytes"));
        Ok(self.take(length)?.chunks_exact(8).map(number).collect())
    }

    /// Refuses bytes after the last value.
    pub(crate) fn end(&self) -> Result<(), Damaged> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.damaged("there is more than expected")) }
    }
}
