//! Reports in a real browser: they answer like `predict`, load nothing, and have manners.
//!
//! A copy of the page with a script of the test at its end is opened by Chromium without a window,
//! and what the script found is read from the page. Without Chromium the tests say so and pass,
//! unless HARDLIM_TOOLS names it.

use std::path::{Path, PathBuf};
use std::process::Command;

use hardlim::table::{Field, ReadOptions, Table};
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
for (const how of ['error', 'warn']) {
  console[how] = (...words) => problems.push(`${how}: ${words.join(' ')}`);
}
</script>";

/// Waits until the page has drawn what a change asks for.
const WAIT: &str = "const wait = () => new Promise((done) => setTimeout(done, 300));";

/// What a report is looked at on.
#[derive(Debug, Clone, Copy)]
struct Screen {
    width: usize,
    dark: bool,
}

impl Screen {
    const DESK: Self = Self { width: 1440, dark: false };
    const PHONE: Self = Self { width: 390, dark: false };

    /// The same in the dark.
    const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// A page as it is on this screen. Windows of Chromium are not as narrow as a phone, but frames
    /// are.
    fn framed(self, page: String) -> String {
        if self.width >= 500 {
            return page;
        }
        let inside = page.replace('&', "&amp;").replace('"', "&quot;");
        let width = self.width;
        format!(
            "<!DOCTYPE html><meta charset=\"utf-8\"><iframe width=\"{width}\" height=\"850\" \
             srcdoc=\"{inside}\"></iframe>"
        )
    }
}

/// Opens a report on a screen, runs the body of an asynchronous function in it, and returns its
/// result.
fn visit(browser: &Path, folder: &Folder, report: &str, screen: Screen, script: &str) -> Value {
    let page = std::fs::read_to_string(report).expect("a report");
    let test = format!(
        "<script>(async () => {{ {WAIT}
         let found;
         try {{ found = await (async () => {{ {script} }})(); }}
         catch (e) {{ problems.push(`test: ${{e.stack}}`); }}
         const loaded = performance.getEntriesByType('resource').map((e) => e.name);
         const pre = document.createElement('pre');
         pre.id = 'found';
         pre.textContent = encodeURIComponent(JSON.stringify({{ found, problems, loaded }}));
         top.document.body.append(pre);
        }})()</script></body>"
    );
    let page = page.replacen("<head>", &format!("<head>{WATCH}"), 1);
    let end = page.rfind("</body>").expect("an end");
    let page = page[..end].to_owned() + &test + &page[end + 7..];
    let copy = folder.write("visit.html", screen.framed(page));
    let profile = tempfile::tempdir().expect("a temporary folder");
    let log = profile.path().join("net.json");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--disable-background-networking", "--disable-component-update", "--no-first-run"])
        .args(["--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--window-size={},900", screen.width))
        .args(screen.dark.then_some("--blink-settings=preferredColorScheme=0"))
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

/// Asserts that the page answers every row as `predict` does: outputs and classes to the last
/// digit; probabilities up to the last digit of `exp`, which programs compute differently.
fn answers_like_predict(browser: &Path, folder: &Folder, model: &str, data: &str) {
    let page = report(folder, model, data);
    let rows = rows(data);
    let script = format!("return {}.map((row) => hardlim.predict(row));", json!(rows));
    let found = visit(browser, folder, &page, Screen::DESK, &script);
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

#[test]
fn the_page_answers_like_predict() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    let titanic = folder.model("titanic.hardlim", "titanic", &["--beta", "10"]);
    answers_like_predict(&browser, &folder, &titanic, "titanic");
    let board =
        folder.model("board.hardlim", "tic-tac-toe", &["--method", "sample", "--seed", "3"]);
    answers_like_predict(&browser, &folder, &board, "tic-tac-toe");
    let rows = folder.write("l.csv", samples::labelled(200));
    let model = folder.model("l.hardlim", &rows, &["--method", "sample", "--beta", "2"]);
    answers_like_predict(&browser, &folder, &model, &rows);
    let penguins = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/penguins.csv");
    let model =
        folder.model("three.hardlim", penguins, &["--loss", "logistic", "--max-inputs", "2"]);
    answers_like_predict(&browser, &folder, &model, penguins);
}

/// Dates, months, times, money, losses in parentheses, units, per cent, labels, numbers that are
/// labels, and missing values.
fn mixed_table() -> String {
    let row = |i: usize| {
        let day =
            format!("{:02}.{:02}.2024 {:02}:{:02}", i % 28 + 1, i % 12 + 1, i % 24, 7 * i % 60);
        let (month, time) = (
            format!("20{}-{:02}", 20 + i % 4, i % 12 + 1),
            format!("{}:{:02} pm", i % 12 + 1, i % 60),
        );
        let money =
            format!("\"{},{:02} €\"", if i.is_multiple_of(3) { "1.200" } else { "45" }, i % 100);
        let balance = match i % 4 {
            0 => format!("\"($1,{:03}.50)\"", 7 * i % 1000),
            1 => format!("-${}.25", i),
            _ => format!("\"${},{:03}\"", i % 9 + 1, 31 * i % 1000),
        };
        let (weight, rate) = (format!("{}.{} kg", i % 90, i % 10), format!("{}.5 %", i * 3 % 80));
        let (gap, label) =
            (if i.is_multiple_of(5) { "NA" } else { "3.25" }, ["a", "b", "", "é", "c d"][i % 5]);
        let size = [0.1, -2.5e-7, 1e12, 0.300_000_000_000_000_04][i % 4];
        let code = [1e-7, 2.0, 30.5][i % 3];
        let answer = u8::from(i % 28 > 12 || i % 5 == 3);
        format!(
            "{day},{month},{time},{money},{balance},{weight},{rate},{gap},{label},{code},{size},\
             {answer}\n"
        )
    };
    "when,month,time,price,balance,weight,rate,gap,label,code,size,y\n".to_owned()
        + &(0..120).map(row).collect::<String>()
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
    let found = visit(&browser, &folder, &page, Screen::DESK, &script);
    let expected = run(&["predict", &model, &data, "--json"]).json(0);
    assert_eq!(found, expected["outputs"]);
    // Every column is read as it was meant: the page would answer labels and numbers alike.
    let script = "return Object.fromEntries(hardlim.report.columns.map((column) => [column.name, \
                  column.time ? 'time' : hardlim.report.codingsOf(column).some(({ kind }) => \
                  kind.category) ? 'labels' : 'number']));";
    let found = visit(&browser, &folder, &page, Screen::DESK, script);
    let (time, number, labels) = ("time", "number", "labels");
    let expected = json!({
        "when": time, "month": time, "time": time, "price": number, "balance": number,
        "weight": number,
        "rate": number, "gap": number, "label": labels, "code": labels, "size": number,
    });
    assert_eq!(found, expected);
    // What cannot be read is said.
    let script = "try { return hardlim.predict({ \
                  ...Object.fromEntries(hardlim.report.columns.map((c) => [c.name, ''])), when: \
                  'noon' }); } catch (e) { return e.message; }";
    let found = visit(&browser, &folder, &page, Screen::DESK, script);
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
    // Every control moves the answer or leaves it, and the row of the page stays what the controls
    // say.
    let script = "
        document.querySelectorAll('details').forEach((box) => { box.open = true; });
        await wait();
        const before = hardlim.answer(hardlim.row.x).outputs.join();
        const texts = new Set([document.querySelector('.answer').textContent]);
        const controls = '.control input[type=range], .control select';
        const inputs = [...document.querySelectorAll(controls)];
        const change = (input) => {
          const range = input.type === 'range';
          if (range) input.value = input.max;
          else input.selectedIndex = input.options.length - 1;
          input.dispatchEvent(new Event(range ? 'input' : 'change', { bubbles: true }));
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
        const sections = [...document.querySelectorAll('section')];
        return { moved, same, back, wide, parts: sections.map((s) => s.children.length > 1) };";
    for (model, data) in pages(&folder) {
        let page = report(&folder, &model, &data);
        for screen in [Screen::DESK, Screen::PHONE] {
            let found = visit(&browser, &folder, &page, screen, script);
            let parts = json!([true, true, true, true, true]);
            let expected =
                json!({ "moved": true, "same": true, "back": true, "wide": false, "parts": parts });
            assert_eq!(found, expected, "{model} on {screen:?}");
        }
    }
}

#[test]
fn the_nearest_change_is_the_nearest() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    // Whole numbers, among them one of two values and one with zero inside, and a number with
    // decimals.
    let row = |i: usize| {
        let (a, b, c, d) =
            (i % 2, i * 7 % 11, (i * 5 % 9) as i64 - 4, (i * 37 % 101) as f64 / 10.0);
        let answer = a as f64 + 0.4 * b as f64 - 0.7 * c as f64 + 0.3 * d > 4.0;
        format!("{a},{b},{c},{d},{}\n", if answer { "yes" } else { "no" })
    };
    let text = "a,b,c,d,y\n".to_owned() + &(0..90).map(row).collect::<String>();
    let data = folder.write("whole.csv", text);
    // Every whole number is tried, and a fine grid of the others.
    let script = "
        const wrong = [];
        let flips = 0;
        hardlim.report.samples.forEach((sample, s) => {
          hardlim.load(s);
          const x = hardlim.row.x, now = hardlim.answer(x), found = Flips.nearest(x, now);
          flips += found.length;
          hardlim.report.variables.forEach((variable, v) => {
            const f = variable.feature, at = x[f], step = v < 3 ? 1 : 0.01;
            const [least, most] = hardlim.report.rangeOf(v);
            const next = (value) => Number((value + step).toFixed(2));
            let best = null;
            for (let value = least; value <= most + 1e-9; value = next(value)) {
              const changed = x.slice();
              changed[f] = value;
              const nearer = best === null || Math.abs(value - at) < Math.abs(best - at);
              if (hardlim.answer(changed).place !== now.place && nearer) best = value;
            }
            const own = found.find((flip) => flip.v === v);
            const none = (value) => value === null || value === undefined;
            const distance = (value) => (none(value) ? null : Math.abs(value - at));
            const [mine, tried] = [distance(own?.cell), distance(best)];
            // Round numbers may be a little further away.
            const far = tried + step + 0.02 * mine + 0.01 * hardlim.report.rangeOf(v)[2];
            const off = tried !== null && !(mine !== null && mine <= far);
            if (v < 3 ? mine !== tried : off) {
              wrong.push([sample.row, variable.name, at, own?.cell ?? null, best]);
            }
            if (own) {
              const changed = x.slice();
              changed[f] = own.cell;
              const place = hardlim.answer(changed).place;
              if (place === now.place || place !== own.place) {
                wrong.push([sample.row, variable.name, 'no change']);
              }
            }
          });
        });
        return { wrong, some: flips > 50 };";
    for flags in [&["--beta", "1"][..], &["--layers", "3", "--widths", "2", "--beta", "1"]] {
        let model = folder.model("whole.hardlim", &data, flags);
        let page = report(&folder, &model, &data);
        let found = visit(&browser, &folder, &page, Screen::DESK, script);
        assert_eq!(found, json!({ "wrong": [], "some": true }), "{flags:?}");
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
        const evil = '<script>alert(1)</scr' + 'ipt>';
        const names = [...document.querySelectorAll('.bar-name')];
        const shown = names.some((e) => e.title === evil);
        return [document.querySelectorAll('b, img').length, document.title, shown];";
    let found = visit(&browser, &folder, &page, Screen::DESK, script);
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
        let screens = [Screen::DESK, Screen::PHONE, Screen::DESK.dark(), Screen::PHONE.dark()];
        for screen in screens {
            let found = visit(&browser, &folder, &page, screen, &script);
            assert_eq!(found, json!([]), "{model} on {screen:?}");
        }
    }
}
