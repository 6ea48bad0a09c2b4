//! C: what is written is proven by reading it back, and what was changed is not.

use hardlim::export::c::write;
use hardlim::export::{Circuit, Stack};
use hardlim_verify::c::prove;

use super::circuits::{gate, input, sign};
use super::style;

/// Two layers on numbers and bits; with three layers, the second one counts.
fn layered(layers: usize) -> Circuit {
    let names = ["a", "b", "c", "d"];
    let bounds = [(-7, 7), (0, 1), (-100, 100), (3, 9)];
    let inputs = names.into_iter().zip(bounds).map(|(name, (l, m))| input(name, l, m)).collect();
    let first = vec![
        gate(0, &[(0, 3), (1, -5), (2, -7)], 11),
        gate(1, &[(1, 1)], -1),
        gate(2, &[(2, 1), (3, -13)], 40),
    ];
    let second = vec![gate(0, &[(0, 1), (1, 1), (2, -1)], -1), gate(1, &[(2, 1), (0, 1)], -2)];
    let all = if layers == 2 { vec![first] } else { vec![first, second] };
    let amplitudes = vec![[5, -9, 130], [7, -3, 0]][layers - 2][..5 - layers].to_vec();
    let stacks = vec![Stack { layers: all, amplitudes, offset: -4 }];
    super::circuits::circuit(inputs, stacks, sign())
}

/// What the proof says about a source that was changed.
fn after(layers: usize, change: impl Fn(String) -> String) -> Result<Option<String>, String> {
    let (circuit, style) = (layered(layers), style("m", false));
    let files = write(&circuit, &style);
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path).unwrap();
        String::from_utf8(file.bytes.clone()).unwrap()
    };
    prove(&circuit, "m", &text("m.h"), &change(text("m.c")))
}

#[test]
fn what_is_written_is_proven() {
    for layers in [2, 3] {
        for constant_time in [false, true] {
            let (circuit, style) = (layered(layers), style("m", constant_time));
            let files = write(&circuit, &style);
            let text = |k: usize| String::from_utf8(files[k].bytes.clone()).unwrap();
            assert_eq!(prove(&circuit, "m", &text(0), &text(1)), Ok(None), "{}", text(1));
        }
    }
}

#[test]
fn a_program_that_computes_something_else_is_found() {
    assert_eq!(after(2, |text| text), Ok(None));
    let changed = |from: &'static str, to: &'static str| {
        after(2, move |text| {
            assert!(text.contains(from), "{from} in {text}");
            text.replacen(from, to, 1)
        })
    };
    let sum = Ok(Some("sum 0 has another formula".to_owned()));
    assert_eq!(changed("t >= 0", "t > 0"), sum);
    assert_eq!(changed("-13", "13"), sum);
    assert_eq!(changed("5, -9, 130", "5, -9, 131"), sum);
    assert_eq!(changed("sum = -4", "sum = -5"), sum);
    assert_eq!(changed("i < 3; i++", "i < 2; i++"), sum);
    assert_eq!(
        changed("~(uint32_t)sum_0(x) >> 31", "(uint32_t)sum_0(x) >> 31"),
        Ok(Some("the class has another formula".to_owned()))
    );
}

#[test]
fn a_sum_that_may_not_fit_is_not_proven() {
    let narrow = after(2, |text| text.replacen("int32_t t =", "int8_t t =", 1));
    assert!(narrow.unwrap_err().contains("does not fit 8 bits"));
    let beyond = after(2, |text| text.replacen("i < 3; bit++", "i < 4; bit++", 1));
    assert!(beyond.unwrap_err().contains("beyond its end"));
    let other = after(2, |text| {
        text.replacen("#define READ_int8_t(at) (at)", "#define READ_int8_t(at) (-at)", 1)
    });
    assert!(other.unwrap_err().contains("changes what it reads"));
}
