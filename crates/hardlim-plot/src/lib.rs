//! Pictures: line charts in panels, bar charts, dot charts, hulls and free drawings, all with the
//! same colours, type and sizes.
//!
//! The colours are those of Okabe and Ito, which can be told apart with every kind of colour
//! vision. Lines that share a panel also differ in their stroke.

mod axis;
mod bars;
mod canvas;
mod dots;
mod figure;
pub mod hull;
mod panel;
mod picture;
mod rows;
mod series;

use hardlim::table::names;

pub use axis::{Axis, Scale, tick};
pub use bars::{Bar, bar_chart};
pub use canvas::{Canvas, Paint};
pub use dots::{DotRow, Mark, dot_chart};
pub use figure::Figure;
pub use panel::{Panel, line_chart};
pub use picture::Picture;
pub use series::{Series, Stroke};

/// The first colour, for the subject of a panel.
pub const BLUE: &str = "#0072B2";
/// The second colour, for comparisons.
pub const VERMILLION: &str = "#D55E00";
/// The colour of reference lines and background lines.
pub const GREY: &str = "#767676";
/// The colours of many lines, in order.
pub const CYCLE: [&str; 7] =
    [BLUE, VERMILLION, "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333"];

/// Escapes hidden characters, and dollar signs, which would start a formula.
fn literal(text: &str) -> String {
    names::plain(text).replace('$', "\\$")
}

fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.into()
    } else {
        text.chars().take(most - 1).chain(['…']).collect()
    }
}
