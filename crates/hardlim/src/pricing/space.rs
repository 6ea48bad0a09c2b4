//! Points prepared for one exact search after the other.
//!
//! Boxes of normals ([`super::boxes`]) rule out most vertices of points in general position at
//! once, in a small part of the time of all circles. But points on one line or plane are undecided
//! together, in many boxes. For such points circles ([`super::circles`]) take less time, and they
//! remember. So a search begins with boxes. If they take too many steps, it goes on with circles,
//! and so do all later ones.

use std::sync::atomic::AtomicU64;

use super::boxes::{Attempt, Boxes, Searched};
use super::circles::{Circles, all_steps, circle_steps};
use super::flats::search;
use super::meter::Meter;
use super::points::Points;
use super::tuning::BOX_PATIENCE;
use super::vertex::{Floors, circles};

#[derive(Debug)]
pub(super) struct Space {
    pub(super) points: Points,
    /// The points with a bias, in two or three dimensions.
    boxes: Option<Boxes>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    circles: Circles,
    tied: bool,
}

/// About how many elementary steps a first search of points with a bias takes.
pub(super) fn steps(points: usize, rank: usize) -> f64 {
    let all = circles(points, rank) * circle_steps(points);
    match rank {
        3 => all.min(3e3 * points as f64),
        4 => all.min(1e5 * points as f64),
        _ => all,
    }
}

impl Space {
    /// The points; the bias is this column, if there is one.
    pub(super) fn new(points: Points, bias: usize) -> Self {
        let boxes = Boxes::of(&points, bias);
        Self { points, boxes }
    }

    /// About how many elementary steps a first search takes.
    pub(super) fn steps(&self) -> f64 {
        match self.boxes {
            Some(_) => steps(self.points.len, self.points.rank()),
            None => all_steps(&self.points),
        }
    }

    /// The best patterns beyond the floors, and upper bounds on all values; `None` if told to stop.
    /// The elementary steps are counted as they are taken.
    pub(super) fn search(
        &self,
        z: &[f64],
        mut floors: Floors,
        memory: &mut Memory,
        counter: &AtomicU64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Searched> {
        let points = &self.points;
        if points.rank() < 3 {
            return Some(Searched::exact(search(points, z, floors, &Meter::free())));
        }
        let mut before = None;
        if let Some(boxes) = self.boxes.as_ref().filter(|_| !memory.tied) {
            let patience = BOX_PATIENCE * all_steps(points) as u64;
            let meter = Meter::new(counter, stop);
            if meter.ask() {
                return None;
            }
            match boxes.attempt(points, z, floors, patience, &meter) {
                Attempt::Done(searched) => return Some(searched),
                Attempt::Stopped(_) => return None,
                Attempt::TooLong(Searched { found, .. }) => {
                    memory.tied = true;
                    floors = found.floors;
                    before = Some(found);
                }
            }
        }
        let mut found = memory.circles.search(points, z, floors, counter, stop)?;
        if let Some(before) = before {
            found.precede(before);
        }
        Some(Searched::exact(found))
    }
}
