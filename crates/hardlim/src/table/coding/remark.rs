//! What training tells about a column besides how it is read.

use serde::{Deserialize, Serialize};

use super::form::Form;
use super::judge::Reason;
use crate::table::Column;
use crate::table::names::clip;
use crate::table::reading::bare::starts_with_number;
use crate::table::reading::time::two_orders;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Remark {
    /// Dates, some with the day first and some with the month first, are not read as dates.
    TwoOrders { column: String, day_first: String, month_first: String },
    /// A column is left out whose text starts with numbers.
    StartsWithNumbers { column: String, example: String },
    /// A column looks like an identifier, but is the only input.
    OnlyInput { column: String },
    /// The numbers of the target are not plain; a comma or a point may have another meaning.
    Target { example: String, open: bool },
}

impl Remark {
    /// What there is to tell about a column of this form, left out for this reason or kept.
    pub(super) fn of(column: &Column, form: &Form, reason: Option<&Reason>) -> Option<Self> {
        if *form != Form::Labels {
            return None;
        }
        let (name, fields) = (column.name.clone(), &column.fields);
        if let Some(dates) = two_orders(fields.texts()) {
            let [day_first, month_first] = dates.map(str::to_owned);
            return Some(Self::TwoOrders { column: name, day_first, month_first });
        }
        let left_out = matches!(reason, Some(Reason::Identifier { .. }));
        let example = fields.texts().next().filter(|_| left_out)?.to_owned();
        let numbers = fields.texts().all(starts_with_number);
        numbers.then_some(Self::StartsWithNumbers { column: name, example })
    }

    /// The sentence about a column; none about the target.
    pub(super) fn note(&self) -> Option<String> {
        match self {
            Self::TwoOrders { column, day_first, month_first } => Some(format!(
                "column {:?} is not read as dates: {day_first:?} has the day first, \
                 {month_first:?} the month",
                clip(column)
            )),
            Self::StartsWithNumbers { column, example } => Some(format!(
                "column {:?} has text that starts with numbers, as {:?}: to use them, write \
                 plain numbers or one \
                 unit",
                clip(column),
                clip(example)
            )),
            Self::OnlyInput { column } => Some(format!(
                "column {:?} looks like an identifier, and is kept because there is no other input \
                 (`ignore` leaves columns out)",
                clip(column)
            )),
            Self::Target { .. } => None,
        }
    }
}
