//! `--memory`: training, scoring and checking block by block.

use super::{Folder, run, samples};

/// The flags of a short training.
const SHORT: [&str; 4] = ["--memory", "100MB", "--patterns", "80"];

#[test]
fn a_table_is_trained_scored_and_checked_block_by_block() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(400));
    let model = folder.file("m");
    let ran = run(&[&["train", &table, "-o", &model][..], &SHORT].concat());
    for words in [
        "expected on new rows: accuracy ",
        "(one row in ten held out)",
        ": 400 rows in 1 block, ",
        "logistic loss, beta = ",
        "patterns, on rows in blocks",
        "Certified: ",
        "  training   accuracy ",
        " on 400 rows",
    ] {
        assert!(ran.text(0).contains(words), "{words}\n{}", ran.stdout);
    }
    let check = run(&["certify", &model, &table]);
    assert!(check.text(0).starts_with("The certificate holds"), "{}", check.stdout);
    let whole = run(&["evaluate", &model, &table, "--json"]).json(0);
    let blocks = run(&["evaluate", &model, &table, "--memory", "64MiB", "--json"]).json(0);
    assert_eq!(whole["accuracy"], blocks["accuracy"]);
    assert_eq!(whole["log_loss"], blocks["log_loss"]);
    // The page and the rules read such a model, too.
    assert_eq!(run(&["explain", &model, &table]).code, 0);
}

#[test]
fn several_files_are_one_table_and_the_memory_changes_nothing() {
    let folder = Folder::new();
    let text = samples::labelled(900);
    let whole = folder.write("whole.csv", &text);
    let lines: Vec<&str> = text.lines().collect();
    for (k, rows) in lines[1..].chunks(250).enumerate() {
        folder.write(&format!("part-{k}.csv"), format!("{}\n{}\n", lines[0], rows.join("\n")));
    }
    let (one, many, listed) = (folder.file("one"), folder.file("many"), folder.file("listed"));
    let train = |data: &[&str], model: &str, memory: &str| {
        let flags = ["-o", model, "--memory", memory, "--patterns", "80", "--json"];
        run(&[&["train"], data, &flags].concat()).json(0)
    };
    let json = train(&[&whole], &one, "2GiB");
    assert_eq!((json["n"].as_u64(), json["d"].as_u64()), (Some(900), Some(2)));
    assert!(json["certificate"]["relative_gap"].as_f64().unwrap() < 1e-3);
    train(&[&folder.file("part-*.csv")], &many, "64MiB");
    let files: Vec<String> = (0..4).map(|k| folder.file(&format!("part-{k}.csv"))).collect();
    train(&files.iter().map(String::as_str).collect::<Vec<_>>(), &listed, "64MiB");
    let read = |path: &str| std::fs::read(path).unwrap();
    assert_eq!(read(&one), read(&many));
    assert_eq!(read(&one), read(&listed));
    let check = run(&["certify", &many, &folder.file("part-*.csv"), "--memory", "1GiB"]);
    assert!(check.text(0).starts_with("The certificate holds"), "{}", check.stdout);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(60));
    let error = |flags: &[&str]| {
        let ran = run(&[&["train", &table], flags].concat());
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        ran.stderr
    };
    assert!(error(&["--memory", "lots"]).contains("expected a size such as 1GiB or 500MB"));
    assert!(error(&["--memory", "1MB"]).contains("needs at least 64 MiB"));
    let inputs = error(&["--memory", "1GiB", "--max-inputs", "1"]);
    assert!(inputs.contains("--max-inputs 1 does not apply"), "{inputs}");
    assert!(error(&[&table]).contains("several files are read with --memory"));
    assert!(error(&["none-*.csv", "--memory", "1GiB"]).contains("no file has such a name"));
    let ran = run(&["train", "-", "--memory", "1GiB"]);
    assert!(ran.stderr.contains("read twice"), "{}", ran.stderr);
    let changed = folder.write("u.csv", "a,b,label\n1,wide,yes\n");
    let ran = run(&["train", &table, &changed, "--memory", "1GiB"]);
    assert!(ran.stderr.contains("\"b\"") && ran.stderr.contains("wide"), "{}", ran.stderr);
}
