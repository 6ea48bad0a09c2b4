//! The first layer on many rows: in fixed point if that decides the sign, otherwise exactly.
//!
//! Inputs are scaled by powers of two, `uⱼ = xⱼ · 2^(15 − cⱼ)`, so that each fills 16 bits on the
//! given rows. Weights are scaled by the inverse powers. The scaling is exact, and
//! [`crate::pattern::fixed`] bounds the error of rounding to integers. The few sums within the
//! bound are decided on the real numbers, so all answers are those of [`Neuron::fires`].

mod group;
mod scales;

use self::group::Group;
use self::scales::Scales;
use super::Neuron;
use crate::network::tuning::{BLOCK_ANSWERS, BLOCK_NUMBERS};
use crate::pattern::WORD;
use crate::pattern::fixed::{Panel, SIDE, Tile, largest};
use crate::pattern::kernel::Isa;
use crate::pattern::transpose::transpose;

/// The fewest rows of a block; a whole number of words.
const FEWEST: usize = 2 * WORD;

pub(super) struct FixedLayer<'a> {
    neurons: Vec<&'a Neuron>,
    dimension: usize,
    groups: Vec<Group>,
    isa: Isa,
}

impl<'a> FixedLayer<'a> {
    pub(super) fn new(neurons: Vec<&'a Neuron>, dimension: usize) -> Self {
        Self::on(Isa::best(), neurons, dimension)
    }

    fn on(isa: Isa, neurons: Vec<&'a Neuron>, dimension: usize) -> Self {
        let groups = Group::all(&neurons);
        Self { neurons, dimension, groups, isa }
    }

    /// The most rows that are evaluated at a time: a whole number of words.
    pub(super) fn block(&self) -> usize {
        let rows =
            (BLOCK_NUMBERS / self.dimension.max(1)).min(BLOCK_ANSWERS / self.groups.len().max(1));
        rows.max(FEWEST) / WORD * WORD
    }

    /// The neuron of each bit of the answers; `None` for bits that are always off.
    pub(super) fn order(&self) -> impl Iterator<Item = Option<usize>> {
        (self.groups.iter())
            .flat_map(|group| (0..SIDE).map(|k| group.neurons.get(k).map(|&j| j as usize)))
    }

    pub(super) fn worker(&self) -> Worker<'_> {
        Worker {
            layer: self,
            scales: Scales::new(self.dimension),
            panels: Vec::new(),
            tiles: Vec::new(),
            bits: Vec::new(),
        }
    }
}

/// What one thread needs to evaluate blocks of rows.
pub(super) struct Worker<'a> {
    layer: &'a FixedLayer<'a>,
    scales: Scales,
    panels: Vec<Panel>,
    tiles: Vec<Tile>,
    bits: Vec<u16>,
}

impl Worker<'_> {
    /// The answers on a block of rows, given one after the other. Each row has as many bits as
    /// [`FixedLayer::order`] names.
    pub(super) fn answers(&mut self, values: &[f64], rows: usize) -> &[u16] {
        let Self { layer, scales, panels, tiles, bits } = self;
        let d = layer.dimension;
        assert_eq!(values.len(), rows * d, "a number for each input");
        tiles.resize_with(rows.div_ceil(SIDE), || Tile::new(d));
        let mut most = vec![0.0; d];
        largest(layer.isa, values, &mut most);
        let mut stale = scales.suit(&most);
        let mut norm = 1.0f64;
        for i in 0..rows {
            let row = &values[i * d..(i + 1) * d];
            norm = norm.max(tiles[i / SIDE].round(layer.isa, i % SIDE, row, &scales.of_inputs));
        }
        // Rows left from an earlier block, with other scales, could overflow the sums.
        if let Some(last) = tiles.last_mut().filter(|_| !rows.is_multiple_of(SIDE)) {
            last.forget(rows % SIDE);
        }
        stale |= scales.suit_norm(norm);
        if stale || panels.is_empty() {
            *panels = layer.groups.iter().map(|group| group.rounded(scales)).collect();
        }
        let width = panels.len();
        bits.clear();
        bits.resize(rows * width, 0);
        for (p, (panel, group)) in panels.iter().zip(&layer.groups).enumerate() {
            for (tile, first) in tiles.iter().zip((0..rows).step_by(SIDE)) {
                let (mut on, unsure) = panel.signs(layer.isa, tile);
                for r in 0..SIDE.min(rows - first) {
                    let mut left = unsure[r];
                    while left != 0 {
                        let k = left.trailing_zeros() as usize;
                        let neuron = layer.neurons[group.neurons[k] as usize];
                        let row = &values[(first + r) * d..(first + r + 1) * d];
                        on[r] = on[r] & !(1 << k) | u16::from(neuron.fires(row)) << k;
                        left &= left - 1; // drops the lowest set bit
                    }
                    bits[(first + r) * width + p] = on[r];
                }
            }
        }
        bits
    }

    /// The answers on a block of rows, neuron by neuron, as the words of one pattern each.
    pub(super) fn columns(&mut self, values: &[f64], rows: usize) -> Vec<u64> {
        let words = rows.div_ceil(WORD);
        let mut columns = vec![0; words * self.layer.neurons.len()];
        let width = self.layer.groups.len();
        let order: Vec<Option<usize>> = self.layer.order().collect();
        let bits = self.answers(values, rows);
        for (word, first) in (0..rows).step_by(WORD).enumerate() {
            for (left, neurons) in order.chunks(WORD).enumerate() {
                let mut block = [0; WORD];
                for (row, i) in block.iter_mut().zip(first..rows) {
                    let masks = bits[i * width..][..width].iter().skip(left * WORD / SIDE);
                    *row =
                        masks.take(WORD / SIDE).rev().fold(0, |row, &m| row << SIDE | u64::from(m));
                }
                transpose(&mut block);
                for (column, neuron) in block.into_iter().zip(neurons) {
                    if let Some(j) = neuron {
                        columns[j * words + word] = column;
                    }
                }
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests;
