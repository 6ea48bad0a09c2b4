//! `hardlim certify`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueHint};
use hardlim::certificate::{Bound, Certificate};
use hardlim::certify::{Check, PartCheck};
use hardlim::model::{Model, Part};
use hardlim::prove::About;
use hardlim::solver::StopReason;
use hardlim::table::{Fingerprint, memory};
use hardlim::train::{ListBound, Request};
use serde_json::{Value, json};

use super::{blocks, open_model};
use crate::args::{Asked, BlockArgs, Common, DataArgs, Door, Said};
use crate::report::columns::cut;
use crate::report::{gap, lower, upper};
use crate::{interrupt, progress, report};

/// Check a certificate again, from the model and its data alone
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/certify.txt"))]
pub(crate) struct Certify {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    blocks: BlockArgs,
    #[command(flatten)]
    asked: Asked<CertifyOptions>,
}

/// The options that certify shares with training.
#[derive(Debug)]
pub(crate) struct CertifyOptions;

impl Door for CertifyOptions {
    const COLUMNS: bool = false;
    const NAMES: &'static str = "gap time_limit";
    const HELP: Said = &[
        (
            "gap",
            "For a list of rules, bound all lists of as many rules, too, until none is better by \
             more than this part of the objective; if that is not reached, the exit code is 1",
        ),
        ("time_limit", "Stop this search after so many seconds [default: about 10 s of work]"),
    ];
}

/// What is found out about a model.
struct Checked {
    check: Check,
    files: Vec<Fingerprint>,
    lists: Option<ListBound>,
}

pub(crate) fn run(args: &Certify, common: &Common) -> anyhow::Result<ExitCode> {
    let asked = args.asked.request(common)?;
    let model = open_model(&args.model)?;
    if model.is_of_rows() && asked.gap().is_some() {
        anyhow::bail!("--gap is for lists of rules, and this model is of rows in blocks");
    }
    let Checked { check, files, lists } = if model.is_of_rows() {
        let (check, files) = blocks::check(&model, &args.data, &args.blocks, common)?;
        Checked { check, files, lists: None }
    } else {
        check(&model, args, &asked, common)?
    };
    let json = || {
        let mut object = json(&model, &check);
        report::add(&mut object, "lists", lists.as_ref().map(report::lists_json));
        object["fingerprint"] = json!(model.first().fingerprint());
        object["files"] = json!(files);
        object["same_files"] = json!(model.same_files(&files));
        object["proofs"] = json!({
            "certificate": model.provable(About::Class).is_ok(),
            "global": model.provable(About::AllNetworks).is_ok(),
        });
        object
    };
    let proof = || if check.holds() { proof_text(&model) } else { String::new() };
    let lists_text = || lists.as_ref().map_or(String::new(), |lists| report::lists_text(lists, 13));
    let text =
        || text(&model, &check) + &lists_text() + files_text(&model, &check, &files) + &proof();
    report::answer(common, json, text)?;
    let missed = |lists: &ListBound| asked.gap().is_some_and(|gap| lists.relative_gap() > gap);
    Ok(match lists {
        Some(ListBound { stop: StopReason::Interrupted, .. }) => {
            ExitCode::from(interrupt::EXIT_CODE)
        }
        _ if !check.holds() || lists.as_ref().is_some_and(missed) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// Checks a model that was trained on a table in memory.
fn check(
    model: &Model,
    args: &Certify,
    asked: &Request,
    common: &Common,
) -> anyhow::Result<Checked> {
    let table = match args.blocks.memory {
        Some(memory) => blocks::gathered(&args.data, &args.blocks, memory, common)?,
        None => {
            blocks::refuse_more(&args.blocks)?;
            args.data.open(common)?
        }
    };
    let checking = progress::doing("checking the certificate");
    let data = model.training_data(&table)?;
    let check = model.certify_within(&data, memory::for_checking())?;
    let files = table.files().to_vec();
    let Some(gap) = asked.gap().filter(|_| check.holds()) else {
        return Ok(Checked { check, files, lists: None });
    };
    let listen = progress::listener(&checking);
    let watch = interrupt::from(Instant::now(), Some(&listen));
    let lists = model.bound_lists(&data, gap, asked.time_limit(), &watch)?;
    Ok(Checked { check, files, lists: Some(lists) })
}

fn json(model: &Model, check: &Check) -> Value {
    let mut object = json!({ "holds": check.holds() });
    report::add(&mut object, "reason", check.reason().map(|reason| json!(reason)));
    let found = check.certificate().zip(check.global()).zip(check.parts());
    let Some(((certificate, global), parts)) = found else {
        return object;
    };
    report::add_certificates(&mut object, model, &certificate, &global);
    if let Some(names) = model.several_classes() {
        let part = |(class, part): (&String, &PartCheck)| {
            json!({
                "class": class,
                "holds": part.holds(),
                "objective": part.certificate.objective(),
                "certificate": report::certificate_json(&part.certificate),
                "global": report::certificate_json(&part.global),
            })
        };
        object["certificates"] = json!(names.iter().zip(parts).map(part).collect::<Vec<_>>());
    }
    object
}

/// Whether the files are those of training.
fn files_text(model: &Model, check: &Check, files: &[Fingerprint]) -> &'static str {
    match (check, model.same_files(files)) {
        (Check::OtherData, _) | (_, None) => "",
        (_, Some(true)) => "  file         that of training, to the last byte (SHA-256)\n",
        (_, Some(false)) => "  file         another one, with the rows of training as encoded\n",
    }
}

/// Which statements have a proof that other programs check.
fn proof_text(model: &Model) -> String {
    let how = match (model.provable(About::Class), model.provable(About::AllNetworks)) {
        (Ok(()), _) => "hardlim prove writes one that needs no hardlim".to_owned(),
        (Err(error), Ok(())) => format!("{error}; hardlim prove --all-networks writes one"),
        (Err(error), Err(_)) => error.to_string(),
    };
    format!("  proof        {how}\n")
}

fn text(model: &Model, check: &Check) -> String {
    let Some(parts) = check.parts() else {
        return "The certificate is about other data: this table is not the one the model was \
                trained on.\n"
            .into();
    };
    let names = model.several_classes();
    let mut text = match (check.holds(), names) {
        (true, None) => "The certificate holds: computed again from the model and the data.\n",
        (true, Some(_)) => {
            "The certificates of all classes hold: computed again from the model and the data.\n"
        }
        (false, None) => {
            "The certificate does NOT hold: the model and the data do not support what it states.\n"
        }
        (false, Some(_)) => {
            "The certificates do NOT hold: the model and the data do not support what it states.\n"
        }
    }
    .to_owned();
    for (k, (part, check)) in model.parts().iter().zip(parts).enumerate() {
        if let Some(names) = names {
            text += &format!("\nclass {}\n", cut(&names[k]));
        }
        text += &part_text(part, check, model);
    }
    text
}

/// What the check of one network found.
fn part_text(part: &Part, check: &PartCheck, model: &Model) -> String {
    let line = |name: &str, stated: &Certificate, found: &Certificate| {
        format!(
            "  {name:<13}objective {} (stated {}), lower bound {} (stated {}), gap {}\n",
            upper(found.objective()),
            upper(stated.objective()),
            lower(found.lower_bound()),
            lower(stated.lower_bound()),
            gap(found.relative_gap()),
        )
    };
    let mut text = match check.reason() {
        None => format!("  proven       {}\n", check.certificate.claim()),
        Some(reason) => format!("  because      {reason}\n"),
    };
    text += &format!("  problem      {}\n", model.terms());
    let name = match part.certificate().bound() {
        Bound::Dictionary => "dictionary",
        Bound::Enumeration | Bound::Exact => "all patterns",
        Bound::Search => "search",
        Bound::Complete => "all nets",
    };
    text += &line(name, part.certificate(), &check.certificate);
    if part.global() != part.certificate() {
        text += &line("all nets", part.global(), &check.global);
    }
    text
}
