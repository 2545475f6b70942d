//! Numbers as Go's `big.Int` and `big.Float` format them.

use num_bigint::{BigInt, Sign};

use super::verb::Verb;
use tf_value::{Number, NumberStyle};

/// `%b`, `%d`, `%o`, `%x`, `%X`: the precision is the least number of digits.
pub fn integer(verb: &Verb<'_>, value: &BigInt) -> String {
    let (radix, prefix) = match verb.mode {
        'b' => (2, "0b"),
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        _ => (10, ""),
    };
    let mut digits = value.magnitude().to_str_radix(radix);
    if verb.mode == 'X' {
        digits.make_ascii_uppercase();
    }
    if digits == "0" && verb.precision == Some(0) {
        return String::new();
    }
    let prefix = if verb.sharp { prefix } else { "" };
    let sign = sign(verb, value.sign() == Sign::Minus);
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let length = sign.len() + prefix.len() + zeros + digits.len();
    let mut missing = verb.width.unwrap_or(0).saturating_sub(length);
    if verb.zero && !verb.minus && verb.precision.is_none() {
        zeros = std::mem::take(&mut missing);
    }
    let zeros = "0".repeat(zeros);
    aligned(verb, &format!("{sign}{prefix}{zeros}{digits}"), missing)
}

/// `%e`, `%E`, `%f`, `%g`, `%G`.
pub fn float(verb: &Verb<'_>, value: &Number) -> String {
    let (style, default) = match verb.mode {
        'e' | 'E' => (NumberStyle::Exponent, Some(6)),
        'f' => (NumberStyle::Plain, Some(6)),
        _ => (NumberStyle::General, None),
    };
    let mut text = value.to_text(style, verb.precision.or(default));
    if verb.mode.is_ascii_uppercase() && !value.is_infinite() {
        text.make_ascii_uppercase();
    }
    let positive_infinity = text.strip_prefix('+').map(str::to_owned);
    let sign = match &positive_infinity {
        Some(_) if verb.space => " ",
        Some(_) => "+",
        None => sign(verb, text.starts_with('-')),
    };
    let digits = positive_infinity.as_deref().unwrap_or(text.trim_start_matches('-'));
    let missing = verb.width.unwrap_or(0).saturating_sub(sign.len() + digits.len());
    // Unlike for integers the zeros win over `-`.
    if verb.zero && !value.is_infinite() {
        return format!("{sign}{}{digits}", "0".repeat(missing));
    }
    aligned(verb, &format!("{sign}{digits}"), missing)
}

fn sign(verb: &Verb<'_>, negative: bool) -> &'static str {
    match (negative, verb.plus, verb.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    }
}

fn aligned(verb: &Verb<'_>, text: &str, missing: usize) -> String {
    let padding = " ".repeat(missing);
    if verb.minus { format!("{text}{padding}") } else { format!("{padding}{text}") }
}
