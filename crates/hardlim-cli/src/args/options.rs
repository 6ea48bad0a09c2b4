//! Flags from the table of options.

use std::marker::PhantomData;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hardlim::train::{Entry, Heading, Kind, Options, Request, TABLE, spelled};

use super::{Common, number, whole};

/// Names of options, each with words about it.
pub(crate) type Said = &'static [(&'static str, &'static str)];

/// Which options of training a command has, and what it calls them.
pub(crate) trait Door: std::fmt::Debug {
    /// Whether it has those that say what columns are.
    const COLUMNS: bool = true;
    /// The names of the others.
    const NAMES: &'static str = "";
    /// Options that have another flag here.
    const FLAGS: Said = &[];
    /// What help says of an option instead of the table.
    const HELP: Said = &[];
    /// What options are set to before those that were typed.
    const STANDARD: Said = &[];

    fn has(entry: &Entry) -> bool {
        let column = Self::COLUMNS && entry.heading == Heading::Data;
        column || Self::NAMES.split(' ').any(|name| name == entry.name)
    }

    /// The heading that an option stands under.
    fn heading(entry: &Entry) -> &'static str {
        entry.heading.name()
    }

    /// What is asked for.
    fn request(options: &Options) -> Result<Request, hardlim::Error> {
        Request::new(options)
    }
}

/// What is said of an option in a list.
fn said(list: Said, entry: &Entry) -> Option<&'static str> {
    list.iter().find(|(name, _)| *name == entry.name).map(|(_, text)| *text)
}

/// The options of the table that a command has, as they were typed.
#[derive(Debug)]
pub(crate) struct Asked<D: Door>(Vec<(&'static Entry, Typed)>, PhantomData<D>);

#[derive(Debug)]
enum Typed {
    One(String),
    Names(Vec<String>),
}

impl<D: Door> Asked<D> {
    /// What is asked for, checked.
    pub(crate) fn request(&self, common: &Common) -> Result<Request, hardlim::Error> {
        let mut options = Options::default();
        options.set("seed", &common.seed.to_string())?;
        for (name, value) in D::STANDARD {
            options.set(name, value)?;
        }
        for (entry, typed) in &self.0 {
            match typed {
                Typed::One(text) => options.set(entry.name, text),
                Typed::Names(names) => options.set_names(entry.name, names),
            }?;
        }
        D::request(&options)
    }

    /// The relative gap to stop at, if it is given.
    pub(crate) fn gap(&self) -> Option<f64> {
        let gap = self.0.iter().find(|(entry, _)| entry.name == "gap");
        gap.and_then(|(_, typed)| match typed {
            Typed::One(text) => text.parse().ok(),
            Typed::Names(_) => None,
        })
    }
}

/// The options of a command, heading by heading, with their flags.
fn entries<D: Door>() -> impl Iterator<Item = (&'static Entry, String)> {
    let of = |heading: Heading| TABLE.iter().filter(move |entry| entry.heading == heading);
    let all = Heading::ALL.into_iter().flat_map(of).filter(|entry| D::has(entry));
    all.filter_map(|entry| {
        let own = said(D::FLAGS, entry).map(str::to_owned);
        Some((entry, own.or_else(|| entry.flag_name())?))
    })
}

fn arg<D: Door>(entry: &'static Entry, flag: String) -> Arg {
    let spell = |text: &str| spelled(text, super::Command::usual_flag);
    let own = said(D::HELP, entry);
    let text = spell(own.unwrap_or(entry.help));
    let (short, more) = text.split_once("\n\n").unwrap_or((&text, ""));
    let default = entry.default_text().filter(|_| own.is_none() && entry.standard.is_empty());
    let default = default.map(|text| spell(&text));
    let with = |default: Option<&String>| match default {
        Some(default) => format!("{short} [default: {default}]"),
        None => short.to_owned(),
    };
    // What `-h` shows has to fit on a screen: of defaults, those of one word.
    let brief = with(default.as_ref().filter(|default| !default.contains(' ')));
    let long = with(default.as_ref());
    let arg = Arg::new(entry.name).long(flag).help_heading(D::heading(entry));
    let arg = match more {
        "" if long == brief => arg.help(brief),
        "" => arg.help(brief).long_help(long),
        more => arg.help(brief).long_help(format!("{long}\n\n{more}")),
    };
    let valued = |arg: Arg| arg.value_name(entry.value).action(ArgAction::Set);
    match entry.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Number(..) => {
            let arg = valued(arg).value_parser(|text: &str| number(text).map(|_| text.to_owned()));
            with_default(arg.allow_negative_numbers(true), entry)
        }
        Kind::Whole(..) => {
            valued(arg).value_parser(|text: &str| whole::<u64>(text).map(|_| text.to_owned()))
        }
        Kind::Wholes(..) => {
            let arg = valued(arg).value_delimiter(',').action(ArgAction::Append);
            arg.value_parser(|text: &str| whole::<u64>(text).map(|_| text.to_owned()))
        }
        Kind::Word(read) => {
            with_default(valued(arg).value_parser(move |text: &str| read(text)), entry)
        }
        Kind::Text => valued(arg),
        Kind::Names | Kind::Signed | Kind::Pairs => {
            valued(arg).value_delimiter(',').action(ArgAction::Append)
        }
    }
}

fn with_default(arg: Arg, entry: &Entry) -> Arg {
    if entry.standard.is_empty() { arg } else { arg.default_value(entry.standard) }
}

impl<D: Door> Args for Asked<D> {
    fn augment_args(command: Command) -> Command {
        command.args(entries::<D>().map(|(entry, flag)| arg::<D>(entry, flag)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<D: Door> FromArgMatches for Asked<D> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |(entry, _): (&'static Entry, String)| {
            let many = || matches.get_many::<String>(entry.name).map(|all| all.cloned().collect());
            let value = match entry.kind {
                Kind::Flag => {
                    let on = matches.get_flag(entry.name);
                    let other = if entry.standard == "true" { "false" } else { "true" };
                    on.then(|| Typed::One(other.to_owned()))
                }
                Kind::Names | Kind::Signed | Kind::Pairs => many().map(Typed::Names),
                Kind::Wholes(..) => many().map(|all: Vec<String>| Typed::One(all.join(","))),
                _ => matches.get_one::<String>(entry.name).cloned().map(Typed::One),
            };
            Some((entry, value?))
        };
        Ok(Self(entries::<D>().filter_map(typed).collect(), PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
