//! A model of two features as a picture: the cells of its neurons, its outputs, and the rows.

mod class;
mod plane;

use class::{class_color, class_legend, class_mark, class_of_target, cut};
use hardlim::Error;
use hardlim::data::Features;
use hardlim::model::Model;
use hardlim::table::{Table, TargetCoding};

use hardlim_plot::{Canvas, Figure, GREY, Paint, tick};
use plane::{Line, Polygon, cells, middle};

/// The plane's place in pixels: left, top, width, height.
const PLANE: (f64, f64, f64, f64) = (64.0, 66.0, 570.0, 430.0);
/// The place of the colours' bar, and the number of its steps.
const BAR: (f64, f64, f64, f64) = (664.0, 116.0, 18.0, 300.0);
const STEPS: u32 = 100;
const SIZE: (f64, f64) = (800.0, 556.0);
/// How far from white the colours of cells are.
const CELLS: f64 = 0.62;
/// The most neurons that are drawn.
pub const MOST: usize = 2000;
/// The most neurons of several networks whose lines are drawn.
const FEW: usize = 100;
/// Room around the points.
const MARGIN: f64 = 0.08;
/// The colours above zero and below it, as in reports.
const PLUS: (u8, u8, u8) = (0x00, 0x72, 0xb2);
const MINUS: (u8, u8, u8) = (0xd5, 0x5e, 0x00);
const INK: &str = "#444444";

/// What there is to draw, in the numbers of the table.
#[derive(Debug)]
pub struct Scenery<'a> {
    model: &'a Model,
    title: String,
    points: Vec<(f64, f64)>,
    targets: Option<&'a [f64]>,
    x: (f64, f64),
    y: (f64, f64),
    lines: Vec<Line>,
    cells: Vec<Polygon>,
}

impl<'a> Scenery<'a> {
    /// The cells of a model of two features, and the rows of a table.
    ///
    /// # Errors
    /// The number of neurons, if it is above [`MOST`].
    ///
    /// # Panics
    /// When the model does not read two features.
    pub fn new(
        model: &'a Model,
        table: &Table,
        features: &Features,
        targets: Option<&'a [f64]>,
    ) -> Result<Self, usize> {
        let neurons = model.networks().flat_map(|network| &network.layers()[0].neurons);
        let lines: Vec<Line> = neurons
            .map(|neuron| neuron.hyperplane(2))
            .filter(|plane| plane.weights.iter().any(|w| *w != 0.0))
            .map(|plane| Line { a: plane.weights[0], b: plane.weights[1], c: plane.bias })
            .collect();
        if lines.len() > MOST {
            return Err(lines.len());
        }
        let points: Vec<(f64, f64)> =
            (0..features.rows()).map(|i| (features.row(i)[0], features.row(i)[1])).collect();
        let (x, y) = (extent(points.iter().map(|p| p.0)), extent(points.iter().map(|p| p.1)));
        let cells = cells(&corners(x, y), &lines);
        let name = table.source().rsplit(['/', '\\']).next().unwrap_or_default();
        let (count, layers) = (model.neurons(), model.first().network().depth());
        let plural = if count == 1 { "" } else { "s" };
        let mut title = format!("{name}: {count} neuron{plural}, {layers} layers");
        if let Some(targets) = targets.filter(|_| model.coding().target().classes().is_some()) {
            let outputs = model.outputs_of(features);
            let class = |i: usize| model.class(&outputs.iter().map(|u| u[i]).collect::<Vec<_>>());
            let right = |&i: &usize| class(i) == class_of_target(model, targets[i]);
            let share = (0..targets.len()).filter(right).count() as f64 / targets.len() as f64;
            let percent: f64 = format!("{:.3e}", 100.0 * share).parse().expect("a number");
            title += &format!(", accuracy {} %", tick(percent));
        }
        Ok(Self { model, title, points, targets, x, y, lines, cells })
    }

    /// The number of cells, and of neurons that are drawn.
    pub fn sizes(&self) -> (usize, usize) {
        (self.cells.len(), self.lines.len())
    }

    /// The picture.
    ///
    /// # Errors
    /// When a cell is out of the range of features.
    pub fn draw(&self) -> Result<Figure, Error> {
        let mut canvas = Canvas::new(SIZE.0, SIZE.1);
        let middles: Vec<f64> = (self.cells.iter())
            .flat_map(|cell| <[f64; 2]>::from(middle(cell)))
            .map(|v| if v.abs() < 1e-50 { 0.0 } else { v })
            .collect();
        let middles = Features::new(self.cells.len(), 2, middles)?;
        let outputs = self.model.outputs_of(&middles);
        let several = self.model.several_classes();
        let scale = Scale::of(self.classes().is_some(), &outputs[0], self.targets);
        for (k, cell) in self.cells.iter().enumerate() {
            let shape: Vec<(f64, f64)> = cell.iter().map(|&p| self.place(p)).collect();
            let rgb = if several.is_some() {
                let u: Vec<f64> = outputs.iter().map(|output| output[k]).collect();
                paler(class_color(self.model.class(&u)), 0.75 * CELLS)
            } else {
                scale.color(outputs[0][k], CELLS)
            };
            canvas.polygon(&shape, Paint { rgb, opacity: 1.0 });
        }
        // Lines of several networks only matter where the class changes; many would hide the
        // colours.
        let (ink, width, most) =
            if several.is_some() { ("#999999", 0.4, FEW) } else { (INK, 0.9, MOST) };
        for line in self.lines.iter().filter(|_| self.lines.len() <= most) {
            if let Some(ends) = line.within(&corners(self.x, self.y)) {
                canvas.line(&ends.map(|p| self.place(p)), ink, width, false);
            }
        }
        self.axes(&mut canvas);
        self.points(&mut canvas, &scale);
        match several {
            None => self.legend(&mut canvas, &scale),
            Some(names) => class_legend(&mut canvas, names),
        }
        canvas.text((PLANE.0 + PLANE.2 / 2.0, 28.0), &self.title, 16, 0.0);
        Ok(canvas.finish())
    }

    fn classes(&self) -> Option<&[String; 2]> {
        match self.model.coding().target() {
            TargetCoding::Classes { classes, .. } => Some(classes),
            _ => None,
        }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (left, top, width, height) = PLANE;
        let part = |v: f64, (low, high): (f64, f64)| (v - low) / (high - low);
        (left + width * part(x, self.x), top + height * (1.0 - part(y, self.y)))
    }

    fn axes(&self, canvas: &mut Canvas) {
        let (left, top, width, height) = PLANE;
        let (right, bottom) = (left + width, top + height);
        let ring = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        canvas.line(&ring, INK, 1.2, false);
        for at in ticks(self.x) {
            let x = self.place((at, self.y.0)).0;
            canvas.line(&[(x, bottom), (x, bottom + 5.0)], INK, 1.0, false);
            canvas.text((x, bottom + 19.0), &tick(at), 12, 0.0);
        }
        for at in ticks(self.y) {
            let y = self.place((self.x.0, at)).1;
            canvas.line(&[(left - 5.0, y), (left, y)], INK, 1.0, false);
            canvas.text((left - 8.0, y + 4.0), &tick(at), 12, -1.0);
        }
        let names = self.model.coding().feature_names();
        canvas.text((left + width / 2.0, bottom + 44.0), &names[0], 14, 0.0);
        canvas.text((12.0, top - 12.0), &names[1], 14, 1.0);
    }

    fn points(&self, canvas: &mut Canvas, scale: &Scale) {
        let r = if self.points.len() > 500 { 2.4 } else { 3.8 };
        let classes = self.classes().is_some();
        for (i, &point) in self.points.iter().enumerate() {
            let at = self.place(point);
            match self.targets.map(|targets| targets[i]) {
                Some(y) if self.model.several_classes().is_some() => {
                    class_mark(canvas, at, class_of_target(self.model, y), r);
                }
                None => canvas.dot(at, r, "white", "#222222"),
                Some(y) if classes && y > 0.0 => canvas.square(at, 0.9 * r, &hex(PLUS), "white"),
                Some(_) if classes => canvas.dot(at, r, &hex(MINUS), "white"),
                Some(y) => canvas.dot(at, r, &hex(scale.color(y, 1.0)), "#222222"),
            }
        }
    }

    fn legend(&self, canvas: &mut Canvas, scale: &Scale) {
        let (left, top, width, height) = BAR;
        for k in 0..STEPS {
            let part = 1.0 - (f64::from(k) + 0.5) / f64::from(STEPS);
            let u = scale.low + part * (scale.high - scale.low);
            let y = top + height * f64::from(k) / f64::from(STEPS);
            let size = (width, height / f64::from(STEPS) + 0.5);
            canvas.rectangle((left, y), size, &hex(scale.color(u, CELLS)));
        }
        canvas.text((left + width / 2.0, top - 12.0), "output", 12, 0.0);
        for at in ticks((scale.low, scale.high)) {
            let y = top + height * (scale.high - at) / (scale.high - scale.low);
            canvas.line(&[(left + width, y), (left + width + 4.0, y)], GREY, 1.0, false);
            canvas.text((left + width + 7.0, y + 4.0), &tick(at), 12, 1.0);
        }
        if let (Some([negative, positive]), Some(_)) = (self.classes(), self.targets) {
            let bottom = top + height + 28.0;
            canvas.square((left + 4.0, bottom), 3.8, &hex(PLUS), "white");
            canvas.text((left + 14.0, bottom + 4.0), &cut(positive), 13, 1.0);
            canvas.dot((left + 4.0, bottom + 20.0), 3.8, &hex(MINUS), "white");
            canvas.text((left + 14.0, bottom + 24.0), &cut(negative), 13, 1.0);
        }
    }
}

/// Orange below, white in between, blue above.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Around zero for classes; otherwise over what there is.
    fn of(classes: bool, output: &[f64], targets: Option<&[f64]>) -> Self {
        let (low, high) = range(output.iter().chain(targets.unwrap_or(&[])).copied());
        let far = low.abs().max(high.abs());
        match (classes, high > low) {
            (true, _) if far > 0.0 => Self { low: -far, high: far },
            (false, true) => Self { low, high },
            _ => Self { low: low - 1.0, high: low + 1.0 },
        }
    }

    /// `strength` is how far from white the ends are.
    fn color(&self, u: f64, strength: f64) -> (u8, u8, u8) {
        let t = (2.0 * (u - self.low) / (self.high - self.low) - 1.0).clamp(-1.0, 1.0);
        paler(if t < 0.0 { MINUS } else { PLUS }, strength * t.abs())
    }
}

/// A colour mixed with white; `strength` is how much of the colour is left.
fn paler((r, g, b): (u8, u8, u8), strength: f64) -> (u8, u8, u8) {
    let mix = |c: u8| (255.0 - strength * (255.0 - f64::from(c))).round() as u8;
    (mix(r), mix(g), mix(b))
}

fn hex((r, g, b): (u8, u8, u8)) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// The numbers' range with some room.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = range(values);
    let room = if high > low { MARGIN * (high - low) } else { low.abs().max(1.0) };
    (low - room, high + room)
}

fn corners(x: (f64, f64), y: (f64, f64)) -> [(f64, f64); 4] {
    [(x.0, y.0), (x.1, y.0), (x.1, y.1), (x.0, y.1)]
}

/// Round numbers inside a range, four or so.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let decade = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * decade).find(|s| *s >= 0.8 * rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|k| k as f64 * step).take_while(|t| *t <= high).take(20).collect()
}
