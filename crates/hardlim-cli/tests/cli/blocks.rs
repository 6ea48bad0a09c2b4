//! `--memory`: training, scoring and checking block by block.

use super::{Folder, json, number, refused, run, run_line, samples, says};

/// The rows of a table that is walked in blocks.
const MANY: usize = 66_000;
/// The flags of a short training in blocks.
const SHORT: [&str; 6] = ["--memory", "100MB", "--patterns", "20", "--beta-ratio", "0.1"];

/// A model file without the hashes of its files, which are others for other files.
fn without_hashes(model: &str) -> Vec<String> {
    let text = std::fs::read_to_string(model).unwrap();
    let hashes =
        |line: &&str| line.starts_with("  \"files\"") || line.starts_with("  \"checksum\"");
    text.lines().filter(|line| !hashes(line)).map(str::to_owned).collect()
}

#[test]
fn a_table_is_trained_scored_and_checked_block_by_block() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(MANY));
    let (model, whole) = (folder.file("m"), folder.file("whole"));
    run(&[&["train", &table, "-o", &model][..], &SHORT].concat()).says(&[
        ": 66000 rows in ",
        "logistic loss, beta = ",
        "patterns, on rows in blocks",
        "Certified: ",
        "  training   accuracy ",
        " on 66000 rows",
        " passes over the rows",
    ]);
    // Rows in memory are walked in the same way.
    run(&[&["train", &table, "-o", &whole][..], &SHORT[2..]].concat())
        .says(&[": 66000 rows in 5 blocks"]);
    assert!(std::fs::read(&model).unwrap() == std::fs::read(&whole).unwrap());
    let check = run(&["certify", &model, &table]);
    assert!(check.text(0).starts_with("The certificate holds"), "{}", check.stdout);
    let whole = json(&format!("evaluate {model} {table}"));
    let blocks = json(&format!("evaluate {model} {table} --memory 64MiB"));
    assert_eq!(whole["accuracy"], blocks["accuracy"]);
    assert_eq!(whole["log_loss"], blocks["log_loss"]);
    // The page and the rules read such a model, too.
    assert_eq!(run(&["explain", &model, &table]).code, 0);
}

#[test]
fn few_rows_are_gathered_and_trained_as_in_memory() {
    let folder = Folder::new();
    let text = samples::labelled(120);
    let table = folder.write("t.csv", &text);
    let (first, second) = text.split_at(text.match_indices('\n').nth(50).unwrap().0 + 1);
    let header = text.lines().next().unwrap();
    let one = folder.write("part-1.csv", first);
    let two = folder.write("part-2.csv", format!("{header}\n{second}"));
    let (whole, blocks) = (folder.file("whole"), folder.file("blocks"));
    for flags in [&[][..], &["--beta", "2", "--loss", "hinge"], &["--neurons", "2"]] {
        run(&[&["train", &table, "-o", &whole], flags].concat()).text(0);
        let memory = ["--memory", "64MiB", "-o", &blocks];
        let ran = run(&[&["train", &one, &two], &memory[..], flags].concat());
        assert!(!ran.text(0).contains("rows in "), "{}", ran.stdout);
        assert!(without_hashes(&whole) == without_hashes(&blocks), "{flags:?}");
    }
    let check = run(&["certify", &blocks, &folder.file("part-*.csv"), "--memory", "1GiB"]);
    assert!(check.text(0).starts_with("The certificate holds"), "{}", check.stdout);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(60));
    let many = folder.write("many.csv", samples::labelled(MANY));
    let changed = folder.write("u.csv", "a,b,label\n1,wide,yes\n");
    let none = folder.file("none-*.csv");
    for (line, words) in [
        (format!("{table} --memory lots"), "expected a size such as 1GiB or 500MB"),
        (format!("{table} --memory 1MB"), "needs at least 64 MiB"),
        (
            format!("{many} --memory 1GiB --max-inputs 2"),
            "--max-inputs 2 needs the rows in memory, at most 65536",
        ),
        (format!("{many} --memory 1GiB --beta 3"), "with one input and a bias (--max-inputs 1)"),
        (format!("{table} {table}"), "several files are read with --memory"),
        (format!("{none} --memory 1GiB"), "no file has such a name"),
        ("- --memory 1GiB".into(), "read twice"),
        (
            format!("{table} {changed} --memory 1GiB"),
            "u.csv: row 2, column \"b\": expected a number, got \"wide\"",
        ),
    ] {
        refused(&format!("train {line}"), words);
    }
}

#[test]
fn folds_limits_on_inputs_and_paths_go_block_by_block() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(MANY));
    let model = folder.file("m");
    let line = format!("train {table} --memory 1GiB");
    let object = json(&format!("{line} --patterns 20 --cv 4 --cv-points 3"));
    has!(object, { "chosen": { "folds": 4 } });

    let object = json(&format!("{line} --max-inputs 1 --beta-ratio 0.1 -o {model}"));
    let certificate = &object["certificate"];
    has!(certificate, { "scope": "global", "max_inputs": 1, "bound": "exact" });
    assert_eq!(object["method"], "generate");
    assert!(number(&certificate["relative_gap"]) <= 1.1e-4, "{certificate}");
    let check = run(&["certify", &model, &table, "--memory", "64MiB"]);
    assert!(check.text(0).starts_with("The certificate holds"), "{}", check.stdout);

    let path = format!("path {table} --points 4 --least 0.05 --patterns 20 --memory 1GiB");
    let object = json(&path);
    let points = object["points"].as_array().unwrap();
    assert_eq!((points.len(), &points[0]["neurons"]), (4, &0.into()));
    assert!(points.iter().all(|point| number(&point["relative_gap"]) < 1e-3), "{object}");
    run_line(&path).says(&[
        ": 66000 rows in 1 block, 2 features",
        "Certified: at each beta, no two-layer network",
    ]);

    let late = run(&[&["train", &table, "--time-limit", "0.001"][..], &SHORT].concat());
    assert!(late.text(0).contains("(stopped: time limit"), "{}", late.stdout);
}

#[test]
fn a_class_that_only_one_part_has_is_named() {
    let folder = Folder::new();
    // More rows than the sample has; row 66,002 is not in it.
    let rows = (0..66_000).map(|i| format!("{},{}\n", i % 97, ["no", "yes"][i % 2]));
    let many = folder.write("many.csv", "a,label\n".to_owned() + &rows.collect::<String>());
    let part = folder.write("part.csv", "a,label\n1,no\n1,no\n1,maybe\n");
    let ran = run(&["train", &many, &part, "--memory", "64MiB", "--patterns", "3", "--beta", "9"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    says(&ran.stderr, &["part.csv: row 4, column \"label\""]);
    says(&ran.stderr, &["maybe"]);
}

#[cfg(unix)]
#[test]
fn nothing_is_left_behind_however_it_ends() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let (folder, temporary) = (Folder::new(), Folder::new());
    let table = folder.write("t.csv", samples::labelled(70_000));
    let start = |flags: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("hardlim"));
        command.args(["train", &table, "--memory", "64MiB", "--patterns", "4000"]).args(flags);
        command.env("TMPDIR", temporary.path()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let code = |flags: &[&str]| start(flags).wait().unwrap().code();
    // Row 70,000 is not in the sample, so its class is found while the rows are coded.
    let bad = folder.write("bad.csv", "a,b,label\n1,1,maybe\n");
    assert_eq!(code(&[&bad]), Some(2));
    assert_eq!(code(&["--beta-ratio", "0.5", "--gap", "0.5"]), Some(0));
    assert!(temporary.names().is_empty());
    for signal in ["-INT", "-TERM", "-KILL"] {
        let mut running = start(&["--gap", "1e-14"]);
        // The file is open, without a name, from the moment that the rows are coded.
        let files = format!("/proc/{}/fd", running.id());
        let open = || {
            let files = std::fs::read_dir(&files).into_iter().flatten().flatten();
            let mut targets = files.filter_map(|file| std::fs::read_link(file.path()).ok());
            targets.any(|target| target.starts_with(temporary.path()))
        };
        let limit = Instant::now() + Duration::from_secs(60);
        while cfg!(target_os = "linux") && !open() && Instant::now() < limit {
            assert!(running.try_wait().unwrap().is_none(), "it ended before that");
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = running.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        running.wait().unwrap();
        assert!(temporary.names().is_empty(), "{signal}: {:?}", temporary.names());
    }
}
