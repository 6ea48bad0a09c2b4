//! C: what is written is proven by reading it back, and what was changed is not.

use hardlim::export::c::write;
use hardlim_verify::c::prove;

use super::circuits::{three_layers, two_layers};
use super::style;

/// What the proof says about a source that was changed.
fn after(change: impl Fn(String) -> String) -> Result<Option<String>, String> {
    let (circuit, style) = (two_layers(), style("m", false));
    let files = write(&circuit, &style);
    let text = |k: usize| String::from_utf8(files[k].1.clone()).unwrap();
    prove(&circuit, "m", &text(0), &change(text(1)))
}

#[test]
fn what_is_written_is_proven() {
    for circuit in [two_layers(), three_layers()] {
        for constant_time in [false, true] {
            let files = write(&circuit, &style("m", constant_time));
            let text = |k: usize| String::from_utf8(files[k].1.clone()).unwrap();
            assert_eq!(prove(&circuit, "m", &text(0), &text(1)), Ok(None), "{}", text(1));
        }
    }
}

#[test]
fn a_program_that_computes_something_else_is_found() {
    assert_eq!(after(|text| text), Ok(None));
    let changed = |from: &'static str, to: &'static str| {
        after(move |text| {
            assert!(text.contains(from), "{from} in {text}");
            text.replacen(from, to, 1)
        })
    };
    let sum = Ok(Some("sum 0 has another formula".to_owned()));
    assert_eq!(changed("t >= 0", "t > 0"), sum);
    assert_eq!(changed("-13", "13"), sum);
    assert_eq!(changed("5, -9, 130", "5, -9, 131"), sum);
    assert_eq!(changed("sum = -12", "sum = -13"), sum);
    assert_eq!(changed("i < 6; i++", "i < 5; i++"), sum);
    assert_eq!(
        changed("~(uint32_t)sum_0(x) >> 31", "(uint32_t)sum_0(x) >> 31"),
        Ok(Some("the class has another formula".to_owned()))
    );
}

#[test]
fn a_sum_that_may_not_fit_is_not_proven() {
    let narrow = after(|text| text.replacen("int32_t t =", "int8_t t =", 1));
    assert!(narrow.unwrap_err().contains("does not fit 8 bits"));
    let beyond = after(|text| text.replacen("i < 6; bit++", "i < 7; bit++", 1));
    assert!(beyond.unwrap_err().contains("beyond its end"));
    let other = after(|text| {
        text.replacen("#define READ_int8_t(at) (at)", "#define READ_int8_t(at) (-at)", 1)
    });
    assert!(other.unwrap_err().contains("changes what it reads"));
}
