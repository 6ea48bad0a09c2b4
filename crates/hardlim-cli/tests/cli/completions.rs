//! `hardlim completions`, and what the program says about itself.

use super::run;

#[test]
fn every_shell_gets_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        run(&["completions", shell]).says(&["hardlim", "certify", "beta-ratio"]);
    }
    assert!(run(&["completions", "cmd"]).usage().contains("invalid value 'cmd'"));
}

#[test]
fn the_short_help_of_training_fits_on_a_screen_and_the_long_one_has_every_flag() {
    let (short, long) = (run(&["train", "-h"]), run(&["train", "--help"]));
    assert!(short.text(0).lines().count() <= 30, "{}", short.stdout);
    short.says(&["--target", "--beta ", "--max-inputs", "--output"]);
    short.says(&["hardlim train --help"]);
    long.says(&["--target", "--beta-ratio", "--widths", "--cv-points", "--missing", "--threads"]);
    // What most people need comes first.
    let place = |flag: &str| long.stdout.find(flag).expect(flag);
    assert!(place("      --target") < place("      --categorical"), "{}", long.stdout);
}

#[test]
fn every_command_explains_itself() {
    for command in ["train", "predict", "evaluate", "certify", "datasets", "completions"] {
        run(&[command, "--help"]).says(&["Usage: hardlim", "--json", "--seed", "--threads"]);
        let ran = run(&[command, "--version"]);
        assert!(ran.text(0).ends_with(concat!(env!("CARGO_PKG_VERSION"), "\n")));
    }
    run(&["--help"]).says(&["certified global optimality"]);
    for help in ["-h", "--help"] {
        let ran = run(&[help]);
        ran.says(&["Train and use:", "Look inside:", "Put on hardware:", "Data and set-up:"]);
        assert_eq!(ran.stdout.contains("$ hardlim train flowers.csv"), help == "--help");
    }
    let expected = concat!("hardlim ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run(&["--version"]).text(0), expected);
}
