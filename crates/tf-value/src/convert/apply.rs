//! Applies a conversion to a value.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    Conversion, ConvertError,
    collections::{self, Elements},
    find::Method,
    mismatch,
    resolve::{null_result, unknown_result},
};
use crate::{DYNAMIC, Number, Path, Type, Value};
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
                let elements = collections::sequence(elements, Elements::Each(conversions), path)?;
                Ok(Value::tuple(elements))
            }
            Method::Sequence(conversion) => {
                collections::to_sequence(value, conversion, &self.target, path)
            }
            Method::TupleToSequence(conversions) => {
                collections::tuple_to_sequence(value, conversions, &self.target, path)
            }
            Method::Map(conversion) => collections::to_map(value, conversion, path),
            Method::ObjectToMap(conversions, element, lossy) => {
                collections::object_to_map(value, conversions, (element, *lossy), path)
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
