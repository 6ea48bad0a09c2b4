//! Lists of patterns as files: .csv with one line for each, .npy with one column for each.

use std::path::Path;

use hardlim::Error;
use hardlim::model::file::Draft;
use hardlim::pattern::WORD;

/// A list under way.
#[derive(Debug)]
pub struct PatternFile<'a> {
    draft: Draft,
    /// Whether it has a column for each pattern, in NumPy's format, and not a line.
    npy: bool,
    /// For every row of the table, which of the distinct rows it is.
    row_of: &'a [u32],
    line: Vec<u8>,
    patterns: u64,
}

/// The bytes of a .npy header, however long the list gets.
const HEADER: usize = 128;

impl<'a> PatternFile<'a> {
    /// Begins a file of this name, which ends in .csv or .npy; there is none of another. `row_of`
    /// tells for every row of the table which distinct row it is.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn new(path: &Path, row_of: &'a [u32]) -> Result<Option<Self>, Error> {
        let npy = match path.extension().and_then(|end| end.to_str()) {
            Some(end) if end.eq_ignore_ascii_case("csv") => false,
            Some(end) if end.eq_ignore_ascii_case("npy") => true,
            _ => return Ok(None),
        };
        let mut draft = Draft::new(path)?;
        let n = row_of.len();
        let (header, line) = if npy {
            (vec![b' '; HEADER], vec![0; n])
        } else {
            let names: Vec<String> = (1..=n).map(|i| format!("row{i}")).collect();
            let mut line = [b'0', b','].repeat(n);
            *line.last_mut().expect("there is a row") = b'\n';
            ((names.join(",") + "\n").into_bytes(), line)
        };
        draft.add(&header)?;
        Ok(Some(Self { draft, npy, row_of, line, patterns: 0 }))
    }

    /// Where the list waits until it is complete.
    pub fn temporary_path(&self) -> &Path {
        self.draft.temporary_path()
    }

    /// Adds a pattern by its words.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, words: &[u64]) -> Result<(), Error> {
        let bit = |g: u32| (words[g as usize / WORD] >> (g as usize % WORD) & 1) as u8;
        let (step, zero) = if self.npy { (1, 0) } else { (2, b'0') };
        let places = self.line.iter_mut().step_by(step);
        places.zip(self.row_of).for_each(|(byte, &g)| *byte = zero + bit(g));
        self.patterns += 1;
        self.draft.add(&self.line)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.npy {
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
