//! Why a type can never convert to another, in cty's words, and where two types differ.

use smol_str::SmolStr;

use super::{Conversion, ConvertError, quoted, unify_unsafe};
use crate::{ObjectType, Path, Step, TupleType, Type, Value};
use stack::guarded;

/// The reason why a value of one type does not convert to another, and the place. Call it only where no
/// conversion exists. If several attributes or elements are to blame, the first by name is reported
/// (Terraform reports a random one).
pub fn mismatch(given: &Type, wanted: &Type) -> ConvertError {
    let mut path = Path::default();
    let reason = describe(given, wanted, &mut path);
    let difference = difference_at(&path, given, wanted).unwrap_or_default();
    ConvertError { path, reason, difference, structural: true }
}

/// Where the elements at a path differ that should have one type.
fn difference_at(path: &Path, given: &Type, wanted: &Type) -> Option<String> {
    let (mut given, mut wanted) = (given, wanted);
    for step in &path.0 {
        (given, wanted) = match (step, given, wanted) {
            (Step::Attribute(name), Type::Object(ty), Type::Object(wanted)) => {
                (ty.attributes.get(name)?, wanted.attributes.get(name)?)
            }
            (Step::Index(key), Type::Object(ty), _) => {
                (ty.attributes.get(key.as_str()?)?, wanted.element()?)
            }
            (Step::Index(key), Type::Tuple(ty), _) => {
                let index = key.as_number()?.to_decimal().parse::<usize>().ok()?;
                (ty.get(index)?, wanted.element()?)
            }
            _ => return None,
        };
    }
    if wanted.element() != Some(&Type::Dynamic) {
        return None;
    }
    let elements: Vec<(String, &Type)> = match given {
        Type::Tuple(all) => {
            let all = all.iter().enumerate();
            all.map(|(index, it)| (format!("element {index}"), it)).collect()
        }
        Type::Object(all) => all.attributes.iter().map(|(name, it)| (quoted(name), it)).collect(),
        _ => return None,
    };
    let (first, rest) = elements.split_first()?;
    let mut rest = rest.iter().take(ELEMENTS_COMPARED);
    let other = rest.find(|it| !have_common_type(first.1, it.1))?;
    Some(difference(&first.0, first.1, &other.0, other.1))
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

/// The reason for a collection whose element type does not convert. The reason, not the path, names the place inside
/// that type.
fn element_type(kind: &str, given: &Type, wanted: &Type) -> String {
    format!("incorrect {kind} element type: {}", mismatch(given, wanted))
}

fn required(wanted: &Type) -> String {
    format!("{} required", wanted.constraint_name())
}

fn one_type(kind: &str) -> String {
    format!("all {kind} elements must have the same type")
}

/// How many elements a message compares, and how deep it looks into them. A longer search would cost
/// more than a message is worth.
const ELEMENTS_COMPARED: usize = 1000;
const LEVELS_COMPARED: usize = 30;

fn have_common_type(left: &Type, right: &Type) -> bool {
    left == right || unify_unsafe(&[left.clone(), right.clone()]).is_some()
}

/// Says where two types without a common type differ first, and what each has there. Each type comes
/// with the name of its value: `` `.port` is number in the 'true' value and list of string in the
/// 'false' value ``.
pub fn difference(left: &str, ty: &Type, right: &str, other: &Type) -> String {
    let mut path = Path::default();
    differing(left, ty, right, other, &mut path)
}

fn differing(left: &str, ty: &Type, right: &str, other: &Type, path: &mut Path) -> String {
    let deeper = (path.0.len() < LEVELS_COMPARED).then(|| match (ty, other) {
        (Type::Object(ty), Type::Object(other)) => differing_objects(left, ty, right, other, path),
        (Type::Tuple(ty), Type::Tuple(other)) => differing_tuples(left, ty, right, other, path),
        (Type::Map(ty), Type::Map(other))
        | (Type::List(ty), Type::List(other))
        | (Type::Set(ty), Type::Set(other)) => {
            let is_structural = matches!(
                (&**ty, &**other),
                (Type::Object(_), Type::Object(_)) | (Type::Tuple(_), Type::Tuple(_))
            );
            is_structural.then(|| {
                let elements = differing(left, ty, right, other, &mut Path::default());
                format!("their elements differ{}: {elements}", at(path))
            })
        }
        _ => None,
    });
    if let Some(difference) = deeper.flatten() {
        return difference;
    }
    let (ty, other) = (ty.friendly_name(), other.friendly_name());
    if path.is_empty() {
        format!("{left} is {ty}, and {right} is {other}")
    } else {
        format!("`{path}` is {ty} in {left} and {other} in {right}")
    }
}

/// The first attribute without a common type, or else the first that one of the objects lacks.
fn differing_objects(
    left: &str,
    ty: &ObjectType,
    right: &str,
    other: &ObjectType,
    path: &mut Path,
) -> Option<String> {
    let mut pairs = ty.attributes.iter().filter_map(|(name, ty)| {
        let other = other.attributes.get(name)?;
        Some((name, ty, other))
    });
    if let Some((name, ty, other)) = pairs.find(|(_, ty, other)| !have_common_type(ty, other)) {
        path.0.push(Step::Attribute(name.clone()));
        return Some(guarded(|| differing(left, ty, right, other, path)));
    }
    let lacks = |has: &ObjectType, other: &ObjectType| {
        has.attributes.keys().find(|it| !other.attributes.contains_key(*it)).cloned()
    };
    let here = at(path);
    let only = |name: SmolStr, has: &str, lacks: &str| {
        format!("{has} has an attribute {}{here}, but {lacks} does not", quoted(&name))
    };
    lacks(ty, other)
        .map(|name| only(name, left, right))
        .or_else(|| lacks(other, ty).map(|name| only(name, right, left)))
}

/// The first element without a common type, or else the lengths.
fn differing_tuples(
    left: &str,
    ty: &TupleType,
    right: &str,
    other: &TupleType,
    path: &mut Path,
) -> Option<String> {
    let mut pairs = ty.iter().zip(other.iter()).take(ELEMENTS_COMPARED).enumerate();
    if let Some((index, (ty, other))) = pairs.find(|(_, (ty, other))| !have_common_type(ty, other))
    {
        path.0.push(Step::index(index));
        return Some(guarded(|| differing(left, ty, right, other, path)));
    }
    let (length, other_length) = (ty.len(), other.len());
    (length != other_length).then(|| {
        format!("{left} has length {length}{}, and {right} has length {other_length}", at(path))
    })
}

fn at(path: &Path) -> String {
    if path.is_empty() { String::new() } else { format!(" at `{path}`") }
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
