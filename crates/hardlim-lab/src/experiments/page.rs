//! Experiments as Markdown: each by itself, and all of them.

use std::fmt::Write as _;

use crate::experiments::report::{Claim, Report, Table, Verdict};

/// What the verdicts mean.
const VERDICTS: &str = "Verdicts: **reproduced**, our result agrees with the claim; **better**, it \
    goes beyond the claim, in its direction; **not reproduced**, it disagrees; **undecided**, the \
    draws or runs do not decide it; **corrected**, the claim holds in another form.";

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

/// All claims with their verdicts, as Markdown, for `docs/`. The tables and pictures of the
/// sections are in this folder: empty, or a name with a slash after it.
pub fn document(sections: &[Section], settings: &str, folder: &str) -> String {
    let mut text = format!(
        "# Reproduction\n\nEvery claim of the paper's evaluation, with what came out here. Written \
         by `hardlim reproduce all`; {settings}\n\n{VERDICTS}\n\n| experiment | where | expected | \
         found | verdict |\n\
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
    text += "\nAlso measured: what the paper does not claim or does not print, what is about \
             times, and what needs a full run for a verdict.\n\n| experiment | where | what | \
             found |\n|---|---|---|---|\n";
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
