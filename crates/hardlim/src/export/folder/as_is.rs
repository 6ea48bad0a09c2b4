//! Exports of a model as it is: its weights need not be integers.

use serde_json::json;

use super::finding::{self, Finding};
use super::onnx::Arithmetic;
use super::{Order, Rows, Subject, Target, Written, double, listing, onnx, pretty, save};
use crate::certify::Check;
use crate::error::Error;
use crate::export::{self, File, drawing, names};
use crate::model::file::DraftFolder;

pub(super) fn fill(
    draft: &DraftFolder,
    order: &Order<'_>,
    of: &Subject<'_>,
) -> Result<Written, Error> {
    let (target, style, model) = (order.to, order.style(of.model), of.model);
    let files = match target {
        Target::Onnx => export::onnx::write(model, of.check, &style)?,
        Target::CDouble => export::c::double::write(model, &style)?,
        Target::RustDouble => export::rust::double::write(model, &style)?,
        Target::Dot => drawing::write(model, of.rows.map(Rows::features), &style),
        _ => vec![File { path: format!("{}.md", style.name), bytes: of.rules.into() }],
    };
    for File { path, bytes } in files {
        draft.add(&path, &bytes)?;
    }
    save(model, draft, &style)?;
    let mut checked = onnx::Checked::default();
    let runs = matches!(target, Target::Onnx | Target::CDouble | Target::RustDouble);
    if runs {
        let rows = onnx::rows(of.rows.map(Rows::features));
        onnx::write(model, &rows, &onnx::path(draft.temporary_path(), &style.name))?;
        if order.verify {
            checked = match target {
                Target::Onnx => onnx::verify(draft, order, of)?,
                _ => double::verify(draft, order, of)?,
            };
        }
    }
    let files = listing(draft.temporary_path())?;
    let exact = (target == Target::Onnx).then(|| export::onnx::exact(model).is_some());
    let compared = |finding: &Finding| matches!(finding, Finding::Compared { .. });
    let counts = checked.counts.filter(|_| checked.findings.iter().any(compared));
    let statement = model.statement(of.check);
    let object = json!({
        "target": target.name(),
        "name": style.name,
        "folder": order.folder,
        "files": files.iter().map(|file| &file.0).collect::<Vec<_>>(),
        "exact": exact,
        "statement": statement,
        "checked": of.check.map(Check::holds),
        "checked_on": counts.map(finding::counts_json),
        "checks": checked.findings.iter().map(Finding::json).collect::<Vec<_>>(),
    });
    let folder = order.folder.display();
    let mut text = format!("{target} written to {folder}\n{statement}\n");
    let arithmetic = match exact {
        Some(true) => Arithmetic::Integers,
        Some(false) => Arithmetic::Double,
        None => Arithmetic::Twice,
    };
    if runs {
        let (name, checks) = (&style.name, order.spelled(&checked.text(arithmetic, " ")));
        text += &format!("\n{checks}\nreport in {folder}/{name}_report.md\n");
        let quoted = names::quoted(&style.source);
        let version = env!("CARGO_PKG_VERSION");
        let mut page =
            format!("# {name}\n\n{target} written by hardlim {version} from {quoted}.\n\n");
        let checks = order.spelled(&checked.text(arithmetic, "-"));
        page += &format!("{statement}\n\n{checks}\n## Files\n\n");
        files.iter().for_each(|(file, bytes)| page += &format!("- {file} ({bytes} bytes)\n"));
        draft.add(&format!("{name}_report.md"), page.as_bytes())?;
        draft.add(&format!("{name}_report.json"), pretty(&object).as_bytes())?;
    }
    Ok(Written { text, json: object })
}
