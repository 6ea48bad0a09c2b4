//! Bar charts: one row for each item, a bar from zero to its value, and a mark beyond it.

use crate::{BLUE, Canvas, Figure, VERMILLION, round_above, shorten, tick};

/// Pixels between two rows.
const ROW: f64 = 26.0;
/// The height of a bar.
const BAR: f64 = 14.0;
/// The position of the first row.
const TOP: f64 = 84.0;
/// The space for the names of rows.
const NAMES: f64 = 190.0;
/// The length of the axis.
const LENGTH: f64 = 560.0;
/// The most letters of a name.
const LETTERS: usize = 24;
const GRID: &str = "#e2e2e2";

/// One row: its name, the end of its bar, and a mark. Values are fractions and not negative.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Where the bar ends.
    pub value: f64,
    /// Where the mark is.
    pub mark: f64,
}

/// A bar chart in per cent with a title; `names` say what bars and marks are.
pub fn bar_chart(title: &str, label: &str, names: (&str, &str), rows: &[Bar]) -> Figure {
    let ends = rows.iter().flat_map(|row| [row.value, row.mark]).filter(|v| v.is_finite());
    let step = round_above((100.0 * ends.fold(0.0, f64::max) / 6.0).max(1e-6));
    let most = 100.0 * rows.iter().map(|row| row.value.max(row.mark)).fold(0.0, f64::max);
    let ticks = ((most / step).ceil() as usize).max(1);
    let last = step * ticks as f64;
    let bottom = TOP + ROW * rows.len().max(1) as f64;
    let mut canvas = Canvas::new(NAMES + LENGTH + 40.0, bottom + 48.0);
    let place = |fraction: f64| NAMES + LENGTH * (100.0 * fraction / last).clamp(0.0, 1.0);
    canvas.text((NAMES + LENGTH / 2.0, 24.0), title, 16, 0.0);
    canvas.rectangle((NAMES, 42.0), (24.0, BAR - 4.0), BLUE);
    canvas.text((NAMES + 30.0, 52.0), names.0, 12, 1.0);
    let x = NAMES + 60.0 + 7.0 * names.0.chars().count() as f64;
    canvas.dot((x, 47.0), 4.0, VERMILLION, "white");
    canvas.text((x + 10.0, 52.0), names.1, 12, 1.0);
    for k in 0..=ticks {
        let value = step * k as f64;
        let x = place(value / 100.0);
        canvas.line(&[(x, TOP - 16.0), (x, bottom - 8.0)], GRID, 0.8, false);
        canvas.text((x, bottom + 10.0), &format!("{} %", tick(value)), 11, 0.0);
    }
    canvas.text((NAMES + LENGTH / 2.0, bottom + 34.0), label, 13, 0.0);
    for (k, row) in rows.iter().enumerate() {
        let y = TOP + ROW * k as f64;
        canvas.text((NAMES - 10.0, y + 4.5), &shorten(&row.name, LETTERS), 12, -1.0);
        let width = place(row.value) - NAMES;
        canvas.rectangle((NAMES, y - BAR / 2.0), (width.max(1.0), BAR), BLUE);
        if row.mark.is_finite() {
            canvas.dot((place(row.mark), y), 4.0, VERMILLION, "white");
        }
    }
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values_and_may_be_none() {
        let bar = |name: &str, value: f64| Bar { name: name.into(), value, mark: value };
        let rows = [bar("a & b", 0.12), bar("c", 0.06), bar("d", 0.0)];
        let svg = bar_chart("t", "l", ("bars", "marks"), &rows).svg();
        assert!(svg.contains("a &amp; b") && svg.contains("12 %"), "{svg}");
        for rows in [vec![], vec![bar("a", 0.0)]] {
            assert!(bar_chart("t", "l", ("bars", "marks"), &rows).svg().starts_with("<svg"));
        }
    }
}
