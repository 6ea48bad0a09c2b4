//! Time limits: every loop knows the budget. Time is counted work here, a second is `10⁹` steps, so
//! that nothing depends on the machine.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crate::models::{coded, read};
use hardlim::Error;
use hardlim::arrangement::Arrangement;
use hardlim::certificate::Bound;
use hardlim::data::TrainingSet;
use hardlim::loss::LossKind;
use hardlim::pricing::{HalfspaceSearch, SignedWeights};
use hardlim::solver::{StopReason, Work};
use hardlim::table::{ReadOptions, Table, builtin};
use hardlim::train::{Event, Options, Request, Trained, Watch};

/// What is promised for a limit of one second: half a second more.
const SECOND: u64 = 1_500_000_000;

/// A table that needs minutes: labels of noise, so that there is much to learn and little to prove.
fn noise(rows: usize, features: usize) -> TrainingSet {
    let size = builtin::TableSize { rows, features, seed: 1 };
    coded(&Table::open("teacher2", &ReadOptions { size, ..ReadOptions::default() }).unwrap())
}

/// What comes of some work, and how much was counted.
fn counted<T>(work: impl FnOnce(&Watch<'_>) -> T) -> (T, u64) {
    let count = Work::default();
    let found = work(&Watch { work: Some(&count), ..Watch::default() });
    (found, count.done())
}

/// Trains with a limit of one second of counted work.
fn within_a_second(request: &Request, set: &TrainingSet) -> (Result<Trained, Error>, u64) {
    let request = request.with("time_limit=1").unwrap();
    counted(|watch| request.check(set).unwrap().train(set, watch))
}

/// Checks that the limit holds, and that there is a network whose certificate holds.
#[track_caller]
fn ends_with_a_network(what: &str, request: &Request, set: &TrainingSet) -> u64 {
    let (trained, done) = within_a_second(request, set);
    let trained = trained.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(done <= SECOND, "{what}: {done}");
    assert!(trained.model.neurons() > 0, "{what}: {:?}", trained.stop);
    assert!(trained.model.certify(set.data()).unwrap().holds(), "{what}");
    done
}

fn methods() -> [(&'static str, Request); 13] {
    [
        ("generate", "method=generate"),
        ("average", "method=generate average=3"),
        ("one input", "method=generate max_inputs=1"),
        ("two inputs", "method=generate max_inputs=2"),
        ("three inputs", "method=generate max_inputs=3"),
        ("subnetworks", "method=generate widths=2"),
        ("sample", "method=sample patterns=6000"),
        ("sampled subnetworks", "method=sample widths=3,2"),
        ("integers", "method=generate weights=integer"),
        ("margins", "method=generate weights=svm"),
        ("staircase", "representation=staircase"),
        ("intercept", "method=generate intercept"),
        ("non-negative", "method=generate non_negative"),
    ]
    .map(|(what, options)| (what, Request::of(&format!("beta_ratio=1e-3 {options}")).unwrap()))
}

#[test]
fn every_method_ends_in_time_with_a_network() {
    let set = noise(2000, 12);
    for (what, request) in methods() {
        let done = ends_with_a_network(what, &request, &set);
        // The clock moves: what is not counted could not be limited. The complete program is only a
        // sort.
        assert!(done > 1_000_000 || what == "staircase", "{what}: only {done}");
    }
}

/// Rows of whole numbers, many on every line and plane.
fn ties(rows: u32) -> TrainingSet {
    let row = |i: u32| {
        let mixed = |k: u32| (i * 8 + k).wrapping_mul(0x9E37_79B9).wrapping_add(i * i) >> 7;
        format!("{},{},{},{}\n", mixed(1) % 60, mixed(2) % 12, mixed(3) % 2, mixed(4) % 2)
    };
    let text = format!("a,b,c,y\n{}", (0..rows).map(row).collect::<String>());
    coded(&read(&text))
}

#[test]
fn tied_and_wide_tables_end_in_time_with_a_network() {
    let few = |options: &str| Request::of(&format!("beta_ratio=1e-3 {options}")).unwrap();
    ends_with_a_network("ties", &few(""), &ties(4000));
    ends_with_a_network("ties, two inputs", &few("max_inputs=2"), &ties(4000));
    ends_with_a_network("three of 40 inputs", &few("max_inputs=3"), &noise(1500, 40));
}

#[test]
fn a_proof_that_was_cut_short_is_followed_by_a_search_for_a_bound() {
    for rows in [110, 130, 150, 170] {
        let value = |i: u32, k: u32| (i * 8 + k).wrapping_mul(0x9E37_79B9).wrapping_add(i * i) >> 7;
        let row = |i: u32| {
            let [a, b, c, d, y] = [1, 2, 3, 4, 5].map(|k| value(i, k) % if k < 5 { 10 } else { 2 });
            format!("{a},{b},{c},{d},{y}\n")
        };
        let text = format!("a,b,c,d,y\n{}", (0..rows).map(row).collect::<String>());
        let set = coded(&read(&text));
        let request = Request::of("beta=2 gap=1e-6").unwrap();
        let (trained, done) = within_a_second(&request, &set);
        let certificate = trained.unwrap().model.certificate().clone();
        assert!(done <= SECOND, "{rows} rows: {done}");
        assert_ne!(certificate.bound(), Bound::Complete, "{rows} rows");
    }
}

#[test]
fn a_halfspace_is_asked_for_no_longer_than_told() {
    let (ties, wide) = (ties(40_000), noise(1500, 40));
    for (set, max_inputs) in [(&ties, None), (&wide, Some(3)), (&wide, None)] {
        for asked in [1, 100] {
            let times = AtomicUsize::new(0);
            let stop = || times.fetch_add(1, Ordering::Relaxed) >= asked;
            let search = HalfspaceSearch { max_inputs, gap: 0.0, effort: 100_000, seed: 0 };
            let arrangement = Arrangement::of(set.data().features());
            let found = search.find(arrangement, SignedWeights::of(set.data()), &stop).unwrap();
            assert!(found.best.value <= found.upper_bound);
            assert!(times.into_inner() > asked, "a table that takes longer");
        }
    }
}

#[test]
fn what_is_lost_without_an_input_is_told_in_time() {
    let set = noise(1500, 20);
    let request = Request::of("max_inputs=2 beta_ratio=0.01").unwrap();
    let (trained, _) = within_a_second(&request, &set);
    let model = trained.unwrap().model;
    let limited = Request::of("time_limit=1").unwrap();
    let (told, done) = counted(|watch| limited.importance(&model, set.data(), watch).unwrap());
    assert_eq!(told.inputs.len(), 20);
    assert!(told.inputs.iter().all(|input| input.lower_bound <= input.objective));
    assert!(done <= SECOND, "{done}");
}

#[test]
fn every_loss_ends_in_time_with_a_network() {
    let set = noise(1500, 10);
    for loss in LossKind::all() {
        for method in ["generate", "sample patterns=4000"] {
            let request = format!("loss={loss} method={method} beta_ratio=1e-3");
            let request = Request::of(&request).unwrap();
            ends_with_a_network(&format!("{loss}, {method}"), &request, &set);
        }
    }
}

#[test]
fn choosing_ends_in_time_with_a_network() {
    let set = noise(1200, 8);
    for options in ["method=generate cv=5", "method=sample cv=5 patterns=3000", "", "inputs=mixed"]
    {
        ends_with_a_network(options, &Request::of(options).unwrap(), &set);
    }
}

#[test]
fn targets_of_any_size_end_in_time() {
    let rows = (0..12).map(|i| {
        let x = |k: u32| f64::from((i * 7919 + k * 104_729) % 1009) / 100.0;
        format!("{},{},{},{:e}\n", x(1), x(2), x(3), 1e23 * (x(4) - 5.0))
    });
    let text = format!("a,b,c,y\n{}", rows.collect::<String>());
    let request = Request::of("loss=absolute beta_ratio=0.01").unwrap();
    ends_with_a_network("1e23", &request, &coded(&read(&text)));
}

#[test]
fn a_path_and_an_interpolation_end_in_time() {
    let set = noise(1500, 10);
    let limited = |options: &str| {
        Request::path_of(&Options::read(&format!("time_limit=1 {options}")).unwrap()).unwrap()
    };
    let mut points = 0;
    let visit = |_| {
        points += 1;
        ControlFlow::Continue(())
    };
    let (path, done) =
        counted(|watch| limited("patterns=4000").path(&set, None, watch, visit).unwrap());
    assert!(points > 0 && !path.complete, "{path:?}");
    assert!(matches!(path.stop, StopReason::WorkLimit(_)), "{path:?}");
    assert!(done <= SECOND, "{done}");

    let go_on = |_| ControlFlow::Continue(());
    let path = limited("max_inputs=3");
    let (_, done) = counted(|watch| path.path(&set, None, watch, go_on).unwrap());
    assert!(done <= SECOND, "{done}");

    let request = Request::of("time_limit=1 patterns=4000").unwrap();
    let (found, done) = counted(|watch| request.interpolate(&set, watch));
    assert!(matches!(found, Err(Error::Interrupted)), "{found:?}");
    assert!(done <= SECOND, "{done}");
}

#[test]
fn a_list_that_is_cut_short_is_no_list() {
    let set = noise(90, 4);
    let request = Request::of("method=enumerate beta=1").unwrap();
    let (trained, done) = within_a_second(&request, &set);
    assert!(matches!(trained, Err(Error::Interrupted)));
    // The list is on its own threads, which look up every 20 ms.
    assert!(done > 1_000_000_000, "{done}");
}

#[test]
fn an_interrupt_is_answered_with_a_network_from_the_first_round_on() {
    let set = noise(1500, 10);
    for (what, request) in methods() {
        for asked in [0, 1, 3] {
            let (work, flag) = (Work::default(), AtomicBool::new(asked == 0));
            let (seen, before) = (AtomicUsize::new(0), AtomicU64::new(0));
            let listen = |_: Event<'_>| {
                if seen.fetch_add(1, Ordering::Relaxed) + 1 == asked {
                    flag.store(true, Ordering::Relaxed);
                    before.store(work.done(), Ordering::Relaxed);
                }
            };
            let watch = Watch {
                interrupt: Some(&flag),
                listener: Some(&listen),
                work: Some(&work),
                ..Watch::default()
            };
            let trained = request.check(&set).unwrap().train(&set, &watch).unwrap();
            assert!(trained.model.neurons() > 0, "{what}, {asked}");
            let since = work.done() - before.load(Ordering::Relaxed);
            assert!(since <= SECOND / 3, "{what}, {asked}: {since}");
            let interrupted = flag.load(Ordering::Relaxed);
            assert_eq!(trained.stop == StopReason::Interrupted, interrupted, "{what}, {asked}");
        }
    }
}

#[test]
fn three_layers_with_kinks_and_large_targets_end_in_time_and_when_asked() {
    let row = |i: u32| {
        let mixed = |k: u32| (i * 8 + k).wrapping_mul(0x9E37_79B9) >> 20;
        format!("{},{},{}e10\n", mixed(1), mixed(2), mixed(3))
    };
    let set = coded(&read(&format!("a,b,y\n{}", (0..200).map(row).collect::<String>())));
    let request = "beta_ratio=1e-3 method=generate widths=2 loss=quantile:0.9";
    let request = Request::of(request).unwrap();
    ends_with_a_network("quantile", &request, &set);
    let (work, flag) = (Work::default(), AtomicBool::new(false));
    let listen = |event: Event<'_>| {
        let begun = matches!(event, Event::Progress(_));
        flag.fetch_or(begun, Ordering::Relaxed);
    };
    let (interrupt, listener) = (Some(&flag), Some(&listen as &(dyn Fn(Event<'_>) + Sync)));
    let watch = Watch { interrupt, listener, work: Some(&work), ..Watch::default() };
    let trained = request.check(&set).unwrap().train(&set, &watch).unwrap();
    assert_eq!(trained.stop, StopReason::Interrupted);
    assert!(work.done() <= SECOND, "{}", work.done());
}

#[test]
fn a_problem_without_a_limit_gets_the_same_work_everywhere() {
    let set = noise(700, 8);
    let request = Request::of("beta_ratio=0.02").unwrap();
    let train = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| request.check(&set).unwrap().train(&set, &Watch::default()).unwrap())
    };
    let (alone, three) = (train(1), train(3));
    assert_eq!(alone.model, three.model);
    assert!(matches!(alone.stop, StopReason::WorkLimit(_)), "{:?}", alone.stop);
    assert!(alone.more.is_some_and(|more| more.contains("bound")));
    // With a gap to reach, the end is a standstill, and it says so.
    let gap = Request::of("gap=0.3 beta_ratio=0.3").unwrap();
    let set = noise(160, 6);
    let trained = gap.check(&set).unwrap().train(&set, &Watch::default()).unwrap();
    assert!(matches!(trained.stop, StopReason::Standstill(_) | StopReason::GapReached));
}
