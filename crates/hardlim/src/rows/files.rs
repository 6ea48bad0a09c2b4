//! From files to blocks: a first pass takes the sample, whose columns decide the coding; a second
//! one codes all rows.

use super::sampling::Sampling;
use super::{Block, Blocks, Sample};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::spelling::mark;
use crate::table::{Coding, CodingOptions, Fingerprint, ReadOptions, Table, Tally, memory};

/// The least memory for training by blocks: the sample alone takes a part of it.
const LEAST_MEMORY: u64 = 64 << 20;
/// The fewest and the most rows of a block.
const ROWS: (usize, usize) = (1 << 10, 1 << 18);
/// About the bytes of a field while its row is read and coded.
const FIELD: usize = 64;

/// Tables that belong together, one after the other: each is read block by block, twice.
#[derive(Debug, Clone)]
pub struct Files {
    /// The names of the tables (see [`Table::open`]).
    pub sources: Vec<String>,
    /// How to read them.
    pub options: ReadOptions,
    /// About how many fields are read at a time.
    pub fields: usize,
}

impl Files {
    /// Tables to be read in blocks that leave room in `memory` while `patterns` are answered.
    pub fn within(
        memory: u64,
        patterns: u64,
        sources: Vec<String>,
        options: ReadOptions,
    ) -> Result<Self, Error> {
        if memory < LEAST_MEMORY {
            let problem = format!(
                "{}: training by blocks needs at least {} MiB",
                mark("memory", Some(&memory.to_string())),
                LEAST_MEMORY >> 20
            );
            return Err(Error::Option { option: "memory", problem });
        }
        let first = sources.first().ok_or(Error::NoSamples)?;
        let mut width = 0;
        let look = Table::for_each_block(first, &options, 1, |table| {
            width = table.columns().len();
            Err(Error::Interrupted)
        });
        if width == 0 {
            look?;
            return Err(Error::NoSamples);
        }
        // A quarter of the memory for a block that is read, and one for the blocks of all threads.
        let quarter = usize::try_from(memory / 4).unwrap_or(usize::MAX);
        let reading = quarter / (FIELD * width);
        let patterns = usize::try_from(patterns).unwrap_or(usize::MAX);
        let each = (patterns / 8).saturating_add(16 * width + 64);
        let answering = quarter / rayon::current_num_threads().max(1).saturating_mul(each);
        let rows = reading.min(answering).clamp(ROWS.0, ROWS.1);
        Ok(Self { sources, options, fields: rows * width })
    }

    /// Visits the tables block by block, in order, and returns the SHA-256 of each file.
    pub fn for_each(
        &self,
        mut visit: impl FnMut(Table) -> Result<(), Error>,
    ) -> Result<Vec<Fingerprint>, Error> {
        let read = |source: &String| {
            Table::for_each_block(source, &self.options, self.fields, &mut visit).transpose()
        };
        self.sources.iter().filter_map(read).collect()
    }

    /// The sample of the rows. `tell` is called with the number of rows so far.
    pub fn take(&self, tell: &dyn Fn(u64)) -> Result<Taken, Error> {
        let mut taken = Taken::default();
        let files = self.for_each(|table| {
            taken.add(&table)?;
            tell(taken.rows);
            Ok(())
        })?;
        Ok(Taken { files, ..taken })
    }

    /// Codes all rows, and adds them to blocks. `tell` is called with the number of rows so far.
    /// Returns what the sample had not, and the SHA-256 of each file.
    pub fn code(
        &self,
        coding: &Coding,
        blocks: &mut Blocks,
        tell: &dyn Fn(u64),
    ) -> Result<(Tally, Vec<Fingerprint>), Error> {
        let mut tally = Tally::default();
        let files = self.for_each(|table| {
            tally.add(coding, &table)?;
            blocks.push(coding.block(&table, blocks.rows(), None)?)?;
            tell(blocks.rows());
            Ok(())
        })?;
        Ok((tally, files))
    }
}

/// The rows of the sample so far.
#[derive(Debug, Default)]
pub struct Taken {
    sampling: Sampling,
    /// All rows so far.
    rows: u64,
    /// Those that were taken, with their numbers.
    sample: Option<Table>,
    numbers: Vec<u64>,
    /// The SHA-256 of the files that they come from.
    files: Vec<Fingerprint>,
}

impl Taken {
    /// The number of rows so far, taken or not.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes rows of the table that follows.
    pub fn add(&mut self, table: &Table) -> Result<(), Error> {
        let takes = |i: &usize| self.sampling.takes(self.rows + *i as u64);
        let rows: Vec<usize> = (0..table.rows()).filter(takes).collect();
        let numbers: Vec<u64> = rows.iter().map(|&i| self.rows + i as u64).collect();
        self.rows += table.rows() as u64;
        self.add_taken(table.select(&rows), &numbers)?;
        let mut kept: Vec<(u64, usize)> =
            self.numbers.iter().copied().enumerate().map(|(i, row)| (row, i)).collect();
        self.sampling.thin(&mut kept);
        if let Some(sample) = self.sample.as_mut().filter(|_| kept.len() < self.numbers.len()) {
            *sample = sample.select(&kept.iter().map(|(_, i)| *i).collect::<Vec<_>>());
            self.numbers = kept.into_iter().map(|(row, _)| row).collect();
        }
        Ok(())
    }

    /// Adds rows of the sample, those of the table that follows, which have these numbers among all
    /// rows.
    pub fn add_taken(&mut self, table: Table, numbers: &[u64]) -> Result<(), Error> {
        match &mut self.sample {
            None => self.sample = Some(table),
            Some(sample) => sample.append(&table)?,
        }
        self.numbers.extend(numbers);
        Ok(())
    }

    /// The table of the rows that were taken.
    pub fn table(self) -> Result<Table, Error> {
        Ok(self.sample.ok_or(Error::NoSamples)?.with_files(self.files))
    }

    /// The coding that these rows decide, and the sample; `weights` are those of these rows, if no
    /// column has them.
    pub fn coded(
        self,
        columns: &CodingOptions,
        weights: Option<Vec<f64>>,
    ) -> Result<(Coding, Sample), Error> {
        let table = self.sample.ok_or(Error::NoSamples)?;
        let coding = Coding::fit(&table, columns)?;
        let (x, y) = (coding.features(&table)?, coding.targets(&table)?);
        let weights = coding.weights(&table)?.or(weights);
        Ok((coding, Sample::new(self.numbers, x, y, weights)))
    }
}

impl Coding {
    /// The block of a table, whose first row has this number; `weights` are those of its rows, if
    /// no column has them.
    pub fn block(
        &self,
        table: &Table,
        first: u64,
        weights: Option<Vec<f64>>,
    ) -> Result<Block, Error> {
        let (x, y) = (self.features(table)?, self.targets(table)?);
        Block::new(first, x, y, self.weights_of_some(table)?.or(weights))
    }
}

/// Rows in blocks, coded as their sample decided.
#[derive(Debug)]
pub struct Coded {
    /// What the columns mean.
    pub coding: Coding,
    /// The sample.
    pub sample: Sample,
    /// All rows.
    pub rows: Blocks,
    /// What the rows have that the sample had not.
    pub tally: Tally,
    /// The SHA-256 of the files that the rows come from.
    pub files: Vec<Fingerprint>,
}

fn available() -> u64 {
    memory::available().unwrap_or(u64::MAX)
}

/// The rows of a block of a table in memory.
const EACH: usize = 1 << 14;

impl Coded {
    /// A table in blocks that leave room for the answers of `patterns`, if its coding is `wanted`.
    pub(crate) fn of_table(
        (table, weights): (&Table, Option<&[f64]>),
        columns: &CodingOptions,
        patterns: u64,
        wanted: impl FnOnce(&Coding) -> bool,
    ) -> Result<Option<Self>, Error> {
        let mut taken = Taken::default();
        taken.add(table)?;
        let own = weights.map(|s| taken.numbers.iter().map(|&i| s[i as usize]).collect());
        let (coding, sample) = taken.coded(columns, own)?;
        if !wanted(&coding) {
            return Ok(None);
        }
        let mut rows =
            Blocks::within(available(), table.rows() as u64, coding.dimension(), patterns)?;
        rows.push_table((table, weights), &coding, EACH)?;
        let mut tally = Tally::default();
        tally.add(&coding, table)?;
        let files = table.files().to_vec();
        Ok(Some(Self { coding, sample, rows, tally, files }))
    }

    /// The samples of a training set in blocks, coded as they are.
    pub(crate) fn of_set(set: &TrainingSet, patterns: u64) -> Result<Self, Error> {
        let (x, y) = (set.features(), set.y());
        let taken = Sampling::of(y.len() as u64);
        let numbers: Vec<u64> = (0..y.len() as u64).filter(|&i| taken.takes(i)).collect();
        let cut = |rows: &[usize]| {
            let of = |all: &[f64]| rows.iter().map(|&i| all[i]).collect();
            (x.select(rows), of(y), set.counts().map(of))
        };
        let (own, targets, weights) = cut(&numbers.iter().map(|&i| i as usize).collect::<Vec<_>>());
        let sample = Sample::new(numbers, own, targets, weights);
        let mut rows = Blocks::within(available(), y.len() as u64, x.dimension(), patterns)?;
        for start in (0..y.len()).step_by(EACH) {
            let some: Vec<usize> = (start..y.len().min(start + EACH)).collect();
            let (x, y, weights) = cut(&some);
            rows.push(Block::new(start as u64, x, y, weights)?)?;
        }
        let (coding, tally, files) = (set.coding().clone(), Tally::default(), Vec::new());
        Ok(Self { coding, sample, rows, tally, files })
    }
}

impl Blocks {
    /// Adds the rows of a table, `each` a block, with their weights if no column has them.
    pub fn push_table(
        &mut self,
        (table, weights): (&Table, Option<&[f64]>),
        coding: &Coding,
        each: usize,
    ) -> Result<(), Error> {
        for start in (0..table.rows()).step_by(each) {
            let end = table.rows().min(start + each);
            let own = weights.map(|s| s[start..end].to_vec());
            let some: Vec<usize> = (start..end).collect();
            self.push(coding.block(&table.select(&some), self.rows(), own)?)?;
        }
        Ok(())
    }
}

/// Rows that are ready to be trained on.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
pub enum Ready {
    /// A table in memory.
    Table(Table),
    /// Rows in blocks.
    Blocks(Coded),
}
