//! Experiments as Markdown: each by itself, and all of them.

use crate::experiments::report::{Claim, Report, TextTable, Verdict};

const VERDICTS: &str = "Verdicts: **reproduced**, our result agrees with the claim; **better**, it \
                        goes beyond the claim, in its direction; **not reproduced**, it disagrees; \
                        **undecided**, the draws or runs do not decide it; **corrected**, the \
                        claim holds in another form.";

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

pub(crate) fn section(id: &str, title: &str, report: &Report) -> String {
    let mut text = format!("## `{id}`: {title}\n\n{}\n\n", report.setup);
    for (suffix, _) in &report.figures {
        text += &format!("![{title}]({id}{suffix}.svg)\n\n");
    }
    for table in &report.summaries {
        text += &format!("{}\n", markdown(table));
    }
    for Claim { source, expected, found, verdict } in &report.claims {
        text += &format!("- **{verdict}** ({source}). Expected: {expected} Found: {found}\n");
    }
    text
}

/// All claims with their verdicts, as Markdown, for `docs/`. The tables and pictures of the
/// sections are in this folder: empty, or a name with a slash after it.
pub fn document(sections: &[Section], settings: &str, folder: &str) -> String {
    let mut verdicts = TextTable::new("experiment, where, expected, found, verdict");
    let mut measured = TextTable::new("experiment, where, what, found");
    for Section { id, report, .. } in sections {
        for Claim { source, expected, found, verdict } in &report.claims {
            let id = format!("`{id}`");
            if *verdict == Verdict::Measured {
                measured.row(&[&id, source, expected, found]);
            } else {
                verdicts.row(&[&id, source, expected, found, &format!("**{verdict}**")]);
            }
        }
    }
    let mut text = format!(
        "# Reproduction\n\nEvery claim of the paper's evaluation, with what came out here. Written \
         by `hardlim reproduce all`; {settings}\n\n{VERDICTS}\n\n{}\nAlso measured: what the paper \
         does not claim or does not print, what is about times, and what needs a full run for a \
         verdict.\n\n{}",
        markdown(&verdicts),
        markdown(&measured)
    );
    for Section { id, title, report, files } in sections {
        let shown = files.iter().filter(|name| name.ends_with(".csv") || name.ends_with(".svg"));
        let links: Vec<String> = shown.map(|name| format!("[{name}]({folder}{name})")).collect();
        text += &format!("\n## `{id}`: {title}\n\n{}\n", report.setup);
        text += &format!("\nFiles: {}.\n", links.join(", "));
        for table in &report.summaries {
            text += &format!("\n{}", markdown(table));
        }
    }
    text
}

fn markdown(table: &TextTable) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = "|---".repeat(table.columns.len()) + "|\n";
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    line(&table.columns) + &rule + &rows
}
