//! Type constraints: what they mean, how they read back, and what is wrong with the others.

use diagnostics::{Diagnostic, Diagnostics, FileId, lints};
use hcl::{Expr, ExprKind, parse_expression};
use tf_value::{
    Number, Value,
    json::{value_from_json, value_to_json},
    typeexpr::{Constraint, parse_type},
};

/// Folds the literals that these tests use.
fn fold(expr: &Expr) -> Result<Value, Diagnostic> {
    match &expr.kind {
        ExprKind::String(text) => Ok(Value::string(text)),
        ExprKind::Number(text) => Ok(Value::number(Number::parse(text).unwrap())),
        ExprKind::Object(items) if items.is_empty() => Ok(Value::object([].into())),
        _ => Err(Diagnostic::new(&lints::INVALID_VARIABLE, "Variables not allowed")),
    }
}

fn parse(text: &str) -> (Constraint, Diagnostics) {
    let (expr, diagnostics) = parse_expression(FileId(0), text.as_bytes(), 0);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    parse_type(&expr, &fold)
}

/// The value that a variable of this type has when it is given this JSON.
fn accept(ty: &str, json: &str) -> String {
    let (tree, _) = hcl::json::parse(FileId(0), json.as_bytes());
    let (constraint, diagnostics) = parse(ty);
    assert!(diagnostics.is_empty(), "{ty}: {diagnostics:?}");
    match constraint.accept(&value_from_json(&tree).0) {
        Ok(value) => value_to_json(&value).unwrap(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn constraints_read_back() {
    for text in [
        "any",
        "list(string)",
        "map(set(number))",
        "tuple([string, bool])",
        "object({})",
        "object({ a = optional(string), b = optional(number, 5) })",
        "list(object({ a = optional(string, \"x\") }))",
    ] {
        let (constraint, diagnostics) = parse(text);
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
        assert_eq!(constraint.to_string(), text);
    }
    assert_eq!(parse("list").0.to_string(), "list(any)");
    assert_eq!(parse("map").0.to_string(), "map(any)");
}

#[test]
fn what_is_no_type_is_refused() {
    let facts = [
        ("set", 1),
        ("list()", 1),
        ("list(string, number)", 1),
        ("object(string)", 1),
        ("object({ a = string, a = number })", 1),
        ("object({ \"a\" = string })", 1),
        ("tuple(string)", 1),
        ("string()", 1),
        ("optional(string)", 1),
        ("object({ a = optional })", 1),
        ("object({ a = optional() })", 1),
        ("object({ a = optional(string, 1, 2) })", 1),
        ("object({ a = list })", 1),
        ("object({ a = optional(string, var.x) })", 1),
        ("object({ a = optional(number, \"x\") })", 1),
        ("object({ a = foo, b = bar(1), c = tuple([x, string()]) })", 4),
        ("(string)", 1),
        ("null", 1),
        ("5", 1),
        ("\"string\"", 1),
        ("true ? string : any", 1),
    ];
    for (text, errors) in facts {
        assert_eq!(parse(text).1.len(), errors, "{text}");
    }
}

#[test]
fn defaults_come_before_conversion() {
    let nested = "object({ a = optional(object({ c = optional(string, \"z\") }), {}) })";
    assert_eq!(accept(nested, "{}"), r#"{"a":{"c":"z"}}"#);
    assert_eq!(accept(nested, r#"{"a":null}"#), r#"{"a":{"c":"z"}}"#);
    assert_eq!(accept(nested, r#"{"a":{"c":5}}"#), r#"{"a":{"c":"5"}}"#);
    assert_eq!(accept(nested, "null"), "null");
    let list = "list(object({ a = optional(string, 5) }))";
    assert_eq!(accept(list, r#"[{}, null, {"a": true}]"#), r#"[{"a":"5"},null,{"a":"true"}]"#);
    assert_eq!(
        accept("map(object({ a = optional(number) }))", r#"{"k":{}}"#),
        r#"{"k":{"a":null}}"#
    );
    assert_eq!(accept(list, "5"), "list of object required");
    assert_eq!(accept("list(number)", r#"["x",[]]"#), "element 1: number required");
    assert_eq!(accept("list(number)", r#"["x"]"#), "a number is required");
    assert_eq!(accept("list(any)", "[1,true]"), "all list elements must have the same type");
}
