//! The map of the rooms: the same in `lib.rs` and `docs/architecture.md`, true of the folders, and
//! rooms import only from their left.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of the map in a text: those of the block that starts with `exact ▶`.
fn map(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.strip_prefix("//! ").unwrap_or(line).trim_end());
    let map = lines.skip_while(|line| !line.starts_with("exact ▶"));
    map.take_while(|line| !line.ends_with("```")).map(str::to_owned).collect()
}

/// The rooms from left to right. A room on a line of its own, `loss ───┘`, stands just left of the
/// room above its corner.
fn walk() -> Vec<String> {
    let (mut walk, mut above): (Vec<String>, String) = Default::default();
    for line in map(&read(&source().join("lib.rs"))) {
        let is_name = |word: &&str| word.chars().any(char::is_alphabetic);
        let names = line.split(' ').filter(is_name).map(str::to_owned);
        if let Some(corner) = line.chars().position(|c| c == '┘') {
            let right: String = above.chars().skip(corner).take_while(|c| *c != ' ').collect();
            let place = walk.iter().position(|room| *room == right);
            let place = place.unwrap_or_else(|| panic!("no room above the corner of {line}"));
            walk.splice(place..place, names);
        } else {
            walk.extend(names);
            above = line;
        }
    }
    walk
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .filter(|path| !path.file_stem().unwrap().to_string_lossy().ends_with("tests"))
        .collect()
}

/// The rooms of the crate that a file names, tests and comments not counted.
fn imports(path: &Path) -> BTreeSet<String> {
    let text = read(path);
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

/// What every room imports.
fn rooms() -> BTreeMap<String, BTreeSet<String>> {
    let of = |room: String| {
        let files = files(&source().join(&room));
        let found = files.iter().flat_map(|path| imports(path)).collect();
        (room, found)
    };
    walk().into_iter().map(of).collect()
}

#[test]
fn the_maps_agree_with_each_other_and_with_the_folders() {
    let library = read(&source().join("lib.rs"));
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/architecture.md"));
    assert_eq!(map(&page), map(&library));
    let folders: BTreeSet<String> = std::fs::read_dir(source())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(walk().into_iter().collect::<BTreeSet<String>>(), folders);
    // The table of the page has the rooms in the same order, with types that the rooms have.
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows: Vec<(&str, &str)> = rows.collect();
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), walk());
    for (room, rest) in rows {
        let code: String = files(&source().join(room)).iter().map(|path| read(path)).collect();
        let types = rest.split(" | ").next().unwrap_or_default();
        for name in types.split(", ").map(|name| name.trim_matches('`')) {
            let defined = ["struct", "enum", "trait", "type"]
                .iter()
                .any(|kind| code.contains(&format!("{kind} {name}")));
            assert!(defined, "{room} has no {name}");
        }
    }
}

#[test]
fn rooms_import_only_from_their_left() {
    let mut walk = walk();
    let table = walk.iter().position(|room| room == "table").unwrap();
    walk.insert(table + 1, "error".into());
    let place = |room: &String| walk.iter().position(|other| other == room);
    let error = BTreeMap::from([("error".to_owned(), imports(&source().join("error.rs")))]);
    for (room, found) in rooms().iter().chain(&error) {
        for import in found {
            let right = place(import) > place(room);
            assert!(place(import).is_none() || !right, "{room} imports {import}");
        }
    }
}

#[test]
fn what_proves_and_what_checks_know_neither_solver_nor_trainer() {
    let rooms = rooms();
    for room in ["certificate", "certify"] {
        for import in ["solver", "train", "export"] {
            assert!(!rooms[room].contains(import), "{room} imports {import}");
        }
    }
}
