//! `hardlim explain`.

use std::fs;

use super::{Folder, json, number, refused, run, run_line, samples};

/// Ages, labels and two labels of a target that follow from both.
fn people() -> String {
    let row = |i: usize| {
        let (age, sex) = (18 + i * 7 % 50, if i.is_multiple_of(3) { "male" } else { "female" });
        let class = ["1st", "2nd", "3rd"][i % 7 % 3];
        let y = (age > 40) != (sex == "male");
        format!("{age},{sex},{class},{}\n", if y { "yes" } else { "no" })
    };
    "age,sex,class,answer\n".to_owned() + &(0..60).map(row).collect::<String>()
}

#[test]
fn rules_are_in_the_words_of_the_table() {
    let folder = Folder::new();
    let table = folder.write("people.csv", people());
    let model = folder.model("m", &table, &["--max-inputs", "1", "--beta", "1"]);
    let ran = run(&["explain", &model, &table]);
    let text = ran.text(0);
    let claim =
        "no two-layer threshold network of any width whose neurons read one input is better";
    assert!(text.starts_with(&format!("# m\n\nCertified: {claim}")), "{text}");
    // Without the training data nothing is certified.
    let ran = run(&["explain", &model]);
    let text_alone = ran.text(0);
    let start = format!("# m\n\nCertificate not checked: {claim}");
    assert!(text_alone.starts_with(&start), "{text_alone}");
    let other = folder.write("others.csv", people().replace("20,", "21,"));
    let ran = run(&["explain", &model, &other]);
    let words =
        "Certificate not checked, because the data are not the training data of the model: no ";
    ran.says(&[words]);
    ran.says(&[
        "| reads ",
        "age ≥ ",
        "holds on, of 60",
        " changes ",
        " neurons ",
        "From 0 on it means answer = yes",
        " bits in total.",
    ]);
    assert!(text.contains("sex = male") || text.contains("sex ≠ male"), "{text}");
    // Lines of a table are of one length.
    let lengths: Vec<usize> =
        text.lines().filter(|l| l.starts_with('|')).map(|l| l.chars().count()).collect();
    assert!(lengths.len() > 3 && lengths.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
}

#[test]
fn the_object_holds_every_rule_and_the_most_important_first() {
    let folder = Folder::new();
    let table = folder.write("people.csv", people());
    let flags = ["--max-inputs", "2", "--beta", "1"];
    let model = folder.model("m", &table, &flags);
    let object = json(&format!("explain {model} {table}"));
    let rules = object["layers"][0].as_array().unwrap();
    assert_eq!(
        rules.len(),
        json(&format!("train {table} {}", flags.join(" ")))["neurons"].as_u64().unwrap() as usize
    );
    let importance: Vec<f64> = rules.iter().map(|r| number(&r["importance"])).collect();
    assert!(importance.is_sorted_by(|a, b| a >= b), "{importance:?}");
    for rule in rules {
        assert!(rule["fires"].as_u64().unwrap() <= 60 && rule["text"].is_string(), "{rule}");
        assert!(rule["rule"]["kind"].is_string() && rule["weight"].is_number(), "{rule}");
    }
    assert!(object["bits"].as_u64().unwrap() > 0);
    has!(object, { "columns": 3, "rows": 60 });
    assert!(object["headline"].as_str().unwrap().starts_with("Certified: "));
}

/// The same with every fifth age missing.
fn people_with_gaps() -> String {
    let gap = |(i, line): (usize, &str)| match line.split_once(',') {
        Some((_, rest)) if i % 5 == 1 => format!(",{rest}\n"),
        _ => format!("{line}\n"),
    };
    people().lines().enumerate().map(gap).collect()
}

#[test]
fn a_missing_number_is_at_least_nothing_and_every_rule_says_so() {
    let folder = Folder::new();
    let table = folder.write("people.csv", people_with_gaps());
    let model = folder.model("m", &table, &["--max-inputs", "1", "--beta", "0.3"]);
    let object = json(&format!("explain {model} {table}"));
    let groups = object["groups"].as_array().unwrap();
    let rules = groups.iter().flat_map(|group| group["rules"].as_array().unwrap());
    let mut cuts = 0;
    for rule in rules.filter(|rule| rule["rule"]["column"] == "age") {
        let (value, at_least) = (number(&rule["rule"]["value"]), &rule["rule"]["at_least"]);
        // No cut lies between the number that stands for missing ages and the least age.
        assert!((18.0..68.0).contains(&value), "{rule}");
        assert_eq!(rule["missing"]["holds"].as_bool(), at_least.as_bool().map(|least| !least));
        assert_eq!(rule["missing"]["rows"], 12);
        cuts += 1;
    }
    assert!(cuts > 0, "{object}");
    let ran = run(&["explain", &model, &table, "--all"]);
    ran.says(&["| if missing ", " (12) ", "Certified: "]);
    let ran = run(&["explain", &model]);
    assert!(ran.text(0).contains("| no ") || ran.stdout.contains("| holds "), "{}", ran.stdout);
    // Sums say what they read where a cell is missing.
    let model = folder.model("n", &table, &["--max-inputs", "2", "--beta", "0.3"]);
    let object = json(&format!("explain {model} {table}"));
    let ran = run(&["explain", &model, &table]);
    ran.says(&["Where a cell is missing, sums count age as "]);
    assert_eq!(object["fills"][0][0], "age");
}

#[test]
fn one_row_is_explained_by_rules_that_add_up_and_by_the_nearest_changes() {
    let folder = Folder::new();
    let table = folder.write("people.csv", people_with_gaps());
    let model = folder.model("m", &table, &["--max-inputs", "1", "--beta", "0.3"]);
    let ran = run(&["explain", &model, &table, "--row", "3,2"]);
    let text = ran.text(0);
    assert!(text.starts_with("# row 3 of ") && text.contains("\n# row 2 of "), "{text}");
    ran.says(&["; true: ", "| if no rule holds ", "| missing ", "## Nearest changes of one input"]);
    let object = json(&format!("explain {model} {table} --row 3"));
    let row = &object["rows"][0];
    let held = row["rules"].as_array().unwrap().iter().filter(|rule| rule["holds"] == true);
    let sum = number(&row["base"]) + held.map(|rule| number(&rule["weight"])).sum::<f64>();
    let answers = json(&format!("predict {model} {table}"));
    assert_eq!(sum, number(&answers["outputs"][1]));
    assert_eq!(row["prediction"], answers["predictions"][1]);
    has!(row, { "row": 3 });
    for change in row["changes"].as_array().unwrap() {
        assert_ne!(change["gives"], row["prediction"]);
    }
    refused(&format!("explain {model} {table} --row 1"), "no row 1: rows are 2 to 61");
    refused(&format!("explain {model} --row 2"), "DATA");
}

#[test]
fn the_class_that_counts_can_be_chosen() {
    let folder = Folder::new();
    let table = folder.write("people.csv", people());
    let flags = ["--max-inputs", "1", "--beta", "1"];
    let usual = folder.model("m", &table, &flags);
    let turned = folder.model("n", &table, &[&flags[..], &["--positive", "no"]].concat());
    let [one, other] = [&usual, &turned].map(|model| json(&format!("explain {model} {table}")));
    assert_eq!(number(&one["offset"]), -number(&other["offset"]));
    let ran = run(&["explain", &turned, &table]);
    ran.says(&["Certified: ", "From 0 on it means answer = no, below 0 answer = yes"]);
    let scores = [&usual, &turned].map(|model| json(&format!("evaluate {model} {table}")));
    assert_eq!(scores[0]["log_loss"], scores[1]["log_loss"]);
    let words = "--positive is no class: expected \"no\" or \"yes\", got \"maybe\"";
    refused(&format!("train {table} --positive maybe"), words);
    let words = "--positive chooses between two classes, and the target has 3 classes";
    refused(&format!("train {table} --positive 1st --target class"), words);
}

#[test]
fn ten_rules_come_first_and_the_rest_is_counted() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(80));
    let flags = ["--method", "sample", "--patterns", "400", "--beta-ratio", "0.001"];
    let model = folder.model("m", &table, &flags);
    let object = json(&format!("explain {model} {table}"));
    let groups = object["groups"].as_array().unwrap();
    let rules: Vec<&serde_json::Value> =
        groups.iter().flat_map(|group| group["rules"].as_array().unwrap()).collect();
    assert!(rules.len() > 12, "{object}");
    let shown = |text: &str| text.lines().filter(|line| line.starts_with("| ")).count() - 1;
    let ran = run(&["explain", &model, &table]);
    assert_eq!(shown(ran.text(0)), 10, "{}", ran.stdout);
    let more = format!("\nand {} more rules; --all shows everything\n", rules.len() - 10);
    ran.says(&[&more]);
    let ran = run(&["explain", &model, &table, "--all"]);
    assert_eq!(shown(ran.text(0)), rules.len(), "{}", ran.stdout);
    assert!(!ran.stdout.contains("more rules"), "{}", ran.stdout);
    // Every neuron is in one rule.
    let mut merged: Vec<String> = (rules.iter())
        .flat_map(|rule| rule["neurons"].as_array().unwrap())
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    let layer = object["layers"][0].as_array().unwrap();
    let mut names: Vec<String> =
        layer.iter().map(|neuron| neuron["name"].as_str().unwrap().to_owned()).collect();
    merged.sort();
    names.sort();
    assert_eq!(merged, names);
}

#[test]
fn many_inputs_are_told_with_a_way_to_fewer() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::many_features(6));
    let hint = "train with --max-inputs 1 or --input-cost 0.25.\n";
    let model = folder.model("m", &table, &["--beta-ratio", "0.1"]);
    assert!(run(&["explain", &model, &table]).text(0).ends_with(hint));
    let model = folder.model("n", &table, &["--beta-ratio", "0.1", "--max-inputs", "1"]);
    assert!(!run(&["explain", &model, &table]).text(0).contains("--max-inputs"));
}

#[test]
fn without_data_it_says_how_to_count() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let ran = run(&["explain", &model]);
    ran.says(&["hardlim explain MODEL DATA"]);
    assert!(!ran.stdout.contains("holds on"), "{}", ran.stdout);
    assert!(json(&format!("explain {model}"))["layers"][0][0].get("fires").is_none());
    let page = folder.file("rules.md");
    let told = run(&["explain", &model, "titanic", "-o", &page]);
    assert_eq!(told.text(0), format!("rules written to {page}\n"));
    assert!(fs::read_to_string(&page).unwrap().contains("holds on, of 2201"));
}

#[test]
fn deep_networks_are_read_layer_by_layer() {
    let folder = Folder::new();
    let rows: String = (0..8).map(|i| format!("{i},{}\n", i / 2 % 2)).collect();
    let table = folder.write("t.csv", "x,y\n".to_owned() + &rows);
    let flags = "--method enumerate --layers 3 --widths 3 --beta 0.01 --intercept";
    let model = folder.model("m", &table, &flags.split(' ').collect::<Vec<_>>());
    run(&["explain", &model, &table]).says(&[
        "## Layer 2",
        "## Layer 1",
        "x ≥ 1.5",
        "x ≥ 3.5",
        "| h4 ",
        "plus the weights",
    ]);
    let object = json(&format!("explain {model} {table}"));
    assert_eq!(object["layers"][1][0]["text"], "at least 2 of not h1, h2, not h3");
    assert_eq!(object["layers"][1][0]["fires"], 4);
}

#[test]
fn several_classes_have_a_section_each() {
    let folder = Folder::new();
    let rows: String =
        (0..30).map(|i| format!("{},{},{}\n", i, i * 7 % 10, ["u", "v", "w"][i / 10])).collect();
    let table = folder.write("t.csv", "a,b,kind\n".to_owned() + &rows);
    let model = folder.model("m", &table, &["--beta", "0.5"]);
    run(&["explain", &model, &table]).says(&[
        "## Class u",
        "## Class v",
        "## Class w",
        "largest of all classes, kind = u",
    ]);
    let object = json(&format!("explain {model}"));
    assert_eq!(
        (object["classes"].as_array().unwrap().len(), &object["classes"][2]["class"]),
        (3, &"w".into())
    );
}

#[test]
fn what_is_no_model_or_does_not_fit_is_refused() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(20));
    refused(&format!("explain {table}"), "it is not a hardlim model file");
    let model = folder.model("m", &table, &[]);
    refused(&format!("explain {model} titanic"), "no column");
    run_line("explain --help").says(&["at least 2 of h1, h2"]);
}

#[test]
fn rules_of_any_length_are_shown_in_full() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::many_features(3000));
    let model = folder.model("m", &table, &["--method", "complete", "--beta", "0.1"]);
    let ran = run_line(&format!("explain {model} --terms 0"));
    assert!(ran.text(0).lines().any(|line| line.chars().count() > 65_536), "no long rule");
    let out = folder.file("out");
    assert_eq!(run_line(&format!("export {model} --to markdown -o {out}")).code, 0);
}

#[test]
fn names_of_any_length_are_cut_where_columns_line_up() {
    let folder = Folder::new();
    let names = ["u", "v", "w"].map(|letter| letter.repeat(70_000));
    let row = |i: usize| format!("{},{},{}\n", i % 5, i * 7 % 11, names[i % 3]);
    let text = format!("a,{},label\n", "b".repeat(70_000));
    let table = folder.write("t.csv", text + &(0..30).map(row).collect::<String>());
    let model = folder.file("m");
    let trained = run(&["train", &table, "--beta", "1", "-o", &model]);
    let lines = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(trained.text(0).contains("uuu…") && lines(&trained.stdout) < 400, "{}", trained.stdout);
    let scores = run_line(&format!("evaluate {model} {table}"));
    assert!(scores.text(0).contains("-> uuu") && lines(&scores.stdout) < 400, "{}", scores.stdout);
    for command in ["certify", "explain"] {
        assert_eq!(run_line(&format!("{command} {model} {table}")).code, 0);
    }
}
