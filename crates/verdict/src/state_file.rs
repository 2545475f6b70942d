//! Whether Terraform reads a file as a state. What the state holds is not looked at: it may be secret, and another run may
//! have written it again before the plan.

use serde_json::{Map, Value};

const FORMAT: (&str, &str) = (
    "Unsupported state file format",
    "The file is not a state: it must be JSON with a \"version\" from 1 to 4.",
);
const FORM: (&str, &str) = (
    "Invalid state file format",
    "The file is not a state: one of its parts has another type than Terraform expects.",
);
const RESOURCE: (&str, &str) = (
    "Invalid resource mode in state",
    "A resource in this state is neither \"managed\" nor \"data\".",
);
const OUTPUT: (&str, &str) =
    ("Invalid output value type in state", "An output in this state has no type.");

/// Why no Terraform reads a state: a summary, and more about it.
pub(super) fn refusal(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    // Bytes that are no text are replaced.
    let text = String::from_utf8_lossy(bytes);
    let state: Map<String, Value> = match serde_json::from_str(&text) {
        Ok(it) => it,
        // Whatever is as deep as this library allows may still be a state.
        Err(error) if error.to_string().contains("recursion") => return None,
        Err(_) => return Some(FORMAT),
    };
    let get = |name: &str| member(&state, name);
    match get("version").and_then(Value::as_u64) {
        Some(4) => (),
        Some(1..=3) => return None,
        _ => return Some(FORMAT),
    }
    let is_serial = |it: &Value| it.is_null() || it.as_u64().is_some();
    if !get("serial").is_none_or(is_serial) {
        return Some(FORM);
    }
    outputs(get("outputs")).or_else(|| resources(get("resources")))
}

/// Terraform ignores the case of names here.
fn member<'s>(object: &'s Map<String, Value>, name: &str) -> Option<&'s Value> {
    object.iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1)
}

fn outputs(all: Option<&Value>) -> Option<(&'static str, &'static str)> {
    let all = match all? {
        Value::Object(all) => all,
        Value::Null => return None,
        _ => return Some(FORM),
    };
    all.values().find_map(|it| match it {
        Value::Object(it) if member(it, "type").is_some() => None,
        Value::Object(_) => Some(OUTPUT),
        _ => Some(FORM),
    })
}

fn resources(all: Option<&Value>) -> Option<(&'static str, &'static str)> {
    let all = match all? {
        Value::Array(all) => all,
        Value::Null => return None,
        _ => return Some(FORM),
    };
    let is_mode = |it: &Value| matches!(it.as_str(), Some("managed" | "data"));
    all.iter().find_map(|it| match it {
        Value::Object(it) => (!member(it, "mode").is_some_and(is_mode)).then_some(RESOURCE),
        _ => Some(FORM),
    })
}
