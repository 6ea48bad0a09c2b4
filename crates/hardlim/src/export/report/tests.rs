use super::*;
use crate::data::{ReadOptions, Table};
use crate::model::Model;
use crate::train::Request;

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn trained(table: &Table, max_inputs: usize) -> Model {
    let request = Request { beta: Some(0.5), max_inputs: Some(max_inputs), ..Request::default() };
    request.train(table).unwrap().model
}

/// A number with gaps, a label, and a class that both decide.
fn rows() -> String {
    let row = |i: usize| {
        let (a, b) = ((i * 7 % 19) as f64 / 2.0, ["u", "v", "w"][i % 3]);
        let gap = if i.is_multiple_of(11) { String::new() } else { a.to_string() };
        format!("{gap},{b},{}\n", u8::from(a > 4.0 || b == "v"))
    };
    "a,b,y\n".to_owned() + &(0..90).map(row).collect::<String>()
}

fn object(subject: &Subject<'_>) -> serde_json::Value {
    let page = page(subject);
    let (_, rest) = page.split_once("id=\"payload\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn exact_effects_add_up_to_the_output() {
    let table = table(&rows());
    let model = trained(&table, 1);
    let x = model.coding().features(&table).unwrap();
    let found = effects(&model, &x);
    assert!(found.len() == 2 && found.iter().all(|effect| effect.curves[0].exact));
    let output = &model.outputs_of(&x)[0];
    let mean = output.iter().sum::<f64>() / output.len() as f64;
    let variables = Variables::of(model.coding());
    for (i, u) in output.iter().enumerate() {
        let of_effect = |effect: &Effect| {
            let variable = variables.list.iter().find(|v| v.name == effect.name).unwrap();
            let curve = &effect.curves[0];
            match (variable.number(x.row(i)), variable.state(x.row(i))) {
                (Some(v), _) => curve.values[curve.at.partition_point(|at| *at <= v)],
                (None, Some(state)) => curve.values[state],
                (None, None) => curve.missing.unwrap(),
            }
        };
        let sum: f64 = mean + found.iter().map(of_effect).sum::<f64>();
        assert!((sum - u).abs() < 1e-9, "row {i}: {sum} and {u}");
    }
}

#[test]
fn means_over_rows_have_a_band_around_them() {
    let table = table(&rows());
    let model = trained(&table, 2);
    let x = model.coding().features(&table).unwrap();
    for effect in effects(&model, &x) {
        let curve = &effect.curves[0];
        if !curve.exact {
            let inside = |k: usize| curve.low[k] <= curve.high[k];
            assert!((0..curve.values.len()).all(inside), "{effect:?}");
            assert_eq!(curve.low.len(), curve.values.len());
        }
    }
}

#[test]
fn variables_write_what_they_read() {
    let table = table(&rows());
    let model = trained(&table, 1);
    let x = model.coding().features(&table).unwrap();
    let variables = Variables::of(model.coding());
    for i in 0..x.rows() {
        let mut row = vec![f64::NAN; x.dimension()];
        for variable in &variables.list {
            variable.features().iter().for_each(|&f| row[f] = 0.0);
            match variable.state(x.row(i)) {
                Some(state) => variable.put_state(&mut row, state),
                None => variable.put_number(&mut row, variable.number(x.row(i))),
            }
        }
        assert_eq!(row, x.row(i));
    }
}

#[test]
fn no_name_leaves_its_place() {
    let evil = "</script><script>alert(1)</script>";
    let text = rows().replacen("a,b", &format!("{evil},\u{2028}&lt;"), 1).replace('u', "<!--");
    let table = table(&text);
    let model = trained(&table, 1);
    let data = model.training_data(&table).unwrap();
    let check = model.certify(&data).unwrap();
    let subject = Subject::of_table(evil, &model, &table, Some(&check)).unwrap();
    let page = page(&subject);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--") && !page.contains("alert(1)<"));
    assert!(page.contains("<title>&lt;/script&gt;"));
    assert_eq!(object(&subject)["columns"][0]["name"], evil);
}

#[test]
fn one_row_is_enough() {
    let table = table(&rows());
    let model = trained(&table, 2);
    for text in ["a,b,y\n3.5,v,1\n", "b,a\nnew,\n"] {
        let one = self::table(text);
        let subject = Subject::of_table("m", &model, &one, None).unwrap();
        assert_eq!(object(&subject)["rows"], 1);
    }
    let none = self::table("a,b,y\n3,v,1\n").select(&[]);
    assert!(Subject::of_table("m", &model, &none, None).is_err());
}

#[test]
fn pictures_have_five_digits() {
    assert_eq!(
        [1.0 / 3.0, -123_456.0, 0.0, f64::INFINITY].map(rounded),
        [0.33333, -123_460.0, 0.0, 0.0]
    );
    assert_eq!(percent(0.12345), "12.3 %");
}
