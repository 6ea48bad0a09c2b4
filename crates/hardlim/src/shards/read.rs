//! From files to shards: a first pass takes the sample, whose columns decide the coding; a second one codes all
//! rows.

use super::rows::Sampling;
use super::{Sample, Shard, Shards};
use crate::data::{Coding, CodingOptions, ReadOptions, Table, Tally};
use crate::error::Error;
use crate::spelling::mark;

/// The least memory for training by blocks: the sample alone takes a part of it.
const LEAST_MEMORY: u64 = 64 << 20;
/// The fewest and the most rows of a block.
const ROWS: (usize, usize) = (1 << 10, 1 << 18);
/// About the bytes of a field while its row is read and coded.
const FIELD: usize = 64;

/// Tables that belong together, one after the other: each is read in parts, twice.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The names of the tables (see [`Table::open`]).
    pub sources: Vec<String>,
    /// How to read them.
    pub options: ReadOptions,
    /// About how many fields a part has.
    pub fields: usize,
}

/// How a look at the first row ends.
enum Look {
    Width(usize),
    Failed(Error),
}

impl From<Error> for Look {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Parts {
    /// Tables to be read in parts that leave room in so much memory, while so many patterns are answered.
    ///
    /// # Errors
    /// When there is no table, the first one cannot be read, or the memory is too small.
    pub fn within(
        memory: u64,
        patterns: usize,
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
        let look = Table::for_each_part(first, &options, 1, |table| {
            Err(Look::Width(table.columns().len()))
        });
        let width = match look {
            Err(Look::Width(width)) => width,
            Err(Look::Failed(error)) => return Err(error),
            Ok(()) => return Err(Error::NoSamples),
        };
        // A quarter of the memory for a part that is read, and one for the blocks of all threads.
        let quarter = usize::try_from(memory / 4).unwrap_or(usize::MAX);
        let reading = quarter / (FIELD * width.max(1));
        let each = patterns / 8 + 16 * width + 64;
        let answering = quarter / (rayon::current_num_threads().max(1) * each);
        let rows = reading.min(answering).clamp(ROWS.0, ROWS.1);
        Ok(Self { sources, options, fields: rows * width })
    }

    /// Visits all parts, in order.
    ///
    /// # Errors
    /// When a table cannot be read, or a visit fails.
    pub fn for_each(&self, mut visit: impl FnMut(Table) -> Result<(), Error>) -> Result<(), Error> {
        for source in &self.sources {
            Table::for_each_part(source, &self.options, self.fields, &mut visit)?;
        }
        Ok(())
    }

    /// The coding of the columns, decided by a sample of the rows, and the sample. `read` is called with the
    /// number of rows so far.
    ///
    /// # Errors
    /// When a table cannot be read, or the sample cannot be coded.
    pub fn sample(
        &self,
        columns: &CodingOptions,
        read: &dyn Fn(u64),
    ) -> Result<(Coding, Sample), Error> {
        let mut taken = Taken::default();
        self.for_each(|table| {
            taken.add(&table)?;
            read(taken.rows);
            Ok(())
        })?;
        taken.coded(columns)
    }

    /// Codes all rows, and adds them to shards. `read` is called with the number of rows so far.
    ///
    /// # Errors
    /// When a table cannot be read, or a row cannot be coded.
    pub fn code(
        &self,
        coding: &Coding,
        shards: &mut Shards,
        read: &dyn Fn(u64),
    ) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        self.for_each(|table| {
            tally.add(coding, &table)?;
            shards.push(coding.shard(&table, shards.rows())?)?;
            read(shards.rows());
            Ok(())
        })?;
        Ok(tally)
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
}

impl Taken {
    /// Takes rows of the table that follows.
    ///
    /// # Errors
    /// When it does not have the columns of the first.
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

    /// Adds rows of the sample, those of the table that follows, which have these numbers among all rows.
    ///
    /// # Errors
    /// When it does not have the columns of the first.
    pub fn add_taken(&mut self, table: Table, numbers: &[u64]) -> Result<(), Error> {
        match &mut self.sample {
            None => self.sample = Some(table),
            Some(sample) => sample.append(&table)?,
        }
        self.numbers.extend(numbers);
        Ok(())
    }

    /// The coding that these rows decide, and the sample.
    ///
    /// # Errors
    /// When there are no rows, or they cannot be coded.
    pub fn coded(self, columns: &CodingOptions) -> Result<(Coding, Sample), Error> {
        self.coded_with(columns, None)
    }

    /// The same, with the weights of these rows if no column has them.
    ///
    /// # Errors
    /// When there are no rows, or they cannot be coded.
    pub fn coded_with(
        self,
        columns: &CodingOptions,
        weights: Option<Vec<f64>>,
    ) -> Result<(Coding, Sample), Error> {
        let table = self.sample.ok_or(Error::NoSamples)?;
        let coding = Coding::fit(&table, columns)?;
        let (x, y) = (coding.features(&table)?, coding.targets(&table)?);
        let weights = coding.weights(&table)?.or(weights);
        Ok((coding, Sample::new(&self.numbers, x, y, weights)))
    }
}

impl Coding {
    /// The shard of a table, whose first row has this number.
    ///
    /// # Errors
    /// When a row cannot be coded.
    pub fn shard(&self, table: &Table, first: u64) -> Result<Shard, Error> {
        let (x, y) = (self.features(table)?, self.targets(table)?);
        Shard::new(first, x, y, self.weights_of_some(table)?)
    }
}

impl Shards {
    /// A table in so many shards, in memory, with the coding and the sample of its rows.
    ///
    /// # Errors
    /// When the table cannot be coded.
    pub fn of_table(
        table: &Table,
        columns: &CodingOptions,
        count: usize,
    ) -> Result<(Coding, Sample, Self), Error> {
        let mut taken = Taken::default();
        taken.add(table)?;
        let (coding, sample) = taken.coded(columns)?;
        let mut shards = Self::in_memory();
        for k in 0..count {
            let cut = |k: usize| k * table.rows() / count;
            let rows: Vec<usize> = (cut(k)..cut(k + 1)).collect();
            if !rows.is_empty() {
                let first = shards.rows();
                shards.push(coding.shard(&table.select(&rows), first)?)?;
            }
        }
        Ok((coding, sample, shards))
    }
}
