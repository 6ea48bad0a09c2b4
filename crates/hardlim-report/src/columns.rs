//! The columns of the table and their variables, as the scripts of the page know them.

use hardlim::data::{Dataset, Features};
use hardlim::explain::rounded;
use hardlim::explain::variables::{Variable, ends, numbers, spans};
use serde::Serialize;

use crate::subject::Subject;

/// The columns, for the controls of the page.
pub(crate) fn columns<'a>(variables: &[Variable], subject: &'a Subject<'_>) -> Vec<Column<'a>> {
    let codings = subject.model.coding().columns();
    let used = used(subject);
    let shares = shares(subject);
    let column = |(k, &(first, count, feature)): (usize, &(usize, usize, usize))| {
        let own = variables.iter().filter(|variable| variable.column == k);
        let read = own.clone().any(|variable| variable.features().iter().any(|&f| used[f]));
        let range = own.filter(|_| read).map(|variable| range(variable, &subject.features));
        Column {
            name: &codings[first].column.name,
            codings: [first, count],
            feature,
            read,
            share: rounded(shares[k]),
            ranges: range.collect(),
        }
    };
    spans(subject.model.coding()).iter().enumerate().map(column).collect()
}

#[derive(Debug, Serialize)]
pub(crate) struct Column<'a> {
    name: &'a str,
    /// Its first coding, and how many it has.
    codings: [usize; 2],
    feature: usize,
    read: bool,
    /// Its share in the changes of the output.
    share: f64,
    /// For each variable the least and the greatest number, and the deviation; none for labels.
    ranges: Vec<Option<[f64; 3]>>,
}

fn used(subject: &Subject<'_>) -> Vec<bool> {
    let mut used = vec![false; subject.features.dimension()];
    for network in subject.model.networks() {
        for (input, weight) in network.layers()[0].neurons.iter().flat_map(|n| n.terms()) {
            used[input] |= weight != 0.0;
        }
    }
    used
}

fn shares(subject: &Subject<'_>) -> Vec<f64> {
    let rows = subject.features.rows();
    let data = Dataset::new(subject.features.clone(), &vec![0.0; rows], None);
    let data = data.expect("rows that were read");
    subject.model.shares(&data).into_iter().map(|(_, share)| share).collect()
}

fn range(variable: &Variable, rows: &Features) -> Option<[f64; 3]> {
    let numbers = numbers(variable, rows);
    let (least, most) = ends(&numbers)?;
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let spread = numbers.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    Some([least, most, rounded(spread.sqrt())])
}
