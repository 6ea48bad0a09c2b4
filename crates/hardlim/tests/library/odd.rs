//! Odd tables, as people have them, and what each should be read as.

/// What a table should become.
pub(crate) enum Expected {
    /// These features, and a note with these words; no note if there are none.
    Read(&'static str, &'static str),
    /// The number of features, and a note.
    Count(usize, &'static str),
    /// An error with these words.
    Refused(&'static str),
}

/// A table, and what it should become.
pub(crate) struct Odd {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) expected: Expected,
}

/// The rows of a table of 60, under this header.
fn rows(header: &str, row: impl Fn(usize) -> String) -> String {
    header.to_owned() + "\n" + &(0..60).map(|i| row(i) + "\n").collect::<String>()
}

/// A column of these texts beside a plain feature and a target.
fn column(name: &str, cell: impl Fn(usize) -> String) -> String {
    let target = ["no", "yes"];
    rows(&format!("{name};a;y"), |i| format!("{};{};{}", cell(i), i * i % 53, target[i % 2]))
}

/// A column of dates beside them, from year, month and day.
fn dates(cell: impl Fn(usize, usize, usize) -> String) -> String {
    column("v", |i| cell(2020 + i % 4, 1 + i % 12, 1 + i * 5 % 28))
}

fn in_utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// A list of tables: the name, the text or bytes, what they should become.
macro_rules! tables {
    ($($name:literal: $text:expr => $expected:expr;)*) => {
        vec![$(Odd { name: $name, bytes: $text.into(), expected: $expected }),*]
    };
}

/// All of them.
pub(crate) fn tables() -> Vec<Odd> {
    use Expected::{Count, Read, Refused};
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let latin = |text: &str| -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
    };
    let plain = |separator: &str| {
        rows("größe,b,y", |i| format!("{},{},{}", i % 7, i * i % 11, i % 2)).replace(',', separator)
    };
    let v = |cell: fn(usize) -> String| column("v", cell);
    let wide = |word: &str| (0..2000).map(|j| format!("{word}{j},")).collect::<String>();
    let cells = |i: usize| {
        (0..2000).map(|j| format!("{},", (i * i + 3 * i * j + 7 * j) % 9973)).collect::<String>()
    };
    let many = |count: usize, key: fn(usize) -> usize| {
        let row = |i: usize| format!("k{},{},{}\n", key(i), i % 7, i % 2);
        "k,a,y\n".to_owned() + &(0..count).map(row).collect::<String>()
    };
    let both = |note| Read("größe b", note);
    let amounts = |words| Read("v a", words);
    let day = || Read("v.days v.weekday a", "\"v\" is read as dates");
    let hour = || Read("v.days v.weekday v.hour a", "hour of the day");
    let no_id = || Read("a", "\"v\" is left out: it looks like an identifier");

    tables! {
        // Encodings and separators.
        "utf-8 with a mark": format!("\u{feff}{}", plain(",")) => both("");
        "latin-1": latin(&plain(",")) => both("read as Windows-1252");
        "utf-16, low byte first":
            in_utf16(&plain(","), u16::to_le_bytes) => both("read as UTF-16");
        "utf-16, high byte first":
            in_utf16(&plain(","), u16::to_be_bytes) => both("read as UTF-16");
        "neither": b"a,y\n\xc3\xa9,1\n\xff,0\n" => Refused("not UTF-8");
        "semicolons": plain(";") => both("");
        "tabs": plain("\t") => both("");
        "bars": plain("|") => both("");

        // Dates.
        "ISO dates": dates(|y, m, d| format!("{y}-{m:02}-{d:02}")) => day();
        "year/month/day": dates(|y, m, d| format!("{y}/{m:02}/{d:02}")) => day();
        "day.month.year": dates(|y, m, d| format!("{d}.{m}.{y}")) => day();
        "day/month/year": dates(|y, m, d| format!("{d:02}/{m:02}/{y}")) => day();
        "month/day/year": dates(|y, m, d| format!("{m:02}/{d:02}/{y}")) => day();
        "day month year": dates(|y, m, d| format!("{d} {} {y}", MONTHS[m - 1])) => day();
        "month day, year": dates(|y, m, d| format!("\"{} {d}, {y}\"", MONTHS[m - 1])) => day();
        "dates with times":
            dates(|y, m, d| format!("{y}-{m:02}-{d:02}T{:02}:30:00Z", d % 24)) => hour();
        "dates with fractions of seconds":
            dates(|y, m, d| format!("{y}-{m:02}-{d:02} {:02}:30:15.250", d % 24)) => hour();
        "times": v(|i| format!("{}:{:02} {}", 1 + i % 12, i % 60, ["AM", "PM"][i % 2]))
            => Read("v.hour a", "is read as times");
        "first days of months": dates(|y, m, _| format!("01/{m:02}/{y}"))
            => Read("v.days v.weekday a", "the day is taken to come first");
        "two orders at once":
            v(|i| if i % 2 == 0 { "13/01/2024".into() } else { "01/13/2024".into() })
            => Read("v=13/01/2024 a", "has the day first, \"01/13/2024\" the month");
        "months": dates(|y, m, _| format!("{y}-{m:02}"))
            => Read("v.days a", "\"v\" is read as months");

        // Numbers.
        "decimal commas": v(|i| format!("{},5", i * 37 % 101)) => amounts("with decimal commas");
        "commas between thousands": v(|i| format!("{},{:03}.5", 1 + i % 9, i * 37 % 1000))
            => amounts("with commas between thousands");
        "points between thousands": v(|i| format!("{}.{:03},5", 1 + i % 9, i * 37 % 1000))
            => amounts("points between thousands");
        "some points between thousands": v(|i| match i % 3 {
            0 => format!("{}.{:03}", 1 + i % 9, i * 37 % 1000),
            1 => (i * 7 % 90).to_string(),
            _ => format!("1.{i:03}.000"),
        }) => amounts("points between thousands");
        "spaces between thousands": v(|i| format!("{} {:03}", 1 + i % 9, i * 37 % 1000))
            => amounts("spaces between thousands");
        "apostrophes between thousands": v(|i| format!("{}'{:03}.50", 1 + i % 9, i * 37 % 1000))
            => amounts("apostrophes between thousands");
        "commas in unclear places": v(|i| format!("{},{:03}", 1 + i % 9, i * 37 % 1000))
            => amounts("as no other number of the table shows otherwise");
        "per cent": v(|i| format!("{} %", i * 7 % 50)) => amounts("per cent signs");
        "dollars": v(|i| format!("${}.99", i * 7 % 50)) => amounts("the currency $");
        "euros": v(|i| format!("{},99 €", i * 7 % 50))
            => amounts("decimal commas, the currency €");
        "two currencies": v(|i| format!("{}{i}", ["$", "€"][i % 2]))
            => Refused("amounts in $ and in €");
        "per cent among plain numbers":
            v(|i| if i == 7 { "8%".into() } else { format!("0.{}", 10 + i) })
            => Refused("row 9, column \"v\": got \"8%\"");
        "one unit": v(|i| format!("{}.84 km", 1000 + i * 37 % 401)) => amounts("with the unit km");
        "two units": v(|i| format!("{i}.5 {}", ["km", "m"][i % 2]))
            => Read("a", "has text that starts with numbers");
        "losses in parentheses":
            v(|i| if i % 3 == 0 { format!("(${i}.50)") } else { format!("${i}.25") })
            => amounts("\"($0.50)\" is -0.5");

        // Labels and mixtures.
        "booleans": v(|i| ["true", "false"][i % 2 * (i % 3) % 2].into()) => Read("v=true a", "");
        "booleans in any case":
            v(|i| ["True", "true", "FALSE", "False"][i * i % 4 + i % 3 % 2].into())
            => Read("v=true a", "by case only are one");
        "a word among numbers":
            v(|i| if i == 40 { "unknown".into() } else { (i * 7 % 31).to_string() })
            => Refused("row 42, column \"v\": expected a number, got \"unknown\"");
        "a number among words": v(|i| if i == 40 { "7".into() } else { format!("c{}", i % 4) })
            => Refused("the other cells are text, got the number 7");
        "missing numbers": v(|i| if i % 9 == 0 { "NA".into() } else { (i * 7 % 31).to_string() })
            => Read("v v.missing a", "7 missing values: they get the mean");
        "missing labels": v(|i| if i % 9 == 0 { String::new() } else { format!("c{}", i % 3) })
            => Read("v=c0 v=c1 v=c2 v.missing a", "a level of their own");
        "a column of nothing": v(|_| "?".into()) => Read("a", "it has no values");

        // Columns that teach nothing.
        "numbers in a row": v(|i| (1000 + i).to_string()) => no_id();
        "numbers in a row, shuffled": v(|i| (1 + i * 7 % 60).to_string()) => amounts("");
        "numbers in a row, shuffled, by the name of identifiers":
            column("member_id", |i| (1 + i * 7 % 60).to_string())
            => Read("a", "\"member_id\" is left out: it looks like an identifier");
        "numbers of customers":
            column("customer_id", |i| (100_000 + i * 7919 % 900_001).to_string())
            => Read("a", "\"customer_id\" is left out: it looks like an identifier");
        "years in a row": column("year", |i| (1900 + i).to_string()) => Read("year a", "");
        "keys": v(|i| format!("{:08x}", (i * 2_654_435_761) % 4_294_967_296))
            => Read("a", "it looks like an identifier");
        "a constant": v(|_| "EU".into()) => Read("a", "it is always \"EU\"");
        "a copy": rows("a,b,y", |i| format!("{0},{0},{1}", i * i % 53, i % 2))
            => Read("a", "it is a copy of \"a\"");
        "a copy of the target": rows("a,b,y", |i| format!("{0},{1},{1}", i * i % 53, i % 2))
            => Read("a", "it is a copy of the target");
        "pay, nearly all different": v(|i| (1200 + i * i * 37 % 4801).to_string()) => amounts("");

        // Headers, widths, levels, targets.
        "a name twice": "a,a,y\n1,2,0\n3,4,1\n" => Refused("two columns have this name");
        "a short row": "a,b,y\n1,2,0\n3,1\n" => Refused("row 3: expected 3 cells, found 2");
        "2000 columns": rows(&(wide("x") + "y"), |i| format!("{}{}", cells(i), i % 2))
            => Count(2000, "");
        "100,000 levels": many(120_000, |i| i % 100_000)
            => Read("a", "100000 of 120000 values are different");
        "50,000 levels, often": many(300_000, |i| (i * i) % 100_003)
            => Count(32, "all but the 30 most frequent are \"other\"");
        "three whole numbers": rows("a,b,kind", |i| format!("{},{},{}", i * i % 53, i % 11, i % 3))
            => Read("a b", "`task=classify` takes them so");
        "a target with commas":
            rows("a;b;pay", |i| format!("{};{};{},50", i * i % 53, i % 11, 900 + i))
            => Read("a b", "target \"pay\" is read as numbers with decimal commas");
        "a spreadsheet": b"PK\x03\x04\x14\0\x06\0" => Refused("save it as CSV");
    }
}
