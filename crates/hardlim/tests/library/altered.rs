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
