//! The schema of a module's outputs: of `terraform output -json`, and of the values that a remote state gives.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{Items, JsonType, Keywords, Schema, SchemaJson, SchemaOptions, types};
use module::{Module, Output, Secrets};
use stack::guarded;
use tf_value::{ObjectType, Type};

/// What a schema of outputs describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// The document of `terraform output -json`, and `outputs` in a state: each value with its type.
    Described,
    /// The values by their names, as `outputs` of `terraform_remote_state` has them.
    Values,
}

/// Why an output's value has no type in the schema.
const OPEN: &str = "The type is not known before a plan.";

/// The schema of a module's outputs. `types` are the types of their values, where they are known; inside a type, `any`
/// is an unknown part.
///
/// No output is required: Terraform leaves out those that are null. A description that repeats the default of a
/// sensitive variable is left out.
pub fn of_outputs(
    module: &Module,
    types: &BTreeMap<SmolStr, Type>,
    form: OutputForm,
    options: &SchemaOptions,
) -> Schema {
    let secrets = Secrets::of(module, []);
    let is_shown = |it: &&String| !secrets.are_in_text(None, it);
    let property = |(name, output): (&SmolStr, &Output)| {
        let ty = types.get(name);
        let mut value = value(ty.unwrap_or(&Type::Dynamic), options);
        if ty.is_none_or(|it| *it == Type::Dynamic) {
            value.extra.insert("$comment".to_owned(), SchemaJson::string(OPEN));
        }
        let mut schema = match form {
            OutputForm::Values => value,
            OutputForm::Described => described(output, value, options),
        };
        schema.description = output.description.as_ref().filter(is_shown).cloned();
        (name.to_string(), schema.into())
    };
    let properties: BTreeMap<String, Schema> = module.outputs.iter().map(property).collect();
    let is_open = !options.disallow_additional_properties;
    Keywords {
        dialect: Some(options.draft),
        kind: Some(JsonType::Object),
        properties: Some(properties),
        additional_properties: Some(Schema::Bool(is_open)),
        ..Keywords::default()
    }
    .into()
}

/// `{"sensitive": false, "type": "string", "value": "a"}`; a state leaves out `sensitive` if it is false.
fn described(output: &Output, value: Keywords, options: &SchemaOptions) -> Keywords {
    let is_sensitive = Keywords {
        kind: Some(JsonType::Boolean),
        one_of_values: (output.sensitive == Some(true)).then(|| vec![SchemaJson::Bool(true)]),
        ..Keywords::default()
    };
    let kind = |kind| Schema::of_kind(kind);
    let ty = Keywords {
        any_of: vec![kind(JsonType::String), kind(JsonType::Array)],
        ..Keywords::default()
    };
    let members: [(&str, Schema); 3] =
        [("sensitive", is_sensitive.into()), ("type", ty.into()), ("value", value.into())];
    let required = ["type", "value"].map(str::to_owned);
    Keywords {
        kind: Some(JsonType::Object),
        properties: Some(members.map(|(name, it)| (name.to_owned(), it)).into()),
        required: Some(BTreeSet::from(required)),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        ..Keywords::default()
    }
}

/// The schema of a value of a type that is not null itself.
fn value(ty: &Type, options: &SchemaOptions) -> Keywords {
    let kind = types::kind(ty);
    guarded(|| match ty {
        Type::Dynamic | Type::String | Type::Number | Type::Bool => {
            Keywords { kind, ..Keywords::default() }
        }
        Type::List(element) | Type::Set(element) => Keywords {
            kind,
            items: Some(Items::Each(or_null(element, options))),
            unique_items: matches!(ty, Type::Set(_)),
            ..Keywords::default()
        },
        Type::Map(element) => Keywords {
            kind,
            additional_properties: Some(or_null(element, options)),
            ..Keywords::default()
        },
        Type::Object(object) => object_value(object, options),
        Type::Tuple(elements) => {
            let places: Vec<Schema> = elements.iter().map(|it| or_null(it, options)).collect();
            let count = Some(elements.len() as u64);
            let items = (!places.is_empty()).then_some(Items::Places(places, None));
            Keywords { kind, items, min_items: count, max_items: count, ..Keywords::default() }
        }
    })
}

fn object_value(object: &ObjectType, options: &SchemaOptions) -> Keywords {
    let attributes = object.attributes.iter();
    let properties = attributes.map(|(name, ty)| (name.to_string(), or_null(ty, options)));
    Keywords {
        kind: Some(JsonType::Object),
        properties: Some(properties.collect()),
        required: Some(object.attributes.keys().map(ToString::to_string).collect()),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        ..Keywords::default()
    }
}

/// The schema of a value inside of another one, which may be null.
fn or_null(ty: &Type, options: &SchemaOptions) -> Schema {
    if *ty == Type::Dynamic {
        return Schema::Bool(true);
    }
    let null = Schema::of_kind(JsonType::Null);
    Keywords { any_of: vec![null, value(ty, options).into()], ..Keywords::default() }.into()
}
