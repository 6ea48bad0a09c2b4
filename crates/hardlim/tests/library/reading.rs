//! Tables as people have them: what is read, what is said, and what is learnt.

use crate::odd::{Expected, Odd, tables};
use hardlim::Error;
use hardlim::explain::score::accuracy;
use hardlim::model::Model;
use hardlim::table::{Coding, CodingOptions, ReadOptions, Table};
use hardlim::train::Request;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(bytes: &[u8]) -> Result<Table, Error> {
    Ok(Table::read(bytes, "t.csv", &ReadOptions::default())?)
}

#[test]
fn odd_tables_are_read_as_meant_or_refused_with_their_place() {
    let all = tables();
    assert!(all.len() >= 40, "{} tables", all.len());
    for Odd { name, bytes, expected } in all {
        let table = read(&bytes);
        let fitted = table.and_then(|table| {
            let coding = Coding::fit(&table, &CodingOptions::default())?;
            let (x, y) = (coding.features(&table)?, coding.targets(&table)?);
            assert_eq!(
                (x.rows(), x.dimension(), y.len()),
                (table.rows(), coding.dimension(), x.rows())
            );
            // Another program reads the same from the stored coding.
            let stored = serde_json::to_string(&coding).unwrap();
            let again: Coding = serde_json::from_str(&stored).unwrap();
            assert_eq!((&again, again.features(&table)?), (&coding, x), "{name}");
            let notes: Vec<String> = table.notes().into_iter().chain(coding.notes()).collect();
            assert!(notes.iter().all(|note| !note.contains('\n')), "{name}: {notes:?}");
            Ok((coding.feature_names(), notes))
        });
        let told = |notes: &[String], words: &str| {
            let found = notes.iter().any(|note| note.contains(words));
            assert!(if words.is_empty() { notes.is_empty() } else { found }, "{name}: {notes:?}");
        };
        match (fitted, expected) {
            (Ok((features, notes)), Expected::Read(expected, words)) => {
                assert_eq!(features.join(" "), expected, "{name}: {notes:?}");
                told(&notes, words);
            }
            (Ok((features, notes)), Expected::Count(count, words)) => {
                assert_eq!(features.len(), count, "{name}: {notes:?}");
                told(&notes, words);
            }
            (Err(error), Expected::Refused(words)) => {
                let error = error.to_string();
                assert!(error.contains(words) && !error.contains('\n'), "{name}: {error}");
            }
            (found, _) => panic!("{name}: {found:?}"),
        }
    }
}

#[test]
fn the_same_dates_and_numbers_are_the_same_features() {
    let all = tables();
    let features = |name: &str| {
        let Odd { bytes, .. } = all.iter().find(|odd| odd.name == name).unwrap();
        let table = read(bytes).unwrap();
        Coding::fit(&table, &CodingOptions::default()).unwrap().features(&table).unwrap()
    };
    let iso = features("ISO dates");
    for name in [
        "year/month/day",
        "day.month.year",
        "day/month/year",
        "month/day/year",
        "day month year",
        "month day, year",
    ] {
        assert_eq!(features(name), iso, "{name}");
    }
    let latin = features("latin-1");
    for name in
        ["utf-16, low byte first", "utf-16, high byte first", "utf-8 with a mark", "tabs", "bars"]
    {
        assert_eq!(features(name), latin, "{name}");
    }
    assert_eq!(features("commas between thousands"), features("points between thousands"));
    assert_eq!(features("dollars").row(3)[0], 21.99);
    assert_eq!(features("euros"), features("dollars"));
    assert_eq!(features("some points between thousands").row(2)[0], 1_002_000.0);
    assert_eq!(features("some points between thousands").row(3)[0], 4111.0);
}

/// A customer: number, name, day of joining, age, pay, plan, and whether they bought.
struct Customer {
    number: usize,
    name: String,
    joined: [usize; 3],
    age: u32,
    pay: f64,
    plan: &'static str,
    bought: &'static str,
}

fn customers(count: usize, seed: u64) -> Vec<Customer> {
    const FIRST: [&str; 8] = ["Anna", "Ben", "Clara", "David", "Emma", "Finn", "Greta", "Hans"];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let customer = |number: usize| {
        let (age, pay) =
            (rng.random_range(18..80), f64::from(rng.random_range(90_000..600_000)) / 100.0);
        let plan = ["free", "basic", "pro"][rng.random_range(0..3)];
        let likely =
            [pay > 3000.0, age < 45, plan == "pro"].iter().filter(|yes| **yes).count() >= 2;
        let bought = if likely ^ rng.random_bool(0.03) { "yes" } else { "no" };
        let name = format!("{} {}", FIRST[rng.random_range(0..8)], rng.random_range(0..400));
        let joined =
            [rng.random_range(2018..2024), rng.random_range(1..=12), rng.random_range(1..=28)];
        Customer { number: 1000 + number, name, joined, age, pay, plan, bought }
    };
    (0..count).map(customer).collect()
}

/// The table of customers, one line for each.
fn written(customers: &[Customer], header: &str, line: impl Fn(&Customer) -> String) -> Table {
    let lines: String = customers.iter().map(|customer| line(customer) + "\n").collect();
    read(format!("{header}\n{lines}").as_bytes()).unwrap()
}

fn held_out_accuracy(model: &Model, table: &Table) -> f64 {
    accuracy(&model.outputs(table).unwrap()[0], &model.coding().targets(table).unwrap())
}

#[test]
fn raw_tables_give_networks_as_good_as_cleaned_ones() {
    let request = Request::of("max_inputs=1 beta_ratio=0.04 loss=logistic").unwrap();
    let commas = |x: f64| format!("{x:.2}").replace('.', ",");
    let euros = |x: f64| {
        let (thousands, rest) = ((x / 1000.0).floor(), x % 1000.0);
        if thousands > 0.0 {
            format!("{thousands}.{:0>6} €", commas(rest))
        } else {
            format!("{} €", commas(x))
        }
    };
    let clean = |c: &Customer| format!("{},{},{},{}", c.age, c.pay, c.plan, c.bought);
    let raw = |c: &Customer| {
        let [y, m, d] = c.joined;
        format!(
            "{},{},{y}-{m:02}-{d:02},{},{},{},{}",
            c.number, c.name, c.age, c.pay, c.plan, c.bought
        )
    };
    let german = |c: &Customer| format!("{};{};{};{}", c.age, commas(c.pay), c.plan, c.bought);
    let all = |c: &Customer| {
        let [y, m, d] = c.joined;
        let pay = euros(c.pay);
        format!(
            "{};{};{d:02}.{m:02}.{y};{};{pay};{};EU;{}",
            c.number, c.name, c.age, c.plan, c.bought
        )
    };
    type Line<'a> = &'a dyn Fn(&Customer) -> String;
    let forms: [(&str, Line<'_>, &[&str]); 4] = [
        ("age,pay,plan,bought", &clean, &[]),
        (
            "id,name,joined,age,pay,plan,bought",
            &raw,
            &["\"id\" is left out", "\"name\" is left out", "\"joined\""],
        ),
        ("age;pay;plan;bought", &german, &["\"pay\" is read as numbers with decimal commas"]),
        (
            "id;name;joined;age;pay;plan;region;bought",
            &all,
            &["\"id\"", "\"name\"", "\"joined\"", "\"pay\" is read", "\"region\" is left out"],
        ),
    ];
    let (train, test) = (customers(450, 1), customers(4000, 2));
    let mut cleaned = None;
    for (header, line, notes) in forms {
        let model = request.train(&written(&train, header, line)).unwrap().model;
        let found = held_out_accuracy(&model, &written(&test, header, line));
        let told = model.coding().notes();
        assert_eq!(told.len(), notes.len(), "{told:?}");
        for words in notes {
            assert_eq!(
                told.iter().filter(|note| note.contains(words)).count(),
                1,
                "{words}: {told:?}"
            );
        }
        let cleaned = *cleaned.get_or_insert(found);
        assert!(
            found > 0.85 && (found - cleaned).abs() <= 0.01,
            "{header}: {found}, cleaned {cleaned}"
        );
    }
}
