//! The plane cut into cells by lines.

/// A convex polygon.
pub(super) type Polygon = Vec<(f64, f64)>;

/// A line `ax + by + c = 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) c: f64,
}

impl Line {
    fn side(&self, (x, y): (f64, f64)) -> f64 {
        self.a * x + self.b * y + self.c
    }

    /// The parts of a polygon on both sides; what is thinner than rounding is none.
    fn cut(&self, polygon: &[(f64, f64)]) -> [Polygon; 2] {
        let mut parts = [Vec::new(), Vec::new()];
        for (k, &here) in polygon.iter().enumerate() {
            let next = polygon[(k + 1) % polygon.len()];
            let (s, t) = (self.side(here), self.side(next));
            if s >= 0.0 {
                parts[0].push(here);
            }
            if s <= 0.0 {
                parts[1].push(here);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let r = s / (s - t);
                let at = (here.0 + r * (next.0 - here.0), here.1 + r * (next.1 - here.1));
                parts.iter_mut().for_each(|part| part.push(at));
            }
        }
        parts
    }

    /// Its part inside a polygon, where there is one.
    pub(super) fn within(&self, polygon: &[(f64, f64)]) -> Option<[(f64, f64); 2]> {
        let [above, below] = self.cut(polygon);
        let mut shared = above.into_iter().filter(|p| below.contains(p));
        Some([shared.next()?, shared.next()?])
    }
}

/// The cells of lines inside a polygon.
pub(super) fn cells(polygon: &[(f64, f64)], lines: &[Line]) -> Vec<Polygon> {
    let least = 1e-9 * area(polygon);
    let mut cells = vec![polygon.to_vec()];
    for line in lines {
        let cut = |cell: &Polygon| {
            let parts = line.cut(cell).into_iter().filter(|part| area(part) > least);
            parts.collect::<Vec<_>>()
        };
        cells = cells.iter().flat_map(cut).collect();
    }
    cells
}

fn area(polygon: &[(f64, f64)]) -> f64 {
    let turn = |k: usize| {
        let ((x, y), (v, w)) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        x * w - y * v
    };
    0.5 * (0..polygon.len()).map(turn).sum::<f64>().abs()
}

/// A point inside.
pub(super) fn middle(polygon: &[(f64, f64)]) -> (f64, f64) {
    let count = polygon.len() as f64;
    let (x, y) = polygon.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0, y + p.1));
    (x / count, y / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [(f64, f64); 4] = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];

    #[test]
    fn lines_cut_a_square_into_cells_that_fill_it() {
        let line = |a, b, c| Line { a, b, c };
        let lines = [line(1.0, 0.0, -1.0), line(0.0, 1.0, -2.0), line(1.0, 1.0, -4.5)];
        let found = cells(&SQUARE, &lines);
        assert_eq!(found.len(), 7);
        assert!((found.iter().map(|cell| area(cell)).sum::<f64>() - 16.0).abs() < 1e-9);
        // Lines outside, along the border, and twice the same cut nothing.
        let idle = [line(1.0, 0.0, 1.0), line(1.0, 0.0, 0.0), line(0.0, 0.0, 1.0), lines[0]];
        assert_eq!(cells(&SQUARE, &[&lines[..], &idle].concat()).len(), 7);
        assert_eq!(lines[0].within(&SQUARE), Some([(1.0, 0.0), (1.0, 4.0)]));
        assert_eq!(idle[0].within(&SQUARE), None);
    }
}
