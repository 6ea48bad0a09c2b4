//! Arrays in NumPy's .npy format.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use hardlim::pattern::{Order, PatternMatrix};
use npyz::{NpyFile, WriterBuilder};

/// A 0/1 matrix as its bytes lie in the file.
pub(crate) struct Design {
    rows: usize,
    columns: usize,
    order: Order,
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
            let npy = open(path)?;
            let order = match npy.order() {
                npyz::Order::C => Order::Rows,
                npyz::Order::Fortran => Order::Columns,
            };
            let [rows, columns] = npy.shape()[..] else {
                bail!("expected a matrix, found {} dimensions", npy.shape().len());
            };
            let (rows, columns) = (usize::try_from(rows)?, usize::try_from(columns)?);
            let kind = npy.dtype().descr();
            let elements = match kind.trim_matches('\'') {
                "|u1" | "|b1" => Elements::Bytes(bytes(npy, rows * columns)?),
                "<f8" => Elements::Numbers(npy.into_vec()?),
                other => bail!("expected bool, uint8 or float64 numbers, found {other}"),
            };
            Ok(Self { rows, columns, order, elements })
        };
        read().with_context(|| format!("cannot read {}", path.display()))
    }

    /// The bits; anything but 0 and 1 is an error.
    pub(crate) fn pack(&self) -> Result<PatternMatrix, hardlim::Error> {
        match &self.elements {
            Elements::Bytes(elements) => {
                PatternMatrix::from_bytes(self.rows, self.columns, self.order, elements)
            }
            Elements::Numbers(elements) => {
                PatternMatrix::from_numbers(self.rows, self.columns, self.order, elements)
            }
        }
    }
}

/// Reads a vector of doubles.
pub(crate) fn read_vector(path: &Path) -> anyhow::Result<Vec<f64>> {
    let read = || -> anyhow::Result<Vec<f64>> {
        let npy = open(path)?;
        let length: u64 = npy.shape().iter().product();
        if npy.shape().iter().filter(|&&n| n != 1).count() > 1 {
            bail!("expected a vector, found the shape {:?}", npy.shape());
        }
        let kind = npy.dtype().descr();
        let values: Vec<f64> = match kind.trim_matches('\'') {
            "<f8" => npy.into_vec()?,
            "<f4" => npy.into_vec::<f32>()?.into_iter().map(f64::from).collect(),
            "<i8" => npy.into_vec::<i64>()?.into_iter().map(|v| v as f64).collect(),
            "<i4" => npy.into_vec::<i32>()?.into_iter().map(f64::from).collect(),
            "|i1" => npy.into_vec::<i8>()?.into_iter().map(f64::from).collect(),
            other => bail!("expected float64 numbers, found {other}"),
        };
        anyhow::ensure!(values.len() as u64 == length, "the file ends early");
        Ok(values)
    };
    read().with_context(|| format!("cannot read {}", path.display()))
}

/// A vector of doubles as a file.
pub(crate) fn write_vector(values: &[f64]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .shape(&[values.len() as u64])
        .writer(&mut bytes)
        .begin_nd()?;
    writer.extend(values)?;
    writer.finish()?;
    Ok(bytes)
}

fn open(path: &Path) -> anyhow::Result<NpyFile<BufReader<File>>> {
    let npy = NpyFile::new(BufReader::with_capacity(1 << 20, File::open(path)?))
        .context("it is not a .npy file")?;
    let elements = npy.shape().iter().try_fold(1u64, |product, &n| product.checked_mul(n));
    // The file holds at least a byte for each element, so its size bounds what is allocated.
    let size = std::fs::metadata(path)?.len();
    if elements.is_none_or(|elements| elements > size) {
        bail!("its header states more numbers than it holds");
    }
    Ok(npy)
}

/// The data as they lie in the file.
fn bytes(npy: NpyFile<BufReader<File>>, length: usize) -> anyhow::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    npy.into_inner().read_exact(&mut bytes).context("the file ends early")?;
    Ok(bytes)
}
