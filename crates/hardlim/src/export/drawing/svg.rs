//! Drawings in SVG, without another program: ranks from left to right, boxes one below the other.

use super::{Drawing, Edge, Node, Shape, Sign};

/// The type in pixels: its size, the height of a line, and the mean width of a character.
const TYPE: (f64, f64, f64) = (12.0, 15.0, 7.0);
/// The space between boxes.
const GAP: f64 = 14.0;
/// The space between ranks.
const RANK_GAP: f64 = 130.0;
/// The space around the drawing.
const MARGIN: f64 = 24.0;
/// The characters per line of a rule, and its lines.
const RULE: (usize, usize) = (40, 4);
/// The characters per line of a column name, and its lines.
const NAME: (usize, usize) = (24, 2);

/// A box and its text.
struct Placed {
    lines: Vec<String>,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Placed {
    fn new(node: &Node) -> Self {
        let heading = wrapped(&node.heading, NAME.0, NAME.1);
        let text = wrapped(&node.text, RULE.0, RULE.1);
        let lines: Vec<String> = heading.into_iter().chain(text).collect();
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let width = (longest as f64 * TYPE.2 + 20.0).max(60.0);
        let height = lines.len() as f64 * TYPE.1 + 12.0;
        Self { lines, x: 0.0, y: 0.0, width, height }
    }
}

impl Drawing {
    /// The drawing in SVG.
    pub(super) fn svg(&self) -> String {
        let mut ranks: Vec<Vec<Placed>> =
            self.ranks.iter().map(|rank| rank.iter().map(Placed::new).collect()).collect();
        let height = |rank: &Vec<Placed>| {
            rank.iter().map(|p| p.height).sum::<f64>() + GAP * rank.len().saturating_sub(1) as f64
        };
        let tallest = ranks.iter().map(height).fold(0.0, f64::max);
        let head = MARGIN + 24.0 + TYPE.1 * self.notes.len() as f64;
        let mut x = MARGIN;
        for rank in ranks.iter_mut().filter(|rank| !rank.is_empty()) {
            let width = rank.iter().map(|p| p.width).fold(0.0, f64::max);
            let mut y = head + 0.5 * (tallest - height(rank));
            for placed in rank {
                (placed.x, placed.y, placed.width) = (x, y, width);
                y += placed.height + GAP;
            }
            x += width + RANK_GAP;
        }
        let legend = head + tallest + GAP + 14.0;
        let width = (x - RANK_GAP + MARGIN).max(480.0);
        let total = legend + MARGIN;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{total:.0}\" \
             viewBox=\"0 0 {width:.0} {total:.0}\" font-family=\"Helvetica, Arial, sans-serif\" \
             font-size=\"{}\" role=\"img\">\n",
            TYPE.0
        );
        text += &format!("<title>{}</title>\n", escaped(&self.title));
        text += &format!("<rect width=\"{width:.0}\" height=\"{total:.0}\" fill=\"#ffffff\"/>\n");
        let title = wrapped(&self.title, 70, 1).concat();
        text += &line_of(&title, (MARGIN, MARGIN + 4.0), "font-size=\"15\" font-weight=\"bold\"");
        for (k, note) in self.notes.iter().enumerate() {
            let y = MARGIN + 22.0 + TYPE.1 * k as f64;
            text += &line_of(note, (MARGIN, y), "fill=\"#555555\"");
        }
        // Lines come first, so that boxes and text stay on top.
        let mut on_top = String::new();
        for edge in &self.edges {
            let (from, to) = (&ranks[edge.rank][edge.from], &ranks[edge.rank + 1][edge.to]);
            let (line, label) = edge.svg(from, to);
            text += &line;
            on_top += &label;
        }
        for (rank, placed) in self.ranks.iter().zip(&ranks) {
            rank.iter().zip(placed).for_each(|(node, placed)| text += &node.svg(placed));
        }
        text += &on_top;
        text += &legend_of(legend);
        text + "</svg>\n"
    }
}

impl Edge {
    /// The line, and the text on it.
    fn svg(&self, from: &Placed, to: &Placed) -> (String, String) {
        let (x1, y1) = (from.x + from.width, from.y + 0.5 * from.height);
        let (x2, y2) = (to.x, to.y + 0.5 * to.height);
        let (color, width) = (self.sign.color(), 0.8 + 3.7 * self.size);
        let middle = 0.5 * (x1 + x2);
        let tip = match self.more.is_empty() {
            true => String::new(),
            false => format!("<title>{}</title>", escaped(&self.more)),
        };
        let line = format!(
            "<path d=\"M{x1:.1} {y1:.1}C{middle:.1} {y1:.1} {middle:.1} {y2:.1} {x2:.1} {y2:.1}\" \
             fill=\"none\" stroke=\"{color}\" stroke-width=\"{width:.2}\"{}>{tip}</path>\n",
            dashes(self.sign),
        );
        let label = self.label.as_ref().map_or(String::new(), |label| {
            let style = format!(
                "fill=\"{color}\" paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"4\""
            );
            line_of(label, (x1 + 8.0, y1 - 4.0), &style)
        });
        (line, label)
    }
}

fn dashes(sign: Sign) -> &'static str {
    if sign == Sign::Takes { " stroke-dasharray=\"7 4\"" } else { "" }
}

impl Node {
    fn svg(&self, placed: &Placed) -> String {
        let Placed { lines, x, y, width, height } = placed;
        let (fill, stroke, corner) = match self.shape {
            Shape::Column => ("#f2f2f2", 1.0, 10.0),
            Shape::Neuron => ("#ffffff", 1.0, 2.0),
            Shape::Output => ("#ffffff", 2.5, 2.0),
        };
        let mut text = format!(
            "<g><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"{corner}\" fill=\"{fill}\" stroke=\"#333333\" stroke-width=\"{stroke}\"/>\n",
            escaped(&self.more)
        );
        let headings = wrapped(&self.heading, NAME.0, NAME.1).len();
        for (k, line) in lines.iter().enumerate() {
            let style = if k < headings { "font-weight=\"bold\"" } else { "" };
            text += &line_of(line, (x + 10.0, y + 18.0 + TYPE.1 * k as f64), style);
        }
        text + "</g>\n"
    }
}

/// The legend: what the kinds of lines mean.
fn legend_of(y: f64) -> String {
    let mut text = String::new();
    let kinds =
        [(Sign::Adds, "adds"), (Sign::Takes, "subtracts"), (Sign::Either, "depends on the label")];
    let mut x = MARGIN;
    for (sign, meaning) in kinds {
        text += &format!(
            "<path d=\"M{x:.1} {0:.1}H{1:.1}\" stroke=\"{2}\" stroke-width=\"3\"{3}/>\n",
            y - 4.0,
            x + 34.0,
            sign.color(),
            dashes(sign)
        );
        text += &line_of(meaning, (x + 40.0, y), "fill=\"#555555\"");
        x += 60.0 + TYPE.2 * meaning.chars().count() as f64;
    }
    text
}

fn line_of(text: &str, (x, y): (f64, f64), style: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{}</text>\n", escaped(text))
}

/// A text in at most `most` lines of at most `width` characters. If it does not fit, the last line
/// ends in an ellipsis.
pub(super) fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<Vec<char>> = Vec::new();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.append(&mut word);
            }
            _ => lines.extend(word.chunks(width).map(<[char]>::to_vec)),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        let last = lines.last_mut().expect("at least one line");
        last.truncate(width - 1);
        last.push('…');
    }
    lines.into_iter().map(|line| line.into_iter().collect()).collect()
}

/// A text, escaped so that SVG and HTML show it as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Control characters and non-characters are not allowed in XML.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                escaped.extend(c.escape_unicode());
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_long_words_within() {
        assert_eq!(wrapped("a bc def", 4, 9), ["a bc", "def"]);
        assert_eq!(wrapped("abcdefgh", 3, 9), ["abc", "def", "gh"]);
        assert_eq!(wrapped("abcdefgh", 3, 2), ["abc", "de…"]);
        assert!(wrapped("", 3, 2).is_empty());
    }

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(escaped("</script>\u{1}'\""), "&lt;/script&gt;\\u{1}&#39;&quot;");
    }
}
