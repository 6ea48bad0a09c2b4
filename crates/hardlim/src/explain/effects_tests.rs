//! The effects of inputs, on a table with gaps and labels.

use super::variables::variables;
use super::*;
use crate::model::Model;
use crate::table::{ReadOptions, Table};
use crate::train::Request;

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn trained(table: &Table, max_inputs: usize) -> Model {
    let request = Request::of(&format!("beta=0.5 max_inputs={max_inputs}")).unwrap();
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

#[test]
fn exact_effects_add_up_to_the_output() {
    let table = table(&rows());
    let model = trained(&table, 1);
    let x = model.coding().features(&table).unwrap();
    let found = effects(&model, &x);
    assert!(found.len() == 2 && found.iter().all(|effect| effect.curves[0].exact));
    let output = &model.outputs_of(&x)[0];
    let mean = output.iter().sum::<f64>() / output.len() as f64;
    let variables = variables(model.coding());
    for (i, u) in output.iter().enumerate() {
        let of_effect = |effect: &Effect| {
            let variable = variables.iter().find(|v| v.name == effect.name).unwrap();
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
fn variables_write_what_they_read_and_pictures_have_five_digits() {
    let few = [1.0 / 3.0, -123_456.0, 0.0, f64::INFINITY].map(rounded);
    assert_eq!(few, [0.33333, -123_460.0, 0.0, 0.0]);
    let table = table(&rows());
    let model = trained(&table, 1);
    let x = model.coding().features(&table).unwrap();
    let variables = variables(model.coding());
    for i in 0..x.rows() {
        let mut row = vec![f64::NAN; x.dimension()];
        for variable in &variables {
            variable.features().iter().for_each(|&f| row[f] = 0.0);
            match variable.state(x.row(i)) {
                Some(state) => variable.put_state(&mut row, state),
                None => variable.put_number(&mut row, variable.number(x.row(i))),
            }
        }
        assert_eq!(row, x.row(i));
    }
}
