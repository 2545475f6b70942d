//! Conversions, unifications and sets against recorded results of cty.
//!
//! The rows of `tests/data/value/*.tsv` are: conversions `C, type, value, target, outcome`,
//! unifications `U, types, safe result, unsafe result`, sets `S, element type, elements, set`.

use diagnostics::FileId;
use hcl::json::{self, ValueKind};
use tf_value::{
    Attributes, Number, Type, Value, ValueContent, convert,
    json::{type_to_json, value_to_json},
    unify, unify_unsafe,
};

fn parse(text: &str) -> json::JsonValue {
    json::parse(FileId(0), text.as_bytes()).0
}

fn ty(json: &json::JsonValue) -> Type {
    let Some(parts) = json.elements() else {
        return match json.as_str().unwrap() {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            _ => Type::Dynamic,
        };
    };
    match parts[0].as_str().unwrap() {
        "list" => Type::list(ty(&parts[1])),
        "set" => Type::set(ty(&parts[1])),
        "map" => Type::map(ty(&parts[1])),
        "tuple" => Type::tuple(parts[1].elements().unwrap_or_default().iter().map(ty).collect()),
        _ => {
            let members = parts[1].members().unwrap();
            let attributes = members.iter().map(|it| (it.key.clone(), ty(&it.value))).collect();
            let optional = parts.get(2).and_then(json::JsonValue::elements).unwrap_or_default();
            let optional = optional.iter().map(|it| it.as_str().unwrap().into()).collect();
            Attributes { attributes, optional }.into()
        }
    }
}

/// A value of a type; `{"?": 1}` is an unknown that is not null, `{"?": 0}` one that may be.
fn value(json: &json::JsonValue, ty: &Type) -> Value {
    if let Some(unknown) = json.get("?") {
        let not_null = unknown.kind == ValueKind::Number("1".into());
        return if not_null {
            Value::unknown_not_null(ty.clone())
        } else {
            Value::unknown(ty.clone())
        };
    }
    let all = |of: &Type| json.elements().unwrap().iter().map(|it| value(it, of)).collect();
    match (&json.kind, ty) {
        (ValueKind::Null, _) => Value::null(ty.clone()),
        (ValueKind::Bool(it), _) => Value::bool(*it),
        (ValueKind::Number(it), _) => Value::number(Number::parse(it).unwrap()),
        (ValueKind::String(it), _) => Value::string(it),
        (_, Type::List(of)) => Value::list((**of).clone(), all(of)),
        (_, Type::Set(of)) => Value::set((**of).clone(), all(of)),
        (ValueKind::Array(elements), Type::Tuple(of)) => {
            Value::tuple(elements.iter().zip(of.iter()).map(|(it, of)| value(it, of)).collect())
        }
        (ValueKind::Object(members), Type::Map(of)) => {
            let elements = members.iter().map(|it| (it.key.clone(), value(&it.value, of)));
            Value::map((**of).clone(), elements.collect())
        }
        (ValueKind::Object(members), Type::Object(of)) => Value::object(
            members
                .iter()
                .map(|it| (it.key.clone(), value(&it.value, &of.attributes[&it.key])))
                .collect(),
        ),
        other => panic!("{other:?}"),
    }
}

fn text(value: &Value) -> String {
    match value.content() {
        ValueContent::Unknown(it) => {
            format!("{{\"?\":{}}}", i32::from(it.as_ref().is_some_and(|it| it.not_null)))
        }
        ValueContent::Sequence(it) => {
            format!("[{}]", it.iter().map(text).collect::<Vec<_>>().join(","))
        }
        ValueContent::Mapping(it) => {
            let members = it.iter().map(|(key, it)| format!("\"{key}\":{}", text(it)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        _ => value_to_json(value).unwrap(),
    }
}

fn rows(data: &str) -> Vec<Vec<&str>> {
    let rows: Vec<Vec<&str>> = data.lines().map(|it| it.split('\t').collect()).collect();
    assert!(rows.len() > 100);
    rows
}

#[test]
fn values_convert_as_recorded() {
    for row in rows(include_str!("../../data/value/conversions.tsv")) {
        let given = value(&parse(row[2]), &ty(&parse(row[1])));
        let outcome = match convert(&given, &ty(&parse(row[3]))) {
            Ok(it) => format!("V {} {}", type_to_json(it.ty()), value_to_json(&it).unwrap()),
            Err(error) => format!("E {error}"),
        };
        assert_eq!(outcome, row[4], "{row:?}");
    }
}

#[test]
fn types_unify_as_recorded() {
    for row in rows(include_str!("../../data/value/unifications.tsv")) {
        let types: Vec<Type> = parse(row[1]).elements().unwrap().iter().map(ty).collect();
        for (unified, expected) in [(unify(&types), row[2]), (unify_unsafe(&types), row[3])] {
            let unified = unified.map_or("NONE".to_owned(), |it| type_to_json(&it.ty).to_string());
            assert_eq!(unified, expected, "{row:?}");
        }
    }
}

#[test]
fn sets_are_ordered_as_recorded() {
    for row in rows(include_str!("../../data/value/sets.tsv")) {
        let element = ty(&parse(row[1]));
        let elements =
            parse(row[2]).elements().unwrap().iter().map(|it| value(it, &element)).collect();
        assert_eq!(text(&Value::set(element, elements)), row[3], "{row:?}");
    }
}
