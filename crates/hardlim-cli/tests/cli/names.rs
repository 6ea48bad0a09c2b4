//! Names from a user's table never control the terminal or turn text around.

use std::fs;

use super::{Folder, run_line};

/// Whether a terminal or a viewer would act on a character instead of showing it.
fn acts(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}')
}

#[test]
fn no_command_prints_or_draws_a_name_that_acts_on_the_terminal() {
    let folder = Folder::new();
    let mut text = String::from("a\u{1b}[2J,b\u{202e}x,c\u{9b}\u{2067},y\u{1b}]0;title\u{7}\n");
    for i in 0..40 {
        let (a, b) = (i * 7 % 11, i * 5 % 13);
        let level = ["u\u{1b}[31m", "v\u{200f}", "w"][i % 3];
        text += &format!("{a},{b},{level},{}\n", if a + b > 9 { "yes\u{1b}c" } else { "no" });
    }
    let table = folder.write("t.csv", &text);
    let short = folder.write("short.csv", text.replace("c\u{9b}\u{2067},", "other,"));
    let model = folder.model("m", &table, &["--beta", "1"]);
    let two = folder.model("two", &table, &["--beta", "1", "--ignore", "3"]);
    let at = |name: &str| folder.file(name);
    let commands = [
        format!("describe {table}"),
        format!("train {table} --plot {}", at("train.svg")),
        format!("train {table} --target 1 --beta 1"),
        format!("train {table} --target nobody\u{1b}[2J"),
        format!("evaluate {model} {table}"),
        format!("evaluate {model} {short}"),
        format!("certify {model} {table}"),
        format!("path {table} --plot {}", at("path.svg")),
        format!("arrangements {table} --count-only"),
        format!("interpolate {table}"),
        format!("halfspace {table}"),
        format!("explain {model} {table}"),
        format!("importance {model} {table} --plot {}", at("importance.svg")),
        format!("plot {two} {table} -o {}", at("plot.svg")),
        format!("report {model} {table} -o {}", at("report.html")),
        format!("export {model} --to c --data {table} -o {}", at("c")),
        format!("baseline {table} --estimator ste --epochs 2 --plot {}", at("baseline.svg")),
    ];
    for command in &commands {
        for command in [command.clone(), format!("{command} --json")] {
            let ran = run_line(&command);
            for shown in [&ran.stdout, &ran.stderr] {
                assert!(!shown.contains(acts), "{command:?}: {shown:?}");
            }
            if command.ends_with("--json") && ran.code == 0 {
                serde_json::from_str::<serde_json::Value>(&ran.stdout).expect("JSON");
            }
        }
    }
    let drawn: Vec<String> = folder.names().into_iter().filter(|n| n.ends_with(".svg")).collect();
    assert_eq!(drawn.len(), 5, "{drawn:?}");
    for name in drawn {
        let svg = fs::read_to_string(at(&name)).unwrap();
        assert!(!svg.contains(acts), "{name}");
    }
}
