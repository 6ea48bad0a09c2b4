//! A model as a page that people open in a browser: what is proven, what each input does, how good
//! the answers are, and the network itself, which answers in the page.
//!
//! The page is one file and loads nothing. All numbers come from here, as one JSON object; the
//! scripts of the page only draw it, and evaluate the network with the same exact signs as the
//! library. Names are data: they reach the page as JSON without `<`, and the scripts never make
//! markup of them.

mod columns;
mod curves;
mod headline;
mod networks;
mod origin;
mod quality;
mod rows;
mod subject;
mod verdict;

pub use subject::Subject;

use columns::Column;
use hardlim::explain::variables::{Variable, variables};
use hardlim::explain::{Effect, Explanation, Scorecard, effects, number};
use hardlim::model::Model;
use hardlim::table::{ColumnCoding, TargetCoding};
use headline::Headline;
use networks::{RuleText, networks};
use serde::Serialize;

const TEMPLATE: &str = include_str!("page/page.html");
/// How pages look: fonts and colours for light and dark screens, and for paper.
const STYLE: &str = include_str!("page/style.css");
const SCRIPTS: [&str; 12] = [
    include_str!("page/read.js"),
    include_str!("page/network.js"),
    include_str!("page/report.js"),
    include_str!("page/draw.js"),
    include_str!("page/verdict.js"),
    include_str!("page/maps.js"),
    include_str!("page/effects.js"),
    include_str!("page/flips.js"),
    include_str!("page/try.js"),
    include_str!("page/quality.js"),
    include_str!("page/origin.js"),
    include_str!("page/page.js"),
];

#[derive(Serialize)]
struct Payload<'a> {
    title: &'a str,
    source: &'a str,
    rows: usize,
    target: Target<'a>,
    loss: String,
    calibration: Option<f64>,
    verdict: verdict::Verdict,
    score: Option<Headline>,
    measured: Option<Headline>,
    quality: Option<quality::Quality>,
    columns: Vec<Column<'a>>,
    coding: &'a [ColumnCoding],
    variables: &'a [Variable],
    effects: Vec<Effect>,
    networks: Vec<networks::Network>,
    rules: Vec<Vec<RuleText>>,
    lower: Vec<Vec<Vec<networks::Lower<'a>>>>,
    /// What each rule counts and what each score means, if weights are points.
    card: Option<Card>,
    lost: Option<Vec<origin::Lost>>,
    samples: Vec<rows::Sample>,
    origin: origin::Origin<'a>,
}

#[derive(Serialize)]
struct Card {
    target: String,
    rules: Vec<(String, f64)>,
    scores: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Target<'a> {
    name: &'a str,
    /// The labels; none for numbers.
    classes: Option<&'a [String]>,
}

/// The page of a model.
pub fn page(subject: &Subject<'_>) -> String {
    let model = subject.model;
    let variables = variables(model.coding());
    let explanations: Vec<Explanation> = (model.networks().enumerate())
        .map(|(k, network)| {
            Explanation::of(network, &model.coding().of_network(k), Some(&subject.features))
        })
        .collect();
    let payload = serde_json::to_string(&payload(subject, &variables, &explanations))
        .expect("reports hold nothing that JSON cannot");
    let parts = [
        ("title", text(&format!("{} on {}", subject.title, subject.source))),
        ("style", STYLE.to_owned()),
        ("payload", inert(&payload)),
        ("scripts", SCRIPTS.concat()),
    ];
    let mut page = String::with_capacity(payload.len() + 100_000);
    let mut rest = TEMPLATE;
    // What was filled in is not searched again.
    while let Some((before, after)) = rest.split_once("@@") {
        let (key, next) = after.split_once("@@").expect("marks come in pairs");
        let (_, value) = parts.iter().find(|(name, _)| *name == key).expect("a known mark");
        page += before;
        page += value;
        rest = next;
    }
    page + rest
}

fn payload<'a>(
    subject: &'a Subject<'_>,
    variables: &'a [Variable],
    explanations: &'a [Explanation],
) -> Payload<'a> {
    let model = subject.model;
    let coding = model.coding();
    let outputs = model.outputs_of(&subject.features);
    let quality = quality::Quality::of(subject, &outputs);
    let classes = match coding.target() {
        TargetCoding::Number { .. } => None,
        target => target.classes(),
    };
    Payload {
        title: subject.title,
        source: subject.source,
        rows: subject.features.rows(),
        target: Target { name: &coding.target().column().name, classes },
        loss: model.loss().to_string(),
        calibration: model.calibration().map(|calibration| calibration.scale()),
        verdict: verdict::Verdict::of(model, subject.check),
        score: quality.as_ref().map(|quality| Headline::of(quality, subject)),
        measured: quality.as_ref().map(|quality| Headline::on_rows(quality, subject)),
        samples: rows::samples(subject, variables, &outputs, quality.as_ref()),
        quality,
        columns: columns::columns(variables, subject),
        coding: coding.columns(),
        variables,
        effects: effects(model, &subject.features),
        networks: networks(model, explanations),
        rules: explanations.iter().map(networks::rules).collect(),
        lower: explanations.iter().map(networks::lower).collect(),
        card: card(model),
        lost: subject.lost.map(origin::lost),
        origin: origin::Origin::of(subject),
    }
}

fn card(model: &Model) -> Option<Card> {
    let card = Scorecard::of(model).into_iter().find(Scorecard::has_points)?;
    let scores = card.lines();
    Some(Card { target: card.target, rules: card.rules, scores })
}

/// A text as HTML shows it.
fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON that cannot end or change the script around it, whatever names it holds.
fn inert(json: &str) -> String {
    let mut inert = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                inert += &format!("\\u{:04x}", u32::from(c));
            }
            c => inert.push(c),
        }
    }
    inert
}

/// A share in per cent, for sentences.
fn percent(share: f64) -> String {
    format!("{} %", number((1000.0 * share).round() / 10.0))
}

#[cfg(test)]
mod tests;
