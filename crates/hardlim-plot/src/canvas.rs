//! Free drawings: shapes, lines and text at positions in pixels.

use std::fmt::Write as _;

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};

use crate::series::dashes;
use crate::{Figure, literal};

const INK: &str = "#222222";

/// A drawing under construction.
pub struct Canvas(Scene);

/// How a shape is filled.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    /// Red, green, blue.
    pub rgb: (u8, u8, u8),
    /// The opacity, from 0 (transparent) to 1.
    pub opacity: f64,
}

impl Canvas {
    /// An empty drawing of this size in pixels.
    pub fn new(width: f64, height: f64) -> Self {
        let font_family = Some("DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif".into());
        Self(Scene { font_family, ..Scene::new(width, height) })
    }

    pub(crate) fn over(scene: Scene) -> Self {
        Self(scene)
    }

    /// The finished drawing.
    pub fn finish(self) -> Figure {
        Figure(self.0)
    }

    /// A filled shape without an outline.
    pub fn polygon(&mut self, points: &[(f64, f64)], paint: Paint) {
        let mut d = String::new();
        for (k, (x, y)) in points.iter().enumerate() {
            let letter = if k == 0 { 'M' } else { 'L' };
            write!(d, "{letter}{x:.3},{y:.3} ").expect("writing to a string");
        }
        d += "Z";
        let (r, g, b) = paint.rgb;
        self.0.elements.push(Primitive::Path(Box::new(PathData {
            d,
            fill: Some(Color::Rgb(r, g, b)),
            stroke: Color::None,
            stroke_width: 0.0,
            opacity: Some(paint.opacity),
            stroke_dasharray: None,
        })));
    }

    /// A line through these points, dashed or solid.
    pub fn line(&mut self, points: &[(f64, f64)], color: &str, width: f64, dashed: bool) {
        let line = Primitive::PolyLine {
            points: points.to_vec(),
            stroke: color.into(),
            stroke_width: width,
            stroke_dasharray: dashed.then(|| String::from("7 5")),
        };
        self.0.elements.extend(dashes(line));
    }

    /// A line with an arrowhead at its end.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), color: &str) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let back =
            |side: f64| (to.0 - 9.0 * ux - side * 3.5 * uy, to.1 - 9.0 * uy + side * 3.5 * ux);
        self.line(&[from, to], color, 1.2, false);
        self.line(&[back(1.0), to, back(-1.0)], color, 1.2, false);
    }

    /// A disc with a rim.
    pub fn dot(&mut self, (cx, cy): (f64, f64), r: f64, fill: &str, rim: &str) {
        self.0.elements.push(Primitive::Circle {
            cx,
            cy,
            r,
            fill: fill.into(),
            fill_opacity: None,
            stroke: Some(rim.into()),
            stroke_width: Some(1.2),
        });
    }

    /// A square with a rim, for points that must differ from discs.
    pub fn square(&mut self, (x, y): (f64, f64), r: f64, fill: &str, rim: &str) {
        self.rimmed((x - r, y - r), (2.0 * r, 2.0 * r), fill, Some(rim));
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str) {
        self.rimmed(corner, size, fill, None);
    }

    fn rimmed(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        fill: &str,
        rim: Option<&str>,
    ) {
        let (fill, stroke, stroke_width) = (fill.into(), rim.map(Into::into), rim.map(|_| 1.2));
        let rect =
            Primitive::Rect { x, y, width, height, fill, stroke, stroke_width, opacity: None };
        self.0.elements.push(rect);
    }

    /// A text. It ends at this position if `side` is negative, and starts there if it is positive.
    pub fn text(&mut self, at: (f64, f64), words: &str, size: u32, side: f64) {
        self.text_in(at, words, size, side, INK);
    }

    /// The same in another colour.
    pub fn text_in(&mut self, (x, y): (f64, f64), words: &str, size: u32, side: f64, ink: &str) {
        self.0.elements.push(Primitive::Text {
            x,
            y,
            content: literal(words),
            size,
            anchor: match side {
                s if s < 0.0 => TextAnchor::End,
                s if s > 0.0 => TextAnchor::Start,
                _ => TextAnchor::Middle,
            },
            rotate: None,
            bold: false,
            color: Some(ink.into()),
        });
    }
}
