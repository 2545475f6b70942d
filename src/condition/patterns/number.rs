//! Numbers in strings: which texts convert, and which of them lie in a range.

use crate::{
    condition::{Constraint, Leaf, Region},
    diagnostic::Span,
    syntax::BinaryOp,
    value::Number,
};

/// The spellings that convert to a number.
pub const NUMERIC: &str = r"^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEpP][+-]?[0-9]+)?|[Ii]nf)$";

/// The spellings that `parseint` reads in base ten.
pub const INTEGER: &str = "^[+-]?[0-9]+$";

const SPELLING: &str = "a number that a string spells with an exponent";
const BOUND: &str = "a bound of a string's number that is negative or no whole number";

/// `subject OP limit` for a string, which is converted to a number first. Spellings with an
/// exponent, and of infinity, are let through.
pub fn compared(op: BinaryOp, limit: &Number, span: Span) -> Leaf {
    let numeric = Constraint::Matches(NUMERIC.to_owned());
    let region = |op| {
        let range = limit.to_u64().and_then(|limit| range(op, limit));
        let reason = if range.is_some() { SPELLING } else { BOUND };
        let range = range.map_or(Constraint::Anything, Constraint::Matches);
        Region::new(false, Constraint::all([numeric.clone(), range])).losing(reason, span)
    };
    let error = Region::new(true, numeric.clone().negated());
    Leaf { error, ..Leaf::of_values(region(op), region(super::complement(op))) }
}

/// A pattern that numbers in the range match, among the texts that convert.
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
            format!(r"{}|{digits}\.[0-9]*[1-9][0-9]*", above())
        }
        BinaryOp::LessOrEqual => {
            let exact = format!(r"{limit}(?:\.0*)?");
            below().map_or_else(|| r"\.?0*".to_owned(), |it| format!("{it}|{exact}"))
        }
        BinaryOp::Less => below()?,
        _ => return None,
    };
    let negative = if matches!(op, BinaryOp::LessOrEqual | BinaryOp::Less) { "^-|" } else { "" };
    Some(format!(r"{negative}^\+?0*(?:{body})$|[eEpPfF]"))
}

/// Whole numbers of at least this.
fn from(least: u64) -> String {
    let digits = least.to_string();
    let mut forms = vec![format!("[1-9][0-9]{{{},}}", digits.len())];
    forms.extend(stepped(&digits, |digit| (digit < '9').then(|| class(next(digit), '9'))));
    forms.push(digits);
    forms.join("|")
}

/// Whole numbers of at most this, without leading zeros.
fn up_to(most: u64) -> String {
    let digits = most.to_string();
    let mut forms = Vec::new();
    if digits.len() > 1 {
        forms.push(format!("[0-9]{{1,{}}}", digits.len() - 1));
    }
    forms.extend(stepped(&digits, |digit| (digit > '0').then(|| class('0', previous(digit)))));
    forms.push(digits);
    forms.join("|")
}

/// For each digit the numbers that agree before it and differ there.
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
