//! Dot charts: one row for each item, one mark for each value.

use crate::{Canvas, Figure, Scale, round_above, tick};

/// Pixels between two rows.
const ROW: f64 = 28.0;
/// The position of the first row.
const TOP: f64 = 84.0;
/// The space for the names of rows.
const NAMES: f64 = 190.0;
/// The length of the axis.
const LENGTH: f64 = 560.0;
/// The size of a mark.
const RADIUS: f64 = 5.0;
const GRID: &str = "#e2e2e2";

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
}

/// A dot chart: rows of marks above an axis, with a title. An axis in per cent ends at 100.
pub fn dot_chart(
    title: &str,
    label: &str,
    scale: Scale,
    marks: &[Mark],
    rows: &[DotRow],
) -> Figure {
    let values = || rows.iter().flat_map(|row| row.values.iter().flatten().copied());
    let values = || values().filter(|v| v.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::MIN, f64::max));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    let step = round_above(((high - low) / 6.0).max(1e-9));
    let first = (low / step).floor() * step;
    let most = if scale == Scale::Percent { 1.0 } else { f64::INFINITY };
    let last = ((high / step).ceil() * step).min(most).max(first + step);
    let bottom = TOP + ROW * rows.len().max(1) as f64;
    let mut canvas = Canvas::new(NAMES + LENGTH + 40.0, bottom + 48.0);
    let place = |v: f64| NAMES + LENGTH * (v - first) / (last - first);

    canvas.text((NAMES + LENGTH / 2.0, 24.0), title, 16, 0.0);
    let mut x = NAMES;
    for mark in marks {
        draw(&mut canvas, (x, 48.0), mark);
        canvas.text((x + 10.0, 52.5), &mark.name, 12, 1.0);
        x += 30.0 + 7.0 * mark.name.chars().count() as f64;
    }
    let ticks = ((last - first) / step).round() as usize;
    for k in 0..=ticks {
        let value = first + step * k as f64;
        let x = place(value);
        canvas.line(&[(x, TOP - 14.0), (x, bottom - 8.0)], GRID, 0.8, false);
        let text = match scale {
            Scale::Percent => format!("{} %", tick(100.0 * value)),
            _ => tick(value),
        };
        canvas.text((x, bottom + 10.0), &text, 11, 0.0);
    }
    canvas.text((NAMES + LENGTH / 2.0, bottom + 34.0), label, 13, 0.0);
    for (k, row) in rows.iter().enumerate() {
        let y = TOP + ROW * k as f64;
        canvas.line(&[(NAMES, y), (NAMES + LENGTH, y)], GRID, 0.8, false);
        canvas.text((NAMES - 10.0, y + 4.5), &row.name, 12, -1.0);
        // Equal values are drawn below each other.
        let spread = ((ROW - 2.0 * RADIUS) / marks.len().max(1) as f64).min(4.0);
        for (k, (mark, value)) in marks.iter().zip(&row.values).enumerate() {
            if let Some(value) = value.filter(|v| v.is_finite()) {
                let down = spread * (k as f64 - 0.5 * (marks.len() - 1) as f64);
                draw(&mut canvas, (place(value), y + down), mark);
            }
        }
    }
    canvas.finish()
}

fn draw(canvas: &mut Canvas, at: (f64, f64), mark: &Mark) {
    match mark.square {
        true => canvas.square(at, RADIUS - 1.0, mark.color, "white"),
        false => canvas.dot(at, RADIUS, mark.color, "white"),
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
            let rows = [DotRow { name: "x & y".into(), values }];
            let svg = dot_chart("t", "l", Scale::Percent, &marks, &rows).svg();
            assert!(svg.starts_with("<svg") && svg.contains("x &amp; y"));
        }
    }
}
