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
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    seed: u64,
    pub(crate) records: Records,
}

impl Journal {
    /// Opens the journal in this file, or creates it. Records of other seeds stay in the file, but
    /// are not read.
    pub(crate) fn open(path: &Path, seed: u64) -> Result<Self, Error> {
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

    pub(crate) fn add(&mut self, key: &str, record: Value) -> Result<(), Error> {
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
    fn whole_lines_of_a_seed_are_kept_and_half_ones_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let lines = [("a", json!({ "v": 0.1 })), ("b", json!({ "v": 2 }))];
        let fill = |seed| {
            let mut journal = Journal::open(&path, seed).unwrap();
            let found = journal.records.0.len();
            for (key, value) in &lines {
                if journal.records.get(key).is_null() {
                    journal.add(key, value.clone()).unwrap();
                }
            }
            assert_eq!(*journal.records.get("a"), lines[0].1);
            found
        };
        fill(0);
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(fill(0), whole[..cut].iter().filter(|b| **b == b'\n').count());
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        assert_eq!((fill(1), fill(1), fill(0)), (0, 2, 2));
    }
}
