//! The texts that Terraform reads as numbers, addresses and timestamps, as regular expressions.
//!
//! Input is a question about a text: which part it contains, how large a number it spells, how many bits an
//! address leaves. Output is a pattern in ECMAScript's syntax, or a set of strings made of some.
//! Terms, places and expressions are not known here.

use std::{collections::HashSet, ops::RangeInclusive, sync::LazyLock};

use hcl::BinaryOp;
use re2::{Backtracking, backtracking, ecma};
use tf_eval::Meter;
use tf_value::Number;

use crate::{
    condition::releases::Releases,
    sets::{Limit, NumberRange, Reason, ValueSet},
};

/// The name and the title of a pattern of ours that people would not recognise.
pub fn named(pattern: &str) -> Option<(String, String)> {
    let named = |name: &str, title: &str| Some((name.to_owned(), title.to_owned()));
    if pattern == TIMESTAMP {
        return named("timestamp", "A timestamp (RFC 3339)");
    }
    if pattern == NUMERIC {
        return named("number-as-text", "The text of a number");
    }
    if pattern == masked_prefix() {
        return named("ipv4-prefix", "An IPv4 prefix (CIDR)");
    }
    match (0..=MOST_BITS).find(|it| pattern == prefix(*it))? {
        0 => named("prefix", "An IPv4 or IPv6 prefix (CIDR)"),
        1 => named("prefix-of-1-bit", "An IPv4 or IPv6 prefix (CIDR) with room for 1 bit"),
        bits => Some((
            format!("prefix-of-{bits}-bits"),
            format!("An IPv4 or IPv6 prefix (CIDR) with room for {bits} bits"),
        )),
    }
}

// `can(cidrhost(var.x, 0))` and its siblings: which strings are prefixes of addresses.

const OCTET: &str = "0*(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/// One way to read each text: after `0*`, a further zero only where no other digit follows. With
/// `0*[0-9a-fA-F]{1,4}` an engine that backtracks has four ways to read `0000`, so 65,536 for eight groups.
const GROUP: &str = "0*(?:[1-9a-fA-F][0-9a-fA-F]{0,3}|0)";

/// A number of more bits fits into no IPv4 address.
const MOST_BITS: u64 = 32;

/// A prefix that has a netmask, as Terraform reads it: zeros may lead, host bits may be set. For example:
/// `10.0.0.0/8`, and `::ffff:10.0.0.0/104`, which says the same in IPv6.
pub fn masked_prefix() -> String {
    let mapped = mapped();
    let long = "9[6-9]|1[01][0-9]|12[0-8]";
    format!("^(?:{}/0*(?:3[0-2]|[12]?[0-9])|(?:{mapped})/0*(?:{long}))$", ipv4())
}

/// An address that has a netmask with a prefix of this length; empty where there is none.
pub fn masked(length: u64) -> String {
    match length {
        0..=32 => format!("^(?:{})$", ipv4()),
        96..=128 => format!("^(?:{})$", mapped()),
        _ => String::new(),
    }
}

/// All patterns that this file makes.
static ALL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let alone = [[32, 0], [128, 0], [32, 128]].map(|it| alone(&it, 0, 0));
    (0..=MOST_BITS).map(prefix).chain(alone).chain([masked_prefix(), masked(128)]).collect()
});

/// Whether this file made a pattern, so that every engine can read it in one way only.
pub fn is_of_addresses(pattern: &str) -> bool {
    pattern.starts_with("^(?:") && pattern.contains(OCTET) && ALL.contains(pattern)
}

static IPV6: LazyLock<String> = LazyLock::new(ipv6);

/// The pattern of an IPv4 or IPv6 prefix that leaves room for so many bits.
pub fn prefix(bits: u64) -> String {
    let length = |most: u64| match most {
        32 => "3[0-2]|[12]?[0-9]".to_owned(),
        128 => "12[0-8]|1[01][0-9]|[1-9]?[0-9]".to_owned(),
        most => up_to(most),
    };
    let forms = [(32, ipv4()), (128, format!("(?:{})", *IPV6))];
    let forms = forms.iter().filter_map(|(most, form)| {
        Some(format!("{form}/0*(?:{})", length(u64::checked_sub(*most, bits)?)))
    });
    format!("^(?:{})$", forms.collect::<Vec<_>>().join("|"))
}

/// An address without a length, for which this one leaves room for so many bits in one of the two
/// kinds of addresses; empty where there is none.
pub fn alone(kinds: &[u64], length: u64, bits: u64) -> String {
    let forms = [(32, ipv4()), (128, format!("(?:{})", *IPV6))];
    let fits =
        |most: u64| kinds.contains(&most) && length.checked_add(bits).is_some_and(|it| it <= most);
    let forms: Vec<String> = forms.into_iter().filter(|it| fits(it.0)).map(|it| it.1).collect();
    match forms.as_slice() {
        [] => String::new(),
        some => format!("^(?:{})$", some.join("|")),
    }
}

/// The number of bits of a number.
pub fn bits(number: i64) -> u64 {
    u64::from(i64::BITS - number.leading_zeros())
}

fn ipv4() -> String {
    format!("(?:{OCTET}\\.){{3}}{OCTET}")
}

fn ipv6() -> String {
    let ipv4 = ipv4();
    let mut forms = vec![format!("(?:{GROUP}:){{7}}{GROUP}"), format!("(?:{GROUP}:){{6}}{ipv4}")];
    // `::` replaces at least one group: with N groups before it, at most 7 - N follow. An IPv4 tail
    // counts as two groups.
    for before in 0..=7usize {
        let head = match before {
            0 => ":".to_owned(),
            n => format!("{GROUP}{}:", times(&format!(":{GROUP}"), n - 1..=n - 1)),
        };
        let after = 7 - before;
        if after == 0 {
            forms.push(format!("{head}:"));
            continue;
        }
        let mut tails = vec![format!("{GROUP}{}", times(&format!(":{GROUP}"), 0..=after - 1))];
        if after >= 2 {
            tails.push(format!("{}{ipv4}", times(&format!("{GROUP}:"), 0..=after - 2)));
        }
        forms.push(format!("{head}:(?:{})?", tails.join("|")));
    }
    forms.join("|")
}

/// An IPv4 address in IPv6: five groups of zeros, `ffff`, and the address in two groups or with dots.
fn mapped() -> String {
    let ipv4 = ipv4();
    let (zero, marker) = ("0+", "0*[fF]{4}");
    let address = format!(":(?:{GROUP}:{GROUP}|{ipv4})");
    // `::` replaces groups of the address, nothing, or some of the zeros (then at least one).
    let short = format!(":(?::(?:{GROUP})?|{GROUP}::)");
    let mut forms = vec![format!("(?:{zero}:){{5}}{marker}(?:{address}|{short})")];
    for before in 0..=4usize {
        let head = match before {
            0 => ":".to_owned(),
            n => format!("{zero}{}:", times(&format!(":{zero}"), n - 1..=n - 1)),
        };
        let zeros = times(&format!("{zero}:"), 0..=4 - before);
        forms.push(format!("{head}:{zeros}{marker}{address}"));
    }
    forms.join("|")
}

/// The pattern of a part that is repeated.
fn times(part: &str, count: RangeInclusive<usize>) -> String {
    match (*count.start(), *count.end()) {
        (_, 0) => String::new(),
        (1, 1) => part.to_owned(),
        (0, 1) => format!("(?:{part})?"),
        (least, most) if least == most => format!("(?:{part}){{{most}}}"),
        (least, most) => format!("(?:{part}){{{least},{most}}}"),
    }
}

/// No engine backtracks in these patterns, so users get no notes about patterns that we wrote.
#[test]
fn are_read_in_one_way() {
    use re2::{Backtracking, backtracking};

    assert_eq!(ALL.len(), 38);
    for pattern in ALL.iter().cloned().chain([alone(&[32, 128], 24, 3), prefix(100)]) {
        assert_eq!(backtracking(&pattern, &mut 0), Backtracking::Linear, "{pattern}");
    }
}

// Numbers in strings: which texts convert, and which of them lie in a range.

/// The spellings that convert to a number.
pub const NUMERIC: &str =
    concat!(r"^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", "(?:[eEpP][+-]?[0-9]+)?|[Ii]nf)$",);

/// The spellings that `parseint` reads in base ten.
pub const INTEGER: &str = "^[+-]?[0-9]+$";

/// Matches every spelling with an exponent, and of infinity.
const OTHERS: &str = "[eEpPfF]";

/// The spellings of the numbers in a constraint, and those with an exponent or of infinity.
pub fn spelled(constraint: &ValueSet) -> Option<ValueSet> {
    let numeric = ValueSet::Matches(NUMERIC.to_owned());
    let values = match constraint {
        ValueSet::Range(it) => {
            let parts = bounds(it).into_iter().filter_map(|(op, limit)| range(op, limit.to_u64()?));
            ValueSet::all(parts.map(ValueSet::Matches))
        }
        ValueSet::OneOf(values) => {
            let numbers = values.iter().map(|it| it.as_number()?.to_u64());
            let body = |it: Option<u64>| Some(it?.to_string());
            let bodies = numbers.map(body).collect::<Option<Vec<_>>>()?.join("|");
            let sign = if bodies.split('|').any(|it| it == "0") { "[+-]?" } else { r"\+?" };
            ValueSet::Matches(format!(r"^{sign}0*(?:{bodies})(?:\.0*)?$|^[+-]?\.0+$|{OTHERS}"))
        }
        ValueSet::MultipleOf(_) => ValueSet::Matches(format!(r"^[+-]?[0-9]*(?:\.0*)?$|{OTHERS}")),
        _ => return None,
    };
    Some(ValueSet::all([numeric, values]))
}

/// The spellings of the integers in a constraint, as `parseint` reads them in base ten.
pub fn integers(constraint: &ValueSet) -> Option<ValueSet> {
    match constraint {
        ValueSet::Range(it) => {
            let bound = |(op, limit): (BinaryOp, &Number)| integers_from(op, limit.to_u64()?);
            let bounds: Option<Vec<_>> = bounds(it).into_iter().map(bound).collect();
            Some(ValueSet::all(bounds?.into_iter().map(ValueSet::Matches)))
        }
        ValueSet::OneOf(values) => {
            let numbers: Option<Vec<_>> =
                values.iter().map(|it| it.as_number()?.to_u64()).collect();
            let texts: Vec<_> = numbers?.iter().map(u64::to_string).collect();
            let sign = if texts.iter().any(|it| it == "0") { r"-0+|" } else { "" };
            Some(ValueSet::Matches(format!(r"^(?:{sign}\+?0*(?:{}))$", texts.join("|"))))
        }
        ValueSet::MultipleOf(1) => Some(ValueSet::Matches(INTEGER.to_owned())),
        _ => None,
    }
}

fn bounds(range: &NumberRange) -> Vec<(BinaryOp, &Number)> {
    let op = |limit: &Limit, strict, inclusive| if limit.inclusive { inclusive } else { strict };
    let lower = range.lower.as_ref();
    let lower = lower.map(|it| (op(it, BinaryOp::Greater, BinaryOp::GreaterOrEqual), &it.value));
    let upper = range.upper.as_ref();
    let upper = upper.map(|it| (op(it, BinaryOp::Less, BinaryOp::LessOrEqual), &it.value));
    lower.into_iter().chain(upper).collect()
}

fn integers_from(op: BinaryOp, limit: u64) -> Option<String> {
    Some(match op {
        BinaryOp::GreaterOrEqual if limit == 0 => r"^(?:\+?[0-9]+|-0+)$".to_owned(),
        BinaryOp::GreaterOrEqual => format!(r"^\+?0*(?:{})$", from(limit)),
        BinaryOp::Greater => return integers_from(BinaryOp::GreaterOrEqual, limit.checked_add(1)?),
        BinaryOp::LessOrEqual => format!(r"^(?:\+?0*(?:{})|-[0-9]+)$", up_to(limit)),
        BinaryOp::Less if limit == 0 => r"^-0*[1-9][0-9]*$".to_owned(),
        BinaryOp::Less => return integers_from(BinaryOp::LessOrEqual, limit - 1),
        _ => return None,
    })
}

/// A pattern of the numbers in a range, for texts that convert to a number.
fn range(op: BinaryOp, limit: u64) -> Option<String> {
    let rest = r"(?:\.[0-9]*)?";
    let above = || format!("(?:{}){rest}", from(limit.saturating_add(1)));
    let below = || match limit {
        0 => None,
        _ => Some(format!("(?:{})?{rest}", up_to(limit - 1))),
    };
    let body = match op {
        BinaryOp::GreaterOrEqual if limit == 0 => {
            return Some("^[^-]|^-[0.]*$|[eEpPfF]".to_owned());
        }
        BinaryOp::GreaterOrEqual => format!("(?:{}){rest}", from(limit)),
        BinaryOp::Greater => {
            let digits = if limit == 0 { String::new() } else { limit.to_string() };
            format!(r"{}|{digits}\.0*[1-9][0-9]*", above())
        }
        BinaryOp::LessOrEqual => {
            let exact = format!(r"{limit}(?:\.0*)?");
            below().map_or_else(|| r"(?:\.0*)?".to_owned(), |it| format!("{it}|{exact}"))
        }
        BinaryOp::Less => below()?,
        _ => return None,
    };
    let negative = if matches!(op, BinaryOp::LessOrEqual | BinaryOp::Less) { "^-|" } else { "" };
    Some(format!(r"{negative}^\+?0*(?:{body})$|[eEpPfF]"))
}

/// Whole numbers of at least `least`.
fn from(least: u64) -> String {
    let digits = least.to_string();
    let mut forms = vec![format!("[1-9][0-9]{{{},}}", digits.len())];
    forms.extend(stepped(&digits, |digit| (digit < '9').then(|| digits_class(next(digit), '9'))));
    forms.push(digits);
    forms.join("|")
}

/// Whole numbers of at most `most`, without leading zeros.
pub fn up_to(most: u64) -> String {
    let digits = most.to_string();
    let mut forms = Vec::new();
    match digits.len() - 1 {
        0 => (),
        1 => forms.push("[0-9]".to_owned()),
        shorter => forms.push(format!("[0-9]{{1,{shorter}}}")),
    }
    forms.extend(stepped(&digits, |digit| {
        (digit > '0').then(|| digits_class('0', previous(digit)))
    }));
    forms.push(digits);
    forms.join("|")
}

/// For each digit, the numbers that agree with `digits` before it and differ there.
fn stepped(digits: &str, differ: impl Fn(char) -> Option<String>) -> Vec<String> {
    let step = |(at, digit): (usize, char)| {
        let rest = match digits.len() - at - 1 {
            0 => String::new(),
            1 => "[0-9]".to_owned(),
            n => format!("[0-9]{{{n}}}"),
        };
        Some(format!("{}{}{rest}", &digits[..at], differ(digit)?))
    };
    digits.char_indices().filter_map(step).collect()
}

fn digits_class(from: char, to: char) -> String {
    if from == to { from.to_string() } else { format!("[{from}-{to}]") }
}

fn next(digit: char) -> char {
    char::from_u32(digit as u32 + 1).unwrap_or(digit)
}

fn previous(digit: char) -> char {
    char::from_u32(digit as u32 - 1).unwrap_or(digit)
}

// Patterns of strings: timestamps, JSON, texts with a given prefix, suffix or part.

/// Unicode's white space, which `trimspace` removes.
pub const SPACE: &str =
    "[\\t-\\r \\x85\\xa0\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]";

/// The timestamps that `timeadd` and `formatdate` read: RFC 3339, with days that there are.
pub const TIMESTAMP: &str = concat!(
    "^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)",
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?",
    "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
);

/// Every text that `base64decode` reads matches this; what it decodes to need not be UTF-8.
pub const BASE64: &str = r"^[A-Za-z0-9+/\r\n]*(?:=[\r\n]*){0,2}$";

/// Every text that `jsondecode` reads matches this: it begins and ends as a JSON value does. After a `]` or a
/// `}` Go's reader takes the value for complete and ignores the rest.
pub const JSON: &str = concat!(
    r"^[\t\n\r ]*(?:\{[\s\S]*\}|\[[\s\S]*\]|",
    "\"[\\s\\S]*\"",
    r"|-?[0-9][0-9.eE+-]*|true|false|null)[\t\n\r ]*(?:$|[\]}])",
);

/// The strings in which the pattern is found, the same in every release; `Err` says why it cannot be translated.
pub fn pattern(pattern: &str, releases: &Releases) -> Result<ValueSet, Reason> {
    match ecma::translate_for(pattern, &releases.dialects()) {
        Ok(translation) => Ok(ValueSet::Matches(translation.pattern)),
        Err(why) => Err(Reason::Pattern(why)),
    }
}

/// `startswith`, `endswith` and `strcontains`.
pub fn part(function: &str, text: &str) -> ValueSet {
    let body = escape(text);
    match function {
        _ if text.is_empty() => ValueSet::Anything,
        "startswith" => ValueSet::Matches(format!("^{body}")),
        "endswith" => ValueSet::Matches(format!("{body}$")),
        _ => ValueSet::Matches(body),
    }
}

/// The text as a pattern.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\^$.*+?()[]{}|/".contains(c) && c != '/' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A class of these characters.
pub fn class(characters: &str) -> String {
    let escaped = characters.chars().map(|it| match it {
        '\\' | ']' | '[' | '^' | '-' => format!("\\{it}"),
        it => it.to_string(),
    });
    format!("[{}]", escaped.collect::<String>())
}

/// A class of all other characters.
pub fn not_in_class(c: char) -> String {
    if matches!(c, '\\' | ']' | '^' | '-') { format!("[^\\{c}]") } else { format!("[^{c}]") }
}

/// `length(split(separator, subject)) == count`: how often a separator of one character occurs in
/// the string, plus one.
pub fn split_into(separator: &str, count: u64) -> Option<ValueSet> {
    let mut chars = separator.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    let Some(separators) = count.checked_sub(1) else { return Some(ValueSet::Nothing) };
    let other = not_in_class(c) + "*";
    let body = match separators {
        0 => other,
        1 => format!("{other}{}{other}", escape(separator)),
        n => format!("{other}(?:{}{other}){{{n}}}", escape(separator)),
    };
    Some(ValueSet::Matches(format!("^{body}$")))
}

/// Rewrites the patterns of a set so that an engine that backtracks reads them in linear time. A pattern that
/// cannot be rewritten is added to `slow`, once. A pattern that `is_known` to be read so is not examined.
pub fn linear(
    constraint: &mut ValueSet,
    slow: &mut Vec<String>,
    is_known: fn(&str) -> bool,
    meter: &Meter,
) {
    if let ValueSet::Matches(pattern) | ValueSet::ValuesMatching(pattern, _) = constraint
        && !is_known(pattern)
    {
        replace(pattern, slow, meter);
    }
    constraint.children_mut().iter_mut().for_each(|it| linear(it, slow, is_known, meter));
}

fn replace(pattern: &mut String, slow: &mut Vec<String>, meter: &Meter) {
    let mut work = 0;
    let verdict = backtracking(pattern, &mut work);
    // The caller asks the meter whether the work became too much.
    let _ = meter.spend(work);
    match verdict {
        Backtracking::Linear => (),
        Backtracking::Rewritten(other) => *pattern = other,
        Backtracking::Unbounded if slow.contains(pattern) => (),
        Backtracking::Unbounded => slow.push(pattern.clone()),
    }
}
