//! Blocks of rows in a temporary file.
//!
//! The file has no name, so the system removes it when the program ends, however it ends. It is
//! read and written, never mapped, so its pages do not count as memory of the program.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, PoisonError};

use super::block::Block;
use crate::data::Features;
use crate::error::Error;
use crate::pattern::PatternMatrix;

/// The most columns of answers that are read at once.
const RUN: usize = 64;

#[derive(Debug)]
pub(super) struct Spill {
    file: File,
    /// Who holds it may move the place at which the file is read and written.
    turn: Mutex<()>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    at: u64,
    length: usize,
}

/// Where the parts of a block are.
#[derive(Debug)]
pub(super) struct Spilled {
    first: u64,
    rows: usize,
    dimension: usize,
    weighted: bool,
    features: Place,
    targets: Place,
    answers: Place,
    patterns: usize,
}

impl Spill {
    /// An empty file, in the folder for temporary files.
    pub(super) fn new() -> Result<Self, Error> {
        let failed = |reason| Error::Write { path: std::env::temp_dir(), reason };
        Ok(Self { file: tempfile::tempfile().map_err(failed)?, turn: Mutex::default() })
    }

    fn append(&self, bytes: &[u8]) -> Result<Place, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let write = || {
            let at = (&self.file).seek(SeekFrom::End(0))?;
            (&self.file).write_all(bytes)?;
            Ok(Place { at, length: bytes.len() })
        };
        write().map_err(|reason| Error::Write { path: std::env::temp_dir(), reason })
    }

    fn read(&self, Place { at, length }: Place) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; length];
        let result = self.read_at(at, &mut bytes);
        result.map_err(|reason| Error::Read { path: std::env::temp_dir(), reason })?;
        Ok(bytes)
    }

    /// Reads at a place, while other threads read at others.
    #[cfg(unix)]
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        (&self.file).seek(SeekFrom::Start(at))?;
        io::Read::read_exact(&mut &self.file, bytes)
    }

    /// Writes the features and targets of a block.
    pub(super) fn store(&self, block: &Block) -> Result<Spilled, Error> {
        let (rows, dimension) = (block.rows(), block.features.dimension());
        let (mut features, mut targets) = (Vec::new(), Vec::new());
        let values = block.features.values();
        for j in 0..dimension {
            pack((0..rows).map(|i| values[i * dimension + j]), &mut features);
        }
        pack(block.y.iter().copied(), &mut targets);
        if let Some(weights) = &block.weights {
            pack(weights.iter().copied(), &mut targets);
        }
        Ok(Spilled {
            first: block.first,
            rows,
            dimension,
            weighted: block.weights.is_some(),
            features: self.append(&features)?,
            targets: self.append(&targets)?,
            answers: Place { at: 0, length: 0 },
            patterns: 0,
        })
    }

    pub(super) fn store_answers(
        &self,
        spilled: &mut Spilled,
        answers: &PatternMatrix,
    ) -> Result<(), Error> {
        let mut bytes = Vec::new();
        for j in 0..answers.patterns() {
            bytes.extend(answers.column(j).iter().flat_map(|word| word.to_le_bytes()));
        }
        (spilled.answers, spilled.patterns) = (self.append(&bytes)?, answers.patterns());
        Ok(())
    }

    /// Reads a block with its targets, its features if they are wanted, and the answers of these
    /// neurons, or of all.
    pub(super) fn load(
        &self,
        spilled: &Spilled,
        wants_features: bool,
        neurons: Option<&[usize]>,
    ) -> Result<Block, Error> {
        let Spilled { first, rows, dimension, .. } = *spilled;
        let bytes = self.read(spilled.targets)?;
        let mut rest = &bytes[..];
        let y = unpack(&mut rest, rows);
        let weights = spilled.weighted.then(|| unpack(&mut rest, rows));
        let mut features = Features::new(0, dimension, Vec::new())?;
        if wants_features {
            let bytes = self.read(spilled.features)?;
            let mut rest = &bytes[..];
            let mut values = vec![0.0; rows * dimension];
            for j in 0..dimension {
                let column = unpack(&mut rest, rows);
                column.into_iter().enumerate().for_each(|(i, x)| values[i * dimension + j] = x);
            }
            features = Features::new(rows, dimension, values)?;
        }
        let answers = match neurons {
            Some(neurons) => self.load_answers(spilled, neurons)?,
            None => self.load_answers(spilled, &(0..spilled.patterns).collect::<Vec<_>>())?,
        };
        Ok(Block { first, features, y, weights, answers })
    }

    fn load_answers(&self, spilled: &Spilled, columns: &[usize]) -> Result<PatternMatrix, Error> {
        let mut answers = PatternMatrix::zeros(spilled.rows, columns.len());
        let each = spilled.answers.length / spilled.patterns.max(1);
        // Columns that follow each other are read at once.
        let mut begin = 0;
        while begin < columns.len() {
            let run =
                (begin..columns.len()).take_while(|&k| columns[k] == columns[begin] + k - begin);
            let count = run.count().min(RUN);
            let at = spilled.answers.at + (each * columns[begin]) as u64;
            let bytes = self.read(Place { at, length: each * count })?;
            for (k, column) in bytes.chunks_exact(each.max(1)).enumerate() {
                let words = column.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
                answers.fill_column(begin + k, words);
            }
            begin += count;
        }
        Ok(answers)
    }
}

/// Appends numbers in the smallest of a few types that holds each of them exactly, after a byte
/// that says which.
fn pack(values: impl Iterator<Item = f64> + Clone, bytes: &mut Vec<u8>) {
    let all = |fits: fn(f64) -> bool| values.clone().all(fits);
    if all(|v| f64::from(v as i8) == v) {
        bytes.push(0);
        bytes.extend(values.flat_map(|v| (v as i8).to_le_bytes()));
    } else if all(|v| f64::from(v as i16) == v) {
        bytes.push(1);
        bytes.extend(values.flat_map(|v| (v as i16).to_le_bytes()));
    } else if all(|v| f64::from(v as f32) == v) {
        bytes.push(2);
        bytes.extend(values.flat_map(|v| (v as f32).to_le_bytes()));
    } else {
        bytes.push(3);
        bytes.extend(values.flat_map(f64::to_le_bytes));
    }
}

fn unpack(bytes: &mut &[u8], count: usize) -> Vec<f64> {
    let (kind, rest) = bytes.split_first().expect("a byte that says which type");
    let size = [1, 2, 4, 8][*kind as usize];
    let (numbers, rest) = rest.split_at(size * count);
    *bytes = rest;
    fn of<const N: usize>(numbers: &[u8], number: fn([u8; N]) -> f64) -> Vec<f64> {
        numbers.chunks_exact(N).map(|n| number(n.try_into().expect("of this size"))).collect()
    }
    match kind {
        0 => of(numbers, |n| f64::from(i8::from_le_bytes(n))),
        1 => of(numbers, |n| f64::from(i16::from_le_bytes(n))),
        2 => of(numbers, |n| f64::from(f32::from_le_bytes(n))),
        _ => of(numbers, f64::from_le_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::Hyperplane;

    #[test]
    fn numbers_are_packed_without_loss() {
        let lists: [&[f64]; 6] = [
            &[],
            &[0.0, 1.0, -128.0, 127.0],
            &[300.0, -1.0],
            &[0.5, 1e10, -2.25],
            &[0.1, 1e60, -1e-60],
            &[128.0, 0.0],
        ];
        let mut bytes = Vec::new();
        lists.iter().for_each(|list| pack(list.iter().copied(), &mut bytes));
        assert_eq!(bytes.len(), 6 + 4 + 2 * 2 + 4 * 3 + 8 * 3 + 2 * 2);
        let mut rest = &bytes[..];
        for list in lists {
            assert_eq!(unpack(&mut rest, list.len()), list);
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let (rows, spill) = (700, Spill::new().unwrap());
        let x: Vec<f64> = (0..2 * rows).map(|k| (k * k % 97) as f64 / 7.0).collect();
        let features = Features::new(rows, 2, x).unwrap();
        let y: Vec<f64> = (0..rows).map(|i| (i % 3) as f64).collect();
        let weights = Some((0..rows).map(|i| 0.25 * (1 + i % 5) as f64).collect());
        let mut block = Block::new(40, features, y, weights).unwrap();
        let neurons: Vec<Hyperplane> = (0..100)
            .map(|j| Hyperplane { weights: vec![1.0, f64::from(j)], bias: -3.0 * f64::from(j) })
            .collect();
        block.answer(&neurons);
        let mut spilled = spill.store(&block).unwrap();
        spill.store_answers(&mut spilled, &block.answers).unwrap();
        let loaded = spill.load(&spilled, true, Some(&[])).unwrap();
        assert_eq!((&loaded.features, &loaded.y), (&block.features, &block.y));
        assert_eq!((loaded.first, &loaded.weights), (40, &block.weights));
        let loaded = spill.load(&spilled, false, None).unwrap();
        assert_eq!(loaded.answers, block.answers);
        let some = [3, 4, 5, 90, 7];
        let loaded = spill.load(&spilled, false, Some(&some)).unwrap();
        assert_eq!(loaded.answers, block.answers.select(&some));
    }
}
