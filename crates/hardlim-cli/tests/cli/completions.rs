//! `hardlim completions`, and what the program says about itself.

use super::run;

#[test]
fn every_shell_gets_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]);
        for word in ["hardlim", "certify", "beta-ratio"] {
            assert!(ran.text(0).contains(word), "{shell}: {word}");
        }
    }
    assert!(run(&["completions", "cmd"]).usage().contains("invalid value 'cmd'"));
}

#[test]
fn every_command_explains_itself() {
    for command in ["train", "predict", "evaluate", "certify", "datasets", "completions"] {
        let ran = run(&[command, "--help"]);
        for words in ["Usage: hardlim", "--json", "--seed", "--threads"] {
            assert!(ran.text(0).contains(words), "{command}: {words}");
        }
        let ran = run(&[command, "--version"]);
        assert!(ran.text(0).ends_with(concat!(env!("CARGO_PKG_VERSION"), "\n")));
    }
    assert!(run(&["--help"]).text(0).contains("certified global optimality"));
    let expected = concat!("hardlim ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run(&["--version"]).text(0), expected);
}
