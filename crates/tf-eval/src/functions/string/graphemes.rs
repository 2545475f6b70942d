//! `strrev` and `substr`, which work on grapheme clusters.

use super::{integer, text};
use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, grapheme_count, graphemes,
    whole_number,
};
use release::Release;
use tf_value::{Type, Value};

pub const STRREV: Function = Function::pure(
    "strrev",
    "Reverses the order of a string's characters.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let mut clusters: Vec<&str> = graphemes(text(args, 0)).collect();
        clusters.reverse();
        Ok(Value::string(clusters.concat()))
    },
)
.refuses(Refuses::Nothing);

pub const SUBSTR: Function = Function::pure(
    "substr",
    "Returns a part of a string by offset and length in characters.",
    &[
        Param::new("str", Ty::String),
        Param::new("offset", Ty::Number),
        Param::new("length", Ty::Number),
    ],
    ReturnType::Fixed(Ty::String),
    substr,
)
.refuses(Refuses::By(unless_whole));

fn unless_whole(_: Release, args: &[Value], _: &Type) -> Refuses {
    let numbers = args.get(1..).unwrap_or_default();
    match () {
        () if numbers.iter().any(|it| it.is_known() && whole_number(it).is_err()) => {
            Refuses::Everything
        }
        () if numbers.iter().all(Value::is_known) => Refuses::Nothing,
        () => Refuses::SomeValues,
    }
}

/// A negative offset counts from the end. A negative length takes the rest, and so does the length zero
/// with a negative offset.
fn substr(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let str = text(args, 0);
    let (offset, length) = (integer(args, 1)?, integer(args, 2)?);
    let skipped = if offset < 0 {
        let total = i64::try_from(grapheme_count(str)).unwrap_or(i64::MAX);
        offset.saturating_add(total).max(0)
    } else {
        offset
    };
    let all = length < 0 || (length == 0 && offset < 0);
    let rest = graphemes(str).skip(usize::try_from(skipped).unwrap_or(usize::MAX));
    let part: String = if all {
        rest.collect()
    } else {
        rest.take(usize::try_from(length).unwrap_or(usize::MAX)).collect()
    };
    Ok(Value::string(part))
}
