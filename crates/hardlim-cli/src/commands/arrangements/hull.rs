//! The hulls of the patterns of one neuron and of subnetworks, for two or three rows.

use anyhow::{Context, ensure};
use hardlim::arrangement::Arrangement;

use crate::args::Arrangements;
use crate::plot::{Figure, hull};

/// The hulls of the two-layer patterns and of the deep ones, side by side.
pub(super) fn figure(arrangement: &Arrangement<'_>, args: &Arrangements) -> anyhow::Result<Figure> {
    let rows = arrangement.features().rows();
    ensure!(matches!(rows, 2 | 3), "only 2 or 3 distinct rows can be drawn, found {rows}");
    let widths = if args.widths.is_empty() { vec![2] } else { args.widths.clone() };
    let shallow = arrangement.listing(args.limit())?.patterns()?;
    let deep = arrangement.deep(&widths, args.tree, args.limit())?.patterns;
    let list: Vec<String> = widths.iter().map(ToString::to_string).collect();
    let left = format!("2 layers: {} patterns", shallow.patterns());
    let right = format!(
        "{} layers, width{} {}{}: {} patterns",
        widths.len() + 2,
        if widths.len() == 1 { "" } else { "s" },
        list.join(", "),
        if args.tree { ", trees" } else { "" },
        deep.patterns()
    );
    hull::figure(&[(&shallow, left), (&deep, right)]).context("there is no pattern")
}
