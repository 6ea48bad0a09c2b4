//! A network as a drawing: columns on the left, neurons with their rules, the output on the right.
//!
//! The width of a line shows the size of what it carries, compared with other lines of its kind. On
//! the way to a neuron this is `|wⱼ|` times the deviation of the input (without rows, `|wⱼ|`
//! alone); on the way to the output it is `|a|`. Solid blue lines add, dashed vermillion lines
//! subtract, and grey lines do either, depending on the label. For large networks only the most
//! important neurons and the widest lines are drawn, and the drawing says so.

mod dot;
mod svg;

use super::{File, Style};
use crate::data::Features;
use crate::explain::{Explained, Explanation, deviations, number};
use crate::model::Model;
use crate::network::Network;
use crate::table::{Coding, TargetCoding};

/// The most neurons of a layer that are drawn.
const NEURONS: usize = 12;
/// The most lines to a neuron that are drawn.
const LINES: usize = 6;
/// The most terms of a rule that are shown.
const TERMS: usize = 4;

/// The files of a model: for each network a drawing in DOT and one in SVG. The rows tell which
/// neurons matter.
pub fn write(model: &Model, rows: Option<&Features>, style: &Style) -> Vec<File> {
    let mut files = Vec::new();
    for (k, network) in model.networks().enumerate() {
        let name = match model.parts().len() {
            1 => style.name.clone(),
            _ => format!("{}_{}", style.name, k + 1),
        };
        let drawing = Drawing::of(network, &model.coding().of_network(k), rows);
        files.push(File::new(format!("{name}.dot"), drawing.dot(&style.name)));
        files.push(File::new(format!("{name}.svg"), drawing.svg()));
    }
    files
}

/// Whether something adds or subtracts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Adds,
    Takes,
    Either,
}

impl Sign {
    fn color(self) -> &'static str {
        match self {
            Self::Adds => "#0072B2",
            Self::Takes => "#D55E00",
            Self::Either => "#767676",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Column,
    Neuron,
    Output,
}

#[derive(Debug, Clone)]
struct Node {
    shape: Shape,
    /// The text of the node: a heading and the rest.
    heading: String,
    text: String,
    /// A longer text about the node.
    more: String,
}

/// A line from a node to a node of the next rank.
#[derive(Debug, Clone)]
struct Edge {
    rank: usize,
    from: usize,
    to: usize,
    sign: Sign,
    /// The size, between 0 and 1.
    size: f64,
    label: Option<String>,
    more: String,
}

#[derive(Debug, Clone)]
struct Drawing {
    title: String,
    notes: Vec<String>,
    ranks: Vec<Vec<Node>>,
    edges: Vec<Edge>,
}

impl Drawing {
    fn of(network: &Network, coding: &Coding, rows: Option<&Features>) -> Self {
        let explanation = Explanation::of(network, coding, rows);
        let last = explanation.layers.len();
        let (title, output) = output(coding, explanation.offset);
        let mut drawing =
            Self { title, notes: Vec::new(), ranks: vec![Vec::new(); last + 2], edges: Vec::new() };
        drawing.ranks[last + 1].push(output);
        // What is drawn of the rank below: indices of neurons or of columns, in the order of the
        // drawing.
        let columns = spans(coding);
        let deviations = deviations(coding.dimension(), rows);
        let mut below: Vec<usize> = (0..columns.len()).collect();
        let mut first = 1;
        let (mut drawn, mut left_out) = (0, false);
        for (l, rules) in explanation.layers.iter().enumerate() {
            let shown = &rules[..rules.len().min(NEURONS)];
            drawn += shown.len();
            let place = |e: &Explained| e.name[1..].parse::<usize>().expect("a number") - first;
            let neurons = &network.layers()[l].neurons;
            let width =
                if l == 0 { network.inputs() } else { network.layers()[l - 1].neurons.len() };
            for (to, explained) in shown.iter().enumerate() {
                let plane = neurons[place(explained)].hyperplane(width);
                let mut lines: Vec<Edge> = (below.iter().enumerate())
                    .filter_map(|(from, &k)| {
                        let span = if l == 0 { columns[k].clone() } else { k..k + 1 };
                        let scale = |j: usize| if l == 0 { deviations[j] } else { 1.0 };
                        let sizes: Vec<f64> = span.map(|j| plane.weights[j] * scale(j)).collect();
                        line(l, from, to, &sizes)
                    })
                    .collect();
                left_out |= keep_widest_lines(&mut lines);
                drawing.edges.extend(lines);
                if let Some(a) = explained.weight {
                    let label = number(a);
                    let more = format!("{} adds {label} to the output", explained.name);
                    let sign = if a < 0.0 { Sign::Takes } else { Sign::Adds };
                    let (rank, from) = (l + 1, to);
                    let label = Some(label);
                    drawing.edges.push(Edge {
                        rank,
                        from,
                        to: 0,
                        sign,
                        size: a.abs(),
                        label,
                        more,
                    });
                }
                drawing.ranks[l + 1].push(neuron(explained, explanation.rows));
            }
            below = shown.iter().map(place).collect();
            first += neurons.len();
        }
        let most = |edge: &Edge| if edge.rank == last { edge.size } else { 0.0 };
        let most = drawing.edges.iter().map(most).fold(0.0, f64::max);
        drawing.edges.iter_mut().filter(|e| e.rank == last).for_each(|e| e.size /= most);
        if drawn < explanation.neurons() {
            let all = explanation.neurons();
            drawing.notes.push(format!("the {drawn} most important of {all} neurons"));
        }
        drawing.add_columns(coding);
        if left_out {
            drawing.notes.push(format!("of each neuron the {LINES} widest lines"));
        }
        drawing
    }

    /// Places each column that is read beside its readers.
    fn add_columns(&mut self, coding: &Coding) {
        let read = |k: usize| self.edges.iter().filter(move |e| e.rank == 0 && e.from == k);
        let mut order: Vec<(f64, usize)> = (0..coding.columns().len())
            .filter(|&k| read(k).next().is_some())
            .map(|k| {
                let (sum, count) = read(k).fold((0, 0), |(s, c), e| (s + e.to, c + 1));
                (f64::from(sum as u32) / f64::from(count), k)
            })
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (place, &(_, k)) in order.iter().enumerate() {
            let heading = coding.columns()[k].column.name.clone();
            let more = format!("column {heading}");
            let shape = Shape::Column;
            self.ranks[0].push(Node { shape, heading, text: String::new(), more });
            let edges = self.edges.iter_mut().filter(|e| e.rank == 0 && e.from == k);
            // The new index is beyond all columns, so that no line is moved twice.
            edges.for_each(|e| e.from = coding.columns().len() + place);
        }
        self.edges
            .iter_mut()
            .filter(|e| e.rank == 0)
            .for_each(|e| e.from -= coding.columns().len());
    }
}

/// A line to a neuron, if the neuron reads the source.
fn line(rank: usize, from: usize, to: usize, sizes: &[f64]) -> Option<Edge> {
    let size = sizes.iter().map(|w| w.abs()).fold(0.0, f64::max);
    let sign = match (sizes.iter().any(|w| *w > 0.0), sizes.iter().any(|w| *w < 0.0)) {
        (false, false) => return None,
        (true, false) => Sign::Adds,
        (false, true) => Sign::Takes,
        (true, true) => Sign::Either,
    };
    Some(Edge { rank, from, to, sign, size, label: None, more: String::new() })
}

/// Keeps the widest lines of a neuron, relative to the widest. Returns whether others were left
/// out.
fn keep_widest_lines(lines: &mut Vec<Edge>) -> bool {
    let left_out = lines.len() > LINES;
    lines.sort_by(|a, b| b.size.total_cmp(&a.size));
    lines.truncate(LINES);
    let most = lines.first().map_or(1.0, |line| line.size);
    lines.iter_mut().for_each(|line| line.size /= most);
    left_out
}

fn neuron(explained: &Explained, rows: Option<usize>) -> Node {
    let mut more = format!("{}: {}", explained.name, explained.rule);
    if let (Some(fires), Some(rows)) = (explained.fires, rows) {
        more += &format!("; holds on {fires} of {rows} rows");
    }
    let (heading, text) = (explained.name.clone(), explained.rule.text(TERMS));
    Node { shape: Shape::Neuron, heading, text, more }
}

/// The title, and the node of the output.
fn output(coding: &Coding, offset: f64) -> (String, Node) {
    let target = coding.target();
    let column = &target.column().name;
    let start = match offset {
        0.0 => "sum".to_owned(),
        offset => format!("{} + sum", number(offset)),
    };
    let (title, text) = match (target, target.answers()) {
        (TargetCoding::Against { .. }, Some([_, yes])) => {
            (format!("{column} = {yes}, against the rest"), format!("{start}; the largest decides"))
        }
        (_, Some([no, yes])) => (column.clone(), format!("{start} ≥ 0: {yes}; otherwise {no}")),
        (_, None) => (column.clone(), start),
    };
    let more = format!("{title}: {text}");
    let node = Node { shape: Shape::Output, heading: title.clone(), text, more };
    (title, node)
}

/// The features of every column.
fn spans(coding: &Coding) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let span = |column: &crate::table::coding::ColumnCoding| {
        let start = at;
        at += column.width();
        start..at
    };
    coding.columns().iter().map(span).collect()
}
