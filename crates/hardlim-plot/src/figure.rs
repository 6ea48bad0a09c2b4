//! A finished drawing, and the legend below it.

use std::io;

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;

use crate::{Canvas, Stroke};

/// Pixels of a PNG per pixel of the drawing.
const PNG_SCALE: f32 = 2.0;
/// The width of a name below a figure, without its letters.
const NAME: f64 = 54.0;
const LETTER: f64 = 7.8;
/// The distance from one row of names to the next.
const NAME_ROW: f64 = 22.0;

/// A finished drawing.
pub struct Figure(pub(crate) Scene);

impl Figure {
    /// The figure as SVG.
    pub fn svg(&self) -> String {
        numbered(&SvgBackend::new().render_scene(&self.0))
    }

    /// The figure as the bytes of a PNG.
    ///
    /// # Errors
    /// When the figure is too large to be drawn.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let drawn = PngBackend::new().with_scale(PNG_SCALE).render_scene(&self.0);
        drawn.map_err(|error| io::Error::other(format!("it cannot be drawn: {error}")))
    }

    /// The figure with a common legend below it.
    pub fn with_names(self, names: &[(&str, &'static str, Stroke)]) -> Self {
        let Self(mut scene) = self;
        let width = |name: &str| NAME + LETTER * name.chars().count() as f64;
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        let mut x = 0.0;
        for (k, (name, ..)) in names.iter().enumerate() {
            if x + width(name) > scene.width - 2.0 * NAME && x > 0.0 {
                rows.push(Vec::new());
                x = 0.0;
            }
            rows.last_mut().expect("never empty").push(k);
            x += width(name);
        }
        let top = scene.height + 4.0;
        scene.height = top + NAME_ROW * rows.len() as f64 + 8.0;
        let total = scene.width;
        let mut canvas = Canvas::over(scene);
        for (r, row) in rows.iter().enumerate() {
            let y = top + NAME_ROW * r as f64;
            let used: f64 = row.iter().map(|&k| width(names[k].0)).sum();
            let mut x = 0.5 * (total - used);
            for &k in row {
                let (name, color, stroke) = names[k];
                match stroke {
                    Stroke::Dots => canvas.dot((x + 12.0, y), 5.0, color, color),
                    _ => {
                        canvas.line(&[(x, y), (x + 24.0, y)], color, 2.0, stroke == Stroke::Dashed);
                    }
                }
                canvas.text((x + 30.0, y + 4.5), name, 13, 1.0);
                x += width(name);
            }
        }
        canvas.finish()
    }
}

impl std::fmt::Debug for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Figure({} elements)", self.0.elements.len())
    }
}

/// The drawing with clip paths numbered from one: the library counts those of all drawings that
/// were made before, on any thread.
fn numbered(drawing: &str) -> String {
    const NAME: &str = "kuva-clip-";
    let mut parts = drawing.split(NAME);
    let (mut text, mut seen) = (parts.next().unwrap_or_default().to_owned(), Vec::new());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(end);
        let place = seen.iter().position(|known| *known == number).unwrap_or_else(|| {
            seen.push(number);
            seen.len() - 1
        });
        text += &format!("clip-{}{rest}", place + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_does_not_depend_on_those_before_it() {
        let drawn = |first: u32| {
            let [a, b] = [first, first + 1].map(|k| format!("kuva-clip-{k}"));
            numbered(&format!(
                "<clipPath id=\"{a}\"/><clipPath id=\"{b}\"/><g url(#{b}) url(#{a})>"
            ))
        };
        assert_eq!(drawn(9), drawn(0));
        assert!(drawn(9).ends_with("<g url(#clip-2) url(#clip-1)>"));
    }
}
