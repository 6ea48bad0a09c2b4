//! Parquet files: one column for each leaf that holds a single number, boolean, text, date or time.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, NaiveDate, NaiveTime};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, SchemaDescPtr};

use super::error::Fault;
use super::fields::{Field, Fields};
use super::{Column, Numbering, Table, check_memory, check_size};
use crate::table::TableError;

const BATCH: usize = 1 << 14;

/// Reads a Parquet file in blocks of about `fields` fields, and visits one after the other. Rows
/// are numbered from 1. The fields of a struct are columns `outer.inner`. Text follows the rules of
/// text files, so that a table means the same in both formats; dates and times become text first.
pub(crate) fn read_blocks<E: From<TableError>>(
    file: File,
    source: &str,
    memory: Option<u64>,
    fields: usize,
    mut visit: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    let fail = |fault: Fault| fault.at(source, None, None);
    let reader = SerializedFileReader::new(file).map_err(|error| fail(error.into()))?;
    let mut blocks = safely(|| Blocks::new(&reader, memory, fields)).map_err(fail)?;
    let mut done = 0;
    while let Some(columns) = safely(|| blocks.next()).map_err(fail)? {
        let mut numbering = Numbering::default();
        numbering.set(0, (None, done as u64 + 1));
        done += columns.first().map_or(0, |column| column.fields.len());
        visit(Table::with_numbering(source.into(), true, columns, numbering)?)?;
    }
    if done == 0 { Err(fail(Fault::Empty).into()) } else { Ok(()) }
}

/// The decoders trust some lengths inside a page, and panic when these are damaged.
fn safely<T>(decode: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(decode))
        .unwrap_or_else(|_| Err(Fault::Parquet("the data are damaged".into())))
}

impl From<ParquetError> for Fault {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error.to_string())
    }
}

/// The blocks of a file that are still to be read.
struct Blocks<'a> {
    reader: &'a SerializedFileReader<File>,
    schema: SchemaDescPtr,
    /// The rows of a block.
    full: usize,
    /// The row group that is read now, its columns, and its rows that are left.
    group: usize,
    open: Vec<Option<ColumnReader>>,
    left: usize,
}

impl<'a> Blocks<'a> {
    fn new(
        reader: &'a SerializedFileReader<File>,
        memory: Option<u64>,
        fields: usize,
    ) -> Result<Self, Fault> {
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let width = schema.num_columns();
        check_size(1, width)?;
        check_offsets(reader.metadata())?;
        let rows = u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0);
        // A table that is visited in blocks needs memory for one block only.
        if fields == usize::MAX {
            check_memory(rows.saturating_mul(8 * width as u64), 0, memory)?;
        }
        let full = (fields / width.max(1)).max(1);
        Ok(Self { reader, schema, full, group: 0, open: Vec::new(), left: 0 })
    }

    /// The next block: rows of one row group or of several.
    fn next(&mut self) -> Result<Option<Vec<Column>>, Fault> {
        let width = self.schema.num_columns();
        let mut columns: Vec<Column> = (self.schema.columns().iter())
            .map(|leaf| Column {
                name: leaf.path().string(),
                fields: match unusable(leaf) {
                    Some(kind) => Fields::Unusable(kind, 0),
                    None => Fields::default(),
                },
            })
            .collect();
        let mut rows = 0;
        while rows < self.full && self.open_group()? {
            let some = self.left.min(self.full - rows);
            check_size(rows.saturating_add(some), width)?;
            for (j, column) in columns.iter_mut().enumerate() {
                match (&mut self.open[j], &mut column.fields) {
                    (_, Fields::Unusable(_, found)) => *found += some,
                    (Some(open), fields) => {
                        read_fields(open, &self.schema.column(j), some, fields)?;
                    }
                    (None, _) => return Err(Fault::Parquet("a column is missing".into())),
                }
            }
            self.left -= some;
            rows += some;
        }
        Ok((rows > 0).then_some(columns))
    }

    /// Opens the next row group, if the last one is read; `false` if there is none.
    fn open_group(&mut self) -> Result<bool, Fault> {
        while self.left == 0 {
            if self.group == self.reader.num_row_groups() {
                return Ok(false);
            }
            let group = self.reader.get_row_group(self.group)?;
            self.left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            self.group += 1;
            let open = |(j, leaf): (usize, &ColumnDescPtr)| match unusable(leaf) {
                Some(_) => Ok(None),
                None => group.get_column_reader(j).map(Some),
            };
            self.open =
                self.schema.columns().iter().enumerate().map(open).collect::<Result<_, _>>()?;
        }
        Ok(true)
    }
}

/// Refuses column chunks with a negative offset or length.
fn check_offsets(metadata: &ParquetMetaData) -> Result<(), Fault> {
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let begin = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        if begin < 0 || chunk.compressed_size() < 0 {
            let place = format!("{} bytes at {begin}", chunk.compressed_size());
            return Err(Fault::Parquet(format!("a column is said to be {place}")));
        }
    }
    Ok(())
}

/// The type of a column that cannot be used, in words.
fn unusable(leaf: &ColumnDescriptor) -> Option<String> {
    let (converted, logical) = (leaf.converted_type(), leaf.logical_type_ref());
    let plain = match leaf.physical_type() {
        Type::BOOLEAN | Type::FLOAT | Type::DOUBLE => true,
        Type::INT32 | Type::INT64 => {
            matches!(logical, None | Some(LogicalType::Integer(_) | LogicalType::Decimal(_)))
        }
        Type::BYTE_ARRAY => {
            matches!(converted, ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM)
                && matches!(logical, None | Some(LogicalType::String | LogicalType::Enum))
        }
        _ => false,
    };
    let plain = plain || Calendar::of(leaf).is_some();
    if leaf.max_rep_level() > 0 {
        return Some("list".into());
    }
    let kind = || match (converted, logical) {
        (_, Some(logical)) => format!("{logical:?}").to_lowercase(),
        (ConvertedType::NONE, None) => leaf.physical_type().to_string().to_lowercase(),
        (converted, None) => converted.to_string().to_lowercase(),
    };
    (!plain).then(kind)
}

/// What the whole numbers of a column count, if they are dates or times.
#[derive(Clone, Copy)]
enum Calendar {
    /// Days since 1970-01-01.
    Date,
    /// Parts of a second since midnight, and their number in a second.
    Time(i64),
    /// Parts of a second since 1970-01-01.
    Timestamp(i64),
}

impl Calendar {
    fn of(leaf: &ColumnDescriptor) -> Option<Self> {
        let parts = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        match (leaf.physical_type(), leaf.logical_type_ref(), leaf.converted_type()) {
            (Type::INT96, ..) => Some(Self::Timestamp(1_000_000)),
            (_, Some(LogicalType::Date), _) | (_, None, ConvertedType::DATE) => Some(Self::Date),
            (_, Some(LogicalType::Time(time)), _) => Some(Self::Time(parts(&time.unit))),
            (_, Some(LogicalType::Timestamp(time)), _) => Some(Self::Timestamp(parts(&time.unit))),
            (_, None, ConvertedType::TIME_MILLIS) => Some(Self::Time(1_000)),
            (_, None, ConvertedType::TIME_MICROS) => Some(Self::Time(1_000_000)),
            (_, None, ConvertedType::TIMESTAMP_MILLIS) => Some(Self::Timestamp(1_000)),
            (_, None, ConvertedType::TIMESTAMP_MICROS) => Some(Self::Timestamp(1_000_000)),
            _ => None,
        }
    }

    /// The date or time as a text file would have it.
    fn text(self, count: i64) -> Result<String, ParquetError> {
        let split = |parts: i64| {
            let nanoseconds = count.rem_euclid(parts) * (1_000_000_000 / parts);
            (count.div_euclid(parts), nanoseconds as u32)
        };
        let text = match self {
            Self::Date => {
                let date = i32::try_from(count).ok().and_then(NaiveDate::from_epoch_days);
                date.map(|date| date.to_string())
            }
            Self::Time(parts) => {
                let (seconds, rest) = split(parts);
                let seconds = u32::try_from(seconds).ok();
                let time = |s| NaiveTime::from_num_seconds_from_midnight_opt(s, rest);
                seconds.and_then(time).map(|time| time.to_string())
            }
            Self::Timestamp(parts) => {
                let (seconds, rest) = split(parts);
                DateTime::from_timestamp(seconds, rest).map(|at| at.naive_utc().to_string())
            }
        };
        text.ok_or_else(|| ParquetError::General(format!("{count} is no date or time")))
    }
}

fn read_fields(
    reader: &mut ColumnReader,
    leaf: &ColumnDescriptor,
    rows: usize,
    fields: &mut Fields,
) -> Result<(), Fault> {
    let top = leaf.max_def_level();
    let calendar = Calendar::of(leaf);
    let unsigned = match leaf.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(leaf.converted_type(), ConvertedType::UINT_32 | ConvertedType::UINT_64),
    };
    let decimal = leaf.converted_type() == ConvertedType::DECIMAL
        || matches!(leaf.logical_type_ref(), Some(LogicalType::Decimal(_)));
    let scale = if decimal { leaf.type_scale() } else { 0 };
    let integer = |fields: &mut Fields, value: i64, if_unsigned: u64| {
        let whole = if unsigned { i128::from(if_unsigned) } else { i128::from(value) };
        if let Some(calendar) = calendar {
            fields.push(Field::Text(&calendar.text(value)?));
        } else if whole as f64 as i128 == whole {
            fields.push(Field::number(whole as f64 / 10f64.powi(scale)));
        } else {
            // No double is equal to this number.
            fields.push(Field::Text(&number_text(whole, scale)));
        }
        Ok(())
    };
    match reader {
        ColumnReader::BoolColumnReader(reader) => for_each(reader, top, rows, fields, |f, &v| {
            f.push(Field::Text(if v { "true" } else { "false" }));
            Ok(())
        }),
        ColumnReader::Int32ColumnReader(reader) => {
            for_each(reader, top, rows, fields, |f, &v| integer(f, v.into(), (v as u32).into()))
        }
        ColumnReader::Int64ColumnReader(reader) => {
            for_each(reader, top, rows, fields, |f, &v| integer(f, v, v as u64))
        }
        ColumnReader::Int96ColumnReader(reader) => {
            for_each(reader, top, rows, fields, |f, v| integer(f, v.to_micros(), 0))
        }
        ColumnReader::FloatColumnReader(reader) => for_each(reader, top, rows, fields, |f, &v| {
            f.push(Field::number(v.into()));
            Ok(())
        }),
        ColumnReader::DoubleColumnReader(reader) => for_each(reader, top, rows, fields, |f, &v| {
            f.push(Field::number(v));
            Ok(())
        }),
        ColumnReader::ByteArrayColumnReader(reader) => {
            for_each(reader, top, rows, fields, |f, v| {
                f.push(Field::parse(v.as_utf8()?));
                Ok(())
            })
        }
        ColumnReader::FixedLenByteArrayColumnReader(_) => {
            Err(Fault::Parquet("a column changes its type".into()))
        }
    }
}

fn number_text(whole: i128, scale: i32) -> String {
    if scale == 0 { whole.to_string() } else { format!("{whole}e{}", -scale) }
}

/// Adds a field for every row: what `push` makes of its value, or a missing one if it is null.
fn for_each<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    top: i16,
    rows: usize,
    fields: &mut Fields,
    mut push: impl FnMut(&mut Fields, &T::T) -> Result<(), ParquetError>,
) -> Result<(), Fault> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut done = 0;
    while done < rows {
        levels.clear();
        values.clear();
        let batch = BATCH.min(rows - done);
        let (found, ..) = reader.read_records(batch, Some(&mut levels), None, &mut values)?;
        if found == 0 {
            let found = format!("expected {rows} values in a column, found {done}");
            return Err(Fault::Parquet(found));
        }
        let mut values = values.iter();
        for i in 0..found {
            let present = top == 0 || levels.get(i) == Some(&top);
            match if present { values.next() } else { None } {
                Some(value) => push(fields, value)?,
                None => fields.push(Field::Missing),
            }
        }
        done += found;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::sync::Arc;

    use parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
        Int32Type, Int64Type, Int96, Int96Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;
    use crate::table::{Coding, CodingOptions, ReadOptions};

    const SCHEMA: &str = "message table {
        REQUIRED INT32 count;
        OPTIONAL DOUBLE width;
        OPTIONAL BOOLEAN flag;
        OPTIONAL BYTE_ARRAY color (UTF8);
        REQUIRED INT64 price (DECIMAL(10, 2));
        REQUIRED INT32 day (DATE);
        REQUIRED INT64 time (TIMESTAMP_MILLIS);
        OPTIONAL INT64 clock (TIME(MICROS, false));
        REQUIRED INT96 old;
        REQUIRED FIXED_LEN_BYTE_ARRAY (2) code;
        REQUIRED INT32 y;
    }";
    const CSV: &str = "count,width,flag,color,price,day,time,clock,old,y
        1,0.5,true,red,1.25,1970-01-01,2024-12-31 18:00:00.250,00:00:00.000001,2024-12-31 06:00:00,0
        -2,,false,blue,-3,1969-12-31,2024-12-30 00:00:00,,1970-01-01 00:00:00,1
        3,1e-7,true,,0.01,2024-02-29,1969-12-31 23:59:59.999,23:59:59,2024-12-31 06:00:00,1
        4,7,NA,red,100,1970-01-02,1970-01-01 00:00:00,12:30:00,2024-12-31 06:00:00,0
    ";

    fn written(twice: bool) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
        for _ in 0..1 + usize::from(twice) {
            let mut group = writer.next_row_group().unwrap();
            macro_rules! column {
                ($kind:ty, $values:expr, $levels:expr) => {
                    let mut column = group.next_column().unwrap().unwrap();
                    column.typed::<$kind>().write_batch($values, $levels, None).unwrap();
                    column.close().unwrap();
                };
            }
            let text = |text: &str| ByteArray::from(text);
            column!(Int32Type, &[1, -2, 3, 4], None);
            column!(DoubleType, &[0.5, 1e-7, 7.0], Some(&[1, 0, 1, 1]));
            column!(BoolType, &[true, false, true], Some(&[1, 1, 1, 0]));
            column!(ByteArrayType, &["red", "blue", "red"].map(text), Some(&[1, 1, 0, 1]));
            column!(Int64Type, &[125, -300, 1, 10_000], None);
            column!(Int32Type, &[0, -1, 19_782, 1], None);
            column!(Int64Type, &[1_735_668_000_250, 1_735_516_800_000, -1, 0], None);
            column!(Int64Type, &[1, 86_399_000_000, 45_000_000_000], Some(&[1, 0, 1, 1]));
            let old = |days: u32, hours: u64| {
                let (nanoseconds, mut value) = (hours * 3_600_000_000_000, Int96::new());
                value.set_data(nanoseconds as u32, (nanoseconds >> 32) as u32, 2_440_588 + days);
                value
            };
            let late = old(20_088, 6);
            column!(Int96Type, &[late, old(0, 0), late, late], None);
            let code = FixedLenByteArray::from(vec![1, 2]);
            column!(FixedLenByteArrayType, &[code.clone(), code.clone(), code.clone(), code], None);
            column!(Int32Type, &[0, 1, 1, 0], None);
            group.close().unwrap();
        }
        writer.close().unwrap();
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<Table, TableError> {
        Table::read(bytes, "t", &ReadOptions::default())
    }

    #[test]
    fn the_same_table_reads_alike_from_parquet_and_from_text() {
        let (stored, text) = (parse(&written(false)).unwrap(), parse(CSV.as_bytes()).unwrap());
        let kept: Vec<_> = stored.columns().iter().filter(|c| c.name != "code").cloned().collect();
        assert_eq!(kept, text.columns());
        assert_eq!(stored.row_number(0), 1);
        assert_eq!(parse(&written(true)).unwrap().rows(), 8);
        let data = |table: &Table, ignore: &[&str]| {
            let ignore = ignore.iter().map(|&name| name.to_owned()).collect();
            let missing = crate::table::Missing::Mean;
            let options = CodingOptions { ignore, missing, ..CodingOptions::default() };
            Coding::fit(table, &options)?.dataset(table)
        };
        let one = data(&stored, &["code"]).unwrap().fingerprint();
        assert_eq!(one, data(&text, &[]).unwrap().fingerprint());
        let error = data(&stored, &[]).unwrap_err().to_string();
        assert!(error.starts_with(r#"cannot read t: column "code": cells of type fixed"#));
    }

    #[test]
    fn files_and_compressed_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = written(false);
        let open = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            Table::open(path.to_str().unwrap(), &ReadOptions::default())
        };
        assert_eq!(open("plain", &bytes).unwrap().rows(), 4);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        gzip.write_all(&bytes).unwrap();
        assert_eq!(open("packed", &gzip.finish().unwrap()).unwrap().rows(), 4);
        let error = open("text.parquet", b"a,b\n1,2\n").unwrap_err().to_string();
        assert!(error.contains("not a readable Parquet file"), "{error}");
    }

    #[test]
    fn lists_are_unusable_and_fields_are_columns() {
        let schema = "message t { REQUIRED GROUP a { REQUIRED INT32 b; } REPEATED INT32 c; }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[5], None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let (levels, repeats) = ([1, 1], [0, 1]);
        column.typed::<Int32Type>().write_batch(&[1, 2], Some(&levels), Some(&repeats)).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        let table = parse(&bytes).unwrap();
        assert_eq!(table.columns()[0].name, "a.b");
        assert_eq!(table.field(0, 0), Field::Number(5.0));
        assert_eq!(table.columns()[1].fields, Fields::Unusable("list".into(), 1));
    }

    #[test]
    fn damaged_files_are_refused_without_a_panic() {
        let good = written(false);
        for cut in 0..good.len() {
            if let Err(error) = parse(&good[..cut]) {
                assert!(!error.to_string().contains('\n'));
            }
        }
        for k in 0..good.len() {
            for byte in [0x00, 0x7f, 0xff, good[k] ^ 1, good[k].wrapping_add(1)] {
                let mut bad = good.clone();
                bad[k] = byte;
                let _ = parse(&bad);
            }
        }
    }
}
