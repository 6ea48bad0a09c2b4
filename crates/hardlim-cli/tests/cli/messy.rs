//! Tables as people have them give models as good as the cleaned ones, and one line tells why.

use super::{Folder, run};

/// What is beside the inputs, or how they are written.
type Row = fn(usize, &Customer) -> String;

/// One made-up customer.
struct Customer {
    name: String,
    since: String,
    age: u64,
    pay: f64,
    bought: bool,
}

/// A sequence of random numbers that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// Customers who buy by a rule, one in twenty against it.
    fn customers(&mut self, count: usize, rule: fn(u64, f64) -> bool) -> Vec<Customer> {
        let customer = |_| {
            let (age, pay) = (18 + self.roll(63), 800.0 + self.roll(440_000) as f64 / 100.0);
            let letters = (0..7).map(|_| (b'a' + self.roll(26) as u8) as char).collect::<String>();
            let (year, month, day) = (2020 + self.roll(4), 1 + self.roll(12), 1 + self.roll(28));
            Customer {
                name: format!("Ann {letters}"),
                since: format!("{year}-{month:02}-{day:02}"),
                age,
                pay,
                bought: rule(age, pay) != (self.roll(20) == 0),
            }
        };
        (0..count).map(customer).collect()
    }
}

fn answer(customer: &Customer) -> &'static str {
    if customer.bought { "yes" } else { "no" }
}

fn clean(_: usize, c: &Customer) -> String {
    format!("{},{:.2},{}", c.age, c.pay, answer(c))
}

fn wide(i: usize, c: &Customer) -> String {
    format!("{},{},{},{},{:.2},{}", i + 1000, c.name, c.since, c.age, c.pay, answer(c))
}

fn commas(_: usize, c: &Customer) -> String {
    format!("{};{};{}", c.age, format!("{:.2}", c.pay).replace('.', ","), answer(c))
}

fn currency(_: usize, c: &Customer) -> String {
    let (whole, cents) = (c.pay as u64, (c.pay * 100.0).round() as u64 % 100);
    let pay = match whole {
        1000.. => format!("{},{:03}.{cents:02}", whole / 1000, whole % 1000),
        _ => format!("{whole}.{cents:02}"),
    };
    format!("{},\"${pay}\",{}", c.age, answer(c))
}

/// The accuracy on new rows of the model that is trained without flags, and what is told about the
/// columns.
fn score(header: &str, row: Row, train: &[Customer], new: &[Customer]) -> (f64, Vec<String>) {
    let folder = Folder::new();
    let table = |name: &str, customers: &[Customer]| {
        let rows: Vec<String> = customers.iter().enumerate().map(|(i, c)| row(i, c)).collect();
        folder.write(name, format!("{header}\n{}\n", rows.join("\n")))
    };
    let (train, new) = (table("train.csv", train), table("new.csv", new));
    let model = folder.file("m.hardlim");
    let trained = run(&["train", &train, "-o", &model]);
    let notes = trained.text(0).lines().filter_map(|line| line.strip_prefix("note: "));
    let found = run(&["evaluate", &model, &new, "--json"]).json(0);
    (found["accuracy"].as_f64().unwrap(), notes.map(str::to_owned).collect())
}

#[test]
fn what_is_beside_the_inputs_and_how_they_are_written_costs_no_accuracy() {
    let either: fn(u64, f64) -> bool = |age, pay| (age < 40) == (pay > 2800.0);
    let mut dice = Dice(3);
    let (train, new) = (dice.customers(450, either), dice.customers(1000, either));
    let (best, notes) = score("age,pay,bought", clean, &train, &new);
    assert!(best > 0.85 && notes.is_empty(), "{best} {notes:?}");
    let out = |column: &str, why: &str| {
        format!("column {column:?} is left out: {why} (--keep {column} brings it back)")
    };
    let unique = "it looks like an identifier: 450 of 450 values are different";
    let useless = "networks without it predict rows held out as well";
    let beside = vec![out("id", unique), out("name", unique), out("since", useless)];
    let read = |how: &str| vec![format!("column \"pay\" is read as numbers with {how}")];
    let pay = train[0].pay;
    let comma = format!("{pay:.2}").replace('.', ",");
    let cases: [(&str, Row, Vec<String>); 3] = [
        ("id,name,since,age,pay,bought", wide, beside),
        ("age;pay;bought", commas, read(&format!("decimal commas: {comma:?} is {pay}"))),
        ("age,pay,bought", currency, read("commas between thousands, the currency $: ")),
    ];
    for (header, row, expected) in cases {
        let (found, notes) = score(header, row, &train, &new);
        assert!((found - best).abs() <= 0.01, "{header}: {found}, cleaned {best}");
        assert_eq!(notes.len(), expected.len(), "{notes:?}");
        for (note, expected) in notes.iter().zip(&expected) {
            assert!(note.starts_with(expected.as_str()), "{note}\n{expected}");
        }
    }
}

#[test]
fn a_customer_table_is_as_good_as_its_useful_columns() {
    let rich: fn(u64, f64) -> bool = |age, pay| age > 45 && pay > 2500.0;
    let mut dice = Dice(8);
    let (train, new) = (dice.customers(300, rich), dice.customers(1000, rich));
    let (best, _) = score("age,pay,bought", clean, &train, &new);
    let (found, notes) = score("id,name,since,age,pay,bought", wide, &train, &new);
    assert!(best > 0.85 && (found - best).abs() <= 0.01, "{found}, cleaned {best}");
    assert_eq!(notes.len(), 3, "{notes:?}");
}
