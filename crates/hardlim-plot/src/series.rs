//! A line of a panel, and how it is drawn.

use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::plots::Plot;
use kuva::render::render::Primitive;

use crate::{Axis, literal};

/// A dash and the gap after it, in pixels.
const DASH: [f64; 2] = [7.0, 5.0];
/// Lines of at most this many points also show the points.
const DOTS: usize = 12;

/// A line.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name in the legend, if it needs one.
    pub name: Option<String>,
    /// Its points; those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Its colour.
    pub color: &'static str,
    /// Its stroke.
    pub stroke: Stroke,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// A solid line.
    Solid,
    /// A dashed line.
    Dashed,
    /// A thin line, for many lines in one panel.
    Thin,
    /// Points without a line.
    Dots,
}

impl Series {
    /// A line without a name.
    pub fn new(points: Vec<(f64, f64)>, color: &'static str, stroke: Stroke) -> Self {
        Self { name: None, points, color, stroke }
    }

    /// The same line, with a name in the legend.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    pub(crate) fn draw(self, x: &Axis, y: &Axis) -> Vec<Plot> {
        let points: Vec<(f64, f64)> = (self.points.into_iter())
            .filter(|&(a, b)| x.scale.shows(a) && y.scale.shows(b))
            .collect();
        let mut plots = Vec::new();
        if self.stroke == Stroke::Dots {
            let mut dots = ScatterPlot::new().with_data(points);
            if let Some(name) = self.name {
                dots = dots.with_legend(literal(&name));
            }
            plots.push(dots.with_color(self.color).with_size(5.0).into());
            return plots;
        }
        if points.len() <= DOTS && self.stroke != Stroke::Thin {
            let dots = ScatterPlot::new().with_data(points.clone());
            plots.push(dots.with_color(self.color).with_size(3.0).into());
        }
        let mut line = LinePlot::new().with_data(points).with_color(self.color);
        line = line.with_stroke_width(if self.stroke == Stroke::Thin { 1.1 } else { 2.0 });
        if self.stroke == Stroke::Dashed {
            line = line.with_dashed();
        }
        if let Some(name) = self.name {
            line = line.with_legend(literal(&name));
        }
        plots.push(line.into());
        plots
    }
}

/// Cuts a dashed line into its dashes, which continue around its corners. In a PNG they would
/// otherwise start again at every point.
pub(crate) fn dashes(element: Primitive) -> Vec<Primitive> {
    let (points, stroke, stroke_width) = match element {
        Primitive::PolyLine { points, stroke, stroke_width, stroke_dasharray: Some(_) } => {
            (points, stroke, stroke_width)
        }
        other => return vec![other],
    };
    let Some(&first) = points.first() else { return Vec::new() };
    let (mut pieces, mut piece) = (Vec::new(), vec![first]);
    let mut left = DASH[0];
    for pair in points.windows(2) {
        let ((x, y), (dx, dy)) = (pair[0], (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        let length = dx.hypot(dy);
        let mut walked = 0.0;
        while length - walked > left {
            walked += left;
            let here = (x + dx * walked / length, y + dy * walked / length);
            piece.push(here);
            pieces.push(std::mem::replace(&mut piece, vec![here]));
            left = DASH[pieces.len() % 2];
        }
        left -= length - walked;
        piece.push(pair[1]);
    }
    pieces.push(piece);
    // Every second piece is a gap.
    (pieces.into_iter().step_by(2))
        .map(|points| Primitive::PolyLine {
            points,
            stroke: stroke.clone(),
            stroke_width,
            stroke_dasharray: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BLUE;

    #[test]
    fn dashes_run_on_around_corners() {
        let corner = Primitive::PolyLine {
            points: vec![(0.0, 0.0), (5.0, 0.0), (5.0, 20.0)],
            stroke: BLUE.into(),
            stroke_width: 1.0,
            stroke_dasharray: Some("1 1".into()),
        };
        let pieces: Vec<_> = dashes(corner)
            .into_iter()
            .map(|piece| match piece {
                Primitive::PolyLine { points, stroke_dasharray: None, .. } => points,
                _ => panic!("a solid line"),
            })
            .collect();
        let expected = [
            vec![(0.0, 0.0), (5.0, 0.0), (5.0, 2.0)],
            vec![(5.0, 7.0), (5.0, 14.0)],
            vec![(5.0, 19.0), (5.0, 20.0)],
        ];
        assert_eq!(pieces, expected);
    }
}
