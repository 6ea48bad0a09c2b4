//! A table as bytes, so that some rows of it can go to another process. Errors name the same files and rows there.

use std::collections::HashMap;

use super::error::Damaged;
use super::{Column, Grouped, Numbering, Table};
use crate::table::bytes::{Reader, Writer};
use crate::table::fields::{Field, Fields};

/// The code of a field that has no text.
const NO_TEXT: u64 = u64::MAX;

impl Table {
    /// The table as bytes; only its encoding is forgotten.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.text(&self.source);
        for flag in [self.named, self.semicolons] {
            out.number(u64::from(flag));
        }
        out.number(self.rows as u64);
        (0..self.rows).for_each(|i| out.number(self.row_number(i)));
        out.number(self.origins.len() as u64);
        for (row, source) in &self.origins {
            out.number(*row as u64);
            out.text(source);
        }
        out.number(self.columns.len() as u64);
        for (j, Column { name, fields }) in self.columns.iter().enumerate() {
            out.text(name);
            write_fields(fields, &mut out);
            let none = Grouped::default();
            let grouped = self.grouped(j).unwrap_or(&none);
            out.number(grouped.rows.len() as u64);
            grouped.rows.iter().for_each(|&i| out.number(u64::from(i)));
            out.number(u64::from(grouped.decimals));
        }
        out.0
    }

    /// The table that these bytes hold.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut from = Reader::new("table", bytes);
        let source = from.text()?.to_owned();
        let (named, semicolons) = (from.number()? != 0, from.number()? != 0);
        let rows = from.count(8)?;
        let mut numbering = Numbering::default();
        for i in 0..rows {
            numbering.set(i, from.number()?);
        }
        let mut origins = Vec::new();
        for _ in 0..from.count(16)? {
            origins.push((from.number()? as usize, from.text()?.to_owned()));
        }
        let (mut columns, mut spelled) = (Vec::new(), Vec::new());
        for _ in 0..from.count(8)? {
            let name = from.text()?.to_owned();
            columns.push(Column { name, fields: read_fields(rows, &mut from)? });
            let mut grouped = Grouped::default();
            for _ in 0..from.count(8)? {
                grouped.rows.push(from.number()? as u32);
            }
            grouped.decimals = from.number()? != 0;
            spelled.push(grouped);
        }
        from.end()?;
        let table = Self::with_numbering(source, named, columns, numbering)
            .map_err(|error| from.damaged(&error.to_string()))?;
        Ok(Self { origins, ..table.with_spelling(spelled, None, semicolons) })
    }
}

/// The kind of a column, and its fields: numbers, or places among texts as well.
fn write_fields(fields: &Fields, out: &mut Writer) {
    let number = |field| if let Field::Number(v) = field { v } else { f64::NAN };
    match fields {
        Fields::Unusable(kind, _) => {
            out.number(2);
            out.text(kind);
        }
        Fields::Numbers(_) => {
            out.number(0);
            out.doubles(fields.iter().map(number));
        }
        Fields::Text(_) | Fields::Mixed(..) => {
            out.number(1);
            out.doubles(fields.iter().map(number));
            let texts: Vec<&str> = fields.texts().collect();
            let places: HashMap<&str, u64> = texts.iter().copied().zip(0..).collect();
            out.number(texts.len() as u64);
            texts.iter().for_each(|text| out.text(text));
            for field in fields.iter() {
                out.number(if let Field::Text(text) = field { places[text] } else { NO_TEXT });
            }
        }
    }
}

fn read_fields(rows: usize, from: &mut Reader<'_>) -> Result<Fields, Damaged> {
    let kind = from.number()?;
    if kind == 2 {
        return Ok(Fields::Unusable(from.text()?.to_owned(), rows));
    }
    let numbers = from.doubles(rows)?;
    if kind == 0 {
        return Ok(Fields::Numbers(numbers));
    }
    let texts: Vec<&str> =
        (0..from.count(8)?).map(|_| from.text()).collect::<Result<_, Damaged>>()?;
    let mut fields = Fields::default();
    for number in numbers {
        let field = match from.number()? {
            NO_TEXT => Field::number(number),
            place => match texts.get(place as usize) {
                Some(text) => Field::Text(text),
                None => return Err(from.damaged("there is no such text")),
            },
        };
        fields.push(field);
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ReadOptions;

    #[test]
    fn a_table_reads_back_with_its_files_and_rows() {
        let read = |name: &str, text: &str| {
            Table::read(text.as_bytes(), name, &ReadOptions::default()).unwrap()
        };
        let mut table = read("one.csv", "a,b,c\n1.234,x,\n\n2.5,,7\n,y,z\n");
        table.append(&read("two.csv", "a,b,c\n1,x,3\n4,é,5\n")).unwrap();
        for rows in [vec![0, 1, 2, 3, 4], vec![1, 4], vec![]] {
            let some = table.select(&rows);
            assert_eq!(Table::from_bytes(&some.to_bytes()).unwrap(), some);
        }
        let unnamed = Table::unnamed("X", vec![Fields::Numbers(vec![1.0, f64::NAN])]).unwrap();
        let read = Table::from_bytes(&unnamed.to_bytes()).unwrap();
        assert_eq!((read.named(), read.columns()), (false, unnamed.columns()));
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let table = Table::read(&b"a,b\n1,x\n2,y\n"[..], "t", &ReadOptions::default()).unwrap();
        let bytes = table.to_bytes();
        for end in 0..bytes.len() {
            assert!(Table::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        assert!(Table::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }
}
