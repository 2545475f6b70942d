//! `jsondecode` and `jsonencode`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, encoding::at_offset, text,
};
use diagnostics::FileId;
use hcl::{
    is_too_deep, is_too_large,
    json::{JsonValue as Json, ValueKind, parse_first},
};
use release::{Release, changes};
use stack::guarded;
use tf_value::{Number, Refinements, Type, Value, convert, json::value_to_json, nfc};

pub const JSONDECODE: Function = Function::pure(
    "jsondecode",
    "Decodes JSON; the type of the result follows from the text.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::Any),
    jsondecode,
);

pub const JSONENCODE: Function = Function::pure(
    "jsonencode",
    "Encodes a value as JSON on one line.",
    &[Param::new("val", Ty::Any).null().unknown().dynamic()],
    ReturnType::Fixed(Ty::String),
    jsonencode,
)
.refuses(Refuses::By(unless_finite));

/// Refuses infinities, which JSON cannot write.
fn unless_finite(_: Release, args: &[Value], _: &Type) -> Refuses {
    fn is_finite(ty: &Type) -> bool {
        guarded(|| match ty {
            Type::Dynamic | Type::Number => false,
            Type::String | Type::Bool => true,
            Type::List(it) | Type::Set(it) | Type::Map(it) => is_finite(it),
            Type::Object(it) => it.attributes.values().all(is_finite),
            Type::Tuple(it) => it.iter().all(is_finite),
        })
    }
    let is_finite = args.iter().all(|it| is_finite(it.ty()));
    if is_finite { Refuses::Nothing } else { Refuses::SomeValues }
}

fn jsondecode(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    context.host.spend(text.len() as u64 / 4)?;
    let (json, errors) = parse_first(FileId(0), text.as_bytes());
    match errors.first() {
        None => decode(&json, context.release),
        Some(error) if is_too_large(error) => Err(Failure::too_large(error.detail.clone())),
        Some(error) if is_too_deep(error) => Err(Failure::too_deep()),
        Some(error) => {
            // The call's own sentence ends with a period.
            let detail = error.detail.trim_end_matches('.');
            let reason = format!("{}: {detail}", error.summary);
            let span = error.span();
            Err(Failure::Call(match span {
                Some(span) => at_offset(text, span.start as usize, &reason),
                None => reason,
            }))
        }
    }
}

/// The JSON text that a release writes.
pub fn to_json(release: Release, value: &Value) -> Result<String, String> {
    let text = value_to_json(value)?;
    let is_short = release.has(&changes::SHORT_JSON_ESCAPES);
    Ok(if is_short { text } else { without_short_escapes(text) })
}

fn without_short_escapes(text: String) -> String {
    if !text.contains("\\b") && !text.contains("\\f") {
        return text;
    }
    let mut long = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        long.push(char);
        if char == '\\' {
            match chars.next() {
                Some('b') => long.push_str("u0008"),
                Some('f') => long.push_str("u000c"),
                other => long.extend(other),
            }
        }
    }
    long
}

fn jsonencode(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    if !args[0].is_wholly_known() {
        return Ok(Value::unknown(Type::String).refined(beginning(&args[0])));
    }
    let text = to_json(context.release, &args[0]).map_err(Failure::Call)?;
    context.host.spend(text.len() as u64 / 16)?;
    Ok(Value::string(text))
}

/// The known beginning of the text of an unknown value: its first character, if the value is not null.
fn beginning(value: &Value) -> Refinements {
    let is_not_null = value.is_known() || value.refinements().is_some_and(|it| it.not_null);
    Refinements::beginning_with(match value.ty() {
        Type::String if is_not_null => "\"",
        Type::Object(_) | Type::Map(_) if is_not_null => "{",
        Type::Tuple(_) | Type::List(_) | Type::Set(_) if is_not_null => "[",
        _ => "",
    })
}

/// The value with the type that its text implies: arrays become tuples, objects become objects.
fn decode(json: &Json, release: Release) -> Result<Value, Failure> {
    guarded(|| match &json.kind {
        ValueKind::Null => Ok(Value::null(Type::Dynamic)),
        ValueKind::Bool(it) => Ok(Value::bool(*it)),
        ValueKind::Number(it) => Number::parse(it)
            .map(Value::number)
            .ok_or_else(|| Failure::Call(format!("{it} is not a number"))),
        ValueKind::String(it) => Ok(Value::string(it)),
        ValueKind::Array(elements) => {
            let elements: Result<Vec<Value>, Failure> =
                elements.iter().map(|it| decode(it, release)).collect();
            Ok(Value::tuple(elements?))
        }
        ValueKind::Object(_) => decode_object(json, release),
        ValueKind::Invalid => Err(Failure::call("the text is not valid JSON")),
    })
}

/// An object. For a repeated key the last value wins, and the others must fit its type.
fn decode_object(json: &Json, release: Release) -> Result<Value, Failure> {
    let mut attributes: BTreeMap<SmolStr, Value> = BTreeMap::new();
    let mut replaced = Vec::new();
    for member in json.members().unwrap_or_default() {
        let key = nfc(&member.key);
        // Terraform looks the key up as it is written, among names in their composed form.
        if key != member.key {
            return Err(Failure::Call(format!("unsupported attribute {:?}", member.key)));
        }
        if let Some(earlier) = attributes.insert(key.clone(), decode(&member.value, release)?) {
            replaced.push((key, earlier));
        }
    }
    let fits = |earlier: &Value, last: &Type| {
        if release.has(&changes::JSON_DUPLICATE_KEYS) {
            return earlier.ty() == last;
        }
        fits(earlier, last)
    };
    for (key, earlier) in replaced {
        if attributes.get(&key).is_some_and(|last| !fits(&earlier, last.ty())) {
            let message = format!("the key {key:?} occurs with values of different types");
            return Err(Failure::Call(message));
        }
    }
    Ok(Value::object(attributes))
}

/// Whether a value could be read as one of a type.
fn fits(value: &Value, ty: &Type) -> bool {
    if value.is_null() {
        return true;
    }
    guarded(|| match (ty, value.ty()) {
        (Type::Object(object), Type::Object(_)) => {
            let fields = value.as_mapping().into_iter().flatten();
            let mut types = fields.map(|(key, it)| (object.attributes.get(key), it));
            types.all(|(ty, it)| ty.is_some_and(|ty| fits(it, ty)))
        }
        (Type::Tuple(types), Type::Tuple(_)) => {
            let elements = value.as_sequence().unwrap_or_default();
            elements.len() == types.len()
                && elements.iter().zip(types.iter()).all(|(it, ty)| fits(it, ty))
        }
        (Type::Bool, Type::String) => {
            matches!(value.as_str(), Some("true" | "false" | "1" | "0"))
        }
        (Type::String, Type::Bool | Type::Number) => true,
        (Type::Number, Type::String) => convert(value, &Type::Number).is_ok(),
        // A null has no type, so the earlier value must have its own.
        (Type::Dynamic, _) => false,
        (ty, own) => ty == own,
    })
}
