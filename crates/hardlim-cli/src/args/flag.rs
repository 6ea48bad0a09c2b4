//! How the options of the library are typed.

use super::Command;

impl Command {
    /// The flag of `hardlim train` that stands for an option.
    pub(crate) fn usual_flag(option: &str, value: Option<&str>) -> String {
        let name = match (option, value) {
            ("bias", Some("false")) => return "--no-bias".into(),
            ("standardize", Some("false")) => return "--no-standardize".into(),
            ("n_ratios", _) => "cv-points".into(),
            ("least_ratio", _) => "cv-least".into(),
            _ => option.replace('_', "-"),
        };
        match value {
            None | Some("true") => format!("--{name}"),
            Some(value) => format!("--{name} {value}"),
        }
    }

    /// The flag of this command that stands for an option of [`hardlim::train::Request`].
    pub(crate) fn flag(&self, option: &str, value: Option<&str>) -> String {
        let own = match (self, option) {
            (Self::Path(_), "n_ratios") => "points",
            (Self::Path(_), "least_ratio") => "least",
            (Self::Lasso(_), "gap") => "tol",
            _ => option,
        };
        Self::usual_flag(own, value)
    }
}

#[cfg(test)]
mod tests {
    use crate::args::Arguments;
    use clap::Parser as _;

    #[test]
    fn options_are_spelled_as_the_flags_of_their_command() {
        let command = |words: &[&str]| Arguments::parse_from(words).command;
        let train = command(&["hardlim", "train", "titanic"]);
        assert_eq!(train.flag("max_inputs", None), "--max-inputs");
        assert_eq!(train.flag("method", Some("sample")), "--method sample");
        assert_eq!(train.flag("bias", Some("false")), "--no-bias");
        assert_eq!(train.flag("tree", Some("true")), "--tree");
        assert_eq!(train.flag("n_ratios", None), "--cv-points");
        let path = command(&["hardlim", "path", "titanic"]);
        assert_eq!(path.flag("n_ratios", None), "--points");
        assert_eq!(path.flag("least_ratio", None), "--least");
    }
}
