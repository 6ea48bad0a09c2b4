//! Models with something altered on purpose.

use std::fmt::Write as _;

use crate::seal;
use hardlim::model::Model;
use serde_json::Value;

/// The text of a model with something altered, and its checksum made to fit.
pub(crate) fn altered(model: &Model, alter: impl FnOnce(&mut Value)) -> String {
    let mut fields: Value = serde_json::from_str(&model.to_text()).expect("JSON");
    alter(&mut fields);
    let mut text = format!("{{\n  \"hardlim\": {},\n", fields["hardlim"]);
    for (name, value) in fields.as_object().expect("fields") {
        if name != "hardlim" && name != "checksum" {
            writeln!(text, "  {name:?}: {value},").expect("writing to a string");
        }
    }
    seal::sealed(&text)
}

/// A place in a model: names and numbers with dots between them.
pub(crate) fn place<'a>(model: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.').fold(model, |at, key| match key.parse::<usize>() {
        Ok(k) => &mut at[k],
        Err(_) => &mut at[key],
    })
}

/// Puts a value there.
pub(crate) fn put(path: &str, value: impl Into<Value>) -> impl FnOnce(&mut Value) {
    move |model| *place(model, path) = value.into()
}

/// Multiplies the number there.
pub(crate) fn scale(path: &str, factor: f64) -> impl FnOnce(&mut Value) {
    move |model| {
        let value = place(model, path);
        *value = (factor * value.as_f64().expect("a number")).into();
    }
}
