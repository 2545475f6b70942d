//! Why a type can never convert to another, in cty's words.

use super::{Conversion, ConvertError, quoted};
use crate::stack::guarded;
use crate::value::{ObjectType, Path, Step, Type, Value};

/// The reason why a value of one type does not convert to another, and the place. Call it only where no
/// conversion exists. If several attributes or elements are to blame, the first by name is reported
/// (Terraform reports a random one).
pub fn mismatch(given: &Type, wanted: &Type) -> (Path, String) {
    let mut path = Path::default();
    let reason = describe(given, wanted, &mut path);
    (path, reason)
}

fn describe(given: &Type, wanted: &Type, path: &mut Path) -> String {
    guarded(|| match (given, wanted) {
        (Type::Object(given), Type::Object(wanted)) => objects(given, wanted, path),
        (Type::Tuple(_), Type::List(element)) if **element == Type::Dynamic => one_type("list"),
        (Type::Tuple(_), Type::Set(element)) if **element == Type::Dynamic => one_type("set"),
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => one_type("map"),
        (Type::Tuple(elements), Type::List(wanted) | Type::Set(wanted)) => {
            let steps = elements.iter().enumerate().map(|(index, it)| (Step::index(index), it));
            element(steps, wanted, path)
        }
        (Type::Object(object), Type::Map(wanted)) => {
            let steps = object.attributes.iter();
            element(steps.map(|(name, it)| (Step::Index(Value::string(name)), it)), wanted, path)
        }
        (Type::List(given) | Type::Set(given), Type::List(wanted)) => {
            element_type("list", given, wanted)
        }
        (Type::List(given) | Type::Set(given), Type::Set(wanted)) => {
            element_type("set", given, wanted)
        }
        (Type::Map(given), Type::Map(wanted)) => element_type("map", given, wanted),
        _ => required(wanted),
    })
}

/// The reason for a collection whose element type does not convert: the reason, not the path, tells the
/// place inside of that type.
fn element_type(kind: &str, given: &Type, wanted: &Type) -> String {
    let (path, reason) = mismatch(given, wanted);
    let inner = ConvertError { path, reason, structural: true };
    format!("incorrect {kind} element type: {inner}")
}

fn required(wanted: &Type) -> String {
    format!("{} required", wanted.constraint_name())
}

fn one_type(kind: &str) -> String {
    format!("all {kind} elements must have the same type")
}

/// The path to the first element that does not convert, with the reason.
fn element<'a>(
    elements: impl Iterator<Item = (Step, &'a Type)>,
    wanted: &Type,
    path: &mut Path,
) -> String {
    for (step, given) in elements {
        if given != wanted && Conversion::find(given, wanted).is_none() {
            path.0.push(step);
            return describe(given, wanted, path);
        }
    }
    format!("all elements must be {}", wanted.constraint_name())
}

/// The reason for objects: missing attributes first, then the first attribute that does not convert.
fn objects(given: &ObjectType, wanted: &ObjectType, path: &mut Path) -> String {
    let missing: Vec<String> = wanted
        .attributes
        .keys()
        .filter(|it| !given.attributes.contains_key(*it) && !wanted.optional.contains(*it))
        .map(|it| quoted(it))
        .collect();
    match missing.as_slice() {
        [] => (),
        [one] => return format!("attribute {one} is required"),
        [one, two] => return format!("attributes {one} and {two} are required"),
        [rest @ .., last] => {
            return format!("attributes {}, and {last} are required", rest.join(", "));
        }
    }
    let pairs: Vec<_> = wanted
        .attributes
        .iter()
        .filter_map(|(name, wanted)| Some((name, given.attributes.get(name)?, wanted)))
        .filter(|(_, given, wanted)| given != wanted)
        .collect();
    let never = pairs.iter().find(|(_, given, wanted)| Conversion::find(given, wanted).is_none());
    let unsafely =
        || pairs.iter().find(|(_, given, wanted)| Conversion::find_safe(given, wanted).is_none());
    match never.or_else(unsafely) {
        Some((name, given, wanted)) => {
            path.0.push(Step::Attribute((*name).clone()));
            describe(given, wanted, path)
        }
        None => "incorrect object attributes".to_owned(),
    }
}
