//! Numbers in strings: which texts convert, and which of them lie in a range.

use crate::sets::{Limit, NumberRange, ValueSet};
use hcl::BinaryOp;
use tf_value::Number;

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
    forms.extend(stepped(&digits, |digit| (digit < '9').then(|| class(next(digit), '9'))));
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
    forms.extend(stepped(&digits, |digit| (digit > '0').then(|| class('0', previous(digit)))));
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

fn class(from: char, to: char) -> String {
    if from == to { from.to_string() } else { format!("[{from}-{to}]") }
}

fn next(digit: char) -> char {
    char::from_u32(digit as u32 + 1).unwrap_or(digit)
}

fn previous(digit: char) -> char {
    char::from_u32(digit as u32 - 1).unwrap_or(digit)
}
