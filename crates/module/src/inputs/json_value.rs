//! JSON of a values file as a Terraform value.

use std::collections::{BTreeMap, HashMap};

use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::json::{JsonMember, JsonValue as Json, ValueKind};
use stack::guarded;
use tf_value::{Number, Type, Value, nfc};

/// Evaluates JSON. Arrays become tuples, and objects become objects. Strings and keys are normalised to NFC and are
/// never templates. A repeated key is an error; the value is then unknown. `behind` knows texts that mean other values.
pub(super) fn evaluate(json: &Json, behind: Behind<'_>) -> (Value, Diagnostics) {
    let mut diagnostics = Vec::new();
    let value = value(json, behind, &mut diagnostics);
    if diagnostics.is_empty() {
        return (value, diagnostics);
    }
    (Value::unknown(Type::Dynamic), diagnostics)
}

/// The value that a text means. `None` if it is only a text.
type Behind<'a> = &'a dyn Fn(&str) -> Option<Value>;

fn value(json: &Json, behind: Behind<'_>, diagnostics: &mut Diagnostics) -> Value {
    match &json.kind {
        ValueKind::Null => Value::null(Type::Dynamic),
        ValueKind::Bool(it) => Value::bool(*it),
        ValueKind::String(it) => behind(it).unwrap_or_else(|| Value::string(it)),
        ValueKind::Number(it) => match Number::parse(it) {
            Some(it) => Value::number(it),
            None => Value::unknown(Type::Number),
        },
        ValueKind::Array(elements) => {
            let mut value = |it| value(it, behind, diagnostics);
            guarded(|| Value::tuple(elements.iter().map(&mut value).collect()))
        }
        ValueKind::Object(members) => guarded(|| object(members, behind, diagnostics)),
        ValueKind::Invalid => Value::unknown(Type::Dynamic),
    }
}

fn object(members: &[JsonMember], behind: Behind<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut attributes = BTreeMap::new();
    let mut first = HashMap::with_capacity(members.len());
    for member in members {
        let key = nfc(&member.key);
        let value = value(&member.value, behind, diagnostics);
        if let Some(first) = first.get(&key).copied() {
            let problem =
                Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, "Duplicate object attribute")
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
