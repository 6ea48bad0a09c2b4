mod people;

use proptest::prelude::*;

use super::*;
use crate::table::ReadOptions;

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn options(change: impl FnOnce(&mut CodingOptions)) -> CodingOptions {
    let mut options = CodingOptions::default();
    change(&mut options);
    options
}

fn fit(text: &str) -> Coding {
    Coding::fit(&table(text), &CodingOptions::default()).unwrap()
}

fn line(error: impl ToString) -> String {
    let error = error.to_string();
    assert!(!error.contains('\n'), "{error}");
    error.strip_prefix("cannot read t.csv: ").unwrap().to_owned()
}

fn error(text: &str, options: &CodingOptions) -> String {
    line(Coding::fit(&table(text), options).unwrap_err())
}

fn tallied(coding: &Coding, table: &Table) -> Tally {
    let mut tally = Tally::default();
    tally.add(coding, table).unwrap();
    tally
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn numbers_stay_and_labels_become_features() {
    let text = "a,color,flag,y\n1,red,no,5\n2,green,yes,6\n3,blue,no,7\n";
    let coding = fit(text);
    let expected = ["a", "color=blue", "color=green", "color=red", "flag=yes"];
    assert_eq!(coding.feature_names(), expected);
    assert_eq!(coding.dimension(), 5);
    let x = coding.features(&table(text)).unwrap();
    assert_eq!(x.row(0), [1.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(x.row(1), [2.0, 0.0, 1.0, 0.0, 1.0]);
    assert_eq!(coding.targets(&table(text)).unwrap(), [5.0, 6.0, 7.0]);
}

#[test]
fn the_target_may_be_any_column_or_absent() {
    let text = "label,a,b\nno,1,2\nyes,3,4\n";
    let coding = Coding::fit(&table(text), &options(|o| o.target = Some("label".into()))).unwrap();
    assert_eq!(coding.feature_names(), ["a", "b"]);
    assert_eq!(coding.targets(&table(text)).unwrap(), [-1.0, 1.0]);
    let other = table("b,extra,a\n2,9,1\n");
    assert!(!coding.has_target(&other));
    assert_eq!(coding.features(&other).unwrap().values(), [1.0, 2.0]);
    assert_eq!(
        line(coding.targets(&other).unwrap_err()),
        r#"no column "label" among "b", "extra", "a""#
    );
    let without = table("a,c\n1,2\n");
    assert_eq!(line(coding.features(&without).unwrap_err()), r#"no column "b" among "a", "c""#);
    let by_number = Coding::fit(&table(text), &options(|o| o.target = Some("1".into()))).unwrap();
    assert_eq!(by_number, coding);
}

#[test]
fn tables_without_a_header_are_matched_by_position() {
    let coding =
        Coding::fit(&table("1,0,10\n2,1,20\n"), &options(|o| o.target = Some("2".into()))).unwrap();
    assert_eq!(coding.features(&table("5,1,6\n")).unwrap().values(), [5.0, 6.0]);
    assert_eq!(coding.features(&table("5,6\n")).unwrap().values(), [5.0, 6.0]);
    assert_eq!(coding.targets(&table("5,1,6\n")).unwrap(), [1.0]);
    assert!(!coding.has_target(&table("5,6\n")));
    let wide = line(coding.features(&table("1,2,3,4\n")).unwrap_err());
    assert!(wide.ends_with("expected 3 columns (one fewer without the target), found 4"), "{wide}");
}

#[test]
fn ignored_columns_cause_no_error_and_weights_are_read() {
    let text = "id,w,a,y\nx1,1,1,0\n7,0,2,1\ninf,2.5,3,1\n";
    let coding = Coding::fit(
        &table(text),
        &options(|o| {
            o.ignore = names(&["id"]);
            o.weight_column = Some("w".into());
        }),
    )
    .unwrap();
    assert_eq!(coding.feature_names(), ["a"]);
    assert_eq!(coding.weights(&table(text)).unwrap().unwrap(), [1.0, 0.0, 2.5]);
    assert_eq!(coding.dataset(&table(text)).unwrap().targets().row(1).len(), 0);
    assert_eq!(coding.ignored()[0].name, "id");
    assert_eq!(coding.weight().unwrap().position, 1);
    let last = Coding::fit(&table(text), &options(|o| o.ignore = names(&["y", "id"]))).unwrap();
    assert_eq!(last.target().column().name, "a");
}

#[test]
fn a_mixed_column_is_an_error_unless_it_is_categorical() {
    let mut text = String::from("a,y\n");
    (0..800).for_each(|i| text += &format!("{},{}\n", if i == 698 { "wide" } else { "1" }, i % 2));
    let found = error(&text, &CodingOptions::default());
    assert!(found.starts_with(r#"row 700, column "a": expected a number, got "wide""#), "{found}");
    let coding = Coding::fit(&table(&text), &options(|o| o.categorical = names(&["a"]))).unwrap();
    assert_eq!(coding.feature_names(), ["a=wide"]);
    let found = error("a,y\nb,0\n3,1\nc,1\n", &CodingOptions::default());
    assert!(found.starts_with(r#"row 3, column "a": the other cells are text, got the number 3"#));
}

#[test]
fn missing_numbers_stand_apart_below_all_others_and_what_tells_them_comes_first() {
    let apart = options(|o| o.missing = Missing::Apart);
    let text = "a,b,c,d,y\n18,0.5,red,2,0\n,0.75,red,3,1\n90,,,4,1\n?,0.5,blue,2,0\n";
    let coding = Coding::fit(&table(text), &apart).unwrap();
    let expected =
        ["a.missing", "a", "b.missing", "b", "c=red", "c.missing", "d"].map(str::to_owned);
    assert_eq!(coding.feature_names(), expected);
    // Half of the range of `a` is 36: the step is 64, and -64 is the first one below 18.
    let x = coding.features(&table(text)).unwrap();
    assert_eq!(x.row(1)[..4], [1.0, -64.0, 0.0, 0.75]);
    assert_eq!(x.row(2)[..4], [0.0, 90.0, 1.0, 0.375]);
    assert_eq!(coding.missing(), Missing::Apart);
    let note = "column \"a\" has 2 missing values: they count as -64, below all others, and a \
                feature tells where (`missing=error` refuses them)";
    assert_eq!(coding.notes()[0], note);
    // A column without missing values gets its mean in later tables.
    let later = coding.features(&table("a,b,c,d\n?,?,?,?\n")).unwrap();
    assert_eq!(later.row(0), [1.0, -64.0, 1.0, 0.375, 0.0, 1.0, 2.75]);
    let stored = serde_json::to_string(&coding).unwrap();
    assert_eq!(serde_json::from_str::<Coding>(&stored).unwrap(), coding);
    // Whatever the numbers, the one apart is below them.
    for (one, other) in [("1e60", "-1e60"), ("1e-60", "2e-60"), ("7", "7"), ("0", "1e-59")] {
        let text = format!("a,b,y\n{one},1,0\n{other},2,1\n?,3,1\n");
        let keep = options(|o| (o.missing, o.keep_all) = (Missing::Apart, true));
        let coding = Coding::fit(&table(&text), &keep).unwrap();
        let x = coding.features(&table(&text)).unwrap();
        let least = x.row(0)[1].min(x.row(1)[1]);
        assert!(x.row(2)[1] < least || least == -1e60, "{one} {other}: {}", x.row(2)[1]);
    }
}

#[test]
fn missing_values_are_refused_or_filled() {
    let text = "a,c,y\n1,red,0\n,red,1\n3,,1\n?,blue,0\n";
    let strict = options(|o| o.missing = Missing::Error);
    let found = error(text, &strict);
    assert!(found.starts_with(r#"row 3, column "a": the first of 3 missing values"#), "{found}");
    let coding = fit(text);
    assert_eq!(coding.feature_names(), ["a", "a.missing", "c=red", "c.missing"]);
    let x = coding.features(&table(text)).unwrap();
    let rows = [[1., 0., 1., 0.], [2., 1., 1., 0.], [3., 0., 0., 1.], [2., 1., 0., 0.]];
    assert_eq!(x.values(), rows.concat());
    assert_eq!(coding.features(&table("a,c\n?,blue\n")).unwrap().values(), [2., 1., 0., 0.]);
    let notes = coding.notes();
    let expected = "column \"a\" has 2 missing values: they get the mean 2, and a feature tells \
                    where \
                    (`missing=error` refuses them)";
    assert_eq!(notes[0], expected);
    let expected =
        "column \"c\" has 1 missing value: it is a level of its own (`missing=error` refuses it)";
    assert_eq!(notes[1], expected);
    assert_eq!(coding.missing(), Missing::Mean);
    let refused = Coding::fit(&table("a,y\n1,0\n2,1\n"), &strict).unwrap();
    assert_eq!(refused.missing(), Missing::Error);
    assert!(refused.features(&table("a\n1\nNA\n")).is_err());
    // Training had no missing values: they are filled in, and counted.
    let filling = fit("a,c,y\n1,u,0\n2,u,1\n3,v,1\n");
    let later = table("a,c\n1,u\nNA,\n");
    assert_eq!(filling.features(&later).unwrap().values(), [1.0, 0.0, 2.0, 0.0]);
    let tally = tallied(&filling, &later);
    assert_eq!(tally.notes().len(), 2);
    assert!(tally.notes()[0].starts_with("column \"a\": 1 missing value, filled in by the mean"));
    let empty = fit("a,b,y\n,1,0\n,2,1\n");
    assert_eq!(empty.feature_names(), ["b"]);
    assert_eq!(empty.notes(), ["column \"a\" is left out: it has no values"]);
    let kept = options(|o| o.keep = names(&["a"]));
    assert!(error("a,b,y\n,1,0\n,2,1\n", &kept).contains("the column has no values"));
}

#[test]
fn a_new_label_is_no_level_and_a_new_class_is_an_error() {
    let coding = fit("c,y\nr,no\ng,yes\nb,yes\n");
    let x = coding.features(&table("c,y\nviolet,no\nr,no\n5,yes\n")).unwrap();
    assert_eq!(x.values(), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let found = line(coding.targets(&table("c,y\nr,no\ng,maybe\n")).unwrap_err());
    let expected = r#"row 3, column "y": unknown class "maybe": expected "no" or "yes""#;
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_learnt_from_is_refused() {
    let plain = CodingOptions::default();
    assert_eq!(error("a,y\n1,2\n", &plain), "expected at least two rows, found 1");
    assert!(error("a,y\n1,2\n3,2\n", &plain).contains("the target is always \"2\""));
    assert!(error("y\n1\n2\n", &plain).starts_with("no column is left as a feature"));
    let infinite = error("a,y\n1,0\n-inf,1\n", &plain);
    let expected = r#"row 3, column "a": -inf is out of range: expected a finite number"#;
    assert_eq!(infinite, expected);
    assert!(error("a,y\n1e70,0\n1,1\n", &plain).starts_with(r#"row 2, column "a": 1e70 is"#));
    let target = options(|o| o.target = Some("lable".into()));
    let expected = r#"no column "lable": did you mean "label"?"#;
    assert_eq!(error("a,label\n1,0\n2,1\n", &target), expected);
    let both = options(|o| (o.target, o.ignore) = (Some("y".into()), names(&["y"])));
    assert!(error("a,y\n1,0\n2,1\n", &both).ends_with("the column is both the target and ignored"));
    let weight = |w: &str| options(|o| o.weight_column = Some(w.into()));
    let found = error("w,a,y\n1,1,0\n-1,2,1\n", &weight("w"));
    assert_eq!(found, r#"row 3, column "w": expected a weight of at least zero, got -1"#);
    assert!(error("w,a,y\n0,1,0\n0,2,1\n", &weight("w")).ends_with("all sample weights are zero"));
    assert!(error("w,a,y\n,1,0\n0,2,1\n", &weight("w")).ends_with("the sample weight is missing"));
    let mut many = String::from("id,y\n");
    (0..2000).for_each(|i| many += &format!("id{i},{}\n", i % 2));
    let expected = "no column is left as a feature: there are 2 columns in all; \"id\" is left \
                    out, as it looks \
                    like an identifier: 2000 of 2000 values are different (`keep` brings columns \
                    back)";
    assert_eq!(error(&many, &plain), expected);
}

#[test]
fn nothing_is_learnt_from_constant_columns_and_copies() {
    let text = "a,c,b,d,y\n1,x,1,1,0\n1,x,2,2,1\n1,x,3,3,1\n";
    let coding = fit(text);
    assert_eq!(coding.feature_names(), ["b"]);
    let notes = [
        "column \"a\" is left out: it is always \"1\" (`keep=a` brings it back)",
        "column \"c\" is left out: it is always \"x\" (`keep=c` brings it back)",
        "column \"d\" is left out: it is a copy of \"b\" (`keep=d` brings it back)",
    ];
    assert_eq!(coding.notes(), notes);
    // Later tables need not have them.
    assert_eq!(coding.features(&table("b\n5\n")).unwrap().values(), [5.0]);
    let kept = Coding::fit(&table(text), &options(|o| o.keep = names(&["a", "d"]))).unwrap();
    assert_eq!(kept.feature_names(), ["a", "b", "d"]);
    let all = Coding::fit(&table(text), &options(|o| o.keep_all = true)).unwrap();
    assert_eq!(all.feature_names(), ["a", "c=x", "b", "d"]);
    assert!(all.notes().is_empty());
    let stored: Coding = serde_json::from_value(serde_json::to_value(&coding).unwrap()).unwrap();
    assert_eq!(stored, coding);
}

#[test]
fn rare_labels_and_new_ones_are_other() {
    let mut text = String::from("c,a,y\n");
    (0..400).for_each(|i| text += &format!("l{},{},{}\n", (i * i) % 97, i % 7, i % 2));
    let coding = fit(&text);
    let features = coding.feature_names();
    assert_eq!((features.len(), features[30].as_str()), (32, "c=other"));
    let note = &coding.notes()[0];
    assert!(
        note.starts_with(
            "column \"c\" has 49 labels: all but the 30 most frequent are \"other\" ("
        )
    );
    let later = table("c,a\nnew,1\nnewer,1\nl1,2\nnew,1\n");
    let x = coding.features(&later).unwrap();
    assert_eq!((x.row(0)[30], x.row(2)[30]), (1.0, 0.0));
    let tally = tallied(&coding, &later);
    let expected = "column \"c\": 3 rows have labels that training has seen rarely or not at \
                    all, read as \"other\": \
                    \"new\", \"newer\"";
    assert_eq!((tally.unseen(), tally.notes()), (3, vec![expected.to_owned()]));
    // Rows are counted, and different labels named.
    let coding = fit("c,a,y\nu,1,0\nv,2,1\nw,3,1\n");
    let told = |cells: &str| {
        let rows: String = cells.split(' ').map(|cell| format!("{cell},1\n")).collect();
        let tally = tallied(&coding, &table(&format!("c,a\n{rows}")));
        tally.notes().concat()
    };
    let one =
        "column \"c\": 1 row has a label that training has not seen, read as \"other\": \"zz\"";
    assert_eq!(told("u zz"), one);
    assert_eq!(told("zz v zz"), one.replace("1 row has", "2 rows have"));
    let several = "column \"c\": 5 rows have labels that training has not seen, read as \
                   \"other\": \"a\", \"b\", \"d\", …";
    assert_eq!(told("a b a d e"), several);
}

#[test]
fn numbers_and_dates_are_read_as_people_write_them() {
    let text = "pay;share;when;at;y\n1.200,50 €;5%;31.12.2024;9:30;1\n1.300;7%;01.01.2025;10:00;0\n\
                900,00 €;8%;02.01.2025;18:15;1\n";
    let coding = fit(text);
    let expected = ["pay", "share", "when.days", "when.weekday", "at.hour"];
    assert_eq!(coding.feature_names(), expected);
    let x = coding.features(&table(text)).unwrap();
    assert_eq!(x.row(0), [1200.5, 5.0, 20_088.0, 2.0, 9.5]);
    assert_eq!(x.row(1)[0], 1300.0);
    let notes = coding.notes();
    let expected = "column \"pay\" is read as numbers with decimal commas, points between \
                    thousands, the currency \
                    €: \"1.200,50 €\" is 1200.5";
    assert_eq!(notes[0], expected);
    assert_eq!(
        notes[2],
        "column \"when\" is read as dates: days since 1970-01-01, day of the week"
    );
    assert_eq!(notes[3], "column \"at\" is read as times: hour of the day");
    let later = table("pay;share;when;at\n2.000;1%;2025-01-03;24:00\n");
    assert_eq!(coding.features(&later).unwrap().row(0), [2000.0, 1.0, 20_091.0, 5.0, 24.0]);
    let odd = table("pay;share;when;at\n7,5;1%;tomorrow;9:00\n");
    let expected =
        r#"row 2, column "when": expected a date or a time as in training, got "tomorrow""#;
    assert_eq!(line(coding.features(&odd).unwrap_err()), expected);
    let stored: Coding = serde_json::from_str(&serde_json::to_string(&coding).unwrap()).unwrap();
    assert_eq!(stored, coding);
    let found = error("a,b,y\n$5,1,0\n€6,2,1\n$7,4,1\n", &CodingOptions::default());
    assert!(found.starts_with(r#"column "a": the cells are amounts in $ and in €"#), "{found}");
}

#[test]
fn targets_are_read_alike_and_few_whole_numbers_ask_a_question() {
    let target = fit("a;y\n1;1,5\n2;2,5\n3;4\n");
    assert_eq!(target.targets(&table("a;y\n1;1,5\n2;2,5\n3;4\n")).unwrap(), [1.5, 2.5, 4.0]);
    let mut text = String::from("a,y\n");
    (0..60).for_each(|i| text += &format!("{},{}\n", i * i % 53, i % 3));
    let coding = fit(&text);
    let expected = "target \"y\" has only 3 different whole numbers and is taken as a number; \
                    are they classes? \
                    `task=classify` takes them so";
    assert_eq!(coding.notes(), [expected]);
    let asked = options(|o| o.task = Task::Regress);
    assert!(Coding::fit(&table(&text), &asked).unwrap().notes().is_empty());
}

#[test]
fn identifiers_are_left_out() {
    let mut text = String::from("id,name,a,y\n");
    (0..40).for_each(|i| text += &format!("{},n{},{},{}\n", i + 1, i, i * i % 31, i % 2));
    let coding = fit(&text);
    assert_eq!(coding.feature_names(), ["a"]);
    let expected = "column \"id\" is left out: it looks like an identifier: 40 of 40 values are \
                    different (`keep=id` \
                    brings it back)";
    assert_eq!(coding.notes()[0], expected);
}

#[test]
fn a_description_tells_what_every_column_is() {
    let mut text = String::from("id,city,pay,void,y\n");
    (0..40).for_each(|i| {
        let pay = if i == 3 { String::new() } else { format!("\"{},5\"", i * 7 % 23) };
        text += &format!("K{i},c{},{pay},,{}\n", i % 3, ["no", "yes"][i % 2]);
    });
    let found = Description::of(&table(&text), &CodingOptions::default(), true).unwrap();
    let role: Vec<&str> = found.columns.iter().map(|column| column.role).collect();
    assert_eq!(role, ["left out", "feature", "feature", "left out", "target"]);
    assert_eq!(found.columns[2].read_as, "numbers with decimal commas");
    assert_eq!(found.columns[2].range, Some(["0.5".to_owned(), "22.5".to_owned()]));
    assert_eq!((found.columns[2].missing, found.columns[1].distinct), (1, 3));
    assert_eq!(found.columns[1].frequent[0], ("c0".to_owned(), 14));
    assert_eq!(found.target.as_deref(), Some("2 classes: no, yes"));
    assert_eq!((found.features, found.notes.len()), (Some(5), 4));
    let without = Description::of(&table(&text), &CodingOptions::default(), false).unwrap();
    assert_eq!((without.columns.len(), without.target), (5, None));
    let odd =
        Description::of(&table("a,y\n1,0\nb,1\n2,1\n"), &CodingOptions::default(), true).unwrap();
    assert!(odd.problem.unwrap().contains("row 3, column \"a\""));
    assert_eq!(odd.columns[0].read_as, "numbers and text");
}

#[test]
fn a_damaged_coding_is_refused() {
    let coding = fit("a,c,y\n1,r,0\n2,g,1\n3,b,1\n");
    let good = serde_json::to_value(&coding).unwrap();
    assert_eq!(serde_json::from_value::<Coding>(good.clone()).unwrap(), coding);
    type Damage = fn(&mut serde_json::Value);
    let damages: [Damage; 14] = [
        |v| v["width"] = 2.into(),
        |v| v["width"] = u64::MAX.into(),
        |v| v["features"] = serde_json::json!([]),
        |v| v["features"][0]["column"]["position"] = 1.into(),
        |v| v["features"][0]["column"]["position"] = 9.into(),
        |v| v["features"][0]["column"]["name"] = "y".into(),
        |v| v["features"][0]["kind"]["number"]["fill"] = 1e300.into(),
        |v| v["features"][1]["kind"]["category"]["levels"] = serde_json::json!([]),
        |v| v["features"][1]["kind"]["category"]["levels"] = serde_json::json!(["a", "a"]),
        |v| v["features"][1]["kind"]["category"]["levels"] = serde_json::json!(["b", "a"]),
        |v| v["features"][1]["kind"]["category"]["fill"] = "q".into(),
        |v| v["target"]["classes"]["classes"] = serde_json::json!(["1", "1"]),
        |v| v["target"]["classes"]["classes"] = serde_json::json!(["1", "2", "3"]),
        |v| v["surplus"] = 1.into(),
    ];
    for damage in damages {
        let mut bad = good.clone();
        damage(&mut bad);
        assert_ne!(bad, good);
        let error = serde_json::from_value::<Coding>(bad).unwrap_err().to_string();
        assert!(!error.is_empty());
    }
}

proptest! {
    #[test]
    fn a_coding_survives_being_stored(
        rows in prop::collection::vec(("[abc]|[?]", prop::num::f64::NORMAL, "[0-3]|NA"), 3..20),
        mean in any::<bool>(),
    ) {
        let mut text = String::from("c,x,k,y\n");
        for (i, (c, x, k)) in rows.iter().enumerate() {
            text += &format!("{c},{},{k},{}\n", x % 1e9, i % 3);
        }
        let table = table(&text);
        let options = options(|o| {
            o.categorical = names(&["k"]);
            o.missing = if mean { Missing::Mean } else { Missing::Error };
        });
        let Ok(coding) = Coding::fit(&table, &options) else { return Ok(()) };
        let stored = serde_json::to_string(&coding).unwrap();
        let read: Coding = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(&read, &coding);
        prop_assert_eq!(read.features(&table).unwrap(), coding.features(&table).unwrap());
        prop_assert_eq!(coding.feature_names().len(), coding.dimension());
    }
}
