//! Values and types as deep as anybody could write them, on a test's small stack.

use std::collections::BTreeMap;

use tf_value::{Marks, Type, Value, convert, json::value_to_json, ops, unify};

const DEPTH: usize = 5_000;

fn tuple(innermost: Value) -> Value {
    (0..DEPTH).fold(innermost, |it, _| Value::tuple(vec![it]))
}

fn object(innermost: Value) -> Value {
    (0..DEPTH).fold(innermost, |it, _| Value::object(BTreeMap::from([("a".into(), it)])))
}

#[test]
fn deep_values_convert() {
    let list = (0..DEPTH).fold(Type::String, |it, _| Type::list(it));
    let converted = convert(&tuple(Value::int(5)), &list).unwrap();
    assert_eq!(converted.ty(), &list);
    let map = (0..DEPTH).fold(Type::String, |it, _| Type::map(it));
    assert_eq!(convert(&object(Value::int(5)), &map).unwrap().ty(), &map);
    let kept = convert(&tuple(Value::int(5)), &Type::list(Type::Dynamic)).unwrap();
    assert!(matches!(kept.ty(), Type::List(_)));
}

#[test]
fn deep_values_compare_and_print() {
    let (left, right) = (object(Value::int(1)), object(Value::int(1)));
    assert_eq!(ops::equals(&left, &right).as_bool(), Some(true));
    assert_eq!(left, right);
    assert_eq!(value_to_json(&left).unwrap().len(), DEPTH * 6 + 1);
    assert_eq!(Value::set(left.ty().clone(), vec![left, right]).as_sequence().unwrap().len(), 1);
}

#[test]
fn deep_values_are_walked() {
    let marked = tuple(Value::string("x").with_marks(Marks::SENSITIVE));
    assert!(marked.deep_marks().is_sensitive());
    assert!(marked.is_wholly_known());
    assert!(marked.unmark_deep().0.deep_marks().is_empty());
}

/// The search for the reason looks at a type once for each level above it.
#[test]
fn deep_mismatches_are_named() {
    let depth = DEPTH / 10;
    let list = (0..depth).fold(Type::String, |it, _| Type::list(it));
    let value = (0..=depth).fold(Value::int(5), |it, _| Value::tuple(vec![it]));
    let bad = convert(&value, &list).unwrap_err();
    assert_eq!(bad.path.0.len(), depth);
    assert_eq!(bad.reason, "string required");
}

#[test]
fn deep_types_unify() {
    let tuple = |innermost| (0..DEPTH).fold(innermost, |it, _| Type::tuple(vec![it]));
    assert_eq!(unify(&[tuple(Type::Number), tuple(Type::String)]).unwrap().ty, tuple(Type::String));
}

/// Far deeper than any stack, whichever kind of type or value nests.
#[test]
fn what_is_deep_is_dropped() {
    const DEEP: usize = 300_000;
    for around in [Type::list, Type::set, Type::map, |it| Type::tuple(vec![it])] {
        drop((0..DEEP).fold(Type::String, |it, _| around(it)));
    }
    let one = |it| BTreeMap::from([("a".into(), it)]);
    drop((0..DEEP).fold(Value::int(1), |it, _| Value::tuple(vec![it])));
    drop((0..DEEP).fold(Value::int(1), |it, _| Value::object(one(it))));
    drop((0..DEEP).fold(Value::int(1), |it, _| Value::map(Type::Dynamic, one(it))));
}
