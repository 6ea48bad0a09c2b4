//! A table as text, so that some rows of it can go to another process. Errors name the same files
//! and rows there.

use serde::{Deserialize, Serialize};

use super::error::TableError;
use super::fields::{Field, Fields};
use super::{Column, Numbering, Spelling, Table};

/// What is sent of a table: its encoding and its hashes stay behind.
#[derive(Serialize, Deserialize)]
pub(super) struct Packed {
    source: String,
    named: bool,
    numbering: Numbering,
    spelling: Spelling,
    columns: Vec<(String, Cells)>,
}

#[derive(Serialize, Deserialize)]
enum Cells {
    Unusable(String, usize),
    Usable(Vec<Cell>),
}

/// One field. A number is sent as its bits: text knows no infinity.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Cell {
    Missing,
    Number(u64),
    Text(String),
}

impl From<Table> for Packed {
    fn from(table: Table) -> Self {
        let cell = |field: Field<'_>| match field {
            Field::Missing => Cell::Missing,
            Field::Number(v) => Cell::Number(v.to_bits()),
            Field::Text(text) => Cell::Text(text.to_owned()),
        };
        let cells = |fields: Fields| match fields {
            Fields::Unusable(kind, rows) => Cells::Unusable(kind, rows),
            fields => Cells::Usable(fields.iter().map(cell).collect()),
        };
        let Table { source, named, numbering, spelling, columns, .. } = table;
        let columns = columns.into_iter().map(|column| (column.name, cells(column.fields)));
        Self { source, named, numbering, spelling, columns: columns.collect() }
    }
}

impl TryFrom<Packed> for Table {
    type Error = TableError;

    fn try_from(packed: Packed) -> Result<Self, TableError> {
        let mut columns = Vec::new();
        for (name, cells) in packed.columns {
            let mut fields = Fields::default();
            match cells {
                Cells::Unusable(kind, rows) => fields = Fields::Unusable(kind, rows),
                Cells::Usable(cells) => cells.iter().for_each(|cell| {
                    fields.push(match cell {
                        Cell::Missing => Field::Missing,
                        Cell::Number(bits) => Field::number(f64::from_bits(*bits)),
                        Cell::Text(text) => Field::Text(text),
                    });
                }),
            }
            columns.push(Column { name, fields });
        }
        let Packed { source, named, numbering, spelling, .. } = packed;
        let table = Self::with_numbering(source, named, columns, numbering)?;
        Ok(Self { spelling, ..table })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ReadOptions;

    #[test]
    fn a_table_reads_back_with_its_files_and_rows_and_damaged_text_is_refused() {
        let read = |name: &str, text: &str| {
            Table::read(text.as_bytes(), name, &ReadOptions::default()).unwrap()
        };
        let mut table = read("one.csv", "a,b,c\n1.234,x,\n\n2.5,,7\n,y,z\n");
        table.append(&read("two.csv", "a,b,c\n1,x,inf\n4,é,5\n")).unwrap();
        for rows in [vec![0, 1, 2, 3, 4], vec![1, 4], vec![]] {
            let some = table.select(&rows);
            let text = serde_json::to_string(&some).unwrap();
            assert_eq!(serde_json::from_str::<Table>(&text).unwrap(), some);
        }
        let text = serde_json::to_string(&table).unwrap();
        let longer = text.replacen("\"Usable\":[", "\"Usable\":[null,", 1);
        assert!(serde_json::from_str::<Table>(&longer).is_err());
        let fields = vec![Fields::Numbers(vec![1.0, f64::NAN]), Fields::Unusable("list".into(), 2)];
        let unnamed = Table::unnamed("X", fields).unwrap();
        let text = serde_json::to_string(&unnamed).unwrap();
        assert_eq!(serde_json::from_str::<Table>(&text).unwrap(), unnamed);
    }
}
