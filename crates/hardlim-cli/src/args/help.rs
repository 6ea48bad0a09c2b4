//! What `-h` and `--help` show: commands by what people do with them, and of many flags the usual
//! ones first.
//!
//! `-h` fits on a screen: a line for each command, and the usual flags of a command. `--help`
//! teaches: an example for each command, and every flag.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::Arguments;

/// The commands by what people do with them, each with an example.
const GROUPS: [(&str, &[(&str, &str)]); 5] = [
    (
        "Train and use",
        &[
            ("train", "hardlim train flowers.csv -o flowers.hardlim"),
            ("predict", "hardlim predict flowers.hardlim new.csv -o answers.csv"),
            ("evaluate", "hardlim evaluate flowers.hardlim labelled.csv"),
            ("path", "hardlim path flowers.csv --holdout 0.2 --plot path.svg"),
        ],
    ),
    (
        "Look inside",
        &[
            ("report", "hardlim report flowers.hardlim flowers.csv -o flowers.html"),
            ("explain", "hardlim explain flowers.hardlim flowers.csv"),
            ("edit", "hardlim edit card.hardlim loans.csv --drop h3 -o edited.hardlim"),
            ("importance", "hardlim importance flowers.hardlim flowers.csv"),
            ("certify", "hardlim certify flowers.hardlim flowers.csv"),
            ("prove", "hardlim prove flowers.hardlim flowers.csv -o proof"),
            ("plot", "hardlim plot points.hardlim points.csv -o points.svg"),
        ],
    ),
    (
        "Put on hardware",
        &[("export", "hardlim export flowers.hardlim --to c --data flowers.csv -o program")],
    ),
    (
        "Theory and the paper",
        &[
            ("halfspace", "hardlim halfspace titanic"),
            ("interpolate", "hardlim interpolate points.csv -o points.hardlim"),
            ("arrangements", "hardlim arrangements points.csv --count-only"),
            ("lasso", "hardlim lasso --design D.npy --target y.npy --beta 3 -o w.npy"),
            ("baseline", "hardlim baseline titanic --beta 10 --epochs 500"),
            ("reproduce", "hardlim reproduce all --quick -o results"),
        ],
    ),
    (
        "Data and set-up",
        &[
            ("describe", "hardlim describe flowers.csv"),
            ("datasets", "hardlim datasets"),
            ("completions", "hardlim completions bash > hardlim.bash"),
        ],
    ),
];

/// The flags of a command that most people need. They come first, and `-h` shows no others.
const USUAL: [(&str, &str); 2] = [
    ("train", "data target task ignore holdout max_inputs beta loss cv gap time_limit output"),
    ("path", "data target task ignore holdout max_inputs n_ratios csv plot"),
];

const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}";

/// The command line, with its help.
pub(crate) fn command() -> Command {
    let plain = Arguments::command();
    let [short, long] = [false, true].map(|examples| commands(&plain, examples));
    let command = plain.help_template(TEMPLATE).after_help(short).after_long_help(long);
    USUAL.iter().fold(command, |command, (name, usual)| {
        command.mut_subcommand(name, |command| {
            let more = format!("More flags, and what they do: hardlim {name} --help");
            let place = |arg: Arg| {
                if usual.split(' ').any(|name| arg.get_id() == name) {
                    arg.help_heading(None::<&str>)
                } else {
                    arg.hide_short_help(true)
                }
            };
            let long = command.get_after_help().cloned().unwrap_or_default();
            command.mut_args(place).after_help(more).after_long_help(long)
        })
    })
}

/// All commands in their groups, with or without examples.
fn commands(command: &Command, examples: bool) -> String {
    let mut text = String::new();
    for (heading, group) in GROUPS {
        let _ = writeln!(text, "{}{heading}:", if text.is_empty() { "" } else { "\n" });
        for (name, example) in group {
            let about = command.find_subcommand(name).and_then(|command| command.get_about());
            let _ = writeln!(text, "  {name:<13} {}", about.cloned().unwrap_or_default());
            if examples {
                let _ = writeln!(text, "  {:13} $ {example}", "");
            }
        }
    }
    text + "\nhardlim COMMAND -h shows the usual flags of a command, hardlim COMMAND --help all of \
            them."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_every_usual_flag_exists() {
        let command = command();
        let mut named: Vec<&str> = GROUPS.iter().flat_map(|group| group.1).map(|c| c.0).collect();
        let mut there: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        named.sort_unstable();
        there.sort_unstable();
        assert_eq!(named, there);
        for (name, usual) in USUAL {
            let command = command.find_subcommand(name).expect("a command");
            for flag in usual.split(' ') {
                assert!(command.get_arguments().any(|arg| arg.get_id() == flag), "{name}: {flag}");
            }
        }
    }

    #[test]
    fn every_example_can_be_typed() {
        for (name, example) in GROUPS.iter().flat_map(|group| group.1) {
            let words = example.split_whitespace().take_while(|word| *word != ">");
            let typed = command().try_get_matches_from(words);
            assert_eq!(typed.expect(example).subcommand_name(), Some(*name));
        }
    }
}
