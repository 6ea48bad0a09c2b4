//! Line charts in panels, each with its axes.

use kuva::plot::LinePlot;
use kuva::plot::legend::LegendPosition;
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::Primitive;
use kuva::render::theme::Theme;

use crate::axis::{round_above, round_ends};
use crate::series::dashes;
use crate::{Axis, Figure, GREY, Scale, Series, literal, shorten};

/// The size of a panel in pixels, including axes and labels.
const PANEL: (f64, f64) = (540.0, 350.0);
/// The size of the title of a figure; no other text has it.
const HEADING: u32 = 19;
/// The most letters that fit above a figure of one column.
const TITLE: usize = 48;

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
        .with_title_size(HEADING)
        .with_cell_size(PANEL.0, PANEL.1)
        .with_spacing(16.0)
        .with_padding(14.0)
        .render();
    scene.elements = scene.elements.into_iter().flat_map(dashes).map(lowered).collect();
    Figure(scene)
}

/// The title of a figure lower down, away from the edge.
fn lowered(mut element: Primitive) -> Primitive {
    if let Primitive::Text { y, size, .. } = &mut element
        && *size == HEADING
    {
        *y += 10.0;
    }
    element
}

impl Panel {
    /// A panel with these lines; each axis has a label and a scale, and its range is that of the
    /// lines.
    pub fn new(
        title: impl Into<String>,
        x: (&str, Scale),
        y: (&str, Scale),
        series: Vec<Series>,
    ) -> Self {
        let [x, y] = [x, y].map(|(label, scale)| Axis { label: label.into(), scale, range: None });
        Self { title: title.into(), x, y, series, marks: Vec::new() }
    }

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
        // Steps of 2.5 % would push their numbers into the name of the axis.
        let percent = layout.data_y_range.filter(|_| y.scale == Scale::Percent);
        if let Some((low, high)) = percent.filter(|(low, high)| low < high) {
            layout.y_tick_step = Some(round_above((high - low) / 6.0));
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
    use crate::{BLUE, Stroke};
    use kuva::backend::png::PngBackend;
    use kuva::backend::svg::SvgBackend;

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
