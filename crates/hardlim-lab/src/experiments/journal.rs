//! Journals: files of records, one on each line, which are added as they are computed.
//!
//! Only complete lines count. A killed program may leave an incomplete line at the end, which is
//! removed when the journal is opened again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use hardlim::Error;
use serde_json::{Value, json};

use crate::experiments::experiment::Records;

/// Records of other versions, or of another use of chance, are not used.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/streams");

/// The records so far, and the file for the next ones.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    seed: u64,
    records: Records,
}

impl Journal {
    /// Opens the journal in this file, or creates it. Records of other seeds stay in the file, but
    /// are not read.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(path: &Path, seed: u64) -> Result<Self, Error> {
        let failed = |reason| Error::Write { path: path.into(), reason };
        let (file, text) = open(path).map_err(failed)?;
        let mut records = Records::default();
        for line in text.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let ours = line["version"] == VERSION && line["seed"] == seed;
            if let (true, Some(key)) = (ours, line["key"].as_str()) {
                records.0.insert(key.into(), line["record"].clone());
            }
        }
        Ok(Self { path: path.into(), file, seed, records })
    }

    /// The records so far.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When the file cannot be written, for example because the disk is full.
    pub fn add(&mut self, key: &str, record: Value) -> Result<(), Error> {
        let line = json!({ "version": VERSION, "seed": self.seed, "key": key, "record": record });
        (self.file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|reason| Error::Write { path: self.path.clone(), reason })?;
        self.records.0.insert(key.into(), record);
        Ok(())
    }
}

/// The file, open after its last complete line, and its complete lines.
fn open(path: &Path) -> io::Result<(File, String)> {
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::Start(whole as u64))?;
    Ok((file, String::from_utf8_lossy(&bytes[..whole]).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_kept_and_half_ones_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let mut journal = Journal::open(&path, 0).unwrap();
        journal.add("a", json!({ "v": 0.1 })).unwrap();
        journal.add("b", json!({ "v": 2 })).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut journal = Journal::open(&path, 0).unwrap();
            let lines = whole[..cut].iter().filter(|b| **b == b'\n').count();
            assert_eq!(journal.records().0.len(), lines);
            for (key, value) in [("a", json!({ "v": 0.1 })), ("b", json!({ "v": 2 }))] {
                if journal.records().get(key).is_null() {
                    journal.add(key, value).unwrap();
                }
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn seeds_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        Journal::open(&path, 0).unwrap().add("a", json!(1)).unwrap();
        assert!(Journal::open(&path, 1).unwrap().records().get("a").is_null());
        assert_eq!(*Journal::open(&path, 0).unwrap().records().get("a"), json!(1));
    }
}
