use proptest::prelude::*;

use super::*;
use crate::data::ReadOptions;

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

fn line(error: Error) -> String {
    let error = error.to_string();
    assert!(!error.contains('\n'), "{error}");
    error.strip_prefix("cannot read t.csv: ").unwrap().to_owned()
}

fn error(text: &str, options: &CodingOptions) -> String {
    line(Coding::fit(&table(text), options).unwrap_err())
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
fn missing_values_are_refused_or_filled() {
    let text = "a,c,y\n1,red,0\n,red,1\n3,,1\n?,blue,0\n";
    let found = error(text, &CodingOptions::default());
    assert!(found.starts_with(r#"row 3, column "a": the first of 3 missing values"#), "{found}");
    let coding = Coding::fit(&table(text), &options(|o| o.missing = Missing::Mean)).unwrap();
    let x = coding.features(&table(text)).unwrap();
    assert_eq!(x.values(), [1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 0.0]);
    assert_eq!(coding.features(&table("a,c\n?,blue\n")).unwrap().values(), [2.0, 0.0]);
    let strict = fit("a,y\n1,0\n2,1\n");
    assert!(strict.features(&table("a\n1\nNA\n")).is_err());
    let empty = options(|o| o.missing = Missing::Mean);
    assert!(error("a,y\n,0\n,1\n", &empty).contains(r#"column "a": the column has no values"#));
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
    assert!(error(&many, &plain).contains("more than 1000 different values"));
}

#[test]
fn constant_columns_are_allowed() {
    let coding = fit("a,c,y\n1,x,0\n1,x,1\n");
    assert_eq!(coding.feature_names(), ["a", "c=x"]);
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
        |v| v["target"]["classes"]["classes"] = serde_json::json!(["1", "0"]),
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
