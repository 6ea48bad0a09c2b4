//! Tables as people have them.

use super::*;
use crate::data::{Column, Fields};

#[test]
fn later_cells_are_read_one_by_one_as_the_model_says() {
    let later = |text: &str, cells: &str| {
        let coding = fit(text);
        let rows: String = cells.split(' ').map(|cell| format!("{cell};0\n")).collect();
        coding.features(&table(&format!("v;w\n{rows}"))).map_err(line).map(|x| x.values().to_vec())
    };
    let refused = |row, words, got| {
        format!(
            "row {row}, column \"v\": expected a number with {words} as in training, got {got:?}"
        )
    };
    // Whatever the other cells are: alone, among whole numbers, and among text.
    let commas = "v;y\n1,5;0\n2,5;1\n4;1\n";
    assert_eq!(later(commas, "4200 7"), Ok(vec![4200.0, 7.0]));
    for (cells, row) in [("4.200", 2), ("1 4.200", 3), ("1,5 4.200", 3), ("4.200 9.9", 2)] {
        assert_eq!(later(commas, cells), Err(refused(row, "decimal commas", "4.200")), "{cells}");
    }
    assert_eq!(later(commas, "1.000"), Err(refused(2, "decimal commas", "1.000")));
    let both = "v;y\n1.200,5;0\n2,5;1\n4;1\n";
    for (cells, values) in [("4.200", vec![4200.0]), ("4.200 7,5 1.000", vec![4200.0, 7.5, 1000.0])]
    {
        assert_eq!(later(both, cells), Ok(values));
    }
    let words = "decimal commas, points between thousands";
    for (cells, row) in [("9.9", 2), ("4.200 9.9", 3), ("4.200 7,5 9.9 1.000", 4)] {
        assert_eq!(later(both, cells), Err(refused(row, words, "9.9")), "{cells}");
    }
    let share = "v,y\n5%,0\n7%,1\n8%,1\n";
    assert_eq!(later(share, "6% 1.5%"), Ok(vec![6.0, 1.5]));
    for (cells, row, got) in [("5", 2, "5"), ("0.05", 2, "0.05"), ("6% 0.05", 3, "0.05")] {
        assert_eq!(later(share, cells), Err(refused(row, "per cent signs", got)), "{cells}");
    }
    // The numbers of a table that is not text are what they are.
    let column = Column { name: "v".into(), fields: Fields::Numbers(vec![4.2]) };
    let plain = Table::new("t", vec![column]).unwrap();
    assert_eq!(fit(commas).features(&plain).unwrap().values(), [4.2]);
}

#[test]
fn a_copy_of_the_target_is_left_out_in_more_than_a_few_rows() {
    let text = |rows| {
        let row = |i: usize| format!("{0},{1},{0}\n", ["no", "yes"][i * i % 7 % 2], i * i % 31);
        "leak,a,y\n".to_owned() + &(0..rows).map(row).collect::<String>()
    };
    let coding = fit(&text(40));
    assert_eq!(coding.feature_names(), ["a"]);
    let expected = "column \"leak\" is left out: it is a copy of the target (`keep=leak` brings it back)";
    assert_eq!(coding.notes(), [expected]);
    let kept = Coding::fit(&table(&text(40)), &options(|o| o.keep = names(&["leak"]))).unwrap();
    assert_eq!(kept.feature_names(), ["leak=yes", "a"]);
    let stored: Coding = serde_json::from_str(&serde_json::to_string(&coding).unwrap()).unwrap();
    assert_eq!(stored, coding);
    assert_eq!(fit(&text(19)).feature_names(), ["leak=yes", "a"]);
}
