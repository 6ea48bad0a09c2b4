//! Arrays in NumPy's .npy format.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use hardlim::pattern::PatternMatrix;

/// A 0/1 matrix as its bytes lie in the file.
pub(crate) struct Design {
    rows: usize,
    columns: usize,
    by_columns: bool,
    elements: Elements,
}

enum Elements {
    Bytes(Vec<u8>),
    Numbers(Vec<f64>),
}

impl Design {
    /// Reads the bytes of a matrix of booleans, unsigned bytes or doubles.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let read = || -> anyhow::Result<Self> {
            let npy = Npy::open(path)?;
            let [rows, columns] = npy.shape[..] else {
                bail!("expected a matrix, found {} dimensions", npy.shape.len());
            };
            let by_columns = npy.by_columns;
            let elements = match npy.kind.as_str() {
                "|u1" | "|b1" => Elements::Bytes(npy.elements(|[byte]: [u8; 1]| byte)?),
                "<f8" => Elements::Numbers(npy.elements(f64::from_le_bytes)?),
                other => bail!("expected bool, uint8 or float64 numbers, found {other}"),
            };
            Ok(Self { rows, columns, by_columns, elements })
        };
        read().with_context(|| format!("cannot read {}", path.display()))
    }

    /// The bits; anything but 0 and 1 is an error.
    pub(crate) fn pack(&self) -> Result<PatternMatrix, hardlim::Error> {
        match &self.elements {
            Elements::Bytes(elements) => {
                PatternMatrix::from_entries(self.rows, self.columns, self.by_columns, elements)
            }
            Elements::Numbers(elements) => {
                PatternMatrix::from_entries(self.rows, self.columns, self.by_columns, elements)
            }
        }
    }
}

/// Reads a vector of doubles.
pub(crate) fn read_vector(path: &Path) -> anyhow::Result<Vec<f64>> {
    let read = || -> anyhow::Result<Vec<f64>> {
        let npy = Npy::open(path)?;
        if npy.shape.iter().filter(|&&n| n != 1).count() > 1 {
            bail!("expected a vector, found the shape {:?}", npy.shape);
        }
        match npy.kind.as_str() {
            "<f8" => npy.elements(f64::from_le_bytes),
            "<f4" => npy.elements(|bytes| f64::from(f32::from_le_bytes(bytes))),
            "<i8" => npy.elements(|bytes| i64::from_le_bytes(bytes) as f64),
            "<i4" => npy.elements(|bytes| f64::from(i32::from_le_bytes(bytes))),
            "|i1" => npy.elements(|bytes| f64::from(i8::from_le_bytes(bytes))),
            other => bail!("expected float64 numbers, found {other}"),
        }
    };
    read().with_context(|| format!("cannot read {}", path.display()))
}

/// A vector of doubles as a file.
pub(crate) fn write_vector(values: &[f64]) -> Vec<u8> {
    let header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    let padded = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
    let mut bytes = [&MAGIC[..], &[1, 0], &(padded as u16).to_le_bytes()].concat();
    bytes.extend(format!("{header:<width$}\n", width = padded - 1).bytes());
    bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    bytes
}

/// The first bytes of every file.
const MAGIC: [u8; 6] = *b"\x93NUMPY";
/// The longest header that is read; those of plain arrays have about a hundred bytes.
const LONGEST: u32 = 1 << 16;

/// An open file: what its header says, and the elements behind it.
struct Npy {
    /// The type of the elements, as `<f8`.
    kind: String,
    /// Whether columns lie one after the other, instead of rows.
    by_columns: bool,
    shape: Vec<usize>,
    file: BufReader<File>,
}

impl Npy {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
        let header = header(&mut file).context("it is not a .npy file")?;
        let (kind, by_columns, shape) = parse(&header)
            .with_context(|| format!("it is not a plain array: {}", header.trim()))?;
        let elements = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        // The file holds at least a byte for each element, so its size bounds what is allocated.
        let size = std::fs::metadata(path)?.len();
        if elements.is_none_or(|elements| elements as u64 > size) {
            bail!("its header states more numbers than it holds");
        }
        Ok(Self { kind, by_columns, shape, file })
    }

    /// All elements, each of `N` bytes.
    fn elements<const N: usize, T>(mut self, of: impl Fn([u8; N]) -> T) -> anyhow::Result<Vec<T>> {
        let count: usize = self.shape.iter().product();
        let (mut elements, mut block) = (Vec::with_capacity(count), vec![0; 1 << 16]);
        while elements.len() < count {
            let bytes = &mut block[..N * (count - elements.len()).min((1 << 16) / N)];
            self.file.read_exact(bytes).context("the file ends early")?;
            let (chunks, _) = bytes.as_chunks::<N>();
            elements.extend(chunks.iter().map(|chunk| of(*chunk)));
        }
        Ok(elements)
    }
}

/// The header: the text of a Python dictionary.
fn header(file: &mut impl Read) -> Option<String> {
    let mut start = [0; 8];
    file.read_exact(&mut start).ok().filter(|()| start.starts_with(&MAGIC))?;
    let mut length = [0; 4];
    let known = if start[6] == 1 { 2 } else { 4 };
    file.read_exact(&mut length[..known]).ok()?;
    let length = u32::from_le_bytes(length);
    let mut text = String::new();
    file.take(length.into()).read_to_string(&mut text).ok().filter(|_| length <= LONGEST)?;
    Some(text)
}

/// The type, whether the order is by columns, and the shape. A type of several fields is `None`.
fn parse(header: &str) -> Option<(String, bool, Vec<usize>)> {
    let field = |name: &str| Some(header.split_once(&format!("'{name}':"))?.1.trim_start());
    let (kind, _) = field("descr")?.strip_prefix('\'')?.split_once('\'')?;
    let (shape, _) = field("shape")?.strip_prefix('(')?.split_once(')')?;
    let lengths = shape.split(',').map(str::trim).filter(|length| !length.is_empty());
    let shape = lengths.map(|length| length.parse().ok()).collect::<Option<_>>()?;
    Some((kind.to_owned(), field("fortran_order")?.starts_with("True"), shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from a file of this header, version and data.
    fn vector(version: u8, header: &str, data: &[u8]) -> Result<Vec<f64>, String> {
        let length = (header.len() as u32).to_le_bytes();
        let length = if version == 1 { &length[..2] } else { &length[..] };
        written(&[&MAGIC[..], &[version, 0], length, header.as_bytes(), data].concat())
    }

    fn written(bytes: &[u8]) -> Result<Vec<f64>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.npy");
        std::fs::write(&path, bytes).unwrap();
        read_vector(&path).map_err(|error| error.chain().nth(1).expect("a reason").to_string())
    }

    #[test]
    fn vectors_read_back() {
        for values in [vec![], vec![1.5], (0..20_000).map(|i| f64::from(i).sqrt()).collect()] {
            let bytes = write_vector(&values);
            assert_eq!((bytes.len() - 8 * values.len()) % 64, 0);
            assert_eq!(written(&bytes).unwrap(), values);
        }
    }

    #[test]
    fn headers_of_all_versions_and_types_are_read() {
        let header = "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 3), }  \n";
        assert_eq!(vector(1, header, &[1, 255, 3]), Ok(vec![1.0, -1.0, 3.0]));
        let header = "{'shape': (2,), 'fortran_order': True, 'descr': '<i4'}";
        assert_eq!(vector(2, header, &[1, 0, 0, 0, 254, 255, 255, 255]), Ok(vec![1.0, -2.0]));
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        let of = |kind: &str, shape: &str| {
            format!("{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}")
        };
        let refused = |kind, shape| vector(1, &of(kind, shape), &[0; 64]).unwrap_err();
        assert_eq!(refused("'<f8'", "(9,)"), "the file ends early");
        assert_eq!(refused("'<f8'", "(99999,)"), "its header states more numbers than it holds");
        assert_eq!(refused("'<f8'", "(2, 2)"), "expected a vector, found the shape [2, 2]");
        assert_eq!(refused("'<c8'", "(2,)"), "expected float64 numbers, found <c8");
        assert!(
            refused("[('a', '<f8')]", "(2,)").starts_with("it is not a plain array: {'descr': [(")
        );
        assert!(refused("'<f8'", "(-2,)").starts_with("it is not a plain array"));
        for bytes in
            [&b"a,b\n1,2\n"[..], b"", b"\x93NUMPY\x01\x00\xff", b"\x93NUMPY\x02\x00\0\0\0\xff"]
        {
            assert_eq!(written(bytes).unwrap_err(), "it is not a .npy file");
        }
    }
}
