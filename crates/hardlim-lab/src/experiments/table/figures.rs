//! The table as a picture.

use hardlim_plot::{BLUE, CYCLE, DotRow, Figure, GREY, Mark, Scale, VERMILLION, dot_chart};

use super::outcome::Row;
use super::{Method, Reading};

/// A row for each set: printed numbers as squares, ours as discs.
pub(super) fn accuracy(title: &str, rows: &[Row<'_>]) -> Figure {
    let mark = |name: &str, color, square| Mark { name: name.into(), color, square };
    let marks = [
        mark("Convex-Lasso, printed", CYCLE[5], true),
        mark("best printed", GREY, true),
        mark("best heuristic", VERMILLION, false),
        mark("lasso", CYCLE[2], false),
        mark("lasso-n", CYCLE[4], false),
        mark("hardlim", BLUE, false),
    ];
    let rows: Vec<DotRow> = (rows.iter())
        .map(|row| {
            let heuristic = Method::HEURISTICS.iter().map(|h| row.accuracy(*h)).fold(0.0, f64::max);
            let values = [
                row.set.accuracy[0],
                row.best_printed(),
                heuristic,
                row.accuracy(Method::LASSO),
                row.accuracy(Method::Lasso(Reading::ALL[1])),
                row.accuracy(Method::Default),
            ];
            let values = values.into_iter().map(|v| Some(v).filter(|v| !v.is_nan())).collect();
            DotRow { name: row.set.name.into(), values, errors: Vec::new() }
        })
        .collect();
    dot_chart(title, "test accuracy", Scale::Percent, &marks, &rows)
}
