//! Classes in a picture: their colours, their marks and their names.

use hardlim::model::Model;
use hardlim::table::names;
use hardlim_plot::{CYCLE, Canvas};

use super::{BAR, CELLS, PLANE, hex, paler};

/// The longest name of a class in the legend, in letters.
const LETTERS: usize = 14;

/// The number of the class that a target stands for.
pub(super) fn class_of_target(model: &Model, target: f64) -> usize {
    match model.several_classes() {
        Some(_) => target as usize,
        None => usize::from(target > 0.0),
    }
}

/// The colour of a class, of several.
pub(super) fn class_color(class: usize) -> (u8, u8, u8) {
    let code = u32::from_str_radix(&CYCLE[class % CYCLE.len()][1..], 16).expect("a colour");
    ((code >> 16) as u8, (code >> 8) as u8, code as u8)
}

/// A point of a class: discs and squares take turns.
pub(super) fn class_mark(canvas: &mut Canvas, at: (f64, f64), class: usize, r: f64) {
    let fill = hex(class_color(class));
    match class % 2 {
        0 => canvas.dot(at, r, &fill, "white"),
        _ => canvas.square(at, 0.9 * r, &fill, "white"),
    }
}

/// The classes beside the plane, each with its colour and its mark.
pub(super) fn class_legend(canvas: &mut Canvas, names: &[String]) {
    let (left, top) = (BAR.0 - 16.0, PLANE.1 + 8.0);
    let fit = ((PLANE.3 - 20.0) / 22.0) as usize;
    for (class, name) in names.iter().enumerate().take(fit) {
        let y = top + 22.0 * class as f64;
        let pale = hex(paler(class_color(class), 0.75 * CELLS));
        canvas.rectangle((left, y - 8.0), (24.0, 16.0), &pale);
        class_mark(canvas, (left + 12.0, y), class, 3.8);
        canvas.text((left + 31.0, y + 4.5), &cut(name), 13, 1.0);
    }
    if names.len() > fit {
        let more = format!("and {} more", names.len() - fit);
        canvas.text((left, top + 22.0 * fit as f64 + 4.5), &more, 13, 1.0);
    }
}

/// A name that fits into the legend.
pub(super) fn cut(name: &str) -> String {
    let name = names::cut(name);
    match name.char_indices().nth(LETTERS) {
        None => name,
        Some(_) => name.chars().take(LETTERS - 1).chain(['…']).collect(),
    }
}
