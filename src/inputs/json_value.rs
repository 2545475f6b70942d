//! JSON of a values file as a Terraform value.

use std::collections::{BTreeMap, HashMap};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, rules},
    stack::guarded,
    syntax::json::{Member, Value as Json, ValueKind},
    value::{Number, Type, Value, nfc},
};

/// Evaluates JSON: arrays become tuples, objects become objects; strings and keys are normalised to NFC
/// and never templates. A repeated key is an error; the value is then unknown.
pub(super) fn evaluate(json: &Json) -> (Value, Diagnostics) {
    let mut diagnostics = Vec::new();
    let value = value(json, &mut diagnostics);
    if diagnostics.is_empty() {
        return (value, diagnostics);
    }
    (Value::unknown(Type::Dynamic), diagnostics)
}

fn value(json: &Json, diagnostics: &mut Diagnostics) -> Value {
    match &json.kind {
        ValueKind::Null => Value::null(Type::Dynamic),
        ValueKind::Bool(it) => Value::bool(*it),
        ValueKind::String(it) => Value::string(it),
        ValueKind::Number(it) => match Number::parse(it) {
            Some(it) => Value::number(it),
            None => Value::unknown(Type::Number),
        },
        ValueKind::Array(elements) => {
            guarded(|| Value::tuple(elements.iter().map(|it| value(it, diagnostics)).collect()))
        }
        ValueKind::Object(members) => guarded(|| object(members, diagnostics)),
        ValueKind::Invalid => Value::unknown(Type::Dynamic),
    }
}

fn object(members: &[Member], diagnostics: &mut Diagnostics) -> Value {
    let mut attributes = BTreeMap::new();
    let mut first = HashMap::with_capacity(members.len());
    for member in members {
        let key = nfc(&member.key);
        let value = value(&member.value, diagnostics);
        if let Some(first) = first.get(&key).copied() {
            let problem =
                Diagnostic::new(&rules::INVALID_INPUT_SYNTAX, "Duplicate object attribute")
                    .detail(format!("The key \"{key}\" occurs twice in this object."))
                    .at(Role::Value, member.key_span)
                    .at_with(Role::Value, first, "first here");
            diagnostics.push(problem);
            continue;
        }
        first.insert(key.clone(), member.key_span);
        attributes.insert(key, value);
    }
    Value::object(attributes)
}
