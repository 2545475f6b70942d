//! The schema of a module's outputs: of `terraform output -json`, and of the values that a remote state gives.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{Items, JsonType, Keywords, Schema, SchemaJson, SchemaOptions, types};
use module::{Module, Output, Secrets};
use stack::guarded;
use tf_value::Type;

/// What a schema of outputs describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// The document of `terraform output -json`, and `outputs` in a state: each value with its type.
    Described,
    /// The values by their names, as `outputs` of `terraform_remote_state` has them.
    Values,
}

/// What is known of an output's value before a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputType {
    Open,
    /// A type without `any`.
    Known(Type),
    /// A list, a set or a tuple, with what is known of each element.
    Array(Box<OutputType>),
    /// A tuple with these elements.
    Tuple(Vec<OutputType>),
    /// A map, or an object whose attributes all have one type.
    Map(Box<OutputType>),
    /// An object with these attributes.
    Object(BTreeMap<SmolStr, OutputType>),
}

impl OutputType {
    /// Whether a part of it is open.
    pub fn is_partial(&self) -> bool {
        guarded(|| match self {
            OutputType::Open => true,
            OutputType::Known(_) => false,
            OutputType::Array(it) | OutputType::Map(it) => it.is_partial(),
            OutputType::Tuple(all) => all.iter().any(OutputType::is_partial),
            OutputType::Object(all) => all.values().any(OutputType::is_partial),
        })
    }
}

/// Why an output's value has no type in the schema.
const OPEN: &str = "The type is not known before a plan.";

/// The schema of a module's outputs. `types` are the types of their values.
///
/// No output is required: Terraform leaves out those that are null. A description that repeats the default of a
/// sensitive variable is left out.
pub fn of_outputs(
    module: &Module,
    types: &BTreeMap<SmolStr, OutputType>,
    form: OutputForm,
    options: &SchemaOptions,
) -> Schema {
    let secrets = Secrets::of(module, []);
    let is_shown = |it: &&String| !secrets.are_in_text(None, it);
    let property = |(name, output): (&SmolStr, &Output)| {
        let ty = types.get(name).unwrap_or(&OutputType::Open);
        let mut value = partial(ty, options);
        if *ty == OutputType::Open {
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

/// The schema of a value that is not null itself.
fn partial(ty: &OutputType, options: &SchemaOptions) -> Keywords {
    let inner = |ty: &OutputType| -> Schema {
        guarded(|| match ty {
            OutputType::Open => Schema::Bool(true),
            it => nullable(partial(it, options)),
        })
    };
    match ty {
        OutputType::Open => Keywords::default(),
        OutputType::Known(ty) => value(ty, options),
        OutputType::Array(each) => Keywords {
            kind: Some(JsonType::Array),
            items: (**each != OutputType::Open).then(|| Items::Each(inner(each))),
            ..Keywords::default()
        },
        OutputType::Tuple(all) => places(all.iter().map(inner).collect()),
        OutputType::Map(each) => Keywords {
            kind: Some(JsonType::Object),
            additional_properties: (**each != OutputType::Open).then(|| inner(each)),
            ..Keywords::default()
        },
        OutputType::Object(all) => {
            object(all.iter().map(|(name, it)| (name, inner(it))).collect(), options)
        }
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
        Type::Object(it) => {
            let attributes = it.attributes.iter();
            object(attributes.map(|(name, ty)| (name, or_null(ty, options))).collect(), options)
        }
        Type::Tuple(elements) => places(elements.iter().map(|it| or_null(it, options)).collect()),
    })
}

/// An array with one element for each place.
fn places(all: Vec<Schema>) -> Keywords {
    let count = Some(all.len() as u64);
    let items = (!all.is_empty()).then_some(Items::Places(all, None));
    let kind = Some(JsonType::Array);
    Keywords { kind, items, min_items: count, max_items: count, ..Keywords::default() }
}

/// An object that has all attributes.
fn object(attributes: BTreeMap<&SmolStr, Schema>, options: &SchemaOptions) -> Keywords {
    Keywords {
        kind: Some(JsonType::Object),
        required: Some(attributes.keys().map(ToString::to_string).collect()),
        properties: Some(attributes.into_iter().map(|(name, it)| (name.to_string(), it)).collect()),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        ..Keywords::default()
    }
}

/// The schema of a value inside of another one, which may be null.
fn or_null(ty: &Type, options: &SchemaOptions) -> Schema {
    if *ty == Type::Dynamic {
        return Schema::Bool(true);
    }
    nullable(value(ty, options))
}

fn nullable(value: Keywords) -> Schema {
    let null = Schema::of_kind(JsonType::Null);
    Keywords { any_of: vec![null, value.into()], ..Keywords::default() }.into()
}
