//! Bar charts: one row for each item, a bar from zero to its value, and a mark beyond it.

use crate::axis::{round_above, tick};
use crate::rows::RowChart;
use crate::{BLUE, Figure, VERMILLION};

/// Pixels between two rows.
const ROW: f64 = 26.0;
const BAR: f64 = 14.0;
const RADIUS: f64 = 4.0;

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
    let legend = [(names.0, 24.0), (names.1, 2.0 * RADIUS)];
    let mut chart = RowChart::new(title, label, &legend, rows.len(), ROW);
    let fraction = |value: f64| (100.0 * value / last).clamp(0.0, 1.0);
    let (x, y) = chart.entry(names.0, 24.0);
    chart.canvas.rectangle((x, y - 5.0), (24.0, BAR - 4.0), BLUE);
    let (x, y) = chart.entry(names.1, 2.0 * RADIUS);
    chart.canvas.dot((x + RADIUS, y), RADIUS, VERMILLION, "white");
    for k in 0..=ticks {
        let value = step * k as f64;
        chart.tick(fraction(value / 100.0), &format!("{} %", tick(value)));
    }
    for (k, row) in rows.iter().enumerate() {
        let y = chart.name(k, &row.name);
        let (start, end) = (chart.place(0.0), chart.place(fraction(row.value)));
        chart.canvas.rectangle((start, y - BAR / 2.0), ((end - start).max(1.0), BAR), BLUE);
        if row.mark.is_finite() {
            let x = chart.place(fraction(row.mark));
            chart.canvas.dot((x, y), RADIUS, VERMILLION, "white");
        }
    }
    chart.finish()
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
