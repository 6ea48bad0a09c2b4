//! Sections as Markdown, and all of them as one self-contained HTML page.

use std::fmt::Write as _;

use hardlim_report::STYLE;

use crate::experiments::report::{Claim, Report, Table, Verdict};

/// What the verdicts mean.
const VERDICTS: &str = "Verdicts: **reproduced**, our result agrees with the claim; **better**, it goes beyond the \
    claim, in its direction; **not reproduced**, it disagrees; **undecided**, the draws or runs do not decide it; \
    **corrected**, the claim holds in another form.";

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
    for table in &report.summaries {
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

/// All claims with their verdicts, as Markdown, for `docs/`. The tables and pictures of the sections are in
/// this folder: empty, or a name with a slash after it.
pub fn document(sections: &[Section], settings: &str, folder: &str) -> String {
    let mut text = format!(
        "# Reproduction\n\nEvery claim of the paper's evaluation, with what came out here. Written by \
         `hardlim reproduce all`; {settings}\n\n{VERDICTS}\n\n| experiment | where | expected | found | verdict |\n\
         |---|---|---|---|---|\n"
    );
    let cell = |text: &str| text.replace('|', "\\|");
    let claims = |measured: bool| {
        let of = move |claim: &&Claim| (claim.verdict == Verdict::Measured) == measured;
        (sections.iter()).flat_map(move |section| {
            section.report.claims.iter().filter(of).map(|c| (section.id, c))
        })
    };
    for (id, Claim { source, expected, found, verdict }) in claims(false) {
        let (source, expected, found) = (cell(source), cell(expected), cell(found));
        let _ = writeln!(text, "| `{id}` | {source} | {expected} | {found} | **{verdict}** |");
    }
    text += "\nAlso measured: what the paper does not claim or does not print, what is about times, and what needs a \
             full run for a verdict.\n\n| experiment | where | what | found |\n|---|---|---|---|\n";
    for (id, Claim { source, expected, found, .. }) in claims(true) {
        let (source, expected, found) = (cell(source), cell(expected), cell(found));
        let _ = writeln!(text, "| `{id}` | {source} | {expected} | {found} |");
    }
    for Section { id, title, report, files } in sections {
        let _ = write!(text, "\n## `{id}`: {title}\n\n{}\n", report.setup);
        let shown = files.iter().filter(|name| name.ends_with(".csv") || name.ends_with(".svg"));
        let links: Vec<String> = shown.map(|name| format!("[{name}]({folder}{name})")).collect();
        let _ = write!(text, "\nFiles: {}.\n", links.join(", "));
        for table in &report.summaries {
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

/// All sections as one HTML page, including the pictures. It looks like the report of a model.
pub fn page(sections: &[Section], settings: &str) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>hardlim: the paper's evaluation</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>The paper's evaluation, measured again</h1>\n<p>{}</p>\n<nav aria-label=\"Experiments\">\n",
        inline(settings)
    );
    for Section { id, title, .. } in sections {
        let _ = writeln!(html, "<a href=\"#{id}\" title=\"{}\">{id}</a>", escape(title));
    }
    html += "</nav>\n</header>\n<main>\n";
    for Section { id, title, report, files } in sections {
        let _ = writeln!(
            html,
            "<section>\n<h2 id=\"{id}\">{}</h2>\n<p>{}</p>",
            escape(title),
            inline(&report.setup)
        );
        for (k, (_, figure)) in report.figures.iter().enumerate() {
            let svg = embedded(&figure.svg(), &format!("{id}-{k}-"));
            let _ = writeln!(html, "<figure class=\"paper\">{svg}</figure>");
        }
        for table in &report.summaries {
            html += &rows(
                &format!("{id}: what was measured"),
                &table.columns,
                table.rows.iter().map(|row| row.iter().map(|c| inline(c)).collect()),
            );
        }
        let columns = ["where", "expected", "found", "verdict"].map(String::from);
        html += &rows(
            &format!("{id}: claims and verdicts"),
            &columns,
            report.claims.iter().map(|claim| {
                let kind = match claim.verdict {
                    Verdict::Reproduced | Verdict::Better => "good",
                    Verdict::NotReproduced => "bad",
                    _ => "open",
                };
                let verdict = format!("<span class=\"mark {kind}\">{}</span>", claim.verdict);
                vec![inline(claim.source), inline(&claim.expected), inline(&claim.found), verdict]
            }),
        );
        let links: Vec<String> =
            files.iter().map(|name| format!("<a href=\"{name}\">{name}</a>")).collect();
        let _ = writeln!(html, "<p>Files: {}</p>\n</section>", links.join(", "));
    }
    html + "</main>\n</body>\n</html>\n"
}

/// A table whose cells are HTML already.
fn rows(caption: &str, columns: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cell = |c: &String| format!("<th scope=\"col\">{}</th>", escape(c));
    let head: String = columns.iter().map(cell).collect();
    let row = |row: Vec<String>| {
        let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = rows.map(row).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\n<table>\n<caption>{caption}\
         </caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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

/// A picture that can be made smaller and stand beside others in a page: with a view of its size, and names
/// of its own.
fn embedded(svg: &str, prefix: &str) -> String {
    let of = |name: &str| svg.split_once(name).and_then(|(_, rest)| rest.split('"').next());
    let named = svg.replace("kuva-clip-", &format!("{prefix}clip-"));
    match (of(" width=\""), of(" height=\"")) {
        (Some(width), Some(height)) => {
            named.replacen("<svg ", &format!("<svg viewBox=\"0 0 {width} {height}\" "), 1)
        }
        _ => named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_in_a_page_scale_and_share_no_names() {
        let svg = "<svg width=\"30\" height=\"20.5\"><g clip-path=\"url(#kuva-clip-0)\"/></svg>";
        let expected = "<svg viewBox=\"0 0 30 20.5\" width=\"30\" height=\"20.5\">\
                        <g clip-path=\"url(#a-1-clip-0)\"/></svg>";
        assert_eq!(embedded(svg, "a-1-"), expected);
    }

    #[test]
    fn text_becomes_html() {
        assert_eq!(inline("a < `b` & **c**"), "a &lt; <code>b</code> &amp; <b>c</b>");
    }
}
