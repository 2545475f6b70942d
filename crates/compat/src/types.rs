//! How values of one type fit another type, by their structure, and what they lose.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use stack::guarded;
use tf_value::{Number, Type, Value, convert};

/// How the values of one type fit where another type is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Every value is accepted, and stays what it is in JSON.
    Identity,
    /// Every value is accepted, some in another spelling: the number 1 becomes the text `1`.
    Converts,
    /// Perhaps not every value is accepted as it is.
    Open,
}

/// How values of `from` fit where `to` is declared.
pub fn fit(from: &Type, to: &Type) -> Fit {
    guarded(|| match (from, to) {
        (_, Type::Dynamic) => Fit::Identity,
        (Type::String, Type::String) | (Type::Number, Type::Number) | (Type::Bool, Type::Bool) => {
            Fit::Identity
        }
        (Type::Number | Type::Bool, Type::String) => Fit::Converts,
        (Type::List(from), Type::List(to))
        | (Type::Set(from), Type::Set(to) | Type::List(to))
        | (Type::Map(from), Type::Map(to)) => element(from, to),
        (Type::Tuple(from), Type::List(to)) => {
            from.iter().map(|it| shared(it, to, from)).max().unwrap_or(Fit::Identity)
        }
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            let both = from.iter().zip(to.iter());
            both.map(|(from, to)| fit(from, to)).max().unwrap_or(Fit::Identity)
        }
        (Type::Object(from), Type::Map(to)) => {
            let all: Vec<Type> = from.attributes.values().cloned().collect();
            all.iter().map(|it| shared(it, to, &all)).max().unwrap_or(Fit::Identity)
        }
        (Type::Object(from), Type::Object(to)) => {
            let is_kept = from.attributes.keys().all(|it| to.attributes.contains_key(it));
            let is_there = |it: &SmolStr| {
                to.optional.contains(it)
                    || from.attributes.contains_key(it) && !from.optional.contains(it)
            };
            if !is_kept || !to.attributes.keys().all(is_there) {
                return Fit::Open;
            }
            let both = from.attributes.iter().map(|(name, it)| fit(it, &to.attributes[name]));
            both.max().unwrap_or(Fit::Identity)
        }
        _ => Fit::Open,
    })
}

/// How elements fit. Elements of `any` are all converted to one type.
fn element(from: &Type, to: &Type) -> Fit {
    match (from, to) {
        (Type::Dynamic, Type::Dynamic) => Fit::Identity,
        (_, Type::Dynamic) if !from.is_primitive() => Fit::Open,
        _ => fit(from, to),
    }
}

fn shared(from: &Type, to: &Type, all: &[Type]) -> Fit {
    match to {
        Type::Dynamic if !from.is_primitive() || all.iter().any(|it| it != from) => Fit::Open,
        _ => fit(from, to),
    }
}

/// The largest type that is searched for values that do not fit.
const LARGEST: u64 = 2000;

/// The most values of one type.
const MOST: usize = 24;

/// Values of `from` that may not fit where `to` is declared.
///
/// `names`: attributes that the module reads of the variable.
pub fn misfits(from: &Type, to: &Type, names: &[SmolStr]) -> Vec<Value> {
    if from.size() > LARGEST || to.size() > LARGEST {
        return Vec::new();
    }
    let mut out = inner_misfits(from, to, names);
    out.truncate(MOST);
    out
}

fn inner_misfits(from: &Type, to: &Type, names: &[SmolStr]) -> Vec<Value> {
    let text = || vec![Value::string("example")];
    let inner_misfits = |from: &Type, to: &Type| inner_misfits(from, to, &[]);
    let list = Value::tuple;
    let map = |it: Value| Value::object([(SmolStr::new("key"), it)].into());
    guarded(|| match (from, to) {
        (_, Type::Dynamic) if from.element().is_none() => Vec::new(),
        (Type::Dynamic, _) => of_any(to, names),
        (Type::String, Type::Number | Type::Bool) => text(),
        (Type::List(from), Type::Set(to)) => {
            let some = sample(from);
            let mut out: Vec<Value> =
                inner_misfits(from, to).into_iter().map(|it| list(vec![it])).collect();
            if let [one, other, ..] = some.as_slice() {
                out.push(list(vec![other.clone(), one.clone()]));
                out.push(list(vec![one.clone(), one.clone()]));
            }
            out
        }
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to)) => {
            inner_misfits(from, to).into_iter().map(|it| list(vec![it])).collect()
        }
        (Type::Map(from), Type::Map(to)) => inner_misfits(from, to).into_iter().map(map).collect(),
        (Type::Map(from), Type::Object(_)) => {
            let one = sample(from).into_iter().next();
            std::iter::once(Value::object(BTreeMap::new())).chain(one.map(map)).collect()
        }
        (Type::Object(from_object), Type::Object(to)) => {
            let whole = members(from, true);
            let mut out =
                Vec::from([Value::object(whole.clone()), Value::object(members(from, false))]);
            for (name, ty) in &from_object.attributes {
                let Some(to) = to.attributes.get(name) else { continue };
                for it in inner_misfits(ty, to).into_iter().take(4) {
                    let mut members = whole.clone();
                    members.insert(name.clone(), it);
                    out.push(Value::object(members));
                }
            }
            out
        }
        _ => sample(from),
    })
}

/// Values of any type that may not fit where `to` is declared, as callers write them: an object with attributes that
/// the module reads, or with some of those that the new type has.
fn of_any(to: &Type, names: &[SmolStr]) -> Vec<Value> {
    let text = || Value::string("example");
    let list = |it: Value| Value::tuple(vec![it]);
    let object = |names: &[SmolStr], first: Value| {
        let each = names
            .iter()
            .enumerate()
            .map(|(at, name)| (name.clone(), if at == 0 { first.clone() } else { text() }));
        Value::object(each.collect())
    };
    let mut out = Vec::new();
    if !names.is_empty() {
        out.extend([object(names, text()), object(names, list(text()))]);
    }
    if let Type::Object(it) = to {
        let own: Vec<SmolStr> = it.attributes.keys().cloned().collect();
        out.extend(own.iter().map(|it| object(std::slice::from_ref(it), text())));
        out.extend(own.iter().map(|it| object(std::slice::from_ref(it), list(text()))));
        let more: Vec<SmolStr> = own.iter().cloned().chain([SmolStr::new("other")]).collect();
        out.push(object(&more, text()));
    }
    let name = [SmolStr::new("name")];
    out.extend([list(text()), object(&name, text()), text(), Value::int(1), Value::bool(true)]);
    out.extend([object(&name, list(text())), list(list(text()))]);
    out
}

/// A few values of a type.
pub fn sample(ty: &Type) -> Vec<Value> {
    guarded(|| match ty {
        Type::String => ["example", "another"].map(Value::string).into(),
        Type::Number => vec![Value::int(1), Value::number(Number::from_u64(2))],
        Type::Bool => [true, false].map(Value::bool).into(),
        Type::Dynamic => [Value::string("example"), Value::int(1)].into(),
        Type::List(element) | Type::Set(element) => {
            let some = sample(element).into_iter().map(|it| Value::tuple(vec![it]));
            std::iter::once(Value::tuple(vec![])).chain(some).collect()
        }
        Type::Map(element) => {
            let some = sample(element).into_iter();
            let maps = some.map(|it| Value::object([(SmolStr::new("key"), it)].into()));
            std::iter::once(Value::object(BTreeMap::new())).chain(maps).collect()
        }
        Type::Tuple(elements) => {
            let first = |it: &Type| sample(it).into_iter().next();
            let all: Option<Vec<Value>> = elements.iter().map(first).collect();
            all.map(Value::tuple).into_iter().collect()
        }
        Type::Object(_) => {
            let both = [members(ty, true), members(ty, false)];
            let mut both = both.map(Value::object).to_vec();
            both.dedup();
            both
        }
    })
}

/// The value as callers may also write it where a set became a list: with duplicates, and in another order.
pub fn respelled(value: &Value, from: &Type, to: &Type) -> Vec<Value> {
    guarded(|| match (from, to) {
        (Type::Set(_), Type::List(_)) => {
            let Some(elements) = value.as_sequence().filter(|it| !it.is_empty()) else {
                return Vec::new();
            };
            let mut out = vec![elements.iter().rev().cloned().collect::<Vec<Value>>()];
            for count in MORE {
                let more = std::iter::repeat_n(elements[0].clone(), count);
                out.push(more.chain(elements.iter().cloned()).collect());
            }
            out.into_iter().map(Value::tuple).collect()
        }
        (Type::List(from), Type::List(to)) | (Type::Map(from), Type::Map(to)) => {
            if let Some(elements) = value.as_sequence() {
                let Some((first, rest)) = elements.split_first() else { return Vec::new() };
                let with = |it: Value| std::iter::once(it).chain(rest.iter().cloned()).collect();
                return respelled(first, from, to)
                    .into_iter()
                    .map(|it| Value::tuple(with(it)))
                    .collect();
            }
            let Some((name, first)) = value.as_mapping().and_then(|it| it.iter().next()) else {
                return Vec::new();
            };
            let all = respelled(first, from, to).into_iter();
            all.filter_map(|it| with_member(value, name, it)).collect()
        }
        (Type::Object(from), Type::Object(to)) => {
            let members = value.as_mapping().into_iter().flatten();
            let each = members.flat_map(|(name, it)| {
                let both = from.attributes.get(name).zip(to.attributes.get(name));
                let all = both.map_or_else(Vec::new, |(from, to)| respelled(it, from, to));
                all.into_iter()
                    .filter_map(|other| with_member(value, name, other))
                    .collect::<Vec<_>>()
            });
            each.collect()
        }
        _ => Vec::new(),
    })
}

/// How many duplicates are added to a list.
const MORE: [usize; 5] = [1, 2, 4, 10, 40];

fn with_member(value: &Value, name: &SmolStr, member: Value) -> Option<Value> {
    let mut members = value.as_mapping()?.clone();
    members.insert(name.clone(), member);
    Some(Value::object(members))
}

/// The value of a type that is the shortest to write.
pub fn smallest(ty: &Type) -> Option<Value> {
    guarded(|| {
        Some(match ty {
            Type::String | Type::Dynamic => Value::string(""),
            Type::Number => Value::int(0),
            Type::Bool => Value::bool(true),
            Type::List(_) | Type::Set(_) => Value::tuple(vec![]),
            Type::Map(_) => Value::object(BTreeMap::new()),
            Type::Tuple(elements) => {
                Value::tuple(elements.iter().map(smallest).collect::<Option<_>>()?)
            }
            Type::Object(object) => {
                let required =
                    object.attributes.iter().filter(|it| !object.optional.contains(it.0));
                let member = |it: (&SmolStr, &Type)| Some((it.0.clone(), smallest(it.1)?));
                Value::object(required.map(member).collect::<Option<_>>()?)
            }
        })
    })
}

/// Members of an object, with the optional ones or without.
fn members(ty: &Type, is_whole: bool) -> BTreeMap<SmolStr, Value> {
    let Some(object) = ty.as_object() else { return BTreeMap::new() };
    let wanted = |it: &&SmolStr| is_whole || !object.optional.contains(*it);
    let names = object.attributes.keys().filter(wanted);
    let member =
        |it: &SmolStr| Some((it.clone(), sample(&object.attributes[it]).into_iter().next()?));
    names.filter_map(member).collect()
}

/// A part of a written value that is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// A null became the default.
    Null(String),
    Attribute(String),
    Order(String),
    Duplicates(String),
    /// A text became a number that is written otherwise.
    Spelling(String),
}

impl Lost {
    /// The loss in words, and its path in the value.
    pub fn words(&self) -> (&'static str, &str) {
        match self {
            Lost::Null(path) => ("a null becomes the default", path),
            Lost::Attribute(path) => ("a part of the value is dropped", path),
            Lost::Order(path) => ("the order of the elements is lost", path),
            Lost::Duplicates(path) => ("duplicate elements are lost", path),
            Lost::Spelling(path) => ("the text is written differently", path),
        }
    }
}

/// The part of a written value that the variable had before and lacks now. `before` and `after` are the final
/// values.
pub fn lost(written: &Value, before: &Value, after: &Value, path: &str) -> Option<Lost> {
    guarded(|| {
        if written.is_null() {
            let is_kept = !before.is_null() || after.is_null();
            return (!is_kept).then(|| Lost::Null(path.to_owned()));
        }
        if let (Some(was), Some(is)) = (before.as_sequence(), after.as_sequence()) {
            let given = written.as_sequence().unwrap_or_default();
            let was_ordered = !matches!(before.ty(), Type::Set(_));
            let is_ordered = !matches!(after.ty(), Type::Set(_));
            // A list keeps the duplicates and the order that a set lost.
            if !was_ordered && is_ordered {
                return None;
            }
            if was.len() != is.len() {
                return Some(Lost::Duplicates(path.to_owned()));
            }
            if was_ordered && matches!(after.ty(), Type::Set(_)) {
                let differs = is_other_order(was, is);
                return differs.then(|| Lost::Order(path.to_owned()));
            }
            if !was_ordered {
                return lost_of_members(given, (before, after), path);
            }
            let each = given.iter().zip(was.iter().zip(is)).enumerate();
            return each
                .into_iter()
                .find_map(|(at, (it, (was, is)))| lost(it, was, is, &format!("{path}[{at}]")));
        }
        if let (Some(was), Some(is)) = (before.as_mapping(), after.as_mapping()) {
            let given = written.as_mapping()?;
            return given.iter().find_map(|(name, it)| {
                let path = format!("{path}.{name}");
                match (was.get(name), is.get(name)) {
                    (Some(was), Some(is)) => lost(it, was, is, &path),
                    (Some(_), None) => Some(Lost::Attribute(path)),
                    _ => None,
                }
            });
        }
        let (was, is) = (before.as_str()?, after.as_number()?);
        (is.to_decimal() != was).then(|| Lost::Spelling(path.to_owned()))
    })
}

/// The part that an element of a set loses. A set has its elements in an order of its own, so each is converted by
/// itself.
fn lost_of_members(given: &[Value], both: (&Value, &Value), path: &str) -> Option<Lost> {
    let (was, is) = (both.0.ty().element()?, both.1.ty().element()?);
    given.iter().enumerate().find_map(|(at, it)| {
        let (was, is) = (convert(it, was).ok()?, convert(it, is).ok()?);
        lost(it, &was, &is, &format!("{path}[{at}]"))
    })
}

/// Whether a set has its elements in another order than a list. Elements that do not compare count as equal.
fn is_other_order(list: &[Value], set: &[Value]) -> bool {
    let key = |it: &Value| tf_value::typeexpr::value_source(it);
    list.iter().zip(set).any(|(one, other)| key(one) != key(other))
}
