//! `hardlim export`.

use std::cell::OnceCell;
use std::process::ExitCode;

use anyhow::{Context, bail};
use hardlim::Error;
use hardlim::export::folder::{self, Order, Rows, Subject, Target, budget};
use hardlim::export::names;
use hardlim::model::Model;
use hardlim::model::file::DraftFolder;
use hardlim::network::Network;
use hardlim::table::Table;
use indicatif::ProgressBar;

use super::{checked, explain, open_model, open_table};
use crate::args::{Command, Common, Export};
use crate::{interrupt, progress, report};

pub(crate) fn run(args: &Export, common: &Common) -> anyhow::Result<ExitCode> {
    let file = args.model.file_name().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let stem = args.model.file_stem().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let name = args.name.clone().unwrap_or_else(|| names::identifier(&stem));
    let python = std::env::var("HARDLIM_PYTHON").unwrap_or_else(|_| "python3".into());
    let bar = OnceCell::new();
    let order = Order {
        to: args.to.into(),
        name: &name,
        source: &file,
        folder: &args.output,
        constant_time: args.constant_time,
        exact_outputs: args.exact_outputs,
        output_bits: args.output_bits,
        verify: args.verify,
        random: args.random,
        time_limit: args.time_limit.unwrap_or(Order::TIME_LIMIT),
        seed: common.seed,
        python: &python,
        spell: Command::usual_flag,
        tell: &|text| bar.get_or_init(progress::spinner).set_message(text.to_owned()),
        temporary: &|path| interrupt::undisturbed(|| interrupt::remove_on_exit(path)),
    };
    order.check()?;
    let draft = interrupt::undisturbed(|| {
        let draft = DraftFolder::new(&args.output)?;
        interrupt::remove_on_exit(draft.temporary_path());
        Ok::<_, Error>(draft)
    })
    .context("-o")?;
    let model = open_model(&args.model)?;
    let table = args.table().map(|data| open_table(&data, common)).transpose()?;
    let found = match (args.budget, &table) {
        (Some(budget), Some(table)) => {
            Some(budget::search(&order, &model, &budget::training_set(&model, table)?, budget)?)
        }
        _ => None,
    };
    let model = found.as_ref().map_or(model, |found| found.model.clone());
    let (model, chosen) = match order.to.needs_integers() && !folder::has_integers(&model) {
        true => (with_integers(args, &model, table.as_ref())?, true),
        false => (model, false),
    };
    let targets = table.as_ref().filter(|table| model.coding().has_target(table));
    let data = targets.map(|table| model.training_data(table)).transpose()?;
    let rounded = {
        let _rounding = progress::doing("rounding the output weights");
        data.map(|data| folder::with_few_bits(&order, &model, &data)).transpose()?.flatten()
    };
    let (model, few_bits) = rounded.map_or((model, None), |(model, few)| (model, Some(few)));
    let rows = table.as_ref().map(|table| Rows::of(&model, table)).transpose()?;
    let (rows, check) = (rows.as_ref(), checked(&model, table.as_ref())?);
    let rules = match order.to {
        Target::Markdown => {
            let features = rows.map(Rows::features);
            explain::markdown(&args.model, &model, features, check.as_ref())
        }
        _ => String::new(),
    };
    let check = check.as_ref();
    let subject = Subject { model: &model, chosen, few_bits, rows, check, rules: &rules };
    let written = folder::fill(&draft, &order, &subject);
    bar.get().into_iter().for_each(ProgressBar::finish_and_clear);
    let mut written = written.map_err(|error| match error {
        Error::TooWide { .. } | Error::NoIntegers => anyhow::Error::from(error)
            .context(format!("cannot export {} in integers", args.model.display())),
        error => error.into(),
    })?;
    if let Some(found) = &found {
        written.text = found.text() + &written.text;
        written.json["budget"] = found.json();
    }
    interrupt::undisturbed(|| draft.finish())?;
    report::answer(common, || written.json, || written.text)?;
    Ok(ExitCode::SUCCESS)
}

/// The model with integer weights.
fn with_integers(args: &Export, model: &Model, table: Option<&Table>) -> anyhow::Result<Model> {
    let name = args.model.display();
    let Some(table) = table else {
        bail!(
            "{name} has no integer weights: give its training data with --data to choose them, run \
             hardlim weights {name} DATA --choice integer first, or write double precision with --to c-double or rust-double"
        );
    };
    let data = model.training_data(table)?;
    let bar = progress::even_steps(model.networks().map(Network::neurons).sum());
    bar.set_prefix("choosing integer weights:");
    bar.set_message("neurons");
    let chosen = folder::with_integers(model, &data, &|| bar.inc(1));
    bar.finish_and_clear();
    let context =
        || format!("--data: cannot choose integer weights for {name} on {}", table.source());
    chosen.with_context(context)
}
