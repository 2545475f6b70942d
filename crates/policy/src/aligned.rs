//! Finds the written blocks that a planned block may come from.
//!
//! A plan sorts the blocks of a set, fills in what the provider knows, and does not distinguish sets from
//! lists. So a planned block is matched by its values: its candidates are the written blocks that agree with it
//! in every value that is known in both.

use tf_value::{Value, ValueContent, ops};

/// The most blocks of one type in one object that are matched: each is compared with each.
const MOST: usize = 100;

/// The indices of the written blocks that one planned block may come from; empty if they cannot be determined.
///
/// `planned` and `written` are the numbers of blocks. `may_be(i)` says whether the planned block may come from
/// written block `i`.
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

/// Whether the planned value may come from the written one. A provider keeps what is written, but may turn an
/// empty text or collection into null.
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
        (ValueContent::Mapping(planned), ValueContent::Mapping(written)) => {
            let is_alike = |(name, it)| written.get(name).is_none_or(|written| may_be(it, written));
            planned.iter().all(is_alike)
        }
        (ValueContent::Sequence(planned), ValueContent::Sequence(written)) => {
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
    use tf_value::Type;

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
