//! Modules import only from their left on the walk of the data, and `certify` knows no solver.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The walk of the data. `loss` stands beside it, left of `program`.
const WALK: [&str; 16] = [
    "exact",
    "data",
    "pattern",
    "arrangement",
    "pricing",
    "loss",
    "program",
    "certificate",
    "rows",
    "solver",
    "network",
    "model",
    "explain",
    "certify",
    "train",
    "export",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// The modules of the crate that a file names, tests and comments not counted.
fn imports(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let name = |after: &str| -> String {
        after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let found: BTreeSet<String> =
        lines.flat_map(|line| line.split("crate::").skip(1).map(name)).collect();
    assert!(!found.contains(""), "{}: one import a line", path.display());
    found
}

/// What every module of the walk that is there imports.
fn modules() -> BTreeMap<&'static str, BTreeSet<String>> {
    let of = |module: &'static str| {
        let files = files(&source().join(module));
        let found = files.iter().flat_map(|path| imports(path)).collect();
        (!files.is_empty()).then_some((module, found))
    };
    WALK.into_iter().filter_map(of).collect()
}

#[test]
fn modules_import_only_from_their_left() {
    let modules = modules();
    assert!(modules.len() >= 12, "{:?}", modules.keys());
    let place = |module: &str| WALK.iter().position(|m| *m == module);
    for (module, found) in &modules {
        for import in found {
            let right = place(import) > place(module);
            assert!(place(import).is_none() || !right, "{module} imports {import}");
        }
    }
}

#[test]
fn what_proves_and_what_checks_know_neither_solver_nor_trainer() {
    let modules = modules();
    for module in ["certificate", "certify"] {
        for import in ["solver", "train", "export"] {
            assert!(!modules[module].contains(import), "{module} imports {import}");
        }
    }
}
