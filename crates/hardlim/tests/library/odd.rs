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
fn column(cell: impl Fn(usize) -> String) -> String {
    rows("v;a;y", |i| format!("{};{};{}", cell(i), i * i % 53, ["no", "yes"][i % 2]))
}

fn day(i: usize) -> (usize, usize, usize) {
    (2020 + i % 4, 1 + i % 12, 1 + i * 5 % 28)
}

fn in_utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// All of them.
pub(crate) fn tables() -> Vec<Odd> {
    use Expected::{Count, Read, Refused};
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let latin = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let plain = |separator: &str| {
        rows("größe,b,y", |i| format!("{},{},{}", i % 7, i * i % 11, i % 2)).replace(',', separator)
    };
    let amounts = |words| Read("v a", words);
    let both = || Read("größe b", "");
    let mut tables: Vec<Odd> = Vec::new();
    let mut add = |name, bytes: Vec<u8>, expected| tables.push(Odd { name, bytes, expected });

    // Encodings and separators.
    add("utf-8 with a mark", format!("\u{feff}{}", plain(",")).into(), both());
    add("latin-1", latin(&plain(",")), Read("größe b", "read as Windows-1252"));
    let wide = || Read("größe b", "read as UTF-16");
    add("utf-16, low byte first", in_utf16(&plain(","), u16::to_le_bytes), wide());
    add("utf-16, high byte first", in_utf16(&plain(","), u16::to_be_bytes), wide());
    add("neither", b"a,y\n\xc3\xa9,1\n\xff,0\n".to_vec(), Refused("not UTF-8"));
    add("semicolons", plain(";").into(), both());
    add("tabs", plain("\t").into(), both());
    add("bars", plain("|").into(), both());

    // Dates.
    let spelled = |cell: &dyn Fn(usize, usize, usize) -> String| {
        column(|i| {
            let (y, m, d) = day(i);
            cell(y, m, d)
        })
    };
    let date =
        |text: String| (text.into_bytes(), Read("v.days v.weekday a", "\"v\" is read as dates"));
    let iso = date(spelled(&|y, m, d| format!("{y}-{m:02}-{d:02}")));
    add("ISO dates", iso.0, iso.1);
    let slashes = date(spelled(&|y, m, d| format!("{y}/{m:02}/{d:02}")));
    add("year/month/day", slashes.0, slashes.1);
    let points = date(spelled(&|y, m, d| format!("{d}.{m}.{y}")));
    add("day.month.year", points.0, points.1);
    let british = date(spelled(&|y, m, d| format!("{d:02}/{m:02}/{y}")));
    add("day/month/year", british.0, british.1);
    let american = date(spelled(&|y, m, d| format!("{m:02}/{d:02}/{y}")));
    add("month/day/year", american.0, american.1);
    let named = date(spelled(&|y, m, d| format!("{d} {} {y}", MONTHS[m - 1])));
    add("day month year", named.0, named.1);
    let first = date(spelled(&|y, m, d| format!("\"{} {d}, {y}\"", MONTHS[m - 1])));
    add("month day, year", first.0, first.1);
    let hours = spelled(&|y, m, d| format!("{y}-{m:02}-{d:02}T{:02}:30:00Z", d % 24));
    let parts = || Read("v.days v.weekday v.hour a", "hour of the day");
    add("dates with times", hours.into(), parts());
    let spaced = spelled(&|y, m, d| format!("{y}-{m:02}-{d:02} {:02}:30:15.250", d % 24));
    add("dates with fractions of seconds", spaced.into(), parts());
    let times = column(|i| format!("{}:{:02} {}", 1 + i % 12, i % 60, ["AM", "PM"][i % 2]));
    add("times", times.into(), Read("v.hour a", "is read as times"));
    let open = spelled(&|y, m, _| format!("01/{m:02}/{y}"));
    add(
        "first days of months",
        open.into(),
        Read("v.days v.weekday a", "the day is taken to come first"),
    );
    let clash = column(|i| if i % 2 == 0 { "13/01/2024".into() } else { "01/13/2024".into() });
    add(
        "two orders at once",
        clash.into(),
        Read("v=13/01/2024 a", "has the day first, \"01/13/2024\" the month"),
    );
    let months = spelled(&|y, m, _| format!("{y}-{m:02}"));
    add("months", months.into(), Read("v.days a", "\"v\" is read as months"));

    // Numbers.
    let commas = column(|i| format!("{},5", i * 37 % 101));
    add("decimal commas", commas.into(), amounts("with decimal commas"));
    let english = column(|i| format!("{},{:03}.5", 1 + i % 9, i * 37 % 1000));
    add("commas between thousands", english.into(), amounts("with commas between thousands"));
    let german = column(|i| format!("{}.{:03},5", 1 + i % 9, i * 37 % 1000));
    add("points between thousands", german.into(), amounts("points between thousands"));
    let some = column(|i| match i % 3 {
        0 => format!("{}.{:03}", 1 + i % 9, i * 37 % 1000),
        1 => (i * 7 % 90).to_string(),
        _ => format!("1.{:03}.000", i),
    });
    add("some points between thousands", some.into(), amounts("points between thousands"));
    let spaces = column(|i| format!("{} {:03}", 1 + i % 9, i * 37 % 1000));
    add("spaces between thousands", spaces.into(), amounts("spaces between thousands"));
    let swiss = column(|i| format!("{}'{:03}.50", 1 + i % 9, i * 37 % 1000));
    add("apostrophes between thousands", swiss.into(), amounts("apostrophes between thousands"));
    let unclear = column(|i| format!("{},{:03}", 1 + i % 9, i * 37 % 1000));
    add(
        "commas in unclear places",
        unclear.into(),
        amounts("as no other number of the table shows otherwise"),
    );
    add("per cent", column(|i| format!("{} %", i * 7 % 50)).into(), amounts("per cent signs"));
    add("dollars", column(|i| format!("${}.99", i * 7 % 50)).into(), amounts("the currency $"));
    let euros = column(|i| format!("{},99 €", i * 7 % 50));
    add("euros", euros.into(), amounts("decimal commas, the currency €"));
    let two = column(|i| if i % 2 == 0 { format!("${i}") } else { format!("€{i}") });
    add("two currencies", two.into(), Refused("amounts in $ and in €"));
    let shares = column(|i| if i == 7 { "8%".into() } else { format!("0.{}", 10 + i) });
    add("per cent among plain numbers", shares.into(), Refused("row 9, column \"v\": got \"8%\""));
    let ways = column(|i| format!("{}.84 km", 1000 + i * 37 % 401));
    add("one unit", ways.into(), amounts("with the unit km"));
    let units = column(|i| format!("{i}.5 {}", ["km", "m"][i % 2]));
    add("two units", units.into(), Read("a", "has text that starts with numbers"));
    let losses = column(|i| if i % 3 == 0 { format!("(${i}.50)") } else { format!("${i}.25") });
    add("losses in parentheses", losses.into(), amounts("\"($0.50)\" is -0.5"));

    // Labels and mixtures.
    let booleans = column(|i| ["true", "false"][i % 2 * (i % 3) % 2].to_owned());
    add("booleans", booleans.into(), Read("v=true a", ""));
    let cases = column(|i| ["True", "true", "FALSE", "False"][i * i % 4 + i % 3 % 2].to_owned());
    add("booleans in any case", cases.into(), Read("v=true a", "by case only are one"));
    let words = column(|i| if i == 40 { "unknown".into() } else { (i * 7 % 31).to_string() });
    add(
        "a word among numbers",
        words.into(),
        Refused("row 42, column \"v\": expected a number, got \"unknown\""),
    );
    let numbers = column(|i| if i == 40 { "7".into() } else { format!("c{}", i % 4) });
    add(
        "a number among words",
        numbers.into(),
        Refused("the other cells are text, got the number 7"),
    );
    let gaps = column(|i| if i % 9 == 0 { "NA".into() } else { (i * 7 % 31).to_string() });
    add(
        "missing numbers",
        gaps.into(),
        Read("v v.missing a", "7 missing values: they get the mean"),
    );
    let holes = column(|i| if i % 9 == 0 { String::new() } else { format!("c{}", i % 3) });
    add("missing labels", holes.into(), Read("v=c0 v=c1 v=c2 v.missing a", "a level of their own"));
    add("a column of nothing", column(|_| "?".into()).into(), Read("a", "it has no values"));

    // Columns that teach nothing.
    let ids = column(|i| (1000 + i).to_string());
    add(
        "numbers in a row",
        ids.into(),
        Read("a", "\"v\" is left out: it looks like an identifier"),
    );
    let shuffled = column(|i| (1 + i * 7 % 60).to_string());
    add("numbers in a row, shuffled", shuffled.clone().into(), Read("v a", ""));
    add(
        "numbers in a row, shuffled, by the name of identifiers",
        shuffled.replacen("v;", "member_id;", 1).into(),
        Read("a", "\"member_id\" is left out: it looks like an identifier"),
    );
    let numbers = column(|i| (100_000 + i * 7919 % 900_001).to_string());
    add(
        "numbers of customers",
        numbers.replacen("v;", "customer_id;", 1).into(),
        Read("a", "\"customer_id\" is left out: it looks like an identifier"),
    );
    let years = column(|i| (1900 + i).to_string()).replacen("v;", "year;", 1);
    add("years in a row", years.into(), Read("year a", ""));
    let keys = column(|i| format!("{:08x}", (i * 2_654_435_761) % 4_294_967_296));
    add("keys", keys.into(), Read("a", "it looks like an identifier"));
    add("a constant", column(|_| "EU".into()).into(), Read("a", "it is always \"EU\""));
    let copy = rows("a,b,y", |i| format!("{0},{0},{1}", i * i % 53, i % 2));
    add("a copy", copy.into(), Read("a", "it is a copy of \"a\""));
    let leak = rows("a,b,y", |i| format!("{0},{1},{1}", i * i % 53, i % 2));
    add("a copy of the target", leak.into(), Read("a", "it is a copy of the target"));
    let pay = column(|i| (1200 + i * i * 37 % 4801).to_string());
    add("pay, nearly all different", pay.into(), Read("v a", ""));

    // Headers, widths, levels, targets.
    add("a name twice", "a,a,y\n1,2,0\n3,4,1\n".into(), Refused("two columns have this name"));
    add("a short row", "a,b,y\n1,2,0\n3,1\n".into(), Refused("row 3: expected 3 cells, found 2"));
    let header: String = (0..2000).map(|j| format!("x{j},")).collect();
    let cells = |i: usize| {
        (0..2000).map(|j| format!("{},", (i * i + 3 * i * j + 7 * j) % 9973)).collect::<String>()
    };
    add(
        "2000 columns",
        rows(&format!("{header}y"), |i| format!("{}{}", cells(i), i % 2)).into(),
        Count(2000, ""),
    );
    let many: String =
        (0..120_000).map(|i| format!("k{},{},{}\n", i % 100_000, i % 7, i % 2)).collect();
    add(
        "100,000 levels",
        format!("k,a,y\n{many}").into(),
        Read("a", "100000 of 120000 values are different"),
    );
    let large: String =
        (0..300_000u64).map(|i| format!("k{},{},{}\n", (i * i) % 100_003, i % 7, i % 2)).collect();
    add(
        "50,000 levels, often",
        format!("k,a,y\n{large}").into(),
        Count(32, "all but the 30 most frequent are \"other\""),
    );
    let classes = rows("a,b,kind", |i| format!("{},{},{}", i * i % 53, i % 11, i % 3));
    add("three whole numbers", classes.into(), Read("a b", "`task=classify` takes them so"));
    let wages = rows("a;b;pay", |i| format!("{};{};{},50", i * i % 53, i % 11, 900 + i));
    add(
        "a target with commas",
        wages.into(),
        Read("a b", "target \"pay\" is read as numbers with decimal commas"),
    );
    add("a spreadsheet", b"PK\x03\x04\x14\0\x06\0".to_vec(), Refused("save it as CSV"));
    tables
}
