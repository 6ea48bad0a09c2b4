//! More rows than memory holds: several files, read block by block.

use std::path::Path;

use clap::{Args, ValueHint};

use super::DataArgs;

/// Files that belong together, and the memory for their rows.
#[derive(Debug, Args)]
pub(crate) struct BlockArgs {
    /// More files with the same columns, as if they stood below DATA; with --memory. A name may
    /// have * and ?
    #[arg(value_name = "MORE", value_hint = ValueHint::FilePath)]
    pub(crate) more: Vec<String>,
    /// Read the rows block by block, within about this memory, for example 1GiB or 500MB
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = "Data")]
    pub(crate) memory: Option<u64>,
}

impl BlockArgs {
    /// The files that are named, in order; those of a pattern are sorted by name.
    pub(crate) fn files(&self, data: &DataArgs) -> anyhow::Result<Vec<String>> {
        let mut files = Vec::new();
        for name in std::iter::once(&data.data).chain(&self.more) {
            let found = matching(name);
            if found.is_empty() {
                anyhow::bail!("cannot read {name}: no file has such a name");
            }
            files.extend(found);
        }
        if let Some(name) = files.iter().find(|name| *name == "-") {
            anyhow::bail!("{name}: with --memory the data are read twice, so they must be files");
        }
        Ok(files)
    }
}

/// The files whose name matches a pattern with `*` or `?`, sorted; any other name stands for
/// itself.
pub(crate) fn matching(pattern: &str) -> Vec<String> {
    let path = Path::new(pattern);
    if !pattern.contains(['*', '?']) || path.exists() {
        return vec![pattern.into()];
    }
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let listed = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let mut files: Vec<String> = listed
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| matches(name.as_bytes(), file.as_bytes()))
        .map(|file| folder.map_or(file.clone(), |folder| folder.join(file).display().to_string()))
        .collect();
    files.sort();
    files
}

/// Whether a name matches a pattern, where `*` is any text and `?` any letter.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) if matches(rest, name) => true,
        (Some((b'*', _)), Some((_, left))) => matches(pattern, left),
        (Some((b'?', rest)), Some((_, left))) => matches(rest, left),
        (Some((a, rest)), Some((b, left))) => a == b && matches(rest, left),
        _ => false,
    }
}

/// A number of bytes: `1GiB`, `500MB`, `2G` or plain.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024f64.powi(2),
        "g" | "gib" => 1024f64.powi(3),
        "t" | "tib" => 1024f64.powi(4),
        _ => return Err("expected a size such as 1GiB or 500MB".into()),
    };
    let number: f64 = number.parse().map_err(|_| "expected a size such as 1GiB or 500MB")?;
    Ok((number * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let sizes =
            [("1GiB", 1 << 30), ("500MB", 500_000_000), ("1.5G", 3 << 29), ("7", 7), ("2 k", 2048)];
        for (text, size) in sizes {
            assert_eq!(bytes(text), Ok(size));
        }
        for text in ["", "GiB", "1 lot", "-1", "1.2.3"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn stars_and_question_marks_match() {
        let matches = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(matches("part-*.csv", "part-.csv") && matches("*", "a") && matches("a?c*", "abc"));
        assert!(matches("*a*b", "xaab") && !matches("part-*.csv", "part-1.csv.gz"));
        assert!(!matches("?", "") && !matches("a", "ab"));
    }
}
