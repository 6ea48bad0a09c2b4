//! An axis: its label, its range, and round numbers on it.

use kuva::render::layout::TickFormat;

use crate::literal;

/// Numbers that differ by less, relative to their size, have the same digits on an axis.
const SAME: f64 = 1e-4;
/// How far an axis of counts goes beyond the largest.
const ROOM: f64 = 1.04;

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Its label.
    pub label: String,
    /// How its numbers are written and spaced.
    pub scale: Scale,
    /// A range that it shows at least; without one, the range of the points.
    pub range: Option<(f64, f64)>,
}

/// How the numbers of an axis are written and spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Numbers.
    Linear,
    /// Positive numbers on a logarithmic scale.
    Log,
    /// Whole numbers from zero on.
    Count,
    /// Fractions, in per cent.
    Percent,
}

impl Axis {
    pub(crate) fn label(&self) -> Option<String> {
        Some(literal(&self.label)).filter(|label| !label.is_empty())
    }

    /// The range of an axis, with and without space beside the points: their extent, widened to the
    /// requested range. Without points it is arbitrary.
    pub(crate) fn extent(
        &self,
        padded: (f64, f64),
        points: Option<(f64, f64)>,
    ) -> ((f64, f64), Option<(f64, f64)>) {
        let asked = self.range.or((self.scale == Scale::Count).then_some((0.0, 1.0)));
        let widen = |(low, high): (f64, f64)| match asked {
            Some((least, most)) => (low.min(least), high.max(most)),
            None => (low, high),
        };
        let points = widen(points.unwrap_or(padded));
        if points.0 > points.1 {
            return ((1.0, 10.0), Some((1.0, 10.0)));
        }
        match self.scale.opened(points) {
            opened if opened == points => (widen(padded), Some(points)),
            opened => (opened, Some(opened)),
        }
    }
}

impl Scale {
    /// A range with room for its numbers: those of one value, or of values that look the same, get
    /// some on both sides, and counts get some above.
    fn opened(self, (low, high): (f64, f64)) -> (f64, f64) {
        match self {
            Self::Log if high <= low * (1.0 + SAME) => (low / 2.0, high * 2.0),
            Self::Count => (low, ROOM * high),
            Self::Linear | Self::Percent if high - low <= SAME * low.abs().max(high.abs()) => {
                let room = if low == 0.0 { 1.0 } else { (ROOM - 1.0) * low.abs() };
                (low - room, high + room)
            }
            _ => (low, high),
        }
    }

    pub(crate) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self != Self::Log || value > 0.0)
    }

    pub(crate) fn tick_format(self) -> TickFormat {
        match self {
            Self::Linear | Self::Log => TickFormat::Custom(std::sync::Arc::new(tick)),
            Self::Count => TickFormat::Integer,
            Self::Percent => {
                TickFormat::Custom(std::sync::Arc::new(|v| format!("{} %", tick(100.0 * v))))
            }
        }
    }
}

/// A number on an axis, without trailing zeros; scientific notation if it is very small or large.
pub fn tick(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        let rounded: f64 = format!("{value:.3e}").parse().expect("a number, as just written");
        return format!("{rounded:e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

pub(crate) fn round_ends(interval: Option<(f64, f64)>) -> (Option<f64>, Option<f64>) {
    interval.map(|(low, high)| (round_below(low), round_above(high))).unzip()
}

/// The largest of 1, 2 or 5 times a power of ten that is not above a number.
pub(crate) fn round_below(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    [5.0, 2.0].into_iter().find(|step| step * decade <= value).unwrap_or(1.0) * decade
}

/// The smallest of 1, 2 or 5 times a power of ten that is not below a number.
pub(crate) fn round_above(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().find(|step| step * decade >= value).unwrap_or(10.0) * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_an_axis_are_round_and_leave_nothing_out() {
        for (value, below, above) in
            [(1.0, 1.0, 1.0), (0.03, 0.02, 0.05), (7.3, 5.0, 10.0), (698.0, 500.0, 1000.0)]
        {
            assert!((round_below(value) / below - 1.0).abs() < 1e-12);
            assert!((round_above(value) / above - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn values_that_look_the_same_have_room() {
        let (low, high) = Scale::Linear.opened((2.0, 2.0 + 1e-9));
        assert!(low < 1.95 && high > 2.05);
        assert_eq!(Scale::Linear.opened((0.0, 0.0)), (-1.0, 1.0));
        assert_eq!(Scale::Linear.opened((1.0, 2.0)), (1.0, 2.0));
        assert_eq!(Scale::Log.opened((8.0, 8.0)), (4.0, 16.0));
        assert!(Scale::Count.opened((0.0, 2.0)).1 > 2.0);
    }

    #[test]
    fn ticks_have_no_idle_digits() {
        let texts = [0.0, 0.05, 1000.0, 2e6, 1e-5].map(tick);
        assert_eq!(texts, ["0", "0.05", "1000", "2e6", "1e-5"]);
    }
}
