//! Where a table comes from: a file, standard input, or a built-in table.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::builtin::{self, TableSize};
use super::error::Fault;
use super::fingerprint::Fingerprint;
use super::names::nearest;
use super::stream::Stream;
use super::{Table, csv, parquet};
use crate::table::TableError;

/// The first and the last bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// How to read a table. By default everything is detected.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Whether the first row of a text file names the columns.
    pub header: Option<bool>,
    /// What separates the fields of a text file.
    pub delimiter: Option<u8>,
    /// The size of a built-in table, if it can be chosen.
    pub size: TableSize,
    /// The bytes that a table and its features may take; by default, the available memory.
    pub memory: Option<u64>,
}

impl Table {
    /// The table that `spec` names: `-` for standard input, a file, or a built-in table. A file
    /// wins over a built-in table of the same name.
    ///
    /// Files are CSV or TSV, plain or compressed with gzip, or Parquet. Their first bytes tell
    /// which.
    pub fn open(spec: &str, options: &ReadOptions) -> Result<Self, TableError> {
        whole(|visit| Self::for_each_block(spec, options, usize::MAX, visit))
    }

    /// Reads a table from a stream of bytes; errors call it `source`.
    pub fn read(bytes: impl Read, source: &str, options: &ReadOptions) -> Result<Self, TableError> {
        whole(|visit| {
            read_stream(open_stream(bytes, source)?, source, options, usize::MAX, visit)?;
            Ok(None)
        })
    }

    /// Visits the table that `spec` names (see [`Table::open`]) in blocks of about `fields` fields.
    /// Each block is a table of some of its rows, and the blocks come in order. A file is never in
    /// memory as a whole; a built-in table is one block. Returns the SHA-256 of the bytes as they
    /// are stored; a built-in table has none.
    ///
    /// # Errors
    /// When the table does not exist or cannot be read, or a visit fails. The blocks before the
    /// error have been visited by then.
    pub fn for_each_block<E: From<TableError>>(
        spec: &str,
        options: &ReadOptions,
        fields: usize,
        mut visit: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<Option<Fingerprint>, E> {
        let hash = RefCell::default();
        if spec == "-" {
            let source = "standard input";
            let stream = open_stream(Hashed(io::stdin().lock(), &hash), source)?;
            read_stream(stream, source, options, fields, visit)?;
            return Ok(Some(Fingerprint::of(hash.into_inner())));
        }
        let fail = |fault: Fault| fault.at(spec, None, None);
        let metadata = fs::metadata(spec);
        if metadata.as_ref().is_ok_and(|file| !file.is_dir()) {
            let file = File::open(spec).map_err(|error| fail(Fault::Io(error)))?;
            let mut stream = open_stream(Hashed(&file, &hash), spec)?;
            let length = file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len());
            stream.length = length.filter(|_| !stream.compressed);
            if stream.length.is_some() && is_parquet(&stream, spec) {
                // It is read from its end, so its bytes are hashed on their own.
                io::copy(&mut stream.into_read(), &mut io::sink())
                    .map_err(|error| fail(Stream::fault(error)))?;
                parquet::read_blocks(file, spec, options.memory, fields, visit)?;
            } else {
                read_stream(stream, spec, options, fields, visit)?;
            }
            return Ok(Some(Fingerprint::of(hash.into_inner())));
        }
        if let Some(table) = builtin::load(spec, &options.size) {
            return visit(table?).map(|()| None);
        }
        Err(E::from(fail(match metadata {
            Ok(_) => Fault::Directory,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let near = nearest(spec, builtin::NAMES).map(str::to_owned);
                Fault::NotFound { near }
            }
            Err(error) => Fault::Io(error),
        })))
    }
}

/// The table that is visited as one block, with the hash of its bytes.
fn whole(
    read: impl FnOnce(
        &mut dyn FnMut(Table) -> Result<(), TableError>,
    ) -> Result<Option<Fingerprint>, TableError>,
) -> Result<Table, TableError> {
    let mut all = None;
    let file = read(&mut |table| {
        all = Some(table);
        Ok(())
    })?;
    Ok(all.expect("a block at least, or an error").with_files(file.into_iter().collect()))
}

fn open_stream<'a>(bytes: impl Read + 'a, source: &str) -> Result<Stream<'a>, TableError> {
    Stream::open(bytes).map_err(|error| Stream::fault(error).at(source, None, None))
}

fn is_parquet(stream: &Stream<'_>, source: &str) -> bool {
    let extension = Path::new(source).extension();
    stream.head.starts_with(PARQUET)
        || extension.is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

/// Bytes that are hashed while they are read.
struct Hashed<'a, R>(R, &'a RefCell<Sha256>);

impl<R: Read> Read for Hashed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.borrow_mut().update(&buffer[..read]);
        Ok(read)
    }
}

/// Visits a stream in blocks. Parquet files are read from their end: the bytes of one go to a
/// temporary file first.
fn read_stream<E: From<TableError>>(
    stream: Stream<'_>,
    source: &str,
    options: &ReadOptions,
    fields: usize,
    visit: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    if !is_parquet(&stream, source) {
        return csv::read_blocks(stream, source, options, fields, visit);
    }
    let spool = || {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut stream.into_read(), &mut file)?;
        Ok(file)
    };
    let file = spool().map_err(|error| Stream::fault(error).at(source, None, None))?;
    parquet::read_blocks(file, source, options.memory, fields, visit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(spec: &str) -> String {
        let error = Table::open(spec, &ReadOptions::default()).unwrap_err().to_string();
        error.strip_prefix(&format!("cannot read {spec}: ")).unwrap().to_owned()
    }

    #[test]
    fn a_file_is_opened_and_a_directory_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.csv");
        fs::write(&path, "a,b\n1,2\n").unwrap();
        let table = Table::open(path.to_str().unwrap(), &ReadOptions::default()).unwrap();
        assert_eq!((table.rows(), table.columns().len()), (1, 2));
        // printf 'a,b\n1,2\n' | sha256sum
        let hash = "492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470";
        assert_eq!(table.files().iter().map(ToString::to_string).collect::<Vec<_>>(), [hash]);
        assert_eq!(error(folder.path().to_str().unwrap()), "it is a directory");
        let absent = folder.path().join("absent.csv");
        assert_eq!(error(absent.to_str().unwrap()), "no such file or built-in data set");
    }

    #[test]
    fn a_built_in_table_is_known_by_name_and_suggested() {
        let table = Table::open("titanic", &ReadOptions::default()).unwrap();
        assert_eq!((table.rows(), table.files()), (2201, &[][..]));
        let expected = r#"no such file or built-in data set: did you mean "titanic"?"#;
        assert_eq!(error("titanc"), expected);
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn parquet_needs_its_feature() {
        let expected = "cannot read t: reading Parquet files needs a build with `--features full`";
        let read = Table::read(&b"PAR1 and more"[..], "t", &ReadOptions::default());
        assert_eq!(read.unwrap_err().to_string(), expected);
    }
}
