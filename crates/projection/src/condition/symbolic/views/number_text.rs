//! `tostring` of a number: the numbers whose text is in a constraint.

use super::preimage::strings;
use crate::sets::{Limit, NumberRange, ValueSet};
use re2::{Language, LanguagePart, Numerals};
use tf_value::{Number, Value};

/// The numbers whose text is in the constraint; `None` if that set cannot be written.
pub fn numbers(values: &ValueSet) -> Option<ValueSet> {
    let pattern = match values {
        ValueSet::Matches(pattern) => pattern,
        ValueSet::OneOf(texts) => {
            return Some(ValueSet::either(strings(texts)?.into_iter().map(spelled)));
        }
        _ => return None,
    };
    let mut out = Vec::new();
    for LanguagePart { start, end, body } in Language::parse(pattern)?.parts()? {
        if body.excludes_numerals() {
            continue;
        }
        if !(start && end) {
            return None;
        }
        for numerals in body.numerals()? {
            out.push(match numerals {
                Numerals::One(text) => spelled(&text),
                Numerals::Run { zero, least, most } => integers(zero, least, most)?,
            });
        }
    }
    Some(ValueSet::either(out))
}

/// The number that has this text, if any has.
fn spelled(text: &str) -> ValueSet {
    match Number::parse(text) {
        Some(it) if it.to_decimal() == text => ValueSet::OneOf(vec![Value::number(it)]),
        _ => ValueSet::Nothing,
    }
}

/// All whole numbers of so many digits that are not negative.
fn integers(zero: bool, least: u32, most: Option<u32>) -> Option<ValueSet> {
    /// Beyond, no double holds each power of ten.
    const DIGITS: u32 = 15;
    let power = |digits: u32| (digits <= DIGITS).then(|| 10_i64.pow(digits));
    let lower = match least {
        0 | 1 if zero => 0,
        least => power(least.saturating_sub(1))?,
    };
    let limit = |it: i64| Limit { value: Number::from_i64(it), inclusive: true };
    let upper = match most {
        Some(most) => Some(limit(power(most)? - 1)),
        None => None,
    };
    let range = NumberRange { lower: Some(limit(lower)), upper };
    Some(ValueSet::all([ValueSet::MultipleOf(1), ValueSet::Range(range)]))
}
