//! Which written block each planned one is from.
//!
//! A plan sorts the blocks of a set and fills in what their provider knows; it does not tell sets from lists. So a
//! planned block is taken for a written one only where no other could be it: what both know is equal.

use crate::value::{Content, Value, ops};

/// Blocks of one type in one object; of more nobody asks which is which, since each is held beside each.
const MOST: usize = 100;

/// The places of the written blocks that the planned one at a place may be from; empty where that cannot be told.
///
/// `planned` and `written` are how many there are, `may_be` whether two of them may be the same.
pub(super) fn candidates(
    planned: usize,
    written: usize,
    may_be: impl Fn(usize) -> bool,
) -> Vec<usize> {
    match (planned, written) {
        (1, 1) => vec![0],
        (one, other) if one != other || one > MOST => Vec::new(),
        (_, all) => (0..all).filter(|it| may_be(*it)).collect(),
    }
}

/// Whether a provider may have made the planned value of the written one. It keeps what is written, but for what is empty.
pub(super) fn may_be(planned: &Value, written: &Value) -> bool {
    let is_open = |it: &Value| !it.is_known() || it.marks().is_undecided();
    if is_open(planned) || is_open(written) || written.is_null() {
        return true;
    }
    if planned.is_null() {
        return written.as_str() == Some("")
            || ops::length(written).is_some_and(|it| it == Value::int(0));
    }
    match (planned.content(), written.content()) {
        (Content::Mapping(planned), Content::Mapping(written)) => {
            let is_alike = |(name, it)| written.get(name).is_none_or(|written| may_be(it, written));
            planned.iter().all(is_alike)
        }
        (Content::Sequence(planned), Content::Sequence(written)) => {
            let few = planned.len().max(written.len()) <= MOST;
            let is_there = |it| written.iter().any(|written| may_be(it, written));
            !few || written.is_empty() || planned.iter().all(is_there)
        }
        _ => match (plain(planned), plain(written)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        },
    }
}

/// The text that Terraform converts a primitive value to.
fn plain(value: &Value) -> Option<String> {
    if let Some(it) = value.as_str() {
        return Some(it.to_owned());
    }
    match value.as_number() {
        Some(it) => Some(it.to_decimal()),
        None => value.as_bool().map(|it| it.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Type;

    fn block(key: Value, value: Value) -> Value {
        Value::object([("key".into(), key), ("value".into(), value)].into())
    }

    #[test]
    fn a_block_is_the_one_that_alone_can_be_it() {
        let (one, other) = (Value::string("1"), Value::string("2"));
        let unknown = || Value::unknown(Type::Dynamic);
        let written = [
            block(unknown(), one.clone()),
            block(Value::string("a"), unknown()),
            block(one.clone(), Value::int(2)),
        ];
        let of = |planned: &Value| candidates(3, 3, |at| may_be(planned, &written[at]));
        assert_eq!(of(&block(unknown(), one.clone())), [0, 1], "its key may be a");
        assert_eq!(of(&block(Value::string("b"), unknown())), [0]);
        assert_eq!(of(&block(one.clone(), other)), [2], "a number is as good as its text");
        assert_eq!(of(&block(Value::string("c"), Value::string("3"))), [0; 0]);
        assert_eq!(candidates(2, 3, |_| true), [0; 0], "a provider has added some");
        assert_eq!(candidates(1, 1, |_| false), [0]);
    }
}
