//! Names that are safe in every target, and can be traced back.
//!
//! An identifier has only ASCII letters, digits and underscores. It starts with a letter, is not a
//! keyword of C, Rust or Verilog, and is used once. In comments and strings, names are quoted as in
//! JSON. Everything that could end a comment or a string, or be read as markup, is written as an
//! escape.

use std::collections::HashSet;

use super::Circuit;

/// The keywords of C, C++, Rust, Verilog and SystemVerilog that look like one of our identifiers,
/// and names that the harnesses need.
const WORDS: &str = include_str!("words.txt");

const LONGEST: usize = 48;

/// An identifier for any text: in lower case, and never empty.
pub fn identifier(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
        if name.len() >= LONGEST {
            break;
        }
    }
    let name = name.trim_end_matches('_').to_owned();
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let name = if starts { name } else { format!("n{name}") };
    if WORDS.split_whitespace().any(|word| word == name) { name + "_x" } else { name }
}

/// One identifier for each name, in the same order; all are different.
pub(super) fn identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut used = HashSet::new();
    (names.into_iter()).map(|name| unique(identifier(name), &mut used)).collect()
}

pub(super) fn of_inputs(circuit: &Circuit) -> Vec<String> {
    identifiers(circuit.inputs.iter().map(|input| input.name.as_str()))
}

/// The name, with a number at its end if it is taken.
pub(super) fn unique(name: String, used: &mut HashSet<String>) -> String {
    let mut unique = name.clone();
    let mut count = 1;
    while !used.insert(unique.clone()) {
        count += 1;
        unique = format!("{}_{count}", name.trim_end_matches('_'));
    }
    unique
}

/// What a comment, a string, a Makefile and a web page take for text.
const PLAIN: &str = " _-+.,:;=()[]%!^~|";

/// A name in double quotes: printable ASCII, and `\u{…}` for every character that is not plain.
pub(super) fn quoted(text: &str) -> String {
    let character = |c: char| {
        if c.is_ascii_alphanumeric() || PLAIN.contains(c) {
            c.to_string()
        } else {
            format!("\\u{{{:x}}}", u32::from(c))
        }
    };
    format!("\"{}\"", text.chars().map(character).collect::<String>())
}

/// A string in C: letters and digits as they are, other bytes of its UTF-8 as octal numbers.
pub(super) fn c_string(text: &str) -> String {
    let byte = |byte: u8| {
        if byte.is_ascii_alphanumeric() || PLAIN.as_bytes().contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("\\{byte:03o}")
        }
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text of a quoted name.
    fn unquoted(quoted: &str) -> Option<String> {
        let mut rest = quoted.strip_prefix('"')?.strip_suffix('"')?;
        let mut text = String::new();
        while let Some(at) = rest.find("\\u{") {
            text.push_str(&rest[..at]);
            let end = at + rest[at..].find('}')?;
            text.push(char::from_u32(u32::from_str_radix(&rest[at + 3..end], 16).ok()?)?);
            rest = &rest[end + 1..];
        }
        Some(text + rest)
    }

    #[test]
    fn names_become_identifiers() {
        let found =
            ["Age", "sex=male", "\"; rm -rf /", "int", "9 lives", "", "größe", "a b", "a-b"];
        let expected =
            ["age", "sex_male", "rm_rf", "int_x", "n9_lives", "n", "gr_e", "a_b", "a_b_2"];
        assert_eq!(identifiers(found), expected);
    }

    #[test]
    fn quoted_names_are_harmless() {
        assert_eq!(quoted("sex=male"), "\"sex=male\"");
        assert_eq!(quoted("*/ </script>"), r#""\u{2a}\u{2f} \u{3c}\u{2f}script\u{3e}""#);
    }

    #[test]
    fn strings_of_c_have_octal_escapes() {
        assert_eq!(c_string("yes 1"), "\"yes 1\"");
        assert_eq!(c_string("\"*/\\9ü"), r#""\042\052\057\1349\303\274""#);
    }

    proptest! {
        #[test]
        fn any_name_is_safe_and_comes_back(names in prop::collection::vec(".{0,60}", 1..6)) {
            let found = identifiers(names.iter().map(String::as_str));
            for (k, name) in found.iter().enumerate() {
                prop_assert!(name.starts_with(|c: char| c.is_ascii_lowercase()));
                prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
                prop_assert!(!found[..k].contains(name));
                prop_assert!(!WORDS.split_whitespace().any(|word| word == name));
            }
            for name in &names {
                let quoted = quoted(name);
                let inside = &quoted[1..quoted.len() - 1];
                let markup = ['"', '*', '/', '<', '\n', '`', '$', '@'];
                prop_assert!(inside.is_ascii() && !inside.contains(markup));
                prop_assert_eq!(unquoted(&quoted), Some(name.clone()));
            }
        }
    }
}
