//! The laws of domains, over small pools of types and values. (`tests/it/functions/domain.rs` compares the
//! domains of all functions with what their calls give.)

use std::collections::BTreeSet;

use super::*;
use crate::functions::{all, check_count, lookup};

fn function(name: &str) -> &'static Function {
    lookup(name).unwrap()
}

fn object(attributes: &[(&str, Type)]) -> Type {
    Type::object(attributes.iter().map(|(name, ty)| ((*name).into(), ty.clone())).collect())
}

fn types() -> Vec<Type> {
    let (string, number, boolean, any) = (Type::String, Type::Number, Type::Bool, Type::Dynamic);
    let tuple = |of: &[&Type]| Type::tuple(of.iter().map(|it| (*it).clone()).collect());
    let strings = Type::list(string.clone());
    vec![
        string.clone(),
        number.clone(),
        boolean.clone(),
        strings.clone(),
        Type::list(number.clone()),
        Type::list(any.clone()),
        Type::set(boolean.clone()),
        Type::set(any.clone()),
        Type::map(string.clone()),
        Type::map(number.clone()),
        Type::map(any.clone()),
        tuple(&[]),
        tuple(&[&string]),
        tuple(&[&string, &number]),
        tuple(&[&boolean, &number]),
        tuple(&[&boolean, &boolean]),
        tuple(&[&string, &strings]),
        tuple(&[&tuple(&[&string]), &tuple(&[&number])]),
        tuple(&[&tuple(&[&string]), &strings]),
        tuple(&[&object(&[("a", string.clone())]), &object(&[("b", string.clone())])]),
        tuple(&[&object(&[("a", string.clone())]), &object(&[("a", boolean.clone())])]),
        tuple(&[&tuple(&[&boolean]), &Type::list(number.clone())]),
        object(&[]),
        object(&[("a", string.clone())]),
        object(&[("a", number.clone()), ("b", string.clone())]),
        object(&[("a", boolean.clone()), ("b", number.clone())]),
        object(&[("a", string.clone()), ("b", strings)]),
        object(&[("a", number), ("b", any)]),
    ]
}

/// Values of a type, one of each kind that a conversion distinguishes. The value of type `any` is
/// null.
fn values(ty: &Type) -> Vec<Value> {
    let rounds = |types: &[&Type]| {
        let each: Vec<Vec<Value>> = types.iter().map(|it| values(it)).collect();
        let longest = each.iter().map(Vec::len).max().unwrap_or(1);
        let at = |round: usize| each.iter().map(|it| it[round % it.len()].clone()).collect();
        (0..longest).map(at).collect::<Vec<Vec<Value>>>()
    };
    match ty {
        Type::String => ["a", "5", "true"].map(Value::string).into(),
        Type::Number => vec![Value::int(0), Value::int(7)],
        Type::Bool => [true, false].map(Value::bool).into(),
        Type::Dynamic => vec![Value::null(Type::Dynamic)],
        Type::List(of) | Type::Set(of) | Type::Map(of) => {
            let elements = if **of == Type::Dynamic { Vec::new() } else { values(of) };
            let of = || (**of).clone();
            let make = |elements: Vec<Value>| match ty {
                Type::List(_) => Value::list(of(), elements),
                Type::Set(_) => Value::set(of(), elements),
                _ => Value::map(of(), ["a".into(), "b".into()].into_iter().zip(elements).collect()),
            };
            let ones = elements.iter().map(|it| make(vec![it.clone()]));
            [make(Vec::new()), make(elements.clone())].into_iter().chain(ones).collect()
        }
        Type::Tuple(of) => {
            rounds(&of.iter().collect::<Vec<_>>()).into_iter().map(Value::tuple).collect()
        }
        Type::Object(of) => {
            let rounds = rounds(&of.attributes.values().collect::<Vec<_>>());
            let named = |it: Vec<Value>| of.attributes.keys().cloned().zip(it).collect();
            rounds.into_iter().map(|it| Value::object(named(it))).collect()
        }
    }
}

#[test]
fn a_type_always_converts_if_each_of_its_values_does() {
    let mut counts = [0; 2];
    for (from, to) in types().iter().flat_map(|it| types().into_iter().map(move |to| (it, to))) {
        let refused = values(from).into_iter().find(|it| convert(it, &to).is_err());
        let always = always_converts(from, &to);
        // No parameter is an object, so it does not matter whether a map converts to the empty one.
        let is_asked = !matches!(from, Type::Map(_)) || to != object(&[]);
        let expected = refused.is_none() && is_asked;
        assert_eq!(always, expected, "{from:?} to {to:?}: {refused:?}");
        counts[usize::from(always)] += 1;
    }
    assert!(counts.iter().all(|it| *it > 100), "{counts:?}");
}

#[test]
fn every_type_in_the_place_of_any_is_there_once() {
    let kinds = KINDS.len();
    let any = || Type::Dynamic;
    for (ty, count) in [
        (any(), kinds + 1),
        (Type::list(any()), kinds + 1),
        (Type::set(any()), kinds + 1),
        (Type::map(any()), kinds + 1),
        (Type::tuple(vec![any(), Type::String, any()]), (kinds + 1) * (kinds + 1)),
        (object(&[("a", any()), ("b", any())]), (kinds + 1) * (kinds + 1)),
        (object(&[("a", Type::Number), ("b", Type::list(any()))]), kinds + 1),
        (Type::list(Type::Bool), 1),
    ] {
        let types = KnownArgument::of(ty.clone()).types().unwrap();
        let texts: BTreeSet<String> = types.iter().map(|it| format!("{it:?}")).collect();
        assert_eq!((types.len(), texts.len()), (count, count), "{ty:?}");
        assert!(types.iter().all(|it| it.conforms_to(&ty)), "{ty:?}");
        // A value of no type is null; what may not be null has one.
        let has_null = |it: &[Type]| it.contains(&Type::Dynamic);
        assert_eq!(has_null(&types), ty == Type::Dynamic, "{ty:?}");
        assert!(!has_null(&KnownArgument::not_null(ty).types().unwrap()));
    }
}

#[test]
fn a_choice_has_the_types_of_each_argument_in_it() {
    let constant = KnownArgument::Constant(Value::bool(true));
    let choice = KnownArgument::OneOf(vec![
        KnownArgument::of(Type::list(Type::Dynamic)),
        constant,
        KnownArgument::OneOf(vec![
            KnownArgument::not_null(Type::Number),
            KnownArgument::of(Type::String),
        ]),
    ]);
    let types = choice.types().unwrap();
    assert_eq!(types.len(), KINDS.len() + 1 + 3);
    assert_eq!(types[KINDS.len() + 1..], [Type::Bool, Type::Number, Type::String]);
    assert_eq!(KnownArgument::OneOf(Vec::new()).types().unwrap(), [Type::Dynamic]);
}

/// Arguments of each type: one that may be null, and one that may not.
fn arguments() -> Vec<KnownArgument> {
    types()
        .into_iter()
        .flat_map(|it| [KnownArgument::of(it.clone()), KnownArgument::not_null(it)])
        .collect()
}

/// Functions of one argument.
fn unary() -> impl Iterator<Item = &'static Function> {
    all().iter().copied().filter(|it| check_count(it, 1).is_ok())
}

#[test]
fn the_domain_of_a_choice_is_that_of_each_argument_in_it() {
    let arguments = arguments();
    for function in unary() {
        let of = |it: &KnownArgument| domain(function, Release::NEWEST, std::slice::from_ref(it));
        let domains: Vec<Domain> = arguments.iter().map(of).collect();
        for (at, (one, known)) in arguments.iter().zip(&domains).enumerate() {
            let other = (at * 7 + 3) % arguments.len();
            let choice = of(&KnownArgument::OneOf(vec![one.clone(), arguments[other].clone()]));
            let expected = match (known, &domains[other]) {
                (one, other) if one == other => one.clone(),
                // One of them fails on null, and the other never.
                (Domain::Total, null @ Domain::FailsOnNull(_))
                | (null @ Domain::FailsOnNull(_), Domain::Total) => null.clone(),
                _ => Domain::Partial,
            };
            assert_eq!(choice, expected, "{} of {one:?}, {:?}", function.name, arguments[other]);
        }
    }
}

#[test]
fn up_to_a_thousand_combinations_are_told_apart() {
    let upper = function("upper");
    let of = |count: usize| {
        let text = KnownArgument::Constant(Value::string("a"));
        domain(upper, Release::NEWEST, &[KnownArgument::OneOf(vec![text; count])])
    };
    assert_eq!(of(MOST), Domain::Total);
    assert_eq!(of(MOST + 1), Domain::Partial);
    let most = KnownArgument::OneOf(vec![KnownArgument::not_null(Type::String); MOST + 1]);
    assert_eq!(result_type(upper, Release::NEWEST, &[most]), Type::Dynamic);
}

#[test]
fn of_too_many_combinations_nothing_is_told_that_one_of_them_contradicts() {
    let mut total = BTreeSet::new();
    for function in unary() {
        for one in arguments() {
            let many = KnownArgument::OneOf(vec![one.clone(); MOST + 1]);
            let known = domain(function, Release::NEWEST, &[one]);
            let told = domain(function, Release::NEWEST, &[many]);
            assert!(told == Domain::Partial || told == known, "{}: {told:?}", function.name);
            if told == Domain::Total {
                total.insert(function.name);
            }
        }
    }
    assert_eq!(total, ["issensitive", "yamlencode"].into());
}

#[test]
fn a_domain_that_is_kept_is_the_one_that_was_derived() {
    let release = Release::NEWEST;
    for function in unary() {
        for argument in arguments() {
            let asked = [argument];
            let derived = derived(function, release, &asked);
            // The second is the kept one.
            for _ in 0..2 {
                assert_eq!(
                    domain(function, release, &asked),
                    derived,
                    "{} {asked:?}",
                    function.name
                );
            }
        }
    }
    let null = |null| [KnownArgument::Typed { ty: Type::String, null }];
    let upper = function("upper");
    assert_ne!(domain(upper, release, &null(true)), domain(upper, release, &null(false)));
}
