//! How deep a network `hardlim train` makes: `--layers`, `--widths` and `--representation`.

use anyhow::bail;
use hardlim::data::Dataset;
use hardlim::network::representation::GAUSSIAN_WIDTH;
use hardlim::network::{Representation, Weights};
use hardlim::pricing::SubnetworkSearch;
use hardlim::train::{Method, Trainer};

use crate::args::Train;

/// What the layers are.
pub(super) struct Depth {
    /// The widths of the layers below the last hidden one.
    pub(super) widths: Vec<usize>,
    /// Whether they are a representation.
    pub(super) representation: Representation,
    /// Why that one, where nobody asked for it.
    pub(super) why: Option<String>,
}

impl Depth {
    /// What was asked for, or what suits the data. The flags have been checked.
    pub(super) fn choose(args: &Train, trainer: &Trainer<'_>, data: &Dataset) -> Self {
        let layers = layers(args);
        let (mut representation, mut why) = (args.representation.unwrap_or_default(), None);
        if layers > 2 && args.representation.is_none() && args.widths.is_empty() {
            let (picked, because) = trainer.pick_representation(data, layers);
            (representation, why) = (picked, Some(format!("without --widths, {because}")));
        }
        let widths = match (representation, &args.widths[..]) {
            (Representation::Gaussian, []) => vec![GAUSSIAN_WIDTH; layers - 2],
            (Representation::Gaussian, [width]) => vec![*width; layers - 2],
            (_, widths) => widths.to_vec(),
        };
        Self { widths, representation, why }
    }
}

/// Whether there are more than two layers.
pub(super) fn is_deep(args: &Train) -> bool {
    layers(args) > 2
}

/// The number of layers, the output counted.
fn layers(args: &Train) -> usize {
    let implied = match args.representation.unwrap_or_default() {
        Representation::None => args.widths.len() + 2,
        _ => args.widths.len().max(1) + 2,
    };
    args.layers.map_or(implied, usize::from)
}

/// Flags that do not go together, given the method they come to.
pub(super) fn check(args: &Train, method: Method) -> anyhow::Result<()> {
    match args.representation.unwrap_or_default() {
        Representation::None => check_subnetworks(args, method),
        representation => check_representation(args, method, representation),
    }
}

fn check_representation(
    args: &Train,
    method: Method,
    representation: Representation,
) -> anyhow::Result<()> {
    if !matches!(method, Method::Auto | Method::Complete) {
        bail!("--representation {representation} needs --method complete, not {method}");
    }
    check_weights(args)?;
    let (layers, widths) = (layers(args), args.widths.len());
    if layers < 3 {
        bail!("--layers {layers}: --representation {representation} makes 3 layers or more");
    }
    if args.tree {
        bail!("--tree: a representation has no trees; it needs --method enumerate");
    }
    match representation {
        Representation::Staircase if layers > 3 => {
            bail!("--layers {layers}: --representation staircase makes networks of 3 layers");
        }
        Representation::Staircase if widths > 0 => {
            bail!("--widths: the width of a staircase follows from the data");
        }
        Representation::Staircase if args.training.no_bias() => {
            bail!("--no-bias: a staircase is made of thresholds; use --representation gaussian");
        }
        _ if widths > 1 && widths != layers - 2 => bail!(
            "--layers {layers}: expected --widths with one number for all random layers, or {}, one \
             for each; found {widths}",
            layers - 2
        ),
        _ => Ok(()),
    }
}

fn check_weights(args: &Train) -> anyhow::Result<()> {
    if args.weights == Some(Weights::Sampled) {
        bail!("--weights sampled: on a --representation no weights are drawn; use svm or pi");
    }
    Ok(())
}

fn check_subnetworks(args: &Train, method: Method) -> anyhow::Result<()> {
    let (layers, widths) = (layers(args), &args.widths);
    if layers > 2 && method == Method::Complete {
        bail!(
            "--layers {layers}: --method complete makes deeper networks on a representation; add \
             --representation gaussian or staircase"
        );
    }
    let open = args.representation.is_none();
    if layers > 2 && widths.is_empty() && method == Method::Auto && open {
        return check_weights(args); // a representation will be chosen
    }
    if layers != widths.len() + 2 {
        bail!(
            "--layers {layers}: expected --widths with {} numbers, one for each layer below the last \
             hidden one, found {}",
            layers - 2,
            widths.len()
        );
    }
    if args.tree && !matches!(method, Method::Auto | Method::Enumerate) {
        bail!("--tree needs --method enumerate, not {method}");
    }
    if layers > 2 && method == Method::Generate && !SubnetworkSearch::reaches(widths) {
        bail!(
            "--widths: --method generate searches subnetworks of 3 layers with a width of at most {}; \
             use --method sample",
            SubnetworkSearch::widest()
        );
    }
    Ok(())
}
