//! Tables of text: CSV, TSV and their relatives.

use std::io::Read;

use csv::{ByteRecord, ErrorKind, ReaderBuilder, StringRecord};

use super::error::Fault;
use super::fields::{Field, Fields};
use super::source::ReadOptions;
use super::stream::{Lines, Stream};
use super::{
    Column, Grouped, Numbering, Spelling, Table, check_memory, check_size, default_names, sniff,
};
use crate::table::TableError;

/// The rows that are read before we decide whether the first one is a header.
const SAMPLE_ROWS: usize = 256;
/// These rows end early when they have more bytes than this.
const SAMPLE_BYTES: usize = 4 << 20;

/// The fields that are read, at least, between two looks at the memory.
const LOOK: usize = 1 << 16;

/// Reads a table row by row, and visits it in blocks of about `fields` fields: only these stay in
/// memory.
pub(crate) fn read_blocks<E: From<TableError>>(
    stream: Stream<'_>,
    source: &str,
    options: &ReadOptions,
    fields: usize,
    mut visit: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    let delimiter = options.delimiter.unwrap_or_else(|| sniff::delimiter(&stream.head));
    let length = stream.length;
    let mut rows = Records::new(stream, source, delimiter);
    let (mut sample, mut lines, mut bytes) = (Vec::new(), Vec::new(), 0);
    while sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES {
        let Some((line, row)) = rows.next()? else { break };
        bytes += row.as_slice().len() + row.len(); // plus the separators
        sample.push(row.clone());
        lines.push(line);
    }
    let Some(first) = sample.first() else {
        return Err(Fault::Empty.at(source, None, None).into());
    };
    let header = options.header.unwrap_or_else(|| sniff::has_header(&sample));
    let empty = Columns::new(source, first, header, delimiter == b';')?;
    let mut columns = empty.clone();
    let width = first.len().max(1);
    let full = (fields / width).max(1);
    for (row, line) in sample.iter().zip(lines).skip(usize::from(header)) {
        columns.push(line, row)?;
    }
    drop(sample);
    // A table that is visited in blocks needs memory for one block only.
    let whole = fields == usize::MAX;
    if let Some(length) = length.filter(|_| whole) {
        // The estimate assumes that all rows need as much memory per byte as those read so far.
        let needed = columns.bytes() as f64 * (length as f64 / bytes.max(1) as f64).max(1.0);
        columns.check_memory(needed as u64, options.memory)?;
    }
    let mut encoding = rows.encoding;
    let mut look = 0;
    while let Some((line, row)) = rows.next()? {
        if whole && columns.rows >= look {
            columns.check_memory(columns.bytes(), options.memory)?;
            // Rows may be wide, as in a small file that unpacks to a huge one.
            look = columns.rows + (columns.rows / 8).max(LOOK / width).max(1);
        }
        if columns.rows >= full {
            visit(std::mem::replace(&mut columns, empty.clone()).into_table(encoding)?)?;
        }
        columns.push(line, row)?;
        encoding = rows.encoding;
    }
    visit(columns.into_table(encoding)?)
}

/// The rows of a text file, each with the line on which it starts.
struct Records<'a> {
    reader: csv::Reader<Lines<Box<dyn Read + 'a>>>,
    record: StringRecord,
    source: &'a str,
    /// The encoding, if it is not UTF-8.
    encoding: Option<&'static str>,
    /// Whether a letter beyond ASCII was read as UTF-8.
    beyond_ascii: bool,
}

/// The encoding of files that are not UTF-8.
const LATIN: &str = "Windows-1252 (Latin-1)";

impl<'a> Records<'a> {
    fn new(stream: Stream<'a>, source: &'a str, delimiter: u8) -> Self {
        let encoding = stream.encoding;
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .buffer_capacity(64 << 10)
            .from_reader(Lines::new(stream.into_read()));
        Self { reader, record: StringRecord::new(), source, encoding, beyond_ascii: false }
    }

    /// The next row that is not blank.
    fn next(&mut self) -> Result<Option<(u64, &StringRecord)>, TableError> {
        loop {
            let start = self.reader.position().line();
            let mut bytes = std::mem::take(&mut self.record).into_byte_record();
            match self.reader.read_byte_record(&mut bytes) {
                Ok(true) => self.reader.get_ref().row_bytes.set(0),
                Ok(false) => return Ok(None),
                Err(error) => return Err(self.failure(error, start)),
            }
            let line = bytes.position().map_or(start, |at| at.line());
            let decoded = self.decoded(bytes);
            self.record = decoded.ok_or_else(|| Fault::Utf8.at(self.source, Some(line), None))?;
            if self.record.len() > 1 || !self.record[0].trim().is_empty() {
                break;
            }
        }
        // The position is after the line end; line ends within the row were inside quotes.
        let inside = self.record.as_slice().bytes().filter(|&byte| byte == b'\n').count() as u64;
        Ok(Some((self.reader.position().line().saturating_sub(1 + inside).max(1), &self.record)))
    }

    /// The text of a row. A file whose first letter beyond ASCII is not UTF-8 is read as
    /// Windows-1252 from there on: text editors and spreadsheets still write it.
    fn decoded(&mut self, bytes: ByteRecord) -> Option<StringRecord> {
        let ascii = bytes.as_slice().is_ascii();
        if self.encoding == Some(LATIN) && !ascii {
            return latin(&bytes);
        }
        match StringRecord::from_byte_record(bytes) {
            Ok(record) => {
                self.beyond_ascii |= !ascii;
                Some(record)
            }
            Err(_) if self.beyond_ascii => None,
            Err(error) => {
                self.encoding = Some(LATIN);
                latin(&error.into_byte_record())
            }
        }
    }

    fn failure(&self, error: csv::Error, start: u64) -> TableError {
        let (fault, row) = match error.into_kind() {
            ErrorKind::Io(error) => match Stream::fault(error) {
                fault @ Fault::LongRow { .. } => (fault, Some(start)),
                fault => (fault, None),
            },
            kind => (Fault::Io(std::io::Error::other(format!("{kind:?}"))), Some(start)),
        };
        fault.at(self.source, row, None)
    }
}

/// A row in Windows-1252; `None` if it has a byte that no text has.
fn latin(bytes: &ByteRecord) -> Option<StringRecord> {
    const FROM_80: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0',
        '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    let letter = |&byte: &u8| match byte {
        0x80..=0x9f => Some(FROM_80[usize::from(byte - 0x80)]).filter(|letter| *letter != '\0'),
        0..=0x08 | 0x0e..=0x1f | 0x7f => None,
        _ => Some(char::from(byte)),
    };
    let field = |bytes: &[u8]| bytes.iter().map(letter).collect::<Option<String>>();
    bytes.iter().map(field).collect()
}

/// The columns while they are being read.
#[derive(Clone)]
struct Columns<'a> {
    source: &'a str,
    names: Vec<String>,
    header: bool,
    fields: Vec<Fields>,
    rows: usize,
    numbering: Numbering,
    spelling: Spelling,
}

impl<'a> Columns<'a> {
    fn new(
        source: &'a str,
        first: &StringRecord,
        header: bool,
        semicolons: bool,
    ) -> Result<Self, TableError> {
        let width = first.len();
        check_size(1, width).map_err(|fault| fault.at(source, None, None))?;
        let names = if header {
            first.iter().map(|name| name.trim().to_owned()).collect()
        } else {
            default_names(width)
        };
        let (fields, numbering) = (vec![Fields::default(); width], Numbering::default());
        let grouped = vec![Grouped::default(); width];
        let spelling = Spelling { grouped, semicolons, encoding: None };
        Ok(Self { source, names, header, fields, rows: 0, numbering, spelling })
    }

    fn push(&mut self, line: u64, row: &StringRecord) -> Result<(), TableError> {
        let (expected, found) = (self.fields.len(), row.len());
        if found != expected {
            return Err(Fault::Ragged { expected, found }.at(self.source, Some(line), None));
        }
        check_size(self.rows + 1, expected)
            .map_err(|fault| fault.at(self.source, Some(line), None))?;
        let grouped = self.spelling.grouped.iter_mut();
        for ((fields, grouped), text) in self.fields.iter_mut().zip(grouped).zip(row) {
            let field = Field::parse(text);
            if let Field::Number(_) = field {
                grouped.note(self.rows, text);
            }
            fields.push(field);
        }
        self.numbering.set(self.rows, (None, line));
        self.rows += 1;
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.fields.iter().map(Fields::bytes).sum()
    }

    /// Refuses a table of `bytes` bytes if there is not enough memory for it.
    fn check_memory(&self, bytes: u64, limit: Option<u64>) -> Result<(), TableError> {
        check_memory(bytes, self.bytes(), limit).map_err(|fault| fault.at(self.source, None, None))
    }

    fn into_table(mut self, encoding: Option<&'static str>) -> Result<Table, TableError> {
        if self.rows == 0 {
            return Err(Fault::HeaderOnly.at(self.source, None, None));
        }
        let columns = self.names.into_iter().zip(self.fields);
        let mut columns: Vec<_> = columns.map(|(name, fields)| Column { name, fields }).collect();
        // Separators at the end of every line make columns without a name or a value.
        let nothing = |column: &Column| {
            column.name.is_empty() && column.fields.iter().all(|field| field == Field::Missing)
        };
        while columns.len() > 1 && columns.last().is_some_and(nothing) {
            columns.pop();
        }
        for (j, column) in columns.iter_mut().enumerate() {
            if column.name.is_empty() {
                column.name = format!("column{}", j + 1);
            }
        }
        // Semicolons between fields say something about the commas within.
        let commas = |column: &Column| column.fields.texts().any(|text| text.contains(','));
        self.spelling.semicolons &= columns.iter().any(commas);
        self.spelling.encoding = encoding;
        self.spelling.grouped.truncate(columns.len());
        let source = self.source.to_owned();
        let table = Table::with_numbering(source, self.header, columns, self.numbering)?;
        Ok(Table { spelling: self.spelling, ..table })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::table::{Coding, CodingOptions};
    use flate2::{Compression, write::GzEncoder};

    fn read_as(bytes: &[u8], options: &ReadOptions) -> Result<Table, TableError> {
        Table::read(bytes, "t.csv", options)
    }

    fn parse(bytes: impl AsRef<[u8]>) -> Table {
        read_as(bytes.as_ref(), &ReadOptions::default()).unwrap()
    }

    fn error(bytes: impl AsRef<[u8]>) -> String {
        let error = read_as(bytes.as_ref(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        error.strip_prefix("cannot read t.csv: ").unwrap().to_owned()
    }

    fn names(table: &Table) -> Vec<&str> {
        table.columns().iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn columns_have_names_and_cells() {
        let table = parse("a, b ,label\n1,2.5,yes\n?,-3,no\n");
        assert_eq!(names(&table), ["a", "b", "label"]);
        assert_eq!(table.columns()[0].fields, Fields::Numbers(vec![1.0, f64::NAN]));
        assert_eq!(table.columns()[1].fields, Fields::Numbers(vec![2.5, -3.0]));
        assert_eq!(table.field(1, 2), Field::Text("no"));
        assert_eq!((table.rows(), table.named()), (2, true));
    }

    #[test]
    fn numbers_alone_have_made_up_names() {
        let table = parse("1,2,3\n4,5,6");
        assert_eq!((names(&table), table.rows()), (vec!["x1", "x2", "y"], 2));
        let header = ReadOptions { header: Some(true), ..ReadOptions::default() };
        assert_eq!(names(&read_as(b"1,2\n3,4\n", &header).unwrap()), ["1", "2"]);
        let none = ReadOptions { header: Some(false), ..ReadOptions::default() };
        assert_eq!(read_as(b"a,b\n3,4\n", &none).unwrap().rows(), 2);
    }

    #[test]
    fn marks_line_ends_and_separators_do_not_matter() {
        let plain = parse("a,b\n1,2\n3,4\n");
        for text in [
            "\u{feff}a,b\n1,2\n3,4\n",
            "a,b\r\n1,2\r\n3,4\r\n",
            "a,b\r1,2\r3,4",
            "a\tb\n1\t2\n3\t4\n",
            "a;b\n1;2\n3;4\n",
            "a|b\n1|2\n3|4\n",
            "\"a\",\"b\"\n\"1\",2\n3,4\n",
            "a,b,\n1,2,\n3,4,\n",
        ] {
            assert_eq!(parse(text), plain, "{text:?}");
        }
        let options = ReadOptions { delimiter: Some(b' '), ..ReadOptions::default() };
        assert_eq!(read_as(b"a b\n1 2\n3 4\n", &options).unwrap(), plain);
    }

    #[test]
    fn blocks_are_the_table_and_know_their_rows() {
        let text = "a,b,\n".to_owned()
            + &(0..1000).map(|i| format!("{i},{}\n", ["u,", "?,"][i % 2])).collect::<String>();
        let whole = parse(&text);
        for fields in [1, 900, 1600, 5000] {
            let (mut cells_read, mut numbers) = (Vec::new(), Vec::new());
            let stream = Stream::open(text.as_bytes()).unwrap();
            let visit = |table: Table| -> Result<(), TableError> {
                assert_eq!((names(&table), table.named()), (vec!["a", "b"], true));
                // The rows that decide whether there is a header come together.
                assert!(table.rows() <= (fields / 3).max(SAMPLE_ROWS));
                for i in 0..table.rows() {
                    let row = [0, 1].map(|j| table.field(i, j).label().map(|l| l.into_owned()));
                    cells_read.push(row);
                    numbers.push(table.row_number(i));
                }
                Ok(())
            };
            read_blocks(stream, "t.csv", &ReadOptions::default(), fields, visit).unwrap();
            assert_eq!(numbers, (2..1002).collect::<Vec<_>>());
            for (i, row) in cells_read.iter().enumerate() {
                let whole = [0, 1].map(|j| whole.field(i, j).label().map(|l| l.into_owned()));
                assert_eq!(row, &whole);
            }
        }
    }

    #[test]
    fn other_encodings_are_read_and_named() {
        let text = "größe,y\n1,ä\n2,b\n";
        let plain = parse(text);
        let letter = |c: char| u8::try_from(u32::from(c)).unwrap();
        let latin = parse(text.chars().map(letter).collect::<Vec<u8>>());
        assert_eq!((names(&latin), latin.spelling.encoding), (names(&plain), Some(LATIN)));
        assert_eq!(latin.columns(), plain.columns());
        for (mark, bytes) in
            [(0xfeff_u16, u16::to_le_bytes as fn(u16) -> [u8; 2]), (0xfeff, u16::to_be_bytes)]
        {
            let units = std::iter::once(mark).chain(text.encode_utf16());
            let wide = parse(units.flat_map(bytes).collect::<Vec<u8>>());
            assert_eq!(wide.columns(), plain.columns());
            assert_eq!(wide.spelling.encoding, Some("UTF-16"));
        }
        assert_eq!(plain.spelling.encoding, None);
    }

    #[test]
    fn rows_are_numbered_by_their_lines() {
        let table = parse("a,b\r\n1,2\r\n\r\n   \r\n\"3\n\",4\r\n5,6");
        assert_eq!((0..3).map(|i| table.row_number(i)).collect::<Vec<_>>(), [2, 5, 7]);
        let table = parse("\n1,2\n3,4\n");
        assert_eq!((0..2).map(|i| table.row_number(i)).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn unnamed_columns_are_called_by_their_number() {
        assert_eq!(names(&parse(",a\n0,1\n1,2\n")), ["column1", "a"]);
    }

    #[test]
    fn compressed_files_are_read_alike() {
        let text = "a,b\n1,2\n3,4\n";
        let pack = |text: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        };
        assert_eq!(parse(pack(text.as_bytes())), parse(text));
        let (one, two) = text.split_at(6);
        let members = [pack(one.as_bytes()), pack(two.as_bytes())].concat();
        assert_eq!(parse(members), parse(text));
        let packed = pack(text.as_bytes());
        for cut in [3, 12, packed.len() - 1] {
            assert!(!error(&packed[..cut]).is_empty());
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        assert_eq!(error(""), "the file is empty");
        assert_eq!(error("\n\n  \n"), "the file is empty");
        assert_eq!(error("a,b\n"), "there is a header but no rows");
        assert_eq!(error("a,b\n1,2\n1,2,3\n"), "row 3: expected 2 cells, found 3");
        assert_eq!(error("a,b\n1,2\n\n1\n"), "row 4: expected 2 cells, found 1");
        assert_eq!(error("a,a\n1,2\n"), r#"column "a": two columns have this name"#);
        assert_eq!(error("a,b\n1,\0\n"), "not a text file: it holds a NUL byte");
        let other = b"a,b\n1,2\n1,\xc3\xa9\n1,\xff\n";
        assert_eq!(error(other), "row 4: not a text file: the bytes are not UTF-8");
        assert_eq!(error(b"a,b\n1,\x81\n"), "row 2: not a text file: the bytes are not UTF-8");
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused_with_an_estimate() {
        let row = |i: usize| format!("{i},{},word{}\n", i * i, i % 3);
        let text = "a,b,c\n".to_owned() + &(0..100_000).map(row).collect::<String>();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, &text).unwrap();
        let path = path.to_str().unwrap();
        let within = |memory| ReadOptions { memory: Some(memory), ..ReadOptions::default() };
        // A row has two numbers and a code. With as much again for the features, all rows take 4
        // MB. The first rows are shorter than most, so the estimated number of rows is too large.
        assert_eq!(Table::open(path, &within(8_000_000)).unwrap().rows(), 100_000);
        let refused = |result: Result<Table, TableError>| {
            let error = result.unwrap_err();
            let Fault::Memory { needed, available } = error.fault else { panic!("{error}") };
            (needed, available)
        };
        let (needed, available) = refused(Table::open(path, &within(1_000_000)));
        assert_eq!(available, 1_000_000);
        assert!((3_000_000..8_000_000).contains(&needed), "{needed}");
        // The length of a stream is unknown, so it is refused once it is too long.
        let (needed, _) = refused(read_as(text.as_bytes(), &within(1_000_000)));
        assert!((1_000_000..2_000_000).contains(&needed), "{needed}");
        let blocks =
            Table::for_each_block(path, &within(1), 3000, |_| -> Result<(), TableError> { Ok(()) });
        blocks.unwrap();
    }

    #[test]
    fn a_small_file_that_unpacks_to_wide_rows_is_refused_while_it_is_read() {
        let row = "7,".repeat(2000) + "1\n";
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        (0..3000).for_each(|_| encoder.write_all(row.as_bytes()).unwrap());
        let bytes = encoder.finish().unwrap();
        let memory = 32 << 20;
        assert!((bytes.len() as u64) < memory / 100);
        let options = ReadOptions { memory: Some(memory), ..ReadOptions::default() };
        let error = Table::read(&bytes[..], "t.csv.gz", &options).unwrap_err().to_string();
        assert!(error.contains("would need about 0.0 GiB of memory"), "{error}");
    }

    #[test]
    fn numbers_that_become_others_are_named_where_they_are_used() {
        let table = parse("id,a,y\n9007199254740992,1e-400,0\n9007199254740993,2,1\n1,3,1\n");
        let fit = |options: CodingOptions| Coding::fit(&table, &options);
        let error = |ignore: &[&str]| {
            let ignore = ignore.iter().map(|&name| name.to_owned()).collect();
            fit(CodingOptions { ignore, ..CodingOptions::default() }).unwrap_err().to_string()
        };
        let found = error(&[]);
        let expected = "row 3, column \"id\": 9007199254740993 cannot be told from \
                        9007199254740992 in \
                        double precision";
        assert!(found.contains(expected), "{found}");
        let found = error(&["id"]);
        let expected = "row 2, column \"a\": 1e-400 cannot be told from 0 in double precision";
        assert!(found.contains(expected), "{found}");
        let categorical = vec!["id".to_owned(), "a".to_owned()];
        let coding = fit(CodingOptions { categorical, ..CodingOptions::default() }).unwrap();
        assert_eq!(coding.feature_names().len(), 6);
    }

    #[test]
    fn endless_rows_are_refused_at_once() {
        let long = "the row is longer than 16777216 bytes";
        let read = |bytes: Box<dyn Read>| {
            Table::read(bytes, "t", &ReadOptions::default()).unwrap_err().to_string()
        };
        let endless = || std::io::repeat(b'x').take(200 << 20);
        assert_eq!(read(Box::new(endless())), format!("cannot read t: row 1: {long}"));
        let late = b"a,b\n1,2\n".chain(endless());
        assert_eq!(read(Box::new(late)), format!("cannot read t: row 3: {long}"));
        // A quote that is never closed takes in the lines after it.
        let lines = std::io::repeat(b'\n').take(200 << 20);
        let quoted = (&b"a,b\n1,\""[..]).chain(lines);
        assert_eq!(read(Box::new(quoted)), format!("cannot read t: row 2: {long}"));
        let commas = std::io::repeat(b',').take(10 << 20);
        assert!(read(Box::new(commas)).ends_with("columns, more than the 1048576 allowed"));
    }
}
