//! Declared types as schemas.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{Items, Keywords, Kind, Options, Schema, defaults};
use crate::{
    typeexpr::Defaults,
    value::{ObjectType, Type},
};

/// The schema of a type constraint; defaults of optional attributes stand at their attributes.
pub fn keywords(ty: &Type, defaults: Option<&Defaults>, options: &Options) -> Keywords {
    let kind = Some(kind(ty));
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match ty {
        Type::Dynamic => Keywords::default(),
        Type::String | Type::Number | Type::Bool => {
            Keywords { kind: kind.flatten(), ..Keywords::default() }
        }
        Type::List(element) | Type::Set(element) => Keywords {
            kind: Some(Kind::Array),
            items: Some(Items::Each(nested(element, child(defaults, ""), options))),
            unique_items: matches!(ty, Type::Set(_)),
            ..Keywords::default()
        },
        Type::Map(element) => Keywords {
            kind: Some(Kind::Object),
            additional_properties: Some(nested(element, child(defaults, ""), options)),
            ..Keywords::default()
        },
        Type::Object(object) => object_keywords(object, defaults, options),
        Type::Tuple(elements) => tuple_keywords(elements, defaults, options),
    })
}

/// The JSON type of a type's values; `None` for `any`.
pub fn kind(ty: &Type) -> Option<Kind> {
    Some(match ty {
        Type::Dynamic => return None,
        Type::String => Kind::String,
        Type::Number => Kind::Number,
        Type::Bool => Kind::Boolean,
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => Kind::Array,
        Type::Map(_) | Type::Object(_) => Kind::Object,
    })
}

fn nested(ty: &Type, defaults: Option<&Defaults>, options: &Options) -> Schema {
    keywords(ty, defaults, options).into()
}

fn object_keywords(
    object: &ObjectType,
    defaults: Option<&Defaults>,
    options: &Options,
) -> Keywords {
    let attribute = |(name, ty): (&SmolStr, &Type)| {
        let inner = child(defaults, name);
        let mut schema = keywords(ty, inner, options);
        let default = defaults.and_then(|it| it.written.get(name)).filter(|it| !it.is_null());
        schema.default = default.map(|it| defaults::render(it, ty, inner, options));
        (name.to_string(), schema.into())
    };
    let properties: BTreeMap<String, Schema> = object.attributes.iter().map(attribute).collect();
    let is_required = |name: &&SmolStr| options.require_all || !object.optional.contains(*name);
    let required: BTreeSet<String> =
        object.attributes.keys().filter(is_required).map(ToString::to_string).collect();
    Keywords {
        kind: Some(Kind::Object),
        properties: Some(properties),
        required: Some(required),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        ..Keywords::default()
    }
}

fn tuple_keywords(elements: &[Type], defaults: Option<&Defaults>, options: &Options) -> Keywords {
    let place =
        |(index, ty): (usize, &Type)| nested(ty, child(defaults, &index.to_string()), options);
    let places: Vec<Schema> = elements.iter().enumerate().map(place).collect();
    let count = Some(elements.len() as u64);
    Keywords {
        kind: Some(Kind::Array),
        // Draft-07 takes no empty list of places.
        items: Some(places).filter(|it| !it.is_empty()).map(Items::Places),
        min_items: count,
        max_items: count,
        ..Keywords::default()
    }
}

pub(super) fn child<'a>(defaults: Option<&'a Defaults>, name: &str) -> Option<&'a Defaults> {
    defaults?.children.get(name)
}
