//! Damaged text files: whatever the bytes, reading and coding them ends in a table or an error.
//!
//! `HARDLIM_FUZZ` is the number of damaged files (2000 by default).

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use hardlim::table::{Coding, CodingOptions, Missing, ReadOptions, Table, Task};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

const FILES: [&[u8]; 5] = [
    b"a,b,color,y\n1,2.5,red,no\n-3,?,blue,yes\n1e3,0.1,red,yes\n7,8,green,no\n",
    b"1;2;0\n3;4;1\n5;6;1\n7;8;0\n",
    b"\xef\xbb\xbfname\tsize\tw\tlabel\r\n\"x \
      \"\"y\"\"\"\t1\t0.5\t3\r\nz\t2\t1\t4\r\n\r\nz\t3\t2\t5\r\n",
    b"class|sex|survived\nfirst|male|yes\ncrew|female|no\nthird|male|no\n",
    b"x,y\n-2,0\n-1,1\n0,1\n1,-1\n2,-1\n",
];

const PIECES: [&[u8]; 22] = [
    b",",
    b"\t",
    b";",
    b"|",
    b"\n",
    b"\r",
    b"\r\n",
    b"\"",
    b"\"\"",
    b"\0",
    b" ",
    b"",
    b"NaN",
    b"inf",
    b"1e999",
    b"1e-99",
    b"-",
    b"e",
    b"\xff",
    b"\xc3\xa9",
    b"0",
    b"\x1f\x8b",
];

fn damage(bytes: &mut Vec<u8>, rng: &mut impl Rng) {
    for _ in 0..rng.random_range(1..=3) {
        let at = rng.random_range(0..=bytes.len());
        let until = rng.random_range(at..=bytes.len().min(at + 8));
        match rng.random_range(0..5) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            1 => drop(bytes.drain(at..until)),
            2 => {
                let copy = bytes[at..until].to_vec();
                let to = rng.random_range(0..=bytes.len());
                drop(bytes.splice(to..to, copy));
            }
            3 if rng.random_bool(0.1) => bytes.truncate(at),
            _ => {
                let piece = PIECES.choose(rng).expect("there are some");
                drop(bytes.splice(at..until, piece.iter().copied()));
            }
        }
    }
}

fn options(rng: &mut impl Rng) -> (ReadOptions, CodingOptions) {
    let names = ["a", "y", "color", "w", "x1", "1", "2", "0", "nothing"];
    let mut maybe = |p: f64| rng.random_bool(p).then(|| names.choose(rng).unwrap().to_string());
    let (target, weight_column) = (maybe(0.1), maybe(0.1));
    let (ignore, categorical) = (maybe(0.1), maybe(0.2));
    let read = ReadOptions {
        header: rng.random_bool(0.1).then(|| rng.random()),
        delimiter: rng.random_bool(0.1).then(|| *b",; x".choose(rng).unwrap()),
        ..ReadOptions::default()
    };
    let coding = CodingOptions {
        target,
        weight_column,
        ignore: ignore.into_iter().collect(),
        categorical: categorical.into_iter().collect(),
        task: *[Task::Auto, Task::Auto, Task::Auto, Task::Classify, Task::Regress]
            .choose(rng)
            .unwrap(),
        positive: rng.random_bool(0.1).then(|| ["0", "a", "yes"].choose(rng).unwrap().to_string()),
        missing: *[Missing::Error, Missing::Mean, Missing::Apart].choose(rng).unwrap(),
        keep: Vec::new(),
        keep_all: rng.random_bool(0.3),
        bits: rng.random_bool(0.2).then(|| rng.random_range(1..=16)),
        balanced: rng.random_bool(0.1),
    };
    (read, coding)
}

/// Reads, codes, stores the coding, and applies it to a second table; says how far it got.
fn walk(bytes: &[u8], other: &Table, rng: &mut impl Rng) -> Result<(), hardlim::Error> {
    let (read, options) = options(rng);
    let table = Table::read(bytes, "damaged", &read)?;
    let coding = Coding::fit(&table, &options)?;
    let data = coding.dataset(&table)?;
    assert_eq!((data.samples(), data.dimension()), (table.rows(), coding.dimension()));
    assert_eq!(coding.feature_names().len(), coding.dimension());
    let stored = serde_json::to_string(&coding).expect("a coding can be written");
    let stored: Coding = serde_json::from_str(&stored).expect("and read");
    assert_eq!(stored, coding);
    assert_eq!(stored.dataset(&table)?.fingerprint(), data.fingerprint());
    if coding.has_target(other) {
        coding.targets(other)?;
    }
    coding.features(other).map(drop)
}

#[test]
fn damaged_files_end_in_a_table_or_an_error_of_one_line() {
    let count = std::env::var("HARDLIM_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let whole: Vec<Table> = FILES
        .iter()
        .map(|file| Table::read(*file, "whole", &ReadOptions::default()).expect("a good file"))
        .collect();
    let mut good = 0;
    for _ in 0..count {
        let k = rng.random_range(0..FILES.len());
        let mut bytes = FILES[k].to_vec();
        damage(&mut bytes, &mut rng);
        if rng.random_bool(0.1) {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(&bytes).expect("writing to memory");
            bytes = gzip.finish().expect("writing to memory");
            if rng.random_bool(0.5) {
                damage(&mut bytes, &mut rng);
            }
        }
        let other = if rng.random_bool(0.8) { k } else { rng.random_range(0..FILES.len()) };
        match walk(&bytes, &whole[other], &mut rng) {
            Ok(()) => good += 1,
            Err(error) => {
                let error = error.to_string();
                assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
            }
        }
    }
    assert!(count < 1000 || good > count / 40, "only {good} of {count} got through");
}
