//! A file that Terraform reads as a state: whether it is one, and its outputs. Nothing of it is shown.

use std::collections::{BTreeMap, HashSet};

use release::Constraints;
use serde_json::{Map, Value};
use smol_str::SmolStr;
use tf_value::{Marks, Type, Value as Output, convert};

/// A summary, and more about it.
type Refusal = (&'static str, &'static str);

const FORMAT: Refusal = (
    "Unsupported state file format",
    "The file is not a state: it must be JSON with a \"version\" from 1 to 4.",
);
const FORM: Refusal = (
    "Invalid state file format",
    "The file is not a state: one of its parts has another type than Terraform expects.",
);
const VERSION: Refusal = (
    "Invalid Terraform version string",
    "The \"terraform_version\" of this state is not a version.",
);
const RESOURCE: Refusal = (
    "Invalid resource mode in state",
    "A resource in this state is neither \"managed\" nor \"data\".",
);
const INSTANCE: Refusal = (
    "Invalid resource instance metadata in state",
    "An instance of a resource in this state has a key, a status or a \"deposed\" that Terraform does not know.",
);
const AGAIN: Refusal = (
    "Duplicate resource instance in state",
    "A resource in this state has two instances with one key.",
);
const OUTPUT: Refusal = (
    "Invalid output value type in state",
    "An output in this state has no type, or one that Terraform does not know.",
);
const VALUE: Refusal = (
    "Invalid output value saved in state",
    "The value of an output in this state is not of its type.",
);

/// What is known of a state that Terraform reads.
pub(super) enum Held {
    /// The outputs by their names, whose values are never shown.
    Outputs(BTreeMap<SmolStr, Output>),
    /// A state of an older form, whose outputs are not looked at.
    Older,
    /// Why it is not judged whether this is a state.
    Unread(&'static str),
}

/// The levels of objects and arrays that Terraform reads.
const MOST_LEVELS: usize = 10_000;

/// What a state holds. Errors: why no Terraform reads it.
pub(super) fn read(bytes: &[u8]) -> Result<Held, Refusal> {
    // Bytes that are no text are replaced.
    let text = String::from_utf8_lossy(bytes);
    let state: Map<String, Value> = match serde_json::from_str(&text) {
        Ok(it) => it,
        Err(error) if error.to_string().contains("recursion") && levels(&text) <= MOST_LEVELS => {
            return Ok(Held::Unread("it has more than 127 levels of objects and arrays"));
        }
        Err(_) => return Err(FORMAT),
    };
    let get = |name: &str| member(&state, name);
    let Some(version @ 1..=4) = get("version").and_then(Value::as_u64) else {
        return Err(FORMAT);
    };
    has(get("serial"), Value::is_u64)?;
    has(get("lineage"), Value::is_string)?;
    has(get("terraform_version"), Value::is_string)?;
    let written = get("terraform_version").and_then(Value::as_str).unwrap_or_default();
    if version > 1 && !written.is_empty() && !is_version(written) {
        return Err(VERSION);
    }
    if version < 4 {
        has(get("modules"), Value::is_array)?;
        return Ok(Held::Older);
    }
    let found = objects(get("outputs"), Value::as_object)?.map(output);
    let outputs = found.collect::<Result<_, _>>()?;
    let elements = |part: &Value| part.as_array().is_some_and(|it| it.iter().all(Value::is_object));
    has(get("check_results"), elements)?;
    match get("resources") {
        None | Some(Value::Null) => (),
        Some(Value::Array(all)) => all.iter().try_for_each(resource)?,
        Some(_) => return Err(FORM),
    }
    Ok(Held::Outputs(outputs))
}

/// How deep objects and arrays nest in a text of JSON.
fn levels(text: &str) -> usize {
    let (mut here, mut most, mut is_string, mut is_escaped) = (0_usize, 0, false, false);
    for it in text.bytes() {
        match it {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            b'{' | b'[' if !is_string => {
                here += 1;
                most = most.max(here);
            }
            b'}' | b']' if !is_string => here = here.saturating_sub(1),
            _ => (),
        }
    }
    most
}

/// Terraform ignores the case of names here.
fn member<'s>(object: &'s Map<String, Value>, name: &str) -> Option<&'s Value> {
    object.iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1)
}

/// Refuses a part that is neither null nor as it has to be.
fn has(part: Option<&Value>, is_fit: impl Fn(&Value) -> bool) -> Result<(), Refusal> {
    part.is_none_or(|it| it.is_null() || is_fit(it)).then_some(()).ok_or(FORM)
}

/// The members of a part that may be null.
fn objects<'s>(
    part: Option<&'s Value>,
    read: impl Fn(&'s Value) -> Option<&'s Map<String, Value>>,
) -> Result<impl Iterator<Item = (&'s String, &'s Value)>, Refusal> {
    let part = part.filter(|it| !it.is_null());
    let all = part.map(|it| read(it).ok_or(FORM)).transpose()?;
    Ok(all.into_iter().flatten())
}

/// Whether `go-version` reads a text as a version.
fn is_version(text: &str) -> bool {
    let is_plain = text.starts_with(|it: char| it == 'v' || it.is_ascii_digit());
    is_plain
        && !text.contains([' ', '\t', '\n', '\r', '\x0C', ','])
        && Constraints::parse(text).is_some()
}

fn output((name, output): (&String, &Value)) -> Result<(SmolStr, Output), Refusal> {
    let output = output.as_object().ok_or(FORM)?;
    let get = |name: &str| member(output, name);
    has(get("sensitive"), Value::is_boolean)?;
    let ty = get("type").and_then(type_of).ok_or(OUTPUT)?;
    let value = get("value").filter(|it| fits(it, &ty)).ok_or(VALUE)?;
    // An output that is sensitive in its own module is a plain value here.
    Ok((SmolStr::new(name), read_value(value, &ty).with_marks(Marks::SECRET)))
}

/// The type that a state writes: `"string"`, `["list", "string"]`.
fn type_of(written: &Value) -> Option<Type> {
    let parts = match written {
        Value::String(name) => {
            return match name.as_str() {
                "string" => Some(Type::String),
                "number" => Some(Type::Number),
                "bool" => Some(Type::Bool),
                "dynamic" => Some(Type::Dynamic),
                _ => None,
            };
        }
        Value::Array(parts) => parts,
        _ => return None,
    };
    match (parts.first()?.as_str()?, &parts[1..]) {
        ("list", [of]) => Some(Type::list(type_of(of)?)),
        ("set", [of]) => Some(Type::set(type_of(of)?)),
        ("map", [of]) => Some(Type::map(type_of(of)?)),
        ("tuple", [Value::Null]) => Some(Type::tuple(Vec::new())),
        ("tuple", [Value::Array(all)]) => {
            all.iter().map(type_of).collect::<Option<_>>().map(Type::tuple)
        }
        ("object", [Value::Null]) => Some(Type::object(BTreeMap::new())),
        ("object", [Value::Object(all), optional @ ..]) => {
            let names = match optional {
                [] => &Vec::new(),
                [Value::Array(names)] => names,
                _ => return None,
            };
            let is_known = |name: &Value| name.as_str().is_some_and(|it| all.contains_key(it));
            let attribute =
                |(name, ty): (&String, &Value)| Some((SmolStr::new(name), type_of(ty)?));
            let attributes = all.iter().map(attribute).collect::<Option<_>>()?;
            names.iter().all(is_known).then(|| Type::object(attributes))
        }
        _ => None,
    }
}

/// Whether a value may be written for a type. An attribute that is missing is null.
fn fits(value: &Value, ty: &Type) -> bool {
    if value.is_null() {
        return true;
    }
    match (ty, value) {
        (Type::String, Value::String(_) | Value::Number(_) | Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::Bool, Value::Bool(_)) => true,
        (Type::Number, Value::String(text)) => convert(&Output::string(text.as_str()), ty).is_ok(),
        (Type::Bool, Value::String(text)) => matches!(text.as_str(), "true" | "false" | "1" | "0"),
        (Type::Dynamic, Value::Object(it)) => {
            let of = it.get("type").and_then(type_of).zip(it.get("value"));
            it.len() == 2 && of.is_some_and(|(ty, value)| fits(value, &ty))
        }
        (Type::List(of) | Type::Set(of), Value::Array(all)) => all.iter().all(|it| fits(it, of)),
        (Type::Map(of), Value::Object(all)) => all.values().all(|it| fits(it, of)),
        (Type::Tuple(types), Value::Array(all)) => {
            types.len() == all.len() && all.iter().zip(types.iter()).all(|(it, ty)| fits(it, ty))
        }
        (Type::Object(it), Value::Object(all)) => all.iter().all(|(name, value)| {
            it.attributes.get(name.as_str()).is_some_and(|ty| fits(value, ty))
        }),
        _ => false,
    }
}

/// A value that fits its type. One that is not represented exactly here is unknown.
fn read_value(value: &Value, ty: &Type) -> Output {
    let elements = |all: &[Value], of: &Type| all.iter().map(|it| read_value(it, of)).collect();
    let unknown = || Output::unknown(ty.clone());
    match (ty, value) {
        (_, Value::Null) => Output::null(ty.clone()),
        (Type::Dynamic, Value::Object(it)) => {
            match it.get("type").and_then(type_of).zip(it.get("value")) {
                Some((ty, value)) => read_value(value, &ty),
                None => unknown(),
            }
        }
        _ if ty.has_dynamic() => Output::unknown(Type::Dynamic),
        (_, Value::Bool(it)) => convert(&Output::bool(*it), ty).unwrap_or_else(|_| unknown()),
        (_, Value::String(it)) => {
            convert(&Output::string(it.as_str()), ty).unwrap_or_else(|_| unknown())
        }
        (_, Value::Number(it)) => {
            // Others were rounded when they were read.
            let text = it.to_string();
            let is_exact = it.is_i64() || it.is_u64() || text.len() <= 15;
            let number = || convert(&Output::string(text), &Type::Number);
            let found = is_exact.then(number).and_then(|it| convert(&it.ok()?, ty).ok());
            found.unwrap_or_else(unknown)
        }
        (Type::List(of), Value::Array(all)) => Output::list(Type::clone(of), elements(all, of)),
        (Type::Set(of), Value::Array(all)) => Output::set(Type::clone(of), elements(all, of)),
        (Type::Tuple(types), Value::Array(all)) => {
            Output::tuple(all.iter().zip(types.iter()).map(|(it, ty)| read_value(it, ty)).collect())
        }
        (Type::Map(of), Value::Object(all)) => {
            let element = |(name, it): (&String, &Value)| (SmolStr::new(name), read_value(it, of));
            Output::map(Type::clone(of), all.iter().map(element).collect())
        }
        (Type::Object(it), Value::Object(all)) => {
            let attribute = |(name, ty): (&SmolStr, &Type)| {
                let value = all.get(name.as_str()).unwrap_or(&Value::Null);
                (name.clone(), read_value(value, ty))
            };
            Output::object(it.attributes.iter().map(attribute).collect())
        }
        _ => unknown(),
    }
}

fn resource(resource: &Value) -> Result<(), Refusal> {
    let resource = resource.as_object().ok_or(FORM)?;
    let get = |name: &str| member(resource, name);
    for name in ["mode", "module", "type", "name", "provider", "each"] {
        has(get(name), Value::is_string)?;
    }
    has(get("instances"), Value::is_array)?;
    if !matches!(get("mode").and_then(Value::as_str), Some("managed" | "data")) {
        return Err(RESOURCE);
    }
    let mut keys = HashSet::new();
    let instances = get("instances").and_then(Value::as_array).into_iter().flatten();
    for it in instances.filter(|it| !it.is_null()) {
        let key = instance(it)?;
        if key.is_some_and(|it| !keys.insert(it)) {
            return Err(AGAIN);
        }
    }
    Ok(())
}

/// The key of an instance; `None` for one that another replaced.
fn instance(instance: &Value) -> Result<Option<String>, Refusal> {
    let instance = instance.as_object().ok_or(FORM)?;
    let get = |name: &str| member(instance, name);
    has(get("schema_version"), Value::is_u64)?;
    let is_text = |it: &Value| it.is_null() || it.is_string();
    let is_list = |part: &Value| part.as_array().is_some_and(|all| all.iter().all(is_text));
    let is_map = |part: &Value| part.as_object().is_some_and(|all| all.values().all(is_text));
    has(get("dependencies"), is_list)?;
    has(get("attributes_flat"), is_map)?;
    has(get("create_before_destroy"), Value::is_boolean)?;
    for name in ["status", "deposed", "private"] {
        has(get(name), Value::is_string)?;
    }
    let text = |name: &str| get(name).and_then(Value::as_str).unwrap_or_default();
    let is_key = |it: &Value| it.is_null() || it.is_string() || it.is_number();
    let deposed = text("deposed");
    let is_deposed = deposed.len() == 8 && deposed.bytes().all(|it| it.is_ascii_hexdigit());
    let is_fit = matches!(text("status"), "" | "tainted")
        && (deposed.is_empty() || is_deposed)
        && get("index_key").is_none_or(is_key);
    if !is_fit {
        return Err(INSTANCE);
    }
    let key = get("index_key").unwrap_or(&Value::Null);
    Ok(deposed.is_empty().then(|| key.to_string()))
}
