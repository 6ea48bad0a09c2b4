//! Sections as Markdown, and all of them as one self-contained HTML page.

use std::fmt::Write as _;

use crate::report::{Report, Table};

/// The section of a finished experiment.
#[derive(Debug)]
pub struct Section {
    /// Its name.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Its report.
    pub report: Report,
    /// The names of its files.
    pub files: Vec<String>,
}

/// One section as Markdown.
pub(crate) fn section(id: &str, title: &str, report: &Report) -> String {
    let mut text = format!("## `{id}`: {title}\n\n{}\n\n", report.setup);
    for (suffix, _) in &report.figures {
        let _ = writeln!(text, "![{title}]({id}{suffix}.svg)\n");
    }
    text + &body(report)
}

/// The summary and the claims as Markdown.
fn body(report: &Report) -> String {
    let mut text = String::new();
    if let Some(table) = &report.summary {
        text += &markdown(table);
        text += "\n";
    }
    for claim in &report.claims {
        let _ = writeln!(
            text,
            "- **{}** ({}). Expected: {} Found: {}",
            claim.verdict, claim.source, claim.expected, claim.found
        );
    }
    text
}

/// All claims with their verdicts, as Markdown without pictures, for `docs/`.
pub fn document(sections: &[Section], settings: &str) -> String {
    let mut text = format!(
        "# Reproduction\n\nEvery claim of the paper's evaluation, with what came out here. Written by \
         `hardlim reproduce all`; {settings}\n\n| experiment | where | expected | found | verdict |\n\
         |---|---|---|---|---|\n"
    );
    for Section { id, report, .. } in sections {
        for claim in &report.claims {
            let cell = |text: &str| text.replace('|', "\\|");
            let _ = writeln!(
                text,
                "| `{id}` | {} | {} | {} | **{}** |",
                cell(claim.source),
                cell(&claim.expected),
                cell(&claim.found),
                claim.verdict
            );
        }
    }
    for Section { id, title, report, .. } in sections {
        let _ = write!(text, "\n## `{id}`: {title}\n\n{}\n", report.setup);
        if let Some(table) = &report.summary {
            let _ = write!(text, "\n{}", markdown(table));
        }
    }
    text
}

/// A table as Markdown.
fn markdown(table: &Table) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = "|---".repeat(table.columns.len()) + "|\n";
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    line(&table.columns) + &rule + &rows
}

const STYLE: &str = "body{font:16px/1.5 'DejaVu Sans',Verdana,Arial,sans-serif;color:#222;max-width:1080px;\
margin:2em auto;padding:0 1em}table{border-collapse:collapse;font-size:13px;margin:1em 0;display:block;\
overflow-x:auto}th,td{border-bottom:1px solid #ddd;padding:.25em .6em;text-align:left;vertical-align:top}\
svg{max-width:100%;height:auto}code{background:#f3f3f3;padding:0 .2em}figure{margin:1em 0}\
.reproduced{color:#007a5a;font-weight:bold}.not{color:#b34700;font-weight:bold}\
.corrected,.measured{color:#00629b;font-weight:bold}";

/// All sections as one HTML page, including the pictures.
pub fn page(sections: &[Section], settings: &str) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>hardlim: the \
         paper's evaluation</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>The paper's evaluation, \
         measured again</h1>\n<p>{}</p>\n<ul>\n",
        inline(settings)
    );
    for Section { id, title, .. } in sections {
        let _ = writeln!(html, "<li><a href=\"#{id}\">{id}</a>: {}</li>", escape(title));
    }
    html += "</ul>\n";
    for Section { id, title, report, files } in sections {
        let _ = writeln!(
            html,
            "<h2 id=\"{id}\">{}</h2>\n<p>{}</p>",
            escape(title),
            inline(&report.setup)
        );
        for (_, figure) in &report.figures {
            let _ = writeln!(html, "<figure>{}</figure>", figure.svg());
        }
        if let Some(table) = &report.summary {
            html += &rows(
                &table.columns,
                table.rows.iter().map(|row| row.iter().map(|c| inline(c)).collect()),
            );
        }
        let columns = ["where", "expected", "found", "verdict"].map(String::from);
        html += &rows(
            &columns,
            report.claims.iter().map(|claim| {
                let verdict = claim.verdict.to_string();
                let class = verdict.split(' ').next().unwrap_or_default();
                let verdict = format!("<span class=\"{class}\">{verdict}</span>");
                vec![inline(claim.source), inline(&claim.expected), inline(&claim.found), verdict]
            }),
        );
        let links: Vec<String> =
            files.iter().map(|name| format!("<a href=\"{name}\">{name}</a>")).collect();
        let _ = writeln!(html, "<p>Files: {}</p>", links.join(", "));
    }
    html + "</body>\n</html>\n"
}

/// A table whose cells are HTML already.
fn rows(columns: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head: String = columns.iter().map(|c| format!("<th>{}</th>", escape(c))).collect();
    let row = |row: Vec<String>| {
        let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = rows.map(row).collect();
    format!("<table>\n<tr>{head}</tr>\n{body}</table>\n")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text with `code` and **emphasis**.
fn inline(text: &str) -> String {
    let between = |text: String, mark: &str, tag: &str| -> String {
        let mut open = false;
        let parts: Vec<&str> = text.split(mark).collect();
        let last = parts.len() - 1;
        let mut html = String::new();
        for (k, part) in parts.iter().enumerate() {
            html += part;
            if k < last {
                open = !open;
                html += &format!("<{}{tag}>", if open { "" } else { "/" });
            }
        }
        html
    };
    between(between(escape(text), "`", "code"), "**", "b")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_html() {
        assert_eq!(inline("a < `b` & **c**"), "a &lt; <code>b</code> &amp; <b>c</b>");
    }
}
