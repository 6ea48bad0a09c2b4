//! Networks that interpolate, and what stands in their way.

use crate::models::{coded, read};
use hardlim::Error;
use hardlim::arrangement::Arrangement;
use hardlim::certificate::{Bound, NetworkClass, Scope};
use hardlim::data::TrainingSet;
use hardlim::train::{Interpolated, Request, Watch};

/// Interpolates rows of one feature and a target.
fn fit(rows: &[(f64, f64)], request: &Request) -> Interpolated {
    let lines: String = rows.iter().map(|(x, y)| format!("{x},{y}\n")).collect();
    let set = coded(&read(&format!("x,y\n{lines}")));
    let found = request.interpolate(&set, &Watch::default()).unwrap();
    if let Interpolated::Feasible(fitted) = &found {
        assert!(fitted.model.certify(set.data()).unwrap().holds());
        let certificate = fitted.model.certificate();
        assert!(certificate.relative_gap() <= 1e-5, "{certificate:?}");
        let norm: f64 = fitted.model.first().network().amplitudes().iter().map(|a| a.abs()).sum();
        assert!((norm - fitted.norm).abs() <= 1e-9 * norm);
    }
    found
}

#[test]
fn a_network_answers_every_target_with_the_least_norm() {
    // Every jump costs its size, on whichever side its neuron is on; here they make up the rest,
    // too.
    let rows = [(0.0, 1.0), (1.0, 1.0), (2.0, 3.0), (3.0, 0.5)];
    let Interpolated::Feasible(fitted) = fit(&rows, &Request::default()) else {
        panic!("every target of distinct points is within reach of neurons with a bias")
    };
    assert_eq!((fitted.patterns, fitted.residual), (8, 0.0));
    assert!(fitted.relative_gap() <= 1e-9 && fitted.gap() >= 0.0);
    assert!((fitted.norm - 4.5).abs() < 1e-9, "{}", fitted.norm);
}

#[test]
fn obstacles_are_told_apart() {
    let conflict = [(1.0, 0.0), (1.0, 2.0), (2.0, 1.0)];
    let Interpolated::Conflict { row, targets } = fit(&conflict, &Request::default()) else {
        panic!("equal rows have different targets")
    };
    assert_eq!((row, targets), (0, (0.0, 2.0)));
    // Without a bias, positive numbers all answer alike.
    let alike = [(1.0, 0.0), (2.0, 2.0), (-1.0, 1.0)];
    let request = Request::of("bias=false method=enumerate").unwrap();
    let Interpolated::Separated { proof, patterns, .. } = fit(&alike, &request) else {
        panic!("the first two rows answer alike")
    };
    assert_eq!((patterns, proof.z, proof.price), (3, vec![-1.0, 1.0, 0.0], 0.0));
    assert!((proof.miss - 1.0).abs() < 1e-12);
}

/// Rows without a bias, and how many patterns have weights, and have none.
fn without_bias(text: &str) -> (TrainingSet, (usize, usize)) {
    let set = coded(&read(text));
    let arrangement = Arrangement::of(set.data().features()).without_bias();
    let (wide, narrow) = arrangement.listing(8).unwrap().realised().unwrap();
    let counts = (wide.len(), narrow.patterns());
    (set, counts)
}

#[test]
fn rows_that_are_apart_by_rounding_alone_are_told_apart() {
    // Numbers of Fibonacci's: weights between the rows have all digits of the rows themselves.
    let (_, counts) = without_bias(
        "x1,x2,y\n5527939700884757,3416454622906707,1\n8944394323791464,5527939700884757,0\n",
    );
    assert_eq!(counts, (4, 0));
}

#[test]
fn patterns_too_narrow_for_weights_have_a_price() {
    // The determinant is one, so weights between the rows have about twice the digits of doubles.
    let (set, counts) = without_bias(
        "x1,x2,x3,y\n1994704372704040,7384585183652555,8126309529129963,0\n\
         1106756027858267,4097316011876490,4508859647915909,1\n\
         1673356622041548,6194925266716881,6817157494318364,0\n",
    );
    assert_eq!(counts, (2, 6));
    let request = Request::of("bias=false method=enumerate").unwrap();
    let Interpolated::Separated { bound, patterns, narrow, .. } =
        request.interpolate(&set, &Watch::default()).unwrap()
    else {
        panic!("no weights tell the rows apart")
    };
    // The narrow patterns do: nothing is proven for all.
    assert_eq!((bound, patterns, narrow), (Bound::Dictionary, 2, 6));
}

#[test]
fn the_global_certificate_is_about_all_networks() {
    let rows = [(0.0, 1.0), (1.0, -1.0), (2.0, 3.0), (3.0, 0.5), (4.0, 2.0)];
    let Interpolated::Feasible(fitted) = fit(&rows, &Request::default()) else {
        panic!("every target of distinct points is within reach of neurons with a bias")
    };
    let (certificate, global) = (fitted.model.certificate(), fitted.model.global());
    assert_eq!((certificate.scope(), certificate.bound()), (Scope::Global, Bound::Enumeration));
    assert!(certificate.relative_gap() <= 1e-5, "{certificate:?}");
    assert_eq!((global.bound(), global.class()), (Bound::Complete, &NetworkClass::all()));
    assert!(global.lower_bound() < certificate.lower_bound(), "{global:?}");
}

#[test]
fn patterns_are_not_generated() {
    let set = coded(&read("x,y\n1,2\n2,3\n"));
    let request = Request::of("method=generate").unwrap();
    let error = request.interpolate(&set, &Watch::default()).unwrap_err();
    assert!(matches!(error, Error::Option { option: "method", .. }), "{error}");
}
