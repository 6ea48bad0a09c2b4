//! All patterns of a table: how many there can be, how many there are, their list and their hull.

mod file;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

pub use file::PatternFile;
use hardlim::Error;
use hardlim::arrangement::{Arrangement, Size};
use hardlim::pattern::PatternMatrix;
use hardlim_plot::{Figure, hull};

/// The patterns of one neuron; or of subnetworks of these widths below their last neuron.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The rows.
    pub arrangement: &'a Arrangement<'a>,
    /// The widths of the layers below the last neuron; none for one neuron.
    pub widths: &'a [usize],
    /// Whether neurons share no neuron of the layer below.
    pub tree: bool,
    /// The most patterns, or sets of neurons in a layer.
    pub limit: u128,
}

/// What is known before any pattern is.
#[derive(Debug, Clone, Copy)]
pub struct Estimate {
    /// The patterns of one neuron.
    pub size: Size,
    /// There are at most this many patterns; the largest number stands for more.
    pub bound: u128,
    /// The memory that as many patterns take.
    pub bytes: u128,
}

/// The patterns that there are.
#[derive(Debug)]
pub struct Listed {
    /// Their number; `None` for every dichotomy, if that number is too large.
    pub patterns: Option<u128>,
    /// The list, if it is short.
    pub list: Option<PatternMatrix>,
}

impl Question<'_> {
    /// How many patterns there can be.
    pub fn estimate(&self) -> Estimate {
        let size = self.arrangement.size();
        if self.widths.is_empty() {
            return Estimate { size, bound: size.bound, bytes: size.bytes };
        }
        let bound = self.arrangement.deep_bound(self.widths, self.tree);
        let each = PatternMatrix::bytes_per_pattern(size.rows) as u128;
        Estimate { size, bound, bytes: bound.saturating_mul(each) }
    }

    /// Counts the patterns, and writes them to a file. They are kept if there are at most `shown`.
    /// `tell` gets the number so far.
    ///
    /// # Errors
    /// When there are too many, `stop` is set, or the file cannot be written.
    pub fn list(
        &self,
        shown: u128,
        mut file: Option<&mut PatternFile<'_>>,
        stop: &AtomicBool,
        tell: &(dyn Fn(u64) + Sync),
    ) -> Result<Listed, Error> {
        let Self { arrangement, widths, tree, limit } = *self;
        if !widths.is_empty() {
            let list = arrangement.deep_until(widths, tree, limit, stop)?.patterns;
            for j in 0..list.patterns() {
                file.iter_mut().try_for_each(|file| file.add(list.column(j)))?;
            }
            return Ok(Listed { patterns: Some(list.patterns() as u128), list: Some(list) });
        }
        let listing = arrangement.listing(limit)?.until(stop).reporting(tell);
        let size = arrangement.size();
        let mut list = (size.bound <= shown).then(|| PatternMatrix::new(size.rows));
        if file.is_none() && list.is_none() {
            return Ok(Listed { patterns: Some(listing.count()?.into()), list });
        }
        let (mut patterns, mut failed) = (0, Ok(()));
        let _ = listing.for_each(|words| {
            patterns += 1;
            list.iter_mut().for_each(|list| list.push_words(words));
            failed = file.iter_mut().try_for_each(|file| file.add(words));
            if failed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        failed.map(|()| Listed { patterns: Some(patterns), list })
    }

    /// The hulls of the patterns of one neuron, and beside it of the subnetworks, or of those of
    /// width 2; for two or three distinct rows.
    ///
    /// # Errors
    /// When there are too many patterns.
    pub fn hull(&self) -> Result<Option<Figure>, Error> {
        let Self { arrangement, tree, limit, .. } = *self;
        let widths = if self.widths.is_empty() { &[2] } else { self.widths };
        let shallow = arrangement.listing(limit)?.patterns()?;
        let deep = arrangement.deep(widths, tree, limit)?.patterns;
        let list: Vec<String> = widths.iter().map(ToString::to_string).collect();
        let left = format!("2 layers: {} patterns", shallow.patterns());
        let right = format!(
            "{} layers, width{} {}{}: {} patterns",
            widths.len() + 2,
            if widths.len() == 1 { "" } else { "s" },
            list.join(", "),
            if tree { ", trees" } else { "" },
            deep.patterns()
        );
        Ok(hull::figure(&[(&shallow, left), (&deep, right)]))
    }
}
