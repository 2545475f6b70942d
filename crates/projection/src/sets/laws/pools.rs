//! Atoms of each type with predicates, and the values for which they are compared.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::sets::{Kind, Length, Limit, Measure, NumberRange, ValueSet};
use tf_value::{Attributes, Number, Type, Value};

/// A set, and which of the pool's values are in.
#[derive(Clone)]
pub struct Set {
    pub set: ValueSet,
    pub is_in: Vec<bool>,
}

pub struct Pool {
    pub ty: Type,
    pub values: Vec<Value>,
    pub atoms: Vec<Set>,
}

/// A set and whether a value is in it.
type Atom<'p> = (ValueSet, &'p dyn Fn(&Value) -> bool);

fn pool(ty: Type, values: Vec<Value>, atoms: Vec<Atom<'_>>) -> Pool {
    let atoms = atoms.into_iter().map(|(set, is_in)| {
        let is_in = values.iter().map(is_in).collect();
        Set { set, is_in }
    });
    Pool { ty, atoms: atoms.collect(), values }
}

pub fn matches(pattern: &str) -> ValueSet {
    ValueSet::Matches(pattern.to_owned())
}

pub fn texts(all: &[&str]) -> Vec<Value> {
    all.iter().map(Value::string).collect()
}

pub fn one_of(all: &[&str]) -> ValueSet {
    ValueSet::OneOf(texts(all))
}

fn length(measure: Measure, min: Option<u64>, max: Option<u64>) -> ValueSet {
    ValueSet::Length(measure, Length { min, max })
}

fn range(lower: Option<(f64, bool)>, upper: Option<(f64, bool)>) -> ValueSet {
    let limit = |(value, inclusive)| Limit { value: Number::from_f64(value), inclusive };
    ValueSet::Range(NumberRange { lower: lower.map(limit), upper: upper.map(limit) })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn elements(value: &Value) -> Vec<&str> {
    value.as_sequence().unwrap().iter().map(text).collect()
}

fn members(value: &Value) -> &BTreeMap<SmolStr, Value> {
    value.as_mapping().unwrap()
}

pub fn scalars() -> Vec<Pool> {
    let strings = pool(
        Type::String,
        texts(&["", "a", "b", "ab", "ba", "abc", "é", "x y"]),
        vec![
            (matches("^a"), &|it| text(it).starts_with('a')),
            (matches("b"), &|it| text(it).contains('b')),
            (one_of(&["a", "b"]), &|it| ["a", "b"].contains(&text(it))),
            (one_of(&["ab"]), &|it| text(it) == "ab"),
            (length(Measure::Characters, Some(1), Some(1)), &|it| text(it).chars().count() == 1),
            (length(Measure::Characters, Some(2), None), &|it| text(it).chars().count() >= 2),
            (length(Measure::Characters, None, Some(2)), &|it| text(it).chars().count() <= 2),
            (length(Measure::Characters, None, Some(0)), &|it| text(it).is_empty()),
        ],
    );
    // Twelfths of the numbers, so that the predicates need no rounding.
    let number = |twelfths: i64| {
        let whole = Number::from_i64(twelfths);
        Value::number(whole.divide(&Number::from_i64(12)).unwrap())
    };
    let all = [-12, 0, 6, 12, 18, 24, 36, 48, 60, 72, 144];
    let values: Vec<Value> = all.iter().map(|it| number(*it)).collect();
    let of = |it: &Value| all[all.iter().position(|all| number(*all) == *it).unwrap()];
    let numbers = pool(
        Type::Number,
        values,
        vec![
            (range(Some((1.0, true)), None), &|it| of(it) >= 12),
            (range(Some((1.0, false)), None), &|it| of(it) > 12),
            (range(None, Some((1.0, false))), &|it| of(it) < 12),
            (range(None, Some((5.0, true))), &|it| of(it) <= 60),
            (range(Some((2.0, true)), Some((3.0, true))), &|it| (24..=36).contains(&of(it))),
            (ValueSet::MultipleOf(1), &|it| of(it) % 12 == 0),
            (ValueSet::MultipleOf(2), &|it| of(it) % 24 == 0),
            (ValueSet::MultipleOf(3), &|it| of(it) % 36 == 0),
            (ValueSet::OneOf(vec![number(0), number(18)]), &|it| [0, 18].contains(&of(it))),
        ],
    );
    let booleans = pool(
        Type::Bool,
        vec![Value::bool(true), Value::bool(false)],
        vec![
            (ValueSet::OneOf(vec![Value::bool(true)]), &|it| it.as_bool() == Some(true)),
            (ValueSet::OneOf(vec![Value::bool(false)]), &|it| it.as_bool() == Some(false)),
            (ValueSet::Kind(Kind::Boolean), &|_| true),
            (ValueSet::Kind(Kind::String), &|_| false),
        ],
    );
    vec![strings, numbers, booleans]
}

/// Atoms of lists, sets and tuples; most are about an element that is "a" or "b".
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn collections() -> Vec<Pool> {
    let list = |it: &[&str]| Value::tuple(texts(it));
    let a = || Box::new(one_of(&["a"]));
    let no_twins = |value: &Value| {
        let all = elements(value);
        all.iter().enumerate().all(|(at, it)| !all[..at].contains(it))
    };
    let count =
        |value: &Value, text: &str| elements(value).iter().filter(|it| **it == text).count();
    let lists = [
        &[][..],
        &["a"],
        &["b"],
        &["a", "a"],
        &["a", "b"],
        &["b", "a"],
        &["c", "c"],
        &["a", "b", "c"],
        &["b", "a", "a"],
        &["c", "b", "a", "a"],
    ];
    let of_lists = pool(
        Type::list(Type::String),
        lists.into_iter().map(list).collect(),
        vec![
            (ValueSet::Items(a()), &|value| elements(value).iter().all(|it| *it == "a")),
            (ValueSet::SomeItem(a()), &|it| elements(it).contains(&"a")),
            (ValueSet::SomeItem(Box::new(one_of(&["b", "c"]))), &|value| {
                elements(value).iter().any(|it| *it != "a")
            }),
            (ValueSet::Count(Length { min: Some(1), max: Some(1) }, a()), &|it| {
                count(it, "a") == 1
            }),
            (ValueSet::Count(Length { min: Some(2), max: None }, a()), &|it| count(it, "a") >= 2),
            (ValueSet::Count(Length { min: None, max: Some(1) }, a()), &|it| count(it, "a") <= 1),
            (ValueSet::Unique, &no_twins),
            (length(Measure::Items, Some(1), Some(2)), &|it| (1..=2).contains(&elements(it).len())),
            (length(Measure::Items, Some(3), None), &|it| elements(it).len() >= 3),
            (length(Measure::Items, None, Some(0)), &|it| elements(it).is_empty()),
            (ValueSet::place(0, false, one_of(&["a"])), &|value| {
                elements(value).first().is_none_or(|it| *it == "a")
            }),
            (ValueSet::place(0, true, one_of(&["a"])), &|it| elements(it).first() == Some(&"a")),
            (ValueSet::place(1, true, one_of(&["b"])), &|it| elements(it).get(1) == Some(&"b")),
            (ValueSet::place(1, false, one_of(&["b"])), &|value| {
                elements(value).get(1).is_none_or(|it| *it == "b")
            }),
            (ValueSet::place(1, false, ValueSet::Nothing), &|it| elements(it).len() < 2),
            (ValueSet::OneOf(vec![list(&["a"]), list(&["b", "a"])]), &|it| {
                [&["a"][..], &["b", "a"]].contains(&&*elements(it))
            }),
            (ValueSet::place(1, true, ValueSet::Anything), &|it| elements(it).len() > 1),
            (ValueSet::items_from(1, one_of(&["a"])), &|value| {
                elements(value).iter().skip(1).all(|it| *it == "a")
            }),
        ],
    );
    let sets = [&[][..], &["a"], &["b"], &["a", "b"], &["b", "c"], &["a", "b", "c"]];
    let of_sets = pool(
        Type::set(Type::String),
        sets.into_iter().map(list).collect(),
        vec![
            (ValueSet::Items(a()), &|value| elements(value).iter().all(|it| *it == "a")),
            (ValueSet::Items(Box::new(one_of(&["a", "b"]))), &|it| !elements(it).contains(&"c")),
            (ValueSet::SomeItem(a()), &|it| elements(it).contains(&"a")),
            (ValueSet::Count(Length { min: Some(2), max: None }, a()), &|_| false),
            (ValueSet::Unique, &|_| true),
            (length(Measure::Items, Some(2), None), &|it| elements(it).len() >= 2),
            (length(Measure::Items, Some(3), Some(3)), &|it| elements(it).len() == 3),
        ],
    );
    let tuple =
        |first: &str, second: bool| Value::tuple(vec![Value::string(first), Value::bool(second)]);
    let at = |it: &Value, index: usize| it.as_sequence().unwrap()[index].clone();
    let yes = || ValueSet::OneOf(vec![Value::bool(true)]);
    let of_tuples = pool(
        Type::tuple(vec![Type::String, Type::Bool]),
        [("a", true), ("a", false), ("b", true), ("b", false)].map(|it| tuple(it.0, it.1)).into(),
        vec![
            (ValueSet::place(0, true, one_of(&["a"])), &|it| at(it, 0) == Value::string("a")),
            (ValueSet::place(1, false, yes()), &|it| at(it, 1) == Value::bool(true)),
            (ValueSet::place(1, true, yes()), &|it| at(it, 1) == Value::bool(true)),
            (ValueSet::place(2, true, ValueSet::Anything), &|_| false),
            (ValueSet::place(2, false, one_of(&["a"])), &|_| true),
            (length(Measure::Items, Some(2), Some(2)), &|_| true),
            (length(Measure::Items, Some(3), None), &|_| false),
        ],
    );
    let of_booleans = pool(
        Type::set(Type::Bool),
        [&[][..], &[true], &[false], &[true, false]]
            .map(|value| Value::tuple(value.iter().map(|it| Value::bool(*it)).collect()))
            .into(),
        vec![
            (length(Measure::Items, Some(2), None), &|it| it.as_sequence().unwrap().len() == 2),
            (length(Measure::Items, Some(3), None), &|_| false),
            (ValueSet::SomeItem(Box::new(yes())), &|it| {
                it.as_sequence().unwrap().contains(&Value::bool(true))
            }),
        ],
    );
    vec![of_lists, of_sets, of_tuples, of_booleans]
}

/// Atoms of maps and objects; most are about a member `a` that is "x".
pub fn objects() -> Vec<Pool> {
    let object = |all: &[(&str, &str)]| {
        Value::object(all.iter().map(|it| (it.0.into(), Value::string(it.1))).collect())
    };
    let x = || Box::new(one_of(&["x"]));
    let is_x = |it: &Value| text(it) == "x";
    let all = [
        &[][..],
        &[("a", "x")],
        &[("a", "y")],
        &[("b", "x")],
        &[("b", "y")],
        &[("a", "x"), ("b", "x")],
        &[("a", "x"), ("b", "y")],
        &[("a", "y"), ("b", "x")],
        &[("a", "x"), ("ab", "y"), ("b", "x")],
    ];
    let maps = pool(
        Type::map(Type::String),
        all.into_iter().map(object).collect(),
        vec![
            (ValueSet::member("a".into(), false, *x()), &|it| {
                members(it).get("a").is_none_or(is_x)
            }),
            (ValueSet::member("a".into(), true, *x()), &|it| {
                members(it).get("a").is_some_and(is_x)
            }),
            (ValueSet::member("a".into(), true, ValueSet::Anything), &|it| {
                members(it).contains_key("a")
            }),
            (ValueSet::member("a".into(), false, ValueSet::Nothing), &|it| {
                !members(it).contains_key("a")
            }),
            (ValueSet::member("b".into(), false, one_of(&["y"])), &|value| {
                members(value).get("b").is_none_or(|it| text(it) == "y")
            }),
            (ValueSet::Keys(Box::new(matches("^a"))), &|value| {
                members(value).keys().all(|it| it.starts_with('a'))
            }),
            (ValueSet::Values(x()), &|it| members(it).values().all(is_x)),
            (ValueSet::Values(Box::new(ValueSet::Nothing)), &|it| members(it).is_empty()),
            (ValueSet::Keys(Box::new(ValueSet::Nothing)), &|it| members(it).is_empty()),
            (ValueSet::OneOf(vec![object(all[1]), object(all[5])]), &|it| {
                members(it).values().all(is_x) && members(it).contains_key("a")
            }),
            (ValueSet::ValuesBeside(vec!["a".into()], x()), &|value| {
                members(value).iter().all(|it| it.0 == "a" || is_x(it.1))
            }),
            (ValueSet::ValuesMatching("^a".to_owned(), x()), &|value| {
                members(value).iter().all(|it| !it.0.starts_with('a') || is_x(it.1))
            }),
            (length(Measure::Properties, Some(2), None), &|it| members(it).len() >= 2),
            (length(Measure::Properties, None, Some(1)), &|it| members(it).len() <= 1),
            (length(Measure::Properties, None, Some(0)), &|it| members(it).is_empty()),
        ],
    );
    let attributes = ["a", "b"].map(|it| (SmolStr::from(it), Type::String));
    let ty = Attributes { attributes: attributes.into(), optional: ["b".into()].into() };
    let given = [
        &[("a", "x")][..],
        &[("a", "y")],
        &[("a", "x"), ("b", "x")],
        &[("a", "y"), ("b", "y")],
        &[("a", "x"), ("b", "y")],
    ];
    let of_objects = pool(
        ty.into(),
        given.into_iter().map(object).collect(),
        vec![
            (ValueSet::member("a".into(), true, *x()), &|it| is_x(&members(it)["a"])),
            (ValueSet::member("a".into(), false, *x()), &|it| is_x(&members(it)["a"])),
            (ValueSet::member("a".into(), true, ValueSet::Anything), &|_| true),
            (ValueSet::member("b".into(), false, *x()), &|it| {
                members(it).get("b").is_none_or(is_x)
            }),
            (ValueSet::member("b".into(), true, *x()), &|it| {
                members(it).get("b").is_some_and(is_x)
            }),
            (ValueSet::member("b".into(), true, ValueSet::Anything), &|it| {
                members(it).contains_key("b")
            }),
            (ValueSet::member("b".into(), false, ValueSet::Nothing), &|it| {
                !members(it).contains_key("b")
            }),
            (ValueSet::Kind(Kind::Object), &|_| true),
            (ValueSet::OneOf(vec![object(given[0])]), &|it| {
                is_x(&members(it)["a"]) && members(it).len() == 1
            }),
        ],
    );
    vec![maps, of_objects]
}

/// Atoms of one kind among values of every kind: values of other kinds are always in.
pub fn every_kind() -> Pool {
    let list = |it: &[&str]| Value::tuple(texts(it));
    let object = |name: &str| Value::object([(name.into(), Value::string("x"))].into());
    let values = vec![
        Value::bool(true),
        Value::int(1),
        Value::int(4),
        Value::string(""),
        Value::string("ab"),
        list(&[]),
        list(&["a", "a"]),
        list(&["a", "b", "c"]),
        Value::object([].into()),
        object("a"),
        object("b"),
    ];
    pool(
        Type::Dynamic,
        values,
        vec![
            (ValueSet::Kind(Kind::Boolean), &|it| it.as_bool().is_some()),
            (ValueSet::Kind(Kind::Number), &|it| it.as_number().is_some()),
            (ValueSet::Kind(Kind::String), &|it| it.as_str().is_some()),
            (ValueSet::Kind(Kind::Array), &|it| it.as_sequence().is_some()),
            (ValueSet::Kind(Kind::Object), &|it| it.as_mapping().is_some()),
            (matches("^a"), &|value| value.as_str().is_none_or(|it| it.starts_with('a'))),
            (range(Some((2.0, true)), None), &|it| *it != Value::int(1)),
            (ValueSet::MultipleOf(2), &|it| *it != Value::int(1)),
            (ValueSet::OneOf(vec![Value::bool(true), Value::int(4), list(&[])]), &|it| {
                it.as_bool().is_some()
                    || *it == Value::int(4)
                    || it.as_sequence().is_some_and(<[Value]>::is_empty)
            }),
            (length(Measure::Characters, None, Some(1)), &|it| {
                it.as_str().is_none_or(str::is_empty)
            }),
            (length(Measure::Items, Some(1), Some(2)), &|value| {
                value.as_sequence().is_none_or(|it| it.len() == 2)
            }),
            (length(Measure::Properties, Some(1), None), &|value| {
                value.as_mapping().is_none_or(|it| !it.is_empty())
            }),
            (ValueSet::Unique, &|value| value.as_sequence().is_none_or(|it| it.len() != 2)),
            (ValueSet::Items(Box::new(one_of(&["a"]))), &|value| {
                value.as_sequence().is_none_or(|it| it.len() != 3)
            }),
            (ValueSet::Keys(Box::new(one_of(&["a"]))), &|value| {
                value.as_mapping().is_none_or(|it| !it.contains_key("b"))
            }),
        ],
    )
}
