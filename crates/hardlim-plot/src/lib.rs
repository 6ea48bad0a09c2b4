//! Pictures: line charts in panels, bar charts, dot charts, hulls and free drawings, all with the same colours,
//! type and sizes.
//!
//! The colours are those of Okabe and Ito, which can be told apart with every kind of colour vision. Lines
//! that share a panel also differ in their stroke.

mod bars;
mod canvas;
mod dots;
pub mod hull;
mod rows;

pub use bars::{Bar, bar_chart};
pub use canvas::{Canvas, Paint};
pub use dots::{DotRow, Mark, dot_chart};

use std::io;
use std::path::{Path, PathBuf};

use hardlim::{Error, file};
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::LegendPosition;
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene};
use kuva::render::theme::Theme;

/// The first colour, for the subject of a panel.
pub const BLUE: &str = "#0072B2";
/// The second colour, for comparisons.
pub const VERMILLION: &str = "#D55E00";
/// The colour of reference lines and background lines.
pub const GREY: &str = "#767676";
/// The colours of many lines, in order.
pub const CYCLE: [&str; 7] =
    [BLUE, VERMILLION, "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333"];

/// The size of a panel in pixels, including axes and labels.
const PANEL: (f64, f64) = (540.0, 350.0);
/// Pixels of a PNG per pixel of the drawing.
const PNG_SCALE: f32 = 2.0;
/// The width of a name below a figure, without its letters.
const NAME: f64 = 54.0;
/// The width of a letter.
const LETTER: f64 = 7.8;
/// The distance from one row of names to the next.
const NAME_ROW: f64 = 22.0;
/// A dash and the gap after it, in pixels.
const DASH: [f64; 2] = [7.0, 5.0];
/// Lines of at most this many points also show the points.
const DOTS: usize = 12;
/// The most letters that fit above a figure of one column.
const TITLE: usize = 48;

/// A file to draw into.
#[derive(Debug, Clone)]
pub struct Picture {
    path: PathBuf,
    format: Format,
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Svg,
    Png,
}

impl Picture {
    /// A picture file; the name decides the format, .svg or .png.
    pub fn new(path: impl Into<PathBuf>) -> Option<Self> {
        let path = path.into();
        let format = match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png,
            _ => return None,
        };
        Some(Self { path, format })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the figure.
    ///
    /// # Errors
    /// When the figure cannot be drawn, or the file cannot be written.
    pub fn write(&self, figure: &Figure) -> Result<(), Error> {
        let bytes = match self.format {
            Format::Svg => figure.svg().into_bytes(),
            Format::Png => {
                figure.png().map_err(|reason| Error::Write { path: self.path.clone(), reason })?
            }
        };
        file::write(&self.path, &bytes)
    }
}

/// A finished drawing.
pub struct Figure(Scene);

impl Figure {
    /// The figure as SVG.
    pub fn svg(&self) -> String {
        SvgBackend::new().render_scene(&self.0)
    }

    /// The figure as the bytes of a PNG.
    ///
    /// # Errors
    /// When the figure is too large to be drawn.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let drawn = PngBackend::new().with_scale(PNG_SCALE).render_scene(&self.0);
        drawn.map_err(|error| io::Error::other(format!("it cannot be drawn: {error}")))
    }
}

impl Figure {
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

/// One chart with its axes; the legend of its named lines is beside it.
#[derive(Debug, Clone)]
pub struct Panel {
    /// Its title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, in the order in which they are drawn.
    pub series: Vec<Series>,
    /// Positions of dotted vertical lines on the horizontal axis.
    pub marks: Vec<f64>,
}

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Its label.
    pub label: String,
    /// How its numbers are written and spaced.
    pub scale: Scale,
    /// A range that it shows at least; without one, the range of the points.
    pub range: Option<(f64, f64)>,
}

/// How the numbers of an axis are written and spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Numbers.
    Linear,
    /// Positive numbers on a logarithmic scale.
    Log,
    /// Whole numbers from zero on.
    Count,
    /// Fractions, in per cent.
    Percent,
}

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

/// A figure with a title and panels in rows of `columns`.
pub fn line_chart(title: &str, panels: Vec<Panel>, columns: usize) -> Figure {
    let rows = panels.len().div_ceil(columns);
    let (plots, layouts) = panels.into_iter().map(Panel::draw).unzip();
    let structure = (0..rows * columns).map(|cell| vec![cell]).collect();
    let mut scene = figure::Figure::new(rows, columns)
        .with_structure(structure)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_title(literal(&shorten(title, TITLE * columns)))
        .with_title_size(19)
        .with_cell_size(PANEL.0, PANEL.1)
        .with_spacing(16.0)
        .with_padding(14.0)
        .render();
    scene.elements = scene.elements.into_iter().flat_map(dashes).collect();
    Figure(scene)
}

impl Panel {
    fn draw(self) -> (Vec<Plot>, Layout) {
        let Self { title, x, y, series, marks } = self;
        let named = series.iter().any(|s| s.name.is_some());
        let mut plots: Vec<Plot> = series.into_iter().flat_map(|s| s.draw(&x, &y)).collect();
        if plots.is_empty() {
            plots.push(LinePlot::new().into()); // a panel without lines still has its axes
        }
        let mut layout = Layout::auto_from_plots(&plots)
            .with_title(literal(&title))
            .with_title_size(16)
            .with_label_size(14)
            .with_tick_size(13)
            .with_body_size(13)
            .with_grid_line_width(0.6)
            .with_theme(theme());
        layout.x_label = x.label();
        layout.y_label = y.label();
        layout.show_legend = named;
        layout.anchor_y_zero = y.scale == Scale::Count;
        // Beside the lines, where it covers none.
        layout =
            layout.with_legend_box(false).with_legend_position(LegendPosition::OutsideRightTop);
        layout.x_tick_format = x.scale.tick_format();
        layout.y_tick_format = y.scale.tick_format();
        (layout.x_range, layout.data_x_range) = x.extent(layout.x_range, layout.data_x_range);
        (layout.y_range, layout.data_y_range) = y.extent(layout.y_range, layout.data_y_range);
        if x.scale == Scale::Log {
            layout.log_x = true;
            (layout.x_axis_min, layout.x_axis_max) = round_ends(layout.data_x_range);
        }
        if y.scale == Scale::Log {
            layout.log_y = true;
            (layout.y_axis_min, layout.y_axis_max) = round_ends(layout.data_y_range);
        }
        if let Some((_, high)) = layout.data_y_range.filter(|_| y.scale == Scale::Count) {
            layout.y_tick_step = Some(round_above(high.max(5.0) / 5.0));
        }
        if let Some((_, high)) = layout.data_x_range.filter(|_| x.scale == Scale::Count) {
            layout.x_tick_step = Some(round_above(high.max(5.0) / 5.0));
        }
        for mark in marks {
            let line = ReferenceLine::vertical(mark).with_color(GREY).with_dasharray("2 3");
            layout = layout.with_reference_line(line);
        }
        (plots, layout)
    }
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

    fn draw(self, x: &Axis, y: &Axis) -> Vec<Plot> {
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

impl Axis {
    fn label(&self) -> Option<String> {
        Some(literal(&self.label)).filter(|label| !label.is_empty())
    }

    /// The range of an axis, with and without space beside the points: their extent, widened to the
    /// requested range. Without points it is arbitrary.
    fn extent(
        &self,
        padded: (f64, f64),
        points: Option<(f64, f64)>,
    ) -> ((f64, f64), Option<(f64, f64)>) {
        let asked = self.range.or((self.scale == Scale::Count).then_some((0.0, 1.0)));
        let widen = |(low, high): (f64, f64)| match asked {
            Some((least, most)) => (low.min(least), high.max(most)),
            None => (low, high),
        };
        let points = widen(points.unwrap_or(padded));
        match points.0 <= points.1 {
            true => (widen(padded), Some(points)),
            false => ((1.0, 10.0), Some((1.0, 10.0))),
        }
    }
}

impl Scale {
    fn shows(self, value: f64) -> bool {
        value.is_finite() && (self != Self::Log || value > 0.0)
    }

    fn tick_format(self) -> TickFormat {
        match self {
            Self::Linear | Self::Log => TickFormat::Custom(std::sync::Arc::new(tick)),
            Self::Count => TickFormat::Integer,
            Self::Percent => {
                TickFormat::Custom(std::sync::Arc::new(|v| format!("{} %", tick(100.0 * v))))
            }
        }
    }
}

/// Cuts a dashed line into its dashes, which continue around its corners. In a PNG they would otherwise
/// start again at every point.
fn dashes(element: Primitive) -> Vec<Primitive> {
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

/// A number on an axis, without trailing zeros; scientific notation if it is very small or large.
fn tick(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        let rounded: f64 = format!("{value:.3e}").parse().expect("a number, as just written");
        return format!("{rounded:e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Round numbers around an interval.
fn round_ends(interval: Option<(f64, f64)>) -> (Option<f64>, Option<f64>) {
    interval.map(|(low, high)| (round_below(low), round_above(high))).unzip()
}

/// The largest of 1, 2 or 5 times a power of ten that is not above a number.
fn round_below(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    [5.0, 2.0].into_iter().find(|step| step * decade <= value).unwrap_or(1.0) * decade
}

/// The smallest of 1, 2 or 5 times a power of ten that is not below a number.
fn round_above(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().find(|step| step * decade >= value).unwrap_or(10.0) * decade
}

/// Escapes dollar signs, which would start a formula.
fn literal(text: &str) -> String {
    text.replace('$', "\\$")
}

/// The text, cut if it does not fit.
fn shorten(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.into(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

fn theme() -> Theme {
    Theme {
        axis_color: "#444444".into(),
        tick_color: "#444444".into(),
        grid_color: "#e2e2e2".into(),
        text_color: "#222222".into(),
        ..Theme::light()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_an_axis_are_round_and_leave_nothing_out() {
        for (value, below, above) in
            [(1.0, 1.0, 1.0), (0.03, 0.02, 0.05), (7.3, 5.0, 10.0), (698.0, 500.0, 1000.0)]
        {
            assert!((round_below(value) / below - 1.0).abs() < 1e-12);
            assert!((round_above(value) / above - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn ticks_have_no_idle_digits() {
        for (value, text) in
            [(0.0, "0"), (0.05, "0.05"), (1000.0, "1000"), (2e6, "2e6"), (1e-5, "1e-5")]
        {
            assert_eq!(tick(value), text);
        }
    }

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

    #[test]
    fn names_tell_the_format() {
        assert!(Picture::new("a.svg").is_some() && Picture::new("b.PNG").is_some());
        assert!(Picture::new("svg").is_none() && Picture::new("a.pdf").is_none());
    }

    #[test]
    fn hostile_points_and_names_are_drawn_all_the_same() {
        let series = |points: &[(f64, f64)]| Series {
            name: Some("$x$ < & \"".into()),
            points: points.to_vec(),
            color: BLUE,
            stroke: Stroke::Solid,
        };
        for points in [
            &[][..],
            &[(1.0, 1.0)],
            &[(1e-300, f64::NAN), (0.0, 1.0), (-1.0, 2.0)],
            &[(1e-12, 1e300), (1e12, -1e300)],
        ] {
            let panel = Panel {
                title: "a & b".into(),
                x: Axis { label: "beta".into(), scale: Scale::Log, range: None },
                y: Axis { label: "w".into(), scale: Scale::Linear, range: None },
                series: vec![series(points)],
                marks: vec![1.0],
            };
            let Figure(scene) = line_chart(&"long ".repeat(100), vec![panel], 1);
            let svg = SvgBackend::new().render_scene(&scene);
            assert!(svg.starts_with("<svg") && svg.contains("a &amp; b") && svg.contains('…'));
            assert!(PngBackend::new().with_scale(1.0).render_scene(&scene).is_ok());
        }
    }
}
