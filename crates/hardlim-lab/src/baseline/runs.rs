//! Several starts at several learning rates, and their curves.

use hardlim::Error;
use hardlim::data::Dataset;
use hardlim::loss::LossKind;
use hardlim::network::Network;
use hardlim::program::Beta;
use hardlim::solver::Budget;
use hardlim_plot::{CYCLE, Figure, Panel, Scale, Series, Stroke, line_chart};

use super::{Baseline, Epoch, Trained};

/// One start at one learning rate, and what came of it.
#[derive(Debug)]
pub struct Run {
    /// The learning rate at the start.
    pub rate: f64,
    /// The start, counted from zero.
    pub start: u64,
    /// The network and its epochs.
    pub trained: Trained,
}

/// Every learning rate from every start, until the budget is spent; the first run is always there.
///
/// # Errors
/// As for [`Baseline::train`].
pub fn runs(
    settings: &Baseline,
    (rates, starts): (&[f64], u64),
    (data, loss, beta): (&Dataset, LossKind, Beta),
    budget: &Budget<'_>,
    tell: &dyn Fn(&Baseline, &Epoch),
) -> Result<Vec<Run>, Error> {
    let mut runs = Vec::new();
    for &rate in rates {
        for start in 0..starts {
            if !runs.is_empty() && budget.spent().is_some() {
                break;
            }
            let baseline = Baseline { learning_rate: rate, start, ..settings.clone() };
            let mut visit = |epoch: &Epoch, _: &dyn Fn() -> Result<Network, Error>| {
                tell(&baseline, epoch);
            };
            let trained = baseline.train(data, loss, beta, budget, &mut visit)?;
            runs.push(Run { rate, start, trained });
        }
    }
    Ok(runs)
}

/// Every epoch of every run, as CSV.
pub fn csv(runs: &[Run]) -> String {
    let mut csv = "first_rate,start,epoch,seconds,as_trained,objective,rate\n".to_owned();
    for Run { rate, start, trained } in runs {
        for Epoch { epoch, seconds, raw, rescaled, learning_rate } in &trained.epochs {
            let start = start + 1;
            csv += &format!("{rate},{start},{epoch},{seconds},{raw},{rescaled},{learning_rate}\n");
        }
    }
    csv
}

/// The lowest objective of every run so far against its epochs, a colour for each learning rate.
pub fn draw(runs: &[Run], title: &str) -> Figure {
    let mut rates: Vec<f64> = Vec::new();
    let mut series = Vec::new();
    for Run { rate, trained, .. } in runs {
        // The lowest so far: with a learning rate that is too large, the objective fits no axis.
        let lowest = trained.epochs.iter().scan(f64::INFINITY, |lowest, epoch| {
            *lowest = lowest.min(epoch.rescaled);
            Some((epoch.epoch as f64, *lowest))
        });
        let known = rates.iter().position(|known| known == rate);
        let color = CYCLE[known.unwrap_or(rates.len()) % CYCLE.len()];
        let mut line = Series::new(lowest.collect(), color, Stroke::Solid);
        if known.is_none() {
            rates.push(*rate);
            line = line.named(format!("learning rate {rate}"));
        }
        series.push(line);
    }
    let title_of_panel = "Lowest objective so far, after the best rescaling";
    let axes = (("epoch", Scale::Linear), ("objective", Scale::Log));
    line_chart(title, vec![Panel::new(title_of_panel, axes.0, axes.1, series)], 1)
}
