//! Circuits of all kinds.

use hardlim::export::{Answer, Circuit, Field, Gate, Input, Stack};

pub(super) fn input(name: &str, least: i64, most: i64) -> Input {
    Input {
        name: name.into(),
        level: None,
        column: String::new(),
        field: Field::Computed,
        origin: None,
        offset: 0,
        shift: 0,
        least,
        most,
    }
}

pub(super) fn gate(neuron: usize, terms: &[(u32, i64)], bias: i64) -> Gate {
    Gate { neuron, terms: terms.to_vec(), bias, exact: true }
}

pub(super) fn sign() -> Answer {
    Answer::Sign(["no".into(), "yes".into()])
}

pub(super) fn circuit(inputs: Vec<Input>, stacks: Vec<Stack>, answer: Answer) -> Circuit {
    Circuit { inputs, stacks, exponent: -3, answer, rounded: 0 }
}

/// Two layers on numbers of several widths and bits, with neurons of one input, and names that are
/// taken.
pub(super) fn two_layers() -> Circuit {
    let inputs = vec![
        input("sum", -7, 7),
        input("class", 0, 1),
        input("\"; rm -rf `", -100, 100),
        input("input", 0, 5),
        input("clk", 3, 9),
        input("not read", -7, 7),
    ];
    let layer = vec![
        gate(0, &[(0, 3), (1, -5), (2, -7)], 11),
        gate(2, &[(3, -1)], 2),
        gate(3, &[(0, 1)], 0),
        gate(4, &[(1, 1)], -1),
        gate(5, &[(2, 1), (3, -13), (4, 6)], -4),
        gate(6, &[(0, 3), (4, -2)], 0),
    ];
    let amplitudes = vec![5, -9, 130, -1, -1, 7];
    circuit(inputs, vec![Stack { layers: vec![layer], amplitudes, offset: -12 }], sign())
}

/// Three layers on bits: the second counts.
pub(super) fn three_layers() -> Circuit {
    let inputs = (0..12).map(|j| input(&format!("x{j}"), 0, 1)).collect();
    let first = (0..9)
        .map(|i| {
            let terms: Vec<(u32, i64)> = (0..12)
                .map(|j| (j, [1, -1, 2, -3, 1][(i + 5 * j as usize + j as usize / 3) % 5]))
                .collect();
            gate(i, &terms, i as i64 - 4)
        })
        .collect();
    let second = (0..4)
        .map(|i| {
            let terms: Vec<(u32, i64)> = (0..9)
                .map(|j| (j, if (j as usize + i).is_multiple_of(3) { -1 } else { 1 }))
                .collect();
            gate(i, &terms, -1 - i as i64)
        })
        .collect();
    let amplitudes = vec![3, -4, 1, 1];
    circuit(inputs, vec![Stack { layers: vec![first, second], amplitudes, offset: 0 }], sign())
}

/// Three classes: of two layers, of three, and without neurons.
pub(super) fn classes() -> Circuit {
    let inputs = vec![input("a", -15, 15), input("b", -15, 15)];
    let first = || vec![gate(0, &[(0, 2), (1, -3)], 1), gate(1, &[(0, -1), (1, -1)], 4)];
    let stacks = vec![
        Stack { layers: vec![first()], amplitudes: vec![6, -2], offset: 1 },
        Stack {
            layers: vec![first(), vec![gate(0, &[(0, 1), (1, 1)], -2)]],
            amplitudes: vec![5],
            offset: -1,
        },
        Stack { layers: vec![vec![]], amplitudes: vec![], offset: 1 },
    ];
    circuit(inputs, stacks, Answer::Largest(vec!["u".into(), "v".into(), "w".into()]))
}

pub(super) fn without_neurons(answer: Answer) -> Circuit {
    let stack = Stack { layers: vec![vec![]], amplitudes: vec![], offset: -5 };
    circuit(vec![input("a", -7, 7), input("b", 0, 1)], vec![stack], answer)
}

/// A number with wide sums, all amplitudes positive.
pub(super) fn regression() -> Circuit {
    let layer = (0..5).map(|i| gate(i, &[(0, 1)], 40 * i as i64 - 80)).collect();
    let amplitudes = (0..5).map(|i| (1 << 40) + 12_345 * i).collect();
    let stack = Stack { layers: vec![layer], amplitudes, offset: 0 };
    circuit(vec![input("a", -127, 127)], vec![stack], Answer::Number)
}

/// Neurons that become tables: of one number, of a number and bits, of bits, and of a signed
/// number; some stay alone.
pub(super) fn tables() -> Circuit {
    let mut inputs =
        vec![input("a", 0, 15), input("b", 0, 7), input("s", -3, 3), input("w", 0, 31)];
    inputs.extend((0..5).map(|j| input(&format!("bit{j}"), 0, 1)));
    let mut layer: Vec<Gate> = (1..15).map(|t| gate(t, &[(0, 1)], -(t as i64))).collect();
    layer.extend([
        gate(20, &[(1, -2), (4, 3)], 5),
        gate(21, &[(1, 1)], -4),
        gate(22, &[(4, 1)], -1),
    ]);
    layer.extend([
        gate(23, &[(2, 1)], 1),
        gate(24, &[(2, -3), (5, 5)], 0),
        gate(25, &[(5, 1)], -1),
    ]);
    layer.extend([gate(26, &[(6, 1), (7, -1)], 0), gate(27, &[(8, 2), (7, 1)], -2)]);
    layer.extend((1..5).map(|t| gate(30 + t, &[(3, 1)], -7 * t as i64)));
    layer.push(gate(40, &[(0, 1), (3, -1)], 2));
    let amplitudes =
        (0..layer.len() as i64).map(|k| [3, -5, 1, 8, -2, 4][k as usize % 6]).collect();
    circuit(inputs, vec![Stack { layers: vec![layer], amplitudes, offset: -9 }], sign())
}

/// A table whose values have a common factor, over the answers of a layer below.
pub(super) fn table_of_answers() -> Circuit {
    let inputs = vec![input("a", -31, 31), input("b", -31, 31)];
    let first =
        (0..4).map(|i| gate(i, &[(0, 1), (1, 2 * i as i64 - 3)], 3 * i as i64 - 4)).collect();
    let second = vec![gate(0, &[(0, 1), (1, 1)], -1), gate(1, &[(2, 1), (3, -1)], 0)];
    let stack = Stack { layers: vec![first, second], amplitudes: vec![4, -12], offset: 4 };
    circuit(inputs, vec![stack], sign())
}

/// A table that has one value, because `1{a ≥ 3} + 1{a ≤ 2} = 1`, and what is added to it.
pub(super) fn constant_table(beside: &[i64], offset: i64, answer: Answer) -> Circuit {
    let inputs = vec![input("a", 0, 15), input("b", 0, 15), input("c", 0, 15)];
    let mut layer = vec![gate(0, &[(0, 1)], -3), gate(1, &[(0, -1)], 2)];
    // Numbers of eight bits are no table.
    let neuron = |i: usize| gate(2 + i, &[(1, 1), (2, 1)], -5 - 7 * i as i64);
    layer.extend((0..beside.len()).map(neuron));
    let amplitudes = [&[3, 3], beside].concat();
    circuit(inputs, vec![Stack { layers: vec![layer], amplitudes, offset }], answer)
}

/// Tables in the second layer that read single bits of numbers: `a ≥ 64` is the highest bit of
/// `a`, and `a + b ≥ 128` that of the sum.
pub(super) fn tables_of_bits() -> Circuit {
    let inputs = vec![input("a", 0, 127), input("b", 0, 127), input("c", 0, 100)];
    let first = vec![
        gate(0, &[(0, 1)], -64),
        gate(1, &[(1, 1)], -64),
        gate(2, &[(0, 1), (1, 1)], -128),
        gate(3, &[(2, 1)], -30),
    ];
    let second = vec![
        gate(0, &[(0, 1), (1, 1)], -2),
        gate(1, &[(0, 2), (1, -1), (2, 1)], -1),
        gate(2, &[(1, 1), (2, -3), (3, 2)], 0),
    ];
    let third = vec![gate(0, &[(0, 1), (1, 1), (2, -1)], 0)];
    let stack = Stack { layers: vec![first, second, third], amplitudes: vec![5], offset: -2 };
    circuit(inputs, vec![stack], sign())
}

/// Tables in the second layer that read the same wire twice, because neurons of the first layer are
/// equal.
pub(super) fn tables_of_equals() -> Circuit {
    let inputs = vec![input("a", 0, 127), input("b", 0, 127)];
    let first = vec![
        gate(0, &[(0, 1)], -64),
        gate(1, &[(0, 1)], -64),
        gate(2, &[(0, 1), (1, -1)], -5),
        gate(3, &[(0, 1), (1, -1)], -5),
    ];
    let second = vec![
        gate(0, &[(0, 1), (1, 1)], -2),
        gate(1, &[(0, 1), (2, 1), (3, -2)], 0),
        gate(2, &[(0, -1), (1, 2), (2, 1), (3, -3)], -1),
    ];
    let stack = Stack { layers: vec![first, second], amplitudes: vec![5, -2, 3], offset: -2 };
    circuit(inputs, vec![stack], sign())
}

pub(super) fn all() -> Vec<(&'static str, Circuit)> {
    vec![
        ("two_layers", two_layers()),
        ("three_layers", three_layers()),
        ("classes", classes()),
        ("without_neurons", without_neurons(sign())),
        ("a_constant", without_neurons(Answer::Number)),
        ("regression", regression()),
        ("tables", tables()),
        ("table_of_answers", table_of_answers()),
        ("constant_table", constant_table(&[2, 3], -7, sign())),
        ("tables_of_bits", tables_of_bits()),
        ("tables_of_equals", tables_of_equals()),
    ]
}
