//! `hardlim arrangements`.

use std::fs;

use super::{Folder, json, refused, run, run_line, says};

#[test]
fn counts_are_those_of_the_theory() {
    for (line, patterns) in [
        ("line", 10),
        ("line --widths 1", 10),
        ("line --widths 2", 22),
        ("line --widths 3", 30),
        ("line --widths 4", 32),
        ("line --widths 1,2", 10),
        ("line --widths 1,2 --tree", 22),
        ("titanic", 442),
        ("titanic --count-only", 442),
    ] {
        let object = json(&format!("arrangements {line}"));
        assert_eq!(object["patterns"], patterns, "{line}: {object}");
        assert!(object["upper_bound"].as_u64().unwrap() >= patterns, "{line}: {object}");
        assert_eq!(object["complete"], patterns == 32, "{line}: {object}");
    }
    let object = json("arrangements titanic");
    has!(object, { "n": 2201, "distinct": 14, "d": 3, "rank": 4, "upper_bound": 756, "layers": 2 });
}

#[test]
fn patterns_may_live_on_faces_only() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "x\n1\n-1\n");
    let ran = run_line(&format!("arrangements {table} --no-target --no-bias"));
    let text = ran.text(0);
    let mut shown: Vec<&str> = text.lines().map(str::trim).filter(|l| l.len() == 2).collect();
    shown.sort_unstable();
    assert_eq!(shown, ["01", "10", "11"], "{text}");
    ran.says(&["\n3 patterns\n"]);
}

#[test]
fn a_newcomer_reads_the_size_first_and_then_the_patterns() {
    run_line("arrangements line").says(&[
        "line: 5 rows (all distinct), 1 feature; the target y is left out",
        "rank 2 on 5 distinct rows: not every dichotomy is a pattern of one neuron",
        "at most 10 patterns (640 B of memory, less than a second)",
        "\n10 patterns\n",
        "\n  00111\n",
    ]);
    run_line("arrangements line --widths 4").says(&["32 patterns: every dichotomy of the rows"]);
    let ran = run_line("arrangements titanic");
    assert!(!ran.text(0).contains("0101"), "too many to show: {}", ran.stdout);
}

#[test]
fn one_row_and_targets_of_many_classes_are_no_obstacle() {
    let folder = Folder::new();
    let one = folder.write("one.csv", "x,y\n1,2\n");
    let object = json(&format!("arrangements {one}"));
    has!(object, { "patterns": 2, "complete": true });
    let many = folder.write("many.csv", "x,y\n1,u\n2,v\n3,w\n");
    assert_eq!(json(&format!("arrangements {many}"))["patterns"], 6);
    assert_eq!(json(&format!("arrangements {many} --target x"))["d"], 3);
    assert_eq!(json(&format!("arrangements {many} --no-target"))["d"], 4);
    assert_eq!(json(&format!("arrangements {many} --no-target --ignore y"))["d"], 1);
}

#[test]
fn complete_arrangements_are_counted_without_being_listed() {
    let object = json("arrangements teacher2 --rows 100 --features 150 --count-only");
    has!(object, { "complete": true, "rank": 100 });
    assert_eq!(object["patterns"].as_f64(), Some(2f64.powi(100)));
}

#[test]
fn counts_beyond_every_number_are_powers_of_two() {
    let line = "arrangements teacher2 --rows 150 --features 200 --count-only";
    let object = json(line);
    has!(object, { "complete": true, "rank": 150, "patterns": null, "upper_bound": null });
    run_line(line)
        .says(&["at most 2^150 patterns", "\n2^150 patterns: every dichotomy of the rows\n"]);
}

#[test]
fn files_hold_every_pattern_for_every_row() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "x,y\n3,0\n1,1\n3,0\n2,1\n");
    let csv = folder.file("patterns.csv");
    let object = json(&format!("arrangements {table} -o {csv}"));
    has!(object, { "patterns": 6, "file": csv });
    let text = fs::read_to_string(&csv).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("row1,row2,row3,row4", 7));
    for line in &lines[1..] {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells.len(), cells[0]), (4, cells[2]), "equal rows answer alike: {line}");
        // 2 lies between 1 and 3.
        assert!(cells[0] != cells[1] || cells[3] == cells[0], "{line}");
    }
    // A matrix that `hardlim lasso` reads.
    let (npy, target) = (folder.file("D.npy"), folder.file("y.npy"));
    run(&["arrangements", &table, "-o", &npy]).text(0);
    let bytes = fs::read(&npy).unwrap();
    assert_eq!(bytes.len(), 128 + 4 * 6);
    assert!(String::from_utf8_lossy(&bytes[..128]).contains("'shape': (4, 6)"));
    let first: Vec<String> = bytes[128..132].iter().map(ToString::to_string).collect();
    assert_eq!(first.join(","), lines[1]);
    let mut y = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let shape = "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }";
    y.extend(format!("{shape:<117}\n").bytes());
    [0.0f64, 1.0, 0.0, 1.0].iter().for_each(|v| y.extend(v.to_le_bytes()));
    fs::write(&target, y).unwrap();
    let lasso = json(&format!("lasso --design {npy} --target {target} --beta 0.1"));
    has!(lasso, { "n": 4, "patterns": 6 });
    assert_eq!(folder.names(), ["D.npy", "patterns.csv", "t.csv", "y.npy"]);
}

#[test]
fn what_may_be_too_large_is_refused_with_the_estimate_and_what_to_use() {
    let folder = Folder::new();
    let ran = run(&["arrangements", "tic-tac-toe", "-o", &folder.file("p.csv")]);
    let error = ran.error();
    says(
        error,
        &[
            "rank 10 on 958 distinct rows",
            "TiB",
            "years",
            "--limit of 100000000",
            "--method sample",
        ],
    );
    assert!(folder.names().is_empty());
    assert_eq!(json("arrangements titanic --limit 756")["patterns"], 442);
}

#[test]
fn flags_and_names_are_checked() {
    let folder = Folder::new();
    let gap = folder.write("gap.csv", "x,y\n1,2\n,3\n4,5\n");
    refused(&format!("arrangements {gap}"), "row 3, column \"x\"");
    assert_eq!(json(&format!("arrangements {gap} --missing mean"))["patterns"], 8);
}

#[test]
fn hulls_are_drawn_for_two_and_three_rows() {
    let folder = Folder::new();
    let three = "x,y\n-1,0\n0,1\n1,0\n";
    for (name, table, flags, words) in [
        ("two.svg", "x,y\n1,0\n2,1\n", "", &["2 layers: 4 patterns", ">u2<"][..]),
        ("three.svg", three, "", &["2 layers: 6 patterns", ">u3<", ">−101<"]),
        ("deep.svg", three, "", &["3 layers, width 2: 8 patterns"]),
        ("wide.svg", three, "--widths 1,2 --tree", &["4 layers, widths 1, 2, trees: 8 patterns"]),
        ("flat.svg", "x,y\n1,0\n2,1\n3,1\n", "--no-bias", &[">−111<"]),
    ] {
        let table = folder.write("t.csv", table);
        let file = folder.file(name);
        let object = json(&format!("arrangements {table} --hull {file} {flags}"));
        assert_eq!(object["hull"], file.as_str());
        let svg = fs::read_to_string(&file).unwrap();
        assert!(words.iter().all(|words| svg.contains(words)), "{name}");
    }
    let table = folder.write("t.csv", three);
    let png = folder.file("three.png");
    run(&["arrangements", &table, "--hull", &png]).text(0);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let words = "--hull: only 2 or 3 distinct rows can be drawn, found 5";
    refused(&format!("arrangements line --hull {}", folder.file("line.svg")), words);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_file() {
    let folder = Folder::new();
    let (rows, features, file) = ("120", "4", folder.file("p.csv"));
    let size = ["--rows", rows, "--features", features, "-o", &file];
    let mut running =
        super::running::Running::start(&[&["arrangements", "teacher2"], &size[..]].concat());
    running.until(|line| line.contains(" of at most ")); // some are found
    running.interrupt();
    let output = running.output();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}
