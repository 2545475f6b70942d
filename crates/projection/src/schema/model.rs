//! JSON Schema as data: the keywords that are used.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decimal, Draft, SchemaJson};

/// A schema: `true`, `false`, or keywords.
#[derive(Clone, Debug, PartialEq)]
pub enum Schema {
    Bool(bool),
    Keywords(Box<Keywords>),
}

/// The JSON types that `type` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonType {
    Null,
    Boolean,
    Number,
    Integer,
    String,
    Array,
    Object,
}

impl JsonType {
    pub fn as_str(self) -> &'static str {
        match self {
            JsonType::Null => "null",
            JsonType::Boolean => "boolean",
            JsonType::Number => "number",
            JsonType::Integer => "integer",
            JsonType::String => "string",
            JsonType::Array => "array",
            JsonType::Object => "object",
        }
    }
}

/// `items`: one schema for all elements, or one for each of the first places, with an optional schema
/// for the elements behind them.
#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    Each(Schema),
    Places(Vec<Schema>, Option<Schema>),
}

/// `contains`: at least one element, or a number from `minContains` to `maxContains`, which draft-07
/// lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Contains {
    pub schema: Schema,
    pub min: Option<u64>,
    pub max: Option<u64>,
}

/// The keywords of one schema object; an absent keyword is `None` or empty. `required` and `properties`
/// are `Some` and empty if the empty keyword is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keywords {
    /// The draft in `$schema`; at the root it decides how everything inside is written.
    pub dialect: Option<Draft>,
    /// `definitions` or `$defs`, at the root only.
    pub definitions: BTreeMap<String, Schema>,
    /// `$ref`: the schema at this pointer applies, too.
    pub reference: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub default: Option<SchemaJson>,

    pub kind: Option<JsonType>,
    pub one_of_values: Option<Vec<SchemaJson>>,

    pub minimum: Option<Decimal>,
    pub exclusive_minimum: Option<Decimal>,
    pub maximum: Option<Decimal>,
    pub exclusive_maximum: Option<Decimal>,
    pub multiple_of: Option<Decimal>,

    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<String>,

    pub items: Option<Items>,
    pub contains: Option<Contains>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,

    pub properties: Option<BTreeMap<String, Schema>>,
    pub pattern_properties: BTreeMap<String, Schema>,
    pub additional_properties: Option<Schema>,
    pub property_names: Option<Schema>,
    pub required: Option<BTreeSet<String>>,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,

    pub all_of: Vec<Schema>,
    pub any_of: Vec<Schema>,
    pub one_of: Vec<Schema>,
    pub not: Option<Schema>,
    pub condition: Option<IfThenElse>,

    /// Annotations, and members that the user sets; they override other members.
    pub extra: BTreeMap<String, SchemaJson>,
}

/// `if`, `then` and `else`.
#[derive(Clone, Debug, PartialEq)]
pub struct IfThenElse {
    pub when: Schema,
    pub then: Option<Schema>,
    pub otherwise: Option<Schema>,
}

impl From<Keywords> for Schema {
    fn from(keywords: Keywords) -> Self {
        Schema::Keywords(Box::new(keywords))
    }
}

impl Schema {
    /// A schema that specifies the type only.
    pub fn of_kind(kind: JsonType) -> Schema {
        Keywords { kind: Some(kind), ..Keywords::default() }.into()
    }

    /// The draft that `$schema` names; draft-07 by default.
    pub fn draft(&self) -> Draft {
        match self {
            Schema::Bool(_) => Draft::default(),
            Schema::Keywords(it) => it.dialect.unwrap_or_default(),
        }
    }
}
