//! What a solver has to prove about a module, wire by wire: a module in Verilog, and a script of
//! Yosys.
//!
//! Every wire of the written module is cut. For all values of the wires it reads that are within
//! their ranges, it must have the value of its formula as a whole number, and be within its range.
//! Numbers are written with all their bits, so no rule of Verilog on widths and signs is needed
//! here: a wire of the module that is too narrow, or that is compared without its sign, fails.

use hardlim::export::Circuit;

use super::claims::{Claim, Claims, Formula, Sum, Term};

/// A value: the name of a signal, its bits, and whether the highest one is a sign.
struct Signal {
    name: String,
    bits: u32,
    signed: bool,
}

/// The bits of all numbers of a range, two's complement if one is negative.
fn bits((least, most): (i128, i128)) -> u32 {
    let size = |k: i128| i128::BITS - (if k < 0 { !k } else { k }).leading_zeros();
    if least >= 0 { size(most).max(1) } else { size(least).max(size(most)) + 1 }
}

impl Signal {
    fn of(name: String, range: (i128, i128)) -> Self {
        Self { name, bits: bits(range), signed: range.0 < 0 }
    }

    /// The value with this many bits and a sign.
    fn wide(&self, width: u32) -> String {
        let (name, more) = (&self.name, width - self.bits);
        match (more, self.signed, self.bits) {
            (0, ..) => format!("$signed({name})"),
            (_, false, _) => format!("$signed({{{more}'b0, {name}}})"),
            (_, true, 1) => format!("$signed({{{{{more}{{{name}}}}}, {name}}})"),
            (_, true, n) => format!("$signed({{{{{more}{{{name}[{}]}}}}, {name}}})", n - 1),
        }
    }

    /// That the value is within a range, written only where that is narrower than the signal.
    fn within(&self, range: (i128, i128), width: u32) -> Vec<String> {
        let value = self.wide(width);
        let end = 1i128 << (self.bits - u32::from(self.signed));
        let least = if self.signed { -end } else { 0 };
        let low = (range.0 > least).then(|| format!("{value} >= {}", number(range.0, width)));
        let high = (range.1 < end - 1).then(|| format!("{value} <= {}", number(range.1, width)));
        low.into_iter().chain(high).collect()
    }
}

/// A whole number with this many bits and a sign.
fn number(value: i128, width: u32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{width}'sd{}", value.unsigned_abs())
}

impl Claims {
    /// The value of a wire where it is read: free, unless it is an input of one bit.
    fn signal(&self, wire: usize) -> Signal {
        let claim = &self.wires[wire];
        let free = !matches!(claim.formula, Formula::Port(_));
        let name = if free { format!("I_{}", claim.name) } else { claim.name.clone() };
        Signal::of(name, claim.range)
    }

    /// The largest size of a sum, and of the numbers that it is computed from.
    fn sizes(&self, sum: &Sum) -> (i128, i128) {
        let (mut size, mut most) = (sum.constant.abs(), 0);
        for (k, term) in &sum.terms {
            let own = match term {
                Term::Wire(wire) => {
                    let (least, most) = self.wires[*wire].range;
                    least.abs().max(most.abs())
                }
                Term::Bit(wire, _) => {
                    most = most.max(self.wires[*wire].range.1);
                    1
                }
                Term::Test(inner) => {
                    let (size, inner) = self.sizes(inner);
                    most = most.max(size).max(inner);
                    1
                }
            };
            size += k.abs() * own;
            most = most.max(own);
        }
        (size, most.max(size))
    }

    fn text(&self, sum: &Sum, width: u32) -> String {
        let mut text = number(sum.constant, width);
        for (k, term) in &sum.terms {
            let (sign, k) = (if *k < 0 { "-" } else { "+" }, k.abs());
            let value = match term {
                Term::Wire(wire) => self.signal(*wire).wide(width),
                Term::Bit(wire, place) => {
                    let name = format!("{}[{place}]", self.signal(*wire).name);
                    Signal { name, bits: 1, signed: false }.wide(width)
                }
                Term::Test(inner) => {
                    let (one, none) = (number(1, width), number(0, width));
                    format!("({} >= {none} ? {one} : {none})", self.text(inner, width))
                }
            };
            // A product with a constant is written as shifts, which a solver finds easier.
            let shifts: Vec<String> = (0..i128::BITS - 1)
                .filter(|place| k >> place & 1 == 1)
                .map(|place| match place {
                    0 => value.clone(),
                    _ => format!("({value} <<< {place})"),
                })
                .collect();
            text += &format!(" {sign} ({})", shifts.join(" + "));
        }
        text
    }

    /// That wires which are read are within their ranges.
    fn given(&self, sums: &[Sum], width: u32) -> Vec<String> {
        let mut wires: Vec<usize> = sums.iter().flat_map(Sum::wires).collect();
        wires.sort_unstable();
        wires.dedup();
        let within = |&wire: &usize| self.signal(wire).within(self.wires[wire].range, width);
        wires.iter().flat_map(within).collect()
    }

    fn lemma(&self, circuit: &Circuit, claim: &Claim) -> String {
        let out = Signal::of(format!("O_{}", claim.name), claim.range);
        // What says which value is chosen has a lemma of its own.
        let on = match &claim.formula {
            Formula::Choose([on, ..]) => on.wire().map(|wire| (wire, &self.wires[wire].formula)),
            _ => None,
        };
        let mut sums = claim.formula.sums().to_vec();
        if let Some((_, formula)) = on {
            sums.extend(formula.sums().to_vec());
        }
        let size = |sum: &Sum| self.sizes(sum).1;
        let ends = [claim.range.0.abs(), claim.range.1.abs()];
        let largest = sums.iter().map(size).chain(ends).max().unwrap_or(0);
        let mut width = bits((-1, 2 * largest + 1)).max(out.bits + 1);
        let expected = match &claim.formula {
            Formula::Port(_) => unreachable!("it is not cut"),
            Formula::Bounded(j) => {
                let range = (circuit.inputs[*j].least.into(), circuit.inputs[*j].most.into());
                let signal = Signal::of(self.inputs[*j].clone(), range);
                width = width.max(signal.bits + 1);
                let (least, most) = (number(range.0, width), number(range.1, width));
                let v = signal.wide(width);
                format!("{v} < {least} ? {least} : {v} > {most} ? {most} : {v}")
            }
            Formula::Sum(sum) | Formula::Register(sum) => self.text(sum, width),
            Formula::Choose(sums) => {
                let [on, yes, no] = [0, 1, 2].map(|k| self.text(&sums[k], width));
                format!("{on} == {} ? {yes} : {no}", number(1, width))
            }
        };
        let mut given = self.given(&sums, width);
        if let Some((wire, Formula::Sum(sum))) = on {
            given.push(format!("{} == ({})", self.signal(wire).wide(width), self.text(sum, width)));
        }
        if let Formula::Sum(sum) = &claim.formula
            && !sum.has_tests()
        {
            // Its range follows from the formulas, see `meaning`.
            let (least, most) = (number(claim.range.0, width), number(claim.range.1, width));
            given.push(format!("({expected}) >= {least} && ({expected}) <= {most}"));
        }
        let mut proven = vec![format!("{} == ({expected})", out.wide(width))];
        proven.extend(out.within(claim.range, width));
        implies(&given, &proven)
    }
}

/// `!(given) || proven`.
fn implies(given: &[String], proven: &[String]) -> String {
    let proven = proven.join(" && ");
    match given {
        [] => proven,
        given => format!("!({}) || ({proven})", given.join(" && ")),
    }
}

/// How many lemmas are proven at a time: few, so that a problem is small, but not too few, because
/// each problem is looked for among all cells.
fn group(lemmas: usize) -> usize {
    lemmas.div_ceil(32).max(24)
}

/// A module with a lemma for every wire of a written module, and a script that proves them.
pub(super) fn files(
    circuit: &Circuit,
    module: &str,
    claims: &Claims,
    clocked: bool,
) -> [String; 2] {
    let input = |j: usize| Signal::of(String::new(), range_of(circuit, j)).bits - 1;
    let inputs = claims.inputs.iter().enumerate();
    let mut declared: Vec<String> =
        inputs.map(|(j, name)| format!("input [{}:0] {name}", input(j))).collect();
    let mut connected: Vec<String> =
        claims.inputs.iter().map(|name| format!(".{name}({name})")).collect();
    if clocked {
        let clocked = [".clk(1'b0)", ".reset(1'b0)", ".valid_in(1'b0)", ".valid_out()"];
        connected.extend(clocked.map(String::from));
    }
    let (mut wires, mut lemmas, mut registers) = (String::new(), Vec::new(), 0);
    for claim in claims.wires.iter().filter(|claim| !matches!(claim.formula, Formula::Port(_))) {
        let (name, top) = (&claim.name, bits(claim.range) - 1);
        declared.push(format!("input [{top}:0] I_{name}"));
        wires += &format!("    wire [{top}:0] O_{name};\n");
        connected.push(format!(".{name}(O_{name}), .\\{name}.i (I_{name})"));
        lemmas.push(claims.lemma(circuit, claim));
        registers += usize::from(matches!(claim.formula, Formula::Register(_)));
    }
    for ((name, sum), range) in claims.outputs.iter().zip(circuit.output_ranges()) {
        let range = (range.0.into(), range.1.into());
        let port = Signal::of(format!("Y_{name}"), range);
        wires += &format!("    wire [{}:0] {};\n", port.bits - 1, port.name);
        connected.push(format!(".{name}({})", port.name));
        let width = bits((-1, 2 * claims.sizes(sum).1 + 1)).max(port.bits + 1);
        let given = claims.given(std::slice::from_ref(sum), width);
        let equal = format!("{} == ({})", port.wide(width), claims.text(sum, width));
        lemmas.push(implies(&given, &[equal]));
    }
    let groups: Vec<&[String]> = lemmas.chunks(group(lemmas.len())).collect();
    declared.extend((0..groups.len()).map(|g| format!("output SAME_{g}")));
    let (ports, connected) = (declared.join(",\n    "), connected.join(",\n        "));
    let mut text = format!(
        "// What is proven about {module}. Written by hardlim.\nmodule {module}_proof (\n    \
         {ports}\n);\n\
         {wires}    {module} M (\n        {connected}\n    );\n"
    );
    for (g, lemmas) in groups.iter().enumerate() {
        let lemmas = lemmas.join(",\n        ");
        text += &format!("    assign SAME_{g} = &{{\n        {lemmas}\n    }};\n");
    }
    let step = |g| format!("sat -verify -prove SAME_{g} 1 {module}_proof/w:SAME_{g} %ci*\n");
    let script = include_str!("proof.ys").replace("@module@", module);
    // The valid bits are a register, too.
    let script = script.replace("@all@", &(registers + usize::from(clocked)).to_string());
    let script = script.replace("@registers@", &registers.to_string());
    let without = format!(
        "# A pipeline without loops computes the same without its registers.\n\
         techmap -map {module}_registers.v\n"
    );
    let script = script.replace("@without_registers@", if clocked { &without } else { "" });
    let steps: String = (0..groups.len()).map(step).collect();
    [text + "endmodule\n", script.replace("@steps@\n", &steps)]
}

fn range_of(circuit: &Circuit, j: usize) -> (i128, i128) {
    (circuit.inputs[j].least.into(), circuit.inputs[j].most.into())
}
