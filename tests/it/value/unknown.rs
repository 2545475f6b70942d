//! Facts about unknown values, as cty settles them.

use std::collections::BTreeMap;

use tf_value::{Number, Refinements, Type, Value, ValueContent, convert, ops, unify};

fn of_length(ty: Type, lower: u32, upper: u32) -> Value {
    let bound = |it: u32| Some((Number::parse(&it.to_string()).unwrap(), true));
    let mut refinements = Refinements::default();
    (refinements.not_null, refinements.lower, refinements.upper) =
        (true, bound(lower), bound(upper));
    Value::unknown(ty).refined(refinements)
}

/// Two unknown elements of a set may be one, and the keys of a map are not known.
#[test]
fn a_known_length_settles_what_has_one_form() {
    let lists = |it| [Type::list(it), Type::set(Type::String), Type::map(Type::String)];
    for (length, settled) in
        [(0, [true, true, true]), (1, [true, true, false]), (2, [true, false, false])]
    {
        let known = lists(Type::String).map(|it| of_length(it, length, length).is_known());
        assert_eq!(known, settled, "{length}");
    }
    assert!(lists(Type::String).iter().all(|it| !of_length(it.clone(), 1, 2).is_known()));
    let two = of_length(Type::list(Type::String), 2, 2);
    let ValueContent::Sequence(elements) = two.content() else { panic!("{two:?}") };
    assert!(elements.iter().all(|it| !it.is_known()));
    assert_eq!(elements.len(), 2);
}

/// An unknown object has attributes of known types, and indices of none.
#[test]
fn an_index_of_an_unknown_object_is_of_any_type() {
    let object = Value::unknown(Type::object(BTreeMap::from([("a".into(), Type::Number)])));
    let found = ops::attribute(&object, "a").unwrap();
    assert_eq!((found.is_known(), found.ty()), (false, &Type::Number));
    let found = ops::index(&object, &Value::string("a")).unwrap();
    assert_eq!((found.is_known(), found.ty()), (false, &Type::Dynamic));
    let absent = ops::index(&object, &Value::string("b")).unwrap();
    assert_eq!(absent.ty(), &Type::Dynamic);
}

/// `true ? [null, {}] : [{}]` is an error in Terraform: no list holds both.
#[test]
fn a_null_and_an_object_are_no_elements_of_one_list() {
    let object = || Type::object(BTreeMap::new());
    let of_two = |first| Type::tuple(vec![first, object()]);
    assert!(unify(&[of_two(Type::Dynamic), Type::tuple(vec![object()])]).is_none());
    let common = unify(&[of_two(object()), Type::tuple(vec![object()])]).unwrap();
    assert_eq!(common.ty, Type::list(object()));
}

/// A text has no bounds.
#[test]
fn a_number_that_becomes_a_text_keeps_no_bounds() {
    let mut facts = Refinements::default();
    (facts.not_null, facts.lower) = (true, Some((Number::parse("0").unwrap(), true)));
    let number = Value::unknown(Type::Number).refined(facts);
    let text = convert(&number, &Type::String).unwrap();
    let kept = text.refinements().unwrap();
    assert!(kept.not_null && kept.lower.is_none() && kept.upper.is_none());
}
