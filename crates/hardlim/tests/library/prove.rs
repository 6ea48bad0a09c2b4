//! Proofs are written, and believed by `check.py`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hardlim::Error;
use hardlim::loss::LossKind;
use hardlim::model::file::DraftFolder;
use hardlim::prove::{About, Proof};
use hardlim::table::{ReadOptions, Table};
use hardlim::train::Request;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Whether Python is there; a test says when it skips a part.
fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("python3 is not there: check.py is not run");
    }
    found
}

fn write(proof: &Proof, folder: &Path) -> PathBuf {
    proof.fill(DraftFolder::new(folder).unwrap()).unwrap();
    folder.join("check.py")
}

fn checked(check: &Path, data: &Path) -> Output {
    Command::new("python3").arg(check).arg(data).output().unwrap()
}

/// Small tables, many of them degenerate: ties, merged rows, few values, numbers of all sizes.
fn table_text(rng: &mut ChaCha8Rng, classes: bool) -> String {
    let (rows, columns) = (rng.random_range(2..14), rng.random_range(1..4));
    let kind = rng.random_range(0..4);
    let mut number = |_| match kind {
        0 => f64::from(rng.random_range(-1i32..2)),
        1 => f64::from(rng.random_range(0i32..9)) * 0.1,
        2 => rng.random_range(-1.0..1.0) * 10f64.powi(rng.random_range(-30..30)),
        _ => rng.random_range(-1.0f64..1.0),
    };
    let cells: Vec<Vec<f64>> = (0..rows).map(|_| (0..columns).map(&mut number).collect()).collect();
    let head: String = (0..columns).map(|j| format!("x{j},")).collect();
    let target = |i: usize, rng: &mut ChaCha8Rng| match classes {
        true => ["no", "yes"][if i < 2 { i } else { rng.random_range(0..2) }].to_owned(),
        false => format!("{}", [0.5, -1.0, 2.25][i % 3] + f64::from(rng.random_range(0i32..4))),
    };
    let row = |(i, cells): (usize, Vec<f64>)| {
        let cells: String = cells.iter().map(|x| format!("{x:e},")).collect();
        format!("{cells}{}\n", target(i, rng))
    };
    format!("{head}y\n") + &cells.into_iter().enumerate().map(row).collect::<String>()
}

#[test]
fn proofs_of_all_classes_and_losses_are_believed_and_no_bound_is_above_the_optimum() {
    let (python, folder) = (python(), tempfile::tempdir().unwrap());
    let questions = [
        "max_inputs=1",
        "max_inputs=2",
        "",
        "method=complete",
        "method=sample patterns=20",
        "max_inputs=1 intercept=true",
        "max_inputs=2 non_negative=true",
        "max_inputs=1 bias=false",
        "method=enumerate",
        "max_inputs=2 intercept=true",
        "method=sample patterns=15 bias=false",
        "layers=3 widths=2 method=sample patterns=10",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut proven, mut none) = (0, 0);
    for k in 0..240 {
        let loss = LossKind::all()[k / questions.len() % 7];
        let classes = matches!(loss.to_string().as_str(), "hinge" | "squared-hinge" | "logistic");
        let text = table_text(&mut rng, classes);
        let question = questions[k % questions.len()];
        let beta = [0.05, 0.3, 1.0, 4.0][rng.random_range(0..4)];
        let task = if classes { "classify" } else { "regress" };
        let options = format!("{question} beta={beta} loss={loss} task={task}");
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let case = format!("{k}: {options}\n{text}");
        let Ok(trained) = Request::of(&options).unwrap().train(&table) else { continue };
        let about = if question.contains("layers") { About::AllNetworks } else { About::Class };
        let proof = match trained.model.prove(&table, about, &|_, _| ()) {
            Ok(proof) => proof,
            Err(Error::NoProof { why }) => {
                assert!(why.contains("exact") || why.contains("bias"), "{why} {case}");
                none += 1;
                continue;
            }
            Err(error) => panic!("{error}: {case}"),
        };
        proven += 1;
        let stated = match about {
            About::Class => trained.model.certificate(),
            About::AllNetworks => trained.model.global(),
        };
        let (bound, stated) = (proof.certificate.lower_bound(), stated.lower_bound());
        let least = stated - 1e-9 * stated.abs() - 1e-12;
        assert!(least <= bound && bound <= stated, "{bound} {stated} {case}");
        // The network that was found is at least as good as the optimum is bad.
        assert!(bound <= trained.model.certificate().objective(), "{case}");
        if python {
            let data = folder.path().join("t.csv");
            std::fs::write(&data, &text).unwrap();
            let check = write(&proof, &folder.path().join(k.to_string()));
            let output = checked(&check, &data);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said} {case}");
        }
    }
    assert!(proven >= 200, "{proven} proofs, {none} without one");
}

#[test]
fn a_proof_has_the_same_bytes_for_any_number_of_threads() {
    let text = "a,b,y\n1,2,no\n2,1,yes\n3,5,no\n4,3,yes\n5,9,yes\n7,1,no\n8,8,yes\n";
    let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let model = Request::of("max_inputs=2 beta=0.2").unwrap().train(&table).unwrap().model;
    let files = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let proof = pool.install(|| model.prove(&table, About::Class, &|_, _| ())).unwrap();
        proof.files().map(|(name, text)| (name.to_owned(), text.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(files(1), files(2));
}

#[test]
fn other_data_and_classes_without_a_proof_are_refused() {
    let text = "a,b,y\n1,2,no\n2,1,yes\n3,5,no\n4,3,yes\n";
    let read = |text: &str| Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let (table, other) = (read(text), read(&text.replace("3,5", "3,6")));
    let model = Request::of("max_inputs=2 beta=0.2").unwrap().train(&table).unwrap().model;
    let refused = model.prove(&other, About::Class, &|_, _| ()).unwrap_err();
    assert!(matches!(refused, Error::NotProven(_)), "{refused}");
    let deep = Request::of("layers=3 widths=2 method=sample patterns=10 beta=0.2").unwrap();
    let deep = deep.train(&table).unwrap().model;
    let refused = deep.provable(About::Class).unwrap_err().to_string();
    assert!(refused.contains("more than two layers"), "{refused}");
    deep.prove(&table, About::AllNetworks, &|_, _| ()).unwrap();
}

/// Replaces the first line that starts with a word.
fn with_line(text: &str, word: &str, line: &str) -> String {
    let found = text.lines().position(|l| l.starts_with(word)).expect("there is such a line");
    let new = |(k, old): (usize, &str)| if k == found { line.to_owned() } else { old.to_owned() };
    text.lines().enumerate().map(|l| new(l) + "\n").collect()
}

#[test]
fn what_is_altered_is_refused_with_the_step() {
    if !python() {
        return;
    }
    let text = "a,b,y\n1,2,no\n2,1,yes\n3,5,maybe\n4,3,yes\n5,9,no\n7,1,maybe\n";
    let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let model = Request::of("max_inputs=1 beta=0.3").unwrap().train(&table).unwrap().model;
    let proof = model.prove(&table, About::Class, &|_, _| ()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let check = write(&proof, &folder.path().join("proof"));
    let data = folder.path().join("t.csv");
    let right: Vec<(&str, &str)> = proof.files().collect();
    let of = |name: &str| right.iter().find(|(file, _)| *file == name).unwrap().1;
    assert!(of("check.py").lines().count() <= 300, "one person audits it in an hour");
    let refused = |changed: &[(&str, String)], table: &str, step: &str| {
        for (name, text) in changed {
            std::fs::write(check.with_file_name(name), text).unwrap();
        }
        std::fs::write(&data, table).unwrap();
        let output = checked(&check, &data);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{step}: {said}");
        assert!(said.starts_with("NOT PROVEN: ") && said.contains(step), "{step}: {said}");
        for (name, text) in &right {
            std::fs::write(check.with_file_name(name), text).unwrap();
        }
    };
    let [first, second] = ["core-1.txt", "core-2.txt"];
    let stated = of("statement.json");

    // Files that are not whole, or hold something else.
    refused(&[(first, of(first)[..of(first).len() / 2].into())], text, "well-formed");
    refused(&[(first, of(first).replace("squared", "cubed"))], text, "well-formed");
    refused(&[("statement.json", stated[..stated.len() / 2].into())], text, "well-formed");
    refused(&[(first, with_line(of(first), "bias", "bias 2"))], text, "well-formed");
    refused(&[(first, with_line(of(first), "beta", "beta 0 1"))], text, "beta, theta");
    // Networks of several problems.
    let easy = with_line(of(second), "beta", "beta 100 1");
    let mut dear: serde_json::Value = serde_json::from_str(stated).unwrap();
    dear["networks"][1]["objective"] = "10000/1".into();
    let changed = [(second, easy), ("statement.json", dear.to_string())];
    refused(&changed, text, "all networks have one loss, beta");
    // Networks, and proofs, that belong to other labels.
    let mut turned: serde_json::Value = serde_json::from_str(stated).unwrap();
    turned["networks"].as_array_mut().unwrap().swap(0, 1);
    refused(&[("statement.json", turned.to_string())], text, "one network for each class");
    let exchanged = [(first, of(second).to_owned()), (second, of(first).to_owned())];
    refused(&exchanged, text, "NOT PROVEN");
    // Tables.
    refused(&[], &text.replace("a,b,y", "a,a,y"), "these columns");
    refused(&[], &text.replace("a,b,y", "b,a,y"), "the rows are those of the file");
    refused(&[], &text.replace("3,5,", "3,5,5,"), "of different names");
    refused(&[], &text.replace("3,5,maybe\n", ""), "these columns and rows");
    refused(&[], &text.replace("3,5,maybe", "3,5,no"), "the rows are those of the file");
    let doubled = ["y", "no", "yes", "maybe"].iter().fold(text.to_owned(), |text, last| {
        let cell = if *last == "y" { "c" } else { "0" };
        text.replace(&format!(",{last}\n"), &format!(",{cell},{cell},{last}\n"))
    });
    refused(&[], &doubled, "of different names");
}
