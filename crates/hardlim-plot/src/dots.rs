//! Dot charts: one row for each item, one mark for each value.

use crate::axis::{round_above, tick};
use crate::rows::RowChart;
use crate::{Canvas, Figure, Scale};

/// Pixels between two rows, at least.
const ROW: f64 = 28.0;
/// Pixels between the heights of two marks in a row, at most: equal values are then seen side by
/// side.
const SPREAD: f64 = 6.0;
const RADIUS: f64 = 5.0;

/// A kind of mark, with its own colour.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: &'static str,
    /// Whether it is a square; otherwise it is a disc.
    pub square: bool,
}

/// One row: its name, and a value or `None` for each mark.
#[derive(Debug, Clone)]
pub struct DotRow {
    /// Its name.
    pub name: String,
    /// One for each mark.
    pub values: Vec<Option<f64>>,
    /// How far a value is uncertain in both directions, for the first marks or none.
    pub errors: Vec<Option<f64>>,
}

impl DotRow {
    fn error(&self, k: usize) -> Option<f64> {
        self.errors.get(k).copied().flatten().filter(|error| error.is_finite())
    }

    /// The values, and the ends of their bars.
    fn ends(&self) -> Vec<f64> {
        let of = |(k, value): (usize, &Option<f64>)| {
            let (value, error) = ((*value)?, self.error(k).unwrap_or(0.0));
            Some([value - error, value + error])
        };
        self.values.iter().enumerate().filter_map(of).flatten().collect()
    }
}

/// A dot chart: rows of marks above an axis, with a title. An axis in per cent ends at 100.
pub fn dot_chart(
    title: &str,
    label: &str,
    scale: Scale,
    marks: &[Mark],
    rows: &[DotRow],
) -> Figure {
    let values = || rows.iter().flat_map(DotRow::ends);
    let values = || values().filter(|v| v.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::MIN, f64::max));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    let step = round_above(((high - low) / 6.0).max(1e-9));
    let first = (low / step).floor() * step;
    let most = if scale == Scale::Percent { 1.0 } else { f64::INFINITY };
    let last = ((high / step).ceil() * step).min(most).max(first + step);
    let legend: Vec<_> = marks.iter().map(|mark| (mark.name.as_str(), 2.0 * RADIUS)).collect();
    let height = row_height(marks.len());
    let mut chart = RowChart::new(title, label, &legend, rows.len(), height);
    let fraction = |v: f64| (v - first) / (last - first);
    for mark in marks {
        let (x, y) = chart.entry(&mark.name, 2.0 * RADIUS);
        draw(&mut chart.canvas, (x + RADIUS, y), mark);
    }
    let ticks = ((last - first) / step).round() as usize;
    for k in 0..=ticks {
        let value = first + step * k as f64;
        let text = match scale {
            Scale::Percent => format!("{} %", tick(100.0 * value)),
            _ => tick(value),
        };
        chart.tick(fraction(value), &text);
    }
    for (k, row) in rows.iter().enumerate() {
        let y = chart.name(k, &row.name);
        chart.rule(y);
        // Equal values are drawn below each other.
        let spread = ((height - 2.0 * RADIUS) / marks.len().max(1) as f64).min(SPREAD);
        for (k, (mark, value)) in marks.iter().zip(&row.values).enumerate() {
            if let Some(value) = value.filter(|v| v.is_finite()) {
                let down = spread * (k as f64 - 0.5 * (marks.len() - 1) as f64);
                let x = chart.place(fraction(value));
                if let Some(error) = row.error(k) {
                    let end = |v: f64| (chart.place(fraction(v.clamp(first, last))), y + down);
                    let bar = [end(value - error), end(value + error)];
                    chart.canvas.line(&bar, mark.color, 2.0, false);
                }
                draw(&mut chart.canvas, (x, y + down), mark);
            }
        }
    }
    chart.finish()
}

fn row_height(marks: usize) -> f64 {
    ROW.max(2.0 * RADIUS + SPREAD * marks as f64)
}

fn draw(canvas: &mut Canvas, at: (f64, f64), mark: &Mark) {
    if mark.square {
        canvas.square(at, RADIUS - 1.0, mark.color, "white")
    } else {
        canvas.dot(at, RADIUS, mark.color, "white")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BLUE;

    #[test]
    fn rows_without_values_are_drawn_all_the_same() {
        let marks = [Mark { name: "$a".into(), color: BLUE, square: true }];
        for values in [vec![], vec![None], vec![Some(f64::NAN)], vec![Some(0.5)]] {
            let errors = vec![Some(0.1)];
            let rows = [DotRow { name: "x & y".into(), values, errors }];
            let svg = dot_chart("t", "l", Scale::Percent, &marks, &rows).svg();
            assert!(svg.starts_with("<svg") && svg.contains("x &amp; y"));
        }
    }

    #[test]
    fn a_long_legend_goes_on_in_the_next_line() {
        let mark = |k: usize| Mark { name: format!("a long name {k}"), color: BLUE, square: true };
        let height = |count: usize| {
            let marks: Vec<Mark> = (0..count).map(mark).collect();
            let svg = dot_chart("t", "l", Scale::Percent, &marks, &[]).svg();
            let of = svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
            of.unwrap().parse::<f64>().unwrap() - row_height(count)
        };
        assert_eq!(height(4), height(1));
        assert!(height(6) > height(4));
    }
}
