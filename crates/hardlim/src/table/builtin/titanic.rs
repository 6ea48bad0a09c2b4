//! The fate of the 2201 people aboard the Titanic (R. J. MacG. Dawson, "The 'Unusual Episode' Data
//! Revisited", Journal of Statistics Education 3, 1995).

use super::{Table, labels, numbers};
use crate::table::TableError;

/// Class (1, 2, 3; the crew is 4), age (0 adult, 1 child), sex (0 female, 1 male): how many died,
/// how many survived.
const COUNTS: [([u8; 3], usize, usize); 14] = [
    ([1, 0, 0], 4, 140),
    ([1, 0, 1], 118, 57),
    ([1, 1, 0], 0, 1),
    ([1, 1, 1], 0, 5),
    ([2, 0, 0], 13, 80),
    ([2, 0, 1], 154, 14),
    ([2, 1, 0], 0, 13),
    ([2, 1, 1], 0, 11),
    ([3, 0, 0], 89, 76),
    ([3, 0, 1], 387, 75),
    ([3, 1, 0], 17, 14),
    ([3, 1, 1], 35, 13),
    ([4, 0, 0], 3, 20),
    ([4, 0, 1], 670, 192),
];

/// One row for each person.
pub(super) fn table() -> Result<Table, TableError> {
    let feature = |k: usize| {
        let repeat = |&(row, died, survived): &([u8; 3], usize, usize)| {
            std::iter::repeat_n(f64::from(row[k]), died + survived)
        };
        COUNTS.iter().flat_map(repeat).collect()
    };
    let survived = COUNTS.iter().flat_map(|&(_, died, survived)| {
        std::iter::repeat_n("no", died).chain(std::iter::repeat_n("yes", survived))
    });
    let columns = vec![
        numbers("class", feature(0)),
        numbers("age", feature(1)),
        numbers("sex", feature(2)),
        labels("survived", survived),
    ];
    Table::new("titanic", columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Coding, CodingOptions};

    #[test]
    fn there_are_14_kinds_of_people_and_711_survivors() {
        let table = table().unwrap();
        let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
        let data = coding.dataset(&table).unwrap();
        assert_eq!((data.samples(), data.distinct(), data.dimension()), (2201, 14, 3));
        let survivors = coding.targets(&table).unwrap().iter().filter(|&&y| y == 1.0).count();
        assert_eq!(survivors, 711);
    }

    #[test]
    fn the_margins_are_the_published_ones() {
        let total = |keep: &dyn Fn(&[u8; 3]) -> bool| {
            let kept = COUNTS.iter().filter(|(row, ..)| keep(row));
            kept.map(|(_, died, survived)| died + survived).sum::<usize>()
        };
        for (class, people) in [(1, 325), (2, 285), (3, 706), (4, 885)] {
            assert_eq!(total(&|row| row[0] == class), people);
        }
        assert_eq!((total(&|row| row[1] == 1), total(&|row| row[2] == 0)), (109, 470));
    }
}
