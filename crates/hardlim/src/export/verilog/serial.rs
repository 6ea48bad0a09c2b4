//! A module that computes one term of one neuron each clock: the smallest circuit for a large network.
//!
//! A table of steps drives one multiplier and one accumulator. A step adds `k m` of an input or `k` of an
//! answer, or it ends a neuron or a sum and starts the next one at `k`.

use super::super::Style;
use super::super::answer::Answer;
use super::super::circuit::{Circuit, Stack, bits};
use super::build::is_number;
use super::ports::Ports;
use super::stated;
use super::text::{signed_literal, span};

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// Adds `k m` of an input.
    Input,
    /// Adds `k` if an answer is on.
    Answer,
    /// Stores the answer of a neuron, and starts at `k`.
    Fire,
    /// Stores a sum, and starts at `k`.
    Sum,
}

/// One step: what it does, on which place, and `k`.
type Step = (Operation, u32, i64);

/// The steps of a circuit, and where the first one starts.
fn steps(circuit: &Circuit) -> (i64, Vec<Step>) {
    let mut starts = Vec::new(); // where each neuron and each sum starts
    let mut steps: Vec<Step> = Vec::new();
    for (s, stack) in circuit.stacks.iter().enumerate() {
        let (mut first, mut below) = (0, None);
        for gates in &stack.layers {
            for (at, gate) in gates.iter().enumerate() {
                starts.push(gate.bias);
                steps.extend(gate.terms.iter().map(|&(j, k)| match below {
                    None => (Operation::Input, j, k),
                    Some(below) => (Operation::Answer, below + j, k),
                }));
                steps.push((Operation::Fire, first + at as u32, 0));
            }
            below = Some(first);
            first += gates.len() as u32;
        }
        starts.push(stack.offset);
        let last = below.unwrap_or(0);
        let add = |(j, &a): (usize, &i64)| (Operation::Answer, last + j as u32, a);
        steps.extend(stack.amplitudes.iter().enumerate().map(add));
        steps.push((Operation::Sum, s as u32, 0));
    }
    let mut next = starts.iter().skip(1);
    for step in &mut steps {
        if matches!(step.0, Operation::Fire | Operation::Sum) {
            step.2 = next.next().copied().unwrap_or(0);
        }
    }
    (starts[0], steps)
}

/// The clocks from an input to its answer.
pub(super) fn clocks(circuit: &Circuit) -> usize {
    steps(circuit).1.len() + 1
}

/// The largest magnitude that the accumulator may have.
fn largest(circuit: &Circuit) -> i64 {
    let size = |j: u32| circuit.inputs[j as usize].least.abs().max(circuit.inputs[j as usize].most);
    let of = |stack: &Stack| {
        let gates = stack.layers.iter().enumerate().flat_map(|(l, gates)| {
            gates.iter().map(move |gate| {
                let read = |&(j, k): &(u32, i64)| k.abs() * if l == 0 { size(j) } else { 1 };
                gate.bias.abs() + gate.terms.iter().map(read).sum::<i64>()
            })
        });
        let sum = stack.offset.abs() + stack.amplitudes.iter().map(|a| a.abs()).sum::<i64>();
        gates.chain([sum]).max().unwrap_or(0)
    };
    circuit.stacks.iter().map(of).max().unwrap_or(0)
}

/// The module.
pub(super) fn module(ports: &Ports<'_>, style: &Style) -> String {
    let (circuit, name) = (ports.circuit, &style.name);
    let (start, steps) = steps(circuit);
    let used: Vec<bool> = (0..circuit.inputs.len())
        .map(|j| steps.iter().any(|step| step.0 == Operation::Input && step.1 == j as u32))
        .collect();
    let mut all: Vec<String> =
        ["input clk", "input reset", "input valid_in", "output ready"].map(String::from).into();
    all.extend(ports.declared_inputs());
    all.push("output reg valid_out".into());
    all.extend(
        (ports.outputs.iter()).map(|o| format!("output reg {}{}", span(o.signed, o.bits), o.name)),
    );
    let count = steps.len();
    let width = |most: usize| (usize::BITS - most.leading_zeros()).max(1);
    let (at, index) = (width(count), width(steps.iter().map(|s| s.1 as usize).max().unwrap_or(0)));
    let k = steps.iter().map(|s| bits(s.2.min(-1), s.2)).max().unwrap_or(1).max(2);
    let sum = bits(-1 - largest(circuit), 0);
    let answers = circuit.stacks.iter().map(|s| s.layers.iter().map(Vec::len).sum::<usize>());
    let answers = answers.max().unwrap_or(0).max(1);
    let inputs = (0..circuit.inputs.len()).filter(|&j| used[j]);
    let value = inputs.clone().map(|j| {
        let input = &circuit.inputs[j];
        input.bits() + u32::from(input.least >= 0)
    });
    let value = value.max().unwrap_or(2).max(2);
    let mut text = format!(
        "// Computes one term each clock: takes an input if ready, and {}, with valid_out.
// The outputs keep their values until the next answer. Needs one multiplier of {value} by {k} bits.
module {name}_serial {}(\n    {}\n);\n",
        stated(clocks(circuit)),
        ports.parameters(),
        all.join(",\n    ")
    );
    text += &ports.bounds(|j| used[j]);
    let bounded = ports.bounded();
    for j in inputs.clone() {
        text += &format!("    reg signed [{}:0] M{j};\n", value - 1);
    }
    text += &format!(
        "    reg [{at_top}:0] AT;
    reg BUSY;
    reg signed [{sum_top}:0] SUM;
    reg [{answers_top}:0] ANSWERS;
    assign ready = !BUSY;
    // What a step does (2 bits), on which place, and its constant.
    reg [{word_top}:0] STEP;
    always @(AT)
        case (AT)
",
        at_top = at - 1,
        sum_top = sum - 1,
        answers_top = answers - 1,
        word_top = 2 + index + k - 1,
    );
    for (i, (operation, place, constant)) in steps.iter().enumerate() {
        let code = *operation as u32;
        let constant = (*constant as u64) & (u64::MAX >> (64 - k));
        text += &format!(
            "            {at}'d{i}: STEP = {{2'd{code}, {index}'d{place}, {k}'h{constant:x}}};\n"
        );
    }
    text += &format!(
        "            default: STEP = 0;
        endcase
    wire [1:0] DO = STEP[{}:{}];
    wire [{}:0] PLACE = STEP[{}:{k}];
    wire signed [{}:0] K = STEP[{}:0];
",
        index + k + 1,
        index + k,
        index - 1,
        index + k - 1,
        k - 1,
        k - 1,
    );
    text += &format!("    reg signed [{}:0] M;\n    always @*\n        case (PLACE)\n", value - 1);
    for j in inputs.clone() {
        text += &format!("            {index}'d{j}: M = M{j};\n");
    }
    text += &format!(
        "            default: M = 0;
        endcase
    wire ON = ANSWERS[PLACE];
    always @(posedge clk) begin
        valid_out <= 1'b0;
        if (reset) BUSY <= 1'b0;
        else if (!BUSY) begin
            if (valid_in) begin
                BUSY <= 1'b1;
                AT <= 0;
                SUM <= {start};
",
        start = signed_literal(start),
    );
    for j in inputs {
        let (input, name) = (&circuit.inputs[j], &bounded[j]);
        let read = match (is_number(input), input.least < 0) {
            (true, true) => name.clone(),
            _ => format!("$signed({{1'b0, {name}}})"),
        };
        text += &format!("                M{j} <= {read};\n");
    }
    text += &format!(
        "            end
        end else begin
            AT <= AT + 1'b1;
            case (DO)
                2'd0: SUM <= SUM + K * M;
                2'd1: if (ON) SUM <= SUM + K;
                2'd2: begin
                    ANSWERS[PLACE] <= ~SUM[{top}];
                    SUM <= K;
                end
                default: begin
",
        top = sum - 1,
    );
    for (s, output) in ports.outputs.iter().take(circuit.stacks.len()).enumerate() {
        text += &format!(
            "                    if (PLACE == {s}) {} <= SUM[{}:0];\n",
            output.name,
            output.bits - 1
        );
    }
    if let (Some(class), answer) = (ports.outputs.get(circuit.stacks.len()), &circuit.answer) {
        text += &match answer {
            Answer::Number => String::new(),
            Answer::Sign(_) => {
                format!("                    {} <= ~SUM[{}];\n", class.name, sum - 1)
            }
            Answer::Largest(_) => format!(
                "                    if (PLACE == 0 || SUM > BEST) begin
                        BEST <= SUM;
                        {} <= PLACE;
                    end\n",
                class.name
            ),
        };
    }
    text += &format!(
        "                    SUM <= K;
                    if (AT == {last}) begin
                        BUSY <= 1'b0;
                        valid_out <= 1'b1;
                    end
                end
            endcase
        end
    end
endmodule
",
        last = count - 1,
    );
    if matches!(circuit.answer, Answer::Largest(_)) {
        let best = format!("    reg signed [{}:0] BEST;\n", sum - 1);
        text = text.replacen("    reg BUSY;\n", &format!("    reg BUSY;\n{best}"), 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::super::{Gate, Input};
    use super::*;
    use crate::export::Field;

    /// The definition: the steps, one after the other, give the sums.
    #[test]
    fn the_steps_give_the_sums() {
        let input = |name: &str| Input {
            name: name.into(),
            level: None,
            column: String::new(),
            field: Field::Computed,
            origin: None,
            offset: 0,
            shift: 0,
            least: -3,
            most: 3,
        };
        let gate = |terms: &[(u32, i64)], bias| Gate {
            neuron: 0,
            terms: terms.to_vec(),
            bias,
            exact: true,
        };
        let stacks = vec![
            Stack {
                layers: vec![
                    vec![gate(&[(0, 2), (1, -1)], 1), gate(&[(1, 1)], 0)],
                    vec![gate(&[(0, 1), (1, 1)], -2), gate(&[(1, -1)], 0)],
                ],
                amplitudes: vec![5, -7],
                offset: 3,
            },
            Stack { layers: vec![vec![]], amplitudes: vec![], offset: -4 },
        ];
        let answer = Answer::Largest(vec!["a".into(), "b".into()]);
        let inputs = vec![input("a"), input("b")];
        let circuit = Circuit { inputs, stacks, exponent: 0, answer, rounded: 0 };
        let (start, steps) = steps(&circuit);
        for a in -3..=3 {
            for b in -3..=3 {
                let (mut sum, mut answers, mut sums) = (start, [false; 8], Vec::new());
                for &(operation, place, k) in &steps {
                    match operation {
                        Operation::Input => sum += k * [a, b][place as usize],
                        Operation::Answer => sum += k * i64::from(answers[place as usize]),
                        Operation::Fire => {
                            answers[place as usize] = sum >= 0;
                            sum = k;
                        }
                        Operation::Sum => {
                            sums.push(sum);
                            sum = k;
                        }
                    }
                }
                assert_eq!(sums, circuit.sums(&[a, b]));
            }
        }
        assert_eq!(clocks(&circuit), 7 + 4 + 2 + 1 + 1);
    }
}
