//! Conversions whose result is a list, set or map.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    Conversion, ConvertError,
    apply::fail,
    find::{Method, find_or_keep},
    unify::unify_types,
};
use crate::{DYNAMIC, Path, Type, Value};

type Outcome = Result<Value, ConvertError>;

/// The conversions of a sequence's elements.
#[derive(Clone, Copy)]
pub(super) enum Elements<'a> {
    All(&'a Conversion),
    Each(&'a [Conversion]),
}

impl<'a> Elements<'a> {
    fn of(self, index: usize) -> Option<&'a Conversion> {
        match self {
            Elements::All(conversion) => Some(conversion),
            Elements::Each(conversions) => conversions.get(index),
        }
    }
}

/// Converts element by element; the error names the first that fails.
pub(super) fn sequence(
    elements: &[Value],
    conversions: Elements<'_>,
    path: &mut Path,
) -> Result<Vec<Value>, ConvertError> {
    let mut converted = Vec::with_capacity(elements.len());
    for (index, element) in elements.iter().enumerate() {
        let element = match conversions.of(index) {
            None => element.clone(),
            Some(conversion) if matches!(conversion.step, Method::Keep) => element.clone(),
            Some(conversion) => {
                path.inside(crate::Step::index(index), |path| conversion.apply_at(element, path))?
            }
        };
        converted.push(element);
    }
    Ok(converted)
}

fn mapping<'a>(
    elements: &BTreeMap<SmolStr, Value>,
    conversion_of: impl Fn(&str) -> Option<&'a Conversion>,
    path: &mut Path,
) -> Result<BTreeMap<SmolStr, Value>, ConvertError> {
    let mut converted = BTreeMap::new();
    for (key, element) in elements {
        let element = match conversion_of(key) {
            None => element.clone(),
            Some(conversion) => path.inside(crate::Step::Index(Value::string(key)), |path| {
                conversion.apply_at(element, path)
            })?,
        };
        converted.insert(key.clone(), element);
    }
    Ok(converted)
}

/// Converts a list or set to a list or set. A set with unknown elements has no length yet, so it becomes
/// an unknown list.
pub(super) fn to_sequence(
    value: &Value,
    conversion: &Conversion,
    target: &Type,
    path: &mut Path,
) -> Outcome {
    let elements = value.as_sequence().unwrap_or_default();
    let from = value.ty().element().unwrap_or(&DYNAMIC);
    let is_set = matches!(value.ty(), Type::Set(_));
    if is_set && matches!(target, Type::List(_)) && elements.len() > 1 && !value.is_wholly_known() {
        return Ok(Value::unknown(Type::list(from.clone())));
    }
    let converted = sequence(elements, Elements::All(conversion), path)?;
    collect_sequence(converted, target, from, path)
}

pub(super) fn tuple_to_sequence(
    value: &Value,
    conversions: &[Conversion],
    target: &Type,
    path: &mut Path,
) -> Outcome {
    let elements = value.as_sequence().unwrap_or_default();
    let mut converted = sequence(elements, Elements::Each(conversions), path)?;
    if matches!(target, Type::List(_)) && !converted.is_empty() {
        converted = unify_sequence(converted, path)?;
    }
    collect_sequence(converted, target, &Type::Dynamic, path)
}

/// A list or set of these elements; `from` is the element type of an empty one if the target leaves it
/// open.
fn collect_sequence(elements: Vec<Value>, target: &Type, from: &Type, path: &Path) -> Outcome {
    let is_set = matches!(target, Type::Set(_));
    let wanted = target.element().unwrap_or(&DYNAMIC);
    if elements.is_empty() {
        let element = if *wanted == Type::Dynamic { from } else { wanted }.without_optional();
        let empty = if is_set { Value::set } else { Value::list };
        return Ok(empty(element, Vec::new()));
    }
    let Some(element) = common_type(elements.iter()) else {
        let kind = if is_set { "set" } else { "list" };
        return fail(path, format!("element types must all match for conversion to {kind}"));
    };
    let elements = elements.into_iter().map(|it| it.typed_as(&element)).collect();
    Ok(if is_set { Value::set(element, elements) } else { Value::list(element, elements) })
}

pub(super) fn to_map(value: &Value, conversion: &Conversion, path: &mut Path) -> Outcome {
    let Some(elements) = value.as_mapping() else { return Ok(value.clone()) };
    let from = value.ty().element().unwrap_or(&DYNAMIC);
    let wanted = &conversion.target;
    if elements.is_empty() {
        let element = if *wanted == Type::Dynamic { from } else { wanted };
        return Ok(Value::map(element.without_optional(), BTreeMap::new()));
    }
    let converted = mapping(elements, |_| Some(conversion), path)?;
    collect_map(converted, (wanted, false), "element", path)
}

/// Converts an object to a map. `unified` is the element type that the attributes convert to, and
/// whether these conversions may fail.
pub(super) fn object_to_map(
    value: &Value,
    conversions: &BTreeMap<SmolStr, Conversion>,
    unified: (&Type, bool),
    path: &mut Path,
) -> Outcome {
    let Some(attributes) = value.as_mapping() else { return Ok(value.clone()) };
    if attributes.is_empty() {
        return Ok(Value::map(unified.0.without_optional(), BTreeMap::new()));
    }
    let converted = mapping(attributes, |name| conversions.get(name), path)?;
    collect_map(converted, unified, "attribute", path)
}

fn collect_map(
    mut elements: BTreeMap<SmolStr, Value>,
    (wanted, lossy): (&Type, bool),
    noun: &str,
    path: &mut Path,
) -> Outcome {
    if wanted.is_collection() || matches!(wanted, Type::Object(_)) {
        elements = unify_mapping(elements, lossy, path)?;
    }
    let Some(element) = common_type(elements.values()) else {
        return fail(path, format!("{noun} types must all match for conversion to map"));
    };
    let elements = elements.into_iter().map(|(key, it)| (key, it.typed_as(&element))).collect();
    Ok(Value::map(element, elements))
}

impl Value {
    /// A list whose elements all have one type; `None` if they have several. Elements without a known
    /// type take the others'.
    pub fn list_of_equals(elements: Vec<Value>) -> Option<Value> {
        let element = common_type(elements.iter())?;
        let elements = elements.into_iter().map(|it| it.typed_as(&element)).collect();
        Some(Value::list(element, elements))
    }
}

/// The type that all values with a known type share.
fn common_type<'a>(mut values: impl Iterator<Item = &'a Value>) -> Option<Type> {
    let mut common = &Type::Dynamic;
    values
        .all(|it| {
            if *common == Type::Dynamic {
                common = it.ty();
            }
            *it.ty() == Type::Dynamic || it.ty() == common
        })
        .then(|| common.clone())
}

const NO_COMMON_TYPE: &str = "cannot find a common base type for all elements";

/// An `any` further inside may have left different types, which are unified once more.
fn unify_sequence(elements: Vec<Value>, path: &mut Path) -> Result<Vec<Value>, ConvertError> {
    if common_type(elements.iter()).is_some_and(|ty| elements.iter().all(|it| *it.ty() == ty)) {
        return Ok(elements);
    }
    let types: Vec<Type> = elements.iter().map(|it| it.ty().clone()).collect();
    let Some(unified) = unify_types(&types, true) else { return fail(path, NO_COMMON_TYPE) };
    let conversions: Option<Vec<Conversion>> =
        types.iter().map(|it| find_or_keep(it, &unified.ty, true)).collect();
    let Some(conversions) = conversions else { return fail(path, NO_COMMON_TYPE) };
    sequence(&elements, Elements::Each(&conversions), path)
}

fn unify_mapping(
    elements: BTreeMap<SmolStr, Value>,
    lossy: bool,
    path: &mut Path,
) -> Result<BTreeMap<SmolStr, Value>, ConvertError> {
    if common_type(elements.values()).is_some_and(|ty| elements.values().all(|it| *it.ty() == ty)) {
        return Ok(elements);
    }
    let types: Vec<Type> = elements.values().map(|it| it.ty().clone()).collect();
    let Some(unified) = unify_types(&types, lossy) else { return fail(path, NO_COMMON_TYPE) };
    let conversions: Option<BTreeMap<SmolStr, Conversion>> = elements
        .iter()
        .map(|(key, it)| Some((key.clone(), find_or_keep(it.ty(), &unified.ty, lossy)?)))
        .collect();
    let Some(conversions) = conversions else { return fail(path, NO_COMMON_TYPE) };
    mapping(&elements, |key| conversions.get(key), path)
}
