//! How the options of the library are typed.

use hardlim::train::{Entry, Kind, find};

use super::Command;

impl Command {
    /// The flag of `hardlim train` that stands for an option.
    pub(crate) fn usual_flag(option: &str, value: Option<&str>) -> String {
        let entry = find(option);
        let flag = entry.and_then(Entry::flag_name);
        let name = flag.unwrap_or_else(|| option.replace('_', "-"));
        match value {
            // Flags that are no options of a question are told as `verify=true`.
            Some(value)
                if value != "true" && entry.is_none_or(|e| !matches!(e.kind, Kind::Flag)) =>
            {
                format!("--{name} {value}")
            }
            _ => format!("--{name}"),
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
