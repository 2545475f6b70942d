//! `regex` and `regexall`.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::text;
use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use re2::{Dialect, ErrorKind, Groups, Regex};
use release::Release;
use tf_value::{Type, Value};

const PARAMS: &[Param] = &[Param::new("pattern", Ty::String), Param::new("string", Ty::String)];

pub const REGEX: Function = Function::pure(
    "regex",
    "Returns the first match of a regular expression, or its groups.",
    PARAMS,
    ReturnType::OfRelease(match_type),
    regex,
);

pub const REGEXALL: Function = Function::pure(
    "regexall",
    "Returns all matches of a regular expression.",
    PARAMS,
    ReturnType::OfRelease(|release, args| match_type(release, args).map(Type::list)),
    regexall,
)
.refuses(Refuses::By(unless_pattern));

/// Refuses nothing for a known pattern, which was parsed for the return type; an unknown one may be
/// malformed.
fn unless_pattern(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_known = args.first().is_some_and(Value::is_known);
    if is_known { Refuses::Nothing } else { Refuses::SomeValues }
}

/// A string without groups, a tuple with groups, an object with named groups.
fn match_type(release: Release, args: &[Value]) -> Result<Type, Failure> {
    match args.first().and_then(Value::as_str) {
        Some(pattern) => {
            let outline = re2::outline(pattern, Dialect::of(release)).map_err(refused)?;
            Shape::of(outline.group_names()).map(|it| it.ty())
        }
        None => Ok(Type::Dynamic),
    }
}

fn regex(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let regex = compile(context.release, text(args, 0))?;
    context.host.spend(search(args, &regex))?;
    let Some(groups) = regex.captures(text(args, 1)) else {
        return Err(Failure::call("pattern did not match any part of the given string"));
    };
    Ok(Shape::of(regex.group_names())?.value(text(args, 1), &groups))
}

fn regexall(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let regex = compile(context.release, text(args, 0))?;
    context.host.spend(search(args, &regex))?;
    let shape = Shape::of(regex.group_names())?;
    let string = text(args, 1);
    let found = regex.try_find_all(string, |units| context.host.spend(units))?;
    context
        .host
        .spend((found.len() as u64).saturating_mul(1 + regex.group_names().len() as u64))?;
    let matches = found.iter().map(|it| shape.value(string, it)).collect();
    Ok(Value::list(shape.ty(), matches))
}

/// The work of a search: that of the pattern, as if it were compiled each time, and that of the text.
fn search(args: &[Value], regex: &Regex) -> u64 {
    let text_work = (text(args, 1).len() as u64).saturating_mul(regex.weight()) / 4;
    text_work.saturating_add(4 * text(args, 0).len() as u64 + regex.memory() / 128)
}

fn compile(release: Release, pattern: &str) -> Result<Rc<Regex>, Failure> {
    re2::cached(pattern, Dialect::of(release)).map_err(refused)
}

fn refused(error: re2::Error) -> Failure {
    match error.kind {
        ErrorKind::Budget => Failure::too_large(error.kind.to_string()),
        kind => {
            let fragment = error.fragment;
            Failure::argument(0, format!("invalid regexp pattern: {kind} in {fragment}"))
        }
    }
}

/// The form in which a match is returned.
enum Shape<'r> {
    Whole,
    Tuple(usize),
    Object(Vec<&'r str>),
}

impl<'r> Shape<'r> {
    fn of(groups: &'r [Option<String>]) -> Result<Shape<'r>, Failure> {
        let given: Vec<&str> = groups.iter().flatten().map(String::as_str).collect();
        match (groups.len(), given.len()) {
            (0, _) => Ok(Shape::Whole),
            (count, 0) => Ok(Shape::Tuple(count)),
            (all, some) if all == some => Ok(Shape::Object(given)),
            _ => {
                let reason = "cannot mix both named and unnamed capture groups";
                Err(Failure::argument(0, format!("invalid regexp pattern: {reason}")))
            }
        }
    }

    fn ty(&self) -> Type {
        match self {
            Shape::Whole => Type::String,
            Shape::Tuple(count) => Type::tuple(vec![Type::String; *count]),
            Shape::Object(names) => {
                Type::object(names.iter().map(|it| (SmolStr::new(it), Type::String)).collect())
            }
        }
    }

    /// A match as a value: a group that took no part is null, and of groups with the same name the last
    /// counts.
    fn value(&self, string: &str, groups: &Groups) -> Value {
        let group = |index: usize| match groups.get(index).cloned().flatten() {
            Some(range) => Value::string(string.get(range).unwrap_or_default()),
            None => Value::null(Type::String),
        };
        match self {
            Shape::Whole => group(0),
            Shape::Tuple(count) => Value::tuple((1..=*count).map(group).collect()),
            Shape::Object(names) => {
                let attribute = |(it, index): (&&str, _)| (SmolStr::new(it), group(index));
                Value::object(names.iter().zip(1..).map(attribute).collect::<BTreeMap<_, _>>())
            }
        }
    }
}
