//! Sets in words: each form alone, inside another one, and at the end of a list or a depth.

use super::pools::{matches, one_of};
use crate::sets::{Kind, Length, Limit, Measure, NumberRange, ValueSet, contains, in_words};
use tf_value::{Attributes, Number, Type, Value};

fn words(set: &ValueSet, ty: &Type) -> String {
    in_words(set, ty, false, &|_| None)
}

fn all(parts: &[ValueSet]) -> ValueSet {
    ValueSet::all(parts.iter().cloned())
}

fn from(value: i64) -> ValueSet {
    let lower = Some(Limit { value: Number::from_i64(value), inclusive: true });
    ValueSet::Range(NumberRange { lower, upper: None })
}

fn items(min: Option<u64>, max: Option<u64>) -> ValueSet {
    ValueSet::Length(Measure::Items, Length { min, max })
}

fn x() -> ValueSet {
    one_of(&["x"])
}

fn numbers(count: i64) -> ValueSet {
    ValueSet::OneOf((1..=count).map(Value::int).collect())
}

#[test]
fn every_kind_and_type_has_a_noun() {
    let of_type = |ty: Type| words(&ValueSet::Anything, &ty);
    assert_eq!(of_type(Type::String), "a string");
    assert_eq!(of_type(Type::Bool), "true or false");
    assert_eq!(of_type(Type::set(Type::Bool)), "a set");
    assert_eq!(of_type(Type::tuple(Vec::new())), "a tuple");
    assert_eq!(of_type(Type::Dynamic), "a value");
    let of_kind = |kind| words(&ValueSet::Kind(kind), &Type::Dynamic);
    assert_eq!(of_kind(Kind::Boolean), "true or false");
    assert_eq!(of_kind(Kind::Number), "a number");
    assert_eq!(of_kind(Kind::String), "a string");
    assert_eq!(of_kind(Kind::Array), "a list");
    assert_eq!(of_kind(Kind::Object), "an object");
    let short = all(&[ValueSet::Kind(Kind::String), matches("^a")]);
    assert_eq!(words(&short, &Type::Dynamic), "a string that matches ^a");
}

#[test]
fn values_stand_as_literals_and_only_the_first_eight() {
    let literals = ValueSet::OneOf(vec![
        Value::null(Type::String),
        Value::bool(true),
        Value::tuple(Vec::new()),
        Value::tuple(vec![Value::int(1)]),
        Value::object([].into()),
    ]);
    let of_any = Type::list(Type::Dynamic);
    let inside = ValueSet::Items(Box::new(literals));
    assert_eq!(
        words(&inside, &of_any),
        "a list in which every element is one of null, true, an empty list, [1], an empty object"
    );
    assert_eq!(words(&ValueSet::OneOf(Vec::new()), &Type::String), "nothing");
    assert_eq!(words(&numbers(8), &Type::Number), "one of 1, 2, 3, 4, 5, 6, 7, 8");
    assert_eq!(words(&numbers(9), &Type::Number), "one of 1, 2, 3, 4, 5, 6, 7, 8, …");
    let choices = |count: i64| {
        let each = (1..=count).map(|it| matches(&format!("^{it}")));
        words(&ValueSet::either(each), &Type::String)
    };
    assert!(choices(8).ends_with("or a string that matches ^8"), "{}", choices(8));
    assert!(choices(9).ends_with("or a string that matches ^8, …"), "{}", choices(9));
}

#[test]
fn a_text_ends_after_240_characters() {
    let of = |count: usize| words(&matches(&"é".repeat(count)), &Type::String);
    let before = "a string that matches ".len();
    assert!(of(240 - before).ends_with('é'));
    assert_eq!(of(241 - before), format!("{}…", of(240 - before)));
}

#[test]
fn only_null_is_null() {
    let null = ValueSet::OneOf(vec![Value::null(Type::String)]);
    assert_eq!(in_words(&null, &Type::String, true, &|_| None), "null");
    assert_eq!(in_words(&ValueSet::Nothing, &Type::String, true, &|_| None), "null");
    assert_eq!(words(&ValueSet::Nothing, &Type::String), "nothing");
}

#[test]
fn what_is_said_of_the_value_itself_stands_in_one_order() {
    let list = Type::list(Type::String);
    for (set, ty, expected) in [
        (ValueSet::MultipleOf(2), &Type::Number, "a number divisible by 2"),
        (all(&[ValueSet::MultipleOf(3), from(1)]), &Type::Number, "a number from 1 divisible by 3"),
        (
            all(&[ValueSet::MultipleOf(1), numbers(1).negated()]),
            &Type::Number,
            "a whole number other than 1",
        ),
        (ValueSet::Unique.negated(), &list, "a list with equal elements"),
        (
            all(&[matches("^a"), ValueSet::Unique, items(Some(2), Some(2))]),
            &list,
            "a list of 2 elements without equal elements that matches ^a",
        ),
        (items(None, Some(0)), &list, "a list of no elements"),
        (items(Some(1), Some(1)), &list, "a list of 1 element"),
        (items(Some(0), Some(3)), &list, "a list of at most 3 elements"),
        (items(None, Some(1)), &list, "a list of at most 1 element"),
        (items(Some(2), Some(3)), &list, "a list of 2 to 3 elements"),
        (
            all(&[matches("^a"), ValueSet::either([matches("b"), one_of(&["c"])])]),
            &Type::String,
            "a string that matches ^a and that is a string that matches b, or \"c\"",
        ),
        (items(Some(2), None).negated(), &list, "a list that is not a list of at least 2 elements"),
        (
            all(&[matches("^a").negated(), matches("b").negated()]),
            &Type::String,
            "a string that does not match ^a and that does not match b",
        ),
        (ValueSet::OneOf(vec![Value::bool(true)]).negated(), &Type::Bool, "false"),
        (
            ValueSet::OneOf(vec![Value::bool(true)]).negated(),
            &Type::Dynamic,
            "a value other than true",
        ),
        (
            all(&[one_of(&["a", "b"]), matches("a")]),
            &Type::String,
            "one of \"a\", \"b\" that matches a",
        ),
    ] {
        assert_eq!(words(&set, ty), expected);
    }
}

/// Each sentence is true of just the objects that are in the set.
#[test]
fn which_attributes_are_given_is_said_as_people_do() {
    const NAMES: [&str; 3] = ["a", "b", "c"];
    type Wanted = fn(usize) -> bool;
    let given = |it: &str| ValueSet::member(it.into(), true, ValueSet::Anything);
    let missing = |it: &str| ValueSet::member(it.into(), false, ValueSet::Nothing);
    let alone = |it: &str| {
        let others = NAMES.iter().filter(|other| **other != it).map(|other| missing(other));
        all(&others.chain([given(it)]).collect::<Vec<_>>())
    };
    let pair = |one: &str, other: &str| ValueSet::either([missing(one), missing(other)]);
    let least = ValueSet::either(NAMES.map(given));
    let rows = [[0, 1], [0, 2], [1, 2]].map(|it| all(&it.map(|at: usize| missing(NAMES[at]))));
    let most = ValueSet::either(rows);
    let pairs = all(&[pair("a", "b"), pair("a", "c"), pair("b", "c")]);
    let none = all(&NAMES.map(missing));
    let sets: [(ValueSet, &str, Wanted); 7] = [
        (least.clone(), "at least one of `a`, `b`, `c` is given", |it| it > 0),
        (most.clone(), "at most one of `a`, `b`, `c` is given", |it| it < 2),
        (all(&[most, least.clone()]), "exactly one of `a`, `b`, `c` is given", |it| it == 1),
        (all(&[pairs, least.clone()]), "exactly one of `a`, `b`, `c` is given", |it| it == 1),
        (ValueSet::either(NAMES.map(alone)), "exactly one of `a`, `b`, `c` is given", |it| it == 1),
        (ValueSet::either(NAMES.map(missing)), "not all of `a`, `b`, `c` are given", |it| it < 3),
        (
            ValueSet::either([none, all(&NAMES.map(given))]),
            "all of `a`, `b`, `c` are given, or none",
            |it| it == 0 || it == 3,
        ),
    ];
    let ty = Type::map(Type::Bool);
    for (set, expected, wanted) in &sets {
        assert_eq!(words(set, &ty), format!("a map in which {expected}"));
        for chosen in 0..8_usize {
            let there = (0..3).filter(|at| chosen >> at & 1 == 1);
            let members = there.map(|at| (NAMES[at].into(), Value::bool(true))).collect();
            let is_in = contains(set, &Value::map(Type::Bool, members));
            assert_eq!(is_in, Some(wanted(chosen.count_ones() as usize)), "{expected}: {chosen:b}");
        }
    }
    let two = "at least one of `a`, `b`, `c` is given and `a` and `b` are not both given";
    assert_eq!(words(&all(&[least, pair("a", "b")]), &ty), format!("a map in which {two}"));
    let both = |one: ValueSet, other: ValueSet| words(&ValueSet::either([one, other]), &ty);
    assert_eq!(both(missing("a"), given("b")), "a map in which `b` is given if `a` is");
    assert_eq!(both(missing("b"), missing("a")), "a map in which `a` and `b` are not both given");
    let (none, two) = (all(&[missing("a"), missing("b")]), all(&[given("a"), given("b")]));
    assert_eq!(both(none, two), "a map in which both `a` and `b` are given, or neither");
    // Alternatives that say more are described as before.
    let more = ValueSet::member("a".into(), true, one_of(&["x"]));
    let told = both(more, given("b"));
    assert_eq!(told, "a map in which `a` is \"x\", or in which `b` is given");
    // Alternatives about one attribute name it once, unless one says more.
    let a = |values: ValueSet| ValueSet::member("a".into(), true, values);
    let sets = [a(one_of(&["x", "y"])), a(ValueSet::Matches("^z".into())), missing("a")];
    assert_eq!(
        words(&ValueSet::Either(sets.to_vec()), &Type::map(Type::String)),
        "a map in which `a` is one of \"x\", \"y\", a string that matches ^z, or not given"
    );
    let more = all(&[a(one_of(&["x"])), given("b")]);
    assert_eq!(
        words(&ValueSet::Either(vec![more, missing("a")]), &ty),
        "a map in which `a` is \"x\" and `b` is given, or in which `a` is not given"
    );
}

#[test]
fn what_is_inside_is_named_by_its_place() {
    let (strings, map) = (Type::list(Type::String), Type::map(Type::String));
    let pair = Type::tuple(vec![Type::String, Type::Number]);
    let of_lists = Type::list(strings.clone());
    let of_maps = Type::map(map.clone());
    let attributes = ["a", "b"].map(|it| (it.into(), Type::String));
    let object: Type =
        Attributes { attributes: attributes.into(), optional: ["b".into()].into() }.into();
    for (set, ty, expected) in [
        (ValueSet::SomeItem(Box::new(x())), &strings, "a list in which some element is \"x\""),
        (
            ValueSet::Count(Length { min: Some(1), max: None }, Box::new(x())),
            &strings,
            "a list in which at least 1 element is \"x\"",
        ),
        (
            ValueSet::Count(Length { min: Some(1), max: Some(1) }, Box::new(x())),
            &strings,
            "a list in which exactly 1 element is \"x\"",
        ),
        (
            ValueSet::Count(Length { min: Some(2), max: Some(3) }, Box::new(x())),
            &strings,
            "a list in which 2 to 3 elements are each \"x\"",
        ),
        (ValueSet::Keys(Box::new(x())), &map, "a map in which every key is \"x\""),
        (
            ValueSet::ValuesBeside(vec!["a".into(), "b".into()], Box::new(x())),
            &map,
            "a map in which every element but `a`, `b` is \"x\"",
        ),
        (
            ValueSet::ValuesMatching("^a".to_owned(), Box::new(x())),
            &map,
            "a map in which every element whose key matches ^a is \"x\"",
        ),
        (ValueSet::place(1, true, from(1)), &pair, "a tuple in which element 1 is a number from 1"),
        (
            ValueSet::place(2, true, ValueSet::Anything),
            &pair,
            "a tuple in which element 2 is a value",
        ),
        (ValueSet::place(0, true, x()), &strings, "a list in which element 0 is \"x\""),
        (
            ValueSet::Items(Box::new(ValueSet::SomeItem(Box::new(x())))),
            &of_lists,
            "a list in which some element of every element is \"x\"",
        ),
        (
            ValueSet::Values(Box::new(ValueSet::member("a".into(), true, x()))),
            &of_maps,
            "a map in which every element's `a` is \"x\"",
        ),
        (
            ValueSet::member("a".into(), true, ValueSet::Anything),
            &map,
            "a map in which `a` is given",
        ),
        (
            ValueSet::member("a".into(), false, ValueSet::Nothing),
            &map,
            "a map in which `a` is not given",
        ),
        // An attribute that is required is there anyway.
        (ValueSet::member("a".into(), false, x()), &object, "an object in which `a` is \"x\""),
        (
            ValueSet::member("b".into(), false, x()),
            &object,
            "an object in which `b`, if given, is \"x\"",
        ),
        (ValueSet::member("b".into(), true, x()), &object, "an object in which `b` is \"x\""),
        (
            ValueSet::Items(Box::new(all(&[matches("^a"), items(Some(1), None)]))),
            &of_lists,
            "a list in which every element is a list of at least 1 element that matches ^a",
        ),
    ] {
        assert_eq!(words(&set, ty), expected);
    }
}

#[test]
fn limits_of_one_thing_are_one_and_others_stay_apart() {
    let upper = |value: i64| {
        let upper = Some(Limit { value: Number::from_i64(value), inclusive: true });
        ValueSet::Range(NumberRange { lower: None, upper })
    };
    for (set, expected) in [
        (all(&[from(1), upper(5)]), "a number from 1 to 5"),
        (all(&[upper(5), from(1)]), "a number from 1 to 5"),
        (all(&[from(1), from(2)]), "a number from 1 from 2"),
        (all(&[from(1), upper(5), upper(7)]), "a number from 1 to 5 up to 7"),
    ] {
        assert_eq!(words(&set, &Type::Number), expected);
    }
    let characters = ValueSet::Length(Measure::Characters, Length { min: Some(1), max: None });
    assert_eq!(
        words(&all(&[characters, items(None, Some(2))]), &Type::Dynamic),
        "a value of at least 1 character of at most 2 elements"
    );
}

#[test]
fn what_nests_too_deep_is_left_out() {
    let mut set = x();
    let mut ty = Type::String;
    for _ in 0..9 {
        set = ValueSet::Items(Box::new(all(&[set, items(Some(1), None)])));
        ty = Type::list(ty);
    }
    let words = words(&set, &ty);
    assert!(words.contains('…') && words.chars().count() < 241, "{words}");
}
