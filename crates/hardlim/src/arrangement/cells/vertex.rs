//! The cells that have one vertex as their highest point.
//!
//! At a vertex the hyperplanes through it form a central arrangement in the space of directions,
//! and the cells with their highest point there are its regions that lie in `{g < 0}`, `g` being
//! the objective: those opposite to the regions in `{g > 0}`. Where as many hyperplanes meet as
//! there are dimensions there is one (see [`super::walk`]); this file is for the vertices where more
//! do.
//!
//! A region of a central arrangement in two or more dimensions is the convex hull of its facets, so
//! it lies in `{g > 0}` exactly when all of them do. A facet is a region of the arrangement that
//! the others cut out of one hyperplane, and each such region is a facet of the two regions on its
//! sides. So all regions are found from those of one dimension less, each as often as it has
//! facets, down to one dimension, where the two regions are the two rays.

use std::collections::BTreeMap;

use super::tableau::Tableau;
use crate::pattern::WORD;

/// Which rows are positive, 64 to a word.
type Signs = Vec<u64>;

/// The regions in `{g > 0}` of the forms in a tableau, the last of which is `g`; in a stable order.
pub(super) fn regions_above(tableau: &mut Tableau<'_>) -> Vec<Signs> {
    match tableau.width() {
        2 => fan(tableau),
        _ => {
            let rows: Vec<usize> = (0..tableau.rows() - 1).collect();
            let regions = regions(tableau, &rows);
            regions.into_iter().filter(|&(_, above)| above).map(|(signs, _)| signs).collect()
        }
    }
}

/// Two dimensions: on the line `g = 1` the forms have one root each, and the regions are the
/// intervals between them.
fn fan(tableau: &mut Tableau<'_>) -> Vec<Signs> {
    // The elements are g itself and a form h; a row y·g + λ·h has its root at h = −y/λ.
    let count = tableau.rows() - 1;
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| tableau.compare_ratios([j, i], [0, 1]));
    let mut signs = vec![0; count.div_ceil(WORD)];
    for j in 0..count {
        // Far below all roots.
        set(&mut signs, j, tableau.sign(1, j) < 0);
    }
    let mut regions = Vec::new();
    for (k, &j) in order.iter().enumerate() {
        let same = k > 0 && tableau.compare_ratios([order[k - 1], j], [0, 1]).is_eq();
        if k > 0 && !same {
            regions.push(signs.clone());
        }
        set(&mut signs, j, tableau.sign(1, j) > 0);
    }
    regions
}

/// All regions of some rows, each with whether it lies in `{g > 0}`.
fn regions(tableau: &mut Tableau<'_>, rows: &[usize]) -> BTreeMap<Signs, bool> {
    let form = tableau.rows() - 1;
    let empty = || vec![0; form.div_ceil(WORD)];
    let mut found = BTreeMap::new();
    if tableau.width() == 1 {
        let (mut ray, mut opposite) = (empty(), empty());
        for &j in rows {
            let positive = tableau.sign(0, j) > 0;
            set(&mut ray, j, positive);
            set(&mut opposite, j, !positive);
        }
        let above = tableau.sign(0, form) > 0;
        found.insert(ray, above);
        found.insert(opposite, !above);
        return found;
    }
    let elements: Vec<usize> = (0..tableau.width()).collect();
    let mut done = vec![false; form];
    for &i in rows {
        if done[i] {
            continue;
        }
        let p = tableau.pivot_for(i, &elements).expect("no form is zero");
        let mut wall = tableau.pivot(i, p);
        let others: Vec<usize> = elements.iter().copied().filter(|&q| q != p).collect();
        let (parallel, rest): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|&&j| wall.vanishes(j, &others));
        let same: Vec<bool> = parallel.iter().map(|&j| wall.sign(p, j) > 0).collect();
        parallel.iter().for_each(|&j| done[j] = true);
        wall.drop_element(p);
        for (facet, above) in regions(&mut wall, &rest) {
            for side in [true, false] {
                let mut signs = facet.clone();
                parallel.iter().zip(&same).for_each(|(&j, &same)| set(&mut signs, j, same == side));
                *found.entry(signs).or_insert(true) &= above;
            }
        }
    }
    found
}

fn set(signs: &mut [u64], j: usize, positive: bool) {
    let bit = 1 << (j % WORD);
    if positive {
        signs[j / WORD] |= bit;
    } else {
        signs[j / WORD] &= !bit;
    }
}
