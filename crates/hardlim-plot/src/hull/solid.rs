//! The convex hull of a few points with small integer coordinates, in two or three dimensions. It
//! is exact, simple and slow.

/// A point in three dimensions; in the plane, the last coordinate is zero.
pub(super) type Point = [i64; 3];

/// The hull: its corners, and its faces as cycles of corners seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Solid {
    pub(super) corners: Vec<Point>,
    /// Each face: the indices of its corners, counter-clockwise from outside, and its outward
    /// normal. In the plane there is one face, seen from above; on a line there is none.
    pub(super) faces: Vec<(Vec<usize>, Point)>,
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Point, b: Point) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Solid {
    pub(super) fn of(points: &[Point]) -> Self {
        let mut points = points.to_vec();
        points.sort_unstable();
        points.dedup();
        let mut faces: Vec<(Vec<Point>, Point)> = Vec::new();
        for (i, &a) in points.iter().enumerate() {
            for (j, &b) in points.iter().enumerate().skip(i + 1) {
                for &c in &points[j + 1..] {
                    let normal = cross(minus(b, a), minus(c, a));
                    for normal in [normal, normal.map(|v| -v)] {
                        let on = |p: &&Point| dot(normal, minus(**p, a)) == 0;
                        let outside = |p: &Point| dot(normal, minus(*p, a)) > 0;
                        let known = |face: &(Vec<Point>, Point)| {
                            cross(face.1, normal) == [0; 3] && dot(face.1, normal) > 0
                        };
                        if normal == [0; 3] || points.iter().any(outside) || faces.iter().any(known)
                        {
                            continue;
                        }
                        let members: Vec<Point> = points.iter().filter(on).copied().collect();
                        faces.push((cycle(&members, normal), normal));
                    }
                }
            }
        }
        // A flat hull has one face for us.
        let flat = faces.first().is_some_and(|(_, normal)| {
            let first = dot(*normal, points[0]);
            points.iter().all(|p| dot(*normal, *p) == first)
        });
        if flat {
            faces.retain(|(_, normal)| *normal > [0; 3]);
        }
        let mut corners: Vec<Point> = if faces.is_empty() {
            points.first().into_iter().chain(points.last()).copied().collect()
        } else {
            faces.iter().flat_map(|(cycle, _)| cycle).copied().collect()
        };
        corners.sort_unstable();
        corners.dedup();
        let place = |p: &Point| corners.binary_search(p).expect("a corner");
        let faces = (faces.iter())
            .map(|(cycle, normal)| (cycle.iter().map(place).collect(), *normal))
            .collect();
        Self { corners, faces }
    }
}

/// The corners of a face, counter-clockwise around its outward normal.
fn cycle(members: &[Point], normal: Point) -> Vec<Point> {
    let start = members[0]; // the least in lexicographic order is a corner
    let mut cycle = vec![start];
    loop {
        let here = *cycle.last().expect("never empty");
        // The next corner has all others to its left; of several in a row, the farthest.
        let next = members.iter().copied().filter(|p| *p != here).reduce(|best, p| {
            let turn = dot(normal, cross(minus(best, here), minus(p, here)));
            let farther =
                dot(minus(p, here), minus(p, here)) > dot(minus(best, here), minus(best, here));
            if turn < 0 || (turn == 0 && farther) { p } else { best }
        });
        match next {
            Some(next) if next != start => cycle.push(next),
            _ => return cycle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetric(points: &[Point]) -> Vec<Point> {
        points.iter().flat_map(|p| [*p, p.map(|v| -v)]).collect()
    }

    #[test]
    fn the_cube_has_six_squares_whatever_lies_inside() {
        let points: Vec<Point> = (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]).collect();
        let Solid { corners, faces } = Solid::of(&points);
        assert_eq!((corners.len(), faces.len()), (8, 6));
        assert!(faces.iter().all(|(cycle, _)| cycle.len() == 4));
    }

    #[test]
    fn faces_turn_left_around_what_points_out() {
        let points = symmetric(&[[1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]]);
        let Solid { corners, faces } = Solid::of(&points);
        for (cycle, normal) in &faces {
            for k in 0..cycle.len() {
                let [a, b, c] = [k, k + 1, k + 2].map(|k| corners[cycle[k % cycle.len()]]);
                assert!(dot(*normal, cross(minus(b, a), minus(c, b))) > 0);
                assert!(points.iter().all(|p| dot(*normal, minus(*p, a)) <= 0));
            }
        }
        // Euler: corners − edges + faces = 2.
        let edges: usize = faces.iter().map(|(cycle, _)| cycle.len()).sum::<usize>() / 2;
        assert_eq!(corners.len() + faces.len(), edges + 2);
    }

    #[test]
    fn flat_and_thin_hulls_are_hulls_too() {
        let square = Solid::of(&symmetric(&[[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]]));
        assert_eq!((square.corners.len(), square.faces.len()), (6, 1));
        assert_eq!(square.faces[0].1, [0, 0, square.faces[0].1[2].abs()]);
        let segment = Solid::of(&symmetric(&[[1, 1, 0], [0, 0, 0]]));
        assert_eq!((segment.corners.len(), segment.faces.len()), (2, 0));
        assert_eq!(Solid::of(&[[0; 3]]).corners, [[0; 3]]);
    }
}
