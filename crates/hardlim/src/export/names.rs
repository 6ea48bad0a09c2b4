//! Names that are safe in every target, and can be traced back.
//!
//! An identifier has only ASCII letters, digits and underscores. It starts with a letter, is not a
//! keyword of C, Rust or Verilog, and is used once. In comments and strings, names are quoted as in
//! JSON. Everything that could end a comment or a string, or be read as markup, is written as an
//! escape.

use std::collections::HashSet;

/// The keywords of C, C++, Rust, Verilog and SystemVerilog that look like one of our identifiers,
/// and names that the harnesses need.
const WORDS: &str = "accept_on alloc always_comb always_ff always_latch assume before bind bins binsof bufif0 bufif1 \
    chandle checker clocking constraint context core cover covergroup coverpoint cross dist endchecker endclass \
    endclocking endgroup endinterface endpackage endprogram endproperty endsequence eventually expect extends \
    first_match foreach forkjoin global iff ignore_bins illegal_bins implements implies import inside interconnect \
    intersect join_any join_none let local longint matches modport nettype nexttime noshowcancelled packed priority \
    pure rand randc randcase randsequence reject_on restrict s_always s_eventually s_nexttime s_until s_until_with \
    shortint shortreal soft solve std strong sync_accept_on sync_reject_on tagged throughout timeprecision timeunit \
    unique0 until until_with untyped uwire wait_order weak wildcard within abstract alias alignas alignof always and as asm assert assign async auto automatic \
    await become begin bit bool box break buf byte case casex casez catch cell char class cmos co_await \
    co_return co_yield concept config const constexpr continue crate deassign decltype default defparam \
    delete design disable do double dyn edge else end endcase endconfig endfunction endgenerate endmodule \
    endprimitive endspecify endtable endtask enum event explicit export extern false final float fn for \
    force forever fork friend function generate genvar goto highz0 highz1 if ifnone impl in incdir include \
    initial inline inout input instance int integer interface join large let liblist library localparam \
    logic long loop macro macromodule main match medium mod module move mut mutable namespace nand negedge \
    new nmos noexcept nor not notif0 notif1 null nullptr operator or output override package parameter pmos \
    posedge primitive priv private program property protected pub public pull0 pull1 pulldown pullup \
    pulsestyle_onevent pulsestyle_ondetect rcmos real realtime ref reg register reinterpret_cast release \
    repeat requires restrict return rnmos rpmos rtran rtranif0 rtranif1 scalared self sequence short \
    showcancelled signed sizeof small specify specparam static static_assert string strong0 strong1 struct \
    super supply0 supply1 switch table task template this thread_local throw time trait tran tranif0 \
    tranif1 tri tri0 tri1 triand trior trireg true try type typedef typeid typename union unique unsafe \
    unsigned unsized use using var vectored virtual void volatile wait wand weak0 weak1 where while wire \
    with wor xnor xor yield";

/// The longest identifier made from a name.
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

/// A name in double quotes. It is printable ASCII without anything that a comment, a string, a
/// Makefile or a web page could read as more than text. Other characters are written `\u{…}`.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        let plain = c.is_ascii_alphanumeric() || " _-+.,:;=()[]%!^~|".contains(c);
        if plain {
            quoted.push(c);
        } else {
            quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        }
    }
    quoted.push('"');
    quoted
}

/// A string in C: letters and digits as they are, other bytes of its UTF-8 as octal numbers.
pub(super) fn c_string(text: &str) -> String {
    let mut string = String::from('"');
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b" _-+.,:;=()[]%!^~|".contains(&byte) {
            string.push(char::from(byte));
        } else {
            string.push_str(&format!("\\{byte:03o}"));
        }
    }
    string.push('"');
    string
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
                prop_assert!(inside.is_ascii() && !inside.contains(['"', '*', '/', '<', '\n', '`', '$', '@']));
                let back = unquoted(&quoted);
                prop_assert_eq!(back.as_ref(), Some(name));
            }
        }
    }
}
