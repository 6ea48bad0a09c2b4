//! Drawings for graphviz.

use super::{Drawing, Node, Shape, Sign};
use crate::export::names;

/// The characters of a line.
const LINE: usize = 36;

impl Drawing {
    /// The drawing in DOT.
    pub(super) fn dot(&self, name: &str) -> String {
        let mut text = format!("digraph \"{}\" {{\n", names::identifier(name));
        let label: Vec<String> =
            [self.title.clone()].iter().chain(&self.notes).map(|line| escaped(line)).collect();
        text += &format!("  graph [rankdir=LR, label=\"{}\", labelloc=t, ", label.join("\\n"));
        text += "fontname=\"Helvetica\", nodesep=0.15, ranksep=2];\n";
        text += "  node [fontname=\"Helvetica\", fontsize=11, shape=box, color=\"#333333\"];\n";
        text += "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.6];\n";
        for (r, rank) in self.ranks.iter().enumerate() {
            for (k, node) in rank.iter().enumerate() {
                text += &format!("  n{r}_{k} [{}];\n", node.dot());
            }
        }
        for edge in &self.edges {
            let (r, color) = (edge.rank, edge.sign.color());
            let style = if edge.sign == Sign::Takes { "dashed" } else { "solid" };
            let label = edge.label.as_ref().map_or(String::new(), |label| {
                format!(", label=\"{}\", fontcolor=\"{color}\"", escaped(label))
            });
            text += &format!(
                "  n{r}_{} -> n{}_{} [color=\"{color}\", style={style}, penwidth={:.2}{label}];\n",
                edge.from,
                r + 1,
                edge.to,
                0.6 + 3.4 * edge.size,
            );
        }
        text + "}\n"
    }
}

impl Node {
    fn dot(&self) -> String {
        let mut lines = vec![escaped(&self.heading)];
        lines.extend(super::svg::wrapped(&self.text, LINE, 6).iter().map(|line| escaped(line)));
        let style = match self.shape {
            Shape::Column => "rounded",
            Shape::Neuron => "solid",
            Shape::Output => "bold",
        };
        let (label, tip) = (lines.join("\\n"), escaped(&self.more));
        format!("label=\"{label}\", style={style}, tooltip=\"{tip}\"")
    }
}

/// A text in double quotes. Graphviz reads escapes and entities, and the file may be part of a web
/// page. So characters with a meaning in either are written as escapes or entities.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\\' => escaped.push_str("&#92;"),
            c if c.is_control() => escaped.extend(c.escape_unicode().filter(|c| *c != '\\')),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_string_or_becomes_markup() {
        assert_eq!(escaped("a\"]; b \\N <b>&\n"), "a&quot;]; b &#92;N &lt;b&gt;&amp;u{a}");
    }
}
