//! Model files of earlier versions: they are read, and their certificates hold.

use std::path::{Path, PathBuf};

use hardlim::data::{ReadOptions, Table};
use hardlim::model::Model;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// The files of a version, by how their names begin.
fn files(start: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "hardlim"))
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(start))
        .collect();
    files.sort();
    files
}

fn check(path: &Path, table: &str, networks: usize) {
    let table = Table::open(table, &ReadOptions::default()).unwrap();
    let model = Model::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let data = model.training_data(&table).unwrap();
    assert_eq!(model.parts().len(), networks, "{}", path.display());
    let check = model.certify(&data).unwrap();
    assert!(check.holds(), "{}: {check:?}", path.display());
    // Written again it is a file of this version, and the same model.
    let text = model.to_text();
    assert!(text.starts_with("{\n  \"hardlim\": 3,\n"), "{text}");
    assert_eq!(Model::from_text(&text).unwrap(), model);
}

#[test]
fn files_of_one_network_are_read_and_certified() {
    let files = files("one_");
    assert!(files.len() >= 10, "{files:?}");
    files.iter().for_each(|path| check(path, "titanic", 1));
}

#[test]
fn files_of_several_classes_are_read_and_certified() {
    let (files, table) = (files("several"), folder().join("three.csv"));
    assert_eq!(files.len(), 2);
    files.iter().for_each(|path| check(path, &table.to_string_lossy(), 3));
}
