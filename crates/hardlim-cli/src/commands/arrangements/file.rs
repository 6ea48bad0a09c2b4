//! Lists of patterns as files: .csv with one line for each, .npy with one column for each.

use std::path::Path;

use anyhow::bail;
use hardlim::Error;
use hardlim::file::Draft;
use hardlim::pattern::WORD;

use crate::interrupt;

/// A list under way.
pub(super) struct PatternFile<'a> {
    draft: Draft,
    format: Format,
    /// For every row of the table, which of the distinct rows it is.
    row_of: &'a [u32],
    /// The bytes of one pattern.
    line: Vec<u8>,
    patterns: u64,
}

#[derive(Clone, Copy)]
enum Format {
    Csv,
    Npy,
}

/// The bytes of a .npy header, however long the list gets.
const HEADER: usize = 128;

impl<'a> PatternFile<'a> {
    /// The name decides the format.
    pub(super) fn new(path: &Path, row_of: &'a [u32]) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let format = match extension.as_deref() {
            Some("csv") => Format::Csv,
            Some("npy") => Format::Npy,
            _ => bail!("-o {}: the name must end in .csv or .npy", path.display()),
        };
        let mut draft = Draft::new(path)?;
        interrupt::remove_on_exit(draft.temporary_path());
        let n = row_of.len();
        let (header, line) = match format {
            Format::Csv => {
                let names: Vec<String> = (1..=n).map(|i| format!("row{i}")).collect();
                let mut line = [b'0', b','].repeat(n);
                *line.last_mut().expect("there is a row") = b'\n';
                (names.join(",").into_bytes().into_iter().chain([b'\n']).collect(), line)
            }
            Format::Npy => (vec![b' '; HEADER], vec![0; n]),
        };
        draft.add(&header)?;
        Ok(Self { draft, format, row_of, line, patterns: 0 })
    }

    /// Adds a pattern by its words.
    pub(super) fn add(&mut self, words: &[u64]) -> Result<(), Error> {
        let bit = |g: u32| (words[g as usize / WORD] >> (g as usize % WORD) & 1) as u8;
        match self.format {
            Format::Csv => {
                let places = self.line.iter_mut().step_by(2);
                places.zip(self.row_of).for_each(|(byte, &g)| *byte = b'0' + bit(g));
            }
            Format::Npy => {
                let places = self.line.iter_mut();
                places.zip(self.row_of).for_each(|(byte, &g)| *byte = bit(g));
            }
        }
        self.patterns += 1;
        self.draft.add(&self.line)
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        if let Format::Npy = self.format {
            self.draft.put_at_start(&npy_header(self.row_of.len(), self.patterns))?;
        }
        self.draft.finish()
    }
}

/// The header of a matrix of booleans, column after column (NumPy's format, version 1).
fn npy_header(rows: usize, columns: u64) -> Vec<u8> {
    let shape = format!("({rows}, {columns})");
    let dictionary = format!("{{'descr': '|b1', 'fortran_order': True, 'shape': {shape}, }}");
    let length = HEADER - 10;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((length as u16).to_le_bytes());
    header.extend(format!("{dictionary:<width$}\n", width = length - 1).into_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_length_whatever_the_shape() {
        for columns in [0, 7, u64::MAX] {
            let header = npy_header(usize::MAX, columns);
            assert_eq!(header.len(), HEADER);
            assert!(header.ends_with(b"\n"));
        }
    }
}
