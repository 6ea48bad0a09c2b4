//! The options of training: one table, of which flags, parameters, histories and pages are made.
//!
//! An option has one name everywhere, with `_` between words: `max_inputs` is `--max-inputs` on the
//! command line and `max_inputs=` in Python. Errors and help mark it, `` `max_inputs` `` or
//! `` `method=sample` ``, and each door spells the marks with [`spelled`].

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use super::tuning::GRID;
use super::{InputCounts, Method};
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::recipe::{MOST_INPUT_COST, MOST_PATTERNS};
use crate::network::{Representation, Weights};
use crate::table::{Missing, Task};

/// The strength of a problem without one, as a part of `β_max`.
pub(crate) const RATIO: f64 = 0.05;
/// The number of random patterns.
pub(crate) const DRAWS: u64 = 1000;
/// The number of random neurons on rows in blocks.
pub(crate) const BLOCK_DRAWS: u64 = 2000;
/// The strengths that cross-validation of a problem tries: how many, and the least as a part of
/// `β_max`.
pub(crate) const CV_GRID: (usize, f64) = (30, 0.001);
/// The same of a path.
pub(crate) const PATH_GRID: (usize, f64) = (100, 0.001);
/// How much pruning may raise the objective, as a part of it.
pub(crate) const PRUNE: f64 = 0.01;
/// The most layers, the output counted.
pub(crate) const MOST_LAYERS: u64 = 64;

/// The part of a page of help that an option stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// What is read of the table.
    Data,
    /// What is minimised.
    Problem,
    /// How a strength is chosen.
    CrossValidation,
    /// Which networks are searched, and for how long.
    Search,
    /// What is written and scored.
    Result,
}

impl Heading {
    /// All of them, in the order of a page.
    pub const ALL: [Self; 5] =
        [Self::Data, Self::Problem, Self::CrossValidation, Self::Search, Self::Result];

    /// The heading in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Data => "Data",
            Self::Problem => "Problem",
            Self::CrossValidation => "Cross-validation",
            Self::Search => "Search",
            Self::Result => "Result",
        }
    }
}

/// What kind of value an option has, with the range that it is checked for.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Yes or no.
    Flag,
    /// A number: the range in words, and whether a number lies in it.
    Number(&'static str, fn(f64) -> bool),
    /// A whole number between two others.
    Whole(u64, u64),
    /// Whole numbers: the most of them, and the most that each may be.
    Wholes(u64, u64),
    /// A word that the library knows, in the form that it is remembered.
    Word(fn(&str) -> Result<String, Error>),
    /// Any text.
    Text,
    /// Names of columns.
    Names,
    /// Names of columns, each with a sign: `age=+`.
    Signed,
    /// Names of columns, two at a time: `age:income`.
    Pairs,
}

/// A row of the table: everything there is to say about an option.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its name in Python, in JSON and, with `-` for `_`, on the command line.
    pub name: &'static str,
    /// Its place on a page.
    pub heading: Heading,
    /// What help calls its value.
    pub value: &'static str,
    /// The kind of its value, and the range.
    pub kind: Kind,
    /// What it is, in plain words; after an empty line, more of it.
    pub help: &'static str,
    /// The value that means the same as none, if one does.
    pub standard: &'static str,
    /// What happens without it, where no one value says so.
    pub usual: &'static str,
    /// The flag of `hardlim train`, if it has another name; empty if it has none.
    flag: Option<&'static str>,
    /// Whether the Python estimators of classes or numbers, with or without folds of their own,
    /// have it.
    pub estimators: fn(classifier: bool, folds: bool) -> bool,
    /// Why it is refused, where nothing uses it.
    needs: &'static str,
    /// Whether the coding of a model knows it already.
    coded: bool,
}

const fn entry(
    name: &'static str,
    heading: Heading,
    value: &'static str,
    kind: Kind,
    help: &'static str,
) -> Entry {
    Entry {
        name,
        heading,
        value,
        kind,
        help,
        standard: "",
        usual: "",
        flag: None,
        estimators: |_, _| true,
        needs: "does not apply here",
        coded: false,
    }
}

impl Entry {
    const fn standard(self, standard: &'static str) -> Self {
        Self { standard, ..self }
    }

    const fn usual(self, usual: &'static str) -> Self {
        Self { usual, ..self }
    }

    const fn flag(self, flag: &'static str) -> Self {
        Self { flag: Some(flag), ..self }
    }

    const fn estimators(self, estimators: fn(bool, bool) -> bool) -> Self {
        Self { estimators, ..self }
    }

    const fn needs(self, needs: &'static str) -> Self {
        Self { needs, ..self }
    }

    const fn coded(self) -> Self {
        Self { coded: true, ..self }
    }

    /// The flag of `hardlim train`, without dashes, if there is one.
    pub fn flag_name(&self) -> Option<String> {
        let name = self.flag.map_or_else(|| self.name.replace('_', "-"), str::to_owned);
        (!name.is_empty()).then_some(name)
    }

    /// What happens without the option, in words.
    pub fn default_text(&self) -> Option<String> {
        let (most, step, count) = GRID;
        let least = most * step.powi(count as i32 - 1);
        let known = [
            ("{RATIO}", RATIO.to_string()),
            ("{DRAWS}", DRAWS.to_string()),
            ("{BLOCK_DRAWS}", BLOCK_DRAWS.to_string()),
            ("{CV_COUNT}", CV_GRID.0.to_string()),
            ("{CV_LEAST}", CV_GRID.1.to_string()),
            ("{COUNT}", count.to_string()),
            ("{LEAST}", format!("{least:.5}")),
            ("{PRUNE}", PRUNE.to_string()),
        ];
        let text = match (self.usual, self.kind) {
            ("", Kind::Flag) => return None,
            ("", _) => self.standard,
            (usual, _) => usual,
        };
        let put = |text: String, (name, value): &(&str, String)| text.replace(name, value);
        Some(known.iter().fold(text.to_owned(), put)).filter(|text| !text.is_empty())
    }

    /// The value as it is remembered; an error names the option and the range.
    ///
    /// # Errors
    /// When the text is no such value.
    fn checked(&self, text: &str) -> Result<String, Error> {
        let must = |range: &str| Err(refused(self.name, format!("must be {range}, got {text}")));
        let whole = |text: &str, least: u64, most: u64| {
            text.trim().parse::<u64>().ok().filter(|n| (least..=most).contains(n))
        };
        match self.kind {
            Kind::Flag => match text {
                "true" | "false" => Ok(text.to_owned()),
                _ => must("true or false"),
            },
            Kind::Number(range, fits) => match text.parse::<f64>() {
                Ok(number) if fits(number) => Ok(number.to_string()),
                _ => must(range),
            },
            Kind::Whole(least, most) => match whole(text, least, most) {
                Some(number) => Ok(number.to_string()),
                None if most == u64::MAX => must(&format!("at least {least}")),
                None => must(&format!("between {least} and {most}")),
            },
            Kind::Wholes(count, most) => {
                let numbers: Option<Vec<String>> =
                    text.split(',').map(|n| Some(whole(n, 1, most)?.to_string())).collect();
                match numbers.filter(|numbers| numbers.len() as u64 <= count) {
                    Some(numbers) => Ok(numbers.join(",")),
                    None => {
                        let range = format!("at most {count} numbers, each between 1 and {most}");
                        Err(refused(self.name, format!("must be {range}")))
                    }
                }
            }
            Kind::Word(read) => read(text),
            Kind::Text | Kind::Names => Ok(text.to_owned()),
            Kind::Pairs if text.split(SEPARATOR).all(|pair| pair.contains(':')) => {
                Ok(text.to_owned())
            }
            Kind::Pairs => must("two names with a colon between, as in age:income"),
            Kind::Signed => {
                let one = |text: &str| {
                    let (name, rises) = signed(text)?;
                    Some(format!("{name}={}", if rises { '+' } else { '-' }))
                };
                let all: Option<BTreeSet<String>> = text.split(SEPARATOR).map(one).collect();
                let all: Option<Vec<String>> = all.map(|all| all.into_iter().collect());
                all.map(|all| all.join(&SEPARATOR.to_string())).ok_or_else(|| {
                    let got = text.replace(SEPARATOR, ",");
                    let what = "must be names of columns with + or -, as in age=+,income=-";
                    refused(self.name, format!("{what}, got {got}"))
                })
            }
        }
    }
}

fn word<T: FromStr<Err: Into<Error>> + Display>(text: &str) -> Result<String, Error> {
    text.parse::<T>().map(|value| value.to_string()).map_err(Into::into)
}

/// The name of a column, and whether its sign is `+`.
pub(super) fn signed(text: &str) -> Option<(String, bool)> {
    let (name, sign) = text.rsplit_once('=')?;
    let rises = match sign {
        "+" | "+1" | "1" => true,
        "-" | "-1" => false,
        _ => return None,
    };
    (!name.is_empty()).then(|| (name.to_owned(), rises))
}

fn balanced(text: &str) -> Result<String, Error> {
    match text {
        "balanced" => Ok(text.into()),
        _ => Err(refused("class_weight", format!("must be balanced, got {text}"))),
    }
}

const NO: fn(bool, bool) -> bool = |_, _| false;
const CLASSIFIERS: fn(bool, bool) -> bool = |classifier, _| classifier;
const PLAIN: fn(bool, bool) -> bool = |_, folds| !folds;
const PLAIN_CLASSIFIERS: fn(bool, bool) -> bool = |classifier, folds| classifier && !folds;
const FOLDS: fn(bool, bool) -> bool = |_, folds| folds;
const POSITIVE: Kind = Kind::Number("a positive finite number", |v| v > 0.0 && v.is_finite());
const PART: Kind = Kind::Number("between 0 and 1", |v| v > 0.0 && v < 1.0);
const TOLERANCE: Kind = Kind::Number("zero or more", |v| v >= 0.0 && v.is_finite());
const CV_ONLY: &str = "is about cross-validation, and needs `cv`";
const CHOSEN: &str = "is what `cv` chooses: give one of the two";
const GENERATED: &str = "needs `method=generate` and two layers";

use Heading::{CrossValidation, Data, Search};

/// Every option of training, in the order of a history.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry("target", Data, "COL", Kind::Text, "The target column, by name or number\n\nBy default \
        it is the last column that is not ignored or the weight.").usual("the last").estimators(NO)
        .coded(),
    entry("task", Data, "TASK", Kind::Word(word::<Task>), "classify or regress; auto looks at the \
        target\n\nauto: classify if the target is text (at most 20 values) or has two values, \
        otherwise regress. classify: whole numbers are classes, too. With three classes or more, \
        one network is trained for each class against the rest, and the largest output decides.")
        .standard("auto").estimators(NO).coded(),
    entry("positive", Data, "LABEL", Kind::Text, "Which of two classes counts as +1: weights, \
        pictures and reports speak of it").usual("the last in order").estimators(CLASSIFIERS)
        .needs("chooses between the two classes of a training table"),
    entry("weight_column", Data, "COL", Kind::Text, "The column of sample weights").estimators(NO)
        .coded(),
    entry("ignore", Data, "COLS", Kind::Names, "Columns to leave out, separated by commas")
        .estimators(NO).coded(),
    entry("keep", Data, "COLS", Kind::Names, "Columns to keep although they look like identifiers, \
        are constant or copies of others, or are dates that do not help. Without it such columns \
        are left out, and the report says so"),
    entry("categorical", Data, "COLS", Kind::Names, "Columns of labels, even if the labels are \
        numbers; separated by commas. The 30 most frequent labels have an input each, all others \
        share one").estimators(NO),
    entry("missing", Data, "HOW", Kind::Word(word::<Missing>), "Missing values: mean fills in the \
        column's mean and adds an input that tells where (for labels, missing is a label of its \
        own); apart does the same with a number below all others, so that a missing number is at \
        least nothing; error refuses them")
        .usual("apart for rules about one input, otherwise mean"),
    entry("bits", Search, "B", Kind::Whole(1, 16), "Round numbers to steps of at most B bits \
        before training, from 1 to 16, and choose integer weights of at most B bits with the sign: \
        small circuits that lose nothing\n\nEach column gets a step that is a power of two, and \
        the range in which the steps tell its rows apart best; values beyond it become its ends. \
        The model keeps the steps, so predictions, certificates and exports all see the rounded \
        numbers. A neuron of the first layer whose cell has no integer weights of B bits becomes \
        the nearest one that has, and the report says what that costs. Weights have 2 bits at \
        least. With `weights` other than integer, only the numbers are rounded."),
    entry("class_weight", Data, "HOW", Kind::Word(balanced), "balanced: all classes get the same \
        total weight, whatever their number of rows").estimators(CLASSIFIERS),
    entry("holdout", Heading::Result, "F", PART, "Hold out this fraction of the rows, and score on \
        it").estimators(NO),
    entry("loss", Heading::Problem, "LOSS", Kind::Word(word::<LossKind>), "The loss, for example \
        squared, logistic or hinge\n\nOne of squared, logistic, hinge, squared-hinge, \
        huber[:THRESHOLD], absolute, quantile[:LEVEL].").usual("squared; logistic for the best \
        predictions of classes"),
    entry("beta", Heading::Problem, "BETA", POSITIVE, "The weight decay; the larger it is, the \
        smaller the network\n\nThe objective is the sum of losses + BETA * the sum of |output \
        weights|.").needs(CHOSEN).estimators(PLAIN),
    entry("beta_ratio", Heading::Problem, "R", POSITIVE, "The weight decay as a fraction of \
        beta_max, the value at which the network becomes zero").usual("what predicts best; \
        {RATIO} with `method`, `patterns`, `layers`, `widths`, `representation`").needs(CHOSEN)
        .estimators(PLAIN),
    entry("cv", CrossValidation, "K", Kind::Whole(2, u64::MAX), "The number of folds on which the \
        weight decay is chosen").usual("5, or 2 if there are many rows; with `method` and its \
        like the weight decay is chosen only if `cv` is given").estimators(FOLDS),
    entry("n_ratios", CrossValidation, "N", Kind::Whole(2, 10_000), "The number of weight decays \
        to try, from beta_max down").usual("{COUNT}; {CV_COUNT} with `method` and its like")
        .flag("cv-points").needs(CV_ONLY).estimators(FOLDS),
    entry("least_ratio", CrossValidation, "R", PART, "The smallest weight decay to try, as a \
        fraction of beta_max").usual("{LEAST}; {CV_LEAST} with `method` and its like")
        .flag("cv-least").needs(CV_ONLY).estimators(FOLDS),
    entry("one_se", CrossValidation, "", Kind::Flag, "Take the largest weight decay whose score is \
        within one standard error of the best: fewer neurons, for a difference that may be chance")
        .standard("false").needs(CV_ONLY).estimators(FOLDS),
    entry("intercept", Heading::Problem, "", Kind::Flag, "Add an output bias that is not penalised")
        .standard("false"),
    entry("non_negative", Heading::Problem, "", Kind::Flag, "Allow no negative output weight")
        .standard("false"),
    entry("monotone", Heading::Problem, "SIGNS", Kind::Signed, "Columns that the output goes up or \
        down with: age=+,income=- is an output that never falls where age rises and never rises \
        where income does. For `rules`, `max_inputs=1` and `conditions`\n\nEvery rule, times its \
        weight, goes the right way, and the certificate is about all networks of such rules. A \
        column is a number or one of two labels. For two classes the output speaks of the one that \
        counts as +1 (`positive`). Where a cell is missing, nothing is asked.").needs("is about \
        rules: add `rules`, `max_inputs=1` or `conditions=2`"),
    entry("interactions", Heading::Problem, "PAIRS", Kind::Pairs, "With `conditions=2`, the only \
        columns that may stand together in a rule: age:income,age:debt. Each alone always may")
        .needs("is about rules of two conditions: add `conditions=2`"),
    entry("no_interactions", Heading::Problem, "COLS", Kind::Names, "With `conditions=2`, columns \
        that stand alone in every rule, separated by commas")
        .needs("is about rules of two conditions: add `conditions=2`"),
    entry("bias", Heading::Problem, "", Kind::Flag, "Neurons have a bias: 1{x.w + b >= 0}; without \
        it 1{x.w >= 0}").standard("true").flag("no-bias"),
    entry("method", Search, "METHOD", Kind::Word(word::<Method>), "auto: complete if it applies, \
        enumerate if there are few patterns, sample with `patterns`, otherwise generate. generate: \
        search all patterns for useful ones, and bound what the others could gain. enumerate: the \
        Lasso over all patterns, for data with few rows or columns. sample: the Lasso over the \
        patterns of random weights. complete: an exact closed form, if every dichotomy of the rows \
        is possible").standard("auto"),
    entry("patterns", Search, "P", Kind::Whole(1, MOST_PATTERNS), "The number of random patterns \
        to draw").usual("{DRAWS}; {BLOCK_DRAWS} for rows in blocks").needs("draws random \
        patterns, and needs `method=sample`"),
    entry("layers", Search, "L", Kind::Whole(2, MOST_LAYERS), "The number of layers, including the \
        output. More than 2: parallel subnetworks with the given `widths`; without `widths`, a \
        `representation` that is chosen for the data"),
    entry("widths", Search, "M1,M2", Kind::Wholes(MOST_LAYERS - 2, 1_000_000), "The widths of the \
        layers below the last hidden layer, the first layer first, separated by commas: two \
        numbers fewer than layers. They are the widths of each subnetwork (enumerate, sample; \
        generate with one width of at most 4). With `representation=gaussian`, they are the widths \
        of the random layers, and one number is for all").usual("1000 with \
        `representation=gaussian`").needs("are not for a staircase, whose width follows from the \
        data"),
    entry("tree", Search, "", Kind::Flag, "Subnetworks are trees: neurons share no neuron of the \
        layer below").standard("false").needs("is about the layers below the last hidden one: add \
        `widths` and `method=enumerate`"),
    entry("representation", Search, "HOW", Kind::Word(word::<Representation>), "Fix the first \
        layers so that every dichotomy of the rows is possible above them. The result is the \
        optimum over networks of any width and depth. gaussian: layers of random neurons (see \
        `layers`), whose rank is checked. staircase: thresholds along one direction, one for each \
        change of the target in that order; the weights above are -1, 0 and 1. Both fit the \
        training rows as closely as the weight decay allows, so check on rows that are held out"),
    entry("weights", Search, "CHOICE", Kind::Word(word::<Weights>), "Which weights to use for each \
        pattern; all give the same objective: sampled (as found), svm (widest margin), center \
        (middle of the cell), sparse (few inputs), integer (small integers) or pi \
        (pseudo-inverse)").usual("sampled; svm with complete \
        and with two-layer enumerate; pi with staircase"),
    entry("max_inputs", Search, "K", Kind::Whole(1, u64::MAX), "Limit every neuron to at most K \
        inputs, 1, 2 or 3: rules that are easy to read\n\nThe result is certified over all \
        networks of such neurons.").needs("needs `method=generate` and two layers; with \
        `widths=2`, `max_inputs=1` makes rules of two conditions"),
    entry("conditions", Search, "K", Kind::Whole(1, 2), "Rules of at most K conditions, each about \
        one input: 1 is `max_inputs=1`; 2 has rules such as age >= 45 and income < 1800, or one \
        of the two, which are subnetworks of 3 layers: `widths=2` with `max_inputs=1`\n\nThe \
        result is certified over all networks of such rules.").needs("needs `method=generate`"),
    entry("inputs", Search, "mixed|LIST", Kind::Word(word::<InputCounts>), "How many inputs random \
        neurons read: mixed is one, two, four, eight, sixteen or all of them; or a list such as \
        1,2,5, of which every neuron takes one number").usual("what predicts best; all with \
        `method=sample`").needs("is about random neurons of two layers, and needs \
        `method=sample`"),
    entry("input_cost", Search, "P", Kind::Number("between 0 and 16",
        |p| { (0.0..=MOST_INPUT_COST).contains(&p) }), "A neuron that reads K inputs pays K^P \
        times the penalty, so neurons read fewer inputs; try 0.25. Every level of a category that \
        it reads counts as an input. For the best predictions, `method=sample` and `max_inputs=1`")
        .standard("0").needs("is about random patterns of two layers: add `method=sample` or \
        `max_inputs=1`, or ask for the best predictions, without a strength"),
    entry("average", Search, "R", Kind::Whole(1, 1000), "Train R networks, each with its own \
        random neurons, and average them: better on new rows than one").usual("up to 12 for the \
        best predictions, otherwise 1").needs(GENERATED),
    entry("neurons", Search, "N", Kind::Whole(1, u64::MAX), "Keep at most N neurons in all. For \
        the best predictions; with `max_inputs`, too\n\nThey are chosen in several ways, those \
        that answer most like the full network or those that fit the rows best, and \
        cross-validation decides between them. With `max_inputs` they are exchanged for any others \
        that are better, if there are not too many to search.").estimators(PLAIN).needs("is for \
        the best predictions: give no strength and no `method`"),
    entry("output_bits", Search, "B", Kind::Whole(2, 16), "With `neurons`, train output weights of \
        at most B bits with the sign, from 2 to 16; for two classes\n\nWith 2 bits, the weights \
        are -1 and 1 times a common factor, and the network counts votes.")
        .estimators(PLAIN_CLASSIFIERS).needs("is about few neurons: add `neurons`; an export \
        rounds the output weights of any network"),
    entry("rules", Search, "N", Kind::Whole(1, 1000), "At most N rules: questions about one column \
        each, such as age >= 29.5, chosen together with their weights\n\nCross-validation chooses \
        how many, and the weight decay; the first line is what the list is expected to score on \
        new rows. Cuts lie between two values of the table where they have the fewest digits. The \
        certificate says what the limit costs: how much better any number of such rules could be. \
        With `gap`, lists of as many rules are bounded, too.")
        .estimators(PLAIN).needs("is for the best predictions: give no strength and no `method`"),
    entry("points", Search, "P", Kind::Whole(1, 1000), "With `rules`, weights are whole numbers of \
        at most P, and a table gives the probability of each sum; for two classes")
        .estimators(PLAIN_CLASSIFIERS).needs("are the weights of rules: add `rules`"),
    entry("weight_bits", Search, "W", Kind::Whole(2, 32), "With `bits`, the most bits of integer \
        weights with the sign, from 2 to 32\n\nMore than B bits cost nothing in a circuit if \
        neurons read few bits, because these become tables.").usual("B"),
    entry("standardize", Search, "", Kind::Flag, "Standardise the inputs when weights are drawn \
        and margins measured").standard("true").flag("no-standardize"),
    entry("gap", Search, "TOL", TOLERANCE, "Stop at this relative gap between the network and the \
        proof\n\nIf it is given and not reached, the exit code is 1, and Python warns. It asks for \
        a proof over all patterns, so without it another network may be trained. With `rules` it \
        is the gap to all lists of as many rules. Without it and `time_limit`, a problem gets about \
        10 s of work, the same on every machine.").usual("1e-6"),
    entry("time_limit", Search, "SECONDS", Kind::Number("above zero and at most 1e9",
        |s| { s > 0.0 && s <= 1e9 }), "Stop after this many seconds and keep the best found so \
        far\n\nIt is kept to within a tenth or half a second. If no exact proof is possible, a \
        third of the time goes into the search for a bound."),
    entry("rounds", Search, "N", Kind::Whole(0, u64::MAX), "The most rounds of generation")
        .flag("").estimators(NO),
    entry("prune", Search, "F", TOLERANCE, "How much the objective may rise when neurons are \
        pruned, as a part of it").usual("{PRUNE}").flag("").estimators(NO),
    entry("tolerance", Search, "TOL", TOLERANCE, "The relative gap at which solvers stop where \
        `gap` asks for none").usual("1e-9 where all patterns are listed, otherwise 1e-6").flag("")
        .estimators(NO),
    entry("memory", Search, "BYTES", Kind::Whole(1, u64::MAX), "The memory that dictionaries may \
        take").usual("what the system has left").flag("").estimators(NO).coded(),
    entry("seed", Search, "N", Kind::Whole(0, u64::MAX), "The random seed").usual("0").flag("")
        .estimators(NO).coded(),
];

/// Names that errors mark and that are no options of training: those of exports, rules and the
/// like.
const OTHERS: [&str; 7] =
    ["all", "budget", "constant_time", "exact_outputs", "name", "to", "verify"];

/// The row of an option.
pub fn find(name: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.name == name)
}

/// Options by name, each checked for its range; the library chooses the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Values as text, one for each row of the table; columns are separated by `SEPARATOR`.
    values: Vec<Option<String>>,
}

/// What separates names of columns, which may have commas.
pub(super) const SEPARATOR: char = '\u{1f}';

impl Options {
    /// Options in one line: `beta=10 max_inputs=1`. A flag may stand without a value.
    ///
    /// # Errors
    /// When an option is unknown or out of range.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut options = Self::default();
        options.add(text)?;
        Ok(options)
    }

    /// Sets the options of a line; one without a value, as in `beta=`, is no longer set.
    ///
    /// # Errors
    /// When an option is unknown or out of range.
    pub fn add(&mut self, text: &str) -> Result<(), Error> {
        text.split_whitespace().try_for_each(|word| {
            match word.split_once('=').unwrap_or((word, "true")) {
                (name, "") => {
                    self.put(name, None);
                    Ok(())
                }
                (name, value) => self.set(name, value),
            }
        })
    }

    /// Sets an option; a value that means the same as none removes it.
    ///
    /// # Errors
    /// When the option is unknown or the value out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let (what, expected) = ("option", "a name of the table of options");
        let entry =
            find(name).ok_or_else(|| Error::Unknown { what, got: name.into(), expected })?;
        let value = entry.checked(value)?;
        self.put(name, Some(value).filter(|value| value != entry.standard));
        Ok(())
    }

    /// Puts a value that was checked.
    pub(super) fn put(&mut self, name: &str, value: Option<String>) {
        if let Some(row) = TABLE.iter().position(|entry| entry.name == name) {
            self.values.resize(TABLE.len(), None);
            self.values[row] = value;
        }
    }

    /// Sets names of columns.
    ///
    /// # Errors
    /// When the option is unknown.
    pub fn set_names<T: AsRef<str>>(&mut self, name: &str, names: &[T]) -> Result<(), Error> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        if names.is_empty() {
            return Ok(());
        }
        self.set(name, &names.join(&SEPARATOR.to_string()))
    }

    /// The text of an option that is set.
    pub fn text(&self, name: &str) -> Option<&str> {
        let row = TABLE.iter().position(|entry| entry.name == name)?;
        self.values.get(row)?.as_deref()
    }

    /// The value of an option that is set.
    pub fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    /// Takes the value of an option out.
    pub(super) fn take<T: FromStr>(&mut self, name: &str) -> Option<T> {
        let found = self.get(name);
        debug_assert!(found.is_some() || self.text(name).is_none(), "{name} has another type");
        self.put(name, None);
        found
    }

    /// Takes a list out, or names of columns.
    pub(super) fn take_list<T: FromStr>(&mut self, name: &str, separator: char) -> Vec<T> {
        let text = self.take::<String>(name);
        text.iter().flat_map(|text| text.split(separator)).filter_map(|t| t.parse().ok()).collect()
    }

    /// Whether a flag is set to another value than its standard.
    pub(super) fn take_flag(&mut self, name: &str) -> bool {
        self.take::<bool>(name).is_some()
    }

    /// Refuses the first option that nothing has taken, with the sentence of its row.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self.rows().next() {
            Some((entry, _)) => Err(refused(entry.name, entry.needs)),
            None => Ok(()),
        }
    }

    /// What a model remembers: the options by name, but for those that its coding knows.
    pub(super) fn history(&self) -> Vec<(String, String)> {
        let rows = self.rows().filter(|(entry, _)| !entry.coded);
        rows.map(|(entry, value)| (entry.name.to_owned(), value.replace(SEPARATOR, ","))).collect()
    }

    fn rows(&self) -> impl Iterator<Item = (&'static Entry, &str)> {
        TABLE.iter().zip(&self.values).filter_map(|(entry, value)| Some((entry, value.as_deref()?)))
    }
}

/// The option, and what is wrong with it.
pub(super) fn refused(option: &'static str, what: impl Display) -> Error {
    Error::Option { option, problem: format!("`{option}` {what}") }
}

/// An option with the value that it has, and why that is no good.
pub(super) fn refused_as(option: &'static str, value: impl Display, why: impl Display) -> Error {
    Error::Option { option, problem: format!("`{option}={value}`: {why}") }
}

/// Replaces every marked option in a text by the result of `spell` for its name and value.
///
/// ```
/// let flag = |option: &str, value: Option<&str>| match value {
///     None => format!("--{option}"),
///     Some(value) => format!("--{option} {value}"),
/// };
/// let text = "`tree` needs `method=enumerate`, not `anything` else";
/// let expected = "--tree needs --method enumerate, not `anything` else";
/// assert_eq!(hardlim::train::spelled(text, flag), expected);
/// ```
pub fn spelled(text: &str, spell: impl Fn(&str, Option<&str>) -> String) -> String {
    let known = |option: &str| find(option).is_some() || OTHERS.contains(&option);
    let mut spelled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        spelled += before;
        let marked = after.split_once('`').and_then(|(inside, next)| {
            let (option, value) = match inside.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (inside, None),
            };
            known(option).then(|| (spell(option, value), next))
        });
        match marked {
            Some((text, next)) => {
                spelled += &text;
                rest = next;
            }
            None => {
                spelled.push('`');
                rest = after;
            }
        }
    }
    spelled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        for (text, expected) in [
            ("beta=0", "`beta` must be a positive finite number, got 0"),
            ("beta_ratio=inf", "`beta_ratio` must be a positive finite number, got inf"),
            ("gap=-1", "`gap` must be zero or more, got -1"),
            ("gap=much", "`gap` must be zero or more, got much"),
            ("time_limit=0", "`time_limit` must be above zero and at most 1e9, got 0"),
            ("time_limit=nan", "`time_limit` must be above zero and at most 1e9, got nan"),
            ("holdout=1", "`holdout` must be between 0 and 1, got 1"),
            ("patterns=0", "`patterns` must be between 1 and 100000000, got 0"),
            ("patterns=100000001", "`patterns` must be between 1 and 100000000, got 100000001"),
            ("average=0", "`average` must be between 1 and 1000, got 0"),
            ("max_inputs=0", "`max_inputs` must be at least 1, got 0"),
            ("conditions=3", "`conditions` must be between 1 and 2, got 3"),
            ("input_cost=-0.5", "`input_cost` must be between 0 and 16, got -0.5"),
            ("input_cost=inf", "`input_cost` must be between 0 and 16, got inf"),
            ("layers=65", "`layers` must be between 2 and 64, got 65"),
            ("widths=2,0", "`widths` must be at most 62 numbers, each between 1 and 1000000"),
            ("cv=1", "`cv` must be at least 2, got 1"),
            ("n_ratios=1", "`n_ratios` must be between 2 and 10000, got 1"),
            ("one_se=1", "`one_se` must be true or false, got 1"),
            (
                "monotone=age",
                "`monotone` must be names of columns with + or -, as in age=+,income=-, got age",
            ),
            (
                "interactions=age",
                "`interactions` must be two names with a colon between, as in age:income, got age",
            ),
            ("class_weight=even", "`class_weight` must be balanced, got even"),
        ] {
            assert_eq!(Options::read(text).unwrap_err().to_string(), expected);
        }
        for text in ["beat=3", "method=magic", "loss=huber:-1"] {
            assert!(Options::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_means_the_same_as_nothing_is_nothing_and_the_rest_is_remembered() {
        let given =
            "gap=1e-3 bias=true method=auto input_cost=0.0 tree=false loss=huber:1.0 beta=10";
        let mut options = Options::read(given).unwrap();
        options.set_names("keep", &["a", "b, c"]).unwrap();
        let history = options.history();
        let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let kept =
            [of("keep", "a,b, c"), of("loss", "huber:1"), of("beta", "10"), of("gap", "0.001")];
        assert_eq!(history, kept);
        assert_eq!(options.take_list::<String>("keep", SEPARATOR), ["a", "b, c"]);
        options.set_names("monotone", &["b=-1", "a,c=+1", "a=b=+"]).unwrap();
        let signs = ["a,c=+", "a=b=+", "b=-"];
        assert_eq!(options.take_list::<String>("monotone", SEPARATOR), signs);
        options.add("beta= gap=0.5").unwrap();
        assert_eq!((options.text("beta"), options.get("gap")), (None, Some(0.5)));
    }

    #[test]
    fn every_option_has_its_own_name_and_is_described() {
        for (row, entry) in TABLE.iter().enumerate() {
            assert!(TABLE[..row].iter().all(|other| other.name != entry.name), "{}", entry.name);
            assert!(!entry.help.is_empty() && entry.help.is_ascii(), "{}", entry.name);
            let text = entry.default_text().unwrap_or_default();
            assert!(!text.contains('{'), "{}: {text}", entry.name);
            if !entry.standard.is_empty() {
                assert_eq!(entry.checked(entry.standard).unwrap(), entry.standard);
            }
        }
    }

    #[test]
    fn marked_options_are_spelled_and_everything_else_stays() {
        let loud =
            |option: &str, value: Option<&str>| format!("<{option}|{}>", value.unwrap_or(""));
        for (text, expected) in [
            ("", ""),
            ("no mark", "no mark"),
            ("`beta`", "<beta|>"),
            ("a `beta=3` b `gap`.", "a <beta|3> b <gap|>."),
            ("`unknown` `beta", "`unknown` `beta"),
            ("a`b`beta`c", "a`b<beta|>c"),
            ("`--features full` and `tree`", "`--features full` and <tree|>"),
        ] {
            assert_eq!(spelled(text, loud), expected);
        }
    }
}
