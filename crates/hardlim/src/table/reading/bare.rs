//! A number without the signs around it: minus, parentheses, per cent, currency and unit.

/// The signs of currencies, before or after the number. A longer one comes before its part.
const CURRENCIES: [&str; 24] = [
    "US$", "R$", "A$", "C$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "zł", "Kč", "CHF", "USD",
    "EUR", "GBP", "JPY", "SEK", "NOK", "DKK", "kr",
];

/// A number without its signs.
pub(super) struct Bare<'a> {
    pub(super) negative: bool,
    pub(super) digits: &'a str,
    pub(super) percent: bool,
    pub(super) currency: Option<&'static str>,
    pub(super) unit: Option<&'a str>,
}

impl<'a> Bare<'a> {
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let mut bare =
            Self { negative: false, digits: text, percent: false, currency: None, unit: None };
        loop {
            let text = bare.digits.trim();
            bare.digits = text;
            if let Some(rest) = text.strip_prefix(['-', '−', '+']) {
                if bare.negative {
                    return None;
                }
                bare.negative = !text.starts_with('+');
                bare.digits = rest;
            } else if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
                if bare.negative {
                    return None;
                }
                (bare.digits, bare.negative) = (inner, true);
            } else if let Some(rest) = text.strip_suffix('%').filter(|_| !bare.percent) {
                (bare.digits, bare.percent) = (rest, true);
            } else if let Some((sign, rest)) = currency(text) {
                if bare.currency.is_some() {
                    return None;
                }
                (bare.digits, bare.currency) = (rest, Some(sign));
            } else if let Some((rest, unit)) = unit(text).filter(|_| bare.unit.is_none()) {
                (bare.digits, bare.unit) = (rest, Some(unit));
            } else {
                break;
            }
        }
        let marks = [bare.percent, bare.currency.is_some(), bare.unit.is_some()];
        let digit = bare.digits.ends_with(|c: char| c.is_ascii_digit());
        (digit && marks.into_iter().filter(|mark| *mark).count() <= 1).then_some(bare)
    }
}

/// A number, and the letters that follow it: `5 km`, `7°C`, `90 km/h`.
fn unit(text: &str) -> Option<(&str, &str)> {
    /// The most bytes of a unit.
    const LONGEST: usize = 12;
    let letter = |c: char| c.is_alphabetic() || "°²³/".contains(c);
    let number = text.trim_end_matches(letter);
    let unit = &text[number.len()..];
    let number = number.trim_end();
    let fits = (1..=LONGEST).contains(&unit.len()) && !unit.starts_with(['/', '²', '³']);
    (fits && number.ends_with(|c: char| c.is_ascii_digit())).then_some((number, unit))
}

/// Whether a text is a number that is followed by something else, or a duration such as `40:12`.
pub(crate) fn starts_with_number(text: &str) -> bool {
    let number = text.trim_start_matches(['-', '−', '+', '(', '$', '€', '£']);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',');
    let duration =
        number.contains(':') && !rest.contains(|c: char| !c.is_ascii_digit() && c != ':');
    let followed = !rest.is_empty() && !rest.contains(|c: char| c.is_ascii_digit());
    number.starts_with(|c: char| c.is_ascii_digit()) && (duration || followed)
}

fn currency(text: &str) -> Option<(&'static str, &str)> {
    CURRENCIES.iter().find_map(|sign| {
        let rest = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign))?;
        Some((*sign, rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_starts_with_numbers_is_told_from_codes() {
        for (text, expected) in [
            ("40:12", true),
            ("1:02:03", true),
            ("32k", true),
            ("(5 h)", true),
            ("12", false),
            ("12-345", false),
            ("3a5f", false),
            ("10.0.0.1", false),
            ("A1", false),
        ] {
            assert_eq!(starts_with_number(text), expected, "{text}");
        }
    }
}
