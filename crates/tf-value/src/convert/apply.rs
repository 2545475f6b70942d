//! Applies a conversion to a value.

use std::collections::BTreeMap;

use super::{Conversion, ConvertError, mismatch, null_result, unknown_result};
use crate::{
    DYNAMIC, Number, Path, Type, Value,
    convert::unify::{Method, find_or_keep, unify_types},
};
use smol_str::SmolStr;
use stack::guarded;

type Outcome = Result<Value, ConvertError>;

impl Conversion {
    /// Converts a value of the source type.
    pub fn apply(&self, value: &Value) -> Outcome {
        self.apply_at(value, &mut Path::default())
    }

    /// Converts the value at `path`, the path from the outermost value; `path` is restored afterwards.
    pub(super) fn apply_at(&self, value: &Value, path: &mut Path) -> Outcome {
        if matches!(self.step, Method::Keep) {
            return Ok(value.clone());
        }
        let marks = value.marks();
        guarded(|| self.apply_unmarked(value, path)).map(|it| it.with_marks(marks))
    }

    fn apply_unmarked(&self, value: &Value, path: &mut Path) -> Outcome {
        if self.target == Type::Dynamic {
            return Ok(value.clone());
        }
        if value.is_null() {
            return Ok(null_result(value.ty(), &self.target));
        }
        if !value.is_known() {
            return Ok(unknown_result(value, &self.target));
        }
        match &self.step {
            Method::Keep | Method::Any => Ok(value.clone()),
            Method::Late => crate::convert(value, &self.target).map_err(|error| {
                let steps = path.0.iter().cloned().chain(error.path.0).collect();
                ConvertError { path: Path(steps), ..error }
            }),
            Method::Stringify => Ok(stringify(value)),
            Method::ParseNumber => parse_number(value, path),
            Method::ParseBool => parse_bool(value, path),
            Method::Attributes(conversions) => self.attributes(conversions, value, path),
            Method::Elements(conversions) => {
                let elements = value.as_sequence().unwrap_or_default();
                let elements = sequence(elements, Elements::Each(conversions), path)?;
                Ok(Value::tuple(elements))
            }
            Method::Sequence(conversion) => to_sequence(value, conversion, &self.target, path),
            Method::TupleToSequence(conversions) => {
                tuple_to_sequence(value, conversions, &self.target, path)
            }
            Method::Map(conversion) => to_map(value, conversion, path),
            Method::ObjectToMap(conversions, element, lossy) => {
                object_to_map(value, conversions, element, *lossy, path)
            }
            Method::MapToObject(conversions) => self.map_to_object(conversions, value, path),
        }
    }

    fn attributes(
        &self,
        conversions: &BTreeMap<SmolStr, Conversion>,
        value: &Value,
        path: &mut Path,
    ) -> Outcome {
        let (Some(given), Type::Object(to)) = (value.as_mapping(), &self.target) else {
            return Ok(value.clone());
        };
        let mut attributes = BTreeMap::new();
        for (name, wanted) in &to.attributes {
            let converted = match (given.get(name), conversions.get(name)) {
                (Some(given), Some(conversion)) => path
                    .inside(crate::Step::Attribute(name.clone()), |path| {
                        conversion.apply_at(given, path)
                    })?,
                _ => Value::null(wanted.without_optional()),
            };
            attributes.insert(name.clone(), converted);
        }
        Ok(Value::object(attributes))
    }

    fn map_to_object(
        &self,
        conversions: &BTreeMap<SmolStr, Option<Conversion>>,
        value: &Value,
        path: &mut Path,
    ) -> Outcome {
        let (Some(given), Type::Object(to)) = (value.as_mapping(), &self.target) else {
            return Ok(value.clone());
        };
        let mut attributes = BTreeMap::new();
        for (name, conversion) in conversions {
            let wanted = to.attributes.get(name).unwrap_or(&DYNAMIC);
            let converted = match (given.get(name), conversion) {
                (Some(given), Some(conversion)) => path
                    .inside(crate::Step::Index(Value::string(name)), |path| {
                        conversion.apply_at(given, path)
                    })?,
                (Some(given), None) => {
                    let ConvertError { reason, .. } = mismatch(given.ty(), wanted);
                    let name = super::quoted(name);
                    return fail(
                        path,
                        format!("map element type is incompatible with attribute {name}: {reason}"),
                    );
                }
                (None, _) if to.optional.contains(name) => Value::null(wanted.without_optional()),
                (None, _) => {
                    let name = super::quoted(name);
                    return fail(path, format!("map has no element for required attribute {name}"));
                }
            };
            attributes.insert(name.clone(), converted);
        }
        Ok(Value::object(attributes))
    }
}

/// An error of the value, not of its type.
pub(super) fn fail<T>(path: &Path, reason: impl Into<String>) -> Result<T, ConvertError> {
    let (path, reason) = (path.clone(), reason.into());
    Err(ConvertError { path, reason, difference: String::new(), structural: false })
}

fn stringify(value: &Value) -> Value {
    match (value.as_bool(), value.as_number()) {
        (Some(it), _) => Value::string(if it { "true" } else { "false" }),
        (_, Some(it)) => Value::string(it.to_decimal()),
        _ => value.clone(),
    }
}

fn parse_number(value: &Value, path: &Path) -> Outcome {
    match Number::parse(value.as_str().unwrap_or_default()) {
        Some(number) => Ok(Value::number(number)),
        None => fail(path, "a number is required"),
    }
}

fn parse_bool(value: &Value, path: &Path) -> Outcome {
    let text = value.as_str().unwrap_or_default();
    match text {
        "true" | "1" => return Ok(Value::bool(true)),
        "false" | "0" => return Ok(Value::bool(false)),
        _ => (),
    }
    let lower = text.to_lowercase();
    if matches!(lower.as_str(), "true" | "false") {
        let hint = format!("to convert from string, use lowercase \"{lower}\"");
        return fail(path, format!("a bool is required; {hint}"));
    }
    fail(path, "a bool is required")
}

// Conversions whose result is a list, set or map.

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
fn to_sequence(value: &Value, conversion: &Conversion, target: &Type, path: &mut Path) -> Outcome {
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

fn to_map(value: &Value, conversion: &Conversion, path: &mut Path) -> Outcome {
    let Some(elements) = value.as_mapping() else { return Ok(value.clone()) };
    let from = value.ty().element().unwrap_or(&DYNAMIC);
    let wanted = &conversion.target;
    if elements.is_empty() {
        let element = if *wanted == Type::Dynamic { from } else { wanted };
        return Ok(Value::map(element.without_optional(), BTreeMap::new()));
    }
    let converted = mapping(elements, |_| Some(conversion), path)?;
    collect_map(converted, wanted, false, "element", path)
}

/// Converts an object to a map. `unified` is the element type that the attributes convert to, and
/// `lossy` whether these conversions may fail.
pub(super) fn object_to_map(
    value: &Value,
    conversions: &BTreeMap<SmolStr, Conversion>,
    unified: &Type,
    lossy: bool,
    path: &mut Path,
) -> Outcome {
    let Some(attributes) = value.as_mapping() else { return Ok(value.clone()) };
    if attributes.is_empty() {
        return Ok(Value::map(unified.without_optional(), BTreeMap::new()));
    }
    let converted = mapping(attributes, |name| conversions.get(name), path)?;
    collect_map(converted, unified, lossy, "attribute", path)
}

fn collect_map(
    mut elements: BTreeMap<SmolStr, Value>,
    wanted: &Type,
    lossy: bool,
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
