//! Lists all of `H(X)`, exactly on the numbers as read.
//!
//! The open cells come first. Without a bias, the patterns that occur only on faces follow, flat by
//! flat. The order depends on the data alone, not on the number of threads: cells in the order of
//! [`super::cells`] (levels from the last to the first, lines by their rows, vertices along a
//! line), each followed by its opposite.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::cells::{Bits, Cells, Count, Flat, Lattices, Stopped, Task, flats, independent_columns};
use super::witness::Witnesses;
use super::{Arrangement, Dictionary, Hyperplane, Size};
use crate::error::Error;
use crate::pattern::{Pattern, PatternMatrix};

/// A stop flag that is never set.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Arrangement<'a> {
    /// A listing of all patterns, which can count, visit or keep them.
    ///
    /// # Errors
    /// When there may be more than `limit` patterns.
    pub fn listing(&self, limit: u128) -> Result<Listing<'a>, Error> {
        let size = self.size().within(limit)?;
        Ok(Listing { arrangement: *self, size, stop: &NEVER, progress: &|_| {} })
    }

    /// All patterns, each with a hyperplane that realises it.
    ///
    /// # Errors
    /// When there may be more than `limit` patterns, or when a cell is too narrow for weights in
    /// double precision ([`Listing::realised`] leaves such cells out).
    pub fn enumerate(&self, limit: u128) -> Result<Dictionary, Error> {
        self.listing(limit)?.dictionary()
    }

    /// A hyperplane that realises a pattern with the largest margin. `None` if the pattern has no
    /// open cell, or one too narrow for weights in double precision.
    ///
    /// # Panics
    /// When the pattern has a different number of samples.
    pub fn witness(&self, pattern: &Pattern) -> Option<Hyperplane> {
        assert_eq!(pattern.samples(), self.features().rows(), "one answer for each row");
        let columns = independent_columns(self);
        let lattices = Lattices::new(&columns, self.features().rows());
        Witnesses::new(*self, &columns, &lattices).open(pattern.words())
    }
}

/// A listing of all of `H(X)`, before it starts.
#[derive(Clone, Copy)]
pub struct Listing<'a> {
    arrangement: Arrangement<'a>,
    size: Size,
    stop: &'a AtomicBool,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Listing<'a> {
    /// Stops soon after `stop` becomes true.
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop, ..self }
    }

    /// Calls `progress` from time to time with the number of patterns found so far.
    pub fn reporting(self, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The size of the arrangement, with an upper bound on its patterns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Counts the patterns. With a bias, it does so without storing any.
    ///
    /// # Errors
    /// When interrupted.
    pub fn count(&self) -> Result<u64, Error> {
        let mut count = 0;
        if !self.arrangement.has_bias() {
            let _ = self.for_each(|_| {
                count += 1;
                ControlFlow::Continue(())
            })?;
            return Ok(count);
        }
        let columns = independent_columns(&self.arrangement);
        let lattices = Lattices::new(&columns, self.size.rows);
        let cells = Cells::within(&[], &lattices, self.stop)?;
        if cells.origin().is_some() {
            return Ok(1);
        }
        for tasks in cells.tasks().chunks(window()) {
            count += tasks
                .par_iter()
                .map(|task| {
                    let mut sink = Count::default();
                    self.go_on().map(|()| cells.run(task, &mut sink))?;
                    Ok(2 * sink.0)
                })
                .sum::<Result<u64, Stopped>>()?;
            (self.progress)(count);
        }
        Ok(count)
    }

    /// Calls `visit` with the words of every pattern, until it breaks.
    ///
    /// # Errors
    /// When interrupted.
    pub fn for_each(
        &self,
        mut visit: impl FnMut(&[u64]) -> ControlFlow<()> + Send,
    ) -> Result<ControlFlow<()>, Error> {
        let columns = independent_columns(&self.arrangement);
        let lattices = Lattices::new(&columns, self.size.rows);
        let witnesses = Witnesses::new(self.arrangement, &columns, &lattices);
        Ok(self.run(&witnesses, &lattices, |words, _| visit(words))?)
    }

    /// All patterns as the columns of a matrix.
    ///
    /// # Errors
    /// When interrupted.
    pub fn patterns(&self) -> Result<PatternMatrix, Error> {
        let mut patterns = PatternMatrix::new(self.size.rows);
        let _ = self.for_each(|words| {
            patterns.push_words(words);
            ControlFlow::Continue(())
        })?;
        Ok(patterns)
    }

    /// All patterns, each with a hyperplane that realises it. If the cell is open, the hyperplane
    /// has the largest margin.
    ///
    /// # Errors
    /// When interrupted, or when a cell is too narrow for weights in double precision.
    pub fn dictionary(&self) -> Result<Dictionary, Error> {
        let (dictionary, narrow) = self.realised()?;
        if narrow.patterns() > 0 {
            return Err(Error::NarrowCells { patterns: narrow.patterns() });
        }
        Ok(dictionary)
    }

    /// The patterns that weights in double precision realise, with such weights, and the other
    /// patterns. The cells of the latter are narrower than the spacing of doubles, as happens with
    /// decimal fractions that only look like a grid.
    ///
    /// # Errors
    /// When interrupted.
    pub fn realised(&self) -> Result<(Dictionary, PatternMatrix), Error> {
        let columns = independent_columns(&self.arrangement);
        let lattices = Lattices::new(&columns, self.size.rows);
        let witnesses = Witnesses::new(self.arrangement, &columns, &lattices);
        let mut patterns = PatternMatrix::new(self.size.rows);
        // Where each flat's patterns begin.
        let mut starts: Vec<(usize, Vec<u32>)> = Vec::new();
        let _ = self.run(&witnesses, &lattices, |words, flat| {
            if starts.last().is_none_or(|(_, last)| last != flat) {
                starts.push((patterns.patterns(), flat.to_vec()));
            }
            patterns.push_words(words);
            ControlFlow::Continue(())
        })?;
        let planes: Vec<Option<Hyperplane>> = (0..patterns.patterns())
            .into_par_iter()
            .map(|j| {
                self.go_on()?;
                let (_, flat) = &starts[starts.partition_point(|(start, _)| *start <= j) - 1];
                let words = patterns.column(j);
                Ok(if flat.is_empty() && self.size.rank > 0 {
                    witnesses.open(words)
                } else {
                    witnesses.on_flat(words, flat)
                })
            })
            .collect::<Result<_, Stopped>>()?;
        if planes.iter().all(Option::is_some) {
            let witnesses = planes.into_iter().flatten().collect();
            return Ok((Dictionary { patterns, witnesses }, PatternMatrix::new(self.size.rows)));
        }
        let (kept, narrow): (Vec<usize>, Vec<usize>) =
            (0..planes.len()).partition(|&j| planes[j].is_some());
        let witnesses = planes.into_iter().flatten().collect();
        let dictionary = Dictionary { patterns: patterns.select(&kept), witnesses };
        Ok((dictionary, patterns.select(&narrow)))
    }

    /// Calls `visit` with the words of every pattern and the first rows that cut out its flat.
    fn run(
        &self,
        witnesses: &Witnesses<'_, '_>,
        lattices: &Lattices<'_>,
        mut visit: impl FnMut(&[u64], &[u32]) -> ControlFlow<()> + Send,
    ) -> Result<ControlFlow<()>, Stopped> {
        let open = self.arrangement.has_bias() || witnesses.all_positive();
        let flats = if open { Vec::new() } else { flats(lattices, self.stop)? };
        let mut found: HashMap<&[u64], bool> =
            flats.iter().map(|flat| (flat.probe.as_slice(), false)).collect();
        let mut count = 0;
        let every = Flat { rows: Vec::new(), probe: Vec::new() };
        for flat in std::iter::once(&every).chain(&flats) {
            if found.get(flat.probe.as_slice()).is_some_and(|found| *found) {
                continue;
            }
            let cells = Cells::within(&flat.rows, lattices, self.stop)?;
            let flow = self.stream(&cells, &mut count, |words| {
                if let Some(found) = found.get_mut(words) {
                    *found = true;
                }
                visit(words, &flat.rows)
            })?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the cells in order. The next cells are searched meanwhile.
    fn stream(
        &self,
        cells: &Cells<'_>,
        count: &mut u64,
        mut visit: impl FnMut(&[u64]) -> ControlFlow<()> + Send,
    ) -> Result<ControlFlow<()>, Stopped> {
        if let Some(origin) = cells.origin() {
            *count += 1;
            return Ok(visit(origin));
        }
        let tasks = cells.tasks();
        let look = |tasks: &[Task]| -> Vec<Vec<u64>> {
            let run = |task| {
                let mut sink = Bits::default();
                if self.go_on().is_ok() {
                    cells.run(task, &mut sink);
                }
                sink.0
            };
            tasks.par_iter().map(run).collect()
        };
        let mut opposite = vec![0; cells.words()];
        let mut windows = tasks.chunks(window());
        let mut ready = windows.next().map(look);
        while let Some(parts) = ready {
            let mut pass = || {
                for words in parts.iter().flat_map(|part| part.chunks(cells.words())) {
                    cells.opposite(words, &mut opposite);
                    *count += 2;
                    visit(words)?;
                    visit(&opposite)?;
                }
                ControlFlow::Continue(())
            };
            let (next, flow) = rayon::join(|| windows.next().map(look), &mut pass);
            if flow.is_break() {
                return Ok(flow);
            }
            self.go_on()?;
            (self.progress)(*count);
            ready = next;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn go_on(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Self {
        Self::Interrupted
    }
}

fn window() -> usize {
    4 * rayon::current_num_threads()
}
