//! What bar charts and dot charts have in common: a title, a legend above, rows with a name each,
//! and an axis below.

use crate::{Canvas, Figure, shorten};

/// The position of the first row, below a legend of one line.
const TOP: f64 = 88.0;
/// Pixels between two lines of the legend.
const LINE: f64 = 20.0;
/// The space for the names of rows.
const NAMES: f64 = 200.0;
const LENGTH: f64 = 560.0;
const LETTERS: usize = 25;
const LETTER: f64 = 7.6;
/// The colour of the lines behind the values.
const GRID: &str = "#e2e2e2";

/// A chart of rows under construction.
pub(crate) struct RowChart {
    pub(crate) canvas: Canvas,
    /// Pixels between two rows.
    row: f64,
    /// The position of the first row.
    top: f64,
    bottom: f64,
    /// Where the next entry of the legend may begin.
    entry: (f64, f64),
}

impl RowChart {
    /// A chart with a title, a label below its axis, and a legend of names beside marks of these
    /// widths.
    pub(crate) fn new(
        title: &str,
        label: &str,
        legend: &[(&str, f64)],
        count: usize,
        row: f64,
    ) -> Self {
        let last = legend
            .iter()
            .fold((NAMES, 0.0), |at, &(name, mark)| after(begin(at, name, mark), name, mark));
        let top = TOP + last.1;
        let bottom = top + row * count.max(1) as f64;
        let mut canvas = Canvas::new(NAMES + LENGTH + 40.0, bottom + 52.0);
        canvas.text((NAMES + LENGTH / 2.0, 24.0), title, 17, 0.0);
        canvas.text((NAMES + LENGTH / 2.0, bottom + 38.0), label, 14, 0.0);
        Self { canvas, row, top, bottom, entry: (NAMES, 0.0) }
    }

    /// Writes the next entry of the legend, and gives the place for its mark.
    pub(crate) fn entry(&mut self, name: &str, mark: f64) -> (f64, f64) {
        let (x, down) = begin(self.entry, name, mark);
        self.canvas.text((x + mark + 6.0, 54.0 + down), name, 13, 1.0);
        self.entry = after((x, down), name, mark);
        (x, 49.0 + down)
    }

    /// A line up from the axis, at this fraction of its length.
    pub(crate) fn tick(&mut self, fraction: f64, text: &str) {
        let x = self.place(fraction);
        self.canvas.line(&[(x, self.top - 16.0), (x, self.bottom - 8.0)], GRID, 0.8, false);
        self.canvas.text((x, self.bottom + 12.0), text, 12, 0.0);
    }

    /// Writes the name of row `k`, and gives its height.
    pub(crate) fn name(&mut self, k: usize, name: &str) -> f64 {
        let y = self.top + self.row * k as f64;
        self.canvas.text((NAMES - 10.0, y + 4.5), &shorten(name, LETTERS), 13, -1.0);
        y
    }

    /// A line behind a row, from the left to the right.
    pub(crate) fn rule(&mut self, y: f64) {
        self.canvas.line(&[(NAMES, y), (NAMES + LENGTH, y)], GRID, 0.8, false);
    }

    pub(crate) fn place(&self, fraction: f64) -> f64 {
        NAMES + LENGTH * fraction
    }

    pub(crate) fn finish(self) -> Figure {
        self.canvas.finish()
    }
}

/// Where an entry of the legend begins that may begin here: on the next line if it is too long.
fn begin((x, down): (f64, f64), name: &str, mark: f64) -> (f64, f64) {
    let end = after((x, down), name, mark).0 - 24.0;
    if x > NAMES && end > NAMES + LENGTH + 30.0 { (NAMES, down + LINE) } else { (x, down) }
}

/// Where the entry after this one may begin.
fn after((x, down): (f64, f64), name: &str, mark: f64) -> (f64, f64) {
    (x + mark + 30.0 + LETTER * name.chars().count() as f64, down)
}
