//! The registered functions against `terraform metadata functions`.

use std::fmt::Write as _;

use release::{Release, changes::FUNCTIONS};
use serde_json::{Value as Json, json};
use tf_eval::functions::{self, FAMILIES, Function, Param, ReturnType, Ty};
use tf_value::{Type, Value, json::type_to_json};

/// What Terraform 1.11.4 says about its functions.
const DECLARED: &str = include_str!("../../data/oracle/functions.json");

pub fn declared() -> serde_json::Map<String, Json> {
    let all: Json = serde_json::from_str(DECLARED).unwrap();
    all["function_signatures"].as_object().unwrap().clone()
}

#[test]
fn signatures_are_those_of_terraform() {
    let declared = declared();
    let mut wrong = String::new();
    let is_there = |it: &&&Function| {
        release::function(it.name).is_none_or(|change| Release::V1_11.has(change))
    };
    for it in functions::all().iter().filter(is_there) {
        let expected = declared.get(it.name).cloned().unwrap_or_default();
        let actual = signature(it);
        if actual != expected {
            writeln!(wrong, "{}\n  expected {expected}\n  actual   {actual}", it.name).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// In the form of `terraform metadata functions`, without descriptions.
fn signature(function: &Function) -> Json {
    let mut signature = json!({ "return_type": return_type(function) });
    if !function.params.is_empty() {
        signature["parameters"] = function.params.iter().map(parameter).collect();
    }
    if let Some(it) = &function.variadic {
        signature["variadic_parameter"] = parameter(it);
    }
    signature
}

fn parameter(it: &Param) -> Json {
    let mut parameter = json!({ "name": it.name, "type": type_to_json(&it.ty.to_type()) });
    if it.null {
        parameter["is_nullable"] = json!(true);
    }
    parameter
}

/// As for unknown arguments of the parameters' types.
fn return_type(function: &Function) -> Json {
    if function.name == "templatestring" {
        // Terraform writes this one down by hand: a template of one expression may give any type.
        return json!("string");
    }
    let params = || function.params.iter().chain(&function.variadic);
    if params().any(|it| matches!(it.ty, Ty::Any) && !it.dynamic) {
        return type_to_json(&Type::Dynamic);
    }
    let args: Vec<Value> = params().map(|it| Value::unknown(it.ty.to_type())).collect();
    type_to_json(&match function.returns {
        ReturnType::Fixed(ty) => ty.to_type(),
        ReturnType::Of(of) => of(&args).unwrap_or(Type::Dynamic),
        ReturnType::OfRelease(of) => of(Release::V1_11, &args).unwrap_or(Type::Dynamic),
    })
}

#[test]
fn families_are_sorted() {
    for family in FAMILIES {
        let names: Vec<&str> = family.functions.iter().map(|it| it.name).collect();
        assert_sorted(family.title, &names);
    }
    let names: Vec<&str> = FUNCTIONS.iter().map(|it| it.name).collect();
    assert_sorted("release::changes::FUNCTIONS", &names);
}

#[track_caller]
fn assert_sorted(what: &str, names: &[&str]) {
    let wrong = names.windows(2).find(|pair| pair[0] >= pair[1]);
    assert_eq!(
        wrong, None,
        "{what}: a binary search finds them, so the second stands before the first"
    );
}

#[test]
fn every_function_is_found_by_name() {
    for it in functions::all() {
        assert_eq!(functions::lookup(it.name).map(|it| it.name), Some(it.name));
    }
    assert!(functions::lookup("lenght").is_none());
}
