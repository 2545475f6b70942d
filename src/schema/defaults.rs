//! Defaults as JSON: the written shape, with scalars rendered as the declared type.

use super::{Json, Options};
use crate::value::{Content, ObjectType, Type, Value, convert};

/// The JSON of a default. Its shape stays as written: attributes that are left out stay out, and
/// attributes that the type lacks stay in unless the schema refuses them. Only scalars change:
/// `"5"` for a number becomes `5`.
pub fn render(value: &Value, ty: &Type, options: &Options) -> Json {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match (value.content(), ty) {
        (Content::Sequence(elements), Type::Tuple(types)) => {
            let types = types.iter().chain(std::iter::repeat(&Type::Dynamic));
            Json::Array(
                elements.iter().zip(types).map(|(it, ty)| render(it, ty, options)).collect(),
            )
        }
        (Content::Sequence(elements), _) => {
            let element = ty.element().unwrap_or(&Type::Dynamic);
            Json::Array(elements.iter().map(|it| render(it, element, options)).collect())
        }
        (Content::Mapping(members), Type::Object(object)) => {
            let members = members.iter().filter(|(name, it)| is_kept(name, it, object, options));
            let member = |(name, it): (&smol_str::SmolStr, &Value)| {
                let ty = object.attributes.get(name).unwrap_or(&Type::Dynamic);
                (name.to_string(), render(it, ty, options))
            };
            Json::Object(members.map(member).collect())
        }
        (Content::Mapping(members), _) => {
            let element = ty.element().unwrap_or(&Type::Dynamic);
            let member = |(name, it): (&smol_str::SmolStr, &Value)| {
                (name.to_string(), render(it, element, options))
            };
            Json::Object(members.iter().map(member).collect())
        }
        _ if ty.is_primitive() && !value.is_null() => {
            convert(value, ty).map_or_else(|_| Json::of(value), |it| Json::of(&it))
        }
        _ => Json::of(value),
    })
}

/// A null for an optional attribute is the same as leaving it out, and the schema refuses only the
/// null. An attribute that the type lacks is dropped by Terraform; so it is where the schema would
/// refuse it.
fn is_kept(name: &str, value: &Value, object: &ObjectType, options: &Options) -> bool {
    if !object.attributes.contains_key(name) {
        return !options.disallow_additional_properties;
    }
    !(value.is_null() && object.optional.contains(name) && !options.require_all)
}
