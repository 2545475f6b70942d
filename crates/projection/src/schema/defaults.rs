//! Defaults as JSON: in their written shape, with scalars in the declared type.

use std::collections::{BTreeMap, HashSet};

use smol_str::SmolStr;

use super::{SchemaJson, SchemaOptions, types::child};
use stack::guarded;
use tf_value::{DYNAMIC, ObjectType, Type, Value, ValueContent, convert, typeexpr::Defaults};

/// The JSON of a default. Its shape stays as written: attributes that were left out stay out, nulls and
/// attributes that the type lacks stay in (unless the options make the schema refuse them). Only scalars
/// change: `"5"` for a number becomes `5`.
pub fn render(
    value: &Value,
    ty: &Type,
    defaults: Option<&Defaults>,
    options: &SchemaOptions,
) -> SchemaJson {
    guarded(|| match value.content() {
        ValueContent::Sequence(elements) => {
            let element = |(index, it): (usize, &Value)| match ty {
                Type::Tuple(types) => {
                    let ty = types.get(index).unwrap_or(&DYNAMIC);
                    render(it, ty, child(defaults, &index.to_string()), options)
                }
                _ => render(it, element_type(ty), child(defaults, ""), options),
            };
            let mut rendered: Vec<SchemaJson> = elements.iter().enumerate().map(element).collect();
            if matches!(ty, Type::Set(_)) {
                // A set repeats nothing, and its schema says so.
                let mut seen = HashSet::new();
                rendered.retain(|it| seen.insert(it.to_text(false)));
            }
            SchemaJson::Array(rendered)
        }
        ValueContent::Mapping(members) => SchemaJson::Object(if let Type::Object(object) = ty {
            attributes(members, object, defaults, options)
        } else {
            let element = |it| render(it, element_type(ty), child(defaults, ""), options);
            members.iter().map(|(key, it)| (key.to_string(), element(it))).collect()
        }),
        ValueContent::Null | ValueContent::Unknown(_) => SchemaJson::Null,
        _ => convert(value, ty).map_or_else(|_| SchemaJson::of(value), |it| SchemaJson::of(&it)),
    })
}

fn element_type(ty: &Type) -> &Type {
    ty.element().unwrap_or(&DYNAMIC)
}

fn attributes(
    members: &BTreeMap<SmolStr, Value>,
    object: &ObjectType,
    defaults: Option<&Defaults>,
    options: &SchemaOptions,
) -> BTreeMap<String, SchemaJson> {
    let kept = members.iter().filter(|(name, _)| is_kept(name, object, options));
    let attribute = |(name, it): (&SmolStr, &Value)| {
        let ty = object.attributes.get(name).unwrap_or(&DYNAMIC);
        (name.to_string(), render(it, ty, child(defaults, name), options))
    };
    let mut out: BTreeMap<String, SchemaJson> = kept.map(attribute).collect();
    if options.require_all {
        let missing = object.attributes.iter().filter(|(name, _)| !members.contains_key(*name));
        let completed = missing.map(|(name, ty)| {
            let written = defaults.and_then(|it| it.written.get(name));
            let default = written.map(|it| render(it, ty, child(defaults, name), options));
            (name.to_string(), default.unwrap_or(SchemaJson::Null))
        });
        out.extend(completed.collect::<Vec<_>>());
    }
    out
}

/// Whether an attribute stays in a default. One that the type lacks, and so Terraform drops, is dropped
/// if the schema would refuse it.
fn is_kept(name: &str, object: &ObjectType, options: &SchemaOptions) -> bool {
    !options.disallow_additional_properties || object.attributes.contains_key(name)
}
