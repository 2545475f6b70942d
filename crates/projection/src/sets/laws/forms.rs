//! The normal forms of sets, the answers for values that are not known, and the work of a question.

use super::pools::{matches, one_of, texts};
use crate::sets::{
    Kind, Length, Limit, Measure, NumberRange, Reason, Region, Sample, ValueSet, cases::cases,
    contains, is_empty, witnesses,
};
use diagnostics::Span;
use tf_value::{Attributes, Number, Type, Value};

fn characters(min: Option<u64>, max: Option<u64>) -> ValueSet {
    ValueSet::Length(Measure::Characters, Length { min, max })
}

fn items(min: Option<u64>, max: Option<u64>) -> ValueSet {
    ValueSet::Length(Measure::Items, Length { min, max })
}

fn and(one: &ValueSet, other: &ValueSet) -> ValueSet {
    ValueSet::all([one.clone(), other.clone()])
}

fn or(one: &ValueSet, other: &ValueSet) -> ValueSet {
    ValueSet::either([one.clone(), other.clone()])
}

#[test]
fn a_choice_that_is_made_is_not_repeated() {
    let b = ValueSet::Unique;
    for (narrow, wide) in [
        (one_of(&["a"]), one_of(&["a", "c"])),
        (ValueSet::Items(Box::new(one_of(&["a"]))), ValueSet::Items(Box::new(one_of(&["a", "b"])))),
        (ValueSet::Keys(Box::new(one_of(&["a"]))), ValueSet::Keys(Box::new(one_of(&["a", "b"])))),
        (ValueSet::place(2, true, matches("^a")), items(Some(3), None)),
        (ValueSet::place(2, true, matches("^a")), items(Some(1), None)),
        (ValueSet::place(2, true, matches("^a")), ValueSet::place(2, false, matches("^a"))),
        (items(Some(2), Some(3)), items(Some(1), Some(3))),
    ] {
        assert_eq!(and(&narrow, &or(&wide, &b)), narrow, "{wide:?}");
        assert_ne!(and(&wide, &or(&narrow, &b)), wide, "{narrow:?}");
    }
    let third = ValueSet::place(2, true, matches("^a"));
    for wider in [items(Some(4), None), items(Some(1), Some(9))] {
        assert_ne!(and(&third, &or(&wider, &b)), third, "{wider:?}");
    }
}

#[test]
fn lengths_of_one_kind_side_by_side_are_one() {
    let of = |min, max| and(&ValueSet::Kind(Kind::String), &characters(min, max));
    let none = || None;
    assert_eq!(or(&of(none(), Some(3)), &of(Some(4), None)), ValueSet::Kind(Kind::String));
    assert_eq!(or(&of(Some(2), Some(3)), &of(Some(4), Some(5))), of(Some(2), Some(5)));
    assert_eq!(or(&of(none(), Some(3)), &of(Some(2), Some(5))), of(None, Some(5)));
    assert!(matches!(or(&of(Some(1), Some(3)), &of(Some(5), None)), ValueSet::Either(_)));
}

#[test]
fn two_halves_are_the_whole() {
    let text = ValueSet::Kind(Kind::String);
    let (a, b) = (matches("^a"), matches("b"));
    for half in [a.clone(), characters(None, Some(3)), one_of(&["x", "y"])] {
        let halves = or(&and(&text, &half), &and(&half.clone().negated(), &text));
        assert_eq!(halves, text, "{half:?}");
    }
    let low = and(&b, &characters(None, Some(3)));
    assert_eq!(or(&low, &and(&b, &characters(Some(3), None))), b);
    assert!(matches!(or(&low, &and(&b, &characters(Some(5), None))), ValueSet::Either(_)));
    let quarters = or(&and(&a, &b), &and(&a.clone().negated(), &b.clone().negated()));
    assert!(matches!(quarters, ValueSet::Either(_)), "{quarters:?}");
}

#[test]
fn a_limit_beside_a_choice_of_lengths_says_nothing() {
    let exactly = |count| characters(Some(count), Some(count));
    let even = or(&exactly(0), &exactly(2));
    assert_eq!(and(&characters(None, Some(3)), &even), even);
    assert_eq!(and(&even, &characters(None, Some(2))), even);
    for limit in [characters(None, Some(1)), characters(Some(1), None), items(None, Some(3))] {
        assert!(matches!(and(&limit, &even), ValueSet::All(_)), "{limit:?}");
    }
    let open = or(&even, &matches("^a"));
    assert!(matches!(and(&characters(None, Some(3)), &open), ValueSet::All(_)));
}

#[test]
fn what_says_nothing_is_everything_and_what_cannot_be_is_nothing() {
    let (all, none) = (|| ValueSet::Anything, || ValueSet::Nothing);
    assert_eq!(ValueSet::place(1, false, all()), all());
    assert_eq!(ValueSet::place(1, true, none()), none());
    assert_eq!(ValueSet::member("a".into(), false, all()), all());
    assert_eq!(ValueSet::member("a".into(), true, none()), none());
    assert_eq!(ValueSet::items_from(0, matches("a")), ValueSet::Items(Box::new(matches("a"))));
    assert_eq!(ValueSet::items_from(2, none()), items(None, Some(2)));
    let x = ValueSet::member("x".into(), true, all());
    for set in [x.clone(), x.clone().negated(), and(&x, &matches("a")), or(&x, &matches("a"))] {
        assert!(set.names_member("x") && !set.names_member("y"), "{set:?}");
    }
}

#[test]
fn null_comes_in_and_goes_out() {
    let null = || Value::null(Type::Dynamic);
    for set in [one_of(&["a"]), ValueSet::Nothing, ValueSet::Kind(Kind::String), matches("a")] {
        assert!(set.clone().with_null().accepts_null(), "{set:?}");
        for value in texts(&["a", "b"]) {
            let with_null = set.clone().with_null();
            assert_eq!(contains(&with_null, &value), contains(&set, &value), "{value:?} {set:?}");
        }
    }
    let only_null = ValueSet::OneOf(vec![null()]);
    assert_eq!(only_null.clone().without_null(), ValueSet::Nothing);
    assert_eq!(only_null.with_null().without_null(), ValueSet::Nothing);
    // Null alone stays. If there are other values, the region says whether null is in.
    let only_null = ValueSet::OneOf(vec![null()]);
    assert_eq!(ValueSet::either([only_null.clone()]), only_null);
    assert_eq!(or(&only_null, &matches("a")), matches("a"));
    let either = ValueSet::OneOf(vec![null(), Value::string("a")]);
    assert_eq!(either.without_null(), one_of(&["a"]));
}

#[test]
fn nothing_is_told_of_what_is_not_known() {
    let unknown = Value::unknown(Type::Dynamic);
    let inner = || Box::new(one_of(&["a"]));
    for set in [
        ValueSet::Items(inner()),
        ValueSet::Unique,
        ValueSet::Values(inner()),
        ValueSet::Keys(inner()),
        ValueSet::Kind(Kind::String),
        one_of(&["a"]),
    ] {
        assert_eq!(contains(&set, &unknown), None, "{set:?}");
        assert_eq!(contains(&set.clone().negated(), &unknown), None, "{set:?}");
    }
    let list = Value::tuple(vec![Value::string("b"), Value::unknown(Type::String)]);
    assert_eq!(contains(&ValueSet::Items(inner()), &list), Some(false));
    assert_eq!(contains(&ValueSet::SomeItem(inner()), &list), None);
}

#[test]
fn values_are_one_where_json_cannot_tell_them_apart() {
    let list = |of: &[&str]| Value::list(Type::String, texts(of));
    let set = |of: &[&str]| Value::set(Type::String, texts(of));
    let is = |one: &Value, other: &Value| contains(&ValueSet::OneOf(vec![one.clone()]), other);
    assert_eq!(is(&list(&["a", "b"]), &Value::tuple(texts(&["a", "b"]))), Some(true));
    assert_eq!(is(&list(&["b", "a"]), &list(&["a", "b"])), Some(false));
    assert_eq!(is(&set(&["a", "b"]), &set(&["a", "c"])), Some(false));
    // The elements of a set have no order.
    assert_eq!(is(&set(&["a", "b"]), &list(&["b", "a"])), None);
    assert_eq!(is(&set(&["a", "b"]), &list(&["a", "b", "c"])), Some(false));
    let object = |of: &[(&str, Value)]| {
        Value::object(of.iter().map(|(name, it)| ((*name).into(), it.clone())).collect())
    };
    let (one, null) = (("a", Value::int(1)), ("b", Value::null(Type::String)));
    let alone = [one.clone()];
    assert_eq!(is(&object(&alone), &object(&alone)), Some(true));
    assert_eq!(is(&object(&alone), &object(&[one.clone(), null.clone()])), None);
    assert_eq!(is(&object(&[one.clone(), null]), &object(&alone)), None);
    assert_eq!(is(&object(&alone), &object(&[])), Some(false));
    assert_eq!(is(&object(&[]), &object(&[one])), Some(false));
}

#[test]
fn only_canonical_texts_are_witnesses() {
    let of = |texts: &[&str]| {
        let sample = Sample { count: 5, seed: 1, null: false };
        witnesses(&one_of(texts), &Type::String, sample)
    };
    assert_eq!(of(&["\u{e9}"]), texts(&["\u{e9}"]));
    assert_eq!(of(&["a\r\nb", "a"]), texts(&["a"]));
    // NFC, but two code points for one character.
    assert_eq!(of(&["x\u{323}\u{302}"]), []);
}

#[test]
fn only_values_of_the_type_are_witnesses() {
    let of = |values: Vec<Value>, ty: &Type| {
        witnesses(&ValueSet::OneOf(values), ty, Sample { count: 5, seed: 1, null: false })
    };
    let object = |name: &str| Value::object([(name.into(), Value::string("x"))].into());
    let attributes = ["a", "b"].map(|it| (it.into(), Type::String));
    let ty = Attributes { attributes: attributes.into(), optional: ["b".into()].into() }.into();
    assert_eq!(of(vec![object("b"), object("a")], &ty), [object("a")]);
    let values = vec![Value::null(Type::Dynamic), Value::unknown(Type::String), Value::int(1)];
    assert_eq!(of(values, &Type::Dynamic), [Value::int(1)]);
}

#[test]
fn characters_are_told_apart_in_printable_ascii_alone() {
    // The three code points of `e\u{301}x` may be two characters, which the first pattern counts, or three.
    let two = matches(r"^[\s\S]{2}$");
    assert!(!is_empty(&and(&two, &matches("^e\u{301}x$")), &Type::String, &mut 0));
    assert!(!is_empty(&and(&two, &matches("^\u{301}bx$")), &Type::String, &mut 0));
    assert!(is_empty(&and(&two, &matches("^abc$")), &Type::String, &mut 0));
    assert!(!is_empty(&and(&two, &matches("^ab$")), &Type::String, &mut 0));
}

#[test]
fn sets_that_nobody_simplified_are_decided_too() {
    let raw = |parts: [ValueSet; 2]| ValueSet::All(parts.into());
    assert!(is_empty(&raw([matches("^a"), ValueSet::Nothing]), &Type::String, &mut 0));
    assert!(!is_empty(&raw([matches("^a"), ValueSet::Anything]), &Type::String, &mut 0));
    assert!(is_empty(&ValueSet::OneOf(Vec::new()), &Type::String, &mut 0));
    let lists = ValueSet::OneOf(vec![Value::tuple(Vec::new())]);
    assert!(!is_empty(
        &raw([lists.clone(), items(None, Some(1))]),
        &Type::list(Type::Bool),
        &mut 0
    ));
    assert!(is_empty(&raw([lists, items(Some(1), None)]), &Type::list(Type::Bool), &mut 0));
}

#[test]
fn divisors_are_looked_at_through_their_common_period() {
    let limit = |value| Some(Limit { value: Number::from_u64(value), inclusive: true });
    let within = |upper| {
        let range = ValueSet::Range(NumberRange { lower: limit(1), upper: limit(upper) });
        ValueSet::all([ValueSet::MultipleOf(400), ValueSet::MultipleOf(600), range])
    };
    assert!(is_empty(&within(1199), &Type::Number, &mut 0));
    assert!(!is_empty(&within(1200), &Type::Number, &mut 0));
}

#[test]
fn what_is_not_searched_to_the_end_is_not_called_empty() {
    // A text of seventeen characters, before which lie more states than are looked at.
    // (A lone pattern without assertions inside has a text, which takes no search.)
    let far = and(&matches("^[ab]*a[ab]{14}c$"), &matches("c$"));
    let mut work = 7;
    assert!(!is_empty(&far, &Type::String, &mut work));
    assert!(work > 10_000, "{work}");
    let (mut little, before) = (7, 7);
    assert!(is_empty(&and(&matches("^a"), &matches("^b")), &Type::String, &mut little));
    assert!(little > before && little < 1000, "{little}");
}

#[test]
fn there_are_as_many_cases_as_one_asks_for_or_none() {
    let either = |one: &str, other: &str| or(&matches(one), &matches(other));
    let both = and(&either("a", "b"), &either("c", "d"));
    assert_eq!(cases(&both, true, 3), None);
    assert_eq!(cases(&both, true, 4).unwrap().len(), 4);
    assert_eq!(cases(&both, false, 2).unwrap().len(), 2);
    let three = and(&both, &either("e", "f"));
    assert_eq!(cases(&three, true, 7), None);
    assert_eq!(cases(&three, true, 8).unwrap().len(), 8);
}

#[test]
fn a_region_is_never_too_small_and_exactly_empty_where_it_is_empty() {
    let exact = |null, set: ValueSet| Region::new(null, set);
    let lossy = |null, set: ValueSet| exact(null, set).losing(Reason::Element, Span::default());
    let sets = [one_of(&["a"]), one_of(&["b"]), matches("^a"), ValueSet::Nothing];
    let each = || sets.iter().flat_map(|it| [(true, it.clone()), (false, it.clone())]);
    for ((null, a), (other, b)) in
        each().flat_map(|one| each().map(move |other| (one.clone(), other)))
    {
        let both = lossy(null, a.clone()).and(exact(other, b.clone()));
        let either = lossy(null, a.clone()).or(exact(other, b.clone()));
        assert_eq!((both.null, either.null), (null && other, null || other));
        for value in texts(&["a", "b", "ab"]) {
            let [in_a, in_b] = [&a, &b].map(|it| contains(it, &value).unwrap());
            assert_eq!(contains(&both.values, &value), Some(in_a && in_b));
            assert_eq!(contains(&either.values, &value), Some(in_a || in_b));
        }
        assert_eq!(both.is_exact(), both.values == ValueSet::Nothing, "{a:?} {b:?}");
        assert!(!either.is_exact());
    }
}
