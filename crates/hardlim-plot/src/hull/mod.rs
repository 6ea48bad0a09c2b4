//! The paper's convex sets `Conv{±d_j}`, for patterns of two or three rows.

mod solid;

use std::collections::{BTreeMap, BTreeSet};

use hardlim::pattern::PatternMatrix;

use crate::{BLUE, Canvas, Figure, GREY, Paint};
use solid::{Point, Solid};

const PANEL: f64 = 430.0;
const MIDDLE: (f64, f64) = (PANEL / 2.0, PANEL / 2.0 + 26.0);
const UNIT: f64 = 122.0;
const AXIS: f64 = 1.5;
const FILL: (u8, u8, u8) = (0x56, 0xb4, 0xe9);
/// The colour of hidden lines.
const PALE: &str = "#9fb6c6";

/// The hulls of sets of patterns, side by side with their titles. `None` if there is no pattern, or
/// if the patterns do not have two or three rows.
pub fn figure(panels: &[(&PatternMatrix, String)]) -> Option<Figure> {
    let mut canvas = Canvas::new(panels.len() as f64 * PANEL, PANEL + 12.0);
    for (k, (patterns, title)) in panels.iter().enumerate() {
        let rows = patterns.samples();
        let view = View { rows, left: k as f64 * PANEL };
        canvas.text((view.left + MIDDLE.0, 20.0), title, 16, 0.0);
        view.draw(&mut canvas, &points(patterns).filter(|_| matches!(rows, 2 | 3))?);
    }
    Some(canvas.finish())
}

/// Every `±d` as a point, with the name of the pattern it comes from.
fn points(patterns: &PatternMatrix) -> Option<BTreeMap<Point, String>> {
    let mut points = BTreeMap::new();
    for pattern in (0..patterns.patterns()).map(|j| patterns.pattern(j)) {
        let mut point = [0; 3];
        pattern.iter().enumerate().for_each(|(i, on)| point[i] = i64::from(on));
        let name: String = pattern.iter().map(|on| if on { '1' } else { '0' }).collect();
        points.insert(point.map(|v| -v), format!("−{name}"));
        points.insert(point, name);
    }
    Some(points).filter(|points| !points.is_empty())
}

/// The point of view: above the plane, or from the side in three dimensions, with the third axis
/// up.
struct View {
    rows: usize,
    left: f64,
}

impl View {
    /// To the right, up, and towards the eye.
    fn frame(&self) -> [[f64; 3]; 3] {
        if self.rows == 2 {
            return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        }
        let (turn, rise) = (28f64.to_radians(), 20f64.to_radians());
        [
            [turn.cos(), turn.sin(), 0.0],
            [-turn.sin() * rise.sin(), turn.cos() * rise.sin(), rise.cos()],
            [turn.sin() * rise.cos(), -turn.cos() * rise.cos(), rise.sin()],
        ]
    }

    fn place(&self, point: [f64; 3]) -> (f64, f64) {
        let [right, up, _] = self.frame();
        let along = |axis: [f64; 3]| (0..3).map(|k| axis[k] * point[k]).sum::<f64>();
        (self.left + MIDDLE.0 + UNIT * along(right), MIDDLE.1 - UNIT * along(up))
    }

    fn faces_us(&self, normal: Point) -> bool {
        let eye = self.frame()[2];
        (0..3).map(|k| eye[k] * normal[k] as f64).sum::<f64>() > 0.0
    }

    fn draw(&self, canvas: &mut Canvas, points: &BTreeMap<Point, String>) {
        let all: Vec<Point> = points.keys().copied().collect();
        let Solid { corners, faces } = Solid::of(&all);
        let at = |k: usize| self.place(corners[k].map(|v| v as f64));
        let shape = |cycle: &[usize]| cycle.iter().map(|&k| at(k)).collect::<Vec<_>>();
        let (front, back): (Vec<_>, Vec<_>) =
            faces.iter().partition(|(_, normal)| self.faces_us(*normal));
        let mut seen = vec![faces.is_empty(); corners.len()];
        front.iter().flat_map(|(cycle, _)| cycle).for_each(|&k| seen[k] = true);

        for (cycle, _) in &back {
            canvas.polygon(&shape(cycle), Paint { rgb: FILL, opacity: 0.10 });
        }
        let visible = edges(&front);
        for (a, b) in edges(&back).difference(&visible) {
            canvas.line(&[at(*a), at(*b)], PALE, 1.0, true);
        }
        self.axes(canvas);
        for (cycle, normal) in &front {
            // Faces towards the viewer are lighter.
            let length = normal.iter().map(|v| (v * v) as f64).sum::<f64>().sqrt();
            let eye = self.frame()[2];
            let turned: f64 = (0..3).map(|k| eye[k] * normal[k] as f64).sum::<f64>() / length;
            let opacity = if self.rows == 2 { 0.25 } else { 0.38 - 0.22 * turned };
            canvas.polygon(&shape(cycle), Paint { rgb: FILL, opacity });
        }
        for (a, b) in visible {
            canvas.line(&[at(a), at(b)], BLUE, 1.8, false);
        }
        if faces.is_empty() && corners.len() == 2 {
            canvas.line(&[at(0), at(1)], BLUE, 1.8, false);
        }
        for (k, corner) in corners.iter().enumerate() {
            let (fill, ink) = if seen[k] { (BLUE, "#222222") } else { (PALE, GREY) };
            canvas.dot(at(k), 3.6, fill, "white");
            self.label(canvas, at(k), *corner, &points[corner], ink);
        }
        for (point, _) in points.iter().filter(|(point, _)| !corners.contains(point)) {
            canvas.dot(self.place(point.map(|v| v as f64)), 2.6, "white", GREY);
        }
    }

    /// Draws the name of a corner outside the hull; beside the axis if the corner lies on one.
    fn label(&self, canvas: &mut Canvas, (x, y): (f64, f64), corner: Point, name: &str, ink: &str) {
        let (mut dx, mut dy) = (x - self.left - MIDDLE.0, y - MIDDLE.1);
        if corner.iter().filter(|v| **v != 0).count() == 1 {
            let sign = corner.iter().sum::<i64>() as f64;
            (dx, dy) =
                if dx.abs() > dy.abs() { (0.3 * dx, sign * dx.abs()) } else { (dy, 0.3 * dy) };
        }
        let length = dx.hypot(dy).max(1.0);
        let place = (x + 14.0 * dx / length, y + 14.0 * dy / length + 4.5);
        let side = if dx.abs() < 0.35 * length { 0.0 } else { dx };
        // A background keeps a label readable on top of a line.
        let width = 7.4 * name.chars().count() as f64;
        let from = place.0 - width * (0.5 - 0.5 * if side == 0.0 { 0.0 } else { side.signum() });
        let (left, right, top, bottom) =
            (from - 1.5, from + width + 1.5, place.1 - 11.0, place.1 + 2.5);
        let halo = [(left, top), (right, top), (right, bottom), (left, bottom)];
        canvas.polygon(&halo, Paint { rgb: (255, 255, 255), opacity: 0.7 });
        canvas.text_in(place, name, 12, side, ink);
    }

    fn axes(&self, canvas: &mut Canvas) {
        for k in 0..self.rows {
            let unit = |size: f64| {
                let mut point = [0.0; 3];
                point[k] = size;
                self.place(point)
            };
            canvas.arrow(unit(-AXIS), unit(AXIS), GREY);
            let (x, y) = unit(AXIS + 0.17);
            canvas.text((x, y + 5.0), &format!("u{}", k + 1), 14, 0.0);
        }
    }
}

/// The edges of faces, each once.
fn edges(faces: &[&(Vec<usize>, Point)]) -> BTreeSet<(usize, usize)> {
    let of_face = |cycle: &Vec<usize>| {
        let pairs = cycle.iter().zip(cycle.iter().cycle().skip(1));
        pairs.map(|(&a, &b)| (a.min(b), a.max(b))).collect::<Vec<_>>()
    };
    faces.iter().flat_map(|(cycle, _)| of_face(cycle)).collect()
}
