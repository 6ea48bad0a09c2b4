//! Tables as people have them.

use super::*;
use crate::table::{Column, Fields};

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
    let expected =
        "column \"leak\" is left out: it is a copy of the target (`keep=leak` brings it back)";
    assert_eq!(coding.notes(), [expected]);
    let kept = Coding::fit(&table(&text(40)), &options(|o| o.keep = names(&["leak"]))).unwrap();
    assert_eq!(kept.feature_names(), ["leak=yes", "a"]);
    let stored: Coding = serde_json::from_str(&serde_json::to_string(&coding).unwrap()).unwrap();
    assert_eq!(stored, coding);
    assert_eq!(fit(&text(19)).feature_names(), ["leak=yes", "a"]);
}

#[test]
fn labels_that_differ_by_case_only_are_one() {
    let row = |i: usize| {
        let flag = ["True", "true", "FALSE", "False", "True", "False"][i % 6];
        format!("{flag},{},{}\n", i * i % 31, ["Yes", "no", "yes", "Yes", "no"][i % 5])
    };
    let text = "flag,a,y\n".to_owned() + &(0..60).map(row).collect::<String>();
    let coding = fit(&text);
    assert_eq!(coding.feature_names(), ["flag=True", "a"]);
    assert_eq!(coding.target().classes().unwrap(), ["Yes", "no"]);
    let expected = [
        "column \"flag\": labels that differ by case only are one: \"FALSE\" is read as \
         \"False\" (`categorical=flag` \
         keeps them apart)",
        "target \"y\": labels that differ by case only are one: \"yes\" is read as \"Yes\" \
         (`categorical=y` keeps them \
         apart)",
    ];
    assert_eq!(coding.notes(), expected);
    let stored: Coding = serde_json::from_str(&serde_json::to_string(&coding).unwrap()).unwrap();
    let later = table("flag,a,y\nTRUE,1,YES\nfalse,2,No\n");
    assert_eq!(stored.features(&later).unwrap().values(), [1.0, 1.0, 0.0, 2.0]);
    assert_eq!(stored.targets(&later).unwrap(), [-1.0, 1.0]);
    let tally = tallied(&stored, &later);
    assert_eq!(tally.unseen(), 0);
    let given = options(|o| o.categorical = names(&["flag", "y"]));
    let apart = Coding::fit(&table(&text), &given).unwrap();
    assert_eq!((apart.columns()[0].width(), apart.target().classes().unwrap().len()), (4, 3));
    assert!(apart.notes().is_empty());
    // Without two spellings in training, another one is a new label, and is told.
    let plain = fit("c,y\nu,0\nv,1\nw,1\n");
    let tally = tallied(&plain, &table("c\nU\nu\n"));
    assert_eq!(tally.unseen(), 1);
}

#[test]
fn rare_labels_are_counted_whatever_their_case() {
    let label = |i: usize| format!("{}{}", ["L", "l"][i / 7 % 2], i * i % 97);
    let row = |i: usize| format!("{},{},{}\n", label(i), i % 7, i % 2);
    let coding = fit(&("c,a,y\n".to_owned() + &(0..400).map(row).collect::<String>()));
    assert_eq!(coding.dimension(), 32);
    assert!(coding.notes()[1].starts_with("column \"c\" has 49 labels"), "{:?}", coding.notes());
    let x = coding.features(&table("c,a\nL1,1\nl1,1\nl999,1\n")).unwrap();
    assert_eq!(x.row(0), x.row(1));
    assert_eq!([x.row(0)[30], x.row(2)[30]], [0.0, 1.0]);
}

/// A table with this column between a number and a target, under this separator.
fn beside(separator: char, cell: impl Fn(usize) -> String) -> String {
    let row = |i: usize| format!("{}|{}|{}\n", i * i % 31, cell(i), ["no", "yes"][i % 2]);
    let rows: String = (0..40).map(row).collect();
    format!("a|v|y\n{rows}").replace('|', &separator.to_string())
}

#[test]
fn dates_in_two_orders_are_told_and_months_are_read() {
    let coding = fit(&beside(',', |i| ["13/01/2024", "01/13/2024"][i % 2].into()));
    let expected = "column \"v\" is not read as dates: \"13/01/2024\" has the day first, \
                    \"01/13/2024\" the month";
    assert_eq!(coding.notes(), [expected]);
    // Also if they look like identifiers and are left out.
    let many = fit(&beside(',', |i| match i % 2 {
        0 => format!("{}/{:02}/2024", 13 + i % 16, 1 + i % 12),
        _ => format!("{:02}/{}/2023", 1 + i % 12, 13 + i % 16),
    }));
    assert_eq!((many.feature_names(), many.notes().len()), (names(&["a"]), 2));
    let months = fit(&beside(',', |i| format!("{}-{:02}", 2020 + i % 4, 1 + i % 12)));
    assert_eq!(months.feature_names(), ["a", "v.days"]);
    assert_eq!(months.notes(), ["column \"v\" is read as months: days since 1970-01-01"]);
    assert_eq!(months.features(&table("a,v\n1,1970-02\n")).unwrap().values(), [1.0, 31.0]);
    let day = line(months.features(&table("a,v\n1,1970-02-01\n")).unwrap_err());
    assert!(day.contains("expected a date or a time as in training"), "{day}");
}

#[test]
fn commas_between_semicolons_are_decimal() {
    let value = |text: &str, j: usize| fit(text).features(&table(text)).unwrap().row(0)[j];
    let open = |i: usize| format!("{},706", 5 + i % 7);
    assert_eq!(value(&beside(';', open), 1), 5.706);
    let told = &fit(&beside(';', open)).notes()[0];
    let expected = "column \"v\" is read as numbers with decimal commas: \"5,706\" is 5.706, as \
                    no other number of \
                    the table shows otherwise";
    assert_eq!(told, expected);
    assert_eq!(value(&beside('\t', open), 1), 5706.0);
    // Decimal points elsewhere leave thousands to the commas.
    let points = |text: String| text.replacen("a;v;y\n", "b;a;v;y\n", 1);
    let with = |cell: &str| {
        let rows = beside(';', open);
        let (header, rows) = rows.split_once('\n').unwrap();
        let rows: String = rows.lines().map(|row| format!("{cell};{row}\n")).collect();
        points(
            format!("{header}\n{rows}").replace("3,25;0;", "4,5;0;").replace("3.25;0;", "4.5;0;"),
        )
    };
    assert_eq!(value(&with("3.25"), 2), 5706.0);
    assert_eq!(value(&with("3,25"), 2), 5.706);
    // Where other columns have decimal commas, points stand between thousands.
    let german = |cell: &str, i: usize| format!("{};{}", cell, ["7,5", "8"][i % 2]);
    let text =
        beside(';', |i| german(&format!("{}.{:03}", 1 + i % 7, i), i)).replacen("v;", "v;w;", 1);
    assert_eq!(value(&text, 1), 1000.0);
    let expected = "column \"v\" is read as numbers with decimal commas, points between \
                    thousands: \"1.000\" is 1000, \
                    as no other number of the table shows otherwise";
    assert_eq!(fit(&text).notes()[0], expected);
    let plain =
        beside(';', |i| german(&format!("{}.{:02}", 1 + i % 7, i), i)).replacen("v;", "v;w;", 1);
    assert_eq!(value(&plain, 1), 1.0);
}

#[test]
fn one_unit_is_read_and_other_text_that_starts_with_numbers_is_told() {
    let km = fit(&beside(',', |i| format!("{}.84 km", 1000 + i * 37 % 401)));
    assert_eq!(km.feature_names(), ["a", "v"]);
    let expected = "column \"v\" is read as numbers with the unit km: \"1000.84 km\" is 1000.84";
    assert_eq!(km.notes(), [expected]);
    let later = |cell: &str| km.features(&table(&format!("a,v\n1,{cell}\n")));
    assert_eq!(later("7 km").unwrap().values(), [1.0, 7.0]);
    let refused = line(later("7").unwrap_err());
    assert!(
        refused.ends_with("expected a number with the unit km as in training, got \"7\""),
        "{refused}"
    );
    let cost =
        fit(&beside(',', |i| if i % 3 == 0 { format!("(${i}.50)") } else { format!("${i}.25") }));
    let expected = "column \"v\" is read as numbers with the currency $: \"($0.50)\" is -0.5";
    assert_eq!((cost.feature_names(), cost.notes()), (names(&["a", "v"]), names(&[expected])));
    for cell in
        [|i: usize| format!("{}:12", 40 + i), |i: usize| format!("{i}{}", ["k", "M"][i % 2])]
    {
        let coding = fit(&beside(',', cell));
        let (notes, cell) = (coding.notes(), cell(0));
        let expected = format!(
            "column \"v\" has text that starts with numbers, as {cell:?}: to use them, write \
             plain numbers or one unit"
        );
        assert_eq!((notes.len(), &notes[1]), (2, &expected));
    }
    // Few classes stay classes, even if they look like numbers with a unit.
    let text = beside(',', |i| (i * 7 % 13).to_string());
    let classes = text.replace("no\n", "1A\n").replace("yes\n", "2A\n").replacen("1A\n", "3A\n", 1);
    assert_eq!(fit(&classes).target().classes().unwrap(), ["1A", "2A", "3A"]);
}

#[test]
fn targets_tell_how_they_are_read_and_are_asked_about() {
    let text = |cell: fn(usize) -> String| {
        let row = |i: usize| format!("{};{};{}\n", i * i % 31, i * 7 % 13, cell(i));
        "a;b;y\n".to_owned() + &(0..40).map(row).collect::<String>()
    };
    let commas = fit(&text(|i| format!("{},5", i % 11)));
    assert_eq!(
        commas.notes(),
        ["target \"y\" is read as numbers with decimal commas: \"0,5\" is 0.5"]
    );
    let whole = fit(&text(|i| format!("{},0", 1 + i % 3)));
    assert!(whole.notes()[1].starts_with("target \"y\" has only 3 different whole numbers"));
    let dollars = fit(&text(|i| format!("${}.5", i % 11)));
    assert_eq!(
        dollars.notes(),
        ["target \"y\" is read as numbers with the currency $: \"$0.5\" is 0.5"]
    );
    let stored: Coding = serde_json::from_str(&serde_json::to_string(&commas).unwrap()).unwrap();
    assert_eq!(stored.notes(), commas.notes());
}

#[test]
fn an_identifier_that_is_the_only_input_is_told() {
    let rows: String = (0..40).map(|i| format!("{i},{}\n", i % 2)).collect();
    let coding = fit(&format!("id,y\n{rows}"));
    let expected = "column \"id\" looks like an identifier, and is kept because there is no \
                    other input (`ignore` \
                    leaves columns out)";
    assert_eq!((coding.feature_names(), coding.notes()), (names(&["id"]), names(&[expected])));
}

#[test]
fn per_cent_among_plain_numbers_is_refused_by_its_name() {
    let plain = CodingOptions::default();
    let expected = "row 3, column \"v\": got \"8%\", per cent among plain numbers: write all \
                    cells in the same way \
                    (`categorical` reads them as labels)";
    assert_eq!(error("v,a,y\n0.46,1,0\n8%,2,1\n0.5,4,1\n", &plain), expected);
    assert_eq!(error("v;a;y\n0,46;1;0\n8%;2;1\n0,5;4;1\n", &plain), expected);
    let dash = error("v,a,y\n1,1,0\n-,2,1\n3,4,1\n", &plain);
    assert!(dash.contains("(missing values are empty, ?, NA, N/A, null or NaN; "), "{dash}");
}
