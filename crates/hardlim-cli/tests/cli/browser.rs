//! Reports in a real browser: they answer like `predict`, load nothing, and have manners.
//!
//! A copy of the page with a script of the test at its end is opened by Chromium without a window, and what
//! the script found is read from the page. Without Chromium the tests say so and pass, unless HARDLIM_TOOLS
//! names it.

use std::path::{Path, PathBuf};
use std::process::Command;

use hardlim::data::{Field, ReadOptions, Table};
use serde_json::{Value, json};

use super::{Folder, run, samples};

/// Chromium, if it is there.
fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let folders: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = found.into_iter().find(|path| path.is_file());
    let tools = std::env::var("HARDLIM_TOOLS").unwrap_or_default();
    let required = tools.split_whitespace().any(|tool| tool == "chromium");
    assert!(found.is_some() || !required, "HARDLIM_TOOLS names chromium, which is not there");
    if found.is_none() {
        eprintln!("skipped for want of chromium: reports in a browser");
    }
    found
}

/// Notes everything that goes wrong from the start.
const WATCH: &str = "<script>
window.problems = [];
addEventListener('error', (e) => problems.push(`error: ${e.message}`));
addEventListener('unhandledrejection', (e) => problems.push(`rejection: ${e.reason}`));
addEventListener('securitypolicyviolation', (e) => problems.push(`blocked: ${e.blockedURI}`));
for (const how of ['error', 'warn']) console[how] = (...words) => problems.push(`${how}: ${words.join(' ')}`);
</script>";

/// Waits until the page has drawn what a change asks for.
const WAIT: &str = "const wait = () => new Promise((done) => setTimeout(done, 300));";

/// Opens a report in a window of this width, runs the body of an asynchronous function in it, and returns
/// its result.
fn visit(browser: &Path, folder: &Folder, report: &str, width: usize, script: &str) -> Value {
    let page = std::fs::read_to_string(report).expect("a report");
    let test = format!(
        "<script>(async () => {{ {WAIT}
         let found;
         try {{ found = await (async () => {{ {script} }})(); }} catch (e) {{ problems.push(`test: ${{e.stack}}`); }}
         const loaded = performance.getEntriesByType('resource').map((e) => e.name);
         const pre = document.createElement('pre');
         pre.id = 'found';
         pre.textContent = encodeURIComponent(JSON.stringify({{ found, problems, loaded }}));
         document.body.append(pre);
        }})()</script></body>"
    );
    let page = page.replacen("<head>", &format!("<head>{WATCH}"), 1);
    let end = page.rfind("</body>").expect("an end");
    let copy = folder.write("visit.html", page[..end].to_owned() + &test + &page[end + 7..]);
    let profile = tempfile::tempdir().expect("a temporary folder");
    let log = profile.path().join("net.json");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--disable-background-networking", "--disable-component-update", "--no-first-run"])
        .args(["--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{copy}"))
        .output()
        .expect("chromium");
    let dom = String::from_utf8_lossy(&output.stdout);
    let found =
        dom.split_once("<pre id=\"found\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (found, _) = found.unwrap_or_else(|| {
        panic!("no result: {}", String::from_utf8_lossy(&output.stderr));
    });
    let mut found: Value = serde_json::from_str(&decoded(found)).expect("JSON");
    assert_eq!(found["problems"], json!([]), "{report}");
    assert_eq!(found["loaded"], json!([]), "{report}");
    let log = std::fs::read_to_string(log).unwrap_or_default();
    // What the browser asks for on its own has no page behind it.
    let mut initiators = log.split("\"initiator\":\"").skip(1);
    let own = |rest: &str| rest.starts_with("not an origin\"");
    assert!(initiators.all(own), "a request of {report}");
    found["found"].take()
}

/// A text without the escapes of `encodeURIComponent`.
fn decoded(text: &str) -> String {
    let (bytes, mut decoded, mut k) = (text.as_bytes(), Vec::new(), 0);
    while k < bytes.len() {
        let escaped = (bytes[k] == b'%').then(|| u8::from_str_radix(&text[k + 1..k + 3], 16));
        match escaped {
            Some(byte) => {
                decoded.push(byte.expect("two digits"));
                k += 3;
            }
            None => {
                decoded.push(bytes[k]);
                k += 1;
            }
        }
    }
    String::from_utf8(decoded).expect("UTF-8")
}

/// The report of a model.
fn report(folder: &Folder, model: &str, data: &str) -> String {
    let path = folder.file("report.html");
    let ran = run(&["report", model, data, "-o", &path]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    path
}

/// The rows of a table as a user would type them.
fn rows(data: &str) -> Vec<Value> {
    let table = Table::open(data, &ReadOptions::default()).expect("a table");
    let field = |i: usize, j: usize| match table.field(i, j) {
        Field::Missing => json!(""),
        Field::Number(v) => json!(v.to_string()),
        Field::Text(text) => json!(text),
    };
    let row = |i: usize| -> Value {
        let cells = table.columns().iter().enumerate();
        Value::Object(cells.map(|(j, column)| (column.name.clone(), field(i, j))).collect())
    };
    (0..table.rows()).map(row).collect()
}

/// Asserts that the page answers every row as `predict` does: outputs and classes to the last digit;
/// probabilities up to the last digit of `exp`, which programs compute differently.
fn answers_like_predict(browser: &Path, folder: &Folder, model: &str, data: &str) {
    let page = report(folder, model, data);
    let rows = rows(data);
    let script = format!("return {}.map((row) => hardlim.predict(row));", json!(rows));
    let found = visit(browser, folder, &page, 1440, &script);
    let expected = run(&["predict", model, data, "--json"]).json(0);
    for (i, found) in found.as_array().expect("answers").iter().enumerate() {
        let outputs = &expected["outputs"][i];
        let outputs = if outputs.is_array() { outputs.clone() } else { json!([outputs]) };
        assert_eq!(found["outputs"], outputs, "row {i} of {data}: {}", rows[i]);
        assert_eq!(found["prediction"], expected["predictions"][i], "row {i} of {data}");
        let several = expected["probabilities"][i].as_array().into_iter().flatten();
        for (k, p) in several.enumerate() {
            let (p, q) = (p.as_f64().unwrap(), found["probabilities"][k].as_f64().unwrap());
            assert!((p - q).abs() <= 8.0 * f64::EPSILON * p, "row {i} of {data}: {p} and {q}");
        }
    }
    assert_eq!(found.as_array().map(Vec::len), Some(rows.len()));
}

/// A data set beside the repository, if it is there.
fn shared(name: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let places = [root.join("shared/data/uci"), root.join("../shared/data/uci")];
    let found = places.iter().map(|place| place.join(name)).find(|path| path.is_file())?;
    Some(found.to_str().expect("UTF-8").to_owned())
}

#[test]
fn the_page_answers_like_predict() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    let titanic = folder.model("titanic.hardlim", "titanic", &["--beta", "10"]);
    answers_like_predict(&browser, &folder, &titanic, "titanic");
    let board =
        folder.model("board.hardlim", "tic-tac-toe", &["--method", "sample", "--seed", "3"]);
    answers_like_predict(&browser, &folder, &board, "tic-tac-toe");
    let pima = shared("pima.csv").unwrap_or_else(|| folder.write("l.csv", samples::labelled(200)));
    let model = folder.model("pima.hardlim", &pima, &["--method", "sample", "--beta", "2"]);
    answers_like_predict(&browser, &folder, &model, &pima);
    let penguins = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/penguins.csv");
    let model =
        folder.model("three.hardlim", penguins, &["--loss", "logistic", "--max-inputs", "2"]);
    answers_like_predict(&browser, &folder, &model, penguins);
}

/// Dates, money, labels, numbers that are labels, and missing values.
fn mixed_table() -> String {
    let row = |i: usize| {
        let day =
            format!("{:02}.{:02}.2024 {:02}:{:02}", i % 28 + 1, i % 12 + 1, i % 24, 7 * i % 60);
        let money =
            format!("\"{},{:02} €\"", if i.is_multiple_of(3) { "1.200" } else { "45" }, i % 100);
        let (gap, label) =
            (if i.is_multiple_of(5) { "NA" } else { "3.25" }, ["a", "b", "", "é", "c d"][i % 5]);
        let size = [0.1, -2.5e-7, 1e12, 0.300_000_000_000_000_04][i % 4];
        let code = [1e-7, 2.0, 30.5][i % 3];
        format!(
            "{day},{money},{gap},{label},{code},{size},{}\n",
            u8::from(i % 28 > 12 || i % 5 == 3)
        )
    };
    "when,price,gap,label,code,size,y\n".to_owned() + &(0..120).map(row).collect::<String>()
}

#[test]
fn the_page_reads_dates_money_labels_and_gaps_like_predict() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    let data = folder.write("mixed.csv", mixed_table());
    let flags = ["--method", "sample", "--patterns", "400", "--categorical", "code"];
    let model = folder.model("mixed.hardlim", &data, &flags);
    let page = report(&folder, &model, &data);
    // The fields as they stand in the file, not as the library read them.
    let mut csv = csv::Reader::from_path(&data).expect("a table");
    let names = csv.headers().expect("names").clone();
    let object = |row: csv::StringRecord| -> Value {
        Value::Object(names.iter().zip(&row).map(|(n, v)| (n.to_owned(), json!(v))).collect())
    };
    let rows: Vec<Value> = csv.records().map(|row| object(row.expect("a row"))).collect();
    let script = format!("return {}.map((row) => hardlim.predict(row).outputs[0]);", json!(rows));
    let found = visit(&browser, &folder, &page, 1440, &script);
    let expected = run(&["predict", &model, &data, "--json"]).json(0);
    assert_eq!(found, expected["outputs"]);
    // What cannot be read is said.
    let script = "try { return hardlim.predict({ ...Object.fromEntries(hardlim.report.columns.map((c) => \
                  [c.name, ''])), when: 'noon' }); } catch (e) { return e.message; }";
    let found = visit(&browser, &folder, &page, 1440, script);
    assert!(found.as_str().expect("words").contains("when"), "{found}");
}

/// Every kind of model has a page.
fn pages(folder: &Folder) -> Vec<(String, String)> {
    let labelled = folder.write("labelled.csv", samples::labelled(80));
    let numbers = folder.write("numbers.csv", samples::regression(60));
    let many = folder.write("many.csv", samples::many_features(500));
    let mixed = folder.write("mixed.csv", mixed_table());
    let penguins = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/penguins.csv").to_owned();
    let three = ["--loss", "logistic", "--max-inputs", "2"];
    vec![
        (folder.model("two", &labelled, &["--beta", "1", "--max-inputs", "2"]), labelled.clone()),
        (folder.model("one", &labelled, &["--beta", "1", "--max-inputs", "1"]), labelled.clone()),
        (folder.model("numbers", &numbers, &["--beta", "1"]), numbers),
        (folder.model("many", &many, &["--beta", "1"]), many),
        (
            folder.model("deep", &labelled, &["--layers", "3", "--widths", "2", "--beta", "1"]),
            labelled,
        ),
        (folder.model("mixed", &mixed, &["--method", "sample", "--patterns", "300"]), mixed),
        (folder.model("three", &penguins, &three), penguins),
    ]
}

#[test]
fn every_kind_of_model_can_be_tried_without_a_word_in_the_console() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    // Every control moves the answer or leaves it, and the row of the page stays what the controls say.
    let script = "
        document.querySelectorAll('details').forEach((box) => { box.open = true; });
        await wait();
        const before = hardlim.answer(hardlim.row.x).outputs.join();
        const texts = new Set([document.querySelector('.answer').textContent]);
        const inputs = [...document.querySelectorAll('.control input[type=range], .control select')];
        const change = (input) => {
          if (input.type === 'range') input.value = input.max; else input.selectedIndex = input.options.length - 1;
          input.dispatchEvent(new Event(input.type === 'range' ? 'input' : 'change', { bubbles: true }));
        };
        change(inputs[0]);
        await wait();
        texts.add(document.querySelector('.answer').textContent);
        inputs.forEach(change);
        await wait();
        texts.add(document.querySelector('.answer').textContent);
        const moved = texts.size > 1;
        const same = hardlim.report.samples.every((sample, k) => {
          hardlim.load(k);
          return hardlim.answer(hardlim.row.x).outputs.join() === sample.outputs.join();
        });
        await wait();
        hardlim.load(0);
        const back = hardlim.answer(hardlim.row.x).outputs.join() === before;
        const wide = document.documentElement.scrollWidth > innerWidth;
        return { moved, same, back, wide, parts: [...document.querySelectorAll('section')].map((s) => s.children.length > 1) };";
    for (model, data) in pages(&folder) {
        let page = report(&folder, &model, &data);
        for width in [1440, 500] {
            let found = visit(&browser, &folder, &page, width, script);
            let parts = json!([true, true, true, true, true]);
            let expected =
                json!({ "moved": true, "same": true, "back": true, "wide": false, "parts": parts });
            assert_eq!(found, expected, "{model} at {width}");
        }
    }
}

#[test]
fn names_are_harmless() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    let evil = "<script>alert(1)</script>";
    let row = |i: usize| {
        format!(
            "{i}.5,\"{}\",{}\n",
            if i.is_multiple_of(3) { "</script><b>" } else { "x\u{2028}&amp;" },
            u8::from(i > 20 || i.is_multiple_of(3))
        )
    };
    let text = format!("{evil},</script><img src=x onerror=alert(1)>,'y'\n");
    let data = folder.write("evil.csv", text + &(0..40).map(row).collect::<String>());
    let model = folder.model("<b>evil.hardlim", &data, &["--beta", "0.5", "--max-inputs", "1"]);
    let page = report(&folder, &model, &data);
    let script = "window.alert = () => problems.push('alert');
        document.querySelectorAll('details').forEach((box) => { box.open = true; });
        await wait();
        return [document.querySelectorAll('b, img').length, document.title, [...document.querySelectorAll('.bar-name')].some((e) => e.title === '<script>alert(1)</scr' + 'ipt>')];";
    let found = visit(&browser, &folder, &page, 1440, script);
    assert_eq!(found, json!([0, "<b>evil.hardlim on evil.csv", true]));
}

#[test]
fn axe_finds_nothing_to_complain_about() {
    let Some(axe) = std::env::var_os("HARDLIM_AXE") else {
        return eprintln!("skipped for want of axe-core (HARDLIM_AXE): rules of accessibility");
    };
    let Some(browser) = chromium() else { return };
    let axe = std::fs::read_to_string(axe).expect("axe-core");
    let folder = Folder::new();
    for (model, data) in pages(&folder) {
        let page = report(&folder, &model, &data);
        // A function keeps the source apart from the page.
        let script = format!(
            "document.querySelectorAll('details').forEach((box) => {{ box.open = true; }});
             await wait();
             (() => {{ {axe} }}).call(window);
             const found = await axe.run(document);
             return found.violations.map((v) => `${{v.id}}: ${{v.nodes[0].html}}`);"
        );
        // Narrow pages have the same elements: one of them is enough.
        let widths: &[usize] = if model.ends_with("two") { &[1440, 500] } else { &[1440] };
        for &width in widths {
            let found = visit(&browser, &folder, &page, width, &script);
            assert_eq!(found, json!([]), "{model} at {width}");
        }
    }
}
