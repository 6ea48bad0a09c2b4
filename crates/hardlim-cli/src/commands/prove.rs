//! `hardlim prove`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::{Args, ValueHint};
use hardlim::Error;
use hardlim::model::file::DraftFolder;
use hardlim::prove::{About, Proof};
use serde_json::{Value, json};

use super::open_model;
use crate::args::{Common, DataArgs};
use crate::report::{bytes, lower, seconds, upper};
use crate::{interrupt, progress, report};

/// Write a proof of the certificate that other programs check
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/prove.txt"))]
pub(crate) struct Prove {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// The folder to write to; it must be new or empty
    #[arg(short, long, value_name = "PROOF", value_hint = ValueHint::DirPath)]
    output: PathBuf,
    /// Prove the bound over all threshold networks of any width and depth, instead of the one over
    /// the model's own class; every model of at most 65,536 rows has one
    #[arg(long)]
    all_networks: bool,
}

pub(crate) fn run(args: &Prove, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let model = open_model(&args.model)?;
    let about = if args.all_networks { About::AllNetworks } else { About::Class };
    if let Err(error) = model.provable(about) {
        let other = About::AllNetworks;
        if about != other && model.provable(other).is_ok() {
            bail!("{error}; --all-networks proves the bound over all networks");
        }
        return Err(error.into());
    }
    let draft = interrupt::undisturbed(|| {
        let draft = DraftFolder::new(&args.output)?;
        interrupt::remove_on_exit(draft.temporary_path());
        Ok::<_, Error>(draft)
    })?;
    let table = args.data.open(common)?;
    let bar = progress::doing("checking the certificate");
    let step = |done: usize, all: usize| {
        bar.set_message(format!("{done} of {all} choices of inputs proven"));
    };
    let proof = match model.prove(&table, about, &step) {
        Err(error @ (Error::NotProven(_) | Error::OtherData)) => {
            report::note("warning", &error.to_string());
            return Ok(ExitCode::from(1));
        }
        proof => proof?,
    };
    drop(bar);
    interrupt::undisturbed(|| proof.fill(draft))?;
    let seconds = start.elapsed().as_secs_f64();
    report::answer(common, || json(&proof, args, seconds), || text(&proof, args, seconds))?;
    Ok(ExitCode::SUCCESS)
}

fn json(proof: &Proof, args: &Prove, seconds: f64) -> Value {
    let sizes = proof.files().map(|(name, text)| (name.to_owned(), json!(text.len())));
    json!({
        "output": args.output.to_string_lossy(),
        "claim": proof.certificate.claim(),
        "lower_bound": proof.certificate.lower_bound(),
        "objective": proof.certificate.objective(),
        "nodes": proof.nodes,
        "bytes": proof.bytes(),
        "files": sizes.collect::<serde_json::Map<_, _>>(),
        "seconds": seconds,
    })
}

fn text(proof: &Proof, args: &Prove, time: f64) -> String {
    let folder = args.output.display();
    let certificate = &proof.certificate;
    format!(
        "Proven: {}.\n  objective    {}\n  lower bound  {}\n  \
         size         {}, {} nodes of trees\n  time         {}\n  \
         check        python3 {}\nThe proof is in {folder}.\n",
        certificate.claim(),
        upper(certificate.objective()),
        lower(certificate.lower_bound()),
        bytes(proof.bytes() as f64),
        proof.nodes,
        seconds(time),
        args.output.join("check.py").display(),
    )
}
