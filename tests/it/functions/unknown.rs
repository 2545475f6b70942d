//! Unknown arguments. Expectations from plans of Terraform 1.11.4, with `timestamp()`,
//! `split(",", timestamp())` and conditionals on them as the unknowns.

use tf_eval::functions::CallError;
use tf_value::{Marks, Type, Value};

use super::call;

fn ok(name: &str, args: &[Value]) -> Value {
    call(name, args).unwrap_or_else(|it| panic!("{name}: {it:?}"))
}

fn string() -> Value {
    Value::unknown_not_null(Type::String)
}

fn boolean() -> Value {
    Value::unknown_not_null(Type::Bool)
}

fn list() -> Value {
    Value::unknown_not_null(Type::list(Type::String))
}

fn text(it: &str) -> Value {
    Value::string(it)
}

fn tuple<const N: usize>(elements: [Value; N]) -> Value {
    Value::tuple(elements.to_vec())
}

fn is_unknown(value: &Value, ty: &Type) -> bool {
    !value.is_known() && value.ty() == ty
}

#[test]
fn truths_stop_at_what_decides() {
    let (yes, no) = (Value::bool(true), Value::bool(false));
    assert!(is_unknown(&ok("alltrue", &[tuple([boolean(), no.clone()])]), &Type::Bool));
    assert_eq!(ok("alltrue", &[tuple([no.clone(), boolean()])]), no);
    assert_eq!(ok("anytrue", &[tuple([boolean(), yes.clone()])]), yes);
    assert!(is_unknown(&ok("anytrue", &[tuple([boolean(), no])]), &Type::Bool));
}

#[test]
fn lengths_of_structures_are_known() {
    let structure = Value::unknown(Type::tuple(vec![Type::String]));
    assert_eq!(ok("length", &[structure.clone()]), Value::int(1));
    assert_eq!(
        ok("length", &[ok("concat", &[structure.clone(), tuple([text("a")])])]),
        Value::int(2)
    );
    assert_eq!(ok("length", &[ok("reverse", &[structure])]), Value::int(1));
    assert_eq!(ok("length", &[tuple([string()])]), Value::int(1));
    let one = Value::set(Type::String, vec![string()]);
    assert_eq!(ok("length", &[one]), Value::int(1));
    let two = Value::set(Type::String, vec![string(), text("a")]);
    assert!(!ok("length", &[two]).is_known());
    assert!(!ok("length", &[list()]).is_known());
    assert!(!ok("length", &[string()]).is_known());
    assert!(!ok("length", &[Value::unknown(Type::Dynamic)]).is_known());
}

#[test]
fn searches_find_what_is_known() {
    let yes = Value::bool(true);
    assert!(!ok("contains", &[tuple([string()]), text("a")]).is_known());
    assert_eq!(ok("contains", &[tuple([string(), text("a")]), text("a")]), yes);
    assert!(!ok("contains", &[tuple([text("a")]), string()]).is_known());
    assert!(!ok("contains", &[tuple([]), string()]).is_known());
    assert!(!ok("index", &[tuple([string(), text("a")]), text("a")]).is_known());
    assert_eq!(ok("index", &[tuple([text("a"), string()]), text("a")]), Value::int(0));
    let empty = ok("matchkeys", &[tuple([text("x")]), tuple([text("a")]), tuple([string()])]);
    assert_eq!(empty, Value::list(Type::String, vec![]));
}

#[test]
fn choices_end_at_the_first_unknown() {
    assert_eq!(ok("coalesce", &[text("a"), string()]), text("a"));
    let chosen = ok("coalesce", &[string(), text("a")]);
    assert!(is_unknown(&chosen, &Type::String));
    assert!(chosen.refinements().is_some_and(|it| it.not_null));
    assert_eq!(ok("coalesce", &[Value::int(1), string()]), text("1"));
    assert_eq!(ok("coalescelist", &[tuple([text("a")]), list()]), tuple([text("a")]));
    assert!(is_unknown(&ok("coalescelist", &[list(), tuple([text("a")])]), &Type::Dynamic));
    assert!(is_unknown(&ok("coalescelist", &[tuple([]), list()]), &Type::Dynamic));
}

#[test]
fn parts_of_known_structures_are_known() {
    let pair = || tuple([text("a"), string()]);
    assert_eq!(ok("element", &[pair(), Value::int(0)]), text("a"));
    let index = Value::unknown_not_null(Type::Number);
    assert!(is_unknown(&ok("element", &[pair(), index.clone()]), &Type::Dynamic));
    assert_eq!(ok("slice", &[pair(), Value::int(0), Value::int(1)]), tuple([text("a")]));
    assert!(is_unknown(&ok("slice", &[pair(), Value::int(0), index]), &Type::Dynamic));
    let flat = ok("flatten", &[tuple([string(), tuple([text("a")])])]);
    assert_eq!(flat.as_sequence().unwrap()[1], text("a"));
    assert!(is_unknown(&ok("flatten", &[tuple([list(), tuple([])])]), &Type::Dynamic));
    let object = Value::object([("a".into(), string()), ("b".into(), Value::int(1))].into());
    assert_eq!(ok("lookup", &[object.clone(), text("b"), Value::int(0)]), Value::int(1));
    assert_eq!(ok("lookup", &[object.clone(), text("c"), Value::int(0)]), Value::int(0));
    assert!(!ok("lookup", &[object.clone(), string(), Value::int(0)]).is_known());
    assert_eq!(ok("values", &[object]).as_sequence().unwrap()[1], Value::int(1));
    let unknown_object = Value::unknown(Type::object([("a".into(), Type::Number)].into()));
    assert_eq!(ok("keys", &[unknown_object]), tuple([text("a")]));
}

#[test]
fn whole_results_depend_on_all_elements() {
    let strings = Type::list(Type::String);
    let pair = || tuple([string(), text("a")]);
    assert!(is_unknown(&ok("compact", &[pair()]), &strings));
    assert!(is_unknown(&ok("distinct", &[pair()]), &strings));
    assert_eq!(ok("sort", &[pair()]).as_sequence().unwrap().len(), 2);
    let set = Type::set(Type::String);
    assert!(is_unknown(&ok("setsubtract", &[tuple([text("a")]), tuple([string()])]), &set));
    let union = ok("setunion", &[tuple([text("a")]), tuple([string()])]);
    assert_eq!(union.as_sequence().unwrap().len(), 2);
    assert!(is_unknown(&ok("setunion", &[tuple([text("a")]), list()]), &set));
}

#[test]
fn conversions_check_types_all_the_same() {
    assert!(is_unknown(&ok("tonumber", &[string()]), &Type::Number));
    let refused = call("tonumber", &[boolean()]).unwrap_err();
    assert_eq!(refused.argument_index(), Some(0));
    assert!(call("tolist", &[string()]).is_err());
    assert!(is_unknown(&ok("tostring", &[Value::unknown(Type::Dynamic)]), &Type::String));
}

#[test]
fn marks_of_all_arguments_count() {
    let secret = Value::int(1).with_marks(Marks::SENSITIVE);
    let power = ok("pow", &[Value::unknown(Type::Number), secret]);
    assert!(!power.is_known() && power.marks().is_sensitive());
    assert!(!ok("issensitive", &[string()]).is_known());
    let marked = string().with_marks(Marks::SENSITIVE);
    assert_eq!(ok("issensitive", &[marked]), Value::bool(true));
    let undecided = ok("issensitive", &[string().with_marks(Marks::UNDECIDED)]);
    assert!(undecided.marks().is_undecided());
}

#[test]
fn ephemeral_values_become_nulls() {
    let ephemeral = text("x").with_marks(Marks::EPHEMERAL | Marks::SENSITIVE);
    let object = Value::object([("a".into(), ephemeral), ("b".into(), text("y"))].into());
    let result = ok("ephemeralasnull", &[object]);
    let attributes = result.as_mapping().unwrap();
    assert!(attributes["a"].is_null() && attributes["a"].marks() == Marks::SENSITIVE);
    assert_eq!(attributes["b"], text("y"));
    let unknown = ok("ephemeralasnull", &[string().with_marks(Marks::EPHEMERAL)]);
    assert!(!unknown.is_known() && unknown.marks().is_empty());
}

#[test]
fn secrets_are_not_quoted() {
    let secret = text("hunter2").with_marks(Marks::SENSITIVE);
    let calls: [(&str, Vec<Value>); 4] = [
        ("parseint", vec![secret.clone(), Value::int(10)]),
        ("tonumber", vec![secret.clone()]),
        ("tobool", vec![secret.clone()]),
        ("lookup", vec![Value::object([].into()), secret]),
    ];
    for (name, args) in calls {
        let error: CallError = call(name, &args).unwrap_err();
        assert!(!error.detail(name).contains("hunter2"), "{}", error.detail(name));
    }
}
