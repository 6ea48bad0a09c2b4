//! A graph of operators: constants, nodes in order, inputs and outputs.
//!
//! Every value has a name that is an identifier. Our own names begin with an underscore and names
//! of inputs never do, so they cannot collide.

use super::proto::Message;
use crate::export::names;

/// The type of the elements of a tensor, by its number in the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Float = 1,
    Integer = 7,
    Text = 8,
    Double = 11,
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
    count: usize,
}

impl Graph {
    fn name(&mut self, what: &str) -> String {
        self.count += 1;
        format!("_{}_{}", what.to_ascii_lowercase(), self.count)
    }

    fn constant(&mut self, what: &str, dims: &[usize], element: Element, data: Message) -> String {
        let name = self.name(what);
        // TensorProto: dims 1, data_type 2, name 8; data is in its fields already.
        let tensor = dims.iter().fold(data, |tensor, &size| tensor.int(1, size as i64));
        self.constants.push(tensor.int(2, element as i64).bytes(8, &name));
        name
    }

    pub(super) fn doubles(&mut self, what: &str, dims: &[usize], values: &[f64]) -> String {
        let raw: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(what, dims, Element::Double, Message::new().bytes(9, raw))
    }

    pub(super) fn integers(&mut self, what: &str, values: &[i64]) -> String {
        let raw: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(what, &[values.len()], Element::Integer, Message::new().bytes(9, raw))
    }

    pub(super) fn texts<S: AsRef<str>>(
        &mut self,
        what: &str,
        dims: &[usize],
        values: &[S],
    ) -> String {
        let texts = values.iter().fold(Message::new(), |all, v| all.bytes(6, v.as_ref()));
        self.constant(what, dims, Element::Text, texts)
    }

    pub(super) fn apply(&mut self, operator: &str, inputs: &[&str]) -> String {
        self.apply_with(operator, inputs, &[])
    }

    /// The result of an operator with attributes.
    pub(super) fn apply_with(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[(&str, i64)],
    ) -> String {
        let name = self.name(operator);
        self.node(operator, inputs, attributes, &name);
        name
    }

    fn node(&mut self, operator: &str, inputs: &[&str], attributes: &[(&str, i64)], to: &str) {
        // NodeProto: input 1, output 2, name 3, op_type 4, attribute 5.
        let node = inputs.iter().fold(Message::new(), |node, input| node.bytes(1, input));
        let node = node.bytes(2, to).bytes(3, format!("_make{to}")).bytes(4, operator);
        // AttributeProto: name 1, i 3, type 20, which is 2 for an integer.
        let attribute =
            |(name, value): &(&str, i64)| Message::new().bytes(1, name).int(3, *value).int(20, 2);
        let attributes: Vec<Message> = attributes.iter().map(attribute).collect();
        self.nodes.push(node.messages(5, &attributes));
    }

    /// The value, converted to another type.
    pub(super) fn cast(&mut self, value: &str, element: Element) -> String {
        self.apply_with("Cast", &[value], &[("to", element as i64)])
    }

    /// An input of `columns` columns and any number of rows; `meaning` says what it stands for.
    pub(super) fn input(&mut self, name: &str, element: Element, columns: usize, meaning: &str) {
        let info = value_info(name, element, Some(columns));
        self.inputs.push(info.bytes(3, names::quoted(meaning)));
    }

    /// Makes a value an output: a matrix of `columns` columns, or a list with one element per row.
    pub(super) fn output(
        &mut self,
        name: &str,
        value: &str,
        element: Element,
        columns: Option<usize>,
    ) {
        self.node("Identity", &[value], &[], name);
        self.outputs.push(value_info(name, element, columns));
    }

    pub(super) fn message(&self, name: &str) -> Message {
        (Message::new().messages(1, &self.nodes).bytes(2, name).messages(5, &self.constants))
            .messages(11, &self.inputs)
            .messages(12, &self.outputs)
    }
}

/// ValueInfoProto: name 1, type 2; TypeProto: tensor 1, which has elem_type 1 and shape 2; a shape
/// has dimensions 1, each a value 1 or a name 2.
fn value_info(name: &str, element: Element, columns: Option<usize>) -> Message {
    let mut dims = vec![Message::new().bytes(2, "n")];
    dims.extend(columns.map(|columns| Message::new().int(1, columns as i64)));
    let shape = Message::new().messages(1, &dims);
    let tensor = Message::new().int(1, element as i64).message(2, &shape);
    Message::new().bytes(1, name).message(2, &Message::new().message(1, &tensor))
}
