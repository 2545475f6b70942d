//! Declared types as schemas.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    Items, JsonType, Keywords, Schema, SchemaOptions, comments::AttributeComments, defaults,
    nulls::Nulls,
};
use stack::guarded;
use tf_value::{ObjectType, Type, typeexpr::Defaults};

/// The parts of a variable's declaration that are about the inside of its type.
#[derive(Clone, Copy)]
pub(super) struct Within<'v> {
    /// The defaults of optional attributes.
    pub defaults: Option<&'v Defaults>,
    pub nulls: &'v Nulls,
    pub comments: &'v AttributeComments,
}

impl<'v> Within<'v> {
    fn attribute(self, name: &str) -> Within<'v> {
        Within {
            defaults: child(self.defaults, name),
            nulls: self.nulls.attribute(name),
            comments: self.comments.attribute(name),
        }
    }

    fn elements(self) -> Within<'v> {
        Within {
            defaults: child(self.defaults, ""),
            nulls: self.nulls.elements(),
            comments: self.comments.elements(),
        }
    }
}

/// The schema of a type constraint, with the defaults and comments of attributes.
pub(super) fn keywords(ty: &Type, within: Within<'_>, options: &SchemaOptions) -> Keywords {
    let kind = Some(kind(ty));
    guarded(|| match ty {
        Type::Dynamic => Keywords::default(),
        Type::String | Type::Number | Type::Bool => {
            Keywords { kind: kind.flatten(), ..Keywords::default() }
        }
        Type::List(element) | Type::Set(element) => Keywords {
            kind: Some(JsonType::Array),
            items: Some(Items::Each(element_keywords(element, within, options).into())),
            unique_items: matches!(ty, Type::Set(_)),
            ..Keywords::default()
        },
        Type::Map(element) => Keywords {
            kind: Some(JsonType::Object),
            additional_properties: Some(element_keywords(element, within, options).into()),
            ..Keywords::default()
        },
        Type::Object(object) => object_keywords(object, within, options),
        Type::Tuple(elements) => tuple_keywords(elements, within, options),
    })
}

/// The schema of each element of a collection.
fn element_keywords(ty: &Type, within: Within<'_>, options: &SchemaOptions) -> Keywords {
    let kind = kind(ty).filter(|_| within.nulls.elements_take_null());
    or_null("element", kind, keywords(ty, within.elements(), options))
}

/// A choice between null and the schema, whose JSON type is `kind`; without one, the schema.
fn or_null(name: &str, kind: Option<JsonType>, schema: Keywords) -> Keywords {
    match kind {
        Some(kind) => select_type(name, kind, schema),
        None => schema,
    }
}

/// The JSON type of a type's values; `None` for `any`.
pub fn kind(ty: &Type) -> Option<JsonType> {
    Some(match ty {
        Type::Dynamic => return None,
        Type::String => JsonType::String,
        Type::Number => JsonType::Number,
        Type::Bool => JsonType::Boolean,
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => JsonType::Array,
        Type::Map(_) | Type::Object(_) => JsonType::Object,
    })
}

fn object_keywords(object: &ObjectType, within: Within<'_>, options: &SchemaOptions) -> Keywords {
    let attribute = |(name, ty): (&SmolStr, &Type)| {
        let inner = within.attribute(name);
        let kind = kind(ty).filter(|_| within.nulls.takes_null(name));
        let mut schema = or_null(name, kind, keywords(ty, inner, options));
        let default = within.defaults.and_then(|it| it.written.get(name));
        let default = default.filter(|it| !it.is_null());
        schema.default = default.map(|it| defaults::render(it, ty, inner.defaults, options));
        schema.description = within.comments.text(name).map(str::to_owned);
        (name.to_string(), schema.into())
    };
    let properties: BTreeMap<String, Schema> = object.attributes.iter().map(attribute).collect();
    let is_required = |name: &&SmolStr| options.require_all || !object.optional.contains(*name);
    let required: BTreeSet<String> =
        object.attributes.keys().filter(is_required).map(ToString::to_string).collect();
    Keywords {
        kind: Some(JsonType::Object),
        properties: Some(properties),
        required: Some(required),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        ..Keywords::default()
    }
}

fn tuple_keywords(elements: &[Type], within: Within<'_>, options: &SchemaOptions) -> Keywords {
    let place = |(index, ty): (usize, &Type)| {
        let name = index.to_string();
        let schema = keywords(ty, within.attribute(&name), options);
        let kind = kind(ty).filter(|_| within.nulls.takes_null(&name));
        or_null(&name, kind, schema).into()
    };
    let places: Vec<Schema> = elements.iter().enumerate().map(place).collect();
    let count = Some(elements.len() as u64);
    Keywords {
        kind: Some(JsonType::Array),
        // Draft-07 does not allow an empty list of places.
        items: Some(places).filter(|it| !it.is_empty()).map(|it| Items::Places(it, None)),
        min_items: count,
        max_items: count,
        ..Keywords::default()
    }
}

pub(super) fn child<'a>(defaults: Option<&'a Defaults>, name: &str) -> Option<&'a Defaults> {
    defaults?.children.get(name)
}

/// The schema of a nullable variable or attribute: react-jsonschema-form shows the titles in a menu.
pub(super) fn select_type(name: &str, kind: JsonType, mut typed: Keywords) -> Keywords {
    let titled = |kind: JsonType, mut keywords: Keywords| {
        keywords.kind = Some(kind);
        keywords.title = Some(kind.as_str().to_owned());
        Schema::from(keywords)
    };
    let null = titled(JsonType::Null, Keywords::default());
    typed.kind = Some(kind);
    Keywords {
        title: Some(format!("{name}: Select a type")),
        any_of: vec![null, titled(kind, typed)],
        ..Keywords::default()
    }
}
