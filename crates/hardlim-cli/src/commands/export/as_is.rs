//! Exports of a model as it is: its weights need not be integers.

use std::process::ExitCode;

use anyhow::bail;
use hardlim::certify::Check;
use hardlim::data::Table;
use hardlim::export::{self, File, drawing};
use hardlim::file::DraftFolder;
use hardlim::model::Model;
use serde_json::json;

use super::super::{checked, explain};
use super::finding::{self, Finding};
use super::{listing, onnx, save, style};
use crate::args::{Common, Export, Target};
use crate::interrupt;

pub(super) fn run(
    args: &Export,
    common: &Common,
    draft: DraftFolder,
    model: &Model,
    table: Option<&Table>,
) -> anyhow::Result<ExitCode> {
    let target = args.to.name();
    if args.verify && args.to != Target::Onnx {
        bail!("--verify: there is nothing to run with --to {target}");
    }
    if args.constant_time {
        bail!("--constant-time is for c and rust, not for {target}");
    }
    let features = table.map(|table| model.coding().features(table)).transpose()?;
    let style = style(args)?;
    let check = checked(model, table)?;
    let files = match args.to {
        Target::Onnx => export::onnx::write(model, check.as_ref(), &style)?,
        Target::Dot => drawing::write(model, features.as_ref(), &style),
        _ => {
            let page = explain::markdown(&args.model, model, features.as_ref(), check.as_ref());
            vec![File { path: format!("{}.md", style.name), bytes: page.into_bytes() }]
        }
    };
    for File { path, bytes } in files {
        draft.add(&path, &bytes)?;
    }
    save(model, &draft, &style)?;
    let mut checked = onnx::Checked::default();
    if args.to == Target::Onnx {
        let rows = onnx::rows(features.as_ref());
        onnx::write(model, &rows, &onnx::path(draft.temporary_path(), &style.name))?;
        if args.verify {
            checked = onnx::verify(args, common, &draft, model, features.as_ref(), &style)?;
        }
    }
    let files = listing(draft.temporary_path())?;
    let exact = (args.to == Target::Onnx).then(|| export::onnx::exact(model).is_some());
    let compared = |finding: &Finding| matches!(finding, Finding::Compared { .. });
    let counts = checked.counts.filter(|_| checked.findings.iter().any(compared));
    let statement = model.statement(check.as_ref());
    let object = json!({
        "target": target,
        "name": style.name,
        "folder": args.output,
        "files": files.iter().map(|file| &file.0).collect::<Vec<_>>(),
        "exact": exact,
        "statement": statement,
        "checked": check.as_ref().map(Check::holds),
        "checked_on": counts.map(finding::counts_json),
        "checks": checked.findings.iter().map(Finding::json).collect::<Vec<_>>(),
    });
    let mut text = format!("{target} written to {}\n{statement}\n", args.output.display());
    if let Some(exact) = exact {
        let (name, checks) = (&style.name, checked.text(exact, " "));
        text += &format!("\n{checks}\nreport in {}/{name}_report.md\n", args.output.display());
        let quoted = hardlim::export::names::quoted(&style.source);
        let version = env!("CARGO_PKG_VERSION");
        let mut page =
            format!("# {name}\n\n{target} written by hardlim {version} from {quoted}.\n\n");
        page += &format!("{statement}\n\n{}\n## Files\n\n", checked.text(exact, "-"));
        files.iter().for_each(|(file, bytes)| page += &format!("- {file} ({bytes} bytes)\n"));
        draft.add(&format!("{name}_report.md"), page.as_bytes())?;
        let json = serde_json::to_string_pretty(&object)? + "\n";
        draft.add(&format!("{name}_report.json"), json.as_bytes())?;
    }
    interrupt::undisturbed(|| draft.finish())?;
    crate::report::answer(common, || object, || text)?;
    Ok(ExitCode::SUCCESS)
}
