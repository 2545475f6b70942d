//! What `functions::domain` says about types of arguments, against calls with values of these
//! types.

use std::collections::{BTreeMap, BTreeSet};

use release::{Product, Release};
use smol_str::SmolStr;
use testkit::{condition::values::Random, eval::is_judged};
use tf_eval::functions::{
    self, CallError, Domain, Function, KnownArgument, Refuses, domain, result_type,
};
use tf_value::{
    Type, Value,
    json::{type_to_json, value_to_json},
};

use super::{call, host::call_as};

fn object(attributes: &[(&str, Type)]) -> Type {
    Type::object(attributes.iter().map(|(name, ty)| (SmolStr::new(name), ty.clone())).collect())
}

fn types() -> Vec<Type> {
    let (string, number, boolean) = (Type::String, Type::Number, Type::Bool);
    let mut types = vec![string.clone(), number.clone(), boolean.clone(), Type::Dynamic];
    let inner = [
        string.clone(),
        number.clone(),
        boolean.clone(),
        Type::Dynamic,
        Type::list(string.clone()),
        Type::map(number.clone()),
        object(&[("a", string.clone()), ("n", number.clone())]),
        object(&[("a", Type::list(string.clone())), ("b", boolean.clone())]),
        Type::tuple(vec![string.clone(), Type::Dynamic]),
    ];
    for it in inner {
        types.extend([Type::list(it.clone()), Type::set(it.clone()), Type::map(it.clone())]);
        types.push(Type::tuple(vec![it.clone()]));
        types.push(object(&[("a", it)]));
    }
    types.extend([
        Type::tuple(vec![]),
        object(&[]),
        Type::tuple(vec![string.clone(), number.clone()]),
        Type::tuple(vec![boolean.clone(), number.clone()]),
        Type::tuple(vec![Type::list(string.clone()), Type::tuple(vec![number.clone()])]),
        Type::tuple(vec![Type::map(string.clone()), object(&[("a", number.clone())])]),
        Type::tuple(vec![string.clone(), Type::list(string.clone())]),
        object(&[("a", string.clone()), ("b", number.clone())]),
        object(&[("a", string.clone()), ("b", Type::list(number.clone()))]),
        Type::list(Type::list(Type::Dynamic)),
        Type::map(Type::list(boolean)),
        Type::list(Type::tuple(vec![string, number])),
    ]);
    types
}

/// Texts that some function takes and others refuse.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "5",
    "-1",
    "true",
    "10.0.0.0/8",
    "10.0.0.1",
    "255.255.0.0",
    "YQ==",
    "%zz",
    "[1]",
    "{",
    "(",
    "/(/",
    "%d",
    "%s",
    "1h",
    "2024-01-01T00:00:00Z",
    "YYYY",
    "UTF-8",
    "dns",
    "a,b\n1,2",
    "a\n1,2",
    "é",
];

/// A value of the type; `depth` nulls are rarer outside.
fn witness(ty: &Type, random: &mut Random, depth: usize) -> Value {
    if depth > 0 && random.below(6) == 0 {
        return Value::null(without_dynamic(ty, random));
    }
    let count = |random: &mut Random| random.below(3);
    match ty {
        Type::String => Value::string(random.pick(TEXTS)),
        Type::Number => {
            let numbers = [-1, 0, 1, 2, 3, 8, 16, 33, 2000];
            let number = Value::int(*random.pick(&numbers));
            match random.below(9) {
                0 => call("pow", &[Value::int(2), Value::int(-1)]).unwrap(),
                1 => call("pow", &[Value::int(10), Value::int(400)]).unwrap(),
                _ => number,
            }
        }
        Type::Bool => Value::bool(random.below(2) == 0),
        Type::Dynamic => {
            let ty = without_dynamic(ty, random);
            witness(&ty, random, depth)
        }
        Type::List(element) | Type::Set(element) => {
            let count = count(random);
            let element =
                if count == 0 { (**element).clone() } else { without_dynamic(element, random) };
            let elements = (0..count).map(|_| witness(&element, random, depth + 1)).collect();
            if matches!(ty, Type::List(_)) {
                Value::list(element, elements)
            } else {
                Value::set(element, elements)
            }
        }
        Type::Map(element) => {
            let count = count(random);
            let element =
                if count == 0 { (**element).clone() } else { without_dynamic(element, random) };
            let keys = ["a", "", "b"];
            let of = |key: &&str| SmolStr::new(key);
            let members: BTreeMap<_, _> = keys
                .iter()
                .take(count)
                .map(|key| (of(key), witness(&element, random, depth + 1)))
                .collect();
            Value::map(element, members)
        }
        Type::Tuple(elements) => {
            Value::tuple(elements.iter().map(|it| witness(it, random, depth + 1)).collect())
        }
        Type::Object(object) => {
            let attributes = object.attributes.iter();
            Value::object(
                attributes
                    .map(|(name, it)| (name.clone(), witness(it, random, depth + 1)))
                    .collect(),
            )
        }
    }
}

/// The type with some type in the place of each `any`.
fn without_dynamic(ty: &Type, random: &mut Random) -> Type {
    if !ty.has_dynamic() {
        return ty.clone();
    }
    match ty {
        Type::Dynamic => {
            let all = types();
            let ty = random.pick(&all).clone();
            if ty.has_dynamic() { Type::String } else { ty }
        }
        Type::List(it) => Type::list(without_dynamic(it, random)),
        Type::Set(it) => Type::set(without_dynamic(it, random)),
        Type::Map(it) => Type::map(without_dynamic(it, random)),
        Type::Tuple(elements) => {
            Type::tuple(elements.iter().map(|it| without_dynamic(it, random)).collect())
        }
        Type::Object(object) => Type::object(
            object
                .attributes
                .iter()
                .map(|(k, it)| (k.clone(), without_dynamic(it, random)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Arguments, most of them of the parameters' types.
fn arguments(function: &Function, random: &mut Random) -> Vec<KnownArgument> {
    let all = types();
    let fixed = function.params.len();
    let count = match function.variadic {
        Some(_) => fixed + random.below(3),
        None if random.below(30) == 0 => random.below(4),
        None => fixed,
    };
    let argument = |index: usize| {
        let param = function.params.get(index).or(function.variadic.as_ref());
        let ty = match param {
            Some(it) if random.below(3) == 0 => it.ty.to_type(),
            _ => random.pick(&all).clone(),
        };
        match random.below(6) {
            0 if random.below(2) == 0 => {
                let other = KnownArgument::not_null(random.pick(&all).clone());
                KnownArgument::OneOf(vec![other, KnownArgument::of(ty)])
            }
            0 => KnownArgument::Constant(witness(&ty, random, 0)),
            1 => KnownArgument::not_null(ty),
            _ => KnownArgument::of(ty),
        }
    };
    (0..count).map(argument).collect()
}

fn of(argument: &KnownArgument, null: bool, random: &mut Random) -> Value {
    match argument {
        KnownArgument::Constant(value) => value.clone(),
        KnownArgument::OneOf(them) => of(random.pick(them), null, random),
        // What is null and of any type has none.
        KnownArgument::Typed { ty: Type::Dynamic, null: true } if null => {
            Value::null(Type::Dynamic)
        }
        KnownArgument::Typed { ty, null: true } if null => Value::null(without_dynamic(ty, random)),
        KnownArgument::Typed { ty, .. } => witness(ty, random, 0),
    }
}

fn is_refused(result: &Result<Value, CallError>) -> Option<bool> {
    match result {
        Ok(_) => Some(false),
        Err(CallError::Undecided { .. } | CallError::Budget { .. }) => None,
        Err(_) => Some(true),
    }
}

/// Whether a value of the type may be one of the other. In the other, `any` means a part that is not known.
fn fits(ty: &Type, other: &Type) -> bool {
    match (ty, other) {
        // A null of no type.
        (Type::Dynamic, _) | (_, Type::Dynamic) => true,
        (Type::List(one), Type::List(other))
        | (Type::Set(one), Type::Set(other))
        | (Type::Map(one), Type::Map(other)) => fits(one, other),
        (Type::Tuple(one), Type::Tuple(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(a, b)| fits(a, b))
        }
        (Type::Object(one), Type::Object(other)) => {
            one.attributes.keys().eq(other.attributes.keys())
                && one.attributes.values().zip(other.attributes.values()).all(|(a, b)| fits(a, b))
        }
        (one, other) => one == other,
    }
}

/// Where a function gives a value, it is also of the reported type.
#[test]
fn domains_are_what_calls_show() {
    let mut wrong = BTreeMap::new();
    let mut unproven = BTreeSet::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let releases =
        ["1.5.7", "1.11.4", "1.15.0"].map(|it| Release::parse(Product::Terraform, it).unwrap());
    let judged = functions::all().iter().filter(|it| is_judged(it));
    for (seed, function) in judged.enumerate() {
        let mut random = Random::new((seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut proven = matches!(function.refuses, Refuses::Nothing);
        for _ in 0..200 {
            let arguments = arguments(function, &mut random);
            let release = *random.pick(&releases);
            let told = domain(function, release, &arguments);
            let of_result = result_type(function, release, &arguments);
            for round in 0..10 {
                let null = |random: &mut Random| round > 5 && random.below(3) == 0;
                let values: Vec<Value> = arguments
                    .iter()
                    .map(|it| {
                        let null = null(&mut random);
                        of(it, null, &mut random)
                    })
                    .collect();
                let result = call_as(release, 100_000_000, function.name, &values);
                let Some(refused) = is_refused(&result) else { continue };
                let is_told = matches!(told, Domain::Total | Domain::FailsOnNull(_));
                if let (Ok(value), true) = (&result, is_told)
                    && !fits(value.ty(), &of_result)
                {
                    let line = format!("{:?} is no {of_result:?}: {arguments:?}", value.ty());
                    wrong.entry(function.name).or_insert(line);
                }
                proven |= refused && told == Domain::Partial;
                let expected = match &told {
                    Domain::Total => false,
                    Domain::Always => true,
                    Domain::FailsOnNull(nulls) => {
                        nulls.iter().any(|it| values.get(*it).is_some_and(Value::is_null))
                    }
                    Domain::Partial => refused,
                };
                *counts
                    .entry(match told {
                        Domain::Total => "total",
                        Domain::Always => "always",
                        Domain::FailsOnNull(_) => "on null",
                        Domain::Partial => "partial",
                    })
                    .or_default() += 1;
                if refused != expected && !wrong.contains_key(function.name) {
                    let types: Vec<_> = values.iter().map(|it| type_to_json(it.ty())).collect();
                    let values: Vec<_> = values.iter().map(value_to_json).collect();
                    let line = format!("{values:?} of {types:?}: {told:?} for {arguments:?}");
                    wrong.insert(function.name, line);
                }
            }
        }
        if !proven {
            unproven.insert(function.name);
        }
    }
    eprintln!("{counts:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unproven.is_empty(), "nothing is refused by {unproven:?}");
}
