//! Finite choices: what the words name is what the set holds.

use super::{
    assert_holds_what_it_says, pairs,
    pools::{Set, matches, texts},
};
use crate::sets::{Kind, ValueSet, contains, display::conjuncts, in_words, joined};
use tf_value::{Type, Value};

fn words(set: &ValueSet, ty: &Type) -> String {
    in_words(set, ty, false, &|_| None)
}

/// The values that words of the forms `"a"` and `one of "a", "b"` name.
fn named(words: &str) -> Vec<String> {
    let each = words.strip_prefix("one of ").unwrap_or(words).split(", ");
    each.filter(|it| *it != "nothing").map(|it| it.trim_matches('"').to_owned()).collect()
}

/// Every subset of these values.
fn subsets(values: &[Value]) -> Vec<ValueSet> {
    let of = |chosen: usize| {
        let there = values.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        ValueSet::OneOf(there.map(|it| it.1.clone()).collect())
    };
    (1..1 << values.len()).map(of).collect()
}

#[test]
fn words_name_just_the_choices_that_a_set_holds() {
    let names = ["a", "b", "c", "d"];
    let all = subsets(&texts(&names));
    let agree = |set: &ValueSet| {
        let is_in = |it: &&str| contains(set, &Value::string(*it)) == Some(true);
        let inside: Vec<&str> = names.iter().filter(|it| is_in(it)).copied().collect();
        let mut told = named(&words(set, &Type::String));
        told.sort_unstable();
        assert_eq!(told, inside, "{set:?}");
    };
    for (one, other) in all.iter().flat_map(|it| all.iter().map(move |other| (it, other))) {
        let both = ValueSet::all([one.clone(), other.clone()]);
        agree(&both);
        agree(&ValueSet::either([one.clone(), other.clone()]));
        agree(&ValueSet::all([one.clone(), other.clone().negated()]));
        agree(&ValueSet::all([both.clone(), all[6].clone()]));
        agree(&ValueSet::either([both, all[6].clone()]));
        // As parts that were not joined.
        agree(&ValueSet::All(vec![one.clone(), other.clone()]));
        agree(&ValueSet::All(vec![ValueSet::Kind(Kind::String), one.clone(), other.clone()]));
    }
}

#[test]
fn choices_keep_the_order_of_the_first() {
    let one_of = |them: &[&str]| ValueSet::OneOf(texts(them));
    let both = ValueSet::all([one_of(&["c", "a", "b"]), one_of(&["a", "b", "c", "d"])]);
    assert_eq!(both, one_of(&["c", "a", "b"]));
    let both = ValueSet::all([one_of(&["c", "a", "b"]), one_of(&["b", "c"])]);
    assert_eq!(both, one_of(&["c", "b"]));
    assert_eq!(ValueSet::all([one_of(&["a"]), one_of(&["b"])]), ValueSet::Nothing);
    let three = ValueSet::all([one_of(&["a", "b"]), matches("b"), one_of(&["b", "c"])]);
    assert_eq!(three, ValueSet::all([one_of(&["b"]), matches("b")]));
}

/// Null stays where both have it: an attribute may be null.
#[test]
fn null_is_a_choice_where_both_have_it() {
    let or_null = |them: &[&str]| {
        let null = Value::null(Type::Dynamic);
        ValueSet::OneOf(texts(them).into_iter().chain([null]).collect())
    };
    let one_of = |them: &[&str]| ValueSet::OneOf(texts(them));
    assert_eq!(ValueSet::all([or_null(&["a", "b"]), one_of(&["b"])]), one_of(&["b"]));
    assert_eq!(ValueSet::all([or_null(&["a", "b"]), or_null(&["b"])]), or_null(&["b"]));
    assert_eq!(
        ValueSet::all([or_null(&["a"]), or_null(&["b"])]),
        ValueSet::OneOf(vec![Value::null(Type::Dynamic)])
    );
}

/// If an attribute is null in one value and absent in the other, it is unknown whether the two are the same.
#[test]
fn choices_that_cannot_be_told_apart_are_all_named() {
    let object = |members: &[(&str, Value)]| {
        Value::object(members.iter().map(|(name, it)| ((*name).into(), it.clone())).collect())
    };
    let (a, null) = (("a", Value::int(1)), ("b", Value::null(Type::String)));
    let one = ValueSet::OneOf(vec![object(std::slice::from_ref(&a)), Value::int(1)]);
    let other = ValueSet::OneOf(vec![object(&[a, null]), Value::int(1)]);
    let both = ValueSet::all([one, other]);
    assert!(matches!(both, ValueSet::All(_)), "{both:?}");
    assert_eq!(
        words(&both, &Type::Dynamic),
        "one of { a = 1 }, 1 that is one of { a = 1, b = null }, 1"
    );
    let list = |it: &[&str]| Value::tuple(texts(it));
    let lists = |them: &[&[&str]]| ValueSet::OneOf(them.iter().map(|it| list(it)).collect());
    let both = ValueSet::all([lists(&[&["a"], &["b"]]), lists(&[&["b"], &["a", "b"]])]);
    assert_eq!(both, lists(&[&["b"]]));
}

#[test]
fn parts_that_words_join_are_the_same_set() {
    for pool in super::pools() {
        for Set { set, is_in } in pairs(&pool) {
            let set = match &set {
                ValueSet::Either(parts) => ValueSet::Either(joined::choices(parts, &pool.ty)),
                one => ValueSet::All(joined::together(conjuncts(one), &pool.ty)),
            };
            assert_holds_what_it_says(&Set { set, is_in }, &pool.values);
        }
    }
}
