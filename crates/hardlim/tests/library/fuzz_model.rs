//! Damaged model files: whatever the bytes, reading and checking them ends in a verdict or an
//! error, in bounded memory, and what holds is true.
//!
//! `HARDLIM_FUZZ` is the number of damaged files (2000 by default).

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::models::read;
use crate::seal::sealed;
use hardlim::data::{Dataset, Features};
use hardlim::model::Model;
use hardlim::network::{Layer, Network, Neuron};
use hardlim::table::{CodingOptions, Table};
use hardlim::train::Request;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Counts what is allocated.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[track_caller]
fn assert_memory() {
    let peak = PEAK.load(Ordering::Relaxed);
    assert!(peak < 1 << 30, "{} MiB at once", peak >> 20);
}

const TABLE: &str =
    "a,color,w,y\n1,red,1,0\n-2,blue,2,1\n3,red,1,1\n0.5,green,1,0\n1,red,0.5,1\n4,blue,1,1\n";

/// Pieces of a model, with bars between them.
const PIECES: &str = "0|1|9|-|.|e|e9|E-|1e999|1e308|1e-308|-0.0|0.1|NaN|null|true|false|[|]|{|}|,|\
    :|\"|\\|\\u0000|\n| |é|[]|{}|[[[[[[[[|\"inputs\":[0],|\"dual\"|\"draws\"|100000000|\
    18446744073709551615|\"complete\"|\"dictionary\"|\"global\"|\"number\"|\"hinge\"|\
    \"huber:1e-300\"|";

fn damage(text: &mut Vec<u8>, rng: &mut impl Rng) {
    for _ in 0..rng.random_range(1..=3) {
        let at = rng.random_range(0..=text.len());
        let until = rng.random_range(at..=text.len().min(at + 8));
        match rng.random_range(0..7) {
            0 if at < text.len() => text[at] ^= 1 << rng.random_range(0..7),
            1 => drop(text.drain(at..until)),
            2 => {
                let copy = text[at..until].to_vec();
                let to = rng.random_range(0..=text.len());
                drop(text.splice(to..to, copy));
            }
            3 if rng.random_bool(0.1) => text.truncate(at),
            // Most of a model is digits: another digit is another model.
            4 | 5 => {
                let digits: Vec<usize> =
                    (0..text.len()).filter(|&k| text[k].is_ascii_digit()).collect();
                if let Some(&k) = digits.choose(rng) {
                    text[k] = rng.random_range(b'0'..=b'9');
                }
            }
            _ => {
                let pieces: Vec<&str> = PIECES.split('|').collect();
                let piece = pieces.choose(rng).expect("there are some");
                drop(text.splice(at..until, piece.bytes()));
            }
        }
    }
}

/// A model of each kind, with its table and training set.
fn whole_models() -> Vec<(Model, Table, Dataset)> {
    let requests = [
        "patterns=30",
        "loss=logistic seed=5",
        "loss=absolute method=sample",
        "method=complete",
        "patterns=30 widths=2,2",
        "representation=staircase",
        "weights=integer",
    ];
    let rows: Vec<&str> = TABLE.lines().take(5).collect();
    let (table, short) = (read(TABLE), read(&rows.join("\n")));
    let options = CodingOptions { weight_column: Some("w".into()), ..CodingOptions::default() };
    (requests.into_iter().enumerate())
        .map(|(k, request)| {
            let complete = request.contains("method=complete");
            let request = Request::of(request).unwrap();
            let table = if complete { &short } else { &table };
            let options = if k == 0 { options.clone() } else { CodingOptions::default() };
            let request = request.with("beta_ratio=0.1").unwrap().with_columns(options);
            let model = request.train(table).unwrap().model;
            let data = model.training_data(table).unwrap();
            assert!(model.certify(&data).unwrap().holds());
            (model, table.clone(), data)
        })
        .collect()
}

/// What a model that holds says about another network of the same data is true.
fn assert_sound(model: &Model, other: &Network, data: &Dataset) {
    let problem = model.setting().problem(data.targets());
    let objective =
        |u: &[f64], a: &[f64]| problem.objective(u, a.iter().copied()) * (1.0 + 1e-9) + 1e-300;
    let own = objective(
        &model.first().network().output(data.features()),
        model.first().network().amplitudes(),
    );
    assert!(model.certificate().objective() <= own, "{model:?}");
    let allowed =
        !model.setting().constraints.non_negative || other.amplitudes().iter().all(|a| *a >= 0.0);
    if allowed {
        let others = objective(&other.output(data.features()), other.amplitudes());
        assert!(model.global().lower_bound() <= others, "{model:?}");
    }
    let zero = objective(&vec![0.0; data.distinct()], &[]);
    assert!(model.certificate().lower_bound() <= zero && model.global().lower_bound() <= zero);
}

#[test]
fn damaged_files_end_in_a_verdict_or_an_error_of_one_line() {
    let count = std::env::var("HARDLIM_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let whole = whole_models();
    let texts: Vec<String> = whole.iter().map(|(model, ..)| model.to_text()).collect();
    let (mut read, mut held) = (0, 0);
    for _ in 0..count {
        let k = rng.random_range(0..whole.len());
        let (model, table, data) = &whole[k];
        let mut bytes = texts[k].clone().into_bytes();
        if rng.random_bool(0.2) {
            damage(&mut bytes, &mut rng);
            // The checksum alone tells.
            if bytes != texts[k].as_bytes() {
                let text = String::from_utf8_lossy(&bytes);
                assert!(Model::from_text(&text).is_err(), "{text}");
            }
            continue;
        }
        bytes.truncate(texts[k].rfind("  \"checksum\"").unwrap());
        damage(&mut bytes, &mut rng);
        let text = sealed(&String::from_utf8_lossy(&bytes));
        let damaged = match Model::from_text(&text) {
            Ok(damaged) => damaged,
            Err(error) => {
                let error = error.to_string();
                assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
                continue;
            }
        };
        read += 1;
        let again = damaged.to_text();
        assert_eq!(Model::from_text(&again).expect("what was read").to_text(), again);
        // Whatever it would answer, it answers or says why not.
        let _ = damaged.outputs(table);
        let _ =
            damaged.training_data(table).and_then(|data| damaged.certify_within(&data, 1 << 24));
        if damaged.certify_within(data, 1 << 24).is_ok_and(|check| check.holds()) {
            held += 1;
            assert_sound(&damaged, model.first().network(), data);
        }
    }
    assert!(count < 1000 || (read > count / 20 && held > 0), "{read} read, {held} held of {count}");
    assert_memory();
}

#[test]
fn neurons_of_few_inputs_are_not_all_spread_out_at_once() {
    let inputs = 5000;
    let neuron = |k: u32| Neuron {
        inputs: Some(vec![k % 5000]),
        weights: vec![if k.is_multiple_of(2) { 1.0 } else { -1.0 }],
        bias: 0.0,
    };
    let layer = Layer { neurons: (0..50_000).map(neuron).collect() };
    let network = Network::new(inputs, vec![layer], vec![1.0; 50_000], 0.0).unwrap();
    let values = (0..3 * inputs).map(|k| (k % 7) as f64 - 3.0).collect();
    let features = Features::new(3, inputs, values).unwrap();
    let output = network.output(&features);
    for (i, u) in output.iter().enumerate() {
        let on = |k: u32| {
            let x = features.row(i)[(k % 5000) as usize];
            if k.is_multiple_of(2) { x >= 0.0 } else { x <= 0.0 }
        };
        assert_eq!(*u, (0..50_000).filter(|&k| on(k)).count() as f64);
    }
    assert_memory();
}

#[test]
fn many_values_in_a_file_stay_within_bounds() {
    // A value of two bytes becomes at most a list or a string of 24.
    let text = whole_models()[0].0.to_text();
    for (from, piece) in [("\"layers\": [", "[],"), ("\"dual\": [", "0,"), ("\"ignored\":[", "0,")]
    {
        let many = format!("{from}{}", piece.repeat((1 << 24) / piece.len() - 1000));
        assert!(text.contains(from));
        let text = sealed(&text.replacen(from, &many, 1));
        drop(Model::from_text(&text));
        drop(text);
        assert_memory();
    }
}
