//! What the name of a column says about its numbers.

/// Words that only identifiers have.
const IDENTIFIERS: &str = "id uid uuid guid identifier key nr";
/// Words of identifiers that also have other meanings.
const COUNTERS: &str = "index idx no row rownames";
/// What people measure, and sort rows by.
const MEASURES: &str = "age alter amount date datum day decade depth distance dose duration frequency \
                        height hour jahr length level minute monat month period price quarter rank \
                        score second size speed step stunde tag temperature time week weight width \
                        woche year";

/// Whether a word of a name is one that only identifiers have: `customer_id`, `PassengerId`, `Nr.`.
pub(super) fn says_identifier(name: &str) -> bool {
    has_word(name, IDENTIFIERS)
}

/// Whether a word of a name is one of identifiers, for numbers that fill their range.
pub(super) fn says_counter(name: &str) -> bool {
    has_word(name, COUNTERS)
}

/// Whether a word of a name, or the plural of one, is what people measure: `year`, `age_in_days`.
pub(super) fn says_measure(name: &str) -> bool {
    has_word(name, MEASURES)
}

fn has_word(name: &str, words: &str) -> bool {
    let mut spaced = String::new();
    let mut lower = false;
    for c in name.chars() {
        if lower && c.is_uppercase() {
            spaced.push(' ');
        }
        lower = c.is_lowercase();
        spaced.extend(c.to_lowercase());
    }
    let one =
        |word: &str| words.split(' ').any(|one| one == word || Some(one) == word.strip_suffix('s'));
    spaced.split(|c: char| !c.is_alphanumeric()).any(one)
}
