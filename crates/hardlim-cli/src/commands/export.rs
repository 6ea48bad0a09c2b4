//! `hardlim export`.

use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Context;
use hardlim::Error;
use hardlim::export::{Data, Order, identifier, run as write};
use hardlim::model::file::DraftFolder;
use hardlim_verify::Installed;
use indicatif::ProgressBar;

use super::{open_model, open_table};
use crate::args::{Command, Common, Export};
use crate::{interrupt, progress, report};

pub(crate) fn run(args: &Export, common: &Common) -> anyhow::Result<ExitCode> {
    let file = args.model.file_name().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let stem = args.model.file_stem().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let python = std::env::var("HARDLIM_PYTHON").unwrap_or_else(|_| "python3".into());
    let bar = OnceLock::new();
    let order = Order {
        to: args.to,
        name: &args.name.clone().unwrap_or_else(|| identifier(&stem)),
        source: &file,
        folder: &args.output,
        constant_time: args.constant_time,
        exact_outputs: args.exact_outputs,
        output_bits: args.output_bits,
        budget: args.budget,
        verify: args.verify,
        random: args.random,
        seed: common.seed,
        spell: Command::usual_flag,
        tell: &|text| bar.get_or_init(progress::spinner).set_message(text.to_owned()),
        draft: &|path| {
            interrupt::undisturbed(|| {
                let draft = DraftFolder::new(path)?;
                interrupt::remove_on_exit(draft.temporary_path());
                Ok::<_, Error>(draft)
            })
        },
    };
    order.check()?;
    let tools = Installed::new(python, args.time_limit)?;
    let model = open_model(&args.model)?;
    let table = args.table().map(|data| open_table(&data, common)).transpose()?;
    let data = table.as_ref().map_or(Data::Nothing, Data::Table);
    let written = write(&order, &model, data, &tools);
    bar.get().into_iter().for_each(ProgressBar::finish_and_clear);
    let written = written.with_context(|| {
        let with =
            table.as_ref().map_or(String::new(), |table| format!(" with {}", table.source()));
        format!("cannot export {}{with}", args.model.display())
    })?;
    report::answer(common, || written.json, || written.text)?;
    Ok(ExitCode::SUCCESS)
}
